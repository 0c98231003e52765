/* SPDX-License-Identifier: MIT */
/* minivm/interp/handles.c -- method handles, invokehandle and invokedynamic.
 *
 * The JDK's java.lang.invoke builds the adapters; the VM gives it five intrinsics
 * (invokeBasic and linkTo...) and asks it to link call sites (JVMS 5.4.3.5,
 * 5.4.3.6, 6.5).  Each intrinsic at each descriptor is a method of its own, whose
 * one instruction calls on with the frame's arguments. */

#include "interp/interp.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"
#include "vm/vm.h"

enum { KIND_BASIC, KIND_STATIC, KIND_SPECIAL, KIND_VIRTUAL, KIND_INTERFACE, KIND_NONE };

static const struct {
    const char *name;
    const union insn *body;
} kinds[] = {
    { "invokeBasic", insn_mh_basic }, { "linkToStatic", insn_mh_static },
    { "linkToSpecial", insn_mh_special }, { "linkToVirtual", insn_mh_virtual },
    { "linkToInterface", insn_mh_interface },
};

/* The intrinsic methods made so far, by kind: descriptor → struct method; locked by
   class_mutex. */
static struct ptrmap made[KIND_NONE];

static int
intrinsic_kind(const struct method *m)
{
    if (!symbol_equals(m->class->name, "java/lang/invoke/MethodHandle"))
        return KIND_NONE;
    for (int kind = 0; kind < KIND_NONE; kind++)
        if (symbol_equals(m->name, kinds[kind].name))
            return kind;
    return KIND_NONE;
}

bool
handle_is_intrinsic(const struct method *m)
{
    return intrinsic_kind(m) != KIND_NONE;
}

static struct method *
make_intrinsic(const struct method *declared, int kind,
               const struct symbol *descriptor)
{
    struct method *m = mem_calloc(1, sizeof *m);
    struct code *code = mem_calloc(1, sizeof *code);
    struct descriptor_type result;

    descriptor_return(descriptor, &result);
    m->code = code;
    m->class = declared->class;
    m->name = declared->name;
    m->descriptor = descriptor;
    m->access_flags = declared->access_flags;
    m->flags = METHOD_HIDDEN | METHOD_SIGNATURE_POLYMORPHIC;
    m->arg_slots = (uint16_t)(descriptor_arg_slots(descriptor)
                              + !method_is_static(declared));
    m->return_type = result.kind == '[' ? 'L' : result.kind;
    m->vtable_index = VTABLE_NONE;
    m->index = declared->index;
    m->serial = declared->serial;
    code->method = m;
    code_prepare(code);
    code->start = kinds[kind].body;
    return m;
}

struct method *
handle_intrinsic(struct thread *self, struct method *declared,
                 const struct symbol *descriptor)
{
    int kind = intrinsic_kind(declared);

    LOCK(&self->vm->class_mutex);
    void **slot = ptrmap_slot(&made[kind], descriptor);
    if (!*slot)
        *slot = make_intrinsic(declared, kind, descriptor);
    return *slot;
}

/* ---- targets ---- */

struct method *
member_target(const struct thread *self, const struct object *member)
{
    const struct vm *vm = self->vm;
    const struct object *resolved = REF_FIELD(vm, member, MemberName_method);

    return resolved ? OBJECT_FIELD(struct method *, resolved,
                                   KF(vm, ResolvedMethodName_vmtarget))
                    : NULL;
}

struct method *
handle_target(struct thread *self, struct frame *fp, enum op op)
{
    const struct vm *vm = self->vm;
    const union slot *args = frame_locals(fp);
    struct object *member = args[fp->code->method->arg_slots - 1].ref;
    struct method *m;

    if ((op != OP_MH_STATIC && !args[0].ref) || (op != OP_MH_BASIC && !member))
        return throw_null_pointer(self);
    if (op == OP_MH_BASIC) {
        const struct object *form = REF_FIELD(vm, args[0].ref, MethodHandle_form);
        member = form ? REF_FIELD(vm, form, LambdaForm_vmentry) : NULL;
    }
    m = member ? member_target(self, member) : NULL;
    if (m && (op == OP_MH_VIRTUAL || op == OP_MH_INTERFACE)) {
        struct class *c = object_class(args[0].ref);
        struct method *found = class_select(c, m);
        m = found ? found : select_method(self, c, m);
    }
    if (!m && !exception_pending(self))
        THROW(self, InternalError, "unresolved MemberName");
    return m;
}

/* ---- call sites ---- */

/* Runs linkMethod or linkCallSite, which answers the adapter's MemberName and stores
   the appendix into the array that is its last argument. */
static struct call_site *
link_site(struct thread *self, struct cpool *pool, struct method *linker,
          union slot *args, const struct symbol *descriptor)
{
    struct class *objects = self->vm->known.object_array;
    struct object *holder = keep(self, array_new(self, objects, 1));
    struct method *adapter;
    struct call_site *site;
    union slot member;

    if (!holder)
        return NULL;
    args[linker->arg_slots - 1].ref = holder;
    if (!java_call(self, linker, args, &member))
        return NULL;
    keep(self, member.ref);
    adapter = member.ref ? member_target(self, member.ref) : NULL;
    if (!adapter)
        return THROW(self, LinkageError, "the call site's adapter is not resolved");
    site = mem_try_calloc(1, sizeof *site);
    if (!site)
        return throw_out_of_memory(self, "call site");
    *site = (struct call_site){ adapter, ARRAY_REFS(holder)[0],
                                (uint16_t)descriptor_arg_slots(descriptor) };
    /* The member keeps the adapter's class, which may be hidden. */
    if ((site->appendix && !cpool_add_reference(self, pool, site->appendix))
        || !cpool_add_reference(self, pool, member.ref)) {
        mem_free(site);
        return NULL;
    }
    return site;
}

struct call_site *
link_handle(struct thread *self, struct cpool *pool, unsigned index,
            struct method *declared)
{
    SCOPE(self);
    const struct symbol *descriptor = cf_member(pool->file, index).descriptor;
    struct object *type = keep(self, method_type_of(self, pool->class, descriptor));
    struct object *name = type ? keep(self, string_intern_symbol(self, declared->name))
                               : NULL;
    union slot args[] = {
        { .ref = pool->class->layout.mirror }, { .i = REF_INVOKE_VIRTUAL },
        { .ref = declared->class->layout.mirror }, { .ref = name }, { .ref = type },
        { .ref = NULL },
    };
    struct call_site *site = NULL;

    if (name)
        site = link_site(self, pool, KM(self->vm, MethodHandleNatives_linkMethod), args,
                         descriptor);
    if (site)
        site->arg_slots++; /* the handle */
    return site;
}

struct call_site *
link_dynamic(struct thread *self, struct cpool *pool, unsigned index)
{
    SCOPE(self);
    struct bootstrap_call call;
    struct call_site *site = NULL;

    if (call_site_has_failed(self, pool, index))
        return NULL;
    if (resolve_bootstrap(self, pool, index, &call)) {
        union slot args[] = {
            { .ref = pool->class->layout.mirror }, { .i = (int32_t)index },
            { .ref = call.handle }, { .ref = call.name }, { .ref = call.type },
            { .ref = call.arguments }, { .ref = NULL },
        };
        site = link_site(self, pool, KM(self->vm, MethodHandleNatives_linkCallSite),
                         args, cf_member(pool->file, index).descriptor);
    }
    if (!site)
        call_site_failed(self, pool, index);
    return site;
}
