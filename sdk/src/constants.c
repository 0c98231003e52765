/* SPDX-License-Identifier: MIT */
/* sdk/src/constants.c -- the constant pool (JVMS 4.4). */
#include "classfile_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    UTF8 = 1, INTEGER = 3, LONG = 5, DOUBLE, CLASS, STRING, FIELDREF, METHODREF,
    INTERFACE_METHODREF, NAME_AND_TYPE, METHOD_TYPE = 16, DYNAMIC, INVOKE_DYNAMIC,
    MODULE, PACKAGE
};

unsigned
tf_constant_tag(const struct tf_class *c, unsigned index)
{
    return index < c->pool_count && c->pool[index].bytes != NULL
        ? c->pool[index].bytes[0] : 0;
}

const char *
tf_constant_utf8_at(const struct tf_class *c, unsigned index)
{
    return tf_constant_tag(c, index) == UTF8 ? c->pool[index].text : NULL;
}

/* The n-th index that an entry holds. */
static unsigned
part(const struct tf_class *c, unsigned index, unsigned n)
{
    const unsigned char *bytes = c->pool[index].bytes + 1 + 2 * n;

    return (unsigned)bytes[0] << 8 | bytes[1];
}

const char *
tf_constant_text(const struct tf_class *c, unsigned index)
{
    switch (tf_constant_tag(c, index)) {
    case UTF8:
        return c->pool[index].text;
    case CLASS: case STRING: case METHOD_TYPE: case MODULE: case PACKAGE:
    case NAME_AND_TYPE:
        return tf_constant_utf8_at(c, part(c, index, 0));
    default:
        return NULL;
    }
}

bool
tf_constant_member(const struct tf_class *c, unsigned index, const char **owner,
                   const char **name, const char **descriptor)
{
    unsigned tag = tf_constant_tag(c, index), pair;
    bool refers = tag == FIELDREF || tag == METHODREF || tag == INTERFACE_METHODREF;

    if (!refers && tag != DYNAMIC && tag != INVOKE_DYNAMIC)
        return false;
    pair = part(c, index, 1);
    if (tf_constant_tag(c, pair) != NAME_AND_TYPE)
        return false;
    if (owner != NULL)
        *owner = refers ? tf_constant_text(c, part(c, index, 0)) : NULL;
    if (name != NULL)
        *name = tf_constant_utf8_at(c, part(c, pair, 0));
    if (descriptor != NULL)
        *descriptor = tf_constant_utf8_at(c, part(c, pair, 1));
    return true;
}

/* -- finding and adding: an entry is its bytes -- */

static unsigned
hash(const unsigned char *bytes, size_t length)
{
    uint32_t h = 2166136261u;

    while (length-- > 0)
        h = (h ^ *bytes++) * 16777619u;
    return h;
}

/* Where an entry is in the table, or where it would be. */
static unsigned *
bucket_of(const struct tf_class *c, const unsigned char *bytes, size_t length)
{
    unsigned i = hash(bytes, length) & (c->bucket_count - 1);

    while (c->buckets[i] != 0) {
        const struct constant *entry = &c->pool[c->buckets[i]];

        if (entry->length == length && memcmp(entry->bytes, bytes, length) == 0)
            break;
        i = (i + 1) & (c->bucket_count - 1);
    }
    return &c->buckets[i];
}

static bool
make_table(struct tf_class *c)
{
    if (c->buckets != NULL && c->bucket_count > 2 * c->pool_count)
        return true;
    free(c->buckets);
    for (c->bucket_count = 64; c->bucket_count <= 4 * c->pool_count; )
        c->bucket_count *= 2;
    c->buckets = (unsigned *)calloc(c->bucket_count, sizeof *c->buckets);
    if (c->buckets == NULL) {
        tf_class_fail(c, "out of memory");
        return false;
    }
    for (unsigned i = 1; i < c->pool_count; i++)
        if (c->pool[i].bytes != NULL) {
            unsigned *bucket = bucket_of(c, c->pool[i].bytes, c->pool[i].length);

            if (*bucket == 0)
                *bucket = i;
        }
    return true;
}

static bool
grow_pool(struct tf_class *c)
{
    struct constant *pool;
    unsigned capacity = c->pool_capacity * 2;

    if (c->pool_count + 2 <= c->pool_capacity)
        return true;
    pool = (struct constant *)realloc(c->pool, capacity * sizeof *pool);
    if (pool == NULL) {
        tf_class_fail(c, "out of memory");
        return false;
    }
    memset(pool + c->pool_capacity, 0, (capacity - c->pool_capacity) * sizeof *pool);
    c->pool = pool;
    c->pool_capacity = capacity;
    return true;
}

static unsigned
find_or_add(struct tf_class *c, const unsigned char *bytes, size_t length)
{
    unsigned width = bytes[0] == LONG || bytes[0] == DOUBLE ? 2 : 1, index;
    unsigned *bucket;
    unsigned char *copy;

    if (c->failed || !make_table(c))
        return 0;
    bucket = bucket_of(c, bytes, length);
    if (*bucket != 0)
        return *bucket;
    if (c->pool_count + width > 65535) {
        tf_class_fail(c, "the constant pool is full");
        return 0;
    }
    copy = (unsigned char *)tf_class_allocate(c, length + 1);
    if (copy == NULL || !grow_pool(c))
        return 0;
    memcpy(copy, bytes, length);
    index = c->pool_count;
    c->pool[index].bytes = copy;
    c->pool[index].length = (uint32_t)length;
    if (bytes[0] == UTF8)
        c->pool[index].text = (const char *)copy + 3;
    *bucket = index;
    c->pool_count += width;
    return index;
}

unsigned
tf_constant_utf8(struct tf_class *c, const char *text)
{
    size_t length = strlen(text);
    struct tf_buffer entry;
    unsigned index = 0;

    if (length > 65535) {
        tf_class_fail(c, "a text of over 65535 bytes");
        return 0;
    }
    tf_buffer_init(&entry);
    tf_buffer_u1(&entry, UTF8);
    tf_buffer_u2(&entry, (unsigned)length);
    tf_buffer_add(&entry, text, length);
    if (entry.failed)
        tf_class_fail(c, "out of memory");
    else
        index = find_or_add(c, entry.bytes, entry.length);
    tf_buffer_release(&entry);
    return index;
}

static unsigned
add_one(struct tf_class *c, unsigned tag, unsigned index)
{
    unsigned char bytes[] = { (unsigned char)tag, (unsigned char)(index >> 8),
                              (unsigned char)index };

    return index == 0 ? 0 : find_or_add(c, bytes, sizeof bytes);
}

static unsigned
add_two(struct tf_class *c, unsigned tag, unsigned first, unsigned second)
{
    unsigned char bytes[] = { (unsigned char)tag, (unsigned char)(first >> 8),
                              (unsigned char)first, (unsigned char)(second >> 8),
                              (unsigned char)second };

    return first == 0 || second == 0 ? 0 : find_or_add(c, bytes, sizeof bytes);
}

unsigned
tf_constant_integer(struct tf_class *c, int32_t value)
{
    unsigned char bytes[5] = { INTEGER };

    for (int i = 0; i < 4; i++)
        bytes[1 + i] = (unsigned char)((uint32_t)value >> (24 - 8 * i));
    return find_or_add(c, bytes, sizeof bytes);
}

unsigned
tf_constant_long(struct tf_class *c, int64_t value)
{
    unsigned char bytes[9] = { LONG };

    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (unsigned char)((uint64_t)value >> (56 - 8 * i));
    return find_or_add(c, bytes, sizeof bytes);
}

unsigned
tf_constant_class(struct tf_class *c, const char *name)
{
    return add_one(c, CLASS, tf_constant_utf8(c, name));
}

unsigned
tf_constant_string(struct tf_class *c, const char *text)
{
    return add_one(c, STRING, tf_constant_utf8(c, text));
}

static unsigned
add_member(struct tf_class *c, unsigned tag, const char *owner, const char *name,
           const char *descriptor)
{
    unsigned pair = add_two(c, NAME_AND_TYPE, tf_constant_utf8(c, name),
                            tf_constant_utf8(c, descriptor));

    return add_two(c, tag, tf_constant_class(c, owner), pair);
}

unsigned
tf_constant_field(struct tf_class *c, const char *owner, const char *name,
                  const char *descriptor)
{
    return add_member(c, FIELDREF, owner, name, descriptor);
}

unsigned
tf_constant_method(struct tf_class *c, const char *owner, const char *name,
                   const char *descriptor, bool of_interface)
{
    return add_member(c, of_interface ? INTERFACE_METHODREF : METHODREF, owner, name,
                      descriptor);
}
