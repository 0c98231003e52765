/* SPDX-License-Identifier: MIT */
/* minivm/interp/ops.c -- facts about the internal instructions. */

#include "interp/insn.h"

const uint8_t op_units[OP_COUNT] = {
#define OP(name, units) [OP_##name] = (units),
#include "interp/ops.def"
#undef OP
};

const union insn insn_translate[] = { { { OP_TRANSLATE, 0, 0, 0 } } };
const union insn insn_native[] = { { { OP_NATIVE, 0, 0, 0 } } };
const union insn insn_abstract[] = { { { OP_ABSTRACT, 0, 0, 0 } } };
const union insn insn_exit[] = { { { OP_EXIT, 0, 0, 0 } } };
const union insn insn_intrinsic[] = { { { OP_INTRINSIC, 0, 0, 0 } } };
const union insn insn_mh_basic[] = { { { OP_MH_BASIC, 0, 0, 0 } } };
const union insn insn_mh_static[] = { { { OP_MH_STATIC, 0, 0, 0 } } };
const union insn insn_mh_special[] = { { { OP_MH_SPECIAL, 0, 0, 0 } } };
const union insn insn_mh_virtual[] = { { { OP_MH_VIRTUAL, 0, 0, 0 } } };
const union insn insn_mh_interface[] = { { { OP_MH_INTERFACE, 0, 0, 0 } } };
const union insn insn_error[] = { { { OP_LINK_ERROR, 0, 0, 0 } } };
