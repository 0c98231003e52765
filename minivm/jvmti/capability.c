/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/capability.c -- JVM TI "Capability".
 *
 * What is implemented is potential.  No capability is exclusive to one environment,
 * and all but the early ones can be added as long as the VM lives: code is always
 * interpreted, so nothing has to be prepared for them. */

#include "jvmti/env.h"

enum { WORDS = sizeof(jvmtiCapabilities) / sizeof(uint32_t) };

union words {
    jvmtiCapabilities named;
    uint32_t at[WORDS];
};

/* Those that ask for events before VMStart: too late once it was sent. */
static const jvmtiCapabilities early = { .can_generate_early_vmstart = 1,
                                         .can_generate_early_class_hook_events = 1 };

/* The class library has no virtual threads: their functions and events are there, but
   no environment can have them. */
static const jvmtiCapabilities absent = { .can_support_virtual_threads = 1 };

static union words
potential(const struct jvmti_env *env)
{
    const struct vm *vm = current_thread->vm;
    union words result = { .named = jvmti_implemented_capabilities };
    const union words held = { .named = env->capabilities }, late = { .named = early },
                      never = { .named = absent };

    /* JVM TI "Retransform Classes": to be had before the first hook only. */
    if (env->had_class_hook)
        result.named.can_retransform_classes = 0;
    for (int i = 0; i < WORDS; i++) {
        result.at[i] &= ~never.at[i];
        if (vm_get_phase(vm) != VM_PHASE_ONLOAD)
            result.at[i] &= ~late.at[i];
        result.at[i] |= held.at[i];
    }
    return result;
}

jvmtiCapabilities
jvmti_GetPotentialCapabilities(struct jvmti_env *env)
{
    return potential(env).named;
}

jvmtiError
jvmti_AddCapabilities(struct jvmti_env *env, const jvmtiCapabilities *capabilities)
{
    struct vm *vm = current_thread->vm;
    const union words wanted = { .named = *capabilities };

    LOCK(&vm->jvmti->mutex);
    union words allowed = potential(env), held = { .named = env->capabilities };
    for (int i = 0; i < WORDS; i++) {
        if (wanted.at[i] & ~allowed.at[i])
            return JVMTI_ERROR_NOT_AVAILABLE;
        held.at[i] |= wanted.at[i];
    }
    env->capabilities = held.named;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_RelinquishCapabilities(struct jvmti_env *env,
                             const jvmtiCapabilities *capabilities)
{
    struct vm *vm = current_thread->vm;
    const union words given = { .named = *capabilities };

    mutex_lock(&vm->jvmti->mutex);
    union words held = { .named = env->capabilities };
    for (int i = 0; i < WORDS; i++)
        held.at[i] &= ~given.at[i];
    env->capabilities = held.named;
    mutex_unlock(&vm->jvmti->mutex);
    jvmti_update_events(current_thread);
    return JVMTI_ERROR_NONE;
}

jvmtiCapabilities
jvmti_GetCapabilities(struct jvmti_env *env)
{
    return env->capabilities;
}
