/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/capability.c -- JVM TI "Capability".
 *
 * What is implemented is potential.  No capability is exclusive to one environment,
 * and all but the early ones can be added as long as the VM lives: code is always
 * interpreted, so nothing has to be prepared for them. */

#include "jvmti/env.h"

/* As a number, for sets of them. */
union set {
    jvmtiCapabilities named;
    unsigned __int128 bits;
};
_Static_assert(sizeof(jvmtiCapabilities) == sizeof(union set), "128 capabilities");

/* Those that ask for events before VMStart: too late once it was sent. */
static const union set early = { { .can_generate_early_vmstart = 1,
                                   .can_generate_early_class_hook_events = 1 } };

/* The class library has no virtual threads: their functions and events are there, but
   no environment can have them. */
static const union set absent = { { .can_support_virtual_threads = 1 } };

static union set
potential(const struct jvmti_env *env)
{
    union set result = { jvmti_implemented_capabilities };

    /* JVM TI "Retransform Classes": to be had before the first hook only. */
    if (env->had_class_hook)
        result.named.can_retransform_classes = 0;
    result.bits &= ~absent.bits;
    if (vm_get_phase(the_vm) != VM_PHASE_ONLOAD)
        result.bits &= ~early.bits;
    result.bits |= (union set){ env->capabilities }.bits;
    return result;
}

JVMTI_BODY(jvmtiCapabilities, jvmti_GetPotentialCapabilities, (struct jvmti_env *env),
           potential(env).named)

jvmtiError
jvmti_AddCapabilities(struct jvmti_env *env, const jvmtiCapabilities *capabilities)
{
    const union set wanted = { *capabilities };
    LOCK(&the_vm->jvmti->mutex);
    union set held = { env->capabilities };

    if (wanted.bits & ~potential(env).bits)
        return JVMTI_ERROR_NOT_AVAILABLE;
    held.bits |= wanted.bits;
    env->capabilities = held.named;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_RelinquishCapabilities(struct jvmti_env *env,
                             const jvmtiCapabilities *capabilities)
{
    struct vm *vm = the_vm;
    union set held;

    mutex_lock(&vm->jvmti->mutex);
    held.named = env->capabilities;
    held.bits &= ~(union set){ *capabilities }.bits;
    env->capabilities = held.named;
    mutex_unlock(&vm->jvmti->mutex);
    jvmti_update_events(current_thread);
    return JVMTI_ERROR_NONE;
}

JVMTI_BODY(jvmtiCapabilities, jvmti_GetCapabilities, (struct jvmti_env *env),
           env->capabilities)
