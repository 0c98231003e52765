/* SPDX-License-Identifier: MIT */
/* minivm/heap/object.h -- what an object looks like in memory.
 *
 * An object is 8 bytes of header and its fields; references are plain 64-bit
 * addresses and objects never move.  The header's first word is the low 32 bits
 * of the class's address (classes live below 4 GiB), the second one the lock word
 * (vm/monitor.h).  The heap knows of a class only its layout, the first member of
 * struct class. */

#ifndef MINIVM_HEAP_OBJECT_H
#define MINIVM_HEAP_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/shared.h"

struct object {
    SHARED(uint32_t) layout_ref;
    uint32_t lock;
};

/* Elements begin at ARRAY_BASE for every element type. */
struct array {
    struct object header;
    SHARED(int32_t) length;
    uint32_t unused;
};

#define ARRAY_BASE 16
#define OBJECT_ALIGN 8
#define OBJECT_DISTANCE 16     /* at least, from one object's start to the next one's */

enum layout_kind {
    LAYOUT_NONE,           /* primitive and interface: has no instances */
    LAYOUT_INSTANCE,
    LAYOUT_REFERENCE,      /* subclass of java.lang.ref.Reference */
    LAYOUT_MIRROR,         /* java.lang.Class: statics of its class inside */
    LAYOUT_PRIMITIVE_ARRAY,
    LAYOUT_REFERENCE_ARRAY
};

enum reference_kind {
    REFERENCE_NONE, REFERENCE_SOFT, REFERENCE_WEAK, REFERENCE_FINAL,
    REFERENCE_PHANTOM, REFERENCE_OTHER
};

/* count references from offset on. */
struct reference_run {
    uint32_t offset, count;
};

/* What the heap knows of a class.  Constant once objects of it can exist, but for
   mark_epoch, which the collector owns. */
struct layout {
    uint8_t kind;              /* enum layout_kind */
    uint8_t element_shift;     /* arrays: log2 of the element size */
    uint8_t reference;         /* enum reference_kind of LAYOUT_REFERENCE */
    bool has_finalizer;        /* instances get a Finalizer when constructed */
    uint32_t instance_size;    /* bytes, header included, multiple of 8; not for
                                  arrays; of a mirror: Class's own fields */
    uint32_t run_count;        /* of runs: own and inherited instance fields,
                                  without Reference.referent and .discovered */
    uint32_t mark_epoch;       /* collector: last cycle that reached this class */
    const struct reference_run *runs;
    struct object *mirror;     /* its java.lang.Class; NULL early in the boot */
};

static inline struct layout *
object_layout(const struct object *o)
{
    return (struct layout *)(uintptr_t)o->layout_ref;
}

static inline void *
object_at(const struct object *o, size_t offset)
{
    return (char *)(uintptr_t)o + offset;
}

/* A field by offset, as a relaxed access; volatile ones use __atomic directly. */
#define OBJECT_FIELD(type, o, offset) (*(SHARED(type) *)object_at((o), (offset)))

static inline int32_t
array_length(const struct object *o)
{
    return ((const struct array *)o)->length;
}

static inline void *
array_data(const struct object *o)
{
    return (char *)(uintptr_t)o + ARRAY_BASE;
}

#define ARRAY_REFS(o) ((struct object **)array_data(o))
#define ARRAY_BYTES(o) ((int8_t *)array_data(o))
#define ARRAY_CHARS(o) ((uint16_t *)array_data(o))
#define ARRAY_SHORTS(o) ((int16_t *)array_data(o))
#define ARRAY_INTS(o) ((int32_t *)array_data(o))
#define ARRAY_LONGS(o) ((int64_t *)array_data(o))
#define ARRAY_FLOATS(o) ((float *)array_data(o))
#define ARRAY_DOUBLES(o) ((double *)array_data(o))

static inline size_t
array_size(const struct layout *l, int32_t length)
{
    return (ARRAY_BASE + ((size_t)length << l->element_shift) + OBJECT_ALIGN - 1)
           & ~(size_t)(OBJECT_ALIGN - 1);
}

/* A mirror has Class's own fields, then one word that belongs to the heap (the mirror's
   size), then the statics of its class.  Where those begin: */
static inline uint32_t
mirror_statics(const struct layout *class_layout)
{
    return class_layout->instance_size + 8;
}

/* The size in bytes that o was allocated with (JVM TI GetObjectSize). */
size_t object_size(const struct object *o);

#endif
