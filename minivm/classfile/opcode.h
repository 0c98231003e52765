/* SPDX-License-Identifier: MIT */
/* minivm/classfile/opcode.h -- the instruction set as data (JVMS 6.5). */

#ifndef MINIVM_CLASSFILE_OPCODE_H
#define MINIVM_CLASSFILE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
#define OPCODE(number, name, format, flow, pops, pushes) OP_##name = number,
#include "sdk/spec/opcodes.def"
#undef OPCODE
    OPCODE_COUNT = 202                 /* those of a class file */
};

enum opcode_format {
    FORMAT_NONE, FORMAT_L0, FORMAT_L1, FORMAT_L2, FORMAT_L3,
    FORMAT_BYTE, FORMAT_SHORT, FORMAT_CP1, FORMAT_CP2, FORMAT_LOCAL, FORMAT_IINC,
    FORMAT_BRANCH2, FORMAT_BRANCH4, FORMAT_TABLE, FORMAT_LOOKUP,
    FORMAT_INTERFACE, FORMAT_DYNAMIC, FORMAT_ATYPE, FORMAT_MULTI, FORMAT_WIDE
};

enum opcode_flow {
    FLOW_NEXT, FLOW_BRANCH, FLOW_GOTO, FLOW_SWITCH, FLOW_RETURN, FLOW_THROW,
    FLOW_JSR, FLOW_RET
};

/* A row of sdk/spec/opcodes.def, where the letters are explained. */
struct opcode_info {
    const char *name;
    uint8_t format;                    /* enum opcode_format */
    uint8_t flow;                      /* enum opcode_flow */
    const char *pops, *pushes;
};

/* By opcode; name is NULL where there is none. */
extern const struct opcode_info opcode_table[256];

/*
 * One instruction.  A wide one has the opcode that it widens, with wide set.
 */
struct instruction {
    uint32_t bci, length;              /* length in bytes, wide included */
    uint8_t opcode;
    bool wide;
    uint16_t index;                    /* CP1 CP2 INTERFACE DYNAMIC MULTI: constant;
                                          LOCAL IINC L0..L3: local */
    int32_t operand;                   /* BYTE SHORT IINC: immediate; BRANCH: bci of
                                          the target; INTERFACE: count; ATYPE: type;
                                          MULTI: dimensions */
    /* Of a switch.  tableswitch: pairs is NULL. */
    int32_t default_target;            /* bci */
    int32_t low;                       /* of TABLE */
    uint32_t case_count;
    const uint8_t *cases;              /* big-endian: offsets of TABLE, pairs of
                                          key and offset of LOOKUP */
};

/*
 * Decode the instruction at bci of code[0, length).  False when the opcode is
 * unknown, the instruction runs over the end, or a switch has low above high or a
 * negative number of pairs; *in is of no use then.
 */
bool opcode_decode(const uint8_t *code, uint32_t length, uint32_t bci,
                   struct instruction *in);

/* The i-th target of a switch, and its key; i is below case_count. */
int32_t opcode_case_target(const struct instruction *in, uint32_t i);
int32_t opcode_case_key(const struct instruction *in, uint32_t i);

/*
 * pop, dup and their like, by opcode from pop on: they move whole slots, from[i] is
 * which of the slots taken, from the bottom, stands in place i afterwards.  groups are
 * the values taken, from the top: '1' for one slot, '2' for two.
 */
struct opcode_shuffle {
    const char *groups;
    uint8_t takes, leaves;
    uint8_t from[6];
};

extern const struct opcode_shuffle opcode_shuffles[OP_swap - OP_pop + 1];

/* How many places the instruction may jump to, and the i-th of them: the one of a
   branch or jsr, a switch's default and then its cases. */
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

/* Does control come to the next instruction, other than by ret? */
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
