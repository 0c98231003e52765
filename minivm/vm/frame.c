/* SPDX-License-Identifier: MIT */
/* minivm/vm/frame.c -- looking at frames. */

#include "vm/frame.h"

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "vm/above.h"
#include "vm/thread.h"
#include "vm/vm.h"

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
    return code_bci_before(f->code, f->pc);
}

int32_t
code_line(const struct code *code, int32_t bci)
{
    if (method_is_native(code->method))
        return -2;
    return code->info && bci >= 0 ? cf_line_at(code->info, (uint32_t)bci) : -1;
}

/* ---- which slots are references ---- */

/* A method's maps, as they were asked for. */
struct framemap_cache {
    struct framemap_cache *next;
    uint32_t bci;
    struct framemap map;
};

/* Called with the world stopped or under class_mutex. */
static const struct framemap *
map_at(struct code *code, uint32_t bci)
{
    struct framemap_cache *c;

    for (c = code->maps; c; c = c->next)
        if (c->bci == bci)
            return &c->map;
    c = mem_calloc(1, sizeof *c);
    if (!framemap_compute(code->pool->file, code->info, bci, &c->map))
        out_of_memory("no room for the frame map of %s.%s%s",
                      code->method->class->name->bytes, code->method->name->bytes,
                      code->method->descriptor->bytes);
    c->bci = bci;
    c->next = code->maps;
    code->maps = c;
    return &c->map;
}

void
frame_forget_code(struct code *code)
{
    struct framemap_cache *c = code->maps, *next;

    code->maps = NULL;
    for (; c; c = next) {
        next = c->next;
        framemap_clear(&c->map);
        mem_free(c);
    }
}

/* How many operands of f a callee has taken over as its arguments. */
static int
taken_operands(const struct frame *f, const struct frame *newer, unsigned depth)
{
    if (!newer || frame_is_entry(newer))
        return 0;
    union slot *taken_from = frame_locals(newer);
    long index = taken_from - frame_operands(f);
    return index < 0 || (unsigned long)index > depth ? 0 : (int)depth - (int)index;
}

typedef void slot_visitor(void *context, int32_t slot, struct object *object);

static void
visit_native(const struct frame *f, slot_visitor *visit, void *context)
{
    const struct method *m = f->code->method;
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

static bool
is_wanted(const struct vm *vm, uint8_t kind, struct object *o)
{
    if (!o)
        return false;
    if (kind == SLOT_REFERENCE)
        return true;
    return kind == SLOT_AMBIGUOUS && heap_is_object(vm->heap, o);
}

static int32_t
visit_frame(const struct frame *f, const struct frame *newer, slot_visitor *visit,
            void *context)
{
    struct code *code = f->code;

    if (!code->info || !code->info->has_code) {
        visit_native(f, visit, context);
        return 0;
    }
    uint32_t bci = (uint32_t)frame_bci(f);
    const struct framemap *map = map_at(code, bci);
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

    map = map_at(f->code, (uint32_t)frame_bci(f));
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

static void
report(void *context, int32_t slot, struct object *object)
{
    struct stack_walk *w = context;
    const struct frame *f = w->info.frame;

    w->info.slot = slot < 0 ? (int32_t)f->code->info->max_locals - 1 - slot : slot;
    w->visit(w->context, object, &w->info);
}

static void
visit_stack(struct thread *t, heap_root_fn *visit, void *context)
{
    struct stack_walk walk = { visit, context, { ROOT_STACK_LOCAL, t, NULL, 0, 0, 0 } };
    struct frame *newer = NULL;

    for (struct frame *f = t->top; f; newer = f, f = f->caller) {
        if (frame_is_entry(f))
            continue;
        walk.info.frame = f;
        walk.info.bci = frame_bci(f);
        walk.info.kind = frame_is_native(f) ? ROOT_JNI_LOCAL : ROOT_STACK_LOCAL;
        visit_frame(f, newer, report, &walk);
        walk.info.depth++;
        /* The method's class: hidden classes die alone. */
        struct root_info other = { ROOT_OTHER, t, f, walk.info.depth, -1, -1 };
        if (f->code->method->class->layout.mirror)
            visit(context, f->code->method->class->layout.mirror, &other);
    }
}

static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;

    FOR_EACH_THREAD(vm, t)
        visit_stack(t, visit, context);
}

void
frame_roots_init(struct vm *vm)
{
    heap_add_part(vm->heap, visit_roots, NULL, vm);
}
