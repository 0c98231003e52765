/* SPDX-License-Identifier: MIT */
/* minivm/test/archives.h -- makes zip files and images to test their readers. */
#ifndef MINIVM_TEST_ARCHIVES_H
#define MINIVM_TEST_ARCHIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

static inline void
append_u4(struct buf *b, uint32_t value)
{
    buf_append_u2(b, (uint16_t)(value >> 16));
    buf_append_u2(b, (uint16_t)value);
}

/* A file to put into an archive. */
struct member {
    const char *name; /* in an image with its module, "/java.base/java/lang/A.class" */
    const void *bytes;
    size_t length;
    bool packed;
};

struct zip_options {
    bool zip64; /* sizes, offsets and counts all in zip64 fields */
    const char *comment;
    const char *prefix; /* stands before the archive */
    const char *suffix; /* stands after it */
};

void make_zip(struct buf *out, const struct member *members, size_t count,
              const struct zip_options *options);

/* Deflates, with zlib's header or without any. */
void append_deflated(struct buf *out, const void *bytes, size_t length, bool header);

/*
 * An image under construction: members are added with whatever content they
 * shall have; strings are shared.
 */
struct image_maker {
    bool big_endian;
    struct buf strings;
    struct buf locations;
    struct buf content;
    struct {
        char *name;
        uint32_t location;
    } members[64];
    size_t count;
};

void image_init(struct image_maker *m, bool big_endian);
void image_release(struct image_maker *m);
uint32_t image_string(struct image_maker *m, const char *text);
/* size is the unpacked size; packed says that bytes carry compression headers. */
void image_add(struct image_maker *m, const char *name, const void *bytes,
               size_t length, bool packed, size_t size);
/* Adds /packages/NAME, whose content says that module has the package. */
void image_add_package(struct image_maker *m, const char *name,
                       const char *empty_module, const char *module);
void image_finish(struct image_maker *m, struct buf *out);

/*
 * An image with one resource for each way of storing it, and packages.  The
 * classes in it are all sample_class, a class file of sorts: jlink's
 * "compact-cp" changes constants alone.
 */
enum { SAMPLE_CLASS_SIZE = 110 };
extern const uint8_t sample_class[SAMPLE_CLASS_SIZE + 1];
void make_sample_image(struct buf *out, bool big_endian);

/* In the image's byte order. */
void image_u4(const struct image_maker *m, struct buf *out, uint32_t value);
/* A compressor's header, then its output. */
void image_layer(struct image_maker *m, struct buf *out, const char *compressor,
                 const void *packed, size_t packed_size, size_t size);

#endif
