/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver_method.c -- the events of running code: methods, steps,
 * breakpoints, fields, exceptions. */

#include "base/events.h"
#include "classfile/opcode.h"
#include "jvmti/deliver.h"

static jmethodID
method_of(const struct frame *f)
{
    return (jmethodID)code_id(f->code);
}

jvalue
delivery_value(const struct delivery *d, char type, const union slot *slot)
{
    jvalue v = { .j = 0 };

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
on_method_entry(struct thread *self, struct frame *frame)
{
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    SEND(d, METHOD_ENTRY, MethodEntry, d.jni, d.thread, method);
}

static void
on_method_exit(struct thread *self, struct frame *frame, const union slot *result)
{
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    jvalue value = { .j = 0 };
    if (result != NULL)
        value = delivery_value(&d, frame->code->method->return_type, result);
    SEND(d, METHOD_EXIT, MethodExit, d.jni, d.thread, method, result == NULL, value);
}

static void
on_single_step(struct thread *self, struct frame *frame, uint32_t bci)
{
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    SEND(d, SINGLE_STEP, SingleStep, d.jni, d.thread, method, bci);
}

static void
on_breakpoint(struct thread *self, struct frame *frame, uint32_t bci)
{
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    SEND(d, BREAKPOINT, Breakpoint, d.jni, d.thread, method, bci);
}

static void
on_field_access(struct thread *self, struct frame *frame, uint32_t bci,
                struct field *field, struct object *object)
{
    DELIVERY(d, self);
    jmethodID method = frame != NULL ? method_of(frame) : NULL;
    jclass klass = delivery_ref(&d, field->class->layout.mirror);
    jobject o = field_is_static(field) ? NULL : delivery_ref(&d, object);
    SEND(d, FIELD_ACCESS, FieldAccess, d.jni, d.thread, method, bci, klass, o,
         (jfieldID)field_id(field));
}

static void
on_field_modification(struct thread *self, struct frame *frame, uint32_t bci,
                      struct field *field, struct object *object,
                      const union slot *value)
{
    DELIVERY(d, self);
    jmethodID method = frame != NULL ? method_of(frame) : NULL;
    jclass klass = delivery_ref(&d, field->class->layout.mirror);
    jobject o = field_is_static(field) ? NULL : delivery_ref(&d, object);
    jvalue v = delivery_value(&d, field->type, value);
    SEND(d, FIELD_MODIFICATION, FieldModification, d.jni, d.thread, method, bci, klass,
         o, (jfieldID)field_id(field), field->descriptor->bytes[0], v);
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
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    jobject e = delivery_ref(&d, exception);
    jmethodID catcher = catch_frame != NULL ? method_of(catch_frame) : NULL;
    SEND(d, EXCEPTION, Exception, d.jni, d.thread, method, bci, e, catcher, catch_bci);
}

static void
on_exception_catch(struct thread *self, struct frame *frame, uint32_t bci,
                   struct object *exception)
{
    self->jvmti->carried = NULL;
    DELIVERY(d, self);
    jmethodID method = method_of(frame);
    jobject e = delivery_ref(&d, exception);
    SEND(d, EXCEPTION_CATCH, ExceptionCatch, d.jni, d.thread, method, bci, e);
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
    heap_add_visitor(vm->heap, visit_carried, vm);
    event_hooks.method_entry = on_method_entry;
    event_hooks.method_exit = on_method_exit;
    event_hooks.single_step = on_single_step;
    event_hooks.breakpoint = on_breakpoint;
    event_hooks.field_access = on_field_access;
    event_hooks.field_modification = on_field_modification;
    event_hooks.exception = on_exception;
    event_hooks.exception_catch = on_exception_catch;
    event_hooks.exception_clear = on_exception_clear;
    event_hooks.native_method_bind = on_native_method_bind;
}
