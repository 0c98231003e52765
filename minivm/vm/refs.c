/* SPDX-License-Identifier: MIT */
/* minivm/vm/refs.c -- local, global and weak references.
 *
 * A deleted slot holds a link to the next deleted one, shifted left with its low
 * bit set; objects are aligned, so the collector tells them apart. */

#include "vm/refs.h"

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/vm.h"

enum { FIRST_CHUNK_SLOTS = 253 };

/* Each has twice the slots of the one before, so there are few: a reference is looked for
   in all when it is deleted. */
struct ref_chunk {
    struct ref_chunk *previous;    /* full */
    struct ref_chunk *spare;       /* kept for the next time */
    uint32_t capacity;
    struct object *slots[];
};

struct jni_globals {
    struct mutex mutex;
    struct ref_mark strong, weak;
};

static bool
is_link(const struct object *value)
{
    return ((uintptr_t)value & 1) != 0;
}

static void
delete_slot(struct ref_mark *l, struct object **slot)
{
    *slot = (struct object *)(l->free_slots | 1);
    l->free_slots = (uintptr_t)slot;
}

static bool
add_chunk(struct ref_mark *l)
{
    struct ref_chunk *chunk = l->chunk ? l->chunk->spare : NULL;
    uint32_t capacity;

    if (!chunk) {
        if (l->chunk && l->chunk->capacity > UINT32_MAX / 2)
            return false;
        capacity = l->chunk ? 2 * l->chunk->capacity : FIRST_CHUNK_SLOTS;
        chunk = mem_try_calloc(1, sizeof *chunk + capacity * sizeof chunk->slots[0]);
        if (!chunk)
            return false;
        chunk->capacity = capacity;
        chunk->previous = l->chunk;
        if (l->chunk)
            l->chunk->spare = chunk;
    }
    l->chunk = chunk;
    l->count = 0;
    return true;
}

/* A slot with o: a deleted one or the next; NULL when memory is short. */
static struct object **
new_slot(struct ref_mark *l, struct object *o)
{
    struct object **slot = (struct object **)l->free_slots;

    if (slot)
        l->free_slots = (uintptr_t)*slot & ~(uintptr_t)1;
    else if ((l->chunk && l->count < l->chunk->capacity) || add_chunk(l))
        slot = &l->chunk->slots[l->count++];
    else
        return NULL;
    *slot = o;
    return slot;
}

/* Only the newest chunk has slots that were not given yet. */
static uint32_t
used_slots(const struct ref_mark *l, const struct ref_chunk *c)
{
    return c == l->chunk ? l->count : c->capacity;
}

/* Is slot one of those that were given and not deleted? */
static bool
has_slot(const struct ref_mark *l, struct object **slot)
{
    for (const struct ref_chunk *c = l->chunk; c; c = c->previous)
        if (slot >= c->slots && slot < c->slots + used_slots(l, c))
            return !is_link(*slot);
    return false;
}

/* ---- local ---- */

ref
ref_new_local(struct thread *self, struct object *o)
{
    struct object **slot = o ? new_slot(&self->refs, o) : NULL;

    return slot || !o ? slot : throw_out_of_memory(self, "local references");
}

bool
ref_is_local(const struct thread *self, ref r)
{
    if (!r || ref_tag(r) != REF_LOCAL)
        return false;
    return ((union slot *)r >= self->stack && (union slot *)r < self->stack_end)
           || has_slot(&self->refs, r);
}

void
ref_delete_local(struct thread *self, ref r)
{
    struct ref_mark *l = &self->refs;
    struct object **slot = r;

    if (!has_slot(l, slot))
        return;
    if (slot == &l->chunk->slots[l->count - 1]
        && (!l->pushed || l->pushed->chunk != l->chunk || l->pushed->count < l->count))
        l->count--;
    else
        delete_slot(l, slot);
}

struct ref_mark
ref_mark(struct thread *self)
{
    struct ref_mark mark = self->refs;

    self->refs.free_slots = 0;
    return mark;
}

void
ref_release(struct thread *self, struct ref_mark mark)
{
    struct ref_mark *l = &self->refs;

    while (l->pushed != mark.pushed) {
        struct ref_mark *newest = l->pushed;
        l->pushed = newest->pushed;
        mem_free(newest);
    }
    /* The first chunk stays. */
    if (!mark.chunk)
        for (mark.chunk = l->chunk; mark.chunk && mark.chunk->previous;)
            mark.chunk = mark.chunk->previous;
    *l = mark;
}

size_t
ref_live(const struct thread *self)
{
    const struct ref_mark *mark = self->natives ? &self->natives->mark : NULL;
    size_t live = 0;

    for (struct ref_chunk *c = self->refs.chunk; c; c = c->previous) {
        bool last = mark && c == mark->chunk;
        uint32_t used = used_slots(&self->refs, c);

        for (uint32_t i = last ? mark->count : 0; i < used; i++)
            live += !is_link(c->slots[i]);
        if (last)
            break;
    }
    return live;
}

bool
ref_push_frame(struct thread *self)
{
    struct ref_mark *mark = mem_try_alloc(sizeof *mark);

    if (!mark)
        return false;
    *mark = ref_mark(self);
    self->refs.pushed = mark;
    return true;
}

bool
ref_pop_frame(struct thread *self)
{
    if (!self->refs.pushed)
        return false;
    ref_release(self, *self->refs.pushed);
    return true;
}

/* ---- global and weak ---- */

static struct ref_mark *
table_of(struct vm *vm, enum ref_tag tag)
{
    return tag == REF_WEAK ? &vm->jni_globals->weak : &vm->jni_globals->strong;
}

static struct object **
slot_of(ref r)
{
    return (struct object **)((uintptr_t)r & ~(uintptr_t)REF_TAGS);
}

ref
ref_new_shared(struct thread *self, struct object *o, enum ref_tag tag)
{
    struct object **slot;

    if (!o)
        return NULL;
    mutex_lock(&self->vm->jni_globals->mutex);
    slot = new_slot(table_of(self->vm, tag), o);
    mutex_unlock(&self->vm->jni_globals->mutex);
    return slot ? (ref)((uintptr_t)slot | tag)
                : throw_out_of_memory(self, "global references");
}

void
ref_delete_shared(struct vm *vm, ref r, enum ref_tag tag)
{
    struct ref_mark *table = table_of(vm, tag);
    LOCK(&vm->jni_globals->mutex);

    if (has_slot(table, slot_of(r)))
        delete_slot(table, slot_of(r));
}

bool
ref_is_valid_global(struct vm *vm, ref r)
{
    LOCK(&vm->jni_globals->mutex);

    return (ref_tag(r) == REF_GLOBAL || ref_tag(r) == REF_WEAK)
           && has_slot(table_of(vm, ref_tag(r)), slot_of(r));
}

/* ---- for the collector ---- */

/* How many frames are newer than frame, which is one of t's. */
static uint32_t
depth_of(const struct thread *t, const struct frame *frame)
{
    uint32_t depth = 0;

    for (const struct frame *f = thread_top_frame(t); f && f != frame;
         f = frame_older(f))
        depth++;
    return depth;
}

static void
visit_slots(struct object *const *slots, uint32_t from, uint32_t to,
            heap_root_fn *visit, void *context, const struct root_info *info)
{
    for (uint32_t i = from; i < to; i++)
        if (slots[i] && !is_link(slots[i]))
            visit(context, slots[i], info);
}

/* From the newest to the oldest; each is of the newest native frame that had begun. */
static void
visit_locals(struct thread *t, heap_root_fn *visit, void *context)
{
    const struct ref_chunk *c = t->refs.chunk;
    const struct native_refs *n = t->natives;
    uint32_t used = t->refs.count;

    while (c) {
        bool is_last = n && n->mark.chunk == c;
        uint32_t from = is_last ? n->mark.count : 0;
        struct root_info info = { ROOT_JNI_LOCAL, t, n ? n->frame : NULL, 0, -1, -1 };

        if (from < used && n)
            info.depth = depth_of(t, n->frame);
        visit_slots(c->slots, from, used, visit, context, &info);
        if (is_last) {
            n = n->older;
            used = from;
        } else {
            c = c->previous;
            used = c ? c->capacity : 0;
        }
    }
}

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;
    const struct ref_mark *strong = &vm->jni_globals->strong;
    struct root_info info = { ROOT_JNI_GLOBAL, NULL, NULL, 0, -1, -1 };

    for (const struct ref_chunk *c = strong->chunk; c; c = c->previous)
        visit_slots(c->slots, 0, used_slots(strong, c), visit, context, &info);
    FOR_EACH_THREAD(vm, t)
        visit_locals(t, visit, context);
}

static void
clear_weak(void *part, struct heap *heap)
{
    const struct ref_mark *weak = &((struct vm *)part)->jni_globals->weak;

    for (struct ref_chunk *c = weak->chunk; c; c = c->previous)
        for (uint32_t i = 0; i < used_slots(weak, c); i++)
            if (c->slots[i] && !is_link(c->slots[i])
                && !heap_is_live(heap, c->slots[i]))
                c->slots[i] = NULL;
}

void
refs_init(struct vm *vm)
{
    vm->jni_globals = mem_calloc(1, sizeof *vm->jni_globals);
    mutex_init(&vm->jni_globals->mutex);
    heap_add_part(vm->heap, visit_roots, clear_weak, vm);
}

void
refs_release_thread(struct thread *t)
{
    struct ref_chunk *next;

    ref_release(t, (struct ref_mark){ NULL, 0, NULL, 0 });
    for (struct ref_chunk *c = t->refs.chunk; c; c = next) {
        next = c->spare;
        mem_free(c);
    }
    t->refs.chunk = NULL;
}
