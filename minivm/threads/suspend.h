/* SPDX-License-Identifier: MIT */
/* minivm/threads/suspend.h -- suspending threads, and throwing exceptions in them.
 *
 * Both are requests of one thread to another, and both are bits of the target's
 * attention (safepoint.h) that a handshake sets: JVM TI "Suspend Thread", "Resume
 * Thread" and "Stop Thread", Thread.suspend, Thread.resume and Thread.stop.
 *
 * A suspended thread runs no bytecode.  In foreign code it may go on until it enters
 * the VM; IN_VM, it becomes BLOCKED at its next safepoint, before it touches the heap
 * again.  Handshakes with a suspended thread go on, and the world may be stopped and
 * collected. */

#ifndef MINIVM_THREADS_SUSPEND_H
#define MINIVM_THREADS_SUSPEND_H

#include "threads/safepoint.h"

/*
 * Suspends t, which is pinned or self.  When the function returns t runs no more
 * bytecode; for self it returns when somebody has resumed it.  False when t was
 * suspended already, or has ended.  May stop.
 *
 * A thread is not suspended while it owns a lock of a virtual thread: transitions need
 * that (virtual_thread.h), and would hold up the one that resumes it.  So it runs to the
 * end of its section, and the function waits for that; but not where t itself waits, or
 * runs foreign code that may wait, since it could be for what the caller has, or another
 * suspended thread.  Then t still runs to the end of the section when that wait is over.
 * A thread that waits for the first lock of a section owns none, and is suspended there.
 */
bool thread_suspend(struct thread *self, struct thread *t);

/* Resumes t, which is pinned or self.  False when t was not suspended. */
bool thread_resume(struct thread *t);

/* Sleeps until self, which is not IN_VM, is not suspended. */
void thread_await_resume(struct thread *self);

/* Is t suspended? */
static inline bool
thread_is_suspended(const struct thread *t)
{
    return thread_wants(t, ATTENTION_SUSPEND);
}

/* Does t own a monitor that it has entered in a section?  t is self, or in a handshake. */
static inline bool
thread_is_in_section(const struct thread *t)
{
    return t->sections && t->lock_count > t->section_locks;
}

/* Does t, which is in a section, come to its end by itself?  t is self, or in a
   handshake. */
bool thread_ends_section(const struct thread *t);

/* Throws exception in t, which is pinned or self, at its next safepoint, and ends the
   wait, park or sleep that t is in (JVM TI "Stop Thread").  May stop. */
void thread_stop(struct thread *self, struct thread *t, struct object *exception);

/* Is an exception of thread_stop on its way to t?  Then t ends what it waits for. */
static inline bool
thread_is_stopped(const struct thread *t)
{
    return thread_wants(t, ATTENTION_ASYNC);
}

#endif
