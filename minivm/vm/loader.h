/* SPDX-License-Identifier: MIT */
/* minivm/vm/loader.h -- defining loaders, class definition and lookup (JVMS 5.3). */

#ifndef MINIVM_VM_LOADER_H
#define MINIVM_VM_LOADER_H

#include "base/hash.h"
#include "vm/thread.h"

/*
 * The VM's side of a java.lang.ClassLoader.  It lives as long as any of its
 * classes; the Java object is reached weakly from here, strongly from its
 * classes' mirrors.
 */
struct loader {
    struct object *object;         /* NULL: the boot loader */
    struct ptrmap classes;         /* symbol → struct class, those that it is an
                                      initiating loader of */
    struct class *defined;         /* all defined here, linked by next_in_loader */
    struct class *keeper;          /* the first class defined, weak ones aside, or NULL:
                                      other classes keep it, it keeps the needed loaders */
    struct ptrmap constraints;     /* symbol → struct loader_constraint; loader.c */
    struct ptrmap packages;        /* symbol → struct package */
    struct module *unnamed;        /* its unnamed module; the module's object is
                                      NULL until loader_is_made saw it */
    struct ptrmap modules;         /* symbol → struct module */
    struct ptrmap needed;          /* struct loader * → itself: whose classes its
                                      classes have resolved; they stay while a class
                                      of this one does */
    bool is_boot, is_platform, is_builtin;
    bool is_dead;                  /* its object is garbage; nobody finds it */
    struct loader *next;           /* vm->loaders */
};

/* The loader of a java.lang.ClassLoader object (NULL: boot); made at first use, also
   for an object whose constructor did not finish.  Such a loader knows no classes, and
   neither loads nor defines any. */
struct loader *loader_of(struct vm *vm, struct object *loader_object);
/* Has l's object got the unnamed module that its constructor makes?  False with
   InternalError pending if not. */
bool loader_is_made(struct thread *self, struct loader *l);

/*
 * Load the class with that internal name (arrays and primitives' arrays too),
 * with l as the initiating loader: looks it up, else loads (boot: from modules and
 * appended paths; others: loadClass upcall).  NULL with the exception pending:
 * ClassNotFoundException stays as it is for callers of Class.forName
 * (not_found_error false) or becomes NoClassDefFoundError with it as the cause.
 */
struct class *class_load(struct thread *self, struct loader *l,
                         const struct symbol *name, bool not_found_error);
/* The same for callers that expect classes not to be there, without the cost of an
   exception: NULL with nothing pending when nothing was found. */
struct class *class_try_load(struct thread *self, struct loader *l,
                             const struct symbol *name);
/* Boot loader by C string: class_load_boot(self, "java/lang/Foo"). */
struct class *class_load_boot(struct thread *self, const char *name);
/* Already known to l as initiating loader?  Never loads. */
struct class *class_find_loaded(struct loader *l, const struct symbol *name);

struct class_definition {
    const struct symbol *name;     /* expected, or NULL: any */
    const uint8_t *bytes;
    size_t length;
    struct object *protection_domain; /* or NULL */
    const char *source;            /* for -verbose:class, or NULL */
    bool is_hidden, is_strong;     /* Lookup.defineHiddenClass */
    struct class *host;            /* hidden: nest host to be (lookup class) */
    bool is_nestmate;
    bool has_vm_annotations;       /* honour the JDK's own annotations in it */
    struct object *class_data;
    bool is_noted;                 /* loader.c knows that it is under way */
};

/* Parse, check, load supers, register (JVMS 5.3.5).  NULL with the error pending. */
struct class *class_define(struct thread *self, struct loader *l,
                           const struct class_definition *d);

/* Boot search path additions (-Xbootclasspath/a, JVM TI).  error is mem_alloc'd. */
bool boot_append(struct vm *vm, const char *path, char **error);
/* Where the boot loader's class_path_index points: "jrt:/java.base" for modules,
   a path for appended entries; NULL when out of range. */
const char *boot_source(const struct vm *vm, int32_t index);

/* Calls visit for every class of every loader (not arrays unless with_arrays);
   class_mutex is held: visit must not stop. */
typedef void class_visit_fn(void *context, struct class *c);
void classes_visit(struct vm *vm, bool with_arrays, class_visit_fn *visit,
                   void *context);
/* The classes that l is an initiating loader of, and their arrays. */
void loader_visit_initiated(struct vm *vm, struct loader *l, class_visit_fn *visit,
                            void *context);

/* Called for every class that is unloaded, before it is freed; world stopped. */
void class_add_free_hook(void (*hook)(struct class *c));

/* Makes the boot loader.  Class unloading is a heap weak part that it registers. */
void loader_init(struct vm *vm);

/*
 * Load what everything else needs: Object, Class, String and so on, with mirrors
 * for what was loaded before java.lang.Class, and the primitive classes.  Called
 * once, when the heap, strings and monitors are ready.  False with the reason in
 * *error (mem_free) when the class library does not fit.
 */
bool classes_boot(struct thread *self, char **error);

#endif
