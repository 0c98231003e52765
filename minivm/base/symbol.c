/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/symbol.c -- symbols, each stored once in the process.
 *
 * They are kept in a hash table with open addressing, which grows and never shrinks.
 * The variables are global because symbols are compared all over the process, by
 * functions that have no struct vm.
 */

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
 * The hash table.  Readers search the table that they find as the current one, without
 * a lock: a slot changes only once, from NULL to a symbol, with release order.  When
 * the table is too full, a larger one becomes the current one.  The old one is never
 * freed, as readers may still search it; all old ones together are as large as the
 * current one.
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

/*
 * Returns the slot of the name, or the empty one where it would be added.  *found is the
 * symbol, or NULL.  Without the lock only *found may be used: an empty slot may have got
 * another name's symbol by the time it is read again.
 */
static slot *
probe(struct table *table, const char *bytes, size_t length, uint32_t hash,
      const struct symbol **found)
{
    for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
        const struct symbol *s = atomic_load_explicit(&table->slots[i],
                                                      memory_order_acquire);

        *found = s;
        if (!s
            || (s->hash == hash && s->length == length
                && memcmp(s->bytes, bytes, length) == 0))
            return &table->slots[i];
    }
}

/* Returns the symbol of the bytes, whose hash is given, or NULL when there is none.
   Takes no lock. */
static const struct symbol *
lookup(const char *bytes, size_t length, uint32_t hash)
{
    struct table *table = atomic_load_explicit(&current, memory_order_acquire);
    const struct symbol *found;

    if (!table)
        return NULL;
    probe(table, bytes, length, hash, &found);
    return found;
}

const struct symbol *
symbol_lookup(const char *bytes, size_t length)
{
    return lookup(bytes, length, hash_bytes(bytes, length));
}

/* Returns the current table if it has room for one more symbol, else makes a larger one
   current and returns that.  When there is no memory, returns NULL with may_fail and
   else ends the process.  The caller holds the lock.  The new table is stored as the
   current one with release order after it is filled, so readers that find it also find
   its slots. */
static struct table *
table_with_room(bool may_fail)
{
    struct table *old = atomic_load_explicit(&current, memory_order_relaxed);
    size_t size = FIRST_SIZE, bytes;
    struct table *table;

    if (old) {
        if (count < old->mask - old->mask / 4)
            return old;
        size = (old->mask + 1) * 2;
    }
    bytes = sizeof *table + size * sizeof(slot);
    table = may_fail ? mem_try_calloc(1, bytes) : mem_calloc(1, bytes);
    if (!table)
        return NULL;
    table->previous = old;
    table->mask = size - 1;
    for (size_t i = 0; old && i <= old->mask; i++) {
        const struct symbol *s = atomic_load_explicit(&old->slots[i],
                                                      memory_order_relaxed);
        const struct symbol *none;

        if (s)
            atomic_store_explicit(probe(table, s->bytes, s->length, s->hash, &none), s,
                                  memory_order_relaxed);
    }
    atomic_store_explicit(&current, table, memory_order_release);
    return table;
}

/* Returns the symbol of the name, added unless another thread has added it since the
   caller looked without the lock, which it holds now.  may_fail is table_with_room's.
   The slot is stored with release order when the symbol is complete, since readers take
   no lock. */
static const struct symbol *
add(const char *bytes, size_t length, uint32_t hash, bool may_fail)
{
    struct table *table = table_with_room(may_fail);
    size_t size = offsetof(struct symbol, bytes) + length + 1;
    const struct symbol *found;
    struct symbol *fresh;
    slot *at;

    if (!table)
        return NULL;
    at = probe(table, bytes, length, hash, &found);
    if (found)
        return found;
    fresh = may_fail ? arena_try_alloc(&storage, size) : arena_alloc(&storage, size);
    if (!fresh)
        return NULL;
    fresh->hash = hash;
    fresh->length = (uint16_t)length;
    memcpy(fresh->bytes, bytes, length);
    atomic_store_explicit(at, fresh, memory_order_release);
    count++;
    return fresh;
}

/* Returns the symbol of the bytes; most are known already, so it is looked for without
   the lock first.  Without memory for a new one, returns NULL with may_fail and else
   ends the process. */
static const struct symbol *
intern(const char *bytes, size_t length, bool may_fail)
{
    uint32_t hash = hash_bytes(bytes, length);
    const struct symbol *s = lookup(bytes, length, hash);

    if (s)
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
