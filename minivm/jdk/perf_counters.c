/* SPDX-License-Identifier: MIT */
/* minivm/jdk/perf_counters.c -- the counters that jstat shows.
 *
 * They have the names of a heap with a young and an old generation, since the tools
 * know no other; everything is old here.  They are brought up to date after each
 * collection; what this VM has not stays absent, and jstat prints a dash. */

#include "jdk/perf.h"

enum value {
    ZERO, COLLECTIONS, NANOS, USED, CAPACITY, MAXIMUM, INITIAL, LOADED, UNLOADED
};

static const struct {
    const char *name;
    enum value value;
} rows[] = {
    { "java.cls.loadedClasses", LOADED },
    { "java.cls.sharedLoadedClasses", ZERO },
    { "java.cls.unloadedClasses", UNLOADED },
    { "java.cls.sharedUnloadedClasses", ZERO },
    { "sun.gc.collector.0.invocations", ZERO },
    { "sun.gc.collector.0.time", ZERO },
    { "sun.gc.collector.1.invocations", COLLECTIONS },
    { "sun.gc.collector.1.time", NANOS },
    { "sun.gc.generation.0.capacity", ZERO },
    { "sun.gc.generation.0.maxCapacity", ZERO },
    { "sun.gc.generation.0.minCapacity", ZERO },
    { "sun.gc.generation.0.space.0.capacity", ZERO },
    { "sun.gc.generation.0.space.0.used", ZERO },
    { "sun.gc.generation.0.space.1.capacity", ZERO },
    { "sun.gc.generation.0.space.1.used", ZERO },
    { "sun.gc.generation.0.space.2.capacity", ZERO },
    { "sun.gc.generation.0.space.2.used", ZERO },
    { "sun.gc.generation.1.capacity", CAPACITY },
    { "sun.gc.generation.1.maxCapacity", MAXIMUM },
    { "sun.gc.generation.1.minCapacity", INITIAL },
    { "sun.gc.generation.1.space.0.capacity", CAPACITY },
    { "sun.gc.generation.1.space.0.used", USED },
};

enum { ROWS = sizeof rows / sizeof *rows };

static int64_t *places[ROWS];      /* NULL: no room */

static int64_t
value_of(const struct vm *vm, const struct heap_usage *usage, enum value value)
{
    switch (value) {
    case COLLECTIONS:
        return (int64_t)usage->collections;
    case NANOS:
        return (int64_t)usage->nanoseconds;
    case USED:
        return (int64_t)usage->used;
    case CAPACITY:
        return (int64_t)usage->committed;
    case MAXIMUM:
        return (int64_t)usage->maximum;
    case INITIAL:
        return (int64_t)usage->initial;
    case LOADED:
        return (int64_t)vm->classes_loaded;
    case UNLOADED:
        return (int64_t)vm->classes_unloaded;
    default:
        return 0;
    }
}

static void
update(struct vm *vm)
{
    struct heap_usage usage;

    heap_get_usage(vm->heap, &usage);
    for (int i = 0; i < ROWS; i++)
        if (places[i])
            __atomic_store_n(places[i], value_of(vm, &usage, rows[i].value),
                             __ATOMIC_RELAXED);
}

void
perf_counters_init(struct vm *vm)
{
    for (int i = 0; i < ROWS; i++)
        places[i] = perf_add_variable(rows[i].name);
    vm->after_collection = update;
    update(vm);
}
