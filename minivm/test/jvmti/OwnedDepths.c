/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/OwnedDepths.c -- GetOwnedMonitorStackDepthInfo and GetOwnedMonitorInfo
 * of the calling thread. */

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jstring JNICALL
Java_OwnedDepths_owned(JNIEnv *jni, jclass c, jobject a, jobject b)
{
    jvmtiMonitorStackDepthInfo *owned = NULL;
    jobject *alone = NULL;
    jint count = 0, alone_count = 0;
    char text[200] = "";

    (*ti)->GetOwnedMonitorStackDepthInfo(ti, NULL, &count, &owned);
    (*ti)->GetOwnedMonitorInfo(ti, NULL, &alone_count, &alone);
    for (jint i = 0; i < count; i++)
        sprintf(text + strlen(text), "%d:%s ", (int)owned[i].stack_depth,
                i >= alone_count
                        || !(*jni)->IsSameObject(jni, owned[i].monitor, alone[i])
                    ? "another"
                : (*jni)->IsSameObject(jni, owned[i].monitor, a) ? "a"
                : (*jni)->IsSameObject(jni, owned[i].monitor, b) ? "b"
                                                                 : "other");
    (*ti)->Deallocate(ti, (unsigned char *)owned);
    (*ti)->Deallocate(ti, (unsigned char *)alone);
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT void JNICALL
Java_OwnedDepths_within(JNIEnv *jni, jclass c, jobject lock, jobject run)
{
    jclass runnable = (*jni)->FindClass(jni, "java/lang/Runnable");

    (*jni)->MonitorEnter(jni, lock);
    (*jni)->CallVoidMethod(jni, run,
                           (*jni)->GetMethodID(jni, runnable, "run", "()V"));
    (*jni)->MonitorExit(jni, lock);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_get_owned_monitor_info = 1,
                                       .can_get_owned_monitor_stack_depth_info = 1 };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    return JNI_OK;
}
