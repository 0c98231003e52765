/* SPDX-License-Identifier: MIT */
/* minivm/threads/contention.c -- waiting for a struct monitor that another thread owns,
 * and handing it over.
 *
 * Contention.  A thread that finds an inflated monitor owned spins for a while, then
 * counts itself as a contender, joins the queue `entries`, and sleeps.
 *
 * Hand-over.  Who releases the monitor sets owner to 0 and wakes one thread of the
 * queue, the successor, unless one is awake already.  The monitor is free meanwhile:
 * whoever comes first gets it, and the successor sleeps again.  Two pairs of
 * sequentially consistent accesses keep a wake-up from being lost:
 *     contender: contenders += 1, try owner     releaser: owner = 0, read contenders
 *     successor: successor = 0, try owner       releaser: owner = 0, read successor
 *
 * Suspension.  A suspended thread never owns the monitor that it waits for, since
 * nobody could get it then: it steps aside and lets the next one of the queue go first.
 *
 * Raw monitors, whose m->object is NULL, are waited for in native code or in a callback
 * of the collector.  So the code here makes no transition out of the VM for them. */

#include "threads/contention.h"

#include "base/events.h"
#include "base/os.h"
#include "threads/monitor_virtual.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"

/* Pauses before a contender sleeps, and pauses between two looks at owner. */
enum { SPINS_MIN = 20, GAP_MIN = 16, GAP_MAX = 64 };

void
queue_join(struct queue *q, struct waiter *w, enum waiter_state state)
{
    TAILQ_INSERT_TAIL(q, w, link);
    atomic_store(&w->state, state);
}

void
queue_leave(struct queue *q, struct waiter *w)
{
    TAILQ_REMOVE(q, w, link);
    atomic_store(&w->state, WAITER_RUNS);
}

/*
 * Wakes the first thread of the entry queue that does not stand aside, if there is one,
 * and makes it the successor.
 *
 * A wake-up has two steps (wakeup.h).  The first leaves the token.  It needs the lock,
 * which keeps the thread in the queue: without it the thread could get the monitor by
 * itself meanwhile, leave the queue, end, and be freed with its wakeup.  The second
 * step is the system call.  It comes after the lock is free, because the woken thread
 * takes this lock next, and if it were still held, would go to sleep again at once.
 */
static void
wake_successor(struct monitor *m)
{
    struct wakeup *asleep = NULL;
    struct waiter *w;

    mutex_lock(&m->lock);
    TAILQ_FOREACH(w, &m->entries, link)
        if (!w->is_passive) {
            atomic_store(&m->successor, w->lock_id);
            if (!w->thread)
                virtual_unblock(the_vm->monitors, w);
            else if (wakeup_leave_token(&w->thread->wake))
                asleep = &w->thread->wake;
            break;
        }
    mutex_unlock(&m->lock);
    if (asleep)
        wakeup_wake(asleep);
}

void
monitor_release(struct monitor *m)
{
    atomic_store(&m->owner, 0);
    if (atomic_load(&m->contenders) && !atomic_load(&m->successor))
        wake_successor(m);
}

/* Gives up the part of the successor if self has it.  Otherwise a thread that does not
   try to enter any more would keep others from being woken. */
static void
resign_as_successor(struct thread *self, struct monitor *m)
{
    if (atomic_load(&m->successor) == self->lock_id)
        atomic_store(&m->successor, 0);
}

void
waiter_step_aside(struct thread *self, struct monitor *m, struct waiter *w)
{
    mutex_lock(&m->lock);
    w->is_passive = true;
    resign_as_successor(self, m);
    mutex_unlock(&m->lock);
    if (!atomic_load(&m->owner))
        wake_successor(m);
}

void
waiter_step_back(struct monitor *m, struct waiter *w)
{
    LOCK(&m->lock);

    w->is_passive = false;
}

void
waiter_set_passive(struct monitor *m, struct waiter *w, bool passive)
{
    uint32_t id = w->lock_id;

    mutex_lock(&m->lock);
    w->is_passive = passive;
    if (passive)
        atomic_compare_exchange_strong(&m->successor, &id, 0);
    mutex_unlock(&m->lock);
    /* It may have been the successor, or the only one that could be. */
    if (!atomic_load(&m->owner) && atomic_load(&m->contenders)
        && !atomic_load(&m->successor))
        wake_successor(m);
}

void
waiter_block_begin(struct thread *self, const struct monitor *m)
{
    if (m->object)
        thread_block_begin(self);
}

void
waiter_block_end(struct thread *self, struct monitor *m, struct waiter *w)
{
    while (m->object ? !thread_block_try_end(self)
                     : thread_is_suspended(self) && !thread_is_in_section(self)) {
        waiter_step_aside(self, m, w);
        thread_await_resume(self);
        waiter_step_back(m, w);
    }
}

void
monitor_leave_entries(struct thread *self, struct monitor *m, struct waiter *w)
{
    mutex_lock(&m->lock);
    queue_leave(&m->entries, w);
    resign_as_successor(self, m);
    mutex_unlock(&m->lock);
    atomic_fetch_sub(&m->contenders, 1);
}

/* Returns the deadline of a sleep after so many others.  A virtual thread that sleeps
   with its carrier looks at the monitor from time to time: the successor may be one that
   waits for that carrier (monitor_virtual.c). */
static int64_t
pinned_deadline(const struct thread *self, unsigned sleeps)
{
    enum { LONGEST = 10 }; /* 2 to this power, in milliseconds */

    return self->continuation
               ? deadline_after(1 << (sleeps < LONGEST ? sleeps : LONGEST), 1000000)
               : INT64_MAX;
}

void
monitor_acquire_queued(struct thread *self, struct monitor *m, struct waiter *w)
{
    unsigned sleeps = 0;

    if (atomic_load(&w->state) == WAITER_RUNS) {
        LOCK(&m->lock);
        queue_join(&m->entries, w, WAITER_ENTERS);
    }
    while (!monitor_try_acquire(self, m)) {
        /* Who releases m wakes nobody while there is a successor.  So before self sleeps
           again it resigns, and tries once more: m may have been released between the
           first try and then. */
        if (atomic_load(&m->successor) == self->lock_id) {
            atomic_store(&m->successor, 0);
            if (monitor_try_acquire(self, m))
                break;
        }
        waiter_block_begin(self, m);
        wakeup_wait(&self->wake, pinned_deadline(self, sleeps++));
        waiter_block_end(self, m, w);
    }
    monitor_leave_entries(self, m, w);
}

/*
 * Looks for a while whether m becomes free, and takes it then.  Returns whether self
 * owns it.  Gives up early when somebody wants something of self (poll.attention).
 *
 * Owners are often about to leave, on another processor.  Each look at owner takes it
 * from that one's cache, so there are pauses between looks, longer and longer, in which
 * an owner that enters and leaves again and again gets on.  m->spins, the limit, grows
 * when it was worth while and shrinks when it was not.
 */
static bool
spin_acquire(struct thread *self, struct monitor *m)
{
    uint32_t limit = __atomic_load_n(&m->spins, __ATOMIC_RELAXED), next;
    bool acquired = false;

    if (!monitor_table_spins(self->vm))
        return false;
    for (uint32_t i = 0, gap = GAP_MIN; i < limit && !acquired; i += gap) {
        if (atomic_load_explicit(&m->owner, memory_order_relaxed) == 0)
            acquired = monitor_try_acquire(self, m);
        else if (atomic_load_explicit(&self->poll.attention, memory_order_relaxed))
            break;
        for (uint32_t j = 0; j < gap && !acquired; j++)
            spin_pause();
        gap = gap < GAP_MAX ? gap * 2 : GAP_MAX;
    }
    next = acquired ? limit + limit / 2 + SPINS_MIN : limit - limit / 4;
    next = next > SPINS_MAX ? SPINS_MAX : next < SPINS_MIN ? SPINS_MIN : next;
    if (next != limit)
        __atomic_store_n(&m->spins, next, __ATOMIC_RELAXED);
    return acquired;
}

enum contended
monitor_enter_contended(struct thread *self, struct monitor *m, struct object *obj,
                        struct frame *frame)
{
    struct waiter w = waiter_of(self);
    enum monitor_outcome outcome = MONITOR_FAILED;
    int64_t start;

    /* A spinner needs nobody to wake it, and IN_VM it keeps the monitor from deflation,
       so it is no contender yet. */
    if (spin_acquire(self, m))
        return CONTENDED_SPUN;
    atomic_fetch_add(&m->contenders, 1);
    if (!obj) {
        monitor_acquire_queued(self, m, &w);
        return CONTENDED_SPUN;
    }
    HANDLE_SCOPE(self);
    handle_new(self, obj);
    start = os_nanos();
    self->blocked_count++;
    thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    EVENT_SEND(EVENT_MONITOR_CONTENDED, monitor_contended_enter, self, obj);
    /* The listener may have waited for something else. */
    thread_set_wait(self, frame ? WAIT_NONE : WAIT_MONITOR_ENTER, frame ? NULL : obj);
    if (frame && (outcome = virtual_wait_to_enter(self, m, frame)) == MONITOR_FAILED)
        thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    if (outcome == MONITOR_FAILED) {
        monitor_acquire_queued(self, m, &w);
        thread_set_wait(self, WAIT_NONE, NULL);
    }
    self->blocked_nanos += (uint64_t)(os_nanos() - start);
    return outcome == MONITOR_UNMOUNTS ? CONTENDED_UNMOUNTED : CONTENDED_BLOCKED;
}
