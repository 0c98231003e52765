/* SPDX-License-Identifier: MIT */
/* Lab 7: counts and paths in the heap.  See handout.md. */
#include "lab.h"

/* Is it the thread that wants a report? */
static bool
is_look(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiThreadInfo info;
    jvmtiPhase phase;
    bool is_it;

    if (!CALL(GetPhase, jvmti, &phase) || phase != JVMTI_PHASE_LIVE
        || !CALL(GetThreadInfo, jvmti, thread, &info))
        return false;
    is_it = strcmp(info.name, "look") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return is_it;
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    if (!is_look(jvmti, thread))
        return;
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
    capabilities.can_tag_objects = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ThreadStart = on_thread_start;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_THREAD_START, NULL))
        return JNI_ERR;
    return JNI_OK;
}
