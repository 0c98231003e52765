/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Kinds.c -- calls with objects of another kind than is asked for. */

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jint JNICALL
Java_Kinds_classes(JNIEnv *jni, jclass c, jobject loader)
{
    jclass *classes;
    jint count;
    jvmtiError error = (*ti)->GetClassLoaderClasses(ti, loader, &count, &classes);

    if (error != JVMTI_ERROR_NONE)
        return -(jint)error;
    (*ti)->Deallocate(ti, (unsigned char *)classes);
    return count;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    ti = make_env(vm, JVMTI_VERSION_1_0, NULL);
    return JNI_OK;
}
