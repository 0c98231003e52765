/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/event.c -- JVM TI "Event Management".
 *
 * Whether an event is sent follows from modes, callbacks and the phase, and is kept as
 * masks: per environment and per environment and thread (active), their union
 * (events_wanted) and per thread what the interpreter has to look at (hooks).  A sender
 * tests one bit of active for each environment. */

#include "base/events.h"
#include "interp/form.h"
#include "jvmti/deliver.h"
#include "jvmti/env.h"
#include "vm/safepoint.h"

#include <string.h>

/* The VM has the same numbers. */
_Static_assert(EVENT_NATIVE_METHOD_BIND == EVENT_INDEX(NATIVE_METHOD_BIND)
                   && EVENT_DATA_DUMP == EVENT_INDEX(DATA_DUMP_REQUEST)
                   && EVENT_MONITOR_ENTERED == EVENT_INDEX(MONITOR_CONTENDED_ENTERED)
                   && EVENT_VM_OBJECT_ALLOC == EVENT_INDEX(VM_OBJECT_ALLOC)
                   && EVENT_SAMPLED_ALLOC == EVENT_INDEX(SAMPLED_OBJECT_ALLOC)
                   && EVENT_CLASS_UNLOAD > EVENT_INDEX(VIRTUAL_THREAD_END),
               "events are numbered alike");

/* What this floor itself needs to hear while there is any environment: the phases
   change, a new thread has to learn its hooks, and a request for a frame that is
   popped goes with it. */
static const uint64_t always = 1u << EVENT_VM_START | 1u << EVENT_VM_INIT
                               | 1u << EVENT_VM_DEATH | 1u << EVENT_THREAD_START
                               | 1u << EVENT_FRAME_POP;

#define EXCEPTION_EVENTS \
    ((uint64_t)1 << EVENT_EXCEPTION | (uint64_t)1 << EVENT_EXCEPTION_CATCH)

static uint64_t
bit_of(jvmtiEvent event)
{
    return (uint64_t)1 << (event - JVMTI_MIN_EVENT_TYPE_VAL);
}

/* The events that may be sent to env now. */
static uint64_t
sendable(const struct jvmti_env *env)
{
    unsigned phase = 1u << jvmti_phase(env);
    void *const *callbacks = (void *const *)&env->callbacks;
    uint64_t mask = 0;

    for (int i = 0; i < JVMTI_EVENT_COUNT; i++) {
        unsigned phases = jvmti_event_infos[i].phases;
        if (i == EVENT_INDEX(CLASS_FILE_LOAD_HOOK)
            && !(env->capabilities.can_generate_early_class_hook_events
                 && env->capabilities.can_generate_all_class_hook_events))
            phases &= ~PHASE_PRIMORDIAL;
        if (callbacks[i] != NULL && (phases & phase))
            mask |= (uint64_t)1 << i;
    }
    return mask;
}

/* With the mutex held, as the next two; the union over environments. */
static uint64_t
update_env_masks(struct vm *vm)
{
    uint64_t all = 0;

    FOR_EACH_ENV(vm, env) {
        uint64_t can = sendable(env);
        atomic_store_explicit(&env->active, env->enabled & can, memory_order_release);
        all |= env->enabled & can;
    }
    return all;
}

/* The union over what is enabled for single threads. */
static uint64_t
update_thread_masks(struct vm *vm)
{
    uint64_t all = 0;

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t) {
        struct env_thread *e = t->jvmti != NULL ? t->jvmti->first : NULL;
        for (; e != NULL; e = e->next) {
            uint64_t active = e->env->is_alive && e->enabled != 0
                                  ? e->enabled & sendable(e->env) : 0;
            atomic_store_explicit(&e->active, active, memory_order_release);
            all |= active;
        }
    }
    threads_unlock(vm);
    return all;
}

static uint32_t
hooks_for(const struct thread *t)
{
    uint64_t active = 0;
    uint32_t hooks = 0;

    FOR_EACH_ENV(t->vm, env)
        active |= atomic_load_explicit(&env->active, memory_order_relaxed);
    for (struct env_thread *e = t->jvmti->first; e != NULL; e = e->next)
        active |= atomic_load_explicit(&e->active, memory_order_relaxed);
    if (active & bit_of(JVMTI_EVENT_METHOD_ENTRY))
        hooks |= HOOK_METHOD_ENTRY;
    if (active & bit_of(JVMTI_EVENT_METHOD_EXIT))
        hooks |= HOOK_METHOD_EXIT;
    if (active & bit_of(JVMTI_EVENT_SINGLE_STEP))
        hooks |= HOOK_SINGLE_STEP;
    if (t->jvmti->pops != NULL)
        hooks |= HOOK_FRAME_POP;
    return hooks;
}

/* Those that this file decides. */
enum {
    OWN_HOOKS = HOOK_METHOD_ENTRY | HOOK_METHOD_EXIT | HOOK_SINGLE_STEP | HOOK_FRAME_POP
};

/* The events that a thread has hooks for. */
#define HOOK_EVENTS \
    (bit_of(JVMTI_EVENT_METHOD_ENTRY) | bit_of(JVMTI_EVENT_METHOD_EXIT) \
     | bit_of(JVMTI_EVENT_SINGLE_STEP) | bit_of(JVMTI_EVENT_FRAME_POP))

static void
set_hooks(struct thread *t, void *arg)
{
    uint32_t hooks = hooks_for(t), before = atomic_load(&t->poll.hooks);

    (void)arg;
    thread_set_hooks(t, hooks, OWN_HOOKS & ~hooks);
    if (hooks & ~before & HOOK_SINGLE_STEP)
        frames_take_form(t, NULL);
}

void
jvmti_update_hooks(struct thread *self, struct thread *t)
{
    if ((atomic_load(&t->poll.hooks) & OWN_HOOKS) != hooks_for(t))
        handshake(self, t, set_hooks, NULL);
}

/* Masks and events_wanted follow what is enabled; those of threads only with_threads. */
static void
update_wanted(struct vm *vm, bool with_threads)
{
    struct jvmti_vm *jvmti = vm->jvmti;
    uint64_t wanted = update_env_masks(vm);

    if (with_threads)
        jvmti->thread_events = update_thread_masks(vm);
    wanted |= jvmti->thread_events;
    /* What is caught was thrown, which has to be known, and the other way round. */
    if (wanted & EXCEPTION_EVENTS)
        wanted |= EXCEPTION_EVENTS;
    if (jvmti->first != NULL && vm_get_phase(vm) != VM_PHASE_DEAD)
        wanted |= always;
    FOR_EACH_ENV(vm, env)
        if (env->extension_callback != NULL)
            wanted |= (uint64_t)1 << EVENT_CLASS_UNLOAD;
    __atomic_store_n(&events_wanted, wanted, __ATOMIC_RELEASE);
}

static void
update_hooks_of_all(struct thread *self)
{
    size_t count;
    struct thread **list = thread_list(self->vm, true, &count);

    for (size_t i = 0; list != NULL && i < count; i++)
        jvmti_update_hooks(self, list[i]);
    thread_list_release(list, count);
}

static void
update_sampling(struct thread *self)
{
    uint64_t wanted = __atomic_load_n(&events_wanted, __ATOMIC_ACQUIRE);

    jvmti_update_sampling(self, (wanted >> EVENT_SAMPLED_ALLOC & 1) != 0);
}

void
jvmti_update_events(struct thread *self)
{
    mutex_lock(&self->vm->jvmti->mutex);
    update_wanted(self->vm, true);
    mutex_unlock(&self->vm->jvmti->mutex);
    update_hooks_of_all(self);
    update_sampling(self);
}

jvmtiError
jvmti_SetEventCallbacks(struct jvmti_env *env, const jvmtiEventCallbacks *callbacks,
                        jint size_of_callbacks)
{
    struct thread *self = current_thread;
    struct jvmti_vm *jvmti = self->vm->jvmti;
    jvmtiEventCallbacks fresh;
    size_t size = (size_t)size_of_callbacks;

    if (size_of_callbacks < 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    memset(&fresh, 0, sizeof fresh);
    if (callbacks != NULL)
        memcpy(&fresh, callbacks, size < sizeof fresh ? size : sizeof fresh);
    mutex_lock(&jvmti->mutex);
    /* Pointer by pointer: a hook may be reading one. */
    for (size_t i = 0; i < sizeof fresh / sizeof(void *); i++)
        __atomic_store_n((void **)&env->callbacks + i, ((void **)&fresh)[i],
                         __ATOMIC_RELAXED);
    mutex_unlock(&jvmti->mutex);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}

static bool
has_capability(const struct jvmti_env *env, int bit)
{
    return bit < 0
           || (((const uint8_t *)&env->capabilities)[bit / 8] >> (bit % 8) & 1);
}

jvmtiError
jvmti_SetEventNotificationMode(struct jvmti_env *env, jvmtiEventMode mode,
                               jvmtiEvent event_type, const struct target *event_thread)
{
    struct thread *self = current_thread, *t = event_thread->live;
    const struct jvmti_event_info *info =
        &jvmti_event_infos[event_type - JVMTI_MIN_EVENT_TYPE_VAL];
    uint64_t bit = bit_of(event_type), *enabled = &env->enabled;

    if (event_thread->object != NULL && !info->thread_scoped)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (mode == JVMTI_ENABLE && !has_capability(env, info->capability))
        return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    if (t != NULL) {
        struct env_thread *e = env_thread_make(t, env);
        if (e == NULL)
            return JVMTI_ERROR_OUT_OF_MEMORY;
        enabled = &e->enabled;
    }
    mutex_lock(&self->vm->jvmti->mutex);
    bool is_change = ((*enabled & bit) != 0) != (mode == JVMTI_ENABLE);
    *enabled ^= is_change ? bit : 0;
    if (event_type == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK && mode == JVMTI_ENABLE
        && !env->had_class_hook) {
        env->had_class_hook = true;
        env->is_retransform_capable = env->capabilities.can_retransform_classes;
    }
    if (is_change)
        update_wanted(self->vm, t != NULL);
    mutex_unlock(&self->vm->jvmti->mutex);
    /* Most events are asked for where they happen, with no need to go to the threads. */
    if (is_change && bit & HOOK_EVENTS)
        update_hooks_of_all(self);
    if (is_change && event_type == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC)
        update_sampling(self);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GenerateEvents(struct jvmti_env *env, jvmtiEvent event_type)
{
    /* There is no compiler and no generated code, hence nothing to send again. */
    if (event_type == JVMTI_EVENT_COMPILED_METHOD_LOAD)
        return env->capabilities.can_generate_compiled_method_load_events
                   ? JVMTI_ERROR_NONE : JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    return event_type == JVMTI_EVENT_DYNAMIC_CODE_GENERATED
               ? JVMTI_ERROR_NONE : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}
