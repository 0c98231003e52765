/* SPDX-License-Identifier: MIT */
/* Lab 6: contention and deadlock.  See handout.md. */
#include "lab.h"

static void JNICALL
on_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    (void)object;
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
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_monitor_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MonitorContendedEnter = on_contended_enter;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL))
        return JNI_ERR;
    return JNI_OK;
}
