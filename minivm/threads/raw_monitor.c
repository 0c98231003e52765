/* SPDX-License-Identifier: MIT */
/* minivm/threads/raw_monitor.c -- monitors of agents (JVM TI "Raw Monitor").
 *
 * Raw monitors are struct monitors that never become an object's; m->object is NULL.
 * Who waits for one stays in native code, or in a callback of the collector, so the
 * code here makes no transition for them.  They are on no lock stack.
 *
 * A raw monitor may be freed while another thread is about to enter it.  Its memory
 * stays a monitor, and its generation, odd while it lives, tells: who has got hold of a
 * monitor with an even generation leaves it and says RAW_DEAD. */

#include "threads/continuation.h"
#include "threads/monitor_wait.h"
#include "threads/park.h"
#include "threads/suspend.h"
#include "threads/virtual_thread.h"

/* A virtual thread is not unmounted while it owns a raw monitor.  Those that wait for
   it keep their carriers, maybe all of them, so that the owner could not go on. */
static void
pin(struct thread *self)
{
    struct continuation *c = thread_carried(self);

    if (c)
        c->pins++;
}

static void
unpin(struct thread *self)
{
    struct continuation *c = thread_carried(self);

    if (c && c->pins > 0)
        c->pins--;
}

enum raw_result
raw_monitor_free(struct thread *self, struct monitor *m)
{
    struct monitor_table *table = self->vm->monitors;
    bool was_owner = monitor_is_owner(self, m);
    enum raw_result result;

    /* If nobody owns m, self enters it, so that nobody else does meanwhile. */
    if (was_owner)
        m->count++;
    else if (!monitor_try_acquire(self, m))
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
        if (was_owner)
            unpin(self);
    }
    monitor_leave(m);
    return result;
}

enum raw_result
raw_monitor_enter(struct thread *self, struct monitor *m)
{
    if (monitor_is_owner(self, m)) {
        m->count++;
        return RAW_DONE;
    }
    /* The thread that will resume self may need m before. */
    thread_await_resume(self);
    if (!monitor_try_acquire(self, m))
        monitor_enter_contended(self, m, NULL, NULL);
    if (m->generation & 1) {
        pin(self);
        return RAW_DONE;
    }
    monitor_release(m);
    return RAW_DEAD;
}

enum raw_result
raw_monitor_exit(struct thread *self, struct monitor *m)
{
    if (!monitor_is_owner(self, m))
        return RAW_NOT_OWNED;
    if (m->count == 0)
        unpin(self);
    monitor_leave(m);
    return RAW_DONE;
}

enum raw_result
raw_monitor_wait(struct thread *self, struct monitor *m, int64_t millis)
{
    struct waiter w = waiter_of(self);
    uint32_t count;
    bool is_interrupted;

    if (!monitor_is_owner(self, m))
        return RAW_NOT_OWNED;
    if (thread_is_interrupted(self, true))
        return RAW_INTERRUPTED;
    count = m->count;
    thread_set_wait(self, WAIT_RAW_MONITOR, NULL);
    monitor_wait_in_set(self, m, &w, millis > 0 ? millis : 0);
    is_interrupted = atomic_load(&w.state) == WAITER_RUNS
                     && thread_is_interrupted(self, true);
    monitor_enter_again(self, m, &w, NULL);
    m->count = count;
    return is_interrupted ? RAW_INTERRUPTED : RAW_DONE;
}

enum raw_result
raw_monitor_wake(struct thread *self, struct monitor *m, bool all)
{
    if (!monitor_is_owner(self, m))
        return RAW_NOT_OWNED;
    monitor_wake_waiters(m, all);
    return RAW_DONE;
}
