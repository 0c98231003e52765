/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_virtual.h -- virtual threads that wait for a monitor and are
 * unmounted meanwhile (JEP 491), for the files about monitors and continuations. */

#ifndef MINIVM_THREADS_MONITOR_VIRTUAL_H
#define MINIVM_THREADS_MONITOR_VIRTUAL_H

#include "threads/continuation.h"
#include "threads/monitor_table.h"

/* A virtual thread that waits for a monitor; its continuation's `waiter`. */
struct virtual_waiter {
    struct waiter w; /* in a queue of the monitor */
    struct monitor *monitor;
    TAILQ_ENTRY(virtual_waiter) link; /* of those to be unblocked, by its mutex */
    bool is_listed;                   /* in that list */
    /* It is in Object.wait, and has not run since it is.  Afterwards it only waits to
       enter again. */
    bool waits;
    bool has_waited; /* Object.wait, and not a first entry */
    bool was_notified;
    uint32_t count;      /* of the monitor before the wait */
    struct frame *frame; /* that enters */
};

/*
 * Lets the virtual thread of self, which is counted as a contender of m, wait until it
 * can enter m for frame.  MONITOR_UNMOUNTS: it is in the queue, and the transition of its
 * unmount has begun; the caller unmounts it.  MONITOR_DONE: self owns m meanwhile, and is
 * no contender any more; the lock stack is the caller's.  MONITOR_FAILED, without an
 * exception: it must sleep with its carrier.  May stop.
 */
enum monitor_outcome virtual_wait_to_enter(struct thread *self, struct monitor *m,
                                           struct frame *frame);

/* Lets the virtual thread of self, which owns m, wait in Object.wait.  The outcome is
   that of virtual_wait_to_enter, but never MONITOR_DONE. */
enum monitor_outcome virtual_wait(struct thread *self, struct monitor *m,
                                  int64_t millis);

/* Lets the class library continue w, which is a virtual thread's, so that it tries to
   enter.  The caller holds the lock of the monitor. */
void virtual_unblock(struct monitor_table *table, struct waiter *w);

/* c, which is unmounted and stays so meanwhile, is suspended, or is not any more.  If it
   waits for a monitor, others get that first while it is suspended. */
void virtual_waiter_suspend(struct continuation *c, bool is_suspended);

/* Tells the class library that w, which is a virtual thread's, is notified and waits to
   enter.  The caller owns the monitor. */
void virtual_notify(const struct waiter *w);

/* Blocks until virtual threads can be continued, and returns them as a list that is
   linked by VirtualThread.next; stops. */
struct object *virtual_take_unblocked(struct thread *self);

#endif
