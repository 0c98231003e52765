/* SPDX-License-Identifier: MIT */
/* minivm/vm/fault.c -- the signals of fatal errors.
 *
 * A fault is, in this order: the reporter's own (crash.c), one that fault_guard waits
 * for, one for the handler that was there before the VM, or fatal. */

#include <errno.h>

#include "vm/crash.h"
#include "vm/thread.h"

static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
                               SIGSYS };
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct sigaction old[NSIG];     /* by their numbers */
static bool is_installed;

/* As if we were not here.  False when that would be the default. */
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

static void
on_fault(int number, siginfo_t *info, void *context)
{
    struct thread *self = current_thread;
    int saved = errno;

    crash_end_step(number, info, context);
    if (self && self->fault_armed && (number == SIGSEGV || number == SIGBUS)) {
        self->fault_armed = false;
        /* The jump does not do what a return would. */
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

/* The thread may have got another one meanwhile. */
void
fault_drop_stack(struct thread *self)
{
    stack_t now, none = { .ss_flags = SS_DISABLE };

    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == self->signal_stack)
        sigaltstack(&none, NULL);
}

/* ---- accesses to memory that may not be there ---- */

/* A function of its own: setjmp makes it keep all its variables in memory, and the
   compiler must not look into body, where it sees no call that could jump back. */
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
