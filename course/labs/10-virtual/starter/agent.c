/* SPDX-License-Identifier: MIT */
/* Lab 10: virtual threads.  See handout.md. */
#include "lab.h"

static void JNICALL
on_virtual_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    /* Your work begins here. */
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_21) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_support_virtual_threads = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VirtualThreadStart = on_virtual_start;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_VIRTUAL_THREAD_START, NULL))
        return JNI_ERR;
    return JNI_OK;
}
