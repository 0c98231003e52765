/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.c -- JVM TI "Events": all but those of the running code. */

#include "jvmti/deliver.h"
#include "vm/loader.h"

/* ---- the VM and its threads ---- */

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
    DELIVERY(d, self);
    SEND(d, VM_INIT, VMInit, d.jni, d.thread);
}

static void
on_vm_death(struct thread *self)
{
    {
        DELIVERY(d, self);
        SEND(d, VM_DEATH, VMDeath, d.jni);
    }
    /* The last one (JVM TI "VM Death Event"). */
    __atomic_store_n(&events_wanted, 0, __ATOMIC_RELEASE);
}

static void
on_thread_start(struct thread *self)
{
    /* Modes may have changed between its birth and now. */
    jvmti_update_hooks(self, self);
    if (!WANTED(self, THREAD_START))
        return;
    DELIVERY(d, self);
    SEND(d, THREAD_START, ThreadStart, d.jni, d.thread);
}

static void
on_thread_end(struct thread *self)
{
    DELIVERY(d, self);
    SEND(d, THREAD_END, ThreadEnd, d.jni, d.thread);
}

/* ---- classes and monitors ---- */

/* A hook with these parameters, about one object; what else is told stands last. */
#define OBJECT_HOOK(name, parameters, event, member, object, ...) \
static void \
name parameters \
{ \
    DELIVERY(d, self); \
    jobject reference = delivery_ref(&d, object); \
    SEND(d, event, member, d.jni, d.thread, reference __VA_OPT__(,) __VA_ARGS__); \
}

OBJECT_HOOK(on_class_load, (struct thread *self, struct class *c),
            CLASS_LOAD, ClassLoad, c->layout.mirror)
OBJECT_HOOK(on_class_prepare, (struct thread *self, struct class *c),
            CLASS_PREPARE, ClassPrepare, c->layout.mirror)
OBJECT_HOOK(on_monitor_wait, (struct thread *self, struct object *o, int64_t millis),
            MONITOR_WAIT, MonitorWait, o, millis)
OBJECT_HOOK(on_monitor_waited, (struct thread *self, struct object *o, bool timed_out),
            MONITOR_WAITED, MonitorWaited, o, timed_out)
OBJECT_HOOK(on_contended_enter, (struct thread *self, struct object *o),
            MONITOR_CONTENDED_ENTER, MonitorContendedEnter, o)
OBJECT_HOOK(on_contended_entered, (struct thread *self, struct object *o),
            MONITOR_CONTENDED_ENTERED, MonitorContendedEntered, o)

/* ---- memory and the rest ---- */

static void
on_data_dump(struct thread *self)
{
    DELIVERY(d, self);
    SEND(d, DATA_DUMP_REQUEST, DataDumpRequest);
}

/* The world is stopped and the thread stays in the VM: what the callback may call
   enters nothing. */
static void
on_gc_start(void)
{
    FOR_EACH_ENV(the_vm, env)
        if (env_wants(env, current_thread, EVENT_INDEX(GARBAGE_COLLECTION_START))
            && env->callbacks.GarbageCollectionStart != NULL)
            env->callbacks.GarbageCollectionStart(&env->handle);
}

static void
on_gc_finish(void)
{
    FOR_EACH_ENV(the_vm, env)
        if (env_wants(env, current_thread, EVENT_INDEX(GARBAGE_COLLECTION_FINISH))
            && env->callbacks.GarbageCollectionFinish != NULL)
            env->callbacks.GarbageCollectionFinish(&env->handle);
}

static void
on_vm_object_alloc(struct thread *self, struct object *object, size_t size)
{
    /* What a callback allocates is not reported: that would not end. */
    if (self->jvmti->in_object_alloc)
        return;
    self->jvmti->in_object_alloc = true;
    DELIVERY(d, self);
    jobject o = delivery_ref(&d, object);
    jclass klass = delivery_ref(&d, object_class(object)->layout.mirror);
    SEND(d, VM_OBJECT_ALLOC, VMObjectAlloc, d.jni, d.thread, o, klass, (jlong)size);
    self->jvmti->in_object_alloc = false;
}

static void
on_sampled_alloc(struct thread *self, struct object *object, size_t size)
{
    if (self->jvmti->in_sampled_alloc)
        return;
    self->jvmti->in_sampled_alloc = true;
    DELIVERY(d, self);
    jobject o = delivery_ref(&d, object);
    jclass klass = delivery_ref(&d, object_class(object)->layout.mirror);
    SEND(d, SAMPLED_OBJECT_ALLOC, SampledObjectAlloc, d.jni, d.thread, o, klass,
         (jlong)size);
    self->jvmti->in_sampled_alloc = false;
}

static void
on_resource_exhausted(struct thread *self, int flags, const char *text)
{
    DELIVERY(d, self);
    SEND(d, RESOURCE_EXHAUSTED, ResourceExhausted, d.jni, flags, NULL, text);
}

void
jvmti_init_events(struct vm *vm)
{
    event_hooks.vm_start = on_vm_start;
    event_hooks.vm_init = on_vm_init;
    event_hooks.vm_death = on_vm_death;
    event_hooks.thread_start = on_thread_start;
    event_hooks.thread_end = on_thread_end;
    event_hooks.class_file_load = jvmti_on_class_file_load;
    event_hooks.class_load = on_class_load;
    event_hooks.class_prepare = on_class_prepare;
    event_hooks.monitor_wait = on_monitor_wait;
    event_hooks.monitor_waited = on_monitor_waited;
    event_hooks.monitor_contended_enter = on_contended_enter;
    event_hooks.monitor_contended_entered = on_contended_entered;
    event_hooks.data_dump = on_data_dump;
    event_hooks.gc_start = on_gc_start;
    event_hooks.gc_finish = on_gc_finish;
    event_hooks.vm_object_alloc = on_vm_object_alloc;
    event_hooks.sampled_alloc = on_sampled_alloc;
    event_hooks.resource_exhausted = on_resource_exhausted;
    event_hooks.object_free = jvmti_on_object_free;
    event_hooks.class_unload = jvmti_on_class_unload;
    class_add_free_hook(jvmti_on_class_free);
    event_hooks.frame_pop = jvmti_on_frame_pop;
    jvmti_init_method_events(vm);
}
