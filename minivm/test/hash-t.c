/* SPDX-License-Identifier: MIT */
/* minivm/test/hash-t.c -- hash maps and symbols. */

#include "base/hash.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/os.h"
#include "base/symbol.h"
#include "test/tap.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t
next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static const void *
key_of(uint64_t n)
{
    return (const void *)(uintptr_t)((n + 1) * 16);
}

static bool
keep_others(struct ptrmap_entry *entry, void *key)
{
    return entry->key != key;
}

/* The map does what an array indexed by the key would do. */
static void
test_model(void)
{
    enum { KEYS = 700, STEPS = 100000 };
    static void *model[KEYS];
    struct ptrmap m = { 0 };
    size_t count = 0, wrong = 0, seen = 0;
    struct ptrmap_entry *entry;

    for (int step = 0; step < STEPS; step++) {
        uint64_t r = next_random(), k = r % KEYS;
        void *value = (void *)(uintptr_t)(r >> 32 | 1), *old;

        /* Phases of growing and of shrinking. */
        if ((r >> 20) % 8 < (step / 10000 % 2 == 0 ? 5u : 3u)) {
            old = ptrmap_put(&m, key_of(k), value);
            count += model[k] == NULL;
            wrong += old != model[k];
            model[k] = value;
        } else {
            ptrmap_retain(&m, keep_others, (void *)key_of(k));
            count -= model[k] != NULL;
            model[k] = NULL;
        }
        k = (r >> 40) % KEYS;
        wrong += ptrmap_get(&m, key_of(k)) != model[k];
        wrong += ptrmap_has(&m, key_of(k)) != (model[k] != NULL);
        wrong += m.count != count;
    }
    is_int(wrong, 0, "put, get and retain agree with an array");
    for (size_t at = 0; (entry = ptrmap_next(&m, &at)) != NULL; seen++)
        wrong += model[(uintptr_t)entry->key / 16 - 1] != entry->value;
    is_int(seen, count, "every entry is visited once");
    is_int(wrong, 0, "with its value");
    ptrmap_release(&m);
    is_int(m.count, 0, "release empties the map");
}

struct sweep {
    uintptr_t modulus;
    size_t asked;
};

static bool
keep_some(struct ptrmap_entry *entry, void *data)
{
    struct sweep *sweep = data;

    sweep->asked++;
    entry->value = (char *)entry->value + 1;
    return (uintptr_t)entry->key / 16 % sweep->modulus != 0;
}

static bool
keep_none(struct ptrmap_entry *entry, void *data)
{
    (void)entry;
    (void)data;
    return false;
}

static void
test_retain(void)
{
    size_t wrong_count = 0, wrong_value = 0, wrong_asked = 0;

    for (uintptr_t n = 1; n < 400; n++) {
        struct ptrmap m = { 0 };
        struct sweep sweep = { n % 5 + 1, 0 };
        size_t kept = 0;

        for (uintptr_t i = 0; i < n; i++)
            ptrmap_put(&m, key_of(i), (void *)(i + 1));
        ptrmap_retain(&m, keep_some, &sweep);
        for (uintptr_t i = 0; i < n; i++) {
            bool keep = (i + 1) % sweep.modulus != 0;
            uintptr_t want = keep ? i + 2 : 0;

            kept += keep;
            wrong_value += (uintptr_t)ptrmap_get(&m, key_of(i)) != want;
        }
        wrong_count += m.count != kept;
        wrong_asked += sweep.asked != n;
        ptrmap_release(&m);
    }
    is_int(wrong_count, 0, "retain removes what is declined");
    is_int(wrong_value, 0, "and nothing else, with the new values");
    is_int(wrong_asked, 0, "and asks once for each");
}

static void
test_edges(void)
{
    struct ptrmap m = { 0 };
    static char many[2000];
    static int key;

    ok(ptrmap_get(&m, &key) == NULL && !ptrmap_has(&m, &key),
       "an empty map has nothing");
    ok(ptrmap_get(&m, NULL) == NULL, "nor has it NULL");
    ptrmap_put(&m, &key, NULL);
    ok(ptrmap_has(&m, &key) && ptrmap_get(&m, &key) == NULL, "NULL is a value");
    *ptrmap_slot(&m, &key) = &key;
    ok(ptrmap_get(&m, &key) == &key, "a slot is the value's place");
    ok(ptrmap_put(&m, &m, &m) == NULL && ptrmap_get(&m, &m) == &m, "put adds");
    for (size_t i = 0; i < sizeof many; i++)
        ptrmap_put(&m, &many[i], &key);
    is_int(m.mask + 1, 4096, "it grows by powers of two");
    ok(ptrmap_get(&m, &key) == &key && ptrmap_get(&m, &m) == &m, "entries stay");
    ptrmap_retain(&m, keep_none, NULL);
    ok(m.count == 0 && m.entries == NULL, "a large map that runs empty is freed");
    ptrmap_release(&m);
}

static bool
keep_odd(struct ptrmap_entry *entry, void *data)
{
    (void)data;
    return (uintptr_t)entry->value % 2 == 0; /* one more than the key's number */
}

/* A tenfold map costs some tenfold time; a quadratic one would cost hundredfold. */
static void
test_many(void)
{
    enum { MANY = 1000000 };
    double cost[2];

    for (int round = 0; round < 2; round++) {
        size_t n = round == 0 ? MANY / 10 : MANY, wrong = 0;
        struct ptrmap m = { 0 };
        int64_t start = os_thread_cpu_nanos();

        for (size_t i = 0; i < n; i++)
            ptrmap_put(&m, key_of(i), (void *)(i + 1));
        for (size_t i = 0; i < n; i++)
            wrong += ptrmap_get(&m, key_of(i)) != (void *)(i + 1);
        ptrmap_retain(&m, keep_odd, NULL);
        for (size_t i = 0; i < n; i++)
            wrong += ptrmap_has(&m, key_of(i)) != (i % 2 == 1);
        cost[round] = (double)(os_thread_cpu_nanos() - start) / (double)n;
        is_int(wrong, 0, "a map of %zu entries", n);
        ptrmap_release(&m);
    }
    diag("%.0f and %.0f ns per entry", cost[0], cost[1]);
    ok(cost[1] < cost[0] * 10, "ten times the entries cost far less per entry");
}

static void
test_hash(void)
{
    size_t buckets[256] = { 0 }, most = 0, same = 0;
    uint32_t first = hash_bytes("", 0);

    for (int i = 0; i < 25600; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "java/lang/Name%d", i);
        uint32_t hash = hash_bytes(name, (size_t)length);

        if (++buckets[hash & 0xff] > most)
            most = buckets[hash & 0xff];
        same += hash == first;
    }
    ok(most < 160, "similar names spread over the low bits (%zu at most)", most);
    is_int(same, 0, "and differ");
    ok(hash_bytes("ab\0", 3) != hash_bytes("ab", 2), "the length counts");
}

enum { NAMES = 20000, THREADS = 4 };

static const struct symbol *symbols[THREADS][NAMES];

static void *
intern_all(void *data)
{
    size_t self = (size_t)(uintptr_t)data;

    for (size_t i = 0; i < NAMES; i++) {
        size_t n = (i * 7919 + self * 5003) % NAMES;
        char name[32];
        int length = snprintf(name, sizeof name, "symbol number %zu", n);

        symbols[self][n] = symbol_intern(name, (size_t)length);
    }
    return NULL;
}

static void
test_symbols(void)
{
    const struct symbol *s = symbol_of("java/lang/Object"), *longest;
    size_t differ = 0, wrong = 0;
    pthread_t threads[THREADS];
    char *text = mem_alloc(SYMBOL_MAX_LENGTH);

    is_string(s->bytes, "java/lang/Object", "a symbol has its bytes");
    is_int(s->length, 16, "and its length");
    ok(symbol_intern("java/lang/Objects", 16) == s, "equal names are one symbol");
    ok(symbol_of("java/lang/Objects") != s, "others are not");
    ok(symbol_lookup("java/lang/Object", 16) == s, "lookup finds it");
    ok(symbol_lookup("never/Seen", 10) == NULL, "and nothing else");
    is_int(symbol_of("")->length, 0, "the empty name is one");
    ok(symbol_equals(s, "java/lang/Object") && !symbol_equals(s, "java/lang/Objec"),
       "a symbol compares with text");
    memset(text, 'x', SYMBOL_MAX_LENGTH);
    longest = symbol_intern(text, SYMBOL_MAX_LENGTH);
    is_int(longest->length, 65535, "the longest name of a class file");
    ok(symbol_intern(text, SYMBOL_MAX_LENGTH) == longest, "is found again");
    ok(symbol_try_intern("java/lang/Object", 16) == s, "try_intern finds too");
    mem_free(text);

    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, intern_all, (void *)i) != 0)
            return;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t n = 0; n < NAMES; n++) {
        char name[32];

        snprintf(name, sizeof name, "symbol number %zu", n);
        wrong += strcmp(symbols[0][n]->bytes, name) != 0;
        for (int i = 1; i < THREADS; i++)
            differ += symbols[i][n] != symbols[0][n];
    }
    is_int(differ, 0, "threads that intern the same names get the same symbols");
    is_int(wrong, 0, "with the right bytes");
    ok(symbol_of("java/lang/Object") == s, "symbols stay when the table grows");
}

int
main(void)
{
    test_hash();
    test_edges();
    test_model();
    test_retain();
    test_many();
    test_symbols();
    return done_testing();
}
