/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/blocks.c -- which blocks are free, and memory from and to the system.
 *
 * A bitmap has one bit per block that was ever used.  Allocation is first fit: it takes
 * the lowest neighbouring free blocks, so that the live part of the heap stays dense
 * and its upper end can be given back, and extends the used part when there are none.
 * Committing and decommitting follow the virtual memory of the system: a block keeps
 * its memory when it becomes free, until a collection finds that more is kept than the
 * next allocations will need (blocks_decommit).
 */

#include <sys/mman.h>

#include "heap/internal.h"

/* Blocks from this offset on, in bytes from the start of the range, are given large
   pages, and so are their mark bits.  In a heap of that size they save more time (a
   third of marking it) than the unused parts of pages cost memory. */
#define HUGE_FROM ((size_t)64 << 20)

/* Asks the system for large pages for the part of the span that was committed since it
   ended at old, as far as that lies at from or behind.  It is advice: when the system
   has no large pages nothing changes. */
static void
advise_huge(const struct span *span, size_t old, size_t from)
{
    if (old < from)
        old = from;
    if (old < span->committed)
        madvise(span->base + old, span->committed - old, MADV_HUGEPAGE);
}

/* Sets or clears the bits of count blocks in the bitmap of free ones. */
static void
set_free(struct heap *heap, uint32_t first, uint32_t count, bool is_free)
{
    for (uint32_t i = first; i < first + count; i++) {
        uint64_t bit = (uint64_t)1 << (i % 64);

        if (is_free)
            heap->free_bits[i / 64] |= bit;
        else
            heap->free_bits[i / 64] &= ~bit;
    }
}

/* Returns the first of the lowest count neighbouring blocks that are free, or NO_BLOCK;
   then *tail becomes the number of free blocks right below top, which a larger top
   would be neighbours of.  Steps over 64 blocks at once where none of them is free. */
static uint32_t
find_free(const struct heap *heap, uint32_t count, uint32_t *tail)
{
    uint32_t run = 0, i = heap->free_hint;

    while (i < heap->top) {
        if (i % 64 == 0 && heap->free_bits[i / 64] == 0) {
            run = 0;
            i += 64;
            continue;
        }
        run = bit_is_set(heap->free_bits, i) ? run + 1 : 0;
        i++;
        if (run == count)
            return i - count;
    }
    *tail = run;
    return NO_BLOCK;
}

/* Adds count blocks above top; returns false when the range or the memory is used
   up. */
static bool
extend(struct heap *heap, uint32_t count)
{
    size_t top = (size_t)heap->top + count, old = heap->cells.committed;
    size_t old_marks = heap->marks.committed;

    if (top > heap->limit || !span_commit(&heap->table, top * sizeof *heap->blocks)
        || !span_commit(&heap->marks, top * BLOCK_WORDS * sizeof(uint64_t))
        || !span_commit(&heap->cells, top << BLOCK_SHIFT))
        return false;
    advise_huge(&heap->cells, old, HUGE_FROM);
    /* A byte of marks has the bits of eight granules. */
    advise_huge(&heap->marks, old_marks, (HUGE_FROM >> GRANULE_SHIFT) / 8);
    heap_asan_poison(heap->cells.base + old, heap->cells.committed - old);
    __atomic_store_n(&heap->top, (uint32_t)top, __ATOMIC_RELAXED);
    return true;
}

uint32_t
blocks_allocate(struct heap *heap, uint32_t count)
{
    uint32_t tail = 0, first = find_free(heap, count, &tail);

    if (first == NO_BLOCK) {
        first = heap->top - tail;
        if (!extend(heap, count - tail))
            return NO_BLOCK;
    }
    set_free(heap, first, count, false);
    /* No block below the hint is free, so if these begin there, none below their end
       is; those at a higher index leave free ones behind. */
    if (first <= heap->free_hint)
        heap->free_hint = first + count;
    return first;
}

void
blocks_free(struct heap *heap, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        heap->blocks[i].state = BLOCK_FREE;
    set_free(heap, first, count, true);
    if (first < heap->free_hint)
        heap->free_hint = first;
    heap_asan_poison(block_start(heap, first), (size_t)count << BLOCK_SHIFT);
}

uint32_t
block_raise_dirty_end(struct heap *heap, struct block *block, uint32_t end)
{
    uint32_t old = block->dirty_end;

    if (end > old) {
        block->dirty_end = end;
        __atomic_fetch_add(&heap->resident, end - old, __ATOMIC_RELAXED);
    }
    return old;
}

void
blocks_decommit(struct heap *heap, size_t keep)
{
    size_t have = 0;
    uint32_t end = heap->top;

    for (uint32_t i = 0; i < heap->top; i++)
        if (heap->blocks[i].state == BLOCK_FREE)
            have += heap->blocks[i].dirty_end;

    /* From the top down, since blocks are allocated from the bottom up.  Neighbouring
       blocks are given back by one call; a block that is in use, or that has no memory,
       is stepped over. */
    while (have > keep && end > 0) {
        uint32_t first = end;

        while (first > 0 && have > keep && heap->blocks[first - 1].state == BLOCK_FREE
               && heap->blocks[first - 1].dirty_end > 0)
            have -= heap->blocks[--first].dirty_end;
        if (first < end
            && madvise(block_start(heap, first), (size_t)(end - first) << BLOCK_SHIFT,
                       MADV_DONTNEED)
                   == 0)
            for (uint32_t i = first; i < end; i++) {
                __atomic_fetch_sub(&heap->resident, heap->blocks[i].dirty_end,
                                   __ATOMIC_RELAXED);
                heap->blocks[i].dirty_end = 0;
            }
        end = first < end ? first : end - 1;
    }
}
