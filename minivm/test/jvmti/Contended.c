/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Contended.c -- owned monitors while one is contended. */

#include "check.h"

static jvmtiEnv *ti;
static jobject watched, outer;
static char notes[500];

static void
note(JNIEnv *jni, jthread thread, jobject object, const char *event)
{
    jvmtiMonitorStackDepthInfo *owned;
    jint count = -1;

    if (!(*jni)->IsSameObject(jni, object, watched))
        return;
    strcat(strcat(notes, event), " ");
    (*ti)->GetOwnedMonitorStackDepthInfo(ti, thread, &count, &owned);
    for (jint i = 0; i < count; i++)
        sprintf(notes + strlen(notes), "%d:%s ", (int)owned[i].stack_depth,
                (*jni)->IsSameObject(jni, owned[i].monitor, watched) ? "lock"
                : (*jni)->IsSameObject(jni, owned[i].monitor, outer) ? "outer"
                                                                     : "other");
}

static void JNICALL
on_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    note(jni, thread, object, "enter");
}

static void JNICALL
on_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    note(jni, thread, object, "entered");
}

JNIEXPORT void JNICALL
Java_Contended_watch(JNIEnv *jni, jclass c, jobject lock, jobject other)
{
    watched = (*jni)->NewGlobalRef(jni, lock);
    outer = (*jni)->NewGlobalRef(jni, other);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                    JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                    JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, NULL);
}

JNIEXPORT jstring JNICALL
Java_Contended_notes(JNIEnv *jni, jclass c)
{
    return (*jni)->NewStringUTF(jni, notes);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiEventCallbacks callbacks = { .MonitorContendedEnter = on_enter,
                                            .MonitorContendedEntered = on_entered };
    const jvmtiCapabilities wanted = { .can_generate_monitor_events = 1,
                                       .can_get_owned_monitor_stack_depth_info = 1 };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return JNI_OK;
}
