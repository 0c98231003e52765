/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/layout.c -- the offsets of fields in objects and mirrors.
 *
 * A class's own fields are laid out references first, then the others by descending
 * size.  The fields of the superclass stay where they are in its own instances, and
 * those of the subclass follow them, so that code compiled for the superclass finds its
 * fields in both.  Aligning the first field of a size may leave one gap, which fields
 * of a smaller size fill.
 *
 * References lie together because the collector does not look at single fields: it
 * reads the class's list of runs, each an offset and a number of adjacent references.
 * Static fields lie in the class's mirror, its java.lang.Class object, behind the
 * fields that java.lang.Class itself declares, and have runs of their own.
 */

#include "linking/layout.h"

#include "classfile/descriptor.h"
#include "linking/loader.h"
#include "runtime/vm.h"

/*
 * Where the next field can go: at end, aligned, or in the gap that the first alignment
 * has left.  Sizes come in descending order, so there is never a second gap.
 */
struct space {
    uint32_t end, gap_start, gap_end;
};

/* Returns the offset of a new field of that size. */
static uint32_t
place(struct space *s, uint32_t size)
{
    uint32_t at = (s->end + size - 1) & ~(size - 1);

    if (s->gap_end - s->gap_start >= size
        && ((s->gap_end - size) & ~(size - 1)) >= s->gap_start) {
        s->gap_end = (s->gap_end - size) & ~(size - 1);
        return s->gap_end;
    }
    if (at != s->end) {
        s->gap_start = s->end;
        s->gap_end = at;
    }
    s->end = at + size;
    return at;
}

/* The runs of references among the fields; adjacent ones are joined. */
struct runs {
    struct reference_run *at;
    uint32_t count;
};

static void
runs_add(struct runs *r, uint32_t offset)
{
    struct reference_run *last = r->count ? &r->at[r->count - 1] : NULL;

    if (last && last->offset + last->count * 8 == offset)
        last->count++;
    else
        r->at[r->count++] = (struct reference_run){ offset, 1 };
}

/* Returns true if f is one of the two fields of java.lang.ref.Reference that the
   collector treats in its own way. */
static bool
is_collectors(const struct field *f)
{
    const struct class *c = f->class;

    return (symbol_equals(f->name, "referent") || symbol_equals(f->name, "discovered"))
           && known_number(the_vm, c->loader, c->name) == KNOWN_CLASS_Reference;
}

/* Places the instance or static fields of that size; 0 means references. */
static void
place_fields(struct class *c, bool statics, unsigned size, struct space *space,
             struct runs *runs)
{
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct field *f = &c->fields[i];

        if (field_is_static(f) != statics
            || size != (f->type == 'L' ? 0 : type_size(f->type)))
            continue;
        f->offset = place(space, size ? size : 8);
        if (size == 0 && (statics || !is_collectors(f)))
            runs_add(runs, f->offset);
    }
}

/* Places all instance or static fields.  Returns the end, rounded up to whole
   objects. */
static uint32_t
place_all(struct class *c, bool statics, struct space *space, struct runs *runs)
{
    static const unsigned char sizes[] = { 0, 8, 4, 2, 1 };

    for (size_t i = 0; i < sizeof sizes; i++)
        place_fields(c, statics, sizes[i], space, runs);
    return (space->end + OBJECT_ALIGN - 1) & ~(uint32_t)(OBJECT_ALIGN - 1);
}

/*
 * Places the fields that the VM adds to the well-known class of that number
 * (jdk/known.def), and notes their offsets in vm->known.  They have no struct field, so
 * neither Java code nor agents see them.  Each takes eight bytes: it is a reference or
 * a native address, and only a reference is listed for the collector.
 */
static void
place_injected(struct vm *vm, int number, struct space *space, struct runs *runs)
{
    const struct profile_field *rows = vm->profile->fields;

    for (unsigned i = 0; number >= 0 && i < KNOWN_FIELD_COUNT; i++) {
        if (!rows[i].is_injected || (int)rows[i].owner != number)
            continue;
        vm->known.fields[i] = place(space, 8);
        if (rows[i].descriptor[0] != 'J')
            runs_add(runs, vm->known.fields[i]);
    }
}

void
class_lay_out_instance(struct vm *vm, struct class *c, int number)
{
    /* More than the VM adds to any class. */
    enum { MAX_INJECTED = 8 };
    struct class *super = c->super;
    struct space space = { super ? super->instance_end : sizeof(struct object), 0, 0 };
    uint32_t inherited = super ? super->layout.run_count : 0;
    struct runs runs = { arena_calloc(&c->arena,
                                      inherited + c->field_count + MAX_INJECTED,
                                      sizeof *runs.at),
                         inherited };

    for (uint32_t i = 0; i < inherited; i++)
        runs.at[i] = super->layout.runs[i];
    place_injected(vm, number, &space, &runs);
    c->layout.instance_size = place_all(c, false, &space, &runs);
    c->instance_end = space.end;
    c->layout.runs = runs.at;
    c->layout.run_count = runs.count;
}

void
class_lay_out_statics(struct vm *vm, struct class *c)
{
    uint32_t start = mirror_statics(&KC(vm, Class)->layout);
    struct space space = { start, 0, 0 };
    struct runs runs = { arena_calloc(&c->arena, c->field_count + 1u, sizeof *runs.at),
                         0 };

    c->static_size = place_all(c, true, &space, &runs) - start;
    c->static_runs = runs.at;
    c->static_run_count = runs.count;
}
