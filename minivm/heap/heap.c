/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/heap.c -- the heap as a whole: setting up, registering, figures.
 *
 * heap_new reserves address space for everything that may ever be needed: the blocks
 * and three tables in proportion to them (descriptions, the collector's mark bits, a
 * walk's mark bits).  Memory is committed later, while the heap grows (blocks.c).  What
 * other parts of the VM register are function pointers, so that the heap depends on
 * nothing above it.
 */

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "heap/internal.h"

/* The most bytes that a run of a cache gets at a time.  A run is zeroed when it is
   handed out and should still be in the processor's first-level cache when it is
   used. */
#define RUN_MAX ((size_t)8 << 10)
/* The first capacity of the mark stack, in entries. */
#define MARK_STACK_FIRST 4096

/* -Xmx counts cells.  The blocks may take more room than their cells, as cells of
   different sizes never share a block; so much more is reserved. */
#define RANGE_SLACK ((size_t)64 << 20)

static void
release_spans(struct heap *heap)
{
    span_release(&heap->cells);
    span_release(&heap->table);
    span_release(&heap->marks);
    span_release(&heap->walk_marks);
}

/* Reserves range bytes for blocks, and the tables; returns false, with nothing
   reserved, when the address space has no room. */
static bool
reserve(struct heap *heap, size_t range)
{
    size_t blocks = (range + BLOCK_SIZE - 1) >> BLOCK_SHIFT;

    if (blocks >= NO_BLOCK)
        return false;
    heap->limit = (uint32_t)blocks;
    if (span_reserve(&heap->cells, blocks << BLOCK_SHIFT)
        && span_reserve(&heap->table, blocks * sizeof *heap->blocks)
        && span_reserve(&heap->marks, blocks * BLOCK_WORDS * sizeof(uint64_t))
        && span_reserve(&heap->walk_marks, blocks * BLOCK_WORDS * sizeof(uint64_t)))
        return true;
    release_spans(heap);
    return false;
}

/* Returns true if size is at most 1 / part of the address space that the process may
   have (ulimit -v). */
static bool
is_within(size_t size, unsigned part)
{
    return os_reservable(size, part) == size;
}

struct heap *
heap_new(const struct heap_options *options, const char **error)
{
    struct heap *heap = mem_calloc(1, sizeof *heap);
    size_t maximum = options->maximum;

    heap->options = *options;
    /* Twice the maximum is reserved if that leaves half of the address space to others.
       A limit of address space (ulimit -v) may leave less; then the heap tries to make
       do with little more than the maximum, and at last with the maximum alone, where
       it may have no block left for a size before -Xmx is reached. */
    if (maximum > SIZE_MAX / 4
        || ((!is_within(2 * maximum + RANGE_SLACK, 2)
             || !reserve(heap, 2 * maximum + RANGE_SLACK))
            && !reserve(heap, maximum + maximum / 4 + RANGE_SLACK / 8)
            && !reserve(heap, maximum))) {
        *error = "cannot reserve the address space";
        mem_free(heap);
        return NULL;
    }
    heap->blocks = (struct block *)heap->table.base;
    heap->mark_bits = (uint64_t *)heap->marks.base;
    heap->free_bits = mem_calloc(heap->limit / 64 + 1, sizeof *heap->free_bits);
    heap->mark_capacity = MARK_STACK_FIRST;
    heap->mark_limit = SIZE_MAX / sizeof *heap->mark_stack;
    heap->mark_stack = mem_alloc(MARK_STACK_FIRST * sizeof *heap->mark_stack);
    pthread_mutex_init(&heap->block_lock, NULL);
    for (unsigned i = 0; i < HEAP_SIZE_CLASSES; i++) {
        pthread_mutex_init(&heap->lists[i].lock, NULL);
        heap->lists[i].first = NO_BLOCK;
    }
    /* With runs of one cell each allocation passes through heap_allocate, and is
       counted by heap_stress_due. */
    heap->run_max = options->stress > 0 ? 0 : RUN_MAX;
    heap->sample_interval = HEAP_NO_SAMPLING;
    heap->soft_clock = os_wall_nanos() / 1000000;
    heap_init_budget(heap);
    return heap;
}

void
heap_free(struct heap *heap)
{
    heap_asan_unpoison(heap->cells.base, heap->cells.committed);
    release_spans(heap);
    pthread_mutex_destroy(&heap->block_lock);
    for (unsigned i = 0; i < HEAP_SIZE_CLASSES; i++)
        pthread_mutex_destroy(&heap->lists[i].lock);
    mem_free(heap->free_bits);
    mem_free(heap->mark_stack);
    mem_free(heap->parts);
    mem_free(heap);
}

void
heap_range(const struct heap *heap, const char **base, size_t *size)
{
    *base = heap->cells.base;
    *size = (size_t)heap->limit << BLOCK_SHIFT;
}

void
heap_add_part(struct heap *heap, heap_roots_fn *roots, heap_weak_fn *weak, void *part)
{
    heap->parts = mem_realloc(heap->parts,
                              (heap->part_count + 1) * sizeof *heap->parts);
    heap->parts[heap->part_count++] = (struct heap_part){ roots, weak, part };
}

void
heap_set_continuation_edges(struct heap *heap, heap_object_edges_fn *edges)
{
    heap->continuation_edges = edges;
}

void
heap_set_class_edges(struct heap *heap, heap_class_edges_fn *edges)
{
    heap->class_edges = edges;
}

void
heap_set_mirrors(struct heap *heap, uint32_t layout_offset,
                 heap_static_runs_fn *static_runs)
{
    heap->layout_offset = layout_offset;
    heap->static_runs = static_runs;
}

/* The heap's own root is the pending list: only its first reference, since marking
   follows the field discovered to the others. */
void
heap_visit_roots(struct heap *heap, heap_root_fn *visit, void *context)
{
    static const struct root_info other = { .kind = ROOT_OTHER, .slot = -1, .bci = -1 };

    for (size_t i = 0; i < heap->part_count; i++)
        if (heap->parts[i].roots)
            heap->parts[i].roots(heap->parts[i].part, visit, context);
    if (heap->pending)
        visit(context, heap->pending, &other);
}

void
heap_set_stress(struct heap *heap, uint32_t stress)
{
    heap->options.stress = stress;
    heap->run_max = stress > 0 ? 0 : RUN_MAX;
}

bool
heap_stress_due(struct heap *heap)
{
    uint32_t n = heap->options.stress;

    return n > 0
           && __atomic_add_fetch(&heap->stress_count, 1, __ATOMIC_RELAXED) % n == 0;
}

struct heap_usage
heap_get_usage(struct heap *heap)
{
    size_t used = __atomic_load_n(&heap->used, __ATOMIC_RELAXED);
    size_t committed = __atomic_load_n(&heap->resident, __ATOMIC_RELAXED);
    size_t maximum = heap->options.maximum;

    /* Readers of java.lang.management.MemoryUsage expect used <= committed <= max, but
       blocks may have more memory behind them than the maximum counts. */
    if (committed < heap->options.initial)
        committed = heap->options.initial;
    if (committed < used)
        committed = used;
    if (committed > maximum)
        committed = maximum;
    return (struct heap_usage){
        .initial = heap->options.initial,
        .used = used,
        .committed = committed,
        .maximum = maximum,
        .collections = heap->collections,
        .nanoseconds = heap->nanoseconds,
        .allocated = heap->freed + used,
        .used_after_collection = heap->used_after,
    };
}
