/* SPDX-License-Identifier: MIT */
/* minivm/runtime/refs.c -- local, global and weak references.
 *
 * A table is a list of chunks.  A new reference takes the newest deleted slot, or else
 * the next slot of the newest chunk, or else the first slot of a new chunk.  A deleted
 * slot holds the address of the slot that was deleted before it, with the low bit set.
 * Objects are aligned, so that bit tells the collector a link from an object.
 *
 * A frame of local references is begun by a copy of the thread's table and by an empty
 * list of deleted slots, so that slots of older frames are not used again by newer
 * ones.  It is ended by putting the copy back: everything newer is gone at once.
 * Chunks that are not in use any more stay for the next time. */

#include "runtime/refs.h"

#include "base/mem.h"
#include "runtime/exception.h"
#include "runtime/frame.h"
#include "runtime/vm.h"
#include "threads/thread_list.h"

/* With its header a first chunk of this many slots takes about 2 KiB. */
enum { FIRST_CHUNK_SLOTS = 253 };

/* Each chunk has twice the slots of the one before.  So there are few chunks, which
   matters since deleting a reference looks for it in all of them. */
struct ref_chunk {
    struct ref_chunk *previous; /* older, and full; NULL: none */
    struct ref_chunk *newer;    /* maybe left from earlier use; NULL: none */
    uint32_t capacity;
    struct object *slots[];
};

/* The VM's tables: strong has the global references. */
struct jni_globals {
    struct mutex mutex;
    struct ref_table strong, weak;
};

/* Returns whether a slot that holds value is a deleted one: its value is a link to the
   next deleted slot and not an object. */
static bool
is_link(const struct object *value)
{
    return ((uintptr_t)value & 1) != 0;
}

/* Puts a slot at the head of the table's list of deleted ones. */
static void
delete_slot(struct ref_table *table, struct object **slot)
{
    *slot = (struct object *)(table->free_slots | 1);
    table->free_slots = (uintptr_t)slot;
}

/* Gives the table an empty newest chunk: one that is left from earlier use, or a new
   one of twice the slots.  False, with the table unchanged, when there is no memory. */
static bool
add_chunk(struct ref_table *table)
{
    struct ref_chunk *chunk = table->chunk ? table->chunk->newer : NULL;
    uint32_t capacity;

    if (!chunk) {
        if (table->chunk && table->chunk->capacity > UINT32_MAX / 2)
            return false;
        capacity = table->chunk ? 2 * table->chunk->capacity : FIRST_CHUNK_SLOTS;
        chunk = mem_try_calloc(1, sizeof *chunk + capacity * sizeof chunk->slots[0]);
        if (!chunk)
            return false;
        chunk->capacity = capacity;
        chunk->previous = table->chunk;
        if (table->chunk)
            table->chunk->newer = chunk;
    }
    table->chunk = chunk;
    table->count = 0;
    return true;
}

/* Returns a slot of the table with o in it.  NULL when there is no memory. */
static struct object **
new_slot(struct ref_table *table, struct object *o)
{
    struct object **slot = (struct object **)table->free_slots;

    if (slot)
        table->free_slots = (uintptr_t)*slot & ~(uintptr_t)1;
    else if ((table->chunk && table->count < table->chunk->capacity)
             || add_chunk(table))
        slot = &table->chunk->slots[table->count++];
    else
        return NULL;
    *slot = o;
    return slot;
}

/* Returns how many slots of c, a chunk of the table, have been given.  Only the newest
   chunk has others. */
static uint32_t
used_slots(const struct ref_table *table, const struct ref_chunk *c)
{
    return c == table->chunk ? table->count : c->capacity;
}

/* Returns whether slot is one of the table that was given and not deleted. */
static bool
has_slot(const struct ref_table *table, struct object **slot)
{
    for (const struct ref_chunk *c = table->chunk; c; c = c->previous)
        if (slot >= c->slots && slot < c->slots + used_slots(table, c))
            return !is_link(*slot);
    return false;
}

/* ---- local ---- */

/* A slot's address is the reference: REF_LOCAL is 0. */
ref
ref_new_local(struct thread *self, struct object *o)
{
    struct object **slot = o ? new_slot(&self->local_refs, o) : NULL;

    return slot || !o ? slot : throw_out_of_memory(self, "local references");
}

/* An argument of a native method is a local reference, too: the address of its slot on
   the Java stack. */
bool
ref_is_local(const struct thread *self, ref r)
{
    if (!r || ref_tag(r) != REF_LOCAL)
        return false;
    return ((union slot *)r >= self->stack && (union slot *)r < self->stack_end)
           || has_slot(&self->local_refs, r);
}

/* The newest slot of the newest frame is just given back: foreign code often deletes a
   reference soon after it got it, and the list of deleted slots stays short.  A slot
   that is older than the frame of PushLocalFrame must not be given back so: the count
   would fall below what the frame began with. */
void
ref_delete_local(struct thread *self, ref r)
{
    struct ref_table *table = &self->local_refs;
    const struct ref_table *pushed = table->pushed ? &table->pushed->before : NULL;
    struct object **slot = r;

    if (!has_slot(table, slot))
        return;
    if (slot == &table->chunk->slots[table->count - 1]
        && (!pushed || pushed->chunk != table->chunk || pushed->count < table->count))
        table->count--;
    else
        delete_slot(table, slot);
}

struct ref_frame
ref_frame_begin(struct thread *self)
{
    struct ref_frame frame = { self->local_refs };

    self->local_refs.free_slots = 0;
    return frame;
}

void
ref_frame_end(struct thread *self, struct ref_frame frame)
{
    struct ref_table *table = &self->local_refs, *before = &frame.before;

    /* Each ref_frame of PushLocalFrame was allocated by ref_push_frame. */
    while (table->pushed != before->pushed) {
        struct ref_frame *newest = table->pushed;
        table->pushed = newest->before.pushed;
        mem_free(newest);
    }
    /* When the frame began there was no chunk yet: the first one stays, and is
       empty. */
    if (!before->chunk)
        for (before->chunk = table->chunk; before->chunk && before->chunk->previous;)
            before->chunk = before->chunk->previous;
    *table = *before;
}

/* Goes through the slots from the newest back to where the native method's own begin,
   in its chunk `before`; without a native method, through all. */
size_t
ref_live(const struct thread *self)
{
    const struct ref_table *table = &self->local_refs;
    const struct ref_table *before = self->native_invocations
                                         ? &self->native_invocations->refs.before
                                         : NULL;
    size_t live = 0;

    for (struct ref_chunk *c = table->chunk; c; c = c->previous) {
        bool last = before && c == before->chunk;
        uint32_t used = used_slots(table, c);

        for (uint32_t i = last ? before->count : 0; i < used; i++)
            live += !is_link(c->slots[i]);
        if (last)
            break;
    }
    return live;
}

bool
ref_push_frame(struct thread *self)
{
    struct ref_frame *frame = mem_try_alloc(sizeof *frame);

    if (!frame)
        return false;
    *frame = ref_frame_begin(self);
    self->local_refs.pushed = frame;
    return true;
}

/* The frame is copied for ref_frame_end, which frees it. */
bool
ref_pop_frame(struct thread *self)
{
    if (!self->local_refs.pushed)
        return false;
    ref_frame_end(self, *self->local_refs.pushed);
    return true;
}

/* ---- global and weak ---- */

/* Returns the VM's table for references of that kind. */
static struct ref_table *
table_of(struct vm *vm, enum ref_tag tag)
{
    return tag == REF_WEAK ? &vm->jni_globals->weak : &vm->jni_globals->strong;
}

/* Returns the slot that a reference points to, without the tag. */
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
    struct ref_table *table = table_of(vm, tag);
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

/* Returns how many frames of Java and native methods are newer than frame, which is one
   of t's. */
static uint32_t
depth_of(const struct thread *t, const struct frame *frame)
{
    uint32_t depth = 0;

    for (const struct frame *f = thread_top_frame(t); f && f != frame;
         f = frame_older(f))
        depth++;
    return depth;
}

/* Visits the objects in slots[from] to slots[to - 1]. */
static void
visit_slots(struct object *const *slots, uint32_t from, uint32_t to,
            heap_root_fn *visit, void *context, const struct root_info *info)
{
    for (uint32_t i = from; i < to; i++)
        if (slots[i] && !is_link(slots[i]))
            visit(context, slots[i], info);
}

/*
 * Visits the local references of t from the newest to the oldest.  Each belongs to the
 * newest native method that had begun when it was made: n is that one, and goes on to
 * the next older one where the references of n begin.  If those begin within chunk c,
 * the slots from there up to used are visited, and the rest of the chunk in the next
 * round.  n is NULL for references that are older than all native methods.
 */
static void
visit_locals(struct thread *t, heap_root_fn *visit, void *context)
{
    const struct ref_chunk *c = t->local_refs.chunk;
    const struct native_invocation *n = t->native_invocations;
    uint32_t used = t->local_refs.count;

    while (c) {
        bool is_last = n && n->refs.before.chunk == c;
        uint32_t from = is_last ? n->refs.before.count : 0;
        struct root_info info = { .kind = ROOT_JNI_LOCAL,
                                  .thread = t,
                                  .frame = n ? n->frame : NULL,
                                  .slot = -1,
                                  .bci = -1,
                                  .owner = t->current };

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

/* For heap_add_part: visits global references and all threads' local ones; weak
   references keep nothing alive. */
static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;
    const struct ref_table *strong = &vm->jni_globals->strong;
    struct root_info info = { .kind = ROOT_JNI_GLOBAL, .slot = -1, .bci = -1 };

    for (const struct ref_chunk *c = strong->chunk; c; c = c->previous)
        visit_slots(c->slots, 0, used_slots(strong, c), visit, context, &info);
    FOR_EACH_THREAD(vm, t)
        visit_locals(t, visit, context);
}

/* For heap_add_part: clears weak references to dead objects.  A cleared slot stays
   given: its reference is NULL from now on (JNI "Weak Global References"). */
static void
clear_weak(void *part, struct heap *heap)
{
    const struct ref_table *weak = &((struct vm *)part)->jni_globals->weak;

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

/* Ending a frame that began with an empty table goes back to the first chunk; all
   others are newer than that. */
void
refs_release_thread(struct thread *t)
{
    struct ref_chunk *next;

    ref_frame_end(t, (struct ref_frame){ { NULL, 0, NULL, 0 } });
    for (struct ref_chunk *c = t->local_refs.chunk; c; c = next) {
        next = c->newer;
        mem_free(c);
    }
    t->local_refs.chunk = NULL;
}
