/* SPDX-License-Identifier: MIT */
/* minivm/vm/park.c -- park, sleep, interrupt: a thread that waits by itself. */

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/os.h"
#include "vm/exception.h"
#include "vm/thread.h"
#include "vm/vm.h"

/* ---- wakeups ---- */

/* Sleep while the word is -1; false when the deadline came. */
static bool
futex_wait(_Atomic int32_t *word, int64_t deadline)
{
    /* os_nanos counts as CLOCK_MONOTONIC does, which FUTEX_WAIT_BITSET takes. */
    struct timespec at = { deadline / 1000000000, deadline % 1000000000 };
    long rc = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, -1,
                      deadline == INT64_MAX ? NULL : &at, NULL, FUTEX_BITSET_MATCH_ANY);

    return rc == 0 || errno != ETIMEDOUT;
}

bool
wakeup_wait(struct wakeup *w, int64_t deadline)
{
    bool in_time = true;

    for (;;) {
        int32_t expected = 0;

        if (atomic_compare_exchange_strong(&w->state, &expected, -1))
            expected = -1;
        if (expected == 1) {
            atomic_exchange(&w->state, 0);
            return true;
        }
        if (!in_time) {
            if (atomic_compare_exchange_strong(&w->state, &expected, 0))
                return false;
            continue;
        }
        in_time = futex_wait(&w->state, deadline);
    }
}

bool
wakeup_leave_token(struct wakeup *w)
{
    return atomic_exchange(&w->state, 1) == -1;
}

/* If other memory is at the address by now, whoever sleeps there looks again: a futex
   may always wake for no reason. */
void
wakeup_wake(const struct wakeup *w)
{
    syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void
wakeup_set(struct wakeup *w)
{
    if (wakeup_leave_token(w))
        wakeup_wake(w);
}

/* ---- what others see of a waiting thread ---- */

void
thread_set_wait(struct thread *self, enum thread_wait wait, struct object *object)
{
    atomic_store_explicit(&self->wait_object, object, memory_order_relaxed);
    atomic_store_explicit(&self->wait, wait, memory_order_release);
    thread_update_status(self);
}

/* ---- interrupts ---- */

static uint8_t *
interrupted_field(const struct thread *t)
{
    uint32_t offset = KF(t->vm, Thread_interrupted);

    return t->object && offset ? object_at(t->object, offset) : NULL;
}

bool
thread_is_interrupted(struct thread *t, bool clear)
{
    uint8_t *field = interrupted_field(t);

    if (!field)
        return clear ? atomic_exchange(&t->interrupted, false)
                     : atomic_load(&t->interrupted);
    if (!__atomic_load_n(field, __ATOMIC_SEQ_CST))
        return false;
    if (clear)
        __atomic_store_n(field, 0, __ATOMIC_SEQ_CST);
    return true;
}

void
thread_mark_interrupted(struct thread *t)
{
    uint8_t *field = interrupted_field(t);

    if (field)
        __atomic_store_n(field, 1, __ATOMIC_SEQ_CST);
    else
        atomic_store(&t->interrupted, true);
}

void
thread_interrupt(struct thread *t)
{
    wakeup_set(&t->wake);
}

/* ---- park and sleep ---- */

int64_t
deadline_after(int64_t count, int64_t unit)
{
    int64_t nanos, at;

    return __builtin_mul_overflow(count, unit, &nanos)
                   || __builtin_add_overflow(os_nanos(), nanos, &at)
               ? INT64_MAX
               : at;
}

/* The wall clock may be set while we sleep, so an absolute wait looks again now
   and then. */
enum { WALL_STEP = 1000000000 };

static int64_t
wall_deadline(int64_t millis, bool *is_last)
{
    int64_t wall, left;

    if (__builtin_mul_overflow(millis, 1000000, &wall))
        wall = INT64_MAX;
    left = wall - os_wall_nanos();
    *is_last = left <= WALL_STEP;
    return deadline_after(!*is_last ? WALL_STEP : left > 0 ? left : 0, 1);
}

/* Until interrupted, stopped, late or, but for sleep, unparked; absolute: time is
   thread_park's, else a deadline. */
static void
wait_alone(struct thread *self, enum thread_wait wait, bool absolute, int64_t time)
{
    bool parks = wait != WAIT_SLEEP, in_time = true, is_last = !absolute;

    /* What blocks it is in Thread.parkBlocker. */
    thread_set_wait(self, wait, NULL);
    self->waited_count++;
    thread_block_begin(self);
    while (!(parks && atomic_load(&self->unparked))
           && !thread_is_interrupted(self, false) && !thread_is_stopped(self)
           && (in_time || !is_last))
        in_time =
            wakeup_wait(&self->wake, absolute ? wall_deadline(time, &is_last) : time);
    if (parks)
        atomic_store(&self->unparked, false);
    thread_block_end(self);
    thread_set_wait(self, WAIT_NONE, NULL);
}

void
thread_park(struct thread *self, bool absolute, int64_t time)
{
    if (atomic_exchange(&self->unparked, false) || thread_is_interrupted(self, false)
        || time < 0 || (absolute && time == 0))
        return;
    if (time == 0)
        wait_alone(self, WAIT_PARK, false, INT64_MAX);
    else
        wait_alone(self, WAIT_PARK_TIMED, absolute,
                   absolute ? time : deadline_after(time, 1));
}

void
thread_unpark(struct thread *t)
{
    if (!atomic_exchange(&t->unparked, true))
        wakeup_set(&t->wake);
}

bool
thread_sleep(struct thread *self, int64_t nanos)
{
    if (thread_is_interrupted(self, true))
        return THROW(self, InterruptedException, "sleep interrupted");
    if (nanos <= 0) {
        thread_yield(self);
        return true;
    }
    wait_alone(self, WAIT_SLEEP, false, deadline_after(nanos, 1));
    /* Thread.stop has its own exception and leaves the interrupt status alone. */
    thread_poll(self);
    if (exception_pending(self))
        return false;
    return !thread_is_interrupted(self, true)
           || THROW(self, InterruptedException, "sleep interrupted");
}

void
thread_yield(struct thread *self)
{
    thread_block_begin(self);
    sched_yield();
    thread_block_end(self);
}
