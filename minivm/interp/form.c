/* SPDX-License-Identifier: MIT */
/* minivm/interp/form.c -- a method's forms, and the frames that change between them.
 *
 * Wherever a thread can be stopped its operand stack stands in its slots, in every
 * form: a pending entry of the translator is only a promise that the slot can be left
 * alone.  So a frame that waits in one form may go on in any other, at the same place
 * of the same bytecode. */

#include "interp/form.h"

#include "base/bytes.h"
#include "base/events.h"
#include "classfile/opcode.h"
#include "interp/interp.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/loader.h"
#include "vm/safepoint.h"
#include "vm/vm.h"

struct translation *
code_form(struct thread *self, struct code *code, bool plain)
{
    struct translation *_Atomic *place = plain ? &code->plain : &code->translation;
    struct translation *t = *place, *none = NULL;

    if (t)
        return t;
    t = translate(self, code, plain);
    if (t && !atomic_compare_exchange_strong(place, &none, t)) {
        translation_free(t);
        t = none;
    }
    return t;
}

bool
wants_plain(const struct thread *self, const struct code *code)
{
    return atomic_load_explicit(&code->breakpoints, memory_order_relaxed) != 0
           || (self->poll.hooks & HOOK_SINGLE_STEP) != 0;
}

/* ---- places ---- */

static const struct translation *
translation_with(const struct code *code, const union insn *pc)
{
    const struct translation *t = code->plain;

    if (t && pc >= t->units && pc <= t->units + t->unit_count)
        return t;
    for (t = code->translation; t; t = t->older)
        if (pc >= t->units && pc <= t->units + t->unit_count)
            return t;
    return NULL;
}

int32_t
code_bci_before(const struct code *code, const union insn *pc)
{
    const union insn *at = pc_untag(pc);
    const struct translation *t = translation_with(code, at);

    if (!t)
        return 0;
    uint32_t unit = (uint32_t)(at - t->units);
    if (!((uintptr_t)pc & PC_AT_START))
        return (int32_t)translation_bci(t, unit ? unit - 1 : 0);
    /* A block that begins here has the first of the unit's places; a call that is to
       be done again stands behind the copies of its arguments. */
    uint32_t i = translation_place(t, unit, false);
    return i < t->place_count && t->places[i].unit == unit
               ? (int32_t)t->places[i].bci : (int32_t)translation_bci(t, unit);
}

static bool
is_copy(enum op op)
{
    return op == OP_MOVE || op == OP_MOVE2 || op == OP_CONST || op == OP_CONST64
           || op == OP_FAR_GET || op == OP_FAR_PUT || op == OP_STEP;
}

/* The bytecode's own instruction among the units from first on: not one that puts
   operands in place, unless that is all it does (ldc, resolved). */
static uint32_t
own_unit(const struct translation *t, uint32_t first)
{
    uint32_t i = translation_place(t, first + 1, false), unit = first, own = UINT32_MAX;
    uint32_t end = i < t->place_count ? t->places[i].unit : t->unit_count, last = first;

    for (; unit < end; unit += op_units[t->units[unit].op]) {
        last = unit;
        if (!is_copy((enum op)__atomic_load_n(&t->units[unit].op, __ATOMIC_ACQUIRE)))
            own = unit;
    }
    return own != UINT32_MAX ? own : last;
}

int64_t
subroutine_return(const struct frame *fp, const union insn *pc)
{
    const struct translation *t = translation_with(fp->code, pc);
    uint32_t bci = translation_bci(t, (uint32_t)(pc - t->units));

    return bci + (fp->code->info->code[bci] == OP_jsr ? 3 : 5);
}

const union insn *
subroutine_unit(const struct frame *fp, const union insn *pc, int64_t bci)
{
    const struct translation *t = translation_with(fp->code, pc);

    return t->units + translation_unit(t, (uint32_t)bci);
}

/* ---- frames ---- */

/* f, which is in from, goes on in to.  A frame that throws or returns stays: it never
   looks at its instructions again. */
static void
move_frame(struct frame *f, const struct translation *from,
           const struct translation *to)
{
    unsigned tags = (unsigned)((uintptr_t)f->pc & PC_TAGS);
    uint32_t unit = (uint32_t)(pc_untag(f->pc) - from->units), target;
    uint32_t bci = (uint32_t)code_bci_before(f->code, f->pc);
    uint32_t first = translation_unit(from, bci), other = translation_unit(to, bci);

    if ((tags & PC_NO_OPERANDS) || first == UINT32_MAX || other == UINT32_MAX)
        return;
    if (tags & PC_AT_START)
        target = unit == first || to->is_plain ? other : own_unit(to, other);
    else if (unit <= first) /* SYNC_ENTER, which is before bytecode 0 */
        target = unit;
    else
        target = own_unit(to, other) + unit - own_unit(from, first);
    f->pc = pc_tag(to->units + target, tags);
}

bool
frames_take_form(struct thread *t, const struct code *only)
{
    bool done = true;

    for (struct frame *f = t->top; f; f = f->caller) {
        if (frame_is_entry(f) || frame_is_native(f) || (only && f->code != only))
            continue;
        const struct translation *from = translation_with(f->code, pc_untag(f->pc));
        if (!from)
            continue;
        /* What runs plain for no reason comes back by itself, at a loop's head. */
        bool plain = from->is_plain || wants_plain(t, f->code);
        const struct translation *to = code_form(NULL, f->code, plain);
        if (!to)
            done = false;
        else if (to != from)
            move_frame(f, from, to);
    }
    return done;
}

/* ---- steps and breakpoints ---- */

const union insn *
step_hooks(struct thread *self, struct frame *fp, const union insn *pc)
{
    uint32_t bci = (uint16_t)pc->a;

    fp->pc = pc_tag(pc, PC_AT_START);
    if (pc->c && !wants_plain(self, fp->code)) {
        const struct translation *t = code_form(self, fp->code, false);
        return t ? t->units + translation_unit(t, bci) : NULL;
    }
    if (self->poll.hooks & HOOK_SINGLE_STEP)
        EVENT_SEND(EVENT_SINGLE_STEP, single_step, self, fp, bci);
    if (__atomic_load_n(&pc->b, __ATOMIC_RELAXED) && !exception_pending(self)
        && !thread_must_leave(self))
        EVENT_SEND(EVENT_BREAKPOINT, breakpoint, self, fp, bci);
    return exception_pending(self) || thread_must_leave(self) ? NULL
                                                              : pc_untag(fp->pc) + 1;
}

/* Calls of code begin where its breakpoints want it. */
static void
choose_start(struct code *code)
{
    const struct translation *t = code->breakpoints        ? code->plain
                                  : code->method->intrinsic ? NULL
                                                            : code->translation;

    atomic_store_explicit(&code->start, t ? t->units : insn_translate,
                          memory_order_release);
}

static void
choose_starts(void *loader, struct class *c)
{
    for (uint32_t i = 0; c->loader == loader && i < c->method_count; i++)
        if (class_method(c, i)->intrinsic && !method_is_native(class_method(c, i)))
            choose_start(method_code(class_method(c, i)));
}

/* A C body hides what its method does with other methods and fields, so all of them
   step aside while somebody watches any of the library's. */
static void
count_library_watches(struct vm *vm, const struct class *c, int by)
{
    uint32_t before;

    if (c->loader != vm->boot_loader || by == 0)
        return;
    before = atomic_fetch_add(&vm->library_watches, by);
    if (before == 0 || before + (uint32_t)by == 0)
        classes_visit(vm, false, choose_starts, vm->boot_loader);
}

/* unit is a STEP. */
static bool
mark(struct code *code, union insn *unit, bool set)
{
    if ((unit->b != 0) == set)
        return false;
    __atomic_store_n(&unit->b, set, __ATOMIC_RELAXED);
    atomic_fetch_add(&code->breakpoints, set ? 1 : -1);
    return true;
}

enum watch_change
code_change_breakpoint(struct thread *self, struct code *code, uint32_t bci, bool set)
{
    struct translation *plain = code_form(NULL, code, true);
    uint32_t unit = plain ? translation_unit(plain, bci) : UINT32_MAX;

    if (unit == UINT32_MAX)
        return plain ? WATCH_NOWHERE : WATCH_NO_MEMORY;
    mutex_lock(&self->vm->class_mutex);
    bool changes = mark(code, &plain->units[unit], set);
    bool is_first = changes && set && code->breakpoints == 1;
    if (changes)
        choose_start(code);
    mutex_unlock(&self->vm->class_mutex);
    if (!changes)
        return WATCH_AS_BEFORE;
    count_library_watches(self->vm, code->method->class, set ? 1 : -1);
    if (is_first) {
        world_stop(self, "breakpoint");
        FOR_EACH_THREAD(self->vm, t)
            frames_take_form(t, code);
        world_resume(self);
    }
    return WATCH_CHANGED;
}

static int
clear_breakpoints(struct code *code)
{
    const struct translation *plain = code->plain;
    int cleared = 0;

    for (uint32_t i = 0; code->breakpoints && i < plain->place_count; i++)
        cleared += mark(code, &plain->units[plain->places[i].unit], false);
    if (cleared)
        choose_start(code);
    return cleared;
}

void
class_clear_breakpoints(struct thread *self, struct class *c)
{
    int cleared = 0;

    mutex_lock(&self->vm->class_mutex);
    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct code *code = method_code(class_method(c, i)); code;
             code = code->previous)
            cleared += clear_breakpoints(code);
    mutex_unlock(&self->vm->class_mutex);
    count_library_watches(self->vm, c, -cleared);
}

/* ---- watched fields ---- */

static bool
is_quick_access(enum op op)
{
    return op >= OP_GETFIELD_B && op <= OP_PUTSTATIC_VOL_Z && op != OP_GETFIELD_Q
           && op != OP_PUTFIELD_Q && op != OP_GETFIELD_SLOW && op != OP_PUTFIELD_SLOW;
}

/* Does constant number index of pool name f?  While it is not resolved it may. */
static bool
names_field(const struct cpool *pool, unsigned index, const struct field *f)
{
    const void *entry = resolved_entry(pool, index);
    struct cf_member member = cf_member(pool->file, index);

    return member.name == f->name && member.descriptor == f->descriptor
           && (entry == f || !entry);
}

/* Has t an access to f that does not look whether f is watched? */
static bool
accesses_blindly(const struct code *code, const struct translation *t,
                 const struct field *f)
{
    for (uint32_t i = 0; i < t->place_count; i++) {
        const uint8_t *at = code->info->code + t->places[i].bci;
        if (at[0] >= OP_getstatic && at[0] <= OP_putfield
            && names_field(code->pool, get_u2(at + 1), f)
            && is_quick_access((enum op)t->units[own_unit(t, t->places[i].unit)].op))
            return true;
    }
    return false;
}

struct watch_scan {
    const struct field *field;
    bool done;
};

/* A new translation has accesses that look; the old one stays for frames that leave. */
static void
translate_again(struct code *code, struct watch_scan *scan)
{
    struct translation *old = code->translation, *t = translate(NULL, code, false);

    if (!t) {
        scan->done = false;
        return;
    }
    t->older = old;
    atomic_store_explicit(&code->translation, t, memory_order_release);
    if (code->start == old->units)
        atomic_store_explicit(&code->start, t->units, memory_order_release);
}

static void
scan_class(void *context, struct class *c)
{
    struct watch_scan *scan = context;

    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct code *code = method_code(class_method(c, i)); code;
             code = code->previous)
            if (code->translation
                && accesses_blindly(code, code->translation, scan->field))
                translate_again(code, scan);
}

/*
 * The world is stopped; false for no memory.  Looking through the code of all classes
 * takes half a millisecond in a small program, and agents watch many fields, mostly as
 * soon as their class is prepared: before anybody has accessed them.
 */
static bool
set_watched(struct vm *vm, struct field *f, unsigned kinds)
{
    struct watch_scan scan = { f, true };
    bool was_watched = f->watched != 0;

    f->watched = (uint8_t)kinds;
    if (f->is_quick && !was_watched) {
        classes_visit(vm, false, scan_class, &scan);
        FOR_EACH_THREAD(vm, t)
            frames_take_form(t, NULL);
        f->is_quick = !scan.done;
    }
    if (!scan.done)
        f->watched = 0;
    count_library_watches(vm, f->class, (f->watched != 0) - was_watched);
    return scan.done;
}

enum watch_change
field_change_watch(struct thread *self, struct field *f, unsigned kind, bool set)
{
    enum watch_change result = WATCH_AS_BEFORE;

    world_stop(self, "field watch");
    if (set != ((f->watched & kind) != 0))
        result = set_watched(self->vm, f, f->watched ^ kind) ? WATCH_CHANGED
                                                              : WATCH_NO_MEMORY;
    world_resume(self);
    return result;
}
