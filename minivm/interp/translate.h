/* SPDX-License-Identifier: MIT */
/* minivm/interp/translate.h -- the translator's own state, shared by its files.
 *
 * Each block of bytecode is run over an abstract operand stack.  An entry either
 * stands in its own slot, or is pending: a copy of some other slot or a constant,
 * which costs nothing until somebody needs it in place.
 *
 * Pending copies refer to locals or to lower operand slots in their own place;
 * whoever writes a local first puts its pending copies in place. */

#ifndef MINIVM_INTERP_TRANSLATE_H
#define MINIVM_INTERP_TRANSLATE_H

#include "classfile/framemap.h"
#include "classfile/opcode.h"
#include "interp/insn.h"

enum entry_kind { ENTRY_SLOT, ENTRY_COPY, ENTRY_CONST, ENTRY_HALF };

struct entry {
    uint8_t kind;              /* enum entry_kind */
    bool wide;                 /* long or double: an ENTRY_HALF is above */
    int32_t reg;               /* ENTRY_COPY: the slot that has the value */
    int64_t value;             /* ENTRY_CONST */
};

struct fixup {
    uint32_t unit, bci;        /* displacement at unit goes to bci */
    bool is_far;               /* imm instead of c */
};

struct translator {
    struct code *code;
    const struct classfile *cf;
    const struct cf_method *m;
    struct cpool *pool;
    struct framemap_code map;
    bool plain, failed;
    bool far;                  /* branches, when 16 bits do not reach */
    bool far_frame;            /* code_is_far */
    bool settles;              /* each entry when it is pushed: plain or a far frame */
    bool has_monitors;         /* returns check that all were left */

    uint32_t bci;              /* of the bytecode being translated */
    struct translation *out;
    uint32_t unit_capacity, place_capacity, switch_capacity;
    uint32_t *labels;          /* unit by bci; UINT32_MAX */
    struct fixup *fixups;
    uint32_t fixup_count, fixup_capacity;

    struct entry *stack;
    int depth;                 /* slots */
    int64_t last_dest;         /* unit of the last instruction if it writes only
                                  slot a and nothing jumped in since; else -1 */
};

static inline int
reg_local(const struct translator *t, unsigned i)
{
    return (int)i - (int)t->code->max_locals;
}

static inline int
reg_operand(int depth)
{
    return FRAME_HEADER + depth;
}

/* ---- emitting (emit.c): operands that name slots may be far ---- */
uint32_t emit(struct translator *t, enum op op, int a, int b, int c);
uint32_t emit_imm(struct translator *t, enum op op, int a, int32_t imm);
/* One of two units; second may be a pointer. */
uint32_t emit_long(struct translator *t, enum op op, int a, int b, int c,
                   uint64_t second);
void emit_move(struct translator *t, int to, int from);
void emit_constant(struct translator *t, int to, int64_t value);
/* A conditional branch, and one that is not: GOTO or JSR. */
void emit_branch(struct translator *t, enum op op, int a, int b, uint32_t target);
void emit_jump(struct translator *t, enum op op, int a, uint32_t target);
void emit_place(struct translator *t);
void *translator_grow(struct translator *t, void *array, uint32_t *capacity,
                      uint32_t count, size_t size);
/* Room for one more element behind count of them; false when translation failed. */
#define GROW(t, array, count, capacity) \
    ((array) = translator_grow((t), (array), &(capacity), (count), sizeof *(array)), \
     !(t)->failed)

/* ---- the abstract stack (emit.c) ---- */
void stack_settle(struct translator *t);           /* all in their slots */
void stack_reset(struct translator *t);            /* as a block begins */
void stack_kill_local(struct translator *t, unsigned local);
int push_result(struct translator *t, bool wide);  /* its slot */
void push_copy(struct translator *t, int reg, bool wide);
void push_constant(struct translator *t, int64_t value, bool wide);
struct entry pop_entry(struct translator *t);      /* depth names its slot then */
int pop_reg(struct translator *t);                 /* constants are put in place */
/* The top n-th (0: top) one-slot entry is a constant of 16 bits? */
bool top_is_small(const struct translator *t, int64_t *value);
/* pop, dup, swap and their like. */
void shuffle(struct translator *t, uint8_t opcode);

/* ---- constants, fields, calls, objects (translate_pool.c) ---- */
void translate_ldc(struct translator *t, unsigned index);
void translate_field(struct translator *t, uint8_t opcode, unsigned index);
void translate_invoke(struct translator *t, uint8_t opcode, unsigned index);
void translate_object(struct translator *t, const struct instruction *in);

#endif
