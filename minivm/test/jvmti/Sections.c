/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Sections.c -- suspends threads for Sections.java, and says where they
 * are. */

#include "check.h"

static jvmtiEnv *ti;
static jrawMonitorID raw;

JNIEXPORT jint JNICALL
Java_Sections_suspend(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->SuspendThread(ti, t);
}

JNIEXPORT jint JNICALL
Java_Sections_suspendList(JNIEnv *jni, jclass c, jthread t)
{
    jvmtiError result = JVMTI_ERROR_INTERNAL;
    jvmtiError error = (*ti)->SuspendThreadList(ti, 1, &t, &result);

    return error != JVMTI_ERROR_NONE ? error : result;
}

JNIEXPORT jint JNICALL
Java_Sections_suspendAll(JNIEnv *jni, jclass c)
{
    return (*ti)->SuspendAllVirtualThreads(ti, 0, NULL);
}

JNIEXPORT jint JNICALL
Java_Sections_resume(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->ResumeThread(ti, t);
}

JNIEXPORT jint JNICALL
Java_Sections_resumeAll(JNIEnv *jni, jclass c)
{
    return (*ti)->ResumeAllVirtualThreads(ti, 0, NULL);
}

JNIEXPORT jint JNICALL
Java_Sections_state(JNIEnv *jni, jclass c, jthread t)
{
    jint state = 0;

    (*ti)->GetThreadState(ti, t, &state);
    return state;
}

/* Each frame's method with its place, newest first. */
JNIEXPORT jstring JNICALL
Java_Sections_frames(JNIEnv *jni, jclass c, jthread t)
{
    jvmtiFrameInfo rows[60];
    jint count = 0;
    char out[2000] = "";
    jvmtiError error = (*ti)->GetStackTrace(ti, t, 0, 60, rows, &count);

    if (error != JVMTI_ERROR_NONE)
        snprintf(out, sizeof out, "error %d", error);
    for (jint i = 0; i < count; i++) {
        char *name = NULL;
        (*ti)->GetMethodName(ti, rows[i].method, &name, NULL, NULL);
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s:%d ", name,
                 (int)rows[i].location);
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    return (*jni)->NewStringUTF(jni, out);
}

JNIEXPORT void JNICALL
Java_Sections_enterRaw(JNIEnv *jni, jclass c)
{
    (*ti)->RawMonitorEnter(ti, raw);
}

JNIEXPORT void JNICALL
Java_Sections_exitRaw(JNIEnv *jni, jclass c)
{
    (*ti)->RawMonitorExit(ti, raw);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiCapabilities capabilities = { .can_suspend = 1,
                                                    .can_support_virtual_threads = 1 };

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_21) != JNI_OK
        || (*ti)->AddCapabilities(ti, &capabilities) != JVMTI_ERROR_NONE
        || (*ti)->CreateRawMonitor(ti, "raw", &raw) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    return JNI_OK;
}
