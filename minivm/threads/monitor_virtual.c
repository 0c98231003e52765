/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_virtual.c -- virtual threads that wait for a monitor and are
 * unmounted meanwhile (JEP 491).
 *
 * A platform thread that waits for a monitor sleeps, and has its struct waiter on the C
 * stack.  A virtual thread is unmounted instead, so that its carrier can run others; its
 * struct waiter is allocated, and its continuation has it until the monitor is entered.
 * To wake it means to have the class library schedule it again.  When it is mounted, it
 * tries to enter, and if that fails it is unmounted again.
 *
 * The class library keeps what the virtual thread does in VirtualThread.state.  The VM
 * sets it before the unmount, and the carrier changes it in VirtualThread.afterYield:
 *
 *      BLOCKING               -> BLOCKED     waits to enter
 *      WAITING, TIMED_WAITING -> WAIT, TIMED_WAIT, or BLOCKED if notified already
 *      WAIT, TIMED_WAIT       -> BLOCKED     notified: virtual_notify
 *      WAIT, TIMED_WAIT       -> UNBLOCKED   interrupted, or the time is over
 *      BLOCKED                -> UNBLOCKED   by VirtualThread.unblock, for virtual_unblock
 *
 * Who becomes UNBLOCKED is scheduled.
 *
 * No wake-up is lost:
 *
 *  - Release against a first wait.  The waiter is a contender, is in the queue, and then
 *    tries to enter; who releases sets owner to 0 and then looks at contenders and at the
 *    queue.  One of both sees the other (contention.c).
 *  - Release against the unmount.  The waiter may be woken while it is still mounted.
 *    VirtualThread.unblock then finds it not BLOCKED yet and leaves blockPermit, which
 *    afterYield looks at after it has set BLOCKED.
 *  - Release against the next attempt.  Who runs again has its blockPermit cleared by
 *    runContinuation before it is mounted.  A permit that came before that is lost, but
 *    that release was before the attempt, too, so the attempt finds the monitor free or
 *    taken by somebody else.  Then the waiter gives up its part of the successor, if it
 *    has it, and tries once more: who has taken the monitor either releases it before
 *    the second attempt, which succeeds, or later, and finds no successor.
 *  - Notify against the unmount.  The notifier moves the waiter to the entry queue, sets
 *    VirtualThread.notified, and then changes the state if that is WAIT or TIMED_WAIT.
 *    afterYield sets WAIT or TIMED_WAIT and then looks at notified.
 *  - Interrupt against the unmount.  VirtualThread.interrupt sets interrupted and then
 *    looks at the state; afterYield sets the state and then looks at interrupted.
 *  - Notify against time-out and interrupt.  Whether the waiter was notified is decided
 *    under the monitor's lock, by the queue that it is in when it runs again
 *    (monitor_wait.c).  The state is changed by compare-and-swap, so it is scheduled
 *    once.
 *
 * A virtual thread that is suspended while it is unmounted stands aside, as a platform
 * thread does: nobody could get the monitor if it were chosen as the successor.
 *
 * A virtual thread that is chosen as the successor needs a carrier.  All carriers may be
 * held by virtual threads that are pinned and wait for the same monitor, so those look at
 * it from time to time without being woken (contention.c). */

#include "threads/monitor_virtual.h"

#include "base/events.h"
#include "base/mem.h"
#include "runtime/exception.h"
#include "threads/monitor_wait.h"
#include "threads/park.h"
#include "threads/suspend.h"
#include "threads/virtual_thread.h"

/* Values of VirtualThread.state. */
enum {
    STATE_BLOCKING = 12,
    STATE_BLOCKED = 13,
    STATE_WAITING = 15,
    STATE_WAIT = 16,
    STATE_TIMED_WAITING = 17,
    STATE_TIMED_WAIT = 18
};

static int32_t *
state_of(const struct continuation *c)
{
    return object_at(c->thread_object, KF(the_vm, VirtualThread_state));
}

static void
set_state(const struct continuation *c, int32_t state)
{
    __atomic_store_n(state_of(c), state, __ATOMIC_SEQ_CST);
}

static void
set_flag(const struct continuation *c, uint32_t offset, bool value)
{
    __atomic_store_n((uint8_t *)object_at(c->thread_object, offset), value,
                     __ATOMIC_SEQ_CST);
}

/* ---- waiters ---- */

/* Returns a waiter of the virtual thread of self, in no queue; NULL when there is no
   memory. */
static struct virtual_waiter *
waiter_new(struct thread *self, struct monitor *m)
{
    struct virtual_waiter *v = mem_try_calloc(1, sizeof *v);

    if (!v)
        return NULL;
    v->w.continuation = self->continuation;
    v->w.lock_id = self->lock_id;
    v->monitor = m;
    return v;
}

/* v is in no queue of its monitor. */
static void
waiter_free(struct monitor_table *table, struct virtual_waiter *v)
{
    mutex_lock(&table->unblock_mutex);
    if (v->is_listed)
        TAILQ_REMOVE(&table->to_unblock, v, link);
    mutex_unlock(&table->unblock_mutex);
    mem_free(v);
}

/* ---- entering ---- */

/* Tries to enter the monitor for v, which is in the entry queue.  When it succeeds, v is
   in no queue, and self is no contender any more. */
static bool
try_to_enter(struct thread *self, struct virtual_waiter *v)
{
    struct monitor *m = v->monitor;

    if (!monitor_try_acquire(self, m)) {
        if (atomic_load(&m->successor) != self->lock_id)
            return false;
        atomic_store(&m->successor, 0);
        if (!monitor_try_acquire(self, m))
            return false;
    }
    monitor_leave_entries(self, m, &v->w);
    return true;
}

enum monitor_outcome
virtual_wait_to_enter(struct thread *self, struct monitor *m, struct frame *frame)
{
    struct continuation *c = self->continuation;
    struct virtual_waiter *v = waiter_new(self, m);

    if (!v)
        return MONITOR_FAILED;
    v->frame = frame;
    virtual_thread_begin_unmount(self);
    if (thread_is_stopped(self) || thread_must_leave(self)) {
        waiter_free(self->vm->monitors, v);
        virtual_thread_end_mount(self);
        return MONITOR_FAILED;
    }
    mutex_lock(&m->lock);
    queue_join(&m->entries, &v->w, WAITER_ENTERS);
    mutex_unlock(&m->lock);
    if (try_to_enter(self, v)) {
        waiter_free(self->vm->monitors, v);
        virtual_thread_end_mount(self);
        return MONITOR_DONE;
    }
    c->waiter = v;
    set_state(c, STATE_BLOCKING);
    return MONITOR_UNMOUNTS;
}

/* ---- Object.wait ---- */

enum monitor_outcome
virtual_wait(struct thread *self, struct monitor *m, int64_t millis)
{
    struct vm *vm = self->vm;
    struct continuation *c = self->continuation;
    struct virtual_waiter *v = waiter_new(self, m);

    if (!v)
        return MONITOR_FAILED;
    virtual_thread_begin_unmount(self);
    if (thread_is_stopped(self) || thread_must_leave(self)) {
        waiter_free(vm->monitors, v);
        virtual_thread_end_mount(self);
        return MONITOR_FAILED;
    }
    v->waits = v->has_waited = true;
    v->count = m->count;
    set_flag(c, KF(vm, VirtualThread_notified), false);
    LONG_FIELD(vm, c->thread_object, VirtualThread_timeout) = millis;
    m->count = 0;
    mutex_lock(&m->lock);
    queue_join(&m->waiters, &v->w, WAITER_WAITS);
    mutex_unlock(&m->lock);
    c->waiter = v;
    set_state(c, millis ? STATE_TIMED_WAITING : STATE_WAITING);
    monitor_release(m);
    return MONITOR_UNMOUNTS;
}

void
virtual_notify(const struct waiter *w)
{
    const struct continuation *c = w->continuation;
    int32_t state;

    set_flag(c, KF(the_vm, VirtualThread_notified), true);
    state = __atomic_load_n(state_of(c), __ATOMIC_SEQ_CST);
    /* In any other state it has not been unmounted yet, or has been scheduled already. */
    if (state == STATE_WAIT || state == STATE_TIMED_WAIT)
        __atomic_compare_exchange_n(state_of(c), &state, STATE_BLOCKED, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* The virtual thread runs again after it has begun to wait: it was notified, and is in the
   entry queue; or it leaves the wait set and joins that queue now.  An event is sent as
   if it were mounted; whoever listens may take long, so others enter first meanwhile. */
static void
end_wait(struct thread *self, struct virtual_waiter *v)
{
    struct monitor *m = v->monitor;
    bool timed_out;

    v->waits = false;
    v->was_notified = !monitor_leave_wait_set(m, &v->w);
    if (!v->was_notified) {
        LOCK(&m->lock);
        queue_join(&m->entries, &v->w, WAITER_ENTERS);
    }
    if (!event_wanted(EVENT_MONITOR_WAITED))
        return;
    timed_out = !v->was_notified && !thread_is_interrupted(self, false);
    waiter_step_aside(self, m, &v->w);
    virtual_thread_end_mount(self);
    EVENT_SEND(EVENT_MONITOR_WAITED, monitor_waited, self, m->object, timed_out);
    virtual_thread_begin_unmount(self);
    waiter_step_back(m, &v->w);
}

/* ---- going on ---- */

enum monitor_outcome
monitor_resume(struct thread *self)
{
    struct continuation *c = self->continuation;
    struct virtual_waiter *v = c->waiter, was;
    struct monitor *m = v->monitor;
    bool done = true;

    if (v->waits)
        end_wait(self, v);
    if (!try_to_enter(self, v)) {
        set_state(c, STATE_BLOCKING);
        return MONITOR_UNMOUNTS;
    }
    was = *v;
    c->waiter = NULL;
    waiter_free(self->vm->monitors, v);
    /* An object of whose monitor self is the owner is alive. */
    if (was.has_waited)
        m->count = was.count;
    else
        done = monitor_note_entry(self, m->object, was.frame);
    virtual_thread_end_mount(self);
    if (!was.has_waited && done)
        EVENT_SEND(EVENT_MONITOR_ENTERED, monitor_contended_entered, self, m->object);
    else if (was.has_waited && !was.was_notified)
        done = monitor_wait_is_over(self);
    return done ? MONITOR_DONE : MONITOR_FAILED;
}

/* ---- scheduling ---- */

void
virtual_unblock(struct monitor_table *table, struct waiter *w)
{
    struct virtual_waiter *v = (struct virtual_waiter *)w; /* its first member */
    LOCK(&table->unblock_mutex);

    if (v->is_listed)
        return;
    v->is_listed = true;
    TAILQ_INSERT_TAIL(&table->to_unblock, v, link);
    pthread_cond_signal(&table->unblock_changed);
}

void
virtual_waiter_suspend(struct continuation *c, bool is_suspended)
{
    if (c->waiter)
        waiter_set_passive(c->waiter->monitor, &c->waiter->w, is_suspended);
}

/* Makes the list of the class library.  The caller holds the mutex. */
static struct object *
take_listed(struct vm *vm)
{
    struct monitor_table *table = vm->monitors;
    struct object *first = NULL;
    struct virtual_waiter *v;

    while ((v = TAILQ_FIRST(&table->to_unblock)) != NULL) {
        struct continuation *c = v->w.continuation;

        TAILQ_REMOVE(&table->to_unblock, v, link);
        v->is_listed = false;
        REF_FIELD(vm, c->thread_object, VirtualThread_next) = first;
        set_flag(c, KF(vm, VirtualThread_onWaitingList), true);
        first = c->thread_object;
    }
    return first;
}

/* Only one thread is here, and it has done with one list when it takes the next.  So who
   is in the next one is in no other list. */
struct object *
virtual_take_unblocked(struct thread *self)
{
    struct monitor_table *table = self->vm->monitors;
    struct object *first;

    do {
        thread_block_begin(self);
        mutex_lock(&table->unblock_mutex);
        while (TAILQ_EMPTY(&table->to_unblock))
            pthread_cond_wait(&table->unblock_changed, &table->unblock_mutex.m);
        mutex_unlock(&table->unblock_mutex);
        thread_block_end(self);
        LOCK(&table->unblock_mutex);
        first = take_listed(self->vm);
    } while (!first);
    return first;
}
