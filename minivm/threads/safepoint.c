/* SPDX-License-Identifier: MIT */
/* minivm/threads/safepoint.c -- transitions, stops of the world, handshakes.
 *
 * A stopper sets a bit of the target's attention and then reads the target's
 * run_state.  The target stores its run_state and then reads its attention.  At least
 * one of the two sees what the other one has written (Dekker's algorithm), if neither
 * processor exchanges its store and its load.  The target's side is frequent, so it has
 * no fence: the stopper asks the kernel to put one into all threads that run
 * (membarrier).
 *
 * A stop of the world.  The stopper becomes the owner in vm->safepoint, which there is
 * one of at a time.  It sets ATTENTION_STOP in all other threads and waits until none
 * of them is IN_VM.  A thread that finds attention set, in a transition or a poll,
 * becomes BLOCKED and waits until there is no owner (enter_held).
 *
 * A handshake.  The request is on the stack of who asks, and in the target's queue.
 * Both threads try to run it; the target's lock decides which one does.  The target
 * runs its queue before it becomes IN_VM.  Who asks runs the queue when it finds the
 * target out of the VM, and the target cannot get back in meanwhile, since it needs its
 * lock for that.
 *
 * Locks, in the order in which they nest: the list of threads, thread.lock,
 * safepoint_state.mutex. */

#include "threads/safepoint.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "runtime/vm.h"
#include "threads/schedule.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* How often a thread looks at another one before it sleeps.  A thread that runs Java
   polls within this time. */
enum { SPINS = 400 };

struct safepoint_state {
    struct mutex mutex;
    /* A thread that was asked to stop did something. */
    pthread_cond_t changed;
    /* owner has become NULL. */
    pthread_cond_t resumed;
    bool is_fenced;               /* see thread.is_fenced */
    struct thread *_Atomic owner; /* who stops the world or has stopped it, or NULL */
    _Atomic uint32_t depth;       /* how many stops of the owner nest */
    const char *_Atomic reason;   /* of the outermost stop */
};

struct handshake {
    void (*fn)(struct thread *target, void *arg);
    void *arg;
    struct handshake *next; /* the newer one in the target's queue */
    /* enum handshake_state.  Who asks returns as soon as this has changed, and the
       structure is gone; so nobody looks at it after the store. */
    _Atomic int state;
};

/* HANDSHAKE_REFUSED: the target has ended, and the function did not run. */
enum handshake_state { HANDSHAKE_WAITS, HANDSHAKE_RAN, HANDSHAKE_REFUSED };

/* Registers the process for the membarrier of fence_all.  Returns false where the
   kernel has none. */
static bool
register_for_fences(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0)
           == 0;
}

/*
 * In a process with one thread the kernel registers at once.  With more threads it
 * waits until each processor has switched tasks, which takes some 10 ms.  The launcher
 * loads the library before it starts the main thread, so we register when the library
 * is loaded.  safepoint_init registers again, which costs nothing then, and looks at
 * the result:  nobody could use that here.
 */
__attribute__((constructor)) static void
register_early(void)
{
    register_for_fences();
}

/* Where there is no membarrier, transitions have fences of their own (is_fenced). */
void
safepoint_init(struct vm *vm)
{
    struct safepoint_state *sp = mem_calloc(1, sizeof *sp);

    mutex_init(&sp->mutex);
    pthread_cond_init(&sp->changed, NULL);
    pthread_cond_init(&sp->resumed, NULL);
    sp->is_fenced = !register_for_fences();
    vm->safepoint = sp;
    schedule_init(vm);
}

/* Puts a fence into all threads whose transitions have none.  Each of them sees our
   earlier stores in its next load, and we see its earlier stores. */
static void
fence_all(const struct safepoint_state *sp)
{
    if (!sp->is_fenced
        && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        fatal("membarrier stopped working");
}

void
safepoint_fence(const struct vm *vm)
{
    fence_all(vm->safepoint);
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

/* ---- a thread that stops ---- */

/* A thread that looked before the change, and found that it has to wait, is asleep as
   soon as we get the mutex: so it is woken.  We unlock before the system call, since
   those that wake lock the mutex first. */
void
safepoint_notify(struct vm *vm)
{
    struct safepoint_state *sp = vm->safepoint;

    mutex_lock(&sp->mutex);
    mutex_unlock(&sp->mutex);
    pthread_cond_broadcast(&sp->changed);
}

/* Ends all handshakes in t's queue: runs them if state is HANDSHAKE_RAN, else refuses
   them.  The caller holds t->lock; t is self and IN_VM, or t is not IN_VM.  The next
   one is read before h->state is stored, after which h may be gone. */
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

/* Becomes IN_VM as soon as the world runs.  Tells the stopper first that self is out of
   the VM.  The caller tells those that wait for a handshake with self, after it ran.
   The owner of a stop does not wait for itself. */
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
    /* A stopper becomes the owner under the mutex, so it sees this store. */
    atomic_store(&self->run_state, THREAD_IN_VM);
}

enum { RETURN_IF_SUSPENDED = false, WAIT_IF_SUSPENDED = true };

/*
 * The slow part of every transition and poll: becomes IN_VM as soon as nothing forbids
 * it, and returns true.  With may_suspend false, returns false when self is suspended,
 * and leaves it BLOCKED.
 */
static bool
enter_held(struct thread *self, bool may_suspend)
{
    const bool is_delayed = self->held_threads || thread_is_in_section(self);
    const uint32_t mask = ATTENTION_STOP | ATTENTION_HANDSHAKE
                          | (is_delayed ? 0 : ATTENTION_SUSPEND);

    for (;;) {
        bool is_suspended;

        schedule_take(self);
        enter_when_running(self);
        mutex_lock(&self->lock);
        end_handshakes(self, HANDSHAKE_RAN);
        is_suspended = attention(self) & mask & ATTENTION_SUSPEND;
        /* Others may run handshakes with self and stop the world meanwhile. */
        if (is_suspended) {
            atomic_store(&self->run_state, THREAD_BLOCKED);
            self->is_late = false;
        }
        mutex_unlock(&self->lock);
        safepoint_notify(self->vm);
        if (!is_suspended && !(attention(self) & mask))
            return true;
        schedule_give(self);
        if (is_suspended && !may_suspend)
            return false;
        if (is_suspended)
            thread_await_resume(self);
    }
}

/* An exception of thread_stop alone does not stop a transition: thread_poll takes
   it. */
void
thread_enter_slow(struct thread *self)
{
    if (attention(self) != ATTENTION_ASYNC)
        enter_held(self, WAIT_IF_SUSPENDED);
}

/* self is out of the VM already, and those that have set attention may wait for
   that. */
void
thread_leave_slow(struct thread *self)
{
    if (run_state(self) == THREAD_IN_NATIVE)
        schedule_leave(self);
    else
        schedule_give(self);
    if (self->is_late && !thread_ends_section(self))
        self->is_late = false;
    if (attention(self) != ATTENTION_ASYNC)
        safepoint_notify(self->vm);
}

void
thread_block_begin(struct thread *self)
{
    self->blocks = true;
    thread_transit(self, THREAD_BLOCKED);
    if (attention(self))
        thread_leave_slow(self);
}

/* Makes a BLOCKED thread IN_VM with a full fence, and returns what attention asks for.
   The fence saves handshakes with threads that wait, which are the usual ones, a
   membarrier. */
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
        enter_held(self, WAIT_IF_SUSPENDED);
    self->blocks = false;
}

bool
thread_block_try_end(struct thread *self)
{
    if (unblock(self) && !enter_held(self, RETURN_IF_SUSPENDED))
        return false;
    self->blocks = false;
    return true;
}

/* The exception of thread_stop becomes pending, unless another one is: then it stays
   for a later poll. */
static void
take_async(struct thread *self)
{
    /* A frame that PopFrame leaves would take the exception with it: it waits.  In a
       transition it is not clear whose exception it is. */
    if (self->exception || thread_must_leave(self) || self->in_transition)
        return;
    LOCK(&self->lock);
    self->exception = self->async_exception;
    self->async_exception = NULL;
    attention_clear(self, ATTENTION_ASYNC);
}

void
thread_poll_slow(struct thread *self)
{
    if (attention(self) & ATTENTION_SCHEDULE && schedule_is_due(self))
        schedule_yield(self);
    if (attention(self) & ~(uint32_t)(ATTENTION_ASYNC | ATTENTION_SCHEDULE)
        || run_state(self) != THREAD_IN_VM)
        enter_held(self, WAIT_IF_SUSPENDED);
    if (attention(self) & ATTENTION_ASYNC)
        take_async(self);
}

/* ---- stops of the world ---- */

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

bool
world_is_stopped_by(const struct thread *self)
{
    return atomic_load(&self->vm->safepoint->owner) == self;
}

/* Becomes the owner of the stop.  While another thread is, stops for it like any thread
   (enter_held), and tries again. */
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
        enter_held(self, WAIT_IF_SUSPENDED);
    }
}

/* Returns whether a thread but self is IN_VM.  The caller holds the list. */
static bool
somebody_runs(struct vm *vm, const struct thread *self)
{
    FOR_EACH_THREAD(vm, t)
        if (t != self && run_state(t) == THREAD_IN_VM)
            return true;
    return false;
}

/* Waits until all other threads are out of the VM, and returns with the list of threads
   locked.  A thread that runs Java polls soon, so self looks several times, with
   pauses, before it sleeps.  The list is unlocked between two looks, since threads that
   end need it. */
static void
await_stopped(struct thread *self)
{
    struct vm *vm = self->vm;
    struct safepoint_state *sp = vm->safepoint;

    for (unsigned spins = 0;; spins++) {
        threads_lock(vm);
        /* A change that comes after we have looked is notified under this mutex. */
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

    if (world_is_stopped_by(self)) {
        sp->depth++;
        return;
    }
    /* Threads that are attached from here on see the owner in safepoint_join. */
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
    /* The collector and heap walks look at all cells that are in use. */
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
    /* The next stopper may begin now, but it needs the list to set its bits. */
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
    schedule_join(t);
}

/* ---- handshakes ---- */

void
safepoint_part(struct thread *t)
{
    end_handshakes(t, HANDSHAKE_REFUSED);
    if (atomic_exchange(&t->is_late, false))
        safepoint_notify(t->vm);
    schedule_part(t);
}

/* Puts h at the end of target's queue.  False when target has ended. */
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

/* self is BLOCKED meanwhile, so that others may run handshakes with it: two threads that
   ask each other would wait for ever otherwise. */
void
safepoint_wait_while(struct thread *self,
                     bool (*holds)(const struct thread *t, const void *arg),
                     const struct thread *t, const void *arg)
{
    struct safepoint_state *sp = self->vm->safepoint;

    thread_block_begin(self);
    mutex_lock(&sp->mutex);
    while (holds(t, arg))
        pthread_cond_wait(&sp->changed, &sp->mutex.m);
    mutex_unlock(&sp->mutex);
    thread_block_end(self);
}

/* Returns false when target has run the handshake arg, has left the VM or has ended. */
static bool
is_to_come(const struct thread *target, const void *arg)
{
    const struct handshake *h = arg;

    return h->state == HANDSHAKE_WAITS && run_state(target) == THREAD_IN_VM;
}

/*
 * A target that is BLOCKED comes back with a full fence, so its attention needs no
 * membarrier.  One that is IN_NATIVE needs one first.  One that is IN_VM usually polls
 * soon.
 *
 * fenced says that the target sees its attention in its next transition: because all
 * transitions have fences, or because fence_all was called after the attention was set.
 * The owner of a stop runs fn itself: the target cannot become IN_VM.
 */
bool
handshake(struct thread *self, struct thread *target,
          void (*fn)(struct thread *target, void *arg), void *arg)
{
    struct safepoint_state *sp = self->vm->safepoint;
    struct handshake h = { .fn = fn, .arg = arg };
    bool fenced = sp->is_fenced;

    if (target == self || world_is_stopped_by(self)) {
        fn(target, arg);
        return true;
    }
    if (!enqueue(target, &h))
        return false;
    for (unsigned spins = 0; h.state == HANDSHAKE_WAITS; spins++) {
        uint32_t state = run_state(target);

        if (state == THREAD_BLOCKED || (state == THREAD_IN_NATIVE && fenced)) {
            /* As long as we hold its lock, a target that is not IN_VM does not get
               there: it sees its attention and locks first. */
            LOCK(&target->lock);
            if (run_state(target) != THREAD_IN_VM)
                end_handshakes(target, HANDSHAKE_RAN);
        } else if (state == THREAD_IN_VM && spins < SPINS) {
            spin_pause();
        } else if (!fenced) {
            fence_all(sp);
            fenced = true;
        } else {
            safepoint_wait_while(self, is_to_come, target, &h);
        }
    }
    return atomic_load(&h.state) == HANDSHAKE_RAN;
}

/* thread_next keeps each thread valid during its handshake. */
void
handshake_all(struct thread *self, void (*fn)(struct thread *target, void *arg),
              void *arg)
{
    struct vm *vm = self->vm;

    for (struct thread *t = thread_next(vm, NULL); t; t = thread_next(vm, t))
        if (t != self)
            handshake(self, t, fn, arg);
    fn(self, arg);
}
