/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/abstract_frame.c -- what one instruction does to the kinds of
 * values.
 *
 * Most instructions pop and push what their row of the opcode table says.  The
 * functions execute_... are for those whose effect depends on a local, on the operands
 * themselves or on a constant; abstract_execute, at the end, tells them apart.
 *
 * The code need not be verified.  What is checked here is what keeps the analysis
 * inside of its arrays, and that nothing is called a reference that is none: the
 * collector follows references.
 */

#include "classfile/abstract_frame.h"

#include <string.h>

#include "classfile/descriptor.h"

/* Letters without a row, as B, C, I, S and Z, are kept as ints (JVMS 2.11.1). */
uint8_t
slot_kind_of(char letter)
{
    static const uint8_t kinds[128] = {
        ['J'] = SLOT_LONG,      ['D'] = SLOT_DOUBLE,    ['F'] = SLOT_FLOAT,
        ['A'] = SLOT_REFERENCE, ['L'] = SLOT_REFERENCE, ['['] = SLOT_REFERENCE,
    };
    uint8_t kind = kinds[letter & 127];

    return kind == 0 ? SLOT_INT : kind;
}

bool
abstract_push(const struct cf_method *m, struct abstract_frame *f, uint8_t kind)
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

/* Pops so many slots, of whatever kinds; returns false if there are fewer. */
static bool
pop(struct abstract_frame *f, unsigned slots)
{
    if (f->depth < slots)
        return false;
    f->depth -= slots;
    return true;
}

/* Pushes a value of a descriptor's type, given by its first letter; V pushes nothing.
   Returns false if max_stack does not allow it. */
static bool
push_type(const struct cf_method *m, struct abstract_frame *f, char kind)
{
    return kind == 'V' || abstract_push(m, f, slot_kind_of(kind));
}

/* The slots of the values that a row of the opcode table lists (opcode_info.pops). */
static unsigned
letter_slots(const char *letters)
{
    unsigned slots = 0;

    for (; *letters != '\0'; letters++)
        slots += *letters == 'J' || *letters == 'D' ? 2 : 1;
    return slots;
}

/* Writes a local.  If that overwrites one slot of a long or double, the other one is of
   no use any more (JVMS 2.6.1). */
static void
set_local(struct abstract_frame *f, unsigned max_locals, unsigned index, uint8_t kind)
{
    uint8_t *local = f->kinds + index;

    if (*local == SLOT_HALF && index > 0)
        local[-1] = SLOT_UNUSABLE;
    if ((*local == SLOT_LONG || *local == SLOT_DOUBLE) && index + 1 < max_locals)
        local[1] = SLOT_UNUSABLE;
    *local = kind;
}

/* A store instruction; the letter is that of the value's type.  An astore of a value
   that is neither a reference nor a return address leaves a local of no use. */
static bool
execute_store(const struct cf_method *m, struct abstract_frame *f, unsigned index,
              char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind;

    if (index + wide >= m->max_locals || !pop(f, 1 + wide))
        return false;
    /* astore stores the kind that it finds: it may be a return address (JVMS 6.5). */
    kind = letter == 'A' ? f->kinds[m->max_locals + f->depth] : slot_kind_of(letter);
    if (letter == 'A' && kind != SLOT_REFERENCE && kind < SLOT_FIRST_RETURN_ADDRESS)
        kind = SLOT_UNUSABLE;
    set_local(f, m->max_locals, index, kind);
    if (wide) {
        set_local(f, m->max_locals, index + 1, SLOT_HALF);
        /* The upper slot may have been the half of an older long or double; then
           set_local has just cleared the lower one with it. */
        f->kinds[index] = kind;
    }
    return true;
}

/* A load instruction; the letter is that of the value's type. */
static bool
execute_load(const struct cf_method *m, struct abstract_frame *f, unsigned index,
             char letter)
{
    bool wide = letter == 'J' || letter == 'D';
    uint8_t kind = slot_kind_of(letter);

    if (index + wide >= m->max_locals)
        return false;
    /* No verifier accepts an aload of anything else; the result is not a reference. */
    if (letter == 'A' && f->kinds[index] != SLOT_REFERENCE)
        kind = SLOT_UNUSABLE;
    return abstract_push(m, f, kind);
}

/* pop to swap: moves the kinds of slots as opcode_shuffles says, without a look at
   them. */
static bool
execute_shuffle(const struct cf_method *m, struct abstract_frame *f, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    uint8_t old[4], *base;

    if (f->depth < s->pops || f->depth - s->pops + s->pushes > m->max_stack)
        return false;
    f->depth -= s->pops;
    base = f->kinds + m->max_locals + f->depth;
    memcpy(old, base, s->pops);
    for (unsigned i = 0; i < s->pushes; i++)
        base[i] = old[s->from[i]];
    f->depth += s->pushes;
    return true;
}

/* ldc, ldc_w and ldc2_w: pushes the type of the constant at index. */
static bool
execute_ldc(const struct classfile *cf, const struct cf_method *m,
            struct abstract_frame *f, unsigned index)
{
    const struct symbol *descriptor = cf_constant_type(cf, index);
    struct descriptor_type type;

    return descriptor && descriptor_field(descriptor, &type)
           && push_type(m, f, type.kind);
}

/* getstatic, putstatic, getfield and putfield: pops the receiver of an instance field
   and the value that is put, or pushes the one that is got. */
static bool
execute_field(const struct classfile *cf, const struct cf_method *m,
              struct abstract_frame *f, const struct instruction *in)
{
    bool is_static = in->opcode == OP_getstatic || in->opcode == OP_putstatic;
    bool put = in->opcode == OP_putstatic || in->opcode == OP_putfield;
    struct descriptor_type type;

    if (cf_tag_at(cf, in->index) != CF_FIELDREF
        || !descriptor_field(cf_member(cf, in->index).descriptor, &type))
        return false;
    return pop(f, (put ? descriptor_kind_slots(type.kind) : 0) + !is_static)
           && (put || push_type(m, f, type.kind));
}

/* The invoke instructions: pops the arguments, and the receiver unless the instruction
   is invokestatic or invokedynamic, and pushes the result. */
static bool
execute_invoke(const struct classfile *cf, const struct cf_method *m,
               struct abstract_frame *f, const struct instruction *in)
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
abstract_execute(const struct classfile *cf, const struct cf_method *m,
                 struct abstract_frame *f, const struct instruction *in)
{
    const struct opcode_info *info = &opcode_table[in->opcode];
    uint8_t op = in->opcode;

    if (opcode_is_load(op))
        return execute_load(m, f, in->index, info->pushes[0]);
    if (opcode_is_store(op))
        return execute_store(m, f, in->index, info->pops[0]);
    if (op >= OP_pop && op <= OP_swap)
        return execute_shuffle(m, f, op);
    if (op >= OP_ldc && op <= OP_ldc2_w)
        return execute_ldc(cf, m, f, in->index);
    if (op >= OP_getstatic && op <= OP_putfield)
        return execute_field(cf, m, f, in);
    if (op >= OP_invokevirtual && op <= OP_invokedynamic)
        return execute_invoke(cf, m, f, in);
    if (op == OP_iinc || op == OP_ret)
        return in->index < m->max_locals;
    /* The caller pushes the return address. */
    if (op == OP_jsr || op == OP_jsr_w)
        return true;
    if (op == OP_multianewarray)
        return pop(f, (unsigned)in->operand) && abstract_push(m, f, SLOT_REFERENCE);
    return pop(f, letter_slots(info->pops))
           && (info->pushes[0] == '\0'
               || abstract_push(m, f, slot_kind_of(info->pushes[0])));
}
