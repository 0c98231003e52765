/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/constraints.h -- loader constraints (JVMS 5.3.4).
 *
 * A constraint says that two or more loaders have to mean the same class by a name.  It
 * may be older than the class: then it waits until one of the loaders has loaded it.
 * Each loader has a map of its constraints by name, which class_mutex guards.
 */

#ifndef MINIVM_LINKING_CONSTRAINTS_H
#define MINIVM_LINKING_CONSTRAINTS_H

#include <stdbool.h>

struct class;
struct loader;
struct symbol;
struct thread;
struct vm;

/*
 * Adds the constraints that loaders a and b see the same classes by the names in
 * descriptor, which is a field's or a method's.  Returns NULL, or the first name for
 * which a constraint cannot hold.  Takes class_mutex.
 */
const struct symbol *constraints_add(struct vm *vm, struct loader *a, struct loader *b,
                                     const struct symbol *descriptor);

/*
 * Tells the constraints that l becomes an initiating loader of c by that name.  Returns
 * NULL, or the class that another loader has for it, which forbids that.  The caller
 * holds class_mutex.
 */
struct class *constraints_record(struct loader *l, const struct symbol *name,
                                 struct class *c);

/*
 * Adds the constraints of JVMS 5.4.5: the loader of each method of c and the loaders of
 * the methods that it overrides or implements see the same types in the descriptor.
 * Returns false with LinkageError pending if one of them cannot hold.
 */
bool constraints_add_overriding(struct thread *self, struct class *c);

/* Takes l, which is being unloaded, out of all of its constraints.  The world is
   stopped.  Afterwards constraints_forget_unloaded is called for the loaders that live,
   before the dead ones are freed. */
void constraints_leave(struct loader *l);

/* Drops unloaded classes and dead loaders from the constraints of l, which lives.  The
   world is stopped. */
void constraints_forget_unloaded(struct loader *l);

#endif
