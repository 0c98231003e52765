/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/abstract_frame.h -- what one instruction does to the kinds of
 * values.
 *
 * An abstract frame has the kind of the value in each local and operand slot in place
 * of the value.  abstract_execute is the transfer function of every analysis that asks
 * for kinds only: framemap.c runs it over whole methods, and runtime/npe.c runs it to
 * find out how many operands an instruction leaves.  It knows nothing of control flow.
 *
 * The verifier has its own frames (verifier.h), since it has to tell classes apart.
 *
 * The functions allocate nothing, take no lock and may be called by any thread; the
 * frame and its array of kinds are the caller's.  They report bad code by returning
 * false, and never write outside of the array, whatever the code is.
 */

#ifndef MINIVM_CLASSFILE_ABSTRACT_FRAME_H
#define MINIVM_CLASSFILE_ABSTRACT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "classfile/classfile.h"
#include "classfile/opcode.h"

enum slot_kind {
    /* No value that verified code can read. */
    SLOT_UNUSABLE,
    /* A boolean, byte, char, short or int. */
    SLOT_INT,
    SLOT_FLOAT,
    /* The value of a long or double is in this slot; the next slot is a SLOT_HALF. */
    SLOT_LONG,
    SLOT_DOUBLE,
    SLOT_HALF,
    /* An object, null, or an object that new has made and <init> has not seen yet. */
    SLOT_REFERENCE,
    /* What jsr pushes. */
    SLOT_RETURN_ADDRESS,
    /* A reference or something else; framemap.h tells when. */
    SLOT_AMBIGUOUS,
    /*
     * While framemap.c analyses a method, the return address of a subroutine at nesting
     * depth n has the kind SLOT_FIRST_RETURN_ADDRESS + n.  abstract_execute copies such
     * kinds like any other.  Results have SLOT_RETURN_ADDRESS instead.
     */
    SLOT_FIRST_RETURN_ADDRESS = 16
};

/* The frame of a method m. */
struct abstract_frame {
    /* enum slot_kind: m->max_locals locals, then m->max_stack operands. */
    uint8_t *kinds;
    /* Operand slots in use. */
    unsigned depth;
};

/* The kind of a value by the first letter of its descriptor, or by the letter of the
   opcode table, where A stands for any reference. */
uint8_t slot_kind_of(char letter);

/* Push a value, which takes two slots if kind is SLOT_LONG or SLOT_DOUBLE.  Returns
   false and changes nothing if max_stack does not allow it. */
bool abstract_push(const struct cf_method *m, struct abstract_frame *f, uint8_t kind);

/*
 * Apply an instruction of m to its frame (JVMS 6.5).  The caller follows the flow of
 * control, and pushes the return address of jsr.  Returns false if there are too few
 * operands or too little room, if the local does not exist, or if the constant pool has
 * no constant of the right tag; the frame is of no use then.
 */
bool abstract_execute(const struct classfile *cf, const struct cf_method *m,
                      struct abstract_frame *f, const struct instruction *in);

#endif
