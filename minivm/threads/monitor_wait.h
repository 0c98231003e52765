/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_wait.h -- what Object.wait and "Raw Monitor Wait" share, for
 * monitor_wait.c and raw_monitor.c only. */

#ifndef MINIVM_THREADS_MONITOR_WAIT_H
#define MINIVM_THREADS_MONITOR_WAIT_H

#include "threads/contention.h"

/*
 * Gives up m, which self owns, and is in its wait set until self is notified, is
 * interrupted, gets an exception of thread_stop (unless m is raw), or the time runs
 * out; millis 0 means no limit.  Returns whether the time ran out.  w, which is self's,
 * is in the entry queue then if self was notified, else in no queue.  In both cases
 * self is counted as a contender; monitor_enter_again follows.
 */
bool monitor_wait_in_set(struct thread *self, struct monitor *m, struct waiter *w,
                         int64_t millis);

/* Takes w out of the wait set, and counts it as a contender then.  Returns false when
   somebody has moved it to the entry queue. */
bool monitor_leave_wait_set(struct monitor *m, struct waiter *w);

/* What is due when self owns the monitor again after a wait in which it was not notified:
   false with InterruptedException pending, or with the exception of thread_stop, if one of
   them has ended the wait. */
bool monitor_wait_is_over(struct thread *self);

/* Waits until self owns m again after a wait.  obj is the object whose monitor m is, or
   NULL for a raw one. */
void monitor_enter_again(struct thread *self, struct monitor *m, struct waiter *w,
                         struct object *obj);

/* Moves the oldest waiter of m, or all of them, to the entry queue.  They run when the
   monitor is released.  The caller owns m. */
void monitor_wake_waiters(struct monitor *m, bool all);

#endif
