/* SPDX-License-Identifier: MIT */
/* minivm/test/heap-t.c -- allocation, exhaustion, walks, samples. */

#include <pthread.h>

#include "heap/internal.h"
#include "test/heap-fixture.h"
#include "test/tap.h"

#define MB ((size_t)1 << 20)
#define BYTES_OF(cell) ((int32_t)(cell) - ARRAY_BASE)

static struct fixture f;

static void
start(size_t maximum)
{
    fixture_init(&f, &(struct heap_options){ .initial = MB, .maximum = maximum });
}

static struct heap_usage
usage(void)
{
    return heap_get_usage(f.heap);
}

/* The heap's own sum of the memory that it has touched. */
static bool
resident_is_right(void)
{
    size_t sum = 0;

    for (uint32_t i = 0; i < f.heap->top; i++)
        sum += f.heap->blocks[i].dirty_end;
    return sum == f.heap->resident;
}

static bool
is_filled(const struct object *array, int value)
{
    const int8_t *bytes = ARRAY_BYTES(array);

    for (int32_t i = 0; i < array_length(array); i++)
        if (bytes[i] != (int8_t)value)
            return false;
    return true;
}

static void
fill(struct object *array, int value)
{
    memset(array_data(array), value, (size_t)array_length(array));
}

/* ---- sizes ---- */

static void
test_size_classes(void)
{
    bool fits = true, tight = true, ascending = true;

    for (size_t size = 8; size <= HEAP_SMALL_MAX; size += 8) {
        unsigned c = heap_size_class[size / 8];

        fits &= heap_cell_size[c] >= size;
        tight &= c == 0 || heap_cell_size[c - 1] < size;
    }
    for (unsigned i = 1; i < HEAP_SIZE_CLASSES; i++)
        ascending &= heap_cell_size[i] > heap_cell_size[i - 1]
                     && heap_cell_size[i] % 8 == 0;
    ok(fits, "every small size fits its class");
    ok(tight, "and no smaller one");
    ok(ascending, "classes ascend in whole words");
    is_int(heap_cell_size[HEAP_SIZE_CLASSES - 1], MEDIUM_MAX, "the last is the largest");
}

/* Every size once with its neighbours, all alive together, each with its pattern. */
static void
test_every_size(void)
{
    enum { MOST = 4000 };
    static struct object *made[MOST];
    bool zero = true, header = true, exact = true, kept = true;
    size_t count = 0;

    start(512 * MB);
    for (int32_t n = 0; n < 1100; n++)
        made[count++] = fixture_array(&f, BYTES, n);
    for (unsigned i = 0; i < HEAP_SIZE_CLASSES; i++)
        for (int32_t d = -8; d <= 8; d += 8)
            if ((int32_t)heap_cell_size[i] + d > ARRAY_BASE)
                made[count++] = fixture_array(&f, BYTES,
                                              BYTES_OF(heap_cell_size[i]) + d);
    for (int32_t n = 30000; n < 4000000; n += n / 9)
        made[count++] = fixture_array(&f, BYTES, n);
    for (size_t i = 0; i < count; i++) {
        zero &= is_filled(made[i], 0);
        header &= object_layout(made[i]) == &f.layouts[BYTES] && made[i]->lock == 0;
        exact &= heap_is_object(f.heap, made[i])
                 && !heap_is_object(f.heap, (char *)made[i] + 8)
                 && !heap_is_object(f.heap, (char *)made[i] - 8)
                 && !heap_is_object(f.heap, (char *)made[i] + 1);
        fill(made[i], (int)i + 1);
    }
    for (size_t i = 0; i < count; i++)
        kept &= is_filled(made[i], (int)i + 1);
    ok(zero, "new arrays of %zu sizes are zero", count);
    ok(header, "and have their class and no lock");
    ok(exact, "heap_is_object knows them from their neighbours");
    ok(kept, "and none overlaps another");
    is_int(fixture_count(&f), count, "heap_iterate meets each once");
    made[0] = fixture_new(&f, NODE);
    ok(!heap_is_object(f.heap, (char *)made[0] + 24),
       "a cell of the cache is not one yet");
    heap_cache_flush(f.heap, &f.cache);
    ok(!heap_is_object(f.heap, (char *)made[0] + 24), "nor after a flush");
    is_int((char *)fixture_new(&f, NODE) - (char *)made[0], 24, "it is used next");
    ok(!heap_is_object(f.heap, NULL) && !heap_is_object(f.heap, &f)
       && !heap_is_object(f.heap, f.heap->cells.base - 16)
       && !heap_is_object(f.heap, f.heap->cells.base + ((size_t)f.heap->top << 16)),
       "no other address is an object");
    fixture_release(&f);
}

static void
test_object_size(void)
{
    struct object *mirror;

    start(16 * MB);
    mirror = fixture_mirror(&f, LEAF);
    is_int(object_size(fixture_new(&f, NODE)), 24, "an instance has its class's size");
    is_int(object_size(fixture_array(&f, BYTES, 1)), 24, "byte[1] is 24 bytes");
    is_int(object_size(fixture_array(&f, BYTES, 8)), 24, "byte[8] is 24 bytes");
    is_int(object_size(fixture_array(&f, BYTES, 9)), 32, "byte[9] is 32 bytes");
    is_int(object_size(fixture_array(&f, LONGS, 100)), 816, "long[100] is 816 bytes");
    is_int(object_size(mirror), 24 + 8 + 16, "a mirror counts its statics");
    fixture_release(&f);
}

/* ---- the maximum ---- */

static size_t
fill_up(enum fixture_class class, int32_t length)
{
    size_t count = 0;

    while ((class == BYTES ? fixture_array(&f, class, length) : fixture_new(&f, class))
           != NULL)
        count++;
    return count;
}

static void
test_exhaustion(enum fixture_class class, int32_t length, size_t cell, const char *what)
{
    size_t maximum = 8 * MB;

    start(maximum);
    is_int(fill_up(class, length), maximum / cell, "%s fill the maximum exactly", what);
    ok(usage().used <= maximum && usage().committed <= maximum, "and no more is used");
    fixture_collect(&f);
    is_int(usage().used, 0, "a collection frees all of it");
    is_int(fill_up(class, length), maximum / cell, "and all of it can be had again");
    fixture_release(&f);
}

static void
test_trigger(void)
{
    struct object *o;
    size_t count = 0;

    start(64 * MB);
    while ((o = heap_allocate(f.heap, &f.cache, &f.layouts[BIG], 512, false)) != NULL)
        count++;
    ok(count > 16 * MB / 512 && count < 64 * MB / 512,
       "a collection is due before the maximum is used (%zu objects)", count);
    ok(fixture_new(&f, BIG) != NULL, "which force overrides");
    fixture_collect(&f);
    ok(heap_allocate(f.heap, &f.cache, &f.layouts[BIG], 512, false) != NULL,
       "and a collection ends");
    fixture_release(&f);
}

static void
test_too_large(void)
{
    start(16 * MB);
    ok(fixture_array(&f, LONGS, INT32_MAX) == NULL, "long[2^31 - 1] is too large");
    ok(fixture_array(&f, BYTES, 17 * (int32_t)MB) == NULL, "and more than the maximum");
    ok(fixture_array(&f, BYTES, 16 * (int32_t)MB - ARRAY_BASE) != NULL,
       "the maximum itself is not");
    ok(fixture_new(&f, LEAF) == NULL, "but then nothing else fits");
    fixture_release(&f);
}

static void
test_impossible_maximum(void)
{
    const char *error = NULL;

    ok(heap_new(&(struct heap_options){ .maximum = SIZE_MAX / 8 }, &error) == NULL
       && error != NULL, "a maximum beyond the address space is refused");
}

/* ---- reuse ---- */

static void
test_zero_again(void)
{
    static const int32_t lengths[] = { 0, 8, 100, 496, 700, 5000, 30000, 40000,
                                       200000 };
    bool zero = true;
    size_t resident = 0;

    start(64 * MB);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 900; k++) {
            struct object *o = fixture_array(&f, BYTES, lengths[k % 9]);

            zero &= is_filled(o, 0);
            fill(o, 0x5A);
        }
        if (round == 0)
            resident = f.heap->resident;
        fixture_collect(&f);
    }
    ok(zero, "cells that were used before are zero again");
    is_int(f.heap->resident, resident, "and no new memory was taken for them");
    fixture_release(&f);
}

/* Of equal large objects every second one goes; what does not fit into the gaps goes
   elsewhere, and the survivors stay as they are. */
static void
test_large_gaps(void)
{
    enum { COUNT = 40 };
    struct object *o;
    bool kept = true, zero = true;
    uint32_t top;

    start(64 * MB);
    for (int i = 0; i < COUNT; i++) {
        o = fixture_array(&f, BYTES, 3 * 65536 - ARRAY_BASE);
        fill(o, i);
        f.roots[i] = i % 2 == 0 ? o : NULL;
    }
    fixture_collect(&f);
    top = f.heap->top;
    for (int i = 1; i < COUNT; i += 2) {
        f.roots[i] = fixture_array(&f, BYTES, 3 * 65536 - ARRAY_BASE);
        zero &= is_filled(f.roots[i], 0);
        fill(f.roots[i], i);
    }
    is_int(f.heap->top, top, "large objects go into the gaps of others");
    ok(zero, "and are zero there");
    o = fixture_array(&f, BYTES, 4 * 65536);
    ok((char *)o >= block_start(f.heap, top), "a larger one does not");
    top = f.heap->top;
    fixture_collect(&f);
    o = fixture_array(&f, BYTES, 7 * 65536);
    is_int(f.heap->top, top + 3, "what is free at the end of the range is extended");
    for (int i = 0; i < COUNT; i++)
        kept &= is_filled(f.roots[i], i);
    ok(kept, "none overwrites another");
    for (int i = 0; i < COUNT; i++)
        f.roots[i] = NULL;
    fixture_collect(&f);
    o = fixture_array(&f, BYTES, (COUNT * 3 - 1) * 65536);
    is_int(block_index(f.heap, o), 0, "freed neighbours join");
    fixture_release(&f);
}

/* One survivor per block must not keep others from the room around it. */
static void
test_scattered_survivors(void)
{
    size_t maximum = 16 * MB, count = 0, chained = 0;
    struct object *o;

    start(maximum);
    while ((o = fixture_new(&f, NODE)) != NULL)
        if (++count % 2730 == 0) {
            *fixture_ref(o, 0) = f.roots[0];
            f.roots[0] = o;
            chained++;
        }
    fixture_collect(&f);
    is_int(usage().used, chained * 24, "only the survivors count");
    is_int(fill_up(LEAF, 0), (maximum - chained * 24) / 16,
           "another size gets the rest of the maximum");
    fixture_collect(&f);
    is_int(fill_up(NODE, 0), maximum / 24 - chained, "then the first size again");
    fixture_release(&f);
}

/* Without free blocks, larger cells serve. */
static void
test_borrowed_cells(void)
{
    struct object *o;
    bool zero = true;
    size_t count = 0, used;

    start(16 * MB);
    for (int i = 0; i < 4; i++) {
        o = fixture_array(&f, BYTES, BYTES_OF(1056));
        fill(o, 0x5A);
        f.roots[i] = i == 0 ? o : NULL;
    }
    fixture_collect(&f);
    f.heap->limit = f.heap->top;
    ok((o = fixture_array(&f, BYTES, 700)) != NULL && block_index(f.heap, o) == 0,
       "when blocks run out, a medium object uses a larger cell");
    f.roots[2] = o;
    while (count < 60 && (o = fixture_new(&f, NODE)) != NULL) {
        zero &= *fixture_ref(o, 0) == NULL && *fixture_ref(o, 1) == NULL;
        *fixture_ref(o, 0) = f.roots[1];
        f.roots[1] = o;
        count++;
    }
    used = f.heap->used;
    is_int(count, 60, "and so do small ones");
    ok(zero && is_filled(f.roots[0], 0x5A), "as clean as any, beside the others");
    ok(fixture_new(&f, NODE) == NULL && fixture_array(&f, BYTES, 700) == NULL
       && fixture_array(&f, BYTES, 100000) == NULL, "until these run out");
    is_int(f.heap->used, used, "failures use no memory");
    is_int(fixture_count(&f), 62, "they are objects like others");
    fixture_collect(&f);
    is_int(fixture_count(&f), 62, "and survive like others");
    fixture_release(&f);
}

static void
test_memory_returned(void)
{
    size_t high;

    start(512 * MB);
    for (int i = 0; i < 300; i++)
        fill(fixture_array(&f, BYTES, (int32_t)MB), 1);
    high = f.heap->resident;
    fixture_collect(&f);
    ok(high >= 300 * MB && f.heap->resident <= 50 * MB,
       "free memory is given back (%zu MB of %zu)", f.heap->resident / MB, high / MB);
    ok(usage().committed >= usage().used && usage().committed >= MB,
       "what is committed does not fall below -Xms");
    ok(resident_is_right(), "what is resident is right");
    ok(is_filled(fixture_array(&f, BYTES, 300 * (int32_t)MB), 0), "it comes back zero");
    fixture_collect(&f);
    ok(f.heap->resident <= 50 * MB && resident_is_right(), "and goes again");
    fixture_release(&f);
}

/* ---- walks ---- */

struct walk {
    struct object *last;
    size_t count, stop;
    bool ascending;
};

static bool
step(void *context, struct object *o)
{
    struct walk *w = context;

    w->ascending &= o > w->last;
    w->last = o;
    return ++w->count != w->stop;
}

static void
test_iterate(void)
{
    struct walk w = { .ascending = true }, stopped = { .stop = 7 };
    struct object *dead;

    start(64 * MB);
    for (int i = 0; i < 1000; i++)
        f.roots[i % 50] = fixture_new(&f, i % 2 ? NODE : LEAF);
    f.roots[60] = fixture_array(&f, LONGS, 100000);
    dead = fixture_array(&f, LONGS, 100000);
    is_int(fixture_count(&f), 1002, "what became unreachable is met");
    fixture_collect(&f);
    is_int(fixture_count(&f), 51, "what was collected is not");
    ok(!heap_is_object(f.heap, dead), "nor is it an object");
    for (int i = 0; i < 500; i++)
        fixture_new(&f, i % 2 ? NODE : LEAF);
    heap_cache_flush(f.heap, &f.cache);
    heap_iterate(f.heap, step, &w);
    is_int(w.count, 551, "new objects in old blocks are met");
    ok(w.ascending, "in the order of addresses");
    heap_iterate(f.heap, step, &stopped);
    is_int(stopped.count, 7, "until the visitor says stop");
    fixture_release(&f);
}

static void
test_walk_marks(void)
{
    struct heap_marks marks;
    struct object *o[100];
    bool fresh = true, again = false, cleared = true;

    start(16 * MB);
    for (int i = 0; i < 100; i++)
        o[i] = i % 3 ? fixture_new(&f, i % 3 == 1 ? NODE : LEAF)
                     : fixture_array(&f, BYTES, i * 1000);
    ok(heap_walk_begin(f.heap, &marks), "a walk begins");
    for (int i = 0; i < 100; i++)
        fresh &= heap_walk_mark(&marks, o[i]);
    for (int i = 0; i < 100; i++)
        again |= heap_walk_mark(&marks, o[i]);
    heap_walk_end(f.heap);
    ok(fresh && !again, "each object can be marked once");
    heap_walk_begin(f.heap, &marks);
    for (int i = 0; i < 100; i++)
        cleared &= heap_walk_mark(&marks, o[i]);
    heap_walk_end(f.heap);
    ok(cleared, "in each walk");
    fixture_release(&f);
}

/* ---- samples ---- */

static bool
was_sampled(void)
{
    bool sampled = f.cache.sampled;

    f.cache.sampled = false;
    return sampled;
}

static void
test_sample_each(void)
{
    int count = 0;

    start(64 * MB);
    for (int i = 0; i < 1000; i++)
        fixture_new(&f, NODE);
    ok(!was_sampled(), "nothing is sampled at first");
    heap_set_sampling(f.heap, 0);
    heap_cache_flush(f.heap, &f.cache);
    for (int i = 0; i < 100; i++) {
        fixture_new(&f, i % 2 ? NODE : LEAF);
        count += was_sampled();
        fixture_array(&f, BYTES, i * 100);
        count += was_sampled();
    }
    is_int(count, 200, "an interval of 0 samples every allocation");
    heap_set_sampling(f.heap, HEAP_NO_SAMPLING);
    for (int i = 0; i < 10000; i++) {
        fixture_new(&f, i % 2 ? NODE : LEAF);
        count += was_sampled();
    }
    is_int(count, 200, "and none when it is off again");
    fixture_release(&f);
}

/* The expected number is total / interval, and its deviation the square root. */
static void
test_sample_mean(size_t interval)
{
    uint64_t before, total;
    double expected;
    int count = 0, zero_left = 0;

    start(1024 * MB);
    heap_set_sampling(f.heap, interval);
    f.cache.random = 12345;
    heap_cache_flush(f.heap, &f.cache);
    before = heap_cache_allocated(&f.cache);
    for (int i = 0; i < 400000; i++) {
        fixture_new(&f, i % 3 == 0 ? NODE : i % 3 == 1 ? LEAF : SOFT);
        if (was_sampled()) {
            count++;
            zero_left += f.cache.sample_left == 0;
        }
        if (i % 1000 == 0) {
            fixture_array(&f, BYTES, (int32_t)interval / 10);
            count += was_sampled();
        }
    }
    total = heap_cache_allocated(&f.cache) - before;
    expected = (double)total / (double)interval;
    ok((double)count > expected * 0.9 && (double)count < expected * 1.1,
       "%d samples of %llu bytes, one in %zu on average", count,
       (unsigned long long)total, interval);
    ok(zero_left < count / 10 + 2, "at varying distances");
    fixture_release(&f);
}

/* The sample is the allocation that reaches the drawn distance, not one near by. */
static void
test_sample_is_exact(void)
{
    uint64_t due, before;
    bool exact = true;
    int count = 0;

    start(256 * MB);
    heap_set_sampling(f.heap, 3000);
    heap_cache_flush(f.heap, &f.cache);
    fixture_new(&f, LEAF);
    was_sampled();
    due = 0;
    for (int i = 0; i < 100000; i++) {
        before = heap_cache_allocated(&f.cache);
        fixture_new(&f, i % 7 == 0 ? BIG : i % 2 ? NODE : LEAF);
        if (was_sampled()) {
            exact &= due == 0
                     || (before <= due && heap_cache_allocated(&f.cache) > due);
            due = heap_cache_allocated(&f.cache) + (uint64_t)f.cache.sample_left;
            count++;
        } else {
            exact &= due == 0 || heap_cache_allocated(&f.cache) <= due;
        }
    }
    ok(exact && count > 1000, "all of %d samples came when they were due", count);
    fixture_release(&f);
}

static void
test_allocated_bytes(void)
{
    uint64_t before;

    start(64 * MB);
    before = heap_cache_allocated(&f.cache);
    for (int i = 0; i < 1000; i++)
        fixture_new(&f, NODE);
    is_int(heap_cache_allocated(&f.cache) - before, 24000, "bytes are counted exactly");
    fixture_array(&f, BYTES, 100000);
    is_int(heap_cache_allocated(&f.cache) - before, 124016, "those of arrays as well");
    heap_cache_flush(f.heap, &f.cache);
    is_int(heap_cache_allocated(&f.cache) - before, 124016, "a flush changes nothing");
    is_int(usage().used, 24000 + 102400, "unused cells are not used memory");
    fixture_collect(&f);
    is_int(usage().allocated, 24000 + 102400, "nor does a collection forget it");
    is_int(usage().collections, 1, "which is counted");
    fixture_release(&f);
}

/* ---- stress ---- */

static void
test_stress(void)
{
    int due = 0, inlined = 0;

    fixture_init(&f, &(struct heap_options){ .maximum = 64 * MB, .stress = 3 });
    for (int i = 0; i < 300; i++) {
        inlined += heap_allocate_small(&f.cache, &f.layouts[LEAF], 0) != NULL;
        due += heap_stress_due(f.heap);
        fixture_new(&f, LEAF);
    }
    is_int(inlined, 0, "under stress every allocation can be intercepted");
    is_int(due, 100, "and each third one collects");
    fixture_release(&f);
    start(64 * MB);
    ok(!heap_stress_due(f.heap), "without stress none does");
    fixture_release(&f);
}

/* ---- threads ---- */

#define THREADS 4
#define PER_THREAD 60000

struct worker {
    pthread_t thread;
    int id;
    bool intact;
    struct object *made[PER_THREAD];
};

static uint64_t
stamp(const struct worker *w, int i)
{
    return (uint64_t)w->id << 32 | (uint32_t)i;
}

static void *
work(void *context)
{
    static const int32_t sizes[] = { 16, 24, 24, 32, 48, 24, 96, 512, 24, 700, 24, 40,
                                     24, 4000, 24, 32 };
    struct worker *w = context;
    struct heap_cache cache;

    heap_cache_init(f.heap, &cache);
    w->intact = true;
    for (int i = 0; i < PER_THREAD; i++) {
        int32_t length = i % 3001 == 0 ? 70000 : BYTES_OF(sizes[i % 16]) + 8;
        struct object *o = heap_allocate(f.heap, &cache, &f.layouts[BYTES],
                                         array_size(&f.layouts[BYTES], length), true);

        w->made[i] = o;
        w->intact &= array_length(o) == 0 && ARRAY_LONGS(o)[0] == 0;
        ((struct array *)o)->length = length;
        ARRAY_LONGS(o)[0] = (int64_t)stamp(w, i);
        if (i % 10000 == 0)
            heap_cache_flush(f.heap, &cache);
    }
    heap_cache_flush(f.heap, &cache);
    return NULL;
}

static void
test_threads(void)
{
    static struct worker workers[THREADS];
    bool intact = true;

    start(1024 * MB);
    for (int i = 0; i < THREADS; i++) {
        workers[i].id = i + 1;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        intact &= workers[i].intact;
    }
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < PER_THREAD; k++)
            intact &= ARRAY_LONGS(workers[i].made[k])[0]
                      == (int64_t)stamp(&workers[i], k);
    ok(intact, "no cell is handed to two of %d threads", THREADS);
    is_int(fixture_count(&f), THREADS * PER_THREAD, "and none is lost");
    fixture_collect(&f);
    is_int(usage().used, 0, "all can be collected");
    fixture_release(&f);
}

int
main(void)
{
    test_size_classes();
    test_every_size();
    test_object_size();
    test_exhaustion(LEAF, 0, 16, "objects of 16 bytes");
    test_exhaustion(NODE, 0, 24, "objects of 24 bytes");
    test_exhaustion(BIG, 0, 512, "objects of 512 bytes");
    test_exhaustion(BYTES, BYTES_OF(8192), 8192, "arrays of 8 KiB");
    test_exhaustion(BYTES, BYTES_OF(65536), 65536, "arrays of 64 KiB");
    test_exhaustion(BYTES, BYTES_OF(69632), 69632, "arrays of 68 KiB");
    test_trigger();
    test_too_large();
    test_impossible_maximum();
    test_zero_again();
    test_large_gaps();
    test_scattered_survivors();
    test_borrowed_cells();
    test_memory_returned();
    test_iterate();
    test_walk_marks();
    test_sample_each();
    test_sample_mean(1000);
    test_sample_mean(20000);
    test_sample_is_exact();
    test_allocated_bytes();
    test_stress();
    test_threads();
    return done_testing();
}
