/* SPDX-License-Identifier: MIT */
/* Lab 3: logs exceptions.  See handout.md. */
#include "lab.h"

static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    (void)method;
    (void)location;
    (void)exception;
    (void)catch_method;
    (void)catch_location;
    /* Your work begins here. */
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_exception_events = 1;
    capabilities.can_get_line_numbers = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.Exception = on_exception;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
