/* SPDX-License-Identifier: MIT */
/* minivm/base/symbol.c -- names, each stored once in the process. */

#include "base/symbol.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/mem.h"

typedef _Atomic(const struct symbol *) slot;

/*
 * Readers probe whatever table they found without a lock: slots only ever go
 * from NULL to a symbol, with release order.  A grown table replaces its
 * predecessor, which stays for readers that are still in it; all of those
 * together are as large as the current one.
 */
struct table {
    struct table *previous;
    size_t mask;
    slot slots[];
};

enum { FIRST_SIZE = 8192 };

static _Atomic(struct table *) current;

/* The lock guards everything below and the writing of slots. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena storage;
static size_t count;

/* The slot of the name, or the empty one where it belongs. */
static slot *
probe(struct table *table, const char *bytes, size_t length, uint32_t hash)
{
    for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
        const struct symbol *s = atomic_load_explicit(&table->slots[i],
                                                      memory_order_acquire);

        if (s == NULL
            || (s->hash == hash && s->length == length
                && memcmp(s->bytes, bytes, length) == 0))
            return &table->slots[i];
    }
}

static const struct symbol *
lookup(const char *bytes, size_t length, uint32_t hash)
{
    struct table *table = atomic_load_explicit(&current, memory_order_acquire);

    if (table == NULL)
        return NULL;
    return atomic_load_explicit(probe(table, bytes, length, hash),
                                memory_order_acquire);
}

const struct symbol *
symbol_lookup(const char *bytes, size_t length)
{
    return lookup(bytes, length, hash_bytes(bytes, length));
}

/* A table with room for one more, or NULL; the lock is held. */
static struct table *
table_with_room(bool may_fail)
{
    struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
    size_t size = FIRST_SIZE, bytes;
    struct table *table;

    if (old != NULL) {
        if (count < old->mask - old->mask / 4)
            return old;
        size = (old->mask + 1) * 2;
    }
    bytes = sizeof *table + size * sizeof(slot);
    table = may_fail ? mem_try_calloc(1, bytes) : mem_calloc(1, bytes);
    if (table == NULL)
        return NULL;
    table->previous = old;
    table->mask = size - 1;
    for (size_t i = 0; old != NULL && i <= old->mask; i++) {
        const struct symbol *s = atomic_load_explicit(&old->slots[i],
                                                      memory_order_relaxed);

        if (s != NULL)
            atomic_store_explicit(probe(table, s->bytes, s->length, s->hash), s,
                                  memory_order_relaxed);
    }
    atomic_store_explicit(&current, table, memory_order_release);
    return table;
}

/* The lock is held. */
static const struct symbol *
add(const char *bytes, size_t length, uint32_t hash, bool may_fail)
{
    struct table *table = table_with_room(may_fail);
    size_t size = offsetof(struct symbol, bytes) + length + 1;
    const struct symbol *found;
    struct symbol *fresh;
    slot *place;

    if (table == NULL)
        return NULL;
    place = probe(table, bytes, length, hash);
    found = atomic_load_explicit(place, memory_order_relaxed);
    if (found != NULL)
        return found;
    fresh = may_fail ? arena_try_alloc(&storage, size) : arena_alloc(&storage, size);
    if (fresh == NULL)
        return NULL;
    fresh->hash = hash;
    fresh->length = (uint16_t)length;
    memcpy(fresh->bytes, bytes, length);
    atomic_store_explicit(place, fresh, memory_order_release);
    count++;
    return fresh;
}

static const struct symbol *
intern(const char *bytes, size_t length, bool may_fail)
{
    uint32_t hash = hash_bytes(bytes, length);
    const struct symbol *s = lookup(bytes, length, hash);

    if (s != NULL)
        return s;
    if (length > SYMBOL_MAX_LENGTH)
        fatal("a name of %zu bytes is too long for a symbol", length);
    pthread_mutex_lock(&lock);
    s = add(bytes, length, hash, may_fail);
    pthread_mutex_unlock(&lock);
    return s;
}

const struct symbol *
symbol_intern(const char *bytes, size_t length)
{
    return intern(bytes, length, false);
}

const struct symbol *
symbol_try_intern(const char *bytes, size_t length)
{
    return intern(bytes, length, true);
}

const struct symbol *
symbol_of(const char *text)
{
    return symbol_intern(text, strlen(text));
}
