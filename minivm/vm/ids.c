/* SPDX-License-Identifier: MIT */
/* minivm/vm/ids.c -- jmethodID and jfieldID: index and generation.
 *
 * An id is generation << 32 | index << 1 | kind.  Its slot outlives the class; when
 * the class goes, the slot's generation moves on, so that an old id finds nothing,
 * whatever the slot is used for next.  Slots are written under class_mutex or with
 * the world stopped, and read without a lock: chunks never move. */

#include "base/log.h"
#include "base/mem.h"
#include "vm/registry.h"

enum slot_kind { SLOT_FREE, SLOT_METHOD, SLOT_CODE, SLOT_FIELD };

struct id_slot {
    void *_Atomic target;
    _Atomic uint32_t generation;
    _Atomic uint32_t kind;         /* enum slot_kind */
    uint32_t next_free;
};

enum { CHUNK_SLOTS = 4096, CHUNKS = 1 << 15 };

struct id_table {
    struct id_slot *_Atomic chunks[CHUNKS];
    _Atomic uint32_t count;        /* slot 0 is not used */
    uint32_t free;
};

enum { ID_METHOD = 0, ID_FIELD = 1 };

void
ids_init(struct vm *vm)
{
    vm->ids = mem_calloc(1, sizeof *vm->ids);
    vm->ids->count = 1;
}

static struct id_slot *
slot_at(struct id_table *t, uint32_t index)
{
    return &t->chunks[index / CHUNK_SLOTS][index % CHUNK_SLOTS];
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
    if (index / CHUNK_SLOTS == CHUNKS)
        fatal("more than %u method and field ids", index);
    if (t->chunks[index / CHUNK_SLOTS] == NULL)
        t->chunks[index / CHUNK_SLOTS] =
            mem_calloc(CHUNK_SLOTS, sizeof(struct id_slot));
    return t->count++;
}

/* The id of what *known belongs to; gives it a slot when *known is 0. */
static uintptr_t
id_of(uintptr_t _Atomic *known, void *target, enum slot_kind slot_kind, unsigned kind)
{
    struct vm *vm = the_vm;

    if (*known)
        return *known;
    LOCK(&vm->class_mutex);
    if (*known == 0) {
        uint32_t index = take_index(vm->ids);
        struct id_slot *slot = slot_at(vm->ids, index);
        slot->kind = slot_kind;
        slot->target = target;
        *known = (uintptr_t)slot->generation << 32 | (uintptr_t)index << 1 | kind;
    }
    return *known;
}

/* What id names as a method or a field, and what that is; NULL: nothing any more. */
static void *
target_of(uintptr_t id, unsigned kind, uint32_t *slot_kind)
{
    struct id_table *t = the_vm->ids;
    uint32_t index = (uint32_t)id >> 1;
    const struct id_slot *slot;

    if ((id & 1) != kind || index == 0 || index >= t->count)
        return NULL;
    slot = slot_at(t, index);
    *slot_kind = slot->kind;
    if ((*slot_kind == SLOT_FIELD) != (kind == ID_FIELD)
        || slot->generation != (uint32_t)(id >> 32))
        return NULL;
    return slot->target;
}

uintptr_t
method_id(struct method *m)
{
    return id_of(&m->id, m, SLOT_METHOD, ID_METHOD);
}

uintptr_t
code_id(struct code *code)
{
    if (!code->is_obsolete)
        return method_id(code->method);
    return id_of(&code->id, code, SLOT_CODE, ID_METHOD);
}

uintptr_t
field_id(struct field *f)
{
    return id_of(&f->id, f, SLOT_FIELD, ID_FIELD);
}

struct code *
code_of_id(uintptr_t id)
{
    uint32_t kind;
    void *target = target_of(id, ID_METHOD, &kind);

    return target && kind == SLOT_METHOD ? method_code(target) : target;
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
    uint32_t kind;

    return target_of(id, ID_FIELD, &kind);
}

static void
forget(struct id_table *t, uintptr_t id)
{
    struct id_slot *slot;

    if (id == 0)
        return;
    slot = slot_at(t, (uint32_t)id >> 1);
    slot->target = NULL;
    slot->kind = SLOT_FREE;
    slot->generation++;
    slot->next_free = t->free;
    t->free = (uint32_t)id >> 1;
}

/* The world is stopped. */
void
ids_forget_class(struct class *c)
{
    struct id_table *t = the_vm->ids;

    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];

        forget(t, m->id);
        for (struct code *code = method_code(m); code; code = code->previous)
            forget(t, code->id);
    }
    for (uint32_t i = 0; i < c->field_count; i++)
        forget(t, c->fields[i].id);
}
