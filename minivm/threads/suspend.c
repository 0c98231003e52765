/* SPDX-License-Identifier: MIT */
/* minivm/threads/suspend.c -- suspending threads, and throwing exceptions in them.
 *
 * A handshake sets the bit of attention, so the target runs no Java when the bit
 * appears.  Its next transition or poll then finds the bit and waits (safepoint.c), on
 * its wakeup and without a lock of the VM. */

#include "threads/suspend.h"

#include "runtime/vm.h"
#include "threads/handles.h"
#include "threads/park.h"

/* awaits_resume tells thread_resume that self sleeps here, and that its token means
   nothing else.  It is written under the lock, under which thread_resume reads it. */
void
thread_await_resume(struct thread *self)
{
    if (!thread_is_suspended(self))
        return;
    mutex_lock(&self->lock);
    self->awaits_resume = true;
    mutex_unlock(&self->lock);
    while (thread_is_suspended(self))
        wakeup_wait(&self->wake, INT64_MAX);
    mutex_lock(&self->lock);
    self->awaits_resume = false;
    mutex_unlock(&self->lock);
}

/* Does t run foreign code that was called in its section: an agent's, or a native of a
   class that is not the class library's? */
static bool
runs_foreign_code(const struct thread *t)
{
    return t->agent_calls != t->section_calls
           || (atomic_load(&t->run_state) == THREAD_IN_NATIVE && t->top
               && !frame_is_entry(t->top)
               && t->top->version->method->class->loader != t->vm->boot_loader);
}

bool
thread_ends_section(const struct thread *t)
{
    return !t->blocks && !runs_foreign_code(t);
}

/* The handshake operation of thread_suspend: arg becomes true if t was not suspended
   before.  t->lock is held unless t is the calling thread. */
static void
suspend_in_target(struct thread *t, void *arg)
{
    bool *done = arg;

    *done = !thread_is_suspended(t);
    attention_set(t, ATTENTION_SUSPEND);
    if (*done)
        t->is_late = thread_is_in_section(t) && thread_ends_section(t);
}

static bool
is_late(const struct thread *t, const void *arg)
{
    (void)arg;
    return t->is_late;
}

/* When the handshake has run, t is out of the VM, or will see the bit when it goes on;
   or it is late, and tells when it is not any more.  A thread that suspends itself stops in thread_enter_slow until it is resumed. */
bool
thread_suspend(struct thread *self, struct thread *t)
{
    bool done = false;

    handshake(self, t, suspend_in_target, &done);
    if (t != self && t->is_late)
        safepoint_wait_while(self, is_late, t, NULL);
    if (done && t == self)
        thread_enter_slow(self);
    return done;
}

/* The token is left while t->lock is held, since t may end as soon as it runs.  A
   thread that is suspended in a wait of its own is not woken: it looks when the wait is
   over. */
bool
thread_resume(struct thread *t)
{
    bool done, sleeps, was_late;

    mutex_lock(&t->lock);
    done = thread_is_suspended(t);
    attention_clear(t, ATTENTION_SUSPEND);
    was_late = atomic_exchange(&t->is_late, false);
    sleeps = t->awaits_resume && wakeup_leave_token(&t->wake);
    mutex_unlock(&t->lock);
    if (was_late)
        safepoint_notify(t->vm);
    /* The system call comes after the lock, which t takes as soon as it is awake. */
    if (sleeps)
        wakeup_wake(&t->wake);
    return done;
}

/* ---- asynchronous exceptions ---- */

/* The handshake operation of thread_stop.  An exception that an earlier call has left
   and that t has not yet thrown is replaced. */
static void
stop_in_target(struct thread *t, void *exception)
{
    t->async_exception = exception;
    attention_set(t, ATTENTION_ASYNC);
}

/* The attention makes t throw at its next poll; thread_interrupt wakes it from what it
   waits for, so that it comes there. */
void
thread_stop(struct thread *self, struct thread *t, struct object *exception)
{
    HANDLE_SCOPE(self);

    handle_new(self, exception);
    if (handshake(self, t, stop_in_target, exception))
        thread_interrupt(t);
}
