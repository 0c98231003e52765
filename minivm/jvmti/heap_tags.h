/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_tags.h -- tags of objects, and what their end reports.
 *
 * Objects begin at least OBJECT_DISTANCE apart and never move, so the tags of an
 * environment are an array with a place for every so many bytes of the heap's range: no
 * hashing, no growing by copying, and a walk in address order reads it in order.  The
 * range is reserved only; pages get memory when they hold their first tag, and a count
 * per page lets walks and collections pass by the empty ones. */

#ifndef MINIVM_JVMTI_HEAP_TAGS_H
#define MINIVM_JVMTI_HEAP_TAGS_H

#include "jvmti/env.h"

enum { TAG_PAGE = 512 };           /* places */

struct tag_table {
    const char *heap;              /* where place 0 is */
    jlong *tags;                   /* by place; 0: none */
    struct span memory;            /* of tags */
    uint32_t *counts;              /* of tags, by place / TAG_PAGE */
    size_t committed;              /* places below have memory; grows only */
    struct buf freed;              /* tags of dead objects: ObjectFree is due */
};

static inline size_t
tag_place(const struct tag_table *t, const struct object *o)
{
    return (size_t)((const char *)o - t->heap) / OBJECT_DISTANCE;
}

/* t may be NULL: nothing was tagged yet. */
static inline jlong
tag_get(const struct tag_table *t, const struct object *o)
{
    if (t == NULL || o == NULL)
        return 0;
    size_t place = tag_place(t, o);
    if (place >= __atomic_load_n(&t->committed, __ATOMIC_ACQUIRE)
        || __atomic_load_n(&t->counts[place / TAG_PAGE], __ATOMIC_RELAXED) == 0)
        return 0;
    return __atomic_load_n(&t->tags[place], __ATOMIC_RELAXED);
}

/* o's tag is about to be looked at. */
static inline void
tag_foresee(const struct tag_table *t, const struct object *o)
{
    if (t != NULL && o != NULL && tag_place(t, o) < t->committed)
        __builtin_prefetch(&t->tags[tag_place(t, o)]);
}

/* The calling thread is in the VM.  OUT_OF_MEMORY; INVALID_ENVIRONMENT for one that was
   disposed of meanwhile. */
jvmtiError tag_set(struct jvmti_env *env, const struct object *o, jlong tag);

/*
 * Stop the world for a heap walk.  Object Free is sent before it for what an earlier
 * collection has found dead, and no other thread is sending it meanwhile: an agent would
 * see that an object is gone that it was not told of.  A thread that owns a raw monitor
 * does not wait for those who send: they may be waiting for that monitor.
 */
void jvmti_stop_for_walk(struct thread *self);

/* Forget the tags of dead objects, for which Object Free is due then. */
heap_weak_fn tags_drop_dead;

#endif
