/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/jimage.h -- reading the JDK's lib/modules, a jimage file, which has the
 * class files and resources of all modules.
 *
 * Nothing here stops or collects.
 */
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
 * Where a resource is.  Its path is /module/parent/base.extension.  The texts belong to
 * the image; they are never NULL but may be empty.
 */
struct jimage_location {
    const char *module;
    const char *parent;
    const char *base;
    const char *extension;
    /* Counted from the end of the index. */
    uint64_t offset;
    /* 0: it is not compressed. */
    uint64_t compressed_size;
    uint64_t size;
};

/* The bytes of a resource.  They lie in the image itself, or, if owned is not NULL, in
   a copy that belongs to this struct. */
struct jimage_data {
    const uint8_t *bytes;
    size_t length;
    void *owned;
};

/*
 * Opens an image.  When the file cannot be opened or is no image, returns NULL and
 * stores a text like "cannot read 'PATH': truncated index", which the caller frees
 * (mem_free).  error may be NULL here and below.
 */
struct jimage *jimage_open(const char *path, char **error);
/* Opens an image that is in memory, which must outlive it; name is for messages. */
struct jimage *jimage_open_bytes(const uint8_t *bytes, size_t length, const char *name,
                                 char **error);
void jimage_close(struct jimage *image);

/*
 * Finds a resource, such as ("java.base", "java/lang/Object.class").  Returns false
 * when there is none, and also when the index is damaged at that place.
 */
bool jimage_find(const struct jimage *image, const char *module, const char *name,
                 struct jimage_location *location);
/*
 * Stores the bytes of a resource, which are released with jimage_data_release.  They
 * are copied only if the resource is compressed.  Returns false with *error when it is
 * damaged.
 */
bool jimage_read(const struct jimage *image, const struct jimage_location *location,
                 struct jimage_data *data, char **error);
void jimage_data_release(struct jimage_data *data);

/*
 * Stores the next resource, in no particular order, or returns false at the end.
 * *cursor is 0 before the first call.  Damaged entries are skipped.  The entries below
 * /modules and /packages are included, with these words as their module.
 */
bool jimage_next(const struct jimage *image, size_t *cursor,
                 struct jimage_location *location);

#endif
