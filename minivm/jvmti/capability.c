/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/capability.c -- JVM TI "Capability".
 *
 * A capability is potential if all functions and events that require it are
 * implemented, which the generator finds out (jvmti_implemented_capabilities).  No
 * capability is exclusive to one environment, and all but the early ones can be added
 * as long as the VM lives: code is interpreted and can be translated anew at any time,
 * so nothing has to be prepared for them. */

#include "jvmti/env.h"

/* A set of capabilities: by their names, or as one number for the operations of
   sets. */
union capability_set {
    jvmtiCapabilities named;
    unsigned __int128 bits;
};
_Static_assert(sizeof(jvmtiCapabilities) == sizeof(union capability_set),
               "128 capabilities");

/* The capabilities for events before the start phase can be added in OnLoad only. */
static const union capability_set early = {
    { .can_generate_early_vmstart = 1, .can_generate_early_class_hook_events = 1 }
};

/* Returns the capabilities that env can add or possesses. */
static union capability_set
potential_capabilities(const struct jvmti_env *env)
{
    union capability_set result = { jvmti_implemented_capabilities };

    /* can_retransform_classes cannot be added after ClassFileLoadHook was enabled
       first: that decides in which group the environment is (JVM TI "Retransform
       Classes"). */
    if (env->had_class_hook)
        result.named.can_retransform_classes = 0;
    /* The class library of JDK 17 has no virtual threads. */
    if (!the_vm->profile->class_names[KNOWN_CLASS_BaseVirtualThread])
        result.named.can_support_virtual_threads = 0;
    if (vm_get_phase(the_vm) != VM_PHASE_ONLOAD)
        result.bits &= ~early.bits;
    result.bits |= (union capability_set){ env->capabilities }.bits;
    return result;
}

jvmtiCapabilities
jvmti_GetPotentialCapabilities(struct jvmti_env *env)
{
    return potential_capabilities(env).named;
}

/* Adds all of them or, if one cannot be had, none. */
jvmtiError
jvmti_AddCapabilities(struct jvmti_env *env, const jvmtiCapabilities *capabilities)
{
    const union capability_set wanted = { *capabilities };
    LOCK(&the_vm->jvmti->mutex);
    union capability_set held = { env->capabilities };

    if (wanted.bits & ~potential_capabilities(env).bits)
        return JVMTI_ERROR_NOT_AVAILABLE;
    held.bits |= wanted.bits;
    env->capabilities = held.named;
    return JVMTI_ERROR_NONE;
}

/* The masks of events depend on capabilities (event.c, sendable), so they are brought
   up to date.  Events that stay enabled without their capability are still sent. */
jvmtiError
jvmti_RelinquishCapabilities(struct thread *self, struct jvmti_env *env,
                             const jvmtiCapabilities *capabilities)
{
    struct vm *vm = self->vm;
    union capability_set held;

    mutex_lock(&vm->jvmti->mutex);
    held.named = env->capabilities;
    held.bits &= ~(union capability_set){ *capabilities }.bits;
    env->capabilities = held.named;
    mutex_unlock(&vm->jvmti->mutex);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}

jvmtiCapabilities
jvmti_GetCapabilities(struct jvmti_env *env)
{
    return env->capabilities;
}
