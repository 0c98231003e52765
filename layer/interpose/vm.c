/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/vm.c -- the JavaVM that an agent gets (JNI "The Invocation API"): where
 * all of its environments come from.
 */
#include "layer/interpose/wrappers.h"

#include <stdlib.h>

static bool
is_jvmti(jint version)
{
    return (version & JVMTI_VERSION_MASK_INTERFACE_TYPE)
        == JVMTI_VERSION_INTERFACE_JVMTI;
}

/* The first one, which calls with the VM's own pointer mean: the client may have put
   our table into the VM. */
static struct interpose_vm *first;

static struct interpose_vm *
vm_of(JavaVM *vm)
{
    return first != NULL && vm == first->real ? first : (struct interpose_vm *)vm;
}

static jint JNICALL
get_env(JavaVM *agent_vm, void **env, jint version)
{
    struct interpose_vm *vm = vm_of(agent_vm);
    jint result = vm->real_functions->GetEnv(vm->real, env, version);

    if (result != JNI_OK) {
        interposed_env_refused(version, result);
        return result;
    }
    if (is_jvmti(version)) {
        struct interpose_env *ours = interpose_env_for(vm, *env, version, true);

        if (ours == NULL)
            return JNI_ENOMEM;
        *env = (void *)&ours->functions;
    } else
        *env = interpose_jni_for(vm, interpose_thread_self(), *env);
    return JNI_OK;
}

static jint
attach(JavaVM *agent_vm, void **env, void *args, bool is_daemon, void *caller)
{
    struct interpose_vm *vm = vm_of(agent_vm);
    struct interpose_thread *thread = interpose_thread_self();
    bool was_attached = interpose_real_jni(vm) != NULL;
    jint result;

    interposed_vm_call(thread, is_daemon ? "AttachCurrentThreadAsDaemon"
                                         : "AttachCurrentThread");
    result = is_daemon
        ? vm->real_functions->AttachCurrentThreadAsDaemon(vm->real, env, args)
        : vm->real_functions->AttachCurrentThread(vm->real, env, args);

    if (result != JNI_OK)
        return result;
    *env = interpose_jni_for(vm, thread, *env);
    if (!was_attached)
        interposed_attached(vm, thread, is_daemon, caller);
    return JNI_OK;
}

static jint JNICALL
attach_current_thread(JavaVM *vm, void **env, void *args)
{
    return attach(vm, env, args, false, __builtin_return_address(0));
}

static jint JNICALL
attach_current_thread_as_daemon(JavaVM *vm, void **env, void *args)
{
    return attach(vm, env, args, true, __builtin_return_address(0));
}

static jint JNICALL
detach_current_thread(JavaVM *agent_vm)
{
    struct interpose_vm *vm = vm_of(agent_vm);
    struct interpose_thread *thread = interpose_thread_self();
    jint result;

    interposed_vm_call(thread, "DetachCurrentThread");
    result = interposed_detaching(vm, thread)
        ? vm->real_functions->DetachCurrentThread(vm->real) : JNI_ERR;

    if (result == JNI_OK) {
        thread->jni.real = NULL;
        interposed_detached(vm, thread);
    }
    return result;
}

static jint JNICALL
destroy_java_vm(JavaVM *agent_vm)
{
    struct interpose_vm *vm = vm_of(agent_vm);

    return interposed_destroying(interpose_thread_self())
        ? vm->real_functions->DestroyJavaVM(vm->real) : JNI_ERR;
}

JNIEnv *
interpose_real_jni(const struct interpose_vm *vm)
{
    void *env = NULL;

    if (vm->real_functions->GetEnv(vm->real, &env, JNI_VERSION_1_2) != JNI_OK)
        return NULL;
    return env;
}

jint
interpose_get_java_vm(struct interpose_vm *vm, JavaVM **result)
{
    *result = (JavaVM *)&vm->functions;
    return JNI_OK;
}

struct interpose_vm *
interpose_vm_new(JavaVM *real, bool is_jni_wrapped)
{
    struct interpose_vm *vm = malloc(sizeof *vm);

    if (vm == NULL)
        return NULL;
    *vm = (struct interpose_vm){ .real = real, .real_functions = *real, .table = **real,
                                 .is_jni_wrapped = is_jni_wrapped };
    vm->table.GetEnv = get_env;
    vm->table.AttachCurrentThread = attach_current_thread;
    vm->table.AttachCurrentThreadAsDaemon = attach_current_thread_as_daemon;
    vm->table.DetachCurrentThread = detach_current_thread;
    vm->table.DestroyJavaVM = destroy_java_vm;
    vm->functions = &vm->table;
    if (first == NULL)
        first = vm;
    return vm;
}
