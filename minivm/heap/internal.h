/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/internal.h -- the heap's own structures; for minivm/heap and its tests.
 *
 * The heap reserves one range of addresses and divides it into blocks of 64 KiB.  A
 * block is free, is divided into cells of one size, or belongs to a large object, which
 * has a run of neighbouring blocks to itself.  The possible cell sizes are called size
 * classes (a segregated free list in the terms of the literature).  A table, `blocks`,
 * describes each block, and a bitmap outside of the blocks holds a mark bit for each
 * cell, so that marking does not write to the objects and sweeping does not read them.
 *
 * Free cells are not linked into lists.  A block of cells has a cursor, at which
 * sweeping has arrived, and the header and the mark bit of a cell say what it is:
 *
 *     before the cursor    an object if its header is not zero: it survived the last
 *                          collection, or was allocated since in a run of cells that
 *                          was zeroed and handed out
 *     from the cursor on   an object if it is marked; else free, whatever it contains
 *
 * A collection marks all objects that can be reached and puts all cursors back to the
 * start of their blocks.  So sweeping is lazy: an allocation moves a cursor on to the
 * next run of cells without a mark, and nothing else is ever done to dead objects
 * (but for -XX:+PoisonFreed and AddressSanitizer).
 *
 *     blocks.c       which blocks are free; memory from and to the system
 *     allocate.c     cells for objects: caches of the threads, sweeping, samples
 *     gc.c           marking, and what a collection does around it
 *     reference.c    java.lang.ref: references that do not keep their referent alive
 *     walk.c         enumerating the objects of the heap
 *     check.c        a test of all that is said here
 *     heap.c         setting up, registering, figures
 *
 * Locks: a thread-local cache belongs to its thread, and so does the block that each of
 * its runs lies in (block.owned).  The list of a size class and the cursors of the
 * blocks in it are guarded by the list's lock, the free blocks by block_lock, which may
 * be taken while a list's lock is held.  A collection and a walk need no lock: the
 * world is stopped.
 */

#ifndef MINIVM_HEAP_INTERNAL_H
#define MINIVM_HEAP_INTERNAL_H

#include <pthread.h>
#include <string.h>

#include "base/span.h"
#include "heap/heap.h"

/* ---- AddressSanitizer ---- */

#if defined(__SANITIZE_ADDRESS__)
#    define HEAP_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define HEAP_ASAN 1
#    endif
#endif

#ifdef HEAP_ASAN
#    include <sanitizer/asan_interface.h>
#else
#    define HEAP_ASAN 0
#    define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#    define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/* In builds with AddressSanitizer an access to free cells is an error: they are
   poisoned when they become free and unpoisoned when they are handed out.  In other
   builds these two functions do nothing. */
static inline void
heap_asan_poison(const void *at, size_t size)
{
    ASAN_POISON_MEMORY_REGION(at, size);
}

static inline void
heap_asan_unpoison(const void *at, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(at, size);
}

/* ---- blocks ---- */

#define BLOCK_SHIFT 16
#define BLOCK_SIZE ((size_t)1 << BLOCK_SHIFT)
/* An index of a block that means that there is none. */
#define NO_BLOCK UINT32_MAX

/* There is one mark bit for each 16 bytes (a granule): cells begin at multiples of 8
   but are at least 16 bytes apart (OBJECT_DISTANCE), so no two share a bit. */
#define GRANULE_SHIFT 4
/* The number of 64-bit words of mark bits of a block. */
#define BLOCK_WORDS (BLOCK_SIZE >> (GRANULE_SHIFT + 6))

/* Objects above HEAP_SMALL_MAX and up to this size are of medium size: they have cells,
   but no thread-local cache.  Larger ones get blocks of their own. */
#define MEDIUM_MAX (BLOCK_SIZE / 2)

/* The size of a large object is counted in pages of this size. */
#define LARGE_SHIFT 12

/* -XX:+PoisonFreed fills free cells with this byte, so that the header of one reads as
   POISON_REF. */
#define POISON_BYTE 0xDD
#define POISON_REF 0xDDDDDDDDu

enum block_state {
    BLOCK_FREE,
    /* It is divided into cells of one size class. */
    BLOCK_CELLS,
    /* It is the first block of a large object. */
    BLOCK_LARGE,
    /* It is one of the other blocks of a large object. */
    BLOCK_REST
};

/* The entry of a block in the table.  BLOCK_CELLS or BLOCK_LARGE before a member says
   that it has a meaning in that state alone. */
struct block {
    /* enum block_state */
    uint8_t state;
    /* BLOCK_CELLS: the index of the size class. */
    uint8_t size_class;
    /* BLOCK_CELLS: a thread's cache has the block, and no list does. */
    bool owned;
    /* BLOCK_CELLS: the block had objects at the last collection, so that its mark bits
       have to be looked at; false for one that was taken into use since. */
    bool marked;
    /* BLOCK_CELLS: where sweeping has arrived, in bytes from the start of the block. */
    uint32_t cursor;
    /* A high-water mark, in any state: bytes from here on were never written since the
       system gave the memory, so they are zero. */
    uint32_t dirty_end;
    /* BLOCK_CELLS: the next block in the list of the size class, or NO_BLOCK. */
    uint32_t next;
    /* BLOCK_LARGE: the size of the object in pages. */
    uint32_t pages;
};

/* The blocks of one size class that may have free cells and that no cache owns.  Each
   list has a cache line to itself, since threads lock them independently. */
struct class_list {
    pthread_mutex_t lock;
    uint32_t first;
} __attribute__((aligned(64)));

/* ---- the heap ---- */

struct heap {
    /* The blocks; the table of their descriptions; the mark bits of the collector and
       those of a walk (heap_walk_begin). */
    struct span cells, table, marks, walk_marks;
    /* table.base and marks.base with their types. */
    struct block *blocks;
    uint64_t *mark_bits;
    struct heap_options options;

    /* Guards the next four and the state of blocks. */
    pthread_mutex_t block_lock;
    /* One bit per block below top: set if it is free. */
    uint64_t *free_bits;
    /* Blocks from here on were never used. */
    uint32_t top;
    /* The number of blocks in the range. */
    uint32_t limit;
    /* No block below this one is free. */
    uint32_t free_hint;

    struct class_list lists[HEAP_SIZE_CLASSES];

    /* The sum of dirty_end over all blocks: how much memory the heap takes; atomic. */
    size_t resident;
    /* Bytes that were live after the last collection or handed out since; atomic. */
    size_t used;
    /* A collection is due when used would exceed this. */
    size_t trigger;
    /* So many quarters of the live bytes are allocated from one collection to the
       next. */
    uint32_t budget_quarters;
    /* When the last collection ended (os_nanos). */
    int64_t last_end;
    /* Live bytes of the last collection. */
    size_t used_after;
    /* The most bytes that a run of a cache gets at a time. */
    size_t run_max;
    /* Collections so far and the time they took. */
    uint64_t collections, nanoseconds;
    /* Bytes that collections have freed, ever. */
    uint64_t freed;
    /* The calls of heap_stress_due so far; atomic. */
    uint64_t stress_count;

    /* The mean distance of samples in bytes, and a number that changes with each
       setting (0: never set), by which caches notice; both atomic. */
    size_t sample_interval;
    uint32_t sample_epoch;

    /* What heap_add_part registered, in that order. */
    struct heap_part {
        heap_roots_fn *roots;
        heap_weak_fn *weak;
        void *part;
    } * parts;
    size_t part_count;
    heap_class_edges_fn *class_edges;
    heap_object_edges_fn *continuation_edges;
    /* What heap_set_mirrors was told. */
    uint32_t layout_offset;
    heap_static_runs_fn *static_runs;

    struct heap_reference_fields fields;
    /* The time of the last collection in milliseconds: SoftReference.clock. */
    int64_t soft_clock;
    /* References that wait for the ReferenceHandler, linked by their field discovered;
       atomic. */
    struct object *pending;

    /* The number of the last collection; layout.mark_epoch of classes that it met. */
    uint32_t epoch;
    struct object **mark_stack;
    /* In entries.  The limit is the largest capacity; tests lower it. */
    size_t mark_capacity, mark_limit;
};

/* ---- blocks.c ---- */

/*
 * Takes count neighbouring blocks out of the free ones, or from behind top, and returns
 * the index of the first one, or NO_BLOCK when the range or the memory is used up.  The
 * caller holds block_lock and changes their state, which is still BLOCK_FREE.
 */
uint32_t blocks_allocate(struct heap *heap, uint32_t count);

/* Makes count neighbouring blocks free.  The caller holds block_lock or has stopped the
   world. */
void blocks_free(struct heap *heap, uint32_t first, uint32_t count);

/* Returns the memory of free blocks to the system, except for keep bytes of it that
   the next allocations will probably want.  The world is stopped. */
void blocks_decommit(struct heap *heap, size_t keep);

/*
 * Tells that the bytes of the block up to end are about to be written: dirty_end
 * becomes end if it is less.  Returns the old dirty_end; the caller must zero the bytes
 * below it that it hands out, while those behind it are zero.
 */
uint32_t block_raise_dirty_end(struct heap *heap, struct block *block, uint32_t end);

/* ---- gc.c ---- */

/* The state of one collection's marking. */
struct marker {
    struct heap *heap;
    /* heap->cells.base, heap->mark_bits and heap->epoch. */
    uintptr_t base;
    uint64_t *bits;
    uint32_t epoch;
    /* heap->mark_stack: objects that are marked but whose references are not. */
    struct object **stack;
    size_t top, capacity;
    /* The stack could not grow: some object is marked, was not scanned, and is not on
       the stack. */
    bool overflowed;
    /* References whose referent is not yet marked go to the lists below.  False while
       those lists are processed, when all references count as strong. */
    bool discovering;
    /* Clear all soft references. */
    bool clear_soft;
    /* Else clear those that were not used for so many milliseconds. */
    int64_t soft_lifetime;
    /* Lists by enum reference_kind, linked by the field discovered; the last member of
       each refers to itself. */
    struct object *discovered[REFERENCE_OTHER];
};

/* Marks o, which is not NULL, and pushes it on the mark stack if it was not yet marked;
   the next mark_drain marks all that it reaches.  marker is a struct marker: the type
   fits the callback of heap_class_edges_fn. */
void mark_object(void *marker, struct object *o);

/* Marks everything that the objects on the mark stack reach. */
void mark_drain(struct marker *m);

/* Decides how much may be allocated until the first collection. */
void heap_init_budget(struct heap *heap);

/* ---- reference.c ---- */

/*
 * The marker has met o, an instance of a subclass of java.lang.ref.Reference whose
 * referent is not NULL and not marked.  Returns true if o was put into a list of
 * discovered references, which now own its fields referent and discovered; false if
 * the marker is to treat these like any other field.
 */
bool reference_discover(struct marker *m, struct object *o,
                        const struct layout *layout);

/* After marking: clears references to objects that are not marked, marks the objects
   that are to be finalized and what they reach, and adds the references that are to be
   enqueued to heap->pending. */
void reference_process(struct marker *m);

/* Sets the clock of soft references to the present time. */
void reference_advance_clock(struct heap *heap);

/* ---- helpers ---- */

static inline char *
block_start(const struct heap *heap, uint32_t index)
{
    return heap->cells.base + ((size_t)index << BLOCK_SHIFT);
}

/* Returns the index of the block that p, an address within the range, lies in. */
static inline uint32_t
block_index(const struct heap *heap, const void *p)
{
    return (uint32_t)((size_t)((const char *)p - heap->cells.base) >> BLOCK_SHIFT);
}

/* Returns the end of the last whole cell of a block, in bytes from its start. */
static inline uint32_t
cells_end(size_t cell)
{
    return (uint32_t)(BLOCK_SIZE - BLOCK_SIZE % cell);
}

/* Returns the number of blocks of a large object of that many pages. */
static inline uint32_t
large_blocks(uint32_t pages)
{
    const uint32_t per_block = 1u << (BLOCK_SHIFT - LARGE_SHIFT);
    return pages / per_block + (pages % per_block != 0);
}

static inline bool
bit_is_set(const uint64_t *bits, size_t index)
{
    return bits[index / 64] >> (index % 64) & 1;
}

/* Returns true if the collector has marked the object, or cell, at p. */
static inline bool
is_marked(const struct heap *heap, const void *p)
{
    size_t offset = (size_t)((const char *)p - heap->cells.base);

    return bit_is_set(heap->mark_bits, offset >> GRANULE_SHIFT);
}

#endif
