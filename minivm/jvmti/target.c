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
 * struct thread of the table.  What an agent has stored for a thread belongs to the
 * virtual thread, or to the platform thread, and not to who runs it (target_data). */

#include "jvmti/env.h"
#include "threads/continuation.h"
#include "threads/handles.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* ---- states of virtual threads ---- */

/* Each state of a VirtualThread is a number that has a name in that class.  The numbers
   are not the same in all releases, nor are all names in each.  What is not listed
   counts as runnable: the thread runs, or is about to. */
static const struct named_state {
    const char *name;
    uint32_t status;
} named_states[] = {
    { "NEW", STATUS_NEW },
    { "PARKED",
      STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_INDEFINITELY | STATUS_PARKED },
    { "PINNED",
      STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_INDEFINITELY | STATUS_PARKED },
    { "TIMED_PARKED",
      STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT | STATUS_PARKED },
    { "TIMED_PINNED",
      STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT | STATUS_PARKED },
    { "BLOCKED", STATUS_ALIVE | STATUS_BLOCKED_ON_MONITOR_ENTER },
    { "WAIT", STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_INDEFINITELY
                  | STATUS_IN_OBJECT_WAIT },
    { "TIMED_WAIT", STATUS_ALIVE | STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT
                        | STATUS_IN_OBJECT_WAIT },
    { "TERMINATED", STATUS_TERMINATED },
};

enum { NAMED_STATES = sizeof named_states / sizeof named_states[0] };

/* Returns the number of a state; -1 if the release does not have it.  The class has
   instances, so its constants have their values. */
static int32_t
state_number(const struct vm *vm, const char *name)
{
    struct class *c = KC(vm, VirtualThread);
    const struct field *f = class_find_field(c, symbol_of(name), symbol_of("I"));

    return f && field_is_static(f) ? OBJECT_FIELD(int32_t, c->layout.mirror, f->offset)
                                   : -1;
}

/* The numbers of named_states, in the same order, and the bit that release 21 adds to a
   state while it suspends the thread by itself, or 0. */
struct state_numbers {
    _Atomic bool are_known;
    int32_t numbers[NAMED_STATES], suspended;
};

/* Returns the numbers, which are looked up once.  Threads that do so at the same time
   find the same. */
static const struct state_numbers *
state_numbers(const struct vm *vm)
{
    static struct state_numbers all;

    if (!atomic_load_explicit(&all.are_known, memory_order_acquire)) {
        int32_t suspended = state_number(vm, "SUSPENDED");
        for (size_t i = 0; i < NAMED_STATES; i++)
            __atomic_store_n(&all.numbers[i], state_number(vm, named_states[i].name),
                             __ATOMIC_RELAXED);
        __atomic_store_n(&all.suspended, suspended > 0 ? suspended : 0,
                         __ATOMIC_RELAXED);
        atomic_store_explicit(&all.are_known, true, memory_order_release);
    }
    return &all;
}

/* Returns bits of enum thread_status for the state that the class library has written
   into a virtual thread. */
static uint32_t
status_by_field(const struct vm *vm, const struct object *thread_object)
{
    const struct state_numbers *all = state_numbers(vm);
    int32_t state = __atomic_load_n(&INT_FIELD(vm, thread_object, VirtualThread_state),
                                    __ATOMIC_ACQUIRE);

    for (size_t i = 0; i < NAMED_STATES; i++)
        if (all->numbers[i] == (state & ~all->suspended))
            return named_states[i].status;
    return STATUS_ALIVE | STATUS_RUNNABLE;
}

/* Returns true if a virtual thread that is held has been started and has not ended: the
   state is changed a moment after its last frame is gone. */
static bool
is_alive(const struct vm *vm, const struct object *thread_object)
{
    const struct object *c = REF_FIELD(vm, thread_object, VirtualThread_cont);

    return (status_by_field(vm, thread_object) & STATUS_ALIVE)
           && !(c && OBJECT_FIELD(uint8_t, c, KF(vm, Continuation_done)));
}

/* Returns the bits for a virtual thread that is not mounted. */
static uint32_t
unmounted_status(struct vm *vm, struct object *thread_object,
                 const struct continuation *c)
{
    uint32_t status = is_alive(vm, thread_object) ? status_by_field(vm, thread_object)
                                                  : STATUS_TERMINATED;
    struct thread picture;

    if (status_by_field(vm, thread_object) == STATUS_NEW)
        return STATUS_NEW;
    if (status == STATUS_TERMINATED)
        return status;
    virtual_thread_picture(&picture, vm, thread_object, c);
    return status
           | (thread_full_status(&picture) & (STATUS_SUSPENDED | STATUS_INTERRUPTED));
}

uint32_t
target_status(const struct target *target)
{
    struct vm *vm = the_vm;
    const struct object *fields;
    struct continuation *c;
    struct thread picture;

    if (target->is_carried) {
        c = virtual_thread_continuation(vm, target->object);
        return c && c->thread ? thread_full_status(c->thread)
                              : unmounted_status(vm, target->object, c);
    }
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

struct target
target_of(const struct thread *self, struct object *thread_object)
{
    const struct vm *vm = self->vm;
    struct class *carried = KC(vm, VirtualThread);

    if (thread_object == self->current)
        return (struct target){ thread_object, (struct thread *)(uintptr_t)self,
                                false };
    if (carried && object_is_instance(thread_object, carried))
        return (struct target){ thread_object, NULL, true };
    return (struct target){ thread_object, thread_of_object(thread_object), false };
}

bool
target_is_alive(const struct target *target)
{
    return target->is_carried ? is_alive(the_vm, target->object) : target->live != NULL;
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
    bool is_platform;
};

/* The operation for handshake(): runs fn.  It stands between handshake, which knows
   nothing of errors, and a jvmti_handshake_fn.  It runs in target or in the
   requester. */
static void
run_handshake(struct thread *target, void *arg)
{
    struct handshake_call *call = arg;
    struct thread picture;

    if (call->is_platform && thread_carried(target)) {
        carrier_picture(&picture, target);
        target = &picture;
    }
    call->error = call->fn(target, call->requester, call->arg);
}

/* Runs the operation about a virtual thread that carriers run.  Nobody mounts it
   meanwhile, so that self can look at its frames. */
static void
ask_carried(struct thread *self, const struct target *thread,
            struct handshake_call *call)
{
    struct continuation *c;
    struct thread picture;

    call->error = target_continuation(self, thread, &c);
    if (call->error != JVMTI_ERROR_NONE)
        return;
    if (c->thread) {
        handshake(self, c->thread, run_handshake, call);
    } else {
        virtual_thread_picture(&picture, self->vm, thread->object, c);
        run_handshake(&picture, call);
    }
}

jvmtiError
jvmti_handshake(struct thread *self, const struct target *thread,
                jvmti_handshake_fn *fn, void *arg)
{
    struct handshake_call call = { fn, self, arg, JVMTI_ERROR_THREAD_NOT_ALIVE,
                                   !thread->is_carried
                                       && thread->object != self->current };

    TARGET_HELD(self, thread);
    if (thread->is_carried)
        ask_carried(self, thread, &call);
    else
        handshake(self, thread->live, run_handshake, &call);
    return call.error;
}

uint32_t
target_status_now(struct thread *self, const struct target *target)
{
    TARGET_HELD(self, target);
    return target_status(target);
}
