/* SPDX-License-Identifier: MIT */
/* minivm/threads/park.h -- a thread that waits by itself: park, sleep, interrupt; and
 * what others see of a thread that waits.
 *
 * These are the natives of LockSupport, Thread.sleep and Thread.interrupt (JLS 17.3,
 * 17.2.3).  Waits for monitors are in monitor.h; they are shown to others by the
 * functions here, too.  A thread sleeps BLOCKED, on its wakeup. */

#ifndef MINIVM_THREADS_PARK_H
#define MINIVM_THREADS_PARK_H

#include "threads/thread.h"

/* Notes that self begins to wait, and for which object (or NULL); or, with WAIT_NONE
   and NULL, that it has ended to wait.  Thread.threadStatus follows. */
void thread_set_wait(struct thread *self, enum thread_wait wait, struct object *object);

/* Writes Thread.threadStatus by what t waits for. */
void thread_update_status(struct thread *t);

/* Unsafe.park.  time is in nanoseconds from now, 0 for no limit; or, when absolute is
   true, in milliseconds since 1970.  Returns at once when there is a permit. */
void thread_park(struct thread *self, bool absolute, int64_t time);

/* Unsafe.unpark: gives t, which is pinned or self, its permit. */
void thread_unpark(struct thread *t);

/* Thread.sleep; nanos of 0 and less only yield the processor.  False with an exception
   pending: InterruptedException, or the one that thread_stop has sent while it slept.
   One that comes outside of a sleep is thrown at the next poll, as anywhere. */
bool thread_sleep(struct thread *self, int64_t nanos);

/* Thread.yield.  Stops when the world does. */
void thread_yield(struct thread *self);

/* Wakes t, which is pinned or self, from park, sleep and wait.  The caller has set the
   interrupt status before, which is what t looks at. */
void thread_interrupt(struct thread *t);

/* Sets the interrupt status: Thread.interrupted, or a flag of t's own while t has no
   java.lang.Thread. */
void thread_mark_interrupted(struct thread *t);

/* Returns the interrupt status.  With clear true, which is for the calling thread only,
   clears it, too. */
bool thread_is_interrupted(struct thread *t, bool clear);

#endif
