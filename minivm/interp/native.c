/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/native.c -- calling native methods (JNI "Native Method Arguments").
 *
 * A native method's function has a C type that only the descriptor tells, so it is
 * called by libffi, with a call interface (ffi_cif) that is made once per method, or as
 * a function of words, if its type permits that (call_in_words).  The function gets
 * JNIEnv, the class or receiver, and the arguments.  A jobject is the address of a cell
 * that holds a reference; here the cells are the slots of the frame itself, so passing
 * references costs nothing, and the collector finds them in the frame.  The class of a static method stands in the frame's aux.  Local references
 * that the function creates are released when it returns.
 *
 * While the function runs, the thread is out of the VM: it counts as stopped at a
 * safepoint, and must not touch the heap until thread_enter_vm.
 */

#include "interp/interp.h"

#include <ffi.h>

#include "base/events.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/refs.h"
#include "runtime/vm.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"

/* Where call_in_words is possible, and for how many arguments; the first
   REGISTER_WORDS, at least, are in registers. */
#if defined __x86_64__ || defined __aarch64__
#    define HAS_WORD_CALLS true
#else
#    define HAS_WORD_CALLS false
#endif
enum { REGISTER_WORDS = 6, MAX_WORDS = 10 };

/* How to call a method's function: the types of its arguments, of which JNIEnv
   and the class or receiver are the first two.  Kept in struct method, never
   freed before it. */
struct native_call {
    ffi_cif cif;
    unsigned count;
    bool in_words; /* call_in_words can call it */
    ffi_type *types[];
};

/* Returns how libffi passes a value of that type, a character of a descriptor; 'L'
   stands for arrays, too. */
static ffi_type *
ffi_type_of(char kind)
{
    static ffi_type *const types['Z' - 'A' + 1] = {
        ['B' - 'A'] = &ffi_type_sint8,   ['C' - 'A'] = &ffi_type_uint16,
        ['D' - 'A'] = &ffi_type_double,  ['F' - 'A'] = &ffi_type_float,
        ['I' - 'A'] = &ffi_type_sint32,  ['J' - 'A'] = &ffi_type_sint64,
        ['L' - 'A'] = &ffi_type_pointer, ['S' - 'A'] = &ffi_type_sint16,
        ['V' - 'A'] = &ffi_type_void,    ['Z' - 'A'] = &ffi_type_uint8,
    };

    return types[kind - 'A'];
}

static bool
is_floating(const ffi_type *type)
{
    return type == &ffi_type_float || type == &ffi_type_double;
}

/* Returns the call interface of m, made and published; of two threads that do so, the
   second takes the first one's.  Returns NULL and throws without memory. */
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
    c->in_words = HAS_WORD_CALLS && count <= MAX_WORDS
                  && !is_floating(ffi_type_of(m->return_type));
    c->types[0] = c->types[1] = &ffi_type_pointer;
    while (descriptor_next(&it, &type))
        c->types[i++] = ffi_type_of(type.kind == '[' ? 'L' : type.kind);
    for (i = 2; i < count; i++)
        c->in_words = c->in_words && !is_floating(c->types[i]);
    if (ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, count, ffi_type_of(m->return_type),
                     c->types)
        != FFI_OK) {
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

/* Looks for the function of m, and lets listeners of NativeMethodBind replace it.
   Returns false and throws UnsatisfiedLinkError if there is none. */
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

/* Stores what the function returned, which libffi has widened to a word, as a slot
   holds it.  A reference is read from its cell.  A boolean is true if any bit of its
   byte is set.  The last line narrows byte, char and short; for the other types it
   writes the same low half once more. */
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

/*
 * Calls a function whose arguments and result are integers and pointers.  Each argument
 * is then in a register or a word of the stack of its own, whatever its width is, and
 * the function ignores those that it does not expect (System V ABI for x86-64, 3.2.3;
 * AAPCS64, 6.8.2), so that all such functions can be called as if they had one of two
 * types.  libffi, which finds that out anew in each call, takes ten times as long.
 */
static uint64_t
call_in_words(void *function, unsigned count, const union slot *w)
{
    typedef uint64_t short_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t);
    typedef uint64_t long_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t, uint64_t, uint64_t);

    if (count <= REGISTER_WORDS)
        return ((short_fn *)FFI_FN(function))(w[0].bits, w[1].bits, w[2].bits,
                                              w[3].bits, w[4].bits, w[5].bits);
    return ((long_fn *)FFI_FN(function))(w[0].bits, w[1].bits, w[2].bits, w[3].bits,
                                         w[4].bits, w[5].bits, w[6].bits, w[7].bits,
                                         w[8].bits, w[9].bits);
}

/*
 * Calls the function, out of the VM.  words[i] is argument i as a word: a primitive one
 * as its slot has it, a reference as the address of its slot, or NULL for null; and
 * values[i] tells libffi where that word is.  The result goes to *result; an exception
 * may be pending.  Returns true if the function has cleared an exception that JVM TI
 * Exception was sent for, which counts as catching it (JVM TI "Exception Catch").
 */
static bool
run_foreign(struct thread *self, struct frame *fp, struct native_call *c,
            void *function, union slot *result)
{
    const struct method *m = fp->version->method;
    union slot *local = frame_locals(fp);
    unsigned count = c->count > MAX_WORDS ? c->count : MAX_WORDS;
    union slot words[count];
    void *values[count];
    ffi_arg raw[2] = { 0, 0 };

    words[0].bits = (uintptr_t)&self->jni;
    words[1].bits = (uintptr_t)(method_is_static(m) ? &fp->aux.ref : &local++->ref);
    for (unsigned i = 2; i < c->count; i++) {
        const ffi_type *type = c->types[i];
        if (type == &ffi_type_pointer)
            words[i].bits = local->ref ? (uintptr_t)&local->ref : 0;
        else
            words[i] = *local;
        local += type == &ffi_type_sint64 || type == &ffi_type_double ? 2 : 1;
    }
    for (unsigned i = c->count; i < MAX_WORDS; i++)
        words[i].bits = 0;
    for (unsigned i = 0; !c->in_words && i < c->count; i++)
        values[i] = &words[i];
    struct native_invocation native = { .older = self->native_invocations,
                                        .frame = fp,
                                        .refs = ref_frame_begin(self),
                                        .capacity = LOCAL_CAPACITY };
    self->native_invocations = &native;
    thread_leave_vm(self);
    if (c->in_words)
        raw[0] = call_in_words(function, c->count, words);
    else
        ffi_call(&c->cif, FFI_FN(function), raw, values);
    thread_enter_vm(self);
    take_result(m, raw, result);
    self->native_invocations = native.older;
    ref_frame_end(self, native.refs);
    return native.has_caught;
}

/* Sends ExceptionCatch for a native method that has cleared an exception for which
   Exception was sent.  *result is what the method returned; an object has a handle
   while the listener runs, but it is the caller that returns it.  The location is the
   bytecode behind the call in the Java method that called fp, if one did; the event
   comes before any other event there (JVM TI "Multiple Co-located Events").  Returns
   false if the listener threw. */
static bool
report_catch(struct thread *self, struct frame *fp, const union slot *result)
{
    struct frame *caller = fp->caller;

    if (frame_is_entry(caller))
        return true;
    HANDLE_SCOPE(self);
    if (fp->version->method->return_type == 'L')
        handle_new(self, result->ref);
    uint32_t bci = (uint32_t)frame_bci(caller);
    uint8_t opcode = caller->version->info->code[bci];
    bci += opcode == OP_invokeinterface || opcode == OP_invokedynamic ? 5 : 3;
    EVENT_SEND(EVENT_EXCEPTION_CATCH, exception_catch, self, caller, bci, NULL);
    return !exception_pending(self);
}

/* The frame's pc is NULL, since a native method has no bytecode to be at.  The monitor
   of a synchronized method is left by return_monitors, or, when an exception is
   pending, by the unwinding. */
bool
native_invoke(struct thread *self, struct frame *fp)
{
    struct method *m = fp->version->method;
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
