/* SPDX-License-Identifier: MIT */
/* minivm/vm/lookup.h -- the steps of resolution, and how a constant pool's entries get
 * their answers. */

#ifndef MINIVM_VM_LOOKUP_H
#define MINIVM_VM_LOOKUP_H

#include "vm/link.h"

/* What an invocation demands of a resolved method; holder is the reference's class. */
bool check_call(struct thread *self, struct class *from, struct class *holder,
                const struct method *m, unsigned opcode);
/* The method that an invokespecial in from runs; NULL with the error pending. */
struct method *select_special(struct thread *self, struct class *from,
                              struct class *holder, struct method *m);

/* May from see c?  False with IllegalAccessError pending. */
bool check_class_access(struct thread *self, struct class *from, struct class *c);

/*
 * False when the entry has its answer: it is in *entry, or NULL and thrown again.
 * True: the caller finds it out and ends by resolution_end.
 */
bool resolution_begin(struct thread *self, struct cpool *pool, unsigned index,
                      void **entry);
/* value NULL: a pending LinkageError becomes the entry's answer.  Else the answer,
   perhaps another thread's. */
void *resolution_end(struct thread *self, struct cpool *pool, unsigned index,
                     void *value);
/* AbstractMethodError; receiver and selected may be NULL. */
void *throw_abstract(struct thread *self, const struct class *receiver,
                     const struct method *resolved, const struct method *selected);

#endif
