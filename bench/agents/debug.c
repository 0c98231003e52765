/* SPDX-License-Identifier: MIT */
/*
 * Events of a debugger with empty callbacks: natives of workloads/Debugging.java.
 */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jvmtiEnv *ti;
static long events;

static void
expect(jvmtiError error)
{
    if (error == JVMTI_ERROR_NONE)
        return;
    printf("error %d\n", (int)error);
    exit(1);
}

static void JNICALL
on_place(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation at)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)at;
    events++;
}

static void JNICALL
on_access(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation at,
          jclass klass, jobject object, jfieldID field)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)at;
    (void)klass, (void)object, (void)field;
    events++;
}

static void JNICALL
on_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                jlocation at, jclass klass, jobject object, jfieldID field, char type,
                jvalue value)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)at;
    (void)klass, (void)object, (void)field, (void)type, (void)value;
    events++;
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation at,
             jobject exception, jmethodID catcher, jlocation catch_at)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)at;
    (void)exception, (void)catcher, (void)catch_at;
    events++;
}

static void JNICALL
on_catch(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation at,
         jobject exception)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)at, (void)exception;
}

static void JNICALL
on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown)
{
    (void)env, (void)jni, (void)thread, (void)method, (void)thrown;
    events++;
}

JNIEXPORT jlong JNICALL
Java_Debugging_events(JNIEnv *jni, jclass c)
{
    (void)jni, (void)c;
    return events;
}

JNIEXPORT void JNICALL
Java_Debugging_enable(JNIEnv *jni, jclass c, jint event, jboolean on)
{
    (void)jni, (void)c;
    expect((*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                           (jvmtiEvent)event, NULL));
}

JNIEXPORT void JNICALL
Java_Debugging_breakpoint(JNIEnv *jni, jclass c, jstring name, jboolean on)
{
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    jmethodID method = (*jni)->GetStaticMethodID(jni, c, text, "(I)I");

    expect(on ? (*ti)->SetBreakpoint(ti, method, 0)
              : (*ti)->ClearBreakpoint(ti, method, 0));
    (*jni)->ReleaseStringUTFChars(jni, name, text);
}

/* Seconds for so many settings and clearings. */
JNIEXPORT jdouble JNICALL
Java_Debugging_setAndClear(JNIEnv *jni, jclass c, jint count)
{
    jmethodID method = (*jni)->GetStaticMethodID(jni, c, "leaf", "(I)I");
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    for (jint i = 0; i < count; i++) {
        expect((*ti)->SetBreakpoint(ti, method, 0));
        expect((*ti)->ClearBreakpoint(ti, method, 0));
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

JNIEXPORT void JNICALL
Java_Debugging_watch(JNIEnv *jni, jclass c, jboolean on)
{
    jfieldID field = (*jni)->GetStaticFieldID(jni, c, "field", "I");

    expect(on ? (*ti)->SetFieldAccessWatch(ti, c, field)
              : (*ti)->ClearFieldAccessWatch(ti, c, field));
    expect(on ? (*ti)->SetFieldModificationWatch(ti, c, field)
              : (*ti)->ClearFieldModificationWatch(ti, c, field));
}

/* The caller's frame will report when it is popped, if it shall. */
JNIEXPORT void JNICALL
Java_Debugging_notifyPop(JNIEnv *jni, jclass c, jboolean shall)
{
    (void)jni, (void)c;
    if (shall)
        expect((*ti)->NotifyFramePop(ti, NULL, 1));
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = {
        .SingleStep = on_place, .Breakpoint = on_place, .FieldAccess = on_access,
        .FieldModification = on_modification, .Exception = on_exception,
        .ExceptionCatch = on_catch, .FramePop = on_pop
    };
    jvmtiCapabilities wanted = {
        .can_generate_single_step_events = 1, .can_generate_breakpoint_events = 1,
        .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1,
        .can_generate_exception_events = 1, .can_generate_frame_pop_events = 1
    };

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    expect((*ti)->AddCapabilities(ti, &wanted));
    expect((*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks));
    return JNI_OK;
}
