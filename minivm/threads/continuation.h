/* SPDX-License-Identifier: MIT */
/* minivm/threads/continuation.h -- continuations: Java code that stops in the middle, to
 * go on later and perhaps on another thread (JEP 444).
 *
 * A virtual thread is Java code of java.lang.VirtualThread upon one object of
 * jdk.internal.vm.Continuation, whose natives are the VM's part.  A continuation has a
 * Java stack of its own.  It is mounted on a thread while the thread runs it: then the
 * thread's fields of its Java stack are the continuation's, and the struct here keeps
 * those that were the thread's before.  When the code yields they are exchanged again,
 * which takes the same time however deep the stacks are.  The frames of a thread that
 * runs do not move, so their addresses stay good; those of an unmounted continuation may
 * be packed elsewhere (continuation.c).
 *
 *      thread.stack ...          of the innermost mounted continuation, or the thread's
 *      thread.continuation       the innermost one: its `saved` has what is below it
 *      continuation.below        the next one that is mounted on the same thread
 *
 * A virtual thread owns the monitors that it has entered, and owns them also while it is
 * unmounted: its lock_id and its lock stack are exchanged with the stack.  A continuation
 * that is not a virtual thread's has neither, and uses those of the thread that runs it;
 * what it has entered when it yields stays locked, and is that thread's still.
 *
 * The oldest frame of a continuation is an entry frame, as where C code has called Java.
 * In a virtual thread nothing is below it, so whoever walks frames meets the virtual
 * thread's alone; of a plain continuation it is linked to the frame that mounted it.
 *
 * What is in the frames of an unmounted continuation is reached from its object, like
 * from an object's fields.  So one that nobody can continue any more is collected with
 * all that it holds.
 *
 * interp/continuation.c mounts and yields.  Only what needs a new stack may stop. */

#ifndef MINIVM_THREADS_CONTINUATION_H
#define MINIVM_THREADS_CONTINUATION_H

#include <sys/queue.h>

#include "threads/thread.h"

/* A Java stack, as struct thread has it. */
struct java_stack {
    union slot *stack, *stack_end, *stack_red;
    struct frame *top;
};

/* What a thread's monitors are known by, as struct thread has it. */
struct lock_stack {
    struct held_lock *locks; /* NULL: count is 0 */
    uint32_t count, capacity;
    uint32_t id; /* lock_id.h */
};

struct virtual_waiter;

struct continuation {
    TAILQ_ENTRY(continuation) link; /* of all; guarded by continuation_mutex */
    struct object *object;          /* its Continuation, which need not be alive */
    /* While it is mounted, the stack below it; otherwise its own. */
    struct java_stack saved;
    /* A block for its frames while it is packed.  Where stacks are scarce it is kept
       for the next time. */
    union slot *block;
    size_t block_slots;
    struct thread *thread;      /* that it is mounted on, or NULL */
    struct continuation *below; /* while mounted */
    /* The call of the interpreter's loop that mounted it, by an address in its C frame.
       Another loop that yields has C code in between, which cannot be left
       (interp/continuation.c). */
    const void *loop;
    /* Of a virtual thread: while it is mounted, that of the thread below it; otherwise
       its own.  Of others: while it is mounted, only the count, what it was when it was
       mounted; otherwise what continuation_keep_locks has put here. */
    struct lock_stack saved_locks;
    struct object
        *thread_object; /* the java.lang.Thread of a virtual thread, or NULL */
    /* Of a virtual thread that was unmounted because of a monitor (monitor_virtual.h). */
    struct virtual_waiter *waiter;
    /* Of a virtual thread: while it is mounted, those of the thread below it; otherwise
       its own.  jvmti is NULL while no agent has an environment: then it uses that of the
       thread that it is mounted on. */
    struct jvmti_thread *jvmti;
    struct object *async_exception;
    bool is_suspended; /* while it is not mounted; guarded by transitions.mutex */
    uint32_t pins;     /* Continuation.pin */
    bool is_packed;    /* its stack is the block (continuation.c) */
    bool is_idle;      /* not mounted since the last collection */
    bool is_virtual;   /* of a virtual thread: its frames are not linked to others */
};

/* Returns the struct of a Continuation, or NULL if it has not run yet, or has ended. */
struct continuation *continuation_of(const struct vm *vm, const struct object *object);

/* Returns a new continuation for the object, unmounted, with an empty stack.
   thread_object is the virtual thread that it is for; it may be NULL, and is for others.
   Stops and collects when there is no memory, and then returns NULL. */
struct continuation *continuation_new(struct thread *self, struct object *object,
                                      bool is_virtual, struct object *thread_object);

/* Frees c, which is not mounted and owns no monitor.  The object forgets it. */
void continuation_free(struct thread *self, struct continuation *c);

/* Makes handles of self for the java.lang.Thread of each virtual thread that has a
   continuation.  Does not stop. */
void continuations_add_handles(struct thread *self);

/* Mounts c on self, whose stack becomes c's, and back.  thread_unmount returns what was
   mounted. */
void thread_mount(struct thread *self, struct continuation *c);
struct continuation *thread_unmount(struct thread *self);

/* c, which is no virtual thread's, is mounted on self and is going to be unmounted: it
   keeps the entries of the lock stack that its frames have made.  The monitors stay
   locked by self, so that nobody else can enter them.  Returns false when there is no
   memory. */
bool continuation_keep_locks(struct thread *self, struct continuation *c);

/* Returns where the frame f, which may be NULL, is after its stack has moved. */
struct frame *frame_moved(const struct frame *f, const union slot *from,
                          union slot *to);

/* c was unmounted, and will be mounted again.  Its frames may be moved. */
void continuation_yielded(struct vm *vm, struct continuation *c);

/* Makes c fit to be mounted again.  Stops and collects when there is no memory, waits a
   little, and then returns false. */
bool continuation_unpack(struct thread *self, struct continuation *c);

/* Returns the newest frame of a method that t has as a platform thread, below the virtual
   thread that is mounted on it and the native that has mounted that; NULL if there is
   none.  t is self, stopped, or in a
   handshake. */
struct frame *thread_own_top(const struct thread *t);

/* Returns the lock stack of t as a platform thread; the condition is the same. */
struct lock_stack thread_own_locks(const struct thread *t);

/* ---- for walks over all frames; the world is stopped, or t is in a handshake ---- */

/* Is called for the newest frame of each chain of frames.  t is the thread that has the
   chain, or NULL for an unmounted continuation. */
typedef void frame_chain_fn(void *context, struct thread *t, struct frame *top);

/* Visits the chains of t, the newest first: one more than it has virtual threads
   mounted. */
void thread_visit_chains(struct thread *t, frame_chain_fn *visit, void *context);

/* Returns the java.lang.Thread whose chain of t it is: of t, or of the virtual thread that
   it runs. */
struct object *thread_chain_owner(const struct thread *t, const struct frame *top);

/* Visits the chains of all threads and of all unmounted continuations.  The caller holds
   the list of threads. */
void frames_visit_chains(struct vm *vm, frame_chain_fn *visit, void *context);

/* Visits the unmounted continuations of virtual threads. */
void continuations_visit_unmounted(struct vm *vm,
                                   void (*visit)(void *context, struct continuation *c),
                                   void *context);

/* Visits the objects that c keeps beside the frames: those whose monitors are on its lock
   stack, and the exception; or, while it is mounted, those of the thread below it. */
void continuation_visit_saved(struct continuation *c, heap_root_fn *visit,
                              void *context);

/* Registers what the collector has to know.  vm->heap exists. */
void continuations_init(struct vm *vm);

#endif
