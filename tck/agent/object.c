/* SPDX-License-Identifier: MIT */
/* tck/agent/object.c -- chapters Object and Raw Monitor. */
#include "tck/lib/stage.h"

#include <semaphore.h>
#include <string.h>
#include <time.h>

#define THREAD "Ljava/lang/Thread;"

/* -- objects -- */

TCK_CASE("object", size_positive, "GetObjectSize.behaviour.positive", "Get Object Size",
         415)
{
    jlong small, array;

    /* "An approximation of the amount of storage consumed", yet one for comparison. */
    CALL(GetObjectSize, (*t->jni)->NewLongArray(t->jni, 1), &small);
    CALL(GetObjectSize, (*t->jni)->NewLongArray(t->jni, 100000), &array);
    TRUE(small > 0);
    TRUE(array > small);
}

TCK_CASE("object", size_without_capability, "GetObjectSize.behaviour.no-capability",
         "Get Object Size", 772)
{
    jvmtiEnv *env = tck_new_env(t);
    jobject object = stage_object(t);
    jlong size = -1;

    TRUE(env != NULL);
    CALL_ON(env, GetObjectSize, object, &size);
    CALL_ON(env, DisposeEnvironment);
    TRUE(size >= 0);
}

TCK_CASE("object", hash_stable, "GetObjectHashCode.behaviour.stable",
         "Get Object Hash Code", 416)
{
    jobject object = stage_object(t);
    jint before, after;

    CALL(GetObjectHashCode, object, &before);
    for (int i = 0; i < 3; i++)
        CALL(ForceGarbageCollection);
    CALL(GetObjectHashCode, object, &after);
    SAME(before, after);
}

static jobject
held(struct tck *t)
{
    return stage_static(t, "tck/Threads", "HELD", "Ljava/lang/Object;");
}

static void
free_usage(struct tck *t, jvmtiMonitorUsage *usage)
{
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)usage->waiters);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)usage->notify_waiters);
}

TCK_CASE("object", usage_free, "GetObjectMonitorUsage.behaviour.unowned",
         "Get Object Monitor Usage", 417)
{
    jvmtiMonitorUsage usage;

    NEED("can_get_monitor_info");
    memset(&usage, 0x5a, sizeof usage);
    CALL(GetObjectMonitorUsage, stage_object(t), &usage);
    TRUE(usage.owner == NULL);
    SAME(0, usage.entry_count);
    SAME(0, usage.waiter_count);
    SAME(0, usage.notify_waiter_count);
    free_usage(t, &usage);
}

TCK_CASE("object", usage_owned, "GetObjectMonitorUsage.behaviour.entered-by-jni",
         "Get Object Monitor Usage", 418)
{
    jobject object = stage_object(t);
    jvmtiMonitorUsage usage;
    jvmtiError error;
    jthread self;

    NEED("can_get_monitor_info");
    CALL(GetCurrentThread, &self);
    for (int i = 0; i < 3; i++)
        (*t->jni)->MonitorEnter(t->jni, object);
    error = (*t->jvmti)->GetObjectMonitorUsage(t->jvmti, object, &usage);
    for (int i = 0; i < 3; i++)
        (*t->jni)->MonitorExit(t->jni, object);
    SAME(JVMTI_ERROR_NONE, error);
    TRUE((*t->jni)->IsSameObject(t->jni, self, usage.owner));
    SAME(3, usage.entry_count);
    free_usage(t, &usage);
}

/*
 * The usage of a monitor for which one thread waits, whose java.lang.Thread.State is BLOCKED:
 * that is not told by the same function, so the thread may not be seen to wait at once.
 */
static jvmtiError
awaited_usage(struct tck *t, jobject object, jvmtiMonitorUsage *usage)
{
    const struct timespec pause = { 0, 2000000 };
    jvmtiError error = JVMTI_ERROR_INTERNAL;

    for (int i = 0; i < 2500; i++) {
        error = (*t->jvmti)->GetObjectMonitorUsage(t->jvmti, object, usage);
        if (error != JVMTI_ERROR_NONE || usage->waiter_count != 0)
            break;
        free_usage(t, usage);
        nanosleep(&pause, NULL);
    }
    return error;
}

TCK_CASE("object", usage_waiter, "GetObjectMonitorUsage.behaviour.blocked-thread",
         "Get Object Monitor Usage", 419)
{
    jvmtiMonitorUsage usage;
    jvmtiError error;
    jthread thread;
    jint count;
    bool same;

    NEED("can_get_monitor_info");
    (*t->jni)->MonitorEnter(t->jni, held(t));
    thread = stage_call(t, "tck/Threads", "blocked", "()" THREAD);
    error = awaited_usage(t, held(t), &usage);
    (*t->jni)->MonitorExit(t->jni, held(t));
    stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", thread);
    SAME(JVMTI_ERROR_NONE, error);
    count = usage.waiter_count;
    same = count == 1 && (*t->jni)->IsSameObject(t->jni, thread, usage.waiters[0]);
    SAME(1, count);
    TRUE(same);
    SAME(0, usage.notify_waiter_count);
    free_usage(t, &usage);
}

/* The usage of held(t) while a thread waits in Object.wait, which it stores in *thread; the
   thread has ended when this returns. */
static jvmtiError
notified_usage(struct tck *t, jthread *thread, jvmtiMonitorUsage *usage)
{
    jvmtiError error;

    *thread = stage_call(t, "tck/Threads", "waiting", "(J)" THREAD, (jlong)0);
    /* It can be entered once the other one waits: waiting has released the monitor. */
    (*t->jni)->MonitorEnter(t->jni, held(t));
    (*t->jni)->MonitorExit(t->jni, held(t));
    error = (*t->jvmti)->GetObjectMonitorUsage(t->jvmti, held(t), usage);
    stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", *thread);
    return error;
}

TCK_CASE("object", usage_notify_waiter,
         "GetObjectMonitorUsage.behaviour.waiting-thread",
         "Get Object Monitor Usage", 419)
{
    jvmtiMonitorUsage usage;
    jthread thread;

    NEED("can_get_monitor_info");
    SAME(JVMTI_ERROR_NONE, notified_usage(t, &thread, &usage));
    SAME(1, usage.notify_waiter_count);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, usage.notify_waiters[0]));
    TRUE(usage.owner == NULL);
    SAME(0, usage.entry_count);
    free_usage(t, &usage);
}

/* A thread that waits to be notified does not wait to own the monitor yet. */
TCK_CASE("object", usage_notify_waiter_only,
         "GetObjectMonitorUsage.behaviour.waiting-thread-is-not-blocked",
         "Get Object Monitor Usage", 419)
{
    jvmtiMonitorUsage usage;
    jthread thread;

    NEED("can_get_monitor_info");
    SAME(JVMTI_ERROR_NONE, notified_usage(t, &thread, &usage));
    SAME(0, usage.waiter_count);
    free_usage(t, &usage);
}

/* -- raw monitors -- */

static struct {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    jrawMonitorID monitor;
    sem_t ready, done;
    jvmtiError error;
    jlong millis;
    jobject thread;
    volatile int shared;
} other;

static void *
other_main(void *data)
{
    void (*body)(void) = (void (*)(void))(size_t)data;
    JNIEnv *jni;
    jthread self;

    (*other.vm)->AttachCurrentThreadAsDaemon(other.vm, (void **)&jni, NULL);
    (*other.jvmti)->GetCurrentThread(other.jvmti, &self);
    other.thread = (*jni)->NewGlobalRef(jni, self);
    body();
    (*other.vm)->DetachCurrentThread(other.vm);
    sem_post(&other.done);
    return NULL;
}

static pthread_t
start_other(struct tck *t, void (*body)(void))
{
    pthread_t thread;

    other.vm = t->vm;
    other.jvmti = t->jvmti;
    other.shared = 0;
    other.error = JVMTI_ERROR_INTERNAL;
    sem_init(&other.ready, 0, 0);
    sem_init(&other.done, 0, 0);
    pthread_create(&thread, NULL, other_main, (void *)(size_t)body);
    return thread;
}

static void
enter_body(void)
{
    sem_post(&other.ready);
    (*other.jvmti)->RawMonitorEnter(other.jvmti, other.monitor);
    other.shared = 1;
    (*other.jvmti)->RawMonitorExit(other.jvmti, other.monitor);
}

TCK_CASE("object", raw_excludes, "RawMonitorEnter.behaviour.excludes",
         "Raw Monitor Enter", 455)
{
    struct timespec pause = { 0, 20000000 };
    pthread_t thread;
    int before;

    CALL(CreateRawMonitor, "excludes", &other.monitor);
    for (int i = 0; i < 3; i++)
        CALL(RawMonitorEnter, other.monitor);
    thread = start_other(t, enter_body);
    sem_wait(&other.ready);
    CALL(RawMonitorExit, other.monitor);
    CALL(RawMonitorExit, other.monitor);
    nanosleep(&pause, NULL);
    before = other.shared;
    CALL(RawMonitorExit, other.monitor);
    pthread_join(thread, NULL);
    SAME(0, before);
    SAME(1, other.shared);
    CALL(DestroyRawMonitor, other.monitor);
}

TCK_CASE("object", raw_exits, "RawMonitorExit.behaviour.as-often-as-entered",
         "Raw Monitor Enter", 455)
{
    jrawMonitorID monitor;

    CALL(CreateRawMonitor, "counted", &monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorExit, monitor);
    CALL(RawMonitorExit, monitor);
    WANT(NOT_MONITOR_OWNER, RawMonitorExit, monitor);
    CALL(DestroyRawMonitor, monitor);
}

static void
wait_body(void)
{
    (*other.jvmti)->RawMonitorEnter(other.jvmti, other.monitor);
    sem_post(&other.ready);
    other.error = (*other.jvmti)->RawMonitorWait(other.jvmti, other.monitor,
                                                 other.millis);
    other.shared++;
    (*other.jvmti)->RawMonitorExit(other.jvmti, other.monitor);
}

TCK_CASE("object", raw_notify, "RawMonitorWait.behaviour.notified", "Raw Monitor Wait",
         459)
{
    pthread_t thread;

    CALL(CreateRawMonitor, "notified", &other.monitor);
    other.millis = 0;
    thread = start_other(t, wait_body);
    sem_wait(&other.ready);
    /* Entering succeeds once the other one waits: waiting has released the monitor. */
    CALL(RawMonitorEnter, other.monitor);
    SAME(0, other.shared);
    CALL(RawMonitorNotify, other.monitor);
    CALL(RawMonitorExit, other.monitor);
    pthread_join(thread, NULL);
    SAME(JVMTI_ERROR_NONE, other.error);
    CALL(DestroyRawMonitor, other.monitor);
}

TCK_CASE("object", raw_notify_all, "RawMonitorNotifyAll.behaviour.all-waiters",
         "Raw Monitor Notify All", 462)
{
    pthread_t threads[3];

    CALL(CreateRawMonitor, "all", &other.monitor);
    other.millis = 0;
    for (int i = 0; i < 3; i++) {
        threads[i] = start_other(t, wait_body);
        sem_wait(&other.ready);
        CALL(RawMonitorEnter, other.monitor);
        CALL(RawMonitorExit, other.monitor);
    }
    CALL(RawMonitorEnter, other.monitor);
    CALL(RawMonitorNotifyAll, other.monitor);
    CALL(RawMonitorExit, other.monitor);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    SAME(3, other.shared);
    CALL(DestroyRawMonitor, other.monitor);
}

TCK_CASE("object", raw_timeout,
         "RawMonitorWait.behaviour.timed-out", "Raw Monitor Wait",
         459)
{
    jrawMonitorID monitor;
    struct timespec before, after;
    long millis;

    CALL(CreateRawMonitor, "timed", &monitor);
    CALL(RawMonitorEnter, monitor);
    clock_gettime(CLOCK_MONOTONIC, &before);
    CALL(RawMonitorWait, monitor, 200);
    clock_gettime(CLOCK_MONOTONIC, &after);
    millis = (after.tv_sec - before.tv_sec) * 1000
        + (after.tv_nsec - before.tv_nsec) / 1000000;
    /* Clocks differ, and some are coarse: it is to be seen that it has waited. */
    TRUE(millis >= 150);
    /* It owns the monitor again. */
    CALL(RawMonitorExit, monitor);
    CALL(DestroyRawMonitor, monitor);
}

TCK_CASE("object", raw_interrupt, "RawMonitorWait.error.INTERRUPT", "Raw Monitor Wait",
         460)
{
    pthread_t thread;

    NEED("can_signal_thread");
    CALL(CreateRawMonitor, "interrupted", &other.monitor);
    other.millis = 0;
    thread = start_other(t, wait_body);
    sem_wait(&other.ready);
    CALL(RawMonitorEnter, other.monitor);
    CALL(RawMonitorExit, other.monitor);
    CALL(InterruptThread, other.thread);
    pthread_join(thread, NULL);
    SAME(JVMTI_ERROR_INTERRUPT, other.error);
    CALL(DestroyRawMonitor, other.monitor);
}

TCK_CASE("object", raw_depth, "RawMonitorWait.behaviour.entry-count-regained",
         "Raw Monitor Wait", 458)
{
    jrawMonitorID monitor;

    CALL(CreateRawMonitor, "deep", &monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorWait, monitor, 1);
    CALL(RawMonitorExit, monitor);
    CALL(RawMonitorExit, monitor);
    WANT(NOT_MONITOR_OWNER, RawMonitorExit, monitor);
    CALL(DestroyRawMonitor, monitor);
}

TCK_CASE("object", raw_destroy_held, "DestroyRawMonitor.behaviour.held-by-caller",
         "Destroy Raw Monitor", 452)
{
    jrawMonitorID monitor;

    CALL(CreateRawMonitor, "held", &monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(DestroyRawMonitor, monitor);
}

static jrawMonitorID onload_monitor;
static jvmtiError onload_created, onload_entered;

TCK_SETUP("object", raw_onload, TCK_ONLOAD)
{
    onload_created = (*t->jvmti)->CreateRawMonitor(t->jvmti, "onload", &onload_monitor);
    onload_entered = onload_created == JVMTI_ERROR_NONE
        ? (*t->jvmti)->RawMonitorEnter(t->jvmti, onload_monitor) : onload_created;
}

TCK_CASE_IN("object", raw_onload, "RawMonitorEnter.behaviour.in-onload",
            "Raw Monitor Enter", 456, TCK_ONLOAD, 11)
{
    tck_want(t, "CreateRawMonitor", JVMTI_ERROR_NONE, onload_created);
    tck_want(t, "RawMonitorEnter", JVMTI_ERROR_NONE, onload_entered);
}

TCK_CASE("object", raw_main_owns, "RawMonitorEnter.behaviour.onload-owner-is-main",
         "Raw Monitor Enter", 456)
{
    CALL(RawMonitorExit, onload_monitor);
    WANT(NOT_MONITOR_OWNER, RawMonitorExit, onload_monitor);
}
