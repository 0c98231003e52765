/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/arena.h -- memory that is released all at once.
 *
 * Serves data with one common lifetime: what belongs to a class, the symbols of the
 * process.  Nothing here stops or collects.
 */
#ifndef MINIVM_BASE_ARENA_H
#define MINIVM_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

/*
 * An arena allocates by moving a pointer through chunks, which it takes from malloc; no
 * allocation can be freed alone.  All zeroes is an empty arena.  It has no lock: one
 * thread at a time may use it.
 */
struct arena {
    /* All chunks, the newest first. */
    struct arena_chunk *chunks;
    /* The free part of the present chunk. */
    uint8_t *next;
    uint8_t *end;
    /* Bytes taken from malloc, chunk headers included. */
    size_t footprint;
};

/* Frees everything; the arena is empty afterwards and may be used again. */
void arena_release(struct arena *a);

/* Returns size zeroed bytes, aligned to 8.  Never NULL: ends the process when there is
   no memory (mem_calloc). */
void *arena_alloc(struct arena *a, size_t size)
    __attribute__((malloc, alloc_size(2), returns_nonnull));
/* Returns count * size zeroed bytes as arena_alloc does; ends the process if the
   product overflows, too. */
void *arena_calloc(struct arena *a, size_t count, size_t size)
    __attribute__((malloc, alloc_size(2, 3), returns_nonnull));
/* Returns size zeroed bytes, aligned to 8; NULL when there is no memory. */
void *arena_try_alloc(struct arena *a, size_t size)
    __attribute__((malloc, alloc_size(2)));

#endif
