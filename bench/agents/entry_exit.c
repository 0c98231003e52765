/* SPDX-License-Identifier: MIT */
/*
 * MethodEntry and MethodExit for all methods, with empty callbacks: what is left is the
 * price of delivering them.
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)env;
    (void)jni;
    (void)thread;
    (void)method;
}

static void JNICALL
on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
           jboolean popped, jvalue value)
{
    (void)env;
    (void)jni;
    (void)thread;
    (void)method;
    (void)popped;
    (void)value;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities wanted;
    jvmtiEnv *env;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_method_entry_events = 1;
    wanted.can_generate_method_exit_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MethodEntry = on_entry;
    callbacks.MethodExit = on_exit_of;
    if ((*env)->AddCapabilities(env, &wanted) != JVMTI_ERROR_NONE
        || (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks)
           != JVMTI_ERROR_NONE
        || (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY,
                                            NULL) != JVMTI_ERROR_NONE
        || (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT,
                                            NULL) != JVMTI_ERROR_NONE) {
        fprintf(stderr, "entry_exit: cannot switch the events on\n");
        return JNI_ERR;
    }
    return JNI_OK;
}
