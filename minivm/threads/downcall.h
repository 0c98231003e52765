/* SPDX-License-Identifier: MIT */
/* minivm/threads/downcall.h -- calls of foreign functions that are no methods: an
 * agent's entry points, callbacks and threads.
 *
 * The interpreter calls native methods by itself.  Every other call of foreign code has
 * a downcall around it, which is the transition from VM to native and back.  Until it
 * returns the thread can neither be detached nor end the VM.  An agent_call, inside of
 * it or outside, names the function for the report of a crash.  A callback of the
 * collector, which may not leave the VM, has an agent_call only. */

#ifndef MINIVM_THREADS_DOWNCALL_H
#define MINIVM_THREADS_DOWNCALL_H

#include "threads/safepoint.h"

/* A call of an agent's function that is under way.  It is on the C stack of the
   caller. */
struct agent_call {
    const char *what;       /* the event or function: "VMInit", "Agent_OnLoad" */
    void (*function)(void); /* the agent's function */
    struct agent_call *older;
};

static inline void
thread_begin_downcall(struct thread *self)
{
    self->downcalls++;
    thread_leave_vm(self);
}

/* May stop: the thread enters the VM. */
static inline void
thread_end_downcall(struct thread *self)
{
    thread_enter_vm(self);
    self->downcalls--;
}

/* Notes that function is called; call and what stay valid until agent_call_end. */
static inline void
agent_call_begin(struct thread *self, struct agent_call *call, const char *what,
                 void (*function)(void))
{
    call->what = what;
    call->function = function;
    call->older = self->agent_calls;
    self->agent_calls = call;
}

static inline void
agent_call_end(struct thread *self, const struct agent_call *call)
{
    self->agent_calls = call->older;
}

#endif
