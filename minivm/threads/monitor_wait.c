/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_wait.c -- wait sets: waiting and notifying (JLS 17.2).
 *
 * A thread in Object.wait is in the queue `waiters` of the monitor.  To notify moves it,
 * the oldest first, to `entries`, the queue of those that wait to enter, and it is woken
 * when the monitor is released to it (contention.c).  So a notified thread does not run
 * only to find that the notifier still owns the monitor.
 *
 * A wait ends by itself when the thread is interrupted, gets an exception of
 * thread_stop, or the time runs out.  Whether it was notified before is decided under
 * the monitor's lock, by the queue that it is in: a notification is never lost to a
 * thread that leaves for another reason (JLS 17.2.4).
 *
 * Raw monitors (raw_monitor.c) use the same wait set. */

#include "threads/monitor_wait.h"

#include <sched.h>

#include "base/events.h"
#include "base/os.h"
#include "runtime/exception.h"
#include "threads/monitor_virtual.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"

/* Pauses in the wait set that take about as long as sleeping and being woken on another
   processor; and a limit: less than 2^VAIN_SPINS_MAX waits go by without a spin. */
enum { SET_SPINS = 400, VAIN_SPINS_MAX = 7 };

/* One that was moved stays in the entry queue until its thread leaves, so the first look
   needs no lock. */
bool
monitor_leave_wait_set(struct monitor *m, struct waiter *w)
{
    if (atomic_load(&w->state) != WAITER_WAITS)
        return false;
    LOCK(&m->lock);
    if (atomic_load(&w->state) != WAITER_WAITS)
        return false;
    /* Counted before w is out of the set: a monitor that has neither waiters nor
       contenders is idle, and self comes back to this one. */
    atomic_fetch_add(&m->contenders, 1);
    queue_leave(&m->waiters, w);
    return true;
}

/*
 * Two threads that take turns are often notified again within less time than sleeping
 * and being woken take.  So the owner of m, which is about to wait, first looks for its
 * token for a while, if the one that waited last did so on another processor: only
 * there can somebody run meanwhile who notifies.  With each spin in vain in a row,
 * twice as many waits go by without one.
 */
static bool
may_spin_in_set(struct monitor *m)
{
    uint32_t vain = __atomic_load_n(&m->vain_spins, __ATOMIC_RELAXED);
    int last = m->processor;

    m->processor = sched_getcpu();
    if (m->processor == last || m->skipped_spins++ < (1u << vain) - 1)
        return false;
    m->skipped_spins = 0;
    return true;
}

/* Notes whether a spin that may_spin_in_set has allowed was in vain. */
static void
note_spin_in_set(struct monitor *m, bool in_vain)
{
    uint32_t vain = __atomic_load_n(&m->vain_spins, __ATOMIC_RELAXED);

    if (in_vain ? vain < VAIN_SPINS_MAX : vain > 0)
        __atomic_store_n(&m->vain_spins, in_vain ? vain + 1 : 0, __ATOMIC_RELAXED);
}

bool
monitor_wait_in_set(struct thread *self, struct monitor *m, struct waiter *w,
                    int64_t millis)
{
    int64_t deadline = millis ? deadline_after(millis, 1000000) : INT64_MAX;
    bool in_time = true, may_spin = may_spin_in_set(m), spins = may_spin;

    m->count = 0;
    mutex_lock(&m->lock);
    queue_join(&m->waiters, w, WAITER_WAITS);
    mutex_unlock(&m->lock);
    monitor_release(m);
    waiter_block_begin(self, m);
    while (atomic_load(&w->state) == WAITER_WAITS && in_time
           && !thread_is_interrupted(self, false)
           && !(m->object && thread_is_stopped(self))) {
        /* Such a token may be an old one, so the conditions are seen again. */
        spins = spins && wakeup_spin(&self->wake, SET_SPINS);
        if (!spins)
            in_time = wakeup_wait(&self->wake, deadline);
    }
    if (may_spin)
        note_spin_in_set(m, !spins);
    if (!monitor_leave_wait_set(m, w))
        in_time = true;
    waiter_block_end(self, m, w);
    return !in_time;
}

/* Sends MonitorWaited.  The listener may take its time, so w is not chosen as the
   successor meanwhile. */
static void
report_waited(struct thread *self, struct monitor *m, struct waiter *w,
              struct object *obj, bool timed_out)
{
    if (!event_wanted(EVENT_MONITOR_WAITED))
        return;
    waiter_step_aside(self, m, w);
    EVENT_SEND(EVENT_MONITOR_WAITED, monitor_waited, self, obj, timed_out);
    waiter_step_back(m, w);
}

void
monitor_enter_again(struct thread *self, struct monitor *m, struct waiter *w,
                    struct object *obj)
{
    bool enters = atomic_load(&w->state) == WAITER_ENTERS;

    if (enters && obj)
        thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    if (enters)
        monitor_acquire_queued(self, m, w);
    thread_set_wait(self, WAIT_NONE, NULL);
    if (enters)
        return;
    /* monitor_leave_wait_set has counted self as a contender, which keeps m the object's until
       here.  monitor_enter_contended counts by itself. */
    if (!monitor_try_acquire(self, m)
        && monitor_enter_contended(self, m, obj, NULL) == CONTENDED_BLOCKED)
        EVENT_SEND(EVENT_MONITOR_ENTERED, monitor_contended_entered, self, obj);
    atomic_fetch_sub(&m->contenders, 1);
}

/* Throws InterruptedException; or the exception of thread_stop, which has interrupted
   the wait. */
static bool
throw_interrupted(struct thread *self)
{
    thread_poll(self);
    if (!exception_pending(self))
        THROW0(self, InterruptedException);
    return false;
}

bool
monitor_wait_is_over(struct thread *self)
{
    thread_poll(self);
    if (exception_pending(self))
        return false;
    return thread_is_interrupted(self, true) ? throw_interrupted(self) : true;
}

/* Waits with m, which is obj's. */
static bool
wait_asleep(struct thread *self, struct monitor *m, struct object *obj, int64_t millis)
{
    struct waiter w = waiter_of(self);
    int64_t start = os_nanos();
    bool was_notified, timed_out;
    uint32_t count;

    self->waited_count++;
    thread_set_wait(self, millis ? WAIT_OBJECT_TIMED : WAIT_OBJECT, obj);
    count = m->count;
    timed_out = monitor_wait_in_set(self, m, &w, millis);
    was_notified = atomic_load(&w.state) == WAITER_ENTERS;
    self->waited_nanos += (uint64_t)(os_nanos() - start);
    report_waited(self, m, &w, obj, timed_out);
    monitor_enter_again(self, m, &w, obj);
    m->count = count;
    return was_notified || monitor_wait_is_over(self);
}

/* Only if may_unmount is true the outcome may be MONITOR_UNMOUNTS. */
static enum monitor_outcome
wait_for_notify(struct thread *self, struct object *obj, int64_t millis,
                bool may_unmount)
{
    enum monitor_outcome outcome = MONITOR_FAILED;
    struct monitor *m;

    if (millis < 0) {
        THROW(self, IllegalArgumentException, "timeout value is negative");
        return MONITOR_FAILED;
    }
    if (!monitor_is_held(self, obj)) {
        monitor_throw_not_owner(self);
        return MONITOR_FAILED;
    }
    HANDLE_SCOPE(self);
    handle_new(self, obj);
    EVENT_SEND(EVENT_MONITOR_WAIT, monitor_wait, self, obj, millis);
    if (thread_is_interrupted(self, true)) {
        EVENT_SEND(EVENT_MONITOR_WAITED, monitor_waited, self, obj, false);
        throw_interrupted(self);
        return MONITOR_FAILED;
    }
    /* Not before: while a listener ran, the world may have stopped and deflated m. */
    m = monitor_inflate(self, obj);
    if (!m)
        return MONITOR_FAILED;
    if (may_unmount)
        outcome = virtual_wait(self, m, millis);
    if (outcome == MONITOR_FAILED)
        outcome = wait_asleep(self, m, obj, millis) ? MONITOR_DONE : MONITOR_FAILED;
    return outcome;
}

bool
monitor_wait(struct thread *self, struct object *obj, int64_t millis)
{
    return wait_for_notify(self, obj, millis, false) == MONITOR_DONE;
}

enum monitor_outcome
monitor_wait_unmounting(struct thread *self, struct object *obj, int64_t millis)
{
    return wait_for_notify(self, obj, millis, true);
}

void
monitor_wake_waiters(struct monitor *m, bool all)
{
    struct waiter *w;
    LOCK(&m->lock);

    while ((w = TAILQ_FIRST(&m->waiters)) != NULL) {
        TAILQ_REMOVE(&m->waiters, w, link);
        atomic_fetch_add(&m->contenders, 1);
        queue_join(&m->entries, w, WAITER_ENTERS);
        if (!w->thread) {
            virtual_notify(w);
        } else if (m->object) {
            /* Others see that the thread now waits to enter (Thread.State BLOCKED). */
            atomic_store_explicit(&w->thread->wait, WAIT_MONITOR_ENTER,
                                  memory_order_release);
            thread_update_status(w->thread);
        }
        if (!all)
            break;
    }
}

bool
monitor_wake(struct thread *self, struct object *obj, bool all)
{
    if (!monitor_is_held(self, obj))
        return monitor_throw_not_owner(self);
    if ((lock_word(obj) & LOCK_TAG) == LOCK_INFLATED)
        monitor_wake_waiters(word_monitor(self->vm, lock_word(obj)), all);
    return true;
}
