/* SPDX-License-Identifier: MIT */
/* minivm/vm/redefine.c -- giving loaded classes new versions. */

#include "vm/redefine.h"

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/module.h"
#include "vm/reflect.h"
#include "vm/registry.h"
#include "vm/safepoint.h"

bool
class_is_modifiable(const struct class *c)
{
    return !c->primitive && !class_is_array(c) && !(c->flags & CLASS_IS_HIDDEN);
}

/* ---- one at a time ---- */

/* A redefinition under way.  Another thread that wants one of its classes waits; the
   same thread, in a hook, does not. */
struct redefinition {
    struct thread *thread;
    struct new_version *versions;
    size_t count;
    struct redefinition *next;
};

static bool
overlaps(const struct redefinition *a, const struct redefinition *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (a->versions[i].class == b->versions[j].class)
                return true;
    return false;
}

static bool
must_wait(const struct class_registry *registry, const struct redefinition *mine)
{
    for (const struct redefinition *r = registry->redefinitions; r; r = r->next)
        if (r->thread != mine->thread && overlaps(r, mine))
            return true;
    return false;
}

static void
begin(struct redefinition *mine)
{
    struct vm *vm = mine->thread->vm;
    LOCK(&vm->class_mutex);

    while (must_wait(vm->registry, mine))
        registry_wait(mine->thread);
    mine->next = vm->registry->redefinitions;
    vm->registry->redefinitions = mine;
}

static void
end(struct redefinition *mine)
{
    struct vm *vm = mine->thread->vm;
    struct redefinition **at = &vm->registry->redefinitions;
    LOCK(&vm->class_mutex);

    while (*at != mine)
        at = &(*at)->next;
    *at = mine->next;
    pthread_cond_broadcast(&vm->registry->changed);
}

/* ---- before the exchange ---- */

/* What an agent made is checked like a stranger's file, whoever the loader is. */
static enum redefine_result
parse(struct thread *self, const struct class *c, const struct class_bytes *b,
      struct classfile **file)
{
    const struct vm *vm = self->vm;
    const struct classfile_options options = {
        .expected_name = c->name,
        .max_major = (uint16_t)vm->profile->max_class_major,
        .privileged = c->loader->is_boot || c->loader->is_platform,
        .preview = vm->options.enable_preview,
    };
    static const enum redefine_result results[] = {
        [CLASSFILE_FORMAT] = REDEFINE_FORMAT, [CLASSFILE_VERSION] = REDEFINE_VERSION,
        [CLASSFILE_WRONG_NAME] = REDEFINE_NAME,
        [CLASSFILE_NO_MEMORY] = REDEFINE_NO_MEMORY
    };
    struct classfile_error error = { 0 };

    *file = classfile_parse(b->bytes, b->length, &options, &error);
    return *file ? REDEFINE_DONE : results[error.kind];
}

static enum redefine_result
verify(struct thread *self, struct class *c, const struct classfile *file)
{
    const struct object *error;

    if (c->flags & CLASS_SKIPS_CHECKS || !self->vm->options.verify_remote
        || class_verify(self, c, file))
        return REDEFINE_DONE;
    error = exception_take(self);
    return error && object_is_instance(error, KC(self->vm, OutOfMemoryError))
               ? REDEFINE_NO_MEMORY
               : REDEFINE_VERIFICATION;
}

static void
send_hook(struct thread *self, struct class *c, struct class_bytes *b)
{
    b->redefined = c;
    b->loader = c->loader;
    b->name = c->name->bytes;
    b->protection_domain =
        REF_FIELD(self->vm, c->layout.mirror, Class_protectionDomain);
    EVENT_SEND(EVENT_CLASS_FILE_LOAD, class_file_load, self, b);
    exception_take(self);
}

static bool
same_bytes(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, b_length) == 0;
}

/* Is b what the class has already, here and where retransformation begins? */
static bool
is_same(const struct cpool *pool, const struct class_bytes *b)
{
    return same_bytes(b->bytes, b->length, pool->file->bytes, pool->file->length)
           && (pool->initial && b->initial
                   ? same_bytes(b->initial, b->initial_length, pool->initial,
                                pool->initial_length)
                   : pool->initial == b->initial);
}

static enum redefine_result
prepare(struct thread *self, struct new_version *v)
{
    struct class *c = v->class;
    const struct cpool *pool = c->pool;
    struct class_bytes b = { .bytes = v->bytes, .length = v->length };
    struct classfile *file = NULL;
    enum redefine_result result;

    if (v->bytes == NULL) {
        b.again = true;
        b.bytes = pool->initial ? pool->initial : pool->file->bytes;
        b.length = pool->initial ? pool->initial_length : pool->file->length;
    }
    send_hook(self, c, &b);
    if (b.changed != NULL)
        module_transformed(self, c->module);
    v->same = is_same(c->pool, &b) ? c->pool : NULL;
    result = parse(self, c, &b, &file);
    mem_free(b.changed);
    if (result == REDEFINE_DONE && !v->same)
        result = redefine_check(c, file);
    if (result == REDEFINE_DONE && !v->same)
        result = verify(self, c, file);
    if (result != REDEFINE_DONE) {
        classfile_free(file);
        mem_free(b.initial);
        return result;
    }
    v->pool = cpool_new(c, file);
    v->pool->entries[file->this_index] = c;
    v->pool->initial = b.initial;
    v->pool->initial_length = b.initial_length;
    return REDEFINE_DONE;
}

/* ---- the exchange: the world is stopped, class_mutex is held ---- */

static void
mark_running(struct vm *vm)
{
    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        for (struct frame *f = thread_top_frame(t); f; f = frame_older(f))
            if (f->code->method->class->flags & CLASS_IS_REPLACED)
                f->code->is_running = true;
    threads_unlock(vm);
}

/* Old code that no frame runs and no id names is kept for backtraces only: without
   its translation, and off the list. */
static void
retire(struct code **list)
{
    while (*list) {
        struct code *code = *list;

        if (code->is_running || code->id) {
            code->is_running = false;
            list = &code->previous;
            continue;
        }
        *list = code->previous;
        code_release(code);
        frame_forget_code(code);
        code_prepare(code);
    }
}

/* A body in C stood for the old bytecode.  Frames that are about to run it go on
   with that; what is still the same is looked up again. */
static void
drop_intrinsic(struct method *m, struct code *old, bool is_equivalent)
{
    if (is_equivalent) {
        if (m->intrinsic)
            m->flags &= (uint16_t)~METHOD_INTRINSIC_TRIED;
        return;
    }
    m->flags |= METHOD_INTRINSIC_TRIED;
    if (m->intrinsic)
        code_prepare(old);
    m->intrinsic = NULL;
}

static void
replace_code(struct method *m, struct code *fresh, const struct cf_method *from,
             struct cpool *pool)
{
    struct code *old = method_code(m);
    bool is_equivalent = redefine_is_equivalent(old, pool->file, from);

    for (struct code *c = is_equivalent ? NULL : old; c && !c->is_obsolete;
         c = c->previous)
        c->is_obsolete = true;
    m->flags = (uint16_t)((m->flags & ~METHOD_MARKS) | (from->marks & METHOD_MARKS));
    drop_intrinsic(m, old, is_equivalent);
    code_init(fresh, m, from, pool);
    fresh->previous = old;
    retire(&fresh->previous);
    atomic_store_explicit(&m->code, fresh, memory_order_release);
}

/* In the order that the new file has them. */
static void
order_interfaces(struct class *c, const struct classfile *file)
{
    for (uint32_t i = 0; i < c->interface_count; i++)
        for (uint32_t j = i; j < c->interface_count; j++)
            if (c->interfaces[j]->name == cf_name(file, file->interfaces[i])) {
                struct class *found = c->interfaces[j];

                c->interfaces[j] = c->interfaces[i];
                c->interfaces[i] = found;
            }
}

/* Nothing of a class changes when its file does not: tools often transform all
   classes again to change a few. */
static void
replace(struct new_version *v)
{
    struct class *c = v->class;
    const struct classfile *file = v->pool->file;
    struct code *codes;

    if (v->same == c->pool) {
        c->flags &= (uint16_t)~CLASS_IS_REPLACED;
        return;
    }
    v->same = NULL;
    c->flags |= CLASS_IS_REPLACED;
    codes = arena_calloc(&c->arena, file->method_count + 1u, sizeof *codes);
    for (unsigned i = 0; i < file->method_count; i++) {
        const struct cf_method *from = &file->methods[i];

        replace_code(class_own_method(c, from->name, from->descriptor), &codes[i], from,
                     v->pool);
    }
    order_interfaces(c, file);
    annotation_number_pool(v->pool, c->pool);
    v->pool->previous = c->pool;
    c->pool = v->pool;
    c->source_file = file->source_file;
}

static bool
inherits_replaced(const struct class *c)
{
    for (const struct class *s = c; s; s = s->super)
        if (s->flags & CLASS_IS_REPLACED)
            return true;
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i]->flags & CLASS_IS_REPLACED)
            return true;
    return false;
}

/* Class.reflectionData is of one version; what it has of methods is inherited. */
static void
count_version(void *context, struct class *c)
{
    const struct vm *vm = context;

    if (c->layout.mirror && inherits_replaced(c))
        INT_FIELD(vm, c->layout.mirror, Class_classRedefinedCount)++;
}

static void
replace_all(struct redefinition *r,
            void (*replacing)(struct thread *self, struct class *c))
{
    struct vm *vm = r->thread->vm;

    world_stop(r->thread, "redefinition");
    for (size_t i = 0; i < r->count; i++)
        r->versions[i].class->flags |= CLASS_IS_REPLACED;
    mark_running(vm);
    for (size_t i = 0; i < r->count; i++)
        replacing(r->thread, r->versions[i].class);
    mutex_lock(&vm->class_mutex);
    for (size_t i = 0; i < r->count; i++)
        replace(&r->versions[i]);
    mutex_unlock(&vm->class_mutex);
    classes_visit(vm, false, count_version, vm);
    for (size_t i = 0; i < r->count; i++)
        r->versions[i].class->flags &= (uint16_t)~CLASS_IS_REPLACED;
    world_resume(r->thread);
    for (size_t i = 0; i < r->count; i++)
        if (r->versions[i].same)
            cpool_free(r->versions[i].pool);
}

enum redefine_result
classes_redefine(struct thread *self, struct new_version *versions, size_t count,
                 void (*replacing)(struct thread *self, struct class *c))
{
    struct redefinition r = { self, versions, count, NULL };
    enum redefine_result result = REDEFINE_DONE;
    size_t done = 0;
    SCOPE(self);
    struct object *pending = keep(self, exception_take(self));

    begin(&r);
    while (result == REDEFINE_DONE && done < count)
        result = prepare(self, &versions[done++]);
    if (result == REDEFINE_DONE)
        replace_all(&r, replacing);
    else
        while (done-- > 0)
            if (versions[done].pool)
                cpool_free(versions[done].pool);
    end(&r);
    self->exception = pending;
    return result;
}
