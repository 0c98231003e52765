/* SPDX-License-Identifier: MIT */
/* minivm/test/assembler.h -- class files out of text, for tests of what javac
 * never writes. */
#ifndef MINIVM_TEST_ASSEMBLER_H
#define MINIVM_TEST_ASSEMBLER_H

#include "base/buf.h"

/*
 * A class in the making.  Constants are made as they are mentioned, equal ones
 * once.  A mistake in a text ends the program with a message.
 */
struct assembler {
    struct buf pool, interfaces, fields, methods, attributes;
    unsigned pool_count, interface_count, field_count, method_count, attribute_count;
    unsigned major, minor, access_flags, this_index, super_index;
};

/* A public class of that version; super NULL means java/lang/Object. */
void assembler_init(struct assembler *a, const char *name, const char *super,
                    unsigned major);

/* Indices of constants. */
unsigned assembler_utf8(struct assembler *a, const char *text);
unsigned assembler_class(struct assembler *a, const char *name);
unsigned assembler_name_and_type(struct assembler *a, const char *name,
                                 const char *descriptor);
/* tag is that of a Fieldref, Methodref or InterfaceMethodref. */
unsigned assembler_member(struct assembler *a, int tag, const char *class_name,
                          const char *name, const char *descriptor);
/* Any constant: its tag and the operands in as many bytes as they take. */
unsigned assembler_constant(struct assembler *a, int tag, const void *operands,
                            size_t length);

void assembler_interface(struct assembler *a, const char *name);
void assembler_field(struct assembler *a, unsigned flags, const char *name,
                     const char *descriptor);
/* An attribute of the class; the contents may be NULL for length 0. */
void assembler_attribute(struct assembler *a, const char *name, const void *contents,
                         size_t length);

/*
 * A method, or an abstract or native one when code is NULL.  Code is one
 * instruction or directive a line:
 *
 *     iload 1                      operands as the opcode table has them, except
 *     wide iload 300
 *     bipush -3
 *     ldc int 5                    int, float, string, class, long, double
 *     getfield A x I               class, name, descriptor; calls likewise
 *     invokedynamic 0 name ()V     bootstrap method, name, descriptor
 *     new A                        a class; multianewarray has dimensions behind
 *     new #17                      or any constant by its index
 *     goto L                       a label; it is defined by "L:" on a line
 *     tableswitch 0 D L M          low, default, targets
 *     lookupswitch D 1 L 5 M       default, key and target
 *     byte 0xfe                    whatever you want
 *     .catch FROM TO HANDLER CLASS CLASS may be "any"
 *     .frame L I J A : N           a full frame at L, locals : stack; I F J D, T top,
 *                                  N null, U uninitializedThis, =A a class, *L what
 *                                  the new at L left
 *     .raw-map 00010040            a StackMapTable's contents, instead of .frame;
 *                                  "empty" for length 0
 */
void assembler_method(struct assembler *a, unsigned flags, const char *name,
                      const char *descriptor, unsigned max_stack, unsigned max_locals,
                      const char *code);

/* The class file, for mem_free; a is released. */
uint8_t *assembler_finish(struct assembler *a, size_t *length);

#endif
