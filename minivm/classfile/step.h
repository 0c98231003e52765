/* SPDX-License-Identifier: MIT */
/* minivm/classfile/step.h -- what an instruction does to the kinds of a frame. */

#ifndef MINIVM_CLASSFILE_STEP_H
#define MINIVM_CLASSFILE_STEP_H

#include "classfile/framemap.h"
#include "classfile/opcode.h"

/* The first of the kinds that stand for return addresses: above it, each tells how
   deeply nested the subroutine is that it leads back from. */
enum { FIRST_RETURN_ADDRESS = 16 };

struct step_frame {
    uint8_t *kinds;                    /* max_locals locals, then max_stack operands */
    unsigned depth;
};

/* The kind of a value by its letter in a descriptor or in the opcode table. */
uint8_t step_kind(char letter);

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
