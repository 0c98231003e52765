/* SPDX-License-Identifier: MIT */
/* minivm/base/jimage.c -- reading the JDK's lib/modules. */

#include "base/jimage.h"

#include <stdarg.h>
#include <string.h>

#include "base/jimage_unpack.h"
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
    struct file_map map;
    bool mapped;
    char *name;
    const uint8_t *redirect;
    const uint8_t *offsets;
    const uint8_t *locations;
    struct jimage_strings strings;
    const uint8_t *content;
    uint64_t content_size;
    uint32_t table_length;
    uint32_t locations_size;
};

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

/* Finds the tables of image->map. */
static bool
read_header(struct jimage *image, char **error)
{
    const uint8_t *at = image->map.data;
    uint64_t left = image->map.length, strings_size, index_size;
    bool big;

    if (left < HEADER_SIZE)
        return fail(image, error, "truncated header");
    big = jimage_u4(at, true) == IMAGE_MAGIC;
    if (!big && jimage_u4(at, false) != IMAGE_MAGIC)
        return fail(image, error, "not an image");
    if (jimage_u4(at + 4, big) != IMAGE_VERSION)
        return fail(image, error, "version %u.%u is not known",
                    jimage_u4(at + 4, big) >> 16, jimage_u4(at + 4, big) & 0xffff);
    image->table_length = jimage_u4(at + 16, big);
    image->locations_size = jimage_u4(at + 20, big);
    strings_size = jimage_u4(at + 24, big);
    index_size = HEADER_SIZE + (uint64_t)image->table_length * 8
                 + image->locations_size + strings_size;
    if (index_size > left)
        return fail(image, error, "truncated index");
    image->redirect = at + HEADER_SIZE;
    image->offsets = image->redirect + (size_t)image->table_length * 4;
    image->locations = image->offsets + (size_t)image->table_length * 4;
    image->strings.bytes = (const char *)image->locations + image->locations_size;
    image->strings.length = (size_t)strings_size;
    image->strings.big_endian = big;
    /* With this every offset into the strings is one of a string. */
    if (strings_size == 0 || image->strings.bytes[strings_size - 1] != '\0')
        return fail(image, error, "damaged strings");
    image->content = at + index_size;
    image->content_size = left - index_size;
    return true;
}

static struct jimage *
open_map(struct file_map map, bool mapped, const char *name, char **error)
{
    struct jimage *image = mem_calloc(1, sizeof *image);

    image->map = map;
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
    struct file_map map;
    char *why;

    if (!map_open(&map, path, &why)) {
        if (error != NULL)
            *error = mem_printf("cannot read '%s': %s", path, why);
        mem_free(why);
        return NULL;
    }
    return open_map(map, true, path, error);
}

struct jimage *
jimage_open_bytes(const uint8_t *bytes, size_t length, const char *name, char **error)
{
    return open_map((struct file_map){ bytes, length }, false, name, error);
}

void
jimage_close(struct jimage *image)
{
    if (image == NULL)
        return;
    if (image->mapped)
        map_close(&image->map);
    mem_free(image->name);
    mem_free(image);
}

static uint32_t
u4_at(const struct jimage *image, const uint8_t *at)
{
    return jimage_u4(at, image->strings.big_endian);
}

static const char *
string_at(const struct jimage *image, uint64_t offset)
{
    return offset < image->strings.length ? image->strings.bytes + offset : NULL;
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
    return hash;
}

/* The hash of "/module/name". */
static uint32_t
hash_path(const char *module, const char *name, uint32_t seed)
{
    uint32_t hash = hash_text(module, seed * HASH_SEED ^ '/');

    return hash_text(name, hash * HASH_SEED ^ '/') & 0x7fffffff;
}

/*
 * The slot where the path is if it is anywhere.  A positive entry of the
 * redirection table is the seed of a second hash, a negative one the
 * complement of the slot.
 */
static bool
find_slot(const struct jimage *image, const char *module, const char *name,
          uint32_t *slot)
{
    uint32_t length = image->table_length, redirect;

    if (length == 0)
        return false;
    *slot = hash_path(module, name, HASH_SEED) % length;
    redirect = u4_at(image, image->redirect + (size_t)*slot * 4);
    if (redirect == 0)
        return false;
    if (redirect >> 31 != 0)
        *slot = ~redirect;
    else
        *slot = hash_path(module, name, redirect) % length;
    return true;
}

/* Whether *at goes on with text; *at moves behind it. */
static bool
skip_text(const char **at, const char *text)
{
    size_t length = strlen(text);

    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool
is_named(const struct jimage_location *location, const char *module, const char *name)
{
    if (strcmp(location->module, module) != 0)
        return false;
    if (*location->parent != '\0'
        && !(skip_text(&name, location->parent) && skip_text(&name, "/")))
        return false;
    if (!skip_text(&name, location->base))
        return false;
    if (*location->extension != '\0'
        && !(skip_text(&name, ".") && skip_text(&name, location->extension)))
        return false;
    return *name == '\0';
}

bool
jimage_find(const struct jimage *image, const char *module, const char *name,
            struct jimage_location *location)
{
    uint32_t slot;

    return find_slot(image, module, name, &slot)
           && read_location(image, slot, location) && is_named(location, module, name);
}

/* Where size bytes of content are, or NULL when they are not all there. */
static const uint8_t *
content_at(const struct jimage *image, uint64_t offset, uint64_t size)
{
    if (offset > image->content_size || size > image->content_size - offset)
        return NULL;
    return image->content + offset;
}

bool
jimage_read(const struct jimage *image, const struct jimage_location *location,
            struct jimage_data *data, char **error)
{
    bool packed = location->compressed_size != 0;
    uint64_t size = packed ? location->compressed_size : location->size;
    const uint8_t *bytes = content_at(image, location->offset, size);
    const char *why = "its data is outside the file";

    *data = (struct jimage_data){ bytes, (size_t)location->size, NULL };
    if (bytes != NULL && packed)
        data->bytes = data->owned = jimage_unpack(&image->strings, bytes, (size_t)size,
                                                  location->size, &why);
    if (data->bytes != NULL)
        return true;
    *data = (struct jimage_data){ 0 };
    return fail(image, error, "/%s/%s%s%s%s%s: %s", location->module, location->parent,
                *location->parent != '\0' ? "/" : "", location->base,
                *location->extension != '\0' ? "." : "", location->extension, why);
}

void
jimage_data_release(struct jimage_data *data)
{
    mem_free(data->owned);
    *data = (struct jimage_data){ 0 };
}

size_t
jimage_count(const struct jimage *image)
{
    return image->table_length;
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
