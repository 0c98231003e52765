/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/opcode.c -- decoding instructions (JVMS 6.5).
 *
 * opcode_decode looks up the opcode's format and reads what the format says: an index,
 * then an operand.  Only wide and the two switches, whose length varies, have functions
 * of their own.
 */

#include "classfile/opcode.h"

#include <stddef.h>
#include <string.h>

#include "base/bytes.h"

const struct opcode_info opcode_table[256] = {
#define OPCODE(number, name, format, flow, pops, pushes) \
    [number] = { #name, FORMAT_##format, FLOW_##flow, pops, pushes },
#include "sdk/spec/opcodes.def"
#undef OPCODE
};

const struct opcode_shuffle opcode_shuffles[] = {
    [OP_pop - OP_pop] = { "1", 1, 0, { 0 } },
    [OP_pop2 - OP_pop] = { "2", 2, 0, { 0 } },
    [OP_dup - OP_pop] = { "1", 1, 2, { 0, 0 } },
    [OP_dup_x1 - OP_pop] = { "11", 2, 3, { 1, 0, 1 } },
    [OP_dup_x2 - OP_pop] = { "12", 3, 4, { 2, 0, 1, 2 } },
    [OP_dup2 - OP_pop] = { "2", 2, 4, { 0, 1, 0, 1 } },
    [OP_dup2_x1 - OP_pop] = { "21", 3, 5, { 1, 2, 0, 1, 2 } },
    [OP_dup2_x2 - OP_pop] = { "22", 4, 6, { 2, 3, 0, 1, 2, 3 } },
    [OP_swap - OP_pop] = { "11", 2, 2, { 1, 0 } },
};

/* What each format looks like; a format whose length varies has no row. */
static const struct {
    /* Of the whole instruction, in bytes, with the opcode. */
    uint8_t length;
    /* How many bytes the index has that follows the opcode. */
    uint8_t index;
    /* What comes behind the index: signed or unsigned, and how many bytes. */
    enum { NO_OPERAND, S1, U1, S2, S4 } operand;
} formats[] = {
    [FORMAT_NONE] = { 1, 0, NO_OPERAND },
    [FORMAT_L0] = { 1, 0, NO_OPERAND },
    [FORMAT_L1] = { 1, 0, NO_OPERAND },
    [FORMAT_L2] = { 1, 0, NO_OPERAND },
    [FORMAT_L3] = { 1, 0, NO_OPERAND },
    [FORMAT_BYTE] = { 2, 0, S1 },
    [FORMAT_SHORT] = { 3, 0, S2 },
    [FORMAT_CP1] = { 2, 1, NO_OPERAND },
    [FORMAT_CP2] = { 3, 2, NO_OPERAND },
    [FORMAT_LOCAL] = { 2, 1, NO_OPERAND },
    [FORMAT_IINC] = { 3, 1, S1 },
    [FORMAT_BRANCH2] = { 3, 0, S2 },
    [FORMAT_BRANCH4] = { 5, 0, S4 },
    [FORMAT_INTERFACE] = { 5, 2, U1 },
    [FORMAT_DYNAMIC] = { 5, 2, NO_OPERAND },
    [FORMAT_ATYPE] = { 2, 0, U1 },
    [FORMAT_MULTI] = { 4, 2, U1 },
};

/* Decodes wide and the instruction that it modifies: a load, store or ret with an index
   of two bytes, or iinc with two operands of two bytes.  left is the number of bytes to
   the end of the code.  Returns false for any other instruction. */
static bool
decode_wide(const uint8_t *code, uint32_t left, struct instruction *in)
{
    if (left < 2 || !opcode_table[code[1]].name)
        return false;
    in->wide = true;
    in->opcode = code[1];
    if (opcode_table[code[1]].format == FORMAT_LOCAL)
        in->length = 4;
    else if (opcode_table[code[1]].format == FORMAT_IINC)
        in->length = 6;
    if (in->length == 0 || in->length > left)
        return false;
    in->index = get_u2(code + 2);
    if (in->length == 6)
        in->operand = (int16_t)get_u2(code + 4);
    return true;
}

/*
 * Decodes a switch whose opcode is at `at`; left is the number of bytes to the end of
 * the code.  in->low is the number of pairs of a lookupswitch, which stands where a
 * tableswitch has its lowest key.
 */
static bool
decode_switch(const uint8_t *at, uint32_t left, struct instruction *in)
{
    /* The opcode, then padding up to a multiple of four. */
    uint32_t head = 4 - in->bci % 4;
    bool table = in->opcode == OP_tableswitch;
    uint32_t fixed = head + (table ? 12 : 8);
    uint64_t entries;

    if (left < fixed)
        return false;
    in->default_target = (int32_t)(in->bci + get_u4(at + head));
    in->low = (int32_t)get_u4(at + head + 4);
    if (table) {
        int32_t high = (int32_t)get_u4(at + head + 8);

        if (in->low > high)
            return false;
        entries = (uint64_t)((int64_t)high - in->low) + 1;
    } else {
        if (in->low < 0)
            return false;
        entries = (uint64_t)in->low;
    }
    if (entries * (table ? 4 : 8) > left - fixed)
        return false;
    in->case_count = (uint32_t)entries;
    in->cases = at + fixed;
    in->length = fixed + in->case_count * (table ? 4 : 8);
    return true;
}

/* breakpoint is in the table, since messages name it, but JVMS 6.2 reserves it for
   debuggers: no class file may have it. */
bool
opcode_decode(const uint8_t *code, uint32_t length, uint32_t bci,
              struct instruction *in)
{
    const uint8_t *at = code + bci;
    const struct opcode_info *info = &opcode_table[at[0]];

    memset(in, 0, sizeof *in);
    in->bci = bci;
    in->opcode = at[0];
    if (!info->name || in->opcode == OP_breakpoint)
        return false;
    if (info->format == FORMAT_WIDE)
        return decode_wide(at, length - bci, in);
    if (opcode_is_switch(in->opcode))
        return decode_switch(at, length - bci, in);

    in->length = formats[info->format].length;
    if (in->length > length - bci)
        return false;
    if (formats[info->format].index == 1)
        in->index = at[1];
    else if (formats[info->format].index == 2)
        in->index = get_u2(at + 1);
    else if (info->format >= FORMAT_L0 && info->format <= FORMAT_L3)
        in->index = (uint16_t)(info->format - FORMAT_L0);
    at += 1 + formats[info->format].index;
    switch (formats[info->format].operand) {
    case S1: in->operand = (int8_t)at[0]; break;
    case U1: in->operand = at[0]; break;
    case S2: in->operand = (int16_t)get_u2(at); break;
    case S4: in->operand = (int32_t)get_u4(at); break;
    case NO_OPERAND: break;
    }
    /* A branch has an offset in the code array, and the bci of its target here. */
    if (opcode_target_count(in) > 0)
        in->operand = (int32_t)(bci + (uint32_t)in->operand);
    return true;
}

int32_t
opcode_case_target(const struct instruction *in, uint32_t i)
{
    const uint8_t *at = in->opcode == OP_tableswitch ? in->cases + 4 * (size_t)i
                                                     : in->cases + 8 * (size_t)i + 4;

    return (int32_t)(in->bci + get_u4(at));
}

int32_t
opcode_case_key(const struct instruction *in, uint32_t i)
{
    if (in->opcode == OP_tableswitch)
        return (int32_t)((uint32_t)in->low + i);
    return (int32_t)get_u4(in->cases + 8 * (size_t)i);
}

uint32_t
opcode_target_count(const struct instruction *in)
{
    uint8_t flow = opcode_table[in->opcode].flow;

    if (flow == FLOW_SWITCH)
        return 1 + in->case_count;
    return flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_JSR;
}

int32_t
opcode_target(const struct instruction *in, uint32_t i)
{
    if (i > 0)
        return opcode_case_target(in, i - 1);
    return opcode_is_switch(in->opcode) ? in->default_target : in->operand;
}
