/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/cpool.c -- run-time constant pools, and the results of resolution.
 *
 * An entry changes once, from NULL to its result, by compare-and-swap.  So threads that
 * resolve the same constant need no lock: the first result stays, and the others take
 * it.
 *
 * An error is not kept as an exception object, which would have the stack trace of the
 * first attempt and might keep a whole program alive, but as its class and message, and
 * those of its cause.
 */

#include "linking/cpool.h"

#include "base/mem.h"
#include "linking/loader.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- errors that are thrown again ---- */

/* What is needed to throw an exception again: its class, which is one of the boot
   loader's, and its message or NULL.  class NULL: there is none. */
struct thrown {
    struct class *class;
    char *message;
};

struct resolution_error {
    struct thrown error, cause;
};

/* The bit of an entry that says that it points to a struct resolution_error. */
enum { FAILED = 1 };

static inline bool
is_failed(const void *entry)
{
    return ((uintptr_t)entry & FAILED) != 0;
}

/* Returns the error that a failed entry points to. */
static struct resolution_error *
error_of(const void *entry)
{
    return (struct resolution_error *)((uintptr_t)entry - FAILED);
}

/* Describes o for throwing it again.  If its class is one of a program's own, takes the
   superclass that is the boot loader's: a pool must not keep other loaders alive. */
static struct thrown
describe_thrown(struct vm *vm, const struct object *o)
{
    struct object *message = REF_FIELD(vm, o, Throwable_detailMessage);
    struct class *c = object_class(o);

    while (!c->loader->is_boot)
        c = c->super;
    return (struct thrown){ c, message ? string_to_utf8(message) : NULL };
}

/* Describes the exception o and its cause.  The caller frees the result with error_free
   or gives it to a pool. */
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

/* Throws a new exception of that class with that message. */
static void
throw_text(struct thread *self, const struct thrown *t)
{
    throw_class(self, t->class, t->message ? "%s" : NULL, t->message);
}

/* Makes an exception like the one that the first attempt to resolve has thrown pending.
   If it cannot be made, for want of memory for instance, what says so is pending
   instead, and gets no cause. */
static void
throw_again(struct thread *self, const struct resolution_error *e)
{
    struct object *cause = NULL;
    HANDLE_SCOPE(self);

    if (e->cause.class) {
        throw_text(self, &e->cause);
        cause = handle_new(self, exception_take(self));
    }
    throw_text(self, &e->error);
    if (cause && object_class(self->exception) == e->error.class)
        REF_FIELD(self->vm, self->exception, Throwable_cause) = cause;
}

/* KC(LinkageError) is NULL, and so is the exception, while the first classes are
   loaded. */
void
cpool_remember_failure(struct thread *self, struct cpool *pool, unsigned index)
{
    struct class *errors = KC(self->vm, LinkageError);
    struct resolution_error *e;
    void *none = NULL;

    if (!errors || !self->exception || !object_is_instance(self->exception, errors))
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
    struct cpool *pool = mem_calloc(1, sizeof *pool
                                           + file->cp_count * sizeof pool->entries[0]);

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
    if (!chunk || chunk->used == chunk->capacity) {
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
cpool_resolution_begin(struct thread *self, struct cpool *pool, unsigned index,
                       union resolved *value)
{
    void *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);

    value->address = is_failed(entry) ? NULL : entry;
    if (is_failed(entry))
        throw_again(self, error_of(entry));
    return !entry;
}

/* If another thread's result was first, that one counts.  If another thread has failed
   meanwhile, the entry stays failed, and only this call returns value: later ones
   throw. */
union resolved
cpool_resolution_end(struct thread *self, struct cpool *pool, unsigned index,
                     union resolved value)
{
    void *found = NULL;

    if (!value.address)
        cpool_remember_failure(self, pool, index);
    else if (!atomic_compare_exchange_strong(&pool->entries[index], &found,
                                             value.address)
             && !is_failed(found))
        value.address = found;
    return value;
}

/* Returns the value of a constant; its address is NULL if it has none. */
static union resolved
resolved_value(const struct cpool *pool, unsigned index)
{
    void *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);

    return (union resolved){ .address = is_failed(entry) ? NULL : entry };
}

struct class *
resolved_class(const struct cpool *pool, unsigned index)
{
    return resolved_value(pool, index).class;
}

struct field *
resolved_field(const struct cpool *pool, unsigned index)
{
    return resolved_value(pool, index).field;
}

struct object *
resolved_object(const struct cpool *pool, unsigned index)
{
    union resolved value = resolved_value(pool, index);

    return value.address ? *value.slot : NULL;
}
