/* SPDX-License-Identifier: MIT */
/* minivm/vm/heapdump.c -- the heap as a file that heap analysers read.
 *
 * The parts come in the order that readers want them: names, classes, stack traces,
 * then what classes hold, roots, and all objects in the order of their addresses, which
 * are their ids.  A Class object is its class's record, not an instance, as in HotSpot's
 * dumps; one without a class (int.class) is an instance.
 *
 * Beyond what HotSpot writes there are the objects that a constant pool holds, as
 * constants of the class, and roots of unknown kind for what the VM itself holds: with
 * them a reader finds a way to every object that is alive. */

#include "vm/heapdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hprof.h"
#include "base/mem.h"
#include "base/os.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/loader.h"
#include "vm/registry.h"
#include "vm/safepoint.h"
#include "vm/vm.h"

enum { NO_TRACE = 1 };             /* the empty trace, which all objects have */

/* The instance fields of a class: its own first, then its superclass's, and so on. */
struct plan {
    uint32_t bytes, count;
    struct plan_field {
        uint32_t offset, size;
    } fields[];
};

struct dump {
    struct hprof h;
    struct thread *self;
    struct vm *vm;
    bool out_of_memory;
    struct ptrmap names;           /* symbols that were written */
    struct buf classes;            /* struct class *, by serial number less 1 */
    struct ptrmap serials;         /* class → its serial number */
    struct buf threads;            /* struct thread *, by serial number less 1 */
    struct ptrmap thread_serials;
    struct ptrmap plans;           /* class → struct plan */
    const struct class *last;      /* that a plan was asked for, and the plan */
    const struct plan *last_plan;
    uint64_t cut;                  /* arrays that are too long for a record */
};

static uint32_t
number_of(const struct ptrmap *map, const void *key)
{
    return (uint32_t)(uintptr_t)ptrmap_get(map, key);
}

/* key gets the next number, from 1 on. */
static void
enumerate(struct buf *list, struct ptrmap *map, const void *key)
{
    buf_append(list, &key, sizeof key);
    ptrmap_put(map, key, (void *)(list->length / sizeof key));
}

#define FOR_EACH_CLASS(c, d) \
    for (const struct class *const *at_##c = (const void *)(d)->classes.data, *c; \
         (const uint8_t *)at_##c < (d)->classes.data + (d)->classes.length \
             && (c = *at_##c, true); at_##c++)

/* Is the Class object the record of a class? */
static bool
is_class_id(const struct dump *d, const struct object *mirror)
{
    const struct class *c = class_of_mirror(mirror);

    return c && c->layout.mirror == mirror && ptrmap_has(&d->serials, c);
}

/* ---- names ---- */

static void
write_name(struct dump *d, const struct symbol *name)
{
    if (!name || ptrmap_has(&d->names, name))
        return;
    ptrmap_put(&d->names, name, (void *)(uintptr_t)1);
    hprof_record(&d->h, HPROF_STRING, HPROF_ID + name->length);
    hprof_id(&d->h, name);
    hprof_bytes(&d->h, name->bytes, name->length);
}

/* ---- classes ---- */

static void
add_class(void *context, struct class *c)
{
    struct dump *d = context;

    if (c->layout.mirror && !(c->flags & (CLASS_IS_UNLOADED | CLASS_IS_REPLACED)))
        enumerate(&d->classes, &d->serials, c);
}

static void
write_class_names(struct dump *d)
{
    FOR_EACH_CLASS(c, d) {
        write_name(d, c->name);
        for (uint32_t i = 0; i < c->field_count; i++)
            write_name(d, c->fields[i].name);
        hprof_record(&d->h, HPROF_LOAD_CLASS, 4 + HPROF_ID + 4 + HPROF_ID);
        hprof_u4(&d->h, number_of(&d->serials, c));
        hprof_id(&d->h, c->layout.mirror);
        hprof_u4(&d->h, NO_TRACE);
        hprof_id(&d->h, c->name);
    }
}

/* A constant, and its index in the pool, 0 for what a call site holds. */
struct constant {
    unsigned index;
    struct object *object;
};

static bool
is_object_constant(const struct cpool *pool, unsigned index)
{
    switch (cf_tag_at(pool->file, index)) {
    case CF_STRING: case CF_METHOD_TYPE: case CF_METHOD_HANDLE: case CF_DYNAMIC:
        return true;
    default:
        return false;
    }
}

/* What the pool of c and the older ones hold; buf of struct constant. */
static void
find_constants(const struct class *c, struct buf *found)
{
    for (const struct cpool *pool = c->pool; pool; pool = pool->previous) {
        struct ptrmap listed = { 0 };
        for (unsigned i = 1; pool == c->pool && i < pool->file->cp_count; i++) {
            struct object *o = is_object_constant(pool, i) ? resolved_entry(pool, i)
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

static unsigned
count_fields(const struct class *c, bool statics)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < c->field_count; i++)
        count += field_is_static(&c->fields[i]) == statics;
    return count;
}

/* The length of the lists of static and instance fields, without their counts. */
static uint64_t
fields_size(const struct class *c)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < c->field_count; i++)
        size += HPROF_ID + 1
                + (field_is_static(&c->fields[i]) ? type_size(c->fields[i].type) : 0);
    return size;
}

static void
write_fields(struct dump *d, const struct class *c, bool statics)
{
    hprof_u2(&d->h, count_fields(c, statics));
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
    hprof_u8(h, 0);                /* reserved */
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

/* ---- stack traces ---- */

static void
write_frame(struct dump *d, uint64_t id, const struct code *code, int32_t bci)
{
    const struct method *m = code->method;
    const struct symbol *source = m->class->source_file;
    int32_t line = code_line(code, bci);

    write_name(d, m->name);
    write_name(d, m->descriptor);
    write_name(d, source);
    hprof_record(&d->h, HPROF_FRAME, 4 * HPROF_ID + 4 + 4);
    hprof_u8(&d->h, id);
    hprof_id(&d->h, m->name);
    hprof_id(&d->h, m->descriptor);
    hprof_id(&d->h, source);
    hprof_u4(&d->h, number_of(&d->serials, m->class));
    hprof_u4(&d->h, method_is_native(m) ? (uint32_t)-3 : (uint32_t)line);
}

static void
write_trace(struct dump *d, uint32_t serial, uint32_t thread, uint64_t first,
            uint32_t count)
{
    hprof_record(&d->h, HPROF_TRACE, 3 * 4 + count * HPROF_ID);
    hprof_u4(&d->h, serial);
    hprof_u4(&d->h, thread);
    hprof_u4(&d->h, count);
    for (uint32_t i = 0; i < count; i++)
        hprof_u8(&d->h, first + i);
}

/* The constructor that self's OutOfMemoryError is thought to be in, or NULL. */
static const struct code *
error_constructor(const struct dump *d)
{
    const struct class *c = KC(d->vm, OutOfMemoryError);
    const struct method *m =
        c ? class_own_method(c, symbol_of("<init>"), symbol_of("()V")) : NULL;

    return m ? method_code(m) : NULL;
}

/* How many frames stand above t's newest one in the dump. */
static uint32_t
frames_above(const struct dump *d, const struct thread *t)
{
    return d->out_of_memory && t == d->self && error_constructor(d) ? 1 : 0;
}

static void
write_threads(struct dump *d)
{
    uint64_t id = 1;

    write_trace(d, NO_TRACE, 0, 0, 0);
    FOR_EACH_THREAD(d->vm, t) {
        uint64_t first = id;
        if (t->is_hidden || !t->object || t->is_exiting)
            continue;
        enumerate(&d->threads, &d->thread_serials, t);
        if (frames_above(d, t))
            write_frame(d, id++, error_constructor(d), 0);
        for (const struct frame *f = thread_top_frame(t); f; f = frame_older(f))
            write_frame(d, id++, f->code, frame_bci(f));
        uint32_t serial = number_of(&d->thread_serials, t);
        write_trace(d, NO_TRACE + serial, serial, first, (uint32_t)(id - first));
    }
}

/* ---- roots ---- */

static void
write_root(struct dump *d, enum hprof_subrecord tag, const struct object *o,
           unsigned numbers, uint32_t first, uint32_t second)
{
    hprof_subrecord(&d->h, 1 + HPROF_ID + numbers * 4);
    hprof_u1(&d->h, tag);
    hprof_id(&d->h, o);
    if (numbers > 0)
        hprof_u4(&d->h, first);
    if (numbers > 1)
        hprof_u4(&d->h, second);
}

static void
on_root(void *context, struct object *o, const struct root_info *info)
{
    struct dump *d = context;
    uint32_t serial = info->thread ? number_of(&d->thread_serials, info->thread) : 0;
    enum root_kind kind = info->kind;
    bool is_of_thread =
        kind == ROOT_STACK_LOCAL || kind == ROOT_JNI_LOCAL || kind == ROOT_THREAD;
    uint32_t frame = UINT32_MAX;   /* none */

    if (info->frame)
        frame = info->depth + frames_above(d, info->thread);
    if (is_of_thread && serial == 0)
        kind = ROOT_OTHER;
    switch (kind) {
    case ROOT_JNI_GLOBAL:
        hprof_subrecord(&d->h, 1 + 2 * HPROF_ID);
        hprof_u1(&d->h, HPROF_ROOT_JNI_GLOBAL);
        hprof_id(&d->h, o);
        hprof_u8(&d->h, 0);        /* where the reference is does not matter */
        break;
    case ROOT_SYSTEM_CLASS:
        write_root(d, is_class_id(d, o) ? HPROF_ROOT_STICKY_CLASS : HPROF_ROOT_UNKNOWN,
                   o, 0, 0, 0);
        break;
    case ROOT_MONITOR: write_root(d, HPROF_ROOT_MONITOR, o, 0, 0, 0); break;
    case ROOT_STACK_LOCAL:
        write_root(d, HPROF_ROOT_JAVA_FRAME, o, 2, serial, frame);
        break;
    case ROOT_JNI_LOCAL:
        write_root(d, HPROF_ROOT_JNI_LOCAL, o, 2, serial, frame);
        break;
    case ROOT_THREAD:
        write_root(d, HPROF_ROOT_THREAD, o, 2, serial, NO_TRACE + serial);
        break;
    default: write_root(d, HPROF_ROOT_UNKNOWN, o, 0, 0, 0); break;
    }
}

/* ---- objects ---- */

static struct plan *
make_plan(const struct class *of)
{
    struct plan *p;
    uint32_t count = 0;

    for (const struct class *c = of; c; c = c->super)
        count += count_fields(c, false);
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

/* A record's length has 32 bits: of a longer array the end is left out. */
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

static bool
on_object(void *context, struct object *o)
{
    struct dump *d = context;
    const struct class *c = object_class(o);

    if (class_is_array(c))
        write_array(d, o);
    else if (c->layout.kind != LAYOUT_MIRROR || !is_class_id(d, o))
        write_instance(d, o);
    return !d->h.error;
}

/* ---- all of it ---- */

/* World stopped. */
static void
write_all(struct dump *d)
{
    struct ptrmap_entry *e;

    classes_visit(d->vm, true, add_class, d);
    write_class_names(d);
    write_threads(d);
    FOR_EACH_CLASS(c, d)
        write_class(d, c);
    heap_visit_roots(d->vm->heap, on_root, d);
    heap_iterate(d->vm->heap, on_object, d);
    hprof_record(&d->h, HPROF_END, 0);
    for (size_t at = 0; (e = ptrmap_next(&d->plans, &at)) != NULL;)
        mem_free(e->value);
    ptrmap_release(&d->plans);
    ptrmap_release(&d->names);
    ptrmap_release(&d->serials);
    ptrmap_release(&d->thread_serials);
    buf_release(&d->classes);
    buf_release(&d->threads);
}

static void __attribute__((format(printf, 2, 3)))
tell(struct buf *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (out) {
        buf_vprintf(out, format, args);
    } else {
        vprintf(format, args);
        fflush(stdout);
    }
    va_end(args);
}

char *
heap_dump_write(struct thread *self, const struct heap_dump *r, struct buf *out)
{
    struct dump d = { .self = self, .vm = self->vm, .out_of_memory = r->out_of_memory };
    int64_t start = os_nanos();
    uint64_t bytes;

    tell(out, "Dumping heap to %s ...\n", r->path);
    if (!hprof_open(&d.h, r->path, r->overwrite, r->gzip_level)) {
        char *error = mem_strdup(strerror(errno));
        tell(out, "Unable to create %s: %s\n", r->path, error);
        return error;
    }
    world_stop(self, "heap dump");
    if (r->live)
        vm_collect(self, "Heap Dump Initiated GC", false);
    write_all(&d);
    world_resume(self);
    int error = hprof_close(&d.h, &bytes);
    if (d.cut)
        tell(out, "%" PRIu64 " arrays are too long for the format and were cut\n",
             d.cut);
    if (error) {
        tell(out, "Dump file is incomplete: %s\n", strerror(error));
        return mem_strdup(strerror(error));
    }
    tell(out, "Heap dump file created [%" PRIu64 " bytes in %.3f secs]\n", bytes,
         (double)(os_nanos() - start) / 1e9);
    return NULL;
}

/* ---- dumps that options ask for ---- */

void
heap_dump_by_options(struct thread *self, bool out_of_memory)
{
    static uint32_t dump_count;
    const struct vm_options *o = &self->vm->options;
    struct heap_dump d = { .out_of_memory = out_of_memory,
                           .gzip_level = o->heap_dump_gzip_level };
    const char *path = o->heap_dump_path ? o->heap_dump_path : "";
    uint32_t number = __atomic_fetch_add(&dump_count, 1, __ATOMIC_RELAXED);
    size_t length = strlen(path);
    struct stat status;
    TEXTS(t);

    /* A folder gets the file that would be in the working directory. */
    if (length == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        path = own(&t, mem_printf("%s%sjava_pid%d.hprof%s", path,
                                  length && path[length - 1] != '/' ? "/" : "",
                                  (int)getpid(), d.gzip_level ? ".gz" : ""));
    d.path = number ? own(&t, mem_printf("%s.%u", path, number)) : path;
    mem_free(heap_dump_write(self, &d, NULL));
}
