/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/arena.c -- memory that is released all at once.
 *
 * A chunk is a block of malloc with a link to the one before it.  Small allocations are
 * taken from the newest chunk; when that has no room, the rest of it is given up.
 * Large ones get a chunk of their own, so that little is given up.
 */

#include "base/arena.h"

#include <stdbool.h>

#include "base/mem.h"

struct arena_chunk {
    struct arena_chunk *next;
    uint64_t bytes[];
};

enum { SMALLEST_CHUNK = 1024, LARGEST_CHUNK = 65536 };

/* How many bytes grow_ahead takes and frees.  It is less than what glibc returns to the
   system when it is freed (M_TRIM_THRESHOLD) and than what it maps apart from its heap
   (M_MMAP_THRESHOLD). */
enum { GROW_AHEAD = 96 << 10 };

/*
 * Makes glibc's malloc grow its heap in larger steps.  It lets the heap of a thread
 * grow by single pages, with a system call that locks the address space for each, 1,700
 * of them in a start of the VM.  So now and then a block of many pages is allocated and
 * freed; the heap keeps them.  If the heap has room this makes no system call, and with
 * another malloc it has no effect.
 */
static void
grow_ahead(size_t size)
{
    /* How many bytes may be allocated before the heap is grown again; per thread, as
       malloc's heaps are. */
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
    for (struct arena_chunk *chunk = a->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        mem_free(chunk);
    }
    *a = (struct arena){ 0 };
}

/* Rounds up to a multiple of 8; a size that would overflow becomes one that no
   allocation can have. */
static size_t
rounded(size_t size)
{
    return size > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size + 7) & ~(size_t)7;
}

/*
 * Returns the size of the next chunk: a quarter of what the arena has already, within
 * limits.  That bounds the waste in small arenas and the number of chunks in large
 * ones.
 */
static size_t
chunk_size(const struct arena *a)
{
    size_t size = a->footprint / 4;

    if (size < SMALLEST_CHUNK)
        size = SMALLEST_CHUNK;
    return size > LARGEST_CHUNK ? LARGEST_CHUNK : size & ~(size_t)7;
}

/* Takes a new chunk from malloc and allocates size bytes in it, a multiple of 8.  When
   there is no memory, returns NULL with may_fail and else ends the process.  A size of
   more than a quarter of a chunk counts as large. */
static void *
alloc_in_new_chunk(struct arena *a, size_t size, bool may_fail)
{
    size_t room = chunk_size(a) - sizeof(struct arena_chunk);
    bool alone = size > room / 4;
    size_t chunk_bytes = sizeof(struct arena_chunk) + (alone ? size : room);
    struct arena_chunk *chunk;

    grow_ahead(chunk_bytes);
    chunk = may_fail ? mem_try_calloc(1, chunk_bytes) : mem_calloc(1, chunk_bytes);
    if (!chunk)
        return NULL;
    a->footprint += chunk_bytes;
    chunk->next = a->chunks;
    a->chunks = chunk;
    /* A large allocation has the chunk alone; those that follow go on in the present
       one. */
    if (!alone) {
        a->next = (uint8_t *)chunk->bytes + size;
        a->end = (uint8_t *)chunk->bytes + room;
    }
    return chunk->bytes;
}

/* Returns zeroed bytes of the present chunk, or of a new one; may_fail is that of
   alloc_in_new_chunk. */
static inline void *
allocate(struct arena *a, size_t size, bool may_fail)
{
    size_t bytes = rounded(size);
    uint8_t *at = a->next;

    if (at && bytes <= (size_t)(a->end - at)) {
        a->next = at + bytes;
        return at;
    }
    return alloc_in_new_chunk(a, bytes, may_fail);
}

void *
arena_alloc(struct arena *a, size_t size)
{
    return allocate(a, size, false);
}

void *
arena_try_alloc(struct arena *a, size_t size)
{
    return allocate(a, size, true);
}

void *
arena_calloc(struct arena *a, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return arena_alloc(a, bytes);
}
