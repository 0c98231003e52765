/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_fields.c -- where the fields of a class lie, and their indices (JVM
 * TI "jvmtiHeapReferenceInfoField"). */

#include "jvmti/heap_walk.h"

#include <string.h>

/* Returns the list to which a field belongs.  In the enumeration the list of primitives
   follows that of references, of instance and of static fields. */
static enum heap_field_list
list_of(const struct field *f)
{
    return (field_is_static(f) ? STATIC_REFERENCES : REFERENCES) + (f->type != 'L');
}

/* Counts the fields of each list, and returns the index behind the last field.  The
   indices are those of the fields of all interfaces, each interface once, then of the
   superclasses from Object down, then of the class itself.  A static field of a
   superclass takes an index but is in no list.  counts is all 0 before. */
static jint
count_fields(const struct class *of, uint32_t counts[4])
{
    uint32_t index = 0;

    for (uint32_t i = 0; i < of->all_interface_count; i++)
        index += of->all_interfaces[i]->field_count;
    for (const struct class *c = of; c; c = c->super) {
        index += c->field_count;
        for (uint32_t i = 0; i < c->field_count; i++)
            if (c == of || !field_is_static(&c->fields[i]))
                counts[list_of(&c->fields[i])]++;
    }
    return (jint)index;
}

/* Returns the fields of a class, in four lists; NULL, with the walk over, if memory is
   short.  The counts of the lists become their ends, and are counted down while the
   lists are filled. */
const struct heap_fields *
heap_fields_make(struct walk *w, struct class *of)
{
    struct heap_fields *fields;
    uint32_t at[4] = { 0 };
    jint index = count_fields(of, at);
    for (int i = 1; i < 4; i++)
        at[i] += at[i - 1];
    fields = mem_try_alloc(sizeof *fields + at[3] * sizeof fields->at[0]);
    if (!fields) {
        walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    memcpy(fields->ends, at, sizeof at);
    /* Each list is filled from its end, since the loop goes from the class up to
       Object. */
    for (const struct class *c = of; c; c = c->super)
        for (uint32_t i = c->field_count; i-- > 0;) {
            const struct field *f = &c->fields[i];

            index--;
            if (c == of || !field_is_static(f))
                fields->at[--at[list_of(f)]] = (struct heap_field){ f->offset, index,
                                                                    f->type };
        }
    of->heap_fields = fields;
    return fields;
}

void
heap_fields_free(struct class *c)
{
    mem_free(c->heap_fields);
    c->heap_fields = NULL;
}
