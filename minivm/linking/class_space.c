/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/class_space.c -- memory below 4 GiB for struct class.
 *
 * A block comes from the freed ones of exactly its size, or else from the end of what
 * was used; so each size takes as much as the most classes of it needed at one time,
 * and there are few sizes.  Freed blocks of each size are in a list of their own, so
 * that thousands of unloaded classes of one size do not slow down those of another.
 * Only large blocks, of classes with hundreds of virtual methods, share the last list.
 */

#include "linking/class_space.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "runtime/vm.h"

/* A freed block. */
struct class_space_block {
    struct class_space_block *next;
    size_t size;
};

/* The bytes of address space that are reserved, those that are committed at a time, and
   the alignment of blocks: a line of the processor's cache. */
enum { SPACE_SIZE = 512 << 20, SPACE_STEP = 256 << 10, SPACE_ALIGN = 64 };

/* How many lists of freed blocks there are; the last one is for all larger sizes. */
enum { SPACE_LISTS = 128 };

/* The reserved range is [start, end).  Blocks come from [start, next), and [start,
   committed) can be used as memory.  class_mutex guards all of it. */
struct class_space {
    char *start, *next, *committed, *end;
    struct class_space_block *freed[SPACE_LISTS];
};

static size_t
rounded(size_t size)
{
    return (size + SPACE_ALIGN - 1) & ~(size_t)(SPACE_ALIGN - 1);
}

/* Where the address space of the process is limited, at most a sixteenth of it is
   taken.  If the range cannot be reserved, ranges of half the size are tried. */
void
class_space_init(struct vm *vm)
{
    struct class_space *s = vm->class_space = mem_calloc(1, sizeof *s);
    size_t size = os_reservable(SPACE_SIZE, 16) & ~(size_t)(SPACE_STEP - 1);

    while (size == 0 || !(s->start = os_reserve_low(size))) {
        size = size / 2 & ~(size_t)(SPACE_STEP - 1);
        if (size == 0)
            out_of_memory("no address space below 4 GiB for classes");
    }
    s->next = s->committed = s->start;
    s->end = s->start + size;
}

/* Returns the list that freed blocks of size bytes, which is rounded, belong to. */
static struct class_space_block **
freed_list(struct class_space *s, size_t size)
{
    size_t number = size / SPACE_ALIGN;

    return &s->freed[number < SPACE_LISTS ? number : SPACE_LISTS - 1];
}

/* Takes a freed block of exactly size bytes off its list and returns it, zeroed; NULL
   if there is none. */
static void *
take_freed(struct class_space *s, size_t size)
{
    for (struct class_space_block **at = freed_list(s, size); *at; at = &(*at)->next) {
        struct class_space_block *block = *at;

        if (block->size != size)
            continue;
        *at = block->next;
        return memset(block, 0, size);
    }
    return NULL;
}

/* Takes size bytes from the end of what is used, and commits memory for them if needed.
   Memory that was just committed is zero.  Returns NULL if the range is full or the
   system has no memory. */
static void *
take_new(struct class_space *s, size_t size)
{
    char *block = s->next;

    if (size > (size_t)(s->end - block))
        return NULL;
    while (size > (size_t)(s->committed - block)) {
        if (!os_commit(s->committed, SPACE_STEP))
            return NULL;
        s->committed += SPACE_STEP;
    }
    s->next += size;
    return block;
}

void *
class_space_alloc(struct vm *vm, size_t size)
{
    void *block;
    LOCK(&vm->class_mutex);

    size = rounded(size);
    block = take_freed(vm->class_space, size);
    return block ? block : take_new(vm->class_space, size);
}

void
class_space_free(struct vm *vm, void *memory, size_t size)
{
    struct class_space_block *block = memory, **list;
    LOCK(&vm->class_mutex);

    list = freed_list(vm->class_space, rounded(size));
    *block = (struct class_space_block){ *list, rounded(size) };
    *list = block;
}

bool
class_space_has(const struct vm *vm, const void *address)
{
    const struct class_space *s = vm->class_space;
    const char *at = address;

    return at >= s->start && at < s->next && (uintptr_t)at % SPACE_ALIGN == 0;
}
