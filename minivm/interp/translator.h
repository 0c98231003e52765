/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/translator.h -- the translator's state, shared by its five files.
 *
 * translate.c goes through a method's bytecode once, in order, and emits instructions;
 * translate_branch.c does so for the bytecodes that jump or return, and
 * translate_pool.c for those that name constants; operand_stack.c follows the operand
 * stack, so that loads and stores cost little (it explains how); emit.c appends words.
 * What the bytecode is like, above all the basic blocks and the depth of the operand
 * stack in front of each bytecode, an analysis has found out before
 * (classfile/framemap.h).
 *
 * In terms of a compiler: slots are the registers, each local and each operand has one
 * of its own, and the abstract operand stack is a copy propagation within basic
 * blocks.
 *
 * A function that runs out of memory, or meets bytecode that cannot be, sets failed;
 * all others may go on until translate_code sees it.  Nothing here stops or collects.
 */

#ifndef MINIVM_INTERP_TRANSLATOR_H
#define MINIVM_INTERP_TRANSLATOR_H

#include "classfile/framemap.h"
#include "classfile/opcode.h"
#include "interp/translation.h"

enum entry_kind {
    ENTRY_IN_SLOT, /* the value stands in the operand's own slot */
    ENTRY_COPY,    /* pending: it stands in another slot */
    ENTRY_CONST,   /* pending: it is a constant */
    ENTRY_HALF     /* the second slot of the long or double below; has no value */
};

/* One slot of the abstract operand stack. */
struct entry {
    uint8_t kind;   /* enum entry_kind */
    bool wide;      /* long or double: an ENTRY_HALF is above */
    int32_t source; /* of ENTRY_COPY: the slot that has the value */
    int64_t value;  /* of ENTRY_CONST */
};

/* A displacement to be filled in once the word of its target is known. */
struct fixup {
    uint32_t word; /* the jump */
    uint32_t bci;  /* the bytecode that it goes to */
    bool is_imm;   /* the displacement is imm, else c */
};

struct translator {
    /* What is translated, and how. */
    struct method_version *version;
    const struct classfile *cf;
    const struct cf_method *m;
    struct cpool *pool;
    struct framemap_code map;
    bool debug;              /* for the debug translation */
    bool long_branches;      /* 16 bits do not reach all targets (emit.c) */
    bool far_frame;          /* version_is_far */
    bool always_materialize; /* every entry when it is pushed: debug or a far frame */
    bool has_monitors;       /* returns check that all monitors were left */

    bool failed;
    uint32_t bci; /* of the bytecode being translated */

    /* The output. */
    struct translation *out;
    uint32_t word_capacity, bci_map_capacity, switch_capacity;
    uint32_t *labels; /* by bci: the word where a block begins, or UINT32_MAX */
    struct fixup *fixups;
    uint32_t fixup_count, fixup_capacity;

    /* The abstract operand stack. */
    struct entry *stack;
    int depth; /* in slots */

    /* The first word of the last instruction, if slot a is all that it writes and
       nothing can jump between it and the next; else -1.  A store to a local may then
       change operand a instead of emitting a move. */
    int64_t last_def;
};

/* The slot of local i. */
static inline int
local_slot(const struct translator *t, unsigned i)
{
    return (int)i - (int)t->version->max_locals;
}

/* The slot of the operand at depth, counted in slots from 0. */
static inline int
operand_slot(int depth)
{
    return FRAME_HEADER + depth;
}

/* ---- the output (emit.c) ---- */

/* Append an instruction with operands a, b, c, or a and imm; emit_long one of two
   words, the second of which may be a pointer.  Operands that are slots (op_slots) may
   be far.  Return the number of the instruction's first word. */
uint32_t emit(struct translator *t, enum op op, int a, int b, int c);
uint32_t emit_imm(struct translator *t, enum op op, int a, int32_t imm);
uint32_t emit_long(struct translator *t, enum op op, int a, int b, int c,
                   uint64_t second);
/* Append what puts the value of another slot, or a constant, into slot to. */
void emit_move(struct translator *t, int to, int from);
void emit_constant(struct translator *t, int to, int64_t value);
/* Append a conditional branch, or GOTO or JSR, to the bytecode at target. */
void emit_branch(struct translator *t, enum op op, int a, int b, uint32_t target);
void emit_jump(struct translator *t, enum op op, int a, uint32_t target);
/* Adds t->bci to the map, if it is not there, as beginning at the next word. */
void emit_bci_entry(struct translator *t);

/* Returns array, which has count elements of that size, moved if it must grow for one
   more; fails without memory. */
void *translator_grow(struct translator *t, void *array, uint32_t *capacity,
                      uint32_t count, size_t size);
/* Makes room for one more element; false when the translation has failed. */
#define GROW(t, array, count, capacity) \
    ((array) = translator_grow((t), (array), &(capacity), (count), sizeof *(array)), \
     !(t)->failed)

/* ---- the abstract operand stack (operand_stack.c) ---- */

/* Puts all entries into their slots. */
void stack_materialize(struct translator *t);
/* Puts the pending copies of a local into their slots, before the local is written. */
void stack_materialize_copies(struct translator *t, unsigned local);
/* Makes the stack what the analysis says about t->bci, where a block begins. */
void stack_begin_block(struct translator *t);

/* For the parameter wide: the value has one slot, or, as a long or double, two. */
enum { NARROW = false, WIDE = true };
/* Pushes the result of the next instruction to be emitted.  Returns its slot. */
int push_result(struct translator *t, bool wide);
/* Push a pending copy of a slot, or a pending constant. */
void push_copy(struct translator *t, int slot, bool wide);
void push_constant(struct translator *t, int64_t value, bool wide);

/* Pops one value of one or two slots; operand_slot(t->depth) is its own slot then. */
struct entry pop_entry(struct translator *t);
/* Pops one value.  Returns the slot where it stands, which is the value's own slot or
   the one that it is a copy of; a constant is materialized. */
int pop_slot(struct translator *t);
/* Returns true if the top value is a pending constant of 16 bits, and sets *value. */
bool top_is_immediate(const struct translator *t, int64_t *value);

/* Translates pop, dup, swap and the other bytecodes of JVMS 2.11.6. */
void stack_bytecode(struct translator *t, uint8_t opcode);

/* ---- bytecodes that compute (translate.c) ---- */

/* Translates a bytecode with two operands and one result, with an immediate if either
   operand is a constant that fits. */
void translate_binary(struct translator *t, uint8_t opcode);

/* ---- bytecodes that jump or return (translate_branch.c) ---- */

/* Translates lcmp, fcmpl, fcmpg, dcmpl or dcmpg, together with the if<cond> behind it if
   there is one.  Returns how many bytes of bytecode that was. */
uint32_t translate_compare(struct translator *t, const struct instruction *in);
/* if<cond>, which compares with the immediate 0, if_icmp<cond>, if_acmp<cond>, ifnull and
   ifnonnull. */
void translate_branch(struct translator *t, const struct instruction *in);
/* tableswitch and lookupswitch. */
void translate_switch(struct translator *t, const struct instruction *in);
/* ireturn to areturn, and return. */
void translate_return(struct translator *t, uint8_t opcode);

/* ---- bytecodes that name constants (translate_pool.c) ---- */

/* index is that of the constant in the pool. */
void translate_ldc(struct translator *t, unsigned index);
void translate_field(struct translator *t, uint8_t opcode, unsigned index);
void translate_invoke(struct translator *t, uint8_t opcode, unsigned index);
/* new, arrays, athrow, checkcast, instanceof and monitors. */
void translate_object(struct translator *t, const struct instruction *in);

#endif
