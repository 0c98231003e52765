/* SPDX-License-Identifier: MIT */
/* minivm/classfile/classfile.h -- class files as structs (JVMS 4). */

#ifndef MINIVM_CLASSFILE_CLASSFILE_H
#define MINIVM_CLASSFILE_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/symbol.h"

/* Constant pool tags (JVMS 4.4).  Tag 0 marks index 0 and the second half of a
   long or double. */
enum cf_tag {
    CF_UNUSABLE = 0,
    CF_UTF8 = 1,
    CF_INTEGER = 3,
    CF_FLOAT = 4,
    CF_LONG = 5,
    CF_DOUBLE = 6,
    CF_CLASS = 7,
    CF_STRING = 8,
    CF_FIELDREF = 9,
    CF_METHODREF = 10,
    CF_INTERFACE_METHODREF = 11,
    CF_NAME_AND_TYPE = 12,
    CF_METHOD_HANDLE = 15,
    CF_METHOD_TYPE = 16,
    CF_DYNAMIC = 17,
    CF_INVOKE_DYNAMIC = 18,
    CF_MODULE = 19,
    CF_PACKAGE = 20
};

/* Access flags (JVMS 4.1, 4.5, 4.6); the same bit means different things for
   classes, fields and methods. */
enum cf_access {
    ACC_PUBLIC = 0x0001,
    ACC_PRIVATE = 0x0002,
    ACC_PROTECTED = 0x0004,
    ACC_STATIC = 0x0008,
    ACC_FINAL = 0x0010,
    ACC_SUPER = 0x0020,
    ACC_SYNCHRONIZED = 0x0020,
    ACC_VOLATILE = 0x0040,
    ACC_BRIDGE = 0x0040,
    ACC_TRANSIENT = 0x0080,
    ACC_VARARGS = 0x0080,
    ACC_NATIVE = 0x0100,
    ACC_INTERFACE = 0x0200,
    ACC_ABSTRACT = 0x0400,
    ACC_STRICT = 0x0800,
    ACC_SYNTHETIC = 0x1000,
    ACC_ANNOTATION = 0x2000,
    ACC_ENUM = 0x4000,
    ACC_MODULE = 0x8000
};

/* Reference kinds of CONSTANT_MethodHandle (JVMS table 5.4.3.5-A). */
enum cf_ref_kind {
    REF_GET_FIELD = 1,
    REF_GET_STATIC = 2,
    REF_PUT_FIELD = 3,
    REF_PUT_STATIC = 4,
    REF_INVOKE_VIRTUAL = 5,
    REF_INVOKE_STATIC = 6,
    REF_INVOKE_SPECIAL = 7,
    REF_NEW_INVOKE_SPECIAL = 8,
    REF_INVOKE_INTERFACE = 9
};

/* What the JDK's own annotations say about a class, field or method; honoured
   for privileged loaders only. */
enum cf_mark {
    CF_MARK_HIDDEN = 0x0001,           /* jdk.internal.vm.annotation.Hidden,
                                          LambdaForm$Hidden */
    CF_MARK_CALLER_SENSITIVE = 0x0002, /* jdk.internal.reflect.CallerSensitive */
    CF_MARK_FORCE_INLINE = 0x0004,
    CF_MARK_DONT_INLINE = 0x0008,
    CF_MARK_INTRINSIC = 0x0010,        /* IntrinsicCandidate */
    CF_MARK_STABLE = 0x0020,
    CF_MARK_CONTENDED = 0x0040,
    CF_MARK_SCOPED = 0x0080,           /* ScopedMemoryAccess$Scoped */
    CF_MARK_RESERVED_STACK = 0x0100,   /* ReservedStackAccess */
    CF_MARK_LAMBDA_COMPILED = 0x0200,  /* LambdaForm$Compiled */
    CF_MARK_TRUSTED_FINAL = 0x0400,    /* TrustFinalFields */
    CF_MARK_CHANGES_THREAD = 0x0800,   /* ChangesCurrentThread */
    CF_MARK_MOUNT_TRANSITION = 0x1000  /* JvmtiMountTransition */
};

/* A piece of classfile.bytes; offset 0 means that it is absent. */
struct cf_range {
    uint32_t offset;
    uint32_t length;
};

/*
 * A constant.  By tag:
 *   UTF8                            utf8
 *   CLASS STRING METHOD_TYPE MODULE PACKAGE
 *                                   ref.a: index of the Utf8
 *   FIELDREF METHODREF INTERFACE_METHODREF
 *                                   ref.a: class index, ref.b: NameAndType index
 *   NAME_AND_TYPE                   ref.a: name index, ref.b: descriptor index
 *   METHOD_HANDLE                   ref.a: enum cf_ref_kind, ref.b: member index
 *   DYNAMIC INVOKE_DYNAMIC          ref.a: bootstrap method, ref.b: NameAndType
 *   INTEGER FLOAT LONG DOUBLE       i f j d
 */
union cf_const {
    const struct symbol *utf8;
    struct {
        uint16_t a, b;
    } ref;
    int32_t i;
    float f;
    int64_t j;
    double d;
};

struct cf_field {
    uint16_t access_flags;
    uint16_t constant_value;           /* index of the constant, 0: none */
    uint16_t marks;                    /* enum cf_mark */
    bool synthetic, deprecated;        /* the attributes, not the flag */
    const struct symbol *name, *descriptor;
    const struct symbol *signature;    /* or NULL */
    struct cf_range annotations, type_annotations; /* contents, RuntimeVisible… */
};

struct cf_handler {
    uint16_t start_pc, end_pc, handler_pc;
    uint16_t catch_type;               /* class index, 0: any */
};

struct cf_line {
    uint16_t start_pc, line;
};

/* A row of LocalVariableTable, joined with its LocalVariableTypeTable row. */
struct cf_local {
    uint16_t start_pc, length, slot;
    const struct symbol *name, *descriptor;
    const struct symbol *signature;    /* or NULL */
};

struct cf_parameter {
    uint16_t name_index;               /* 0: unnamed */
    uint16_t access_flags;
};

struct cf_method {
    uint16_t access_flags;
    uint16_t marks;                    /* enum cf_mark */
    uint16_t max_stack, max_locals;    /* slots */
    uint16_t arg_slots;                /* with the receiver */
    bool synthetic, deprecated;
    bool has_code;
    bool has_line_table;               /* the attribute exists */
    bool has_parameters;               /* MethodParameters exists */
    const struct symbol *name, *descriptor;
    const struct symbol *signature;    /* or NULL */

    const uint8_t *code;               /* in classfile.bytes; NULL without Code */
    uint32_t code_length;              /* 1..65535 */
    uint16_t handler_count;
    uint16_t exception_count;          /* of the Exceptions attribute */
    uint8_t parameter_count;           /* of MethodParameters */
    uint32_t line_count;               /* of all LineNumberTables together */
    uint32_t local_count;
    const struct cf_handler *handlers;
    const struct cf_line *lines;       /* in the order of the file */
    const struct cf_local *locals;
    const uint16_t *exceptions;        /* class indices */
    const struct cf_parameter *parameters;
    struct cf_range stack_map;         /* contents of StackMapTable */
    struct cf_range annotations, parameter_annotations, annotation_default;
    struct cf_range type_annotations;  /* the method's, not the code's */
};

struct cf_inner_class {
    uint16_t inner_class, outer_class; /* class indices; outer may be 0 */
    uint16_t inner_name;               /* Utf8 index, 0: anonymous */
    uint16_t access_flags;
};

struct cf_bootstrap_method {
    uint16_t method_handle;            /* index */
    uint16_t arg_count;
    const uint16_t *args;              /* indices of loadable constants */
};

struct cf_record_component {
    const struct symbol *name, *descriptor;
    const struct symbol *signature;    /* or NULL */
    struct cf_range annotations, type_annotations;
};

/*
 * A parsed class file.  It owns everything that it points to except symbols,
 * which are interned for the life of the VM.  Nothing changes after parsing, so
 * threads share it freely.
 */
struct classfile {
    struct arena arena;
    const uint8_t *bytes;              /* private copy of the whole file */
    size_t length;

    uint16_t minor, major;
    uint16_t access_flags;
    uint16_t this_index;
    const struct symbol *this_class;   /* internal form; opts.hidden_name if any */
    const struct symbol *super_class;  /* NULL: java/lang/Object */

    uint16_t cp_count;                 /* valid indices are 1..cp_count - 1 */
    const uint8_t *tags;               /* enum cf_tag, by index */
    const union cf_const *consts;      /* by index */
    struct cf_range cp_range;          /* from the first entry, without the count */

    uint16_t interface_count, field_count, method_count;
    const uint16_t *interfaces;        /* class indices */
    struct cf_field *fields;
    struct cf_method *methods;

    uint16_t marks;                    /* enum cf_mark */
    bool synthetic, deprecated;
    const struct symbol *signature, *source_file; /* or NULL */
    struct cf_range source_debug_extension;      /* modified UTF-8, no NUL */

    bool has_nest_members, has_permitted_subclasses;
    bool is_record;                    /* Record exists, perhaps empty */
    bool has_finalizer;                /* a non-empty finalize()V */
    bool has_clinit;
    bool has_locals;                   /* a method's LocalVariableTable has rows */
    uint16_t inner_class_count, nest_member_count, permitted_count;
    uint16_t bootstrap_count, component_count;
    uint16_t enclosing_class, enclosing_method; /* indices; 0: none */
    uint16_t nest_host;                /* class index, 0: none */
    const struct cf_inner_class *inner_classes;
    const uint16_t *nest_members, *permitted_subclasses; /* class indices */
    const struct cf_bootstrap_method *bootstrap_methods;
    const struct cf_record_component *components;
    struct cf_range annotations, type_annotations;
};

/* Which Java error a refused file becomes. */
enum classfile_error_kind {
    CLASSFILE_OK,
    CLASSFILE_FORMAT,                  /* ClassFormatError */
    CLASSFILE_VERSION,                 /* UnsupportedClassVersionError */
    CLASSFILE_WRONG_NAME,              /* NoClassDefFoundError */
    CLASSFILE_NO_MEMORY                /* OutOfMemoryError */
};

struct classfile_error {
    enum classfile_error_kind kind;
    char message[512];                 /* HotSpot's wording; truncated to fit */
};

struct classfile_options {
    const struct symbol *expected_name; /* NULL: any name */
    const struct symbol *hidden_name;  /* NULL, or the hidden class's own name,
                                          which replaces the file's this_class */
    uint16_t max_major;                /* newest version accepted: 61 for JDK 17 */
    bool relaxed;                      /* trusted file: names, descriptors, flags
                                          and modified UTF-8 are not checked */
    bool privileged;                   /* honour the JDK's own annotations */
    bool preview;                      /* --enable-preview */
};

/*
 * Parse and check a class file (JVMS 4.8).  The bytes are copied; the caller
 * keeps his.  Returns NULL with *err set when the file is refused.  Blocks
 * nowhere and loads nothing.  Free with classfile_free.
 */
struct classfile *classfile_parse(const uint8_t *bytes, size_t length,
                                  const struct classfile_options *opts,
                                  struct classfile_error *err);

/* Free cf and all that it owns; NULL is allowed. */
void classfile_free(struct classfile *cf);

/* A Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic with its
   names; class_name is NULL for the last two. */
struct cf_member {
    uint16_t class_index;              /* 0 for the last two */
    uint16_t bootstrap;                /* for the last two */
    const struct symbol *class_name, *name, *descriptor;
};

/* The tag at index; CF_UNUSABLE out of range. */
static inline enum cf_tag
cf_tag_at(const struct classfile *cf, unsigned index)
{
    return index < cf->cp_count ? (enum cf_tag)cf->tags[index] : CF_UNUSABLE;
}

/* The Utf8 at index, which must be one. */
static inline const struct symbol *
cf_utf8(const struct classfile *cf, unsigned index)
{
    return cf->consts[index].utf8;
}

/* The name that the Class, String, MethodType, Module or Package at index
   refers to; a Class of the file itself answers this_class. */
static inline const struct symbol *
cf_name(const struct classfile *cf, unsigned index)
{
    if (index == cf->this_index)
        return cf->this_class;
    return cf->consts[cf->consts[index].ref.a].utf8;
}

/* Take apart the member constant at index, which must be one. */
struct cf_member cf_member(const struct classfile *cf, unsigned index);

/* The descriptor of what ldc makes of the constant, NULL when it makes nothing. */
const struct symbol *cf_constant_type(const struct classfile *cf, unsigned index);

/* The field of that name and descriptor, or NULL. */
const struct cf_field *cf_find_field(const struct classfile *cf,
                                     const struct symbol *name,
                                     const struct symbol *descriptor);

/* The line of bci by the line table, or -1. */
int cf_line_at(const struct cf_method *m, uint32_t bci);

#endif
