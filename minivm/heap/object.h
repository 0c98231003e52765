/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/object.h -- what an object looks like in memory.
 *
 * An object is 8 bytes of header and its fields.  References are plain 64-bit
 * addresses, and objects never move, so C code may keep the address of an object as
 * long as something keeps the object alive.  The header's first word is the low 32 bits
 * of the class's address (classes live below 4 GiB), the second one the lock word
 * (threads/monitor.h).  The heap knows of a class only its struct layout, which is the
 * first member of struct class (linking/class.h).
 *
 * Nothing here takes a lock, stops the world or fails.
 */

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

/* The beginning of an array; the elements of any type begin at ARRAY_BASE. */
struct array {
    struct object header;
    SHARED(int32_t) length;
    uint32_t unused;
};

#define ARRAY_BASE 16
#define OBJECT_ALIGN 8
/* The start of an object is at least so many bytes behind that of the one before. */
#define OBJECT_DISTANCE 16

enum layout_kind {
    /* A primitive type or an interface, which have no instances. */
    LAYOUT_NONE,
    LAYOUT_INSTANCE,
    /* A subclass of java.lang.ref.Reference. */
    LAYOUT_REFERENCE,
    /* java.lang.Class, whose instances contain the statics of the class that they stand
       for.  In the VM such an instance is called a mirror. */
    LAYOUT_MIRROR,
    /* A subclass of jdk.internal.vm.Continuation, which refers to what its frames do. */
    LAYOUT_CONTINUATION,
    LAYOUT_PRIMITIVE_ARRAY,
    LAYOUT_REFERENCE_ARRAY
};

/* How strongly a subclass of java.lang.ref.Reference holds its referent.  The collector
   treats the referent of REFERENCE_NONE and REFERENCE_OTHER as a plain field. */
enum reference_kind {
    REFERENCE_NONE,
    REFERENCE_SOFT,
    REFERENCE_WEAK,
    REFERENCE_FINAL,
    REFERENCE_PHANTOM,
    REFERENCE_OTHER
};

/* There are count fields that hold references, one behind the other, from offset on. */
struct reference_run {
    uint32_t offset, count;
};

/* What the heap knows of a class.  It does not change once the class can have
   instances, except for mark_epoch, which belongs to the collector. */
struct layout {
    /* enum layout_kind */
    uint8_t kind;
    /* Arrays: the binary logarithm of the size of an element. */
    uint8_t element_shift;
    /* LAYOUT_REFERENCE: enum reference_kind. */
    uint8_t reference;
    /* Instances get a Finalizer when they are constructed. */
    bool has_finalizer;
    /* The size of an instance in bytes, header included, a multiple of 8.  Not for
       arrays; for LAYOUT_MIRROR without the statics (mirror_statics). */
    uint32_t instance_size;
    /* The fields that hold references, own and inherited ones, except
       Reference.referent and Reference.discovered. */
    uint32_t run_count;
    /* The last collection (heap.epoch) that reached this class. */
    uint32_t mark_epoch;
    const struct reference_run *runs;
    /* The class's Class object; NULL before java.lang.Class itself is there. */
    struct object *mirror;
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

/* The field of that type and offset, as an lvalue that is accessed as the memory model
   wants it for fields that are not volatile (base/shared.h); accesses to volatile
   fields use __atomic functions instead. */
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

/* Returns the size of an array in bytes. */
static inline size_t
array_size(const struct layout *l, int32_t length)
{
    return (ARRAY_BASE + ((size_t)length << l->element_shift) + OBJECT_ALIGN - 1)
           & ~(size_t)(OBJECT_ALIGN - 1);
}

/* A mirror has the fields of java.lang.Class, then one word for the heap, which holds
   the mirror's size, then the statics of its class.  Returns the offset of the
   statics. */
static inline uint32_t
mirror_statics(const struct layout *class_layout)
{
    return class_layout->instance_size + 8;
}

/* Returns the size in bytes that o was allocated with (JVM TI "GetObjectSize"). */
size_t object_size(const struct object *o);

#endif
