/* SPDX-License-Identifier: MIT */
/* minivm/test/instrument/wrapped.c -- the native method of Wrapped, by the name that it had
 * before it was wrapped. */

#include <jvmti.h>

JNIEXPORT jint JNICALL
Java_Wrapped_number(JNIEnv *jni, jclass c)
{
    (void)jni;
    (void)c;
    return 20;
}
