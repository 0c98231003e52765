/* SPDX-License-Identifier: MIT */
/* minivm/base/arena.c -- memory that is released all at once. */

#include "base/arena.h"

#include <stdbool.h>

#include "base/mem.h"

struct arena_chunk {
    struct arena_chunk *next;
    uint64_t bytes[];
};

enum { SMALLEST_CHUNK = 1024, LARGEST_CHUNK = 65536 };

/* In bytes; less than what glibc gives back to the system at once (M_TRIM_THRESHOLD)
   and than what it maps apart (M_MMAP_THRESHOLD). */
enum { GROW_AHEAD = 96 << 10 };

/*
 * glibc's malloc lets the heap of a thread grow by single pages, with a system call that
 * locks the address space for each: 1,700 of them in a start.  So now and then a block of
 * many pages is taken and freed, which stay with the heap.  Where there is room it costs
 * no system call; with another malloc it does nothing.
 */
static void
grow_ahead(size_t size)
{
    static _Thread_local size_t left;

    if (size <= left) {
        left -= size;
        return;
    }
    left = GROW_AHEAD / 2;
    mem_free(mem_try_alloc(GROW_AHEAD));
}

void
arena_release(struct arena *a)
{
    for (struct arena_chunk *chunk = a->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        mem_free(chunk);
    }
    *a = (struct arena){ 0 };
}

/* Rounds up to 8, or answers more than there can be. */
static size_t
rounded(size_t size)
{
    return size > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size + 7) & ~(size_t)7;
}

/*
 * A quarter of what is there already bounds the waste in small arenas and the
 * number of chunks in large ones.
 */
static size_t
chunk_size(const struct arena *a)
{
    size_t size = a->footprint / 4;

    if (size < SMALLEST_CHUNK)
        size = SMALLEST_CHUNK;
    return size > LARGEST_CHUNK ? LARGEST_CHUNK : size & ~(size_t)7;
}

static void *
alloc_in_new_chunk(struct arena *a, size_t size, bool may_fail)
{
    size_t room = chunk_size(a) - sizeof(struct arena_chunk);
    bool alone = size > room / 4;
    size_t chunk_bytes = sizeof(struct arena_chunk) + (alone ? size : room);
    struct arena_chunk *chunk;

    grow_ahead(chunk_bytes);
    chunk = may_fail ? mem_try_calloc(1, chunk_bytes) : mem_calloc(1, chunk_bytes);
    if (chunk == NULL)
        return NULL;
    a->footprint += chunk_bytes;
    chunk->next = a->chunks;
    a->chunks = chunk;
    /* A large block leaves the room in the current chunk to those that follow. */
    if (!alone) {
        a->next = (uint8_t *)chunk->bytes + size;
        a->end = (uint8_t *)chunk->bytes + room;
    }
    return chunk->bytes;
}

static inline void *
take(struct arena *a, size_t size, bool may_fail)
{
    size_t bytes = rounded(size);
    uint8_t *at = a->next;

    if (at != NULL && bytes <= (size_t)(a->end - at)) {
        a->next = at + bytes;
        return at;
    }
    return alloc_in_new_chunk(a, bytes, may_fail);
}

void *
arena_alloc(struct arena *a, size_t size)
{
    return take(a, size, false);
}

void *
arena_try_alloc(struct arena *a, size_t size)
{
    return take(a, size, true);
}

void *
arena_calloc(struct arena *a, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return arena_alloc(a, bytes);
}
