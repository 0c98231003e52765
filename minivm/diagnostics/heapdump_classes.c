/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump_classes.c -- the names and classes of a heap dump.
 *
 * A Class object is written as the record of its class, not as an instance, as in
 * HotSpot's dumps; one without a class (int.class) is an instance.  Besides what HotSpot
 * writes, the record has the objects that the class's constant pool refers to, as
 * constants: with them a reader finds a path to every object that is alive.
 */

#include "diagnostics/heapdump_parts.h"
#include "linking/loader.h"
#include "linking/resolve.h"

/* Lets the variable c, which it declares, run through the classes of the dump d. */
#define FOR_EACH_CLASS(c, d) \
    for (const struct class *const *at_##c = (const void *)(d)->classes.data, *c; \
         (const uint8_t *)at_##c < (d)->classes.data + (d)->classes.length \
         && (c = *at_##c, true); \
         at_##c++)

void
dump_write_name(struct dump *d, const struct symbol *name)
{
    if (!name || ptrmap_has(&d->names, name))
        return;
    ptrmap_put(&d->names, name, (void *)(uintptr_t)1);
    hprof_record(&d->h, HPROF_STRING, HPROF_ID + name->length);
    hprof_id(&d->h, name);
    hprof_bytes(&d->h, name->bytes, name->length);
}

bool
dump_is_class_id(const struct dump *d, const struct object *mirror)
{
    const struct class *c = class_of_mirror(mirror);

    return c && c->layout.mirror == mirror && ptrmap_has(&d->serials, c);
}

/* Gives a class, when classes_visit comes to it, its serial number.  Left out are
   classes that have no mirror yet and those that a collection has found dead. */
static void
add_class(void *context, struct class *c)
{
    struct dump *d = context;

    if (c->layout.mirror && !(c->flags & CLASS_IS_UNLOADED))
        enumerate(&d->classes, &d->serials, c);
}

void
dump_begin_classes(struct dump *d)
{
    classes_visit(d->vm, WITH_ARRAYS, add_class, d);
    FOR_EACH_CLASS(c, d)
    {
        dump_write_name(d, c->name);
        for (uint32_t i = 0; i < c->field_count; i++)
            dump_write_name(d, c->fields[i].name);
        hprof_record(&d->h, HPROF_LOAD_CLASS, 4 + HPROF_ID + 4 + HPROF_ID);
        hprof_u4(&d->h, serial_of(&d->serials, c));
        hprof_id(&d->h, c->layout.mirror);
        hprof_u4(&d->h, NO_TRACE);
        hprof_id(&d->h, c->name);
    }
}

/* An object that a constant pool refers to, and the index of its constant; 0 for what
   belongs to a call site (JVMS 5.4.3.6). */
struct constant {
    unsigned index;
    struct object *object;
};

/* Returns true if the constant is resolved to an object (JVMS 5.1). */
static bool
is_object_constant(const struct cpool *pool, unsigned index)
{
    switch (cf_tag_at(pool->file, index)) {
    case CF_STRING:
    case CF_METHOD_TYPE:
    case CF_METHOD_HANDLE:
    case CF_DYNAMIC: return true;
    default: return false;
    }
}

/* Collects the objects that the constant pool of c and those of its replaced versions
   refer to, in a buf of struct constant.  Only the present pool's constants have an
   index in the dump.  Its call sites, and all that an older pool keeps, have index 0;
   `listed` are the objects of a pool that have an index already. */
static void
find_constants(const struct class *c, struct buf *found)
{
    for (const struct cpool *pool = c->pool; pool; pool = pool->previous) {
        struct ptrmap listed = { 0 };
        for (unsigned i = 1; pool == c->pool && i < pool->file->cp_count; i++) {
            struct object *o = is_object_constant(pool, i) ? resolved_object(pool, i)
                                                           : NULL;
            if (!o)
                continue;
            buf_append(found, &(struct constant){ i, o }, sizeof(struct constant));
            ptrmap_put(&listed, o, o);
        }
        for (const struct reference_chunk *r = pool->references; r; r = r->next)
            for (uint32_t i = 0; i < r->used; i++)
                if (r->slots[i] && !ptrmap_has(&listed, r->slots[i]))
                    buf_append(found, &(struct constant){ 0, r->slots[i] },
                               sizeof(struct constant));
        ptrmap_release(&listed);
    }
}

unsigned
dump_count_fields(const struct class *c, bool statics)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < c->field_count; i++)
        count += field_is_static(&c->fields[i]) == statics;
    return count;
}

/* Returns the length in bytes of the lists of static and instance fields, without their
   counts. */
static uint64_t
fields_size(const struct class *c)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < c->field_count; i++)
        size += HPROF_ID + 1
                + (field_is_static(&c->fields[i]) ? type_size(c->fields[i].type) : 0);
    return size;
}

/* Writes the list of the class's static fields with their values, or that of its
   instance fields, which have none here. */
static void
write_fields(struct dump *d, const struct class *c, bool statics)
{
    hprof_u2(&d->h, dump_count_fields(c, statics));
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (field_is_static(f) != statics)
            continue;
        hprof_id(&d->h, f->name);
        hprof_u1(&d->h, hprof_type(f->type));
        if (statics)
            hprof_value(&d->h, object_at(c->layout.mirror, f->offset),
                        type_size(f->type));
    }
}

/* Writes the record of a class, whose id is that of its Class object: superclass,
   loader, signers and protection domain, constants and fields.  The number of constants
   has 16 bits in the format, so those beyond are left out. */
static void
write_class(struct dump *d, const struct class *c)
{
    const struct object *mirror = c->layout.mirror;
    const struct class *super = c->super;
    struct buf constants = { 0 };
    struct hprof *h = &d->h;

    find_constants(c, &constants);
    const struct constant *list = (const void *)constants.data;
    size_t count = constants.length / sizeof *list;
    if (count > UINT16_MAX)
        count = UINT16_MAX;
    hprof_subrecord(h, 1 + HPROF_ID + 4 + 6 * HPROF_ID + 4 + 3 * 2
                           + count * (2 + 1 + HPROF_ID) + fields_size(c));
    hprof_u1(h, HPROF_CLASS);
    hprof_id(h, mirror);
    hprof_u4(h, NO_TRACE);
    hprof_id(h, super ? super->layout.mirror : NULL);
    hprof_id(h, c->loader ? c->loader->object : NULL);
    hprof_id(h, REF_FIELD(d->vm, mirror, Class_signers));
    hprof_id(h, REF_FIELD(d->vm, mirror, Class_protectionDomain));
    hprof_u8(h, 0); /* reserved */
    hprof_u8(h, 0);
    hprof_u4(h, class_is_array(c) ? 0 : c->layout.instance_size);
    hprof_u2(h, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        hprof_u2(h, list[i].index);
        hprof_u1(h, hprof_type('L'));
        hprof_id(h, list[i].object);
    }
    write_fields(d, c, true);
    write_fields(d, c, false);
    buf_release(&constants);
}

void
dump_write_classes(struct dump *d)
{
    FOR_EACH_CLASS(c, d)
    write_class(d, c);
}
