/* SPDX-License-Identifier: MIT */
/* minivm/jdk/thread_dump.h -- what all threads do at a moment: the dump that SIGQUIT
 * and jstack print, and the questions that it and ThreadMXBean have in common.
 *
 * The dump is in thread_dump.c.  Who waits for whom, and deadlocks, are in
 * management_thread.c; those functions look at other threads and may be called only
 * while the world is stopped. */

#ifndef MINIVM_JDK_THREAD_DUMP_H
#define MINIVM_JDK_THREAD_DUMP_H

#include "base/buf.h"
#include "threads/thread.h"

/* Parts of a dump besides the threads: the heap; the ownable synchronizers of each. */
enum { DUMP_HEAP = 1, DUMP_SYNCHRONIZERS = 2 };

/* Prints all Java threads and deadlocks.  Stops the world. */
void thread_dump(struct thread *self, struct buf *out, unsigned parts);
/*
 * The same to standard output, with the heap and what -XX:+PrintConcurrentLocks adds.
 */
void thread_dump_print(struct thread *self);

/* Prints how much of the heap and of the memory for classes is in use. */
void heap_print(const struct vm *vm, struct buf *out);
/* The part about classes (management_memory.c). */
void management_print_metaspace(struct buf *out);

/* ---- management_thread.c; the world is stopped ---- */

/*
 * Returns the object that t waits for: a monitor's, or what it parks on
 * (Thread.parkBlocker); NULL if it waits for none.  *owner becomes the Thread object of
 * who has it, or NULL.
 */
struct object *thread_blocker(struct vm *vm, const struct thread *t,
                              struct object **owner);

/*
 * Makes handles of self for all ownable synchronizers (java.util.concurrent.locks) that
 * have an owner: for each one, then for its owner.
 */
void synchronizers_find(struct thread *self);

/*
 * Returns the thread that owns what t cannot go on without: a monitor, or, unless
 * monitors_only, an ownable synchronizer; NULL if t does not wait so.
 */
enum { ALL_LOCKS = false, MONITORS_ONLY = true };
struct thread *thread_waits_for(struct vm *vm, const struct thread *t,
                                bool monitors_only);

/* Returns true if following owners from t leads back to t. */
bool thread_is_deadlocked(struct vm *vm, struct thread *t, bool monitors_only);

#endif
