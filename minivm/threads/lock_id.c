/* SPDX-License-Identifier: MIT */
/* minivm/threads/lock_id.c -- the numbers by which monitors know their owners.
 *
 * There is a table with an entry for each number of the range, which doubles when half
 * of it is in use.  So the next free number is found after two looks on average, and
 * the table takes as much memory as there were threads at once, not as there were ever.
 * An entry is the address of a struct thread, or that of a struct continuation with the
 * lowest bit set. */

#include "threads/lock_id.h"

#include "base/log.h"
#include "base/os.h"
#include "runtime/vm.h"
#include "threads/continuation.h"

/* The first range. */
enum { LIMIT_FIRST = 8191 };

#define IS_CONTINUATION ((uintptr_t)1)
/* The number is not given to another one when its owner has ended. */
#define IS_KEPT ((uintptr_t)2)

static uintptr_t *
entries(const struct vm *vm)
{
    return (uintptr_t *)(void *)vm->lock_ids.owners.base;
}

static uintptr_t
owner_of(const struct vm *vm, uint32_t id)
{
    return id <= vm->lock_ids.limit ? entries(vm)[id] & ~IS_KEPT : 0;
}

/* Doubles the range.  Returns false if it has its full size or there is no memory. */
static bool
extend(struct lock_ids *ids)
{
    uint32_t limit = ids->limit ? ids->limit * 2 + 1 : LIMIT_FIRST;

    if (limit > LOCK_ID_MAX
        || !span_commit(&ids->owners, (limit + 1) * sizeof(uintptr_t)))
        return false;
    ids->limit = limit;
    return true;
}

void
lock_ids_init(struct vm *vm)
{
    struct lock_ids *ids = &vm->lock_ids;

    mutex_init(&ids->mutex);
    if (!span_reserve(&ids->owners, (LOCK_ID_MAX + 1) * sizeof(uintptr_t))
        || !extend(ids))
        out_of_memory("no memory for the numbers of threads");
}

uint32_t
lock_id_take(struct vm *vm, struct thread *t, struct continuation *c)
{
    struct lock_ids *ids = &vm->lock_ids;
    LOCK(&ids->mutex);

    if (ids->used >= ids->limit / 2 && !extend(ids) && ids->used >= ids->limit)
        return 0;
    do
        ids->last = ids->last % ids->limit + 1;
    while (entries(vm)[ids->last]);
    entries(vm)[ids->last] = t ? (uintptr_t)t : (uintptr_t)c | IS_CONTINUATION;
    ids->used++;
    return ids->last;
}

void
lock_id_give(struct vm *vm, uint32_t id)
{
    LOCK(&vm->lock_ids.mutex);

    entries(vm)[id] &= IS_KEPT;
    if (!entries(vm)[id])
        vm->lock_ids.used--;
}

void
lock_id_keep(struct vm *vm, uint32_t id)
{
    LOCK(&vm->lock_ids.mutex);

    entries(vm)[id] |= IS_KEPT;
}

struct continuation *
continuation_of_lock_id(const struct vm *vm, uint32_t id)
{
    uintptr_t owner = owner_of(vm, id);

    return owner & IS_CONTINUATION ? (struct continuation *)(owner & ~IS_CONTINUATION)
                                   : NULL;
}

struct thread *
thread_of_lock_id(const struct vm *vm, uint32_t id)
{
    uintptr_t owner = owner_of(vm, id);

    return owner & IS_CONTINUATION ? continuation_of_lock_id(vm, id)->thread
                                   : (struct thread *)owner;
}

struct object *
object_of_lock_id(const struct vm *vm, uint32_t id)
{
    const struct continuation *c = continuation_of_lock_id(vm, id);
    const struct thread *t = c ? NULL : thread_of_lock_id(vm, id);

    return c ? c->thread_object : t ? t->object : NULL;
}
