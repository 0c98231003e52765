/* SPDX-License-Identifier: MIT */
/* The marking's own agent: says which capabilities the agent of its first option asks
   for.  Its options are LIBRARY,OPTIONS. */
#include "lab.h"

#include <dlfcn.h>

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);

static const struct JNIInvokeInterface_ *real_vm;
static struct JNIInvokeInterface_ vm_functions;
static const jvmtiInterface_1 *real_env;
static jvmtiInterface_1 env_functions;

static jvmtiError JNICALL
add_capabilities(jvmtiEnv *jvmti, const jvmtiCapabilities *wanted)
{
    if (wanted != NULL && wanted->can_generate_breakpoint_events)
        say("probe: breakpoint events");
    if (wanted != NULL && wanted->can_generate_method_entry_events)
        say("probe: method entry events");
    return real_env->AddCapabilities(jvmti, wanted);
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
        env_functions.AddCapabilities = add_capabilities;
        *jvmti = &env_functions;
    }
    return result;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char *rest = options, *path = strsep(&rest, ",");
    start_fn *start = NULL;
    void *library;
    jint result;

    if (rest == NULL || (library = dlopen(path, RTLD_NOW)) == NULL)
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
