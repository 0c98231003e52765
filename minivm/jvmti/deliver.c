/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.c -- JVM TI "Events": from the VM's hooks to the senders. */

#include <string.h>

#include "classfile/opcode.h"
#include "jvmti/senders.h"
#include "vm/loader.h"

/* Twice: early, for those who asked for that, and when all modules can be used. */
static void
on_vm_start(struct thread *self)
{
    bool early = vm_get_phase(self->vm) == VM_PHASE_EARLY_START;

    if (early)
        FOR_EACH_ENV(self->vm, env)
            env->starts_early = env->capabilities.can_generate_early_vmstart;
    jvmti_update_events(self);
    DELIVERY(d, self);
    FOR_EACH_ENV(self->vm, env)
        if (env->starts_early == early && env_wants(env, self, EVENT_INDEX(VM_START)))
            SEND_ONE(d, env, VMStart, d.jni);
}

static void
on_vm_init(struct thread *self, struct object *thread_object)
{
    (void)thread_object;
    jvmti_update_events(self);
    send_VMInit(self);
}

static void
on_vm_death(struct thread *self)
{
    send_VMDeath(self);
    /* The last one (JVM TI "VM Death Event"). */
    __atomic_store_n(&events_wanted, 0, __ATOMIC_RELEASE);
}

static void
on_thread_start(struct thread *self)
{
    /* Modes may have changed between its birth and now. */
    jvmti_update_hooks(self, self);
    send_ThreadStart(self);
}

/* The world is stopped and the thread stays in the VM: what the callback may call
   enters nothing. */
#define ON_COLLECTION(hook, event, member) \
static void \
hook(void) \
{ \
    struct thread *self = current_thread; \
    FOR_EACH_ENV(the_vm, env) \
        if (env_wants(env, self, EVENT_INDEX(event)) \
            && env->callbacks.member != NULL) { \
            __typeof__(env->callbacks.member) callback = env->callbacks.member; \
            struct outcall call; \
            outcall_begin(self, &call, #member, (void (*)(void))callback); \
            callback(&env->handle); \
            outcall_end(self, &call); \
        } \
}

ON_COLLECTION(on_gc_start, GARBAGE_COLLECTION_START, GarbageCollectionStart)
ON_COLLECTION(on_gc_finish, GARBAGE_COLLECTION_FINISH, GarbageCollectionFinish)

/* What a callback allocates is not reported: that would not end. */
#define ON_ALLOC(hook, send, is_inside) \
static void \
hook(struct thread *self, struct object *object, size_t size) \
{ \
    if (self->jvmti->is_inside) \
        return; \
    self->jvmti->is_inside = true; \
    send(self, object, object_class(object), (jlong)size); \
    self->jvmti->is_inside = false; \
}

ON_ALLOC(on_vm_object_alloc, send_VMObjectAlloc, in_object_alloc)
ON_ALLOC(on_sampled_alloc, send_SampledObjectAlloc, in_sampled_alloc)

static void
on_resource_exhausted(struct thread *self, int flags, const char *text)
{
    send_ResourceExhausted(self, flags, NULL, text);
}

/* ---- class files ---- */

/* Where retransformation begins: what came to the first agent that changed it and takes
   part in it; the caller's bytes are copied. */
static void
keep_initial(struct class_bytes *b)
{
    b->initial = b->changed;
    b->initial_length = b->length;
    if (b->initial == NULL) {
        b->initial = mem_alloc(b->length);
        memcpy(b->initial, b->bytes, b->length);
    }
    b->changed = NULL;
}

/* What agents make comes from Allocate. */
static void
send_hook(struct delivery *d, struct jvmti_env *env, struct class_bytes *b,
          jclass klass, jobject loader, jobject domain)
{
    unsigned char *fresh = NULL;
    jint fresh_length = 0;

    SEND_ONE(*d, env, ClassFileLoadHook, delivery_jni(d, env), klass, loader, b->name,
             domain, (jint)b->length, b->bytes, &fresh_length, &fresh);
    if (fresh == NULL)
        return;
    if (env->is_retransform_capable && b->initial == NULL)
        keep_initial(b);
    mem_free(b->changed);
    b->bytes = b->changed = fresh;
    b->length = fresh_length > 0 ? (size_t)fresh_length : 0;
}

/* Agents that cannot retransform see the bytes first: what they do stays when the class
   is retransformed. */
static void
on_class_file_load(struct thread *self, struct class_bytes *b)
{
    DELIVERY(d, self);
    jclass klass = b->redefined ? delivery_ref(&d, b->redefined->layout.mirror) : NULL;
    jobject loader = delivery_ref(&d, b->loader->object);
    jobject domain = delivery_ref(&d, b->protection_domain);
    for (int capable = b->again; capable < 2; capable++)
        FOR_EACH_ENV(self->vm, env)
            if (env->is_retransform_capable == (bool)capable
                && env_wants(env, self, EVENT_INDEX(CLASS_FILE_LOAD_HOOK)))
                send_hook(&d, env, b, klass, loader, domain);
    /* Many give back a copy of what they do not change. */
    if (b->initial != NULL && b->initial_length == b->length
        && memcmp(b->initial, b->bytes, b->length) == 0) {
        mem_free(b->initial);
        b->initial = NULL;
    }
}

/* ---- running code: methods, steps, breakpoints, fields, exceptions ---- */

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
    /* "Signature type": L for arrays too, as agents know it from HotSpot. */
    send_FieldModification(self, frame, bci, field->class,
                           field_is_static(field) ? NULL : object, field, field->type,
                           field->type, value);
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
jvmti_init_events(struct vm *vm)
{
    event_hooks.vm_start = on_vm_start;
    event_hooks.vm_init = on_vm_init;
    event_hooks.vm_death = on_vm_death;
    event_hooks.thread_start = on_thread_start;
    event_hooks.thread_end = send_ThreadEnd;
    event_hooks.class_file_load = on_class_file_load;
    event_hooks.class_load = send_ClassLoad;
    event_hooks.class_prepare = send_ClassPrepare;
    event_hooks.monitor_wait = send_MonitorWait;
    event_hooks.monitor_waited = send_MonitorWaited;
    event_hooks.monitor_contended_enter = send_MonitorContendedEnter;
    event_hooks.monitor_contended_entered = send_MonitorContendedEntered;
    event_hooks.data_dump = send_DataDumpRequest;
    event_hooks.gc_start = on_gc_start;
    event_hooks.gc_finish = on_gc_finish;
    event_hooks.vm_object_alloc = on_vm_object_alloc;
    event_hooks.sampled_alloc = on_sampled_alloc;
    event_hooks.resource_exhausted = on_resource_exhausted;
    event_hooks.object_free = jvmti_on_object_free;
    event_hooks.class_unload = jvmti_on_class_unload;
    event_hooks.frame_pop = jvmti_on_frame_pop;
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
    class_add_free_hook(jvmti_on_class_free);
    heap_add_part(vm->heap, visit_carried, NULL, vm);
}
