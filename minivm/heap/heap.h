/* SPDX-License-Identifier: MIT */
/* minivm/heap/heap.h -- allocation, collection and walking.
 *
 * A stop-the-world, non-moving mark-and-sweep heap: one reserved range, cut into
 * blocks of one cell size each (large objects take whole runs of blocks), with
 * thread-local allocation out of free runs and lazy sweeping.
 *
 * The heap knows no threads and no classes.  Who allocates passes a cache; who
 * collects has stopped the world; roots and weak tables register themselves. */

#ifndef MINIVM_HEAP_HEAP_H
#define MINIVM_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/object.h"

struct heap;

/* Requests up to HEAP_SMALL_MAX bytes come out of the thread's cache. */
#define HEAP_SMALL_MAX 512
#define HEAP_CLASSES 24        /* size classes up to HEAP_SMALL_MAX */
#define CELL_CLASSES 45        /* those behind them are shared */

extern const uint16_t heap_cell_size[CELL_CLASSES];           /* bytes */
extern const uint8_t heap_size_class[HEAP_SMALL_MAX / 8 + 1]; /* by size / 8 */

/* A run of zeroed free cells of one size: [next, limit). */
struct heap_run {
    char *next, *limit;
};

/* A thread's allocation cache: one run per size class. */
struct heap_cache {
    struct heap_run runs[HEAP_CLASSES];
    size_t credit;             /* bytes counted as used but in no run */
    uint64_t allocated;        /* bytes handed out, all of the runs included */
    int64_t sample_left;       /* until the next sample, behind the runs */
    uint64_t random;           /* state of the sampler's generator */
    uint32_t sample_epoch;     /* the setting that sample_left was drawn for */
    bool sampled;              /* heap_allocate: the object it returned is a
                                  sample; the caller clears it */
};

struct heap_options {
    size_t initial, maximum;   /* bytes: -Xms, -Xmx */
    int soft_ms_per_mb;        /* a soft reference lives that long per free MB */
    uint32_t stress;           /* -XX:GCStress=N: 0, or collect at each Nth
                                  allocation (heap_stress_due says when) */
    bool poison;               /* overwrite freed cells at once, and end the
                                  process when marking meets one */
};

/* NULL and *error (constant text) when the range cannot be reserved. */
struct heap *heap_new(const struct heap_options *options, const char **error);

void heap_free(struct heap *heap);

void heap_cache_init(struct heap *heap, struct heap_cache *cache);

/* Give the unused cells back; the thread ends or the world stops. */
void heap_cache_flush(struct heap *heap, struct heap_cache *cache);

/* Bytes that the thread has allocated so far, exact for the thread itself. */
uint64_t heap_cache_allocated(const struct heap_cache *cache);

/* A zeroed cell of at least size bytes with the header set, or NULL when a collection
   is due (force false) or there is no memory left within the maximum (force true).
   Thread-safe; never stops the world by itself.  An object that no collection can make
   room for (larger than the maximum) is NULL as well. */
struct object *heap_allocate(struct heap *heap, struct heap_cache *cache,
                             struct layout *layout, size_t size, bool force);

/* The inline part, size_class known; NULL means heap_allocate. */
static inline struct object *
heap_allocate_small(struct heap_cache *cache, const struct layout *layout,
                    unsigned size_class)
{
    struct heap_run *run = &cache->runs[size_class];
    char *cell = run->next;

    if (__builtin_expect(cell == run->limit, 0))
        return NULL;
    run->next = cell + heap_cell_size[size_class];
    struct object *o = (struct object *)cell;
    o->layout_ref = (uint32_t)(uintptr_t)layout;
    return o;
}

/* ---- roots and marking ---- */

/* Why a root holds its object, numbered as JVM TI "Heap Root Kind" does. */
enum root_kind {
    ROOT_JNI_GLOBAL = 1, ROOT_SYSTEM_CLASS, ROOT_MONITOR, ROOT_STACK_LOCAL,
    ROOT_JNI_LOCAL, ROOT_THREAD, ROOT_OTHER
};

struct root_info {
    enum root_kind kind;
    struct thread *thread;     /* STACK_LOCAL, JNI_LOCAL, or NULL */
    const void *frame;         /* struct frame * of the two, or NULL */
    uint32_t depth;            /* of the frame; 0 is the top */
    int32_t slot;              /* STACK_LOCAL: the local's, or max_locals and the
                                  operand's number; JNI_LOCAL: argument's, or -1 */
    int32_t bci;               /* -1: native */
};

/* Called for every root; object is never NULL. */
typedef void heap_root_fn(void *context, struct object *object,
                          const struct root_info *info);

/* Enumerates the roots of one part of the VM; runs with the world stopped. */
typedef void heap_roots_fn(void *part, heap_root_fn *visit, void *context);

/* Runs after marking, world stopped: drop or clear what heap_is_live denies.
   Used for weak tables: strings, JNI weak globals, monitors, tags, classes. */
typedef void heap_weak_fn(void *part, struct heap *heap);

/* What a class keeps alive besides its mirror's fields: loader, supers, resolved
   constants.  Calls visit for each (never NULL). */
typedef void heap_class_edges_fn(struct layout *layout,
                                 void (*visit)(void *context, struct object *object),
                                 void *context);

/* Either function may be NULL. */
void heap_add_part(struct heap *heap, heap_roots_fn *roots, heap_weak_fn *weak,
                   void *part);
void heap_set_class_edges(struct heap *heap, heap_class_edges_fn *edges);

/* Mirrors: layout_offset is where a mirror keeps the struct layout * of its class
   (NULL: none, as for primitives); static_runs answers the reference fields among the
   statics, by offset in the mirror. */
typedef uint32_t heap_static_runs_fn(const struct layout *layout,
                                     const struct reference_run **runs);
void heap_set_mirrors(struct heap *heap, uint32_t layout_offset,
                      heap_static_runs_fn *static_runs);

/* A mirror of size bytes (up to the end of the statics, which begin at
   mirror_statics of java.lang.Class's layout, class_layout). */
struct object *heap_allocate_mirror(struct heap *heap, struct heap_cache *cache,
                                    struct layout *class_layout, size_t size,
                                    bool force);

/* Enumerate all roots once, in the order in which the parts were added. */
void heap_visit_roots(struct heap *heap, heap_root_fn *visit, void *context);

/* ---- java.lang.ref ---- */

/* Offsets of the fields of Reference and of SoftReference.timestamp, and the address of
   the static SoftReference.clock in its mirror (NULL: not yet there).  The heap sets
   clock to the milliseconds of each collection; a soft reference whose timestamp lies
   more than 1000 ms per free megabyte behind it is cleared.  To be called before the
   first collection, and again when clock is known. */
struct heap_reference_fields {
    uint32_t referent, queue, next, discovered;
    uint32_t timestamp;
    int64_t *clock;
};

void heap_set_reference_fields(struct heap *heap,
                               const struct heap_reference_fields *f);

/* Takes the list of references (linked by discovered) that the ReferenceHandler
   waits for; NULL when empty.  Thread-safe. */
struct object *heap_take_pending(struct heap *heap);

bool heap_has_pending(struct heap *heap);

/* ---- collection; the world is stopped, all caches are flushed ---- */

/* clear_soft: the last resort before OutOfMemoryError. */
void heap_collect(struct heap *heap, bool clear_soft);

/* From the weak functions, until mutators run again: was o reached? */
bool heap_is_live(struct heap *heap, const struct object *o);

/* Change options.stress from now on; caches that were filled before are flushed by
   the caller. */
void heap_set_stress(struct heap *heap, uint32_t stress);

/* True each stress-th call; the caller then collects before it allocates. */
bool heap_stress_due(struct heap *heap);

/* ---- walking; the world is stopped, all caches are flushed ---- */

/* Every object in address order, also those that became unreachable since the
   last collection; visit returns false to stop. */
void heap_iterate(struct heap *heap,
                  bool (*visit)(void *context, struct object *object), void *context);

/* Reserved memory whose beginning is committed: at least size bytes, in steps. */
struct span {
    char *base;
    size_t reserved, committed;
};
bool span_reserve(struct span *span, size_t size);
bool span_commit(struct span *span, size_t size);
void span_release(struct span *span);

/*
 * Compare the tables of blocks with the blocks, and look at each object: whether
 * is_layout knows its layout, its size fits its cell, and its references lead to objects.
 * Ends the process with a message that begins with `when` if not.
 */
typedef bool heap_layout_test(const struct layout *layout);
void heap_check(struct heap *heap, const char *when, heap_layout_test *is_layout);

/* The range that all objects lie in, now and later. */
void heap_range(const struct heap *heap, const char **base, size_t *size);

/* Is p the start of an allocated object?  For checks of agents' arguments. */
bool heap_is_object(struct heap *heap, const void *p);

/* Marks for walks of the upper floors (FollowReferences): one bit per object.
   heap_walk_begin clears them all; false when there is no memory for them. */
struct heap_marks {
    const char *base;
    uint64_t *words;
};
bool heap_walk_begin(struct heap *heap, struct heap_marks *marks);
void heap_walk_end(struct heap *heap);

static inline uint64_t *
heap_walk_word(const struct heap_marks *marks, const struct object *o, uint64_t *bit)
{
    size_t granule = (size_t)((const char *)o - marks->base) / OBJECT_DISTANCE;

    *bit = (uint64_t)1 << (granule % 64);
    return &marks->words[granule / 64];
}

/* True: it was new. */
static inline bool
heap_walk_mark(const struct heap_marks *marks, const struct object *o)
{
    uint64_t bit, *word = heap_walk_word(marks, o, &bit);
    bool was_new = (*word & bit) == 0;

    *word |= bit;
    return was_new;
}

/* o (NULL: nothing) is about to be marked, and looked at. */
static inline void
heap_walk_foresee(const struct heap_marks *marks, const struct object *o)
{
    uint64_t bit;

    if (o == NULL)
        return;
    __builtin_prefetch(o);
    __builtin_prefetch(heap_walk_word(marks, o, &bit), 1);
}

struct heap_usage {
    size_t initial, used, committed, maximum;
    uint64_t collections, nanoseconds;  /* total count and pause time */
    uint64_t allocated;                 /* bytes ever */
    size_t used_after_collection;
};

struct heap_usage heap_get_usage(struct heap *heap);

/* Sampled allocations (JVM TI "Sampled Object Allocation"): interval is the mean
   distance in bytes, 0 samples every allocation.  Off at first.  A thread notices at
   its next heap_allocate; flush its cache to make that its next allocation. */
#define HEAP_NO_SAMPLING SIZE_MAX

void heap_set_sampling(struct heap *heap, size_t interval);

#endif
