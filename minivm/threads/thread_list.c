/* SPDX-License-Identifier: MIT */
/* minivm/threads/thread_list.c -- all threads of the VM: finding, listing, keeping
 * them.
 *
 * A struct thread is in the list from thread_list_add to thread_list_remove.  Whoever
 * uses the thread of another one holds the list, or has pinned the thread.
 * thread_list_remove frees a thread without pins; else the last thread_unpin does. */

#include "threads/thread_list.h"

#include "base/mem.h"
#include "base/os.h"
#include "runtime/vm.h"
#include "threads/lock_id.h"
#include "threads/safepoint.h"

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

/* ---- coming and going ---- */

bool
thread_list_add(struct thread *t)
{
    struct vm *vm = t->vm;
    LOCK(&vm->threads_mutex);

    t->lock_id = lock_id_take(vm, t, NULL);
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

/* is_ended is set under t->lock together with the refusal of the handshakes: a
   handshake that comes later finds it set, so none waits for ever. */
void
thread_list_remove(struct thread *t)
{
    struct vm *vm = t->vm;
    bool is_free;

    threads_lock(vm);
    heap_cache_flush(vm->heap, &t->cache);
    lock_id_give(vm, t->lock_id);
    TAILQ_REMOVE(&vm->threads, t, link);
    vm->thread_count--;
    if (t->is_daemon)
        vm->daemon_count--;
    mutex_lock(&t->lock);
    t->is_ended = true;
    t->object = t->current = NULL;
    safepoint_part(t);
    mutex_unlock(&t->lock);
    is_free = t->pins == 0;
    pthread_cond_broadcast(&vm->threads_changed);
    threads_unlock(vm);
    safepoint_notify(vm);
    if (is_free)
        thread_free(t);
}

/* Each thread that leaves the list signals threads_changed. */
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

/* Removes a pin of t.  The caller holds the list. */
static void
unpin_locked(struct thread *t)
{
    if (--t->pins == 0 && t->is_ended)
        thread_free(t);
}

void
thread_unpin(struct thread *t)
{
    LOCK(&t->vm->threads_mutex);

    unpin_locked(t);
}

/*
 * A thread that has ended is no longer in the list and has no next one there: the walk
 * goes on with the first thread that was attached after it.  Serial numbers grow by one
 * for each thread, and wrap after four thousand million, so it is their distance that
 * says which thread is the newer one.
 */
struct thread *
thread_next(struct vm *vm, struct thread *last)
{
    struct thread *next;
    LOCK(&vm->threads_mutex);

    if (last && !last->is_ended) {
        next = TAILQ_NEXT(last, link);
    } else {
        next = TAILQ_FIRST(&vm->threads);
        while (last && next && (int32_t)(next->serial - last->serial) < 0)
            next = TAILQ_NEXT(next, link);
    }
    if (next)
        next->pins++;
    if (last)
        unpin_locked(last);
    return next;
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
