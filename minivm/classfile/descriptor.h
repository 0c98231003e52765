/* SPDX-License-Identifier: MIT */
/* minivm/classfile/descriptor.h -- descriptors and names (JVMS 4.2, 4.3). */

#ifndef MINIVM_CLASSFILE_DESCRIPTOR_H
#define MINIVM_CLASSFILE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/symbol.h"

/* One type of a descriptor.  The text belongs to the descriptor. */
struct descriptor_type {
    char kind;               /* one of B C D F I J S Z V L [ */
    uint8_t dimensions;      /* of an array, else 0 */
    uint16_t length;         /* of text */
    const char *text;        /* the type as written: "I", "Ljava/lang/String;" */
};

/* Slots that a value of kind takes: 2 for J and D, 0 for V, else 1. */
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

/* The class that the type names, as CONSTANT_Class has it: "java/lang/String",
   "[I".  Only for kinds L and [. */
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
 * A descriptor out of a parsed class file is well formed; with any other the
 * walk stops at the first fault.
 */
struct descriptor_iter {
    const char *at, *end;
};

struct descriptor_iter descriptor_parameters(const struct symbol *descriptor);

bool descriptor_next(struct descriptor_iter *it, struct descriptor_type *type);

/* The return type of a method descriptor; false when malformed. */
bool descriptor_return(const struct symbol *descriptor, struct descriptor_type *type);

/* The type of a field descriptor; false when malformed. */
bool descriptor_field(const struct symbol *descriptor, struct descriptor_type *type);

/* Slots of the parameters, without a receiver; -1 when malformed. */
int descriptor_arg_slots(const struct symbol *descriptor);

/* As in Java: "int", and "int Holder.name(long, java.lang.String[])", or without the
   holder when that is NULL. */
const char *descriptor_primitive_name(char kind);
void descriptor_put_method(struct buf *b, const char *holder, const char *name,
                           const struct symbol *descriptor);

/* Number of parameters; -1 when malformed. */
int descriptor_arg_count(const struct symbol *descriptor);

/*
 * Well-formedness (JVMS 4.3.2, 4.3.3) and legal names (JVMS 4.2) in modified
 * UTF-8.  Class files below version 49 must have Java identifiers, later ones
 * may have anything but . ; [ / (and < > in method names); major says which.
 * Bytes beyond ASCII count as identifier letters.
 */
bool descriptor_is_field(const char *text, size_t length, unsigned major);
bool descriptor_is_method(const char *text, size_t length, unsigned major);
bool name_is_field(const char *text, size_t length, unsigned major);
bool name_is_method(const char *text, size_t length, unsigned major);
/* A name of CONSTANT_Class: internal form or an array's descriptor. */
bool name_is_class(const char *text, size_t length, unsigned major);

#endif
