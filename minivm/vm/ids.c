/* SPDX-License-Identifier: MIT */
/* minivm/vm/ids.c -- jmethodID and jfieldID: index and generation.
 *
 * An id is generation + 1 << 32 | index.  Its slot outlives the class; when
 * the class goes, the slot's generation moves on, so that an old id finds nothing,
 * whatever the slot is used for next.  Slots are written under class_mutex or with
 * the world stopped, and read without a lock: they never move. */

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "vm/registry.h"

enum slot_kind { SLOT_FREE, SLOT_METHOD, SLOT_CODE, SLOT_FIELD };

struct id_slot {
    void *_Atomic target;
    _Atomic uint32_t generation;
    _Atomic uint32_t kind;         /* enum slot_kind */
    uint32_t next_free;
};

enum { SLOTS = 1 << 24 };

struct id_table {
    struct span memory;            /* of slots */
    uint32_t limit;                /* slots that memory has room for */
    _Atomic uint32_t count;        /* slot 0 is not used */
    uint32_t free;
};

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

/* Gives what *known belongs to a slot. */
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

/* The id of what *known belongs to. */
static inline uintptr_t
id_of(uintptr_t _Atomic *known, void *target, enum slot_kind kind)
{
    uintptr_t id = atomic_load_explicit(known, memory_order_acquire);

    return id ? id : id_new(known, target, kind);
}

/* What id names, if it is of that kind; NULL: nothing any more. */
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
code_id(struct code *code)
{
    if (!code->is_obsolete)
        return method_id(code->method);
    return id_of(&code->id, code, SLOT_CODE);
}

uintptr_t
field_id(struct field *f)
{
    return id_of(&f->id, f, SLOT_FIELD);
}

struct code *
code_of_id(uintptr_t id)
{
    struct method *m = target_of(id, SLOT_METHOD);

    return m ? method_code(m) : target_of(id, SLOT_CODE);
}

struct method *
method_of_id(uintptr_t id)
{
    struct code *code = code_of_id(id);

    return code ? code->method : NULL;
}

struct field *
field_of_id(uintptr_t id)
{
    return target_of(id, SLOT_FIELD);
}

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

/* The world is stopped. */
void
ids_forget_class(struct class *c)
{
    struct id_table *t = the_vm->ids;

    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = class_method(c, i);

        forget(t, m->id);
        for (struct code *code = method_code(m); code; code = code->previous)
            forget(t, code->id);
    }
    for (uint32_t i = 0; i < c->field_count; i++)
        forget(t, c->fields[i].id);
}
