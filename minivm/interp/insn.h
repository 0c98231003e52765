/* SPDX-License-Identifier: MIT */
/* minivm/interp/insn.h -- the internal instructions that the loop runs.
 *
 * The translator turns a method's bytecode into units of eight bytes: an opcode
 * and three 16-bit operands, for some followed by one unit with a pointer or a
 * constant.  Operands name slots relative to the frame pointer, locals and operand
 * stack alike (vm/frame.h), so most loads and stores of locals disappear: what the
 * bytecode pushes is read where it stands.
 *
 * An instruction that may stop, call or collect finds the whole operand stack in
 * its slots.  Quickening stores the second unit first, then the first one with
 * release order, in one 8-byte store.
 *
 * The plain form has the operand stack in its slots between any two bytecodes and
 * a STEP before each, also before those that nothing reaches: breakpoints and single
 * steps work on it.  A frame changes form wherever it is stopped, and comes back from
 * the plain form at the head of a loop (form.h). */

#ifndef MINIVM_INTERP_INSN_H
#define MINIVM_INTERP_INSN_H

#include "vm/class.h"
#include "vm/frame.h"

union insn {
    struct {
        uint16_t op;
        int16_t a, b, c;
    };
    struct {
        uint16_t op_;
        int16_t a_;
        int32_t imm;           /* instead of b and c */
    };
    void *pointer;
    struct method *method;
    struct class *class;
    uint64_t bits;
};

_Static_assert(sizeof(union insn) == 8, "an instruction unit has eight bytes");

enum op {
#define OP(name, units) OP_##name,
#include "interp/ops.def"
#undef OP
    OP_COUNT
};

extern const uint8_t op_units[OP_COUNT];

/*
 * Sixteen bits do not reach all slots of a far frame, one with more than some 32,000
 * locals or operands.  Its method's instructions work on FAR_SLOTS slots of its own,
 * which stand between the locals and the frame's header and have what FAR_GET brought
 * there; FAR_PUT takes a result to its place.  A collection does not look at them: what
 * they refer to stands in its place, too, wherever a thread can be stopped.  All forms
 * of such a method have the operand stack in its slots between any two bytecodes.
 */
enum { FAR_SLOTS = 3, NEAR_SLOTS = INT16_MAX - 16 };

static inline bool
code_is_far(const struct code *code)
{
    return code->info && (code->info->max_locals > NEAR_SLOTS
                          || code->info->max_stack > NEAR_SLOTS);
}

/* Where a unit came from; in ascending order of unit.  A reverse look-up takes the
   last entry at or before the unit. */
struct place {
    uint32_t unit, bci;
};

struct switch_table {
    uint32_t count;
    int32_t default_offset;    /* units relative to the switch instruction */
    struct switch_case {
        int32_t key, offset;
    } *cases;                  /* by ascending key */
};

/* One translated form of a code version; lives as long as the code. */
struct translation {
    struct translation *older;     /* replaced by this one; frames may leave it yet */
    union insn *units;
    uint32_t unit_count;
    struct place *places;
    uint32_t place_count;
    uint16_t *_Atomic bcis;        /* by unit; made when it is first asked for */
    uint32_t *handlers;        /* unit of each exception handler, in the class
                                  file's order */
    struct switch_table *switches;
    uint32_t switch_count;
    bool is_plain;
};

/* What an invokedynamic or invokehandle site runs: the adapter gets the site's
   arguments and then the appendix, if there is one. */
struct call_site {
    struct method *adapter;
    struct object *appendix;   /* or NULL; kept alive by the pool's references */
    uint16_t arg_slots;        /* of the site, without the appendix */
};

/*
 * Translate code, which has bytecodes.  NULL with OutOfMemoryError or VerifyError
 * pending, with self NULL without an exception.
 * Makes no Java calls.
 */
struct translation *translate(struct thread *self, struct code *code, bool plain);
void translation_free(struct translation *t);

/* The number of the first place whose unit, or by_bci whose bytecode, is value or a
   later one; place_count when there is none. */
uint32_t translation_place(const struct translation *t, uint32_t value, bool by_bci);
/* The unit where bytecode bci begins; only plain translations know all, others
   handlers and targets; UINT32_MAX when unknown. */
uint32_t translation_unit(const struct translation *t, uint32_t bci);
/* The bytecode that unit belongs to. */
uint32_t translation_bci(const struct translation *t, uint32_t unit);

/* Ends the process if t, a translation of code, contradicts itself (check.c). */
void translation_check(const struct code *code, const struct translation *t);

/* Shared one-instruction bodies that struct code.start points to first. */
extern const union insn insn_translate[], insn_native[], insn_abstract[],
    insn_exit[], insn_intrinsic[], insn_mh_basic[], insn_mh_static[],
    insn_mh_virtual[], insn_mh_interface[], insn_mh_special[], insn_error[];

#endif
