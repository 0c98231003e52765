/* SPDX-License-Identifier: MIT */
/* minivm/test/archives.c -- makes zip files and images to test their readers. */

#include "test/archives.h"

#include <string.h>
#include <zlib.h>

#include "base/log.h"
#include "base/mem.h"

static void
le2(struct buf *b, uint32_t value)
{
    buf_append_u1(b, (uint8_t)value);
    buf_append_u1(b, (uint8_t)(value >> 8));
}

static void
le4(struct buf *b, uint32_t value)
{
    le2(b, value & 0xffff);
    le2(b, value >> 16);
}

static void
le8(struct buf *b, uint64_t value)
{
    le4(b, (uint32_t)value);
    le4(b, (uint32_t)(value >> 32));
}

void
append_deflated(struct buf *out, const void *bytes, size_t length, bool header)
{
    z_stream stream = { 0 };
    size_t room;

    if (deflateInit2(&stream, 9, Z_DEFLATED, header ? MAX_WBITS : -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        fatal("deflateInit2 failed");
    room = deflateBound(&stream, length);
    buf_reserve(out, room);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = out->data + out->length;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        fatal("deflate failed");
    out->length += room - stream.avail_out;
    deflateEnd(&stream);
}

/* The header of a member, its local one or that of the directory. */
static void
zip_header(struct buf *out, const struct member *member, size_t packed, size_t offset,
           bool central, bool zip64)
{
    bool wide = central && zip64;

    le4(out, central ? 0x02014b50 : 0x04034b50);
    if (central)
        le2(out, 20);
    le2(out, 20);
    le2(out, 0);
    le2(out, member->packed ? 8 : 0);
    le4(out, 0x5a215a21);
    le4(out, (uint32_t)crc32(0, member->bytes, (uInt)member->length));
    le4(out, wide ? 0xffffffff : (uint32_t)packed);
    le4(out, wide ? 0xffffffff : (uint32_t)member->length);
    le2(out, (uint32_t)strlen(member->name));
    le2(out, wide ? 28 : 4);
    if (central) {
        le2(out, 3);
        le4(out, 0);
        le4(out, 0);
        le4(out, wide ? 0xffffffff : (uint32_t)offset);
    }
    buf_append_string(out, member->name);
    if (wide) {
        le2(out, 1);
        le2(out, 24);
        le8(out, member->length);
        le8(out, packed);
        le8(out, offset);
    } else {
        /* A tag of nobody's with no data. */
        le2(out, 0x7469);
        le2(out, 0);
    }
    if (central)
        buf_append_string(out, "rem");
}

static void
zip_end(struct buf *out, size_t base, size_t directory, size_t count, bool zip64,
        const char *comment)
{
    size_t size = out->length - directory, end64 = out->length;

    directory -= base;
    if (zip64) {
        le4(out, 0x06064b50);
        le8(out, 44);
        le2(out, 45);
        le2(out, 45);
        le4(out, 0);
        le4(out, 0);
        le8(out, count);
        le8(out, count);
        le8(out, size);
        le8(out, directory);
        le4(out, 0x07064b50);
        le4(out, 0);
        le8(out, end64);
        le4(out, 1);
    }
    le4(out, 0x06054b50);
    le4(out, 0);
    le2(out, zip64 ? 0xffff : (uint32_t)count);
    le2(out, zip64 ? 0xffff : (uint32_t)count);
    le4(out, zip64 ? 0xffffffff : (uint32_t)size);
    le4(out, zip64 ? 0xffffffff : (uint32_t)directory);
    le2(out, (uint32_t)strlen(comment));
    buf_append_string(out, comment);
}

void
make_zip(struct buf *out, const struct member *members, size_t count,
         const struct zip_options *options)
{
    struct buf directory = { 0 }, packed = { 0 };
    size_t base, start;

    if (options->prefix != NULL)
        buf_append_string(out, options->prefix);
    base = out->length;
    for (size_t i = 0; i < count; i++) {
        buf_clear(&packed);
        if (members[i].packed)
            append_deflated(&packed, members[i].bytes, members[i].length, false);
        else
            buf_append(&packed, members[i].bytes, members[i].length);
        zip_header(&directory, &members[i], packed.length, out->length - base, true,
                   options->zip64);
        zip_header(out, &members[i], packed.length, 0, false, options->zip64);
        buf_append(out, packed.data, packed.length);
    }
    start = out->length;
    buf_append(out, directory.data, directory.length);
    zip_end(out, base, start, count, options->zip64,
            options->comment == NULL ? "" : options->comment);
    if (options->suffix != NULL)
        buf_append_string(out, options->suffix);
    buf_release(&directory);
    buf_release(&packed);
}

void
image_init(struct image_maker *m, bool big_endian)
{
    memset(m, 0, sizeof *m);
    m->big_endian = big_endian;
    /* Offset 0 of both is the empty one. */
    buf_append_u1(&m->strings, 0);
    buf_append_u1(&m->locations, 0);
}

void
image_release(struct image_maker *m)
{
    for (size_t i = 0; i < m->count; i++)
        mem_free(m->members[i].name);
    buf_release(&m->strings);
    buf_release(&m->locations);
    buf_release(&m->content);
}

void
image_u4(const struct image_maker *m, struct buf *out, uint32_t value)
{
    if (m->big_endian)
        append_u4(out, value);
    else
        le4(out, value);
}

uint32_t
image_string(struct image_maker *m, const char *text)
{
    size_t at = 0;

    while (at < m->strings.length) {
        const char *there = (const char *)m->strings.data + at;

        if (strcmp(there, text) == 0)
            return (uint32_t)at;
        at += strlen(there) + 1;
    }
    buf_append(&m->strings, text, strlen(text) + 1);
    return (uint32_t)at;
}

static void
image_attribute(struct image_maker *m, int kind, uint64_t value)
{
    int size = 1;

    if (value == 0)
        return;
    while (size < 8 && value >> (size * 8) != 0)
        size++;
    buf_append_u1(&m->locations, (uint8_t)(kind << 3 | (size - 1)));
    while (size-- > 0)
        buf_append_u1(&m->locations, (uint8_t)(value >> (size * 8)));
}

/* The string of the bytes from start to end. */
static uint32_t
image_part(struct image_maker *m, const char *start, const char *end)
{
    char *text = mem_strndup(start, (size_t)(end - start));
    uint32_t offset = image_string(m, text);

    mem_free(text);
    return offset;
}

/* The attributes 1 to 4: "/module/parent/base.extension". */
static void
image_name(struct image_maker *m, const char *name)
{
    const char *parent = strchr(name + 1, '/') + 1, *base = strrchr(name, '/') + 1;
    const char *end = name + strlen(name), *dot = strrchr(base, '.');

    if (dot == NULL || strncmp(name, "/packages/", 10) == 0)
        dot = end;
    image_attribute(m, 1, image_part(m, name + 1, parent - 1));
    image_attribute(m, 2, image_part(m, parent, base > parent ? base - 1 : parent));
    image_attribute(m, 3, image_part(m, base, dot));
    image_attribute(m, 4, image_part(m, dot == end ? end : dot + 1, end));
}

void
image_add(struct image_maker *m, const char *name, const void *bytes, size_t length,
          bool packed, size_t size)
{
    if (m->count == sizeof m->members / sizeof m->members[0])
        fatal("too many members");
    m->members[m->count].name = mem_strdup(name);
    m->members[m->count++].location = (uint32_t)m->locations.length;
    image_name(m, name);
    image_attribute(m, 5, m->content.length);
    image_attribute(m, 6, packed ? length : 0);
    image_attribute(m, 7, size);
    buf_append_u1(&m->locations, 0);
    buf_append(&m->content, bytes, length);
}

void
image_add_package(struct image_maker *m, const char *name, const char *empty_module,
                  const char *module)
{
    char *path = mem_printf("/packages/%s", name);
    struct buf pairs = { 0 };

    if (empty_module != NULL) {
        image_u4(m, &pairs, 1);
        image_u4(m, &pairs, image_string(m, empty_module));
    }
    if (module != NULL) {
        image_u4(m, &pairs, 0);
        image_u4(m, &pairs, image_string(m, module));
    }
    image_add(m, path, pairs.data, pairs.length, false, pairs.length);
    buf_release(&pairs);
    mem_free(path);
}

void
image_layer(struct image_maker *m, struct buf *out, const char *compressor,
            const void *packed, size_t packed_size, size_t size)
{
    uint64_t sizes[2] = { packed_size, size };

    image_u4(m, out, 0xcafefafa);
    for (int i = 0; i < 2; i++) {
        if (m->big_endian) {
            append_u4(out, (uint32_t)(sizes[i] >> 32));
            append_u4(out, (uint32_t)sizes[i]);
        } else {
            le8(out, sizes[i]);
        }
    }
    image_u4(m, out, image_string(m, compressor));
    image_u4(m, out, 0xffffffff);
    buf_append_u1(out, 1);
    buf_append(out, packed, packed_size);
}

static uint32_t
image_hash(const char *text, uint32_t seed)
{
    for (; *text != '\0'; text++)
        seed = seed * 0x01000193u ^ (uint8_t)*text;
    return seed & 0x7fffffff;
}

/*
 * Gives the members of one bucket their slots: the complement of a free one
 * to a single member, to several the seed that spreads them over free slots.
 */
static void
image_place(struct image_maker *m, size_t bucket, uint32_t *redirect, int *slots)
{
    size_t in_bucket[64], n = 0;

    for (size_t i = 0; i < m->count; i++)
        if (image_hash(m->members[i].name, 0x01000193u) % m->count == bucket)
            in_bucket[n++] = i;
    if (n == 1) {
        size_t slot = 0;

        while (slots[slot] >= 0)
            slot++;
        slots[slot] = (int)in_bucket[0];
        redirect[bucket] = ~(uint32_t)slot;
    }
    for (uint32_t seed = 1; n > 1 && redirect[bucket] == 0; seed++) {
        size_t placed = 0;

        for (; placed < n; placed++) {
            size_t at = image_hash(m->members[in_bucket[placed]].name, seed) % m->count;

            if (slots[at] >= 0)
                break;
            slots[at] = (int)in_bucket[placed];
        }
        if (placed == n)
            redirect[bucket] = seed;
        for (size_t at = 0; placed < n && at < m->count; at++)
            for (size_t i = 0; i < placed; i++)
                if (slots[at] == (int)in_bucket[i])
                    slots[at] = -1;
    }
}

void
image_finish(struct image_maker *m, struct buf *out)
{
    uint32_t redirect[64] = { 0 };
    size_t sizes[64] = { 0 }, largest = 0;
    int slots[64];

    for (size_t i = 0; i < m->count; i++) {
        size_t bucket = image_hash(m->members[i].name, 0x01000193u) % m->count;

        slots[i] = -1;
        if (++sizes[bucket] > largest)
            largest = sizes[bucket];
    }
    for (size_t size = largest; size > 0; size--)
        for (size_t bucket = 0; bucket < m->count; bucket++)
            if (sizes[bucket] == size)
                image_place(m, bucket, redirect, slots);
    image_u4(m, out, 0xcafedada);
    image_u4(m, out, 0x00010000);
    image_u4(m, out, 0);
    image_u4(m, out, (uint32_t)m->count);
    image_u4(m, out, (uint32_t)m->count);
    image_u4(m, out, (uint32_t)m->locations.length);
    image_u4(m, out, (uint32_t)m->strings.length);
    for (size_t i = 0; i < m->count; i++)
        image_u4(m, out, redirect[i]);
    for (size_t i = 0; i < m->count; i++)
        image_u4(m, out, m->members[slots[i]].location);
    buf_append(out, m->locations.data, m->locations.length);
    buf_append(out, m->strings.data, m->strings.length);
    buf_append(out, m->content.data, m->content.length);
}

const uint8_t sample_class[SAMPLE_CLASS_SIZE + 1] =
    "\xca\xfe\xba\xbe\0\0\0\x3d\0\x0c"
    "\1\0\5Hello"                                        /* 1 Utf8 */
    "\7\0\1"                                             /* 2 Class */
    "\5\1\2\3\4\5\6\7\x08"                               /* 3 Long, 4 */
    "\1\0\x29(Ljava/lang/String;ILUnnamed;)LHello$In;x"  /* 5 Utf8, a descriptor */
    "\x0c\0\1\0\5"                                       /* 6 NameAndType */
    "\3\1\2\3\4"                                         /* 7 Integer */
    "\x0f\6\0\2"                                         /* 8 MethodHandle */
    "\x12\0\0\0\6"                                       /* 9 InvokeDynamic */
    "\1\0\3raw"                                          /* 10 Utf8, left alone */
    "\x14\0\1"                                           /* 11 Package */
    "the rest";

/* An index as "compact-cp" writes it, in one to four bytes. */
static void
append_index(struct buf *b, uint32_t index)
{
    if (index < 0x20) {
        buf_append_u1(b, (uint8_t)(0xa0 | index));
    } else if (index < 0x2000) {
        buf_append_u2(b, (uint16_t)(0xc000 | index));
    } else if (index < 0x200000) {
        buf_append_u1(b, (uint8_t)(0xe0 | index >> 16));
        buf_append_u2(b, (uint16_t)index);
    } else {
        append_u4(b, index);
    }
}

/* sample_class as "compact-cp" writes it. */
static void
compact(struct image_maker *m, struct buf *out)
{
    struct buf names = { 0 };
    uint32_t hello = image_string(m, "Hello");

    append_index(&names, image_string(m, "java/lang"));
    append_index(&names, image_string(m, "String"));
    append_index(&names, image_string(m, ""));
    append_index(&names, image_string(m, "Unnamed"));
    append_index(&names, image_string(m, ""));
    append_index(&names, image_string(m, "Hello$In"));

    buf_append(out, "\xca\xfe\xba\xbe\0\0\0\x3d\0\x0c", 10);
    buf_append_u1(out, 23);
    append_index(out, hello);
    buf_append(out, "\7\0\1\5\1\2\3\4\5\6\7\x08", 12);
    buf_append_u1(out, 25);
    append_index(out, image_string(m, "(L;IL;)L;x"));
    append_index(out, (uint32_t)names.length);
    buf_append(out, names.data, names.length);
    buf_append(out,
               "\x0c\0\1\0\5\3\1\2\3\4\x0f\6\0\2\x12\0\0\0\6\1\0\3raw\x14\0\1",
               28);
    buf_append_string(out, "the rest");
    buf_release(&names);
}

void
make_sample_image(struct buf *out, bool big_endian)
{
    struct buf zipped = { 0 }, compacted = { 0 }, packed = { 0 };
    char filler[9000];
    struct image_maker m;

    image_init(&m, big_endian);
    image_add(&m, "/java.base/java/lang/Object.class", sample_class, SAMPLE_CLASS_SIZE,
              false, SAMPLE_CLASS_SIZE);
    append_deflated(&zipped, sample_class, SAMPLE_CLASS_SIZE, true);
    image_layer(&m, &packed, "zip", zipped.data, zipped.length, SAMPLE_CLASS_SIZE);
    image_add(&m, "/java.base/java/lang/Zipped.class", packed.data, packed.length, true,
              SAMPLE_CLASS_SIZE);
    /* Strings beyond 0x2000 take an index of three bytes. */
    memset(filler, 'f', sizeof filler - 1);
    filler[sizeof filler - 1] = '\0';
    image_string(&m, filler);
    compact(&m, &compacted);
    buf_clear(&packed);
    image_layer(&m, &packed, "compact-cp", compacted.data, compacted.length,
                SAMPLE_CLASS_SIZE);
    image_add(&m, "/java.base/java/util/Compact.class", packed.data, packed.length,
              true, SAMPLE_CLASS_SIZE);
    buf_clear(&zipped);
    append_deflated(&zipped, packed.data, packed.length, true);
    buf_clear(&compacted);
    image_layer(&m, &compacted, "zip", zipped.data, zipped.length, packed.length);
    image_add(&m, "/java.base/java/util/Both.class", compacted.data, compacted.length,
              true, SAMPLE_CLASS_SIZE);
    image_add(&m, "/java.base/module-info.class", "module", 6, false, 6);
    image_add(&m, "/java.base/java/lang/noextension", "", 0, false, 0);
    image_add(&m, "/java.logging/java/util/logging/a.b.c", "abc", 3, false, 3);
    image_add_package(&m, "java.lang", NULL, "java.base");
    image_add_package(&m, "java.util", "java.logging", "java.base");
    image_add_package(&m, "java", "java.base", NULL);
    image_finish(&m, out);
    image_release(&m);
    buf_release(&zipped);
    buf_release(&compacted);
    buf_release(&packed);
}
