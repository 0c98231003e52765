/* SPDX-License-Identifier: MIT */
/* minivm/threads/wakeup.c -- how a thread sleeps and is woken, by a futex.
 *
 * A wakeup is a futex with three values: there is a token (1), there is none (0), or
 * there is none and the thread sleeps (-1).  Only the thread itself stores -1, and only
 * to sleep; whoever leaves a token sees by the value before whether a system call is
 * needed. */

#include "threads/wakeup.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/os.h"
#include "threads/schedule.h"

static struct thread *
thread_of(struct wakeup *w)
{
    return (struct thread *)((char *)w - offsetof(struct thread, wake));
}

/* Sleeps while the word is -1.  False when the deadline has come. */
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

        if (atomic_compare_exchange_strong(&w->state, &expected, -1)) {
            expected = -1;
            if (schedule_is_on)
                schedule_sleeps(thread_of(w));
        }
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
wakeup_spin(struct wakeup *w, unsigned limit)
{
    for (unsigned i = 0; i < limit; i++) {
        if (atomic_load_explicit(&w->state, memory_order_relaxed) == 1) {
            atomic_exchange(&w->state, 0);
            return true;
        }
        spin_pause();
    }
    return false;
}

bool
wakeup_leave_token(struct wakeup *w)
{
    bool slept;

    /* It may come before the exchange is done, or sleep again until then. */
    if (schedule_is_on)
        schedule_woken(thread_of(w), false);
    slept = atomic_exchange(&w->state, 1) == -1;
    if (slept && schedule_is_on)
        schedule_woken(thread_of(w), true);
    return slept;
}

/* The thread may have ended, and other memory may be at the address by now.  A thread
   that sleeps there then looks again, since a futex may always wake for no reason. */
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

int64_t
deadline_after(int64_t count, int64_t unit)
{
    int64_t nanos, at;

    return __builtin_mul_overflow(count, unit, &nanos)
                   || __builtin_add_overflow(os_nanos(), nanos, &at)
               ? INT64_MAX
               : at;
}
