/* SPDX-License-Identifier: MIT */
/* minivm/base/jimage_unpack.c -- compressed resources of an image. */

#include "base/jimage_unpack.h"

#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"

/*
 * Each compressor puts a header before its output, in the image's byte order:
 * u4 magic, u8 size of what follows, u8 size before, u4 the compressor's name
 * and u4 its settings (offsets of strings), u1 whether it is the last.
 */
enum { HEADER_SIZE = 29, MAX_LAYERS = 4 };
#define HEADER_MAGIC 0xcafefafau

static uint64_t
u8_of(const uint8_t *at, bool big_endian)
{
    uint64_t first = jimage_u4(at, big_endian), second = jimage_u4(at + 4, big_endian);

    return big_endian ? first << 32 | second : second << 32 | first;
}

static const char *
string_at(const struct jimage_strings *strings, uint32_t offset)
{
    return offset < strings->length ? strings->bytes + offset : NULL;
}

static uint8_t *
unpack_zip(const uint8_t *bytes, size_t length, size_t size, const char **why)
{
    uLongf got = size;
    uint8_t *data;

    /* No deflated byte stands for more than 1032. */
    if (size / 1032 > length) {
        *why = "damaged compressed data";
        return NULL;
    }
    data = mem_try_alloc(size);
    if (data == NULL) {
        *why = "out of memory";
        return NULL;
    }
    if (uncompress(data, &got, bytes, length) != Z_OK || got != size) {
        mem_free(data);
        *why = "damaged compressed data";
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
append_descriptor(struct buf *b, struct reader *r, const struct jimage_strings *strings)
{
    const char *pattern = string_at(strings, read_index(r));
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
        package = string_at(strings, read_index(&names));
        append_string(b, r, package);
        if (package != NULL && *package != '\0')
            buf_append_u1(b, '/');
        append_string(b, r, string_at(strings, read_index(&names)));
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
             const struct jimage_strings *strings)
{
    const uint8_t *bytes;
    size_t size, start;

    if (tag == TAG_STRING || tag == TAG_DESCRIPTOR) {
        buf_append_u1(b, TAG_UTF8);
        start = b->length;
        buf_append_u2(b, 0);
        if (tag == TAG_STRING)
            append_string(b, r, string_at(strings, read_index(r)));
        else
            append_descriptor(b, r, strings);
        size = b->length - start - 2;
        buf_set_u2(b, start, (uint16_t)size);
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
unpack_constants(const struct jimage_strings *strings, const uint8_t *bytes,
                 size_t length, size_t size, const char **why)
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

        append_entry(&b, &r, tag, strings);
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
unpack_layer(const struct jimage_strings *strings, const uint8_t *bytes, size_t length,
             size_t *size, const char **why)
{
    bool big = strings->big_endian;
    uint64_t packed_size = u8_of(bytes + 4, big), full_size = u8_of(bytes + 12, big);
    const char *name = string_at(strings, jimage_u4(bytes + 20, big));

    bytes += HEADER_SIZE;
    length -= HEADER_SIZE;
    if (packed_size > length || full_size > INT32_MAX) {
        *why = "damaged compression header";
        return NULL;
    }
    *size = (size_t)full_size;
    if (name != NULL && strcmp(name, "zip") == 0)
        return unpack_zip(bytes, (size_t)packed_size, *size, why);
    if (name != NULL && strcmp(name, "compact-cp") == 0)
        return unpack_constants(strings, bytes, (size_t)packed_size, *size, why);
    *why = "unknown compression";
    return NULL;
}

uint8_t *
jimage_unpack(const struct jimage_strings *strings, const uint8_t *bytes, size_t length,
              uint64_t size, const char **why)
{
    uint8_t *data = NULL;

    for (int layer = 0; layer < MAX_LAYERS; layer++) {
        uint8_t *inner;

        if (length < HEADER_SIZE
            || jimage_u4(bytes, strings->big_endian) != HEADER_MAGIC)
            break;
        inner = unpack_layer(strings, bytes, length, &length, why);
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
