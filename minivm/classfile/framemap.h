/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/framemap.h -- what the slots of a frame hold, at each bytecode.
 *
 * This is a dataflow analysis of a method's code over the kinds of abstract_frame.h.
 * The collector uses it to find the references in a frame, the interpreter's translator
 * to know the depth and the kinds of the operands at each bytecode, and JVM TI to check
 * the type of a local variable.  It loads no class, does not read the StackMapTable,
 * and needs no verified code, so that it serves class files of all versions.
 *
 * If a local has different kinds on different paths to a bytecode, it is SLOT_UNUSABLE
 * there: no verified code reads it.  Subroutines (jsr and ret, class files below
 * version 51) are the exception.  If one caller has a reference in a local and another
 * caller has something else in it, the local is dead in the subroutine, but the first
 * caller may read it again afterwards (JVMS 4.10.2.5).  Such a local is SLOT_AMBIGUOUS
 * in the subroutine, and the collector has to look whether the value is an object's
 * address.
 *
 * The functions take no lock, call no Java and do not collect.  An analysis belongs to
 * its caller; threads may share a finished one.  The class file must outlive it.
 */

#ifndef MINIVM_CLASSFILE_FRAMEMAP_H
#define MINIVM_CLASSFILE_FRAMEMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "classfile/abstract_frame.h"
#include "classfile/classfile.h"

/* What the analysis finds out about each bci. */
enum {
    /* An instruction begins here. */
    CODE_START = 0x01,
    /* Some path leads to this instruction. */
    CODE_REACHED = 0x02,
    /* A basic block begins here. */
    CODE_LEADER = 0x04,
    /* A branch, a switch or a jsr jumps here. */
    CODE_TARGET = 0x08,
    /* One that stands here or further down jumps here. */
    CODE_LOOP = 0x10,
    /* An exception handler begins here. */
    CODE_HANDLER = 0x20
};

enum framemap_status {
    FRAMEMAP_OK,
    /* No verifier would accept the method. */
    FRAMEMAP_BAD_CODE,
    FRAMEMAP_NO_MEMORY
};

/*
 * A calling context: which jsr instructions are under way.  Context 0 is the method
 * itself, outside of any subroutine.  A subroutine is analysed once for each context,
 * as if it were copied to every place that calls it.
 */
struct framemap_context {
    /* The number of the context that the jsr was executed in. */
    uint32_t parent;
    /* The instruction after the jsr, and where the subroutine begins. */
    uint32_t return_bci;
    uint32_t target;
    /* How many subroutines are under way: 0 for context 0. */
    uint32_t nesting;
};

/* A program point: a bci in a context. */
struct framemap_point {
    /* Where the kinds of a basic block's entry frame begin in framemap_code.states.
       UINT32_MAX if no path has come to the block, or none begins here. */
    uint32_t state;
    /* Links the worklist; see framemap.c. */
    uint32_t next;
};

/* The analysis of one method.  Release it with framemap_release. */
struct framemap_code {
    const struct classfile *cf;
    const struct cf_method *method;
    /* By bci: the bits CODE_... */
    uint8_t *flags;
    /* By bci: the operand slots in use before the instruction, if it is
       CODE_REACHED. */
    uint16_t *depth;
    /* The instruction at which the analysis ended with FRAMEMAP_BAD_CODE. */
    uint32_t error_bci;

    /* The rest is private. */
    struct framemap_context *contexts;
    uint32_t context_count;
    /* By context * code_length + bci. */
    struct framemap_point *points;
    /* The entry frames of all basic blocks: the kinds of the locals, then the
       operands. */
    struct buf states;
};

/*
 * Analyse m, a method of cf with a Code attribute.  Time and memory are linear in the
 * length of the code, times the number of contexts if it has subroutines.  Unless
 * FRAMEMAP_OK is returned, only code->error_bci is set, and nothing needs releasing.
 */
enum framemap_status framemap_analyze(const struct classfile *cf,
                                      const struct cf_method *m,
                                      struct framemap_code *code);

/* Free what the analysis owns; error_bci stays. */
void framemap_release(struct framemap_code *code);

/* The frame at one bytecode. */
struct framemap {
    uint16_t max_locals, depth;
    /* enum slot_kind: max_locals locals, then depth operands. */
    uint8_t *kinds;
    /* False if no path leads here; all slots are unusable then. */
    bool reached;
};

/* Set *out to the frame before the instruction at bci.  Returns false if memory runs
   out or if no instruction begins there.  Free with framemap_clear. */
bool framemap_at(const struct framemap_code *code, uint32_t bci, struct framemap *out);

/*
 * The kinds of the operands before the instruction at bci, which must be CODE_REACHED
 * and CODE_LEADER, without the work of framemap_at.  Returns NULL if the method has
 * subroutines: their blocks have a frame for each context.  The array belongs to the
 * analysis.
 */
static inline const uint8_t *
framemap_operands_at_leader(const struct framemap_code *code, uint32_t bci)
{
    if (code->context_count != 1)
        return NULL;
    return code->states.data + code->points[bci].state + code->method->max_locals;
}

/* Do framemap_analyze, framemap_at and framemap_release in one call.  Returns false if
   one of them fails. */
bool framemap_compute(const struct classfile *cf, const struct cf_method *m,
                      uint32_t bci, struct framemap *out);

void framemap_clear(struct framemap *map);

#endif
