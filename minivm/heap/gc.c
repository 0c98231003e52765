/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/gc.c -- marking, and what a collection does around it.
 *
 * A collection runs in the thread that asked for it, while the world is stopped:
 *
 *  1. All mark bits are cleared.  The roots are marked and pushed on the mark stack.
 *  2. Objects are popped and scanned: whatever they refer to is marked and pushed if it
 *     was not marked before.  When the stack is empty, all strongly reachable objects
 *     are marked (mark_drain).
 *  3. References that were met on the way and whose referent is not marked are cleared
 *     or enqueued (reference.c).
 *  4. The weak tables of the VM drop what is not marked (heap_weak_fn).
 *  5. The blocks are made ready for sweeping: those without marks become free, the
 *     others are put into the lists of their size classes with the cursor at the start.
 *  6. The trigger of the next collection is set, and memory that is not needed until
 *     then goes back to the system.
 *
 * A class is alive while its Class object ("mirror") or an instance is.  The first
 * object of a class that is scanned in a collection marks the mirror and what else the
 * class refers to; layout.mark_epoch then has the number of the collection.
 */

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "heap/internal.h"

/* A long array is scanned in parts of so many references, so that the mark stack stays
   small however long the array is. */
#define ARRAY_CHUNK 128

/* The number of objects that are prefetched at a time before they are scanned. */
#define PREFETCH_DISTANCE 16

/* From one collection to the next the program may allocate between QUARTERS_MIN and
   QUARTERS_MAX quarters of the live bytes, and never less than BUDGET_MIN bytes. */
#define BUDGET_MIN ((size_t)24 << 20)
#define QUARTERS_MIN 3
#define QUARTERS_MAX 8

/* The largest mark stack, in entries, that is kept after a collection. */
#define MARK_STACK_KEEP ((size_t)1 << 17)

/* ---- the mark stack ---- */

/*
 * An entry is the address of an object that is to be scanned.  Its lowest bit is clear,
 * as objects are aligned.  An entry with the lowest bit set is an index, shifted left
 * by one; it and the entry below it, an array, say that the array's elements from that
 * index on are to be scanned.
 *
 * When there is no memory for a larger stack, an object is marked but not pushed, and
 * the marker notes that the stack overflowed.  mark_drain then looks for such objects
 * by scanning every marked object of the heap again.
 */
#define INDEX_TAG 1u

/* Returns false, with the stack as it was, when there is no memory. */
static bool
resize_stack(struct heap *heap, size_t capacity)
{
    struct object **stack = mem_try_realloc(heap->mark_stack, capacity * sizeof *stack);

    if (!stack)
        return false;
    heap->mark_stack = stack;
    heap->mark_capacity = capacity;
    return true;
}

/* Doubles the stack; returns false when there is no memory, or when it would become
   larger than heap->mark_limit: the objects are then found by a walk over the marked
   ones (m->overflowed). */
static bool
grow_stack(struct marker *m)
{
    if (m->capacity * 2 > m->heap->mark_limit
        || !resize_stack(m->heap, m->capacity * 2))
        return false;
    m->stack = m->heap->mark_stack;
    m->capacity = m->heap->mark_capacity;
    return true;
}

/* Sets the mark bit of o, which is not NULL, and pushes o if it was clear. */
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

/* Marks what a class keeps alive; once per class and collection. */
static void
mark_class(struct marker *m, struct layout *layout)
{
    layout->mark_epoch = m->epoch;
    if (layout->mirror)
        mark(m, layout->mirror);
    if (m->heap->class_edges)
        m->heap->class_edges(layout, mark_object, m);
}

/* Marks what the fields of o that the runs describe refer to. */
static inline void
scan_runs(struct marker *m, struct object *o, const struct reference_run *runs,
          uint32_t run_count)
{
    for (uint32_t i = 0; i < run_count; i++) {
        struct object **field = object_at(o, runs[i].offset);

        for (struct object **last = field + runs[i].count; field < last; field++)
            if (*field)
                mark(m, *field);
    }
}

/* Marks what the elements of the array refer to, from the index on: the first
   ARRAY_CHUNK of them, while the others are pushed to be scanned later.  When there is
   no room to push them, all are scanned at once. */
static void
scan_elements(struct marker *m, struct object *array, uint32_t from)
{
    struct object **stack, **element = ARRAY_REFS(array);
    uint32_t to = (uint32_t)array_length(array);

    if (to - from > ARRAY_CHUNK && (m->top + 2 <= m->capacity || grow_stack(m))) {
        to = from + ARRAY_CHUNK;
        stack = &m->stack[m->top];
        stack[0] = array;
        stack[1] = (struct object *)(((uintptr_t)to << 1) | INDEX_TAG);
        m->top += 2;
    }
    for (; from < to; from++)
        if (element[from])
            mark(m, element[from]);
}

/* Marks the referent, unless reference.c takes care of it, and the field discovered,
   which in a reference that was enqueued links the pending list.  Neither is among the
   runs of the layout. */
static void
scan_reference(struct marker *m, struct object *o, const struct layout *layout)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    struct object *field;

    if (f->referent == 0)
        fatal("a Reference was met before heap_set_reference_fields");
    field = OBJECT_FIELD(struct object *, o, f->referent);
    if (field && !is_marked(m->heap, field) && reference_discover(m, o, layout))
        return;
    if (field)
        mark(m, field);
    field = OBJECT_FIELD(struct object *, o, f->discovered);
    if (field)
        mark(m, field);
}

/* Marks what the class that a Class object stands for keeps alive, and what its statics
   refer to.  There are neither before heap_set_mirrors was called, when the heap does
   not know yet how to find them, and for the Class object of a primitive type. */
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
    if (!layout)
        return;
    if (layout->mark_epoch != m->epoch)
        mark_class(m, layout);
    count = heap->static_runs(layout, &runs);
    scan_runs(m, o, runs, count);
}

/* Marks all objects that o, which is marked, refers to.  With -XX:+PoisonFreed the
   header tells a cell that an earlier collection has freed, or that was never given to
   an object: then a root or field was missed, or a stale one is left. */
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
    case LAYOUT_PRIMITIVE_ARRAY: break;
    case LAYOUT_REFERENCE_ARRAY: scan_elements(m, o, 0); break;
    case LAYOUT_REFERENCE:
        scan_reference(m, o, layout);
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    case LAYOUT_MIRROR:
        scan_mirror(m, o);
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    case LAYOUT_CONTINUATION:
        m->heap->continuation_edges(o, visit_root, m);
        scan_runs(m, o, layout->runs, layout->run_count);
        break;
    default: scan_runs(m, o, layout->runs, layout->run_count); break;
    }
}

/* ---- draining ---- */

/* Pops an entry.  Returns the object, or NULL when the entry was a part of an array,
   which has been scanned then. */
static inline struct object *
pop(struct marker *m)
{
    struct object *o = m->stack[--m->top];

    if (((uintptr_t)o & INDEX_TAG) == 0)
        return o;
    scan_elements(m, m->stack[--m->top], (uint32_t)((uintptr_t)o >> 1));
    return NULL;
}

/* Scans until the mark stack is empty.  An object that is popped is first prefetched
   and put into a short queue, where it waits behind others while the processor loads
   it; scanning it at once would wait for the memory. */
static void
drain_stack(struct marker *m)
{
    struct object *waiting[PREFETCH_DISTANCE];
    unsigned first = 0, count = 0;

    for (;;) {
        while (m->top > 0 && count < PREFETCH_DISTANCE) {
            struct object *o = pop(m);

            if (o) {
                __builtin_prefetch(o);
                waiting[(first + count++) % PREFETCH_DISTANCE] = o;
            }
        }
        if (count == 0)
            return;
        count--;
        scan(m, waiting[first++ % PREFETCH_DISTANCE]);
    }
}

/* Scans all marked objects of the block, for those that were not pushed when the stack
   overflowed.  A block that begins a large object has one "cell", which is that
   object. */
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

/* A pass over the heap may overflow again, but each one marks objects that were not
   marked before, so the loop ends. */
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

/* ---- preparing the blocks for sweeping ---- */

/* Makes a read of free memory fail or show: poisons it for AddressSanitizer and, with
   -XX:+PoisonFreed, overwrites it. */
static void
erase(struct heap *heap, char *at, size_t size)
{
    if (heap->options.poison) {
        heap_asan_unpoison(at, size);
        memset(at, POISON_BYTE, size);
    }
    heap_asan_poison(at, size);
}

/* Returns the number of marked cells of a block; erases the others if that is
   wanted. */
static size_t
count_marked_cells(struct heap *heap, uint32_t index)
{
    const uint64_t *words = &heap->mark_bits[(size_t)index * BLOCK_WORDS];
    size_t cell = heap_cell_size[heap->blocks[index].size_class], live = 0;
    char *start = block_start(heap, index);

    for (size_t i = 0; i < BLOCK_WORDS; i++)
        live += (size_t)__builtin_popcountll(words[i]);
    if (heap->options.poison || HEAP_ASAN)
        for (size_t at = 0; at + cell <= heap->blocks[index].dirty_end; at += cell)
            if (!is_marked(heap, start + at))
                erase(heap, start + at, cell);
    return live;
}

/* Frees the blocks of a large object that is not marked.  Returns the bytes of one that
   is, else 0. */
static size_t
sweep_large(struct heap *heap, uint32_t index)
{
    uint32_t pages = heap->blocks[index].pages;

    if (is_marked(heap, block_start(heap, index)))
        return (size_t)pages << LARGE_SHIFT;
    erase(heap, block_start(heap, index), (size_t)pages << LARGE_SHIFT);
    blocks_free(heap, index, large_blocks(pages));
    return 0;
}

/* Frees the blocks without marked cells, puts those with free cells into the list of
   their size class, and puts the cursors back.  Returns the bytes of all live cells.
   Nothing is swept here: dead cells become free as the cursors pass them later. */
static size_t
prepare_sweeping(struct heap *heap)
{
    size_t bytes = 0;

    for (unsigned i = 0; i < HEAP_SIZE_CLASSES; i++)
        heap->lists[i].first = NO_BLOCK;
    /* From the top down, so that each list begins with its lowest block. */
    for (uint32_t i = heap->top; i-- > 0;) {
        struct block *b = &heap->blocks[i];
        size_t cell, live;

        if (b->state == BLOCK_LARGE) {
            bytes += sweep_large(heap, i);
            continue;
        }
        if (b->state != BLOCK_CELLS)
            continue;
        if (b->owned)
            fatal("a collection began before all caches were flushed");
        cell = heap_cell_size[b->size_class];
        live = count_marked_cells(heap, i);
        bytes += live * cell;
        b->cursor = 0;
        b->marked = true;
        if (live == 0) {
            blocks_free(heap, i, 1);
        } else if (live < BLOCK_SIZE / cell) {
            b->next = heap->lists[b->size_class].first;
            heap->lists[b->size_class].first = i;
        }
    }
    return bytes;
}

/* ---- when to collect next ---- */

/* Sets how many bytes may be used until the next collection is due: the live ones, and
   so many quarters of them as adapt_budget has found right, up to the maximum. */
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

/* Collects less often, at the price of memory, when the collection took more than a
   tenth of the time since the last one ended, and more often when it took less than a
   fortieth. */
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

/* Marks all objects that are alive, and processes references. */
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

/* The steps are those of the file's first comment.  A soft reference lives, unused, for
   so many milliseconds as there were megabytes left to the maximum after the last
   collection, times the option's number. */
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
        .discovering = true,
        .clear_soft = clear_soft,
        .soft_lifetime = (int64_t)((heap->options.maximum - heap->used_after) >> 20)
                         * heap->options.soft_ms_per_mb,
    };

    mark_all(&m);
    for (size_t i = 0; i < heap->part_count; i++)
        if (heap->parts[i].weak)
            heap->parts[i].weak(heap->parts[i].part, heap);

    heap->used = heap->used_after = prepare_sweeping(heap);
    heap->freed += before - heap->used;
    if (heap->mark_capacity > MARK_STACK_KEEP)
        resize_stack(heap, MARK_STACK_KEEP);
    reference_advance_clock(heap);
    ended = os_nanos();
    adapt_budget(heap, began, ended);
    set_trigger(heap);
    /* Until the next collection the program allocates so much, and a little more, as
       some free cells lie where no object of their size is needed. */
    blocks_decommit(heap, heap->trigger - heap->used + BUDGET_MIN / 4);
    heap->collections++;
    heap->nanoseconds += (uint64_t)(ended - began);
}

bool
heap_is_live(struct heap *heap, const struct object *o)
{
    return is_marked(heap, o);
}
