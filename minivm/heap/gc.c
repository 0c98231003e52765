/* SPDX-License-Identifier: MIT */
/* minivm/heap/gc.c -- marking, and what a collection does around it. */

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "heap/internal.h"

/* References of an array that are scanned in one go: the stack stays small however
   long the array is. */
#define ARRAY_CHUNK 128

/* Objects wait here between the prefetch and the scan. */
#define WAITING 16

/* The least to allocate between two collections; else quarters of what is live. */
#define BUDGET_MIN ((size_t)24 << 20)
#define QUARTERS_MIN 3
#define QUARTERS_MAX 8

/* A mark stack larger than this is given back. */
#define MARK_STACK_KEEP ((size_t)1 << 17)

/* ---- the mark stack ---- */

/* An entry is an object to scan.  A tagged entry is an index, and the entry below it
   the array whose elements from there on are to be scanned.  When there is no memory
   for the stack, objects are left marked but not scanned, and mark_drain finds them by
   a pass over the heap. */
#define INDEX_TAG 1u

static bool
resize_stack(struct heap *heap, size_t capacity)
{
    struct object **stack = mem_try_realloc(heap->mark_stack, capacity * sizeof *stack);

    if (stack == NULL)
        return false;
    heap->mark_stack = stack;
    heap->mark_capacity = capacity;
    return true;
}

static bool
grow_stack(struct marker *m)
{
    if (m->capacity * 2 > m->heap->mark_limit || !resize_stack(m->heap, m->capacity * 2))
        return false;
    m->stack = m->heap->mark_stack;
    m->capacity = m->heap->mark_capacity;
    return true;
}

static inline void
mark(struct marker *m, struct object *o)
{
    size_t granule = ((uintptr_t)o - m->base) >> GRANULE_SHIFT;
    uint64_t bit = (uint64_t)1 << (granule % 64), *word = &m->bits[granule / 64];

    if (*word & bit)
        return;
    *word |= bit;
    if (__builtin_expect(m->top == m->capacity, 0) && !grow_stack(m)) {
        m->overflowed = true;
        return;
    }
    m->stack[m->top++] = o;
}

void
mark_object(void *marker, struct object *o)
{
    mark(marker, o);
}

static void
visit_root(void *context, struct object *o, const struct root_info *info)
{
    (void)info;
    mark(context, o);
}

/* ---- scanning ---- */

static void
mark_class(struct marker *m, struct layout *layout)
{
    layout->mark_epoch = m->epoch;
    if (layout->mirror != NULL)
        mark(m, layout->mirror);
    if (m->heap->class_edges != NULL)
        m->heap->class_edges(layout, mark_object, m);
}

static inline void
scan_runs(struct marker *m, struct object *o, const struct reference_run *runs,
          uint32_t run_count)
{
    for (uint32_t i = 0; i < run_count; i++) {
        struct object **field = object_at(o, runs[i].offset);

        for (struct object **last = field + runs[i].count; field < last; field++)
            if (*field != NULL)
                mark(m, *field);
    }
}

static void
scan_elements(struct marker *m, struct object *array, uint32_t from)
{
    struct object **stack, **element = ARRAY_REFS(array);
    uint32_t to = (uint32_t)array_length(array);

    if (to - from > ARRAY_CHUNK
        && (m->top + 2 <= m->capacity || grow_stack(m))) {
        to = from + ARRAY_CHUNK;
        stack = &m->stack[m->top];
        stack[0] = array;
        stack[1] = (struct object *)(((uintptr_t)to << 1) | INDEX_TAG);
        m->top += 2;
    }
    for (; from < to; from++)
        if (element[from] != NULL)
            mark(m, element[from]);
}

static void
scan_reference(struct marker *m, struct object *o, const struct layout *layout)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    struct object *field;

    if (f->referent == 0)
        fatal("a Reference was met before heap_set_reference_fields");
    field = OBJECT_FIELD(struct object *, o, f->referent);
    if (field != NULL && !is_marked(m->heap, field) && reference_discover(m, o, layout))
        return;
    if (field != NULL)
        mark(m, field);
    field = OBJECT_FIELD(struct object *, o, f->discovered);
    if (field != NULL)
        mark(m, field);
}

static void
scan_mirror(struct marker *m, struct object *o)
{
    struct heap *heap = m->heap;
    const struct reference_run *runs;
    struct layout *layout;
    uint32_t count;

    if (heap->layout_offset == 0)
        return;
    layout = OBJECT_FIELD(struct layout *, o, heap->layout_offset);
    if (layout == NULL)
        return;
    if (layout->mark_epoch != m->epoch)
        mark_class(m, layout);
    count = heap->static_runs(layout, &runs);
    scan_runs(m, o, runs, count);
}

static inline void
scan(struct marker *m, struct object *o)
{
    struct layout *layout;

    if (__builtin_expect(m->heap->options.poison, 0)
        && (o->layout_ref == POISON_REF || o->layout_ref == 0))
        fatal("a reference leads to the freed cell %p", (void *)o);
    layout = object_layout(o);
    if (layout->mark_epoch != m->epoch)
        mark_class(m, layout);
    switch (layout->kind) {
    case LAYOUT_PRIMITIVE_ARRAY:
        break;
    case LAYOUT_REFERENCE_ARRAY:
        scan_elements(m, o, 0);
        break;
    case LAYOUT_REFERENCE:
        scan_reference(m, o, layout);
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    case LAYOUT_MIRROR:
        scan_mirror(m, o);
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    default:
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    }
}

/* ---- draining ---- */

/* The next object from the stack, or NULL: the entry was a part of an array. */
static inline struct object *
pop(struct marker *m)
{
    struct object *o = m->stack[--m->top];

    if (((uintptr_t)o & INDEX_TAG) == 0)
        return o;
    scan_elements(m, m->stack[--m->top], (uint32_t)((uintptr_t)o >> 1));
    return NULL;
}

/* Scanning an object right after it was found would wait for the memory, so each
   one first waits behind others. */
static void
drain_stack(struct marker *m)
{
    struct object *waiting[WAITING];
    unsigned first = 0, count = 0;

    for (;;) {
        while (m->top > 0 && count < WAITING) {
            struct object *o = pop(m);

            if (o != NULL) {
                __builtin_prefetch(o);
                waiting[(first + count++) % WAITING] = o;
            }
        }
        if (count == 0)
            return;
        count--;
        scan(m, waiting[first++ % WAITING]);
    }
}

static void
rescan_block(struct marker *m, uint32_t index)
{
    struct heap *heap = m->heap;
    const struct block *b = &heap->blocks[index];
    char *start = block_start(heap, index);
    size_t cell = b->state == BLOCK_CELLS ? heap_cell_size[b->size_class] : BLOCK_SIZE;

    if (b->state != BLOCK_CELLS && b->state != BLOCK_LARGE)
        return;
    for (size_t at = 0; at + cell <= BLOCK_SIZE; at += cell)
        if (is_marked(heap, start + at)) {
            scan(m, (struct object *)(start + at));
            drain_stack(m);
        }
}

void
mark_drain(struct marker *m)
{
    drain_stack(m);
    while (m->overflowed) {
        m->overflowed = false;
        for (uint32_t i = 0; i < m->heap->top; i++)
            rescan_block(m, i);
    }
}

/* ---- after marking ---- */

static void
erase(struct heap *heap, char *at, size_t size)
{
    if (heap->options.poison) {
        HEAP_SHOW(at, size);
        memset(at, POISON_BYTE, size);
    }
    HEAP_HIDE(at, size);
}

/* Number of marked cells. */
static size_t
settle_cells(struct heap *heap, uint32_t index)
{
    const uint64_t *words = &heap->mark_bits[(size_t)index * BLOCK_WORDS];
    size_t cell = heap_cell_size[heap->blocks[index].size_class], live = 0;
    char *start = block_start(heap, index);

    for (size_t i = 0; i < BLOCK_WORDS; i++)
        live += (size_t)__builtin_popcountll(words[i]);
    if (heap->options.poison || HEAP_ASAN)
        for (size_t at = 0; at + cell <= heap->blocks[index].dirty; at += cell)
            if (!is_marked(heap, start + at))
                erase(heap, start + at, cell);
    return live;
}

static size_t
settle_large(struct heap *heap, uint32_t index)
{
    uint32_t pages = heap->blocks[index].pages;

    if (is_marked(heap, block_start(heap, index)))
        return (size_t)pages << LARGE_SHIFT;
    erase(heap, block_start(heap, index), (size_t)pages << LARGE_SHIFT);
    blocks_give(heap, index, large_blocks(pages));
    return 0;
}

/* Put the blocks where allocation finds them; the bytes in live cells. */
static size_t
settle(struct heap *heap)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < CELL_CLASSES; i++)
        heap->lists[i].first = NO_BLOCK;
    /* From the top down, since the lists are to begin at the bottom. */
    for (uint32_t i = heap->top; i-- > 0;) {
        struct block *b = &heap->blocks[i];
        size_t cell, live;

        if (b->state == BLOCK_LARGE) {
            bytes += settle_large(heap, i);
            continue;
        }
        if (b->state != BLOCK_CELLS)
            continue;
        if (b->owned)
            fatal("a collection began before all caches were flushed");
        cell = heap_cell_size[b->size_class];
        live = settle_cells(heap, i);
        bytes += live * cell;
        b->cursor = 0;
        b->marked = true;
        if (live == 0) {
            blocks_give(heap, i, 1);
        } else if (live < BLOCK_SIZE / cell) {
            b->next = heap->lists[b->size_class].first;
            heap->lists[b->size_class].first = i;
        }
    }
    return bytes;
}

static void
set_trigger(struct heap *heap)
{
    size_t live = heap->used_after, budget = live / 4 * heap->budget_quarters;

    if (budget < BUDGET_MIN)
        budget = BUDGET_MIN;
    if (budget > heap->options.maximum - live)
        budget = heap->options.maximum - live;
    heap->trigger = live + budget;
}

void
heap_init_budget(struct heap *heap)
{
    heap->budget_quarters = QUARTERS_MIN;
    heap->last_end = os_nanos();
    set_trigger(heap);
}

/* Give memory for time when collections take more than a tenth of it, and take it
   back when they take less than a fortieth. */
static void
adapt_budget(struct heap *heap, int64_t began, int64_t ended)
{
    int64_t pause = ended - began, between = began - heap->last_end;

    if (pause * 10 > between && heap->budget_quarters < QUARTERS_MAX)
        heap->budget_quarters++;
    else if (pause * 40 < between && heap->budget_quarters > QUARTERS_MIN)
        heap->budget_quarters--;
    heap->last_end = ended;
}

/* ---- the collection ---- */

static void
mark_all(struct marker *m)
{
    struct heap *heap = m->heap;

    memset(heap->mark_bits, 0, (size_t)heap->top * BLOCK_WORDS * sizeof(uint64_t));
    heap_visit_roots(heap, visit_root, m);
    mark_drain(m);
    m->discovering = false;
    reference_process(m);
}

void
heap_collect(struct heap *heap, bool clear_soft)
{
    int64_t began = os_nanos(), ended;
    size_t before = heap->used;
    struct marker m = {
        .heap = heap,
        .base = (uintptr_t)heap->cells.base,
        .bits = heap->mark_bits,
        .epoch = ++heap->epoch,
        .stack = heap->mark_stack,
        .capacity = heap->mark_capacity,
        .discovering = heap->fields.referent != 0,
        .clear_soft = clear_soft,
        .soft_keep = (int64_t)((heap->options.maximum - heap->used_after) >> 20)
                     * heap->options.soft_ms_per_mb,
    };

    mark_all(&m);
    for (size_t i = 0; i < heap->part_count; i++)
        if (heap->parts[i].weak)
            heap->parts[i].weak(heap->parts[i].part, heap);

    heap->used = heap->used_after = settle(heap);
    heap->freed += before - heap->used;
    if (heap->mark_capacity > MARK_STACK_KEEP)
        resize_stack(heap, MARK_STACK_KEEP);
    reference_advance_clock(heap);
    ended = os_nanos();
    adapt_budget(heap, began, ended);
    set_trigger(heap);
    blocks_trim(heap, heap->trigger - heap->used + BUDGET_MIN / 4);
    heap->collections++;
    heap->nanoseconds += (uint64_t)(ended - began);
}

bool
heap_is_live(struct heap *heap, const struct object *o)
{
    return is_marked(heap, o);
}
