/* SPDX-License-Identifier: MIT */
/* minivm/base/jimage.h -- reading the JDK's lib/modules. */
#ifndef MINIVM_BASE_JIMAGE_H
#define MINIVM_BASE_JIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An open image, mapped.  It may be hostile: opening checks the header and the
 * sizes of the tables, each entry is checked when it is used.  Any thread may
 * read an open image; jimage_close needs it alone.
 */
struct jimage;

/*
 * A resource: /module/parent/base.extension.  The texts live as long as the
 * image, are never NULL, may be empty.
 */
struct jimage_location {
    const char *module;
    const char *parent;
    const char *base;
    const char *extension;
    uint64_t offset; /* from the end of the index */
    uint64_t compressed_size; /* 0: not compressed */
    uint64_t size;
};

/* The bytes of a resource: in the image itself, or owned. */
struct jimage_data {
    const uint8_t *bytes;
    size_t length;
    void *owned;
};

/*
 * NULL with *error set when the file cannot be opened or is no image:
 * "cannot read 'PATH': truncated index"; the caller owns the text (mem_free).
 * error may be NULL here and below.
 */
struct jimage *jimage_open(const char *path, char **error);
/* The same for bytes that outlive the image; name is for messages. */
struct jimage *jimage_open_bytes(const uint8_t *bytes, size_t length, const char *name,
                                 char **error);
void jimage_close(struct jimage *image);

/*
 * As in ("java.base", "java/lang/Object.class").  false when there is none, and
 * also when the index is damaged there.
 */
bool jimage_find(const struct jimage *image, const char *module, const char *name,
                 struct jimage_location *location);
/*
 * The bytes; release them with jimage_data_release.  No copy is made unless
 * the resource is compressed.
 */
bool jimage_read(const struct jimage *image, const struct jimage_location *location,
                 struct jimage_data *data, char **error);
void jimage_data_release(struct jimage_data *data);

/*
 * Steps through the resources in no order; *cursor starts at 0.  Damaged
 * entries are passed over.  /modules and /packages entries are included, with
 * these words as their module.
 */
bool jimage_next(const struct jimage *image, size_t *cursor,
                 struct jimage_location *location);

#endif
