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

/*
 * Run fn(target, arg) as described above and wait for it.  target may be self.
 * fn must not stop, allocate in the heap or take a lock that is held while
 * waiting.  False when the target has ended.
 */
bool handshake(struct thread *self, struct thread *target,
               void (*fn)(struct thread *target, void *arg), void *arg);
/* The same for every thread but self, then self. */
void handshake_all(struct thread *self, void (*fn)(struct thread *target, void *arg),
                   void *arg);

#endif
