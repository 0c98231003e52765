/* SPDX-License-Identifier: MIT */
/* minivm/base/arena.h -- memory that is released all at once. */
#ifndef MINIVM_BASE_ARENA_H
#define MINIVM_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

/*
 * Allocations are cut from chunks in order; none can be given back alone.
 * All zeroes is an empty arena.  Not locked: one owner at a time.
 */
struct arena {
    struct arena_chunk *chunks;
    uint8_t *next;
    uint8_t *end;
    /* Bytes taken from the system, chunk headers included. */
    size_t footprint;
};

/* Frees everything; a is empty afterwards and may be used again. */
void arena_release(struct arena *a);

/* size zeroed bytes, 8-aligned; never NULL. */
void *arena_alloc(struct arena *a, size_t size)
    __attribute__((malloc, alloc_size(2), returns_nonnull));
/* count * size, checked for overflow. */
void *arena_calloc(struct arena *a, size_t count, size_t size)
    __attribute__((malloc, alloc_size(2, 3), returns_nonnull));
/* The same, or NULL when the memory is not to be had. */
void *arena_try_alloc(struct arena *a, size_t size)
    __attribute__((malloc, alloc_size(2)));

#endif
