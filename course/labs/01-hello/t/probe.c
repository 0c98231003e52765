/* SPDX-License-Identifier: MIT */
/*
 * The marking's own agent: calls the Agent_OnLoad of the library that its first option
 * names, and says when that has returned.  Its second option is the name of a VM, which
 * GetSystemProperty answers for java.vm.name instead of the real one.  What follows are the
 * options for that agent; NULL if nothing does.
 */
#include "lab.h"

#include <dlfcn.h>

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);

static const struct JNIInvokeInterface_ *real_vm;
static struct JNIInvokeInterface_ vm_functions;
static const jvmtiInterface_1 *real_env;
static jvmtiInterface_1 env_functions;
static char *vm_name;

static jvmtiError JNICALL
get_property(jvmtiEnv *jvmti, const char *property, char **value)
{
    unsigned char *copy = NULL;
    jvmtiError error;

    if (property == NULL || value == NULL || strcmp(property, "java.vm.name") != 0)
        return real_env->GetSystemProperty(jvmti, property, value);
    error = real_env->Allocate(jvmti, (jlong)strlen(vm_name) + 1, &copy);
    if (error != JVMTI_ERROR_NONE)
        return error;
    *value = strcpy((char *)copy, vm_name);
    return JVMTI_ERROR_NONE;
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
        env_functions.GetSystemProperty = get_property;
        *jvmti = &env_functions;
    }
    return result;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char *rest = options, *path = strsep(&rest, ","), *name = strsep(&rest, ",");
    void *library = dlopen(path, RTLD_NOW);
    start_fn *start = NULL;
    jint result;

    if (library != NULL)
        *(void **)&start = dlsym(library, "Agent_OnLoad");
    if (start == NULL || name == NULL || (vm_name = strdup(name)) == NULL) {
        fprintf(stderr, "%s\n", library == NULL ? dlerror() : "no Agent_OnLoad");
        return JNI_ERR;
    }
    real_vm = *vm;
    vm_functions = *real_vm;
    vm_functions.GetEnv = get_env;
    *vm = &vm_functions;
    result = start(vm, rest, reserved);
    *vm = real_vm;
    say("probe: Agent_OnLoad has returned");
    return result;
}
