/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_tags.h -- tags of objects, and the event ObjectFree.
 *
 * Each environment has a table of its own, made with its first tag.  The table is an
 * array with one tag for every OBJECT_DISTANCE bytes of the heap's whole range: objects
 * begin at least so far apart and never move, so the index follows from the object's
 * address.  There is no hashing and no growing by copying, and a walk in the order of
 * addresses reads the tags in order.  Only address space is reserved for the array;
 * memory is committed up to the highest tag so far.  The tags are counted per page of
 * TAG_PAGE indices, so that walks and collections pass by pages without tags.
 *
 * Tags are read and written without a lock, each with one atomic operation.  Only the
 * growth of the table takes a lock (jvmti_vm.leaf_mutex).  The table is freed while the
 * world is stopped.
 *
 * When a collection has found a tagged object dead, its tag is removed, and noted if
 * the environment wants ObjectFree.  The event is sent when the world goes on. */

#ifndef MINIVM_JVMTI_HEAP_TAGS_H
#define MINIVM_JVMTI_HEAP_TAGS_H

#include "jvmti/env.h"

enum { TAG_PAGE = 512 }; /* indices */

struct tag_table {
    const char *heap;   /* the address that belongs to index 0 */
    jlong *tags;        /* 0: no tag */
    struct span memory; /* of tags */
    uint32_t *counts;   /* the number of tags of each page */
    size_t committed;   /* indices below this have memory; it only grows */
    struct buf freed;   /* jlong: the tags for which ObjectFree is due */
};

/* Returns o's index in the table. */
static inline size_t
tag_index(const struct tag_table *t, const struct object *o)
{
    return (size_t)((const char *)o - t->heap) / OBJECT_DISTANCE;
}

/* Returns o's tag, 0 if it has none.  t or o may be NULL, which gives 0. */
static inline jlong
tag_get(const struct tag_table *t, const struct object *o)
{
    if (!t || !o)
        return 0;
    size_t index = tag_index(t, o);
    if (index >= __atomic_load_n(&t->committed, __ATOMIC_ACQUIRE)
        || __atomic_load_n(&t->counts[index / TAG_PAGE], __ATOMIC_RELAXED) == 0)
        return 0;
    return __atomic_load_n(&t->tags[index], __ATOMIC_RELAXED);
}

/* Tells the processor that o's tag is going to be read.  t or o may be NULL. */
static inline void
tag_prefetch(const struct tag_table *t, const struct object *o)
{
    if (t && o && tag_index(t, o) < t->committed)
        __builtin_prefetch(&t->tags[tag_index(t, o)]);
}

/* Sets o's tag in env; 0 removes it.  The calling thread is in the VM and does not
   stop.  Returns OUT_OF_MEMORY, or INVALID_ENVIRONMENT if env was disposed of
   meanwhile. */
jvmtiError tag_set(struct jvmti_env *env, const struct object *o, jlong tag);

/*
 * Stops the world for a heap walk.  ObjectFree is sent first for all objects that an
 * earlier collection has found dead, and no other thread is still sending it then: else
 * the agent would see in the walk that an object is missing of whose end it has not
 * been told.  A thread that owns a raw monitor does not wait for the senders, since a
 * callback of theirs may be waiting for that monitor.  self may stop and run agents'
 * code.
 */
void jvmti_stop_for_walk(struct thread *self);

/* Removes the tags of dead objects, and notes those for which ObjectFree is due.  A
   heap_weak_fn: the collector calls it with the world stopped. */
heap_weak_fn tags_drop_dead;

#endif
