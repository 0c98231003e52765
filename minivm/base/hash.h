/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/hash.h -- hash functions, and hash maps with open addressing.
 *
 * Nothing here takes a lock, stops or collects.  Memory for maps is taken by
 * mem_calloc, so the process ends when there is none.
 */
#ifndef MINIVM_BASE_HASH_H
#define MINIVM_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a hash that depends on the bytes alone: the same in every run on a machine of
   the same byte order. */
uint32_t hash_bytes(const void *bytes, size_t length);

/* Returns a hash of the word in which each bit depends on many bits of the word. */
static inline uint64_t
hash_word(uint64_t word)
{
    word ^= word >> 32;
    word *= 0x9e3779b97f4a7c15u;
    return word ^ word >> 29;
}

/*
 * A map from non-NULL pointers to pointers.  All zeroes is an empty map.  The entries
 * lie in one array whose size is a power of two and which is at most three quarters
 * full.  A key is looked for from the index that its hash gives, in order (linear
 * probing).  Removing an entry moves later ones back instead of leaving a mark, so that
 * a map with many changes does not become slower.  Has no lock.
 */
struct ptrmap_entry {
    const void *key;
    void *value;
};

struct ptrmap {
    struct ptrmap_entry *entries;
    size_t count;
    size_t mask;
};

/* Frees the storage, not what keys and values point to; the map is empty then. */
void ptrmap_release(struct ptrmap *m);

/* Returns the value of the key; NULL when the key is absent, or when NULL is its
   value. */
void *ptrmap_get(const struct ptrmap *m, const void *key);
bool ptrmap_has(const struct ptrmap *m, const void *key);
/* Adds the key or replaces its value.  Returns the old value, NULL when there was
   none. */
void *ptrmap_put(struct ptrmap *m, const void *key, void *value);
/*
 * Returns the address of the key's value; a new key is added with the value NULL.  The
 * address is valid until the next change of the map.
 */
void **ptrmap_slot(struct ptrmap *m, const void *key);

/*
 * Returns the next entry, in no particular order, or NULL at the end.  *cursor is 0
 * before the first call.  The map must not change between the calls, except for values.
 *
 *     for (size_t at = 0; (e = ptrmap_next(m, &at)) != NULL;)
 */
struct ptrmap_entry *ptrmap_next(const struct ptrmap *m, size_t *cursor);
/*
 * Removes each entry for which keep(entry, data) returns false.  keep is called once
 * per entry and may change its value.  Allocates nothing.
 */
void ptrmap_retain(struct ptrmap *m, bool (*keep)(struct ptrmap_entry *, void *),
                   void *data);

#endif
