/* SPDX-License-Identifier: MIT */
/* minivm/test/gc-t.c -- what a collection keeps, clears and frees. */

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heap/internal.h"
#include "test/heap-fixture.h"
#include "test/tap.h"

#define MB ((size_t)1 << 20)

static struct fixture f;

static void
start(size_t maximum)
{
    fixture_init(&f, &(struct heap_options){ .maximum = maximum,
                                             .soft_ms_per_mb = 1000 });
}

static struct object *
get(struct object *o, size_t offset)
{
    return OBJECT_FIELD(struct object *, o, offset);
}

static bool
exists(const struct object *o)
{
    return heap_is_object(f.heap, o);
}

/* Whether o is in the pending list; the list stays. */
static bool
is_pending(const struct object *o)
{
    for (struct object *p = f.heap->pending; p != NULL; p = get(p, DISCOVERED))
        if (p == o)
            return true;
    return false;
}

/* What the ReferenceHandler does with the list; its length. */
static int
handle_pending(void)
{
    struct object *o = heap_get_and_clear_pending(f.heap), *next;
    int count = 0;

    for (; o != NULL; o = next, count++) {
        next = get(o, DISCOVERED);
        OBJECT_FIELD(struct object *, o, DISCOVERED) = NULL;
    }
    return count;
}

/* ---- marking ---- */

static void
test_roots_and_cycles(void)
{
    struct object *a, *b, *c, *d;

    start(16 * MB);
    a = fixture_new(&f, NODE);
    b = fixture_new(&f, NODE);
    c = fixture_new(&f, NODE);
    d = fixture_new(&f, NODE);
    *fixture_ref(a, 0) = b;
    *fixture_ref(b, 1) = a;
    *fixture_ref(c, 0) = d;
    *fixture_ref(d, 0) = c;
    *fixture_ref(d, 1) = a;
    f.roots[3] = a;
    fixture_collect(&f);
    ok(exists(a) && exists(b), "what a root reaches survives");
    ok(!exists(c) && !exists(d), "a cycle that none reaches does not");
    is_int(fixture_count(&f), 2, "nothing else is left");
    ok(*fixture_ref(a, 0) == b && *fixture_ref(b, 1) == a, "fields are as they were");
    f.roots[3] = NULL;
    fixture_collect(&f);
    is_int(fixture_count(&f), 0, "without roots nothing is");
    fixture_release(&f);
}

static void
test_deep_list(size_t length)
{
    struct object *last = NULL;
    size_t count = 0;

    start(1024 * MB);
    for (size_t i = 0; i < length; i++) {
        struct object *o = fixture_new(&f, NODE);

        if (i % 2 == 0) {
            *fixture_ref(o, i % 3 == 0) = last;
            last = o;
        }
    }
    f.roots[0] = last;
    fixture_collect(&f);
    for (struct object *o = last; o != NULL; count++)
        o = *fixture_ref(o, 0) != NULL ? *fixture_ref(o, 0) : *fixture_ref(o, 1);
    is_int(count, length / 2, "a list of %zu objects is whole", length / 2);
    is_int(fixture_count(&f), length / 2, "the same number beside it is gone");
    ok(f.heap->mark_capacity <= 8192, "marking it takes no deep stack");
    fixture_release(&f);
}

static struct object *
wide_array(int32_t length)
{
    struct object *array = fixture_array(&f, REFS, length);

    f.roots[0] = array;
    for (int32_t i = 0; i < length; i++)
        if (i % 5 != 4) {
            struct object *o = fixture_new(&f, NODE);

            *fixture_ref(o, 0) = fixture_new(&f, LEAF);
            *fixture_ref(o, 1) = i % 2 ? array : o;
            ARRAY_REFS(array)[i] = o;
        }
    return array;
}

static void
test_wide_array(void)
{
    start(256 * MB);
    wide_array(1000000);
    fixture_collect(&f);
    is_int(fixture_count(&f), 1600001, "a wide array keeps all that it holds");
    ok(f.heap->mark_capacity <= 8192, "marking it takes no large stack");
    fixture_release(&f);
}

static struct object *
tree(unsigned depth)
{
    struct object *o = fixture_new(&f, NODE);

    if (depth > 0) {
        *fixture_ref(o, 0) = tree(depth - 1);
        *fixture_ref(o, 1) = tree(depth - 1);
    }
    return o;
}

/* With no memory for the stack, marking goes over the heap instead. */
static void
test_no_stack(void)
{
    struct object *weak;
    int cleared = 0;

    start(64 * MB);
    f.heap->mark_capacity = 4;
    f.heap->mark_limit = 4;
    wide_array(2000);
    f.roots[1] = tree(12);
    for (int i = 0; i < 1000; i++)
        fixture_new(&f, NODE);
    for (int i = 2; i < 40; i++)
        f.roots[i] = fixture_new(&f, HOLDER);
    weak = fixture_reference(&f, WEAK, *fixture_ref(f.roots[1], 0));
    *fixture_ref(f.roots[2], 0) = weak;
    for (int i = 3; i < 40; i++)
        *fixture_ref(f.roots[i], 0)
            = fixture_reference(&f, WEAK, fixture_new(&f, LEAF));
    for (int i = 0; i < 3; i++) {
        fixture_collect(&f);
        is_int(fixture_count(&f), 1 + 1600 * 2 + 8191 + 38 * 2,
               "a full mark stack loses nothing (%d)", i + 1);
    }
    ok(get(weak, REFERENT) == *fixture_ref(f.roots[1], 0), "nor a weak referent");
    for (int i = 3; i < 40; i++)
        cleared += get(*fixture_ref(f.roots[i], 0), REFERENT) == NULL;
    is_int(cleared, 37, "and finds those that died");
    is_int(handle_pending(), 37, "each once");
    fixture_release(&f);
}

/* ---- classes ---- */

static const struct layout *asked_class;
static bool class_was_live;
static const struct object *asked;
static bool was_live;

static void
weak_part(void *part, struct heap *heap)
{
    ++*(int *)part;
    class_was_live = asked_class != NULL && asked_class->mark_epoch == heap->epoch;
    was_live = asked != NULL && heap_is_live(heap, asked);
}

static bool
class_lives(enum fixture_class class)
{
    asked_class = &f.layouts[class];
    fixture_collect(&f);
    return class_was_live;
}

static void
test_classes(void)
{
    struct object *mirror, *held;
    int calls = 0;

    start(16 * MB);
    heap_add_part(f.heap, NULL, weak_part, &calls);
    mirror = fixture_mirror(&f, HOLDER);
    f.layouts[HOLDER].mirror = mirror;
    *fixture_static(mirror) = fixture_new(&f, LEAF);
    held = fixture_new(&f, LEAF);
    f.edges[HOLDER] = held;

    f.roots[0] = fixture_new(&f, HOLDER);
    ok(class_lives(HOLDER), "an instance keeps its class");
    is_int(calls, 1, "weak parts are asked in each collection");
    ok(exists(mirror), "and so its mirror");
    ok(exists(*fixture_static(mirror)), "its statics");
    ok(exists(held), "and what the class refers to");

    f.roots[0] = mirror;
    ok(class_lives(HOLDER), "a mirror keeps its class");
    ok(exists(*fixture_static(mirror)) && exists(held), "and all of that");

    f.roots[0] = NULL;
    ok(!class_lives(HOLDER), "without instances and mirror a class dies");
    is_int(fixture_count(&f), 0, "with all of it");

    f.edges[HOLDER] = NULL;
    f.layouts[HOLDER].mirror = NULL;
    f.roots[0] = fixture_mirror(&f, HOLDER);
    OBJECT_FIELD(struct layout *, f.roots[0], MIRROR_LAYOUT) = NULL;
    fixture_collect(&f);
    ok(exists(f.roots[0]), "a mirror without a class is an object like others");
    fixture_release(&f);
}

/* ---- java.lang.ref ---- */

static void
test_weak(void)
{
    struct object *strong, *weak, *dead, *lost;

    start(16 * MB);
    strong = fixture_new(&f, LEAF);
    dead = fixture_new(&f, LEAF);
    f.roots[0] = strong;
    f.roots[1] = weak = fixture_reference(&f, WEAK, strong);
    f.roots[2] = fixture_reference(&f, WEAK, dead);
    lost = fixture_reference(&f, WEAK, fixture_new(&f, LEAF));
    OBJECT_FIELD(struct object *, f.roots[2], QUEUE) = fixture_new(&f, LEAF);
    fixture_collect(&f);
    ok(get(weak, REFERENT) == strong, "a weak reference to a reachable object stays");
    ok(!is_pending(weak) && get(weak, DISCOVERED) == NULL, "and active");
    ok(get(f.roots[2], REFERENT) == NULL && !exists(dead), "the other is cleared");
    ok(is_pending(f.roots[2]), "and enqueued");
    ok(exists(get(f.roots[2], QUEUE)), "its queue stays");
    ok(!exists(lost) && !is_pending(lost), "one that is unreachable itself just goes");
    ok(heap_has_pending(f.heap), "the handler has work");
    is_int(handle_pending(), 1, "one reference of it");
    ok(!heap_has_pending(f.heap) && heap_get_and_clear_pending(f.heap) == NULL, "and no more");
    fixture_collect(&f);
    ok(!heap_has_pending(f.heap), "a cleared one is not enqueued again");
    fixture_release(&f);
}

static void
test_pending_list_grows(void)
{
    struct object *first, *second;

    start(16 * MB);
    first = fixture_reference(&f, WEAK, fixture_new(&f, LEAF));
    second = fixture_reference(&f, WEAK, fixture_new(&f, LEAF));
    f.roots[0] = first;
    f.roots[1] = second;
    f.roots[2] = get(second, REFERENT);
    fixture_collect(&f);
    f.roots[0] = f.roots[2] = NULL;
    fixture_collect(&f);
    ok(exists(first), "the pending list keeps its members");
    ok(is_pending(first) && is_pending(second), "and later ones join it");
    is_int(handle_pending(), 2, "both are handed out");
    fixture_release(&f);
}

static void
test_soft(void)
{
    struct object *soft, *referent;
    int64_t now;

    start(16 * MB);            /* 16 free megabytes: 16 seconds */
    fixture_collect(&f);
    now = f.clock;
    ok(now > 1500000000000, "a collection sets the clock to the time in ms");
    referent = fixture_new(&f, NODE);
    *fixture_ref(referent, 0) = fixture_new(&f, LEAF);
    f.roots[0] = soft = fixture_reference(&f, SOFT, referent);
    OBJECT_FIELD(int64_t, soft, TIMESTAMP) = now - 14000;
    fixture_collect(&f);
    ok(get(soft, REFERENT) == referent && exists(*fixture_ref(referent, 0)),
       "a soft reference that was used lately stays, with all behind it");
    OBJECT_FIELD(int64_t, soft, TIMESTAMP) = f.clock - 17000;
    fixture_collect(&f);
    ok(get(soft, REFERENT) == NULL && !exists(referent), "one that was not is cleared");
    ok(is_pending(soft), "and enqueued");
    handle_pending();

    referent = fixture_new(&f, NODE);
    f.roots[0] = soft = fixture_reference(&f, SOFT, referent);
    f.roots[1] = fixture_reference(&f, SOFT, referent);
    f.roots[2] = fixture_reference(&f, SOFT, f.roots[0]);
    fixture_collect_soft(&f);
    ok(get(soft, REFERENT) == NULL && get(f.roots[1], REFERENT) == NULL,
       "before memory runs out all are cleared");
    ok(get(f.roots[2], REFERENT) == soft, "unless the referent is reachable anyway");
    is_int(handle_pending(), 2, "each is enqueued");

    f.roots[1] = f.roots[2] = NULL;
    referent = fixture_new(&f, NODE);
    f.roots[0] = fixture_reference(&f, WEAK, referent);
    f.roots[1] = fixture_reference(&f, SOFT, referent);
    fixture_collect(&f);
    ok(get(f.roots[0], REFERENT) == referent, "a soft reference keeps weak ones");
    fixture_release(&f);
}

static void
test_soft_pressure(void)
{
    struct object *soft;

    start(16 * MB);
    f.roots[1] = fixture_array(&f, BYTES, 12 * (int32_t)MB);
    fixture_collect(&f);
    f.roots[0] = soft = fixture_reference(&f, SOFT, fixture_new(&f, LEAF));
    OBJECT_FIELD(int64_t, soft, TIMESTAMP) = f.clock - 6000;
    fixture_collect(&f);
    ok(get(soft, REFERENT) == NULL, "with less memory free the same age is too old");
    fixture_release(&f);
}

static void
test_final(void)
{
    struct object *o, *inner, *final, *weak;

    start(16 * MB);
    o = fixture_new(&f, NODE);
    inner = fixture_new(&f, LEAF);
    *fixture_ref(o, 0) = inner;
    f.roots[0] = final = fixture_reference(&f, FINAL, o);
    f.roots[1] = o;
    fixture_collect(&f);
    ok(get(final, NEXT) == NULL && !heap_has_pending(f.heap),
       "a reachable object is not finalized");

    f.roots[1] = NULL;
    f.roots[2] = weak = fixture_reference(&f, WEAK, o);
    fixture_collect(&f);
    ok(get(final, REFERENT) == o && exists(inner), "finalization keeps what it needs");
    ok(is_pending(final) && get(final, NEXT) == final,
       "and makes the reference inactive");
    ok(get(weak, REFERENT) == NULL && is_pending(weak), "weak references go before it");
    handle_pending();
    fixture_collect(&f);
    ok(exists(o) && !heap_has_pending(f.heap), "an inactive one is a plain object");
    OBJECT_FIELD(struct object *, final, REFERENT) = NULL;
    fixture_collect(&f);
    ok(!exists(o) && !exists(inner), "that can let go");
    fixture_release(&f);
}

static void
test_final_chain(void)
{
    struct object *outer, *inner, *weak;

    start(16 * MB);
    outer = fixture_new(&f, NODE);
    inner = fixture_new(&f, NODE);
    weak = fixture_reference(&f, WEAK, fixture_new(&f, LEAF));
    *fixture_ref(outer, 0) = inner;
    *fixture_ref(outer, 1) = weak;
    *fixture_ref(inner, 0) = outer;
    f.roots[0] = fixture_reference(&f, FINAL, outer);
    f.roots[1] = fixture_reference(&f, FINAL, inner);
    fixture_collect(&f);
    ok(is_pending(f.roots[0]) && is_pending(f.roots[1]),
       "objects that reach each other are finalized together");
    ok(get(weak, REFERENT) != NULL && exists(get(weak, REFERENT)),
       "references that only they reach still work");
    handle_pending();
    fixture_release(&f);
}

static void
test_phantom(void)
{
    struct object *o, *final, *phantom;

    start(16 * MB);
    o = fixture_new(&f, LEAF);
    f.roots[0] = phantom = fixture_reference(&f, PHANTOM, o);
    f.roots[1] = final = fixture_reference(&f, FINAL, o);
    fixture_collect(&f);
    ok(get(phantom, REFERENT) == o && !is_pending(phantom),
       "a phantom reference waits for finalization");
    handle_pending();
    OBJECT_FIELD(struct object *, final, REFERENT) = NULL;
    fixture_collect(&f);
    ok(get(phantom, REFERENT) == NULL && is_pending(phantom), "and is enqueued then");
    ok(!exists(o), "when the object goes");
    fixture_release(&f);
}

static void
test_weak_parts_come_last(void)
{
    struct object *o;
    int calls = 0;

    start(16 * MB);
    heap_add_part(f.heap, NULL, weak_part, &calls);
    asked_class = NULL;
    asked = o = fixture_new(&f, LEAF);
    f.roots[0] = fixture_reference(&f, FINAL, o);
    fixture_collect(&f);
    ok(was_live, "weak tables see a finalizable object alive");
    OBJECT_FIELD(struct object *, f.roots[0], REFERENT) = NULL;
    fixture_collect(&f);
    ok(!was_live && !heap_is_live(f.heap, o), "and a dead one dead");
    ok(heap_is_live(f.heap, f.roots[0]), "also after the collection");
    fixture_release(&f);
}

/* ---- against a model ---- */

#define MODEL_OBJECTS 6000

struct model {
    struct object *o;
    enum fixture_class class;
    bool reached;
};

static struct model model[MODEL_OBJECTS];
static size_t model_count;
static uint64_t seed;

static uint32_t
random_below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % n;
}

static struct model *
model_of(const struct object *o)
{
    for (size_t i = 0; i < model_count; i++)
        if (model[i].o == o)
            return &model[i];
    return NULL;
}

static void
model_add(void)
{
    static const enum fixture_class classes[] = { NODE, NODE, LEAF, BYTES, REFS, BIG,
                                                  HOLDER };
    enum fixture_class class = classes[random_below(7)];
    int32_t length = (int32_t)random_below(random_below(50) == 0 ? 20000 : 300);
    bool is_array = class == BYTES || class == REFS;
    struct object *o = is_array ? fixture_array(&f, class, length)
                                : fixture_new(&f, class);

    model[model_count++] = (struct model){ .o = o, .class = class };
}

/* The references of m: their number, and in *refs where they begin. */
static uint32_t
model_refs(const struct model *m, struct object ***refs)
{
    switch (m->class) {
    case NODE: *refs = fixture_ref(m->o, 0); return 2;
    case HOLDER: *refs = fixture_ref(m->o, 0); return 1;
    case BIG: *refs = fixture_ref(m->o, 62); return 1;
    case REFS: *refs = ARRAY_REFS(m->o); return (uint32_t)array_length(m->o);
    default: return 0;
    }
}

static void
model_link(void)
{
    struct model *from = &model[random_below((uint32_t)model_count)];
    struct object **refs, *to = model[random_below((uint32_t)model_count)].o;
    uint32_t count = model_refs(from, &refs);

    if (count > 0)
        refs[random_below(count)] = random_below(8) == 0 ? NULL : to;
}

static void
model_reach(struct object *o)
{
    static struct model *queue[MODEL_OBJECTS];
    struct model *m = model_of(o);
    size_t head = 0, tail = 0;

    if (m->reached)
        return;
    m->reached = true;
    queue[tail++] = m;
    while (head < tail) {
        struct object **refs;
        uint32_t count = model_refs(queue[head++], &refs);

        for (uint32_t i = 0; i < count; i++)
            if (refs[i] != NULL && !(m = model_of(refs[i]))->reached) {
                m->reached = true;
                queue[tail++] = m;
            }
    }
}

/* Forget what is unreachable; false when the heap did not agree. */
static bool
model_sweep(void)
{
    size_t kept = 0;
    bool agrees = true;

    for (size_t i = 0; i < model_count; i++) {
        agrees &= exists(model[i].o) == model[i].reached;
        if (model[i].reached) {
            model[i].reached = false;
            model[kept++] = model[i];
        }
    }
    model_count = kept;
    return agrees && fixture_count(&f) == kept;
}

static void
test_model(const struct heap_options *options, const char *what)
{
    bool agrees = true;
    int rounds = 0;

    fixture_init(&f, options);
    model_count = 0;
    seed = 88172645463325252u;
    for (; rounds < 60 && agrees; rounds++) {
        for (int i = 0; i < 800 && model_count < MODEL_OBJECTS; i++)
            model_add();
        for (int i = 0; i < 1500; i++)
            model_link();
        for (int i = 0; i < 5; i++)
            f.roots[random_below(ROOTS)]
                = random_below(3) ? model[random_below((uint32_t)model_count)].o : NULL;
        for (int i = 0; i < ROOTS; i++)
            if (f.roots[i] != NULL)
                model_reach(f.roots[i]);
        fixture_collect(&f);
        agrees = model_sweep();
    }
    ok(agrees, "%s: %d collections of random graphs agree with a model", what, rounds);
    fixture_release(&f);
}

/* ---- stale references ---- */

/* In a child process: how what ended, as wait reports it. */
static int
end_of(void (*what)(void))
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        fclose(stderr);
        what();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void
follow_stale(void)
{
    struct object *stale = fixture_new(&f, NODE);

    fixture_collect(&f);
    f.roots[0] = stale;
    fixture_collect(&f);
}

static void
keep_cache(void)
{
    fixture_new(&f, NODE);
    heap_collect(f.heap, false);
}

static bool
was_aborted(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
test_poison(void)
{
    struct object *array, *large;
    int status;

    fixture_init(&f, &(struct heap_options){ .maximum = 16 * MB, .poison = true });
    array = fixture_array(&f, BYTES, 100);
    large = fixture_array(&f, BYTES, 100000);
    f.roots[0] = fixture_array(&f, BYTES, 100);
    fixture_collect(&f);
    heap_asan_unpoison(array, 116);
    ok(array->layout_ref == POISON_REF && ARRAY_BYTES(array)[99] == (int8_t)POISON_BYTE,
       "under poison a freed cell is overwritten at once");
    heap_asan_poison(array, 116);
    heap_asan_unpoison(large, 16);
    ok(large->layout_ref == POISON_REF, "a large object as well");
    heap_asan_poison(large, 16);
    f.roots[0] = NULL;
    /* The address sanitizer reports the access before we do. */
    status = end_of(follow_stale);
    ok(was_aborted(status) || (HEAP_ASAN && WIFEXITED(status) && WEXITSTATUS(status)),
       "and a stale reference ends the process");
    fixture_release(&f);
    start(16 * MB);
    ok(was_aborted(end_of(keep_cache)), "as does a cache that was not flushed");
    fixture_release(&f);
}

static bool
is_fixture_layout(const struct layout *layout)
{
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        if (layout == &f.layouts[i])
            return true;
    return false;
}

static void
check(void)
{
    heap_check(f.heap, "test", is_fixture_layout);
}

/* Some of everything, with a collection behind it; the process would end if the check
   found something wrong there. */
static void
fill_for_check(void)
{
    start(16 * MB);
    f.roots[0] = fixture_new(&f, NODE);
    *fixture_ref(f.roots[0], 0) = fixture_array(&f, REFS, 10);
    f.roots[1] = fixture_array(&f, BYTES, 200000);
    f.roots[2] = fixture_reference(&f, WEAK, f.roots[0]);
    fixture_new(&f, BIG);
    fixture_collect(&f);
    fixture_new(&f, LEAF);
    heap_cache_flush(f.heap, &f.cache);
    check();
}

static void
point_into_object(void)
{
    *fixture_ref(f.roots[0], 1) = object_at(f.roots[0], 8);
    check();
}

static void
point_from_array(void)
{
    ARRAY_REFS(*fixture_ref(f.roots[0], 0))[9] = (struct object *)f.heap;
    check();
}

static void
point_by_referent(void)
{
    OBJECT_FIELD(struct object *, f.roots[2], REFERENT) = object_at(f.roots[1], 4096);
    check();
}

static void
break_layout(void)
{
    f.roots[0]->layout_ref += 8;
    check();
}

static void
break_length(void)
{
    ((struct array *)*fixture_ref(f.roots[0], 0))->length = 100;
    check();
}

static void
break_cursor(void)
{
    f.heap->blocks[block_index(f.heap, f.roots[0])].cursor += 4;
    check();
}

static void
break_free_bits(void)
{
    f.heap->free_bits[0] ^= 1;
    check();
}

static void
break_list(void)
{
    const struct block *b = &f.heap->blocks[block_index(f.heap, f.roots[0])];

    f.heap->lists[b->size_class + 1].first = block_index(f.heap, f.roots[0]);
    check();
}

static void
break_large(void)
{
    f.heap->blocks[block_index(f.heap, f.roots[1]) + 1].state = BLOCK_FREE;
    check();
}

static void
break_sum(void)
{
    f.heap->used = 16;
    check();
}

/* Each promise of the heap, broken: the check ends the process. */
static void
test_check(void)
{
    static const struct { void (*break_it)(void); const char *name; } rows[] = {
        { point_into_object, "a field that refers into an object" },
        { point_from_array, "an element that refers to something else" },
        { point_by_referent, "a referent inside a large object" },
        { break_layout, "an object without a class" },
        { break_length, "an array that is larger than its cell" },
        { break_cursor, "a cursor inside a cell" },
        { break_free_bits, "a free block that is in use" },
        { break_list, "a block in the list of another size" },
        { break_large, "a large object with a hole" },
        { break_sum, "more objects than bytes in use" }
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fill_for_check();
        ok(was_aborted(end_of(rows[i].break_it)), "the check finds %s", rows[i].name);
        fixture_release(&f);
    }
}

int
main(void)
{
    test_roots_and_cycles();
    test_deep_list(HEAP_ASAN ? 2000000 : 20000000);
    test_wide_array();
    test_no_stack();
    test_classes();
    test_weak();
    test_pending_list_grows();
    test_soft();
    test_soft_pressure();
    test_final();
    test_final_chain();
    test_phantom();
    test_weak_parts_come_last();
    test_model(&(struct heap_options){ .maximum = 512 * MB }, "plain");
    test_model(&(struct heap_options){ .maximum = 512 * MB, .poison = true }, "poison");
    test_model(&(struct heap_options){ .maximum = 512 * MB, .stress = 1 }, "stress");
    test_poison();
    test_check();
    return done_testing();
}
