/* SPDX-License-Identifier: MIT */
/* minivm/vm/annotation.c -- annotations as Java parses them.
 *
 * Java gets the bytes of the class file and asks for the constants that they name when
 * somebody looks at the annotations.  The class may have a new version by then, with
 * other constants; a pool therefore tells Java other numbers than the ones before it,
 * where theirs were told (JVM TI "Redefine Classes"). */

#include "vm/reflect.h"

#include <string.h>

#include "vm/vm.h"

/* ---- numbers for new versions ---- */

enum { TOLD_INDICES = 1 << 16 };

/* What was told of old holds for pool too if its constants begin with the same bytes. */
static bool
begins_alike(const struct cpool *pool, const struct cpool *old)
{
    const struct classfile *a = pool->file, *b = old->file;

    return a->cp_range.length >= b->cp_range.length
           && memcmp(a->bytes + a->cp_range.offset, b->bytes + b->cp_range.offset,
                     b->cp_range.length) == 0;
}

void
annotation_number_pool(struct cpool *pool, const struct cpool *old)
{
    uint32_t after = old->told_from + old->file->cp_count;

    pool->told_from = old->told_from;
    pool->is_told = old->is_told && begins_alike(pool, old);
    if (old->is_told && !pool->is_told)
        pool->told_from = after;
    if (pool->told_from + pool->file->cp_count > TOLD_INDICES)
        pool->told_from = 0;
}

struct cpool *
annotation_pool(const struct class *c, int32_t *index)
{
    for (struct cpool *pool = c->pool; pool; pool = pool->previous) {
        int64_t at = (int64_t)*index - pool->told_from;

        if (at >= 0 && at < pool->file->cp_count) {
            *index = (int32_t)at;
            return pool;
        }
    }
    return c->pool;
}

/* ---- renumbering (JVMS 4.7.16 to 4.7.22) ---- */

/* Bytes that are left; once there are too few, none are. */
struct renumbered {
    uint8_t *at, *end;
    uint32_t by;
};

static unsigned
skip(struct renumbered *r, unsigned size)
{
    unsigned value = 0;

    if (r->end - r->at < (ptrdiff_t)size) {
        r->at = r->end;
        return 0;
    }
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | *r->at++;
    return value;
}

static void
constant(struct renumbered *r)
{
    bool is_there = r->end - r->at >= 2;
    unsigned index = skip(r, 2) + r->by;

    if (!is_there)
        return;
    r->at[-2] = (uint8_t)(index >> 8);
    r->at[-1] = (uint8_t)index;
}

enum { DEEPEST_VALUE = 256 };

static void annotation(struct renumbered *r, int depth);

static void
element_value(struct renumbered *r, int depth)
{
    unsigned tag = skip(r, 1);

    if (depth == DEEPEST_VALUE)
        r->at = r->end;
    if (tag == '@') {
        annotation(r, depth + 1);
    } else if (tag == '[') {
        for (unsigned n = skip(r, 2); n > 0 && r->at < r->end; n--)
            element_value(r, depth + 1);
    } else {
        constant(r);
        if (tag == 'e')
            constant(r);
    }
}

static void
annotation(struct renumbered *r, int depth)
{
    constant(r);
    for (unsigned n = skip(r, 2); n > 0 && r->at < r->end; n--) {
        constant(r);
        element_value(r, depth);
    }
}

static void
annotations(struct renumbered *r)
{
    for (unsigned n = skip(r, 2); n > 0 && r->at < r->end; n--)
        annotation(r, 0);
}

/* Bytes of target_info (JVMS 4.7.20.1). */
static unsigned
target_size(struct renumbered *r, unsigned type)
{
    if (type <= 0x01 || type == 0x16)
        return 1;
    if (type == 0x40 || type == 0x41)
        return skip(r, 2) * 6;
    if (type >= 0x13 && type <= 0x15)
        return 0;
    return type >= 0x47 ? 3 : 2;
}

static void
type_annotations(struct renumbered *r)
{
    for (unsigned n = skip(r, 2); n > 0 && r->at < r->end; n--) {
        skip(r, target_size(r, skip(r, 1)));
        skip(r, skip(r, 1) * 2);
        annotation(r, 0);
    }
}

static void
renumber(struct renumbered r, enum annotation_kind kind)
{
    switch (kind) {
    case ANNOTATIONS:
        annotations(&r);
        break;
    case PARAMETER_ANNOTATIONS:
        for (unsigned n = skip(&r, 1); n > 0 && r.at < r.end; n--)
            annotations(&r);
        break;
    case TYPE_ANNOTATIONS:
        type_annotations(&r);
        break;
    case ANNOTATION_DEFAULT:
        element_value(&r, 0);
        break;
    }
}

struct object *
annotation_bytes(struct thread *self, struct cpool *pool, struct cf_range range,
                 enum annotation_kind kind)
{
    struct object *bytes;

    /* Format checking leaves the attribute's length alone (JVMS 4.8); an empty one counts
       as none. */
    if (range.length == 0)
        return NULL;
    bytes = array_new_primitive(self, 'B', (int32_t)range.length);
    if (bytes == NULL)
        return NULL;
    pool->is_told = true;
    memcpy(ARRAY_BYTES(bytes), pool->file->bytes + range.offset, range.length);
    if (pool->told_from)
        renumber((struct renumbered){ (uint8_t *)ARRAY_BYTES(bytes),
                                      (uint8_t *)ARRAY_BYTES(bytes) + range.length,
                                      pool->told_from },
                 kind);
    return bytes;
}
