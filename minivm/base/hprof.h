/* SPDX-License-Identifier: MIT */
/* minivm/base/hprof.h -- the records of a heap dump: HPROF 1.0.2, big-endian, with ids
 * of 8 bytes.
 *
 * A dump is a header and records.  Those about objects, classes and roots are
 * sub-records of segments, whose length has 32 bits: short ones share a segment that
 * is built in the buffer, one that does not fit there has a segment of its own and
 * passes through the buffer piece by piece. */
#ifndef MINIVM_BASE_HPROF_H
#define MINIVM_BASE_HPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum hprof_record {
    HPROF_STRING = 0x01, HPROF_LOAD_CLASS = 0x02, HPROF_FRAME = 0x04,
    HPROF_TRACE = 0x05, HPROF_SEGMENT = 0x1c, HPROF_END = 0x2c
};

enum hprof_subrecord {
    HPROF_ROOT_JNI_GLOBAL = 0x01, HPROF_ROOT_JNI_LOCAL = 0x02,
    HPROF_ROOT_JAVA_FRAME = 0x03, HPROF_ROOT_STICKY_CLASS = 0x05,
    HPROF_ROOT_MONITOR = 0x07, HPROF_ROOT_THREAD = 0x08, HPROF_CLASS = 0x20,
    HPROF_INSTANCE = 0x21, HPROF_OBJECT_ARRAY = 0x22, HPROF_PRIMITIVE_ARRAY = 0x23,
    HPROF_ROOT_UNKNOWN = 0xff
};

enum { HPROF_ID = 8, HPROF_BUFFER = 1 << 20 };

struct hprof {
    int fd;
    void *gz;                      /* zlib's, or NULL: not compressed */
    uint8_t *buffer;
    size_t used;
    size_t segment;                /* where the open segment's content begins, or 0 */
    uint64_t written;              /* bytes that went to the file, before compression */
    int error;                     /* the first errno; nothing is written then */
};

/*
 * Create the file and write the header.  overwrite: one that exists is emptied, else it
 * is an error.  level: of compression by gzip, 1 to 9, or 0 for none.  False with errno
 * set, h unusable.
 */
bool hprof_open(struct hprof *h, const char *path, bool overwrite, int level);
/* Write what is left and close; *bytes: the size of the file.  0, or the first errno of
   all of the writing. */
int hprof_close(struct hprof *h, uint64_t *bytes);

/* Begin a record of length bytes; exactly those are to follow. */
void hprof_record(struct hprof *h, enum hprof_record tag, uint32_t length);
/* Begin a sub-record; size bytes, its tag included, are to follow. */
void hprof_subrecord(struct hprof *h, uint64_t size);

/* HPROF's number for a field or element of that type: Z B C S I J F D, L. */
uint8_t hprof_type(char type);

/* Room for so many bytes (at most HPROF_BUFFER) of the record, to be filled at once. */
uint8_t *hprof_room(struct hprof *h, size_t size);

static inline void
hprof_u1(struct hprof *h, unsigned value)
{
    *hprof_room(h, 1) = (uint8_t)value;
}

/* Store in the order of the file. */
static inline void
hprof_store_u2(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static inline void
hprof_store_u4(uint8_t *to, uint32_t value)
{
    hprof_store_u2(to, (uint16_t)(value >> 16));
    hprof_store_u2(to + 2, (uint16_t)value);
}

static inline void
hprof_store_u8(uint8_t *to, uint64_t value)
{
    hprof_store_u4(to, (uint32_t)(value >> 32));
    hprof_store_u4(to + 4, (uint32_t)value);
}

static inline void
hprof_u2(struct hprof *h, unsigned value)
{
    hprof_store_u2(hprof_room(h, 2), (uint16_t)value);
}

static inline void
hprof_u4(struct hprof *h, uint32_t value)
{
    hprof_store_u4(hprof_room(h, 4), value);
}

static inline void
hprof_u8(struct hprof *h, uint64_t value)
{
    hprof_store_u8(hprof_room(h, 8), value);
}

static inline void
hprof_id(struct hprof *h, const void *thing)
{
    hprof_u8(h, (uintptr_t)thing);
}

/* Bytes as they are. */
void hprof_bytes(struct hprof *h, const void *bytes, size_t length);
/* One value of 1, 2, 4 or 8 bytes at that address. */
void hprof_value(struct hprof *h, const void *at, unsigned size);
/* count of them, one behind the other. */
void hprof_values(struct hprof *h, const void *at, size_t count, unsigned size);

#endif
