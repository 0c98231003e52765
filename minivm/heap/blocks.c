/* SPDX-License-Identifier: MIT */
/* minivm/heap/blocks.c -- the reserved range and its blocks. */

#include <sys/mman.h>

#include "base/os.h"
#include "heap/internal.h"

/* Committing costs a system call and no memory, so do it in steps. */
#define COMMIT_STEP ((size_t)1 << 20)

/* Behind this many bytes of cells, large pages save more time (a third of marking
   a large heap) than their unused parts cost memory. */
#define HUGE_FROM ((size_t)64 << 20)

bool
span_reserve(struct span *span, size_t size)
{
    size = (size + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
    *span = (struct span){ os_reserve_aligned(size, BLOCK_SIZE), size, 0 };
    return span->base != NULL;
}

bool
span_commit(struct span *span, size_t size)
{
    size_t page = os_page_size();
    size_t step = span->committed / 8 + COMMIT_STEP;
    size_t want = span->committed + step > size ? span->committed + step : size;
    size_t old = span->committed;

    if (size <= old)
        return true;
    want = (want + page - 1) & ~(page - 1);
    size = (size + page - 1) & ~(page - 1);
    if (want > span->reserved)
        want = span->reserved;
    if (!os_commit(span->base + old, want - old)) {
        want = size;
        if (!os_commit(span->base + old, want - old))
            return false;
    }
    span->committed = want;
    return true;
}

void
span_release(struct span *span)
{
    if (span->base != NULL)
        os_release(span->base, span->reserved);
    *span = (struct span){ NULL, 0, 0 };
}

/* Ask for large pages for what was committed since old, from the offset from on. */
static void
advise_huge(const struct span *span, size_t old, size_t from)
{
    if (old < from)
        old = from;
    if (old < span->committed)
        madvise(span->base + old, span->committed - old, MADV_HUGEPAGE);
}

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

/* The lowest count free neighbours below top, or NO_BLOCK and in *tail the number
   of free blocks right below top. */
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

/* Make top the index behind the last of count new blocks. */
static bool
extend(struct heap *heap, uint32_t count)
{
    size_t top = (size_t)heap->top + count, old = heap->cells.committed;
    size_t old_marks = heap->marks.committed;

    if (top > heap->limit
        || !span_commit(&heap->table, top * sizeof *heap->blocks)
        || !span_commit(&heap->marks, top * BLOCK_WORDS * sizeof(uint64_t))
        || !span_commit(&heap->cells, top << BLOCK_SHIFT))
        return false;
    advise_huge(&heap->cells, old, HUGE_FROM);
    advise_huge(&heap->marks, old_marks, (HUGE_FROM >> GRANULE_SHIFT) / 8);
    HEAP_HIDE(heap->cells.base + old, heap->cells.committed - old);
    __atomic_store_n(&heap->top, (uint32_t)top, __ATOMIC_RELAXED);
    return true;
}

uint32_t
blocks_take(struct heap *heap, uint32_t count)
{
    uint32_t tail = 0, first = find_free(heap, count, &tail);

    if (first == NO_BLOCK) {
        first = heap->top - tail;
        if (!extend(heap, count - tail))
            return NO_BLOCK;
    }
    set_free(heap, first, count, false);
    if (first <= heap->free_hint)
        heap->free_hint = first + count;
    return first;
}

void
blocks_give(struct heap *heap, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        heap->blocks[i].state = BLOCK_FREE;
    set_free(heap, first, count, true);
    if (first < heap->free_hint)
        heap->free_hint = first;
    HEAP_HIDE(block_start(heap, first), (size_t)count << BLOCK_SHIFT);
}

uint32_t
block_soil(struct heap *heap, struct block *block, uint32_t end)
{
    uint32_t old = block->dirty;

    if (end > old) {
        block->dirty = end;
        __atomic_fetch_add(&heap->resident, end - old, __ATOMIC_RELAXED);
    }
    return old;
}

void
blocks_trim(struct heap *heap, size_t keep)
{
    size_t have = 0;
    uint32_t end = heap->top;

    for (uint32_t i = 0; i < heap->top; i++)
        if (heap->blocks[i].state == BLOCK_FREE)
            have += heap->blocks[i].dirty;

    /* From the top down, since blocks are taken from the bottom up. */
    while (have > keep && end > 0) {
        uint32_t first = end;

        while (first > 0 && have > keep && heap->blocks[first - 1].state == BLOCK_FREE
               && heap->blocks[first - 1].dirty > 0)
            have -= heap->blocks[--first].dirty;
        if (first < end
            && madvise(block_start(heap, first), (size_t)(end - first) << BLOCK_SHIFT,
                       MADV_DONTNEED) == 0)
            for (uint32_t i = first; i < end; i++) {
                __atomic_fetch_sub(&heap->resident, heap->blocks[i].dirty,
                                   __ATOMIC_RELAXED);
                heap->blocks[i].dirty = 0;
            }
        end = first < end ? first : end - 1;
    }
}
