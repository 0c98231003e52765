/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/ids.c -- jmethodID and jfieldID: index and generation.
 *
 * An id is (generation + 1) << 32 | index.  The index is that of a slot in a table that
 * outlives all classes.  When the class is unloaded, the generation of its slots is
 * counted up, so an old id finds nothing, whatever the slot is used for next.  Slots
 * are written under class_mutex or while the world is stopped.  They are read without a
 * lock, which is safe because the table never moves: its address space is reserved at
 * start.
 */

#include "linking/ids.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "base/span.h"
#include "runtime/vm.h"

/* What the target of a slot is: nothing, a struct method, an obsolete struct
   method_version, or a struct field. */
enum slot_kind { SLOT_FREE, SLOT_METHOD, SLOT_VERSION, SLOT_FIELD };

struct id_slot {
    void *_Atomic target;
    _Atomic uint32_t generation;
    _Atomic uint32_t kind; /* enum slot_kind */
    uint32_t next_free;    /* the index of the next free slot; 0: none */
};

/* The most ids that there can be at a time. */
enum { SLOTS = 1 << 24 };

struct id_table {
    struct span memory; /* of slots */
    uint32_t limit;     /* slots that memory has room for */
    /* How many slots were ever used; slot 0 never is, so that 0 can mean none. */
    _Atomic uint32_t count;
    uint32_t free; /* the index of the first free slot below count; 0: none */
};

/* Where the address space of the process is limited, at most a 32nd part of it is
   taken. */
void
ids_init(struct vm *vm)
{
    vm->ids = mem_calloc(1, sizeof *vm->ids);
    vm->ids->count = 1;
    if (!span_reserve(&vm->ids->memory,
                      os_reservable(SLOTS * sizeof(struct id_slot), 32)))
        out_of_memory("no address space for method and field ids");
    vm->ids->limit = (uint32_t)(vm->ids->memory.reserved / sizeof(struct id_slot));
}

static struct id_slot *
slot_at(struct id_table *t, uint32_t index)
{
    return (struct id_slot *)t->memory.base + index;
}

/* Returns the index of a slot for a new id: a free one if there is any, else the next
   one that was never used.  The caller holds class_mutex.  The process ends when the
   table is full. */
static uint32_t
take_index(struct id_table *t)
{
    uint32_t index = t->free;

    if (index) {
        t->free = slot_at(t, index)->next_free;
        return index;
    }
    index = t->count;
    if (index == t->limit
        || !span_commit(&t->memory, (index + 1) * sizeof(struct id_slot)))
        out_of_memory("no room for more than %u method and field ids", index);
    return t->count++;
}

/* Gives target a slot, unless another thread has done so, and returns its id, which is
   stored in *known.  The slot is complete before the id is: nobody else can know the id
   earlier. */
static uintptr_t
id_new(uintptr_t _Atomic *known, void *target, enum slot_kind kind)
{
    struct vm *vm = the_vm;
    LOCK(&vm->class_mutex);

    if (*known == 0) {
        uint32_t index = take_index(vm->ids);
        struct id_slot *slot = slot_at(vm->ids, index);
        slot->kind = kind;
        slot->target = target;
        *known = ((uintptr_t)slot->generation + 1) << 32 | index;
    }
    return *known;
}

/* Returns the id of target.  *known is the member of target that keeps it; 0 there
   means that it has none yet. */
static inline uintptr_t
id_of(uintptr_t _Atomic *known, void *target, enum slot_kind kind)
{
    uintptr_t id = atomic_load_explicit(known, memory_order_acquire);

    return id ? id : id_new(known, target, kind);
}

/* Returns what id names, or NULL if that is of another kind or nothing any more.  id
   may be any number: agents pass stale and invented ones. */
static void *
target_of(uintptr_t id, enum slot_kind kind)
{
    struct id_table *t = the_vm->ids;
    const struct id_slot *slot;

    if ((uint32_t)id == 0 || (uint32_t)id >= t->count)
        return NULL;
    slot = slot_at(t, (uint32_t)id);
    return slot->kind == kind && slot->generation + 1 == (uint32_t)(id >> 32)
               ? slot->target
               : NULL;
}

uintptr_t
method_id(struct method *m)
{
    return id_of(&m->id, m, SLOT_METHOD);
}

uintptr_t
version_id(struct method_version *version)
{
    if (!version->is_obsolete)
        return method_id(version->method);
    return id_of(&version->id, version, SLOT_VERSION);
}

uintptr_t
field_id(struct field *f)
{
    return id_of(&f->id, f, SLOT_FIELD);
}

struct method_version *
version_of_id(uintptr_t id)
{
    struct method *m = target_of(id, SLOT_METHOD);

    return m ? method_version(m) : target_of(id, SLOT_VERSION);
}

struct method *
method_of_id(uintptr_t id)
{
    struct method_version *version = version_of_id(id);

    return version ? version->method : NULL;
}

struct field *
field_of_id(uintptr_t id)
{
    return target_of(id, SLOT_FIELD);
}

/* Frees the slot of an id, which becomes invalid. */
static void
forget(struct id_table *t, uintptr_t id)
{
    struct id_slot *slot;

    if (id == 0)
        return;
    slot = slot_at(t, (uint32_t)id);
    slot->target = NULL;
    slot->kind = SLOT_FREE;
    slot->generation++;
    slot->next_free = t->free;
    t->free = (uint32_t)id;
}

void
ids_forget_class(struct class *c)
{
    struct id_table *t = the_vm->ids;

    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = class_method(c, i);

        forget(t, m->id);
        for (struct method_version *version = method_version(m); version;
             version = version->previous)
            forget(t, version->id);
    }
    for (uint32_t i = 0; i < c->field_count; i++)
        forget(t, c->fields[i].id);
}
