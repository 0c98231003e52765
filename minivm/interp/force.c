/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/force.c -- JVM TI "Pop Frame" and "Force Early Return".
 *
 * A request is made while the thread is stopped, and only notes the newest frame in
 * struct thread.  The thread itself leaves the frame when it goes on: every slow path
 * of the loop ends with a look at thread_must_leave.  This way C code that runs on
 * behalf of the frame, such as a class initializer's caller, returns in order.
 *
 * To pop a frame is to run the caller's invoke instruction again.  A callee's first
 * locals are its caller's operands (runtime/frame.h), so the instruction finds its
 * arguments where they were, with what the callee has stored in them, as the
 * specification allows. That works only if the parameters' slots still hold values of
 * the parameters' types, which has_arguments checks.
 */

#include "interp/force.h"

#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "interp/interp.h"
#include "interp/translation.h"
#include "linking/loader.h"
#include "runtime/vm.h"
#include "threads/monitor.h"

bool
frame_is_opaque(const struct frame *f)
{
    const struct method_version *version = f->version;

    return frame_is_native(f) || !version->info || !version->info->has_code
           || pc_untag(f->pc) == insn_intrinsic + 1;
}

/* ---- invoking again ---- */

/* Returns true if f was called by MethodHandle.linkToStatic or one of its siblings.
   The intrinsic's own frame is gone, so f's caller is the lambda form, which waits
   behind the intrinsic's call: two words, of which the second has the method. */
static bool
is_linker_call(const struct frame *f)
{
    const union insn *call = f->caller->pc - 2;

    return call->op == OP_INVOKESTATIC
           && (call[1].method->flags & METHOD_SIGNATURE_POLYMORPHIC);
}

/*
 * Returns the last argument of the linkTo intrinsic that called f: the MemberName,
 * which f's frame has overwritten.  It can be found again if the caller is the lambda
 * form of a direct method handle, since that has the handle, which refers to the
 * MemberName, in its local 0.  Otherwise returns NULL.
 */
static struct object *
linker_member(const struct frame *f)
{
    const struct frame *lambda_form = f->caller;
    const struct object *handle = frame_locals(lambda_form)[0].ref;
    struct class *c;

    if (lambda_form->version->method->arg_slots == 0
        || frame_local_kind(lambda_form, 0) != SLOT_REFERENCE || !handle)
        return NULL;
    c = object_class(handle);
    struct field *field = class_find_field(c, symbol_of("member"),
                                           symbol_of("Ljava/lang/invoke/MemberName;"));
    if (!field || !c->loader->is_boot)
        return NULL;
    struct object *member = OBJECT_FIELD(struct object *, handle, field->offset);
    const struct method *m = member ? member_name_target(current_thread, member) : NULL;
    return m && m->name == f->version->method->name
                   && m->descriptor == f->version->method->descriptor
               ? member
               : NULL;
}

/* Returns true if the local slot of f holds an argument for a parameter of the
   reference type whose descriptor is text, of that length: null, or an object of that
   type as far as loaded classes tell. */
static bool
takes_argument(const struct frame *f, int32_t slot, const char *text, size_t length)
{
    const struct object *o = frame_locals(f)[slot].ref;

    if (frame_local_kind(f, (unsigned)slot) != SLOT_REFERENCE)
        return false;
    return !o
           || type_accepts(f->version->method->class->loader, text, length,
                           object_class(o), LENIENT);
}

/* Returns true if the parameters' slots of f hold arguments.  Bytecode may have used
   them for values of other types, and then the call cannot be run again.  Any bits are
   a value of a primitive type, so only references are looked at. */
static bool
has_arguments(const struct frame *f)
{
    const struct method *m = f->version->method;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    int32_t slot = 0;

    if (!method_is_static(m)) {
        const struct object *receiver = frame_locals(f)[0].ref;
        if (frame_local_kind(f, 0) != SLOT_REFERENCE || !receiver
            || !object_is_instance(receiver, m->class))
            return false;
        slot = 1;
    }
    while (descriptor_next(&it, &type)) {
        if (descriptor_kind_is_reference(type.kind)
            && !takes_argument(f, slot, type.text, type.length))
            return false;
        slot += (int32_t)descriptor_kind_slots(type.kind);
    }
    return true;
}

/* Pops f, which is on top, and puts its caller in front of the call that it waits in,
   whose two words are in front of the saved pc.  If a linkTo intrinsic called f, the
   last argument, which f's frame has overwritten, is put back. */
static void
invoke_again(struct thread *self, struct frame *f)
{
    struct frame *caller = f->caller;
    const union insn *call = caller->pc - 2;
    const struct translation *debug = caller->version->debug_translation;
    union slot *args = frame_locals(f);
    struct object *member = is_linker_call(f) ? linker_member(f) : NULL;

    if (member)
        args[call[1].method->arg_slots - 1].ref = member;
    /* In the debug translation, go back to the STEP before the call: single steps and
       breakpoints there are reported again (JVM TI "Pop Frame"). */
    if (debug && call >= debug->words && call < debug->words + debug->word_count)
        call--;
    caller->pc = call;
    self->top = caller;
}

/* ---- requests ---- */

enum { RETURN_VALUE = false, CALL_AGAIN = true };

/* Notes the request to leave t's newest frame.  again: run the caller's call again,
   else return value.  Returns false, and notes nothing, if there is no such frame, if
   it cannot be left, or if another request waits. */
static bool
force(struct thread *t, bool again, union slot value)
{
    const struct frame *f = t->top;

    if (!f || frame_is_entry(f) || frame_is_opaque(f) || t->forced_frame)
        return false;
    t->forced_frame = f;
    t->forced_again = again;
    t->forced_value = value;
    t->forced_object = !again && f->version->method->return_type == 'L' ? value.ref
                                                                        : NULL;
    thread_set_hooks(t, HOOK_POP_FRAME, 0);
    return true;
}

bool
force_pop(struct thread *t)
{
    const struct frame *f = t->top;

    /* The caller has to be bytecode as well, to have a call that can be run again. */
    return f && !frame_is_entry(f) && !frame_is_opaque(f) && !frame_is_entry(f->caller)
           && !frame_is_opaque(f->caller) && has_arguments(f)
           && (!is_linker_call(f) || linker_member(f))
           && force(t, CALL_AGAIN, (union slot){ .bits = 0 });
}

bool
force_return(struct thread *t, union slot value)
{
    return force(t, RETURN_VALUE, value);
}

/* The monitors that the frame has entered are left here if it is popped; for an early
   return return_hooks does that after the events. */
void
force_take(struct thread *self, bool *again, union slot *value)
{
    struct frame *f = self->top;

    *again = self->forced_again;
    /* *value of a void method is whatever operand a of RETURN names; it stays. */
    if (!*again && f->version->method->return_type != 'V')
        *value = self->forced_value;
    self->forced_frame = NULL;
    self->forced_object = NULL;
    self->exception = NULL;
    thread_set_hooks(self, 0, HOOK_POP_FRAME);
    if (*again) {
        monitor_exit_frame(self, f);
        invoke_again(self, f);
    }
}

/* RETURN_REDO of return_hooks says that force_take has popped the frame already. */
struct frame *
force_leave(struct thread *self)
{
    struct frame *f = self->top;
    union slot value = { .bits = 0 };

    f->pc = pc_tag(f->pc, PC_NO_OPERANDS);
    switch (return_hooks(self, f, &value)) {
    case RETURN_THROW: return NULL;
    case RETURN_REDO: return self->top;
    default: break;
    }
    if (f->version->method->return_type != 'V')
        frame_locals(f)[0] = value;
    self->top = f->caller;
    return f->caller;
}
