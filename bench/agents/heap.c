/* SPDX-License-Identifier: MIT */
/*
 * The heap's functions, called by workloads/HeapServices.java; each answers seconds of
 * the process (a walk may run in another thread) for a million objects or references.
 */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static jvmtiEnv *ti;
static jlong called;

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
expect(jvmtiError error)
{
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "heap: error %d\n", error);
        exit(1);
    }
}

static double
per_million(double start, jlong count)
{
    return (now() - start) * 1e6 / (double)count;
}

/* References to up to this many objects at a time: making them is not measured. */
enum { AT_ONCE = 1000 };

static double
for_all(JNIEnv *jni, jobjectArray objects, jvmtiError (*call)(jobject o, jint i))
{
    static jobject locals[AT_ONCE];
    jint length = (*jni)->GetArrayLength(jni, objects);
    double time = 0;

    for (jint from = 0; from < length; from += AT_ONCE) {
        jint count = length - from < AT_ONCE ? length - from : AT_ONCE;

        (*jni)->PushLocalFrame(jni, AT_ONCE);
        for (jint i = 0; i < count; i++)
            locals[i] = (*jni)->GetObjectArrayElement(jni, objects, from + i);
        double start = now();
        for (jint i = 0; i < count; i++)
            expect(call(locals[i], from + i));
        time += now() - start;
        (*jni)->PopLocalFrame(jni, NULL);
    }
    return time * 1e6 / length;
}

static jvmtiError
set(jobject o, jint i)
{
    return (*ti)->SetTag(ti, o, i + 1);
}

static jvmtiError
get(jobject o, jint i)
{
    jlong tag = 0;
    jvmtiError error = (*ti)->GetTag(ti, o, &tag);

    return tag == i + 1 ? error : JVMTI_ERROR_INTERNAL;
}

static jvmtiError
clear(jobject o, jint i)
{
    (void)i;
    return (*ti)->SetTag(ti, o, 0);
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_setTags(JNIEnv *jni, jclass c, jobjectArray objects)
{
    (void)c;
    return for_all(jni, objects, set);
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_getTags(JNIEnv *jni, jclass c, jobjectArray objects)
{
    (void)c;
    return for_all(jni, objects, get);
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_clearTags(JNIEnv *jni, jclass c, jobjectArray objects)
{
    (void)c;
    return for_all(jni, objects, clear);
}

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)length, (void)data;
    called++;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size;
    (void)tag, (void)referrer_tag, (void)length, (void)data;
    called++;
    return JVMTI_VISIT_OBJECTS;
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_iterate(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_object };

    (void)jni, (void)c;
    called = 0;
    double start = now();
    expect((*ti)->IterateThroughHeap(ti, 0, NULL, &callbacks, NULL));
    return per_million(start, called);
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_follow(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_reference_callback = on_reference };

    (void)jni, (void)c;
    called = 0;
    double start = now();
    expect((*ti)->FollowReferences(ti, 0, NULL, NULL, &callbacks, NULL));
    return per_million(start, called);
}

/* Looks for a tag in a million: seconds for as many searched. */
JNIEXPORT jdouble JNICALL
Java_HeapServices_withTag(JNIEnv *jni, jclass c, jint tagged)
{
    jlong wanted = 4711;
    jint count = 0;
    jobject *objects;
    jlong *tags;

    (void)c;
    double start = now();
    expect((*ti)->GetObjectsWithTags(ti, 1, &wanted, &count, &objects, &tags));
    double time = per_million(start, tagged);
    if (count != 1 || tags[0] != wanted)
        expect(JVMTI_ERROR_INTERNAL);
    (*jni)->DeleteLocalRef(jni, objects[0]);
    expect((*ti)->Deallocate(ti, (unsigned char *)objects));
    expect((*ti)->Deallocate(ti, (unsigned char *)tags));
    return time;
}

static void JNICALL
on_sample(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject o, jclass k, jlong size)
{
    (void)env, (void)jni, (void)thread, (void)o, (void)k, (void)size;
    called++;
}

/* A sample every so many bytes, 0: of each allocation; -1: none. */
JNIEXPORT void JNICALL
Java_HeapServices_sample(JNIEnv *jni, jclass c, jint interval)
{
    (void)jni, (void)c;
    if (interval >= 0)
        expect((*ti)->SetHeapSamplingInterval(ti, interval));
    expect((*ti)->SetEventNotificationMode(ti, interval >= 0 ? JVMTI_ENABLE
                                                             : JVMTI_DISABLE,
                                           JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL));
}

JNIEXPORT jdouble JNICALL
Java_HeapServices_time(JNIEnv *jni, jclass c)
{
    (void)jni, (void)c;
    return now();
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .SampledObjectAlloc = on_sample };
    jvmtiCapabilities wanted = { .can_tag_objects = 1,
                                 .can_generate_sampled_object_alloc_events = 1 };

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK
        || (*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    return (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
}
