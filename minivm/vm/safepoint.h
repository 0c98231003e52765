/* SPDX-License-Identifier: MIT */
/* minivm/vm/safepoint.h -- stopping threads.
 *
 * A global stop is for collection, heap walks and redefinition.  What concerns one
 * thread is a handshake: fn runs once while that thread runs no Java, either by the
 * thread itself at its next safepoint or by the requester while the thread is in
 * native code or blocked and held there. */

#ifndef MINIVM_VM_SAFEPOINT_H
#define MINIVM_VM_SAFEPOINT_H

#include "vm/thread.h"

/*
 * Stop every other thread; self stays IN_VM.  Waits for other stops first (so the
 * world may have changed).  All allocation caches are flushed.  Nests.
 */
void world_stop(struct thread *self, const char *reason);
void world_resume(struct thread *self);
bool world_is_stopped(const struct vm *vm);
/* For the report of a crash: why the world stops or is stopped, and by whom; or NULL. */
const char *world_stop_reason(const struct vm *vm, const struct thread **owner);

/*
 * Run fn(target, arg) as described above and wait for it; blocks, and others may
 * run handshakes with self meanwhile.  target is self, pinned, or known to live.
 * fn runs in either thread, once, with target->lock held (not when target is self or
 * the world is stopped); it must not stop, allocate in the heap or take a lock that
 * is held while waiting.  False when the target has ended: fn did not run.
 */
bool handshake(struct thread *self, struct thread *target,
               void (*fn)(struct thread *target, void *arg), void *arg);
/* The same for every thread but self, then self. */
void handshake_all(struct thread *self, void (*fn)(struct thread *target, void *arg),
                   void *arg);

/* In the body of a loop that waits for another processor. */
static inline void
spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* For thread.c: t, which is not in the list yet, stops as the world asks for. */
void safepoint_join(struct thread *t);
/* t, out of the list and with its lock held, refuses its handshakes. */
void safepoint_part(struct thread *t);
/* Tell those who wait for threads to stop that one did something. */
void safepoint_notify(struct vm *vm);
void safepoint_init(struct vm *vm);

#endif
