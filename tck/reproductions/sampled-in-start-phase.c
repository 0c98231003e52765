/* SPDX-License-Identifier: MIT */
/*
 * SampledObjectAlloc is sent in the live phase only.  HotSpot 25 sends it in the start
 * phase.
 *
 * Text: Sampled Object Allocation: "sent only during the live phase"
 * Outcome: HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static int early;

static void JNICALL
on_sample(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject object, jclass klass,
          jlong size)
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
    if (early == 0)
        puts("as specified");
    else
        puts("departs: SampledObjectAlloc was sent in the start phase");
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
    wanted.can_generate_sampled_object_alloc_events = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    callbacks.SampledObjectAlloc = on_sample;
    callbacks.ClassPrepare = on_prepare;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetHeapSamplingInterval(ti, 0);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
                                    NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
