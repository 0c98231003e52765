/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/callback.c -- what callbacks do and leave behind. */
#include "layer/test/misuse/misuse.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

static jrawMonitorID monitor;

static void
make_monitor(struct misuse *m)
{
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "kept", &monitor),
                "CreateRawMonitor");
}

static void
destroy_monitor(struct misuse *m)
{
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, monitor);
}

/* ---- callbacks of collections ---- */

static void JNICALL
on_collected(jvmtiEnv *jvmti)
{
    jint count;
    jlong nanos;

    if (misuse_now->right)
        (*jvmti)->GetTime(jvmti, &nanos);
    else
        (*jvmti)->GetAvailableProcessors(jvmti, &count);
}

static void
watch_collections(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_generate_garbage_collection_events);
    misuse_callbacks.GarbageCollectionFinish = on_collected;
    misuse_enable(m, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

/* JNI in a heap callback: the JNIEnv is that of the thread that walks. */
static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    JNIEnv *jni = user_data;

    (void)class_tag, (void)size, (void)length;
    *tag_ptr = 0;
    if (!misuse_now->right)
        (*jni)->ExceptionCheck(jni);
    return JVMTI_VISIT_ABORT;
}

static void
walk(struct misuse *m)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_object };

    misuse_must((*m->jvmti)->IterateThroughHeap(m->jvmti, 0, NULL, &callbacks, m->jni),
                "IterateThroughHeap");
}

static void
have_tags(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_tag_objects);
}

/* ---- exceptions ---- */

static void
ignore_exception(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jclass none = (*jni)->FindClass(jni, "not/There");

    if (none == NULL && m->right)
        (*jni)->ExceptionClear(jni);
    (*jni)->FindClass(jni, "java/lang/String");
    (*jni)->ExceptionClear(jni);
}

static void JNICALL
on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    static int calls;

    (void)jvmti, (void)thread;
    if (calls++ == 0 && (*jni)->FindClass(jni, "not/There") == NULL
        && misuse_now->right)
        (*jni)->ExceptionClear(jni);
}

static void
watch_threads(struct misuse *m)
{
    misuse_callbacks.ThreadStart = on_thread;
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

/* ---- monitors ---- */

static void
hold(struct misuse *m)
{
    misuse_must((*m->jvmti)->RawMonitorEnter(m->jvmti, monitor), "RawMonitorEnter");
    if (m->right)
        misuse_must((*m->jvmti)->RawMonitorExit(m->jvmti, monitor), "RawMonitorExit");
}

static void
hold_object(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/String");

    (*m->jni)->MonitorEnter(m->jni, class);
    if (m->right)
        (*m->jni)->MonitorExit(m->jni, class);
}

/* ---- time ---- */

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
    struct timespec pause = { 0, 2000000 };

    (void)jvmti, (void)jni, (void)thread, (void)class;
    if (!misuse_now->right)
        nanosleep(&pause, NULL);
}

static void
watch_classes(struct misuse *m)
{
    misuse_callbacks.ClassPrepare = on_class;
    misuse_enable(m, JVMTI_EVENT_CLASS_PREPARE);
}

/* ---- recursion ---- */

static jmethodID get_name;

static void
find_name(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Thread");

    get_name = (*m->jni)->GetMethodID(m->jni, class, "getName", "()Ljava/lang/String;");
    (*m->jvmti)->SetEventNotificationMode(m->jvmti, JVMTI_ENABLE,
                                          JVMTI_EVENT_METHOD_ENTRY, m->thread);
}

/* It would not end by itself. */
static void JNICALL
on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    static int depth;

    (void)jvmti, (void)method;
    if (misuse_now->right || depth > 10)
        return;
    depth++;
    (*jni)->CallObjectMethod(jni, thread, get_name);
}

static void
watch_methods(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_generate_method_entry_events);
    misuse_callbacks.MethodEntry = on_entry;
}

static void JNICALL
on_slow_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    struct timespec time = { 0, 200000000 };

    (void)jvmti, (void)jni, (void)thread;
    if (!misuse_now->right)
        nanosleep(&time, NULL);
}

static void
watch_starts(struct misuse *m)
{
    misuse_callbacks.ThreadStart = on_slow_start;
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

static jint JNICALL
on_each(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)length, (void)user_data;
    return misuse_now->right ? JVMTI_VISIT_ABORT : JVMTI_ITERATION_CONTINUE;
}

static void
visit(struct misuse *m)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_each };

    (*m->jvmti)->IterateThroughHeap(m->jvmti, 0, NULL, &callbacks, NULL);
}

/* ---- where the VM may not be called ---- */

static volatile sig_atomic_t has_come;

static void
on_signal(int number)
{
    jint count;

    (void)number;
    has_come = 1;
    if (!misuse_now->right)
        (*misuse_now->jvmti)->GetAvailableProcessors(misuse_now->jvmti, &count);
}

static void
send_signal(struct misuse *m)
{
    struct sigaction action = { .sa_handler = on_signal };
    jint count;

    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN + 9, &action, NULL);
    raise(SIGRTMIN + 9);
    if (has_come)
        (*m->jvmti)->GetAvailableProcessors(m->jvmti, &count);
}

static sigjmp_buf after;

static void
leave_handler(int number)
{
    (void)number;
    siglongjmp(after, 1);
}

/* A handler that never returns is over all the same. */
static void
call_after_jump(struct misuse *m)
{
    char deep[4096];
    jint count;

    signal(SIGRTMIN + 9, leave_handler);
    if (sigsetjmp(after, 1) == 0)
        raise(SIGRTMIN + 9);
    memset(deep, 0, sizeof deep);
    (*m->jvmti)->GetAvailableProcessors(m->jvmti, &count);
    signal(SIGRTMIN + 9, SIG_DFL);
}

static void JNICALL
attach_collector(jvmtiEnv *jvmti)
{
    static bool is_done;
    void *env;

    (void)jvmti;
    if (!is_done && !misuse_now->right)
        (*misuse_now->vm)->AttachCurrentThread(misuse_now->vm, &env, NULL);
    is_done = true;
}

static void
watch_starts_of_collections(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_generate_garbage_collection_events);
    misuse_callbacks.GarbageCollectionStart = attach_collector;
    misuse_enable(m, JVMTI_EVENT_GARBAGE_COLLECTION_START);
}

static void
collect(struct misuse *m)
{
    (*m->jvmti)->ForceGarbageCollection(m->jvmti);
}

static int seen_threads;

static void JNICALL
collect_for_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni, (void)thread;
    if (!misuse_now->right)
        (*jvmti)->ForceGarbageCollection(jvmti);
    misuse_count(&seen_threads);
}

static void
collect_often(struct misuse *m)
{
    misuse_callbacks.ThreadStart = collect_for_thread;
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

static void JNICALL
do_nothing(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jvmti, (void)jni, (void)arg;
}

static void
start_some(struct misuse *m)
{
    for (int i = 0; i < 4; i++)
        misuse_thread(m, do_nothing, NULL);
    misuse_await(&seen_threads, 4);
}

const struct misuse_case callback_cases[] = {
    { .rule = "callback.signal-handler", .init = send_signal },
    { .rule = "correct/handler-left", .init = call_after_jump },
    { .rule = "callback.jni/attach", .load = watch_starts_of_collections, .init = collect },
    { .rule = "callback.collection", .load = collect_often, .init = start_some },
    { .rule = "callback.slow/once", .load = watch_starts },
    { .rule = "callback.recursion", .load = watch_methods, .init = find_name },
    { .rule = "callback.unsafe-function", .load = watch_collections },
    { .rule = "callback.jni", .load = have_tags, .init = walk },
    { .rule = "callback.visit", .load = have_tags, .init = visit },
    { .rule = "callback.exception-ignored", .init = ignore_exception },
    { .rule = "callback.exception-left", .load = watch_threads },
    { .rule = "callback.monitor-held", .load = make_monitor, .init = hold,
      .death = destroy_monitor },
    { .rule = "callback.java-monitor-held", .init = hold_object },
    { .rule = "callback.slow", .load = watch_classes },
    { .rule = NULL }
};
