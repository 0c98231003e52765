/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_fields.h -- where the fields of objects lie and what their indices
 * are (JVM TI "jvmtiHeapReferenceInfoField"). */

#ifndef MINIVM_JVMTI_HEAP_FIELDS_H
#define MINIVM_JVMTI_HEAP_FIELDS_H

#include "jvmti/env.h"

struct heap_field {
    uint32_t offset;               /* in the instance, or in the mirror */
    jint index;
    char type;                     /* Z B C S I J F D L */
};

/* Those of instances, and the static ones that the class itself declares. */
enum heap_field_list { REFERENCES, PRIMITIVES, STATIC_REFERENCES, STATIC_PRIMITIVES };

/* Freed with the class. */
struct heap_fields {
    uint32_t ends[4];              /* of the lists, by enum heap_field_list */
    struct heap_field at[];        /* one after the other, in the order of indices */
};

#define FOR_EACH_HEAP_FIELD(f, fields, list) \
    for (const struct heap_field *f = \
             (fields)->at + ((list) == 0 ? 0 : (fields)->ends[(list) - 1]), \
             *f##_end = (fields)->at + (fields)->ends[list]; \
         f < f##_end; f++)

/* Of c, which is no array.  The world is stopped.  NULL when memory is short. */
const struct heap_fields *heap_fields(struct class *c);

/* For class_add_free_hook. */
void heap_fields_forget(struct class *c);

#endif
