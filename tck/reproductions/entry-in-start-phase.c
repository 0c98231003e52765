/* SPDX-License-Identifier: MIT */
/*
 * MethodEntry and MethodExit are sent in the live phase only.  When the environment
 * also enables ClassPrepare or ClassLoad, HotSpot sends them in the start phase
 * already, to agents whose callback then uses functions of the live phase.
 *
 * Text: Method Entry: "sent only during the live phase"
 * Outcome: HotSpot 17 departs, HotSpot 21 departs, HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static int early;

static void JNICALL
on_method(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method)
{
    jvmtiPhase phase;

    (*ti)->GetPhase(ti, &phase);
    early += phase != JVMTI_PHASE_LIVE;
}

static void JNICALL
on_prepare(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jclass klass)
{
}

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    if (early == 0)
        puts("as specified");
    else
        puts("departs: MethodEntry was sent in the start phase");
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;
    jvmtiCapabilities wanted;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_method_entry_events = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    callbacks.MethodEntry = on_method;
    callbacks.ClassPrepare = on_prepare;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
