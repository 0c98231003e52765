/* SPDX-License-Identifier: MIT */
/* minivm/runtime/annotation.c -- annotations as Java parses them.
 *
 * Java gets the bytes of the class file and asks for the constants that they name when
 * somebody looks at the annotations.  The class may have a new version by then, with
 * other constants; a pool therefore tells Java other numbers than the ones before it,
 * where theirs were told (JVM TI "Redefine Classes"). */

#include "runtime/reflect.h"

#include <string.h>

#include "runtime/vm.h"

/* ---- numbers for new versions ---- */

/* Annotations name constants by 16 bits, so larger numbers cannot be told. */
enum { TOLD_INDICES = 1 << 16 };

/* Returns whether the constants of pool begin with the same bytes as those of old: then
   the numbers that Java was told for old are good for pool, too. */
static bool
begins_alike(const struct cpool *pool, const struct cpool *old)
{
    const struct classfile *a = pool->file, *b = old->file;

    return a->cp_range.length >= b->cp_range.length
           && memcmp(a->bytes + a->cp_range.offset, b->bytes + b->cp_range.offset,
                     b->cp_range.length)
                  == 0;
}

/*
 * The numbers of the new pool begin behind those of the old one if Java was told some
 * of old's and they mean something else in pool; otherwise pool takes over the same
 * numbers.  If the numbers would not fit into 16 bits they begin at 0 again: then
 * annotations that Java got from old versions may be read with the wrong constants,
 * which nothing can help.
 */
void
annotation_number_pool(struct cpool *pool, const struct cpool *old)
{
    uint32_t after = old->java_index_base + old->file->cp_count;

    pool->java_index_base = old->java_index_base;
    pool->has_java_indices = old->has_java_indices && begins_alike(pool, old);
    if (old->has_java_indices && !pool->has_java_indices)
        pool->java_index_base = after;
    if (pool->java_index_base + pool->file->cp_count > TOLD_INDICES)
        pool->java_index_base = 0;
}

/* Looks for the newest version whose numbers include *index.  A number that belongs to
   none is left as it is, for the current pool: the caller checks it. */
struct cpool *
annotation_pool(const struct class *c, int32_t *index)
{
    for (struct cpool *pool = c->pool; pool; pool = pool->previous) {
        int64_t at = (int64_t)*index - pool->java_index_base;

        if (at >= 0 && at < pool->file->cp_count) {
            *index = (int32_t)at;
            return pool;
        }
    }
    return c->pool;
}

/* ---- renumbering (JVMS 4.7.16 to 4.7.22) ---- */

/* The bytes that are left to renumber, and what is added to each index.  When there are
   too few bytes for what is read, none are left. */
struct renumbered {
    uint8_t *at, *end;
    uint32_t by;
};

/* Reads an unsigned number of that many bytes, or passes over as many.  Returns 0 if
   there are too few. */
static unsigned
read_number(struct renumbered *r, unsigned size)
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

/* Passes over the index of a constant, and adds r->by to it. */
static void
renumber_constant(struct renumbered *r)
{
    bool is_there = r->end - r->at >= 2;
    unsigned index = read_number(r, 2) + r->by;

    if (!is_there)
        return;
    r->at[-2] = (uint8_t)(index >> 8);
    r->at[-1] = (uint8_t)index;
}

/* Annotations may nest in annotations; deeper ones are not renumbered. */
enum { DEEPEST_VALUE = 256 };

static void renumber_annotation(struct renumbered *r, int depth);

/* The functions below pass over one structure of an attribute and renumber all indices
   in it.  They do not find out malformed ones: Java's parser does that. */

/* An element_value (JVMS 4.7.16.1): by its tag an annotation follows, an array of
   values, the two indices of an enum constant, or one index. */
static void
renumber_value(struct renumbered *r, int depth)
{
    unsigned tag = read_number(r, 1);

    if (depth == DEEPEST_VALUE)
        r->at = r->end;
    if (tag == '@') {
        renumber_annotation(r, depth + 1);
    } else if (tag == '[') {
        for (unsigned n = read_number(r, 2); n > 0 && r->at < r->end; n--)
            renumber_value(r, depth + 1);
    } else {
        renumber_constant(r);
        if (tag == 'e')
            renumber_constant(r);
    }
}

/* An annotation: the index of its type, and pairs of a name's index and a value. */
static void
renumber_annotation(struct renumbered *r, int depth)
{
    renumber_constant(r);
    for (unsigned n = read_number(r, 2); n > 0 && r->at < r->end; n--) {
        renumber_constant(r);
        renumber_value(r, depth);
    }
}

/* A number and as many annotations. */
static void
renumber_annotations(struct renumbered *r)
{
    for (unsigned n = read_number(r, 2); n > 0 && r->at < r->end; n--)
        renumber_annotation(r, 0);
}

/*
 * Returns how many bytes follow as target_info (JVMS 4.7.20.1), which says where the
 * type with the annotation stands.  type is target_type: 0x00 and 0x01 are type
 * parameters, 0x13 to 0x15 a field, result or receiver, 0x16 a formal parameter, 0x40
 * and 0x41 local variables, of which a table follows, 0x47 and above have a type
 * argument's index behind a bytecode index.  All others have two bytes.
 */
static unsigned
target_size(struct renumbered *r, unsigned type)
{
    if (type <= 0x01 || type == 0x16)
        return 1;
    if (type == 0x40 || type == 0x41)
        return read_number(r, 2) * 6;
    if (type >= 0x13 && type <= 0x15)
        return 0;
    return type >= 0x47 ? 3 : 2;
}

/* A number and as many type annotations: target_type, target_info, type_path, and what
   an annotation has.  The paths are pairs of bytes. */
static void
renumber_type_annotations(struct renumbered *r)
{
    for (unsigned n = read_number(r, 2); n > 0 && r->at < r->end; n--) {
        read_number(r, target_size(r, read_number(r, 1)));
        read_number(r, read_number(r, 1) * 2);
        renumber_annotation(r, 0);
    }
}

/* Renumbers the contents of an attribute of that kind. */
static void
renumber(struct renumbered r, enum annotation_kind kind)
{
    switch (kind) {
    case ANNOTATIONS: renumber_annotations(&r); break;
    case PARAMETER_ANNOTATIONS:
        for (unsigned n = read_number(&r, 1); n > 0 && r.at < r.end; n--)
            renumber_annotations(&r);
        break;
    case TYPE_ANNOTATIONS: renumber_type_annotations(&r); break;
    case ANNOTATION_DEFAULT: renumber_value(&r, 0); break;
    }
}

struct object *
annotation_bytes(struct thread *self, struct cpool *pool, struct cf_range range,
                 enum annotation_kind kind)
{
    struct object *bytes;

    /* Format checking leaves the attribute's length alone (JVMS 4.8); an empty one
       counts as none. */
    if (range.length == 0)
        return NULL;
    bytes = array_new_primitive(self, 'B', (int32_t)range.length);
    if (bytes == NULL)
        return NULL;
    pool->has_java_indices = true;
    memcpy(ARRAY_BYTES(bytes), pool->file->bytes + range.offset, range.length);
    if (pool->java_index_base)
        renumber((struct renumbered){ (uint8_t *)ARRAY_BYTES(bytes),
                                      (uint8_t *)ARRAY_BYTES(bytes) + range.length,
                                      pool->java_index_base },
                 kind);
    return bytes;
}
