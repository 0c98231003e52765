/* SPDX-License-Identifier: MIT */
/* minivm/interp/emit.c -- the translator's output and its abstract stack. */

#include "interp/translate.h"

#include <string.h>

#include "base/mem.h"

void *
translator_grow(struct translator *t, void *array, uint32_t *capacity, uint32_t count,
                size_t size)
{
    if (count < *capacity)
        return array;
    uint32_t wanted = *capacity ? *capacity * 2 : 32;
    void *grown = mem_try_realloc(array, wanted * size);
    if (!grown) {
        t->failed = true;
        return array;
    }
    *capacity = wanted;
    return grown;
}

void
emit_place(struct translator *t)
{
    struct translation *out = t->out;

    if ((!out->place_count || out->places[out->place_count - 1].bci != t->bci)
        && GROW(t, out->places, out->place_count, t->place_capacity))
        out->places[out->place_count++] = (struct place){ out->unit_count, t->bci };
}

static uint32_t
add_unit(struct translator *t, union insn unit)
{
    struct translation *out = t->out;

    emit_place(t);
    t->last_dest = -1;
    if (!GROW(t, out->units, out->unit_count, t->unit_capacity))
        return 0;
    out->units[out->unit_count] = unit;
    return out->unit_count++;
}

/* ---- far slots ---- */

enum { READS_A = 1, WRITES_A = 2, READS_B = 4, READS_C = 8 };

/* Which operands of op are slots, but for those of calls, which name operands. */
static unsigned
slots_of(enum op op)
{
    if (op >= OP_IADD && op <= OP_DCMPG)
        return WRITES_A | READS_B | READS_C;
    if (op >= OP_IF_IEQ && op <= OP_IFNONNULL)
        return READS_A | READS_B;
    if (op >= OP_BALOAD && op <= OP_LALOAD)
        return WRITES_A | READS_B | READS_C;
    if (op >= OP_BASTORE && op <= OP_AASTORE)
        return READS_A | READS_B | READS_C;
    if ((op >= OP_GETFIELD_B && op <= OP_GETFIELD_VOL_Z) || op == OP_GETFIELD_Q
        || op == OP_GETFIELD_SLOW)
        return WRITES_A | READS_B;
    if ((op >= OP_PUTFIELD_B && op <= OP_PUTFIELD_VOL_Z) || op == OP_PUTFIELD_Q
        || op == OP_PUTFIELD_SLOW)
        return READS_A | READS_B;
    if (op >= OP_GETSTATIC_B && op <= OP_GETSTATIC_VOL_Z)
        return WRITES_A;
    if (op >= OP_PUTSTATIC_B && op <= OP_PUTSTATIC_VOL_Z)
        return READS_A;
    switch (op) {
    case OP_MOVE: case OP_ARRAYLENGTH: case OP_NEWARRAY: case OP_ANEWARRAY_Q:
    case OP_INSTANCEOF: case OP_INSTANCEOF_Q:
        return WRITES_A | READS_B;
    case OP_CONST: case OP_CONST64: case OP_LDC_Q: case OP_NEW_Q: case OP_GETSTATIC_Q:
    case OP_GETSTATIC_SLOW:
        return WRITES_A;
    case OP_TABLESWITCH: case OP_LOOKUPSWITCH: case OP_RET: case OP_PUTSTATIC_Q:
    case OP_PUTSTATIC_SLOW: case OP_RETURN_SLOW: case OP_CONSTRUCTED: case OP_ATHROW:
    case OP_CHECKCAST: case OP_CHECKCAST_Q: case OP_MONITORENTER: case OP_MONITOREXIT:
        return READS_A;
    default:
        return 0;
    }
}

static bool
is_far(int slot)
{
    return slot != (int16_t)slot;
}

static void
add_far(struct translator *t, enum op op, int slot, int far)
{
    add_unit(t, (union insn){ .op_ = (uint16_t)op, .a_ = (int16_t)slot, .imm = far });
}

/* The slots that an instruction of a far frame works on; what it reads is there. */
static void
bring_near(struct translator *t, unsigned slots, int *a, int *b, int *c)
{
    static const unsigned reads[FAR_SLOTS] = { READS_A, READS_B, READS_C };
    int *const operands[FAR_SLOTS] = { a, b, c };

    for (int i = 0; i < FAR_SLOTS; i++) {
        int near = -1 - i, far = *operands[i];
        bool is_written = i == 0 && (slots & WRITES_A);

        if (!(slots & reads[i] || is_written) || !is_far(far))
            continue;
        if (slots & reads[i])
            add_far(t, OP_FAR_GET, near, far);
        *operands[i] = near;
    }
}

static union insn
make_unit(enum op op, int a, int b, int c)
{
    return (union insn){ { (uint16_t)op, (int16_t)a, (int16_t)b, (int16_t)c } };
}

/* In a far frame's code; second: NULL, or the instruction's second unit. */
static uint32_t
emit_far(struct translator *t, enum op op, int a, int b, int c,
         const union insn *second)
{
    unsigned slots = slots_of(op);
    int wanted = a;

    bring_near(t, slots, &a, &b, &c);
    uint32_t unit = add_unit(t, make_unit(op, a, b, c));
    if (second)
        add_unit(t, *second);
    if (a != wanted && (slots & WRITES_A))
        add_far(t, OP_FAR_PUT, a, wanted);
    return unit;
}

/* ---- instructions ---- */

uint32_t
emit(struct translator *t, enum op op, int a, int b, int c)
{
    return t->far_frame ? emit_far(t, op, a, b, c, NULL)
                        : add_unit(t, make_unit(op, a, b, c));
}

uint32_t
emit_imm(struct translator *t, enum op op, int a, int32_t imm)
{
    union insn unit = { .op_ = (uint16_t)op, .a_ = (int16_t)a, .imm = imm };

    return t->far_frame ? emit_far(t, op, a, unit.b, unit.c, NULL) : add_unit(t, unit);
}

uint32_t
emit_long(struct translator *t, enum op op, int a, int b, int c, uint64_t second)
{
    const union insn behind = { .bits = second };

    if (t->far_frame)
        return emit_far(t, op, a, b, c, &behind);
    uint32_t unit = add_unit(t, make_unit(op, a, b, c));
    add_unit(t, behind);
    return unit;
}

void
emit_move(struct translator *t, int to, int from)
{
    int64_t at = (int64_t)t->out->unit_count - 1;
    union insn *last = at >= 0 ? &t->out->units[at] : NULL;

    if (to == from)
        return;
    /* Two moves into neighbours are one instruction. */
    if (last && t->last_dest == at && last->op == OP_MOVE && last->a + 1 == to
        && !t->settles) {
        last->op = OP_MOVE2;
        last->c = (int16_t)from;
        t->last_dest = -1;
        return;
    }
    t->last_dest = emit(t, OP_MOVE, to, from, 0);
}

void
emit_constant(struct translator *t, int to, int64_t value)
{
    t->last_dest = value == (int32_t)value
                       ? emit_imm(t, OP_CONST, to, (int32_t)value)
                       : emit_long(t, OP_CONST64, to, 0, 0, (uint64_t)value);
}

/* The displacement at unit leads to target, once that is placed. */
static void
add_fixup(struct translator *t, uint32_t unit, uint32_t target, bool is_far)
{
    if (GROW(t, t->fixups, t->fixup_count, t->fixup_capacity))
        t->fixups[t->fixup_count++] = (struct fixup){ unit, target, is_far };
}

void
emit_jump(struct translator *t, enum op op, int a, uint32_t target)
{
    add_fixup(t, emit_imm(t, op, a, 0), target, true);
}

void
emit_branch(struct translator *t, enum op op, int a, int b, uint32_t target)
{
    if (!t->far) {
        add_fixup(t, emit(t, op, a, b, 0), target, false);
        return;
    }
    /* All families come in pairs of opposites. */
    enum op opposite = (enum op)(OP_IF_IEQ + (((int)op - OP_IF_IEQ) ^ 1));
    emit(t, opposite, a, b, 2);
    emit_jump(t, OP_GOTO, 0, target);
}

/* ---- the abstract stack ---- */

static void
settle_entry(struct translator *t, int d)
{
    struct entry *e = &t->stack[d];

    if (e->kind == ENTRY_COPY)
        emit_move(t, reg_operand(d), e->reg);
    else if (e->kind == ENTRY_CONST)
        emit_constant(t, reg_operand(d), e->value);
    else
        return;
    e->kind = ENTRY_SLOT;
}

void
stack_settle(struct translator *t)
{
    if (t->settles)
        return;
    for (int d = 0; d < t->depth; d++)
        settle_entry(t, d);
}

void
stack_kill_local(struct translator *t, unsigned local)
{
    int reg = reg_local(t, local);

    if (t->settles)
        return;
    for (int d = 0; d < t->depth; d++)
        if (t->stack[d].kind == ENTRY_COPY && t->stack[d].reg == reg)
            settle_entry(t, d);
}

static void
set_stack(struct translator *t, const uint8_t *kinds)
{
    t->depth = t->map.depth[t->bci];
    for (int d = 0; d < t->depth; d++) {
        t->stack[d] = (struct entry){ .kind = ENTRY_SLOT };
        if (kinds[d] == SLOT_HALF) {
            t->stack[d].kind = ENTRY_HALF;
            t->stack[d - 1].wide = true;
        }
    }
}

void
stack_reset(struct translator *t)
{
    struct framemap at;

    if (t->map.way_count == 1) {
        set_stack(t, t->map.states.data + t->map.places[t->bci].state
                         + t->m->max_locals);
        return;
    }
    /* A subroutine's blocks have no kinds of their own: ask for each. */
    if (!framemap_at(&t->map, t->bci, &at)) {
        t->failed = true;
        return;
    }
    set_stack(t, at.kinds + at.max_locals);
    framemap_clear(&at);
}

static void
push_entry(struct translator *t, struct entry e)
{
    t->stack[t->depth++] = e;
    if (e.wide)
        t->stack[t->depth++] = (struct entry){ .kind = ENTRY_HALF };
    if (t->settles)
        settle_entry(t, t->depth - 1 - e.wide);
}

int
push_result(struct translator *t, bool wide)
{
    int reg = reg_operand(t->depth);

    push_entry(t, (struct entry){ .kind = ENTRY_SLOT, .wide = wide });
    return reg;
}

void
push_copy(struct translator *t, int reg, bool wide)
{
    push_entry(t, (struct entry){ .kind = ENTRY_COPY, .wide = wide, .reg = reg });
}

void
push_constant(struct translator *t, int64_t value, bool wide)
{
    push_entry(t, (struct entry){ .kind = ENTRY_CONST, .wide = wide, .value = value });
}

struct entry
pop_entry(struct translator *t)
{
    t->depth--;
    if (t->stack[t->depth].kind == ENTRY_HALF)
        t->depth--;
    return t->stack[t->depth];
}

int
pop_reg(struct translator *t)
{
    struct entry e = pop_entry(t);

    if (e.kind == ENTRY_COPY)
        return e.reg;
    if (e.kind == ENTRY_CONST)
        emit_constant(t, reg_operand(t->depth), e.value);
    return reg_operand(t->depth);
}

bool
top_is_small(const struct translator *t, int64_t *value)
{
    int d = t->depth - 1;

    if (t->settles)
        return false;
    if (t->stack[d].kind == ENTRY_HALF)
        d--;
    *value = t->stack[d].value;
    return t->stack[d].kind == ENTRY_CONST && *value == (int16_t)*value;
}

/* Are the slots from there on constants and copies of locals only? */
static bool
moves_freely(const struct translator *t, int from)
{
    for (int d = from; d < t->depth; d++) {
        const struct entry *e = &t->stack[d];
        bool local = e->kind == ENTRY_COPY && e->reg < 0;
        if (!local && e->kind != ENTRY_CONST && e->kind != ENTRY_HALF)
            return false;
    }
    return true;
}

/* The values of the slots from low on to where they go, from the top down: what was
   written over stands further up by then, or for swap in a spare slot, the one above
   the operand stack (code_prepare). */
static void
move_slots(struct translator *t, const struct opcode_shuffle *how, int low)
{
    int spare = t->m->max_stack - low;

    stack_settle(t);
    if (how->leaves == how->takes)
        emit(t, OP_MOVE, reg_operand(low + spare), reg_operand(t->depth - 1), 0);
    for (int i = how->leaves - 1; i >= 0; i--) {
        int from = how->from[i], copy = how->leaves - 1;
        if (t->stack[low + from].kind == ENTRY_HALF)
            continue;
        while (copy > i && how->from[copy] != from)
            copy--;
        if (from > i)
            from = copy > i ? copy : spare;
        emit(t, OP_MOVE, reg_operand(low + i), reg_operand(low + from), 0);
    }
}

void
shuffle(struct translator *t, uint8_t opcode)
{
    const struct opcode_shuffle *how = &opcode_shuffles[opcode - OP_pop];
    bool is_copy = opcode == OP_dup || opcode == OP_dup2;
    int low = t->depth - how->takes;
    struct entry old[4];

    if (how->leaves && !is_copy && (t->settles || !moves_freely(t, low)))
        move_slots(t, how, low);
    memcpy(old, &t->stack[low], how->takes * sizeof *old);
    t->depth = low;
    for (int i = 0; i < how->leaves; i++) {
        struct entry *to = &t->stack[t->depth++];
        *to = old[how->from[i]];
        if (is_copy && i >= how->takes) {
            /* Lower ones stay where they are. */
            if (to->kind == ENTRY_SLOT) {
                to->kind = ENTRY_COPY;
                to->reg = reg_operand(low + how->from[i]);
            }
            if (t->settles)
                settle_entry(t, t->depth - 1);
        }
    }
}
