/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/walk.c -- which cells are objects, how large an object is, and the mark
 * bits of walks.
 *
 * Whether a cell of a block holds an object depends on the block's cursor, as
 * internal.h explains: before it the header decides, behind it the mark bit of the last
 * collection.
 */

#include <sys/mman.h>

#include "heap/internal.h"

size_t
object_size(const struct object *o)
{
    const struct layout *layout = object_layout(o);

    switch (layout->kind) {
    case LAYOUT_PRIMITIVE_ARRAY:
    case LAYOUT_REFERENCE_ARRAY: return array_size(layout, array_length(o));
    case LAYOUT_MIRROR: return OBJECT_FIELD(uint64_t, o, layout->instance_size);
    default: return layout->instance_size;
    }
}

/* Returns true if the cell at that offset of its block, which begins at start, holds an
   object.  The loads are atomic because heap_is_object may look while other threads
   allocate. */
static inline bool
cell_is_object(const struct heap *heap, const struct block *b, const char *start,
               size_t at)
{
    const struct object *o = (const struct object *)(start + at);

    return at < __atomic_load_n(&b->cursor, __ATOMIC_RELAXED)
               ? __atomic_load_n(&o->layout_ref, __ATOMIC_RELAXED) != 0
               : b->marked && is_marked(heap, o);
}

/* Calls visit for the objects of a block of cells; returns false when visit did.  A
   block that was taken into use since the last collection has no object behind its
   cursor. */
static bool
iterate_cells(struct heap *heap, uint32_t index,
              bool (*visit)(void *context, struct object *object), void *context)
{
    const struct block *b = &heap->blocks[index];
    size_t cell = heap_cell_size[b->size_class];
    size_t end = b->marked ? cells_end(cell) : b->cursor;
    char *start = block_start(heap, index);

    for (size_t at = 0; at < end; at += cell)
        if (cell_is_object(heap, b, start, at)
            && !visit(context, (struct object *)(start + at)))
            return false;
    return true;
}

void
heap_iterate(struct heap *heap, bool (*visit)(void *context, struct object *object),
             void *context)
{
    for (uint32_t i = 0; i < heap->top; i++) {
        bool go_on = true;

        if (heap->blocks[i].state == BLOCK_CELLS)
            go_on = iterate_cells(heap, i, visit, context);
        else if (heap->blocks[i].state == BLOCK_LARGE)
            go_on = visit(context, (struct object *)block_start(heap, i));
        if (!go_on)
            return;
    }
}

bool
heap_is_object(struct heap *heap, const void *p)
{
    const struct block *b;
    size_t at, cell;
    uint32_t index;

    /* An address below the range gives a huge difference. */
    if ((uintptr_t)p - (uintptr_t)heap->cells.base
        >= (uintptr_t)__atomic_load_n(&heap->top, __ATOMIC_RELAXED) << BLOCK_SHIFT)
        return false;
    index = block_index(heap, p);
    b = &heap->blocks[index];
    at = (size_t)((const char *)p - block_start(heap, index));
    if (b->state == BLOCK_LARGE)
        return at == 0;
    if (b->state != BLOCK_CELLS)
        return false;
    cell = heap_cell_size[b->size_class];
    return at % cell == 0 && at < cells_end(cell)
           && cell_is_object(heap, b, block_start(heap, index), at);
}

bool
heap_walk_begin(struct heap *heap, struct heap_marks *marks)
{
    size_t size = (size_t)heap->top * BLOCK_WORDS * sizeof(uint64_t);

    if (!span_commit(&heap->walk_marks, size))
        return false;
    /* heap_walk_end gave the memory back, which clears it, unless the system refused
       (as it does for memory that is locked). */
    memset(heap->walk_marks.base, 0, size);
    *marks = (struct heap_marks){ heap->cells.base, (uint64_t *)heap->walk_marks.base };
    return true;
}

void
heap_walk_end(struct heap *heap)
{
    if (heap->walk_marks.committed > 0)
        madvise(heap->walk_marks.base, heap->walk_marks.committed, MADV_DONTNEED);
}
