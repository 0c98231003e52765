/* SPDX-License-Identifier: MIT */
/* minivm/vm/fault.c -- SIGSEGV and SIGBUS around raw memory accesses. */

#include "vm/thread.h"

#include <signal.h>
#include <ucontext.h>

static struct sigaction old[NSIG];     /* by their numbers */

/* Not ours: as if we were not here.  The default is to die by the same access. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
    if (old[number].sa_flags & SA_SIGINFO)
        old[number].sa_sigaction(number, info, context);
    else if (old[number].sa_handler != SIG_DFL && old[number].sa_handler != SIG_IGN)
        old[number].sa_handler(number);
    else
        signal(number, SIG_DFL);
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
    struct thread *self = current_thread;

    if (!self || !self->fault_armed) {
        pass_on(number, info, context);
        return;
    }
    self->fault_armed = false;
    /* The jump does not do what a return would. */
    pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
    siglongjmp(self->fault_jump, 1);
}

void
fault_init(void)
{
    struct sigaction action = { .sa_sigaction = on_fault,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK };

    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &old[SIGSEGV]);
    sigaction(SIGBUS, &action, &old[SIGBUS]);
}

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
