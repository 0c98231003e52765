/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_fields.c -- the layout of each class as heap walks report it. */

#include "jvmti/heap_walk.h"

#include <string.h>


enum { UPPER = 1 };                /* this floor's place in struct class.upper */

static enum heap_field_list
list_of(const struct field *f)
{
    return (field_is_static(f) ? STATIC_REFERENCES : REFERENCES) + (f->type != 'L');
}

static void
count_fields(const struct class *of, uint32_t counts[4])
{
    for (const struct class *c = of; c != NULL; c = c->super)
        for (uint32_t i = 0; i < c->field_count; i++)
            if (c == of || !field_is_static(&c->fields[i]))
                counts[list_of(&c->fields[i])]++;
}

/* The index behind the last field of c: first those of all its interfaces, each once,
   then of its superclasses from Object down, then its own. */
static jint
end_index(const struct class *of)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < of->all_interface_count; i++)
        n += of->all_interfaces[i]->field_count;
    for (const struct class *c = of; c != NULL; c = c->super)
        n += c->field_count;
    return (jint)n;
}

const struct heap_fields *
heap_fields(struct class *of)
{
    struct heap_fields *fields = of->upper[UPPER];
    uint32_t at[4] = { 0 };
    jint index = end_index(of);

    if (fields != NULL)
        return fields;
    count_fields(of, at);
    for (int i = 1; i < 4; i++)
        at[i] += at[i - 1];
    fields = mem_try_alloc(sizeof *fields + at[3] * sizeof fields->at[0]);
    if (fields == NULL)
        return NULL;
    memcpy(fields->ends, at, sizeof at);
    /* Each list from its end, since fields are met from the class up to Object. */
    for (const struct class *c = of; c != NULL; c = c->super)
        for (uint32_t i = c->field_count; i-- > 0;) {
            const struct field *f = &c->fields[i];

            index--;
            if (c == of || !field_is_static(f))
                fields->at[--at[list_of(f)]] =
                    (struct heap_field){ f->offset, index, f->type };
        }
    of->upper[UPPER] = fields;
    return fields;
}

void
heap_fields_forget(struct class *c)
{
    mem_free(c->upper[UPPER]);
    c->upper[UPPER] = NULL;
}
