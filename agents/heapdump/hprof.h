/* SPDX-License-Identifier: MIT */
/* agents/heapdump/hprof.h -- what the parts of the HPROF writer share. */
#ifndef HPROF_H
#define HPROF_H

#include "agents/heapdump/heapdump.h"

enum {
    STRING = 0x01, LOAD_CLASS = 0x02, STACK_FRAME = 0x04, STACK_TRACE = 0x05,
    SEGMENT = 0x1c, DUMP_END = 0x2c
};
enum {
    ROOT_JNI_GLOBAL = 0x01, ROOT_JNI_LOCAL = 0x02, ROOT_FRAME = 0x03, ROOT_CLASS = 0x05,
    ROOT_MONITOR = 0x07, ROOT_THREAD = 0x08, CLASS = 0x20, INSTANCE = 0x21,
    OBJECT_ARRAY = 0x22, PRIMITIVE_ARRAY = 0x23, ROOT_UNKNOWN = 0xff
};
enum { TYPE_OBJECT = 2, TYPE_INT = 10, ID_SIZE = 8, NO_TRACE = 1, ROOM = 1 << 20 };

struct hprof {
    struct model *model;
    struct output *out;
    unsigned char *segment;         /* ROOM bytes; what was not written yet */
    size_t used;
    bool alone;                     /* the record is too long and has its own segment */
    const char *broken;             /* what the VM does not keep to */
    bool failed;                    /* to write */
    unsigned char *seen;            /* a bit for each object that was begun */
    size_t seen_size;
    uint64_t begun, left_out, cut;

    /* The object that is being told; 0 for none. */
    uint64_t number;
    struct class *class;
    uint32_t length, written;       /* of an array: its elements, those written */
    bool has_values;
    unsigned char *values;          /* of an instance */
    size_t values_size;
};

/* -- hprof_bytes.c; what cannot be written is noted in `failed` -- */

/* The lowest `size` bytes of a number, the highest first. */
void hprof_store(unsigned char *to, uint64_t value, unsigned size);
void hprof_out(struct hprof *h, const void *bytes, size_t length);
/* What a record begins with; `length` bytes have to follow. */
void hprof_record_head(struct hprof *h, int tag, uint64_t length);
/* A whole record; the body is empty after it. */
void hprof_record(struct hprof *h, int tag, struct tf_buffer *body);
/* Begin a sub-record of a segment, of so many bytes, all of which have to be put. */
void hprof_begin(struct hprof *h, uint64_t size);
void hprof_put(struct hprof *h, uint64_t value, unsigned size);
void hprof_put_bytes(struct hprof *h, const unsigned char *bytes, size_t length);
void hprof_end_segment(struct hprof *h);
/* Of a type by its letter, 'L' for references: the format's code, the bytes of a value. */
int hprof_type_code(char type);
unsigned hprof_type_size(char type);

/* -- hprof_meta.c -- */

void hprof_head(struct hprof *h);
/* The model's strings, and the classes by name. */
void hprof_names(struct hprof *h);
/* The stacks of the model's threads. */
void hprof_threads(struct hprof *h);
/* The sub-record of a class, when its static fields are known. */
void hprof_class(struct hprof *h, uint32_t number);

/* -- hprof_roots.c -- */

/* The root of a thread by its serial number, once. */
void hprof_thread_root(struct hprof *h, uint32_t serial);
/* That an object is a root of this kind; no other object is being told. */
void hprof_root(struct hprof *h, jvmtiHeapReferenceKind kind,
                const jvmtiHeapReferenceInfo *info, uint64_t to);

#endif
