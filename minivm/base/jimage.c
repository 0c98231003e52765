/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/jimage.c -- reading the JDK's lib/modules.
 *
 * The file is mapped.  A resource is found by a perfect hash of its path, whose tables
 * are in the file; the entry found is compared with the path.  jlink may compress
 * resources: with zlib, or by moving the strings of constant pools to a table that all
 * class files share.  Both are undone when a resource is read.
 */

#include "base/jimage.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/os.h"

/*
 * The file, in the byte order of the machine that it was made on:
 *
 *     header     u4 magic, u2 major and u2 minor version as one u4, u4 flags,
 *                u4 resources, u4 table length, u4 size of the locations,
 *                u4 size of the strings
 *     redirect   s4[table length]: perfect hash, see find_slot
 *     offsets    u4[table length]: into the locations
 *     locations  attributes of the resources, see read_location
 *     strings    modified UTF-8, each with a NUL
 *     the resources
 */
enum { HEADER_SIZE = 28 };
#define IMAGE_MAGIC 0xcafedadau
#define IMAGE_VERSION 0x00010000u
#define HASH_SEED 0x01000193u

struct jimage {
    const uint8_t *bytes;
    size_t length;
    /* How many bytes to unmap; 0 when the bytes belong to the caller. */
    size_t mapped;
    char *name;
    const uint8_t *redirect;
    const uint8_t *offsets;
    const uint8_t *locations;
    /* The last one ends with a NUL, which was checked. */
    const char *strings;
    const uint8_t *content;
    uint64_t content_size;
    uint32_t table_length;
    uint32_t locations_size;
    uint32_t strings_size;
    /* The file has the other byte order than this machine. */
    bool swapped;
};

static uint32_t
u4_at(const struct jimage *image, const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return image->swapped ? __builtin_bswap32(value) : value;
}

static uint64_t
u8_at(const struct jimage *image, const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return image->swapped ? __builtin_bswap64(value) : value;
}

/* Stores "cannot read 'NAME': " and the message in *error, for the caller to free,
   unless error is NULL.  Always returns false, so that callers can return it. */
__attribute__((format(printf, 3, 4))) static bool
fail(const struct jimage *image, char **error, const char *format, ...)
{
    char *why;
    va_list args;

    if (!error)
        return false;
    va_start(args, format);
    why = mem_vprintf(format, args);
    va_end(args);
    *error = mem_printf("cannot read '%s': %s", image->name, why);
    mem_free(why);
    return false;
}

/* Checks the header and finds the tables. */
static bool
read_header(struct jimage *image, char **error)
{
    const uint8_t *at = image->bytes;
    uint64_t left = image->length, index_size;

    if (left < HEADER_SIZE)
        return fail(image, error, "truncated header");
    /* If the magic number is not there in this machine's byte order, it is read again
       in the other one, which u4_at uses once swapped is set. */
    image->swapped = u4_at(image, at) != IMAGE_MAGIC;
    if (u4_at(image, at) != IMAGE_MAGIC)
        return fail(image, error, "not an image");
    if (u4_at(image, at + 4) != IMAGE_VERSION)
        return fail(image, error, "version %u.%u is not known",
                    u4_at(image, at + 4) >> 16, u4_at(image, at + 4) & 0xffff);
    image->table_length = u4_at(image, at + 16);
    image->locations_size = u4_at(image, at + 20);
    image->strings_size = u4_at(image, at + 24);
    index_size = HEADER_SIZE + (uint64_t)image->table_length * 8 + image->locations_size
                 + image->strings_size;
    if (index_size > left)
        return fail(image, error, "truncated index");
    image->redirect = at + HEADER_SIZE;
    image->offsets = image->redirect + (size_t)image->table_length * 4;
    image->locations = image->offsets + (size_t)image->table_length * 4;
    image->strings = (const char *)image->locations + image->locations_size;
    /* With this every offset into the strings is one of a string. */
    if (image->strings_size == 0 || image->strings[image->strings_size - 1] != '\0')
        return fail(image, error, "damaged strings");
    image->content = at + index_size;
    image->content_size = left - index_size;
    return true;
}

/* Makes an image of the bytes; mapped is that of struct jimage.  On failure returns
   NULL with *error, and has unmapped the bytes if mapped is not 0. */
static struct jimage *
image_new(const uint8_t *bytes, size_t length, size_t mapped, const char *name,
          char **error)
{
    struct jimage *image = mem_calloc(1, sizeof *image);

    image->bytes = bytes;
    image->length = length;
    image->mapped = mapped;
    image->name = mem_strdup(name);
    if (!read_header(image, error)) {
        jimage_close(image);
        return NULL;
    }
    return image;
}

struct jimage *
jimage_open(const char *path, char **error)
{
    char *why = NULL;
    size_t size;
    int fd = os_open_regular(path, &size, &why);
    void *bytes = MAP_FAILED;

    if (fd >= 0) {
        /* mmap refuses a length of 0, so one byte more is mapped and never read; an
           empty file is then reported as "truncated header". */
        bytes = mmap(NULL, size + 1, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            why = mem_printf("%m");
        close(fd);
    }
    if (bytes != MAP_FAILED)
        return image_new(bytes, size, size + 1, path, error);
    if (error)
        *error = mem_printf("cannot read '%s': %s", path, why);
    mem_free(why);
    return NULL;
}

struct jimage *
jimage_open_bytes(const uint8_t *bytes, size_t length, const char *name, char **error)
{
    return image_new(bytes, length, 0, name, error);
}

void
jimage_close(struct jimage *image)
{
    if (!image)
        return;
    if (image->mapped != 0)
        munmap((void *)image->bytes, image->mapped);
    mem_free(image->name);
    mem_free(image);
}

/* Returns the string at that offset of the image's strings, or NULL when the offset is
   beyond them. */
static const char *
string_at(const struct jimage *image, uint64_t offset)
{
    return offset < image->strings_size ? image->strings + offset : NULL;
}

/*
 * A location is a row of attributes: a byte with the kind in its upper five
 * bits and the size less one in its lower three, then the value, most
 * significant byte first in either byte order.  Those that are 0 are left out.
 */
enum attribute { END, MODULE, PARENT, BASE, EXTENSION, OFFSET, PACKED, SIZE, KINDS };

/* Reads the row that begins at that offset of the locations.  Returns false when it is
   damaged: it has an unknown kind or no end. */
static bool
read_attributes(const struct jimage *image, uint32_t offset, uint64_t values[KINDS])
{
    memset(values, 0, KINDS * sizeof values[0]);
    while (offset < image->locations_size) {
        uint8_t head = image->locations[offset++];
        uint32_t kind = head >> 3, size = (head & 7) + 1;
        uint64_t value = 0;

        if (kind == END)
            return true;
        if (kind >= KINDS || size > image->locations_size - offset)
            return false;
        while (size-- > 0)
            value = value << 8 | image->locations[offset++];
        values[kind] = value;
    }
    return false;
}

/* Reads the location in a slot of the table; returns false when it is damaged. */
static bool
read_location(const struct jimage *image, uint32_t slot,
              struct jimage_location *location)
{
    uint64_t values[KINDS];

    if (slot >= image->table_length
        || !read_attributes(image, u4_at(image, image->offsets + (size_t)slot * 4),
                            values))
        return false;
    *location = (struct jimage_location){
        .module = string_at(image, values[MODULE]),
        .parent = string_at(image, values[PARENT]),
        .base = string_at(image, values[BASE]),
        .extension = string_at(image, values[EXTENSION]),
        .offset = values[OFFSET],
        .compressed_size = values[PACKED],
        .size = values[SIZE],
    };
    return location->module && location->parent && location->base
           && location->extension;
}

/* Returns jlink's hash of the text, 31 bits; the second argument is its seed. */
static uint32_t
hash_text(const char *text, uint32_t hash)
{
    for (; *text != '\0'; text++)
        hash = hash * HASH_SEED ^ (uint8_t)*text;
    return hash & 0x7fffffff;
}

/*
 * Stores the slot in which the path is, if it is in the image; returns false if it is
 * not.  A positive entry of the redirection table is the seed of a second hash, a
 * negative one is the bitwise complement of the slot.
 */
static bool
find_slot(const struct jimage *image, const char *path, uint32_t *slot)
{
    uint32_t length = image->table_length, redirect;

    if (length == 0)
        return false;
    *slot = hash_text(path, HASH_SEED) % length;
    redirect = u4_at(image, image->redirect + (size_t)*slot * 4);
    if (redirect == 0)
        return false;
    if (redirect >> 31 != 0)
        *slot = ~redirect;
    else
        *slot = hash_text(path, redirect) % length;
    return true;
}

/* Returns "/module/parent/base.extension", to be freed (mem_free). */
static char *
location_path(const struct jimage_location *location)
{
    return mem_printf("/%s/%s%s%s%s%s", location->module, location->parent,
                      *location->parent != '\0' ? "/" : "", location->base,
                      *location->extension != '\0' ? "." : "", location->extension);
}

/* The perfect hash leads to some entry for nearly every path, also for those that are
   not in the image, so the path of the entry is compared. */
bool
jimage_find(const struct jimage *image, const char *module, const char *name,
            struct jimage_location *location)
{
    char *path = mem_printf("/%s/%s", module, name), *found = NULL;
    uint32_t slot;
    bool same;

    if (find_slot(image, path, &slot) && read_location(image, slot, location))
        found = location_path(location);
    same = found && strcmp(path, found) == 0;
    mem_free(found);
    mem_free(path);
    return same;
}

/*
 * Each compressor puts a header before its output, in the image's byte order:
 * u4 magic, u8 size of what follows, u8 size before, u4 the compressor's name
 * and u4 its settings (offsets of strings), u1 whether it is the last.
 */
enum { LAYER_SIZE = 29, MAX_LAYERS = 4 };
#define LAYER_MAGIC 0xcafefafau

/* Undoes jlink's "zip", which is zlib's format; size is what the header claims the
   result to be.  Returns the result, to be freed (mem_free), or NULL with the reason in
   *why. */
static uint8_t *
unpack_zip(const uint8_t *bytes, size_t length, size_t size, const char **why)
{
    uLongf got = size;
    uint8_t *data;

    *why = "damaged compressed data";
    /* No deflated byte stands for more than 1032. */
    if (size / 1032 > length)
        return NULL;
    data = mem_try_alloc(size);
    if (!data) {
        *why = "out of memory";
        return NULL;
    }
    if (uncompress(data, &got, bytes, length) != Z_OK || got != size) {
        mem_free(data);
        return NULL;
    }
    return data;
}

/*
 * Reads an index of 1 to 4 bytes: if the top bit of the first is set, its next two bits
 * are the number of bytes; else there are four.
 */
static uint32_t
read_index(struct reader *r)
{
    uint8_t first = reader_u1(r);
    int size = 4;
    uint32_t value = first;

    if ((first & 0x80) != 0) {
        size = first >> 5 & 3;
        value = first & 0x1f;
        if (size == 0)
            r->bad = true;
    }
    while (--size > 0)
        value = value << 8 | reader_u1(r);
    return value;
}

/* Appends a text of the image; NULL, which string_at returns for a bad offset, makes r
   bad.  Of a text that is too long for a constant (65535 bytes) one byte more is
   appended than fits, by which append_entry knows it. */
static void
append_string(struct buf *b, struct reader *r, const char *text)
{
    if (!text)
        r->bad = true;
    else
        buf_append(b, text, strnlen(text, 0x10000));
}

/*
 * Reads a descriptor and appends it.  It is stored as a pattern without the names of
 * classes; for each L in it the package and the simple name follow.
 */
static void
append_descriptor(struct buf *b, struct reader *r, const struct jimage *image)
{
    const char *pattern = string_at(image, read_index(r));
    struct reader names = reader_sub(r, read_index(r));
    size_t start = b->length;

    if (!pattern) {
        r->bad = true;
        return;
    }
    for (; *pattern != '\0' && !r->bad && b->length - start <= 0xffff; pattern++) {
        const char *package;

        buf_append_u1(b, (uint8_t)*pattern);
        if (*pattern != 'L')
            continue;
        package = string_at(image, read_index(&names));
        append_string(b, r, package);
        if (package && *package != '\0')
            buf_append_u1(b, '/');
        append_string(b, r, string_at(image, read_index(&names)));
        if (names.bad)
            r->bad = true;
    }
}

/* The tags that the compressor "compact-cp" replaces CONSTANT_Utf8 by. */
enum {
    TAG_UTF8 = 1,
    TAG_LONG = 5,
    TAG_DOUBLE = 6,
    TAG_STRING = 23,
    TAG_DESCRIPTOR = 25
};

/*
 * The sizes of the other entries, by tag.  The compressor knows no others and copies
 * only their tag (of CONSTANT_Dynamic, for example); so does this.
 */
static const uint8_t entry_sizes[] = {
    [3] = 4,  [4] = 4,  [5] = 8,  [6] = 8,  [7] = 2,  [8] = 2,  [9] = 4,  [10] = 4,
    [11] = 4, [12] = 4, [15] = 3, [16] = 2, [18] = 4, [19] = 2, [20] = 2,
};

/* Reads the entry behind a tag and appends it as a class file has it, tag included.
   The length of a text is stored when the text is there.  Makes r bad when the entry is
   damaged. */
static void
append_entry(struct buf *b, struct reader *r, uint8_t tag, const struct jimage *image)
{
    const uint8_t *bytes;
    size_t size, start;

    if (tag == TAG_STRING || tag == TAG_DESCRIPTOR) {
        buf_append_u1(b, TAG_UTF8);
        start = b->length;
        buf_append_u2(b, 0);
        if (tag == TAG_STRING)
            append_string(b, r, string_at(image, read_index(r)));
        else
            append_descriptor(b, r, image);
        size = b->length - start - 2;
        put_u2(b->data + start, (uint16_t)size);
        if (size > 0xffff)
            r->bad = true;
        return;
    }
    buf_append_u1(b, tag);
    if (tag == TAG_UTF8) {
        size = reader_u2(r);
        buf_append_u2(b, (uint16_t)size);
    } else if (tag < sizeof entry_sizes) {
        size = entry_sizes[tag];
    } else {
        r->bad = true;
        return;
    }
    bytes = reader_bytes(r, size);
    if (bytes)
        buf_append(b, bytes, size);
}

/*
 * Undoes jlink's compact-cp: puts the strings of the image back in the constant pool of
 * a class file, which has size bytes then.  Returns the class file, to be freed
 * (mem_free); NULL when the bytes are damaged or the size is another.  *why is set in
 * any case, and says why only when the result is NULL.
 */
static uint8_t *
unpack_constants(const struct jimage *image, const uint8_t *bytes, size_t length,
                 size_t size, const char **why)
{
    struct reader r = reader_of(bytes, length);
    struct buf b = { 0 };
    const uint8_t *head = reader_bytes(&r, 10);

    *why = "damaged constant pool";
    if (!head)
        return NULL;
    buf_append(&b, head, 10);
    for (uint32_t i = 1; i < get_u2(head + 8) && !r.bad && b.length <= size; i++) {
        uint8_t tag = reader_u1(&r);

        append_entry(&b, &r, tag, image);
        if (tag == TAG_LONG || tag == TAG_DOUBLE)
            i++;
    }
    buf_append(&b, r.at, reader_left(&r));
    if (r.bad || b.length != size) {
        buf_release(&b);
        return NULL;
    }
    return buf_steal(&b, NULL);
}

/* Undoes the compressor whose header is at bytes; the caller has checked that all of
   the header is there.  Returns the compressor's input, to be freed (mem_free), and
   stores its length in *size; when it is damaged, NULL with *why. */
static uint8_t *
unpack_layer(const struct jimage *image, const uint8_t *bytes, size_t length,
             size_t *size, const char **why)
{
    uint64_t packed_size = u8_at(image, bytes + 4);
    uint64_t full_size = u8_at(image, bytes + 12);
    const char *name = string_at(image, u4_at(image, bytes + 20));

    bytes += LAYER_SIZE;
    length -= LAYER_SIZE;
    *why = "damaged compression header";
    if (packed_size > length || full_size > INT32_MAX)
        return NULL;
    *size = (size_t)full_size;
    if (name && strcmp(name, "zip") == 0)
        return unpack_zip(bytes, (size_t)packed_size, *size, why);
    if (name && strcmp(name, "compact-cp") == 0)
        return unpack_constants(image, bytes, (size_t)packed_size, *size, why);
    *why = "unknown compression";
    return NULL;
}

/*
 * Undoes what jlink's compressors did to a resource of size bytes, one after the other.
 * Returns the result, to be freed (mem_free); when the resource is damaged, NULL with a
 * constant text in *why.
 */
static uint8_t *
unpack(const struct jimage *image, const uint8_t *bytes, size_t length, uint64_t size,
       const char **why)
{
    uint8_t *data = NULL;

    for (int layer = 0; layer < MAX_LAYERS; layer++) {
        uint8_t *inner;

        if (length < LAYER_SIZE || u4_at(image, bytes) != LAYER_MAGIC)
            break;
        inner = unpack_layer(image, bytes, length, &length, why);
        mem_free(data);
        if (!inner)
            return NULL;
        bytes = data = inner;
    }
    if (!data || length != size) {
        mem_free(data);
        *why = "damaged compression header";
        return NULL;
    }
    return data;
}

bool
jimage_read(const struct jimage *image, const struct jimage_location *location,
            struct jimage_data *data, char **error)
{
    bool packed = location->compressed_size != 0;
    uint64_t size = packed ? location->compressed_size : location->size;
    const uint8_t *bytes = NULL;
    const char *why = "its data is outside the file";
    char *path;

    if (location->offset <= image->content_size
        && size <= image->content_size - location->offset)
        bytes = image->content + location->offset;
    *data = (struct jimage_data){ bytes, (size_t)location->size, NULL };
    if (bytes && packed)
        data->bytes = data->owned = unpack(image, bytes, (size_t)size, location->size,
                                           &why);
    if (data->bytes)
        return true;
    *data = (struct jimage_data){ 0 };
    path = location_path(location);
    fail(image, error, "%s: %s", path, why);
    mem_free(path);
    return false;
}

void
jimage_data_release(struct jimage_data *data)
{
    mem_free(data->owned);
    *data = (struct jimage_data){ 0 };
}

bool
jimage_next(const struct jimage *image, size_t *cursor,
            struct jimage_location *location)
{
    while (*cursor < image->table_length)
        if (read_location(image, (uint32_t)(*cursor)++, location))
            return true;
    return false;
}
