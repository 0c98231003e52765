/* SPDX-License-Identifier: MIT */
/* minivm/interp/force.c -- popping frames, early returns.
 *
 * A callee's first locals are its caller's operands, so an invoke that is run again
 * finds its arguments where they were, with what the callee did to them. */

#include "interp/force.h"

#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "interp/interp.h"
#include "vm/loader.h"
#include "vm/monitor.h"
#include "vm/vm.h"

bool
frame_is_opaque(const struct frame *f)
{
    const struct code *code = f->code;

    return frame_is_native(f) || !code->info || !code->info->has_code
           || pc_untag(f->pc) == insn_intrinsic + 1;
}

/* ---- types ---- */

static bool
named_takes(struct loader *l, const struct symbol *name, struct class *c, bool is_loose)
{
    struct class *wanted = class_find_loaded(l, name);

    if (wanted)
        return class_is_subtype(c, wanted) || (is_loose && class_is_interface(wanted));
    /* Not by this loader; what it would find is a matter of names. */
    if (is_loose)
        return true;
    for (const struct class *at = c; at; at = at->super)
        if (at->name == name)
            return true;
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i]->name == name)
            return true;
    return false;
}

bool
type_takes(struct loader *l, const char *text, size_t length, struct class *c,
           bool is_loose)
{
    for (; *text == '['; text++, length--) {
        if (!class_is_array(c))
            return false;
        c = c->element;
    }
    if (*text != 'L')
        return c->primitive == *text;
    const struct symbol *name = symbol_lookup(text + 1, length - 2);
    return !c->primitive && (!name ? is_loose : named_takes(l, name, c, is_loose));
}

/* ---- invoking again ---- */

/* The call that f's caller waits in is one of MethodHandle.linkTo…. */
static bool
is_linker_call(const struct frame *f)
{
    const union insn *call = f->caller->pc - 2;

    return call->op == OP_INVOKESTATIC
           && (call[1].method->flags & METHOD_SIGNATURE_POLYMORPHIC);
}

/* Its last argument, which f's frame has overwritten: forms of direct method handles
   have the handle in local 0.  NULL when that is not so. */
static struct object *
linker_member(const struct frame *f)
{
    const struct frame *form = f->caller;
    const struct object *handle = frame_locals(form)[0].ref;
    struct class *c;

    if (form->code->method->arg_slots == 0
        || frame_local_kind(form, 0) != SLOT_REFERENCE || !handle)
        return NULL;
    c = object_class(handle);
    struct field *field = class_find_field(c, symbol_of("member"),
                                           symbol_of("Ljava/lang/invoke/MemberName;"));
    if (!field || !c->loader->is_boot)
        return NULL;
    struct object *member = OBJECT_FIELD(struct object *, handle, field->offset);
    const struct method *m = member ? member_target(current_thread, member) : NULL;
    return m && m->name == f->code->method->name
               && m->descriptor == f->code->method->descriptor ? member : NULL;
}

static bool
takes_argument(const struct frame *f, int32_t slot, const char *text, size_t length)
{
    const struct object *o = frame_locals(f)[slot].ref;

    if (frame_local_kind(f, (unsigned)slot) != SLOT_REFERENCE)
        return false;
    return !o || type_takes(f->code->method->class->loader, text, length,
                            object_class(o), true);
}

/* Code may use a parameter's slot for something else. */
static bool
has_arguments(const struct frame *f)
{
    const struct method *m = f->code->method;
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

static void
invoke_again(struct thread *self, struct frame *f)
{
    struct frame *caller = f->caller;
    const union insn *call = caller->pc - 2;
    const struct translation *plain = caller->code->plain;
    union slot *args = frame_locals(f);
    struct object *member = is_linker_call(f) ? linker_member(f) : NULL;

    if (member)
        args[call[1].method->arg_slots - 1].ref = member;
    /* A step or a breakpoint at the invoke comes again. */
    if (plain && call >= plain->units && call < plain->units + plain->unit_count)
        call--;
    caller->pc = call;
    self->top = caller;
}

/* ---- requests ---- */

static bool
force(struct thread *t, bool again, union slot value)
{
    const struct frame *f = t->top;

    if (!f || frame_is_entry(f) || frame_is_opaque(f) || t->forced_frame)
        return false;
    t->forced_frame = f;
    t->forced_again = again;
    t->forced_value = value;
    t->forced_object = !again && f->code->method->return_type == 'L' ? value.ref : NULL;
    thread_set_hooks(t, HOOK_POP_FRAME, 0);
    return true;
}

bool
force_again(struct thread *t)
{
    const struct frame *f = t->top;

    return f && !frame_is_entry(f) && !frame_is_opaque(f) && !frame_is_entry(f->caller)
           && !frame_is_opaque(f->caller) && has_arguments(f)
           && (!is_linker_call(f) || linker_member(f))
           && force(t, true, (union slot){ .bits = 0 });
}

bool
force_return(struct thread *t, union slot value)
{
    return force(t, false, value);
}

void
force_take(struct thread *self, bool *again, union slot *value)
{
    struct frame *f = self->top;

    *again = self->forced_again;
    /* A void method may have no slot for it: see what RETURN names as its value. */
    if (!*again && f->code->method->return_type != 'V')
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

struct frame *
force_leave(struct thread *self)
{
    struct frame *f = self->top;
    union slot value = { .bits = 0 };

    f->pc = pc_tag(f->pc, PC_NO_OPERANDS);
    switch (return_hooks(self, f, &value)) {
    case RETURN_THROW:
        return NULL;
    case RETURN_REDO:
        return self->top;
    default:
        break;
    }
    if (f->code->method->return_type != 'V')
        frame_locals(f)[0] = value;
    self->top = f->caller;
    return f->caller;
}
