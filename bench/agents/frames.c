/* SPDX-License-Identifier: MIT */
/* Locals, PopFrame and early returns, called by workloads/Frames.java. */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static jvmtiEnv *ti;

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
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "frames: error %d\n", error);
        exit(1);
    }
}

#define PER_MILLION(count, call) \
    do { \
        double start = now(); \
        for (jint i = 0; i < (count); i++) \
            call; \
        return (now() - start) * 1e6 / (count); \
    } while (0)

/* The calling method has an int in slot 0 and an object in slot 1. */
JNIEXPORT jdouble JNICALL
Java_Frames_getInt(JNIEnv *jni, jclass self, jthread thread, jint depth, jint count)
{
    jint value;

    PER_MILLION(count, expect((*ti)->GetLocalInt(ti, thread, depth, 0, &value)));
}

JNIEXPORT jdouble JNICALL
Java_Frames_setInt(JNIEnv *jni, jclass self, jthread thread, jint depth, jint count)
{
    PER_MILLION(count, expect((*ti)->SetLocalInt(ti, thread, depth, 0, i)));
}

static void
get_object(JNIEnv *jni, jthread thread, jint depth)
{
    jobject o;

    expect((*ti)->GetLocalObject(ti, thread, depth, 1, &o));
    (*jni)->DeleteLocalRef(jni, o);
}

JNIEXPORT jdouble JNICALL
Java_Frames_getObject(JNIEnv *jni, jclass self, jthread thread, jint depth, jint count)
{
    PER_MILLION(count, get_object(jni, thread, depth));
}

JNIEXPORT void JNICALL
Java_Frames_suspend(JNIEnv *jni, jclass self, jthread thread)
{
    expect((*ti)->SuspendThread(ti, thread));
}

JNIEXPORT void JNICALL
Java_Frames_resume(JNIEnv *jni, jclass self, jthread thread)
{
    expect((*ti)->ResumeThread(ti, thread));
}

JNIEXPORT void JNICALL
Java_Frames_pop(JNIEnv *jni, jclass self, jthread thread)
{
    expect((*ti)->SuspendThread(ti, thread));
    expect((*ti)->PopFrame(ti, thread));
    expect((*ti)->ResumeThread(ti, thread));
}

JNIEXPORT void JNICALL
Java_Frames_leave(JNIEnv *jni, jclass self, jthread thread)
{
    expect((*ti)->SuspendThread(ti, thread));
    expect((*ti)->ForceEarlyReturnInt(ti, thread, 1));
    expect((*ti)->ResumeThread(ti, thread));
}

static jint pops, returns;

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    if (pops > 0 && pops-- > 0)
        expect((*ti)->PopFrame(ti, thread));
    else if (returns > 0 && returns-- > 0)
        expect((*ti)->ForceEarlyReturnInt(ti, thread, 1));
}

/* Breakpoints at the beginning of a static method pop it or have it return. */
JNIEXPORT void JNICALL
Java_Frames_arm(JNIEnv *jni, jclass self, jint pop_count, jint return_count)
{
    jmethodID m = (*jni)->GetStaticMethodID(jni, self, "target", "(I)I");

    pops = pop_count;
    returns = return_count;
    if (pop_count == 0 && return_count == 0)
        expect((*ti)->ClearBreakpoint(ti, m, 0));
    else
        expect((*ti)->SetBreakpoint(ti, m, 0));
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_access_local_variables = 1, .can_pop_frame = 1,
                                 .can_force_early_return = 1, .can_suspend = 1,
                                 .can_generate_breakpoint_events = 1 };
    jvmtiEventCallbacks callbacks = { .Breakpoint = on_breakpoint };

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    expect((*ti)->AddCapabilities(ti, &wanted));
    expect((*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks));
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT,
                                           NULL);
}
