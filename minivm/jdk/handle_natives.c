/* SPDX-License-Identifier: MIT */
/* minivm/jdk/handle_natives.c -- java.lang.invoke.MethodHandleNatives: how a
 * MemberName is bound to a method or field of the VM.
 *
 * A method handle is Java objects all the way down, until one of its LambdaForms calls
 * a method or accesses a field that the VM has to know.  That end is a MemberName: a
 * symbolic reference (class, name, type, kind) that is resolved in place, as a constant
 * of the constant pool is (JVMS 5.4.3.5).  The class library makes it and calls
 * resolve; the VM looks the member up, checks access and loader constraints, and stores
 * what it has found.
 *
 * A resolved method has in MemberName.method a ResolvedMethodName object, whose
 * injected field vmtarget is the struct method and vmholder its class, so that the
 * collector keeps the class as long as the name lives.  vmindex is the vtable index of
 * a method that a call selects by the receiver's class, -1 if none is needed, or a
 * field's offset.  flags has the member's access flags, what it is, and the reference
 * kind by which it is called (JVMS table 5.4.3.5-A); it may differ from the kind that
 * was asked for: an invokevirtual of a final method becomes an invokespecial.  The
 * constants are those of MethodHandleNatives.Constants.
 *
 * Natives are named mhn_ (MethodHandleNatives) and the method.  Nothing in the class
 * library leads to getMembers, so that it has no native here. */

#include "base/buf.h"
#include "jdk/jvm.h"
#include "linking/lookup.h"
#include "runtime/boxing.h"
#include "runtime/reflect.h"

/* MemberName.flags besides the access flags. */
enum member_flag {
    MN_IS_METHOD = 0x00010000,
    MN_IS_CONSTRUCTOR = 0x00020000,
    MN_IS_FIELD = 0x00040000,
    MN_IS_TYPE = 0x00080000,
    MN_ALL_KINDS = 0x000f0000,
    MN_CALLER_SENSITIVE = 0x00100000,
    MN_TRUSTED_FINAL = 0x00200000,
    MN_HIDDEN = 0x00400000, /* since JDK 25, which uses it for StackFrameInfo only */
    MN_REFERENCE_KIND_SHIFT = 24
};

/* ---- storing what was found in a MemberName ---- */

/* Returns a new ResolvedMethodName of m; NULL with an exception pending. */
struct object *
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

/*
 * Returns true if a reference of that kind calls m itself, whatever the receiver's
 * class.
 */
static bool
is_statically_bound(const struct method *m, int kind)
{
    return kind == REF_INVOKE_STATIC || kind == REF_INVOKE_SPECIAL
           || kind == REF_NEW_INVOKE_SPECIAL
           || (m->access_flags & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL))
           || (m->flags & METHOD_INITIALIZER) || (m->class->access_flags & ACC_FINAL);
}

/*
 * Stores a resolved member in the MemberName name: method is the ResolvedMethodName or
 * NULL, c the class.  flags has the access flags and the MN_ bits, kind is a REF_
 * constant (JVMS table 5.4.3.5-A), and index becomes vmindex; the beginning of this
 * file says what that is.
 */
static void
set_member_name(const struct vm *vm, struct object *name, int32_t flags, int kind,
                struct object *method, int64_t index, const struct class *c)
{
    INT_FIELD(vm, name, MemberName_flags) = flags | kind << MN_REFERENCE_KIND_SHIFT;
    REF_FIELD(vm, name, MemberName_method) = method;
    LONG_FIELD(vm, name, MemberName_vmindex) = index;
    REF_FIELD(vm, name, MemberName_clazz) = c->layout.mirror;
}

int32_t
member_name_flags(const struct method *m)
{
    bool is_constructor = (m->flags & METHOD_INITIALIZER) && !method_is_static(m);

    return (m->access_flags & REFLECTED_METHOD_FLAGS)
           | (is_constructor ? MN_IS_CONSTRUCTOR : MN_IS_METHOD)
           | (m->flags & METHOD_CALLER_SENSITIVE ? MN_CALLER_SENSITIVE : 0)
           | (m->flags & METHOD_HIDDEN ? MN_HIDDEN : 0);
}

/*
 * Binds name to m, which a reference of that kind (enum cf_ref_kind) has found through
 * the class reached.  The kind that is stored is the one by which a call has to be
 * made: static, special for a method that no class overrides, or selected by the
 * receiver's class, through an interface or the vtable.  A method of an interface has
 * no vtable index; when it was found through a class it gets 0, so that vmindex is not
 * negative.  False with an exception pending.
 */
static bool
set_method(struct thread *self, struct object *name, struct method *m, int kind,
           struct class *reached)
{
    struct vm *vm = self->vm;
    struct class *holder = m->class;
    struct object *resolved = resolved_method_name(self, m);
    int32_t index = -1, resolved_kind;

    if (!resolved)
        return false;
    if (method_is_static(m)) {
        resolved_kind = REF_INVOKE_STATIC;
    } else if (is_statically_bound(m, kind)) {
        resolved_kind = REF_INVOKE_SPECIAL;
    } else if (class_is_interface(m->class)
               && (kind == REF_INVOKE_INTERFACE || class_is_interface(reached))) {
        resolved_kind = REF_INVOKE_INTERFACE;
        index = 0;
    } else {
        resolved_kind = REF_INVOKE_VIRTUAL;
        index = m->vtable_index >= 0 ? m->vtable_index : 0;
        /*
         * The class inherits the method from an interface and calls it by its vtable.
         */
        if (class_is_interface(holder))
            holder = reached;
    }
    set_member_name(vm, name, member_name_flags(m), resolved_kind, resolved, index,
                    holder);
    return true;
}

/*
 * Makes name stand for m.  The kind of reference is the one by which Java code would
 * call m on an instance of its class; set_method makes it more exact.
 */
bool
member_name_fill(struct thread *self, struct object *name, struct method *m)
{
    return set_method(self, name, m,
                      m->flags & METHOD_INITIALIZER  ? REF_NEW_INVOKE_SPECIAL
                      : class_is_interface(m->class) ? REF_INVOKE_INTERFACE
                                                     : REF_INVOKE_VIRTUAL,
                      m->class);
}

/*
 * Binds name to f.  kind is that of getting the field or, for a setter, of storing to
 * it; the two kinds are as far apart for static fields as for others.  Always returns
 * true.
 */
static bool
set_field(const struct vm *vm, struct object *name, const struct field *f,
          bool is_setter)
{
    int kind = (field_is_static(f) ? REF_GET_STATIC : REF_GET_FIELD)
               + (is_setter ? REF_PUT_FIELD - REF_GET_FIELD : 0);

    set_member_name(vm, name,
                    (f->access_flags & REFLECTED_FIELD_FLAGS) | MN_IS_FIELD
                        | (field_is_trusted_final(f) ? MN_TRUSTED_FINAL : 0),
                    kind, NULL, f->offset, f->class);
    return true;
}

/* ---- init ---- */

/*
 * init(MemberName name, Object from): binds name to a reflected Method, Constructor or
 * Field.  An intrinsic of MethodHandle (invokeBasic, linkToStatic and the like) can be
 * bound for a descriptor only, which a reflected method does not have: name stays as it
 * is then.
 */
static bool
mhn_init(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref, *from = args[1].ref;

    if (!name || !from)
        return THROW(self, InternalError, "%s",
                     !name ? "mname is null" : "target is null");
    if (object_class(from) == KC(vm, Field))
        return set_field(vm, name, reflected_field(vm, from), false);
    if (object_class(from) != KC(vm, Method)
        && object_class(from) != KC(vm, Constructor))
        return THROW(self, InternalError, "unrecognized target");
    struct method *m = reflected_method(vm, from);
    return method_handle_is_intrinsic(m) || member_name_fill(self, name, m);
}

/* ---- resolve ---- */

/* Appends the descriptor of a class. */
static void
append_class(struct buf *b, const struct object *mirror)
{
    TEXTS(t);

    buf_append_string(b, own(&t, class_signature(class_of_mirror(mirror))));
}

/*
 * Returns the descriptor of MemberName.type, which is a MethodType, a Class or a
 * String; NULL for a MethodType whose constructor did not finish.  NULL also for a text
 * that is too long for a symbol.
 */
static const struct symbol *
descriptor_of(const struct vm *vm, const struct object *type)
{
    struct buf b = { 0 };

    if (object_class(type) == KC(vm, String))
        return string_to_symbol(type, KEEP_DOTS);
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

/*
 * One of Lookup's modes: a public lookup acts for no class, so that no loader is held
 * to the types that it finds (JVMS 5.3.4).
 */
enum { LOOKUP_UNCONDITIONAL = 32 };

/* The symbolic reference that is resolved. */
struct wanted_member {
    struct class *holder, *caller;
    const struct symbol *name, *descriptor;
    enum cf_ref_kind kind;
    bool constrains; /* loader constraints are imposed */
};

/*
 * Resolves w to a method (JVMS 5.4.3.3, 5.4.3.4) and binds name to it.  Returns false
 * with an exception pending, or without one if a signature-polymorphic method has no
 * body.  Signature-polymorphic methods are those of MethodHandle and VarHandle; only
 * those of MethodHandle that the VM implements itself (invokeBasic, linkTo...) have a
 * body here, made for each descriptor.  The kind is REF_INVOKE_SPECIAL for these, so
 * that set_method selects nothing.
 */
static bool
resolve_method_member(struct thread *self, struct object *name,
                      const struct wanted_member *w)
{
    struct class *holder = w->holder;
    struct method *m = holder->flags & CLASS_IS_POLYMORPHIC
                           ? class_find_method(holder, w->name, w->descriptor)
                           : NULL;

    /* A signature-polymorphic method takes any descriptor (JVMS 2.9.3). */
    if (m && (m->flags & METHOD_SIGNATURE_POLYMORPHIC)
        && (w->kind == REF_INVOKE_VIRTUAL || w->kind == REF_INVOKE_SPECIAL
            || w->kind == REF_INVOKE_STATIC)) {
        m = method_handle_is_intrinsic(m)
                ? method_handle_intrinsic(self, m, w->descriptor)
                : NULL;
        return m && set_method(self, name, m, REF_INVOKE_SPECIAL, holder);
    }
    m = lookup_handle_method(self, w->kind, holder, w->name, w->descriptor, w->caller,
                             w->constrains);
    return m && set_method(self, name, m, w->kind, holder);
}

/*
 * Resolves w to a field (JVMS 5.4.3.2) and binds name to it.  False with an exception
 * pending.
 */
static bool
resolve_field_member(struct thread *self, struct object *name,
                     const struct wanted_member *w)
{
    struct field *f = lookup_handle_field(self, w->holder, w->name, w->descriptor,
                                          w->caller, w->constrains);

    return f && set_field(self->vm, name, f, w->kind >= REF_PUT_FIELD);
}

/*
 * Leaves the pending exception, or throws the error that says that a member with those
 * flags could not be resolved; returns false.  flags are MemberName.flags, as the class
 * library has set them.
 */
static bool
throw_unresolved(struct thread *self, int32_t flags)
{
    if (exception_pending(self))
        return false;
    if ((flags & MN_ALL_KINDS) == MN_IS_FIELD)
        return THROW(self, NoSuchFieldError, "field resolution failed");
    if (flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR))
        return THROW(self, NoSuchMethodError, "method resolution failed");
    return THROW(self, LinkageError, "resolution failed");
}

/*
 * resolve(MemberName name, Class caller, int mode, boolean speculative): returns name,
 * resolved.  When that fails, it throws what resolution did, or returns null if
 * speculative.  Failing without an exception is possible too: when the name has no
 * class, name or type, a name or type that is no symbol, <clinit> or a primitive class,
 * or no body for the method.
 */
static bool
mhn_resolve(struct thread *self, union slot *args)
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
        return true; /* it is resolved already */
    if (holder && text && type) {
        struct wanted_member w = {
            .holder = class_of_mirror(holder),
            .caller = args[1].ref ? class_of_mirror(args[1].ref) : NULL,
            .name = string_to_symbol(text, KEEP_DOTS),
            .descriptor = descriptor_of(vm, type),
            .kind = (enum cf_ref_kind)(flags >> MN_REFERENCE_KIND_SHIFT & 0xf),
            .constrains = args[1].ref && !(args[2].i & LOOKUP_UNCONDITIONAL)
        };
        /* They are NULL when too long for a symbol, or not finished. */
        if (!w.holder->primitive && w.name && w.descriptor
            && !symbol_equals(w.name, "<clinit>"))
            done = (flags & MN_ALL_KINDS) == MN_IS_FIELD
                       ? resolve_field_member(self, name, &w)
                       : resolve_method_member(self, name, &w);
    }
    if (done || !speculative)
        return done || throw_unresolved(self, flags);
    self->exception = NULL;
    args[0].ref = NULL;
    return true;
}

/* ---- the rest ---- */

/*
 * expand(MemberName): the reverse of resolve; fills in the class, name and type of a
 * name that has only a method.
 */
static bool
mhn_expand(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    struct method *m = name ? member_name_target(self, name) : NULL;

    if (!m)
        return THROW(self, InternalError, "%s",
                     name ? "nothing to expand" : "mname is null");
    if (!REF_FIELD(vm, name, MemberName_clazz))
        REF_FIELD(vm, name, MemberName_clazz) = m->class->layout.mirror;
    SHARED(struct object *) *text = &REF_FIELD(vm, name, MemberName_name);
    SHARED(struct object *) *type = &REF_FIELD(vm, name, MemberName_type);
    if (!*text)
        *text = string_intern_symbol(self, m->name);
    if (*text && !*type)
        *type = string_from_symbol(self, m->descriptor);
    return *text && *type;
}

/*
 * Returns true if name is a field, static or not as asked; false with InternalError
 * pending.
 */
static bool
is_field_member(struct thread *self, const struct object *name, bool is_static)
{
    int32_t flags = name ? INT_FIELD(self->vm, name, MemberName_flags) : 0;

    return ((flags & MN_IS_FIELD) && ((flags & ACC_STATIC) != 0) == is_static)
           || THROW(self, InternalError, "%s field required",
                    is_static ? "static" : "non-static");
}

/* Returns to Java the offset of the field in args[0]. */
static bool
field_offset(struct thread *self, union slot *args, bool is_static)
{
    if (!is_field_member(self, args[0].ref, is_static))
        return false;
    args[0].j = LONG_FIELD(self->vm, args[0].ref, MemberName_vmindex);
    return true;
}

static bool
mhn_objectFieldOffset(struct thread *self, union slot *args)
{
    return field_offset(self, args, false);
}

static bool
mhn_staticFieldOffset(struct thread *self, union slot *args)
{
    return field_offset(self, args, true);
}

/* Returns to Java the object that has a static field, its class's mirror. */
static bool
mhn_staticFieldBase(struct thread *self, union slot *args)
{
    if (!is_field_member(self, args[0].ref, true))
        return false;
    args[0].ref = REF_FIELD(self->vm, args[0].ref, MemberName_clazz);
    return true;
}

/*
 * getMemberVMInfo(MemberName): Object[2] of vmindex as a Long, and the class of a field
 * or else the name itself.
 */
static bool
mhn_getMemberVMInfo(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    HANDLE_SCOPE(self);

    if (!name)
        return true;
    union slot index = { .j = LONG_FIELD(vm, name, MemberName_vmindex) };
    struct object *pair = java_new_array(self, KC(vm, Object), 2);
    if (!pair || !java_array_store(pair, 0, box_value(self, 'J', index)))
        return false;
    ARRAY_REFS(pair)
    [1] = INT_FIELD(vm, name, MemberName_flags) & MN_IS_FIELD
              ? REF_FIELD(vm, name, MemberName_clazz)
              : name;
    args[0].ref = pair;
    return true;
}

/* setCallSiteTargetNormal and setCallSiteTargetVolatile(CallSite, MethodHandle). */
static bool
mhn_setCallSiteTarget(struct thread *self, union slot *args)
{
    __atomic_store_n(&REF_FIELD(self->vm, args[0].ref, CallSite_target), args[1].ref,
                     __ATOMIC_SEQ_CST);
    return true;
}

/*
 * Only a linkCallSite to which the VM does not pass the bootstrap arguments asks for
 * them; this VM passes them.
 */
static bool
mhn_copyOutBootstrapArguments(struct thread *self, union slot *args UNUSED)
{
    return THROW(self, InternalError, "bootstrap arguments are passed as objects");
}

/*
 * getNamedCon(int index, Object[] name): 0, with no name, says that there is no
 * constant to compare with.
 */
static bool
mhn_getNamedCon(struct thread *self UNUSED, union slot *args)
{
    args[0].i = 0;
    return true;
}

#define MN "Ljava/lang/invoke/MemberName;"
#define CLS "Ljava/lang/Class;"
#define OBJ "Ljava/lang/Object;"

const struct intrinsic handle_natives[] = {
    INTRINSICS_OF("java/lang/invoke/MethodHandleNatives"),
    C_BODY("registerNatives", "()V", native_nothing),
    C_BODY("init", "(" MN OBJ ")V", mhn_init),
    C_BODY("expand", "(" MN ")V", mhn_expand),
    C_BODY("resolve", "(" MN CLS "IZ)" MN, mhn_resolve),
    C_BODY("objectFieldOffset", "(" MN ")J", mhn_objectFieldOffset),
    C_BODY("staticFieldOffset", "(" MN ")J", mhn_staticFieldOffset),
    C_BODY("staticFieldBase", "(" MN ")" OBJ, mhn_staticFieldBase),
    C_BODY("getMemberVMInfo", "(" MN ")" OBJ, mhn_getMemberVMInfo),
    C_BODY("setCallSiteTargetNormal",
           "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
           mhn_setCallSiteTarget),
    C_BODY("setCallSiteTargetVolatile",
           "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
           mhn_setCallSiteTarget),
    C_BODY("copyOutBootstrapArguments", "(" CLS "[III[" OBJ "IZ" OBJ ")V",
           mhn_copyOutBootstrapArguments),
    C_BODY_IN(0, 17, "clearCallSiteContext",
              "(Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;)V",
              native_nothing),
    C_BODY("getNamedCon", "(I[" OBJ ")I", mhn_getNamedCon),
    C_BODIES_END
};
