/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_fields.c -- the layout of each class as heap walks report it. */

#include "jvmti/heap_fields.h"

#include "base/mem.h"

enum { UPPER = 1 };                /* this floor's place in struct class.upper */

enum { REFERENCES, PRIMITIVES, STATIC_REFERENCES, STATIC_PRIMITIVES };

static int
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

/* Each list from its end, since fields are met from the class up to Object. */
static void
fill(const struct class *of, struct heap_field *ends[4])
{
    jint index = end_index(of);

    for (const struct class *c = of; c != NULL; c = c->super)
        for (uint32_t i = c->field_count; i-- > 0;) {
            const struct field *f = &c->fields[i];

            index--;
            if (c == of || !field_is_static(f))
                *--ends[list_of(f)] =
                    (struct heap_field){ f->offset, index, f->type };
        }
}

const struct heap_fields *
heap_fields(struct class *c)
{
    struct heap_fields *fields = c->upper[UPPER];
    uint32_t counts[4] = { 0 }, total = 0;
    struct heap_field *ends[4];

    if (fields != NULL)
        return fields;
    count_fields(c, counts);
    for (int i = 0; i < 4; i++)
        total += counts[i];
    fields = mem_try_alloc(sizeof *fields + total * sizeof fields->at[0]);
    if (fields == NULL)
        return NULL;
    fields->references = counts[REFERENCES];
    fields->primitives = counts[PRIMITIVES];
    fields->static_references = counts[STATIC_REFERENCES];
    fields->static_primitives = counts[STATIC_PRIMITIVES];
    total = 0;
    for (int i = 0; i < 4; i++)
        ends[i] = fields->at + (total += counts[i]);
    fill(c, ends);
    c->upper[UPPER] = fields;
    return fields;
}

void
heap_fields_forget(struct class *c)
{
    mem_free(c->upper[UPPER]);
    c->upper[UPPER] = NULL;
}
