/* SPDX-License-Identifier: MIT */
/* minivm/heap/reference.c -- java.lang.ref: soft, weak, final, phantom.
 *
 * A Reference is active while its referent is not NULL (a FinalReference: while
 * its next is NULL).  Marking puts each active one whose referent it has not met
 * into a list by kind, linked by the field discovered, whose last member points to
 * itself, and does not follow the referent.  Inactive ones are plain objects. */

#include "base/os.h"
#include "heap/internal.h"

static inline struct object **
field(struct object *o, uint32_t offset)
{
    return object_at(o, offset);
}

void
reference_advance_clock(struct heap *heap)
{
    int64_t now = os_wall_nanos() / 1000000;

    if (now < heap->soft_clock)
        now = heap->soft_clock;
    heap->soft_clock = now;
    if (heap->fields.clock != NULL)
        __atomic_store_n(heap->fields.clock, now, __ATOMIC_RELAXED);
}

/* The clock goes from here on: a reference made before the first collection is new. */
void
heap_set_reference_fields(struct heap *heap, const struct heap_reference_fields *f)
{
    heap->fields = *f;
    reference_advance_clock(heap);
}

/* Softly reachable objects stay as long as they were used lately, measured by the
   collections' own clock, so that an idle program keeps them. */
static bool
keeps_soft(const struct marker *m, struct object *o)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    int64_t clock = f->clock != NULL ? *f->clock : m->heap->soft_clock;

    return !m->clear_soft
           && clock - OBJECT_FIELD(int64_t, o, f->timestamp) <= m->soft_keep;
}

bool
reference_discover(struct marker *m, struct object *o, const struct layout *layout)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    unsigned kind = layout->reference;
    struct object **link = field(o, f->discovered);

    if (kind == REFERENCE_NONE || kind >= REFERENCE_OTHER)
        return false;
    if (kind == REFERENCE_FINAL && *field(o, f->next) != NULL)
        return false;
    if (*link != NULL)
        return true;           /* met again after an overflow of the stack */
    /* What only a finalizable object reaches is strong until that has run. */
    if (!m->discovering || (kind == REFERENCE_SOFT && keeps_soft(m, o)))
        return false;
    *link = m->discovered[kind] != NULL ? m->discovered[kind] : o;
    m->discovered[kind] = o;
    return true;
}

/* Take the first one off a discovered list; NULL when it is empty. */
static struct object *
take_first(struct marker *m, struct object **list)
{
    struct object *o = *list, **link;

    if (o != NULL) {
        link = field(o, m->heap->fields.discovered);
        *list = *link != o ? *link : NULL;
        *link = NULL;
    }
    return o;
}

static void
add_pending(struct heap *heap, struct object *o)
{
    *field(o, heap->fields.discovered) = heap->pending;
    __atomic_store_n(&heap->pending, o, __ATOMIC_RELAXED);
}

/* Soft, weak and phantom ones are cleared before they are enqueued. */
static void
clear_dead(struct marker *m, unsigned kind)
{
    struct object *o, **referent;

    while ((o = take_first(m, &m->discovered[kind])) != NULL) {
        referent = field(o, m->heap->fields.referent);
        if (*referent != NULL && !is_marked(m->heap, *referent)) {
            *referent = NULL;
            add_pending(m->heap, o);
        }
    }
}

/* All objects that are unreachable now become finalizable, also those that others
   among them reach: hence first list, then mark. */
static void
keep_finalizable(struct marker *m)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    struct object *o, *dead = NULL;

    while ((o = take_first(m, &m->discovered[REFERENCE_FINAL])) != NULL)
        if (!is_marked(m->heap, *field(o, f->referent))) {
            *field(o, f->discovered) = dead != NULL ? dead : o;
            dead = o;
        }
    while ((o = take_first(m, &dead)) != NULL) {
        mark_object(m, *field(o, f->referent));
        *field(o, f->next) = o;
        add_pending(m->heap, o);
        mark_drain(m);
    }
}

void
reference_process(struct marker *m)
{
    clear_dead(m, REFERENCE_SOFT);
    clear_dead(m, REFERENCE_WEAK);
    keep_finalizable(m);
    clear_dead(m, REFERENCE_PHANTOM);
}

struct object *
heap_take_pending(struct heap *heap)
{
    return __atomic_exchange_n(&heap->pending, NULL, __ATOMIC_ACQ_REL);
}

bool
heap_has_pending(struct heap *heap)
{
    return __atomic_load_n(&heap->pending, __ATOMIC_RELAXED) != NULL;
}
