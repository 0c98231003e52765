/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.c -- JVM TI "Events": the functions that event_hooks points to.
 *
 * deliver.h tells the way of an event.  The generated senders do all that is needed for
 * most events.  The functions here come before them where an event is not simply sent
 * to everybody who wants it: VMStart at two times, one event at most for an exception,
 * no allocation event for what a callback allocates, the class file on its way through
 * the agents.  jvmti_init_events at the end is the whole list. */

#include <string.h>

#include "classfile/opcode.h"
#include "diagnostics/exhausted.h"
#include "jvmti/senders.h"
#include "linking/ids.h"
#include "linking/loader.h"
#include "linking/unload.h"
#include "runtime/start.h"
#include "threads/downcall.h"
#include "threads/thread_list.h"

/* Sends VMStart.  VMStart has two times: the early start phase, for environments that
   asked for it with can_generate_early_vmstart, and the start phase, when the classes
   of all modules can be used (JVM TI "VM Start Event").  The VM calls this hook at
   both.  The phase has been set before.  starts_early is stored first, since the phase
   of each environment, and so the masks, follow from it (jvmti_phase). */
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

/* The live phase has begun: the masks are brought up to date before the event is sent,
   since most events may be sent from now on.  self is the thread that makes the VM,
   which is also thread_object's. */
static void
on_vm_init(struct thread *self, struct object *thread_object)
{
    (void)thread_object;
    jvmti_update_events(self);
    send_VMInit(self);
}

/* Sends VMDeath while the phase is still the live one; the dead phase begins when this
   returns. */
static void
on_vm_death(struct thread *self)
{
    send_VMDeath(self);
    /* No event follows (JVM TI "VM Death Event"). */
    __atomic_store_n(&events_wanted, 0, __ATOMIC_RELEASE);
}

/* A virtual thread has events of its own in place of ThreadStart and ThreadEnd.  Here
   it is one that is bound to the platform thread self. */
static bool
is_virtual(const struct thread *self)
{
    return self->object && thread_object_is_virtual(self->vm, self->object);
}

/* self, a new thread or one that native code has attached, is about to run its first
   Java code. */
static void
on_thread_start(struct thread *self)
{
    /* Modes may have changed since the thread was made. */
    jvmti_update_hooks(self, self);
    if (is_virtual(self))
        send_VirtualThreadStart(self, self->object);
    else
        send_ThreadStart(self);
}

/* self is about to end; it will run no Java code any more. */
static void
on_thread_end(struct thread *self)
{
    if (is_virtual(self))
        send_VirtualThreadEnd(self, self->object);
    else
        send_ThreadEnd(self);
}

/* The virtual thread that self carries has been mounted for the first time, or is about
   to be unmounted for the last time. */
static void
on_virtual_thread_start(struct thread *self)
{
    send_VirtualThreadStart(self, self->current);
}

static void
on_virtual_thread_end(struct thread *self)
{
    send_VirtualThreadEnd(self, self->current);
}

/* The events of the collector.  The world is stopped, and the thread stays in the VM:
   the callback may call only functions that do not enter it (wrapper.h). */

/* Calls one callback; name is the event's, for the report of a crash.  callback may be
   NULL.  self is the thread that collects. */
static void
call_in_collection(struct thread *self, struct jvmti_env *env, const char *name,
                   void(JNICALL *callback)(jvmtiEnv *env))
{
    struct agent_call call;

    if (!callback)
        return;
    agent_call_begin(self, &call, name, (void (*)(void))callback);
    callback(&env->handle);
    agent_call_end(self, &call);
}

/* Sends GarbageCollectionStart.  The hook has no self since it cannot stop: the calling
   thread has stopped the world and is about to collect. */
static void
on_gc_start(void)
{
    struct thread *self = current_thread;

    FOR_EACH_ENV(the_vm, env)
    if (env_wants_of_all(env, EVENT_INDEX(GARBAGE_COLLECTION_START)))
        call_in_collection(self, env, "GarbageCollectionStart",
                           env->callbacks.GarbageCollectionStart);
}

/* Sends GarbageCollectionFinish, after the collection and before the world goes on,
   under the conditions of on_gc_start. */
static void
on_gc_finish(void)
{
    struct thread *self = current_thread;

    FOR_EACH_ENV(the_vm, env)
    if (env_wants_of_all(env, EVENT_INDEX(GARBAGE_COLLECTION_FINISH)))
        call_in_collection(self, env, "GarbageCollectionFinish",
                           env->callbacks.GarbageCollectionFinish);
}

/* What a callback of an allocation event allocates is not reported: the callback would
   be called again and again without an end.  The caller keeps object alive; size is in
   bytes. */
static void
on_vm_object_alloc(struct thread *self, struct object *object, size_t size)
{
    if (self->jvmti->in_object_alloc)
        return;
    self->jvmti->in_object_alloc = true;
    send_VMObjectAlloc(self, object, object_class(object), (jlong)size);
    self->jvmti->in_object_alloc = false;
}

/* As on_vm_object_alloc.  The two events have a flag each, so a callback of one of them
   may cause the other.  The caller keeps object alive. */
static void
on_sampled_alloc(struct thread *self, struct object *object, size_t size)
{
    if (self->jvmti->in_sampled_alloc)
        return;
    self->jvmti->in_sampled_alloc = true;
    send_SampledObjectAlloc(self, object, object_class(object), (jlong)size);
    self->jvmti->in_sampled_alloc = false;
}

/* The VM's flags are numbered as JVM TI "Resource Exhausted" does. */
_Static_assert((int)EXHAUSTED_OOM_ERROR == JVMTI_RESOURCE_EXHAUSTED_OOM_ERROR
                   && (int)EXHAUSTED_JAVA_HEAP == JVMTI_RESOURCE_EXHAUSTED_JAVA_HEAP
                   && (int)EXHAUSTED_THREADS == JVMTI_RESOURCE_EXHAUSTED_THREADS,
               "the flags differ from JVM TI's");

/* Sent before the OutOfMemoryError is thrown.  flags is a set of EXHAUSTED_ flags; the
   NULL is the parameter that the specification reserves. */
static void
on_resource_exhausted(struct thread *self, int flags, const char *text)
{
    send_ResourceExhausted(self, flags, NULL, text);
}

/* ---- class files ----
 *
 * Agents that cannot retransform get the bytes first, then those that can (JVM TI
 * "Retransform Classes").  Retransformation begins with what the first agent of the
 * second group got, and only the second group is asked again; so what the first group
 * changed stays.  class_bytes.initial keeps those bytes, once an agent of the second
 * group has changed them; else they are the ones that the class was made of. */

/* Keeps the present bytes as the initial ones.  They are taken over if an agent made
   them (changed), and copied if they are the caller's.  The caller sees to it that
   nothing is kept yet, and sets b->bytes and b->changed to the new bytes afterwards:
   until then b->bytes points to what is initial now. */
static void
keep_initial(struct class_bytes *b)
{
    b->initial = b->changed;
    b->initial_length = b->length;
    if (!b->initial) {
        b->initial = mem_alloc(b->length);
        memcpy(b->initial, b->bytes, b->length);
    }
    b->changed = NULL;
}

/* Calls the callback of one environment.  New bytes that it returns are memory from
   Allocate, which belongs to b then.  The bytes of an earlier agent are freed then.  A
   length that is not positive counts as 0, which the parser refuses.  If env is the
   first of the second group to change the class file, what it has got is kept before
   that is freed. */
static void
send_hook(struct delivery *d, struct jvmti_env *env, struct class_bytes *b,
          jclass klass, jobject loader, jobject domain)
{
    unsigned char *new_bytes = NULL;
    jint new_length = 0;

    SEND_ONE(*d, env, ClassFileLoadHook, delivery_jni(d, env), klass, loader, b->name,
             domain, (jint)b->length, b->bytes, &new_length, &new_bytes);
    if (!new_bytes)
        return;
    if (env->is_retransform_capable && !b->initial)
        keep_initial(b);
    mem_free(b->changed);
    b->bytes = b->changed = new_bytes;
    b->length = new_length > 0 ? (size_t)new_length : 0;
}

/* Sends ClassFileLoadHook for a class file that is about to be defined, or, if
   b->redefined is not NULL, to take the place of that class's.  The loop goes through
   the two groups, those that cannot retransform first; b->again leaves the first group
   out.  The class file as the last agent left it is in b->bytes afterwards, and an
   exception that an agent threw is pending. */
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
    /* Many agents return a copy of a class file that they do not change: then there is
       no need to keep the initial bytes beside the present ones. */
    if (b->initial && b->initial_length == b->length
        && memcmp(b->initial, b->bytes, b->length) == 0) {
        mem_free(b->initial);
        b->initial = NULL;
    }
}

/* ---- running code: methods, steps, breakpoints, fields, exceptions ---- */

/* Returns true if agents are not told what happens in the frame: a method of the class
   library that is part of a transition of a virtual thread. */
static bool
hides_events(const struct frame *frame)
{
    return (frame->version->method->flags
            & (METHOD_MOUNT_TRANSITION | METHOD_HIDES_EVENTS))
           != 0;
}

static void
on_method_entry(struct thread *self, struct frame *frame)
{
    if (!hides_events(frame))
        send_MethodEntry(self, frame);
}

/* The method of frame, self's newest one, is about to return.  result is the slot with
   its value; NULL means that an exception ends it, which the event tells by
   was_popped_by_exception.  For a void method the slot has no meaning, and return_type
   is V. */
static void
on_method_exit(struct thread *self, struct frame *frame, const union slot *result)
{
    if (!hides_events(frame))
        send_MethodExit(self, frame, result == NULL,
                        frame->version->method->return_type, result);
}

/* frame, self's newest, is about to read the field, at bci; 0 in a native method.
   object is the instance, which the caller keeps alive; for a static field it is not
   looked at. */
static void
on_field_access(struct thread *self, struct frame *frame, uint32_t bci,
                struct field *field, struct object *object)
{
    send_FieldAccess(self, frame, bci, field->class,
                     field_is_static(field) ? NULL : object, field);
}

/* As on_field_access, before value is stored; value is a slot with what the field will
   get. */
static void
on_field_modification(struct thread *self, struct frame *frame, uint32_t bci,
                      struct field *field, struct object *object,
                      const union slot *value)
{
    /* The parameter signature_type is 'L' for arrays, too, as agents know it from
       HotSpot: that is how field->type has it. */
    send_FieldModification(self, frame, bci, field->class,
                           field_is_static(field) ? NULL : object, field, field->type,
                           field->type, value);
}

/* Returns true if the exception has been reported already.  An exception that passes
   frames of C code is thrown again in each Java frame below them, and is then the one
   that was reported last and not caught.  An athrow throws anew even if it is the same
   object. */
static bool
was_reported(const struct thread *self, const struct frame *frame, uint32_t bci,
             const struct object *exception)
{
    return exception == self->jvmti->reported_exception
           && (frame_is_native(frame) || frame->version->info->code[bci] != OP_athrow);
}

/* Reports that exception was thrown in frame, self's newest one, at bci, unless it was
   reported before.  Called by the interpreter when it begins to look for a handler
   (interp/unwind.c); the exception is not pending then, and has a handle.  catch_frame
   is the frame that will catch it, at catch_bci; NULL if no Java code of this thread
   will.  An exception that a callback throws is pending afterwards.  reported_exception
   is set even if no environment gets the event here: ExceptionCatch and a later throw
   go by what happened, not by who was told. */
static void
on_exception(struct thread *self, struct frame *frame, uint32_t bci,
             struct object *exception, struct frame *catch_frame, uint32_t catch_bci)
{
    if (was_reported(self, frame, bci, exception))
        return;
    self->jvmti->reported_exception = exception;
    if (!hides_events(frame))
        send_Exception(self, frame, bci, exception, catch_frame, catch_bci);
}

/* Reports that the handler at bci of frame, self's newest one, is about to run.  If
   exception is NULL, the native method that was called from frame has cleared an
   exception instead (interp/native.c), and bci is behind the call.  From here on no
   exception counts as reported, so the same object is reported again if it is thrown
   anew. */
static void
on_exception_catch(struct thread *self, struct frame *frame, uint32_t bci,
                   struct object *exception)
{
    self->jvmti->reported_exception = NULL;
    if (!hides_events(frame))
        send_ExceptionCatch(self, frame, bci, exception);
}

/* Notes that an exception that was reported has been caught by native code.  Native
   code clears the pending exception, which counts as catching it.  ExceptionCatch is
   sent when the native method returns to Java, so this only notes that it is due.
   Called by ExceptionClear and ExceptionDescribe before they clear self's pending
   exception, which is not NULL.  It is due only if the native method runs right now,
   without Java code called from it by C in between, and if the exception is the one for
   which Exception was sent; an exception that the native code threw by itself was
   caught before any Java code met it. */
static void
on_exception_clear(struct thread *self)
{
    struct native_invocation *native = self->native_invocations;

    if (native && native->frame == self->top
        && self->exception == self->jvmti->reported_exception)
        native->has_caught = true;
    self->jvmti->reported_exception = NULL;
}

/* Reports the references of this floor to the collector as roots: the threads'
   reported_exception members, and what virtual.c keeps.  part is the VM. */
static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    struct jvmti_vm *jvmti = ((struct vm *)part)->jvmti;
    const struct jvmti_thread *data;

    jvmti_visit_unlike_mode(jvmti, visit, context);
    /* A thread that ends need not wait for the collector and takes its data away. */
    mutex_lock(&jvmti->threads_mutex);
    TAILQ_FOREACH(data, &jvmti->threads, link)
        root_visit(visit, context, data->reported_exception, ROOT_OTHER, NULL);
    mutex_unlock(&jvmti->threads_mutex);
}

/* Sends NativeMethodBind.  *address is the function that method is about to be bound
   to, and is what it will be bound to afterwards.  Each environment sees the address
   that the ones before it have chosen; a callback that leaves new_address as it is, or
   sets it to NULL, changes nothing.  Called by the interpreter before the first call of
   a native method, and by RegisterNatives. */
static void
on_native_method_bind(struct thread *self, struct method *method, void **address)
{
    jmethodID id = (jmethodID)method_id(method);
    void *new_address = *address;

    DELIVERY(d, self);
    FOR_EACH_ENV(self->vm, env)
    if (env_wants(env, self, EVENT_INDEX(NATIVE_METHOD_BIND))) {
        SEND_ONE(d, env, NativeMethodBind, delivery_jni(&d, env), d.thread, id,
                 *address, &new_address);
        if (new_address)
            *address = new_address;
    }
}

/* Fills event_hooks, and adds this file's references to the collector's roots.  Where
   an event needs no more than its generated sender, that is the hook. */
void
jvmti_init_events(struct vm *vm)
{
    event_hooks.vm_start = on_vm_start;
    event_hooks.vm_init = on_vm_init;
    event_hooks.vm_death = on_vm_death;
    event_hooks.thread_start = on_thread_start;
    event_hooks.thread_end = on_thread_end;
    event_hooks.virtual_thread_start = on_virtual_thread_start;
    event_hooks.virtual_thread_end = on_virtual_thread_end;
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
    event_hooks.virtual_thread_mount = jvmti_on_virtual_thread_mount;
    event_hooks.virtual_thread_unmount = jvmti_on_virtual_thread_unmount;
    event_hooks.frame_pop = jvmti_on_frame_pop;
    event_hooks.method_entry = on_method_entry;
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
    heap_add_part(vm->heap, visit_roots, NULL, vm);
}
