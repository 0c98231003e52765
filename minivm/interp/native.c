/* SPDX-License-Identifier: MIT */
/* minivm/interp/native.c -- calling native methods.
 *
 * Foreign code is called by libffi with a call interface that is made once per
 * method.  References go as addresses of the frame's own slots, so passing them
 * costs nothing; the class of a static method stands in the frame's aux. */

#include "interp/interp.h"

#include <ffi.h>

#include "base/events.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/monitor.h"
#include "vm/refs.h"
#include "vm/vm.h"

/* A method's arguments as foreign code takes them, JNIEnv and class or receiver
   first. */
struct native_call {
    ffi_cif cif;
    unsigned count;
    ffi_type *types[];
};

static ffi_type *
ffi_type_of(char kind)
{
    static ffi_type *const types['Z' - 'A' + 1] = {
        ['B' - 'A'] = &ffi_type_sint8, ['C' - 'A'] = &ffi_type_uint16,
        ['D' - 'A'] = &ffi_type_double, ['F' - 'A'] = &ffi_type_float,
        ['I' - 'A'] = &ffi_type_sint32, ['J' - 'A'] = &ffi_type_sint64,
        ['L' - 'A'] = &ffi_type_pointer, ['S' - 'A'] = &ffi_type_sint16,
        ['V' - 'A'] = &ffi_type_void, ['Z' - 'A'] = &ffi_type_uint8,
    };

    return types[kind - 'A'];
}

static struct native_call *
make_call(struct thread *self, struct method *m)
{
    unsigned count = 2 + (unsigned)descriptor_arg_count(m->descriptor), i = 2;
    struct native_call *c = mem_try_calloc(1, sizeof *c + count * sizeof *c->types);
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;

    if (!c)
        return throw_out_of_memory(self, "native call");
    c->count = count;
    c->types[0] = c->types[1] = &ffi_type_pointer;
    while (descriptor_next(&it, &type))
        c->types[i++] = ffi_type_of(type.kind == '[' ? 'L' : type.kind);
    if (ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, count, ffi_type_of(m->return_type),
                     c->types) != FFI_OK) {
        mem_free(c);
        return THROW(self, InternalError, "cannot call native method %s.%s%s",
                     m->class->name->bytes, m->name->bytes, m->descriptor->bytes);
    }
    struct native_call *none = NULL;
    if (!__atomic_compare_exchange_n(&m->native_call, &none, c, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        mem_free(c);
        c = none;
    }
    return c;
}

static bool
bind_native(struct thread *self, struct method *m)
{
    void *address = native_lookup(self, m);

    if (exception_pending(self))
        return false;
    if (!address)
        return THROW(self, UnsatisfiedLinkError, "'%pM'", m);
    vm_log_native(m, "Dynamic-linking", " ... JNI");
    EVENT_SEND(EVENT_NATIVE_METHOD_BIND, native_method_bind, self, m, &address);
    atomic_store_explicit(&m->native, address, memory_order_release);
    return true;
}

/* What came back, widened as a slot holds it. */
static void
take_result(const struct method *m, const ffi_arg *raw, union slot *to)
{
    to->bits = *(const uint64_t *)raw;
    if (m->return_type == 'L')
        to->ref = ref_get((ref)(uintptr_t)*raw);
    else if (m->return_type == 'Z')
        to->i = (uint8_t)*raw != 0;
    else
        to->i = narrowed((int32_t)*raw, m->return_type);
}

/* Runs the function; the result is in *result.  True when it has caught an exception
   that a Java method threw. */
static bool
run_foreign(struct thread *self, struct frame *fp, struct native_call *c,
            void *function, union slot *result)
{
    const struct method *m = fp->code->method;
    union slot *local = frame_locals(fp);
    const void *env = &self->jni;
    void *pointers[c->count], *values[c->count];
    ffi_arg raw[2] = { 0, 0 };

    values[0] = &env;
    pointers[1] = method_is_static(m) ? &fp->aux.ref : &local++->ref;
    values[1] = &pointers[1];
    for (unsigned i = 2; i < c->count; i++) {
        const ffi_type *type = c->types[i];
        pointers[i] = local->ref ? &local->ref : NULL;
        values[i] = type == &ffi_type_pointer ? (void *)&pointers[i] : local;
        local += type == &ffi_type_sint64 || type == &ffi_type_double ? 2 : 1;
    }
    struct native_refs refs = { .older = self->natives, .frame = fp,
                                .mark = ref_mark(self), .capacity = LOCAL_CAPACITY };
    self->natives = &refs;
    thread_leave_vm(self);
    ffi_call(&c->cif, FFI_FN(function), raw, values);
    thread_enter_vm(self);
    take_result(m, raw, result);
    self->natives = refs.older;
    ref_release(self, refs.mark);
    return refs.has_caught;
}

/* Control is back in the Java method that called fp, if one did: before what comes
   after the call (JVM TI "Exception Catch", "Multiple Co-located Events"). */
static bool
report_catch(struct thread *self, struct frame *fp, const union slot *result)
{
    struct frame *caller = fp->caller;

    if (frame_is_entry(caller))
        return true;
    SCOPE(self);
    if (fp->code->method->return_type == 'L')
        keep(self, result->ref);
    uint32_t bci = (uint32_t)frame_bci(caller);
    uint8_t opcode = caller->code->info->code[bci];
    bci += opcode == OP_invokeinterface || opcode == OP_invokedynamic ? 5 : 3;
    EVENT_SEND(EVENT_EXCEPTION_CATCH, exception_catch, self, caller, bci, NULL);
    return !exception_pending(self);
}

bool
native_invoke(struct thread *self, struct frame *fp)
{
    struct method *m = fp->code->method;
    struct object *mirror = m->class->layout.mirror;
    union slot result = { .bits = 0 };

    fp->pc = NULL;
    fp->aux.ref = mirror;
    struct native_call *c = __atomic_load_n(&m->native_call, __ATOMIC_ACQUIRE);
    if (!c && !(c = make_call(self, m)))
        return false;
    void *function = atomic_load_explicit(&m->native, memory_order_acquire);
    if (!function) {
        if (!bind_native(self, m))
            return false;
        function = m->native;
    }
    if ((char *)__builtin_frame_address(0) < self->c_stack_limit)
        return throw_stack_overflow(self);
    if (m->access_flags & ACC_SYNCHRONIZED) {
        struct object *lock = method_is_static(m) ? mirror : frame_locals(fp)[0].ref;
        if (!monitor_enter_fast(self, lock, fp) && !monitor_enter(self, lock, fp))
            return false;
    }
    bool has_caught = run_foreign(self, fp, c, function, &result);
    if (exception_pending(self) || return_hooks(self, fp, &result) == RETURN_THROW)
        return false;
    if ((m->access_flags & ACC_SYNCHRONIZED) && !return_monitors(self, fp))
        return false;
    if (has_caught && !report_catch(self, fp, &result))
        return false;
    if (m->return_type != 'V')
        frame_locals(fp)[0] = result;
    return true;
}
