/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/hprof.h -- writing the records of a heap dump: HPROF 1.0.2, big-endian,
 * with ids of 8 bytes.
 *
 * A dump is a header and records.  Those about objects, classes and roots are
 * sub-records of segment records.  A record begins with its length, so sub-records that
 * fit into the buffer are collected there to a segment whose length is stored when it
 * ends; one that does not fit has a segment of its own, whose length is known, and
 * passes through the buffer piece by piece.
 *
 * Who writes announces each record's size and then writes exactly so many bytes.  An
 * error of writing is remembered; everything that follows is dropped, and hprof_close
 * returns the error.  diagnostics/heapdump.c decides what is written.
 */
#ifndef MINIVM_BASE_HPROF_H
#define MINIVM_BASE_HPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum hprof_record {
    HPROF_STRING = 0x01,
    HPROF_LOAD_CLASS = 0x02,
    HPROF_FRAME = 0x04,
    HPROF_TRACE = 0x05,
    HPROF_SEGMENT = 0x1c,
    HPROF_END = 0x2c
};

enum hprof_subrecord {
    HPROF_ROOT_JNI_GLOBAL = 0x01,
    HPROF_ROOT_JNI_LOCAL = 0x02,
    HPROF_ROOT_JAVA_FRAME = 0x03,
    HPROF_ROOT_STICKY_CLASS = 0x05,
    HPROF_ROOT_MONITOR = 0x07,
    HPROF_ROOT_THREAD = 0x08,
    HPROF_CLASS = 0x20,
    HPROF_INSTANCE = 0x21,
    HPROF_OBJECT_ARRAY = 0x22,
    HPROF_PRIMITIVE_ARRAY = 0x23,
    HPROF_ROOT_UNKNOWN = 0xff
};

enum { HPROF_ID = 8, HPROF_BUFFER = 1 << 20 };

struct hprof {
    int fd;
    /* zlib's gzFile, or NULL when the file is not compressed. */
    void *gz;
    uint8_t *buffer;
    /* Bytes in the buffer. */
    size_t used;
    /* Where in the buffer the content of the open segment begins, or 0. */
    size_t segment;
    /* Bytes that left the buffer so far, before compression. */
    uint64_t written;
    /* The errno of the first error, or 0; nothing is written after one. */
    int error;
};

/*
 * Creates the file and writes the header.  If it exists, it is emptied with overwrite,
 * else that is an error.  level is that of compression by gzip, 1 to 9, or 0 for none.
 * Returns false with errno set; h is not to be used then.
 */
bool hprof_open(struct hprof *h, const char *path, bool overwrite, int level);
/* Writes what is in the buffer, closes the file and stores its size.  Returns 0 or the
   errno of the first error since hprof_open. */
int hprof_close(struct hprof *h, uint64_t *bytes);

/* Begins a record; exactly length bytes are to follow. */
void hprof_record(struct hprof *h, enum hprof_record tag, uint32_t length);
/* Begins a sub-record; exactly size bytes, its tag included, are to follow.  size must
   fit into 32 bits, as a record's length has no more. */
void hprof_subrecord(struct hprof *h, uint64_t size);

/* Returns HPROF's number for a field or element of that type: one of "ZBCSIJFDL". */
uint8_t hprof_type(char type);

/* Returns the address of the record's next size bytes, at most HPROF_BUFFER, which the
   caller fills before the next call. */
uint8_t *hprof_room(struct hprof *h, size_t size);

static inline void
hprof_u1(struct hprof *h, unsigned value)
{
    *hprof_room(h, 1) = (uint8_t)value;
}

/* These store a value in the byte order of the file. */
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

/* Writes bytes as they are. */
void hprof_bytes(struct hprof *h, const void *bytes, size_t length);
/* Writes the value of 1, 2, 4 or 8 bytes at that address. */
void hprof_value(struct hprof *h, const void *at, unsigned size);
/* Writes count such values that lie one behind the other. */
void hprof_values(struct hprof *h, const void *at, size_t count, unsigned size);

#endif
