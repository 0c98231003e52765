/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/loader.h -- class loaders: finding, loading and defining classes
 * (JVMS 5.3).
 *
 * struct loader is the VM's side of a class loader; all of its tables are guarded by
 * class_mutex.  Functions that have a thread may run Java code, stop and collect, and
 * fail with NULL or false and the error pending.
 */

#ifndef MINIVM_LINKING_LOADER_H
#define MINIVM_LINKING_LOADER_H

#include "base/hash.h"
#include "runtime/wellknown.h"
#include "threads/thread.h"

/*
 * A loader does not keep its Java object alive, but the mirrors of its classes do.
 * When that object is found dead, so are the classes; struct loader is unlinked with
 * them and freed by the next collection.
 */
struct loader {
    struct object *object; /* the java.lang.ClassLoader; NULL: the boot loader */
    /* From symbol to struct class: the classes that it is an initiating loader of. */
    struct ptrmap classes;
    struct class
        *defined; /* the classes that it has defined, linked by next_in_loader */
    /*
     * The first class that it has defined and that is not weak, or NULL.  For the
     * collector each class of the loader refers to this one, and this one to the
     * loaders in needed: so those references are followed once, not once for each
     * class.
     */
    struct class *representative;
    struct ptrmap
        constraints;        /* from symbol to struct loader_constraint; constraints.c */
    struct ptrmap packages; /* from symbol to struct package */
    /* Its unnamed module.  The Module object is NULL until
       loader_bind_unnamed_module. */
    struct module *unnamed;
    struct ptrmap modules; /* from symbol to struct module; the named ones */
    /* The loaders, each mapped to itself, that have defined classes which this one is
       an initiating loader of.  They live as long as classes of this loader. */
    struct ptrmap needed;
    bool is_boot, is_platform;
    bool is_builtin;     /* the boot, platform or application loader */
    bool is_dead;        /* its object is garbage; see unload.h */
    struct loader *next; /* in vm->loaders */
};

/* Makes the boot loader, and sets up class_mutex and the modules that it guards: class
   space, ids, well-known names, boot path, unloading. */
void loader_init(struct vm *vm);

/*
 * Returns the loader of a java.lang.ClassLoader object, or the boot loader for NULL.
 * It is made when it is first asked for, also for an object whose constructor has not
 * finished; such a loader knows no classes, and neither loads nor defines any.
 */
struct loader *loader_of(struct vm *vm, struct object *loader_object);

/* Connects the unnamed module of l with the Module object that the constructor of the
   ClassLoader has made, unless that was done before.  Returns false with InternalError
   pending if there is none: the constructor has not run. */
bool loader_bind_unnamed_module(struct thread *self, struct loader *l);

/*
 * Returns the class of that internal name, which may be an array's, with l as the
 * initiating loader: one that l has recorded, or a new one.  The boot loader looks
 * along the boot path; other loaders are asked by an upcall of loadClass.  If there is
 * no such class, ClassNotFoundException is pending, as Class.forName needs it, or, if
 * not_found_error is true, NoClassDefFoundError with that as its cause.
 */
struct class *class_load(struct thread *self, struct loader *l,
                         const struct symbol *name, bool not_found_error);
enum { NOT_FOUND_EXCEPTION = false, NOT_FOUND_ERROR = true };

/*
 * Returns the class as class_load does, but makes no exception of its own when the
 * class is not there: if the boot loader finds none, or the upcall of loadClass returns
 * null or a class of another name, the result is NULL with nothing pending.  What goes
 * wrong otherwise leaves an exception pending, and so does a loadClass that throws
 * ClassNotFoundException.  A caller for which NULL is no failure has to test
 * exception_pending.
 */
struct class *class_try_load(struct thread *self, struct loader *l,
                             const struct symbol *name);

/* Does what class_load does with the boot loader, name being a C string such as
   "java/lang/Foo", and not_found_error true. */
struct class *class_load_boot(struct thread *self, const char *name);

/* Returns the class of that name that l is recorded as an initiating loader of, or
   NULL. Takes class_mutex; never loads. */
struct class *class_find_loaded(struct loader *l, const struct symbol *name);

/* What class_define is to define. */
struct class_definition {
    const struct symbol *name; /* the name that the class file must have; NULL: any */
    const uint8_t *bytes;
    size_t length;
    struct object *protection_domain; /* or NULL */
    const char *source;               /* for -verbose:class, or NULL */
    bool is_hidden, is_strong;        /* Lookup.defineHiddenClass */
    bool is_nestmate;                 /* hidden: it joins the nest of host */
    struct class *host;               /* hidden: the lookup class */
    bool has_vm_annotations;          /* the JDK's internal annotations count in it */
    struct object *class_data;        /* hidden: for MethodHandles.classData, or NULL */
    bool load_begun;                  /* the caller has called load_begin for it */
};

/*
 * Defines a class (JVMS 5.3.5): parses the bytes, which agents may replace, loads the
 * supertypes, and records l as its defining loader.  A hidden class is also linked.
 */
struct class *class_define(struct thread *self, struct loader *l,
                           const struct class_definition *d);

/* Calls visit for every class of every loader, and for array classes if with_arrays.
   class_mutex is held meanwhile, so visit must not stop. */
typedef void class_visit_fn(void *context, struct class *c);
void classes_visit(struct vm *vm, bool with_arrays, class_visit_fn *visit,
                   void *context);
enum { WITHOUT_ARRAYS = false, WITH_ARRAYS = true };

/* Calls visit for the classes that l is an initiating loader of, for their arrays, and
   for those of primitives (JVM TI "Get Class Loader Classes").  As above. */
void loader_visit_initiated(struct vm *vm, struct loader *l, class_visit_fn *visit,
                            void *context);

/*
 * Makes l, which has found c, an initiating loader of c by that name (JVMS 5.3).
 * Returns false with LinkageError pending if l has another class of that name or a
 * loader constraint forbids it.
 */
bool loader_record(struct thread *self, struct loader *l, const struct symbol *name,
                   struct class *c);

/* Frees l, which was unloaded together with its classes and modules. */
void loader_free(struct loader *l);

/* Returns the symbol of a class's name in internal form, or NULL with that error
   pending if name is NULL or too long. */
const struct symbol *class_symbol(struct thread *self, const char *name,
                                  enum known_class error);

#endif
