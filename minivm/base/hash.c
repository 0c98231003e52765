/* SPDX-License-Identifier: MIT */
/* minivm/base/hash.c -- hash functions and open-addressing hash maps. */

#include "base/hash.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"

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

enum { SMALLEST = 8, LARGE = 1024 };

void
ptrmap_release(struct ptrmap *m)
{
    mem_free(m->entries);
    *m = (struct ptrmap){ 0 };
}

/* The key's entry, or the empty one where it belongs; entries must be there. */
static struct ptrmap_entry *
probe(const struct ptrmap *m, const void *key)
{
    size_t i = hash_word((uintptr_t)key) & m->mask;

    while (m->entries[i].key != NULL && m->entries[i].key != key)
        i = (i + 1) & m->mask;
    return &m->entries[i];
}

static struct ptrmap_entry *
find(const struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry;

    if (m->count == 0)
        return NULL;
    entry = probe(m, key);
    return entry->key == NULL ? NULL : entry;
}

void *
ptrmap_get(const struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry = find(m, key);

    return entry == NULL ? NULL : entry->value;
}

bool
ptrmap_has(const struct ptrmap *m, const void *key)
{
    return find(m, key) != NULL;
}

/* Makes the array as large again.  Its size is a power of two and the index of an entry
   the low bits of its hash, so both arrays are walked in order. */
static void
grow(struct ptrmap *m)
{
    struct ptrmap old = *m;
    size_t size = old.entries == NULL ? SMALLEST : (old.mask + 1) * 2;

    m->entries = mem_calloc(size, sizeof *m->entries);
    m->mask = size - 1;
    for (size_t i = 0; old.entries != NULL && i <= old.mask; i++)
        if (old.entries[i].key != NULL)
            *probe(m, old.entries[i].key) = old.entries[i];
    mem_free(old.entries);
}

void **
ptrmap_slot(struct ptrmap *m, const void *key)
{
    struct ptrmap_entry *entry;

    if (key == NULL)
        fatal("a map of pointers has no place for NULL");
    /* At most three quarters of the entries are taken. */
    if (m->entries == NULL || m->count >= m->mask - m->mask / 4)
        grow(m);
    entry = probe(m, key);
    if (entry->key == NULL) {
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
 * Empties entry i and moves those entries back that probing would no longer
 * reach across the gap.
 */
static void
close_gap(struct ptrmap *m, size_t i)
{
    size_t gap = i;

    for (;;) {
        size_t home;

        i = (i + 1) & m->mask;
        if (m->entries[i].key == NULL)
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
    while (m->entries != NULL && *cursor <= m->mask) {
        struct ptrmap_entry *entry = &m->entries[(*cursor)++];

        if (entry->key != NULL)
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
     * Behind an empty entry no run of entries wraps around into the part that
     * has been passed, so what close_gap moves has not been asked yet.
     */
    while (m->entries[start].key != NULL)
        start++;
    i = start;
    for (size_t steps = 0; steps < m->mask; steps++) {
        i = (i + 1) & m->mask;
        while (m->entries[i].key != NULL && !keep(&m->entries[i], data))
            close_gap(m, i);
    }
    /* A large array is not kept for a map that has run empty. */
    if (m->count == 0 && m->mask >= LARGE)
        ptrmap_release(m);
}
