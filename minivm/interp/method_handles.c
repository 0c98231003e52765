/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/method_handles.c -- method handles, invokedynamic (JVMS 5.4.3, 6.5).
 *
 * Nearly all of it is Java code in java.lang.invoke, which generates adapter methods
 * out of lambda forms.  The VM does two things for it.
 *
 * It runs five intrinsics, methods of MethodHandle that are signature polymorphic:
 * their calls have any descriptor.  invokeBasic calls the adapter of a method handle;
 * linkToStatic and its three siblings call the method that their last argument names,
 * a MemberName. The VM makes a struct method for each intrinsic at each descriptor
 * that is met; its only instruction (OP_MH_…) finds the target and calls it with the
 * same arguments in place.
 *
 * And it links call sites: an invokedynamic, or a call of MethodHandle.invoke and the
 * like, asks MethodHandleNatives once for an adapter and an appendix, an object that
 * the adapter gets as an additional argument (struct call_site in insn.h).
 */

#include "interp/interp.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "linking/method_type.h"
#include "linking/resolve.h"
#include "linking/select.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* The five intrinsics. */
enum { KIND_BASIC, KIND_STATIC, KIND_SPECIAL, KIND_VIRTUAL, KIND_INTERFACE, KIND_NONE };

/* Their names in MethodHandle, and the instruction that each consists of, by kind. */
static const struct {
    const char *name;
    const union insn *body;
} kinds[] = {
    { "invokeBasic", insn_mh_basic },         { "linkToStatic", insn_mh_static },
    { "linkToSpecial", insn_mh_special },     { "linkToVirtual", insn_mh_virtual },
    { "linkToInterface", insn_mh_interface },
};

/* The intrinsics made so far, by kind: a map from descriptor to struct method, under
   the class mutex.  They are a cache of the process, as symbols are: a method of
   java.lang.invoke, which is never unloaded. */
static struct ptrmap made[KIND_NONE];

/* Returns KIND_…, KIND_NONE if m is not an intrinsic. */
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
method_handle_is_intrinsic(const struct method *m)
{
    return intrinsic_kind(m) != KIND_NONE;
}

/* Makes the struct method of the intrinsic declared, of that kind, for calls with that
   descriptor.  It is in no class's table.  version_prepare sets the sizes of its frame,
   and the instruction is put in place of the one that version_prepare has chosen. */
static struct method *
make_intrinsic(const struct method *declared, int kind, const struct symbol *descriptor)
{
    struct method *m = mem_calloc(1, sizeof *m);
    struct method_version *version = &m->first;
    struct descriptor_type result;

    descriptor_return(descriptor, &result);
    m->version = version;
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
    version->method = m;
    version_prepare(version);
    version->start = kinds[kind].body;
    return m;
}

struct method *
method_handle_intrinsic(struct thread *self, struct method *declared,
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
member_name_target(const struct thread *self, const struct object *member)
{
    const struct vm *vm = self->vm;
    const struct object *resolved = REF_FIELD(vm, member, MemberName_method);

    return resolved ? OBJECT_FIELD(struct method *, resolved,
                                   KF(vm, ResolvedMethodName_vmtarget))
                    : NULL;
}

/* invokeBasic finds the MemberName by its receiver: handle.form.vmentry.  For the
   others it is the last argument, and all but linkToStatic have a receiver that must
   not be null.  member is only looked at where it is a reference. */
struct method *
method_handle_target(struct thread *self, struct frame *fp, enum op op)
{
    const struct vm *vm = self->vm;
    const union slot *args = frame_locals(fp);
    struct object *member = args[fp->version->method->arg_slots - 1].ref;
    struct method *m;

    if ((op != OP_MH_STATIC && !args[0].ref) || (op != OP_MH_BASIC && !member))
        return throw_null_pointer(self);
    if (op == OP_MH_BASIC) {
        const struct object *form = REF_FIELD(vm, args[0].ref, MethodHandle_form);
        member = form ? REF_FIELD(vm, form, LambdaForm_vmentry) : NULL;
    }
    m = member ? member_name_target(self, member) : NULL;
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

/*
 * Calls linker, MethodHandleNatives.linkMethod or linkCallSite, which returns the
 * adapter's MemberName and stores the appendix into the array that is its last
 * argument. args has room for that, and is kept alive by the call.  Returns a new call
 * site, or NULL and throws.
 */
static struct call_site *
link_site(struct thread *self, struct cpool *pool, struct method *linker,
          union slot *args, const struct symbol *descriptor)
{
    struct class *objects = self->vm->known.object_array;
    struct object *holder = handle_new(self, array_new(self, objects, 1));
    struct method *adapter;
    struct call_site *site;
    union slot member;

    if (!holder)
        return NULL;
    args[linker->arg_slots - 1].ref = holder;
    if (!java_call(self, linker, args, &member))
        return NULL;
    handle_new(self, member.ref);
    adapter = member.ref ? member_name_target(self, member.ref) : NULL;
    if (!adapter)
        return THROW(self, LinkageError, "the call site's adapter is not resolved");
    site = mem_try_calloc(1, sizeof *site);
    if (!site)
        return throw_out_of_memory(self, "call site");
    *site = (struct call_site){ adapter, ARRAY_REFS(holder)[0],
                                (uint16_t)descriptor_arg_slots(descriptor) };
    /* The pool keeps both alive; the MemberName keeps the adapter's class, which may be
       a hidden class that nothing else refers to. */
    if ((site->appendix && !cpool_add_reference(self, pool, site->appendix))
        || !cpool_add_reference(self, pool, member.ref)) {
        mem_free(site);
        return NULL;
    }
    return site;
}

/* Calls MethodHandleNatives.linkMethod(Class caller, int refKind, Class holder, String
   name, Object type, Object[] appendix). */
struct call_site *
link_invokehandle(struct thread *self, struct cpool *pool, unsigned index,
                  struct method *declared)
{
    HANDLE_SCOPE(self);
    const struct symbol *descriptor = cf_member(pool->file, index).descriptor;
    struct object *type = handle_new(self,
                                     method_type_of(self, pool->class, descriptor));
    struct object *name = type ? handle_new(self,
                                            string_intern_symbol(self, declared->name))
                               : NULL;
    union slot args[] = {
        { .ref = pool->class->layout.mirror },
        { .i = REF_INVOKE_VIRTUAL },
        { .ref = declared->class->layout.mirror },
        { .ref = name },
        { .ref = type },
        { .ref = NULL },
    };
    struct call_site *site = NULL;

    if (name)
        site = link_site(self, pool, KM(self->vm, MethodHandleNatives_linkMethod), args,
                         descriptor);
    if (site)
        site->arg_slots++; /* the receiver: the method handle */
    return site;
}

/* Calls MethodHandleNatives.linkCallSite(Object caller, int index, Object
   bootstrapMethod, Object name, Object type, Object staticArguments, Object[]
   appendix).  A site whose linking has failed fails for ever (JVMS 5.4.3.6), so the
   error is remembered in the pool.  A linker with one slot less, as of JDK 21, has no
   index: then the caller stands where that was, and the arguments begin there. */
struct call_site *
link_invokedynamic(struct thread *self, struct cpool *pool, unsigned index)
{
    HANDLE_SCOPE(self);
    struct bootstrap_call call;
    struct call_site *site = NULL;
    struct method *linker = KM(self->vm, MethodHandleNatives_linkCallSite);

    if (call_site_has_failed(self, pool, index))
        return NULL;
    if (resolve_bootstrap(self, pool, index, &call)) {
        union slot args[] = {
            { .ref = pool->class->layout.mirror },
            { .i = (int32_t)index },
            { .ref = call.handle },
            { .ref = call.name },
            { .ref = call.type },
            { .ref = call.arguments },
            { .ref = NULL },
        };
        unsigned left_out = (unsigned)(sizeof args / sizeof *args) - linker->arg_slots;
        args[left_out] = args[0];
        site = link_site(self, pool, linker, args + left_out,
                         cf_member(pool->file, index).descriptor);
    }
    if (!site)
        call_site_failed(self, pool, index);
    return site;
}
