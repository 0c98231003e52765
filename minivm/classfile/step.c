/* SPDX-License-Identifier: MIT */
/* minivm/classfile/step.c -- what an instruction does to the kinds of a frame. */

#include "classfile/step.h"

#include <string.h>

#include "classfile/descriptor.h"

uint8_t
step_kind(char letter)
{
    switch (letter) {
    case 'J':
        return SLOT_LONG;
    case 'D':
        return SLOT_DOUBLE;
    case 'F':
        return SLOT_FLOAT;
    case 'A':
    case 'L':
    case '[':
        return SLOT_REFERENCE;
    default:
        return SLOT_INT;
    }
}

bool
step_push(const struct cf_method *m, struct step_frame *f, uint8_t kind)
{
    bool wide = kind == SLOT_LONG || kind == SLOT_DOUBLE;
    uint8_t *top = f->kinds + m->max_locals + f->depth;

    if (f->depth + 1 + wide > m->max_stack)
        return false;
    top[0] = kind;
    if (wide)
        top[1] = SLOT_HALF;
    f->depth += 1 + wide;
    return true;
}

static bool
pop(struct step_frame *f, unsigned slots)
{
    if (f->depth < slots)
        return false;
    f->depth -= slots;
    return true;
}

static bool
push_type(const struct cf_method *m, struct step_frame *f, char kind)
{
    return kind == 'V' || step_push(m, f, step_kind(kind));
}

static unsigned
letter_slots(const char *letters)
{
    unsigned slots = 0;

    for (; *letters != '\0'; letters++)
        slots += *letters == 'J' || *letters == 'D' ? 2 : 1;
    return slots;
}

static void
set_local(struct step_frame *f, unsigned max_locals, unsigned index, uint8_t kind)
{
    uint8_t *local = f->kinds + index;

    if (*local == SLOT_HALF && index > 0)
        local[-1] = SLOT_UNUSABLE;
    if ((*local == SLOT_LONG || *local == SLOT_DOUBLE) && index + 1 < max_locals)
        local[1] = SLOT_UNUSABLE;
    *local = kind;
}

static bool
step_store(const struct cf_method *m, struct step_frame *f, unsigned index, char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind;

    if (index + wide >= m->max_locals || !pop(f, 1 + wide))
        return false;
    /* Only astore takes what is there: it may be a return address. */
    kind = letter == 'A' ? f->kinds[m->max_locals + f->depth] : step_kind(letter);
    if (letter == 'A' && kind != SLOT_REFERENCE && kind < FIRST_RETURN_ADDRESS)
        kind = SLOT_UNUSABLE;
    set_local(f, m->max_locals, index, kind);
    if (wide) {
        set_local(f, m->max_locals, index + 1, SLOT_HALF);
        f->kinds[index] = kind;
    }
    return true;
}

static bool
step_load(const struct cf_method *m, struct step_frame *f, unsigned index, char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind = step_kind(letter);

    if (index + wide >= m->max_locals)
        return false;
    /* What no verifier would load must not look like a reference. */
    if (letter == 'A' && f->kinds[index] != SLOT_REFERENCE)
        kind = SLOT_UNUSABLE;
    return step_push(m, f, kind);
}

static bool
step_shuffle(const struct cf_method *m, struct step_frame *f, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    uint8_t old[4], *base;

    if (f->depth < s->takes || f->depth - s->takes + s->leaves > m->max_stack)
        return false;
    f->depth -= s->takes;
    base = f->kinds + m->max_locals + f->depth;
    memcpy(old, base, s->takes);
    for (unsigned i = 0; i < s->leaves; i++)
        base[i] = old[s->from[i]];
    f->depth += s->leaves;
    return true;
}

static bool
step_ldc(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
         unsigned index)
{
    static const uint8_t kinds[] = {
        [CF_INTEGER] = SLOT_INT, [CF_FLOAT] = SLOT_FLOAT, [CF_LONG] = SLOT_LONG,
        [CF_DOUBLE] = SLOT_DOUBLE, [CF_STRING] = SLOT_REFERENCE,
        [CF_CLASS] = SLOT_REFERENCE, [CF_METHOD_HANDLE] = SLOT_REFERENCE,
        [CF_METHOD_TYPE] = SLOT_REFERENCE,
    };
    enum cf_tag tag = cf_tag_at(cf, index);
    struct descriptor_type type;

    if (tag == CF_DYNAMIC)
        return descriptor_field(cf_member(cf, index).descriptor, &type) &&
               push_type(m, f, type.kind);
    return tag < sizeof kinds && kinds[tag] != 0 && step_push(m, f, kinds[tag]);
}

static bool
step_field(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
           const struct instruction *in)
{
    struct descriptor_type type;
    unsigned slots;

    if (cf_tag_at(cf, in->index) != CF_FIELDREF ||
        !descriptor_field(cf_member(cf, in->index).descriptor, &type))
        return false;
    slots = descriptor_kind_slots(type.kind);
    switch (in->opcode) {
    case OP_getstatic:
        return push_type(m, f, type.kind);
    case OP_putstatic:
        return pop(f, slots);
    case OP_getfield:
        return pop(f, 1) && push_type(m, f, type.kind);
    default:
        return pop(f, slots + 1);
    }
}

static bool
step_invoke(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
            const struct instruction *in)
{
    enum cf_tag tag = cf_tag_at(cf, in->index);
    bool dynamic = in->opcode == OP_invokedynamic;
    const struct symbol *descriptor;
    struct descriptor_type result;
    int slots;

    if (dynamic ? tag != CF_INVOKE_DYNAMIC
                : tag != CF_METHODREF && tag != CF_INTERFACE_METHODREF)
        return false;
    descriptor = cf_member(cf, in->index).descriptor;
    slots = descriptor_arg_slots(descriptor);
    if (slots < 0 || !descriptor_return(descriptor, &result))
        return false;
    if (!dynamic && in->opcode != OP_invokestatic)
        slots++;
    return pop(f, (unsigned)slots) && push_type(m, f, result.kind);
}

bool
step_apply(const struct classfile *cf, const struct cf_method *m, struct step_frame *f,
     const struct instruction *in)
{
    const struct opcode_info *info = &opcode_table[in->opcode];

    if (opcode_is_load(in->opcode))
        return step_load(m, f, in->index, info->pushes[0]);
    if (opcode_is_store(in->opcode))
        return step_store(m, f, in->index, info->pops[0]);
    if (in->opcode >= OP_pop && in->opcode <= OP_swap)
        return step_shuffle(m, f, in->opcode);
    switch (in->opcode) {
    case OP_iinc:
    case OP_ret:
        return in->index < m->max_locals;
    case OP_ldc:
    case OP_ldc_w:
    case OP_ldc2_w:
        return step_ldc(cf, m, f, in->index);
    case OP_getstatic:
    case OP_putstatic:
    case OP_getfield:
    case OP_putfield:
        return step_field(cf, m, f, in);
    case OP_invokevirtual:
    case OP_invokespecial:
    case OP_invokestatic:
    case OP_invokeinterface:
    case OP_invokedynamic:
        return step_invoke(cf, m, f, in);
    case OP_multianewarray:
        return pop(f, (unsigned)in->operand) && step_push(m, f, SLOT_REFERENCE);
    case OP_jsr:
    case OP_jsr_w:
        return true;
    default:
        if (!pop(f, letter_slots(info->pops)))
            return false;
        return info->pushes[0] == '\0' || step_push(m, f, step_kind(info->pushes[0]));
    }
}
