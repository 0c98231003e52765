/* SPDX-License-Identifier: MIT */
/* minivm/classfile/framemap.h -- what the slots of a frame hold, by bytecode. */

#ifndef MINIVM_CLASSFILE_FRAMEMAP_H
#define MINIVM_CLASSFILE_FRAMEMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "classfile/classfile.h"
#include "classfile/opcode.h"

/*
 * An abstract interpretation of a method's code over kinds of values.  It loads
 * no class, trusts no StackMapTable and needs no verified code: it serves the
 * collector (which slots are references), the interpreter's translator (depth
 * and kinds at each bytecode) and the local variable functions of JVM TI.
 *
 * A local that different paths leave with different kinds is unusable: no
 * verified code reads it.  The exception is a subroutine (jsr, class files
 * below 51) that is called with a reference in a local by one caller and
 * something else by another: the local is dead in the subroutine, but the first
 * caller may read it again afterwards.  Such a local is SLOT_AMBIGUOUS, and
 * the collector has to look whether the value is an object's address.
 */
enum slot_kind {
    SLOT_UNUSABLE,
    SLOT_INT,                /* boolean, byte, char and short too */
    SLOT_FLOAT,
    SLOT_LONG,               /* the value stands here, the next slot is a HALF */
    SLOT_DOUBLE,
    SLOT_HALF,
    SLOT_REFERENCE,          /* null and what new leaves before <init> too */
    SLOT_RETURN_ADDRESS,
    SLOT_AMBIGUOUS
};

enum {
    CODE_START = 0x01,       /* an instruction begins here */
    CODE_REACHED = 0x02,     /* and some path leads to it */
    CODE_LEADER = 0x04,      /* a basic block begins here */
    CODE_TARGET = 0x08,      /* some branch or switch goes here */
    CODE_LOOP = 0x10,        /* some backward branch goes here */
    CODE_HANDLER = 0x20      /* an exception handler begins here */
};

enum framemap_status {
    FRAMEMAP_OK,
    FRAMEMAP_BAD_CODE,       /* no verifier would accept the method */
    FRAMEMAP_NO_MEMORY
};

/*
 * A way to be in a subroutine: the jsr that led here, out of which other way.
 * Number 0 is no subroutine at all; each is analysed on its own, as if
 * subroutines were copied to where they are called.
 */
struct framemap_way {
    uint32_t parent;
    uint32_t return_bci;
    uint32_t target;
    uint32_t nesting;        /* 0 for number 0 */
};

/* Of a way and bci. */
struct framemap_place {
    uint32_t state;          /* where a leader's kinds begin, or NONE */
    uint32_t next;           /* of those to be looked at again, LAST, or NONE when
                                this is none of them */
};

/* All of one method.  Release with framemap_release. */
struct framemap_code {
    const struct classfile *cf;
    const struct cf_method *method;
    uint8_t *flags;          /* CODE_…, by bci */
    uint16_t *depth;         /* operand slots before the instruction, by bci;
                                only where CODE_REACHED */
    uint32_t error_bci;      /* where BAD_CODE was seen */

    /* Private from here on. */
    struct framemap_way *ways;
    uint32_t way_count;
    struct framemap_place *places; /* by way and bci */
    struct buf states;       /* the kinds of all leaders: locals, then operands */
};

/*
 * Analyse m, which has code.  Time and memory are linear in the code for all
 * practical methods.  On any status but OK only error_bci is set and nothing
 * needs releasing.
 */
enum framemap_status
framemap_analyze(const struct classfile *cf, const struct cf_method *m,
                 struct framemap_code *code);

void framemap_release(struct framemap_code *code);

/* A frame at one bytecode: max_locals locals, then depth operands. */
struct framemap {
    uint16_t max_locals, depth;
    uint8_t *kinds;          /* enum slot_kind */
    bool reached;            /* false: no path leads here, all unusable */
};

/* The frame before the instruction at bci, out of an analysis; false when
   memory runs out or no instruction begins there.  Free with framemap_clear. */
bool framemap_at(const struct framemap_code *code, uint32_t bci, struct framemap *out);

/* The same in one call: analyse, look, release. */
bool framemap_compute(const struct classfile *cf, const struct cf_method *m,
                      uint32_t bci, struct framemap *out);

void framemap_clear(struct framemap *map);

struct step_frame {
    uint8_t *kinds;          /* max_locals locals, then max_stack operands */
    unsigned depth;
};

/* Push one value; false when it does not fit. */
bool step_push(const struct cf_method *m, struct step_frame *f, uint8_t kind);

/*
 * Apply the instruction to the frame of a method; the flow of control, and the
 * return address that jsr pushes, are the caller's.  False when the instruction
 * needs more than there is or a constant that the pool does not have.
 */
bool step_apply(const struct classfile *cf, const struct cf_method *m,
                struct step_frame *f, const struct instruction *in);

#endif
