/* SPDX-License-Identifier: MIT */
/*
 * tiforge/classfile.h -- reads, changes and writes class files (JVMS 4), for
 * ClassFileLoadHook and RedefineClasses.
 *
 *     struct tf_class *c = tf_class_parse(bytes, length);
 *     struct tf_code *code = tf_class_code(c, tf_class_find_method(c, "run", "()V"));
 *
 *     tf_emit_call(code, code->first, TF_OP_INVOKESTATIC, "p/Probe", "hit", "()V", 0);
 *     if (tf_class_write(c, &buffer)) ...
 *     else tf_warning("%s", tf_class_error(c));
 *     tf_class_free(c);
 *
 * Constants, members and the instructions of methods can be added; code that nobody
 * asked for by tf_class_code is copied byte by byte.  Branches, exception tables, line
 * and local variable tables and stack map frames point to instructions, not to
 * numbers, so they stay right wherever something is inserted.  Type annotations inside
 * of code are dropped where the code was taken apart, as nothing but class-file
 * readers sees them.
 *
 * Errors stick: after the first one the class cannot be written and tf_class_error says
 * why; functions that answer a pointer answer NULL then, those that emit ignore a NULL
 * position.  Everything belongs to the class and dies with tf_class_free.  A class is
 * for one thread at a time; nothing here calls the VM, any phase will do.
 */
#ifndef TIFORGE_CLASSFILE_H
#define TIFORGE_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tiforge/buffer.h>
#include <tiforge/opcodes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_class;

/* Access flags (JVMS 4.1, 4.5, 4.6). */
enum {
    TF_ACC_PUBLIC = 0x0001, TF_ACC_PRIVATE = 0x0002, TF_ACC_PROTECTED = 0x0004,
    TF_ACC_STATIC = 0x0008, TF_ACC_FINAL = 0x0010, TF_ACC_SYNCHRONIZED = 0x0020,
    TF_ACC_VOLATILE = 0x0040, TF_ACC_TRANSIENT = 0x0080, TF_ACC_NATIVE = 0x0100,
    TF_ACC_INTERFACE = 0x0200, TF_ACC_ABSTRACT = 0x0400, TF_ACC_SYNTHETIC = 0x1000,
    TF_ACC_MODULE = 0x8000
};

/* An attribute, not interpreted (JVMS 4.7). */
struct tf_attribute {
    struct tf_attribute *next;
    const char *name;
    unsigned name_index;
    const unsigned char *bytes;
    uint32_t length;
};

/* A field or method (JVMS 4.5, 4.6). */
struct tf_member {
    struct tf_member *next;
    unsigned access;
    const char *name, *descriptor;          /* modified UTF-8 */
    unsigned name_index, descriptor_index;
    struct tf_attribute *attributes;
    struct tf_code *code;                   /* once tf_class_code was called */
};

/* -- the class -- */

/*
 * Parse a class file; bytes are copied.  Never NULL but when memory is short: look at
 * tf_class_error, which is NULL when all is well.
 */
struct tf_class *tf_class_parse(const void *bytes, size_t length);
/* What went wrong first, such as "truncated constant pool"; NULL for nothing. */
const char *tf_class_error(const struct tf_class *c);
/* Append the class file to out: false, with tf_class_error, when it cannot be. */
bool tf_class_write(struct tf_class *c, struct tf_buffer *out);
void tf_class_free(struct tf_class *c);

/* Major version: 52 for Java 8, 61 for 17. */
unsigned tf_class_version(const struct tf_class *c);
unsigned tf_class_access(const struct tf_class *c);
/* "java/lang/String"; the superclass is NULL for Object and for modules. */
const char *tf_class_name(const struct tf_class *c);
const char *tf_class_super(const struct tf_class *c);
/* The i-th interface, from 0; NULL when there are no more. */
const char *tf_class_interface(const struct tf_class *c, unsigned i);
/* The SourceFile attribute; NULL when there is none. */
const char *tf_class_source(const struct tf_class *c);

struct tf_member *tf_class_fields(struct tf_class *c);
struct tf_member *tf_class_methods(struct tf_class *c);
struct tf_attribute *tf_class_attributes(struct tf_class *c);
/* By name and descriptor, either NULL for any; NULL for none, which is no error. */
struct tf_member *tf_class_find_method(struct tf_class *c, const char *name,
                                       const char *descriptor);
struct tf_member *tf_class_find_field(struct tf_class *c, const char *name,
                                      const char *descriptor);
struct tf_attribute *tf_attribute_find(struct tf_attribute *list, const char *name);

/*
 * Add a field, or a method whose code is empty to begin with (access abstract or
 * native: none).  A class that is loaded already cannot get either (JVM TI "Redefine
 * Classes").
 */
struct tf_member *tf_class_add_field(struct tf_class *c, unsigned access,
                                     const char *name, const char *descriptor);
struct tf_member *tf_class_add_method(struct tf_class *c, unsigned access,
                                      const char *name, const char *descriptor);

/* -- constants (JVMS 4.4) -- */

/* An entry's text if it is Utf8, Class, String, Module, Package, MethodType, or the
   name of a NameAndType; NULL otherwise. */
const char *tf_constant_text(const struct tf_class *c, unsigned index);
/* Its tag; 0 for an index that is not in use. */
unsigned tf_constant_tag(const struct tf_class *c, unsigned index);
/* The parts of a Fieldref, Methodref, InterfaceMethodref, or without owner of an
   InvokeDynamic or Dynamic; false for other entries.  Each part may be NULL. */
bool tf_constant_member(const struct tf_class *c, unsigned index, const char **owner,
                        const char **name, const char **descriptor);

/* The index of an equal entry, or of a new one at the end; 0 when the pool is full. */
unsigned tf_constant_utf8(struct tf_class *c, const char *text);
unsigned tf_constant_integer(struct tf_class *c, int32_t value);
unsigned tf_constant_long(struct tf_class *c, int64_t value);
unsigned tf_constant_class(struct tf_class *c, const char *name);
unsigned tf_constant_string(struct tf_class *c, const char *text);
unsigned tf_constant_field(struct tf_class *c, const char *owner, const char *name,
                           const char *descriptor);
unsigned tf_constant_method(struct tf_class *c, const char *owner, const char *name,
                            const char *descriptor, bool of_interface);

/* -- code (JVMS 4.7.3) -- */

#define TF_LABEL 256    /* as an opcode: a place, not an instruction */

/* A type of a stack map frame (JVMS 4.7.4). */
enum tf_type_tag {
    TF_TYPE_TOP, TF_TYPE_INT, TF_TYPE_FLOAT, TF_TYPE_DOUBLE, TF_TYPE_LONG, TF_TYPE_NULL,
    TF_TYPE_UNINITIALIZED_THIS, TF_TYPE_OBJECT, TF_TYPE_UNINITIALIZED
};

struct tf_type {
    enum tf_type_tag tag;
    unsigned class_index;       /* OBJECT: the Class entry; 0 for one yet to be made */
    const char *class_name;     /* OBJECT: "p/C" or "[I" */
    struct tf_insn *creation;   /* UNINITIALIZED: the `new` */
};

/* The types where a label stands.  A long or double is one element. */
struct tf_frame {
    unsigned local_count, stack_count;
    struct tf_type *locals, *stack;
};

struct tf_switch {
    int32_t low;                /* tableswitch: the first key */
    uint32_t count;
    int32_t *keys;              /* lookupswitch, ascending; else NULL */
    struct tf_insn **targets;   /* labels */
};

/*
 * An instruction or a label.  `operand` is the local, the constant's index, the
 * immediate value or the element type; `second` iinc's increment, multianewarray's
 * dimensions, invokeinterface's count.
 */
struct tf_insn {
    struct tf_insn *next, *prev;
    int opcode;                 /* TF_OP_... or TF_LABEL */
    bool wide;                  /* stood behind `wide`; set where needed on writing */
    long offset;                /* in the code as it was read; -1 for a new one */
    int32_t operand, second;
    struct tf_insn *target;     /* a jump's label, a switch's default */
    struct tf_switch *cases;
    struct tf_frame *frame;     /* of a label */
    uint32_t pc;                /* where it was written; valid after tf_class_write */
};

struct tf_handler {
    struct tf_handler *next;
    struct tf_insn *start, *end, *handler;  /* labels; end is exclusive */
    unsigned class_index;                   /* 0 catches everything */
};

struct tf_line {
    struct tf_line *next;
    struct tf_insn *start;      /* a label */
    unsigned line;
};

/* A row of LocalVariableTable or LocalVariableTypeTable. */
struct tf_variable {
    struct tf_variable *next;
    struct tf_insn *start, *end;
    unsigned name_index, descriptor_index, slot;
};

struct tf_code {
    struct tf_class *owner;
    struct tf_member *method;
    unsigned max_stack, max_locals; /* as read; locals grow by tf_code_local */
    unsigned reserved;              /* by tf_code_reserve */
    struct tf_insn *first, *last;   /* last is a label: the end of the code */
    struct tf_handler *handlers;    /* in the order in which they are tried */
    struct tf_line *lines;
    struct tf_variable *variables, *variable_types;
    struct tf_attribute *attributes; /* those that are taken apart above are without
                                        bytes here: they keep their place only */
};

/* A method's code, taken apart; the same each time.  NULL for NULL, for methods that
   have none, and on errors. */
struct tf_code *tf_class_code(struct tf_class *c, struct tf_member *method);

/*
 * Emitting puts a new instruction before `at`, and answers it.  Labels stand before the
 * instruction that they name.  So what is emitted before an instruction is run by
 * jumps to it, too; what is emitted before its label is run only by falling into it
 * from above.  What is emitted before code->last comes at the end.
 *
 * What is emitted must leave the operand stack and the old locals as it found them when
 * it is done; tf_code_reserve says how much of the stack it needs in between.
 */
struct tf_insn *tf_emit(struct tf_code *code, struct tf_insn *at, int opcode);
/* An operand of any kind: local, constant's index, immediate, element type. */
struct tf_insn *tf_emit_operand(struct tf_code *code, struct tf_insn *at, int opcode,
                                int32_t operand);
struct tf_insn *tf_emit_iinc(struct tf_code *code, struct tf_insn *at, unsigned local,
                             int32_t increment);
/* Push a value in the shortest way. */
struct tf_insn *tf_emit_int(struct tf_code *code, struct tf_insn *at, int32_t value);
struct tf_insn *tf_emit_long(struct tf_code *code, struct tf_insn *at, int64_t value);
struct tf_insn *tf_emit_string(struct tf_code *code, struct tf_insn *at,
                               const char *text);
/* Names are internal, "p/C"; arrays "[I" for tf_emit_class. */
struct tf_insn *tf_emit_class(struct tf_code *code, struct tf_insn *at, int opcode,
                              const char *name);
struct tf_insn *tf_emit_field(struct tf_code *code, struct tf_insn *at, int opcode,
                              const char *owner, const char *name,
                              const char *descriptor);
struct tf_insn *tf_emit_call(struct tf_code *code, struct tf_insn *at, int opcode,
                             const char *owner, const char *name,
                             const char *descriptor, bool of_interface);
/* A jump to a label. */
struct tf_insn *tf_emit_jump(struct tf_code *code, struct tf_insn *at, int opcode,
                             struct tf_insn *label);
struct tf_insn *tf_emit_label(struct tf_code *code, struct tf_insn *at);
/* Remove an instruction; labels cannot be removed. */
void tf_code_remove(struct tf_code *code, struct tf_insn *insn);

/* The code needs room for `more` operands above what it had when it was read; the
   largest such wish counts. */
void tf_code_reserve(struct tf_code *code, unsigned more);
/* A new local of so many slots (2 for long and double): its index. */
unsigned tf_code_local(struct tf_code *code, unsigned slots);

/*
 * The frame of a label that a new jump or handler goes to; without effect in class
 * files before version 50, which have none.  `initial`: what the method begins with,
 * for labels that are reached with its arguments untouched and an empty stack.
 * `handler`: no locals, and an object of the class on the stack; right for every
 * handler outside the part of a constructor before its super() call.  `copy`: as at
 * another label.
 */
void tf_frame_initial(struct tf_code *code, struct tf_insn *label);
void tf_frame_handler(struct tf_code *code, struct tf_insn *label, const char *name);
void tf_frame_copy(struct tf_code *code, struct tf_insn *label,
                   const struct tf_insn *other);

/* Catch what the instructions from start to end throw; name NULL for everything.  It is
   tried after those that are there already. */
void tf_code_catch(struct tf_code *code, struct tf_insn *start, struct tf_insn *end,
                   struct tf_insn *handler, const char *name);

/* The first instruction that may use `this`: in a constructor the one after the call of
   the other one, else the first.  NULL if that call is not found. */
struct tf_insn *tf_code_after_super(struct tf_code *code);

/* The line that an instruction belongs to; 0 when that is not known. */
unsigned tf_code_line(const struct tf_code *code, const struct tf_insn *insn);

/* "invokevirtual"; NULL for what is no opcode. */
const char *tf_opcode_name(int opcode);

#ifdef __cplusplus
}
#endif

#endif
