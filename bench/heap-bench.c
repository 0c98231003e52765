/* SPDX-License-Identifier: MIT */
/* bench/heap-bench.c -- the heap alone: nanoseconds per object of what it does. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/os.h"
#include "test/heap-fixture.h"

static int64_t started;

static void
begin(void)
{
    started = os_nanos();
}

static void
report(const char *what, size_t count)
{
    int64_t elapsed = os_nanos() - started;
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    printf("%-42s %8.2f ns  (%zu, %.1f ms, peak %ld MB)\n", what,
           (double)elapsed / (double)count, count, (double)elapsed / 1e6,
           usage.ru_maxrss >> 10);
}

/* As a mutator does: the inline part, then a collection when one is due. */
static struct object *
allocate(struct fixture *f, enum fixture_class class, unsigned size_class)
{
    struct object *o = heap_allocate_small(&f->cache, &f->layouts[class], size_class);

    if (__builtin_expect(o != NULL, 1))
        return o;
    o = heap_allocate(f->heap, &f->cache, &f->layouts[class],
                      heap_cell_size[size_class], false);
    if (o == NULL) {
        fixture_collect(f);
        o = heap_allocate(f->heap, &f->cache, &f->layouts[class],
                          heap_cell_size[size_class], true);
    }
    return o;
}

static struct object *
tree(struct fixture *f, unsigned depth)
{
    struct object *o = fixture_new(f, NODE); /* no collection: it has no root yet */

    if (depth > 0) {
        *fixture_ref(o, 0) = tree(f, depth - 1);
        *fixture_ref(o, 1) = tree(f, depth - 1);
    }
    return o;
}

static void
churn(struct fixture *f, const char *what, enum fixture_class class, size_t count)
{
    unsigned size_class = heap_size_class[f->layouts[class].instance_size / 8];

    begin();
    for (size_t i = 0; i < count; i++)
        allocate(f, class, size_class);
    report(what, count);
}

static void
shuffled_objects(struct fixture *f, int32_t count)
{
    struct object *array = fixture_array(f, REFS, count), **refs = ARRAY_REFS(array);
    uint64_t x = 88172645463325252u;

    f->roots[0] = array;
    for (int32_t i = 0; i < count; i++)
        refs[i] = allocate(f, NODE, 1);
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t k = (int32_t)(x % (uint64_t)(i + 1));
        struct object *o = refs[i];

        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        refs[i] = refs[k];
        refs[k] = o;
    }
}

static bool
count_one(void *context, struct object *o)
{
    *(size_t *)context += object_size(o);
    return true;
}

static void
collect(struct fixture *f, const char *what, size_t count)
{
    fixture_collect(f);        /* the first one may find cold tables */
    begin();
    fixture_collect(f);
    report(what, count);
}

static void
walk(struct fixture *f, const char *what, size_t count)
{
    size_t bytes = 0;

    heap_cache_flush(f->heap, &f->cache);
    begin();
    heap_iterate(f->heap, count_one, &bytes);
    report(what, count);
}

int
main(int argc, char **argv)
{
    int32_t count = argc > 1 ? atoi(argv[1]) : 10000000;
    struct heap_options options = { .maximum = (size_t)4 << 30 };
    struct fixture f;
    struct object *last;

    fixture_init(&f, &options);
    churn(&f, "garbage of 16 bytes", LEAF, 50000000);
    churn(&f, "garbage of 24 bytes", NODE, 50000000);
    churn(&f, "garbage of 512 bytes", BIG, 2000000);

    f.roots[0] = NULL;
    begin();
    f.roots[0] = tree(&f, 22);
    report("a tree of 2^23 objects, built", 1 << 23);
    collect(&f, "  collected", 1 << 23);
    walk(&f, "  walked", 1 << 23);

    f.roots[0] = NULL;
    fixture_collect(&f);
    shuffled_objects(&f, count);
    collect(&f, "an array of objects in random order", (size_t)count);
    walk(&f, "  walked", (size_t)count);
    for (int32_t i = 0; i < count; i += 2)
        ARRAY_REFS(f.roots[0])[i] = NULL;
    fixture_collect(&f);
    churn(&f, "  into the holes of its dead half", NODE, (size_t)count / 2);

    f.roots[0] = NULL;
    fixture_collect(&f);
    last = NULL;
    for (int32_t i = 0; i < count; i++) {
        struct object *o = fixture_new(&f, NODE);

        *fixture_ref(o, 0) = last;
        last = o;
    }
    f.roots[0] = last;
    collect(&f, "a list", (size_t)count);

    f.roots[0] = NULL;
    begin();
    fixture_collect(&f);
    report("all of it dropped", (size_t)count);
    fixture_release(&f);
    return 0;
}
