/* SPDX-License-Identifier: MIT */
/* minivm/test/heap-fixture.c -- hand-made classes and roots for tests of the heap. */

#include "test/heap-fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/os.h"

static const struct reference_run node_runs[] = { { 8, 2 } };
static const struct reference_run holder_runs[] = { { 8, 1 } };
static const struct reference_run big_runs[] = { { 504, 1 } };
static const struct reference_run reference_runs[] = { { QUEUE, 2 } };
static const struct reference_run mirror_runs[] = { { 16, 1 } };
static const struct reference_run static_run[] = { { 32, 1 } };

#define RUNS(r) .run_count = 1, .runs = (r)

static const struct layout models[CLASS_COUNT] = {
    [NODE] = { .kind = LAYOUT_INSTANCE, .instance_size = 24, RUNS(node_runs) },
    [LEAF] = { .kind = LAYOUT_INSTANCE, .instance_size = 16 },
    [BYTES] = { .kind = LAYOUT_PRIMITIVE_ARRAY },
    [REFS] = { .kind = LAYOUT_REFERENCE_ARRAY, .element_shift = 3 },
    [LONGS] = { .kind = LAYOUT_PRIMITIVE_ARRAY, .element_shift = 3 },
    [CLASS] = { .kind = LAYOUT_MIRROR, .instance_size = 24, RUNS(mirror_runs) },
    [SOFT] = { .kind = LAYOUT_REFERENCE, .reference = REFERENCE_SOFT,
               .instance_size = 48, RUNS(reference_runs) },
    [WEAK] = { .kind = LAYOUT_REFERENCE, .reference = REFERENCE_WEAK,
               .instance_size = 40, RUNS(reference_runs) },
    [FINAL] = { .kind = LAYOUT_REFERENCE, .reference = REFERENCE_FINAL,
                .instance_size = 40, RUNS(reference_runs) },
    [PHANTOM] = { .kind = LAYOUT_REFERENCE, .reference = REFERENCE_PHANTOM,
                  .instance_size = 40, RUNS(reference_runs) },
    [HOLDER] = { .kind = LAYOUT_INSTANCE, .instance_size = 16, RUNS(holder_runs) },
    [BIG] = { .kind = LAYOUT_INSTANCE, .instance_size = 512, RUNS(big_runs) },
};

/* One fixture at a time: heap_class_edges_fn has no part of its own. */
static struct fixture *current;

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    static const struct root_info info = { .kind = ROOT_OTHER };
    struct fixture *f = part;

    for (int i = 0; i < ROOTS; i++)
        if (f->roots[i] != NULL)
            visit(context, f->roots[i], &info);
}

static void
visit_edges(struct layout *layout, void (*visit)(void *context, struct object *object),
            void *context)
{
    struct object *o = current->edges[layout - current->layouts];

    if (o != NULL)
        visit(context, o);
}

static uint32_t
static_runs(const struct layout *layout, const struct reference_run **runs)
{
    (void)layout;
    *runs = static_run;
    return 1;
}

void
fixture_init(struct fixture *f, const struct heap_options *options)
{
    struct heap_reference_fields fields = {
        REFERENT, QUEUE, NEXT, DISCOVERED, TIMESTAMP, &f->clock
    };
    const char *error;

    *f = (struct fixture){ .heap = heap_new(options, &error) };
    if (f->heap == NULL) {
        printf("Bail out! %s\n", error);
        exit(1);
    }
    f->layouts = os_reserve_low(sizeof models);
    if (f->layouts == NULL || !os_commit(f->layouts, sizeof models)) {
        puts("Bail out! no memory below 4 GiB");
        exit(1);
    }
    for (int i = 0; i < CLASS_COUNT; i++)
        f->layouts[i] = models[i];
    current = f;
    heap_cache_init(f->heap, &f->cache);
    heap_add_part(f->heap, visit_roots, NULL, f);
    heap_set_class_edges(f->heap, visit_edges);
    heap_set_mirrors(f->heap, MIRROR_LAYOUT, static_runs);
    heap_set_reference_fields(f->heap, &fields);
}

void
fixture_release(struct fixture *f)
{
    heap_cache_flush(f->heap, &f->cache);
    heap_free(f->heap);
    os_release(f->layouts, sizeof models);
}

struct object *
fixture_new(struct fixture *f, enum fixture_class class)
{
    struct layout *layout = &f->layouts[class];
    struct object *o = heap_allocate_small(&f->cache, layout,
                                           heap_size_class[layout->instance_size / 8]);

    return o != NULL ? o : heap_allocate(f->heap, &f->cache, layout,
                                         layout->instance_size, true);
}

struct object *
fixture_array(struct fixture *f, enum fixture_class class, int32_t length)
{
    struct layout *layout = &f->layouts[class];
    struct object *o = heap_allocate(f->heap, &f->cache, layout,
                                     array_size(layout, length), true);

    if (o != NULL)
        ((struct array *)o)->length = length;
    return o;
}

struct object *
fixture_reference(struct fixture *f, enum fixture_class class, struct object *referent)
{
    struct object *o = fixture_new(f, class);

    OBJECT_FIELD(struct object *, o, REFERENT) = referent;
    if (class == SOFT)
        OBJECT_FIELD(int64_t, o, TIMESTAMP) = f->clock;
    return o;
}

struct object *
fixture_mirror(struct fixture *f, enum fixture_class class)
{
    struct layout *of = &f->layouts[CLASS];
    struct object *o = heap_allocate_mirror(f->heap, &f->cache, of,
                                            mirror_statics(of) + 16, true);

    OBJECT_FIELD(struct layout *, o, MIRROR_LAYOUT) = &f->layouts[class];
    return o;
}

struct object **
fixture_static(struct object *mirror)
{
    return object_at(mirror, mirror_statics(object_layout(mirror)));
}

void
fixture_collect(struct fixture *f)
{
    heap_cache_flush(f->heap, &f->cache);
    heap_collect(f->heap, false);
}

void
fixture_collect_soft(struct fixture *f)
{
    heap_cache_flush(f->heap, &f->cache);
    heap_collect(f->heap, true);
}

static bool
count_one(void *context, struct object *o)
{
    (void)o;
    ++*(size_t *)context;
    return true;
}

size_t
fixture_count(struct fixture *f)
{
    size_t count = 0;

    heap_cache_flush(f->heap, &f->cache);
    heap_iterate(f->heap, count_one, &count);
    return count;
}
