/* SPDX-License-Identifier: MIT */
/* minivm/base/jimage.c -- reading the JDK's lib/modules. */

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
    size_t mapped; /* how many bytes to unmap, 0 for bytes of others */
    char *name;
    const uint8_t *redirect;
    const uint8_t *offsets;
    const uint8_t *locations;
    const char *strings; /* the last ends with a NUL */
    const uint8_t *content;
    uint64_t content_size;
    uint32_t table_length;
    uint32_t locations_size;
    uint32_t strings_size;
    bool swapped; /* in another byte order than this machine's */
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

__attribute__((format(printf, 3, 4))) static bool
fail(const struct jimage *image, char **error, const char *format, ...)
{
    char *why;
    va_list args;

    if (error == NULL)
        return false;
    va_start(args, format);
    why = mem_vprintf(format, args);
    va_end(args);
    *error = mem_printf("cannot read '%s': %s", image->name, why);
    mem_free(why);
    return false;
}

/* Finds the tables. */
static bool
read_header(struct jimage *image, char **error)
{
    const uint8_t *at = image->bytes;
    uint64_t left = image->length, index_size;

    if (left < HEADER_SIZE)
        return fail(image, error, "truncated header");
    image->swapped = u4_at(image, at) != IMAGE_MAGIC;
    if (u4_at(image, at) != IMAGE_MAGIC)
        return fail(image, error, "not an image");
    if (u4_at(image, at + 4) != IMAGE_VERSION)
        return fail(image, error, "version %u.%u is not known",
                    u4_at(image, at + 4) >> 16, u4_at(image, at + 4) & 0xffff);
    image->table_length = u4_at(image, at + 16);
    image->locations_size = u4_at(image, at + 20);
    image->strings_size = u4_at(image, at + 24);
    index_size = HEADER_SIZE + (uint64_t)image->table_length * 8
                 + image->locations_size + image->strings_size;
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
        /* No bytes at all cannot be mapped. */
        bytes = mmap(NULL, size + 1, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            why = mem_printf("%m");
        close(fd);
    }
    if (bytes != MAP_FAILED)
        return image_new(bytes, size, size + 1, path, error);
    if (error != NULL)
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
    if (image == NULL)
        return;
    if (image->mapped != 0)
        munmap((void *)image->bytes, image->mapped);
    mem_free(image->name);
    mem_free(image);
}

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

/* The location in a slot of the table; false when it is damaged. */
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
    return location->module != NULL && location->parent != NULL
           && location->base != NULL && location->extension != NULL;
}

static uint32_t
hash_text(const char *text, uint32_t hash)
{
    for (; *text != '\0'; text++)
        hash = hash * HASH_SEED ^ (uint8_t)*text;
    return hash & 0x7fffffff;
}

/*
 * The slot where the path is if it is anywhere.  A positive entry of the
 * redirection table is the seed of a second hash, a negative one the
 * complement of the slot.
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

/* "/module/parent/base.extension", to be freed. */
static char *
location_path(const struct jimage_location *location)
{
    return mem_printf("/%s/%s%s%s%s%s", location->module, location->parent,
                      *location->parent != '\0' ? "/" : "", location->base,
                      *location->extension != '\0' ? "." : "", location->extension);
}

bool
jimage_find(const struct jimage *image, const char *module, const char *name,
            struct jimage_location *location)
{
    char *path = mem_printf("/%s/%s", module, name), *found = NULL;
    uint32_t slot;
    bool same;

    if (find_slot(image, path, &slot) && read_location(image, slot, location))
        found = location_path(location);
    same = found != NULL && strcmp(path, found) == 0;
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
    if (data == NULL) {
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
 * An index in 1 to 4 bytes: with the top bit set, the next two bits are the
 * number of bytes; else there are four.
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

static void
append_string(struct buf *b, struct reader *r, const char *text)
{
    if (text == NULL)
        r->bad = true;
    else
        buf_append(b, text, strnlen(text, 0x10000));
}

/*
 * A descriptor stands as a pattern without class names, whose package and
 * simple name follow for each L in it.
 */
static void
append_descriptor(struct buf *b, struct reader *r, const struct jimage *image)
{
    const char *pattern = string_at(image, read_index(r));
    struct reader names = reader_sub(r, read_index(r));
    size_t start = b->length;

    if (pattern == NULL) {
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
        if (package != NULL && *package != '\0')
            buf_append_u1(b, '/');
        append_string(b, r, string_at(image, read_index(&names)));
        if (names.bad)
            r->bad = true;
    }
}

/* What "compact-cp" puts in place of CONSTANT_Utf8. */
enum {
    TAG_UTF8 = 1,
    TAG_LONG = 5,
    TAG_DOUBLE = 6,
    TAG_STRING = 23,
    TAG_DESCRIPTOR = 25
};

/*
 * The sizes of the entries that it copies.  It knows no others, and copies
 * the tag alone (as for CONSTANT_Dynamic), in both directions alike.
 */
static const uint8_t entry_sizes[] = {
    [3] = 4, [4] = 4, [5] = 8, [6] = 8, [7] = 2, [8] = 2, [9] = 4, [10] = 4,
    [11] = 4, [12] = 4, [15] = 3, [16] = 2, [18] = 4, [19] = 2, [20] = 2,
};

static void
append_entry(struct buf *b, struct reader *r, uint8_t tag,
             const struct jimage *image)
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
    if (bytes != NULL)
        buf_append(b, bytes, size);
}

/* A class file whose constant pool has its strings in the image. */
static uint8_t *
unpack_constants(const struct jimage *image, const uint8_t *bytes, size_t length,
                 size_t size, const char **why)
{
    struct reader r = reader_of(bytes, length);
    struct buf b = { 0 };
    const uint8_t *head = reader_bytes(&r, 10);

    *why = "damaged constant pool";
    if (head == NULL)
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

/* Undoes the compressor whose header stands at bytes. */
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
    if (name != NULL && strcmp(name, "zip") == 0)
        return unpack_zip(bytes, (size_t)packed_size, *size, why);
    if (name != NULL && strcmp(name, "compact-cp") == 0)
        return unpack_constants(image, bytes, (size_t)packed_size, *size, why);
    *why = "unknown compression";
    return NULL;
}

/*
 * Undoes what jlink's compressors did to a resource of size bytes, one after
 * the other.  The result goes to mem_free; NULL with *why, a constant text, set
 * when the resource is damaged.
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
        if (inner == NULL)
            return NULL;
        bytes = data = inner;
    }
    if (data == NULL || length != size) {
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
    if (bytes != NULL && packed)
        data->bytes = data->owned = unpack(image, bytes, (size_t)size, location->size,
                                           &why);
    if (data->bytes != NULL)
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
