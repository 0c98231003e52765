/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/check.c -- a test of the heap's invariants.
 *
 * It runs before and after each collection when -XX:+VerifyBeforeGC or
 * -XX:+VerifyAfterGC ask for it, mostly under the fuzzers.  First the blocks are
 * compared with the tables and lists that name them (internal.h says what holds), then
 * every object is looked at: its layout must be one that the VM knows, its size must
 * fit its cell, and each of its references must lead to the start of an object.  What
 * needs knowledge of classes and threads is tested by diagnostics/check.c.
 */
#include "heap/internal.h"

#include "base/log.h"

/* What all these functions are told: the arguments of heap_check, and a sum. */
struct check {
    struct heap *heap;
    const char *when;
    heap_layout_test *is_layout;
    /* The sum of the cells and pages of the objects that were looked at so far. */
    size_t bytes;
};

/* Checks the table's entry of a block of cells.  No cache owns it, as all are flushed
   before the heap is checked. */
static void
check_cells(const struct check *c, uint32_t index)
{
    const struct block *b = &c->heap->blocks[index];

    if (b->size_class >= HEAP_SIZE_CLASSES)
        fatal("%s: block %u has size class %u", c->when, index, b->size_class);
    if (b->owned)
        fatal("%s: block %u belongs to a thread", c->when, index);
    if (b->cursor % heap_cell_size[b->size_class] != 0 || b->cursor > BLOCK_SIZE)
        fatal("%s: the cursor of block %u is %u", c->when, index, b->cursor);
}

/* Checks the blocks of the large object that begins in a block; returns their
   number. */
static uint32_t
check_large(const struct check *c, uint32_t index)
{
    uint32_t count = large_blocks(c->heap->blocks[index].pages);

    if (count == 0 || count > c->heap->top - index)
        fatal("%s: the large object in block %u has %u blocks", c->when, index, count);
    for (uint32_t i = index + 1; i < index + count; i++)
        if (c->heap->blocks[i].state != BLOCK_REST)
            fatal("%s: block %u is in a large object and has state %u", c->when, i,
                  c->heap->blocks[i].state);
    return count;
}

/* Checks that the table of blocks agrees with the bitmap of free ones, and that each
   large object has the blocks that its size needs. */
static void
check_blocks(const struct check *c)
{
    const struct heap *heap = c->heap;

    for (uint32_t i = 0; i < heap->top;) {
        uint32_t count = 1;

        if (bit_is_set(heap->free_bits, i) != (heap->blocks[i].state == BLOCK_FREE))
            fatal("%s: block %u has state %u, which the free blocks deny", c->when, i,
                  heap->blocks[i].state);
        if (heap->blocks[i].state == BLOCK_CELLS)
            check_cells(c, i);
        else if (heap->blocks[i].state == BLOCK_LARGE)
            count = check_large(c, i);
        else if (heap->blocks[i].state != BLOCK_FREE)
            fatal("%s: block %u has state %u and no object", c->when, i,
                  heap->blocks[i].state);
        i += count;
    }
}

/* Checks that the lists of blocks with free cells hold blocks of their class, each
   once. */
static void
check_lists(const struct check *c)
{
    for (unsigned class = 0; class < HEAP_SIZE_CLASSES; class ++) {
        uint32_t count = 0;

        for (uint32_t i = c->heap->lists[class].first; i != NO_BLOCK;
             i = c->heap->blocks[i].next) {
            if (i >= c->heap->top || c->heap->blocks[i].state != BLOCK_CELLS
                || c->heap->blocks[i].size_class != class)
                fatal("%s: block %u is in the list of size class %u", c->when, i,
                      class);
            if (++count > c->heap->top)
                fatal("%s: the list of size class %u has no end", c->when, class);
        }
    }
}

static void
check_reference(const struct check *c, const struct object *from,
                const struct object *to)
{
    if (to && !heap_is_object(c->heap, to))
        fatal("%s: the object %p refers to %p, which is none", c->when,
              (const void *)from, (const void *)to);
}

static void
check_runs(const struct check *c, struct object *o, const struct reference_run *runs,
           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct object **field = object_at(o, runs[i].offset);

        for (uint32_t k = 0; k < runs[i].count; k++)
            check_reference(c, o, field[k]);
    }
}

/* Checks the statics of the class that a Class object stands for. */
static void
check_statics(const struct check *c, struct object *mirror)
{
    const struct reference_run *runs;
    struct layout *of;
    uint32_t count;

    if (c->heap->layout_offset == 0)
        return;
    of = OBJECT_FIELD(struct layout *, mirror, c->heap->layout_offset);
    if (!of)
        return;
    if (!c->is_layout(of) || of->mirror != mirror)
        fatal("%s: the mirror %p is not its class's", c->when, (void *)mirror);
    count = c->heap->static_runs(of, &runs);
    check_runs(c, mirror, runs, count);
}

/* Returns the size of the cell, or of the pages, that o lies in. */
static size_t
room_of(const struct heap *heap, const struct object *o)
{
    const struct block *b = &heap->blocks[block_index(heap, o)];

    return b->state == BLOCK_LARGE ? (size_t)b->pages << LARGE_SHIFT
                                   : heap_cell_size[b->size_class];
}

/* Checks one object for heap_iterate; context is the struct check.  Returns true, so
   that the iteration goes on. */
static bool
check_object(void *context, struct object *o)
{
    struct check *c = context;
    const struct heap_reference_fields *fields = &c->heap->fields;
    struct layout *layout = object_layout(o);
    size_t room = room_of(c->heap, o);

    if (!c->is_layout(layout) || layout->kind == LAYOUT_NONE)
        fatal("%s: the object %p has no class: %#x", c->when, (void *)o, o->layout_ref);
    if (object_size(o) > room)
        fatal("%s: the object %p of %zu bytes has room for %zu", c->when, (void *)o,
              object_size(o), room);
    c->bytes += room;
    if (layout->kind == LAYOUT_REFERENCE_ARRAY)
        for (int32_t i = 0; i < array_length(o); i++)
            check_reference(c, o, ARRAY_REFS(o)[i]);
    if (layout->kind != LAYOUT_REFERENCE_ARRAY
        && layout->kind != LAYOUT_PRIMITIVE_ARRAY)
        check_runs(c, o, layout->runs, layout->run_count);
    if (layout->kind == LAYOUT_MIRROR)
        check_statics(c, o);
    if (layout->kind == LAYOUT_REFERENCE && fields->referent != 0) {
        check_reference(c, o, OBJECT_FIELD(struct object *, o, fields->referent));
        check_reference(c, o, OBJECT_FIELD(struct object *, o, fields->discovered));
    }
    return true;
}

void
heap_check(struct heap *heap, const char *when, heap_layout_test *is_layout)
{
    struct check c = { heap, when, is_layout, 0 };

    check_blocks(&c);
    check_lists(&c);
    heap_iterate(heap, check_object, &c);
    if (c.bytes > heap->used)
        fatal("%s: the objects take %zu bytes, and %zu are said to be used", when,
              c.bytes, heap->used);
}
