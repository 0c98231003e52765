/* SPDX-License-Identifier: MIT */
/* minivm/threads/contention.h -- taking and releasing a struct monitor, for monitor.c,
 * monitor_wait.c and raw_monitor.c only.
 *
 * These work on inflated and raw monitors; thin locks are monitor.c's.  None of them
 * touches the lock stack.  A thread that uses an object's monitor here is IN_VM, or is
 * counted as a contender, so that the monitor stays that object's (monitor_table.c). */

#ifndef MINIVM_THREADS_CONTENTION_H
#define MINIVM_THREADS_CONTENTION_H

#include "threads/monitor_table.h"

/* Takes m if nobody owns it.  Returns whether self has taken it: false also when self
   owned m before. */
static inline bool
monitor_try_acquire(struct thread *self, struct monitor *m)
{
    uint32_t nobody = 0;

    return atomic_compare_exchange_strong(&m->owner, &nobody, self->lock_id);
}

/* Returns whether self owns m.  Only what self does changes that, so the access need not
   be ordered. */
static inline bool
monitor_is_owner(const struct thread *self, const struct monitor *m)
{
    return atomic_load_explicit(&m->owner, memory_order_relaxed) == self->lock_id;
}

/* Gives up m, which the caller owns, whatever its count is, and wakes a thread that
   waits to enter unless one is awake already as the successor. */
void monitor_release(struct monitor *m);

/* Leaves m, which the caller owns, once. */
static inline void
monitor_leave(struct monitor *m)
{
    if (m->count)
        m->count--;
    else
        monitor_release(m);
}

/* How monitor_enter_contended got the monitor. */
enum contended {
    CONTENDED_SPUN,     /* without blocking */
    CONTENDED_BLOCKED,  /* the caller sends MonitorContendedEntered */
    CONTENDED_UNMOUNTED /* it has not: the virtual thread is to be unmounted */
};

/*
 * Waits until self owns m, which is obj's, or raw when obj is NULL; self does not own
 * it.  Sends MonitorContendedEnter if it has to block for an object; the caller sends
 * MonitorContendedEntered then, after the lock stack has the entry.  The wait cannot
 * fail.  If frame is not NULL, self runs a virtual thread that enters for that frame and
 * that may be unmounted.  Stops and collects, unless m is raw.
 */
enum contended monitor_enter_contended(struct thread *self, struct monitor *m,
                                       struct object *obj, struct frame *frame);

/*
 * Waits until self owns m.  w, which is self's, joins the entry queue unless it is
 * there, and is in no queue in the end.  self is counted as a contender before, and not
 * any more in the end.  Sends no events.  Stops, unless m is raw.
 */
void monitor_acquire_queued(struct thread *self, struct monitor *m, struct waiter *w);

/* Returns a waiter of self, which is going to sleep. */
static inline struct waiter
waiter_of(struct thread *self)
{
    return (struct waiter){ .thread = self, .lock_id = self->lock_id };
}

/* ---- parts of a wait ---- */

/* Puts w at the end of the queue, and gives it the state that goes with that queue.  The
   caller holds the monitor's lock. */
void queue_join(struct queue *q, struct waiter *w, enum waiter_state state);
/* Takes w out of the queue, in which it is.  The caller holds the monitor's lock. */
void queue_leave(struct queue *q, struct waiter *w);

/* self, which owns m now, leaves the entry queue, in which w is, and is no contender any
   more. */
void monitor_leave_entries(struct thread *self, struct monitor *m, struct waiter *w);

/* From the first to the second, self is not chosen as the successor, although w is in
   the entry queue, and others get the monitor first. */
void waiter_step_aside(struct thread *self, struct monitor *m, struct waiter *w);
void waiter_step_back(struct monitor *m, struct waiter *w);

/* The same for w of a thread that is not the calling one: with passive it steps aside, and
   otherwise back. */
void waiter_set_passive(struct monitor *m, struct waiter *w, bool passive);

/* Around wakeup_wait: the first lets the world stop without self, unless m is raw, since
   its thread is in native code anyway.  The second takes self back, and waits while
   self is suspended, during which w stands aside. */
void waiter_block_begin(struct thread *self, const struct monitor *m);
void waiter_block_end(struct thread *self, struct monitor *m, struct waiter *w);

#endif
