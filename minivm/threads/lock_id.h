/* SPDX-License-Identifier: MIT */
/* minivm/threads/lock_id.h -- the numbers by which monitors know their owners.
 *
 * A lock word and a struct monitor name the owner by a number of 22 bits.  A platform
 * thread has one while it is in the list of threads, and a virtual thread has one of its
 * own from its first mount until it ends, since it keeps its monitors when it moves to
 * another platform thread.
 *
 * A number that was given back is not given again soon: numbers are given in order, and
 * of those in the present range at most half are in use, until the range is as large as
 * it can be.  Nothing here stops. */

#ifndef MINIVM_THREADS_LOCK_ID_H
#define MINIVM_THREADS_LOCK_ID_H

#include <stdint.h>

#include "base/span.h"
#include "threads/mutex.h"

struct continuation;
struct object;
struct thread;
struct vm;

/* The largest number that a thin lock word has room for; 0 is nobody's. */
enum { LOCK_ID_MAX = (1 << 22) - 1 };

struct lock_ids {
    struct mutex mutex;
    /* An entry for each number of the range: who has it.  Entries are read without the
       mutex by who keeps their owner alive. */
    struct span owners;
    uint32_t last;  /* that was given */
    uint32_t limit; /* the largest of the range */
    uint32_t used;  /* how many are given and not given back */
};

/* Makes vm->lock_ids. */
void lock_ids_init(struct vm *vm);

/* Returns a number that nobody has, or 0 when all are taken or when there is no memory.
   It is that of the thread, or that of the continuation of a virtual thread: the other
   one is NULL. */
uint32_t lock_id_take(struct vm *vm, struct thread *t, struct continuation *c);

/* Gives the number back.  Its owner owns no monitor, unless lock_id_keep was called. */
void lock_id_give(struct vm *vm, uint32_t id);

/* Sees to it that nobody else gets the number later: monitors may stay locked by it. */
void lock_id_keep(struct vm *vm, uint32_t id);

/* Returns the thread that runs who has the number: a platform thread, which may have a
   virtual thread mounted whose number this is.  NULL if nobody has the number, or if it
   is that of a virtual thread that is not mounted.  The world is stopped, or the caller
   holds the list of threads and no virtual thread is mounted or unmounted meanwhile. */
struct thread *thread_of_lock_id(const struct vm *vm, uint32_t id);

/* Returns the continuation of the virtual thread that has the number, or NULL. */
struct continuation *continuation_of_lock_id(const struct vm *vm, uint32_t id);

/* Returns the java.lang.Thread of who has the number, or NULL.  The world is stopped. */
struct object *object_of_lock_id(const struct vm *vm, uint32_t id);

#endif
