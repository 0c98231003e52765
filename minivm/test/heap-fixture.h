/* SPDX-License-Identifier: MIT */
/* minivm/test/heap-fixture.h -- hand-made classes and roots for tests of the heap. */
#ifndef MINIVM_TEST_HEAP_FIXTURE_H
#define MINIVM_TEST_HEAP_FIXTURE_H

#include "heap/heap.h"

#define ROOTS 64

/* An object with size - 8 bytes of references. */
enum fixture_class {
    NODE,                      /* 24 bytes: two references */
    LEAF,                      /* 16 bytes: none */
    BYTES,                     /* byte[] */
    REFS,                      /* Object[] */
    LONGS,                     /* long[] */
    CLASS,                     /* java.lang.Class */
    SOFT, WEAK, FINAL, PHANTOM,
    HOLDER,                    /* 16 bytes: one reference; its class has edges */
    BIG,                       /* 512 bytes, the last 8 of them a reference */
    CLASS_COUNT
};

/* Offsets in Reference. */
enum {
    REFERENT = 8, QUEUE = 16, NEXT = 24, DISCOVERED = 32, TIMESTAMP = 40,
    MIRROR_LAYOUT = 8
};

struct fixture {
    struct heap *heap;
    struct heap_cache cache;
    struct layout *layouts;    /* CLASS_COUNT, below 4 GiB */
    struct object *roots[ROOTS];
    struct object *edges[CLASS_COUNT]; /* what a class keeps alive besides */
    int64_t clock;
};

/* Exits the process when there is no heap. */
void fixture_init(struct fixture *f, const struct heap_options *options);
void fixture_release(struct fixture *f);

/* Without a collection; NULL when there is no room. */
struct object *fixture_new(struct fixture *f, enum fixture_class class);
struct object *fixture_array(struct fixture *f, enum fixture_class class,
                             int32_t length);
/* A reference object of class to referent. */
struct object *fixture_reference(struct fixture *f, enum fixture_class class,
                                 struct object *referent);
/* The mirror of class, which may be set as its layout's mirror; one static
   reference behind Class's own fields. */
struct object *fixture_mirror(struct fixture *f, enum fixture_class class);
struct object **fixture_static(struct object *mirror);

/* Flushes the fixture's cache and collects. */
void fixture_collect(struct fixture *f);
void fixture_collect_soft(struct fixture *f);

/* Number of objects that heap_iterate visits. */
size_t fixture_count(struct fixture *f);

static inline struct object **
fixture_ref(struct object *o, unsigned index)
{
    return (struct object **)object_at(o, 8 + 8 * (size_t)index);
}

#endif
