/* SPDX-License-Identifier: MIT */
/* minivm/vm/resolve.c -- run-time constant pools (JVMS 5.1), and the resolution of
 * what is in them (5.4.3). */

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
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

/*
 * False when the entry has its answer: it is in *entry, or NULL and thrown again.
 * True: the caller finds it out and ends by resolution_end.
 */
static bool
resolution_begin(struct thread *self, struct cpool *pool, unsigned index, void **entry)
{
    *entry = atomic_load_explicit(&pool->entries[index], memory_order_acquire);
    if (!is_failed(*entry))
        return *entry == NULL;
    throw_again(self, error_of(*entry));
    *entry = NULL;
    return false;
}

/* value NULL: a pending LinkageError becomes the entry's answer.  Else the answer: the
   first one stays, perhaps another thread's. */
static void *
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

/* May from see c?  False with IllegalAccessError pending. */
static bool
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
    return holder ? check_call(self, pool->class, holder, m, opcode) : NULL;
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

/* ---- method types (JVMS 5.4.3.5) ---- */

/* NULL with an exception pending, or as the answer. */
static struct object *
call_natives(struct thread *self, struct method *m, const union slot *args)
{
    union slot answer = { .ref = NULL };

    return class_initialize(self, m->class) && java_call(self, m, args, &answer)
               ? keep(self, answer.ref)
               : NULL;
}

/* Public classes of java.lang and java.lang.invoke mean the same to every loader, so
   it need not be asked, as HotSpot does not. */
static struct class *
visible_everywhere(struct vm *vm, const struct descriptor_type *type)
{
    size_t length;
    const char *text = descriptor_class_text(type, &length);
    const struct symbol *name;
    struct class *c;

    if (type->kind != 'L' || strncmp(text, "java/lang/", 10) != 0)
        return NULL;
    name = symbol_lookup(text, length);
    c = name ? class_find_loaded(vm->boot_loader, name) : NULL;
    return c && (c->access_flags & ACC_PUBLIC)
                   && (class_same_package(c, KC(vm, Object))
                       || class_same_package(c, KC(vm, MethodHandle)))
               ? c
               : NULL;
}

static struct object *
type_mirror(struct thread *self, struct class *from, const struct descriptor_type *type,
            bool checked)
{
    struct class *c = checked ? visible_everywhere(self->vm, type) : NULL;

    if (c == NULL)
        c = class_of_descriptor(self, from->loader, type->text, type->length);
    if (c && checked && !check_class_access(self, from, c))
        return NULL;
    return c ? c->layout.mirror : NULL;
}

struct object *
parameter_mirrors(struct thread *self, struct class *from,
                  const struct symbol *descriptor, bool checked,
                  struct object **returned)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct descriptor_type type;
    struct object *mirrors = keep(self, array_new(self, self->vm->known.class_array,
                                                  descriptor_arg_count(descriptor)));

    for (int32_t i = 0; mirrors && descriptor_next(&it, &type); i++) {
        struct object *mirror = type_mirror(self, from, &type, checked);

        if (mirror == NULL)
            return NULL;
        ARRAY_REFS(mirrors)[i] = mirror;
    }
    descriptor_return(descriptor, &type);
    *returned = mirrors ? type_mirror(self, from, &type, checked) : NULL;
    return *returned ? mirrors : NULL;
}

struct object *
method_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct method *m = KM(self->vm, MethodHandleNatives_findMethodHandleType);
    union slot args[2];
    SCOPE(self);

    args[1].ref = parameter_mirrors(self, from, descriptor, true, &args[0].ref);
    return args[1].ref ? call_natives(self, m, args) : NULL;
}

/* ---- method handles (JVMS 5.4.3.5) ---- */

static struct object *
field_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct descriptor_type type;

    descriptor_field(descriptor, &type);
    return type_mirror(self, from, &type, true);
}

/* A Methodref that names an interface, or the other way round.  index is the handle's. */
static bool
check_reference(struct thread *self, struct cpool *pool, unsigned index,
                struct class *holder, const struct cf_member *member)
{
    static const char *const names[] = { "CONSTANT_MethodRef",
                                         "CONSTANT_InterfaceMethodRef" };
    enum cf_tag tag = cf_tag_at(pool->file, pool->file->consts[index].ref.b);
    bool is_interface = tag == CF_INTERFACE_METHODREF;
    const struct method wanted = {
        .name = member->name, .descriptor = member->descriptor
    };

    if (tag == CF_FIELDREF || is_interface == class_is_interface(holder))
        return true;
    return THROW(self, IncompatibleClassChangeError,
                 "Inconsistent constant pool data in classfile for class %s. Method "
                 "'%pS' at index %u is %s and should be %s", holder->name->bytes,
                 &wanted, index, names[is_interface], names[!is_interface]);
}

/* A call of a public signature-polymorphic method, which fits any descriptor. */
static bool
is_polymorphic_call(unsigned kind, struct class *holder, const struct cf_member *member)
{
    const struct method *m =
        kind == REF_INVOKE_VIRTUAL && holder->flags & CLASS_IS_POLYMORPHIC
            ? class_find_method(holder, member->name, member->descriptor)
            : NULL;

    return m && (m->flags & METHOD_SIGNATURE_POLYMORPHIC)
           && (m->access_flags & ACC_PUBLIC);
}

/* The member comes before the types of its descriptor, which may not exist. */
static bool
check_member(struct thread *self, struct class *from, unsigned kind,
             struct class *holder, const struct cf_member *member)
{
    if (kind <= REF_PUT_STATIC)
        return link_handle_field(self, holder, member->name, member->descriptor, from,
                                 true);
    return is_polymorphic_call(kind, holder, member)
           || link_handle_method(self, (enum cf_ref_kind)kind, holder, member->name,
                                 member->descriptor, from, true);
}

static struct object *
make_handle(struct thread *self, struct cpool *pool, unsigned index)
{
    unsigned kind = pool->file->consts[index].ref.a;
    unsigned reference = pool->file->consts[index].ref.b;
    struct cf_member member = cf_member(pool->file, reference);
    struct class *holder = resolve_class(self, pool, member.class_index);
    struct method *m = KM(self->vm, MethodHandleNatives_linkMethodHandleConstant);
    union slot args[5];

    if (holder == NULL || !check_reference(self, pool, index, holder, &member)
        || !check_member(self, pool->class, kind, holder, &member))
        return NULL;
    args[0].ref = pool->class->layout.mirror;
    args[1].i = (int32_t)kind;
    args[2].ref = holder->layout.mirror;
    args[3].ref = keep(self, string_intern_symbol(self, member.name));
    if (args[3].ref == NULL)
        return NULL;
    args[4].ref =
        keep(self, kind <= REF_PUT_STATIC
                       ? field_type_of(self, pool->class, member.descriptor)
                       : method_type_of(self, pool->class, member.descriptor));
    return args[4].ref ? call_natives(self, m, args) : NULL;
}

/* ---- constants that are objects ---- */

static struct object *make_dynamic(struct thread *self, struct cpool *pool,
                                   unsigned index);

static struct object *
make_object(struct thread *self, struct cpool *pool, unsigned index)
{
    switch (cf_tag_at(pool->file, index)) {
    case CF_STRING: return string_intern_symbol(self, cf_name(pool->file, index));
    case CF_METHOD_TYPE:
        return method_type_of(self, pool->class, cf_name(pool->file, index));
    case CF_METHOD_HANDLE: return make_handle(self, pool, index);
    default: return make_dynamic(self, pool, index);
    }
}

struct object *
resolve_object(struct thread *self, struct cpool *pool, unsigned index)
{
    void *entry;

    if (resolution_begin(self, pool, index, &entry)) {
        SCOPE(self);
        struct object *o = keep(self, make_object(self, pool, index));
        void *place =
            exception_pending(self) ? NULL : cpool_add_reference(self, pool, o);

        entry = resolution_end(self, pool, index, place);
    }
    return entry ? *(struct object **)entry : NULL;
}

bool
resolve_loadable(struct thread *self, struct cpool *pool, unsigned index,
                 union slot *value, char *type)
{
    static const char primitives[] = {
        [CF_INTEGER] = 'I', [CF_FLOAT] = 'F', [CF_LONG] = 'J', [CF_DOUBLE] = 'D'
    };
    enum cf_tag tag = cf_tag_at(pool->file, index);
    char kind;

    *type = tag < sizeof primitives ? primitives[tag] : 0;
    value->j = pool->file->consts[index].j;
    if (*type)
        return true;
    *type = 'L';
    if (tag == CF_CLASS) {
        struct class *c = resolve_class(self, pool, index);

        value->ref = c ? c->layout.mirror : NULL;
        return c != NULL;
    }
    value->ref = resolve_object(self, pool, index);
    if (exception_pending(self))
        return false;
    kind = tag == CF_DYNAMIC ? cf_member(pool->file, index).descriptor->bytes[0] : 'L';
    if (kind != 'L' && kind != '[')
        *type = unbox_value(self->vm, value->ref, value);
    return true;
}

/* ---- bootstrap methods (JVMS 5.4.3.6) ---- */

/* A static argument as Java sees it; NULL with an exception or as a value. */
static struct object *
static_argument(struct thread *self, struct cpool *pool, unsigned index)
{
    union slot value;
    char type;

    /* A dynamic constant is boxed already, in the type that it has. */
    if (cf_tag_at(pool->file, index) == CF_DYNAMIC)
        return resolve_object(self, pool, index);
    if (!resolve_loadable(self, pool, index, &value, &type))
        return NULL;
    return type == 'L' ? value.ref : box_value(self, type, value);
}

/* None: null; one that is neither null nor an array: itself; else an array. */
static bool
static_arguments(struct thread *self, struct cpool *pool,
                 const struct cf_bootstrap_method *b, struct object **arguments)
{
    struct object *array, *only;

    *arguments = NULL;
    if (b->arg_count == 0)
        return true;
    array = keep(self, array_new(self, self->vm->known.object_array, b->arg_count));
    if (array == NULL)
        return false;
    for (unsigned i = 0; i < b->arg_count; i++) {
        struct object *argument = static_argument(self, pool, b->args[i]);

        if (exception_pending(self))
            return false;
        ARRAY_REFS(array)[i] = argument;
    }
    only = ARRAY_REFS(array)[0];
    *arguments =
        b->arg_count == 1 && only && !class_is_array(object_class(only)) ? only : array;
    return true;
}

bool
call_site_has_failed(struct thread *self, struct cpool *pool, unsigned index)
{
    void *entry;

    return !resolution_begin(self, pool, index, &entry);
}

void
call_site_failed(struct thread *self, struct cpool *pool, unsigned index)
{
    wrap_bootstrap_exception(self);
    remember_failure(self, pool, index);
}

bool
resolve_bootstrap(struct thread *self, struct cpool *pool, unsigned index,
                  struct bootstrap_call *call)
{
    struct cf_member member = cf_member(pool->file, index);
    const struct cf_bootstrap_method *b =
        &pool->file->bootstrap_methods[member.bootstrap];
    bool is_call = cf_tag_at(pool->file, index) == CF_INVOKE_DYNAMIC;

    call->handle = keep(self, resolve_object(self, pool, b->method_handle));
    if (call->handle == NULL)
        return false;
    call->name = keep(self, string_intern_symbol(self, member.name));
    if (call->name == NULL)
        return false;
    call->type =
        keep(self, is_call ? method_type_of(self, pool->class, member.descriptor)
                           : field_type_of(self, pool->class, member.descriptor));
    if (call->type == NULL)
        return false;
    return static_arguments(self, pool, b, &call->arguments);
}

static struct object *
make_dynamic(struct thread *self, struct cpool *pool, unsigned index)
{
    struct method *m = KM(self->vm, MethodHandleNatives_linkDynamicConstant);
    struct object *value = NULL;
    struct bootstrap_call call;

    /* A static argument may lead back here (JVMS 5.4.3.6). */
    if (c_stack_left(self) && resolve_bootstrap(self, pool, index, &call)) {
        union slot args[] = {
            { .ref = pool->class->layout.mirror }, { .i = (int32_t)index },
            { .ref = call.handle }, { .ref = call.name }, { .ref = call.type },
            { .ref = call.arguments }
        };

        value = call_natives(self, m, args);
    }
    wrap_bootstrap_exception(self);
    return value;
}
