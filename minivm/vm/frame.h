/* SPDX-License-Identifier: MIT */
/* minivm/vm/frame.h -- frames on a thread's Java stack.
 *
 *      lower addresses
 *        local 0 .. max_locals - 1     the arguments are the caller's operands
 *        struct frame                  the frame pointer points here
 *        operand stack
 *      higher addresses
 *
 * Slots are addressed relative to the frame pointer: local i is at
 * i - max_locals, operand i at FRAME_HEADER + i.  A result is stored where local 0
 * is: the top of the caller's operand stack.
 *
 * Frames are linked by caller.  An entry frame (code NULL) stands where C code
 * called Java; walking goes on below it. */

#ifndef MINIVM_VM_FRAME_H
#define MINIVM_VM_FRAME_H

#include "vm/class.h"

struct frame {
    struct frame *caller;
    /* What this frame runs next once its callee returns; written before
       anything that may look.  NULL in native frames. */
    const union insn *pc;
    struct code *code;             /* NULL: entry frame */
    /* The class of a static native method (ref), or of an entry frame the slots that it
       takes behind its header (i). */
    union slot aux;
};

#define FRAME_HEADER ((int)(sizeof(struct frame) / sizeof(union slot)))

static inline union slot *
frame_locals(const struct frame *f)
{
    return (union slot *)(uintptr_t)f - f->code->max_locals;
}

static inline union slot *
frame_operands(const struct frame *f)
{
    return (union slot *)(uintptr_t)f + FRAME_HEADER;
}

static inline bool
frame_is_entry(const struct frame *f)
{
    return f->code == NULL;
}

static inline bool
frame_is_native(const struct frame *f)
{
    return f->code && method_is_native(f->code->method);
}

/* The next older frame that is a Java or native method's, or NULL. */
static inline struct frame *
frame_older(const struct frame *f)
{
    f = f->caller;
    while (f && frame_is_entry(f))
        f = f->caller;
    return (struct frame *)(uintptr_t)f;
}

/*
 * A frame's saved pc is the unit after the instruction that it is at.  Two tag
 * bits say what a walker may believe (units are 8-byte aligned):
 *   PC_AT_START      the frame is before the instruction at pc: a backward branch
 *                    or a switch of forms; the operand stack is in place
 *   PC_NO_OPERANDS   the instruction throws or returns: operands are dead
 */
#define PC_AT_START 1u
#define PC_NO_OPERANDS 2u
#define PC_TAGS 3u

static inline const union insn *
pc_tag(const union insn *pc, unsigned tag)
{
    return (const union insn *)((uintptr_t)pc | tag);
}

static inline const union insn *
pc_untag(const union insn *pc)
{
    return (const union insn *)((uintptr_t)pc & ~(uintptr_t)PC_TAGS);
}

/* The newest method frame of t, or NULL.  t is self, stopped, or in a handshake. */
struct frame *thread_top_frame(const struct thread *t);

/* The bytecode index that f is at: of the call that it waits for, or of the
   instruction that stopped it; -1 in native methods. */
int32_t frame_bci(const struct frame *f);

/* The source line of a bytecode index, or -1 when unknown, -2 in native methods. */
int32_t code_line(const struct code *code, int32_t bci);

/*
 * Which slots of f hold references at its bci.  Calls visit for each non-null one
 * with the local's number, or -1 - depth for operands.  What newer, the frame that f
 * called or NULL, has taken as its arguments is no operand of f's any more.  Answers
 * how many operands there are.
 */
int32_t frame_visit_references(const struct frame *f, const struct frame *newer,
                               void (*visit)(void *context, int32_t slot,
                                             struct object *object),
                               void *context);

/* What a local of f, which has bytecode, holds at its bci: enum slot_kind, and
   SLOT_UNUSABLE for an ambiguous one. */
uint8_t frame_local_kind(const struct frame *f, unsigned local);

/* Free what frame_visit_references keeps about code, which no frame runs. */
void frame_forget_code(struct code *code);

/* Registers as the heap's root enumeration of all threads' stacks. */
struct vm;
void frame_roots_init(struct vm *vm);

#endif
