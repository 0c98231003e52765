/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/reference.c -- references that do not keep their referent alive.
 *
 * The package java.lang.ref describes soft, weak and phantom references; a fourth kind,
 * java.lang.ref.FinalReference, is how the class library implements finalization: an
 * object whose class has a finalizer gets a Finalizer (a FinalReference to it) when it
 * is constructed.
 *
 * A Reference is active while its referent is not NULL; a FinalReference also needs
 * that its field next is NULL, since it keeps the referent for the finalizer when it is
 * enqueued.  One that is not active is an object like any other.
 *
 * Discovering: when marking scans an active reference whose referent is not marked, it
 * does not follow the referent, which may still be reached in another way.  It puts the
 * reference into a list of its kind.  The lists are linked by the field discovered, and
 * the last member refers to itself, so that the field is not NULL in any member.
 *
 * Processing, when marking is done, goes through the lists in the order of strength:
 *
 *     soft, weak   those whose referent is not marked are cleared and enqueued; which
 *                  soft ones are discovered at all depends on when they were last used
 *     final        those whose referent is not marked are enqueued; then the referent
 *                  and all that it reaches are marked, as the finalizer will use them
 *     phantom      as weak ones, but after finalization has kept what it needs
 *
 * "Enqueued" means here: put into heap->pending, from where the ReferenceHandler thread
 * of the class library moves references to their ReferenceQueue.
 */

#include "base/os.h"
#include "heap/internal.h"

/* Returns the address of a field that holds a reference. */
static inline struct object **
field(struct object *o, uint32_t offset)
{
    return object_at(o, offset);
}

/* The clock never goes back, even if the system's does: ages would be negative. */
void
reference_advance_clock(struct heap *heap)
{
    int64_t now = os_wall_nanos() / 1000000;

    if (now < heap->soft_clock)
        now = heap->soft_clock;
    heap->soft_clock = now;
    if (heap->fields.clock)
        __atomic_store_n(heap->fields.clock, now, __ATOMIC_RELAXED);
}

void
heap_set_reference_fields(struct heap *heap, const struct heap_reference_fields *f)
{
    heap->fields = *f;
    /* Soft references that are made before the first collection get this time, too. */
    reference_advance_clock(heap);
}

/*
 * Returns true if the soft reference was used so recently that this collection must not
 * clear it.  SoftReference.get() sets timestamp to clock, the time of the last
 * collection, so the age of a reference is measured between collections: however long a
 * program was idle, the first collection afterwards keeps what it used before.
 */
static bool
is_recently_used(const struct marker *m, struct object *o)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    int64_t clock = f->clock ? *f->clock : m->heap->soft_clock;

    return !m->clear_soft
           && clock - OBJECT_FIELD(int64_t, o, f->timestamp) <= m->soft_lifetime;
}

bool
reference_discover(struct marker *m, struct object *o, const struct layout *layout)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    unsigned kind = layout->reference;
    struct object **link = field(o, f->discovered);

    if (kind == REFERENCE_NONE || kind >= REFERENCE_OTHER)
        return false;
    if (kind == REFERENCE_FINAL && *field(o, f->next))
        return false;
    /* It is in a list already: it is scanned again after the mark stack overflowed. */
    if (*link)
        return true;
    /* While the lists are processed, what a finalizable object reaches is marked.  All
       references count as strong then, until the finalizer has run. */
    if (!m->discovering || (kind == REFERENCE_SOFT && is_recently_used(m, o)))
        return false;
    *link = m->discovered[kind] ? m->discovered[kind] : o;
    m->discovered[kind] = o;
    return true;
}

/* Removes the first reference from a list of discovered ones; returns NULL when the
   list is empty. */
static struct object *
remove_first(struct marker *m, struct object **list)
{
    struct object *o = *list, **link;

    if (o) {
        link = field(o, m->heap->fields.discovered);
        *list = *link != o ? *link : NULL;
        *link = NULL;
    }
    return o;
}

/* Adds a reference to the list that the ReferenceHandler thread will get. */
static void
add_pending(struct heap *heap, struct object *o)
{
    *field(o, heap->fields.discovered) = heap->pending;
    __atomic_store_n(&heap->pending, o, __ATOMIC_RELAXED);
}

/* Clears and enqueues the soft, weak or phantom references whose referent is dead. */
static void
clear_dead(struct marker *m, unsigned kind)
{
    struct object *o, **referent;

    while ((o = remove_first(m, &m->discovered[kind])) != NULL) {
        referent = field(o, m->heap->fields.referent);
        if (*referent && !is_marked(m->heap, *referent)) {
            *referent = NULL;
            add_pending(m->heap, o);
        }
    }
}

/*
 * Enqueues the final references whose referent is dead, and marks the referents and
 * what they reach.  An object becomes finalizable even if another finalizable object
 * refers to it (JLS 12.6.1), so the dead ones are picked out before the first one is
 * marked.  The field next, which refers to the reference itself then, says that it is
 * no longer active: later collections treat its referent as a plain field.
 */
static void
enqueue_finalizable(struct marker *m)
{
    const struct heap_reference_fields *f = &m->heap->fields;
    struct object *o, *dead = NULL;

    while ((o = remove_first(m, &m->discovered[REFERENCE_FINAL])) != NULL)
        if (!is_marked(m->heap, *field(o, f->referent))) {
            *field(o, f->discovered) = dead ? dead : o;
            dead = o;
        }
    while ((o = remove_first(m, &dead)) != NULL) {
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
    enqueue_finalizable(m);
    clear_dead(m, REFERENCE_PHANTOM);
}

struct object *
heap_get_and_clear_pending(struct heap *heap)
{
    return __atomic_exchange_n(&heap->pending, NULL, __ATOMIC_ACQ_REL);
}

bool
heap_has_pending(struct heap *heap)
{
    return __atomic_load_n(&heap->pending, __ATOMIC_RELAXED);
}
