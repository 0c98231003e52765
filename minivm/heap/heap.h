/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/heap.h -- memory for Java objects: allocation, collection, walks.
 *
 * This is a stop-the-world, non-moving mark-and-sweep heap.  It reserves one range of
 * addresses and cuts it into blocks of cells of one size each (large objects take runs
 * of whole blocks).  Each thread has a cache with a run of free cells for each size
 * class, so that most allocations only move a pointer (bump allocation).  A collection
 * marks the objects that can be reached; the cells of the others are found by lazy
 * sweeping, that is, when the allocator next needs cells in their block.  internal.h
 * tells how this works.
 *
 * The heap knows neither threads nor classes.  Of a class it knows the struct layout
 * (object.h).  Who allocates passes a struct heap_cache.  Who wants a collection or a
 * walk has stopped the world before and flushed all caches: no function here takes a
 * `struct thread *self`, stops the world, or runs Java code.  The parts of the VM that
 * hold references from outside of the heap register functions that enumerate them
 * (heap_add_part).
 *
 * Functions that say nothing about threads are called while there is one thread, or
 * while the world is stopped.
 */

#ifndef MINIVM_HEAP_HEAP_H
#define MINIVM_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/object.h"

struct heap;

/* ---- size classes and caches ---- */

/* Objects up to so many bytes are small: they come out of the thread's cache. */
#define HEAP_SMALL_MAX 512
/* The number of size classes for small objects, and of all.  Classes behind the small
   ones have no cache; threads share their blocks. */
#define HEAP_SMALL_CLASSES 24
#define HEAP_SIZE_CLASSES 45

/* The size of a class's cells in bytes. */
extern const uint16_t heap_cell_size[HEAP_SIZE_CLASSES];
/* The smallest class that has room for an object, by the object's size / 8. */
extern const uint8_t heap_size_class[HEAP_SMALL_MAX / 8 + 1];

/* A run of free cells of one size, all of them zeroed: [next, limit). */
struct heap_run {
    char *next, *limit;
};

/* A thread's allocation cache, what the literature calls a thread-local allocation
   buffer: one run per size class.  Only its thread uses it, or who has stopped the
   world. */
struct heap_cache {
    struct heap_run runs[HEAP_SMALL_CLASSES];
    /* Bytes that the heap counts as used for this thread but that are in no run yet. */
    size_t reserved;
    /* Bytes handed out so far; those that are still in the runs are included. */
    uint64_t allocated;
    /* Bytes to allocate until the next sample (heap_set_sampling), counted from the
       limits of the runs. */
    int64_t sample_left;
    /* The state of the generator of random distances between samples. */
    uint64_t random;
    /* Which setting of heap_set_sampling sample_left was computed for. */
    uint32_t sample_epoch;
    /* heap_allocate sets it when the object that it returns is a sample; the caller
       clears it. */
    bool sampled;
};

struct heap_options {
    /* -Xms and -Xmx, in bytes. */
    size_t initial, maximum;
    /* -XX:SoftRefLRUPolicyMSPerMB: a soft reference is kept for so many milliseconds
       after its last use, for each free megabyte. */
    int soft_ms_per_mb;
    /* -XX:GCStress=N: 0, or collect before each Nth allocation (heap_stress_due). */
    uint32_t stress;
    /* -XX:+PoisonFreed: overwrite free cells after each collection, and end the process
       when marking meets a reference to one. */
    bool poison;
};

/* Makes an empty heap.  Returns NULL when the address space cannot be reserved, and
   stores the reason, which is not to be freed, in *error. */
struct heap *heap_new(const struct heap_options *options, const char **error);

/* Gives all memory back; no cache may be used afterwards. */
void heap_free(struct heap *heap);

void heap_cache_init(struct heap *heap, struct heap_cache *cache);

/* Gives the unused cells of the cache back to the heap.  To be called when the thread
   ends, and for all threads when the world stops for a collection or a walk. */
void heap_cache_flush(struct heap *heap, struct heap_cache *cache);

/* Returns the bytes that the thread has allocated so far: exact when the thread itself
   asks, a recent number when another one does. */
uint64_t heap_cache_allocated(const struct heap_cache *cache);

/*
 * Returns a zeroed cell of at least size bytes whose header names the layout.  With
 * force false it returns NULL when a collection is due; with force true only when there
 * is no room within the maximum.  An object that is larger than the maximum is NULL in
 * any case.  Any thread may call, with its own cache; the world is not stopped
 * meanwhile.  Never collects: the caller does, and tries again (runtime/alloc.c).
 */
struct object *heap_allocate(struct heap *heap, struct heap_cache *cache,
                             struct layout *layout, size_t size, bool force);

/* Returns a zeroed cell for a small object whose size class is known, out of the cache
   alone.  Returns NULL when the cache has no cell; then heap_allocate is to be
   called. */
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

/* Allocates, like heap_allocate, a Class object ("mirror") of size bytes: up to the end
   of the statics, which begin at mirror_statics(class_layout).  class_layout is that
   of java.lang.Class. */
struct object *heap_allocate_mirror(struct heap *heap, struct heap_cache *cache,
                                    struct layout *class_layout, size_t size,
                                    bool force);

/* ---- roots and marking ---- */

/* Why a root holds its object.  The kinds and their numbers are those of JVM TI "Heap
   Root Kind", so that a heap walk of JVM TI can report them as they are; jvmti/heap.c
   asserts that they are equal. */
enum root_kind {
    ROOT_JNI_GLOBAL = 1,
    ROOT_SYSTEM_CLASS,
    ROOT_MONITOR,
    ROOT_STACK_LOCAL,
    ROOT_JNI_LOCAL,
    ROOT_THREAD,
    ROOT_OTHER
};

/* What is known of a root.  The heap itself does not read it; it passes it on to walks
   that report roots (JVM TI "jvmtiHeapReferenceInfoStackLocal", heap dumps). */
struct root_info {
    enum root_kind kind;
    /* ROOT_STACK_LOCAL, ROOT_JNI_LOCAL: the thread; for other kinds it may be NULL. */
    struct thread *thread;
    /* ROOT_STACK_LOCAL, ROOT_JNI_LOCAL: the struct frame, or NULL; else NULL. */
    const void *frame;
    /* The depth of the frame; 0 is the newest one. */
    uint32_t depth;
    /* ROOT_STACK_LOCAL: the number of the local variable, or max_locals plus the index
       in the operand stack.  ROOT_JNI_LOCAL: the number of the argument, or -1. */
    int32_t slot;
    /* The index of the bytecode that the frame is at; -1 in a native method. */
    int32_t bci;
    /* ROOT_STACK_LOCAL, ROOT_JNI_LOCAL: the java.lang.Thread whose frame it is: of the
       thread, or of the virtual one that it runs.  NULL: that of the thread. */
    struct object *owner;
};

/* Is called for each root; object is never NULL. */
typedef void heap_root_fn(void *context, struct object *object,
                          const struct root_info *info);

/* Calls visit for each root of one part of the VM.  Runs while the world is stopped. */
typedef void heap_roots_fn(void *part, heap_root_fn *visit, void *context);

/* Runs after marking, while the world is stopped, and drops or clears what refers to an
   object that heap_is_live denies.  Weak tables are kept so: interned strings, JNI weak
   globals, monitors, tags, classes. */
typedef void heap_weak_fn(void *part, struct heap *heap);

/* Calls visit for each object (never NULL) that a class keeps alive besides the fields
   of its Class object: its loader, its superclasses' Class objects, resolved
   constants. */
typedef void heap_class_edges_fn(struct layout *layout,
                                 void (*visit)(void *context, struct object *object),
                                 void *context);

/* Calls visit for what an object of LAYOUT_CONTINUATION keeps alive besides its fields.
   info says nothing of use. */
typedef void heap_object_edges_fn(struct object *object, heap_root_fn *visit,
                                  void *context);

/* Registers a part of the VM that has roots or weak references; either function may be
   NULL.  Both get `part` as their first argument. */
void heap_add_part(struct heap *heap, heap_roots_fn *roots, heap_weak_fn *weak,
                   void *part);
void heap_set_class_edges(struct heap *heap, heap_class_edges_fn *edges);
void heap_set_continuation_edges(struct heap *heap, heap_object_edges_fn *edges);

/* Returns the number of runs of reference fields among the statics of a class and
   stores the first one's address; their offsets count from the Class object's start. */
typedef uint32_t heap_static_runs_fn(const struct layout *layout,
                                     const struct reference_run **runs);

/* Tells how to find the statics in a Class object: layout_offset is the offset of the
   field that holds the struct layout * of the class that it stands for (NULL for
   primitive types). */
void heap_set_mirrors(struct heap *heap, uint32_t layout_offset,
                      heap_static_runs_fn *static_runs);

/* Enumerates all roots once, in the order in which the parts were added.  The world is
   stopped. */
void heap_visit_roots(struct heap *heap, heap_root_fn *visit, void *context);

/* ---- java.lang.ref ---- */

/* Where the collector finds what it needs in references. */
struct heap_reference_fields {
    /* Offsets of the fields of java.lang.ref.Reference. */
    uint32_t referent, queue, next, discovered;
    /* The offset of SoftReference.timestamp, which get() sets to clock. */
    uint32_t timestamp;
    /* The address of the static field SoftReference.clock in its Class object.  Each
       collection sets it to the time in milliseconds. */
    int64_t *clock;
};

/* To be called once, before the first collection. */
void heap_set_reference_fields(struct heap *heap,
                               const struct heap_reference_fields *f);

/* Returns the list of references, linked by their field discovered, that collections
   have found and that nobody has got yet, or NULL; the list belongs to the caller then.
   It is Reference.getAndClearReferencePendingList of the class library.  Any thread
   may call. */
struct object *heap_get_and_clear_pending(struct heap *heap);

/* Returns true if that list is not empty.  Any thread may call. */
bool heap_has_pending(struct heap *heap);

/* ---- collection ---- */

/* Collects garbage; the world is stopped and all caches are flushed.  clear_soft also
   clears all soft references, as must be done before an OutOfMemoryError. */
void heap_collect(struct heap *heap, bool clear_soft);

/* Returns true if the last collection has reached o.  May be called by heap_weak_fn
   functions and from then on until threads run again. */
bool heap_is_live(struct heap *heap, const struct object *o);

/* Changes heap_options.stress.  The caller flushes the caches, whose runs would let
   allocations pass that are not counted. */
void heap_set_stress(struct heap *heap, uint32_t stress);

/* Returns true at each Nth call, where N is heap_options.stress; the caller then
   collects before it allocates.  Any thread may call. */
bool heap_stress_due(struct heap *heap);

/* ---- walks; the world is stopped, all caches are flushed ---- */

/* Calls visit for each object in the order of their addresses, also for those that
   became unreachable since the last collection.  Stops when visit returns false. */
void heap_iterate(struct heap *heap,
                  bool (*visit)(void *context, struct object *object), void *context);

/*
 * Compares the tables of blocks with the blocks, and looks at each object: whether
 * is_layout knows its layout, its size fits its cell, and its references lead to
 * objects.  Ends the process with a message that begins with `when` if not.
 */
typedef bool heap_layout_test(const struct layout *layout);
void heap_check(struct heap *heap, const char *when, heap_layout_test *is_layout);

/* Stores the range that all objects lie in, now and later.  Any thread may call. */
void heap_range(const struct heap *heap, const char **base, size_t *size);

/* Returns true if p is the address of an object.  Serves where a word may or may not be
   a reference (a frame's slot of ambiguous type, a table that may be broken), so p may
   be anything.  Any thread may call; the answer is certain for objects that no other
   thread is just allocating. */
bool heap_is_object(struct heap *heap, const void *p);

/* The bits by which a walk of the upper floors (JVM TI "FollowReferences") knows which
   objects it has visited: one per object, apart from the collector's. */
struct heap_marks {
    const char *base;
    uint64_t *words;
};

/* Clears all bits and makes *marks usable until heap_walk_end; false when there is no
   memory for them.  There is one walk at a time. */
bool heap_walk_begin(struct heap *heap, struct heap_marks *marks);
void heap_walk_end(struct heap *heap);

/* Returns the word that holds the object's bit, and the bit in *bit. */
static inline uint64_t *
heap_walk_word(const struct heap_marks *marks, const struct object *o, uint64_t *bit)
{
    size_t granule = (size_t)((const char *)o - marks->base) / OBJECT_DISTANCE;

    *bit = (uint64_t)1 << (granule % 64);
    return &marks->words[granule / 64];
}

/* Marks o; returns true if it was not marked before. */
static inline bool
heap_walk_mark(const struct heap_marks *marks, const struct object *o)
{
    uint64_t bit, *word = heap_walk_word(marks, o, &bit);
    bool was_new = (*word & bit) == 0;

    *word |= bit;
    return was_new;
}

/* Loads o, which may be NULL, and its bit into the processor's cache, because the walk
   is about to mark o and to read it. */
static inline void
heap_walk_prefetch(const struct heap_marks *marks, const struct object *o)
{
    uint64_t bit;

    if (!o)
        return;
    __builtin_prefetch(o);
    __builtin_prefetch(heap_walk_word(marks, o, &bit), 1);
}

/* ---- figures and samples ---- */

/* All sizes are in bytes. */
struct heap_usage {
    size_t initial, used, committed, maximum;
    /* The number of collections and how long they took. */
    uint64_t collections, nanoseconds;
    /* What all threads have ever allocated. */
    uint64_t allocated;
    size_t used_after_collection;
};

/* Any thread may call; while others allocate, the numbers are recent ones. */
struct heap_usage heap_get_usage(struct heap *heap);

/* An interval that means that no allocation is sampled. */
#define HEAP_NO_SAMPLING SIZE_MAX

/*
 * Sets the mean distance in bytes between sampled allocations (JVM TI
 * "SetHeapSamplingInterval"); 0 samples each one, HEAP_NO_SAMPLING, with which a heap
 * begins, none.  Any thread may call.  A thread notices at its next heap_allocate; who
 * wants that to be its next allocation flushes its cache.
 */
void heap_set_sampling(struct heap *heap, size_t interval);

#endif
