/* SPDX-License-Identifier: MIT */
/* agents/heapdump/test/roots.c -- Known.descend: an object that only JNI refers to. */
#include <jni.h>

JNIEXPORT void JNICALL
Java_Known_descend(JNIEnv *jni, jclass known)
{
    jclass marker = (*jni)->FindClass(jni, "Known$Marker");
    jmethodID make, rest = (*jni)->GetStaticMethodID(jni, known, "rest", "()V");

    if (marker == NULL || rest == NULL)
        return;
    make = (*jni)->GetMethodID(jni, marker, "<init>", "(Ljava/lang/String;)V");
    if (make != NULL
        && (*jni)->NewObject(jni, marker, make,
                             (*jni)->NewStringUTF(jni, "JNI local")) != NULL)
        (*jni)->CallStaticVoidMethod(jni, known, rest);
}
