/* SPDX-License-Identifier: MIT */
#include "tck/lib/classfile.h"

#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

static unsigned
u2(const unsigned char *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static uint32_t
u4(const unsigned char *p)
{
    return (uint32_t)u2(p) << 16 | u2(p + 2);
}

/* Size of a pool entry behind its tag (JVMS 4.4); 0 for an unknown tag. */
static size_t
entry_size(const unsigned char *entry)
{
    switch (entry[0]) {
    case 1:
        return 2 + u2(entry + 1);
    case 7: case 8: case 16: case 19: case 20:
        return 2;
    case 15:
        return 3;
    case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18:
        return 4;
    case 5: case 6:
        return 8;
    }
    return 0;
}

static size_t
skip_attributes(const unsigned char *bytes, size_t at, size_t size)
{
    unsigned count = u2(bytes + at);

    at += 2;
    while (count-- > 0 && at + 6 <= size)
        at += 6 + u4(bytes + at + 2);
    return at;
}

static size_t
skip_members(const unsigned char *bytes, size_t at, size_t size)
{
    unsigned count = u2(bytes + at);

    at += 2;
    while (count-- > 0 && at + 8 <= size)
        at = skip_attributes(bytes, at + 6, size);
    return at;
}

bool
classfile_parse(struct classfile *file, const unsigned char *bytes, size_t size)
{
    size_t at = 10;

    memset(file->pool, 0, sizeof file->pool);
    if (bytes == NULL || size < 24 || u4(bytes) != 0xcafebabe)
        return false;
    file->bytes = bytes;
    file->size = size;
    file->pool_count = u2(bytes + 8);
    for (unsigned i = 1; i < file->pool_count; i++) {
        size_t length = at + 3 <= size ? entry_size(bytes + at) : 0;

        if (length == 0)
            return false;
        file->pool[i] = at;
        if (bytes[at] == 5 || bytes[at] == 6)
            i++;
        at += 1 + length;
    }
    if (at + 8 > size)
        return false;
    file->after_pool = at;
    at += 6;
    at += 2 + 2 * u2(bytes + at);
    at = skip_members(bytes, at, size);
    at = skip_members(bytes, at, size);
    file->attributes = at;
    return at + 2 <= size;
}

bool
classfile_utf8_is(const struct classfile *file, unsigned index, const char *text)
{
    const unsigned char *entry = file->bytes + file->pool[index];

    return index < file->pool_count && file->pool[index] != 0 && entry[0] == 1
        && u2(entry + 1) == strlen(text)
        && memcmp(entry + 3, text, strlen(text)) == 0;
}

static unsigned char *
put(unsigned char *to, const void *from, size_t length)
{
    memcpy(to, from, length);
    return to + length;
}

static unsigned char *
put2(unsigned char *to, unsigned value)
{
    *to++ = (unsigned char)(value >> 8);
    *to++ = (unsigned char)value;
    return to;
}

unsigned char *
classfile_add_attribute(const struct classfile *file, const char *name,
                        const void *content, size_t length, jint *size)
{
    size_t named = strlen(name), middle = file->attributes - file->after_pool;
    size_t rest = file->size - file->attributes - 2;
    unsigned char *copy = malloc(file->size + 3 + named + 6 + length);
    unsigned char *to = copy;

    if (copy == NULL)
        return NULL;
    to = put(to, file->bytes, 8);
    to = put2(to, file->pool_count + 1);
    to = put(to, file->bytes + 10, file->after_pool - 10);
    *to++ = 1;
    to = put2(to, (unsigned)named);
    to = put(to, name, named);
    to = put(to, file->bytes + file->after_pool, middle);
    to = put2(to, u2(file->bytes + file->attributes) + 1);
    to = put(to, file->bytes + file->attributes + 2, rest);
    to = put2(to, file->pool_count);
    to = put2(to, (unsigned)(length >> 16));
    to = put2(to, (unsigned)length);
    to = put(to, content, length);
    *size = (jint)(to - copy);
    return copy;
}

static const unsigned char *
find_code(const struct classfile *file, size_t at, uint32_t *length,
          unsigned *max_locals)
{
    unsigned count = u2(file->bytes + at);

    at += 2;
    while (count-- > 0) {
        const unsigned char *p = file->bytes + at;

        if (classfile_utf8_is(file, u2(p), "Code")) {
            *max_locals = u2(p + 8);
            *length = u4(p + 10);
            return p + 14;
        }
        at += 6 + u4(p + 2);
    }
    return NULL;
}

const unsigned char *
classfile_code(const struct classfile *file, const char *name, const char *descriptor,
               uint32_t *length, unsigned *max_locals)
{
    size_t at = file->after_pool + 6;
    unsigned count;

    at += 2 + 2 * u2(file->bytes + at);
    at = skip_members(file->bytes, at, file->size);
    count = u2(file->bytes + at);
    at += 2;
    while (count-- > 0) {
        const unsigned char *p = file->bytes + at;

        if (classfile_utf8_is(file, u2(p + 2), name)
            && classfile_utf8_is(file, u2(p + 4), descriptor))
            return find_code(file, at + 6, length, max_locals);
        at = skip_attributes(file->bytes, at + 6, file->size);
    }
    return NULL;
}

jclass
classfile_smap_class(struct tck *t)
{
    static jclass global;
    struct classfile *file;
    unsigned char *bytes, *changed = NULL;
    jclass klass = NULL;
    jint size = 0;

    if (global != NULL)
        return global;
    file = malloc(sizeof *file);
    bytes = stage_bytes(t, "variants/smap/tck/Smap", &size);
    if (file != NULL && classfile_parse(file, bytes, size))
        changed = classfile_add_attribute(file, "SourceDebugExtension", CLASSFILE_SMAP,
                                          strlen(CLASSFILE_SMAP), &size);
    if (changed != NULL) {
        jobject loader = stage_call(t, "java/lang/ClassLoader", "getSystemClassLoader",
                                    "()Ljava/lang/ClassLoader;");

        klass = (*t->jni)->DefineClass(t->jni, "tck/Smap", loader, (jbyte *)changed,
                                       size);
    }
    if (klass == NULL) {
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "cannot define tck.Smap");
    } else {
        global = (*t->jni)->NewGlobalRef(t->jni, klass);
    }
    free(changed);
    free(bytes);
    free(file);
    return global;
}
