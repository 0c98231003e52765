/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/fault.c -- the signals of fatal errors.
 *
 * The handler decides, in this order, what a signal means:
 *
 *  1. This thread is writing the report of a crash: its present step has crashed.
 *  2. This thread is within fault_guard: the access that was tried is not possible.
 *  3. Somebody had a handler installed before the VM (a sanitizer, an embedding
 *     program): that one gets it.
 *  4. It is fatal, and is reported.
 */

#include <errno.h>

#include "diagnostics/crash.h"
#include "diagnostics/fault.h"
#include "threads/thread.h"

static const int numbers[] = {
    SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* The handlers that were there before, by the numbers of their signals.  They are
   global because a process has one handler for each signal. */
static struct sigaction old[NSIG];
static bool is_installed;

/* Calls the handler that was there before as the kernel would have called it.  Returns
   false if there was none: the signal had its default effect or was ignored, which the
   kernel does not do to a fault either. */
static bool
pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *to = &old[number];
    sigset_t before;

    if (!(to->sa_flags & SA_SIGINFO)
        && (to->sa_handler == SIG_DFL || to->sa_handler == SIG_IGN))
        return false;
    pthread_sigmask(SIG_BLOCK, &to->sa_mask, &before);
    if (to->sa_flags & SA_SIGINFO)
        to->sa_sigaction(number, info, context);
    else
        to->sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return true;
}

/* The handler of all these signals; the file's first comment tells its order. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
    struct thread *self = current_thread;
    int saved = errno;

    crash_abandon_step(number, info, context);
    if (self && self->fault_armed && (number == SIGSEGV || number == SIGBUS)) {
        self->fault_armed = false;
        /* The jump does not restore the signal mask, as returning would. */
        pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
        siglongjmp(self->fault_jump, 1);
    }
    if (!pass_on(number, info, context))
        crash_report(number, info, context);
    errno = saved;
}

void
fault_init(void)
{
    struct sigaction action = { .sa_sigaction = on_fault,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK };

    if (is_installed)
        return;
    is_installed = true;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &action, &old[numbers[i]]);
}

bool
fault_takes(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO)
           && now.sa_sigaction == on_fault;
}

void
fault_end_quietly(void)
{
    if (fault_takes(SIGABRT))
        sigaction(SIGABRT, &old[SIGABRT], NULL);
}

/* ---- alternate signal stacks ---- */

void
fault_set_stack(struct thread *self)
{
    stack_t now, own = { .ss_sp = self->signal_stack, .ss_size = SIGNAL_STACK };

    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
}

/* Another library may have given the thread another one meanwhile. */
void
fault_drop_stack(struct thread *self)
{
    stack_t now, none = { .ss_flags = SS_DISABLE };

    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == self->signal_stack)
        sigaltstack(&none, NULL);
}

/* ---- accesses to memory that may not be there ---- */

/* on_fault jumps back to sigsetjmp, which then returns 1.  The fences keep the compiler
   from moving the accesses that body makes out of the time in which fault_armed is set:
   it sees no call in body that could jump back. */
bool
fault_guard(struct thread *self, bool (*body)(struct thread *self, union slot *args),
            union slot *args)
{
    if (sigsetjmp(self->fault_jump, 0))
        return false;
    self->fault_armed = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    body(self, args);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self->fault_armed = false;
    return true;
}
