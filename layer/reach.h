/* SPDX-License-Identifier: MIT */
/*
 * layer/reach.h -- which blocks of memory does anything in the process still point to?
 *
 * All writable memory is searched for words that are addresses in one of the blocks,
 * except the stacks of threads that run no code of an agent, whose dead frames have old
 * addresses.  So a block that is not found is lost for certain, while an old copy of its
 * address may hide one that is.
 */
#ifndef LAYER_REACH_H
#define LAYER_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reach;

/* For so many blocks; NULL if memory is short. */
struct reach *reach_new(size_t count);
void reach_free(struct reach *reach);
/* A block; size 0 stands for one byte. */
void reach_add(struct reach *reach, uintptr_t start, size_t size);
void reach_search(struct reach *reach);
bool reach_is_found(const struct reach *reach, uintptr_t start);

#endif
