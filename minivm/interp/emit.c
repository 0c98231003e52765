/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/emit.c -- the translator's output: words, the bci map, displacements.
 *
 * A branch forward is emitted before its target is: its displacement is left 0 and
 * noted as a fixup, which translate.c resolves at the end.  Conditional branches have
 * 16 bits for it.  A method in which that is not enough is translated a second time
 * with long branches: the opposite condition jumps over a GOTO, which has 32 bits.
 *
 * Operands have 16 bits, too, so they do not reach all slots of a far frame (insn.h).
 * Its instructions work on three slots of their own, which stand between the locals
 * and the frame's header: FAR_GET copies an operand there before the instruction, and
 * FAR_PUT copies the result to its slot after it.  A collection does not look at these
 * three: wherever a thread can be stopped, what they refer to stands in its real slot,
 * too.
 */

#include "interp/translator.h"

#include "base/mem.h"

/* If there is no memory the old array is returned, which the caller must not extend:
   GROW looks at t->failed. */
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

/* A bytecode gets one entry, before its first word. */
void
emit_bci_entry(struct translator *t)
{
    struct translation *out = t->out;

    if ((!out->bci_map_count || out->bci_map[out->bci_map_count - 1].bci != t->bci)
        && GROW(t, out->bci_map, out->bci_map_count, t->bci_map_capacity))
        out->bci_map[out->bci_map_count++] = (struct bci_entry){ out->word_count,
                                                                 t->bci };
}

/* Appends a word made for the current bytecode.  Returns its number, or 0 if the
   translation has failed, which nobody uses then.  The value in the last instruction's
   slot a no longer counts as made by the last instruction (last_def); callers set that
   anew. */
static uint32_t
add_word(struct translator *t, union insn word)
{
    struct translation *out = t->out;

    emit_bci_entry(t);
    t->last_def = -1;
    if (!GROW(t, out->words, out->word_count, t->word_capacity))
        return 0;
    out->words[out->word_count] = word;
    return out->word_count++;
}

/* ---- far frames ---- */

/* Returns true if 16 bits do not reach that slot. */
static bool
is_far(int slot)
{
    return slot != (int16_t)slot;
}

/* Appends FAR_GET or FAR_PUT, which copies between slot, one of the three near ones,
   and the slot far. */
static void
add_far_copy(struct translator *t, enum op op, int slot, int far)
{
    add_word(t, (union insn){ .op_ = (uint16_t)op, .a_ = (int16_t)slot, .imm = far });
}

/* Replaces those of the operands *a, *b and *c that name far slots by the near slots
   -1, -2 and -3, and copies to there what the instruction reads.  slots are the bits of
   op_slots: an operand that is no slot, or is within reach, is left as it is. */
static void
bring_near(struct translator *t, unsigned slots, int *a, int *b, int *c)
{
    static const unsigned uses[FAR_SLOTS] = { USE_A, USE_B, USE_C };
    int *const operands[FAR_SLOTS] = { a, b, c };

    for (int i = 0; i < FAR_SLOTS; i++) {
        int near = -1 - i, far = *operands[i];
        bool is_written = i == 0 && (slots & DEF_A);

        if (!(slots & uses[i] || is_written) || !is_far(far))
            continue;
        if (slots & uses[i])
            add_far_copy(t, OP_FAR_GET, near, far);
        *operands[i] = near;
    }
}

static union insn
make_word(enum op op, int a, int b, int c)
{
    return (union insn){ { (uint16_t)op, (int16_t)a, (int16_t)b, (int16_t)c } };
}

/* Appends an instruction of a far frame with its copies: FAR_GETs, the instruction, and
   a FAR_PUT if it writes a far slot.  second is NULL, or the second word.  Returns the
   number of the instruction's own first word. */
static uint32_t
emit_far(struct translator *t, enum op op, int a, int b, int c,
         const union insn *second)
{
    unsigned slots = op_slots[op];
    int wanted = a;

    bring_near(t, slots, &a, &b, &c);
    uint32_t word = add_word(t, make_word(op, a, b, c));
    if (second)
        add_word(t, *second);
    if (a != wanted && (slots & DEF_A))
        add_far_copy(t, OP_FAR_PUT, a, wanted);
    return word;
}

/* ---- instructions ---- */

uint32_t
emit(struct translator *t, enum op op, int a, int b, int c)
{
    return t->far_frame ? emit_far(t, op, a, b, c, NULL)
                        : add_word(t, make_word(op, a, b, c));
}

uint32_t
emit_imm(struct translator *t, enum op op, int a, int32_t imm)
{
    union insn word = { .op_ = (uint16_t)op, .a_ = (int16_t)a, .imm = imm };

    /* b and c are the halves of imm; op_slots says that they are no slots. */
    return t->far_frame ? emit_far(t, op, a, word.b, word.c, NULL) : add_word(t, word);
}

uint32_t
emit_long(struct translator *t, enum op op, int a, int b, int c, uint64_t second)
{
    const union insn behind = { .bits = second };

    if (t->far_frame)
        return emit_far(t, op, a, b, c, &behind);
    uint32_t word = add_word(t, make_word(op, a, b, c));
    add_word(t, behind);
    return word;
}

/* last_def is set, so that a store behind the move may change where it goes.  A MOVE2
   writes two slots, so it has no last_def. */
void
emit_move(struct translator *t, int to, int from)
{
    int64_t at = (int64_t)t->out->word_count - 1;
    union insn *last = at >= 0 ? &t->out->words[at] : NULL;

    if (to == from)
        return;
    /* Two moves into neighbouring slots, as arguments of calls often need, become one
       instruction. */
    if (last && t->last_def == at && last->op == OP_MOVE && last->a + 1 == to
        && !t->always_materialize) {
        last->op = OP_MOVE2;
        last->c = (int16_t)from;
        t->last_def = -1;
        return;
    }
    t->last_def = emit(t, OP_MOVE, to, from, 0);
}

void
emit_constant(struct translator *t, int to, int64_t value)
{
    t->last_def = value == (int32_t)value
                      ? emit_imm(t, OP_CONST, to, (int32_t)value)
                      : emit_long(t, OP_CONST64, to, 0, 0, (uint64_t)value);
}

/* Notes that the jump at word, with the displacement in imm or else in c, goes to the
   bytecode at target. */
static void
add_fixup(struct translator *t, uint32_t word, uint32_t target, bool is_imm)
{
    if (GROW(t, t->fixups, t->fixup_count, t->fixup_capacity))
        t->fixups[t->fixup_count++] = (struct fixup){ word, target, is_imm };
}

/* The displacement stays 0 until resolve_fixups (translate.c) knows the target's
   word. */
void
emit_jump(struct translator *t, enum op op, int a, uint32_t target)
{
    add_fixup(t, emit_imm(t, op, a, 0), target, true);
}

void
emit_branch(struct translator *t, enum op op, int a, int b, uint32_t target)
{
    if (!t->long_branches) {
        add_fixup(t, emit(t, op, a, b, 0), target, false);
        return;
    }
    /* Two words on is behind the GOTO: both instructions have one word. */
    emit(t, op_negated(op), a, b, 2);
    emit_jump(t, OP_GOTO, 0, target);
}
