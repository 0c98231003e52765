/* SPDX-License-Identifier: MIT */
/* minivm/threads/thread.c -- struct thread: memory, roots, hooks, what others see.
 *
 * A thread's Java stack is one reservation of address space:
 *
 *      stack         frames grow upwards
 *      stack_red     calls beyond this throw StackOverflowError; the slots behind it
 *                    are for making that error
 *      stack_end     end of the Java stack
 *      signal_stack  the same address: the alternate signal stack of C
 */

#include "threads/thread.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/os.h"
#include "runtime/refs.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/handles.h"
#include "threads/lock_id.h"
#include "threads/park.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

_Thread_local struct thread *current_thread __attribute__((tls_model("initial-exec")));

enum {
    /* Handles that a new thread has room for. */
    HANDLES_FIRST = 256,
    /* Slots of the Java stack that only the construction of a StackOverflowError
       uses. */
    STACK_RESERVE = 4096
};

/* ---- making and freeing ---- */

/* Reserves and commits the Java stack of size bytes and what lies behind it.  Returns
   false when there is no memory; thread_free releases what was reserved. */
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

/* t may be half made, if thread_new fails. */
void
thread_free(struct thread *t)
{
    if (t->vm->thread_ended)
        t->vm->thread_ended(t);
    if (t->stack)
        os_release(t->stack,
                   (size_t)(t->signal_stack - (char *)t->stack) + SIGNAL_STACK);
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
    if (vm->thread_created)
        vm->thread_created(t);
    if (!t->handles || !make_stack(t, stack_size)) {
        thread_free(t);
        return NULL;
    }
    return t;
}

void
handles_grow(struct thread *self)
{
    self->handle_capacity *= 2;
    self->handles = mem_realloc(self->handles,
                                self->handle_capacity * sizeof *self->handles);
}

/* ---- hooks of calls and returns ---- */

/* The limit is NULL while calls have to look at the hooks: then every call finds no
   room on the stack and takes the slow path, so the fast one needs no second test.
   hooks is written without an atomic update, since only one thread may write it at a
   time. */
void
thread_set_limit(struct thread *self)
{
    uint32_t hooks = atomic_load_explicit(&self->poll.hooks, memory_order_relaxed);

    atomic_store_explicit(&self->limit, hooks & HOOKS_AT_CALLS ? NULL : self->stack_red,
                          memory_order_relaxed);
}

void
thread_set_hooks(struct thread *t, uint32_t set, uint32_t clear)
{
    uint32_t hooks = atomic_load(&t->poll.hooks);

    hooks = (hooks & ~clear) | set;
    atomic_store(&t->poll.hooks, hooks);
    atomic_store(&t->limit, hooks & HOOKS_AT_CALLS ? NULL : t->stack_red);
}

/* ---- what others see ---- */

uint32_t
thread_status(const struct thread *t)
{
    static const uint32_t status[] = {
        [WAIT_NONE] = STATUS_RUNNABLE,
        [WAIT_MONITOR_ENTER] = STATUS_BLOCKED_ON_MONITOR_ENTER,
        [WAIT_OBJECT] = STATUS_WAITING | STATUS_WAITING_INDEFINITELY
                        | STATUS_IN_OBJECT_WAIT,
        [WAIT_OBJECT_TIMED] = STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT
                              | STATUS_IN_OBJECT_WAIT,
        [WAIT_PARK] = STATUS_WAITING | STATUS_WAITING_INDEFINITELY | STATUS_PARKED,
        [WAIT_PARK_TIMED] = STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT
                            | STATUS_PARKED,
        [WAIT_SLEEP] = STATUS_WAITING | STATUS_WAITING_WITH_TIMEOUT | STATUS_SLEEPING,
        [WAIT_RAW_MONITOR] = STATUS_RUNNABLE,
        [WAIT_CLASS_INIT] = STATUS_RUNNABLE,
    };

    return STATUS_ALIVE | status[atomic_load_explicit(&t->wait, memory_order_acquire)];
}

uint32_t
thread_full_status(const struct thread *t)
{
    uint32_t status = thread_status(t);

    if (thread_is_suspended(t))
        status |= STATUS_SUSPENDED;
    if (thread_is_interrupted((struct thread *)(uintptr_t)t, false))
        status |= STATUS_INTERRUPTED;
    if (atomic_load(&t->run_state) == THREAD_IN_NATIVE)
        status |= STATUS_IN_NATIVE;
    return status;
}

struct object *
thread_fields(const struct vm *vm, struct object *thread_object)
{
    return KF(vm, Thread_holder) ? REF_FIELD(vm, thread_object, Thread_holder)
                                 : thread_object;
}

bool
thread_object_is_virtual(const struct vm *vm, const struct object *thread_object)
{
    struct class *base = KC(vm, BaseVirtualThread);

    return base && object_is_instance(thread_object, base);
}

void
thread_update_status(struct thread *t)
{
    uint32_t offset = KF(t->vm, Thread_threadStatus);
    struct object *fields = t->object && offset ? thread_fields(t->vm, t->object)
                                                : NULL;

    if (fields)
        __atomic_store_n((int32_t *)object_at(fields, offset),
                         (int32_t)thread_status(t), __ATOMIC_RELEASE);
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

/* For heap_add_part: the references of all threads but those on their Java stacks
   (frame.c) and those of JNI (refs.c). */
static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;

    root_visit(visit, context, vm->system_group, ROOT_OTHER, NULL);
    root_visit(visit, context, vm->main_group, ROOT_OTHER, NULL);
    FOR_EACH_THREAD(vm, t) {
        root_visit(visit, context, t->object, ROOT_THREAD, t);
        if (t->current != t->object)
            root_visit(visit, context, t->current, ROOT_THREAD, t);
        root_visit(visit, context, t->exception, ROOT_OTHER, t);
        root_visit(visit, context, t->async_exception, ROOT_OTHER, t);
        root_visit(visit, context, t->forced_object, ROOT_OTHER, t);
        root_visit(visit, context, t->scoped_values, ROOT_OTHER, t);
        for (size_t i = 0; i < t->handle_count; i++)
            root_visit(visit, context, t->handles[i], ROOT_OTHER, t);
        for (uint32_t i = 0; i < t->lock_count; i++)
            root_visit(visit, context, t->locks[i].object, ROOT_MONITOR, t);
        for (struct continuation *c = t->continuation; c; c = c->below)
            continuation_visit_saved(c, visit, context);
    }
}

/* The list's mutex is recursive: see thread_list.h. */
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
    lock_ids_init(vm);
    heap_add_part(vm->heap, visit_roots, NULL, vm);
}
