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

/* In the order of their indices; freed with the class. */
struct heap_fields {
    uint32_t references, primitives;               /* of instances */
    uint32_t static_references, static_primitives; /* declared by the class itself */
    struct heap_field at[];        /* these four, one after the other */
};

/* Of c, which is no array.  The world is stopped.  NULL when memory is short. */
const struct heap_fields *heap_fields(struct class *c);

/* For class_add_free_hook. */
void heap_fields_forget(struct class *c);

#endif
