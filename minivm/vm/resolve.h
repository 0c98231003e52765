/* SPDX-License-Identifier: MIT */
/* minivm/vm/resolve.h -- how a constant pool's entries get their answers. */

#ifndef MINIVM_VM_RESOLVE_H
#define MINIVM_VM_RESOLVE_H

#include "vm/link.h"

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
/* The same for an object, NULL included; answers the place that holds it. */
struct object **resolution_end_object(struct thread *self, struct cpool *pool,
                                      unsigned index, struct object *o);

#endif
