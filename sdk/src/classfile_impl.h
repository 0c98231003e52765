/* SPDX-License-Identifier: MIT */
/* sdk/src/classfile_impl.h -- what the parts of the class-file module share. */
#ifndef SDK_SRC_CLASSFILE_IMPL_H
#define SDK_SRC_CLASSFILE_IMPL_H

#include <tiforge/classfile.h>

/* An entry of the constant pool: its bytes as in the file, the tag first.  The one
   after a long or double, and index 0, have no bytes. */
struct constant {
    const unsigned char *bytes;
    uint32_t length;
    const char *text;       /* of a Utf8, with a 0 at the end */
};

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t content[];
};

struct tf_class {
    struct chunk *chunks;   /* all memory of the class */
    unsigned minor, major, access, this_index, super_index;
    struct constant *pool;
    unsigned pool_count, pool_capacity;
    unsigned *buckets;      /* hash table over the pool, made at the first search */
    unsigned bucket_count;
    unsigned *interfaces;
    unsigned interface_count;
    struct tf_member *fields, *methods;
    struct tf_attribute *attributes;
    bool failed;
    char error[160];
};

/* Bytes that are read front to back.  At their end the class fails. */
struct reader {
    struct tf_class *c;
    const unsigned char *at, *end;
    const char *what;       /* for the message */
};

uint32_t tf_read_u1(struct reader *r);
uint32_t tf_read_u2(struct reader *r);
uint32_t tf_read_u4(struct reader *r);
/* The next length bytes; NULL, and the class fails, if there are fewer. */
const unsigned char *tf_read_bytes(struct reader *r, size_t length);

/* Zeroed memory of the class; NULL, and the class fails, when it runs short. */
void *tf_class_allocate(struct tf_class *c, size_t size);
/* The first failure is kept.  Answers NULL for the convenience of callers. */
void *tf_class_fail(struct tf_class *c, const char *format, ...) TF_PRINTF(2, 3);
const char *tf_constant_utf8_at(const struct tf_class *c, unsigned index);
/* A list of attributes; `where` for the message. */
struct tf_attribute *tf_read_attributes(struct reader *r);
void tf_write_attributes(struct tf_buffer *out, const struct tf_attribute *list);
/* Store the code that was taken apart in its attribute again. */
bool tf_code_encode(struct tf_code *code);
/* A copy of the buffer's bytes in the class's memory; the buffer is released. */
const unsigned char *tf_class_adopt(struct tf_class *c, struct tf_buffer *buffer,
                                    uint32_t *length);

/* What sdk/spec/opcodes.def says of an opcode. */
enum operand_format {
    FORMAT_INVALID,
    FORMAT_NONE, FORMAT_L0, FORMAT_L1, FORMAT_L2, FORMAT_L3, FORMAT_BYTE, FORMAT_SHORT,
    FORMAT_CP1, FORMAT_CP2, FORMAT_LOCAL, FORMAT_IINC, FORMAT_BRANCH2, FORMAT_BRANCH4,
    FORMAT_TABLE, FORMAT_LOOKUP, FORMAT_INTERFACE, FORMAT_DYNAMIC, FORMAT_ATYPE,
    FORMAT_MULTI, FORMAT_WIDE
};

enum operand_format tf_opcode_format(int opcode);
/* How many slots the parameters of a descriptor take, `this` not among them. */
unsigned tf_argument_slots(const char *descriptor);
/* The frame that a method begins with (JVMS 4.10.1.6). */
struct tf_frame *tf_frame_of_arguments(struct tf_code *code);

#endif
