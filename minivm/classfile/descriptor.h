/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/descriptor.h -- descriptors and names (JVMS 4.2, 4.3).
 *
 * The parser checks descriptors and names with the functions at the end.  Everybody
 * else takes descriptors that have been checked apart with the functions before them:
 * to count argument slots, to find the types of parameters, or to print a method as in
 * Java.
 *
 * No function needs memory (but for the one that prints), takes a lock or fails in
 * another way than by its result.  A descriptor_type points into the text of the
 * descriptor, which is a symbol and so never goes away.
 */

#ifndef MINIVM_CLASSFILE_DESCRIPTOR_H
#define MINIVM_CLASSFILE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/symbol.h"

/* One type of a descriptor. */
struct descriptor_type {
    /* One of B C D F I J S Z V L [: the first letter, V for void. */
    char kind;
    /* Of an array; 0 for other types. */
    uint8_t dimensions;
    /* The type as it is written, "I" or "[Ljava/lang/String;", without a NUL at its
       end. */
    uint16_t length;
    const char *text;
};

/* The slots of a value of this kind: 2 for J and D, 0 for V, and 1 for all others. */
static inline unsigned
descriptor_kind_slots(char kind)
{
    return kind == 'J' || kind == 'D' ? 2 : kind != 'V';
}

static inline bool
descriptor_kind_is_reference(char kind)
{
    return kind == 'L' || kind == '[';
}

/* The class that a type of kind L or [ names, in the form of CONSTANT_Class (JVMS
   4.4.1): "java/lang/String" or "[I".  No NUL follows it. */
static inline const char *
descriptor_class_text(const struct descriptor_type *type, size_t *length)
{
    *length = type->kind == 'L' ? type->length - 2u : type->length;
    return type->kind == 'L' ? type->text + 1 : type->text;
}

/*
 * Walks the parameters of a method descriptor:
 *
 *     struct descriptor_iter it = descriptor_parameters(m->descriptor);
 *     while (descriptor_next(&it, &type))
 *         …
 *
 * A descriptor out of a parsed class file is well formed.  With any other, the walk
 * ends at the first error, as if the parameters ended there.
 */
struct descriptor_iter {
    const char *at, *end;
};

/* Begin with the first parameter. */
struct descriptor_iter descriptor_parameters(const struct symbol *descriptor);

/* Set *type to the next parameter.  Returns false if there is none. */
bool descriptor_next(struct descriptor_iter *it, struct descriptor_type *type);

/* Set *type to the return type of a method descriptor, kind V for void.  Returns false
   if the descriptor is malformed. */
bool descriptor_return(const struct symbol *descriptor, struct descriptor_type *type);

/* Set *type to the type of a field descriptor.  Returns false if it is malformed. */
bool descriptor_field(const struct symbol *descriptor, struct descriptor_type *type);

/* The number of slots of the parameters, without a receiver, and the number of
   parameters; -1 if the descriptor is malformed. */
int descriptor_arg_slots(const struct symbol *descriptor);
int descriptor_arg_count(const struct symbol *descriptor);

/* The Java name of a primitive type or void: "int" for I. */
const char *descriptor_primitive_name(char kind);

/* Append the type of a field as it is written in Java, "java.lang.String[]", to b. */
void descriptor_print_field(struct buf *b, const struct symbol *descriptor);

/* Append a method as it is written in Java, "int Holder.name(long,
   java.lang.String[])", to b.  The holder is left out if it is NULL. */
void descriptor_print_method(struct buf *b, const char *holder, const char *name,
                             const struct symbol *descriptor);

/*
 * Whether a text in modified UTF-8 is a well-formed field or method descriptor (JVMS
 * 4.3.2, 4.3.3), or a legal name of a field or method (JVMS 4.2.2).  major is the
 * version of the class file.  Names in class files below version 49 must be Java
 * identifiers; bytes beyond ASCII count as letters.  Names in later ones may have all
 * characters but . ; [ / and, in names of methods other than <init> and <clinit>, < and
 * >.
 */
bool descriptor_is_field(const char *text, size_t length, unsigned major);
bool descriptor_is_method(const char *text, size_t length, unsigned major);
bool name_is_field(const char *text, size_t length, unsigned major);
bool name_is_method(const char *text, size_t length, unsigned major);
/* Whether a text is legal in CONSTANT_Class (JVMS 4.4.1): the internal form of a
   class's name, or an array's descriptor. */
bool name_is_class(const char *text, size_t length, unsigned major);

#endif
