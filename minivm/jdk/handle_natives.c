/* SPDX-License-Identifier: MIT */
/* minivm/jdk/handle_natives.c -- java.lang.invoke.MethodHandleNatives.
 *
 * A MemberName is resolved by giving it a ResolvedMethodName, which has the address
 * of the struct method, and the vtable index or field offset.  The constants are
 * those of MethodHandleNatives.Constants. */

#include "jdk/jdk.h"

#include "base/buf.h"
#include "base/mem.h"
#include "interp/interp.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"
#include "vm/vm.h"

enum member_flag {
    MN_IS_METHOD = 0x00010000,
    MN_IS_CONSTRUCTOR = 0x00020000,
    MN_IS_FIELD = 0x00040000,
    MN_IS_TYPE = 0x00080000,
    MN_ALL_KINDS = 0x000f0000,
    MN_CALLER_SENSITIVE = 0x00100000,
    MN_TRUSTED_FINAL = 0x00200000,
    MN_REFERENCE_KIND_SHIFT = 24,
    MN_SEARCH_SUPERCLASSES = 0x00100000,
    MN_SEARCH_INTERFACES = 0x00200000
};

enum { METHOD_MODIFIERS = 0x1dff, FIELD_MODIFIERS = 0x50df };

/* ---- filling MemberNames ---- */

static struct object *
resolved_method_name(struct thread *self, struct method *m)
{
    struct vm *vm = self->vm;
    struct object *o = object_new(self, KC(vm, ResolvedMethodName));

    if (!o)
        return NULL;
    OBJECT_FIELD(struct method *, o, vm->known.resolved_method_target) = m;
    OBJECT_FIELD(struct object *, o, KF(vm, ResolvedMethodName_vmholder)) =
        m->class->layout.mirror;
    return o;
}

static bool
is_direct(const struct method *m, int kind)
{
    return kind == REF_INVOKE_STATIC || kind == REF_INVOKE_SPECIAL
           || kind == REF_NEW_INVOKE_SPECIAL
           || (m->access_flags & (ACC_STATIC | ACC_PRIVATE | ACC_FINAL))
           || m->name->bytes[0] == '<' || (m->class->access_flags & ACC_FINAL);
}

/* kind is how it was asked for (enum cf_ref_kind), through class reached. */
static bool
fill_method(struct thread *self, struct object *name, struct method *m, int kind,
            struct class *reached)
{
    struct vm *vm = self->vm;
    int32_t flags = m->access_flags & METHOD_MODIFIERS;
    int64_t index = -1;
    struct class *holder = m->class;
    struct object *resolved = resolved_method_name(self, m);

    if (!resolved)
        return false;
    if (m->name->bytes[0] == '<') {
        flags |= MN_IS_CONSTRUCTOR | REF_INVOKE_SPECIAL << MN_REFERENCE_KIND_SHIFT;
    } else if (method_is_static(m)) {
        flags |= MN_IS_METHOD | REF_INVOKE_STATIC << MN_REFERENCE_KIND_SHIFT;
    } else if (is_direct(m, kind)) {
        flags |= MN_IS_METHOD | REF_INVOKE_SPECIAL << MN_REFERENCE_KIND_SHIFT;
    } else if (class_is_interface(m->class)
               && (kind == REF_INVOKE_INTERFACE || !reached
                   || class_is_interface(reached))) {
        flags |= MN_IS_METHOD | REF_INVOKE_INTERFACE << MN_REFERENCE_KIND_SHIFT;
        index = 0;
    } else {
        flags |= MN_IS_METHOD | REF_INVOKE_VIRTUAL << MN_REFERENCE_KIND_SHIFT;
        index = m->vtable_index >= 0 ? m->vtable_index : 0;
        /* A class's method that only an interface declares counts as the class's. */
        if (class_is_interface(holder))
            holder = reached;
    }
    if (m->flags & METHOD_CALLER_SENSITIVE)
        flags |= MN_CALLER_SENSITIVE;
    OBJECT_FIELD(int32_t, name, KF(vm, MemberName_flags)) = flags;
    OBJECT_FIELD(struct object *, name, KF(vm, MemberName_method)) = resolved;
    OBJECT_FIELD(int64_t, name, vm->known.member_name_index) = index;
    OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz)) =
        holder->layout.mirror;
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

/* Final fields that even reflection cannot write: the JDK may fold them. */
static bool
is_trusted_final(const struct field *f)
{
    return (f->access_flags & ACC_FINAL)
           && (field_is_static(f) || (f->class->flags & CLASS_IS_HIDDEN)
               || f->class->pool->file->is_record);
}

static bool
fill_field(struct thread *self, struct object *name, const struct field *f,
           bool is_setter)
{
    struct vm *vm = self->vm;
    int kind = field_is_static(f) ? REF_GET_STATIC : REF_GET_FIELD;
    int32_t flags = (f->access_flags & FIELD_MODIFIERS) | MN_IS_FIELD;

    if (is_setter)
        kind += REF_PUT_FIELD - REF_GET_FIELD;
    flags |= kind << MN_REFERENCE_KIND_SHIFT;
    if (is_trusted_final(f))
        flags |= MN_TRUSTED_FINAL;
    OBJECT_FIELD(int32_t, name, KF(vm, MemberName_flags)) = flags;
    OBJECT_FIELD(struct object *, name, KF(vm, MemberName_method)) = NULL;
    OBJECT_FIELD(int64_t, name, vm->known.member_name_index) = f->offset;
    OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz)) =
        f->class->layout.mirror;
    return true;
}

/* ---- init: from a reflected member ---- */

static struct class *
declaring(const struct object *reflected, uint32_t field)
{
    return class_of_mirror(OBJECT_FIELD(struct object *, reflected, field));
}

static bool
member_init(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref, *from = args[1].ref;

    if (!name || !from) {
        THROW(self, InternalError, "%s", !name ? "mname is null" : "target is null");
        return false;
    }
    if (object_class(from) == KC(vm, Field)) {
        struct class *c = declaring(from, KF(vm, Field_clazz));
        return fill_field(self, name,
                          &c->fields[OBJECT_FIELD(int32_t, from, KF(vm, Field_slot))],
                          false);
    }
    if (object_class(from) == KC(vm, Method)) {
        struct class *c = declaring(from, KF(vm, Method_clazz));
        struct method *m =
            &c->methods[OBJECT_FIELD(int32_t, from, KF(vm, Method_slot))];
        int kind = class_is_interface(c) ? REF_INVOKE_INTERFACE : REF_INVOKE_VIRTUAL;
        return handle_is_intrinsic(m) || fill_method(self, name, m, kind, c);
    }
    if (object_class(from) == KC(vm, Constructor)) {
        struct class *c = declaring(from, KF(vm, Constructor_clazz));
        int32_t slot = OBJECT_FIELD(int32_t, from, KF(vm, Constructor_slot));
        return fill_method(self, name, &c->methods[slot], REF_NEW_INVOKE_SPECIAL, c);
    }
    THROW(self, InternalError, "unrecognized target");
    return false;
}

/* ---- resolve ---- */

static void
append_class(struct buf *b, const struct object *mirror)
{
    char *text = class_signature(class_of_mirror(mirror));

    buf_printf(b, "%s", text);
    mem_free(text);
}

/* The descriptor that MemberName.type stands for: a MethodType, Class or String. */
static const struct symbol *
descriptor_of(const struct vm *vm, const struct object *type)
{
    struct buf b;

    if (object_class(type) == KC(vm, String))
        return string_to_symbol(type, false);
    buf_init(&b);
    if (object_class(type) == KC(vm, MethodType)) {
        const struct object *parameters =
            OBJECT_FIELD(struct object *, type, KF(vm, MethodType_ptypes));
        buf_printf(&b, "(");
        for (int32_t i = 0; i < array_length(parameters); i++)
            append_class(&b, ARRAY_REFS(parameters)[i]);
        buf_printf(&b, ")");
        type = OBJECT_FIELD(struct object *, type, KF(vm, MethodType_rtype));
    }
    append_class(&b, type);
    const struct symbol *s = symbol_intern((const char *)b.data, b.length);
    buf_release(&b);
    return s;
}

struct wanted_member {
    struct class *holder, *caller;
    const struct symbol *name, *descriptor;
    int kind;
};

static bool
resolve_method_member(struct thread *self, struct object *name,
                      const struct wanted_member *w)
{
    struct class *holder = w->holder;
    struct method *m;

    if (holder->flags & CLASS_IS_POLYMORPHIC
        && (w->kind == REF_INVOKE_VIRTUAL || w->kind == REF_INVOKE_SPECIAL
            || w->kind == REF_INVOKE_STATIC)) {
        /* Any descriptor fits a signature-polymorphic method. */
        for (uint32_t i = 0; i < holder->method_count; i++) {
            m = &holder->methods[i];
            if (m->name != w->name || !(m->flags & METHOD_SIGNATURE_POLYMORPHIC))
                continue;
            if (!handle_is_intrinsic(m))
                return false;
            m = handle_intrinsic(self, m, w->descriptor);
            return m && fill_method(self, name, m, REF_INVOKE_SPECIAL, holder);
        }
    }
    /* A static or special call does not say what kind of class it means. */
    bool is_interface_ref =
        w->kind == REF_INVOKE_INTERFACE
        || (w->kind != REF_INVOKE_VIRTUAL && class_is_interface(holder));
    m = link_method(self, holder, w->name, w->descriptor, is_interface_ref, w->caller);
    if (!m)
        return false;
    if (method_is_static(m) != (w->kind == REF_INVOKE_STATIC)) {
        char *text = method_external_name(m->class, m->name, m->descriptor);
        THROW(self, IncompatibleClassChangeError, "Expected %s method '%s'",
              w->kind == REF_INVOKE_STATIC ? "static" : "instance", text);
        mem_free(text);
        return false;
    }
    return fill_method(self, name, m, w->kind, holder);
}

static bool
resolve_field_member(struct thread *self, struct object *name,
                     const struct wanted_member *w)
{
    struct field *f = link_field(self, w->holder, w->name, w->descriptor, w->caller);

    return f && fill_field(self, name, f, w->kind >= REF_PUT_FIELD);
}

static bool
unresolved(struct thread *self, int32_t flags)
{
    if (exception_pending(self))
        return false;
    if ((flags & MN_ALL_KINDS) == MN_IS_FIELD)
        THROW(self, NoSuchFieldError, "field resolution failed");
    else if (flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR))
        THROW(self, NoSuchMethodError, "method resolution failed");
    else
        THROW(self, LinkageError, "resolution failed");
    return false;
}

/* resolve(MemberName, Class caller, int mode, boolean speculative) */
static bool
member_resolve(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    bool speculative = args[3].i != 0, done = false;

    if (!name) {
        THROW(self, InternalError, "mname is null");
        return false;
    }
    int32_t flags = OBJECT_FIELD(int32_t, name, KF(vm, MemberName_flags));
    struct object *holder = OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz));
    struct object *text = OBJECT_FIELD(struct object *, name, KF(vm, MemberName_name));
    struct object *type = OBJECT_FIELD(struct object *, name, KF(vm, MemberName_type));
    if (OBJECT_FIELD(struct object *, name, KF(vm, MemberName_method)))
        return true; /* resolved before */
    if (holder && text && type) {
        struct wanted_member w = {
            .holder = class_of_mirror(holder),
            .caller = args[1].ref ? class_of_mirror(args[1].ref) : NULL,
            .name = string_to_symbol(text, false),
            .descriptor = descriptor_of(vm, type),
            .kind = (flags >> MN_REFERENCE_KIND_SHIFT) & 0xf
        };
        if (class_is_array(w.holder))
            w.holder = KC(vm, Object);
        if (w.holder->primitive || (w.name->bytes[0] == '<' && w.name->bytes[1] == 'c'))
            done = false;
        else if ((flags & MN_ALL_KINDS) == MN_IS_FIELD)
            done = resolve_field_member(self, name, &w);
        else
            done = resolve_method_member(self, name, &w);
    }
    if (done)
        return true;
    if (speculative) {
        self->exception = NULL;
        args[0].ref = NULL;
        return true;
    }
    return unresolved(self, flags);
}

/* ---- the rest ---- */

static bool
member_expand(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    struct method *m = name ? member_target(self, name) : NULL;

    if (!m) {
        THROW(self, InternalError, "%s", name ? "nothing to expand" : "mname is null");
        return false;
    }
    if (!OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz)))
        OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz)) =
            m->class->layout.mirror;
    if (!OBJECT_FIELD(struct object *, name, KF(vm, MemberName_name))) {
        struct object *text = string_intern_symbol(self, m->name);
        if (!text)
            return false;
        OBJECT_FIELD(struct object *, name, KF(vm, MemberName_name)) = text;
    }
    if (!OBJECT_FIELD(struct object *, name, KF(vm, MemberName_type))) {
        struct object *text = string_from_symbol(self, m->descriptor);
        if (!text)
            return false;
        OBJECT_FIELD(struct object *, name, KF(vm, MemberName_type)) = text;
    }
    return true;
}

static bool
is_field_member(struct thread *self, const struct object *name, bool is_static)
{
    const struct vm *vm = self->vm;
    int32_t flags =
        name ? OBJECT_FIELD(int32_t, name, KF(vm, MemberName_flags)) : 0;

    if ((flags & MN_IS_FIELD) && ((flags & ACC_STATIC) != 0) == is_static)
        return true;
    THROW(self, InternalError, "%s field required", is_static ? "static" : "non-static");
    return false;
}

static bool
object_field_offset(struct thread *self, union slot *args)
{
    if (!is_field_member(self, args[0].ref, false))
        return false;
    args[0].j = OBJECT_FIELD(int64_t, args[0].ref, self->vm->known.member_name_index);
    return true;
}

static bool
static_field_offset(struct thread *self, union slot *args)
{
    if (!is_field_member(self, args[0].ref, true))
        return false;
    args[0].j = OBJECT_FIELD(int64_t, args[0].ref, self->vm->known.member_name_index);
    return true;
}

static bool
static_field_base(struct thread *self, union slot *args)
{
    if (!is_field_member(self, args[0].ref, true))
        return false;
    args[0].ref =
        OBJECT_FIELD(struct object *, args[0].ref, KF(self->vm, MemberName_clazz));
    return true;
}

static bool
member_vm_info(struct thread *self, union slot *args)
{
    struct vm *vm = self->vm;
    struct object *name = args[0].ref;
    SCOPE(self);

    if (!name) {
        args[0].ref = NULL;
        return true;
    }
    union slot index = { .j = OBJECT_FIELD(int64_t, name, vm->known.member_name_index) };
    struct object *pair = keep(self, array_new(self, vm->known.object_array, 2));
    struct object *boxed = pair ? box_value(self, 'J', index) : NULL;
    if (!boxed)
        return false;
    int32_t flags = OBJECT_FIELD(int32_t, name, KF(vm, MemberName_flags));
    ARRAY_REFS(pair)[0] = boxed;
    ARRAY_REFS(pair)[1] =
        flags & MN_IS_FIELD
            ? OBJECT_FIELD(struct object *, name, KF(vm, MemberName_clazz))
            : name;
    args[0].ref = pair;
    return true;
}

static bool
set_target(struct thread *self, union slot *args)
{
    __atomic_store_n(
        &OBJECT_FIELD(struct object *, args[0].ref, KF(self->vm, CallSite_target)),
        args[1].ref, __ATOMIC_SEQ_CST);
    return true;
}

/* getMembers(Class, String name, String type, int flags, Class caller, int skip,
   MemberName[] results): fills results, answers how many there are. */
struct member_search {
    struct thread *self;
    const struct symbol *name, *descriptor;
    struct class *caller;
    int32_t flags, skip, found, written;
    struct object *results;
};

static bool
offer(struct member_search *s, struct method *m, const struct field *f)
{
    const struct symbol *name = m ? m->name : f->name;
    const struct symbol *descriptor = m ? m->descriptor : f->descriptor;
    uint16_t access = m ? m->access_flags : f->access_flags;
    struct class *c = m ? m->class : f->class;

    if ((s->name && s->name != name)
        || (s->descriptor && s->descriptor != descriptor)
        || (s->caller && !access_member(s->caller, c, c, access)))
        return true;
    if (s->skip-- > 0 || s->found++ >= array_length(s->results))
        return true;
    struct object *out = ARRAY_REFS(s->results)[s->written];
    s->written++;
    if (!out)
        return true;
    return m ? fill_method(s->self, out, m,
                           class_is_interface(c) ? REF_INVOKE_INTERFACE
                                                 : REF_INVOKE_VIRTUAL, c)
             : fill_field(s->self, out, f, false);
}

static bool
search_class(struct member_search *s, struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];
        bool constructor = symbol_equals(m->name, "<init>");
        if ((m->flags & METHOD_OVERPASS) || symbol_equals(m->name, "<clinit>")
            || !(s->flags & (constructor ? MN_IS_CONSTRUCTOR : MN_IS_METHOD)))
            continue;
        if (!offer(s, m, NULL))
            return false;
    }
    for (uint32_t i = 0; (s->flags & MN_IS_FIELD) && i < c->field_count; i++)
        if (!offer(s, NULL, &c->fields[i]))
            return false;
    return true;
}

static bool
get_members(struct thread *self, union slot *args)
{
    struct class *c = args[0].ref ? class_of_mirror(args[0].ref) : NULL;
    struct member_search s = {
        .self = self, .flags = args[3].i, .skip = args[5].i, .results = args[6].ref,
        .name = args[1].ref ? string_to_symbol(args[1].ref, false) : NULL,
        .descriptor = args[2].ref ? string_to_symbol(args[2].ref, false) : NULL,
        .caller = args[4].ref ? class_of_mirror(args[4].ref) : NULL
    };

    if (!c || !s.results || c->primitive) {
        args[0].i = -1;
        return true;
    }
    struct class *start = c;
    for (; c; c = s.flags & MN_SEARCH_SUPERCLASSES ? c->super : NULL)
        if (!search_class(&s, c))
            return false;
    if (s.flags & MN_SEARCH_INTERFACES)
        for (uint32_t i = 0; i < start->all_interface_count; i++)
            if (!search_class(&s, start->all_interfaces[i]))
                return false;
    args[0].i = s.found;
    return true;
}

static bool
copy_out_arguments(struct thread *self, union slot *args)
{
    (void)args;
    /* Only linkCallSite's pull mode asks, which the VM does not use. */
    THROW(self, InternalError, "bootstrap arguments are passed as objects");
    return false;
}

static bool
no_constant(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = 0;
    return true;
}

static bool
nothing(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

#define MN "Ljava/lang/invoke/MemberName;"
#define CLS "Ljava/lang/Class;"
#define OBJ "Ljava/lang/Object;"
#define STR "Ljava/lang/String;"

static const struct intrinsic rows[] = {
    { "registerNatives", "()V", nothing },
    { "init", "(" MN OBJ ")V", member_init },
    { "expand", "(" MN ")V", member_expand },
    { "resolve", "(" MN CLS "IZ)" MN, member_resolve },
    { "getMembers", "(" CLS STR STR "I" CLS "I[" MN ")I", get_members },
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
      "(Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;)V", nothing },
    { "getNamedCon", "(I[" OBJ ")I", no_constant },
    { NULL, NULL, NULL }
};

void
handle_natives_register(void)
{
    intrinsics_register("java/lang/invoke/MethodHandleNatives", rows);
}
