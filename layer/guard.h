/* SPDX-License-Identifier: MIT */
/*
 * layer/guard.h -- memory with a zone of known bytes on both sides, so that writes before
 * its beginning and behind its end are seen.
 */
#ifndef LAYER_GUARD_H
#define LAYER_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum guard_damage { GUARD_WHOLE, GUARD_BEFORE, GUARD_BEHIND };

/* So many bytes, which may be none; NULL if memory is short. */
void *guard_new(size_t size);
/* The same on a page of its own, for page_free. */
void *guard_new_page(size_t size);
/* The zone that was written to. */
enum guard_damage guard_check(const void *memory, size_t size);
/* Fill the memory and its zones with bytes that are hardly of use. */
void guard_spoil(void *memory, size_t size);
/* Was anything written since it was spoilt? */
bool guard_was_written(const void *memory, size_t size);
void guard_free(void *memory, size_t size);

#endif
