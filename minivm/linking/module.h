/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/module.h -- run-time modules and packages (JVMS 5.3.6, JLS 7.7).
 *
 * java.lang.Module tells the VM what modules there are, what they read and what their
 * packages export; access control asks for it here.  class_mutex guards all of it.
 * Until java.base is defined, which happens early at start, all boot classes count as
 * its own.
 */

#ifndef MINIVM_LINKING_MODULE_H
#define MINIVM_LINKING_MODULE_H

#include "linking/loader.h"

struct module {
    const struct symbol *name;               /* NULL: an unnamed module */
    const struct symbol *version, *location; /* or NULL */
    struct object *object; /* the java.lang.Module; NULL before it exists */
    struct loader *loader;
    struct ptrmap reads; /* the modules that it reads, each mapped to itself */
    bool reads_all_unnamed, is_open;
    /* An agent has changed one of its classes, and Module.canRead knows; see
       module_transformed. */
    bool is_transformed, java_notified;
};

/* A run-time package: a name and a loader (JVMS 5.3). */
struct package {
    const struct symbol *name; /* java/lang; empty for the unnamed package */
    struct module *module;
    struct ptrmap exports; /* the modules of qualified exports, each mapped to itself */
    bool exported_all, exported_all_unnamed;
    bool has_classes; /* boot loader: a class of it was loaded */
    /* Boot loader: the appended entry that its first class came from, as boot_source
       takes it, or -1. */
    int32_t class_path_index;
};

/* Makes the struct of java.base, without its Module object, and sets vm->boot_unnamed.
   The boot loader exists. */
void module_init(struct vm *vm);

/* Returns the package of the class of that name in l.  A new one is made in the unnamed
   module; in the boot loader until java.base is defined, in java.base. */
struct package *package_of(struct thread *self, struct loader *l,
                           const struct symbol *class_name);

/* Returns l's package of that name, or NULL. */
struct package *package_find(struct loader *l, const struct symbol *name);

/* Notes that the boot loader has defined a class of p, which comes from the appended entry
   path_index, or from none if that is negative. */
void package_note_class(struct package *p, int32_t path_index);

/* Returns false if the boot loader has defined no class of p.  *path_index becomes the
   entry that its first class came from, or negative. */
bool package_source(const struct package *p, int32_t *path_index);

/* Returns true if from reads to (JLS 7.3).  An unnamed module reads every module. */
bool module_reads(const struct module *from, const struct module *to);

/* Returns true if p is exported to module to, or is of that module. */
bool package_exported_to(const struct package *p, const struct module *to);

/* Do what JVM_DefineModule, JVM_AddReadsModule, JVM_AddModuleExports... and
   JVM_SetBootLoaderUnnamedModule are called for.  version, location and package are
   Strings, packages is a String[]; each may be NULL.  They return false with
   IllegalArgumentException or another exception pending. */
bool module_define(struct thread *self, struct object *module, bool is_open,
                   const struct object *version, const struct object *location,
                   const struct object *packages);
bool module_add_reads(struct thread *self, struct object *from, struct object *to);
/* to NULL: to all unnamed modules if all_unnamed, else to every module. */
bool module_add_exports(struct thread *self, struct object *from,
                        struct object *package, struct object *to, bool all_unnamed);
bool module_set_boot_unnamed(struct thread *self, struct object *module);

/*
 * Tells that an agent has changed a class of m.  From now on m reads the unnamed
 * modules of the boot and the application loader, where agents have their helper
 * classes (JVM TI "Bytecode Instrumentation of code in modules").  For Module.canRead
 * this runs Java code; before the start phase a later call does.  What that code throws
 * is dropped.
 */
void module_transformed(struct thread *self, struct module *m);

/* Calls visit for every module of every loader, the unnamed ones included.  class_mutex
   is held meanwhile, so visit must not stop. */
void modules_visit(struct vm *vm, void (*visit)(void *context, struct module *m),
                   void *context);

#endif
