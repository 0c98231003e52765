/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/resolve.c -- resolving the constants of a pool (JVMS 5.4.3).
 *
 * Each function begins by cpool_resolution_begin, finds out what the constant is, and
 * ends by cpool_resolution_end.  Method handles, method types and dynamic constants are
 * made by Java code of java.lang.invoke; their resolution may come back to the same
 * constant, and then recursion ends with StackOverflowError.
 */

#include "linking/resolve.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "linking/access.h"
#include "linking/loader.h"
#include "linking/lookup.h"
#include "linking/method_type.h"
#include "runtime/above.h"
#include "runtime/boxing.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- classes ---- */

/* A class to which the referring one has no access is a failure of resolution, and is
   remembered as such (JVMS 5.4.3.1). */
struct class *
resolve_class(struct thread *self, struct cpool *pool, unsigned index)
{
    struct class *from = pool->class, *c;
    union resolved value;

    if (cpool_resolution_begin(self, pool, index, &value)) {
        c = class_load(self, from->loader, cf_name(pool->file, index), NOT_FOUND_ERROR);
        value.class = c && check_class_access(self, from, c) ? c : NULL;
        value = cpool_resolution_end(self, pool, index, value);
    }
    return value.class;
}

/* ---- fields and methods ---- */

struct field *
resolve_field(struct thread *self, struct cpool *pool, unsigned index)
{
    struct cf_member member = cf_member(pool->file, index);
    struct class *holder;
    union resolved value;

    if (cpool_resolution_begin(self, pool, index, &value)) {
        holder = resolve_class(self, pool, member.class_index);
        value.field = holder ? lookup_field(self, holder, member.name,
                                            member.descriptor, pool->class)
                             : NULL;
        value = cpool_resolution_end(self, pool, index, value);
    }
    return value.field;
}

/* Resolves a Methodref or InterfaceMethodref, without what an instruction demands
   beyond that.  opcode, of the instruction that refers to it, only decides the words of
   an error. */
static struct method *
resolve_method(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct cf_member member = cf_member(pool->file, index);
    bool of_interface = cf_tag_at(pool->file, index) == CF_INTERFACE_METHODREF;
    struct class *holder;
    union resolved value;

    if (cpool_resolution_begin(self, pool, index, &value)) {
        holder = resolve_class(self, pool, member.class_index);
        value.method = holder
                           ? lookup_method(self, holder, member.name, member.descriptor,
                                           of_interface, pool->class, opcode)
                           : NULL;
        value = cpool_resolution_end(self, pool, index, value);
    }
    return value.method;
}

struct method *
resolve_call(struct thread *self, struct cpool *pool, unsigned index, unsigned opcode)
{
    struct method *m = resolve_method(self, pool, index, opcode);
    struct class *holder;

    if (!m)
        return NULL;
    /* The class constant is resolved already, so this only reads its entry.  Different
       instructions may refer to one constant, so their demands are checked each
       time. */
    holder = resolve_class(self, pool, cf_member(pool->file, index).class_index);
    return holder ? check_invocation(self, pool->class, holder, m, opcode) : NULL;
}

/* ---- method handles (JVMS 5.4.3.5) ---- */

/* Returns the Class object of a field descriptor's type, to which from has to have
   access, or NULL with the error pending. */
static struct object *
field_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct descriptor_type type;

    descriptor_field(descriptor, &type);
    return type_mirror(self, from, &type, CHECKED);
}

/* Checks that a Methodref names a class and an InterfaceMethodref an interface.  index
   is that of the method handle, member what it refers to in holder.  Returns false with
   IncompatibleClassChangeError pending. */
static bool
check_reference(struct thread *self, struct cpool *pool, unsigned index,
                struct class *holder, const struct cf_member *member)
{
    static const char *const names[] = { "CONSTANT_MethodRef",
                                         "CONSTANT_InterfaceMethodRef" };
    enum cf_tag tag = cf_tag_at(pool->file, pool->file->consts[index].ref.b);
    bool is_interface = tag == CF_INTERFACE_METHODREF;
    const struct method wanted = { .name = member->name,
                                   .descriptor = member->descriptor };

    if (tag == CF_FIELDREF || is_interface == class_is_interface(holder))
        return true;
    return THROW(self, IncompatibleClassChangeError,
                 "Inconsistent constant pool data in classfile for class %s. Method "
                 "'%pS' at index %u is %s and should be %s",
                 holder->name->bytes, &wanted, index, names[is_interface],
                 names[!is_interface]);
}

/* Returns true if the handle refers to a public signature-polymorphic method, which
   fits any descriptor. */
static bool
is_polymorphic_call(unsigned kind, struct class *holder, const struct cf_member *member)
{
    const struct method *m = kind == REF_INVOKE_VIRTUAL
                                     && holder->flags & CLASS_IS_POLYMORPHIC
                                 ? class_find_method(holder, member->name,
                                                     member->descriptor)
                                 : NULL;

    return m && (m->flags & METHOD_SIGNATURE_POLYMORPHIC)
           && (m->access_flags & ACC_PUBLIC);
}

/* Checks that the member exists and is accessible.  This comes before its types are
   loaded, which may fail for another reason.  kind is the reference_kind of JVMS 4.4.8,
   whose lowest four are those of fields.  Returns false with the error pending. */
static bool
check_member(struct thread *self, struct class *from, unsigned kind,
             struct class *holder, const struct cf_member *member)
{
    if (kind <= REF_PUT_STATIC)
        return lookup_handle_field(self, holder, member->name, member->descriptor, from,
                                   true);
    return is_polymorphic_call(kind, holder, member)
           || lookup_handle_method(self, (enum cf_ref_kind)kind, holder, member->name,
                                   member->descriptor, from, true);
}

/* Makes the object of a MethodHandle constant by
   MethodHandleNatives.linkMethodHandleConstant(Class caller, int kind, Class holder,
   String name, Object type); type is the Class of a field or the MethodType of a
   method.  Returns NULL with the error pending.  The caller has a HANDLE_SCOPE. */
static struct object *
make_handle(struct thread *self, struct cpool *pool, unsigned index)
{
    unsigned kind = pool->file->consts[index].ref.a;
    unsigned reference = pool->file->consts[index].ref.b;
    struct cf_member member = cf_member(pool->file, reference);
    struct class *holder = resolve_class(self, pool, member.class_index);
    struct method *m = KM(self->vm, MethodHandleNatives_linkMethodHandleConstant);
    union slot args[5];

    if (!holder || !check_reference(self, pool, index, holder, &member)
        || !check_member(self, pool->class, kind, holder, &member))
        return NULL;
    args[0].ref = pool->class->layout.mirror;
    args[1].i = (int32_t)kind;
    args[2].ref = holder->layout.mirror;
    args[3].ref = handle_new(self, string_intern_symbol(self, member.name));
    if (!args[3].ref)
        return NULL;
    args[4].ref = handle_new(
        self, kind <= REF_PUT_STATIC
                  ? field_type_of(self, pool->class, member.descriptor)
                  : method_type_of(self, pool->class, member.descriptor));
    return args[4].ref ? java_call_for_object(self, m, args) : NULL;
}

/* ---- constants that are objects ---- */

static struct object *make_dynamic(struct thread *self, struct cpool *pool,
                                   unsigned index);

/* Makes the object that a constant of one of these kinds is resolved to.  Returns NULL
   with the error pending; of a dynamic constant NULL may also be the value. */
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

/* The entry gets the address of a slot in the pool rather than the object itself: so a
   dynamic constant whose value is null has an entry that is not NULL, and counts as
   resolved. */
struct object *
resolve_object(struct thread *self, struct cpool *pool, unsigned index)
{
    union resolved value;

    if (cpool_resolution_begin(self, pool, index, &value)) {
        HANDLE_SCOPE(self);
        struct object *o = handle_new(self, make_object(self, pool, index));

        /* The object may be null without an error (a dynamic constant); the slot is
           not. */
        value.slot = exception_pending(self) ? NULL
                                             : cpool_add_reference(self, pool, o);
        value = cpool_resolution_end(self, pool, index, value);
    }
    return value.address ? *value.slot : NULL;
}

/* Numbers are read from the class file.  Those of 32 bits are in the low half of a
   constant's 64, as in a slot.  The value of a dynamic constant of a primitive type is
   a box, which is opened. */
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

/* Returns a static argument of a bootstrap method, boxed if it is primitive.  NULL may
   be its value, or an exception is pending. */
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

/* Makes the static arguments in the form of MethodHandleNatives: NULL for none; a
   single one, if it is neither null nor an array, as it is; else an Object[].  Returns
   false with the error pending. */
static bool
static_arguments(struct thread *self, struct cpool *pool,
                 const struct cf_bootstrap_method *b, struct object **arguments)
{
    struct object *array, *only;

    *arguments = NULL;
    if (b->arg_count == 0)
        return true;
    array = handle_new(self,
                       array_new(self, self->vm->known.object_array, b->arg_count));
    if (!array)
        return false;
    for (unsigned i = 0; i < b->arg_count; i++) {
        struct object *argument = static_argument(self, pool, b->args[i]);

        if (exception_pending(self))
            return false;
        ARRAY_REFS(array)[i] = argument;
    }
    only = ARRAY_REFS(array)[0];
    *arguments = b->arg_count == 1 && only && !class_is_array(object_class(only))
                     ? only
                     : array;
    return true;
}

bool
call_site_has_failed(struct thread *self, struct cpool *pool, unsigned index)
{
    union resolved value;

    /* The entry of a call site never gets a value, only an error. */
    return !cpool_resolution_begin(self, pool, index, &value);
}

void
bootstrap_wrap_exception(struct thread *self)
{
    throw_wrapped(self, KNOWN_CLASS_BootstrapMethodError,
                  KNOWN_METHOD_BootstrapMethodError_init);
}

void
call_site_failed(struct thread *self, struct cpool *pool, unsigned index)
{
    bootstrap_wrap_exception(self);
    cpool_remember_failure(self, pool, index);
}

bool
resolve_bootstrap(struct thread *self, struct cpool *pool, unsigned index,
                  struct bootstrap_call *call)
{
    struct cf_member member = cf_member(pool->file, index);
    const struct cf_bootstrap_method *b =
        &pool->file->bootstrap_methods[member.bootstrap];
    bool is_call = cf_tag_at(pool->file, index) == CF_INVOKE_DYNAMIC;

    call->handle = handle_new(self, resolve_object(self, pool, b->method_handle));
    if (!call->handle)
        return false;
    call->name = handle_new(self, string_intern_symbol(self, member.name));
    if (!call->name)
        return false;
    call->type = handle_new(
        self, is_call ? method_type_of(self, pool->class, member.descriptor)
                      : field_type_of(self, pool->class, member.descriptor));
    if (!call->type)
        return false;
    return static_arguments(self, pool, b, &call->arguments);
}

/* Makes the value of a dynamic constant by MethodHandleNatives.linkDynamicConstant,
   which calls the bootstrap method.  A primitive value is boxed.  NULL is the value, or
   an exception is pending. */
static struct object *
make_dynamic(struct thread *self, struct cpool *pool, unsigned index)
{
    struct method *m = KM(self->vm, MethodHandleNatives_linkDynamicConstant);
    struct object *value = NULL;
    struct bootstrap_call call;

    /* A static argument may lead back here (JVMS 5.4.3.6). */
    if (c_stack_left(self) && resolve_bootstrap(self, pool, index, &call)) {
        union slot args[] = { { .ref = pool->class->layout.mirror },
                              { .i = (int32_t)index },
                              { .ref = call.handle },
                              { .ref = call.name },
                              { .ref = call.type },
                              { .ref = call.arguments } };
        /* As of JDK 21 there is no index; the caller takes its place. */
        unsigned left_out = (unsigned)(sizeof args / sizeof *args) - m->arg_slots;

        args[left_out] = args[0];
        value = java_call_for_object(self, m, args + left_out);
    }
    bootstrap_wrap_exception(self);
    return value;
}
