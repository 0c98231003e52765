/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/operand_stack.c -- the translator's abstract operand stack.
 *
 * The translator follows the operand stack through each basic block.  Every operand
 * has a slot of its own, where the interpreter would have pushed it.  An entry says
 * whether the value stands in that slot already, or is pending: a copy of another slot
 * (what iload pushes) or a constant (what iconst pushes).  An instruction that takes a
 * pending operand names the other slot, or has the constant as an immediate, so most
 * pushes cost nothing.
 *
 * To materialize an entry is to emit the move or constant that puts the value into the
 * operand's own slot.  That has to happen
 *   - to pending copies of a local, before the local is written;
 *   - to all entries, before an instruction that may stop or call, since the collector,
 *     JVM TI and on-stack replacement then find the operands in their slots;
 *   - to all entries, at the end of a block, since others may jump to the next one.
 * Debug translations and far frames materialize every entry when it is pushed.
 *
 * A pending copy refers to a local or to a lower operand that is in its own slot.
 */

#include "interp/translator.h"

#include <string.h>

/* Puts the value of the entry at depth d into its own slot, if it is pending. */
static void
materialize_entry(struct translator *t, int d)
{
    struct entry *e = &t->stack[d];

    if (e->kind == ENTRY_COPY)
        emit_move(t, operand_slot(d), e->source);
    else if (e->kind == ENTRY_CONST)
        emit_constant(t, operand_slot(d), e->value);
    else
        return;
    e->kind = ENTRY_IN_SLOT;
}

void
stack_materialize(struct translator *t)
{
    if (t->always_materialize)
        return;
    for (int d = 0; d < t->depth; d++)
        materialize_entry(t, d);
}

/* With always_materialize there are no pending entries, here and in
   stack_materialize. */
void
stack_materialize_copies(struct translator *t, unsigned local)
{
    int slot = local_slot(t, local);

    if (t->always_materialize)
        return;
    for (int d = 0; d < t->depth; d++)
        if (t->stack[d].kind == ENTRY_COPY && t->stack[d].source == slot)
            materialize_entry(t, d);
}

/* Makes the stack what it is in front of t->bci: everything in its slot.  kinds are
   those of the operands (framemap.h). */
static void
set_stack(struct translator *t, const uint8_t *kinds)
{
    t->depth = t->map.depth[t->bci];
    for (int d = 0; d < t->depth; d++) {
        t->stack[d] = (struct entry){ .kind = ENTRY_IN_SLOT };
        if (kinds[d] == SLOT_HALF) {
            t->stack[d].kind = ENTRY_HALF;
            t->stack[d - 1].wide = true;
        }
    }
}

/* Where a block begins, all entries are in their slots: each block that leads here ends
   with stack_materialize. */
void
stack_begin_block(struct translator *t)
{
    const uint8_t *kinds = framemap_operands_at_leader(&t->map, t->bci);
    struct framemap at;

    if (kinds) {
        set_stack(t, kinds);
        return;
    }
    /* A method with subroutines was analysed once for each of their calling contexts,
       so the kinds at a bytecode have to be merged. */
    if (!framemap_at(&t->map, t->bci, &at)) {
        t->failed = true;
        return;
    }
    set_stack(t, at.kinds + at.max_locals);
    framemap_clear(&at);
}

/* Pushes e, and the second slot of a long or double above it. */
static void
push_entry(struct translator *t, struct entry e)
{
    t->stack[t->depth++] = e;
    if (e.wide)
        t->stack[t->depth++] = (struct entry){ .kind = ENTRY_HALF };
    if (t->always_materialize)
        materialize_entry(t, t->depth - 1 - e.wide);
}

int
push_result(struct translator *t, bool wide)
{
    int slot = operand_slot(t->depth);

    push_entry(t, (struct entry){ .kind = ENTRY_IN_SLOT, .wide = wide });
    return slot;
}

void
push_copy(struct translator *t, int slot, bool wide)
{
    push_entry(t, (struct entry){ .kind = ENTRY_COPY, .wide = wide, .source = slot });
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
pop_slot(struct translator *t)
{
    struct entry e = pop_entry(t);

    if (e.kind == ENTRY_COPY)
        return e.source;
    if (e.kind == ENTRY_CONST)
        emit_constant(t, operand_slot(t->depth), e.value);
    return operand_slot(t->depth);
}

bool
top_is_immediate(const struct translator *t, int64_t *value)
{
    int d = t->depth - 1;

    if (t->always_materialize)
        return false;
    if (t->stack[d].kind == ENTRY_HALF)
        d--;
    *value = t->stack[d].value;
    return t->stack[d].kind == ENTRY_CONST && *value == (int16_t)*value;
}

/* Returns true if all entries from that depth on are constants or copies of locals,
   which have negative slots.  Then permuting them emits nothing.  A copy of another
   operand does not count, since that operand may move. */
static bool
is_all_pending(const struct translator *t, int from)
{
    for (int d = from; d < t->depth; d++) {
        const struct entry *e = &t->stack[d];
        bool local = e->kind == ENTRY_COPY && e->source < 0;
        if (!local && e->kind != ENTRY_CONST && e->kind != ENTRY_HALF)
            return false;
    }
    return true;
}

/*
 * Emits the moves of a stack bytecode whose operands begin at depth low.  how says from
 * which operand each of its results is copied (classfile/opcode.h).
 *
 * Values are moved from the top down, so that what was written over has a copy further
 * up by then: an operand that stands above the result's own place (from > i) has been
 * written over, and is read from a result that is a copy of it.  For swap, which leaves
 * no more than it takes, there is none; the copy is in the spare slot above the operand
 * stack, where the top operand is put first (SPARE_OPERANDS in version.c).
 */
static void
move_slots(struct translator *t, const struct opcode_shuffle *how, int low)
{
    int spare = t->m->max_stack - low;

    stack_materialize(t);
    if (how->pushes == how->pops)
        emit(t, OP_MOVE, operand_slot(low + spare), operand_slot(t->depth - 1), 0);
    for (int i = how->pushes - 1; i >= 0; i--) {
        int from = how->from[i], copy = how->pushes - 1;
        if (t->stack[low + from].kind == ENTRY_HALF)
            continue;
        while (copy > i && how->from[copy] != from)
            copy--;
        if (from > i)
            from = copy > i ? copy : spare;
        emit(t, OP_MOVE, operand_slot(low + i), operand_slot(low + from), 0);
    }
}

/* Copies that dup and dup2 make stay pending.  Other bytecodes, which put something
   below existing operands, permute the entries if that takes no moves, else emit the
   moves and then permute the entries: they are all in their slots. */
void
stack_bytecode(struct translator *t, uint8_t opcode)
{
    const struct opcode_shuffle *how = &opcode_shuffles[opcode - OP_pop];
    bool is_copy = opcode == OP_dup || opcode == OP_dup2;
    int low = t->depth - how->pops;
    struct entry old[4];

    if (how->pushes && !is_copy && (t->always_materialize || !is_all_pending(t, low)))
        move_slots(t, how, low);
    memcpy(old, &t->stack[low], how->pops * sizeof *old);
    t->depth = low;
    for (int i = 0; i < how->pushes; i++) {
        struct entry *to = &t->stack[t->depth++];
        *to = old[how->from[i]];
        if (is_copy && i >= how->pops) {
            /* The original stays where it is; the duplicate is a pending copy of it. */
            if (to->kind == ENTRY_IN_SLOT) {
                to->kind = ENTRY_COPY;
                to->source = operand_slot(low + how->from[i]);
            }
            if (t->always_materialize)
                materialize_entry(t, t->depth - 1);
        }
    }
}
