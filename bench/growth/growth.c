/* SPDX-License-Identifier: MIT */
/* Natives of Growth.java: a clock, and what only JNI and JVM TI can do n times. */
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static jvmtiEnv *ti;
static JavaVM *java_vm;
static double began, spent;

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
expect_at(jvmtiError error, int line)
{
    if (error == JVMTI_ERROR_NONE)
        return;
    fprintf(stderr, "growth.c:%d: error %d\n", line, (int)error);
    exit(1);
}

#define expect(error) expect_at(error, __LINE__)

static void *
array_of(jint count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);

    if (block == NULL)
        exit(1);
    return block;
}

/* The part between begin and end counts; several parts add up. */
JNIEXPORT void JNICALL
Java_Growth_begin(JNIEnv *jni, jclass c)
{
    (void)jni, (void)c;
    began = now();
}

JNIEXPORT void JNICALL
Java_Growth_end(JNIEnv *jni, jclass c)
{
    (void)jni, (void)c;
    spent += now() - began;
}

JNIEXPORT jdouble JNICALL
Java_Growth_spent(JNIEnv *jni, jclass c)
{
    (void)jni, (void)c;
    return spent;
}

/* ---- classes ---- */

JNIEXPORT void JNICALL
Java_Growth_findMembers(JNIEnv *jni, jclass c, jclass klass, jboolean fields, jint n)
{
    char name[32];

    (void)c;
    for (jint i = 0; i < n; i++) {
        snprintf(name, sizeof name, "m%d", (int)i);
        if (fields ? !(*jni)->GetStaticFieldID(jni, klass, name, "I")
                   : !(*jni)->GetStaticMethodID(jni, klass, name, "()V"))
            exit(1);
    }
}

JNIEXPORT void JNICALL
Java_Growth_redefine(JNIEnv *jni, jclass c, jclass klass, jbyteArray file, jint n)
{
    jint size = (*jni)->GetArrayLength(jni, file);
    unsigned char *bytes = array_of(size, 1);
    jvmtiClassDefinition definition = { klass, size, bytes };

    (void)c;
    (*jni)->GetByteArrayRegion(jni, file, 0, size, (jbyte *)bytes);
    for (jint i = 0; i < n; i++)
        expect((*ti)->RedefineClasses(ti, 1, &definition));
    free(bytes);
}

JNIEXPORT void JNICALL
Java_Growth_loadedClasses(JNIEnv *jni, jclass c, jint times)
{
    (void)c;
    for (jint i = 0; i < times; i++) {
        jclass *classes;
        jint count;

        (*jni)->PushLocalFrame(jni, 16);
        expect((*ti)->GetLoadedClasses(ti, &count, &classes));
        expect((*ti)->Deallocate(ti, (unsigned char *)classes));
        (*jni)->PopLocalFrame(jni, NULL);
    }
}

static jmethodID *
methods_of(jclass klass, jint *count)
{
    jmethodID *methods;

    expect((*ti)->GetClassMethods(ti, klass, count, &methods));
    return methods;
}

/* One in each method, set in order and cleared in the same. */
JNIEXPORT void JNICALL
Java_Growth_breakpoints(JNIEnv *jni, jclass c, jclass klass)
{
    jint count;
    jmethodID *methods = methods_of(klass, &count);

    (void)jni, (void)c;
    for (jint i = 0; i < count; i++)
        expect((*ti)->SetBreakpoint(ti, methods[i], 0));
    for (jint i = 0; i < count; i++)
        expect((*ti)->ClearBreakpoint(ti, methods[i], 0));
    expect((*ti)->Deallocate(ti, (unsigned char *)methods));
}

/* All in one method. */
JNIEXPORT void JNICALL
Java_Growth_breakpointsIn(JNIEnv *jni, jclass c, jclass klass, jint n)
{
    jmethodID m = (*jni)->GetStaticMethodID(jni, klass, "run", "()V");

    (void)c;
    for (jint i = 0; i < n; i++)
        expect((*ti)->SetBreakpoint(ti, m, i));
    for (jint i = 0; i < n; i++)
        expect((*ti)->ClearBreakpoint(ti, m, i));
}

JNIEXPORT void JNICALL
Java_Growth_watches(JNIEnv *jni, jclass c, jclass klass)
{
    jint count;
    jfieldID *fields;

    (void)jni, (void)c;
    expect((*ti)->GetClassFields(ti, klass, &count, &fields));
    for (jint i = 0; i < count; i++)
        expect((*ti)->SetFieldAccessWatch(ti, klass, fields[i]));
    for (jint i = 0; i < count; i++)
        expect((*ti)->ClearFieldAccessWatch(ti, klass, fields[i]));
    expect((*ti)->Deallocate(ti, (unsigned char *)fields));
}

JNIEXPORT void JNICALL
Java_Growth_tables(JNIEnv *jni, jclass c, jclass klass, jboolean lines, jint times)
{
    jmethodID m = (*jni)->GetStaticMethodID(jni, klass, "run", "()V");

    (void)c;
    for (jint i = 0; i < times; i++) {
        jvmtiLocalVariableEntry *locals;
        jvmtiLineNumberEntry *rows;
        jint count;

        if (lines) {
            expect((*ti)->GetLineNumberTable(ti, m, &count, &rows));
            expect((*ti)->Deallocate(ti, (unsigned char *)rows));
            continue;
        }
        expect((*ti)->GetLocalVariableTable(ti, m, &count, &locals));
        for (jint k = 0; k < count; k++) {
            (*ti)->Deallocate(ti, (unsigned char *)locals[k].name);
            (*ti)->Deallocate(ti, (unsigned char *)locals[k].signature);
            (*ti)->Deallocate(ti, (unsigned char *)locals[k].generic_signature);
        }
        expect((*ti)->Deallocate(ti, (unsigned char *)locals));
    }
}

/* ---- threads and stacks ---- */

JNIEXPORT void JNICALL
Java_Growth_allStacks(JNIEnv *jni, jclass c, jint times)
{
    (void)c;
    for (jint i = 0; i < times; i++) {
        jvmtiStackInfo *stacks;
        jint count;

        (*jni)->PushLocalFrame(jni, 16);
        expect((*ti)->GetAllStackTraces(ti, 10, &stacks, &count));
        expect((*ti)->Deallocate(ti, (unsigned char *)stacks));
        (*jni)->PopLocalFrame(jni, NULL);
    }
}

static jthread *
threads_of(JNIEnv *jni, jobjectArray list, jint *count)
{
    jthread *threads;

    *count = (*jni)->GetArrayLength(jni, list);
    threads = array_of(*count, sizeof *threads);
    (*jni)->EnsureLocalCapacity(jni, *count + 16);
    for (jint i = 0; i < *count; i++)
        threads[i] = (*jni)->GetObjectArrayElement(jni, list, i);
    return threads;
}

JNIEXPORT void JNICALL
Java_Growth_suspendAll(JNIEnv *jni, jclass c, jobjectArray list, jint times)
{
    jint count;
    jthread *threads = threads_of(jni, list, &count);
    jvmtiError *results = array_of(count, sizeof *results);

    (void)c;
    for (jint i = 0; i < times; i++) {
        expect((*ti)->SuspendThreadList(ti, count, threads, results));
        expect((*ti)->ResumeThreadList(ti, count, threads, results));
    }
    free(results);
    free(threads);
}

JNIEXPORT void JNICALL
Java_Growth_threadStorage(JNIEnv *jni, jclass c, jobjectArray list)
{
    jint count;
    jthread *threads = threads_of(jni, list, &count);

    (void)c;
    for (jint i = 0; i < count; i++)
        expect((*ti)->SetThreadLocalStorage(ti, threads[i], threads));
    for (jint i = 0; i < count; i++) {
        void *data;
        expect((*ti)->GetThreadLocalStorage(ti, threads[i], &data));
        expect((*ti)->SetThreadLocalStorage(ti, threads[i], NULL));
    }
    free(threads);
}

/* Every frame of the calling thread. */
JNIEXPORT void JNICALL
Java_Growth_stack(JNIEnv *jni, jclass c, jint times)
{
    jint depth, count;
    jvmtiFrameInfo *frames;

    (void)jni, (void)c;
    for (jint i = 0; i < times; i++) {
        expect((*ti)->GetFrameCount(ti, NULL, &depth));
        frames = array_of(depth, sizeof *frames);
        expect((*ti)->GetStackTrace(ti, NULL, 0, depth, frames, &count));
        free(frames);
    }
}

JNIEXPORT void JNICALL
Java_Growth_frameLocations(JNIEnv *jni, jclass c, jint n)
{
    (void)jni, (void)c;
    for (jint i = 0; i < n; i++) {
        jmethodID method;
        jlocation at;
        expect((*ti)->GetFrameLocation(ti, NULL, i, &method, &at));
    }
}

JNIEXPORT void JNICALL
Java_Growth_framePops(JNIEnv *jni, jclass c, jint n)
{
    (void)jni, (void)c;
    for (jint i = 1; i <= n; i++)
        expect((*ti)->NotifyFramePop(ti, NULL, i));
}

/* ---- references, monitors, tags ---- */

JNIEXPORT void JNICALL
Java_Growth_globals(JNIEnv *jni, jclass c, jobjectArray list, jboolean weak)
{
    jint count = (*jni)->GetArrayLength(jni, list);
    jobject *refs = array_of(count, sizeof *refs);

    (void)c;
    for (jint i = 0; i < count; i++) {
        jobject o = (*jni)->GetObjectArrayElement(jni, list, i);
        refs[i] = weak ? (*jni)->NewWeakGlobalRef(jni, o) : (*jni)->NewGlobalRef(jni, o);
        (*jni)->DeleteLocalRef(jni, o);
    }
    expect((*ti)->ForceGarbageCollection(ti));
    for (jint i = 0; i < count; i++)
        if (weak)
            (*jni)->DeleteWeakGlobalRef(jni, refs[i]);
        else
            (*jni)->DeleteGlobalRef(jni, refs[i]);
    free(refs);
}

JNIEXPORT void JNICALL
Java_Growth_locals(JNIEnv *jni, jclass c, jobject o, jint n)
{
    jobject *refs = array_of(n, sizeof *refs);

    (void)c;
    (*jni)->EnsureLocalCapacity(jni, n);
    for (jint i = 0; i < n; i++)
        refs[i] = (*jni)->NewLocalRef(jni, o);
    for (jint i = 0; i < n; i++)
        (*jni)->DeleteLocalRef(jni, refs[i]);
    free(refs);
}

/* Entered in order and left in the same. */
JNIEXPORT void JNICALL
Java_Growth_monitors(JNIEnv *jni, jclass c, jobjectArray list)
{
    jint count = (*jni)->GetArrayLength(jni, list);

    (void)c;
    for (int round = 0; round < 2; round++)
        for (jint i = 0; i < count; i++) {
            jobject o = (*jni)->GetObjectArrayElement(jni, list, i);
            if (round == 0 ? (*jni)->MonitorEnter(jni, o) : (*jni)->MonitorExit(jni, o))
                exit(1);
            (*jni)->DeleteLocalRef(jni, o);
        }
}

JNIEXPORT void JNICALL
Java_Growth_rawMonitors(JNIEnv *jni, jclass c, jint n)
{
    jrawMonitorID *monitors = array_of(n, sizeof *monitors);

    (void)jni, (void)c;
    for (jint i = 0; i < n; i++)
        expect((*ti)->CreateRawMonitor(ti, "growth", &monitors[i]));
    for (jint i = 0; i < n; i++)
        expect((*ti)->RawMonitorEnter(ti, monitors[i]));
    for (jint i = 0; i < n; i++)
        expect((*ti)->RawMonitorExit(ti, monitors[i]));
    for (jint i = 0; i < n; i++)
        expect((*ti)->DestroyRawMonitor(ti, monitors[i]));
    free(monitors);
}

JNIEXPORT void JNICALL
Java_Growth_tag(JNIEnv *jni, jclass c, jobjectArray list)
{
    jint count = (*jni)->GetArrayLength(jni, list);

    (void)c;
    for (jint i = 0; i < count; i++) {
        jobject o = (*jni)->GetObjectArrayElement(jni, list, i);
        expect((*ti)->SetTag(ti, o, i % 100 + 1));
        (*jni)->DeleteLocalRef(jni, o);
    }
}

JNIEXPORT void JNICALL
Java_Growth_withTag(JNIEnv *jni, jclass c)
{
    jlong tag = 5;
    jobject *objects;
    jint count;

    (void)c;
    (*jni)->PushLocalFrame(jni, 16);
    expect((*ti)->GetObjectsWithTags(ti, 1, &tag, &count, &objects, NULL));
    expect((*ti)->Deallocate(ti, (unsigned char *)objects));
    (*jni)->PopLocalFrame(jni, NULL);
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size;
    (void)tag, (void)referrer_tag, (void)length, (void)data;
    return JVMTI_VISIT_OBJECTS;
}

JNIEXPORT void JNICALL
Java_Growth_follow(JNIEnv *jni, jclass c, jobject from)
{
    jvmtiHeapCallbacks callbacks = { .heap_reference_callback = on_reference };

    (void)jni, (void)c;
    expect((*ti)->FollowReferences(ti, 0, NULL, from, &callbacks, NULL));
}

JNIEXPORT void JNICALL
Java_Growth_environments(JNIEnv *jni, jclass c, jint n, jboolean before)
{
    static jvmtiEnv **all;

    (void)jni, (void)c;
    if (before) {
        all = array_of(n, sizeof *all);
        for (jint i = 0; i < n; i++)
            if ((*java_vm)->GetEnv(java_vm, (void **)&all[i], JVMTI_VERSION_11))
                exit(1);
        return;
    }
    for (jint i = 0; i < n; i++)
        expect((*all[i])->DisposeEnvironment(all[i]));
    free(all);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = {
        .can_tag_objects = 1, .can_redefine_classes = 1, .can_suspend = 1,
        .can_generate_breakpoint_events = 1, .can_generate_field_access_events = 1,
        .can_generate_frame_pop_events = 1, .can_get_line_numbers = 1,
        .can_access_local_variables = 1
    };

    (void)options, (void)reserved;
    java_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    expect((*ti)->AddCapabilities(ti, &wanted));
    return JNI_OK;
}
