/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump_objects.c -- the instances and arrays of a heap dump.
 *
 * They are written in the order of their addresses, which are their ids.  Most of a dump
 * is instances, so the fields of a class are looked up once and kept as a field plan.
 */

#include "base/mem.h"
#include "diagnostics/heapdump_parts.h"

/* Where the instance fields of a class lie and how large they are, in the order in
   which HPROF wants the values: its own fields first, then its superclass's, and so
   on. */
struct plan {
    uint32_t bytes, count;
    struct plan_field {
        uint32_t offset, size;
    } fields[];
};

/* Returns the field plan of a class, which dump_write_objects frees. */
static struct plan *
make_plan(const struct class *of)
{
    struct plan *p;
    uint32_t count = 0;

    for (const struct class *c = of; c; c = c->super)
        count += dump_count_fields(c, false);
    p = mem_alloc(sizeof *p + count * sizeof *p->fields);
    *p = (struct plan){ 0 };
    for (const struct class *c = of; c; c = c->super)
        for (uint32_t i = 0; i < c->field_count; i++) {
            const struct field *f = &c->fields[i];
            if (field_is_static(f))
                continue;
            p->fields[p->count] = (struct plan_field){ f->offset, type_size(f->type) };
            p->bytes += p->fields[p->count++].size;
        }
    return p;
}

/* Returns the field plan of a class, made at the first call for it.  Neighbouring
   objects often have the same class, so the last one is not looked up again. */
static const struct plan *
plan_of(struct dump *d, const struct class *c)
{
    if (c != d->last) {
        struct plan *p = ptrmap_get(&d->plans, c);
        if (!p) {
            p = make_plan(c);
            ptrmap_put(&d->plans, c, p);
        }
        d->last = c;
        d->last_plan = p;
    }
    return d->last_plan;
}

/* Writes an object that is no array: its class and the values of its fields, in the
   order of the field plan. */
static void
write_instance(struct dump *d, const struct object *o)
{
    const struct class *c = object_class(o);
    const struct plan *p = plan_of(d, c);
    struct hprof *h = &d->h;

    hprof_subrecord(h, 1 + HPROF_ID + 4 + HPROF_ID + 4 + p->bytes);
    hprof_u1(h, HPROF_INSTANCE);
    hprof_id(h, o);
    hprof_u4(h, NO_TRACE);
    hprof_id(h, c->layout.mirror);
    hprof_u4(h, p->bytes);
    for (const struct plan_field *f = p->fields; f < p->fields + p->count; f++)
        hprof_value(h, object_at(o, f->offset), f->size);
}

/* Writes an array.  The length of a record has 32 bits, so the end of an array that is
   longer is left out. */
static void
write_array(struct dump *d, const struct object *o)
{
    enum { HEAD = 1 + HPROF_ID + 4 + 4 };
    const struct class *c = object_class(o);
    bool has_objects = c->layout.kind == LAYOUT_REFERENCE_ARRAY;
    uint32_t size = (uint32_t)1 << c->layout.element_shift;
    uint32_t most = (UINT32_MAX - HEAD - HPROF_ID) / size;
    uint32_t length = (uint32_t)array_length(o);
    struct hprof *h = &d->h;

    d->cut += length > most;
    length = length < most ? length : most;
    hprof_subrecord(h, HEAD + (has_objects ? HPROF_ID : 1) + (uint64_t)length * size);
    hprof_u1(h, has_objects ? HPROF_OBJECT_ARRAY : HPROF_PRIMITIVE_ARRAY);
    hprof_id(h, o);
    hprof_u4(h, NO_TRACE);
    hprof_u4(h, length);
    if (has_objects)
        hprof_id(h, c->layout.mirror);
    else
        hprof_u1(h, hprof_type(c->element->primitive));
    hprof_values(h, array_data(o), length, size);
}

/* Writes an object for heap_iterate, unless it is a Class object that is written as its
   class; context is the struct dump.  Returns false, which ends the iteration, after an
   error of writing. */
static bool
on_object(void *context, struct object *o)
{
    struct dump *d = context;
    const struct class *c = object_class(o);

    if (class_is_array(c))
        write_array(d, o);
    else if (c->layout.kind != LAYOUT_MIRROR || !dump_is_class_id(d, o))
        write_instance(d, o);
    return !d->h.error;
}

void
dump_write_objects(struct dump *d)
{
    struct ptrmap_entry *e;

    heap_iterate(d->vm->heap, on_object, d);
    for (size_t at = 0; (e = ptrmap_next(&d->plans, &at)) != NULL;)
        mem_free(e->value);
    ptrmap_release(&d->plans);
}
