/* SPDX-License-Identifier: MIT */
/* minivm/threads/safepoint.h -- transitions, polls, stops of the world, handshakes.
 *
 * thread.h explains the states of a thread and what a safepoint is.  This module owns
 * thread.run_state and vm->safepoint.  All functions with `self` may stop there: for as
 * long as another thread keeps the world stopped, runs a handshake with self, or has
 * suspended self.  They take no memory and cannot fail. */

#ifndef MINIVM_THREADS_SAFEPOINT_H
#define MINIVM_THREADS_SAFEPOINT_H

#include "threads/thread.h"

/* ---- transitions ---- */

/* The slow parts of the transitions below: attention asks for something. */
void thread_enter_slow(struct thread *self);
void thread_leave_slow(struct thread *self);

/*
 * Stores run_state.  The caller then loads attention, and the two must not be
 * exchanged.  Who sets attention and then reads run_state makes up for the missing
 * fence by a membarrier (safepoint.c); where there is none, is_fenced asks for a fence
 * here.
 */
static inline void
thread_transit(struct thread *self, enum thread_run_state state)
{
    if (__builtin_expect(self->is_fenced, 0))
        atomic_exchange(&self->run_state, state);
    else
        atomic_store_explicit(&self->run_state, state, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
}

/* From native code into the VM: waits while the world is stopped or self is
   suspended. */
static inline void
thread_enter_vm(struct thread *self)
{
    thread_transit(self, THREAD_IN_VM);
    if (thread_wants(self, UINT32_MAX))
        thread_enter_slow(self);
}

/* From the VM into native code.  Who waits for self goes on; self does not wait, except
   for its turn where there is a schedule (schedule.h). */
static inline void
thread_leave_vm(struct thread *self)
{
    thread_transit(self, THREAD_IN_NATIVE);
    if (thread_wants(self, UINT32_MAX))
        thread_leave_slow(self);
}

/* From the VM into a wait that touches no heap, and back.  (One field may be read in
   it, Thread.interrupted of self's object: that is alive and does not move.)  Between
   the two the caller may lock mutexes and wait for conditions; it holds none when it
   ends the block. */
void thread_block_begin(struct thread *self);
void thread_block_end(struct thread *self);

/* Ends the block as thread_block_end does and returns true, unless self is suspended:
   then returns false, and self stays BLOCKED. */
bool thread_block_try_end(struct thread *self);

/* ---- polls ---- */

/* The slow part of thread_poll. */
void thread_poll_slow(struct thread *self);

/* Does what attention asks for: stops, runs handshakes, waits while suspended.  An
   exception of thread_stop becomes pending.  self is IN_VM, and its top frame's pc is
   exact. */
static inline void
thread_poll(struct thread *self)
{
    if (thread_wants(self, UINT32_MAX))
        thread_poll_slow(self);
}

/* ---- stops of the world ---- */

/*
 * Stops all other threads; self, the owner of the stop, stays IN_VM.  Waits for stops
 * of other threads first, so the heap and the classes may have changed when it
 * returns.  All allocation caches are flushed, and self holds the list of threads.
 * Stops of the same thread nest.  reason is a string constant for the report of a
 * crash; the reason of the outermost stop counts.
 */
void world_stop(struct thread *self, const char *reason);
void world_resume(struct thread *self);

/* Returns whether some thread has stopped the world. */
bool world_is_stopped(const struct vm *vm);

/* Returns whether self, the calling thread, is the owner of a stop. */
bool world_is_stopped_by(const struct thread *self);

/* For the report of a crash: returns why the world stops or is stopped, and in *owner
   by whom; or NULL. */
const char *world_stop_reason(const struct vm *vm, const struct thread **owner);

/* ---- handshakes ---- */

/*
 * Runs fn(target, arg) once, in either thread, while target runs no Java, and waits
 * until that is done; meanwhile others may run handshakes with self.  target is self,
 * pinned, or known to live.  False when target has ended: fn did not run.
 *
 * fn runs with target->lock held, unless target is self or self has stopped the world.
 * It must not stop, allocate in the heap, or lock what is held by a thread that waits.
 */
bool handshake(struct thread *self, struct thread *target,
               void (*fn)(struct thread *target, void *arg), void *arg);

/* Runs fn by a handshake with every other thread, one after the other, and then for
   self, under the conditions of handshake.  Threads that end meanwhile are left out. */
void handshake_all(struct thread *self, void (*fn)(struct thread *target, void *arg),
                   void *arg);

/* ---- for the files of this room ---- */

/* Any thread may set and clear bits of t's attention. */
static inline void
attention_set(struct thread *t, uint32_t bits)
{
    atomic_fetch_or(&t->poll.attention, bits);
}

static inline void
attention_clear(struct thread *t, uint32_t bits)
{
    atomic_fetch_and(&t->poll.attention, ~bits);
}

/* t, which is about to get into the list, takes part in a stop that has begun.  The
   caller holds the list. */
void safepoint_join(struct thread *t);

/* t, which is out of the list, refuses the handshakes that wait for it.  The caller
   holds t->lock. */
void safepoint_part(struct thread *t);

/* Puts a fence into all threads: each sees the calling thread's earlier stores in its next
   load, and the calling thread sees its earlier stores.  It is for others whose one side
   is as frequent as a transition is, and has a fence only if is_fenced. */
void safepoint_fence(const struct vm *vm);

/* Tells the threads that wait for others to stop that one has done something. */
void safepoint_notify(struct vm *vm);

/* Waits, BLOCKED, while the condition holds for t.  Who ends it calls safepoint_notify
   afterwards. */
void safepoint_wait_while(struct thread *self,
                          bool (*holds)(const struct thread *t, const void *arg),
                          const struct thread *t, const void *arg);

/* Makes vm->safepoint. */
void safepoint_init(struct vm *vm);

#endif
