/* SPDX-License-Identifier: MIT */
/* Lab 5: a small debugger.  See handout.md. */
#include "lab.h"

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    (void)klass;
    /* Your work begins here: set the breakpoint. */
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
    capabilities.can_generate_breakpoint_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassPrepare = on_class_prepare;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_CLASS_PREPARE, NULL))
        return JNI_ERR;
    return JNI_OK;
}
