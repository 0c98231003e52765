/* SPDX-License-Identifier: MIT */
/* The natives of Stacks.java: a place for a breakpoint or a crash, and a wish for MethodEntry. */

#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *jvmti;

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)env, (void)jni, (void)thread, (void)method;
}

JNIEXPORT void JNICALL
Java_Stacks_here(JNIEnv *jni, jclass c, jstring text, jintArray numbers, jstring wide,
                 jclass klass)
{
    (void)jni, (void)c, (void)text, (void)numbers, (void)wide, (void)klass;
    if (getenv("STACKS_CRASH") != NULL)
        abort();
}

JNIEXPORT void JNICALL
Java_Stacks_watch(JNIEnv *jni, jclass c)
{
    jvmtiEventCallbacks callbacks = { .MethodEntry = on_entry };

    (void)jni, (void)c;
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY,
                                       NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities capabilities = { .can_generate_method_entry_events = 1 };

    (void)options, (void)reserved;
    return (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
           || (*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE;
}
