/* SPDX-License-Identifier: MIT */
/* minivm/vm/refs.c -- local, global and weak references.
 *
 * A deleted slot holds a link to the next deleted one, shifted left with its low
 * bit set; objects are aligned, so the collector tells them apart. */

#include "vm/refs.h"

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/vm.h"

enum { CHUNK_SLOTS = 62, BLOCK_SLOTS = 510 };

struct ref_chunk {
    struct ref_chunk *previous;
    struct ref_chunk *spare;   /* kept for the next time */
    struct object *slots[CHUNK_SLOTS];
};

/* What PushLocalFrame saved. */
struct ref_local_frame {
    struct ref_mark mark;
};

struct slot_block {
    struct slot_block *next;
    struct object *slots[BLOCK_SLOTS];
};

struct slot_table {
    struct slot_block *blocks;
    uintptr_t free_slots;
};

struct jni_globals {
    struct mutex mutex;
    struct slot_table strong, weak;
};

static bool
is_link(const struct object *value)
{
    return ((uintptr_t)value & 1) != 0;
}

static struct object **
take_deleted(uintptr_t *free_slots, struct object *o)
{
    struct object **slot = (struct object **)*free_slots;

    *free_slots = (uintptr_t)*slot & ~(uintptr_t)1;
    *slot = o;
    return slot;
}

static void
delete_slot(uintptr_t *free_slots, struct object **slot)
{
    *slot = (struct object *)(*free_slots | 1);
    *free_slots = (uintptr_t)slot;
}

static bool
add_chunk(struct ref_mark *l)
{
    struct ref_chunk *chunk = l->chunk ? l->chunk->spare : NULL;

    if (!chunk) {
        chunk = mem_try_calloc(1, sizeof *chunk);
        if (!chunk)
            return false;
        chunk->previous = l->chunk;
        if (l->chunk)
            l->chunk->spare = chunk;
    }
    l->chunk = chunk;
    l->count = 0;
    return true;
}

ref
ref_new_local(struct thread *self, struct object *o)
{
    struct ref_mark *l = &self->refs;

    if (!o)
        return NULL;
    if (l->free_slots)
        return take_deleted(&l->free_slots, o);
    if ((!l->chunk || l->count == CHUNK_SLOTS) && !add_chunk(l))
        return throw_out_of_memory(self, "local references");
    l->chunk->slots[l->count] = o;
    return &l->chunk->slots[l->count++];
}

static bool
in_chunks(const struct ref_mark *l, struct object **slot)
{
    uint32_t used = l->count;

    for (struct ref_chunk *c = l->chunk; c; c = c->previous, used = CHUNK_SLOTS)
        if (slot >= c->slots && slot < c->slots + used)
            return true;
    return false;
}

bool
ref_is_local(const struct thread *self, ref r)
{
    struct object **slot = r;

    if (!r || ref_tag(r) != REF_LOCAL)
        return false;
    if ((union slot *)r >= self->stack && (union slot *)r < self->stack_end)
        return true;
    return in_chunks(&self->refs, slot) && !is_link(*slot);
}

void
ref_delete_local(struct thread *self, ref r)
{
    struct ref_mark *l = &self->refs;
    struct object **slot = r;

    if (!in_chunks(l, slot) || is_link(*slot))
        return;
    if (slot == &l->chunk->slots[l->count - 1]
        && (!l->pushed || l->pushed->mark.chunk != l->chunk
            || l->pushed->mark.count < l->count))
        l->count--;
    else
        delete_slot(&l->free_slots, slot);
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
        struct ref_local_frame *f = l->pushed;
        l->pushed = f->mark.pushed;
        mem_free(f);
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
    uint32_t used = self->refs.count;
    size_t live = 0;

    for (struct ref_chunk *c = self->refs.chunk; c; c = c->previous, used = CHUNK_SLOTS) {
        bool last = mark && c == mark->chunk;
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
    struct ref_local_frame *f = mem_try_alloc(sizeof *f);

    if (!f)
        return false;
    f->mark = ref_mark(self);
    self->refs.pushed = f;
    return true;
}

bool
ref_pop_frame(struct thread *self)
{
    if (!self->refs.pushed)
        return false;
    ref_release(self, self->refs.pushed->mark);
    return true;
}

/* ---- global and weak ---- */

static ref
table_add(struct slot_table *table, struct object *o)
{
    if (!table->free_slots) {
        struct slot_block *b = mem_try_calloc(1, sizeof *b);
        if (!b)
            return NULL;
        b->next = table->blocks;
        table->blocks = b;
        for (size_t i = BLOCK_SLOTS; i-- > 0;)
            delete_slot(&table->free_slots, &b->slots[i]);
    }
    return take_deleted(&table->free_slots, o);
}

static bool
table_has(const struct slot_table *table, struct object **slot)
{
    for (struct slot_block *b = table->blocks; b; b = b->next)
        if (slot >= b->slots && slot < b->slots + BLOCK_SLOTS)
            return !is_link(*slot);
    return false;
}

static struct slot_table *
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
    ref r;

    if (!o)
        return NULL;
    mutex_lock(&self->vm->jni_globals->mutex);
    r = table_add(table_of(self->vm, tag), o);
    mutex_unlock(&self->vm->jni_globals->mutex);
    return r ? (ref)((uintptr_t)r | tag)
             : throw_out_of_memory(self, "global references");
}

void
ref_delete_shared(struct vm *vm, ref r, enum ref_tag tag)
{
    struct slot_table *table = table_of(vm, tag);
    LOCK(&vm->jni_globals->mutex);

    if (table_has(table, slot_of(r)))
        delete_slot(&table->free_slots, slot_of(r));
}

bool
ref_is_valid_global(struct vm *vm, ref r)
{
    LOCK(&vm->jni_globals->mutex);

    return (ref_tag(r) == REF_GLOBAL || ref_tag(r) == REF_WEAK)
           && table_has(table_of(vm, ref_tag(r)), slot_of(r));
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
            used = CHUNK_SLOTS;
        }
    }
}

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;
    struct root_info info = { ROOT_JNI_GLOBAL, NULL, NULL, 0, -1, -1 };

    for (struct slot_block *b = vm->jni_globals->strong.blocks; b; b = b->next)
        visit_slots(b->slots, 0, BLOCK_SLOTS, visit, context, &info);
    FOR_EACH_THREAD(vm, t)
        visit_locals(t, visit, context);
}

static void
clear_weak(void *part, struct heap *heap)
{
    struct vm *vm = part;

    for (struct slot_block *b = vm->jni_globals->weak.blocks; b; b = b->next)
        for (size_t i = 0; i < BLOCK_SLOTS; i++)
            if (b->slots[i] && !is_link(b->slots[i])
                && !heap_is_live(heap, b->slots[i]))
                b->slots[i] = NULL;
}

void
refs_init(struct vm *vm)
{
    vm->jni_globals = mem_calloc(1, sizeof *vm->jni_globals);
    mutex_init(&vm->jni_globals->mutex);
    heap_add_visitor(vm->heap, visit_roots, vm);
    heap_add_weak(vm->heap, clear_weak, vm);
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
