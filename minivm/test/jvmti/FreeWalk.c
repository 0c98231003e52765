/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/FreeWalk.c -- a walk's callbacks do not run while another thread's
 * Object Free event is being sent. */

#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

static jvmtiEnv *ti;
static jrawMonitorID owned;
static atomic_int runs; /* callbacks of Object Free that run */
static atomic_bool armed, was_seen, is_walking, overlapped, enters;

/* What the callback and Java_FreeWalk_answer do in turn; guarded by owned. */
static enum talk { QUIET, WANTED, ASKED, ANSWERED, OVER } talk;

/* Waits until the other thread has come as far, some seconds at most. */
static void
await(jvmtiEnv *env, enum talk wanted)
{
    for (int i = 0; i < 100 && talk < wanted; i++)
        (*env)->RawMonitorWait(env, owned, 50);
}

static void
ask_other_thread(jvmtiEnv *env)
{
    (*env)->RawMonitorEnter(env, owned);
    if (talk == WANTED) {
        talk = ASKED;
        await(env, ANSWERED);
        talk = talk == ANSWERED ? OVER : QUIET;
        (*env)->RawMonitorNotifyAll(env, owned);
    }
    (*env)->RawMonitorExit(env, owned);
}

static void JNICALL
on_free(jvmtiEnv *env, jlong tag)
{
    atomic_fetch_add(&runs, 1);
    if (!enters)
        ask_other_thread(env);
    overlapped |= is_walking;
    if (atomic_exchange(&armed, false)) {
        was_seen = true;
        /* Time for the other thread's walk to begin, which it ought not to. */
        for (int i = 0; i < 200 && !is_walking; i++)
            usleep(1000);
        if (enters) {
            (*env)->RawMonitorEnter(env, owned);
            (*env)->RawMonitorExit(env, owned);
        }
    }
    atomic_fetch_sub(&runs, 1);
}

/* ---- what walks call ---- */

static void
note(void)
{
    is_walking = true;
    overlapped |= runs > 0;
}

static jvmtiIterationControl JNICALL
on_object(jlong class_tag, jlong size, jlong *tag, void *data)
{
    note();
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag, void *data)
{
    note();
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
         jlong thread_tag, jint depth, jmethodID method, jint slot, void *data)
{
    note();
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
on_reference10(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag,
               jlong referrer_tag, jint index, void *data)
{
    note();
    return JVMTI_ITERATION_CONTINUE;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    note();
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_heap(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    note();
    return 0;
}

static jvmtiError
walk_with(int function, jclass object_class)
{
    const jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_heap,
                                           .heap_reference_callback = on_reference };

    switch (function) {
    case 0:
        return (*ti)->IterateOverReachableObjects(ti, on_root, on_stack, on_reference10,
                                                  NULL);
    case 1:
        return (*ti)->IterateOverHeap(ti, JVMTI_HEAP_OBJECT_EITHER, on_object, NULL);
    case 2:
        return (*ti)->IterateOverInstancesOfClass(
            ti, object_class, JVMTI_HEAP_OBJECT_EITHER, on_object, NULL);
    case 3:
        return (*ti)->IterateOverObjectsReachableFromObject(ti, object_class,
                                                            on_reference10, NULL);
    case 4: return (*ti)->FollowReferences(ti, 0, NULL, NULL, &callbacks, NULL);
    default: return (*ti)->IterateThroughHeap(ti, 0, NULL, &callbacks, NULL);
    }
}

/* ---- called by the program ---- */

JNIEXPORT void JNICALL
Java_FreeWalk_tag(JNIEnv *jni, jclass c, jobject o)
{
    (*ti)->SetTag(ti, o, 1);
}

JNIEXPORT void JNICALL
Java_FreeWalk_collect(JNIEnv *jni, jclass c)
{
    (*ti)->ForceGarbageCollection(ti);
}

/* Before the collection, which may be over before this thread runs again. */
JNIEXPORT void JNICALL
Java_FreeWalk_arm(JNIEnv *jni, jclass c, jboolean owning)
{
    enters = owning;
    overlapped = false;
    was_seen = false;
    if (owning)
        (*ti)->RawMonitorEnter(ti, owned);
    armed = true;
}

JNIEXPORT jboolean JNICALL
Java_FreeWalk_walk(JNIEnv *jni, jclass c, jint function, jboolean owning)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");

    /* The virtual machine may also send the events when a walk is about to begin. */
    for (int i = 0; i < 2000 && !was_seen; i++)
        usleep(1000);
    jvmtiError error = walk_with(function, object);
    is_walking = false;
    if (owning)
        (*ti)->RawMonitorExit(ti, owned);
    armed = false;
    return error == JVMTI_ERROR_NONE && was_seen && !overlapped;
}

JNIEXPORT void JNICALL
Java_FreeWalk_ask(JNIEnv *jni, jclass c)
{
    enters = false;
    (*ti)->RawMonitorEnter(ti, owned);
    talk = WANTED;
    (*ti)->RawMonitorExit(ti, owned);
}

JNIEXPORT jboolean JNICALL
Java_FreeWalk_answer(JNIEnv *jni, jclass c)
{
    jobject o;

    (*ti)->RawMonitorEnter(ti, owned);
    await(ti, ASKED);
    (*ti)->RawMonitorExit(ti, owned);
    o = (*jni)->NewLocalRef(jni, c);
    (*jni)->DeleteLocalRef(jni, o);
    (*ti)->RawMonitorEnter(ti, owned);
    if (talk == ASKED)
        talk = ANSWERED;
    (*ti)->RawMonitorNotifyAll(ti, owned);
    await(ti, OVER);
    bool is_over = talk == OVER;
    (*ti)->RawMonitorExit(ti, owned);
    return is_over;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_tag_objects = 1,
                                       .can_generate_object_free_events = 1 };
    const jvmtiEventCallbacks callbacks = { .ObjectFree = on_free };

    ti = make_env(vm, JVMTI_VERSION_1_1, &wanted);
    (*ti)->CreateRawMonitor(ti, "owned", &owned);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
    return JNI_OK;
}
