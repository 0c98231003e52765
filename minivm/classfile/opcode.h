/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/opcode.h -- the instruction set as data, and decoding (JVMS 6.5).
 *
 * The table sdk/spec/opcodes.def states once which instructions there are, what their
 * operands in the code array look like, where control goes after them and what they do
 * to the operand stack.  Here it becomes an enum and opcode_table.  The verifier, the
 * frame maps, the interpreter's translator and the messages of NullPointerExceptions go
 * through code with opcode_decode and ask the functions below.
 *
 * All of it is constant data and functions without side effects: nothing is allocated
 * or locked, and nothing but opcode_decode looks at code that may be malformed.
 */

#ifndef MINIVM_CLASSFILE_OPCODE_H
#define MINIVM_CLASSFILE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
#define OPCODE(number, name, format, flow, pops, pushes) OP_##name = number,
#include "sdk/spec/opcodes.def"
#undef OPCODE
    /* How many of them may be in a class file: 0 up to jsr_w (JVMS 6.2 reserves
       others). */
    OPCODE_COUNT = 202
};

/* The layout of an instruction's operands; opcodes.def explains each. */
enum opcode_format {
    FORMAT_NONE,
    FORMAT_L0,
    FORMAT_L1,
    FORMAT_L2,
    FORMAT_L3,
    FORMAT_BYTE,
    FORMAT_SHORT,
    FORMAT_CP1,
    FORMAT_CP2,
    FORMAT_LOCAL,
    FORMAT_IINC,
    FORMAT_BRANCH2,
    FORMAT_BRANCH4,
    FORMAT_TABLE,
    FORMAT_LOOKUP,
    FORMAT_INTERFACE,
    FORMAT_DYNAMIC,
    FORMAT_ATYPE,
    FORMAT_MULTI,
    FORMAT_WIDE
};

/* Where control goes after an instruction; FLOW_NEXT: to the next one only. */
enum opcode_flow {
    FLOW_NEXT,
    FLOW_BRANCH,
    FLOW_GOTO,
    FLOW_SWITCH,
    FLOW_RETURN,
    FLOW_THROW,
    FLOW_JSR,
    FLOW_RET
};

/* A row of sdk/spec/opcodes.def, where the letters are explained. */
struct opcode_info {
    const char *name;
    uint8_t format; /* enum opcode_format */
    uint8_t flow;   /* enum opcode_flow */
    const char *pops, *pushes;
};

/* By opcode; the name is NULL if there is no such instruction. */
extern const struct opcode_info opcode_table[256];

/*
 * One decoded instruction.  A wide instruction (JVMS 6.5, wide) has the opcode of the
 * instruction that it modifies, and wide is set.
 */
struct instruction {
    uint32_t bci;
    /* In bytes, with the wide opcode. */
    uint32_t length;
    uint8_t opcode;
    bool wide;
    /* The constant of formats CP1, CP2, INTERFACE, DYNAMIC and MULTI; the local of
       LOCAL, IINC and L0 to L3. */
    uint16_t index;
    /* The immediate value of formats BYTE, SHORT and IINC; the target's bci of BRANCH2
       and BRANCH4; the count of INTERFACE; the type of ATYPE; the dimensions of
       MULTI. */
    int32_t operand;

    /* The rest is for the switches.  The default target is a bci. */
    int32_t default_target;
    /* The lowest key of a tableswitch. */
    int32_t low;
    uint32_t case_count;
    /* In the code array, big-endian: the offsets of a tableswitch, the pairs of key and
       offset of a lookupswitch.  Use opcode_case_target and opcode_case_key. */
    const uint8_t *cases;
};

/*
 * Decode the instruction at bci, which is below length, of code[0, length).  Returns
 * false if the opcode is unknown or reserved, if the instruction runs over the end, or
 * if a switch has low above high or a negative number of pairs (JVMS 4.9.1); *in is of
 * no use then.  Targets and keys are not checked.
 */
bool opcode_decode(const uint8_t *code, uint32_t length, uint32_t bci,
                   struct instruction *in);

/* The bci that case i of a switch jumps to, and its key; i is below case_count. */
int32_t opcode_case_target(const struct instruction *in, uint32_t i);
int32_t opcode_case_key(const struct instruction *in, uint32_t i);

/*
 * The instructions that copy, move and drop operands without a look at their type, from
 * pop to swap.  They are described as popping `pops` slots and pushing `pushes` slots:
 * the i-th slot pushed, counted from the bottom, is a copy of slot from[i] of those
 * popped, counted from the bottom too.
 *
 * groups tells how the popped slots make up values, which matters to the verifier (JVMS
 * 6.5, dup2 and others: "Form 1", "Form 2"): from the top of the stack down, '1' is a
 * slot that must be a whole value, '2' is two slots that are one long or double or two
 * values of one slot.
 */
struct opcode_shuffle {
    const char *groups;
    uint8_t pops, pushes;
    uint8_t from[6];
};

/* By opcode - OP_pop. */
extern const struct opcode_shuffle opcode_shuffles[OP_swap - OP_pop + 1];

/* The number of bcis that the instruction may jump to, and the i-th of them: the target
   of a branch or jsr; the default target of a switch and then its cases. */
uint32_t opcode_target_count(const struct instruction *in);
int32_t opcode_target(const struct instruction *in, uint32_t i);

static inline bool
opcode_is_load(uint8_t opcode)
{
    return opcode >= OP_iload && opcode <= OP_aload_3;
}

static inline bool
opcode_is_store(uint8_t opcode)
{
    return opcode >= OP_istore && opcode <= OP_astore_3;
}

/* Whether the next instruction may be executed after this one.  It is not after jsr,
   which returns there by a ret. */
static inline bool
opcode_falls_through(uint8_t opcode)
{
    uint8_t flow = opcode_table[opcode].flow;

    return flow == FLOW_NEXT || flow == FLOW_BRANCH;
}

static inline bool
opcode_is_switch(uint8_t opcode)
{
    return opcode == OP_tableswitch || opcode == OP_lookupswitch;
}

#endif
