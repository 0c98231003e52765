/* SPDX-License-Identifier: MIT */
/* minivm/vm/resolve.c -- resolution of classes, members and strings (JVMS 5.4.3). */

#include "vm/resolve.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/opcode.h"
#include "vm/exception.h"
#include "vm/lookup.h"
#include "vm/registry.h"
#include "vm/string.h"

/* ---- errors that stay ---- */

/*
 * How to throw an error again: its class, one of the boot loader's, and its text;
 * the same of its cause.  The texts follow the struct; an absent one is NULL.
 */
struct resolution_error {
    struct class *class, *cause_class;
    char *message, *cause_message;
    char texts[];
};

enum { FAILED = 1 };

static inline bool
is_failed(const void *entry)
{
    return ((uintptr_t)entry & FAILED) != 0;
}

/* User code may throw subclasses of its own; those are not kept alive for this. */
static struct class *
boot_class(struct class *c)
{
    while (!c->loader->is_boot)
        c = c->super;
    return c;
}

static char *
message_of(struct vm *vm, const struct object *thrown)
{
    struct object *message =
        OBJECT_FIELD(struct object *, thrown, KF(vm, Throwable_detailMessage));

    return message ? string_to_utf8(message) : NULL;
}

static char *
put_text(char *to, const char *text, char **place)
{
    size_t size = strlen(text) + 1;

    memcpy(to, text, size);
    *place = to;
    return to + size;
}

static struct resolution_error *
error_new(struct vm *vm, struct object *thrown)
{
    struct object *cause =
        OBJECT_FIELD(struct object *, thrown, KF(vm, Throwable_cause));
    char *message = message_of(vm, thrown), *cause_message = NULL, *at;
    struct resolution_error *e;

    if (cause == thrown)
        cause = NULL;
    if (cause)
        cause_message = message_of(vm, cause);
    e = mem_calloc(1, sizeof *e + (message ? strlen(message) + 1 : 0)
                          + (cause_message ? strlen(cause_message) + 1 : 0) + 1);
    at = e->texts;
    e->class = boot_class(object_class(thrown));
    if (message)
        at = put_text(at, message, &e->message);
    if (cause)
        e->cause_class = boot_class(object_class(cause));
    if (cause_message)
        put_text(at, cause_message, &e->cause_message);
    mem_free(message);
    mem_free(cause_message);
    return e;
}

static void
throw_text(struct thread *self, struct class *c, const char *message)
{
    if (message)
        throw_class(self, c, "%s", message);
    else
        throw_class(self, c, NULL);
}

static void
throw_again(struct thread *self, const void *entry)
{
    const struct resolution_error *e =
        (const struct resolution_error *)((uintptr_t)entry - FAILED);
    struct object *cause = NULL;
    SCOPE(self);

    if (e->cause_class) {
        throw_text(self, e->cause_class, e->cause_message);
        cause = keep(self, exception_take(self));
    }
    throw_text(self, e->class, e->message);
    if (cause && object_class(self->exception) == e->class)
        OBJECT_FIELD(struct object *, self->exception, KF(self->vm, Throwable_cause)) =
            cause;
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
    if (!atomic_compare_exchange_strong_explicit(
            &pool->entries[index], &none, (void *)((uintptr_t)e | FAILED),
            memory_order_release, memory_order_relaxed))
        mem_free(e);
}

/* True when the entry has an answer already: in *entry, or thrown again. */
static bool
answered(struct thread *self, struct cpool *pool, unsigned index, void **entry)
{
    *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);
    if (!is_failed(*entry))
        return *entry != NULL;
    throw_again(self, *entry);
    *entry = NULL;
    return true;
}

/* The first answer stays. */
static void *
publish(struct cpool *pool, unsigned index, void *value)
{
    void *none = NULL;

    if (atomic_compare_exchange_strong_explicit(&pool->entries[index], &none, value,
                                                memory_order_release,
                                                memory_order_acquire)
        || is_failed(none))
        return value;
    return none;
}

void *
resolution_end(struct thread *self, struct cpool *pool, unsigned index, void *value)
{
    if (value)
        return publish(pool, index, value);
    remember_failure(self, pool, index);
    return NULL;
}

bool
resolution_begin(struct thread *self, struct cpool *pool, unsigned index, void **entry)
{
    return !answered(self, pool, index, entry);
}

struct object **
resolution_end_object(struct thread *self, struct cpool *pool, unsigned index,
                      struct object *o)
{
    return resolution_end(self, pool, index, cpool_add_reference(self, pool, o));
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

static struct class *
load_and_check(struct thread *self, struct class *from, const struct symbol *name)
{
    struct class *c = class_load(self, from->loader, name, true);
    char *message;

    if (c == NULL || access_class(from, c))
        return c;
    message = access_class_message(from, c->bottom ? c->bottom : c);
    THROW(self, IllegalAccessError, "%s", message);
    mem_free(message);
    return NULL;
}

struct class *
resolve_class(struct thread *self, struct cpool *pool, unsigned index)
{
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry;
    return resolution_end(
        self, pool, index,
        load_and_check(self, pool->class, cf_name(pool->file, index)));
}

/* ---- fields and methods ---- */

static struct field *
find_field(struct thread *self, struct cpool *pool, unsigned index)
{
    struct cf_member member = cf_member(pool->file, index);
    struct class *holder = resolve_class(self, pool, member.class_index);

    if (holder == NULL)
        return NULL;
    return link_field(self, holder, member.name, member.descriptor, pool->class);
}

struct field *
resolve_field(struct thread *self, struct cpool *pool, unsigned index)
{
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry;
    return resolution_end(self, pool, index, find_field(self, pool, index));
}

struct field *
resolve_access(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode,
               const struct method *from)
{
    struct field *f = resolve_field(self, pool, index);

    return f && check_field_use(self, f, opcode, from) ? f : NULL;
}

static struct method *
find_method(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct cf_member member = cf_member(pool->file, index);
    struct class *holder = resolve_class(self, pool, member.class_index);

    if (holder == NULL)
        return NULL;
    return link_method_for(self, holder, member.name, member.descriptor,
                           cf_tag_at(pool->file, index) == CF_INTERFACE_METHODREF,
                           pool->class, opcode);
}

static struct method *
resolve_method_for(struct thread *self, struct cpool *pool, unsigned index,
                   unsigned opcode)
{
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry;
    return resolution_end(self, pool, index, find_method(self, pool, index, opcode));
}

struct method *
resolve_method(struct thread *self, struct cpool *pool, unsigned index)
{
    return resolve_method_for(self, pool, index, 0);
}

struct method *
resolve_call(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct method *m = resolve_method_for(self, pool, index, opcode);
    struct class *holder;

    if (m == NULL)
        return NULL;
    holder = resolve_class(self, pool, cf_member(pool->file, index).class_index);
    if (holder == NULL || !check_call(self, pool->class, holder, m, opcode))
        return NULL;
    return opcode == OP_invokespecial ? select_special(self, pool->class, holder, m)
                                      : m;
}

/* ---- strings ---- */

struct object *
resolve_string(struct thread *self, struct cpool *pool, unsigned index)
{
    struct object *string;
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry ? *(struct object **)entry : NULL;
    SCOPE(self);
    string = keep(self, string_intern_symbol(self, cf_name(pool->file, index)));
    if (string == NULL)
        return NULL;
    return *resolution_end_object(self, pool, index, string);
}

/* ---- descriptors ---- */

static struct class *
primitive_or_null(struct vm *vm, char kind)
{
    return kind >= 'A' && kind <= 'Z' ? vm->known.primitives[kind - 'A'] : NULL;
}

struct class *
class_of_descriptor(struct thread *self, struct loader *l, const char *text,
                    size_t length)
{
    if (length == 1)
        return primitive_or_null(self->vm, *text);
    if (*text == 'L')
        return class_load(self, l, symbol_intern(text + 1, length - 2), true);
    return class_load(self, l, symbol_intern(text, length), true);
}
