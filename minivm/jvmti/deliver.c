/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.c -- JVM TI "Events": all but those of the running code. */

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
    send_VMObjectAlloc(self, object, object_class(object), (jlong)size);
    self->jvmti->in_object_alloc = false;
}

static void
on_sampled_alloc(struct thread *self, struct object *object, size_t size)
{
    if (self->jvmti->in_sampled_alloc)
        return;
    self->jvmti->in_sampled_alloc = true;
    send_SampledObjectAlloc(self, object, object_class(object), (jlong)size);
    self->jvmti->in_sampled_alloc = false;
}

static void
on_resource_exhausted(struct thread *self, int flags, const char *text)
{
    send_ResourceExhausted(self, flags, NULL, text);
}

void
jvmti_init_events(struct vm *vm)
{
    event_hooks.vm_start = on_vm_start;
    event_hooks.vm_init = on_vm_init;
    event_hooks.vm_death = on_vm_death;
    event_hooks.thread_start = on_thread_start;
    event_hooks.thread_end = send_ThreadEnd;
    event_hooks.class_file_load = jvmti_on_class_file_load;
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
    class_add_free_hook(jvmti_on_class_free);
    event_hooks.frame_pop = jvmti_on_frame_pop;
    jvmti_init_method_events(vm);
}
