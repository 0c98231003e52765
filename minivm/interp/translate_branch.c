/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/translate_branch.c -- the translation of bytecodes that jump or return.
 *
 * A branch ends a basic block, so all pending operands are put into their slots before
 * it (stack_materialize): the block that it goes to begins with each operand in its own
 * slot.  Where a branch goes is a bytecode index first; translate.c makes displacements
 * of them when the words of all bytecodes are known.
 *
 * The conditional branches are computed from the bytecodes by their order: within each
 * family both have the conditions in the order of ifeq to ifle, which insn.c asserts.
 */

#include "interp/translator.h"

#include <string.h>

#include "base/mem.h"
#include "runtime/vm.h"

/* Returns true if the bytecode at next is an if<cond> that takes the result of the
   comparison in front of it, and nothing else jumps there.  Then *branch is that
   bytecode, and both become one instruction.  In the debug translation each has its own
   STEP, so it never does. */
static bool
compare_feeds_branch(struct translator *t, uint32_t next, struct instruction *branch)
{
    if (t->always_materialize || next >= t->m->code_length
        || (t->map.flags[next] & (CODE_LEADER | CODE_TARGET | CODE_HANDLER))
        || !opcode_decode(t->m->code, t->m->code_length, next, branch))
        return false;
    return branch->opcode >= OP_ifeq && branch->opcode <= OP_ifle;
}

uint32_t
translate_compare(struct translator *t, const struct instruction *in)
{
    struct instruction next;
    int64_t value;

    if (!compare_feeds_branch(t, in->bci + in->length, &next)) {
        translate_binary(t, in->opcode);
        return in->length;
    }
    static const uint16_t family[] = { OP_IF_LEQ, OP_IF_FLEQ, OP_IF_FGEQ, OP_IF_DLEQ,
                                       OP_IF_DGEQ };
    enum op op = (enum op)(family[in->opcode - OP_lcmp] + next.opcode - OP_ifeq);
    int right;
    if (in->opcode == OP_lcmp && top_is_immediate(t, &value)) {
        pop_entry(t);
        right = (int)value;
        op = (enum op)(op - OP_IF_LEQ + OP_IF_LCEQ);
    } else {
        right = pop_slot(t);
    }
    int left = pop_slot(t);
    stack_materialize(t);
    emit_branch(t, op, left, right, (uint32_t)next.operand);
    return in->length + next.length;
}

void
translate_branch(struct translator *t, const struct instruction *in)
{
    int opcode = in->opcode, op, right = 0;
    int64_t value;

    if (opcode <= OP_ifle) {
        op = OP_IF_ICEQ + opcode - OP_ifeq;
    } else if (opcode <= OP_if_icmple && top_is_immediate(t, &value)) {
        pop_entry(t);
        right = (int)value;
        op = OP_IF_ICEQ + opcode - OP_if_icmpeq;
    } else if (opcode <= OP_if_icmple) {
        right = pop_slot(t);
        op = OP_IF_IEQ + opcode - OP_if_icmpeq;
    } else if (opcode <= OP_if_acmpne) {
        right = pop_slot(t);
        op = OP_IF_AEQ + opcode - OP_if_acmpeq;
    } else {
        op = OP_IFNULL + opcode - OP_ifnull;
    }
    int left = pop_slot(t);
    stack_materialize(t);
    emit_branch(t, (enum op)op, left, right, (uint32_t)in->operand);
}

void
translate_switch(struct translator *t, const struct instruction *in)
{
    int slot = pop_slot(t);
    struct translation *out = t->out;

    stack_materialize(t);
    if (!GROW(t, out->switches, out->switch_count, t->switch_capacity))
        return;
    struct switch_table *table = &out->switches[out->switch_count++];
    /* The targets are bytecode indices for now; resolve_switches makes them words.  The
       second word is the table's number, for the tables may still move. */
    *table = (struct switch_table){
        .count = in->case_count,
        .default_offset = in->default_target,
        .cases = mem_try_calloc(in->case_count + 1u, sizeof *table->cases),
    };
    t->failed |= !table->cases;
    for (uint32_t i = 0; !t->failed && i < in->case_count; i++)
        table->cases[i] = (struct switch_case){ opcode_case_key(in, i),
                                                opcode_case_target(in, i) };
    emit_long(t, in->opcode == OP_lookupswitch ? OP_LOOKUPSWITCH : OP_TABLESWITCH, slot,
              0, 0, out->switch_count - 1);
}

/* to is the slot of local 0, where the caller expects the result.  RETURN_SLOW looks for
   monitors that the method still holds, and finds local 0 by itself: in a far frame 16
   bits may not reach it.  Debug translations use it, too. */
void
translate_return(struct translator *t, uint8_t opcode)
{
    struct method *method = t->version->method;
    int to = -(int)t->version->max_locals;

    /* A constructor publishes its final fields; Object's own registers the
       finalizer. */
    if (opcode == OP_return && method->name->bytes[0] == '<'
        && method->name->bytes[1] == 'i')
        emit(t, method->class->super ? OP_FENCE : OP_CONSTRUCTED, to, 0, 0);
    int from = opcode == OP_return ? to : pop_slot(t);
    if ((method->flags & METHOD_HAS_MONITORS) || t->has_monitors
        || t->always_materialize) {
        emit(t, OP_RETURN_SLOW, from, 0, 0);
        return;
    }
    static const char narrow[] = "BCSZ";
    const char *type = strchr(narrow, method->return_type);
    emit(t,
         opcode == OP_return ? OP_RETURN
         : type              ? (enum op)(OP_RETURN_B + (type - narrow))
                             : OP_RETURN_A,
         from, to, 0);
}
