/* SPDX-License-Identifier: MIT */
/*
 * layer/arena.h -- the memory that agents get in the place of JVM TI's.
 *
 * It is apart from that of malloc(), so that an address of it is in no memory of the
 * process but where the agent has put it: an old address of malloc() in a dead variable
 * may be that of a block by chance.
 */
#ifndef LAYER_ARENA_H
#define LAYER_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory of so many bytes, with unknown contents; NULL if it is short. */
void *arena_new(size_t size);
/* Free it; size as it was. */
void arena_free(void *memory, size_t size);
/* May the address be in such memory?  True for all that is, and for some that is near. */
bool arena_has(uintptr_t address);

#endif
