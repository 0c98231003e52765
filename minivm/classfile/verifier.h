/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verifier.h -- what the files of the verifier share (JVMS 4.10.1).
 *
 * Only minivm/classfile includes this header; the rest of the VM uses verify.h.
 *
 *   verify.c         verify_class; goes through the code and keeps the current frame
 *   verify_type.c    verification types, and which is assignable to which
 *   stackmap.c       reads the StackMapTable and compares frames with its frames
 *   verify_insn.c    what each instruction demands of the frame and does to it
 *   verify_member.c  the same for access to fields and for calls
 *   verify_error.c   the messages
 *
 * A frame describes the locals and operands of a method before one of its instructions,
 * by their verification types.  The frames of the StackMapTable are called maps here:
 * the class file has one wherever a jump or an exception may lead.  The verifier goes
 * through the code once, from the first instruction to the last, and changes its
 * current frame as the instructions do.  Where a map stands, the current frame must be
 * assignable to it, and the map then becomes the current frame.  At a jump, the current
 * frame must be assignable to the map at the target.  Nothing is merged and nothing is
 * visited twice.
 *
 * The functions return false (or NULL) as soon as the result of the verification, in
 * verifier.result, is decided: a check failed, a hook failed or memory ran out.  The
 * caller only passes that on.  Only the hooks may block, call Java or collect
 * (verify.h).
 */

#ifndef MINIVM_CLASSFILE_VERIFIER_H
#define MINIVM_CLASSFILE_VERIFIER_H

#include "base/arena.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "classfile/verify.h"

/* ---- verification types ---- */

/* The kinds of verification types (JVMS 4.10.1.2), and after them what an instruction
   may ask for but no frame ever has. */
enum vkind {
    V_TOP,
    V_INT,
    V_FLOAT,
    /* A long or double takes two slots: the value is in the lower one, and the upper
       one, at the higher index, has the type ..._2ND. */
    V_LONG,
    V_LONG_2ND,
    V_DOUBLE,
    V_DOUBLE_2ND,
    V_NULL,
    /* A class or array; vtype.name tells which. */
    V_OBJECT,
    V_UNINITIALIZED_THIS,
    /* What the new at vtype.bci has made, until <init> has been called. */
    V_UNINITIALIZED,

    /* The rest is only asked for.  An int is assignable to the first four. */
    V_BOOLEAN,
    V_BYTE,
    V_SHORT,
    V_CHAR,
    /* Any reference, an uninitialized one too. */
    V_ANY_REFERENCE,
    /* Any value of one slot. */
    V_ANY_CATEGORY1,
    /* The lower slot of any long or double, and the upper slot, which is on top. */
    V_ANY_CATEGORY2,
    V_ANY_CATEGORY2_2ND
};

struct vtype {
    enum vkind kind;
    /* Of V_UNINITIALIZED, else 0. */
    uint32_t bci;
    /* Of V_OBJECT, as CONSTANT_Class has it; else NULL. */
    const struct symbol *name;
};

struct vframe {
    uint32_t bci;
    /* Locals from locals_size on are V_TOP. */
    uint32_t locals_size, stack_size;
    /* flagThisUninit of JVMS 4.10.1.4: `this` is not initialized yet. */
    bool this_uninit;
    struct vtype *locals, *stack;
};

static inline struct vtype
vtype_of(enum vkind kind)
{
    return (struct vtype){ kind, 0, NULL };
}

static inline struct vtype
vtype_object(const struct symbol *name)
{
    return (struct vtype){ V_OBJECT, 0, name };
}

static inline bool
vtype_equals(const struct vtype *a, const struct vtype *b)
{
    return a->kind == b->kind && a->bci == b->bci && a->name == b->name;
}

static inline bool
vtype_is_array(const struct vtype *t)
{
    return t->kind == V_OBJECT && t->name->bytes[0] == '[';
}

/* The type of the upper slot of a long or double. */
static inline struct vtype
vtype_upper(enum vkind lower)
{
    return vtype_of(lower == V_LONG ? V_LONG_2ND : V_DOUBLE_2ND);
}

static inline bool
vkind_is_wide(enum vkind kind)
{
    return kind == V_LONG || kind == V_DOUBLE;
}

static inline bool
vkind_is_upper(enum vkind kind)
{
    return kind == V_LONG_2ND || kind == V_DOUBLE_2ND;
}

/* The kind that a letter of a descriptor or of the opcode table stands for.  B, C, S
   and Z have kinds of their own; L, [ and V yield V_TOP. */
enum vkind vkind_of_letter(char letter);

/* Set types to the types of the slots of one value of that kind.  Returns their number,
   1 or 2. */
static inline unsigned
vtypes_of_kind(enum vkind kind, struct vtype types[2])
{
    types[0] = vtype_of(kind);
    if (!vkind_is_wide(kind))
        return 1;
    types[1] = vtype_upper(kind);
    return 2;
}

/* ---- one verification ---- */

struct verifier {
    const struct classfile *cf;
    const struct verify_hooks *hooks;
    struct verify_result *result;
    /* As messages have it, with dots; cut off if it is too long. */
    char class_name[256];
    /* The memory of the current method, and how many bytes it may still take. */
    struct arena arena;
    size_t arena_left;

    /* The rest, down to the symbols, belongs to the current method. */
    const struct cf_method *m;
    /* By bci: bits START_..., 0 if no instruction begins there. */
    uint8_t *starts;
    /* The frame before the current instruction, and after it once it has been
       checked. */
    struct vframe current;
    /* current.stack_size before the instruction, for messages. */
    uint32_t stack_size_before;
    /* Of the method; V_TOP for void. */
    struct vtype return_type;
    /* The frames of the StackMapTable, in ascending order of bci, and the index of the
       first that is not passed yet. */
    struct vframe *maps;
    uint32_t map_count, map_next;
    /* No exception handler covers a bci outside of [covered_from, covered_to). */
    uint32_t covered_from, covered_to;
    /* The locals have changed since verifier_check_handlers saw them. */
    bool locals_changed;

    const struct symbol *object, *throwable, *init, *clone, *cloneable, *serializable;
};

/* Bits of verifier.starts. */
enum {
    /* An instruction begins here. */
    START_INSTRUCTION = 1,
    /* It is a new. */
    START_NEW = 2,
    /* The range of an exception handler begins here. */
    START_RANGE = 4
};

/* ---- errors (verify_error.c) ---- */

/* What went wrong: HotSpot's "Reason" in the details of a VerifyError. */
enum vfault {
    FAULT_CODE,
    FAULT_TYPE,
    FAULT_FLAGS,
    FAULT_CP_INDEX,
    FAULT_LOCAL_INDEX,
    FAULT_STACK_SIZE,
    FAULT_OVERFLOW,
    FAULT_UNDERFLOW,
    FAULT_MISSING_MAP,
    FAULT_BAD_MAP
};

/* Where a type comes from that a message names. */
enum vorigin_kind {
    FROM_NOWHERE,
    FROM_LOCALS,
    FROM_STACK,
    FROM_MAP_LOCALS,
    FROM_MAP_STACK,
    FROM_POOL,
    FROM_SIGNATURE,
    /* The instruction itself. */
    FROM_CONTEXT,
    /* There is no type, but a frame. */
    FROM_FRAME
};

struct vorigin {
    enum vorigin_kind kind;
    /* Of the local, operand or constant. */
    uint32_t index;
    struct vtype type;
    /* A frame that the message prints, or NULL. */
    const struct vframe *frame;
};

/* The facts that the details of a VerifyError are made of. */
struct vcontext {
    enum vfault fault;
    uint32_t bci;
    struct vorigin found, wanted;
};

/* Decide the result as a VerifyError, with the details that the context gives. */
bool verifier_fail(struct verifier *v, const struct vcontext *context,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Decide the result as a ClassFormatError.  Unless it is final, the method is named,
   and libverify may have a second try if the file is of version 50. */
bool verifier_fail_format(struct verifier *v, bool final, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Decide the result as an OutOfMemoryError. */
bool verifier_no_memory(struct verifier *v);

/* A VerifyError about the current instruction.  The first is for any fault; `i` is the
   index of the local or constant, or 0.  The last is about a type, with the vorigin of
   the type that was found and of the one that is wanted, {0} if there is none. */
#define verifier_fail_at(v, what, i, ...) \
    verifier_fail((v), \
                  &(struct vcontext){ \
                      .fault = (what), .bci = (v)->current.bci, .found.index = (i) }, \
                  __VA_ARGS__)
#define verifier_fail_code(v, ...) verifier_fail_at((v), FAULT_CODE, 0, __VA_ARGS__)
#define verifier_fail_type(v, found, wanted, ...) \
    verifier_fail( \
        (v), &(struct vcontext){ FAULT_TYPE, (v)->current.bci, (found), (wanted) }, \
        __VA_ARGS__)

/* A VerifyError because the operand stack is full. */
bool verifier_fail_overflow(struct verifier *v);

static inline struct vorigin
vorigin_of(enum vorigin_kind kind, uint32_t index, struct vtype type)
{
    return (struct vorigin){ kind, index, type, NULL };
}

/* ---- types (verify_type.c) ---- */

/*
 * Whether a value of type `from` may be where `to` is asked for (JVMS 4.10.1.2,
 * isAssignable): 1, 0, or -1 if a hook failed or memory ran out, which decides the
 * result. `member` is set when `from` is the receiver of a protected member and `to` is
 * the class being verified (see names_assignable).
 */
int vtype_assignable(struct verifier *v, const struct vtype *from,
                     const struct vtype *to, bool member);

/* Set *type to the type of the elements of an array; boolean, byte, short and char have
   kinds of their own.  Returns false if memory runs out. */
bool vtype_of_component(struct verifier *v, const struct symbol *array,
                        struct vtype *type);

/*
 * Set types to the types of the slots that a value of a descriptor's type takes.
 * Returns their number, 0 for void.  If memory runs out, the result is decided and the
 * name of a class is NULL: callers look at result->status before they use it.
 */
unsigned vtype_of_descriptor(struct verifier *v, const struct descriptor_type *type,
                             struct vtype types[2]);

/* ---- stack maps (stackmap.c) ---- */

/* Read the StackMapTable of the method into v->maps (JVMS 4.7.4).  The current frame
   must be the one in which the method begins. */
bool stackmap_read(struct verifier *v);

/* Check that the frame is assignable to a map (JVMS 4.10.1.4, frameIsAssignable).  %u
   in `message` becomes the bci of the map. */
bool stackmap_match(struct verifier *v, const struct vframe *frame,
                    const struct vframe *map, const char *message);

/* Check that the frame is assignable to the map at the bci `target`; fail if the target
   has no map.  message is that of stackmap_match. */
bool stackmap_match_target(struct verifier *v, const struct vframe *frame,
                           int32_t target, const char *message);

/* Check the current frame against the maps at all targets of the instruction. */
bool stackmap_check_targets(struct verifier *v, const struct instruction *in);

/* ---- the current frame (verify.c) ---- */

/* Zeroed memory that lives until the end of the method.  Returns NULL after
   verifier_no_memory. */
void *verifier_alloc(struct verifier *v, size_t count, size_t size);

/* Pop one slot, whose type must be assignable to `want`.  *got, unless got is NULL,
   becomes the type even if it is not. */
bool verifier_pop(struct verifier *v, struct vtype want, struct vtype *got);

/* Pop or push the types of several slots; the last is on top. */
bool verifier_pop_types(struct verifier *v, const struct vtype *types, unsigned count);
bool verifier_push_types(struct verifier *v, const struct vtype *types, unsigned count);
bool verifier_push(struct verifier *v, struct vtype type);

/* The origin of the operand that was popped last, for a message about it. */
struct vorigin verifier_popped(const struct verifier *v);

/* Check that the type found is assignable to the type wanted; `member` as in
   vtype_assignable. */
bool verifier_require(struct verifier *v, struct vorigin found, struct vorigin wanted,
                      bool member, const char *message);

/*
 * Check that each handler that covers the current instruction accepts the current
 * locals (JVMS 4.10.1.6, instructionSatisfiesHandlers).  this_uninit sets
 * flagThisUninit in the frame that the handlers see.  Returns at once if neither the
 * locals nor the handlers have changed since the last call.
 */
bool verifier_check_handlers(struct verifier *v, bool this_uninit);

/* ---- instructions (verify_insn.c, verify_member.c) ---- */

/* Check that the constant exists and that its tag is one of `tags`, bits 1 << tag. */
bool verifier_check_constant(struct verifier *v, unsigned index, uint32_t tags);

/* Apply an instruction to the current frame, and check its targets (JVMS 4.10.1.9).
   *this_uninit becomes true if it has initialized `this`. */
bool verify_instruction(struct verifier *v, const struct instruction *in,
                        bool *this_uninit);

/* Apply getstatic, putstatic, getfield or putfield, and the invoke instructions, to the
   current frame.  *this_uninit becomes true if the constructor of `this` is called. */
bool verify_field(struct verifier *v, const struct instruction *in);
bool verify_invoke(struct verifier *v, const struct instruction *in, bool *this_uninit);

#endif
