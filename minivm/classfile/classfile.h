/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/classfile.h -- class files as structs (JVMS 4).
 *
 * classfile_parse turns the bytes of a class file into a struct classfile and makes all
 * checks of JVMS 4.8 (format checking).  What it accepts is well formed: constants
 * refer to constants of the right tag, descriptors can be parsed, tables lie within the
 * code.  The code itself is not looked at; that is the work of verify.h and framemap.h.
 *
 * Class definition (minivm/linking) makes classes from the struct and keeps it for as
 * long as the class or a version of it lives.  A struct classfile knows no loader, no
 * class and no Java object.  It never changes after parsing, so threads share it
 * without locks.  Nothing here blocks, calls Java or collects.
 *
 * Indices are indices of the constant pool.  Names with cf_ belong to this header.
 */

#ifndef MINIVM_CLASSFILE_CLASSFILE_H
#define MINIVM_CLASSFILE_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/symbol.h"

/*
 * Constant pool tags (JVMS 4.4).  Index 0 and the index after a long or double have
 * CF_UNUSABLE.
 *
 * To add a tag: add it here, say below what its cf_const holds, and add a row to the
 * table of pool.c, which tells what the constant refers to.
 */
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

/* Annotations of the JDK's own classes that mean something to the VM, of a class, field
   or method.  They are only heeded in files parsed with
   classfile_options.privileged. */
enum cf_vm_annotation {
    /* jdk.internal.vm.annotation.Hidden, LambdaForm$Hidden */
    CF_ANNOTATION_HIDDEN = 0x0001,
    CF_ANNOTATION_CALLER_SENSITIVE = 0x0002, /* jdk.internal.reflect.CallerSensitive */
    CF_ANNOTATION_FORCE_INLINE = 0x0004,
    CF_ANNOTATION_DONT_INLINE = 0x0008,
    CF_ANNOTATION_INTRINSIC = 0x0010, /* IntrinsicCandidate */
    CF_ANNOTATION_STABLE = 0x0020,
    CF_ANNOTATION_CONTENDED = 0x0040,
    CF_ANNOTATION_SCOPED = 0x0080,          /* ScopedMemoryAccess$Scoped */
    CF_ANNOTATION_RESERVED_STACK = 0x0100,  /* ReservedStackAccess */
    CF_ANNOTATION_LAMBDA_COMPILED = 0x0200, /* LambdaForm$Compiled */
    CF_ANNOTATION_TRUSTED_FINAL = 0x0400,   /* TrustFinalFields */
    CF_ANNOTATION_CHANGES_THREAD = 0x0800,  /* ChangesCurrentThread */
    CF_ANNOTATION_HIDE_EVENTS = 0x4000,     /* JvmtiHideEvents */
    CF_ANNOTATION_MOUNT_TRANSITION = 0x8000 /* JvmtiMountTransition */
};

/* A part of classfile.bytes.  The offset is 0 if the class file has no such part. */
struct cf_range {
    uint32_t offset;
    uint32_t length;
};

/*
 * A constant of the pool.  What it holds, by tag:
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

/* A field (JVMS 4.5). */
struct cf_field {
    uint16_t access_flags;
    /* Index of the ConstantValue's constant, or 0. */
    uint16_t constant_value;
    /* Bits of enum cf_vm_annotation. */
    uint16_t vm_annotations;
    /* The attributes Synthetic and Deprecated are present. */
    bool synthetic, deprecated;
    const struct symbol *name, *descriptor;
    /* Of the Signature attribute, or NULL; so everywhere below. */
    const struct symbol *signature;
    /* Contents of RuntimeVisibleAnnotations and RuntimeVisibleTypeAnnotations. */
    struct cf_range annotations, type_annotations;
};

/* A row of the exception table (JVMS 4.7.3). */
struct cf_handler {
    uint16_t start_pc, end_pc, handler_pc;
    /* Index of a Class, or 0 if all exceptions are caught. */
    uint16_t catch_type;
};

/* A row of LineNumberTable (JVMS 4.7.12). */
struct cf_line {
    uint16_t start_pc, line;
};

/* A row of LocalVariableTable (JVMS 4.7.13), with the signature of the row for the same
   variable in LocalVariableTypeTable (JVMS 4.7.14). */
struct cf_local {
    uint16_t start_pc, length, slot;
    const struct symbol *name, *descriptor;
    const struct symbol *signature;
};

/* A row of MethodParameters (JVMS 4.7.24), unchecked: reflection reports bad rows. */
struct cf_parameter {
    /* Index of a Utf8, or 0 if the parameter has no name. */
    uint16_t name_index;
    uint16_t access_flags;
};

/* A method (JVMS 4.6) with its Code attribute (JVMS 4.7.3). */
struct cf_method {
    uint16_t access_flags;
    /* Bits of enum cf_vm_annotation. */
    uint16_t vm_annotations;
    /* In slots; 0 without code. */
    uint16_t max_stack, max_locals;
    /* Slots of the arguments, with the receiver. */
    uint16_t arg_slots;
    /* The attributes Synthetic, Deprecated, Code, LineNumberTable and MethodParameters
       are present; the last two may be empty. */
    bool synthetic, deprecated;
    bool has_code;
    bool has_line_table;
    bool has_parameters;
    const struct symbol *name, *descriptor;
    const struct symbol *signature;

    /* The bytecodes, in classfile.bytes: 1 to 65535 of them.  NULL without Code. */
    const uint8_t *code;
    uint32_t code_length;
    uint16_t handler_count;
    /* Of the Exceptions attribute. */
    uint16_t exception_count;
    /* Of MethodParameters. */
    uint8_t parameter_count;
    /* Of all LineNumberTables and LocalVariableTables of the Code attribute
       together. */
    uint32_t line_count;
    uint32_t local_count;
    const struct cf_handler *handlers;
    /* In the order of the file. */
    const struct cf_line *lines;
    const struct cf_local *locals;
    /* Indices of Classes. */
    const uint16_t *exceptions;
    const struct cf_parameter *parameters;
    /* Contents of the attributes StackMapTable, RuntimeVisibleAnnotations,
       RuntimeVisibleParameterAnnotations, AnnotationDefault, and of the method's (not
       the Code's) RuntimeVisibleTypeAnnotations. */
    struct cf_range stack_map;
    struct cf_range annotations, parameter_annotations, annotation_default;
    struct cf_range type_annotations;
};

/* A row of InnerClasses (JVMS 4.7.6). */
struct cf_inner_class {
    /* Indices of Classes; outer_class is 0 if the class is not a member. */
    uint16_t inner_class, outer_class;
    /* Index of a Utf8, or 0 if the class is anonymous. */
    uint16_t inner_name;
    uint16_t access_flags;
};

/* A row of BootstrapMethods (JVMS 4.7.23). */
struct cf_bootstrap_method {
    /* Index of a MethodHandle. */
    uint16_t method_handle;
    uint16_t arg_count;
    /* Indices of loadable constants. */
    const uint16_t *args;
};

/* A row of Record (JVMS 4.7.30). */
struct cf_record_component {
    const struct symbol *name, *descriptor;
    const struct symbol *signature;
    struct cf_range annotations, type_annotations;
};

/*
 * A parsed class file.  It owns everything that it points to, but for symbols, which
 * live as long as the VM.
 */
struct classfile {
    struct arena arena;
    /* A private copy of the whole file. */
    const uint8_t *bytes;
    size_t length;

    uint16_t minor, major;
    uint16_t access_flags;
    uint16_t this_index;
    /* The name in internal form; for a hidden class, classfile_options.hidden_name. */
    const struct symbol *this_class;
    /* NULL for java/lang/Object. */
    const struct symbol *super_class;

    /* The constant pool.  Valid indices are 1 to cp_count - 1. */
    uint16_t cp_count;
    /* enum cf_tag, by index. */
    const uint8_t *tags;
    /* By index. */
    const union cf_const *consts;
    /* The entries of the pool in the file, without their number. */
    struct cf_range cp_range;

    uint16_t interface_count, field_count, method_count;
    /* Indices of Classes. */
    const uint16_t *interfaces;
    struct cf_field *fields;
    struct cf_method *methods;

    /* Bits of enum cf_vm_annotation. */
    uint16_t vm_annotations;
    bool synthetic, deprecated;
    /* NULL if the attribute is not present. */
    const struct symbol *signature, *source_file;
    /* Modified UTF-8 without a NUL at its end. */
    struct cf_range source_debug_extension;

    /* These attributes are present, if perhaps empty. */
    bool has_nest_members, has_permitted_subclasses;
    bool is_record;
    /* There is an instance method finalize()V that does more than return (JLS 12.6). */
    bool has_finalizer;
    bool has_clinit;
    /* The LocalVariableTable of some method has rows. */
    bool has_locals;
    uint16_t inner_class_count, nest_member_count, permitted_count;
    uint16_t bootstrap_count, component_count;
    /* Indices of EnclosingMethod: of a Class, and of a NameAndType; 0 for none. */
    uint16_t enclosing_class, enclosing_method;
    /* Index of a Class, or 0. */
    uint16_t nest_host;
    const struct cf_inner_class *inner_classes;
    /* Indices of Classes. */
    const uint16_t *nest_members, *permitted_subclasses;
    const struct cf_bootstrap_method *bootstrap_methods;
    const struct cf_record_component *components;
    struct cf_range annotations, type_annotations;
};

/* Which Java error a refused file becomes. */
enum classfile_error_kind {
    CLASSFILE_OK,
    CLASSFILE_FORMAT,     /* ClassFormatError */
    CLASSFILE_VERSION,    /* UnsupportedClassVersionError */
    CLASSFILE_WRONG_NAME, /* NoClassDefFoundError */
    CLASSFILE_NO_MEMORY   /* OutOfMemoryError */
};

struct classfile_error {
    enum classfile_error_kind kind;
    /* In HotSpot's words; cut off if it is too long. */
    char message[512];
};

struct classfile_options {
    /* The name that the class must have, or NULL. */
    const struct symbol *expected_name;
    /* The name that a hidden class gets in place of the one in the file (JEP 371), or
       NULL. */
    const struct symbol *hidden_name;
    /* The newest version that is accepted: 61 for JDK 17. */
    uint16_t max_major;
    /* The file is trusted.  Names, flags, modified UTF-8, duplicates and the
       descriptors in the constant pool are not checked; what keeps the VM from reading
       nonsense is checked all the same. */
    bool relaxed;
    /* Heed the JDK's own annotations (enum cf_vm_annotation). */
    bool privileged;
    /* No name of a class may end with a slash, also in files below version 49. */
    bool strict_names;
    /* Accept preview features of version max_major (--enable-preview). */
    bool preview;
};

/*
 * Parse and check a class file (JVMS 4.8).  The bytes are copied and may go away
 * afterwards.  Returns NULL with *err set if the file is refused or memory runs out.
 * Free the result with classfile_free.
 */
struct classfile *classfile_parse(const uint8_t *bytes, size_t length,
                                  const struct classfile_options *opts,
                                  struct classfile_error *err);

/* Free cf and all that it owns.  cf may be NULL. */
void classfile_free(struct classfile *cf);

/*
 * A constant that names a member: a Fieldref, Methodref or InterfaceMethodref, which
 * names a class too (JVMS 4.4.2), or a Dynamic or InvokeDynamic, which names a
 * bootstrap method instead (JVMS 4.4.10).
 */
struct cf_member {
    /* Index of the Class; 0 for Dynamic and InvokeDynamic. */
    uint16_t class_index;
    /* Row of BootstrapMethods, for Dynamic and InvokeDynamic. */
    uint16_t bootstrap;
    /* class_name is NULL for Dynamic and InvokeDynamic. */
    const struct symbol *class_name, *name, *descriptor;
};

/* The tag of the constant at index, or CF_UNUSABLE if the index is out of range. */
static inline enum cf_tag
cf_tag_at(const struct classfile *cf, unsigned index)
{
    return index < cf->cp_count ? (enum cf_tag)cf->tags[index] : CF_UNUSABLE;
}

/* The text of the constant at index, which must be a Utf8. */
static inline const struct symbol *
cf_utf8(const struct classfile *cf, unsigned index)
{
    return cf->consts[index].utf8;
}

/* The text that the Class, String, MethodType, Module or Package at index refers to.
   For the index this_index it is this_class, which differs from the text in a hidden
   class. */
static inline const struct symbol *
cf_name(const struct classfile *cf, unsigned index)
{
    if (index == cf->this_index)
        return cf->this_class;
    return cf->consts[cf->consts[index].ref.a].utf8;
}

/* The member that the constant at index names; the constant must be of such a kind. */
struct cf_member cf_member(const struct classfile *cf, unsigned index);

/* The descriptor of the value that ldc pushes for the constant at index (JVMS 6.5), or
   NULL if ldc cannot load it. */
const struct symbol *cf_constant_type(const struct classfile *cf, unsigned index);

/* The field of that name and descriptor, or NULL. */
const struct cf_field *cf_find_field(const struct classfile *cf,
                                     const struct symbol *name,
                                     const struct symbol *descriptor);

/* The source line of the instruction at bci by the LineNumberTable, or -1.  The rows
   may be in any order. */
int cf_line_at(const struct cf_method *m, uint32_t bci);

#endif
