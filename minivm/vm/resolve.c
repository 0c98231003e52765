/* SPDX-License-Identifier: MIT */
/* minivm/vm/resolve.c -- run-time constant pools (JVMS 5.1), and the resolution of
 * classes, members and strings in them (5.4.3). */

#include "base/mem.h"
#include "classfile/opcode.h"
#include "vm/exception.h"
#include "vm/lookup.h"
#include "vm/registry.h"
#include "vm/string.h"

/* ---- errors that stay ---- */

/* How to throw something again: its class, one of the boot loader's, NULL for nothing,
   and its message or NULL. */
struct thrown {
    struct class *class;
    char *message;
};

struct resolution_error {
    struct thrown error, cause;
};

enum { FAILED = 1 };

static inline bool
is_failed(const void *entry)
{
    return ((uintptr_t)entry & FAILED) != 0;
}

static struct resolution_error *
error_of(const void *entry)
{
    return (struct resolution_error *)((uintptr_t)entry - FAILED);
}

/* User code may throw subclasses of its own; those are not kept alive for this. */
static struct thrown
describe_thrown(struct vm *vm, const struct object *o)
{
    struct object *message = REF_FIELD(vm, o, Throwable_detailMessage);
    struct class *c = object_class(o);

    while (!c->loader->is_boot)
        c = c->super;
    return (struct thrown){ c, message ? string_to_utf8(message) : NULL };
}

static struct resolution_error *
error_new(struct vm *vm, struct object *o)
{
    struct object *cause = REF_FIELD(vm, o, Throwable_cause);
    struct resolution_error *e = mem_calloc(1, sizeof *e);

    e->error = describe_thrown(vm, o);
    if (cause && cause != o)
        e->cause = describe_thrown(vm, cause);
    return e;
}

static void
error_free(struct resolution_error *e)
{
    mem_free(e->error.message);
    mem_free(e->cause.message);
    mem_free(e);
}

static void
throw_text(struct thread *self, const struct thrown *t)
{
    throw_class(self, t->class, t->message ? "%s" : NULL, t->message);
}

static void
throw_again(struct thread *self, const struct resolution_error *e)
{
    struct object *cause = NULL;
    SCOPE(self);

    if (e->cause.class) {
        throw_text(self, &e->cause);
        cause = keep(self, exception_take(self));
    }
    throw_text(self, &e->error);
    if (cause && object_class(self->exception) == e->error.class)
        REF_FIELD(self->vm, self->exception, Throwable_cause) = cause;
}

/*
 * The pending exception was thrown by the resolution of an entry.  If it is a
 * LinkageError it is what every later attempt throws; should another thread have
 * been first, its result counts.
 */
static void
remember_failure(struct thread *self, struct cpool *pool, unsigned index)
{
    struct class *errors = KC(self->vm, LinkageError);
    struct resolution_error *e;
    void *none = NULL;

    if (errors == NULL || self->exception == NULL
        || !object_is_instance(self->exception, errors))
        return;
    e = error_new(self->vm, self->exception);
    if (!atomic_compare_exchange_strong(&pool->entries[index], &none,
                                        (void *)((uintptr_t)e | FAILED)))
        error_free(e);
}

/* ---- the pool ---- */

struct cpool *
cpool_new(struct class *c, struct classfile *file)
{
    struct cpool *pool =
        mem_calloc(1, sizeof *pool + file->cp_count * sizeof pool->entries[0]);

    pool->class = c;
    pool->file = file;
    return pool;
}

void
cpool_free(struct cpool *pool)
{
    struct reference_chunk *next;

    for (unsigned i = 0; i < pool->file->cp_count; i++)
        if (is_failed(pool->entries[i]))
            error_free(error_of(pool->entries[i]));
    for (struct reference_chunk *chunk = pool->references; chunk; chunk = next) {
        next = chunk->next;
        mem_free(chunk);
    }
    classfile_free(pool->file);
    mem_free(pool->initial);
    mem_free(pool);
}

struct object **
cpool_add_reference(struct thread *self, struct cpool *pool, struct object *o)
{
    struct reference_chunk *chunk;
    LOCK(&self->vm->class_mutex);

    chunk = pool->references;
    if (chunk == NULL || chunk->used == chunk->capacity) {
        uint32_t capacity = chunk ? chunk->capacity * 2 : 4;

        chunk = mem_calloc(1, sizeof *chunk + capacity * sizeof chunk->slots[0]);
        chunk->capacity = capacity;
        chunk->next = pool->references;
        pool->references = chunk;
    }
    chunk->slots[chunk->used] = o;
    return &chunk->slots[chunk->used++];
}

bool
resolution_begin(struct thread *self, struct cpool *pool, unsigned index, void **entry)
{
    *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);
    if (!is_failed(*entry))
        return *entry == NULL;
    throw_again(self, error_of(*entry));
    *entry = NULL;
    return false;
}

/* The first answer stays. */
void *
resolution_end(struct thread *self, struct cpool *pool, unsigned index, void *value)
{
    void *none = NULL;

    if (value == NULL)
        remember_failure(self, pool, index);
    else if (!atomic_compare_exchange_strong(&pool->entries[index], &none, value)
             && !is_failed(none))
        return none;
    return value;
}

void *
resolved_entry(const struct cpool *pool, unsigned index)
{
    void *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);

    if (entry == NULL || is_failed(entry))
        return NULL;
    switch (cf_tag_at(pool->file, index)) {
    case CF_STRING: case CF_METHOD_TYPE: case CF_METHOD_HANDLE: case CF_DYNAMIC:
        return *(struct object **)entry;
    default:
        return entry;
    }
}

/* ---- classes ---- */

bool
check_class_access(struct thread *self, struct class *from, struct class *c)
{
    return access_class(from, c)
           || THROW(self, IllegalAccessError, "%pF",
                    access_class_message(from, c->bottom));
}

struct class *
resolve_class(struct thread *self, struct cpool *pool, unsigned index)
{
    struct class *from = pool->class, *c;
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry;
    c = class_load(self, from->loader, cf_name(pool->file, index), true);
    return resolution_end(self, pool, index,
                          c && check_class_access(self, from, c) ? c : NULL);
}

/* ---- fields and methods ---- */

static void *
resolve_member(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct cf_member member = cf_member(pool->file, index);
    enum cf_tag tag = cf_tag_at(pool->file, index);
    struct class *holder;
    void *found = NULL, *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry;
    holder = resolve_class(self, pool, member.class_index);
    if (holder && tag == CF_FIELDREF)
        found = link_field(self, holder, member.name, member.descriptor, pool->class);
    else if (holder)
        found = link_method(self, holder, member.name, member.descriptor,
                            tag == CF_INTERFACE_METHODREF, pool->class, opcode);
    return resolution_end(self, pool, index, found);
}

struct field *
resolve_field(struct thread *self, struct cpool *pool, unsigned index)
{
    return resolve_member(self, pool, index, 0);
}

struct method *
resolve_call(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct method *m = resolve_member(self, pool, index, opcode);
    struct class *holder;

    if (m == NULL)
        return NULL;
    holder = resolve_class(self, pool, cf_member(pool->file, index).class_index);
    if (holder == NULL || !check_call(self, pool->class, holder, m, opcode))
        return NULL;
    return opcode == OP_invokespecial ? select_special(self, pool->class, holder, m)
                                      : m;
}

/* ---- descriptors ---- */

struct class *
class_of_descriptor(struct thread *self, struct loader *l, const char *text,
                    size_t length)
{
    if (length == 1)
        return *text >= 'A' && *text <= 'Z' ? self->vm->known.primitives[*text - 'A']
                                            : NULL;
    if (*text == 'L')
        return class_load(self, l, symbol_intern(text + 1, length - 2), true);
    return class_load(self, l, symbol_intern(text, length), true);
}
