/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/loop.h -- what the code of an instruction is made of; for interp.c only.
 *
 * An instruction's code reads and writes slots of the frame (SLOT), and ends by going on
 * to another instruction (NEXT, DISPATCH, JUMP) or to a label of the loop that throws.
 * The patterns below are the code of many instructions that differ in a type or an
 * operator: a row of handlers.def names a pattern and fills it in.
 *
 * These macros use only what they are given, except for the loop's table of labels, its
 * labels, and pc in NEXT and DISPATCH, which are a part of every instruction.
 */

#ifndef MINIVM_INTERP_LOOP_H
#define MINIVM_INTERP_LOOP_H

#include <math.h>

#include "interp/interp.h"

#define unlikely(x) __builtin_expect(!!(x), 0)

/* Relaxed accesses, which do not tear (JLS 17.6, 17.7). */
#define GET(type, p) __atomic_load_n((type *)(p), __ATOMIC_RELAXED)
#define PUT(type, p, v) __atomic_store_n((type *)(p), (type)(v), __ATOMIC_RELAXED)

/* The slot n relative to the frame pointer. */
#define SLOT(fp, n) (((union slot *)(fp))[n])

/* Returns the operand slot with a call's first argument, or with a multianewarray's first
   length.  Its number is operand a. */
static inline union slot *
first_argument(struct frame *fp, const union insn *pc)
{
    return &SLOT(fp, FRAME_HEADER + (uint16_t)pc->a);
}

/* ---- going on ---- */

/* Runs the instruction at pc. */
#define DISPATCH() goto *table[__atomic_load_n(&pc->op, __ATOMIC_ACQUIRE)]
/* Goes on behind this instruction, which has n words. */
#define NEXT(n) \
    do { \
        pc += (n); \
        DISPATCH(); \
    } while (0)
/* A jump by so many words.  One backward is a safepoint poll, so that no loop runs on
   while a collection waits for its thread. */
#define JUMP(self, pc, offset) \
    do { \
        int offset_ = (offset); \
        (pc) += offset_; \
        if (offset_ <= 0 && unlikely(GET(uint32_t, &(self)->poll.attention))) \
            goto poll; \
        DISPATCH(); \
    } while (0)

/* ---- calls of C functions that may look at the frame ---- */

/* Writes pc to the frame, before a call of something that may stop, collect or throw.  A
   saved pc is the word behind the instruction's first one (runtime/frame.h). */
static inline void
save_pc(struct frame *fp, const union insn *pc)
{
    fp->pc = pc + 1;
}

/* The same for an instruction that throws or returns, whose operands do not matter any
   more. */
static inline void
save_pc_without_operands(struct frame *fp, const union insn *pc)
{
    fp->pc = pc_tag(pc + 1, PC_NO_OPERANDS);
}

/* After a call for which pc was saved: unwinds if it has failed, which is_good says, or if
   an agent wants the frame to be left.  Else reads pc again, which is in another
   translation if the frame has been moved there. */
#define RESUME(self, fp, pc, is_good) \
    do { \
        if (unlikely(!(is_good))) \
            goto unwind; \
        if (unlikely(thread_must_leave(self))) \
            goto unwind; \
        (pc) = (fp)->pc - 1; \
    } while (0)

/* ---- arithmetic of Java that C has not ---- */

/* Conversions of Java saturate, and NaN becomes 0 (JLS 5.1.3).  That of C is undefined
   outside of the target's range. */
static inline int32_t
to_int(double d)
{
    return d >= 2147483647.0   ? INT32_MAX
           : d > -2147483649.0 ? (int32_t)d
           : d != d            ? 0
                               : INT32_MIN;
}

static inline int64_t
to_long(double d)
{
    return d >= 9223372036854775807.0    ? INT64_MAX
           : d >= -9223372036854775808.0 ? (int64_t)d
           : d != d                      ? 0
                                         : INT64_MIN;
}

/* The smallest value divided by -1 overflows; processors trap, Java does not: the quotient
   is the smallest value again, and the remainder is 0 (JLS 15.17.2, 15.17.3).  y is not
   0. */
static inline int32_t
divide_int(int32_t x, int32_t y)
{
    return unlikely(y == -1) ? (int32_t)(0 - (uint32_t)x) : x / y;
}

static inline int32_t
remainder_int(int32_t x, int32_t y)
{
    return unlikely(y == -1) ? 0 : x % y;
}

static inline int64_t
divide_long(int64_t x, int64_t y)
{
    return unlikely(y == -1) ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static inline int64_t
remainder_long(int64_t x, int64_t y)
{
    return unlikely(y == -1) ? 0 : x % y;
}

/* Comparisons return 1, 0 or -1.  For NaN compare_l, which is fcmpl and dcmpl, returns -1
   and compare_g 1 (JVMS 6.5 "fcmp<op>").  A float is exact as a double. */
static inline int32_t
compare_long(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

static inline int32_t
compare_l(double x, double y)
{
    return x > y ? 1 : x == y ? 0 : -1;
}

static inline int32_t
compare_g(double x, double y)
{
    return x < y ? -1 : x == y ? 0 : 1;
}

/* ---- patterns of instructions that compute ---- */

/* a = b operator c, all by that member of their slots. */
#define BINARY(name, fp, pc, member, operator) \
    do_##name : SLOT(fp, (pc)->a).member = \
        SLOT(fp, (pc)->b).member operator SLOT(fp, (pc)->c).member; \
    NEXT(1);

/* a = b operator the immediate c, which is converted to that type first. */
#define IMMEDIATE(name, fp, pc, member, operator, type) \
    do_##name : SLOT(fp, (pc)->a).member = \
        SLOT(fp, (pc)->b).member operator(type)(pc)->c; \
    NEXT(1);

/* a = b shifted by the lowest bits of the int c (JLS 15.19). */
#define SHIFT(name, fp, pc, member, operator, mask) \
    do_##name : SLOT(fp, (pc)->a).member = \
        SLOT(fp, (pc)->b).member operator(SLOT(fp, (pc)->c).i &(mask)); \
    NEXT(1);

/* a = function(b, c), or ArithmeticException if c is 0. */
#define DIVIDE(name, fp, pc, member, function) \
    do_##name : if (unlikely(SLOT(fp, (pc)->c).member == 0)) goto throw_division; \
    SLOT(fp, (pc)->a).member = function(SLOT(fp, (pc)->b).member, \
                                        SLOT(fp, (pc)->c).member); \
    NEXT(1);

/* a = -b. */
#define NEGATE(name, fp, pc, member) \
    do_##name : SLOT(fp, (pc)->a).member = -SLOT(fp, (pc)->b).member; \
    NEXT(1);

/* a = (type)b; the member `to` of a, and the member `from` of b. */
#define CAST(name, fp, pc, from, to, type) \
    do_##name : SLOT(fp, (pc)->a).to = (type)SLOT(fp, (pc)->b).from; \
    NEXT(1);

/* a = function(b). */
#define APPLY(name, fp, pc, from, to, function) \
    do_##name : SLOT(fp, (pc)->a).to = function(SLOT(fp, (pc)->b).from); \
    NEXT(1);

/* a = function(b, c). */
#define APPLY2(name, fp, pc, from, to, function) \
    do_##name : SLOT(fp, (pc)->a).to = function(SLOT(fp, (pc)->b).from, \
                                                SLOT(fp, (pc)->c).from); \
    NEXT(1);

/* ---- patterns of branches: jump by c words ---- */

/* If a relation b holds. */
#define BRANCH(name, fp, pc, self, member, relation) \
    do_##name : if (SLOT(fp, (pc)->a).member relation SLOT(fp, (pc)->b).member) \
                    JUMP(self, pc, (pc)->c); \
    NEXT(1);

/* If it does not. */
#define BRANCH_UNLESS(name, fp, pc, self, member, relation) \
    do_##name : if (!(SLOT(fp, (pc)->a).member relation SLOT(fp, (pc)->b).member)) \
                    JUMP(self, pc, (pc)->c); \
    NEXT(1);

/* If a relation the immediate b holds. */
#define BRANCH_IMMEDIATE(name, fp, pc, self, member, relation) \
    do_##name : if (SLOT(fp, (pc)->a).member relation(pc)->b) JUMP(self, pc, (pc)->c); \
    NEXT(1);

/* ---- patterns of accesses to arrays and fields ----
 *
 * type is that of the element or field in the heap.  Loads extend it to the member of
 * the slot, with its sign if it has one; stores drop the upper bits. */

/* a = b[c]. */
#define LOAD_ELEMENT(name, fp, pc, type, member) \
    do_##name: \
    { \
        const struct object *array_ = SLOT(fp, (pc)->b).ref; \
        uint32_t index_ = SLOT(fp, (pc)->c).u; \
        if (unlikely(!array_)) \
            goto throw_null; \
        if (unlikely(index_ >= (uint32_t)array_length(array_))) \
            goto throw_bounds; \
        SLOT(fp, (pc)->a).member = GET(type, (type *)array_data(array_) + index_); \
        NEXT(1); \
    }

/* b[c] = a. */
#define STORE_ELEMENT(name, fp, pc, type, member) \
    do_##name: \
    { \
        const struct object *array_ = SLOT(fp, (pc)->b).ref; \
        uint32_t index_ = SLOT(fp, (pc)->c).u; \
        if (unlikely(!array_)) \
            goto throw_null; \
        if (unlikely(index_ >= (uint32_t)array_length(array_))) \
            goto throw_bounds; \
        PUT(type, (type *)array_data(array_) + index_, SLOT(fp, (pc)->a).member); \
        NEXT(1); \
    }

/* a = the field of b whose offset in bytes is c. */
#define GETFIELD(name, fp, pc, type, member, order) \
    do_##name: \
    { \
        const struct object *object_ = SLOT(fp, (pc)->b).ref; \
        if (unlikely(!object_)) \
            goto throw_null; \
        SLOT(fp, (pc)->a).member = __atomic_load_n( \
            (type *)object_at(object_, (uint16_t)(pc)->c), order); \
        NEXT(1); \
    }

/* That field = the bits of a that are in the mask. */
#define PUTFIELD(name, fp, pc, type, member, mask, order) \
    do_##name: \
    { \
        const struct object *object_ = SLOT(fp, (pc)->b).ref; \
        if (unlikely(!object_)) \
            goto throw_null; \
        __atomic_store_n((type *)object_at(object_, (uint16_t)(pc)->c), \
                         (type)(SLOT(fp, (pc)->a).member & (mask)), order); \
        NEXT(1); \
    }

/* a = the static field whose address is the second word. */
#define GETSTATIC(name, fp, pc, type, member, order) \
    do_##name : SLOT(fp, (pc)->a).member = __atomic_load_n((type *)(pc)[1].pointer, \
                                                           order); \
    NEXT(2);

/* That field = the bits of a that are in the mask. */
#define PUTSTATIC(name, fp, pc, type, member, mask, order) \
    do_##name : __atomic_store_n((type *)(pc)[1].pointer, \
                                 (type)(SLOT(fp, (pc)->a).member & (mask)), order); \
    NEXT(2);

/* ---- returns ---- */

/* Returns a as a value of that type, in the slot b, and pops the frame. */
#define RETURN_NARROWED(name, fp, pc, self, type) \
    do_##name : if (unlikely(GET(uint64_t, &(self)->poll.both))) goto return_slow; \
    SLOT(fp, (pc)->b).i = narrowed(SLOT(fp, (pc)->a).i, type); \
    (fp) = (fp)->caller; \
    (self)->top = (fp); \
    (pc) = (fp)->pc; \
    DISPATCH();

#endif
