/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/general.c -- JVM TI "General", and an environment's own storage. */

#include <tiforge_names.h>

#include "jvmti/env.h"

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

jint
jvmti_GetVersionNumber(struct jvmti_env *env)
{
    jint release = the_vm->profile->jvmti_version;
    jint kind = JVMTI_VERSION_MASK_INTERFACE_TYPE;

    /* Agents of the class library's own release insist on its level. */
    return (env->version & ~kind) <= (release & ~kind)
               ? release | JVMTI_VERSION_INTERFACE_JVMTI : JVMTI_VERSION_21;
}

JVMTI_BODY(jvmtiError, jvmti_GetErrorName, (jvmtiError error, char **name),
           jvmti_copy(tiforge_error_name(error), name))
JVMTI_BODY(jvmtiJlocationFormat, jvmti_GetJLocationFormat, (void),
           JVMTI_JLOCATION_JVMBCI)

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

JVMTI_BODY(void *, jvmti_GetEnvironmentLocalStorage, (struct jvmti_env *env),
           __atomic_load_n(&env->storage, __ATOMIC_ACQUIRE))
