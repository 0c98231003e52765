/* SPDX-License-Identifier: MIT */
/*
 * A negative start depth counts from the oldest frame.  GetStackTrace finds that frame by
 * two walks through the stack at the same time, which for a virtual thread that is on no
 * carrier share the state of one.
 *
 * Text: Get Stack Trace: "if negative two, start from the frame called by the oldest frame."
 * Outcome: HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

/* A Runnable that parks, made of LockSupport.park. */
static jobject
parking(JNIEnv *jni)
{
    jclass handles = (*jni)->FindClass(jni, "java/lang/invoke/MethodHandles");
    jclass types = (*jni)->FindClass(jni, "java/lang/invoke/MethodType");
    jclass lookups = (*jni)->FindClass(jni, "java/lang/invoke/MethodHandles$Lookup");
    jclass proxies = (*jni)->FindClass(jni, "java/lang/invoke/MethodHandleProxies");
    jclass nothing = (*jni)->FindClass(jni, "java/lang/Void");
    jobject lookup, type, handle;

    lookup = (*jni)->CallStaticObjectMethod(
        jni, handles,
        (*jni)->GetStaticMethodID(jni, handles, "publicLookup",
                                  "()Ljava/lang/invoke/MethodHandles$Lookup;"));
    type = (*jni)->CallStaticObjectMethod(
        jni, types,
        (*jni)->GetStaticMethodID(jni, types, "methodType",
                                  "(Ljava/lang/Class;)Ljava/lang/invoke/MethodType;"),
        (*jni)->GetStaticObjectField(
            jni, nothing,
            (*jni)->GetStaticFieldID(jni, nothing, "TYPE", "Ljava/lang/Class;")));
    handle = (*jni)->CallObjectMethod(
        jni, lookup,
        (*jni)->GetMethodID(jni, lookups, "findStatic",
                            "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/"
                            "MethodType;)Ljava/lang/invoke/MethodHandle;"),
        (*jni)->FindClass(jni, "java/util/concurrent/locks/LockSupport"),
        (*jni)->NewStringUTF(jni, "park"), type);
    return (*jni)->CallStaticObjectMethod(
        jni, proxies,
        (*jni)->GetStaticMethodID(jni, proxies, "asInterfaceInstance",
                                  "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)"
                                  "Ljava/lang/Object;"),
        (*jni)->FindClass(jni, "java/lang/Runnable"), handle);
}

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread self)
{
    jclass threads = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID start = (*jni)->GetStaticMethodID(
        jni, threads, "startVirtualThread", "(Ljava/lang/Runnable;)Ljava/lang/Thread;");
    jvmtiFrameInfo frames[2];
    jthread thread;
    jvmtiError error;
    jint state = 0, count = 0;

    if (start == NULL) {
        /* No release before 21 has virtual threads. */
        (*jni)->ExceptionClear(jni);
        puts("as specified");
        return;
    }
    thread = (*jni)->CallStaticObjectMethod(jni, threads, start, parking(jni));
    while ((state & JVMTI_THREAD_STATE_PARKED) == 0)
        (*ti)->GetThreadState(ti, thread, &state);
    error = (*ti)->GetStackTrace(ti, thread, -2, 2, frames, &count);
    if (error == JVMTI_ERROR_NONE && count == 2)
        puts("as specified");
    else
        printf("departs: GetStackTrace gives %d and %d frames, not 2\n", error, count);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
