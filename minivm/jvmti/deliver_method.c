/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver_method.c -- the events of running code: methods, steps,
 * breakpoints, fields, exceptions. */

#include "classfile/opcode.h"
#include "jvmti/senders.h"

jvalue
delivery_value(const struct delivery *d, char type, const union slot *slot)
{
    jvalue v = { .j = 0 };

    if (slot == NULL)
        return v;
    switch (type) {
    case 'Z': v.z = slot->i != 0; break;
    case 'B': v.b = (jbyte)slot->i; break;
    case 'C': v.c = (jchar)slot->i; break;
    case 'S': v.s = (jshort)slot->i; break;
    case 'I': v.i = slot->i; break;
    case 'J': v.j = slot->j; break;
    case 'F': v.f = slot->f; break;
    case 'D': v.d = slot->d; break;
    case 'V': break;
    default: v.l = delivery_ref(d, slot->ref); break;
    }
    return v;
}

static void
on_method_exit(struct thread *self, struct frame *frame, const union slot *result)
{
    send_MethodExit(self, frame, result == NULL, frame->code->method->return_type,
                    result);
}

static void
on_field_access(struct thread *self, struct frame *frame, uint32_t bci,
                struct field *field, struct object *object)
{
    send_FieldAccess(self, frame, bci, field->class,
                     field_is_static(field) ? NULL : object, field);
}

static void
on_field_modification(struct thread *self, struct frame *frame, uint32_t bci,
                      struct field *field, struct object *object,
                      const union slot *value)
{
    send_FieldModification(self, frame, bci, field->class,
                           field_is_static(field) ? NULL : object, field,
                           field->descriptor->bytes[0], field->type, value);
}

/* One that comes back over frames of C was reported where it was thrown; athrow throws
   anew. */
static bool
was_reported(const struct thread *self, const struct frame *frame, uint32_t bci,
             const struct object *exception)
{
    return exception == self->jvmti->carried
           && (frame_is_native(frame) || frame->code->info->code[bci] != OP_athrow);
}

static void
on_exception(struct thread *self, struct frame *frame, uint32_t bci,
             struct object *exception, struct frame *catch_frame, uint32_t catch_bci)
{
    if (was_reported(self, frame, bci, exception))
        return;
    self->jvmti->carried = exception;
    send_Exception(self, frame, bci, exception, catch_frame, catch_bci);
}

static void
on_exception_catch(struct thread *self, struct frame *frame, uint32_t bci,
                   struct object *exception)
{
    self->jvmti->carried = NULL;
    send_ExceptionCatch(self, frame, bci, exception);
}

/* The event follows when the native method that does it is back in Java. */
static void
on_exception_clear(struct thread *self)
{
    struct native_refs *native = self->natives;

    if (native != NULL && native->frame == self->top
        && self->exception == self->jvmti->carried)
        native->has_caught = true;
    self->jvmti->carried = NULL;
}

static void
visit_carried(void *part, heap_root_fn *visit, void *context)
{
    FOR_EACH_THREAD((struct vm *)part, t)
        if (t->jvmti != NULL && t->jvmti->carried != NULL)
            visit(context, t->jvmti->carried,
                  &(struct root_info){ .kind = ROOT_OTHER, .thread = t, .slot = -1,
                                       .bci = -1 });
}

static void
on_native_method_bind(struct thread *self, struct method *method, void **address)
{
    jmethodID id = (jmethodID)method_id(method);
    void *fresh = *address;

    DELIVERY(d, self);
    FOR_EACH_ENV(self->vm, env)
        if (env_wants(env, self, EVENT_INDEX(NATIVE_METHOD_BIND))) {
            SEND_ONE(d, env, NativeMethodBind, delivery_jni(&d, env), d.thread, id,
                     *address, &fresh);
            if (fresh != NULL)
                *address = fresh;
        }
}

void
jvmti_init_method_events(struct vm *vm)
{
    heap_add_part(vm->heap, visit_carried, NULL, vm);
    event_hooks.method_entry = send_MethodEntry;
    event_hooks.method_exit = on_method_exit;
    event_hooks.single_step = send_SingleStep;
    event_hooks.breakpoint = send_Breakpoint;
    event_hooks.field_access = on_field_access;
    event_hooks.field_modification = on_field_modification;
    event_hooks.exception = on_exception;
    event_hooks.exception_catch = on_exception_catch;
    event_hooks.exception_clear = on_exception_clear;
    event_hooks.native_method_bind = on_native_method_bind;
}
