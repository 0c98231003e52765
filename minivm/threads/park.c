/* SPDX-License-Identifier: MIT */
/* minivm/threads/park.c -- park, sleep and interrupt.
 *
 * To park, to sleep and to wait for a monitor are loops around wakeup_wait: each looks
 * at its own condition (the permit, the interrupt status, an exception of thread_stop,
 * the deadline), since a token may be an old one, or be meant for something else. */

#include "threads/park.h"

#include <sched.h>

#include "base/os.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread.h"

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

/* Nanoseconds.  The wall clock may be set while we sleep, so an absolute wait looks at
   it again after this time. */
enum { WALL_STEP = 1000000000 };

/* Returns a deadline for a wait until millis of the wall clock: that time, and *is_last
   is true, or an earlier one. */
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

/* Waits until self is interrupted, gets an exception of thread_stop, the time comes,
   or, unless it sleeps, somebody gives it its permit.  time is a deadline, or, when
   absolute is true, milliseconds since 1970.  Counts and measures the wait for
   ThreadInfo.  The interrupt status is a field of the Thread object, which a BLOCKED
   thread may read: the object is alive and does not move, and the collector does not
   write the field. */
static void
wait_alone(struct thread *self, enum thread_wait wait, bool absolute, int64_t time)
{
    bool parks = wait != WAIT_SLEEP, in_time = true, is_last = !absolute;
    int64_t start = os_nanos();

    /* The object that a parked thread waits for is in Thread.parkBlocker. */
    thread_set_wait(self, wait, NULL);
    self->waited_count++;
    thread_block_begin(self);
    while (!(parks && atomic_load(&self->unparked))
           && !thread_is_interrupted(self, false) && !thread_is_stopped(self)
           && (in_time || !is_last))
        in_time = wakeup_wait(&self->wake,
                              absolute ? wall_deadline(time, &is_last) : time);
    if (parks)
        atomic_store(&self->unparked, false);
    thread_block_end(self);
    thread_set_wait(self, WAIT_NONE, NULL);
    self->waited_nanos += (uint64_t)(os_nanos() - start);
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
    /* Thread.stop has interrupted the sleep with an exception of its own, and has not
       set the interrupt status. */
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
