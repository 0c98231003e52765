/* SPDX-License-Identifier: MIT */
/* An agent that tells what it saw when the program ends: the threads that started and
   the classes that Words needed. */
#include <stdio.h>
#include <string.h>

#include <jvmti.h>

static jint threads, classes;

static void
count(jint *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti, (void)jni, (void)thread;
    count(&threads);
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature;

    (void)jni, (void)thread;
    count(&classes);
    if ((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    if (strcmp(signature, "LWords;") == 0)
        printf("agent: class %s is prepared\n", signature);
    fflush(stdout);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti, (void)jni;
    printf("agent: %d threads started, %d classes were prepared\n", threads, classes);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_CLASS_PREPARE
    };
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *jvmti;

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_0) != JNI_OK) {
        fprintf(stderr, "agent: this VM has no JVM TI\n");
        return JNI_ERR;
    }
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMDeath = on_vm_death;
    callbacks.ThreadStart = on_thread_start;
    callbacks.ClassPrepare = on_class_prepare;
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks)
        != JVMTI_ERROR_NONE)
        return JNI_ERR;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL)
            != JVMTI_ERROR_NONE)
            return JNI_ERR;
    return JNI_OK;
}
