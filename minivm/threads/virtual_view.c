/* SPDX-License-Identifier: MIT */
/* minivm/threads/virtual_view.c -- virtual threads that carriers run, as other threads see
 * them: their states, and operations on their frames.
 *
 * A virtual thread has a struct thread only while it is mounted, and then it is that of
 * its carrier, which is a platform thread with frames of its own.  An operation on a
 * java.lang.Thread gets:
 *
 *      the thread               is                             its struct thread
 *      a platform thread        runs nothing else              its own
 *                               runs a virtual thread          a picture of its own part
 *      a virtual thread         mounted                        that of its carrier
 *                               not mounted                    a picture
 *
 * Which of them it is does not change while the virtual threads are held. */

#include <string.h>

#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/monitor_virtual.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"
#include "threads/virtual_thread.h"

/* ---- pictures ---- */

/* The members that each of the two has in common. */
static void
begin_picture(struct thread *picture, struct vm *vm, struct object *thread_object,
              bool is_suspended)
{
    memset(picture, 0, sizeof *picture);
    picture->vm = vm;
    picture->is_picture = true;
    picture->object = picture->current = thread_object;
    picture->run_state = THREAD_BLOCKED;
    picture->poll.attention = is_suspended ? ATTENTION_SUSPEND : 0;
}

static void
set_stacks(struct thread *picture, const struct continuation *c)
{
    picture->stack = c->saved.stack;
    picture->stack_end = c->saved.stack_end;
    picture->stack_red = c->saved.stack_red;
    picture->top = c->saved.top;
    picture->locks = c->saved_locks.locks;
    picture->lock_count = c->saved_locks.count;
    picture->lock_capacity = c->saved_locks.capacity;
    picture->lock_id = c->saved_locks.id;
    picture->jvmti = c->jvmti;
    picture->async_exception = c->async_exception;
}

/* The frames by which the continuation is left and entered are not the thread's own. */
static void
skip_continuation_frames(struct thread *picture, const struct method *last)
{
    const struct class *of = KC(picture->vm, Continuation);

    while (picture->top
           && (frame_is_entry(picture->top) || picture->top->version->method == last
               || (!last && picture->top->version->method->class == of)))
        picture->top = picture->top->caller;
}

void
virtual_thread_picture(struct thread *picture, struct vm *vm,
                       struct object *thread_object, const struct continuation *c)
{
    begin_picture(picture, vm, thread_object, virtual_thread_is_suspended(vm, c));
    if (!c)
        return;
    set_stacks(picture, c);
    skip_continuation_frames(picture, NULL);
    if (c->waiter) {
        picture->wait = c->waiter->waits ? WAIT_OBJECT : WAIT_MONITOR_ENTER;
        picture->wait_object = c->waiter->monitor->object;
    }
}

void
carrier_picture(struct thread *picture, const struct thread *t)
{
    begin_picture(picture, t->vm, t->object, t->carrier_is_suspended);
    set_stacks(picture, thread_carried(t));
    skip_continuation_frames(picture, KM(t->vm, Continuation_enterSpecial));
}

/* ---- states ---- */

bool
thread_object_is_carried(const struct vm *vm, const struct object *thread_object)
{
    struct class *c = KC(vm, VirtualThread);

    return c && object_is_instance(thread_object, c);
}

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

/* The state is changed a moment after the last frame is gone. */
bool
virtual_thread_is_alive(const struct vm *vm, const struct object *thread_object)
{
    const struct object *c = REF_FIELD(vm, thread_object, VirtualThread_cont);

    return (status_by_field(vm, thread_object) & STATUS_ALIVE)
           && !(c && OBJECT_FIELD(uint8_t, c, KF(vm, Continuation_done)));
}

uint32_t
virtual_thread_status(struct vm *vm, struct object *thread_object)
{
    const struct continuation *c = virtual_thread_continuation(vm, thread_object);
    uint32_t status = status_by_field(vm, thread_object);
    struct thread picture;

    if (c && c->thread)
        return thread_full_status(c->thread);
    if (status == STATUS_NEW)
        return STATUS_NEW;
    if (!virtual_thread_is_alive(vm, thread_object))
        return STATUS_TERMINATED;
    virtual_thread_picture(&picture, vm, thread_object, c);
    return status
           | (thread_full_status(&picture) & (STATUS_SUSPENDED | STATUS_INTERRUPTED));
}

/* ---- operations ---- */

/* The argument of ask_platform: an operation and what it gets. */
struct question {
    void (*fn)(struct thread *t, void *arg);
    void *arg;
};

/* The operation of a handshake with a platform thread, as such. */
static void
ask_platform(struct thread *t, void *arg)
{
    const struct question *q = arg;
    struct thread picture;

    if (thread_carried(t)) {
        carrier_picture(&picture, t);
        t = &picture;
    }
    q->fn(t, q->arg);
}

/* Nobody mounts the virtual thread meanwhile, so that self can look at its frames. */
static bool
ask_carried(struct thread *self, struct object *thread_object,
            void (*fn)(struct thread *t, void *arg), void *arg)
{
    const struct continuation *c = virtual_thread_continuation(self->vm, thread_object);
    struct thread picture;

    if (c && c->thread)
        return handshake(self, c->thread, fn, arg);
    if (!virtual_thread_is_alive(self->vm, thread_object))
        return false;
    virtual_thread_picture(&picture, self->vm, thread_object, c);
    fn(&picture, arg);
    return true;
}

bool
thread_ask(struct thread *self, struct object *thread_object, struct thread *live,
           void (*fn)(struct thread *t, void *arg), void *arg)
{
    struct question question = { fn, arg };

    if (thread_object == self->current)
        return handshake(self, self, fn, arg);
    if (thread_object_is_carried(self->vm, thread_object))
        return ask_carried(self, thread_object, fn, arg);
    return live && handshake(self, live, ask_platform, &question);
}
