/* SPDX-License-Identifier: MIT */
/*
 * The marking's own agent: stands between the agent of its first option and the VM, and
 * sends it a ThreadStart in the start phase.  The specification allows that event there,
 * but which threads start so early differs from VM to VM, so waiting for one would not do.
 * It says how GetThreadInfo is answered meanwhile.  Its options are LIBRARY,OPTIONS.
 */
#include "lab.h"

#include <dlfcn.h>

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);

static const struct JNIInvokeInterface_ *real_vm;
static struct JNIInvokeInterface_ vm_functions;
static const jvmtiInterface_1 *real_env;
static jvmtiInterface_1 env_functions;
static jvmtiEnv *student;               /* its environment */
static jvmtiEventThreadStart on_start;  /* its callback */

static jvmtiError JNICALL
set_callbacks(jvmtiEnv *jvmti, const jvmtiEventCallbacks *callbacks, jint size)
{
    if (callbacks != NULL)
        on_start = callbacks->ThreadStart;
    student = jvmti;
    return real_env->SetEventCallbacks(jvmti, callbacks, size);
}

static jvmtiError JNICALL
get_thread_info(jvmtiEnv *jvmti, jthread thread, jvmtiThreadInfo *info)
{
    jvmtiError error = real_env->GetThreadInfo(jvmti, thread, info);

    if (error == JVMTI_ERROR_WRONG_PHASE)
        say("probe: GetThreadInfo is WRONG_PHASE");
    return error;
}

/* An environment begins with a pointer to its functions. */
static jint JNICALL
get_env(JavaVM *vm, void **env, jint version)
{
    jint result = real_vm->GetEnv(vm, env, version);

    if (result == JNI_OK && (version & 0x70000000) == JVMTI_VERSION_INTERFACE_JVMTI) {
        jvmtiEnv *jvmti = *env;

        real_env = *jvmti;
        env_functions = *real_env;
        env_functions.SetEventCallbacks = set_callbacks;
        env_functions.GetThreadInfo = get_thread_info;
        *jvmti = &env_functions;
    }
    return result;
}

static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jthread thread = NULL;

    if (on_start == NULL || !CALL(GetCurrentThread, jvmti, &thread))
        return;
    say("probe: ThreadStart in the start phase");
    on_start(student, jni, thread);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char *rest = options, *path = strsep(&rest, ",");
    void *library = dlopen(path, RTLD_NOW);
    jvmtiEventCallbacks callbacks = { .VMStart = on_vm_start };
    start_fn *start = NULL;
    jvmtiEnv *jvmti;
    jint result;

    if (library == NULL
        || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_START,
                 NULL))
        return JNI_ERR;
    *(void **)&start = dlsym(library, "Agent_OnLoad");
    if (start == NULL)
        return JNI_ERR;
    real_vm = *vm;
    vm_functions = *real_vm;
    vm_functions.GetEnv = get_env;
    *vm = &vm_functions;
    result = start(vm, rest, reserved);
    *vm = real_vm;
    return result;
}
