/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/general.c -- JVM TI "General", and an environment's own storage. */

#include <tiforge_names.h>

#include "jvmti/env.h"

/* jvmti_phase never returns the early start phase, so there is no row for it. */
jvmtiPhase
jvmti_GetPhase(struct jvmti_env *env)
{
    static const jvmtiPhase phases[] = {
        [VM_PHASE_ONLOAD] = JVMTI_PHASE_ONLOAD,
        [VM_PHASE_PRIMORDIAL] = JVMTI_PHASE_PRIMORDIAL,
        [VM_PHASE_START] = JVMTI_PHASE_START,
        [VM_PHASE_LIVE] = JVMTI_PHASE_LIVE,
        [VM_PHASE_DEAD] = JVMTI_PHASE_DEAD,
    };

    return phases[jvmti_phase(env)];
}

/* env->version is what GetEnv was asked for; the levels are compared without the bits
   for the interface type. */
jint
jvmti_GetVersionNumber(struct jvmti_env *env)
{
    jint release = the_vm->profile->jvmti_version;
    jint kind = JVMTI_VERSION_MASK_INTERFACE_TYPE;

    /* An environment for a level up to that of the class library's release gets that
       level, since the release's own agents insist on it; others get 21. */
    return (env->version & ~kind) <= (release & ~kind)
               ? release | JVMTI_VERSION_INTERFACE_JVMTI
               : JVMTI_VERSION_21;
}

jvmtiError
jvmti_GetErrorName(jvmtiError error, char **name)
{
    return jvmti_copy(tiforge_error_name(error), name);
}

/* Locations are bytecode indices. */
jvmtiJlocationFormat
jvmti_GetJLocationFormat(void)
{
    return JVMTI_JLOCATION_JVMBCI;
}

/* Turns log sets on or off; there is none for JVMTI_VERBOSE_OTHER. */
jvmtiError
jvmti_SetVerboseFlag(jvmtiVerboseFlag flag, jboolean value)
{
    enum log_level info = value ? LOG_INFO : LOG_OFF;

    switch (flag) {
    case JVMTI_VERBOSE_GC: log_set_verbose(LOG_GC, info); break;
    case JVMTI_VERBOSE_CLASS:
        log_set_verbose(LOG_CLASS_LOAD, info);
        log_set_verbose(LOG_CLASS_UNLOAD, info);
        break;
    case JVMTI_VERBOSE_JNI:
        log_set_verbose(LOG_JNI_RESOLVE, value ? LOG_DEBUG : LOG_OFF);
        break;
    case JVMTI_VERBOSE_OTHER: break;
    }
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_SetEnvironmentLocalStorage(struct jvmti_env *env, const void *data)
{
    __atomic_store_n(&env->storage, (void *)(uintptr_t)data, __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

void *
jvmti_GetEnvironmentLocalStorage(struct jvmti_env *env)
{
    return __atomic_load_n(&env->storage, __ATOMIC_ACQUIRE);
}
