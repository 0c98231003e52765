/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/hash.c -- hash functions, and hash maps with open addressing.
 *
 * The hash of bytes multiplies and mixes eight bytes at a time (as FNV does with one).
 * The map is the textbook's linear probing with backward-shift deletion (Knuth, The Art
 * of Computer Programming 3, 6.4, algorithms L and R).
 */

#include "base/hash.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"

/* The last bytes, fewer than eight, are a word that zeros fill up; the length is mixed
   in first, so that texts that differ in zeros at their end differ in their hash. */
uint32_t
hash_bytes(const void *bytes, size_t length)
{
    const uint64_t multiplier = 0x9e3779b97f4a7c15u;
    const uint8_t *at = bytes;
    uint64_t hash = length * multiplier;

    for (; length >= 8; at += 8, length -= 8) {
        uint64_t word;

        memcpy(&word, at, 8);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    if (length != 0) {
        uint64_t word = 0;

        memcpy(&word, at, length);
        hash = (hash ^ word) * multiplier;
        hash ^= hash >> 32;
    }
    hash *= multiplier;
    return (uint32_t)(hash >> 32);
}

/* The first size of a map's array, and the one from which an empty map gives it up. */
enum { SMALLEST = 8, LARGE = 1024 };

void
ptrmap_release(struct ptrmap *m)
{
    mem_free(m->entries);
    *m = (struct ptrmap){ 0 };
}

/* Returns the key's entry, or the empty one where it would be added.  The map must have
   an array. */
static struct ptrmap_entry *
probe(const struct ptrmap *m, const void *key)
{
    size_t i = hash_word((uintptr_t)key) & m->mask;

    while (m->entries[i].key && m->entries[i].key != key)
        i = (i + 1) & m->mask;
    return &m->entries[i];
}

/* Returns the entry of the key, or NULL. */
static struct ptrmap_entry *
find(const struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry;

    if (m->count == 0)
        return NULL;
    entry = probe(m, key);
    return !entry->key ? NULL : entry;
}

void *
ptrmap_get(const struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry = find(m, key);

    return !entry ? NULL : entry->value;
}

bool
ptrmap_has(const struct ptrmap *m, const void *key)
{
    return find(m, key);
}

/* Doubles the array, or makes the first one.  The index of an entry is the low bits of
   its hash, so the entries of the old array go to the new one nearly in order, which is
   good for the processor's cache. */
static void
grow(struct ptrmap *m)
{
    struct ptrmap old = *m;
    size_t size = !old.entries ? SMALLEST : (old.mask + 1) * 2;

    m->entries = mem_calloc(size, sizeof *m->entries);
    m->mask = size - 1;
    for (size_t i = 0; old.entries && i <= old.mask; i++)
        if (old.entries[i].key)
            *probe(m, old.entries[i].key) = old.entries[i];
    mem_free(old.entries);
}

void **
ptrmap_slot(struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry;

    if (!key)
        fatal("a map of pointers has no place for NULL");
    /* At most three quarters of the entries are taken. */
    if (!m->entries || m->count >= m->mask - m->mask / 4)
        grow(m);
    entry = probe(m, key);
    if (!entry->key) {
        entry->key = key;
        m->count++;
    }
    return &entry->value;
}

void *
ptrmap_put(struct ptrmap *m, const void *key, void *value)
{
    void **slot = ptrmap_slot(m, key);
    void *old = *slot;

    *slot = value;
    return old;
}

/*
 * Removes entry i.  Entries behind it that probing would no longer reach, because the
 * empty entry ends the search, are moved back one after the other: an entry may fill
 * the gap if the gap is not before the index that its hash gives (home), that is, if
 * the entry is at least as far from home as from the gap.  Distances are counted
 * forwards around the end of the array.
 */
static void
close_gap(struct ptrmap *m, size_t i)
{
    size_t gap = i;

    for (;;) {
        size_t home;

        i = (i + 1) & m->mask;
        if (!m->entries[i].key)
            break;
        home = hash_word((uintptr_t)m->entries[i].key) & m->mask;
        if (((i - home) & m->mask) >= ((i - gap) & m->mask)) {
            m->entries[gap] = m->entries[i];
            gap = i;
        }
    }
    m->entries[gap] = (struct ptrmap_entry){ 0 };
    m->count--;
}

struct ptrmap_entry *
ptrmap_next(const struct ptrmap *m, size_t *cursor)
{
    while (m->entries && *cursor <= m->mask) {
        struct ptrmap_entry *entry = &m->entries[(*cursor)++];

        if (entry->key)
            return entry;
    }
    return NULL;
}

void
ptrmap_retain(struct ptrmap *m, bool (*keep)(struct ptrmap_entry *, void *), void *data)
{
    size_t start = 0, i;

    if (m->count == 0)
        return;
    /*
     * The walk begins behind an empty entry.  So no run of entries wraps around its
     * end, and the entries that close_gap moves were not yet asked for.
     */
    while (m->entries[start].key)
        start++;
    i = start;
    /* All indices but start.  The inner loop asks again at the same index when a later
       entry was moved there. */
    for (size_t steps = 0; steps < m->mask; steps++) {
        i = (i + 1) & m->mask;
        while (m->entries[i].key && !keep(&m->entries[i], data))
            close_gap(m, i);
    }
    /* A large array is not kept for a map that has run empty. */
    if (m->count == 0 && m->mask >= LARGE)
        ptrmap_release(m);
}
