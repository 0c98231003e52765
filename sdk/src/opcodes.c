/* SPDX-License-Identifier: MIT */
/* sdk/src/opcodes.c -- the instruction set as data. */
#include "classfile_impl.h"

static const struct {
    const char *name;
    unsigned char format;
} opcodes[256] = {
#define OPCODE(number, name, format, flow, pops, pushes) \
    [number] = { #name, FORMAT_##format },
#include "sdk/spec/opcodes.def"
#undef OPCODE
};

const char *
tf_opcode_name(int opcode)
{
    return opcode >= 0 && opcode < 256 ? opcodes[opcode].name : NULL;
}

enum operand_format
tf_opcode_format(int opcode)
{
    return opcode >= 0 && opcode < 256 ? (enum operand_format)opcodes[opcode].format
        : FORMAT_INVALID;
}
