/* SPDX-License-Identifier: MIT */
/* minivm/invocation.c -- the invocation interface (JNI "The Invocation API"). */

#include "base/events.h"
#include "create.h"
#include "jdk/attach.h"
#include "jdk/jdk.h"
#include "jni/entry.h"
#include "jvmti/floor.h"
#include "vm/above.h"

static struct vm *
vm_of(JavaVM *javavm)
{
    return (struct vm *)((char *)javavm - offsetof(struct vm, jni_invoke));
}

void
vm_destroy(struct thread *self)
{
    struct vm *vm = self->vm;
    struct method *shutdown = KM(vm, Shutdown_shutdown);

    if (vm->is_exiting)
        return;
    vm->is_exiting = true;
    if (shutdown && !java_call(self, shutdown, NULL, NULL))
        self->exception = NULL;
    vm_before_exit(self);
}

void
vm_before_exit(struct thread *self)
{
    struct vm *vm = self->vm;

    attach_end();
    if (vm_get_phase(vm) != VM_PHASE_LIVE)
        return;
    EVENT_SEND(EVENT_THREAD_END, thread_end, self);
    EVENT_SEND(EVENT_VM_DEATH, vm_death, self);
    vm_set_phase(vm, VM_PHASE_DEAD);
    jvmti_unload_agents(self);
}

static jint JNICALL
DestroyJavaVM(JavaVM *javavm)
{
    struct vm *vm = vm_of(javavm);
    struct thread *self = current_thread;

    if (!self && vm_get_phase(vm) == VM_PHASE_DEAD)
        return JNI_ERR;
    if (!self) {
        self = thread_attach(vm, "DestroyJavaVM", NULL, false);
        if (!self)
            return JNI_ERR;
    } else {
        thread_enter_vm(self);
    }
    thread_await_others(self);
    vm_destroy(self);
    thread_leave_vm(self);
    vm->is_destroyed = true;
    return JNI_OK;
}

static jint
attach(JavaVM *javavm, void **env, void *args, bool daemon)
{
    struct vm *vm = vm_of(javavm);
    JavaVMAttachArgs *a = args;
    struct thread *self = current_thread;

    if (!env)
        return JNI_EINVAL;
    if (!self) {
        if (a && !JVM_IsSupportedJNIVersion(a->version))
            return JNI_EVERSION;
        if (vm_get_phase(vm) == VM_PHASE_DEAD)
            return JNI_ERR;
        self = thread_attach(vm, a ? a->name : NULL, a ? ref_get(a->group) : NULL,
                             daemon);
        if (!self)
            return JNI_ERR;
        thread_leave_vm(self);
    }
    *env = thread_env(self);
    return JNI_OK;
}

static jint JNICALL
AttachCurrentThread(JavaVM *javavm, void **env, void *args)
{
    return attach(javavm, env, args, false);
}

static jint JNICALL
AttachCurrentThreadAsDaemon(JavaVM *javavm, void **env, void *args)
{
    return attach(javavm, env, args, true);
}

static jint JNICALL
DetachCurrentThread(JavaVM *javavm)
{
    struct thread *self = current_thread;

    if (!self)
        return vm_get_phase(vm_of(javavm)) == VM_PHASE_DEAD ? JNI_ERR : JNI_OK;
    /* A thread with Java frames cannot leave. */
    if (thread_top_frame(self))
        return JNI_ERR;
    thread_enter_vm(self);
    thread_detach(self);
    return JNI_OK;
}

static jint JNICALL
GetEnv(JavaVM *javavm, void **env, jint version)
{
    struct vm *vm = vm_of(javavm);

    *env = NULL;
    if (!current_thread || vm->is_destroyed)
        return JNI_EDETACHED;
    if ((version & 0x70000000) == 0x30000000)
        return jvmti_get_env(vm, env, version);
    if (!JVM_IsSupportedJNIVersion(version))
        return JNI_EVERSION;
    *env = thread_env(current_thread);
    return JNI_OK;
}

const struct JNIInvokeInterface_ vm_invoke_interface = {
    NULL, NULL, NULL, DestroyJavaVM, AttachCurrentThread, DetachCurrentThread, GetEnv,
    AttachCurrentThreadAsDaemon
};

JNIEXPORT jint JNICALL
JNI_CreateJavaVM(JavaVM **javavm, void **env, void *args)
{
    struct thread *self = NULL;

    /* There is one in a process, once. */
    if (the_vm)
        return the_vm->is_destroyed ? JNI_ERR : JNI_EEXIST;
    if (!args)
        return JNI_EINVAL;
    struct vm *vm = vm_create(args, &self);
    if (!vm)
        return JNI_ERR;
    *javavm = (JavaVM *)&vm->jni_invoke;
    *env = thread_env(self);
    thread_leave_vm(self);
    return JNI_OK;
}

JNIEXPORT jint JNICALL
JNI_GetDefaultJavaVMInitArgs(void *args)
{
    JavaVMInitArgs *a = args;

    /* JDK 1.1's structure is not supported; everything later is. */
    if (!a || a->version == JNI_VERSION_1_1)
        return JNI_ERR;
    return JNI_OK;
}

JNIEXPORT jint JNICALL
JNI_GetCreatedJavaVMs(JavaVM **buffer, jsize length, jsize *count)
{
    bool alive = the_vm && !the_vm->is_destroyed;

    if (count)
        *count = alive;
    if (alive && length > 0)
        buffer[0] = (JavaVM *)&the_vm->jni_invoke;
    return JNI_OK;
}
