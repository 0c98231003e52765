/* SPDX-License-Identifier: MIT */
/* minivm/threads/virtual_thread.c -- transitions of virtual threads, and what holds
 * them up.
 *
 * A thread that begins a transition sets thread.in_transition and then reads
 * transitions.requests; who has a request counts it there and then reads in_transition
 * of all threads.  At least one of the two sees what the other one has written: the
 * thread's side has no fence, and who requests puts one into all threads
 * (safepoint_fence).  The same holds for the end of a transition, which wakes those
 * that wait for it.  So while nobody requests anything a transition costs two stores
 * and two loads.
 *
 * A thread that must not begin takes in_transition back and sleeps, BLOCKED, until the
 * requests have changed.  A thread that holds the virtual threads has a request, and
 * waits until no thread is in a transition; it is not suspended meanwhile, since all
 * virtual threads would then wait for the one that resumes it.
 *
 * Locks, in the order in which they nest: the list of threads, transitions.mutex. */

#include "threads/virtual_thread.h"

#include "base/mem.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/monitor_virtual.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

struct transitions {
    struct mutex mutex;
    /* One of the members below has changed, or, while there are requests, a thread has
       ended its transition. */
    pthread_cond_t changed;
    /* How many reasons there are that a transition might have to wait: holds, suspended
       virtual threads, suspended threads that have a virtual one mounted, and the mode.
       Written with the mutex. */
    _Atomic uint32_t requests;
    /* There has been a transition: set, with a fence, before the first one begins. */
    _Atomic bool are_used;
    uint32_t holds;
    /* The mode: virtual threads without a continuation are suspended. */
    bool starts_suspended;
};

void
virtual_threads_init(struct vm *vm)
{
    vm->transitions = mem_calloc(1, sizeof *vm->transitions);
    mutex_init(&vm->transitions->mutex);
    pthread_cond_init(&vm->transitions->changed, NULL);
}

struct continuation *
virtual_thread_continuation(const struct vm *vm, const struct object *thread_object)
{
    struct object *object = REF_FIELD(vm, thread_object, VirtualThread_cont);

    return object ? continuation_of(vm, object) : NULL;
}

struct continuation *
thread_carried(const struct thread *t)
{
    struct continuation *c = t->continuation;

    while (c && !(c->is_virtual && c->thread_object))
        c = c->below;
    return c;
}

/* ---- transitions ---- */

/* Stores in_transition.  A load of requests follows. */
static void
set_in_transition(struct thread *self, bool in_transition)
{
    if (__builtin_expect(self->is_fenced, 0))
        atomic_exchange(&self->in_transition, in_transition);
    else
        atomic_store_explicit(&self->in_transition, in_transition,
                              memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
}

/* What follows from who the thread is, such as its hooks, has to be found anew. */
static void
tell_change(struct thread *self)
{
    if (self->vm->identity_changed)
        self->vm->identity_changed(self);
}

/* Returns true if the virtual thread may be mounted on self or, if that is NULL, the
   one that self runs may be unmounted.  The caller holds the mutex. */
static bool
may_begin(const struct thread *self, const struct object *to_mount)
{
    const struct vm *vm = self->vm;

    if (vm->transitions->holds)
        return false;
    return to_mount ? !virtual_thread_is_suspended(
               vm, virtual_thread_continuation(vm, to_mount))
                    : !self->carrier_is_suspended;
}

/* self has set in_transition, and there are requests.  Returns true if it may go on, or
   takes in_transition back and returns false. */
static bool
begin_slow(struct thread *self, const struct object *to_mount)
{
    struct transitions *tr = self->vm->transitions;
    LOCK(&tr->mutex);

    if (may_begin(self, to_mount))
        return true;
    set_in_transition(self, false);
    pthread_cond_broadcast(&tr->changed);
    return false;
}

static void
await_begin(struct thread *self, const struct object *to_mount)
{
    struct transitions *tr = self->vm->transitions;

    thread_block_begin(self);
    mutex_lock(&tr->mutex);
    while (!may_begin(self, to_mount))
        pthread_cond_wait(&tr->changed, &tr->mutex.m);
    mutex_unlock(&tr->mutex);
    thread_block_end(self);
}

/* The object to mount does not move, and its caller's frame keeps it alive. */
static void
begin(struct thread *self, const struct object *to_mount)
{
    struct transitions *tr = self->vm->transitions;

    for (;;) {
        set_in_transition(self, true);
        if (!atomic_load_explicit(&tr->requests, memory_order_acquire)
            || begin_slow(self, to_mount))
            break;
        await_begin(self, to_mount);
    }
    tell_change(self);
}

static void
end(struct thread *self)
{
    struct transitions *tr = self->vm->transitions;

    set_in_transition(self, false);
    if (atomic_load_explicit(&tr->requests, memory_order_acquire)) {
        LOCK(&tr->mutex);
        pthread_cond_broadcast(&tr->changed);
    }
    tell_change(self);
    if (thread_wants(self, ~(uint32_t)ATTENTION_ASYNC))
        thread_enter_slow(self);
}

void
virtual_thread_begin_mount(struct thread *self, struct object *thread_object)
{
    struct transitions *tr = self->vm->transitions;

    if (__builtin_expect(!tr->are_used, 0))
        atomic_exchange(&tr->are_used, true);
    begin(self, thread_object);
}

void
virtual_thread_begin_unmount(struct thread *self)
{
    begin(self, NULL);
}

void
virtual_thread_end_mount(struct thread *self)
{
    end(self);
}

void
virtual_thread_end_unmount(struct thread *self)
{
    end(self);
}

/* ---- holding ---- */

/* The caller holds the list of threads. */
static bool
somebody_is_in_transition(struct vm *vm)
{
    FOR_EACH_THREAD(vm, t)
        if (atomic_load(&t->in_transition))
            return true;
    return false;
}

/* Waits until no thread is in a transition.  The list is unlocked while self sleeps; a
   transition that ends after we have looked is told under the mutex. */
static void
await_transitions(struct thread *self)
{
    struct vm *vm = self->vm;
    struct transitions *tr = vm->transitions;

    thread_block_begin(self);
    for (;;) {
        bool wait;

        threads_lock(vm);
        mutex_lock(&tr->mutex);
        wait = somebody_is_in_transition(vm);
        threads_unlock(vm);
        if (wait)
            pthread_cond_wait(&tr->changed, &tr->mutex.m);
        mutex_unlock(&tr->mutex);
        if (!wait)
            break;
    }
    thread_block_end(self);
}

/* Changes how many requests there are.  The caller holds the mutex. */
static void
add_requests(struct transitions *tr, int by)
{
    atomic_fetch_add(&tr->requests, (uint32_t)by);
    pthread_cond_broadcast(&tr->changed);
}

void
virtual_threads_hold(struct thread *self)
{
    struct vm *vm = self->vm;
    struct transitions *tr = vm->transitions;

    if (!vm->options.continuations)
        return;
    self->held_threads++;
    mutex_lock(&tr->mutex);
    tr->holds++;
    add_requests(tr, 1);
    mutex_unlock(&tr->mutex);
    if (!tr->are_used)
        return;
    safepoint_fence(vm);
    await_transitions(self);
}

void
virtual_threads_release(struct thread *self)
{
    struct transitions *tr = self->vm->transitions;

    if (!self->vm->options.continuations)
        return;
    mutex_lock(&tr->mutex);
    tr->holds--;
    add_requests(tr, -1);
    mutex_unlock(&tr->mutex);
    self->held_threads--;
}

/* The second call need not have a first one: the native may be called by anybody. */
void
virtual_thread_delay_suspension(struct thread *self, bool delay)
{
    if (delay) {
        if (self->sections++ == 0) {
            self->section_locks = self->lock_count;
            self->section_calls = self->agent_calls;
        }
    } else if (self->sections > 0 && --self->sections == 0) {
        if (thread_wants(self, ~(uint32_t)ATTENTION_ASYNC))
            thread_enter_slow(self);
    }
}

/* ---- suspension ---- */

/* Sets a flag that is a request.  Returns false if it was so before. */
static bool
set_request(struct vm *vm, bool *flag, bool value)
{
    struct transitions *tr = vm->transitions;
    LOCK(&tr->mutex);

    if (*flag == value)
        return false;
    *flag = value;
    add_requests(tr, value ? 1 : -1);
    return true;
}

/* A mounted one is suspended as the thread that runs it.  It is not unmounted before it
   is resumed, so the bit does not have to move. */
bool
virtual_thread_suspend(struct thread *self, struct continuation *c)
{
    if (c->thread)
        return thread_suspend(self, c->thread);
    if (!set_request(self->vm, &c->is_suspended, true))
        return false;
    virtual_waiter_suspend(c, true);
    return true;
}

bool
virtual_thread_resume(struct vm *vm, struct continuation *c)
{
    if (c->thread)
        return thread_resume(c->thread);
    if (!set_request(vm, &c->is_suspended, false))
        return false;
    virtual_waiter_suspend(c, false);
    return true;
}

bool
virtual_thread_is_suspended(const struct vm *vm, const struct continuation *c)
{
    return !c          ? vm->transitions->starts_suspended
           : c->thread ? thread_is_suspended(c->thread)
                       : c->is_suspended;
}

bool
platform_thread_suspend(struct thread *self, struct thread *t)
{
    return thread_carried(t) ? set_request(self->vm, &t->carrier_is_suspended, true)
                             : thread_suspend(self, t);
}

bool
platform_thread_resume(struct thread *t)
{
    return thread_carried(t) ? set_request(t->vm, &t->carrier_is_suspended, false)
                             : thread_resume(t);
}

void
virtual_threads_start_suspended(struct vm *vm, bool suspended)
{
    set_request(vm, &vm->transitions->starts_suspended, suspended);
}

void
virtual_thread_forget(struct vm *vm, struct continuation *c)
{
    set_request(vm, &c->is_suspended, false);
    if (vm->virtual_thread_ended)
        vm->virtual_thread_ended(c);
}
