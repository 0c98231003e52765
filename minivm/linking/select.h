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

struct class;
struct method;
struct thread;

/* Returns the method that a receiver of that class runs for the resolved method m.
   Returns NULL with AbstractMethodError, IncompatibleClassChangeError or
   IllegalAccessError pending. */
struct method *select_method(struct thread *self, struct class *receiver,
                             struct method *m);

/* Throws AbstractMethodError for a call of resolved on a receiver of that class, for
   which selected, which is abstract, was selected, or NULL: nothing was.  Returns
   NULL. */
void *throw_abstract_method_error(struct thread *self, const struct class *receiver,
                                  const struct method *resolved,
                                  const struct method *selected);

#endif
