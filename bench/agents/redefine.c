/* SPDX-License-Identifier: MIT */
/*
 * RetransformClasses with a hook that changes a constant, every second time, and
 * RedefineClasses of one class: natives of workloads/Redefinition.java.
 */
#define _GNU_SOURCE
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jvmtiEnv *ti;
static long hooks;

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
expect(jvmtiError error)
{
    if (error == JVMTI_ERROR_NONE)
        return;
    printf("error %d\n", (int)error);
    exit(1);
}

static void JNICALL
on_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
        jobject domain, jint length, const unsigned char *bytes, jint *new_length,
        unsigned char **new_bytes)
{
    unsigned char *at;

    (void)jni, (void)loader, (void)name, (void)domain;
    if (redefined == NULL || hooks++ % 2 == 0)
        return;
    expect((*env)->Allocate(env, length, new_bytes));
    *new_length = length;
    memcpy(*new_bytes, bytes, (size_t)length);
    at = memmem(*new_bytes, (size_t)length, "\3one", 4);
    if (at != NULL)
        memcpy(at, "\3two", 4);
}

/* Seconds for so many calls. */
JNIEXPORT jdouble JNICALL
Java_Redefinition_retransform(JNIEnv *jni, jclass c, jclass klass, jint count)
{
    double start = now();

    (void)jni, (void)c;
    for (jint i = 0; i < count; i++)
        expect((*ti)->RetransformClasses(ti, 1, &klass));
    return now() - start;
}

/* The two files by turns. */
JNIEXPORT jdouble JNICALL
Java_Redefinition_redefine(JNIEnv *jni, jclass c, jclass klass, jbyteArray one,
                           jbyteArray two, jint count)
{
    jbyteArray files[] = { one, two };
    jvmtiClassDefinition definitions[2];

    (void)c;
    for (int i = 0; i < 2; i++) {
        jint length = (*jni)->GetArrayLength(jni, files[i]);
        unsigned char *bytes = malloc((size_t)length);

        (*jni)->GetByteArrayRegion(jni, files[i], 0, length, (jbyte *)bytes);
        definitions[i] = (jvmtiClassDefinition){ klass, length, bytes };
    }
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                    NULL);
    double start = now();
    for (jint i = 0; i < count; i++)
        expect((*ti)->RedefineClasses(ti, 1, &definitions[i % 2]));
    return now() - start;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_hook };
    jvmtiCapabilities wanted = { .can_redefine_classes = 1,
                                 .can_retransform_classes = 1 };

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK
        || (*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                    NULL);
    return JNI_OK;
}
