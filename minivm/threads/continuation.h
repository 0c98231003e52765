/* SPDX-License-Identifier: MIT */
/* minivm/threads/continuation.h -- continuations: Java code that stops in the middle, to
 * go on later and perhaps on another thread (JEP 444).
 *
 * A virtual thread is Java code of java.lang.VirtualThread upon one object of
 * jdk.internal.vm.Continuation, whose natives are the VM's part.  A continuation has a
 * Java stack of its own.  It is mounted on a thread while the thread runs it: then the
 * thread's fields of its Java stack are the continuation's, and the struct here keeps
 * those that were the thread's before.  When the code yields they are exchanged again,
 * which takes the same time however deep the stacks are.  Frames never move, so their
 * addresses stay good.
 *
 *      thread.stack ...          of the innermost mounted continuation, or the thread's
 *      thread.continuation       the innermost one: its `saved` has what is below it
 *      continuation.below        the next one that is mounted on the same thread
 *
 * The oldest frame of a continuation is an entry frame, as where C code has called Java.
 * In a virtual thread nothing is below it, so whoever walks frames meets the virtual
 * thread's alone; of a plain continuation it is linked to the frame that mounted it.
 *
 * What is in the frames of an unmounted continuation is reached from its object, like
 * from an object's fields.  So one that nobody can continue any more is collected with
 * all that it holds.
 *
 * interp/continuation.c mounts and yields.  Nothing here stops. */

#ifndef MINIVM_THREADS_CONTINUATION_H
#define MINIVM_THREADS_CONTINUATION_H

#include <sys/queue.h>

#include "threads/thread.h"

/* A Java stack, as struct thread has it. */
struct java_stack {
    union slot *stack, *stack_end, *stack_red;
    struct frame *top;
};

struct continuation {
    TAILQ_ENTRY(continuation) link; /* of all; guarded by continuation_mutex */
    struct object *object;          /* its Continuation, which need not be alive */
    /* While it is mounted, the stack below it; otherwise its own. */
    struct java_stack saved;
    struct thread *thread;      /* that it is mounted on, or NULL */
    struct continuation *below; /* while mounted */
    /* The frame of C of the interpreter's loop that mounted it.  Another loop that
       yields has C code in between, which cannot be left (interp/continuation.c). */
    const void *loop;
    uint32_t lock_count; /* of thread.locks when it was mounted */
    uint32_t pins;       /* Continuation.pin */
    bool is_virtual;     /* of a virtual thread: its frames are not linked to others */
};

/* Returns the struct of a Continuation, or NULL if it has not run yet, or has ended. */
struct continuation *continuation_of(const struct vm *vm, const struct object *object);

/* Returns a new continuation for the object, unmounted, with an empty stack.  NULL when
   there is no memory. */
struct continuation *continuation_new(struct thread *self, struct object *object);

/* Frees c, which is not mounted.  The object, if it is alive, forgets it. */
void continuation_free(struct thread *self, struct continuation *c);

/* Mounts c on self, whose stack becomes c's, and back.  thread_unmount returns what was
   mounted. */
void thread_mount(struct thread *self, struct continuation *c);
struct continuation *thread_unmount(struct thread *self);

/* Returns the newest frame of a method that t has as a platform thread, below the virtual
   thread that is mounted on it; NULL if there is none.  t is self, stopped, or in a
   handshake. */
struct frame *thread_own_top(const struct thread *t);

/* ---- for walks over all frames; the world is stopped, or t is in a handshake ---- */

/* Is called for the newest frame of each chain of frames.  t is the thread that has the
   chain, or NULL for an unmounted continuation. */
typedef void frame_chain_fn(void *context, struct thread *t, struct frame *top);

/* Visits the chains of t, the newest first: one more than it has virtual threads
   mounted. */
void thread_visit_chains(struct thread *t, frame_chain_fn *visit, void *context);

/* Visits the chains of all threads and of all unmounted continuations.  The caller holds
   the list of threads. */
void frames_visit_chains(struct vm *vm, frame_chain_fn *visit, void *context);

/* Registers what the collector has to know.  vm->heap exists. */
void continuations_init(struct vm *vm);

#endif
