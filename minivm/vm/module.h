/* SPDX-License-Identifier: MIT */
/* minivm/vm/module.h -- run-time modules and packages (JVMS 5.3.6, JLS 7.7). */

#ifndef MINIVM_VM_MODULE_H
#define MINIVM_VM_MODULE_H

#include "vm/loader.h"

struct module {
    const struct symbol *name;     /* NULL: unnamed */
    const struct symbol *version, *location;
    struct object *object;         /* java.lang.Module; NULL before it exists */
    struct loader *loader;
    struct ptrmap reads;           /* struct module * → itself */
    bool reads_all_unnamed, is_open;
    bool is_transformed, java_knows;  /* see module_transformed */
    struct module *next;
};

struct package {
    const struct symbol *name;     /* java/lang; empty for the unnamed one */
    struct module *module;
    struct ptrmap exports;         /* qualified: module * → itself */
    bool exported_all, exported_all_unnamed;
    bool has_classes;              /* boot: some class of it was loaded */
    int32_t class_path_index;      /* boot: where its first class came from, else -1 */
};

/* The run-time package of a class name in l; made in the unnamed module (boot:
   java.base until modules are defined) when new. */
struct package *package_of(struct thread *self, struct loader *l,
                           const struct symbol *class_name);
struct package *package_find(struct loader *l, const struct symbol *name);

bool module_reads(const struct module *from, const struct module *to);
bool package_exported_to(const struct package *p, const struct module *to);

/* JVM_DefineModule and friends, which hand in Strings and a String[], each perhaps
   NULL; false with IllegalArgumentException etc. pending. */
bool module_define(struct thread *self, struct object *module, bool is_open,
                   const struct object *version, const struct object *location,
                   const struct object *packages);
bool module_add_reads(struct thread *self, struct object *from, struct object *to);
/* to NULL: everybody. */
bool module_add_exports(struct thread *self, struct object *from,
                        struct object *package, struct object *to, bool all_unnamed);
bool module_set_boot_unnamed(struct thread *self, struct object *module);
/* An agent changed a class of m, which from now on reads the unnamed modules of boot
   and application loader, where agents have their helpers (JVM TI "Bytecode
   Instrumentation of code in modules").  Runs Java code for Module.canRead, by a later
   call when modules do not work yet; what that throws is dropped. */
void module_transformed(struct thread *self, struct module *m);
/* Every module of every loader, unnamed ones included. */
void modules_visit(struct vm *vm, void (*visit)(void *context, struct module *m),
                   void *context);
/* All classes of java.base defined before its Module object existed get it. */
void module_init(struct vm *vm);

#endif
