/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/LateVirtual.c -- the agent of LateVirtual.java.  It has no environment
 * until the program asks for one, when virtual threads run already. */

#include <stdatomic.h>

#include "check.h"

static JavaVM *java_vm;
static jvmtiEnv *ti;
static _Atomic int starts, ends, pops;

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    starts++;
}

static void JNICALL
on_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    ends++;
}

static void JNICALL
on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown)
{
    pops++;
}

JNIEXPORT jint JNICALL
Java_LateVirtual_attach(JNIEnv *jni, jclass c)
{
    const jvmtiCapabilities needed = { .can_support_virtual_threads = 1,
                                       .can_suspend = 1 };
    /* Not every VM gives these so late. */
    const jvmtiCapabilities more[] = { { .can_access_local_variables = 1 },
                                       { .can_generate_frame_pop_events = 1 },
                                       { .can_get_owned_monitor_info = 1 } };
    const jvmtiEventCallbacks callbacks = { .VirtualThreadStart = on_start,
                                            .VirtualThreadEnd = on_end,
                                            .FramePop = on_pop };

    if ((*java_vm)->GetEnv(java_vm, (void **)&ti, JVMTI_VERSION_21) != JNI_OK)
        return -1;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        (*ti)->AddCapabilities(ti, &more[i]);
    return (*ti)->AddCapabilities(ti, &needed);
}

JNIEXPORT jint JNICALL
Java_LateVirtual_enable(JNIEnv *jni, jclass c)
{
    jint error = (*ti)->SetEventNotificationMode(
        ti, JVMTI_ENABLE, JVMTI_EVENT_VIRTUAL_THREAD_START, NULL);

    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                                JVMTI_EVENT_VIRTUAL_THREAD_END, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    return error;
}

JNIEXPORT jint JNICALL
Java_LateVirtual_events(JNIEnv *jni, jclass c, jint which)
{
    return which == 0 ? starts : which == 1 ? ends : pops;
}

static bool
is_called(jmethodID method, const char *wanted)
{
    char *name = NULL;
    bool same;

    (*ti)->GetMethodName(ti, method, &name, NULL, NULL);
    same = !strcmp(name, wanted);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return same;
}

/* How many of the stacks have a frame of the method. */
static jint
count_with(const jvmtiStackInfo *stacks, jint count, const char *name)
{
    jint with = 0;

    for (jint i = 0; i < count; i++)
        for (jint k = 0; k < stacks[i].frame_count; k++)
            if (is_called(stacks[i].frame_buffer[k].method, name)) {
                with++;
                break;
            }
    return with;
}

/* GetThreadListStackTraces of the threads: how many have a frame of the method. */
JNIEXPORT jint JNICALL
Java_LateVirtual_stacks(JNIEnv *jni, jclass c, jobjectArray threads, jstring method)
{
    const char *name = (*jni)->GetStringUTFChars(jni, method, NULL);
    jint count = (*jni)->GetArrayLength(jni, threads);
    jthread *list = malloc((size_t)count * sizeof *list);
    jvmtiStackInfo *stacks = NULL;
    jint result;

    (*jni)->EnsureLocalCapacity(jni, count + 16);
    for (jint i = 0; i < count; i++)
        list[i] = (*jni)->GetObjectArrayElement(jni, threads, i);
    result = -(*ti)->GetThreadListStackTraces(ti, count, list, 100, &stacks);
    if (result == 0)
        result = count_with(stacks, count, name);
    (*ti)->Deallocate(ti, (unsigned char *)stacks);
    free(list);
    (*jni)->ReleaseStringUTFChars(jni, method, name);
    return result;
}

/* GetAllStackTraces: how many of them are of virtual threads, or have a frame of theirs. */
JNIEXPORT jint JNICALL
Java_LateVirtual_allStacks(JNIEnv *jni, jclass c)
{
    jvmtiStackInfo *stacks = NULL;
    jint count = 0, result;

    result = -(*ti)->GetAllStackTraces(ti, 100, &stacks, &count);
    for (jint i = 0; i < count && result >= 0; i++)
        result += (*jni)->IsVirtualThread(jni, stacks[i].thread);
    if (result == 0)
        result = count_with(stacks, count, "moves")
                 + count_with(stacks, count, "spins");
    (*ti)->Deallocate(ti, (unsigned char *)stacks);
    return result;
}

JNIEXPORT jint JNICALL
Java_LateVirtual_suspendAll(JNIEnv *jni, jclass c, jboolean on)
{
    return on ? (*ti)->SuspendAllVirtualThreads(ti, 0, NULL)
              : (*ti)->ResumeAllVirtualThreads(ti, 0, NULL);
}

JNIEXPORT jint JNICALL
Java_LateVirtual_state(JNIEnv *jni, jclass c, jthread t)
{
    jint state = -1;

    (*ti)->GetThreadState(ti, t, &state);
    return state;
}

static jint
depth_of(jthread t, const char *name)
{
    jvmtiFrameInfo frames[60];
    jint count = 0;

    (*ti)->GetStackTrace(ti, t, 0, 60, frames, &count);
    for (jint i = 0; i < count; i++)
        if (is_called(frames[i].method, name))
            return i;
    return -1;
}

/* The first local of the thread's frame of that method; a negative error. */
JNIEXPORT jint JNICALL
Java_LateVirtual_local(JNIEnv *jni, jclass c, jthread t, jstring method)
{
    const char *name = (*jni)->GetStringUTFChars(jni, method, NULL);
    jint value = 0, error = (*ti)->GetLocalInt(ti, t, depth_of(t, name), 0, &value);

    (*jni)->ReleaseStringUTFChars(jni, method, name);
    return error ? -error : value;
}

JNIEXPORT jint JNICALL
Java_LateVirtual_notifyPop(JNIEnv *jni, jclass c, jthread t, jstring method)
{
    const char *name = (*jni)->GetStringUTFChars(jni, method, NULL);
    jint error = (*ti)->NotifyFramePop(ti, t, depth_of(t, name));

    (*jni)->ReleaseStringUTFChars(jni, method, name);
    return error;
}

/* How many monitors the thread owns. */
JNIEXPORT jint JNICALL
Java_LateVirtual_owned(JNIEnv *jni, jclass c, jthread t)
{
    jobject *owned = NULL;
    jint count = -1;

    (*ti)->GetOwnedMonitorInfo(ti, t, &count, &owned);
    (*ti)->Deallocate(ti, (unsigned char *)owned);
    return count;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    java_vm = vm;
    return JNI_OK;
}
