/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/select.h -- selection of the method that a call runs (JVMS 5.4.6).
 *
 * The interpreter's fast path is class_select (class.h), which throws nothing.  Where
 * that finds no method, or finds an abstract one, select_method repeats the selection
 * and throws.
 */

#ifndef MINIVM_LINKING_SELECT_H
#define MINIVM_LINKING_SELECT_H

#include <stdbool.h>

struct class;
struct method;
struct thread;

/* Returns the method that a receiver of that class runs for the resolved method m.
   Returns NULL with AbstractMethodError, IncompatibleClassChangeError or
   IllegalAccessError pending. */
struct method *select_method(struct thread *self, struct class *receiver,
                             struct method *m);

/* The same for a method that an interface declares.  by_class: the call names a class,
   which inherits the method (invokevirtual); HotSpot words errors of these in another
   way. */
struct method *select_interface(struct thread *self, struct class *receiver,
                                struct method *m, bool by_class);

/* Throws what fits if no method of c or its superinterfaces is selected for m, which an
   interface declares: IncompatibleClassChangeError that lists the maximally-specific
   methods if there are several, else AbstractMethodError.  Returns NULL. */
void *throw_unselected(struct thread *self, struct class *c, const struct method *m,
                       bool by_class);

/* Throws AbstractMethodError for a call of resolved on a receiver of that class, for
   which selected, which is abstract, was selected, or NULL: nothing was.  Returns
   NULL. */
void *throw_abstract_method_error(struct thread *self, const struct class *receiver,
                                  const struct method *resolved,
                                  const struct method *selected);

#endif
