/* SPDX-License-Identifier: MIT */
/* minivm/vm/thread.c -- struct thread, the list of all threads, roots, states. */

#include "vm/thread.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/os.h"
#include "vm/monitor.h"
#include "vm/refs.h"
#include "vm/safepoint.h"
#include "vm/vm.h"

_Thread_local struct thread *current_thread
    __attribute__((tls_model("initial-exec")));

enum {
    LOCK_ID_MAX = (1 << (32 - LOCK_THREAD_SHIFT)) - 1,
    HANDLES_FIRST = 256,
    /* Java slots that only StackOverflowError's construction may use. */
    STACK_RESERVE = 4096
};

/* ---- the list ---- */

void
threads_lock(struct vm *vm)
{
    mutex_lock(&vm->threads_mutex);
}

void
threads_unlock(struct vm *vm)
{
    mutex_unlock(&vm->threads_mutex);
}

struct thread *
thread_of_lock_id(struct vm *vm, uint32_t id)
{
    FOR_EACH_THREAD(vm, t)
        if (t->lock_id == id)
            return t;
    return NULL;
}

/* 0 when all are taken; those of ended threads come again after the last one. */
static uint32_t
take_lock_id(struct vm *vm)
{
    for (uint32_t tries = 0; tries <= vm->thread_count; tries++) {
        vm->last_lock_id = vm->last_lock_id % LOCK_ID_MAX + 1;
        if (vm->started_threads < LOCK_ID_MAX
            || !thread_of_lock_id(vm, vm->last_lock_id))
            return vm->last_lock_id;
    }
    return 0;
}

/* ---- making and freeing ---- */

static bool
make_stack(struct thread *t, size_t size)
{
    size_t page = os_page_size();

    size = (size + page - 1) / page * page + STACK_RESERVE * sizeof(union slot);
    t->stack = os_reserve(size + SIGNAL_STACK);
    if (!t->stack)
        return false;
    t->signal_stack = (char *)t->stack + size;
    t->stack_end = t->stack + size / sizeof(union slot);
    t->stack_red = t->stack_end - STACK_RESERVE;
    atomic_store(&t->limit, t->stack_red);
    return os_commit(t->stack, size + SIGNAL_STACK);
}

void
thread_free(struct thread *t)
{
    if (t->vm->thread_gone)
        t->vm->thread_gone(t);
    if (t->stack)
        os_release(t->stack, (size_t)(t->signal_stack - (char *)t->stack) + SIGNAL_STACK);
    refs_release_thread(t);
    mem_free(t->locks);
    mem_free(t->handles);
    pthread_mutex_destroy(&t->lock.m);
    mem_free(t);
}

struct thread *
thread_new(struct vm *vm, size_t stack_size)
{
    struct thread *t = mem_try_calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->vm = vm;
    t->jni = vm->jni_functions;
    mutex_init(&t->lock);
    t->handles = mem_try_alloc(HANDLES_FIRST * sizeof *t->handles);
    t->handle_capacity = HANDLES_FIRST;
    heap_cache_init(vm->heap, &t->cache);
    if (vm->thread_born)
        vm->thread_born(t);
    if (!t->handles || !make_stack(t, stack_size)) {
        thread_free(t);
        return NULL;
    }
    return t;
}

void
thread_grow_handles(struct thread *self)
{
    self->handle_capacity *= 2;
    self->handles = mem_realloc(self->handles,
                                self->handle_capacity * sizeof *self->handles);
}

bool
thread_list_add(struct thread *t)
{
    struct vm *vm = t->vm;
    LOCK(&vm->threads_mutex);

    t->lock_id = take_lock_id(vm);
    if (!t->lock_id)
        return false;
    t->serial = (uint32_t)++vm->started_threads;
    t->start_nanos = (uint64_t)os_nanos();
    TAILQ_INSERT_TAIL(&vm->threads, t, link);
    vm->thread_count++;
    if (t->is_daemon)
        vm->daemon_count++;
    if (vm->thread_count > vm->peak_threads)
        vm->peak_threads = vm->thread_count;
    safepoint_join(t);
    return true;
}

void
thread_list_remove(struct thread *t)
{
    struct vm *vm = t->vm;
    bool is_free;

    threads_lock(vm);
    heap_cache_flush(vm->heap, &t->cache);
    TAILQ_REMOVE(&vm->threads, t, link);
    vm->thread_count--;
    if (t->is_daemon)
        vm->daemon_count--;
    mutex_lock(&t->lock);
    t->is_ended = true;
    t->object = NULL;
    safepoint_part(t);
    mutex_unlock(&t->lock);
    is_free = t->pins == 0;
    pthread_cond_broadcast(&vm->threads_changed);
    threads_unlock(vm);
    safepoint_notify(vm);
    if (is_free)
        thread_free(t);
}

void
thread_await_others(struct thread *self)
{
    struct vm *vm = self->vm;
    uint32_t mine = self->is_daemon ? 0 : 1;

    thread_block_begin(self);
    threads_lock(vm);
    while (vm->thread_count - vm->daemon_count > mine)
        pthread_cond_wait(&vm->threads_changed, &vm->threads_mutex.m);
    threads_unlock(vm);
    thread_block_end(self);
}

/* ---- finding and keeping ---- */

struct thread *
thread_of_object(const struct object *thread_object)
{
    uint32_t offset = KF(the_vm, Thread_eetop);

    return (struct thread *)(uintptr_t)__atomic_load_n(
        (uint64_t *)object_at(thread_object, offset), __ATOMIC_ACQUIRE);
}

struct thread *
thread_pin(struct vm *vm, const struct object *thread_object)
{
    struct thread *t;
    LOCK(&vm->threads_mutex);

    t = thread_of_object(thread_object);
    if (t)
        t->pins++;
    return t;
}

void
thread_unpin(struct thread *t)
{
    LOCK(&t->vm->threads_mutex);

    if (--t->pins == 0 && t->is_ended)
        thread_free(t);
}

struct thread **
thread_list(struct vm *vm, bool with_hidden, size_t *count)
{
    struct thread **list;
    LOCK(&vm->threads_mutex);

    *count = 0;
    list = mem_try_alloc(vm->thread_count * sizeof *list);
    if (list)
        FOR_EACH_THREAD(vm, t)
            if (with_hidden || (!t->is_hidden && t->object)) {
                t->pins++;
                list[(*count)++] = t;
            }
    return list;
}

void
thread_list_release(struct thread **list, size_t count)
{
    for (size_t i = 0; list && i < count; i++)
        thread_unpin(list[i]);
    mem_free(list);
}

/* ---- hooks of calls and returns ---- */

void
thread_set_hooks(struct thread *t, uint32_t set, uint32_t clear)
{
    uint32_t hooks = atomic_load(&t->poll.hooks);

    hooks = (hooks & ~clear) | set;
    atomic_store(&t->poll.hooks, hooks);
    atomic_store(&t->limit, hooks & HOOKS_AT_CALLS ? NULL : t->stack_red);
}

/* ---- states ---- */

/* JVM TI "Get Thread State"; Thread.threadStatus has the same bits. */
enum {
    STATE_ALIVE = 0x1, STATE_RUNNABLE = 0x4, STATE_INDEFINITELY = 0x10,
    STATE_TIMED = 0x20, STATE_SLEEPING = 0x40, STATE_WAITING = 0x80,
    STATE_OBJECT_WAIT = 0x100, STATE_PARKED = 0x200, STATE_BLOCKED = 0x400,
    STATE_SUSPENDED = 0x100000, STATE_INTERRUPTED = 0x200000, STATE_NATIVE = 0x400000
};

uint32_t
thread_java_status(const struct thread *t)
{
    static const uint32_t states[] = {
        [WAIT_NONE] = STATE_RUNNABLE,
        [WAIT_MONITOR_ENTER] = STATE_BLOCKED,
        [WAIT_OBJECT] = STATE_WAITING | STATE_INDEFINITELY | STATE_OBJECT_WAIT,
        [WAIT_OBJECT_TIMED] = STATE_WAITING | STATE_TIMED | STATE_OBJECT_WAIT,
        [WAIT_PARK] = STATE_WAITING | STATE_INDEFINITELY | STATE_PARKED,
        [WAIT_PARK_TIMED] = STATE_WAITING | STATE_TIMED | STATE_PARKED,
        [WAIT_SLEEP] = STATE_WAITING | STATE_TIMED | STATE_SLEEPING,
        [WAIT_RAW_MONITOR] = STATE_RUNNABLE,
        [WAIT_CLASS_INIT] = STATE_RUNNABLE,
    };

    return STATE_ALIVE | states[atomic_load_explicit(&t->wait, memory_order_acquire)];
}

uint32_t
thread_jvmti_state(const struct thread *t)
{
    uint32_t state = thread_java_status(t);

    if (thread_is_suspended(t))
        state |= STATE_SUSPENDED;
    if (thread_is_interrupted((struct thread *)(uintptr_t)t, false))
        state |= STATE_INTERRUPTED;
    if (atomic_load(&t->run_state) == THREAD_IN_NATIVE)
        state |= STATE_NATIVE;
    return state;
}

void
thread_update_status(struct thread *t)
{
    uint32_t offset = KF(t->vm, Thread_threadStatus);

    if (t->object && offset)
        __atomic_store_n((int32_t *)object_at(t->object, offset),
                         (int32_t)thread_java_status(t), __ATOMIC_RELEASE);
}

/* ---- roots ---- */

void
root_visit(heap_root_fn *visit, void *context, struct object *o, enum root_kind kind,
           struct thread *t)
{
    const struct root_info info = { .kind = kind, .thread = t, .slot = -1, .bci = -1 };

    if (o)
        visit(context, o, &info);
}

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;

    root_visit(visit, context, vm->system_group, ROOT_OTHER, NULL);
    root_visit(visit, context, vm->main_group, ROOT_OTHER, NULL);
    FOR_EACH_THREAD(vm, t) {
        root_visit(visit, context, t->object, ROOT_THREAD, t);
        root_visit(visit, context, t->exception, ROOT_OTHER, t);
        root_visit(visit, context, t->async_exception, ROOT_OTHER, t);
        root_visit(visit, context, t->forced_object, ROOT_OTHER, t);
        for (size_t i = 0; i < t->handle_count; i++)
            root_visit(visit, context, t->handles[i], ROOT_OTHER, t);
        for (uint32_t i = 0; i < t->lock_count; i++)
            root_visit(visit, context, t->locks[i].object, ROOT_MONITOR, t);
    }
}

void
threads_init(struct vm *vm)
{
    pthread_mutexattr_t recursive;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&vm->threads_mutex.m, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_cond_init(&vm->threads_changed, NULL);
    mutex_init(&vm->pending_mutex);
    pthread_cond_init(&vm->pending_changed, NULL);
    TAILQ_INIT(&vm->threads);
    heap_add_part(vm->heap, visit_roots, NULL, vm);
}
