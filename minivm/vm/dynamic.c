/* SPDX-License-Identifier: MIT */
/* minivm/vm/dynamic.c -- method types, method handles and dynamic constants
 * (JVMS 5.4.3.5, 5.4.3.6). */

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/registry.h"
#include "vm/resolve.h"
#include "vm/string.h"

/* ---- upcalls ---- */

static bool
call_natives(struct thread *self, struct method *m, const union slot *args,
             struct object **result)
{
    union slot answer = { .ref = NULL };

    if (!class_initialize(self, m->class) || !java_call(self, m, args, &answer))
        return false;
    *result = keep(self, answer.ref);
    return true;
}

/* ---- method types ---- */

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
type_mirror(struct thread *self, struct class *from, const struct descriptor_type *type)
{
    struct class *c = visible_everywhere(self->vm, type);
    char *message;

    if (c == NULL)
        c = class_of_descriptor(self, from->loader, type->text, type->length);

    if (c == NULL)
        return NULL;
    if (!access_class(from, c)) {
        message = access_class_message(from, c->bottom);
        THROW(self, IllegalAccessError, "%s", message);
        mem_free(message);
        return NULL;
    }
    return c->layout.mirror;
}

struct object *
method_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct descriptor_type type;
    struct object *parameters, *result = NULL, *mirror;
    union slot args[2];
    int32_t i = 0;
    SCOPE(self);

    parameters = keep(self, array_new(self, self->vm->known.class_array,
                                      descriptor_arg_count(descriptor)));
    if (parameters == NULL)
        return NULL;
    while (descriptor_next(&it, &type)) {
        mirror = type_mirror(self, from, &type);
        if (mirror == NULL)
            return NULL;
        ARRAY_REFS(parameters)[i++] = mirror;
    }
    descriptor_return(descriptor, &type);
    mirror = type_mirror(self, from, &type);
    if (mirror == NULL)
        return NULL;
    args[0].ref = mirror;
    args[1].ref = parameters;
    call_natives(self, KM(self->vm, MethodHandleNatives_findMethodHandleType), args,
                 &result);
    return exception_pending(self) ? NULL : result;
}

struct object *
resolve_method_type(struct thread *self, struct cpool *pool, unsigned index)
{
    struct object *type;
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry ? *(struct object **)entry : NULL;
    SCOPE(self);
    type = keep(self, method_type_of(self, pool->class, cf_name(pool->file, index)));
    if (type == NULL)
        return resolution_end(self, pool, index, NULL);
    return *resolution_end_object(self, pool, index, type);
}

/* ---- method handles ---- */

static struct object *
field_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct descriptor_type type;

    descriptor_field(descriptor, &type);
    return type_mirror(self, from, &type);
}

/* A Methodref that names an interface, or the other way round. */
static bool
check_reference(struct thread *self, struct cpool *pool, unsigned index,
                const struct class *holder, const struct cf_member *member)
{
    enum cf_tag tag = cf_tag_at(pool->file, index);
    bool is_interface = tag == CF_INTERFACE_METHODREF;
    char *name, *method;

    if (tag == CF_FIELDREF || is_interface == class_is_interface(holder))
        return true;
    name = class_external_name(pool->class);
    method = method_external_name(holder, member->name, member->descriptor);
    THROW(self, IncompatibleClassChangeError,
          "Inconsistent constant pool data in classfile for class %s. Method '%s' at "
          "index %u is %s and should be %s",
          name, method, index,
          is_interface ? "CONSTANT_InterfaceMethodRef" : "CONSTANT_MethodRef",
          is_interface ? "CONSTANT_MethodRef" : "CONSTANT_InterfaceMethodRef");
    mem_free(name);
    mem_free(method);
    return false;
}

static struct object *
make_handle(struct thread *self, struct cpool *pool, unsigned index)
{
    unsigned kind = pool->file->consts[index].ref.a;
    unsigned reference = pool->file->consts[index].ref.b;
    struct cf_member member = cf_member(pool->file, reference);
    struct class *holder = resolve_class(self, pool, member.class_index);
    struct object *handle = NULL;
    union slot args[5];

    if (holder == NULL || !check_reference(self, pool, reference, holder, &member))
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
    if (args[4].ref == NULL)
        return NULL;
    call_natives(self, KM(self->vm, MethodHandleNatives_linkMethodHandleConstant), args,
                 &handle);
    return exception_pending(self) ? NULL : handle;
}

struct object *
resolve_method_handle(struct thread *self, struct cpool *pool, unsigned index)
{
    struct object *handle;
    void *entry;

    if (!resolution_begin(self, pool, index, &entry))
        return entry ? *(struct object **)entry : NULL;
    SCOPE(self);
    handle = make_handle(self, pool, index);
    if (handle == NULL)
        return resolution_end(self, pool, index, NULL);
    return *resolution_end_object(self, pool, index, handle);
}

/* ---- loadable constants ---- */

static bool
load_object(struct thread *self, struct cpool *pool, unsigned index, union slot *value)
{
    struct class *c;

    switch (cf_tag_at(pool->file, index)) {
    case CF_CLASS:
        c = resolve_class(self, pool, index);
        value->ref = c ? c->layout.mirror : NULL;
        return c != NULL;
    case CF_STRING:
        value->ref = resolve_string(self, pool, index);
        break;
    case CF_METHOD_TYPE:
        value->ref = resolve_method_type(self, pool, index);
        break;
    case CF_METHOD_HANDLE:
        value->ref = resolve_method_handle(self, pool, index);
        break;
    default:
        return resolve_dynamic(self, pool, index, &value->ref);
    }
    return value->ref != NULL;
}

struct box {
    char type;
    enum known_class class;
    enum known_field value;
};

static const struct box boxes[] = {
    { 'Z', KNOWN_CLASS_Boolean, KNOWN_FIELD_Boolean_value },
    { 'C', KNOWN_CLASS_Character, KNOWN_FIELD_Character_value },
    { 'F', KNOWN_CLASS_Float, KNOWN_FIELD_Float_value },
    { 'D', KNOWN_CLASS_Double, KNOWN_FIELD_Double_value },
    { 'B', KNOWN_CLASS_Byte, KNOWN_FIELD_Byte_value },
    { 'S', KNOWN_CLASS_Short, KNOWN_FIELD_Short_value },
    { 'I', KNOWN_CLASS_Integer, KNOWN_FIELD_Integer_value },
    { 'J', KNOWN_CLASS_Long, KNOWN_FIELD_Long_value },
};

static const struct box *
box_of(char type)
{
    const struct box *b = boxes;

    while (b->type != type)
        b++;
    return b;
}

static void
unbox(struct vm *vm, const struct object *o, char type, union slot *value)
{
    uint32_t offset = vm->known.fields[box_of(type)->value];

    switch (type) {
    case 'Z': value->i = OBJECT_FIELD(uint8_t, o, offset); break;
    case 'B': value->i = OBJECT_FIELD(int8_t, o, offset); break;
    case 'C': value->i = OBJECT_FIELD(uint16_t, o, offset); break;
    case 'S': value->i = OBJECT_FIELD(int16_t, o, offset); break;
    case 'J': case 'D': value->j = OBJECT_FIELD(int64_t, o, offset); break;
    default: value->i = OBJECT_FIELD(int32_t, o, offset); break;
    }
}

bool
resolve_loadable(struct thread *self, struct cpool *pool, unsigned index,
                 union slot *value, char *type)
{
    const union cf_const *constant = &pool->file->consts[index];
    enum cf_tag tag = cf_tag_at(pool->file, index);

    value->bits = 0;
    switch (tag) {
    case CF_INTEGER:
        *type = 'I';
        value->i = constant->i;
        return true;
    case CF_FLOAT:
        *type = 'F';
        value->f = constant->f;
        return true;
    case CF_LONG:
        *type = 'J';
        value->j = constant->j;
        return true;
    case CF_DOUBLE:
        *type = 'D';
        value->d = constant->d;
        return true;
    default:
        break;
    }
    *type = 'L';
    if (!load_object(self, pool, index, value))
        return false;
    if (tag == CF_DYNAMIC && value->ref) {
        char kind = cf_member(pool->file, index).descriptor->bytes[0];

        if (kind != 'L' && kind != '[') {
            *type = kind;
            unbox(self->vm, value->ref, kind, value);
        }
    }
    return true;
}

/* ---- bootstrap methods ---- */

static struct object *
box_constant(struct thread *self, char type, const union slot *value)
{
    const struct box *b = box_of(type);
    struct class *c = known_class(self, b->class);
    struct object *o = c ? object_new(self, c) : NULL;
    uint32_t offset;

    if (o == NULL)
        return NULL;
    offset = self->vm->known.fields[b->value];
    if (type == 'J' || type == 'D')
        OBJECT_FIELD(int64_t, o, offset) = value->j;
    else
        OBJECT_FIELD(int32_t, o, offset) = value->i;
    return o;
}

/* A static argument as Java sees it; NULL with an exception or as a value. */
static struct object *
static_argument(struct thread *self, struct cpool *pool, unsigned index)
{
    union slot value;
    char type;

    /* A dynamic constant is boxed already, in the type that it has. */
    if (cf_tag_at(pool->file, index) == CF_DYNAMIC) {
        struct object *o = NULL;

        resolve_dynamic(self, pool, index, &o);
        return o;
    }
    if (!resolve_loadable(self, pool, index, &value, &type))
        return NULL;
    return type == 'L' ? value.ref : box_constant(self, type, &value);
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
resolve_bootstrap(struct thread *self, struct cpool *pool, unsigned index,
                  struct bootstrap_call *call)
{
    struct cf_member member = cf_member(pool->file, index);
    const struct cf_bootstrap_method *b =
        &pool->file->bootstrap_methods[member.bootstrap];
    bool is_call = cf_tag_at(pool->file, index) == CF_INVOKE_DYNAMIC;

    call->handle = keep(self, resolve_method_handle(self, pool, b->method_handle));
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

void
wrap_bootstrap_exception(struct thread *self)
{
    struct vm *vm = self->vm;
    struct object *thrown = self->exception, *wrapper;
    struct class *c;
    union slot args[2];
    SCOPE(self);

    if (thrown == NULL || object_is_instance(thrown, KC(vm, Error)))
        return;
    keep(self, exception_take(self));
    c = known_class(self, KNOWN_CLASS_BootstrapMethodError);
    if (c == NULL || !class_initialize(self, c))
        return;
    wrapper = keep(self, object_new(self, c));
    if (wrapper == NULL)
        return;
    args[0].ref = wrapper;
    args[1].ref = thrown;
    if (java_call(self, KM(vm, BootstrapMethodError_init), args, NULL))
        throw_object(self, wrapper);
}

static bool
compute_dynamic(struct thread *self, struct cpool *pool, unsigned index,
                struct object **value)
{
    struct bootstrap_call call;
    union slot args[6];

    if (!resolve_bootstrap(self, pool, index, &call))
        return false;
    args[0].ref = pool->class->layout.mirror;
    args[1].i = (int32_t)index;
    args[2].ref = call.handle;
    args[3].ref = call.name;
    args[4].ref = call.type;
    args[5].ref = call.arguments;
    return call_natives(self, KM(self->vm, MethodHandleNatives_linkDynamicConstant),
                        args, value);
}

bool
resolve_dynamic(struct thread *self, struct cpool *pool, unsigned index,
                struct object **value)
{
    void *entry;

    *value = NULL;
    if (!resolution_begin(self, pool, index, &entry)) {
        if (entry)
            *value = *(struct object **)entry;
        return entry != NULL;
    }
    SCOPE(self);
    if (!compute_dynamic(self, pool, index, value)) {
        wrap_bootstrap_exception(self);
        resolution_end(self, pool, index, NULL);
        return false;
    }
    *value = *resolution_end_object(self, pool, index, *value);
    return true;
}
