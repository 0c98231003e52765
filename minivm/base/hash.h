/* SPDX-License-Identifier: MIT */
/* minivm/base/hash.h -- hash functions and open-addressing hash maps. */
#ifndef MINIVM_BASE_HASH_H
#define MINIVM_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Depends on the bytes only: the same in every run and on every machine. */
uint32_t hash_bytes(const void *bytes, size_t length);

/* Spreads the entropy of a word over all of its bits. */
static inline uint64_t
hash_word(uint64_t word)
{
    word ^= word >> 32;
    word *= 0x9e3779b97f4a7c15u;
    return word ^ word >> 29;
}

/*
 * A map from non-NULL pointers to pointers.  All zeroes is an empty map.
 * Entries lie in one array of a power of two, probed in order, at most three
 * quarters full; removal moves later entries back, so that nothing slows down
 * with age.  Not locked.
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

/* Frees the storage, not what keys and values point to; m is empty then. */
void ptrmap_release(struct ptrmap *m);

/* NULL when the key is absent (or when NULL is its value). */
void *ptrmap_get(const struct ptrmap *m, const void *key);
bool ptrmap_has(const struct ptrmap *m, const void *key);
/* Adds or replaces; answers the old value, NULL when there was none. */
void *ptrmap_put(struct ptrmap *m, const void *key, void *value);
/*
 * The place of the key's value, added as NULL when the key is new.  Valid
 * until the next change of m.
 */
void **ptrmap_slot(struct ptrmap *m, const void *key);

/*
 * Steps through the entries in no order; *cursor starts at 0.  m must not
 * change on the way, values excepted.
 *
 *     for (size_t at = 0; (e = ptrmap_next(m, &at)) != NULL;)
 */
struct ptrmap_entry *ptrmap_next(const struct ptrmap *m, size_t *cursor);
/*
 * Removes every entry that keep() declines; keep may change the value.  It is
 * asked once per entry.  Takes no memory.
 */
void ptrmap_retain(struct ptrmap *m, bool (*keep)(struct ptrmap_entry *, void *),
                   void *data);

#endif
