/* SPDX-License-Identifier: MIT */
/* minivm/threads/wakeup.h -- how a thread sleeps and is woken.
 *
 * A wakeup belongs to one thread and is a binary semaphore: it holds one token or none.
 * Its thread takes the token, and sleeps until there is one; any thread may leave one.
 * A thread has a single wakeup for all that it may wait for (a monitor, a permit of
 * LockSupport, a deadline, to be resumed).  So the token only means that something has
 * changed, and may be left over from an earlier wait: who waits loops over its own
 * condition.  Nothing here looks at the thread's state or stops; the caller of
 * wakeup_wait has left the VM or holds nothing that others need. */

#ifndef MINIVM_THREADS_WAKEUP_H
#define MINIVM_THREADS_WAKEUP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wakeup {
    _Atomic int32_t state; /* 1: token, 0: none, -1: its thread sleeps */
};

/* Takes the token of the calling thread, and sleeps until there is one or the deadline
   comes: a time of os_nanos, or INT64_MAX for none.  Returns whether it took a
   token. */
bool wakeup_wait(struct wakeup *w, int64_t deadline);

/* Takes the token of the calling thread if it comes while the thread looks for it that
   many times, with a pause of the processor in between.  Returns whether it did. */
bool wakeup_spin(struct wakeup *w, unsigned limit);

/* Leaves a token, and wakes the thread if it sleeps. */
void wakeup_set(struct wakeup *w);

/*
 * The same in two steps, for a caller that holds a lock which the thread takes as soon
 * as it wakes.  The first step leaves the token and returns whether the thread sleeps;
 * then the second one has to follow when the lock is free.  The thread may have ended
 * by then:  the second step uses the address only.
 */
bool wakeup_leave_token(struct wakeup *w);
void wakeup_wake(const struct wakeup *w);

/* For the body of a loop that waits for another processor. */
static inline void
spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Returns the deadline that is count times unit nanoseconds from now; INT64_MAX when
   that is too far away for a number. */
int64_t deadline_after(int64_t count, int64_t unit);

#endif
