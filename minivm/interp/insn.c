/* SPDX-License-Identifier: MIT */
/* minivm/interp/insn.c -- the tables made of ops.def, and the order that code relies
   on. */

#include "interp/insn.h"

#include "classfile/opcode.h"

const uint8_t op_words[OP_COUNT] = {
#define OP(name, words, slots) [OP_##name] = (words),
#include "interp/ops.def"
#undef OP
};

const uint8_t op_slots[OP_COUNT] = {
#define OP(name, words, slots) [OP_##name] = (slots),
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
const union insn insn_cont_enter[] = { { { OP_CONT_ENTER, 0, 0, 0 } } };
const union insn insn_cont_yield[] = { { { OP_CONT_YIELD, 0, 0, 0 } } };
const union insn insn_cont_wait[] = { { { OP_CONT_WAIT, 0, 0, 0 } } };
const union insn insn_cont_exit[] = { { { OP_CONT_EXIT, 0, 0, 0 } } };
const union insn insn_error[] = { { { OP_LINK_ERROR, 0, 0, 0 } } };

/*
 * Where code computes one opcode from another, ops.def must keep an order.  A change
 * of ops.def that breaks it fails to compile here.
 */
#define SAME_DISTANCE(first, last, bytecode_first, bytecode_last) \
    _Static_assert((int)(last) - (int)(first) \
                       == (int)(bytecode_last) - (int)(bytecode_first), \
                   "ops.def has the order of the bytecodes")
#define NEIGHBOURS(op, next) \
    _Static_assert((int)(next) == (int)(op) + 1, "neighbours in ops.def")

/* simple_op (translate.c): the arithmetic bytecodes. */
SAME_DISTANCE(OP_IADD, OP_DADD, OP_iadd, OP_dadd);
SAME_DISTANCE(OP_IADD, OP_ISUB, OP_iadd, OP_isub);
SAME_DISTANCE(OP_IADD, OP_IMUL, OP_iadd, OP_imul);
SAME_DISTANCE(OP_IADD, OP_IDIV, OP_iadd, OP_idiv);
SAME_DISTANCE(OP_IADD, OP_IREM, OP_iadd, OP_irem);
SAME_DISTANCE(OP_IADD, OP_INEG, OP_iadd, OP_ineg);
SAME_DISTANCE(OP_IADD, OP_ISHL, OP_iadd, OP_ishl);
SAME_DISTANCE(OP_IADD, OP_ISHR, OP_iadd, OP_ishr);
SAME_DISTANCE(OP_IADD, OP_IUSHR, OP_iadd, OP_iushr);
SAME_DISTANCE(OP_IADD, OP_IAND, OP_iadd, OP_iand);
SAME_DISTANCE(OP_IADD, OP_IOR, OP_iadd, OP_ior);
SAME_DISTANCE(OP_IADD, OP_LXOR, OP_iadd, OP_lxor);
SAME_DISTANCE(OP_I2L, OP_L2I, OP_i2l, OP_l2i);
SAME_DISTANCE(OP_I2L, OP_F2I, OP_i2l, OP_f2i);
SAME_DISTANCE(OP_I2L, OP_D2I, OP_i2l, OP_d2i);
SAME_DISTANCE(OP_I2L, OP_I2B, OP_i2l, OP_i2b);
SAME_DISTANCE(OP_I2L, OP_LCMP, OP_i2l, OP_lcmp);
SAME_DISTANCE(OP_I2L, OP_DCMPG, OP_i2l, OP_dcmpg);

/* immediate_form (translate.c): the form for long follows that for int. */
NEIGHBOURS(OP_IADD_C, OP_LADD_C);
NEIGHBOURS(OP_IMUL_C, OP_LMUL_C);
NEIGHBOURS(OP_IDIV_C, OP_LDIV_C);
NEIGHBOURS(OP_IREM_C, OP_LREM_C);
NEIGHBOURS(OP_ISHL_C, OP_LSHL_C);
NEIGHBOURS(OP_ISHR_C, OP_LSHR_C);
NEIGHBOURS(OP_IUSHR_C, OP_LUSHR_C);
NEIGHBOURS(OP_IAND_C, OP_LAND_C);
NEIGHBOURS(OP_IOR_C, OP_LOR_C);
NEIGHBOURS(OP_IXOR_C, OP_LXOR_C);

/* op_negated (insn.h), and translate_branch and translate_compare (translate_branch.c):
   conditions are in the order of ifeq to ifle and of if_icmpeq to if_icmple; opposites
   are neighbours. */
#define CONDITIONS(t) \
    _Static_assert((OP_IF_##t##EQ - OP_IF_IEQ) % 2 == 0, "pairs of opposites"); \
    NEIGHBOURS(OP_IF_##t##EQ, OP_IF_##t##NE); \
    NEIGHBOURS(OP_IF_##t##LT, OP_IF_##t##GE); \
    NEIGHBOURS(OP_IF_##t##GT, OP_IF_##t##LE); \
    SAME_DISTANCE(OP_IF_##t##EQ, OP_IF_##t##LT, OP_ifeq, OP_iflt); \
    SAME_DISTANCE(OP_IF_##t##EQ, OP_IF_##t##LE, OP_ifeq, OP_ifle); \
    SAME_DISTANCE(OP_IF_##t##EQ, OP_IF_##t##LE, OP_if_icmpeq, OP_if_icmple)
CONDITIONS(I);
CONDITIONS(IC);
CONDITIONS(L);
CONDITIONS(LC);
CONDITIONS(FL);
CONDITIONS(FG);
CONDITIONS(DL);
CONDITIONS(DG);
_Static_assert((OP_IF_AEQ - OP_IF_IEQ) % 2 == 0, "pairs of opposites");
NEIGHBOURS(OP_IF_AEQ, OP_IF_ANE);
NEIGHBOURS(OP_IF_ANE, OP_IFNULL);
NEIGHBOURS(OP_IFNULL, OP_IFNONNULL);

/* translate_return (translate_branch.c): in the order of the letters "BCSZ". */
NEIGHBOURS(OP_RETURN_B, OP_RETURN_C);
NEIGHBOURS(OP_RETURN_C, OP_RETURN_S);
NEIGHBOURS(OP_RETURN_S, OP_RETURN_Z);

/* field_form (quicken.c): six types, then the same six volatile. */
#define FIELD_FORMS(access) \
    NEIGHBOURS(access##_B, access##_C); \
    NEIGHBOURS(access##_C, access##_S); \
    NEIGHBOURS(access##_S, access##_I); \
    NEIGHBOURS(access##_I, access##_J); \
    NEIGHBOURS(access##_J, access##_Z); \
    NEIGHBOURS(access##_Z, access##_VOL_B); \
    _Static_assert(access##_VOL_Z - access##_VOL_B == access##_Z - access##_B, \
                   "volatile forms are in the order of plain ones")
FIELD_FORMS(OP_GETFIELD);
FIELD_FORMS(OP_PUTFIELD);
FIELD_FORMS(OP_GETSTATIC);
FIELD_FORMS(OP_PUTSTATIC);
NEIGHBOURS(OP_GETFIELD_VOL_Z, OP_PUTFIELD_B);
NEIGHBOURS(OP_GETSTATIC_VOL_Z, OP_PUTSTATIC_B);
