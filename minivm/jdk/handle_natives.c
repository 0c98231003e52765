/* SPDX-License-Identifier: MIT */
/* minivm/jdk/handle_natives.c -- java.lang.invoke.MethodHandleNatives.
 *
 * A MemberName is resolved by giving it a ResolvedMethodName, which has the address
 * of the struct method, and the vtable index or field offset.  The constants are
 * those of MethodHandleNatives.Constants.  Nothing in the class library leads to
 * getMembers. */

#include "base/buf.h"
#include "jdk/jvm.h"
#include "vm/reflect.h"

enum member_flag {
    MN_IS_METHOD = 0x00010000,
    MN_IS_CONSTRUCTOR = 0x00020000,
    MN_IS_FIELD = 0x00040000,
    MN_IS_TYPE = 0x00080000,
    MN_ALL_KINDS = 0x000f0000,
    MN_CALLER_SENSITIVE = 0x00100000,
    MN_TRUSTED_FINAL = 0x00200000,
    MN_REFERENCE_KIND_SHIFT = 24
};

/* ---- filling MemberNames ---- */

static struct object *
resolved_method_name(struct thread *self, struct method *m)
{
    struct vm *vm = self->vm;
    struct object *o = object_new_known(self, KNOWN_CLASS_ResolvedMethodName);

    if (!o)
        return NULL;
    OBJECT_FIELD(struct method *, o, KF(vm, ResolvedMethodName_vmtarget)) = m;
    REF_FIELD(vm, o, ResolvedMethodName_vmholder) = m->class->layout.mirror;
    return o;
}

static bool
is_direct(const struct method *m, int kind)
{
    return kind == REF_INVOKE_STATIC || kind == REF_INVOKE_SPECIAL
           || kind == REF_NEW_INVOKE_SPECIAL
           || (m->access_flags & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL))
           || (m->flags & METHOD_INITIALIZER) || (m->class->access_flags & ACC_FINAL);
}

static void
fill(const struct vm *vm, struct object *name, int32_t flags, int kind,
     struct object *method, int64_t index, const struct class *c)
{
    INT_FIELD(vm, name, MemberName_flags) = flags | kind << MN_REFERENCE_KIND_SHIFT;
    REF_FIELD(vm, name, MemberName_method) = method;
    LONG_FIELD(vm, name, MemberName_vmindex) = index;
    REF_FIELD(vm, name, MemberName_clazz) = c->layout.mirror;
}

/* kind is how it was asked for (enum cf_ref_kind), through class reached. */
static bool
fill_method(struct thread *self, struct object *name, struct method *m, int kind,
            struct class *reached)
{
    struct vm *vm = self->vm;
    struct class *holder = m->class;
    struct object *resolved = resolved_method_name(self, m);
    bool is_constructor = (m->flags & METHOD_INITIALIZER) && !method_is_static(m);
    int32_t index = -1, becomes;

    if (!resolved)
        return false;
    if (method_is_static(m)) {
        becomes = REF_INVOKE_STATIC;
    } else if (is_direct(m, kind)) {
        becomes = REF_INVOKE_SPECIAL;
    } else if (class_is_interface(m->class)
               && (kind == REF_INVOKE_INTERFACE || class_is_interface(reached))) {
        becomes = REF_INVOKE_INTERFACE;
        index = 0;
    } else {
        becomes = REF_INVOKE_VIRTUAL;
        index = m->vtable_index >= 0 ? m->vtable_index : 0;
        /* A class's method that only an interface declares counts as the class's. */
        if (class_is_interface(holder))
            holder = reached;
    }
    fill(vm, name, (m->access_flags & REFLECTED_METHOD_FLAGS)
                   | (is_constructor ? MN_IS_CONSTRUCTOR : MN_IS_METHOD)
                   | (m->flags & METHOD_CALLER_SENSITIVE ? MN_CALLER_SENSITIVE : 0),
         becomes, resolved, index, holder);
    return true;
}

bool
member_name_fill(struct thread *self, struct object *name, struct method *m)
{
    return fill_method(self, name, m,
                       m->flags & METHOD_INITIALIZER  ? REF_NEW_INVOKE_SPECIAL
                       : class_is_interface(m->class) ? REF_INVOKE_INTERFACE
                                                      : REF_INVOKE_VIRTUAL,
                       m->class);
}

static bool
fill_field(const struct vm *vm, struct object *name, const struct field *f,
           bool is_setter)
{
    int kind = (field_is_static(f) ? REF_GET_STATIC : REF_GET_FIELD)
               + (is_setter ? REF_PUT_FIELD - REF_GET_FIELD : 0);

    fill(vm, name, (f->access_flags & REFLECTED_FIELD_FLAGS) | MN_IS_FIELD
                   | (field_is_trusted_final(f) ? MN_TRUSTED_FINAL : 0),
         kind, NULL, f->offset, f->class);
    return true;
}

/* ---- init: from a reflected member ---- */

NATIVE(member_init)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref, *from = args[1].ref;

    if (!name || !from)
        return THROW(self, InternalError, "%s",
                     !name ? "mname is null" : "target is null");
    if (object_class(from) == KC(vm, Field))
        return fill_field(vm, name, reflected_field(vm, from), false);
    if (object_class(from) != KC(vm, Method)
        && object_class(from) != KC(vm, Constructor))
        return THROW(self, InternalError, "unrecognized target");
    struct method *m = reflected_method(vm, from);
    return handle_is_intrinsic(m) || member_name_fill(self, name, m);
}

/* ---- resolve ---- */

static void
append_class(struct buf *b, const struct object *mirror)
{
    TEXTS(t);

    buf_append_string(b, own(&t, class_signature(class_of_mirror(mirror))));
}

/* The descriptor that MemberName.type stands for: a MethodType, Class or String.  NULL
   for a MethodType whose constructor did not finish. */
static const struct symbol *
descriptor_of(const struct vm *vm, const struct object *type)
{
    struct buf b = { 0 };

    if (object_class(type) == KC(vm, String))
        return string_to_symbol(type, false);
    if (object_class(type) == KC(vm, MethodType)) {
        const struct object *parameters = REF_FIELD(vm, type, MethodType_ptypes);
        if (!parameters || !REF_FIELD(vm, type, MethodType_rtype))
            return NULL;
        buf_append_string(&b, "(");
        for (int32_t i = 0; i < array_length(parameters); i++)
            append_class(&b, ARRAY_REFS(parameters)[i]);
        buf_append_string(&b, ")");
        type = REF_FIELD(vm, type, MethodType_rtype);
    }
    append_class(&b, type);
    const struct symbol *s = symbol_intern((const char *)b.data, b.length);
    buf_release(&b);
    return s;
}

/* Of the lookup modes: a public lookup is nobody's, so no loader is held to what it
   finds. */
enum { LOOKUP_UNCONDITIONAL = 32 };

struct wanted_member {
    struct class *holder, *caller;
    const struct symbol *name, *descriptor;
    enum cf_ref_kind kind;
    bool constrains;
};

static bool
resolve_method_member(struct thread *self, struct object *name,
                      const struct wanted_member *w)
{
    struct class *holder = w->holder;
    struct method *m = holder->flags & CLASS_IS_POLYMORPHIC
                           ? class_find_method(holder, w->name, w->descriptor) : NULL;

    /* Any descriptor fits a signature-polymorphic method. */
    if (m && (m->flags & METHOD_SIGNATURE_POLYMORPHIC)
        && (w->kind == REF_INVOKE_VIRTUAL || w->kind == REF_INVOKE_SPECIAL
            || w->kind == REF_INVOKE_STATIC)) {
        m = handle_is_intrinsic(m) ? handle_intrinsic(self, m, w->descriptor) : NULL;
        return m && fill_method(self, name, m, REF_INVOKE_SPECIAL, holder);
    }
    m = link_handle_method(self, w->kind, holder, w->name, w->descriptor, w->caller,
                           w->constrains);
    return m && fill_method(self, name, m, w->kind, holder);
}

static bool
resolve_field_member(struct thread *self, struct object *name,
                     const struct wanted_member *w)
{
    struct field *f =
        link_handle_field(self, w->holder, w->name, w->descriptor, w->caller,
                          w->constrains);

    return f && fill_field(self->vm, name, f, w->kind >= REF_PUT_FIELD);
}

static bool
unresolved(struct thread *self, int32_t flags)
{
    if (exception_pending(self))
        return false;
    if ((flags & MN_ALL_KINDS) == MN_IS_FIELD)
        return THROW(self, NoSuchFieldError, "field resolution failed");
    if (flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR))
        return THROW(self, NoSuchMethodError, "method resolution failed");
    return THROW(self, LinkageError, "resolution failed");
}

/* resolve(MemberName, Class caller, int mode, boolean speculative) */
NATIVE(member_resolve)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    bool speculative = args[3].i != 0, done = false;

    if (!name)
        return THROW(self, InternalError, "mname is null");
    int32_t flags = INT_FIELD(vm, name, MemberName_flags);
    struct object *holder = REF_FIELD(vm, name, MemberName_clazz);
    struct object *text = REF_FIELD(vm, name, MemberName_name);
    struct object *type = REF_FIELD(vm, name, MemberName_type);
    if (REF_FIELD(vm, name, MemberName_method))
        return true; /* resolved before */
    if (holder && text && type) {
        struct wanted_member w = {
            .holder = class_of_mirror(holder),
            .caller = args[1].ref ? class_of_mirror(args[1].ref) : NULL,
            .name = string_to_symbol(text, false),
            .descriptor = descriptor_of(vm, type),
            .kind = (enum cf_ref_kind)(flags >> MN_REFERENCE_KIND_SHIFT & 0xf),
            .constrains = args[1].ref && !(args[2].i & LOOKUP_UNCONDITIONAL)
        };
        /* Neither is a symbol when it is too long for one or unfinished. */
        if (!w.holder->primitive && w.name && w.descriptor
            && !symbol_equals(w.name, "<clinit>"))
            done = (flags & MN_ALL_KINDS) == MN_IS_FIELD
                       ? resolve_field_member(self, name, &w)
                       : resolve_method_member(self, name, &w);
    }
    if (done || !speculative)
        return done || unresolved(self, flags);
    self->exception = NULL;
    args[0].ref = NULL;
    return true;
}

/* ---- the rest ---- */

NATIVE(member_expand)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    struct method *m = name ? member_target(self, name) : NULL;

    if (!m)
        return THROW(self, InternalError, "%s",
                     name ? "nothing to expand" : "mname is null");
    if (!REF_FIELD(vm, name, MemberName_clazz))
        REF_FIELD(vm, name, MemberName_clazz) = m->class->layout.mirror;
    struct object **text = &REF_FIELD(vm, name, MemberName_name);
    struct object **type = &REF_FIELD(vm, name, MemberName_type);
    if (!*text)
        *text = string_intern_symbol(self, m->name);
    if (*text && !*type)
        *type = string_from_symbol(self, m->descriptor);
    return *text && *type;
}

static bool
is_field_member(struct thread *self, const struct object *name, bool is_static)
{
    int32_t flags = name ? INT_FIELD(self->vm, name, MemberName_flags) : 0;

    return ((flags & MN_IS_FIELD) && ((flags & ACC_STATIC) != 0) == is_static)
           || THROW(self, InternalError, "%s field required",
                    is_static ? "static" : "non-static");
}

static bool
field_offset(struct thread *self, union slot *args, bool is_static)
{
    if (!is_field_member(self, args[0].ref, is_static))
        return false;
    args[0].j = LONG_FIELD(self->vm, args[0].ref, MemberName_vmindex);
    return true;
}

NATIVE_CALL(object_field_offset, field_offset(self, args, false))
NATIVE_CALL(static_field_offset, field_offset(self, args, true))

NATIVE(static_field_base)
{
    if (!is_field_member(self, args[0].ref, true))
        return false;
    args[0].ref = REF_FIELD(self->vm, args[0].ref, MemberName_clazz);
    return true;
}

/* The index, and the class of a field or the name itself. */
NATIVE(member_vm_info)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    SCOPE(self);

    if (!name)
        return true;
    union slot index = { .j = LONG_FIELD(vm, name, MemberName_vmindex) };
    struct object *pair = java_new_array(self, KC(vm, Object), 2);
    if (!pair || !java_put(pair, 0, box_value(self, 'J', index)))
        return false;
    ARRAY_REFS(pair)[1] = INT_FIELD(vm, name, MemberName_flags) & MN_IS_FIELD
                              ? REF_FIELD(vm, name, MemberName_clazz)
                              : name;
    args[0].ref = pair;
    return true;
}

NATIVE(set_target)
{
    __atomic_store_n(&REF_FIELD(self->vm, args[0].ref, CallSite_target), args[1].ref,
                     __ATOMIC_SEQ_CST);
    return true;
}

/* Only linkCallSite's pull mode asks, which the VM does not use. */
NATIVE_CALL(copy_out_arguments,
            THROW(self, InternalError, "bootstrap arguments are passed as objects"))
INTRINSIC(no_constant, i, 0)

#define MN "Ljava/lang/invoke/MemberName;"
#define CLS "Ljava/lang/Class;"
#define OBJ "Ljava/lang/Object;"

const struct intrinsic handle_natives[] = {
    INTRINSICS_OF("java/lang/invoke/MethodHandleNatives"),
    { "registerNatives", "()V", native_nothing },
    { "init", "(" MN OBJ ")V", member_init },
    { "expand", "(" MN ")V", member_expand },
    { "resolve", "(" MN CLS "IZ)" MN, member_resolve },
    { "objectFieldOffset", "(" MN ")J", object_field_offset },
    { "staticFieldOffset", "(" MN ")J", static_field_offset },
    { "staticFieldBase", "(" MN ")" OBJ, static_field_base },
    { "getMemberVMInfo", "(" MN ")" OBJ, member_vm_info },
    { "setCallSiteTargetNormal",
      "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V", set_target },
    { "setCallSiteTargetVolatile",
      "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V", set_target },
    { "copyOutBootstrapArguments", "(" CLS "[III[" OBJ "IZ" OBJ ")V",
      copy_out_arguments },
    { "clearCallSiteContext",
      "(Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;)V", native_nothing },
    { "getNamedCon", "(I[" OBJ ")I", no_constant },
    { NULL, NULL, NULL }
};
