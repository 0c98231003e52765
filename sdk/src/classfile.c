/* SPDX-License-Identifier: MIT */
/* sdk/src/classfile.c -- class files but for their constants and code. */
#include "classfile_impl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xcafebabe

/* -- memory and errors -- */

void *
tf_class_allocate(struct tf_class *c, size_t size)
{
    struct chunk *chunk = c->chunks;
    void *memory;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > 16384 ? size : 16384;

        chunk = (struct chunk *)calloc(1, sizeof *chunk + room);
        if (chunk == NULL)
            return tf_class_fail(c, "out of memory");
        chunk->size = room;
        chunk->next = c->chunks;
        c->chunks = chunk;
    }
    memory = (unsigned char *)chunk->content + chunk->used;
    chunk->used += size;
    return memory;
}

void *
tf_class_fail(struct tf_class *c, const char *format, ...)
{
    va_list args;

    if (!c->failed) {
        va_start(args, format);
        vsnprintf(c->error, sizeof c->error, format, args);
        va_end(args);
        c->failed = true;
    }
    return NULL;
}

const char *
tf_class_error(const struct tf_class *c)
{
    return c->failed ? c->error : NULL;
}

void
tf_class_free(struct tf_class *c)
{
    if (c == NULL)
        return;
    for (struct chunk *chunk = c->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(c->pool);
    free(c->buckets);
    free(c);
}

const unsigned char *
tf_class_adopt(struct tf_class *c, struct tf_buffer *buffer, uint32_t *length)
{
    unsigned char *copy = NULL;

    if (buffer->failed || buffer->length > UINT32_MAX)
        tf_class_fail(c, "out of memory");
    else
        copy = (unsigned char *)tf_class_allocate(c, buffer->length + 1);
    if (copy != NULL) {
        if (buffer->length > 0)
            memcpy(copy, buffer->bytes, buffer->length);
        *length = (uint32_t)buffer->length;
    }
    tf_buffer_release(buffer);
    return copy;
}

/* -- reading -- */

const unsigned char *
tf_read_bytes(struct reader *r, size_t length)
{
    const unsigned char *bytes = r->at;

    if ((size_t)(r->end - r->at) < length) {
        r->at = r->end;
        return (const unsigned char *)tf_class_fail(r->c, "truncated %s", r->what);
    }
    r->at += length;
    return bytes;
}

static uint32_t
read_number(struct reader *r, size_t size)
{
    const unsigned char *bytes = tf_read_bytes(r, size);
    uint32_t value = 0;

    for (size_t i = 0; bytes != NULL && i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

uint32_t
tf_read_u1(struct reader *r)
{
    return read_number(r, 1);
}

uint32_t
tf_read_u2(struct reader *r)
{
    return read_number(r, 2);
}

uint32_t
tf_read_u4(struct reader *r)
{
    return read_number(r, 4);
}

/* How many bytes follow a tag; 0 for tags that there are not. */
static size_t
constant_size(unsigned tag)
{
    static const unsigned char sizes[] = {
        [3] = 4, [4] = 4, [5] = 8, [6] = 8, [7] = 2, [8] = 2, [9] = 4, [10] = 4,
        [11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2
    };

    return tag < sizeof sizes ? sizes[tag] : 0;
}

static void
read_constant(struct reader *r, struct constant *constant)
{
    const unsigned char *start = r->at;
    unsigned tag = tf_read_u1(r);
    char *text;

    if (tag == 1) {
        size_t length = tf_read_u2(r);
        const unsigned char *bytes = tf_read_bytes(r, length);

        text = (char *)tf_class_allocate(r->c, length + 1);
        if (bytes == NULL || text == NULL)
            return;
        memcpy(text, bytes, length);
        constant->text = text;
    } else if (constant_size(tag) == 0)
        tf_class_fail(r->c, "unknown constant tag %u", tag);
    else
        tf_read_bytes(r, constant_size(tag));
    constant->bytes = start;
    constant->length = (uint32_t)(r->at - start);
}

static void
read_pool(struct reader *r)
{
    struct tf_class *c = r->c;

    r->what = "constant pool";
    c->pool_count = tf_read_u2(r);
    c->pool_capacity = c->pool_count + 64;
    c->pool = (struct constant *)calloc(c->pool_capacity, sizeof *c->pool);
    if (c->pool == NULL)
        tf_class_fail(c, "out of memory");
    for (unsigned i = 1; !c->failed && i < c->pool_count; i++) {
        read_constant(r, &c->pool[i]);
        /* JVMS 4.4.5: the next index is not usable, but has to be there. */
        if (!c->failed && (c->pool[i].bytes[0] == 5 || c->pool[i].bytes[0] == 6)
            && ++i == c->pool_count)
            tf_class_fail(c, "a long at the end of the constant pool");
    }
}

struct tf_attribute *
tf_read_attributes(struct reader *r)
{
    struct tf_attribute *list = NULL, **end = &list;

    for (unsigned count = tf_read_u2(r); count > 0 && !r->c->failed; count--) {
        struct tf_attribute *attribute =
            (struct tf_attribute *)tf_class_allocate(r->c, sizeof *attribute);

        if (attribute == NULL)
            break;
        attribute->name_index = tf_read_u2(r);
        attribute->name = tf_constant_utf8_at(r->c, attribute->name_index);
        attribute->length = tf_read_u4(r);
        attribute->bytes = tf_read_bytes(r, attribute->length);
        if (attribute->name == NULL)
            tf_class_fail(r->c, "an attribute without a name in %s", r->what);
        *end = attribute;
        end = &attribute->next;
    }
    return r->c->failed ? NULL : list;
}

static struct tf_member *
read_members(struct reader *r, const char *what)
{
    struct tf_member *list = NULL, **end = &list;

    r->what = what;
    for (unsigned count = tf_read_u2(r); count > 0 && !r->c->failed; count--) {
        struct tf_member *member =
            (struct tf_member *)tf_class_allocate(r->c, sizeof *member);

        if (member == NULL)
            break;
        member->access = tf_read_u2(r);
        member->name_index = tf_read_u2(r);
        member->descriptor_index = tf_read_u2(r);
        member->name = tf_constant_utf8_at(r->c, member->name_index);
        member->descriptor = tf_constant_utf8_at(r->c, member->descriptor_index);
        member->attributes = tf_read_attributes(r);
        if (member->name == NULL || member->descriptor == NULL)
            tf_class_fail(r->c, "bad name or descriptor in %s", what);
        *end = member;
        end = &member->next;
    }
    return list;
}

static void
parse(struct tf_class *c, const unsigned char *bytes, size_t length)
{
    struct reader r = { c, bytes, bytes + length, "header" };

    if (tf_read_u4(&r) != MAGIC)
        tf_class_fail(c, "no class file");
    c->minor = tf_read_u2(&r);
    c->major = tf_read_u2(&r);
    read_pool(&r);
    if (c->failed)
        return;
    r.what = "class";
    c->access = tf_read_u2(&r);
    c->this_index = tf_read_u2(&r);
    c->super_index = tf_read_u2(&r);
    c->interface_count = tf_read_u2(&r);
    c->interfaces = (unsigned *)tf_class_allocate(c, (c->interface_count + 1)
                                                     * sizeof *c->interfaces);
    for (unsigned i = 0; !c->failed && i < c->interface_count; i++)
        c->interfaces[i] = tf_read_u2(&r);
    c->fields = read_members(&r, "fields");
    c->methods = read_members(&r, "methods");
    r.what = "attributes";
    c->attributes = tf_read_attributes(&r);
    if (tf_class_name(c) == NULL)
        tf_class_fail(c, "this_class is no class");
    if (r.at != r.end)
        tf_class_fail(c, "%zu bytes behind the class", (size_t)(r.end - r.at));
}

struct tf_class *
tf_class_parse(const void *bytes, size_t length)
{
    struct tf_class *c = (struct tf_class *)calloc(1, sizeof *c);
    unsigned char *copy = c == NULL ? NULL
        : (unsigned char *)tf_class_allocate(c, length + 1);

    if (copy == NULL) {
        tf_class_free(c);
        return NULL;
    }
    memcpy(copy, bytes, length);
    parse(c, copy, length);
    return c;
}

/* -- writing -- */

void
tf_write_attributes(struct tf_buffer *out, const struct tf_attribute *list)
{
    unsigned count = 0;

    for (const struct tf_attribute *a = list; a != NULL; a = a->next)
        count++;
    tf_buffer_u2(out, count);
    for (; list != NULL; list = list->next) {
        tf_buffer_u2(out, list->name_index);
        tf_buffer_u4(out, list->length);
        tf_buffer_add(out, list->bytes, list->length);
    }
}

static void
write_members(struct tf_class *c, struct tf_buffer *out, const struct tf_member *list)
{
    unsigned count = 0;

    for (const struct tf_member *member = list; member != NULL; member = member->next)
        count++;
    if (count > 65535)
        tf_class_fail(c, "over 65535 members");
    tf_buffer_u2(out, count);
    for (; list != NULL; list = list->next) {
        tf_buffer_u2(out, list->access);
        tf_buffer_u2(out, list->name_index);
        tf_buffer_u2(out, list->descriptor_index);
        tf_write_attributes(out, list->attributes);
    }
}

bool
tf_class_write(struct tf_class *c, struct tf_buffer *out)
{
    size_t start = out->length;

    /* Code first, for its tables may need constants. */
    for (struct tf_member *method = c->methods; method != NULL; method = method->next)
        if (method->code != NULL && !c->failed)
            tf_code_encode(method->code);
    if (c->failed)
        return false;
    tf_buffer_u4(out, MAGIC);
    tf_buffer_u2(out, c->minor);
    tf_buffer_u2(out, c->major);
    tf_buffer_u2(out, c->pool_count);
    for (unsigned i = 1; i < c->pool_count; i++)
        tf_buffer_add(out, c->pool[i].bytes, c->pool[i].length);
    tf_buffer_u2(out, c->access);
    tf_buffer_u2(out, c->this_index);
    tf_buffer_u2(out, c->super_index);
    tf_buffer_u2(out, c->interface_count);
    for (unsigned i = 0; i < c->interface_count; i++)
        tf_buffer_u2(out, c->interfaces[i]);
    write_members(c, out, c->fields);
    write_members(c, out, c->methods);
    tf_write_attributes(out, c->attributes);
    if (out->failed)
        tf_class_fail(c, "out of memory");
    if (c->failed)
        out->length = start;
    return !c->failed;
}

/* -- looking around -- */

unsigned
tf_class_version(const struct tf_class *c)
{
    return c->major;
}

unsigned
tf_class_access(const struct tf_class *c)
{
    return c->access;
}

static const char *
class_text(const struct tf_class *c, unsigned index)
{
    return tf_constant_tag(c, index) == 7 ? tf_constant_text(c, index) : NULL;
}

const char *
tf_class_name(const struct tf_class *c)
{
    return class_text(c, c->this_index);
}

const char *
tf_class_super(const struct tf_class *c)
{
    return class_text(c, c->super_index);
}

const char *
tf_class_interface(const struct tf_class *c, unsigned i)
{
    return i < c->interface_count ? class_text(c, c->interfaces[i]) : NULL;
}

const char *
tf_class_source(const struct tf_class *c)
{
    const struct tf_attribute *source = tf_attribute_find(c->attributes, "SourceFile");

    return source == NULL || source->length != 2 ? NULL
        : tf_constant_utf8_at(c, (unsigned)source->bytes[0] << 8 | source->bytes[1]);
}

struct tf_member *
tf_class_fields(struct tf_class *c)
{
    return c->fields;
}

struct tf_member *
tf_class_methods(struct tf_class *c)
{
    return c->methods;
}

struct tf_attribute *
tf_class_attributes(struct tf_class *c)
{
    return c->attributes;
}

static struct tf_member *
find_member(struct tf_member *list, const char *name, const char *descriptor)
{
    while (list != NULL && ((name != NULL && strcmp(list->name, name) != 0)
           || (descriptor != NULL && strcmp(list->descriptor, descriptor) != 0)))
        list = list->next;
    return list;
}

struct tf_member *
tf_class_find_method(struct tf_class *c, const char *name, const char *descriptor)
{
    return c->failed ? NULL : find_member(c->methods, name, descriptor);
}

struct tf_member *
tf_class_find_field(struct tf_class *c, const char *name, const char *descriptor)
{
    return c->failed ? NULL : find_member(c->fields, name, descriptor);
}

struct tf_attribute *
tf_attribute_find(struct tf_attribute *list, const char *name)
{
    while (list != NULL && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

static struct tf_member *
add_member(struct tf_class *c, struct tf_member **end, unsigned access,
           const char *name, const char *descriptor)
{
    struct tf_member *member =
        (struct tf_member *)tf_class_allocate(c, sizeof *member);

    if (member == NULL)
        return NULL;
    member->access = access;
    member->name_index = tf_constant_utf8(c, name);
    member->descriptor_index = tf_constant_utf8(c, descriptor);
    member->name = tf_constant_utf8_at(c, member->name_index);
    member->descriptor = tf_constant_utf8_at(c, member->descriptor_index);
    if (c->failed)
        return NULL;
    while (*end != NULL)
        end = &(*end)->next;
    *end = member;
    return member;
}

struct tf_member *
tf_class_add_field(struct tf_class *c, unsigned access, const char *name,
                   const char *descriptor)
{
    return add_member(c, &c->fields, access, name, descriptor);
}

struct tf_member *
tf_class_add_method(struct tf_class *c, unsigned access, const char *name,
                    const char *descriptor)
{
    struct tf_member *method = add_member(c, &c->methods, access, name, descriptor);
    struct tf_attribute *attribute;
    struct tf_code *code;

    if (method == NULL || access & (TF_ACC_ABSTRACT | TF_ACC_NATIVE))
        return method;
    attribute = (struct tf_attribute *)tf_class_allocate(c, sizeof *attribute);
    code = (struct tf_code *)tf_class_allocate(c, sizeof *code);
    if (attribute == NULL || code == NULL)
        return NULL;
    attribute->name = "Code";
    attribute->name_index = tf_constant_utf8(c, "Code");
    method->attributes = attribute;
    method->code = code;
    code->owner = c;
    code->method = method;
    code->max_locals = tf_argument_slots(descriptor) + !(access & TF_ACC_STATIC);
    code->first = code->last = NULL;
    tf_emit_label(code, NULL);
    return c->failed ? NULL : method;
}
