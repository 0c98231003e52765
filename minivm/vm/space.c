/* SPDX-License-Identifier: MIT */
/* minivm/vm/space.c -- memory below 4 GiB for struct class. */

#include <string.h>

#include "base/log.h"
#include "base/os.h"
#include "vm/registry.h"

/*
 * A freed block of that very size, else the end of what was used: each size takes what
 * the most classes of it needed at a time, and there are few sizes.  Freed blocks of a
 * size are in a list of their own, so that thousands of unloaded classes of one size do
 * not slow down a class of another; only large ones, of classes with hundreds of virtual
 * methods, share the last list.
 */
struct class_space_block {
    struct class_space_block *next;
    size_t size;
};

enum { SPACE_SIZE = 512 << 20, SPACE_STEP = 256 << 10, SPACE_ALIGN = 64 };

static size_t
rounded(size_t size)
{
    return (size + SPACE_ALIGN - 1) & ~(size_t)(SPACE_ALIGN - 1);
}

void
class_space_init(struct vm *vm)
{
    struct class_registry *r = vm->registry;
    size_t size = os_reservable(SPACE_SIZE, 16) & ~(size_t)(SPACE_STEP - 1);

    while (size == 0 || (r->space = os_reserve_low(size)) == NULL) {
        size = size / 2 & ~(size_t)(SPACE_STEP - 1);
        if (size == 0)
            out_of_memory("no address space below 4 GiB for classes");
    }
    r->space_next = r->space_committed = r->space;
    r->space_end = r->space + size;
}

static struct class_space_block **
freed_list(struct class_registry *r, size_t size)
{
    size_t number = size / SPACE_ALIGN;

    return &r->space_free[number < SPACE_LISTS ? number : SPACE_LISTS - 1];
}

static void *
take_freed(struct class_registry *r, size_t size)
{
    for (struct class_space_block **at = freed_list(r, size); *at; at = &(*at)->next) {
        struct class_space_block *block = *at;

        if (block->size != size)
            continue;
        *at = block->next;
        return memset(block, 0, size);
    }
    return NULL;
}

static void *
take_new(struct class_registry *r, size_t size)
{
    char *block = r->space_next;

    if (size > (size_t)(r->space_end - block))
        return NULL;
    while (size > (size_t)(r->space_committed - block)) {
        if (!os_commit(r->space_committed, SPACE_STEP))
            return NULL;
        r->space_committed += SPACE_STEP;
    }
    r->space_next += size;
    return block;
}

void *
class_space_alloc(struct vm *vm, size_t size)
{
    void *block;
    LOCK(&vm->class_mutex);

    size = rounded(size);
    block = take_freed(vm->registry, size);
    return block ? block : take_new(vm->registry, size);
}

void
class_space_free(struct vm *vm, void *memory, size_t size)
{
    struct class_space_block *block = memory, **list;
    LOCK(&vm->class_mutex);

    list = freed_list(vm->registry, rounded(size));
    *block = (struct class_space_block){ *list, rounded(size) };
    *list = block;
}
