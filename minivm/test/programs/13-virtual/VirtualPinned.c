/* SPDX-License-Identifier: MIT */
/* A native method that calls Java, for VirtualPinned.java. */
#include <jni.h>

JNIEXPORT void JNICALL
Java_VirtualPinned_call(JNIEnv *env, jclass c, jobject runnable)
{
    jclass type = (*env)->GetObjectClass(env, runnable);

    (void)c;
    (*env)->CallVoidMethod(env, runnable, (*env)->GetMethodID(env, type, "run", "()V"));
}

JNIEXPORT void JNICALL
Java_VirtualPinned_callSynchronized(JNIEnv *env, jclass c, jobject runnable)
{
    Java_VirtualPinned_call(env, c, runnable);
}

JNIEXPORT void JNICALL
Java_VirtualPinned_enter(JNIEnv *env, jclass c, jobject lock)
{
    (void)c;
    (*env)->MonitorEnter(env, lock);
}

JNIEXPORT void JNICALL
Java_VirtualPinned_exit(JNIEnv *env, jclass c, jobject lock)
{
    (void)c;
    (*env)->MonitorExit(env, lock);
}
