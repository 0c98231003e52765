/* SPDX-License-Identifier: MIT */
/* minivm/threads/thread_list.h -- all threads of the VM: finding, listing, keeping
 * them.
 *
 * vm->threads has all attached threads, oldest first, under vm->threads_mutex.  That
 * mutex is recursive, since the thread that has stopped the world holds it until it
 * lets the world go on.  A struct thread is freed when its thread has ended, unless
 * somebody has pinned it: then it is freed when the last pin is removed.  A pin keeps
 * the struct only, not the thread: after thread_list_remove, is_ended is true and the
 * object is NULL. */

#ifndef MINIVM_THREADS_THREAD_LIST_H
#define MINIVM_THREADS_THREAD_LIST_H

#include "threads/thread.h"

/* Locks the list.  The holder does not stop, but the thread that has stopped the world
   may lock the list again. */
void threads_lock(struct vm *vm);
void threads_unlock(struct vm *vm);

/* A loop over all attached threads, oldest first.  The caller holds the list. */
#define FOR_EACH_THREAD(vm, t) \
    for (struct thread *t = TAILQ_FIRST(&(vm)->threads); t; t = TAILQ_NEXT(t, link))

/* Returns the thread of a java.lang.Thread (its field eetop), or NULL when that was not
   started or has ended.  The result is safe only while the caller holds the list, or in
   a handshake with the thread; thread_pin is for everybody else. */
struct thread *thread_of_object(const struct object *thread_object);

/* Returns the thread of a java.lang.Thread and keeps its struct valid until
   thread_unpin; NULL when the thread was not started or has ended. */
struct thread *thread_pin(struct vm *vm, const struct object *thread_object);
void thread_unpin(struct thread *t);

/*
 * Returns all attached threads, oldest first and pinned, with their number in *count.
 * Hidden threads, and those without a java.lang.Thread, are left out unless with_hidden
 * is true.  NULL when there is no memory; *count is 0 then.  thread_list_release
 * removes the pins and frees the array; list may be NULL.
 */
enum { WITHOUT_HIDDEN = false, WITH_HIDDEN = true };
struct thread **thread_list(struct vm *vm, bool with_hidden, size_t *count);
void thread_list_release(struct thread **list, size_t count);

/*
 * A walk over all attached threads, the hidden ones too, oldest first, that needs no
 * memory and holds the list only inside of the call:
 *
 *     for (struct thread *t = thread_next(vm, NULL); t; t = thread_next(vm, t))
 *
 * Returns the thread that is next to last, pinned, or NULL behind the newest one; and
 * removes the pin of last.  With NULL the walk begins.  Threads that are attached
 * meanwhile are visited, too; those that end before their turn are not.  Whoever leaves
 * the walk early removes the pin with thread_unpin.
 */
struct thread *thread_next(struct vm *vm, struct thread *last);

/* Waits, BLOCKED, until self is the only thread that is no daemon (JNI
   "DestroyJavaVM"). */
void thread_await_others(struct thread *self);

/* ---- for runtime/start.c ---- */

/* Makes t known to the others: it gets its lock_id and its serial number, and takes
   part in safepoints from now on.  False, with t in no list, when too many threads are
   attached to give each a lock_id. */
bool thread_list_add(struct thread *t);

/*
 * Takes t from the list, refuses the handshakes that wait for it, and frees it, now or
 * when it is unpinned.  t is the calling thread and IN_VM; or t never ran, and the
 * calling thread is IN_VM.
 */
void thread_list_remove(struct thread *t);

#endif
