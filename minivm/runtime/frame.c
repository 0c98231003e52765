/* SPDX-License-Identifier: MIT */
/* minivm/runtime/frame.c -- looking at frames.
 *
 * Slots have no tags, so which of them hold references is computed from the bytecode
 * (classfile/framemap.h) the first time that somebody asks for a method and a bytecode
 * index, and is kept with the method version.  A local that is a reference by one way
 * to an instruction and a number by another is ambiguous: it is a root if it is the
 * address of an object, which keeps at worst a dead object alive.
 *
 * Native methods have no bytecode; their descriptor tells what their arguments are. */

#include "runtime/frame.h"

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "runtime/above.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/thread.h"
#include "threads/thread_list.h"

struct frame *
thread_top_frame(const struct thread *t)
{
    struct frame *f = t->top;

    while (f && frame_is_entry(f))
        f = f->caller;
    return f;
}

int32_t
frame_bci(const struct frame *f)
{
    if (frame_is_native(f))
        return -1;
    return version_bci_before(f->version, f->pc);
}

int32_t
version_line(const struct method_version *version, int32_t bci)
{
    if (method_is_native(version->method))
        return LINE_NATIVE;
    return version->info && bci >= 0 ? cf_line_at(version->info, (uint32_t)bci)
                                     : LINE_UNKNOWN;
}

/* ---- which slots are references ---- */

/* The frame maps of a method version, the newest first. */
struct framemap_cache {
    struct framemap_cache *next;
    uint32_t bci;
    struct framemap map;
};

/* Returns the frame map of the method version at bci, which is computed when it is
   first asked for and then kept.  The world is stopped, or the caller holds
   class_mutex.  The process ends when there is no memory. */
static const struct framemap *
map_at(struct method_version *version, uint32_t bci)
{
    struct framemap_cache *c;

    for (c = version->maps; c; c = c->next)
        if (c->bci == bci)
            return &c->map;
    c = mem_calloc(1, sizeof *c);
    if (!framemap_compute(version->pool->file, version->info, bci, &c->map))
        out_of_memory("no room for the frame map of %s.%s%s",
                      version->method->class->name->bytes, version->method->name->bytes,
                      version->method->descriptor->bytes);
    c->bci = bci;
    c->next = version->maps;
    version->maps = c;
    return &c->map;
}

/* The maps would be of no use: only a frame that runs the version asks for them. */
void
frame_forget_version(struct method_version *version)
{
    struct framemap_cache *c = version->maps, *next;

    version->maps = NULL;
    for (; c; c = next) {
        next = c->next;
        framemap_clear(&c->map);
        mem_free(c);
    }
}

/* Returns how many of the depth operands of f are the arguments, and now the locals, of
   newer, the frame that f has called, or NULL: those from where the locals of newer
   begin.  The result is 0 if that is not among the operands. */
static int
taken_operands(const struct frame *f, const struct frame *newer, unsigned depth)
{
    if (!newer || frame_is_entry(newer))
        return 0;
    union slot *taken_from = frame_locals(newer);
    long index = taken_from - frame_operands(f);
    return index < 0 || (unsigned long)index > depth ? 0 : (int)depth - (int)index;
}

/* The function of frame_visit_references; slot is numbered as there. */
typedef void slot_visitor(void *context, int32_t slot, struct object *object);

/* visit_frame for a method without bytecode, native or abstract: its locals are its
   arguments, which the descriptor describes, and it has no operands. */
static void
visit_native(const struct frame *f, slot_visitor *visit, void *context)
{
    const struct method *m = f->version->method;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    const union slot *locals = frame_locals(f);
    int32_t slot = 0;

    if (!method_is_static(m)) {
        if (locals[0].ref)
            visit(context, 0, locals[0].ref);
        slot = 1;
    }
    while (descriptor_next(&it, &type)) {
        if (descriptor_kind_is_reference(type.kind) && locals[slot].ref)
            visit(context, slot, locals[slot].ref);
        slot += (int32_t)descriptor_kind_slots(type.kind);
    }
}

/* Returns whether a slot of that kind (enum slot_kind), which holds o, holds a
   reference.  For an ambiguous one that is so if o is the address of an object. */
static bool
is_wanted(const struct vm *vm, uint8_t kind, struct object *o)
{
    if (!o)
        return false;
    if (kind == SLOT_REFERENCE)
        return true;
    return kind == SLOT_AMBIGUOUS && heap_is_object(vm->heap, o);
}

/* Does what frame_visit_references does, for a caller that has the world stopped, or
   class_mutex.  No operand counts if PC_NO_OPERANDS says that the instruction has done
   with them. */
static int32_t
visit_frame(const struct frame *f, const struct frame *newer, slot_visitor *visit,
            void *context)
{
    struct method_version *version = f->version;

    if (!version->info || !version->info->has_code) {
        visit_native(f, visit, context);
        return 0;
    }
    uint32_t bci = (uint32_t)frame_bci(f);
    const struct framemap *map = map_at(version, bci);
    const union slot *locals = frame_locals(f), *operands = frame_operands(f);
    int depth = ((uintptr_t)f->pc & PC_NO_OPERANDS)
                    ? 0
                    : map->depth - taken_operands(f, newer, map->depth);
    for (int i = 0; i < map->max_locals; i++)
        if (is_wanted(the_vm, map->kinds[i], locals[i].ref))
            visit(context, i, locals[i].ref);
    for (int i = 0; i < depth; i++)
        if (is_wanted(the_vm, map->kinds[map->max_locals + i], operands[i].ref))
            visit(context, -1 - i, operands[i].ref);
    return depth;
}

int32_t
frame_visit_references(const struct frame *f, const struct frame *newer,
                       slot_visitor *visit, void *context)
{
    LOCK(&the_vm->class_mutex);

    return visit_frame(f, newer, visit, context);
}

uint8_t
frame_local_kind(const struct frame *f, unsigned local)
{
    const struct framemap *map;
    LOCK(&the_vm->class_mutex);

    map = map_at(f->version, (uint32_t)frame_bci(f));
    return local < map->max_locals && map->kinds[local] != SLOT_AMBIGUOUS
               ? map->kinds[local]
               : SLOT_UNUSABLE;
}

/* ---- roots ---- */

struct stack_walk {
    heap_root_fn *visit;
    void *context;
    struct root_info info;
};

/* Passes one slot of a frame on to the heap.  The heap numbers operands from max_locals
   upwards, where visit_frame counts down from -1. */
static void
report(void *context, int32_t slot, struct object *object)
{
    struct stack_walk *w = context;
    const struct frame *f = w->info.frame;

    w->info.slot = slot < 0 ? (int32_t)f->version->info->max_locals - 1 - slot : slot;
    w->visit(w->context, object, &w->info);
}

/* With what the heap's walks tell agents of them: the depth counts Java frames, not entry
   frames. */
void
frames_visit_roots(struct thread *t, struct object *owner, struct frame *top,
                   heap_root_fn *visit, void *context)
{
    struct stack_walk walk = { visit, context, { .thread = t, .owner = owner } };
    struct frame *newer = NULL;

    for (struct frame *f = top; f; newer = f, f = f->caller) {
        if (frame_is_entry(f))
            continue;
        walk.info.frame = f;
        walk.info.bci = frame_bci(f);
        walk.info.kind = frame_is_native(f) ? ROOT_JNI_LOCAL : ROOT_STACK_LOCAL;
        visit_frame(f, newer, report, &walk);
        walk.info.depth++;
        /* A frame keeps its method's class alive: nobody else need keep a hidden
           one. */
        struct root_info other = { .kind = ROOT_OTHER,
                                   .thread = t,
                                   .frame = f,
                                   .depth = walk.info.depth,
                                   .slot = -1,
                                   .bci = -1 };
        if (f->version->method->class->layout.mirror)
            visit(context, f->version->method->class->layout.mirror, &other);
    }
}

/* The argument of visit_chain: the function for each root, and what it gets. */
struct root_visitor {
    heap_root_fn *visit;
    void *context;
};

/* A frame_chain_fn. */
static void
visit_chain(void *context, struct thread *t, struct frame *top)
{
    const struct root_visitor *v = context;

    frames_visit_roots(t, thread_chain_owner(t, top), top, v->visit, v->context);
}

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct root_visitor v = { visit, context };

    FOR_EACH_THREAD((struct vm *)part, t)
        thread_visit_chains(t, visit_chain, &v);
}

void
frame_roots_init(struct vm *vm)
{
    heap_add_part(vm->heap, visit_roots, NULL, vm);
}
