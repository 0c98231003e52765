/* SPDX-License-Identifier: MIT */
/* minivm/vm/space.c -- memory below 4 GiB for struct class. */

#include <string.h>

#include "base/log.h"
#include "base/os.h"
#include "vm/registry.h"

/*
 * First fit out of a list of freed blocks in address order, which joins
 * neighbours, else from the end of what was used.  Classes come and go rarely
 * beside all else, so nothing cleverer is needed.
 */
struct class_space_block {
    struct class_space_block *next;
    size_t size;
};

enum { SPACE_SIZE = 512 << 20, SPACE_STEP = 256 << 10, SPACE_ALIGN = 16 };

static size_t
rounded(size_t size)
{
    return (size + SPACE_ALIGN - 1) & ~(size_t)(SPACE_ALIGN - 1);
}

void
class_space_init(struct vm *vm)
{
    struct class_registry *r = vm->registry;
    size_t size = SPACE_SIZE;

    while ((r->space = os_reserve_low(size)) == NULL) {
        size /= 2;
        if (size < (size_t)SPACE_STEP)
            fatal("no address space below 4 GiB for classes");
    }
    r->space_next = r->space_committed = r->space;
    r->space_end = r->space + size;
}

static void *
take_freed(struct class_registry *r, size_t size)
{
    for (struct class_space_block **at = &r->space_free; *at; at = &(*at)->next) {
        struct class_space_block *block = *at;

        if (block->size < size)
            continue;
        if (block->size == size) {
            *at = block->next;
            return block;
        }
        block->size -= size;
        return (char *)block + block->size;
    }
    return NULL;
}

static void *
take_new(struct class_registry *r, size_t size)
{
    char *block = r->space_next;

    if (size > (size_t)(r->space_end - block))
        return NULL;
    if (size > (size_t)(r->space_committed - block)) {
        size_t step = size - (size_t)(r->space_committed - block);

        step = (step + SPACE_STEP - 1) & ~(size_t)(SPACE_STEP - 1);
        if (step > (size_t)(r->space_end - r->space_committed))
            step = (size_t)(r->space_end - r->space_committed);
        if (!os_commit(r->space_committed, step))
            return NULL;
        r->space_committed += step;
    }
    r->space_next += size;
    return block;
}

void *
class_space_alloc(struct vm *vm, size_t size)
{
    void *block;

    size = rounded(size);
    mutex_lock(&vm->class_mutex);
    block = take_freed(vm->registry, size);
    if (block != NULL)
        memset(block, 0, size);
    else
        block = take_new(vm->registry, size);
    mutex_unlock(&vm->class_mutex);
    return block;
}

void
class_space_free(struct vm *vm, void *memory, size_t size)
{
    struct class_registry *r = vm->registry;
    struct class_space_block *block = memory, **at = &r->space_free, *before = NULL;

    block->size = rounded(size);
    mutex_lock(&vm->class_mutex);
    while (*at && *at < block) {
        before = *at;
        at = &before->next;
    }
    block->next = *at;
    *at = block;
    if (block->next && (char *)block + block->size == (char *)block->next) {
        block->size += block->next->size;
        block->next = block->next->next;
    }
    if (before && (char *)before + before->size == (char *)block) {
        before->size += block->size;
        before->next = block->next;
    }
    mutex_unlock(&vm->class_mutex);
}
