/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/insn.h -- the internal instructions that the loop runs.
 *
 * The translator (translator.h) turns a method's bytecode into words of eight bytes:
 * an opcode and three operands of 16 bits, for some instructions followed by a second
 * word with a pointer or a constant.  Operands name slots relative to the frame
 * pointer, locals and operand stack alike (runtime/frame.h), as the registers of a
 * register machine.  So most loads and stores of locals disappear: an instruction
 * reads what the bytecode pushed where it stands already.  ops.def lists the
 * instructions.
 *
 * Instructions are data that all threads read while they run.  They change in one way
 * only, called quickening: the first thread that runs an instruction whose constant is
 * not resolved yet resolves it and stores the resolved form over it, second word
 * first, then the first word with release order in one store of eight bytes
 * (quicken.c).
 *
 * Here are the format, the tables made of ops.def, and helpers that compute with the
 * order of opcodes.  Nothing here stops, collects or fails.
 */

#ifndef MINIVM_INTERP_INSN_H
#define MINIVM_INTERP_INSN_H

#include "linking/class.h"
#include "runtime/frame.h"

/* One word: the first of an instruction, or the second. */
union insn {
    struct {
        uint16_t op; /* enum op */
        int16_t a, b, c;
    };
    struct {
        uint16_t op_;
        int16_t a_;
        int32_t imm; /* takes the place of b and c */
    };
    void *pointer;
    struct method *method;
    struct class *class;
    uint64_t bits;
};

_Static_assert(sizeof(union insn) == 8, "an instruction word has eight bytes");

enum op {
#define OP(name, words, slots) OP_##name,
#include "interp/ops.def"
#undef OP
    OP_COUNT
};

/* How many words an instruction has, by opcode: 1 or 2. */
extern const uint8_t op_words[OP_COUNT];

/* Which operands of an instruction name slots, by opcode: a set of these bits.  The
   operand of calls that names the first argument is no slot but the number of an
   operand. */
enum { DEF_A = 1, USE_A = 2, USE_B = 4, USE_C = 8 };
extern const uint8_t op_slots[OP_COUNT];

/* Is op a conditional branch?  Its displacement is operand c. */
static inline bool
op_is_conditional_branch(enum op op)
{
    return op >= OP_IF_IEQ && op <= OP_IFNONNULL;
}

/* The conditional branch that jumps when op does not.  Both are neighbours, the first
   of them at an even distance from the first of all (asserted in insn.c). */
static inline enum op
op_negated(enum op op)
{
    return (enum op)(OP_IF_IEQ + (((int)op - OP_IF_IEQ) ^ 1));
}

/* Sixteen bits do not reach all slots of a far frame, one with more than some 32,000
   locals or operands.  Its instructions work on FAR_SLOTS slots of their own, between
   the locals and the frame's header (emit.c). */
enum { FAR_SLOTS = 3, NEAR_SLOTS = INT16_MAX - 16 };

static inline bool
version_is_far(const struct method_version *version)
{
    return version->info
           && (version->info->max_locals > NEAR_SLOTS
               || version->info->max_stack > NEAR_SLOTS);
}

/* The table of a switch; it belongs to the translation (translation.h).  A tableswitch
   has its cases without gaps, so cases[0].key is its low value. */
struct switch_table {
    uint32_t count;
    int32_t default_offset; /* words relative to the switch instruction */
    struct switch_case {
        int32_t key, offset;
    } * cases; /* by ascending key */
};

/* What an invokedynamic instruction, or an invokevirtual of a method handle, runs (JVMS
   6.5): the adapter gets the instruction's arguments and then the appendix, if there is
   one.  Sites are never freed, and the pool keeps the appendix alive. */
struct call_site {
    struct method *adapter;
    struct object *appendix; /* or NULL */
    uint16_t arg_slots;      /* of the instruction, without the appendix */
};

/* Translations of one instruction, which all methods share: struct method_version.start
   points to one of them until the method has a translation of its own, or always for
   methods without bytecode. */
extern const union insn insn_translate[], insn_native[], insn_abstract[], insn_exit[],
    insn_intrinsic[], insn_mh_basic[], insn_mh_static[], insn_mh_virtual[],
    insn_mh_interface[], insn_mh_special[], insn_error[], insn_cont_enter[],
    insn_cont_yield[], insn_cont_wait[], insn_cont_exit[];

#endif
