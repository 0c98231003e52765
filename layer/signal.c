/* SPDX-License-Identifier: MIT */
/*
 * layer/signal.c -- which code of an agent runs in a signal handler.
 *
 * A handler may have interrupted the VM at any place, so that it must not call it.  The
 * agent's calls of sigaction() and signal() come by here (got.c), and a handler that is a
 * function of the agent's own library is put behind one of ours, which notes where in the
 * stack it was called: what runs deeper in the stack is in the handler.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include "layer/check.h"

/* So far down from where the handler began its calls can be. */
#define DEPTH (1ul << 20)

/* Where the innermost handler of the thread began; 0 if there is none. */
static __thread uintptr_t handler_frame;

/* The agent's handlers, by signal; those with SA_SIGINFO get all three arguments. */
static struct sigaction agents[_NSIG];

static void
handle(int number, siginfo_t *info, void *context)
{
    uintptr_t outer = handler_frame;

    handler_frame = (uintptr_t)__builtin_frame_address(0);
    if (agents[number].sa_flags & SA_SIGINFO)
        agents[number].sa_sigaction(number, info, context);
    else
        agents[number].sa_handler(number);
    handler_frame = outer;
}

bool
signal_is_handled(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    return handler_frame != 0 && here < handler_frame && handler_frame - here < DEPTH;
}

/* Are the handler and the caller in one library? */
static bool
is_of_agent(const struct sigaction *action, const void *caller)
{
    Dl_info own, callers;

    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN
        && dladdr((void *)(uintptr_t)action->sa_handler, &own) != 0
        && dladdr(caller, &callers) != 0 && own.dli_fbase == callers.dli_fbase;
}

/* The agent sees its own handler where it has set one. */
static void
show(struct sigaction *old, const struct sigaction *agents_old)
{
    if ((old->sa_flags & SA_SIGINFO) && old->sa_sigaction == handle) {
        int others = old->sa_flags & ~SA_SIGINFO;

        old->sa_sigaction = agents_old->sa_sigaction;
        old->sa_flags = others | (agents_old->sa_flags & SA_SIGINFO);
    }
}

static int
set(int number, const struct sigaction *action, struct sigaction *old, const void *caller)
{
    struct sigaction ours, before;
    int result;

    if (number <= 0 || number >= _NSIG)
        return sigaction(number, action, old);
    before = agents[number];
    if (action != NULL && is_of_agent(action, caller)) {
        agents[number] = ours = *action;
        ours.sa_sigaction = handle;
        ours.sa_flags |= SA_SIGINFO;
        action = &ours;
    }
    result = sigaction(number, action, old);
    if (result == 0 && old != NULL)
        show(old, &before);
    return result;
}

int
signal_checked_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    return set(number, action, old, __builtin_return_address(0));
}

void (*signal_checked_signal(int number, void (*handler)(int)))(int)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, old;

    sigemptyset(&action.sa_mask);
    return set(number, &action, &old, __builtin_return_address(0)) == 0 ? old.sa_handler
                                                                        : SIG_ERR;
}

/* A jump out of the handler ends it. */
void
signal_checked_longjmp(struct __jmp_buf_tag *place, int value)
{
    handler_frame = 0;
    siglongjmp(place, value);
}
