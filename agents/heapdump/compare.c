/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/compare.c -- how many objects of each class an earlier dump has.
 *
 * An HPROF file is read once, record by record: names of strings, classes that they
 * belong to, and of each object its class and length.  A size in bytes is an estimate,
 * a header of 16 bytes and the values, rounded up to 8: the file does not have the VM's
 * own.
 */
#include "agents/heapdump/heapdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEADER = 16 };

struct text {
    uint64_t id;
    char *chars;
};

struct reader {
    gzFile in;              /* reads what is not compressed as it is */
    const char *path;
    unsigned id_size;
    bool failed;
    uint64_t left;          /* of the record */
    struct text *texts;
    uint32_t text_count, text_capacity;
    struct old_dump *dump;
    uint32_t capacity;
    uint32_t *slots, slot_count;        /* classes by id: index + 1 */
    uint64_t class_objects;             /* which have records of their own */
};

static bool
fail(struct reader *r, const char *why)
{
    if (!r->failed)
        tf_error("compare: \"%s\": %s", r->path, why);
    r->failed = true;
    return false;
}

static bool
read_bytes(struct reader *r, void *to, uint64_t count)
{
    if (r->failed || count > r->left)
        return fail(r, "a record is too short");
    r->left -= count;
    if (gzread(r->in, to, (unsigned)count) != (int)count)
        return fail(r, "it ends early");
    return true;
}

static bool
skip(struct reader *r, uint64_t count)
{
    if (r->failed || count > r->left)
        return fail(r, "a record is too short");
    r->left -= count;
    return gzseek(r->in, (z_off_t)count, SEEK_CUR) >= 0 || fail(r, "it ends early");
}

static uint64_t
number(struct reader *r, unsigned size)
{
    unsigned char bytes[8] = { 0 };
    uint64_t value = 0;

    if (!read_bytes(r, bytes, size))
        return 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

static uint64_t
id(struct reader *r)
{
    return number(r, r->id_size);
}

/* -- classes -- */

static struct old_class *
class_of(struct reader *r, uint64_t class_id)
{
    uint32_t mask = r->slot_count - 1;

    if (r->slot_count == 0)
        return NULL;
    for (uint32_t i = (uint32_t)(class_id * 0x9e3779b97f4a7c15u >> 32) & mask;
         r->slots[i] != 0; i = (i + 1) & mask)
        if (r->dump->classes[r->slots[i] - 1].id == class_id)
            return &r->dump->classes[r->slots[i] - 1];
    return NULL;
}

static bool
grow(struct reader *r)
{
    uint32_t wanted = r->capacity == 0 ? 1024 : r->capacity * 2;
    struct old_class *classes = realloc(r->dump->classes, wanted * sizeof *classes);

    if (classes == NULL)
        return fail(r, "out of memory");
    r->dump->classes = classes;
    r->capacity = wanted;
    free(r->slots);
    r->slot_count = 2 * wanted;
    r->slots = calloc(r->slot_count, sizeof *r->slots);
    if (r->slots == NULL)
        return fail(r, "out of memory");
    for (uint32_t c = 0; c < r->dump->count; c++) {
        uint32_t i = (uint32_t)(classes[c].id * 0x9e3779b97f4a7c15u >> 32)
            & (r->slot_count - 1);

        while (r->slots[i] != 0)
            i = (i + 1) & (r->slot_count - 1);
        r->slots[i] = c + 1;
    }
    return true;
}

/* A class; name becomes the dump's. */
static void
add_class(struct reader *r, uint64_t class_id, char *name)
{
    uint32_t i;

    if (name == NULL || (r->dump->count == r->capacity && !grow(r))) {
        free(name);
        return;
    }
    r->dump->classes[r->dump->count++] = (struct old_class){ name, class_id, 0, 0 };
    i = (uint32_t)(class_id * 0x9e3779b97f4a7c15u >> 32) & (r->slot_count - 1);
    while (r->slots[i] != 0)
        i = (i + 1) & (r->slot_count - 1);
    r->slots[i] = r->dump->count;
}

static void
add_object(struct reader *r, uint64_t class_id, uint64_t bytes)
{
    struct old_class *class = class_of(r, class_id);

    if (class != NULL) {
        class->objects++;
        class->bytes += (HEADER + bytes + UNIT - 1) / UNIT * UNIT;
    }
}

static void
read_text(struct reader *r)
{
    struct text text = { .id = id(r) };
    uint64_t length = r->left;

    if (r->failed || length > 65535 * 3)
        return;
    if (r->text_count == r->text_capacity) {
        uint32_t wanted = r->text_capacity == 0 ? 4096 : r->text_capacity * 2;
        struct text *texts = realloc(r->texts, wanted * sizeof *texts);

        if (texts == NULL) {
            fail(r, "out of memory");
            return;
        }
        r->texts = texts;
        r->text_capacity = wanted;
    }
    text.chars = calloc(1, length + 1);
    if (text.chars != NULL && read_bytes(r, text.chars, length))
        r->texts[r->text_count++] = text;
    else
        free(text.chars);
}

/* From the last one: the name of a class is written shortly before it. */
static void
read_class_name(struct reader *r)
{
    uint64_t class_id, name;

    skip(r, 4);
    class_id = id(r);
    skip(r, 4);
    name = id(r);
    for (uint32_t i = r->text_count; i-- > 0 && !r->failed; )
        if (r->texts[i].id == name) {
            add_class(r, class_id, strdup(r->texts[i].chars));
            return;
        }
}

/* -- objects -- */

/* The size of a value of a type as HPROF numbers them; 0 for none. */
static unsigned
type_size(const struct reader *r, uint64_t type)
{
    static const unsigned char sizes[] = { [4] = 1, [5] = 2, [6] = 4, [7] = 8,
                                           [8] = 1, [9] = 2, [10] = 4, [11] = 8 };

    return type == 2 ? r->id_size : type < sizeof sizes ? sizes[type] : 0;
}

static void
read_class_dump(struct reader *r)
{
    uint64_t count;

    r->class_objects++;
    skip(r, 7 * r->id_size + 8);
    for (count = number(r, 2); count > 0 && !r->failed; count--) {
        skip(r, 2);
        skip(r, type_size(r, number(r, 1)));
    }
    for (count = number(r, 2); count > 0 && !r->failed; count--) {
        skip(r, r->id_size);
        skip(r, type_size(r, number(r, 1)));
    }
    count = number(r, 2);
    skip(r, count * (r->id_size + 1));
}

static void
read_primitive_array(struct reader *r)
{
    static const char *const names[] = { [4] = "[Z", [5] = "[C", [6] = "[F", [7] = "[D",
                                         [8] = "[B", [9] = "[S", [10] = "[I",
                                         [11] = "[J" };
    uint64_t length, type, bytes;

    skip(r, r->id_size + 4);
    length = number(r, 4);
    type = number(r, 1);
    bytes = length * type_size(r, type);
    if (r->failed || type < 4 || type > 11) {
        fail(r, "an array of an unknown type");
        return;
    }
    skip(r, bytes);
    for (uint32_t i = 0; i < r->dump->count; i++)
        if (strcmp(r->dump->classes[i].name, names[type]) == 0) {
            add_object(r, r->dump->classes[i].id, bytes);
            return;
        }
}

static void
read_object_array(struct reader *r)
{
    uint64_t length, class_id;

    skip(r, r->id_size + 4);
    length = number(r, 4);
    class_id = id(r);
    skip(r, length * r->id_size);
    add_object(r, class_id, length * 4);
}

static void
read_instance(struct reader *r)
{
    uint64_t class_id, bytes;

    skip(r, r->id_size + 4);
    class_id = id(r);
    bytes = number(r, 4);
    skip(r, bytes);
    add_object(r, class_id, bytes);
}

static void
read_objects(struct reader *r)
{
    while (r->left > 0 && !r->failed)
        switch (number(r, 1)) {
        case 0x01: skip(r, 2 * r->id_size); break;              /* JNI global */
        case 0x02: case 0x03: skip(r, r->id_size + 8); break;   /* JNI local, frame */
        case 0x04: case 0x06: skip(r, r->id_size + 4); break;   /* native stack, block */
        case 0x05: case 0x07: case 0xff: skip(r, r->id_size); break;
        case 0x08: skip(r, r->id_size + 8); break;              /* thread object */
        case 0x20: read_class_dump(r); break;
        case 0x21: read_instance(r); break;
        case 0x22: read_object_array(r); break;
        case 0x23: read_primitive_array(r); break;
        default: fail(r, "a part of an unknown kind"); break;
        }
}

/* -- the file -- */

static bool
read_head(struct reader *r)
{
    char magic[19];

    r->left = sizeof magic + 12;
    if (!read_bytes(r, magic, sizeof magic)
        || memcmp(magic, "JAVA PROFILE 1.0.", 17) != 0)
        return fail(r, "it is no HPROF file");
    r->id_size = (unsigned)number(r, 4);
    skip(r, 8);
    return !r->failed && (r->id_size == 4 || r->id_size == 8
                          || fail(r, "its ids have an unknown size"));
}

static void
read_records(struct reader *r)
{
    int tag;

    while (!r->failed && (tag = gzgetc(r->in)) >= 0) {
        uint64_t length;

        r->left = 8;
        skip(r, 4);
        length = number(r, 4);
        r->left = length;
        if (tag == 0x01)
            read_text(r);
        else if (tag == 0x02)
            read_class_name(r);
        else if (tag == 0x0c || tag == 0x1c)
            read_objects(r);
        if (!r->failed && r->left > 0)
            skip(r, r->left);
    }
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct old_class *)a)->name,
                  ((const struct old_class *)b)->name);
}

static bool
open_dump(struct reader *r)
{
    r->in = gzopen(r->path, "rbe");
    if (r->in == NULL)
        tf_error("compare: cannot read \"%s\": %s", r->path, strerror(errno));
    return r->in != NULL;
}

bool
old_dump_try(const char *path)
{
    struct reader r = { .path = path };
    bool good = open_dump(&r) && read_head(&r);

    if (r.in != NULL)
        gzclose(r.in);
    return good;
}

bool
old_dump_read(struct old_dump *dump, const char *path)
{
    struct reader r = { .path = path, .dump = dump };
    struct old_class *class;

    memset(dump, 0, sizeof *dump);
    if (!open_dump(&r))
        return false;
    if (read_head(&r))
        read_records(&r);
    gzclose(r.in);
    for (uint32_t i = 0; i < r.text_count; i++)
        free(r.texts[i].chars);
    free(r.texts);
    free(r.slots);
    if (r.failed)
        old_dump_release(dump);
    else
        qsort(dump->classes, dump->count, sizeof *dump->classes, by_name);
    class = (struct old_class *)old_dump_find(dump, "java/lang/Class");
    if (class != NULL)
        class->objects += r.class_objects;
    return !r.failed;
}

const struct old_class *
old_dump_find(const struct old_dump *dump, const char *name)
{
    struct old_class wanted = { .name = (char *)name };

    return dump->count == 0 ? NULL
        : bsearch(&wanted, dump->classes, dump->count, sizeof wanted, by_name);
}

void
old_dump_release(struct old_dump *dump)
{
    for (uint32_t i = 0; i < dump->count; i++)
        free(dump->classes[i].name);
    free(dump->classes);
    memset(dump, 0, sizeof *dump);
}
