/* SPDX-License-Identifier: MIT */
/* minivm/runtime/frame.h -- frames on a thread's Java stack (JVMS 2.6).
 *
 * The Java stack is an array of slots that grows towards higher addresses.  A frame is:
 *
 *      higher addresses
 *        ...                       operand n
 *        operand 1
 *        operand 0                 frame + FRAME_HEADER
 *        struct frame              the frame pointer points here
 *        local max_locals - 1
 *        ...
 *        local 0                   frame - max_locals
 *      lower addresses
 *
 * The frames of a caller and of the method that it calls overlap: the arguments, which
 * the caller has pushed as its newest operands, are the first locals of the called
 * method, and nothing is copied.  With a caller f that has pushed three operands, and
 * calls g with the newest two as its arguments:
 *
 *        operands of g
 *        struct frame of g
 *        local 2 of g
 *        local 1 of g        =     operand 2 of f
 *        local 0 of g        =     operand 1 of f        g stores its result here
 *                                  operand 0 of f
 *                                  struct frame of f
 *                                  locals of f
 *
 * So operands 1 and 2 of f belong to g while g runs: g may store what it likes into its
 * locals, and f->version's stack map says nothing about them.  Where g's local 0 is,
 * the result of g ends, which is then operand 1 of f.
 *
 * Frames are linked by caller.  An entry frame, whose version is NULL, stands where C
 * code has called Java; older frames go on beyond it.
 *
 * This module looks at frames: where they are in their methods, and which of their
 * slots hold references.  The interpreter makes and removes them.  A thread's frames
 * may be looked at by the thread itself, or while it is stopped or in a handshake.
 * Nothing here stops. */

#ifndef MINIVM_RUNTIME_FRAME_H
#define MINIVM_RUNTIME_FRAME_H

#include "heap/heap.h"
#include "linking/class.h"

struct thread;
struct vm;

struct frame {
    struct frame *caller;
    /* The instruction that this frame runs next, after its callee has returned; see
       below.  It is written before anybody may look at the frame.  NULL in native
       frames. */
    const union insn *pc;
    struct method_version *version; /* NULL: an entry frame */
    /* In a static native method its class (ref), so that the JNI has a slot of it.  In
       an entry frame the number of slots that it takes behind its header (i). */
    union slot aux;
};

/* Slots of a struct frame. */
#define FRAME_HEADER ((int)(sizeof(struct frame) / sizeof(union slot)))

static inline union slot *
frame_locals(const struct frame *f)
{
    return (union slot *)(uintptr_t)f - f->version->max_locals;
}

static inline union slot *
frame_operands(const struct frame *f)
{
    return (union slot *)(uintptr_t)f + FRAME_HEADER;
}

static inline bool
frame_is_entry(const struct frame *f)
{
    return f->version == NULL;
}

static inline bool
frame_is_native(const struct frame *f)
{
    return f->version && method_is_native(f->version->method);
}

/* Returns the next older frame of a Java or native method, or NULL. */
static inline struct frame *
frame_older(const struct frame *f)
{
    f = f->caller;
    while (f && frame_is_entry(f))
        f = f->caller;
    return (struct frame *)(uintptr_t)f;
}

/*
 * A frame's saved pc is the address of the instruction word after the instruction that
 * the frame is at.  Words are aligned to 8 bytes, so the low bits are free for two
 * tags, which say what a walker may believe:
 *   PC_AT_START      The frame is before the instruction at pc, as after a backward
 *                    branch or on-stack replacement.  The operands are all there.
 *   PC_NO_OPERANDS   The instruction throws or returns.  The operands are dead.
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

/* Returns the newest frame of t that is a method's, or NULL. */
struct frame *thread_top_frame(const struct thread *t);

/* Returns the index of the bytecode that f is at: of the call that it waits for, or of
   the instruction where it was stopped; -1 in native methods. */
int32_t frame_bci(const struct frame *f);

/* What version_line returns where there is no line, as java.lang.StackTraceElement has
   it. */
enum { LINE_UNKNOWN = -1, LINE_NATIVE = -2 };

/* Returns the source line of a bytecode index, LINE_UNKNOWN, or LINE_NATIVE in native
   methods. */
int32_t version_line(const struct method_version *version, int32_t bci);

/*
 * Calls visit for each slot of f that holds a reference at its bci and is not null,
 * with the number of the local, or with -1 - i for operand i.  newer is the frame that
 * f has called, or NULL: what newer has taken as its arguments is no operand of f's any
 * more.  Returns how many operands there are.  Takes native memory for a stack map the
 * first time at each bci; the process ends when there is none.
 */
int32_t frame_visit_references(const struct frame *f, const struct frame *newer,
                               void (*visit)(void *context, int32_t slot,
                                             struct object *object),
                               void *context);

/* Returns what a local of f, which has bytecode, holds at its bci: an enum slot_kind.
   It is SLOT_UNUSABLE for a local that holds a reference or a number, as by which way
   control came. */
uint8_t frame_local_kind(const struct frame *f, unsigned local);

/* Frees the stack maps that frame_visit_references keeps of version, which no frame
   runs. */
void frame_forget_version(struct method_version *version);

/* Visits the references of top and all older frames as roots of t, newest first; t is
   NULL, and the frames are no roots, if they are those of an unmounted continuation.
   owner is the java.lang.Thread whose frames they are; NULL: of none, or of t. */
void frames_visit_roots(struct thread *t, struct object *owner, struct frame *top,
                        heap_root_fn *visit, void *context);

/* Registers the references on all threads' stacks as roots of the heap. */
void frame_roots_init(struct vm *vm);

#endif
