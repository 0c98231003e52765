/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/RawMonitors.c -- the chapter "Raw Monitor", as natives. */

#include "check.h"

static jvmtiEnv *ti;
static jrawMonitorID monitor;

JNIEXPORT jint JNICALL
Java_RawMonitors_create(JNIEnv *jni, jclass c)
{
    return (*ti)->CreateRawMonitor(ti, "test", &monitor);
}

JNIEXPORT jint JNICALL
Java_RawMonitors_destroy(JNIEnv *jni, jclass c)
{
    return (*ti)->DestroyRawMonitor(ti, monitor);
}

JNIEXPORT jint JNICALL
Java_RawMonitors_enter(JNIEnv *jni, jclass c)
{
    return (*ti)->RawMonitorEnter(ti, monitor);
}

JNIEXPORT jint JNICALL
Java_RawMonitors_exit(JNIEnv *jni, jclass c)
{
    return (*ti)->RawMonitorExit(ti, monitor);
}

JNIEXPORT jint JNICALL
Java_RawMonitors_await(JNIEnv *jni, jclass c, jlong millis)
{
    return (*ti)->RawMonitorWait(ti, monitor, millis);
}

JNIEXPORT jint JNICALL
Java_RawMonitors_signal(JNIEnv *jni, jclass c, jboolean all)
{
    return all ? (*ti)->RawMonitorNotifyAll(ti, monitor)
               : (*ti)->RawMonitorNotify(ti, monitor);
}

/* Enters and says so before it is back in Java. */
static volatile int inside;

JNIEXPORT void JNICALL
Java_RawMonitors_enterAndTell(JNIEnv *jni, jclass c)
{
    (*ti)->RawMonitorEnter(ti, monitor);
    inside = 1;
    (*ti)->RawMonitorExit(ti, monitor);
}

JNIEXPORT jboolean JNICALL
Java_RawMonitors_isInside(JNIEnv *jni, jclass c)
{
    return inside != 0;
}

JNIEXPORT jint JNICALL
Java_RawMonitors_suspend(JNIEnv *jni, jclass c, jthread thread, jboolean on)
{
    return on ? (*ti)->SuspendThread(ti, thread) : (*ti)->ResumeThread(ti, thread);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_suspend = 1 };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    return JNI_OK;
}
