/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/target.c -- the thread that a function is about, and what it is asked.
 *
 * A virtual thread that carriers run (JEP 444) has a struct thread only while it is
 * mounted, and then it is that of its carrier, which is a thread of its own for agents:
 *
 *      the target               is                             its struct thread
 *      the current thread       the caller                     self
 *      a platform thread        runs nothing else              its own
 *                               runs a virtual thread          a picture of its own part
 *      a virtual thread         mounted                        that of its carrier
 *                               not mounted                    a picture
 *
 * Which of them it is does not change while the virtual threads are held
 * (threads/virtual_thread.h).  jvmti_handshake does that, and runs an operation on the
 * struct thread of the table (threads/virtual_view.c).  What an agent has stored for a thread belongs to the
 * virtual thread, or to the platform thread, and not to who runs it (target_data). */

#include "jvmti/env.h"
#include "threads/continuation.h"
#include "threads/handles.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* ---- states ---- */

uint32_t
target_status(const struct target *target)
{
    struct vm *vm = the_vm;
    const struct object *fields;
    struct thread picture;

    if (target->is_carried)
        return virtual_thread_status(vm, target->object);
    if (target->live && target->object != target->live->current
        && thread_carried(target->live)) {
        carrier_picture(&picture, target->live);
        return STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_INDEFINITELY
               | (thread_full_status(&picture) & STATUS_SUSPENDED);
    }
    if (target->live)
        return thread_full_status(target->live);
    fields = thread_fields(vm, target->object);
    return !fields || INT_FIELD(vm, fields, Thread_threadStatus) == STATUS_NEW
               ? STATUS_NEW
               : STATUS_TERMINATED;
}

/* ---- which thread ---- */

void
target_find(struct thread *self, struct object *thread_object, struct target *result)
{
    bool is_current = thread_object == self->current;

    result->object = thread_object;
    result->is_carried = !is_current
                         && thread_object_is_carried(self->vm, thread_object);
    result->live = is_current           ? self
                   : result->is_carried ? NULL
                                        : thread_of_object(thread_object);
}

bool
target_is_alive(const struct target *target)
{
    return target->is_carried ? virtual_thread_is_alive(the_vm, target->object)
                              : target->live != NULL;
}

jvmtiError
target_continuation(struct thread *self, const struct target *target,
                    struct continuation **result)
{
    struct vm *vm = self->vm;
    struct object *o = target->object;

    if (!target_is_alive(target))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *result = virtual_thread_continuation(vm, o);
    if (!*result)
        *result = continuation_new(self, REF_FIELD(vm, o, VirtualThread_cont), true, o);
    if (!*result)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (!(*result)->jvmti)
        jvmti_on_virtual_thread_mounts(*result);
    return JVMTI_ERROR_NONE;
}

/* The thread's own is with the thread, or with the virtual one that it runs: the two
   are exchanged (threads/continuation.h). */
jvmtiError
target_data(struct thread *self, const struct target *target,
            struct jvmti_thread **result)
{
    struct continuation *c;

    if (target->is_carried) {
        TRY(target_continuation(self, target, &c));
        *result = c->thread ? c->thread->jvmti : c->jvmti;
        return JVMTI_ERROR_NONE;
    }
    c = target->object == target->live->current ? NULL : thread_carried(target->live);
    *result = c ? c->jvmti : target->live->jvmti;
    return JVMTI_ERROR_NONE;
}

struct thread *
target_look(const struct target *target, struct thread *picture)
{
    struct vm *vm = the_vm;
    const struct continuation *c;

    if (!target_is_alive(target))
        return NULL;
    if (!target->is_carried) {
        if (target->object == target->live->current || !thread_carried(target->live))
            return target->live;
        carrier_picture(picture, target->live);
        return picture;
    }
    c = virtual_thread_continuation(vm, target->object);
    if (c && c->thread)
        return c->thread;
    virtual_thread_picture(picture, vm, target->object, c);
    return picture;
}

/* ---- handshakes ---- */

/* The argument of run_handshake: fn, what it gets, and what it returned.  error is
   THREAD_NOT_ALIVE from the beginning, and stays so if target has ended and fn does not
   run. */
struct handshake_call {
    jvmti_handshake_fn *fn;
    struct thread *requester;
    void *arg;
    jvmtiError error;
};

/* The operation for thread_ask: runs fn.  It stands between thread_ask, which knows
   nothing of errors, and a jvmti_handshake_fn.  It runs in target or in the
   requester. */
static void
run_handshake(struct thread *target, void *arg)
{
    struct handshake_call *call = arg;

    call->error = call->fn(target, call->requester, call->arg);
}

/* A virtual thread gets a continuation for this, since what an agent asks for is stored
   there. */
jvmtiError
jvmti_handshake(struct thread *self, const struct target *thread,
                jvmti_handshake_fn *fn, void *arg)
{
    struct handshake_call call = { fn, self, arg, JVMTI_ERROR_THREAD_NOT_ALIVE };
    struct continuation *c;

    TARGET_HELD(self, thread);
    if (thread->is_carried)
        TRY(target_continuation(self, thread, &c));
    thread_ask(self, thread->object, thread->live, run_handshake, &call);
    return call.error;
}

uint32_t
target_status_now(struct thread *self, const struct target *target)
{
    TARGET_HELD(self, target);
    return target_status(target);
}
