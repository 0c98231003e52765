/* SPDX-License-Identifier: MIT */
/* minivm/vm/monitor.c -- inflated and raw monitors: queues and wait sets.
 *
 * A thread that finds the monitor owned counts itself as a contender, queues, and
 * sleeps.  Who releases wakes one of the queue, the successor, unless one is awake
 * already; the monitor is free meanwhile, and whoever comes first gets it.  Two
 * pairs of sequentially consistent accesses keep a wake-up from being lost:
 *     contender: contenders += 1, try owner     releaser: owner = 0, read contenders
 *     successor: successor = 0, try owner       releaser: owner = 0, read successor
 * A suspended thread never owns the monitor that it waits for: it steps aside and
 * lets the next one go first.
 *
 * A monitor moves to and from objects only while no thread is IN_VM (deflation), or
 * by the one compare-and-swap that inflates.  A raw monitor never is an object's: who
 * waits for it stays in native code, or in a callback of the collector. */

#include "vm/monitor_table.h"

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "base/os.h"
#include "vm/exception.h"
#include "vm/safepoint.h"

/* obj's monitor, inflating its lock; NULL with OutOfMemoryError pending. */
static struct monitor *
inflate(struct thread *self, struct object *obj)
{
    struct monitor_table *table = self->vm->monitors;
    struct monitor *m = NULL;
    uint32_t word = lock_word(obj);

    while ((word & LOCK_TAG) != LOCK_INFLATED) {
        if (!m)
            m = monitor_new(self->vm, obj);
        if (!m)
            return throw_out_of_memory(self, "too many monitors");
        /* The word says all about a thin lock, so what succeeds was right. */
        atomic_store(&m->owner, word >> LOCK_THREAD_SHIFT);
        m->count = (word & LOCK_COUNT_MASK) / LOCK_COUNT_ONE;
        if (__atomic_compare_exchange_n(&obj->lock, &word,
                                        m->index << 2 | LOCK_INFLATED, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return m;
    }
    if (m) {
        LOCK(&table->mutex);
        monitor_recycle(table, m);
    }
    return word_monitor(self->vm, word);
}

enum { LOCKS_FIRST = 32 };         /* entries of a new lock stack */

/* ---- queues; monitor.lock is held ---- */

static void
join_queue(struct queue *q, struct waiter *w, enum waiter_state state)
{
    TAILQ_INSERT_TAIL(q, w, link);
    atomic_store(&w->state, state);
}

static void
leave_queue(struct queue *q, struct waiter *w)
{
    TAILQ_REMOVE(q, w, link);
    atomic_store(&w->state, WAITER_RUNS);
}

/* ---- acquire and release ---- */

static bool
try_acquire(struct thread *self, struct monitor *m)
{
    uint32_t nobody = 0;

    return atomic_compare_exchange_strong(&m->owner, &nobody, self->lock_id);
}

static bool
is_owner(const struct thread *self, const struct monitor *m)
{
    return atomic_load_explicit(&m->owner, memory_order_relaxed) == self->lock_id;
}

/*
 * The token is left under the lock, since the thread might leave and end afterwards.  The
 * system call comes behind it: the lock is the first thing that the thread takes, and it
 * would sleep again at once.
 */
static void
wake_successor(struct monitor *m)
{
    struct wakeup *asleep = NULL;
    struct waiter *w;

    mutex_lock(&m->lock);
    TAILQ_FOREACH(w, &m->entries, link)
        if (!w->is_passive) {
            atomic_store(&m->successor, w->thread->lock_id);
            if (wakeup_leave_token(&w->thread->wake))
                asleep = &w->thread->wake;
            break;
        }
    mutex_unlock(&m->lock);
    if (asleep)
        wakeup_wake(asleep);
}

static void
release(struct monitor *m)
{
    atomic_store(&m->owner, 0);
    if (atomic_load(&m->contenders) && !atomic_load(&m->successor))
        wake_successor(m);
}

static void
resign_as_successor(struct thread *self, struct monitor *m)
{
    if (atomic_load(&m->successor) == self->lock_id)
        atomic_store(&m->successor, 0);
}

/* Let others of the queue go first until step_back. */
static void
step_aside(struct thread *self, struct monitor *m, struct waiter *w)
{
    mutex_lock(&m->lock);
    w->is_passive = true;
    resign_as_successor(self, m);
    mutex_unlock(&m->lock);
    if (!atomic_load(&m->owner))
        wake_successor(m);
}

static void
step_back(struct monitor *m, struct waiter *w)
{
    LOCK(&m->lock);

    w->is_passive = false;
}

static void
block_begin(struct thread *self, const struct monitor *m)
{
    if (m->object)
        thread_block_begin(self);
}

/* While self is suspended, it does not stand in the way. */
static void
block_end(struct thread *self, struct monitor *m, struct waiter *w)
{
    while (m->object ? !thread_block_try_end(self) : thread_is_suspended(self)) {
        step_aside(self, m, w);
        thread_await_resume(self);
        step_back(m, w);
    }
}

/* w joins the entry queue unless it is there; it is in none when self owns m. */
static void
acquire_queued(struct thread *self, struct monitor *m, struct waiter *w)
{
    if (atomic_load(&w->state) == WAITER_RUNS) {
        LOCK(&m->lock);
        join_queue(&m->entries, w, WAITER_ENTERS);
    }
    while (!try_acquire(self, m)) {
        if (atomic_load(&m->successor) == self->lock_id) {
            atomic_store(&m->successor, 0);
            if (try_acquire(self, m))
                break;
        }
        block_begin(self, m);
        wakeup_wait(&self->wake, INT64_MAX);
        block_end(self, m, w);
    }
    mutex_lock(&m->lock);
    leave_queue(&m->entries, w);
    resign_as_successor(self, m);
    mutex_unlock(&m->lock);
    atomic_fetch_sub(&m->contenders, 1);
}

/* Owners are often about to leave, on another processor. */
static bool
spin_acquire(struct thread *self, struct monitor *m)
{
    uint32_t limit = __atomic_load_n(&m->spins, __ATOMIC_RELAXED), next;
    bool acquired = false;

    for (uint32_t i = 0; i < limit && !acquired; i++) {
        if (atomic_load_explicit(&m->owner, memory_order_relaxed) == 0)
            acquired = try_acquire(self, m);
        else if (atomic_load_explicit(&self->poll.attention, memory_order_relaxed))
            break;
        else
            spin_pause();
    }
    next = acquired ? limit + limit / 2 + SPINS_MIN : limit - limit / 4;
    __atomic_store_n(&m->spins,
                     next > SPINS_MAX ? SPINS_MAX : next < SPINS_MIN ? SPINS_MIN : next,
                     __ATOMIC_RELAXED);
    return acquired;
}

/* True when it had to block: MonitorContendedEntered is due once the lock is noted. */
static bool
enter_contended(struct thread *self, struct monitor *m, struct object *obj)
{
    struct waiter w = { .thread = self };
    int64_t start;

    atomic_fetch_add(&m->contenders, 1);
    if (spin_acquire(self, m)) {
        atomic_fetch_sub(&m->contenders, 1);
        return false;
    }
    if (!obj) {
        acquire_queued(self, m, &w);
        return false;
    }
    SCOPE(self);
    keep(self, obj);
    start = os_nanos();
    self->blocked_count++;
    thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    EVENT_SEND(EVENT_MONITOR_CONTENDED, monitor_contended_enter, self, obj);
    /* The listener may have waited for something else. */
    thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    acquire_queued(self, m, &w);
    thread_set_wait(self, WAIT_NONE, NULL);
    self->blocked_nanos += (uint64_t)(os_nanos() - start);
    return true;
}

/* ---- the lock stack ---- */

static bool
reserve_lock(struct thread *self)
{
    uint32_t capacity = self->lock_capacity ? self->lock_capacity * 2 : LOCKS_FIRST;
    struct held_lock *locks;

    if (self->lock_count < self->lock_capacity)
        return true;
    locks = mem_try_realloc(self->locks, capacity * sizeof *locks);
    if (!locks)
        return throw_out_of_memory(self, "too many locks held");
    self->locks = locks;
    self->lock_capacity = capacity;
    return true;
}

static void
forget_lock(struct thread *self, uint32_t at)
{
    self->lock_count--;
    memmove(&self->locks[at], &self->locks[at + 1],
            (self->lock_count - at) * sizeof self->locks[0]);
}

/* ---- enter and exit ---- */

/* Give up one entry of m, which self owns. */
static void
leave_monitor(struct monitor *m)
{
    if (m->count)
        m->count--;
    else
        release(m);
}

static void
leave(struct thread *self, struct object *obj)
{
    uint32_t word = lock_word(obj);

    while ((word & LOCK_TAG) == LOCK_THIN) {
        uint32_t next = word & LOCK_COUNT_MASK ? word - LOCK_COUNT_ONE : 0;

        /* Fails when somebody inflates it. */
        if (__atomic_compare_exchange_n(&obj->lock, &word, next, false,
                                        __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
            return;
    }
    leave_monitor(word_monitor(self->vm, word));
}

bool
monitor_enter(struct thread *self, struct object *obj, struct frame *frame)
{
    bool has_blocked = false;
    struct monitor *m;

    if (!reserve_lock(self))
        return false;
    if (monitor_enter_fast(self, obj, frame))
        return true;
    m = inflate(self, obj);
    if (!m)
        return false;
    if (is_owner(self, m))
        m->count++;
    else if (!try_acquire(self, m))
        has_blocked = enter_contended(self, m, obj);
    /* A listener may have entered others meanwhile, not left them. */
    if (!reserve_lock(self)) {
        leave(self, obj);
        return false;
    }
    self->locks[self->lock_count++] = (struct held_lock){ obj, frame };
    if (has_blocked)
        EVENT_SEND(EVENT_MONITOR_ENTERED, monitor_contended_entered, self, obj);
    return true;
}

static bool
throw_not_owner(struct thread *self)
{
    return THROW(self, IllegalMonitorStateException, "current thread is not owner");
}

bool
monitor_exit(struct thread *self, struct object *obj)
{
    uint32_t at = self->lock_count;

    while (at > 0 && self->locks[at - 1].object != obj)
        at--;
    if (at == 0)
        return throw_not_owner(self);
    leave(self, obj);
    forget_lock(self, at - 1);
    return true;
}

bool
monitor_exit_frame(struct thread *self, struct frame *frame)
{
    bool any = false;

    /* What natives called from here entered by JNI (NULL) stays entered. */
    for (uint32_t at = self->lock_count; at > 0; at--) {
        struct held_lock held = self->locks[at - 1];

        if (held.frame == frame) {
            leave(self, held.object);
            forget_lock(self, at - 1);
            any = true;
        } else if (held.frame) {
            break;
        }
    }
    return any;
}

void
monitor_exit_all(struct thread *self)
{
    for (; self->lock_count; self->lock_count--)
        leave(self, self->locks[self->lock_count - 1].object);
}

bool
monitor_is_held(const struct thread *t, const struct object *obj)
{
    uint32_t word = lock_word(obj);

    if ((word & LOCK_TAG) == LOCK_THIN)
        return word >> LOCK_THREAD_SHIFT == t->lock_id;
    return (word & LOCK_TAG) == LOCK_INFLATED
           && atomic_load(&word_monitor(t->vm, word)->owner) == t->lock_id;
}

/* ---- wait and notify ---- */

/* False when somebody has moved w from there to the entry queue.  It stays there, so no
   lock is needed to see it. */
static bool
leave_wait_set(struct monitor *m, struct waiter *w)
{
    if (atomic_load(&w->state) != WAITER_WAITS)
        return false;
    LOCK(&m->lock);
    if (atomic_load(&w->state) != WAITER_WAITS)
        return false;
    leave_queue(&m->waiters, w);
    return true;
}

/* Leave m, and be in the wait set until notified, interrupted, stopped or late; then
   out of it.  Answers whether the time ran out. */
static bool
wait_in_set(struct thread *self, struct monitor *m, struct waiter *w, int64_t millis)
{
    int64_t deadline = millis ? deadline_after(millis, 1000000) : INT64_MAX;
    bool in_time = true;

    m->count = 0;
    mutex_lock(&m->lock);
    join_queue(&m->waiters, w, WAITER_WAITS);
    mutex_unlock(&m->lock);
    release(m);
    block_begin(self, m);
    while (atomic_load(&w->state) == WAITER_WAITS && in_time
           && !thread_is_interrupted(self, false)
           && !(m->object && thread_is_stopped(self)))
        in_time = wakeup_wait(&self->wake, deadline);
    if (leave_wait_set(m, w))
        atomic_fetch_add(&m->contenders, 1); /* not idle: self comes back */
    else
        in_time = true;
    block_end(self, m, w);
    return !in_time;
}

/* The listener may take its time, so w is not the successor meanwhile. */
static void
report_waited(struct thread *self, struct monitor *m, struct waiter *w,
              struct object *obj, bool timed_out)
{
    if (!event_wanted(EVENT_MONITOR_WAITED))
        return;
    step_aside(self, m, w);
    EVENT_SEND(EVENT_MONITOR_WAITED, monitor_waited, self, obj, timed_out);
    step_back(m, w);
}

/* Own m again after a wait. */
static void
enter_again(struct thread *self, struct monitor *m, struct waiter *w,
            struct object *obj)
{
    bool enters = atomic_load(&w->state) == WAITER_ENTERS;

    if (enters && obj)
        thread_set_wait(self, WAIT_MONITOR_ENTER, obj);
    if (enters)
        acquire_queued(self, m, w);
    thread_set_wait(self, WAIT_NONE, NULL);
    if (enters)
        return;
    if (!try_acquire(self, m) && enter_contended(self, m, obj))
        EVENT_SEND(EVENT_MONITOR_ENTERED, monitor_contended_entered, self, obj);
    atomic_fetch_sub(&m->contenders, 1);
}

/* An interrupt that came first, or an exception that Thread.stop sent with it. */
static bool
throw_interrupted(struct thread *self)
{
    thread_poll(self);
    if (!exception_pending(self))
        THROW0(self, InterruptedException);
    return false;
}

bool
monitor_wait(struct thread *self, struct object *obj, int64_t millis)
{
    struct waiter w = { .thread = self };
    struct monitor *m;
    uint32_t count;
    bool was_notified, timed_out;
    int64_t start;

    if (millis < 0)
        return THROW(self, IllegalArgumentException, "timeout value is negative");
    if (!monitor_is_held(self, obj))
        return throw_not_owner(self);
    SCOPE(self);
    keep(self, obj);
    EVENT_SEND(EVENT_MONITOR_WAIT, monitor_wait, self, obj, millis);
    if (thread_is_interrupted(self, true)) {
        EVENT_SEND(EVENT_MONITOR_WAITED, monitor_waited, self, obj, false);
        return throw_interrupted(self);
    }
    /* Only now: a listener may have let the world stop, which deflates. */
    m = inflate(self, obj);
    if (!m)
        return false;
    start = os_nanos();
    self->waited_count++;
    thread_set_wait(self, millis ? WAIT_OBJECT_TIMED : WAIT_OBJECT, obj);
    count = m->count;
    timed_out = wait_in_set(self, m, &w, millis);
    was_notified = atomic_load(&w.state) == WAITER_ENTERS;
    self->waited_nanos += (uint64_t)(os_nanos() - start);
    report_waited(self, m, &w, obj, timed_out);
    enter_again(self, m, &w, obj);
    m->count = count;
    if (was_notified)
        return true;
    thread_poll(self);
    if (exception_pending(self))
        return false;
    return thread_is_interrupted(self, true) ? throw_interrupted(self) : true;
}

/* Moves the oldest waiter, or all, to the entry queue: it runs when the monitor is
   released. */
static void
wake(struct monitor *m, bool all)
{
    struct waiter *w;
    LOCK(&m->lock);

    while ((w = TAILQ_FIRST(&m->waiters)) != NULL) {
        TAILQ_REMOVE(&m->waiters, w, link);
        atomic_fetch_add(&m->contenders, 1);
        join_queue(&m->entries, w, WAITER_ENTERS);
        if (m->object) {
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
        return throw_not_owner(self);
    if ((lock_word(obj) & LOCK_TAG) == LOCK_INFLATED)
        wake(word_monitor(self->vm, lock_word(obj)), all);
    return true;
}

/* ---- raw monitors ---- */

enum raw_result
raw_monitor_free(struct thread *self, struct monitor *m)
{
    struct monitor_table *table = self->vm->monitors;
    enum raw_result result;

    /* One that is free is taken first, so that nobody else has it. */
    if (is_owner(self, m))
        m->count++;
    else if (!try_acquire(self, m))
        return RAW_NOT_OWNED;
    result = !(m->generation & 1)     ? RAW_DEAD
             : monitor_has_waiters(m) ? RAW_NOT_OWNED
                                      : RAW_DONE;
    if (result == RAW_DONE) {
        LOCK(&table->mutex);
        m->generation++;
        m->count = 0;
        m->next_free = table->free_raw;
        table->free_raw = m;
    }
    leave_monitor(m);
    return result;
}

enum raw_result
raw_monitor_enter(struct thread *self, struct monitor *m)
{
    if (is_owner(self, m)) {
        m->count++;
        return RAW_DONE;
    }
    /* Those who will resume self may need it. */
    thread_await_resume(self);
    if (!try_acquire(self, m))
        enter_contended(self, m, NULL);
    if (m->generation & 1)
        return RAW_DONE;
    release(m);
    return RAW_DEAD;
}

enum raw_result
raw_monitor_exit(struct thread *self, struct monitor *m)
{
    if (!is_owner(self, m))
        return RAW_NOT_OWNED;
    leave_monitor(m);
    return RAW_DONE;
}

enum raw_result
raw_monitor_wait(struct thread *self, struct monitor *m, int64_t millis)
{
    struct waiter w = { .thread = self };
    uint32_t count;
    bool is_interrupted;

    if (!is_owner(self, m))
        return RAW_NOT_OWNED;
    if (thread_is_interrupted(self, true))
        return RAW_INTERRUPTED;
    count = m->count;
    thread_set_wait(self, WAIT_RAW_MONITOR, NULL);
    wait_in_set(self, m, &w, millis > 0 ? millis : 0);
    is_interrupted = atomic_load(&w.state) == WAITER_RUNS
                     && thread_is_interrupted(self, true);
    enter_again(self, m, &w, NULL);
    m->count = count;
    return is_interrupted ? RAW_INTERRUPTED : RAW_DONE;
}

enum raw_result
raw_monitor_wake(struct thread *self, struct monitor *m, bool all)
{
    if (!is_owner(self, m))
        return RAW_NOT_OWNED;
    wake(m, all);
    return RAW_DONE;
}
