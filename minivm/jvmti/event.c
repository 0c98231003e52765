/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/event.c -- JVM TI "Event Management": which events are sent to whom.
 *
 * An event is sent to an environment if
 * - it is enabled there for all threads or for the thread it is about
 *   (SetEventNotificationMode, which refuses an event whose capability the environment
 *   does not possess),
 * - the environment has a callback for it (SetEventCallbacks), and
 * - it may be sent in the present phase (the facts' list of phases for the event).
 *
 * This is not worked out at every event but whenever one of the conditions changes, and
 * is kept as masks with one bit per event, number 50 being bit 0:
 *
 *   enabled   of an environment, and of an environment for a thread: the modes
 *   active    of the same two: enabled, with the other two conditions; a sender tests
 *             one bit of it (env_wants in deliver.h)
 *   events_wanted (base/events.h): the union of all active masks, and what this floor
 *             itself has to hear of; the VM tests one bit of it and does no more if
 *             nobody wants the event
 *   hooks     of a thread (threads/thread.h): what calls and returns in the interpreter
 *             have to look at: method entry and exit, steps, popped frames
 *
 * jvmti_vm.mutex is held while masks change.  The hooks of a thread are changed by a
 * handshake with it afterwards, without the mutex. */

#include "base/events.h"
#include "interp/debugging.h"
#include "jvmti/deliver.h"
#include "jvmti/env.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

#include <string.h>

/* The VM numbers the events as JVM TI does (base/events.h); these stand for all. */
_Static_assert(EVENT_NATIVE_METHOD_BIND == EVENT_INDEX(NATIVE_METHOD_BIND)
                   && EVENT_DATA_DUMP == EVENT_INDEX(DATA_DUMP_REQUEST)
                   && EVENT_MONITOR_ENTERED == EVENT_INDEX(MONITOR_CONTENDED_ENTERED)
                   && EVENT_VM_OBJECT_ALLOC == EVENT_INDEX(VM_OBJECT_ALLOC)
                   && EVENT_SAMPLED_ALLOC == EVENT_INDEX(SAMPLED_OBJECT_ALLOC)
                   && EVENT_CLASS_UNLOAD > EVENT_INDEX(VIRTUAL_THREAD_END)
                   && EVENT_VIRTUAL_THREAD_UNMOUNT - EVENT_CLASS_UNLOAD
                          == (int)EXTENSION_VIRTUAL_THREAD_UNMOUNT,
               "events are numbered alike");

/* What this floor itself has to hear of while there is any environment: changes of the
   phase change the masks, a new thread has to get its hooks, and the requests for a
   frame (NotifyFramePop) have to be dropped when the frame is popped. */
static const uint64_t always_wanted = 1u << EVENT_VM_START | 1u << EVENT_VM_INIT
                                      | 1u << EVENT_VM_DEATH | 1u << EVENT_THREAD_START
                                      | 1u << EVENT_FRAME_POP;

#define EXCEPTION_EVENTS \
    ((uint64_t)1 << EVENT_EXCEPTION | (uint64_t)1 << EVENT_EXCEPTION_CATCH)

/* Returns the bit of the event in a mask. */
static uint64_t
bit_of(jvmtiEvent event)
{
    return (uint64_t)1 << (event - JVMTI_MIN_EVENT_TYPE_VAL);
}

/* Returns true if the event, less 50, has a callback in env and may be sent to it in
   this phase.  ClassFileLoadHook may be sent in the primordial phase only to an
   environment with the capability for that, beside the one for all class files.  The
   members of jvmtiEventCallbacks are pointers in the order of the events' numbers, with
   reserved ones in the gaps, so the struct is read as an array.  The caller holds the
   mutex. */
static bool
is_sendable(const struct jvmti_env *env, int event)
{
    void *const *callbacks = (void *const *)&env->callbacks;
    unsigned phases = jvmti_event_infos[event].phases;

    if (event == EVENT_INDEX(CLASS_FILE_LOAD_HOOK)
        && !(env->capabilities.can_generate_early_class_hook_events
             && env->capabilities.can_generate_all_class_hook_events))
        phases &= ~PHASE_PRIMORDIAL;
    return callbacks[event] && (phases >> jvmti_phase(env) & 1) != 0;
}

/* Returns the events for which is_sendable is true.  The caller holds the mutex. */
static uint64_t
sendable(const struct jvmti_env *env)
{
    uint64_t mask = 0;

    for (int i = 0; i < JVMTI_EVENT_COUNT; i++)
        if (is_sendable(env, i))
            mask |= (uint64_t)1 << i;
    return mask;
}

/* Brings the bit of one event in env's active mask up to date, after its mode has
   changed.  That is all the change can do to the masks of environments: the conditions
   of other events have not changed, and whoever changes one of them calls
   jvmti_update_events.  The caller holds the mutex, as for the next functions; so of
   two threads that change modes at once, the second sees the first one's bit. */
static void
update_env_event(struct jvmti_env *env, jvmtiEvent event)
{
    uint64_t bit = bit_of(event);
    uint64_t active = atomic_load_explicit(&env->active, memory_order_relaxed) & ~bit;

    if (env->is_alive && is_sendable(env, (int)event - JVMTI_MIN_EVENT_TYPE_VAL))
        active |= env->enabled & bit;
    atomic_store_explicit(&env->active, active, memory_order_release);
}

/* Sets the active mask of every environment. */
static void
update_env_masks(struct vm *vm)
{
    FOR_EACH_ENV(vm, env)
    atomic_store_explicit(&env->active, env->enabled & sendable(env),
                          memory_order_release);
}

/* Sets the active masks that belong to single threads, for events that are enabled in
   them only, and returns their union.  A disposed environment's mask becomes 0; its
   enabled bits stay, since nobody reads them any more. */
static uint64_t
update_thread_masks(struct vm *vm)
{
    struct jvmti_thread *data;
    uint64_t all = 0;

    mutex_lock(&vm->jvmti->threads_mutex);
    TAILQ_FOREACH(data, &vm->jvmti->threads, link) {
        for (struct env_thread *e = data->first; e; e = e->next) {
            uint64_t active = e->env->is_alive && e->enabled != 0
                                  ? e->enabled & sendable(e->env)
                                  : 0;
            atomic_store_explicit(&e->active, active, memory_order_release);
            all |= active;
        }
    }
    mutex_unlock(&vm->jvmti->threads_mutex);
    return all;
}

/* Returns the hooks that this file decides, for the events that are active for t.  t's
   lists are read without a lock: if they change meanwhile, who changes them makes t's
   hooks follow.  In a transition of a virtual thread nothing is reported. */
static uint32_t
hooks_for(const struct thread *t)
{
    uint64_t active = 0;
    uint32_t hooks = 0;

    if (t->in_transition)
        return t->jvmti->pop_requests ? HOOK_FRAME_POP : 0;
    FOR_EACH_ENV(t->vm, env)
    active |= atomic_load_explicit(&env->active, memory_order_relaxed);
    for (struct env_thread *e = t->jvmti->first; e; e = e->next)
        active |= atomic_load_explicit(&e->active, memory_order_relaxed);
    if (active & bit_of(JVMTI_EVENT_METHOD_ENTRY))
        hooks |= HOOK_METHOD_ENTRY;
    if (active & bit_of(JVMTI_EVENT_METHOD_EXIT))
        hooks |= HOOK_METHOD_EXIT;
    if (active & bit_of(JVMTI_EVENT_SINGLE_STEP))
        hooks |= HOOK_SINGLE_STEP;
    if (t->jvmti->pop_requests)
        hooks |= HOOK_FRAME_POP;
    return hooks;
}

/* The hooks that hooks_for decides; others belong to the interpreter. */
enum {
    OWN_HOOKS = HOOK_METHOD_ENTRY | HOOK_METHOD_EXIT | HOOK_SINGLE_STEP | HOOK_FRAME_POP
};

/* The events for which a thread has hooks. */
#define HOOK_EVENTS \
    (bit_of(JVMTI_EVENT_METHOD_ENTRY) | bit_of(JVMTI_EVENT_METHOD_EXIT) \
     | bit_of(JVMTI_EVENT_SINGLE_STEP) | bit_of(JVMTI_EVENT_FRAME_POP))

/* The operation of a handshake: sets the hooks of t.  When steps begin, the methods
   that run already go on in the debug translation, which knows every bytecode.  If
   memory for that is short, frames stay as they are and report no steps.  Hooks of the
   interpreter that are not in OWN_HOOKS are left alone. */
static void
set_hooks(struct thread *t, void *arg)
{
    uint32_t hooks = hooks_for(t), before = atomic_load(&t->poll.hooks);

    (void)arg;
    thread_set_hooks(t, hooks, OWN_HOOKS & ~hooks);
    if (hooks & ~before & HOOK_SINGLE_STEP)
        frames_replace_translation(t, NULL);
}

void
jvmti_update_hooks(struct thread *self, struct thread *t)
{
    if ((atomic_load(&t->poll.hooks) & OWN_HOOKS) != hooks_for(t))
        handshake(self, t, set_hooks, NULL);
}

/* The hooks are those of the virtual thread now, or of its carrier, or, in a
   transition, none.  What agents are told after a collection has waited for the end of
   a transition. */
void
jvmti_on_identity_changed(struct thread *self)
{
    if ((atomic_load(&self->poll.hooks) & OWN_HOOKS) != hooks_for(self))
        set_hooks(self, NULL);
    if (!self->in_transition)
        vm_send_collection_events(self);
}

/* Sets events_wanted from the active masks.  Those of single threads are not gone
   through anew, which would take long: thread_events has their union from the last
   time.  The caller holds the mutex. */
static void
update_wanted(struct vm *vm)
{
    struct jvmti_vm *jvmti = vm->jvmti;
    uint64_t wanted = jvmti->thread_events;

    FOR_EACH_ENV(vm, env)
    wanted |= atomic_load_explicit(&env->active, memory_order_relaxed)
              | (uint64_t)__atomic_load_n(&env->extensions_on, __ATOMIC_RELAXED)
                    << EVENT_CLASS_UNLOAD;
    /* ExceptionCatch is sent only for an exception that was seen when it was thrown,
       and Exception is not sent again before it was caught: each needs to hear of
       both. */
    if (wanted & EXCEPTION_EVENTS)
        wanted |= EXCEPTION_EVENTS;
    /* The VM has one event for the end of all threads (deliver.c). */
    if (wanted & bit_of(JVMTI_EVENT_VIRTUAL_THREAD_END))
        wanted |= bit_of(JVMTI_EVENT_THREAD_END);
    if (jvmti->first && vm_get_phase(vm) != VM_PHASE_DEAD)
        wanted |= always_wanted;
    __atomic_store_n(&events_wanted, wanted, __ATOMIC_RELEASE);
}

/* Brings the hooks of all threads, the hidden ones too, up to date, by a handshake with
   each one whose hooks change; so the caller holds no lock. */
static void
update_hooks_of_all(struct thread *self)
{
    struct vm *vm = self->vm;

    for (struct thread *t = thread_next(vm, NULL); t; t = thread_next(vm, t))
        jvmti_update_hooks(self, t);
}

/* Makes the heap take samples if events_wanted says that somebody wants
   SampledObjectAlloc. */
static void
update_sampling(struct thread *self)
{
    uint64_t wanted = __atomic_load_n(&events_wanted, __ATOMIC_ACQUIRE);

    jvmti_update_sampling(self, (wanted >> EVENT_SAMPLED_ALLOC & 1) != 0);
}

/* Computes all masks anew, and gives the threads and the heap what follows from them.
   The hooks come last, without the mutex: a handshake waits for other threads, which
   may want it. */
void
jvmti_update_events(struct thread *self)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;

    mutex_lock(&jvmti->mutex);
    update_env_masks(self->vm);
    jvmti->thread_events = update_thread_masks(self->vm);
    update_wanted(self->vm);
    mutex_unlock(&jvmti->mutex);
    update_hooks_of_all(self);
    update_sampling(self);
}

/* Replaces all callbacks of env.  callbacks may be NULL, which means none.
   size_of_callbacks is the size of the agent's struct in bytes. */
jvmtiError
jvmti_SetEventCallbacks(struct thread *self, struct jvmti_env *env,
                        const jvmtiEventCallbacks *callbacks, jint size_of_callbacks)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    jvmtiEventCallbacks new_callbacks;
    size_t size = (size_t)size_of_callbacks;

    if (size_of_callbacks < 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    /* An agent may be built with a shorter or a longer struct: what it does not have is
       NULL, and what this VM does not know is ignored. */
    memset(&new_callbacks, 0, sizeof new_callbacks);
    if (callbacks)
        memcpy(&new_callbacks, callbacks,
               size < sizeof new_callbacks ? size : sizeof new_callbacks);
    mutex_lock(&jvmti->mutex);
    /* Each pointer is stored as a whole, since a sender may be reading it. */
    for (size_t i = 0; i < sizeof new_callbacks / sizeof(void *); i++)
        __atomic_store_n((void **)&env->callbacks + i, ((void **)&new_callbacks)[i],
                         __ATOMIC_RELAXED);
    mutex_unlock(&jvmti->mutex);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}

/* Returns true if env possesses the capability of a bit; bit -1 stands for none. */
static bool
has_capability(const struct jvmti_env *env, int bit)
{
    return bit < 0 || (((const uint8_t *)&env->capabilities)[bit / 8] >> (bit % 8) & 1);
}

/* The wrapper has checked mode and event_type, and that event_thread, if it is not
   NULL, is alive.  A thread is refused with ILLEGAL_ARGUMENT for an event that cannot
   be enabled for single threads, such as VMInit.  Enabling ClassFileLoadHook for the
   first time decides for ever in which group of agents env is (deliver.c, "class
   files").  The index of an extension event is taken, too. */
jvmtiError
jvmti_SetEventNotificationMode(struct thread *self, struct jvmti_env *env,
                               jvmtiEventMode mode, jvmtiEvent event_type,
                               const struct target *event_thread)
{
    if ((int)event_type < JVMTI_MIN_EVENT_TYPE_VAL)
        return jvmti_set_extension_mode(self, env, mode, event_type,
                                        event_thread->object != NULL);
    const struct jvmti_event_info *info =
        &jvmti_event_infos[event_type - JVMTI_MIN_EVENT_TYPE_VAL];
    uint64_t bit = bit_of(event_type), *enabled = &env->enabled;

    if (event_thread->object && !info->thread_scoped)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (mode == JVMTI_ENABLE && !has_capability(env, info->capability))
        return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    TARGET_HELD(self, event_thread);
    if (event_thread->object) {
        struct jvmti_thread *data;
        struct env_thread *e;
        TRY(target_data(self, event_thread, &data));
        e = env_thread_make(data, env);
        if (!e)
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
    if (is_change) {
        if (event_thread->object)
            self->vm->jvmti->thread_events = update_thread_masks(self->vm);
        else
            update_env_event(env, event_type);
        update_wanted(self->vm);
    }
    mutex_unlock(&self->vm->jvmti->mutex);
    /* Most events are tested for where they happen: the threads need not be told. */
    if (is_change && bit & HOOK_EVENTS)
        update_hooks_of_all(self);
    if (is_change && event_type == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC)
        update_sampling(self);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GenerateEvents(struct jvmti_env *env, jvmtiEvent event_type)
{
    /* There is no compiler and no generated code, so there is no event to send
       again. */
    if (event_type == JVMTI_EVENT_COMPILED_METHOD_LOAD)
        return env->capabilities.can_generate_compiled_method_load_events
                   ? JVMTI_ERROR_NONE
                   : JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    return event_type == JVMTI_EVENT_DYNAMIC_CODE_GENERATED
               ? JVMTI_ERROR_NONE
               : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}
