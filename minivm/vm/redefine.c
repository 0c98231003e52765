/* SPDX-License-Identifier: MIT */
/* minivm/vm/redefine.c -- giving loaded classes new versions. */

#include "vm/redefine.h"

#include <string.h>

#include "base/events.h"
#include "base/history.h"
#include "base/mem.h"
#include "classfile/opcode.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/module.h"
#include "vm/reflect.h"
#include "vm/registry.h"
#include "vm/safepoint.h"
#include "vm/string.h"

bool
class_is_modifiable(const struct class *c)
{
    return !c->primitive && !class_is_array(c) && !(c->flags & CLASS_IS_HIDDEN);
}

/* ---- one at a time ---- */

/* Another thread that wants one of the classes waits; the same thread, in a hook, does
   not. */
static void
begin(struct thread *self, struct new_version *versions, size_t count)
{
    LOCK(&self->vm->class_mutex);

    for (size_t i = 0; i < count;) {
        const struct thread *other = versions[i++].class->redefiner;

        if (other && other != self) {
            registry_wait(self);
            i = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        versions[i].is_nested = versions[i].class->redefiner == self;
        versions[i].class->redefiner = self;
    }
}

static void
end(struct thread *self, struct new_version *versions, size_t count)
{
    LOCK(&self->vm->class_mutex);

    for (size_t i = 0; i < count; i++)
        if (!versions[i].is_nested)
            versions[i].class->redefiner = NULL;
    pthread_cond_broadcast(&self->vm->registry->changed);
}

/* ---- what a new version may change ---- */

static const struct symbol *
name_or_null(const struct classfile *file, unsigned index)
{
    return index ? cf_name(file, index) : NULL;
}

/* The same names in any order; class files do not repeat them. */
static bool
same_names(const struct classfile *a, const uint16_t *in_a, unsigned a_count,
           const struct classfile *b, const uint16_t *in_b, unsigned b_count)
{
    for (unsigned i = 0; i < a_count; i++)
        if (!class_list_has(b, in_b, b_count, cf_name(a, in_a[i])))
            return false;
    return a_count == b_count;
}

/* Would loading super for c need c itself? */
static bool
leads_back(const struct class *c, const struct symbol *super)
{
    struct class *found;

    if (super == c->name)
        return true;
    found = super ? class_find_loaded(c->loader, super) : NULL;
    return found && class_is_subtype(found, (struct class *)(uintptr_t)c);
}

static bool
is_circular(const struct class *c, const struct classfile *file)
{
    if (leads_back(c, file->super_class))
        return true;
    for (unsigned i = 0; i < file->interface_count; i++)
        if (leads_back(c, cf_name(file, file->interfaces[i])))
            return true;
    return false;
}

static bool
same_components(const struct classfile *a, const struct classfile *b)
{
    for (unsigned i = 0; i < a->component_count && i < b->component_count; i++) {
        const struct cf_record_component *x = &a->components[i], *y = &b->components[i];

        if (x->name != y->name || x->descriptor != y->descriptor
            || x->signature != y->signature)
            return false;
    }
    return a->is_record == b->is_record && a->component_count == b->component_count;
}

/* NestHost, NestMembers, Record and PermittedSubclasses must stay. */
static bool
same_attributes(const struct classfile *a, const struct classfile *b)
{
    return name_or_null(a, a->nest_host) == name_or_null(b, b->nest_host)
           && a->has_nest_members == b->has_nest_members
           && same_names(a, a->nest_members, a->nest_member_count, b, b->nest_members,
                         b->nest_member_count)
           && same_components(a, b)
           && a->has_permitted_subclasses == b->has_permitted_subclasses
           && same_names(a, a->permitted_subclasses, a->permitted_count, b,
                         b->permitted_subclasses, b->permitted_count);
}

/* Their order is part of it: the heap functions number fields. */
static bool
same_fields(const struct classfile *a, const struct classfile *b)
{
    for (unsigned i = 0; i < a->field_count && i < b->field_count; i++) {
        const struct cf_field *x = &a->fields[i], *y = &b->fields[i];

        if (x->name != y->name || x->descriptor != y->descriptor
            || x->access_flags != y->access_flags)
            return false;
    }
    return a->field_count == b->field_count;
}

/* May a method of these flags be added and deleted?  The option is HotSpot's, which
   allows it for methods that are not inherited. */
static bool
may_come_and_go(unsigned access_flags)
{
    return the_vm->options.add_delete_methods && access_flags & ACC_PRIVATE
           && access_flags & (ACC_STATIC | ACC_FINAL);
}

static bool
has_method(const struct classfile *file, const struct method *m)
{
    for (unsigned i = 0; i < file->method_count; i++)
        if (file->methods[i].name == m->name
            && file->methods[i].descriptor == m->descriptor)
            return true;
    return false;
}

/* All that are not in file may go? */
static bool
check_deleted(const struct class *c, const struct classfile *file)
{
    for (uint32_t i = 0; i < c->method_count; i++) {
        const struct method *m = class_method(c, i);

        if (!(m->flags & METHOD_DELETED) && !may_come_and_go(m->access_flags)
            && !has_method(file, m))
            return false;
    }
    return true;
}

static enum redefine_result
check_methods(const struct class *c, const struct classfile *file)
{
    enum redefine_result result = REDEFINE_DONE;
    unsigned found = 0;

    for (unsigned i = 0; i < file->method_count; i++) {
        const struct cf_method *fresh = &file->methods[i];
        const struct method *m = class_own_method(c, fresh->name, fresh->descriptor);

        found += m != NULL;
        if (m == NULL && !may_come_and_go(fresh->access_flags))
            return REDEFINE_METHOD_ADDED;
        if (m != NULL && m->access_flags != fresh->access_flags)
            result = REDEFINE_METHOD_MODIFIERS;
    }
    /* Methods are counted by 16 bits. */
    if (c->method_count + file->method_count - found > UINT16_MAX)
        return REDEFINE_METHOD_ADDED;
    return found < c->pool->file->method_count && !check_deleted(c, file)
               ? REDEFINE_METHOD_DELETED
               : result;
}

/* May file become the next version of c? */
static enum redefine_result
check(const struct class *c, const struct classfile *file)
{
    const struct classfile *old = c->pool->file;

    if (is_circular(c, file))
        return REDEFINE_CIRCULAR;
    if (old->super_class != file->super_class
        || !same_names(old, old->interfaces, old->interface_count, file,
                       file->interfaces, file->interface_count))
        return REDEFINE_HIERARCHY;
    if (!same_attributes(old, file))
        return REDEFINE_ATTRIBUTE;
    if (old->access_flags != file->access_flags)
        return REDEFINE_CLASS_MODIFIERS;
    if (!same_fields(old, file))
        return REDEFINE_SCHEMA;
    return check_methods(c, file);
}

/* ---- equivalence ---- */

/* Bootstrap methods may take constants that have bootstrap methods; a file may make
   a circle of them. */
enum { DEEPEST_CONSTANT = 16 };

static bool same_constant(const struct classfile *a, unsigned i,
                          const struct classfile *b, unsigned j, int depth);

static bool
same_bootstrap(const struct classfile *a, unsigned i, const struct classfile *b,
               unsigned j, int depth)
{
    const struct cf_bootstrap_method *x, *y;

    if (i >= a->bootstrap_count || j >= b->bootstrap_count)
        return false;
    x = &a->bootstrap_methods[i];
    y = &b->bootstrap_methods[j];
    if (x->arg_count != y->arg_count
        || !same_constant(a, x->method_handle, b, y->method_handle, depth))
        return false;
    for (unsigned k = 0; k < x->arg_count; k++)
        if (!same_constant(a, x->args[k], b, y->args[k], depth))
            return false;
    return true;
}

static bool
same_member(const struct classfile *a, unsigned i, const struct classfile *b,
            unsigned j)
{
    struct cf_member x = cf_member(a, i), y = cf_member(b, j);

    return x.class_name == y.class_name && x.name == y.name
           && x.descriptor == y.descriptor;
}

static bool
same_constant(const struct classfile *a, unsigned i, const struct classfile *b,
              unsigned j, int depth)
{
    const union cf_const *x = &a->consts[i], *y = &b->consts[j];

    if (cf_tag_at(a, i) != cf_tag_at(b, j) || depth == DEEPEST_CONSTANT)
        return false;
    switch (cf_tag_at(a, i)) {
    case CF_INTEGER: case CF_FLOAT:
        return x->i == y->i;
    case CF_LONG: case CF_DOUBLE:
        return x->j == y->j;
    case CF_CLASS: case CF_STRING: case CF_METHOD_TYPE:
        return cf_name(a, i) == cf_name(b, j);
    case CF_FIELDREF: case CF_METHODREF: case CF_INTERFACE_METHODREF:
        return same_member(a, i, b, j);
    case CF_METHOD_HANDLE:
        return x->ref.a == y->ref.a && same_member(a, x->ref.b, b, y->ref.b);
    case CF_DYNAMIC: case CF_INVOKE_DYNAMIC:
        return same_member(a, i, b, j)
               && same_bootstrap(a, x->ref.a, b, y->ref.a, depth + 1);
    default:
        return false;
    }
}

/* Is method m of file the same as code but for constant pool indices (JVM TI "Obsolete
   Methods")? */
static bool
is_equivalent(const struct code *code, const struct classfile *file,
              const struct cf_method *m)
{
    enum {
        WITH_CONSTANT = 1 << FORMAT_CP1 | 1 << FORMAT_CP2 | 1 << FORMAT_INTERFACE
                        | 1 << FORMAT_DYNAMIC | 1 << FORMAT_MULTI
    };
    const struct cf_method *old = code->info;
    struct instruction x, y;

    if (old->code_length != m->code_length || !m->has_code)
        return old->has_code == m->has_code && old->code_length == m->code_length;
    for (uint32_t bci = 0; bci < m->code_length; bci += x.length) {
        if (!opcode_decode(old->code, old->code_length, bci, &x)
            || !opcode_decode(m->code, m->code_length, bci, &y)
            || x.opcode != y.opcode || x.length != y.length)
            return false;
        if (1 << opcode_table[x.opcode].format & WITH_CONSTANT
                ? x.operand != y.operand
                      || !same_constant(code->pool->file, x.index, file, y.index, 0)
                : memcmp(old->code + bci, m->code + bci, x.length) != 0)
            return false;
    }
    return true;
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

/* JVM TI has an error number only, which does not help an agent's author. */
static void
log_failure(struct vm *vm, const struct class *c, const struct object *error)
{
    const struct object *text = REF_FIELD(vm, error, Throwable_detailMessage);

    if (log_wanted(LOG_REDEFINE_EXCEPTIONS, LOG_INFO))
        vm_log(LOG_REDEFINE_EXCEPTIONS, LOG_INFO,
               "verify_byte_codes exception: '%s' for %pC%s%pF",
               object_class(error)->name->bytes, c, text ? ": " : "",
               text ? string_to_utf8(text) : NULL);
}

/* Also classes of the boot loader are verified, which linking trusts: JVM TI knows no
   exception, and what agents make is what goes wrong. */
static enum redefine_result
verify(struct thread *self, struct class *c, const struct classfile *file)
{
    const struct object *error;

    if (c->flags & CLASS_SKIPS_CHECKS || !self->vm->options.verify_remote
        || class_verify(self, c, file))
        return REDEFINE_DONE;
    error = exception_take(self);
    if (error)
        log_failure(self->vm, c, error);
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
changes_nothing(const struct cpool *pool, const struct class_bytes *b)
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
    v->same = changes_nothing(c->pool, &b) ? c->pool : NULL;
    result = parse(self, c, &b, &file);
    mem_free(b.changed);
    if (result == REDEFINE_DONE && !v->same)
        result = check(c, file);
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

/* What runs is noted by the number of the exchange, which needs no clearing: a class
   may be in the list more than once. */
static void
mark_running(struct vm *vm)
{
    uint32_t exchange = ++vm->registry->exchanges;

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        for (struct frame *f = thread_top_frame(t); f; f = frame_older(f))
            if (f->code->method->class->flags & CLASS_IS_REPLACED)
                f->code->seen_running = exchange;
    threads_unlock(vm);
}

/* Old code that no frame runs and no id names is kept for backtraces only: without
   its translation, and off the list. */
static void
retire(struct code **list)
{
    uint32_t exchange = the_vm->registry->exchanges;

    while (*list) {
        struct code *code = *list;

        if (code->seen_running == exchange || code->id) {
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
drop_intrinsic(struct method *m, struct code *old, bool is_same)
{
    if (is_same) {
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
make_obsolete(struct code *code)
{
    for (; code && !code->is_obsolete; code = code->previous)
        code->is_obsolete = true;
}

static void
replace_code(struct method *m, struct code *fresh, const struct cf_method *from,
             struct cpool *pool)
{
    struct code *old = method_code(m);
    bool is_same = old && !(m->flags & METHOD_DELETED)
                   && is_equivalent(old, pool->file, from);

    if (!is_same)
        make_obsolete(old);
    m->flags = (uint16_t)((m->flags & ~(METHOD_MARKS | METHOD_DELETED))
                          | (from->marks & METHOD_MARKS));
    if (old)
        drop_intrinsic(m, old, is_same);
    code_init(fresh, m, from, pool);
    fresh->previous = old;
    retire(&fresh->previous);
    atomic_store_explicit(&m->code, fresh, memory_order_release);
}

/* Whoever still calls m gets NoSuchMethodError; its frames run on. */
static void
delete_method(struct method *m)
{
    struct arena *arena = &m->class->arena;
    struct code *gone = arena_calloc(arena, 1, sizeof *gone), *old = method_code(m);
    struct cf_method *info = arena_calloc(arena, 1, sizeof *info);

    make_obsolete(old);
    drop_intrinsic(m, old, false);
    m->flags |= METHOD_DELETED;
    m->native = NULL;
    *info = (struct cf_method){
        .name = m->name, .descriptor = m->descriptor, .arg_slots = m->arg_slots,
        .access_flags = m->access_flags, .signature = old->info->signature,
    };
    code_init(gone, m, info, old->pool);
    gone->is_obsolete = true;
    gone->previous = old;
    retire(&gone->previous);
    atomic_store_explicit(&m->code, gone, memory_order_release);
}

/* An own method, perhaps one that was deleted. */
static struct method *
method_to_replace(struct vm *vm, struct class *c, const struct cf_method *from)
{
    struct method *m = class_own_method(c, from->name, from->descriptor);

    for (uint32_t i = 0; !m && i < c->method_count; i++)
        if (class_method(c, i)->name == from->name
            && class_method(c, i)->descriptor == from->descriptor
            && class_method(c, i)->access_flags == from->access_flags)
            m = class_method(c, i);
    return m ? m : class_add_method(vm, c, from);
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
replace(struct vm *vm, struct new_version *v)
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

        replace_code(method_to_replace(vm, c, from), &codes[i], from, v->pool);
    }
    for (uint32_t i = 0; c->method_count > file->method_count && i < c->method_count;
         i++) {
        struct method *m = class_method(c, i);

        if (!(m->flags & METHOD_DELETED) && method_code(m)->pool != v->pool)
            delete_method(m);
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
replace_all(struct thread *self, struct new_version *versions, size_t count,
            void (*replacing)(struct thread *self, struct class *c))
{
    struct vm *vm = self->vm;

    world_stop(self, "redefinition");
    for (size_t i = 0; i < count; i++)
        versions[i].class->flags |= CLASS_IS_REPLACED;
    mark_running(vm);
    for (size_t i = 0; i < count; i++)
        replacing(self, versions[i].class);
    mutex_lock(&vm->class_mutex);
    for (size_t i = 0; i < count; i++) {
        replace(vm, &versions[i]);
        history_add(HISTORY_REDEFINED, "Redefined class %s",
                    versions[i].class->name->bytes);
    }
    mutex_unlock(&vm->class_mutex);
    classes_visit(vm, false, count_version, vm);
    for (size_t i = 0; i < count; i++)
        versions[i].class->flags &= (uint16_t)~CLASS_IS_REPLACED;
    world_resume(self);
    for (size_t i = 0; i < count; i++)
        if (versions[i].same)
            cpool_free(versions[i].pool);
}

enum redefine_result
classes_redefine(struct thread *self, struct new_version *versions, size_t count,
                 void (*replacing)(struct thread *self, struct class *c))
{
    enum redefine_result result = REDEFINE_DONE;
    size_t done = 0;
    SCOPE(self);
    struct object *pending = keep(self, exception_take(self));

    begin(self, versions, count);
    while (result == REDEFINE_DONE && done < count)
        result = prepare(self, &versions[done++]);
    if (result == REDEFINE_DONE)
        replace_all(self, versions, count, replacing);
    else
        while (done-- > 0)
            if (versions[done].pool)
                cpool_free(versions[done].pool);
    end(self, versions, count);
    self->exception = pending;
    return result;
}
