/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verifier.h -- shared by the files of the verifier. */

#ifndef MINIVM_CLASSFILE_VERIFIER_H
#define MINIVM_CLASSFILE_VERIFIER_H

#include "base/arena.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "classfile/verify.h"

/* Verification types (JVMS 4.10.1.2), then what instructions ask for. */
enum vkind {
    V_TOP,
    V_INT,
    V_FLOAT,
    V_LONG,
    V_LONG_2ND,
    V_DOUBLE,
    V_DOUBLE_2ND,
    V_NULL,
    V_OBJECT,                          /* name: a class or an array */
    V_UNINITIALIZED_THIS,
    V_UNINITIALIZED,                   /* bci of the new */
    /* Only wanted, never held. */
    V_BOOLEAN,
    V_BYTE,
    V_SHORT,
    V_CHAR,
    V_ANY_REFERENCE,                   /* uninitialized ones too */
    V_ANY_CATEGORY1,
    V_ANY_CATEGORY2,                   /* the lower half */
    V_ANY_CATEGORY2_2ND                /* the upper half, which is on top */
};

struct vtype {
    enum vkind kind;
    uint32_t bci;
    const struct symbol *name;
};

struct vframe {
    uint32_t bci;
    uint32_t locals_size, stack_size;  /* locals from locals_size on are V_TOP */
    bool this_uninit;                  /* flagThisUninit */
    struct vtype *locals, *stack;
};

/* What went wrong, for the details of the message. */
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

/* A type with where it comes from. */
enum vorigin_place {
    FROM_NOWHERE,
    FROM_LOCALS,
    FROM_STACK,
    FROM_MAP_LOCALS,
    FROM_MAP_STACK,
    FROM_POOL,
    FROM_SIGNATURE,
    FROM_CONTEXT,
    FROM_FRAME                         /* a frame alone, no type */
};

struct vorigin {
    enum vorigin_place place;
    uint32_t index;
    struct vtype type;
    const struct vframe *frame;        /* to print, or NULL */
};

struct vcontext {
    enum vfault fault;
    uint32_t bci;
    struct vorigin found, wanted;
};

struct verifier {
    const struct classfile *cf;
    const struct verify_hooks *hooks;
    struct verify_result *result;
    char class_name[256];              /* as messages have it, cut to fit */
    struct arena arena;                /* of one method */
    size_t arena_left;                 /* what a method may still take */

    /* Of the method. */
    const struct cf_method *m;
    uint8_t *starts;                   /* by bci: START_… */
    struct vframe now;                 /* before, then after the instruction */
    uint32_t stack_mark;               /* now.stack_size before the instruction */
    struct vtype return_type;          /* V_TOP for void */
    struct vframe *maps;               /* in ascending order of bci */
    uint32_t map_count, map_next;
    uint32_t covered_from, covered_to; /* what any handler covers */
    bool locals_changed;               /* since the handlers saw them last */

    const struct symbol *object, *throwable, *init, *clone, *cloneable, *serializable;
};

/* Bits of verifier.starts. */
enum {
    START_PLAIN = 1,
    START_NEW = 2,                     /* of a new */
    START_RANGE = 4                    /* a handler's range begins here */
};

/* All of these answer false once the result is settled. */

/* A VerifyError with the details that the context gives. */
bool verifier_fail(struct verifier *v, const struct vcontext *context,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A ClassFormatError that names the method; final forbids a second try. */
bool verifier_fail_format(struct verifier *v, bool final, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool verifier_no_memory(struct verifier *v);

/* The same about the current instruction, where index is of a local or a constant; and
   about a type there, with wanted {0} if there is none. */
#define verifier_fail_at(v, what, i, ...) \
    verifier_fail((v), &(struct vcontext){ .fault = (what), .bci = (v)->now.bci, \
                                           .found.index = (i) }, __VA_ARGS__)
#define verifier_fail_code(v, ...) verifier_fail_at((v), FAULT_CODE, 0, __VA_ARGS__)
#define verifier_fail_type(v, found, wanted, ...) \
    verifier_fail((v), &(struct vcontext){ FAULT_TYPE, (v)->now.bci, (found), \
                                           (wanted) }, __VA_ARGS__)

/* Zeroed memory until the end of the method; NULL after verifier_no_memory. */
void *verifier_alloc(struct verifier *v, size_t count, size_t size);

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

/* The upper half of a long or double. */
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

/* By the letter of a descriptor or of the opcode table, the small integers kept apart;
   V_TOP for those of classes and void. */
enum vkind vkind_of_letter(char letter);

/* The types of one value of kind, the upper half included; how many. */
static inline unsigned
vtypes_of_kind(enum vkind kind, struct vtype types[2])
{
    types[0] = vtype_of(kind);
    if (!vkind_is_wide(kind))
        return 1;
    types[1] = vtype_upper(kind);
    return 2;
}

/* Whether a value of from may stand where to is wanted: 1, 0, or -1 when a hook
   failed and the result is settled.  member is for the receiver of a protected
   member (see names_assignable). */
int vtype_assignable(struct verifier *v, const struct vtype *from,
                     const struct vtype *to, bool member);

/* The type of the elements of an array, the small integers kept apart; false when
   memory runs out. */
bool vtype_of_component(struct verifier *v, const struct symbol *array,
                        struct vtype *type);

/* The types of a descriptor's type, upper half included; how many.  A class has a
   NULL name when memory ran out; the result is settled then. */
unsigned vtype_of_descriptor(struct verifier *v, const struct descriptor_type *type,
                             struct vtype types[2]);

/* Read the StackMapTable of the method into v->maps. */
bool stackmap_read(struct verifier *v);

/* That frame may flow into map, or into the one at target, which must be there; the
   complaint may have a place for where that is. */
bool stackmap_match(struct verifier *v, const struct vframe *frame,
                    const struct vframe *map, const char *complaint);
bool stackmap_reach(struct verifier *v, const struct vframe *frame, int32_t target,
                    const char *complaint);

/* The jumps of an instruction, if any, with the current frame. */
bool stackmap_check_targets(struct verifier *v, const struct instruction *in);

/* Pop one slot that must be assignable to want; *got (may be NULL) becomes it. */
bool verifier_pop(struct verifier *v, struct vtype want, struct vtype *got);
/* Pop the types of a descriptor's type, or push them. */
bool verifier_pop_types(struct verifier *v, const struct vtype *types, unsigned count);
bool verifier_push_types(struct verifier *v, const struct vtype *types, unsigned count);
bool verifier_push(struct verifier *v, struct vtype type);

/* Where the operand is that was popped last. */
struct vorigin verifier_top(const struct verifier *v);

/* That found's type may stand where wanted's is; member as in vtype_assignable. */
bool verifier_require(struct verifier *v, struct vorigin found, struct vorigin wanted,
                      bool member, const char *message);

bool verifier_fail_overflow(struct verifier *v);

static inline struct vorigin
vorigin_of(enum vorigin_place place, uint32_t index, struct vtype type)
{
    return (struct vorigin){ place, index, type, NULL };
}

/* The constant of the current instruction exists and its tag is one of the bits
   1 << tag. */
bool verifier_check_constant(struct verifier *v, unsigned index, uint32_t tags);

/* Every handler that covers the current instruction accepts the current locals;
   this_uninit adds flagThisUninit.  Quick when neither has changed. */
bool verifier_check_handlers(struct verifier *v, bool this_uninit);

/* Apply an instruction to v->now, its jumps checked; *this_uninit becomes true when
   it has initialized `this`. */
bool verify_instruction(struct verifier *v, const struct instruction *in,
                        bool *this_uninit);
/* Those that refer to members. */
bool verify_field(struct verifier *v, const struct instruction *in);
bool verify_invoke(struct verifier *v, const struct instruction *in, bool *this_uninit);

#endif
