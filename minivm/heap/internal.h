/* SPDX-License-Identifier: MIT */
/* minivm/heap/internal.h -- the heap from inside; for minivm/heap and its tests.
 *
 * The range is an array of blocks.  A block is free, holds cells of one size, or
 * belongs to a large object (BLOCK_LARGE, then BLOCK_REST for its other blocks).
 *
 * Every block of cells has a cursor.  A cell before it is an object if its header
 * is not zero: it survived, or it lies in a run that was zeroed and handed out
 * since.  A cell from the cursor on is an object if it is marked; the others are
 * free, whatever they contain.  A collection puts all cursors back to the start,
 * so sweeping is nothing but moving the cursor on, when somebody allocates. */

#ifndef MINIVM_HEAP_INTERNAL_H
#define MINIVM_HEAP_INTERNAL_H

#include <pthread.h>
#include <string.h>

#include "heap/heap.h"

#if defined(__SANITIZE_ADDRESS__)
#define HEAP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_ASAN 1
#endif
#endif

#ifdef HEAP_ASAN
#include <sanitizer/asan_interface.h>
#define HEAP_HIDE(at, size) ASAN_POISON_MEMORY_REGION(at, size)
#define HEAP_SHOW(at, size) ASAN_UNPOISON_MEMORY_REGION(at, size)
#else
#define HEAP_ASAN 0
#define HEAP_HIDE(at, size) ((void)(at), (void)(size))
#define HEAP_SHOW(at, size) ((void)(at), (void)(size))
#endif

#define BLOCK_SHIFT 16
#define BLOCK_SIZE ((size_t)1 << BLOCK_SHIFT)
#define NO_BLOCK UINT32_MAX

/* One mark bit per 16 bytes: cells begin on multiples of 8 but are at least 16
   bytes apart, so no two share a bit. */
#define GRANULE_SHIFT 4
#define BLOCK_WORDS (BLOCK_SIZE >> (GRANULE_SHIFT + 6))

#define MEDIUM_MAX (BLOCK_SIZE / 2)

/* Large objects count in pages of this size. */
#define LARGE_SHIFT 12

#define POISON_BYTE 0xDD
#define POISON_REF 0xDDDDDDDDu

enum block_state { BLOCK_FREE, BLOCK_CELLS, BLOCK_LARGE, BLOCK_REST };

struct block {
    uint8_t state;             /* enum block_state */
    uint8_t size_class;        /* CELLS */
    bool owned;                /* CELLS: in a thread's cache, in no list */
    bool marked;               /* CELLS: some cells are marked */
    uint32_t cursor;           /* CELLS: bytes */
    uint32_t dirty;            /* all bytes from here on are zero, in any state */
    uint32_t next;             /* CELLS: in the class's list */
    uint32_t pages;            /* LARGE */
};

/* Blocks of one class that may have free cells. */
struct class_list {
    pthread_mutex_t lock;
    uint32_t first;
} __attribute__((aligned(64)));

struct heap {
    struct span cells, table, marks, walk_marks;
    struct block *blocks;      /* table.base */
    uint64_t *mark_bits;       /* marks.base */
    struct heap_options options;

    pthread_mutex_t block_lock; /* free_bits, top and state of blocks */
    uint64_t *free_bits;       /* a bit per block below top */
    uint32_t top;              /* blocks from here on were never used */
    uint32_t limit;            /* number of blocks in the range */
    uint32_t free_hint;        /* no block below is free */

    struct class_list lists[CELL_CLASSES];

    size_t resident;           /* sum of dirty; atomic */
    size_t used;               /* bytes: live after the last collection and handed
                                  out since; atomic */
    size_t trigger;            /* a collection is due when used would pass it */
    uint32_t budget_quarters;  /* of the live bytes, to allocate between collections */
    int64_t last_end;          /* of a collection, os_nanos */
    size_t used_after;         /* live bytes of the last collection */
    size_t run_max;            /* bytes of one run */
    uint64_t collections, nanoseconds;
    uint64_t freed;            /* bytes ever */
    uint64_t stress_count;     /* atomic */

    size_t sample_interval;    /* atomic, as sample_epoch */
    uint32_t sample_epoch;     /* 0: never set */

    struct heap_part { heap_roots_fn *roots; heap_weak_fn *weak; void *part; } *parts;
    size_t part_count;
    heap_class_edges_fn *class_edges;
    uint32_t layout_offset;    /* in mirrors */
    heap_static_runs_fn *static_runs;

    struct heap_reference_fields fields;
    int64_t soft_clock;        /* of the last collection, ms */
    struct object *pending;    /* atomic; linked by discovered */

    uint32_t epoch;            /* of the last collection */
    struct object **mark_stack;
    size_t mark_capacity, mark_limit; /* entries; the limit is for tests */
};

/* ---- blocks.c ---- */

/* count neighbouring blocks with state FREE, or NO_BLOCK. */
uint32_t blocks_take(struct heap *heap, uint32_t count);
/* The caller holds block_lock or has stopped the world. */
void blocks_give(struct heap *heap, uint32_t first, uint32_t count);
/* Return the memory of free blocks but for keep bytes of it. */
void blocks_trim(struct heap *heap, size_t keep);
/* All bytes of a block below end are about to be used; the result is the old mark
   below which they have to be cleared. */
uint32_t block_soil(struct heap *heap, struct block *block, uint32_t end);

/* ---- gc.c ---- */

struct marker {
    struct heap *heap;
    uintptr_t base;
    uint64_t *bits;
    uint32_t epoch;
    struct object **stack;     /* the heap's */
    size_t top, capacity;
    bool overflowed;           /* an object was marked and not scanned */
    bool discovering;
    bool clear_soft;
    int64_t soft_keep;         /* ms */
    struct object *discovered[REFERENCE_OTHER]; /* by kind; ends in itself */
};

/* Mark o (not NULL) and, at the next mark_drain, all that it reaches. */
void mark_object(void *marker, struct object *o);
void mark_drain(struct marker *m);

/* Decide how much may be allocated until the first collection. */
void heap_init_budget(struct heap *heap);

/* ---- reference.c ---- */

/* The marker met a Reference whose referent is not marked.  True: leave referent
   and discovered alone; false: they are strong. */
bool reference_discover(struct marker *m, struct object *o,
                        const struct layout *layout);
/* After marking: clear, keep and list what was discovered. */
void reference_process(struct marker *m);
void reference_advance_clock(struct heap *heap);

/* ---- helpers ---- */

static inline char *
block_start(const struct heap *heap, uint32_t index)
{
    return heap->cells.base + ((size_t)index << BLOCK_SHIFT);
}

static inline uint32_t
block_index(const struct heap *heap, const void *p)
{
    return (uint32_t)((size_t)((const char *)p - heap->cells.base) >> BLOCK_SHIFT);
}

/* The end of the last whole cell, in bytes. */
static inline uint32_t
cells_end(size_t cell)
{
    return (uint32_t)(BLOCK_SIZE - BLOCK_SIZE % cell);
}

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

static inline bool
is_marked(const struct heap *heap, const void *p)
{
    return bit_is_set(heap->mark_bits, (size_t)((const char *)p - heap->cells.base)
                                           >> GRANULE_SHIFT);
}

#endif
