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
    struct ref_local_frame *previous;
    struct ref_mark mark;
};

/* The thread's local references; thread.jni_frames points here. */
struct jni_frame {
    struct ref_chunk *chunk;   /* newest; NULL at first */
    uint32_t count;            /* used slots of it */
    uintptr_t free_slots;      /* link of the newest deleted slot, or 0 */
    struct ref_local_frame *pushed;
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

static struct jni_frame *
locals_of(struct thread *t)
{
    if (!t->jni_frames)
        t->jni_frames = mem_calloc(1, sizeof *t->jni_frames);
    return t->jni_frames;
}

static bool
add_chunk(struct jni_frame *l)
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
    struct jni_frame *l = locals_of(self);

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
in_chunks(const struct jni_frame *l, struct object **slot)
{
    uint32_t used = l ? l->count : 0;

    for (const struct ref_chunk *c = l ? l->chunk : NULL; c; c = c->previous) {
        if (slot >= (struct object **)c->slots
            && slot < (struct object **)c->slots + used)
            return true;
        used = CHUNK_SLOTS;
    }
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
    return in_chunks(self->jni_frames, slot) && !is_link(*slot);
}

void
ref_delete_local(struct thread *self, ref r)
{
    struct jni_frame *l = self->jni_frames;
    struct object **slot = r;

    if (!in_chunks(l, slot) || is_link(*slot))
        return;
    if (slot == &l->chunk->slots[l->count - 1]
        && (!l->pushed || l->pushed->mark.chunk != l->chunk
            || l->pushed->mark.count < l->count)) {
        l->count--;
        return;
    }
    delete_slot(&l->free_slots, slot);
}

struct ref_mark
ref_mark(const struct thread *self)
{
    struct jni_frame *l = self->jni_frames;
    struct ref_mark mark = { NULL, 0, NULL, 0 };

    if (l) {
        mark = (struct ref_mark){ l->chunk, l->count, l->pushed, l->free_slots };
        l->free_slots = 0;
    }
    return mark;
}

void
ref_release(struct thread *self, struct ref_mark mark)
{
    struct jni_frame *l = self->jni_frames;

    if (!l)
        return;
    while (l->pushed != mark.pushed) {
        struct ref_local_frame *f = l->pushed;
        l->pushed = f->previous;
        mem_free(f);
    }
    if (!mark.chunk)
        while (l->chunk && l->chunk->previous)
            l->chunk = l->chunk->previous;
    else
        l->chunk = mark.chunk;
    l->count = mark.count;
    l->free_slots = mark.free_slots;
}

size_t
ref_live(const struct thread *self)
{
    const struct jni_frame *l = self->jni_frames;
    const struct ref_mark *mark = self->natives ? &self->natives->mark : NULL;
    uint32_t used = l ? l->count : 0;
    size_t live = 0;

    for (const struct ref_chunk *c = l ? l->chunk : NULL; c; c = c->previous) {
        bool last = mark && c == mark->chunk;
        for (uint32_t i = last ? mark->count : 0; i < used; i++)
            live += !is_link(c->slots[i]);
        if (last)
            break;
        used = CHUNK_SLOTS;
    }
    return live;
}

bool
ref_push_frame(struct thread *self, int32_t capacity)
{
    struct ref_local_frame *f = mem_try_alloc(sizeof *f);
    struct jni_frame *l = locals_of(self);

    if (!f)
        return false;
    ref_ensure(self, capacity);
    f->previous = l->pushed;
    f->mark = ref_mark(self);
    l->pushed = f;
    return true;
}

bool
ref_pop_frame(struct thread *self)
{
    struct jni_frame *l = self->jni_frames;

    if (!l || !l->pushed)
        return false;
    struct ref_mark mark = l->pushed->mark;
    ref_release(self, mark);
    return true;
}

bool
ref_ensure(struct thread *self, int32_t capacity)
{
    struct native_refs *n = self->natives;
    size_t wanted = capacity > 0 ? (size_t)capacity : 0;

    if (n && self->vm->options.check_jni && ref_live(self) + wanted > n->capacity)
        n->capacity = ref_live(self) + wanted;
    return capacity >= 0;
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
    for (const struct slot_block *b = table->blocks; b; b = b->next)
        if (slot >= (struct object **)b->slots
            && slot < (struct object **)b->slots + BLOCK_SLOTS)
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

static ref
new_in(struct thread *self, struct object *o, enum ref_tag tag)
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

ref
ref_new_global(struct thread *self, struct object *o)
{
    return new_in(self, o, REF_GLOBAL);
}

ref
ref_new_weak(struct thread *self, struct object *o)
{
    return new_in(self, o, REF_WEAK);
}

static void
delete_from(struct vm *vm, enum ref_tag tag, struct object **slot)
{
    struct slot_table *table = table_of(vm, tag);
    LOCK(&vm->jni_globals->mutex);

    if (table_has(table, slot))
        delete_slot(&table->free_slots, slot);
}

void
ref_delete_global(struct vm *vm, ref r)
{
    delete_from(vm, REF_GLOBAL, slot_of(r));
}

void
ref_delete_weak(struct vm *vm, ref r)
{
    delete_from(vm, REF_WEAK, slot_of(r));
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
    const struct jni_frame *l = t->jni_frames;
    const struct ref_chunk *c = l ? l->chunk : NULL;
    const struct native_refs *n = t->natives;
    uint32_t used = l ? l->count : 0;

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
    struct jni_frame *l = t->jni_frames;

    if (!l)
        return;
    ref_release(t, (struct ref_mark){ NULL, 0, NULL, 0 });
    for (struct ref_chunk *c = l->chunk, *next; c; c = next) {
        next = c->spare;
        mem_free(c);
    }
    mem_free(l);
    t->jni_frames = NULL;
}
