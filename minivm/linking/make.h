/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/make.h -- making and freeing a struct class (JVMS 5.3.3, 5.3.5).
 *
 * define.c makes classes of class files, boot_classes.c the primitive ones,
 * class_array_of (class.h) those of arrays.  A new class is in no table, and nobody
 * else sees it.
 */

#ifndef MINIVM_LINKING_MAKE_H
#define MINIVM_LINKING_MAKE_H

#include "linking/class.h"

struct vm;

/*
 * Makes the class of file, which was parsed by definition of loader l; super and
 * interfaces, as many as file names, are loaded.  super is java.lang.Object's if file
 * is an interface's, and NULL if it is that of Object.  Takes file over, also when it
 * fails. The class has no mirror yet.  Returns NULL with IncompatibleClassChangeError
 * (a final method is overridden) or OutOfMemoryError pending.
 */
struct class *class_make(struct thread *self, struct loader *l, struct classfile *file,
                         struct class *super, struct class **interfaces);

/* Allocates a zeroed class with a vtable of that length, whose slots the caller fills.
   Returns NULL with OutOfMemoryError pending; class_free frees it. */
struct class *class_new(struct thread *self, uint32_t vtable_length);

/*
 * Sets c->super, c->depth, and c->supers, which has the first classes on the way from
 * Object down to c, so that most tests of subtypes are one comparison.  super is NULL
 * for Object.  An interface has no superclass in the VM, whatever its file says, but is
 * a subtype of Object.  c's access flags are set.
 */
void class_set_supers(struct vm *vm, struct class *c, struct class *super);

/* Makes the class of a primitive type or void, of its descriptor character.  Without
   memory for it the process ends. */
struct class *class_make_primitive(struct thread *self, char type);

/*
 * Makes the java.lang.Class object of c and stores it in c->layout.mirror;
 * protection_domain and class_data (Lookup.defineHiddenClassWithClassData) may be NULL.
 * Returns false with OutOfMemoryError pending.
 */
bool class_make_mirror(struct thread *self, struct class *c,
                       struct object *protection_domain, struct object *class_data);

/* Makes version the version of m that cf describes; pool is of the same class file.
   version is not m's current one thereby. */
void version_init(struct method_version *version, struct method *m,
                  const struct cf_method *cf, struct cpool *pool);

/*
 * Adds a method to c that a new version of the class has; it is neither a constructor
 * nor virtual.  It has no version yet.  The world is stopped, and class_mutex is held.
 */
struct method *class_add_method(struct vm *vm, struct class *c,
                                const struct cf_method *from);

/* Frees c, its constant pools and methods.  Nobody refers to it any more. */
void class_free(struct vm *vm, struct class *c);

/*
 * Gives up c, whose definition has failed and which is in no table.  If it has a
 * mirror, the collector frees it once that is garbage, else it is freed at once.
 */
void class_discard(struct vm *vm, struct class *c);

#endif
