/* SPDX-License-Identifier: MIT */
/* minivm/vm/safepoint.c -- transitions, global stops, handshakes, suspension.
 *
 * Who wants a thread to stop sets a bit of its attention and then looks at its
 * run_state; the thread stores run_state and then looks at attention.  One of the
 * two must see the other (Dekker).  The thread's side is frequent and has no fence:
 * membarrier puts one into all running threads when somebody asks.
 *
 * Locks, in the order in which they nest: threads_lock, thread.lock,
 * safepoint_state.mutex. */

#include "vm/safepoint.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "vm/vm.h"

/* How often to look before sleeping: a running thread polls within this time. */
enum { SPINS = 400 };

struct safepoint_state {
    struct mutex mutex;
    pthread_cond_t changed;        /* a thread that was asked to stop did something */
    pthread_cond_t resumed;        /* owner became NULL */
    bool is_fenced;
    struct thread *_Atomic owner;  /* who stops the world or has stopped it, or NULL */
    _Atomic uint32_t depth;        /* of owner's nested stops */
    const char *_Atomic reason;    /* of the newest stop */
};

struct handshake {
    void (*fn)(struct thread *target, void *arg);
    void *arg;
    struct handshake *next;
    _Atomic int state;             /* enum handshake_state; last access */
};

enum handshake_state { HANDSHAKE_WAITS, HANDSHAKE_RAN, HANDSHAKE_REFUSED };

static bool
register_for_fences(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/*
 * In a process with one thread the kernel registers at once; with more it waits until
 * each processor has switched tasks, some 10 ms.  The launcher loads the library before
 * it starts the main thread, so it is done here.  safepoint_init asks again, which costs
 * nothing then, and looks at the answer: here it would come too early for anybody.
 */
__attribute__((constructor)) static void
register_early(void)
{
    register_for_fences();
}

void
safepoint_init(struct vm *vm)
{
    struct safepoint_state *sp = mem_calloc(1, sizeof *sp);

    mutex_init(&sp->mutex);
    pthread_cond_init(&sp->changed, NULL);
    pthread_cond_init(&sp->resumed, NULL);
    sp->is_fenced = !register_for_fences();
    vm->safepoint = sp;
}

/* Whatever a thread of is_fenced false did not yet see of our stores, it sees in
   its next load; whatever it stored before, we see. */
static void
fence_all(const struct safepoint_state *sp)
{
    if (!sp->is_fenced
        && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        fatal("membarrier stopped working");
}

static uint32_t
run_state(const struct thread *t)
{
    return atomic_load(&t->run_state);
}

static uint32_t
attention(const struct thread *t)
{
    return atomic_load(&t->poll.attention);
}

static void
attention_set(struct thread *t, uint32_t bits)
{
    atomic_fetch_or(&t->poll.attention, bits);
}

static void
attention_clear(struct thread *t, uint32_t bits)
{
    atomic_fetch_and(&t->poll.attention, ~bits);
}

/* ---- a thread that stops ---- */

/* Who looked before the change is asleep once the mutex was taken.  It is left before the
   system call, since those who wake take it first. */
void
safepoint_notify(struct vm *vm)
{
    struct safepoint_state *sp = vm->safepoint;

    mutex_lock(&sp->mutex);
    mutex_unlock(&sp->mutex);
    pthread_cond_broadcast(&sp->changed);
}

/* t->lock is held, and t is self and IN_VM, or out of it. */
static void
end_handshakes(struct thread *t, enum handshake_state state)
{
    struct handshake *h;

    while ((h = t->handshakes) != NULL) {
        t->handshakes = h->next;
        if (state == HANDSHAKE_RAN)
            h->fn(t, h->arg);
        h->state = state;
    }
    attention_clear(t, ATTENTION_HANDSHAKE);
}

/* Become IN_VM as soon as the world runs; whoever stops it is told first.  Who waits to
   have self run something is told by our caller, once that is done. */
static void
enter_when_running(struct thread *self)
{
    struct safepoint_state *sp = self->vm->safepoint;

    atomic_store(&self->run_state, THREAD_BLOCKED);
    LOCK(&sp->mutex);
    if (sp->owner && sp->owner != self)
        pthread_cond_broadcast(&sp->changed);
    while (sp->owner && sp->owner != self)
        pthread_cond_wait(&sp->resumed, &sp->mutex.m);
    /* A stopper sets owner under the mutex, so it finds this. */
    atomic_store(&self->run_state, THREAD_IN_VM);
}

/*
 * Become IN_VM once nothing forbids it: the slow part of every transition and poll.
 * With may_suspend false, returns false and leaves self BLOCKED when suspended.
 */
static bool
enter_held(struct thread *self, bool may_suspend)
{
    const uint32_t mask = ATTENTION_STOP | ATTENTION_HANDSHAKE | ATTENTION_SUSPEND;

    for (;;) {
        bool is_suspended;

        enter_when_running(self);
        mutex_lock(&self->lock);
        end_handshakes(self, HANDSHAKE_RAN);
        is_suspended = thread_is_suspended(self);
        /* Handshakes with self go on and the world may stop. */
        if (is_suspended)
            atomic_store(&self->run_state, THREAD_BLOCKED);
        mutex_unlock(&self->lock);
        safepoint_notify(self->vm);
        if (is_suspended && !may_suspend)
            return false;
        if (is_suspended)
            thread_await_resume(self);
        else if (!(attention(self) & mask))
            return true;
    }
}

void
thread_enter_slow(struct thread *self)
{
    if (attention(self) != ATTENTION_ASYNC)
        enter_held(self, true);
}

void
thread_leave_slow(struct thread *self)
{
    if (attention(self) != ATTENTION_ASYNC)
        safepoint_notify(self->vm);
}

void
thread_block_begin(struct thread *self)
{
    thread_transit(self, THREAD_BLOCKED);
    if (attention(self))
        thread_leave_slow(self);
}

/* A BLOCKED thread comes back by a full fence: handshakes with those that wait, the
   usual case, need no membarrier then. */
static uint32_t
unblock(struct thread *self)
{
    atomic_exchange(&self->run_state, THREAD_IN_VM);
    return attention(self) & ~(uint32_t)ATTENTION_ASYNC;
}

void
thread_block_end(struct thread *self)
{
    if (unblock(self))
        enter_held(self, true);
}

bool
thread_block_try_end(struct thread *self)
{
    return !unblock(self) || enter_held(self, false);
}

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

static void
take_async(struct thread *self)
{
    /* A frame that is left takes what is pending with it. */
    if (self->exception || thread_must_leave(self))
        return;
    LOCK(&self->lock);
    self->exception = self->async_exception;
    self->async_exception = NULL;
    attention_clear(self, ATTENTION_ASYNC);
}

void
thread_poll_slow(struct thread *self)
{
    if (attention(self) & ~(uint32_t)ATTENTION_ASYNC)
        enter_held(self, true);
    if (attention(self) & ATTENTION_ASYNC)
        take_async(self);
}

/* ---- global stop ---- */

bool
world_is_stopped(const struct vm *vm)
{
    return vm->safepoint->depth > 0;
}

const char *
world_stop_reason(const struct vm *vm, const struct thread **owner)
{
    *owner = vm->safepoint->owner;
    return *owner ? vm->safepoint->reason : NULL;
}

static bool
self_stopped_world(const struct thread *self)
{
    return atomic_load(&self->vm->safepoint->owner) == self;
}

/* Become the owner of the stop, after those of others. */
static void
claim_stop(struct thread *self)
{
    struct safepoint_state *sp = self->vm->safepoint;

    for (;;) {
        struct thread *nobody = NULL;
        bool is_mine;

        mutex_lock(&sp->mutex);
        is_mine = atomic_compare_exchange_strong(&sp->owner, &nobody, self);
        mutex_unlock(&sp->mutex);
        if (is_mine)
            return;
        enter_held(self, true);
    }
}

static bool
somebody_runs(struct vm *vm, const struct thread *self)
{
    FOR_EACH_THREAD(vm, t)
        if (t != self && run_state(t) == THREAD_IN_VM)
            return true;
    return false;
}

/* Returns with threads_lock held and everybody else out of the VM. */
static void
await_stopped(struct thread *self)
{
    struct vm *vm = self->vm;
    struct safepoint_state *sp = vm->safepoint;

    for (unsigned spins = 0;; spins++) {
        threads_lock(vm);
        /* Held from here on, so that no change is missed. */
        LOCK(&sp->mutex);
        if (!somebody_runs(vm, self))
            return;
        threads_unlock(vm);
        if (spins >= SPINS / 10)
            pthread_cond_wait(&sp->changed, &sp->mutex.m);
        else
            for (int i = 0; i < 10; i++)
                spin_pause();
    }
}

void
world_stop(struct thread *self, const char *reason)
{
    struct vm *vm = self->vm;
    struct safepoint_state *sp = vm->safepoint;

    if (self_stopped_world(self)) {
        sp->depth++;
        return;
    }
    claim_stop(self);
    atomic_store(&sp->reason, reason);
    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        if (t != self)
            attention_set(t, ATTENTION_STOP);
    threads_unlock(vm);
    fence_all(sp);
    await_stopped(self);
    sp->depth = 1;
    FOR_EACH_THREAD(vm, t)
        heap_cache_flush(vm->heap, &t->cache);
}

void
world_resume(struct thread *self)
{
    struct vm *vm = self->vm;
    struct safepoint_state *sp = vm->safepoint;

    if (--sp->depth > 0)
        return;
    /* The next stopper may begin now, but needs threads_lock to set its bits. */
    mutex_lock(&sp->mutex);
    sp->owner = NULL;
    mutex_unlock(&sp->mutex);
    FOR_EACH_THREAD(vm, t)
        if (t != self)
            attention_clear(t, ATTENTION_STOP);
    threads_unlock(vm);
    pthread_cond_broadcast(&sp->resumed);
}

void
safepoint_join(struct thread *t)
{
    struct safepoint_state *sp = t->vm->safepoint;

    t->is_fenced = sp->is_fenced;
    if (sp->owner && sp->owner != t)
        attention_set(t, ATTENTION_STOP);
}

/* ---- handshakes ---- */

void
safepoint_part(struct thread *t)
{
    end_handshakes(t, HANDSHAKE_REFUSED);
}

static bool
enqueue(struct thread *target, struct handshake *h)
{
    struct handshake **at = &target->handshakes;
    LOCK(&target->lock);

    if (target->is_ended)
        return false;
    while (*at)
        at = &(*at)->next;
    *at = h;
    attention_set(target, ATTENTION_HANDSHAKE);
    return true;
}

/* Wait until target runs h, leaves the VM or ends. */
static void
await_target(struct thread *self, const struct thread *target,
             const struct handshake *h)
{
    struct safepoint_state *sp = self->vm->safepoint;

    thread_block_begin(self);
    mutex_lock(&sp->mutex);
    while (h->state == HANDSHAKE_WAITS && run_state(target) == THREAD_IN_VM)
        pthread_cond_wait(&sp->changed, &sp->mutex.m);
    mutex_unlock(&sp->mutex);
    thread_block_end(self);
}

bool
handshake(struct thread *self, struct thread *target,
          void (*fn)(struct thread *target, void *arg), void *arg)
{
    struct safepoint_state *sp = self->vm->safepoint;
    struct handshake h = { .fn = fn, .arg = arg };
    bool fenced = sp->is_fenced;

    if (target == self || self_stopped_world(self)) {
        fn(target, arg);
        return true;
    }
    if (!enqueue(target, &h))
        return false;
    for (unsigned spins = 0; h.state == HANDSHAKE_WAITS; spins++) {
        uint32_t state = run_state(target);

        if (state == THREAD_BLOCKED || (state == THREAD_IN_NATIVE && fenced)) {
            /* While its lock is held, a target that is not IN_VM cannot get there: it
               sees attention and has to take the lock first. */
            LOCK(&target->lock);
            if (run_state(target) != THREAD_IN_VM)
                end_handshakes(target, HANDSHAKE_RAN);
        } else if (state == THREAD_IN_VM && spins < SPINS) {
            spin_pause();
        } else if (!fenced) {
            fence_all(sp);
            fenced = true;
        } else {
            await_target(self, target, &h);
        }
    }
    return atomic_load(&h.state) == HANDSHAKE_RAN;
}

void
handshake_all(struct thread *self, void (*fn)(struct thread *target, void *arg),
              void *arg)
{
    size_t count;
    struct thread **list = thread_list(self->vm, true, &count);

    for (size_t i = 0; i < count; i++)
        if (list[i] != self)
            handshake(self, list[i], fn, arg);
    thread_list_release(list, count);
    fn(self, arg);
}

/* ---- suspension ---- */

static void
suspend_in_target(struct thread *t, void *arg)
{
    bool *done = arg;

    *done = !thread_is_suspended(t);
    attention_set(t, ATTENTION_SUSPEND);
}

bool
thread_suspend(struct thread *self, struct thread *t)
{
    bool done = false;

    handshake(self, t, suspend_in_target, &done);
    if (done && t == self)
        enter_held(self, true);
    return done;
}

bool
thread_resume(struct thread *self, struct thread *t)
{
    bool done, sleeps;

    (void)self;
    mutex_lock(&t->lock);
    done = thread_is_suspended(t);
    attention_clear(t, ATTENTION_SUSPEND);
    sleeps = t->awaits_resume && wakeup_leave_token(&t->wake);
    mutex_unlock(&t->lock);
    /* Behind the lock, which t takes first. */
    if (sleeps)
        wakeup_wake(&t->wake);
    return done;
}

/* ---- asynchronous exceptions ---- */

static void
stop_in_target(struct thread *t, void *exception)
{
    t->async_exception = exception;
    attention_set(t, ATTENTION_ASYNC);
}

void
thread_stop(struct thread *self, struct thread *t, struct object *exception)
{
    SCOPE(self);

    keep(self, exception);
    if (handshake(self, t, stop_in_target, exception))
        thread_interrupt(t);
}
