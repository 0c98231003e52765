/* SPDX-License-Identifier: MIT */
/* minivm/threads/handles.h -- references in local variables of C code.
 *
 * The collector does not look at the stacks of C.  C code that holds a reference in a
 * local variable, and calls a function that takes `self`, keeps the object alive by
 * writing the reference into the thread's handle stack first:
 *
 *     HANDLE_SCOPE(self);
 *     struct object *name = handle_new(self, string_from_utf8(self, "main"));
 *     struct object *thread = object_new(self, c);       may collect; name is alive
 *
 * Objects do not move, so the plain pointer stays good, and there is no need to read it
 * back.  A handle is a root of the collector until its scope ends.  Only the thread
 * itself uses its handles, while it is IN_VM; or the operation of a handshake that it
 * waits for, which may run in the other thread.  Memory for them is taken without fail:
 * the process ends when there is none. */

#ifndef MINIVM_THREADS_HANDLES_H
#define MINIVM_THREADS_HANDLES_H

#include "threads/thread.h"

struct handle_scope {
    struct thread *self;
    size_t mark; /* the handles that there were at the beginning */
};

/* Doubles the handle stack. */
void handles_grow(struct thread *self);

static inline struct handle_scope
handle_scope_open(struct thread *self)
{
    return (struct handle_scope){ self, self->handle_count };
}

static inline void
handle_scope_close(struct handle_scope *s)
{
    s->self->handle_count = s->mark;
}

/* Declares that all handles that are made from here on end with the block. */
#define HANDLE_SCOPE(self) \
    struct handle_scope handle_scope_here \
        __attribute__((cleanup(handle_scope_close), unused)) = handle_scope_open(self)

/* Keeps o alive until the enclosing HANDLE_SCOPE ends, and returns o, which may be
   NULL.  It neither stops nor collects. */
static inline void *
handle_new(struct thread *self, void *o)
{
    if (__builtin_expect(self->handle_count == self->handle_capacity, 0))
        handles_grow(self);
    self->handles[self->handle_count++] = o;
    return o;
}

#endif
