/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include <jni.h>

static JavaVM *vm;

JNIEXPORT jstring JNICALL
Java_NativeEnds_unfinished(JNIEnv *env, jclass c)
{
    (void)c;
    return (*env)->AllocObject(env, (*env)->FindClass(env, "java/lang/String"));
}

JNIEXPORT jstring JNICALL
Java_NativeEnds_describe(JNIEnv *env, jclass c, jstring s)
{
    const jchar *chars = (*env)->GetStringChars(env, s, NULL);
    const char *utf = (*env)->GetStringUTFChars(env, s, NULL);
    char text[80];

    (void)c;
    sprintf(text, "%d %d %d %d", (*env)->GetStringLength(env, s),
            (*env)->GetStringUTFLength(env, s), chars == NULL, utf == NULL);
    return (*env)->NewStringUTF(env, text);
}

static void
at_exit(void)
{
    JavaVM *created = NULL;
    void *env = NULL;
    jint count = -1;

    printf("GetEnv %d", (*vm)->GetEnv(vm, &env, JNI_VERSION_1_2));
    printf(" attach %d", (*vm)->AttachCurrentThread(vm, &env, NULL));
    printf(" daemon %d", (*vm)->AttachCurrentThreadAsDaemon(vm, &env, NULL));
    printf(" detach %d", (*vm)->DetachCurrentThread(vm));
    JNI_GetCreatedJavaVMs(&created, 1, &count);
    printf(" created %d destroy %d\n", count, (*vm)->DestroyJavaVM(vm));
}

JNIEXPORT void JNICALL
Java_NativeEnds_callAtExit(JNIEnv *env, jclass c)
{
    (void)c;
    (*env)->GetJavaVM(env, &vm);
    atexit(at_exit);
}
