/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Stops.c -- StopThread, called by Stops.java. */

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jint JNICALL
Java_Stops_stop(JNIEnv *jni, jclass c, jthread thread, jthrowable exception)
{
    return (*ti)->StopThread(ti, thread, exception);
}

JNIEXPORT jint JNICALL
Java_Stops_state(JNIEnv *jni, jclass c, jthread thread)
{
    jint state = 0;

    (*ti)->GetThreadState(ti, thread, &state);
    return state;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_signal_thread = 1 };

    ti = make_env(vm, JVMTI_VERSION_1_0, &wanted);
    return JNI_OK;
}
