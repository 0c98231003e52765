/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/monitor.c -- raw monitors. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>
#include <time.h>

static jrawMonitorID first, second;
static int held, release, wanted;

static void
enter(jvmtiEnv *jvmti, jrawMonitorID monitor)
{
    misuse_must((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
}

static void
leave(jvmtiEnv *jvmti, jrawMonitorID monitor)
{
    misuse_must((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
}

static void
make(struct misuse *m)
{
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "first", &first), "first");
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "second", &second), "second");
}

static void
make_suspending(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_suspend);
    make(m);
}

static void
destroy(struct misuse *m)
{
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, first);
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, second);
}

static void
notify(struct misuse *m)
{
    if (m->right)
        enter(m->jvmti, first);
    (*m->jvmti)->RawMonitorNotify(m->jvmti, first);
    if (m->right)
        leave(m->jvmti, first);
}

static void JNICALL
hold(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jni, (void)arg;
    enter(jvmti, first);
    misuse_signal(&held, 1);
    misuse_await(&release, 1);
    leave(jvmti, first);
    misuse_signal(&held, 2);
}

static void
destroy_in_use(struct misuse *m)
{
    misuse_thread(m, hold, NULL);
    misuse_await(&held, 1);
    if (!m->right)
        (*m->jvmti)->DestroyRawMonitor(m->jvmti, first);
    misuse_signal(&release, 1);
    misuse_await(&held, 2);
}

static void
use_destroyed(struct misuse *m)
{
    jrawMonitorID monitor;

    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "third", &monitor), "third");
    if (m->right) {
        enter(m->jvmti, monitor);
        leave(m->jvmti, monitor);
    }
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, monitor);
    if (!m->right)
        (*m->jvmti)->RawMonitorEnter(m->jvmti, monitor);
}

static void
use_invalid(struct misuse *m)
{
    static jrawMonitorID none;
    jrawMonitorID monitor = m->right ? first : none;

    if ((*m->jvmti)->RawMonitorEnter(m->jvmti, monitor) == JVMTI_ERROR_NONE)
        leave(m->jvmti, monitor);
}

static void
make_many(struct misuse *m)
{
    for (int i = 0; i < 40; i++) {
        jrawMonitorID monitor;

        misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "one of many", &monitor),
                    "CreateRawMonitor");
        if (m->right)
            (*m->jvmti)->DestroyRawMonitor(m->jvmti, monitor);
    }
}

static void JNICALL
enter_both(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    struct misuse *m = arg;

    (void)jni;
    enter(jvmti, m->right ? first : second);
    enter(jvmti, m->right ? second : first);
    leave(jvmti, first);
    leave(jvmti, second);
    misuse_signal(&held, 1);
}

/* One after the other: there is no deadlock this time. */
static void
invert(struct misuse *m)
{
    enter(m->jvmti, first);
    enter(m->jvmti, second);
    leave(m->jvmti, second);
    leave(m->jvmti, first);
    misuse_thread(m, enter_both, m);
    misuse_await(&held, 1);
}

static void
suspend_holder(struct misuse *m)
{
    jthread thread = misuse_thread(m, hold, NULL);

    misuse_await(&held, 1);
    if (m->right) {
        misuse_signal(&release, 1);
        misuse_await(&held, 2);
        return;
    }
    misuse_must((*m->jvmti)->SuspendThread(m->jvmti, thread), "SuspendThread");
    misuse_must((*m->jvmti)->ResumeThread(m->jvmti, thread), "ResumeThread");
    misuse_signal(&release, 1);
    misuse_await(&held, 2);
}

/* Waits for what a suspended thread holds, until yet another one resumes that. */
static void JNICALL
want(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jni, (void)arg;
    misuse_signal(&wanted, 1);
    enter(jvmti, first);
    leave(jvmti, first);
    misuse_signal(&wanted, 2);
}

static void
want_of_suspended(struct misuse *m)
{
    struct timespec pause = { 2, 0 };
    jthread thread = misuse_thread(m, hold, NULL);

    misuse_await(&held, 1);
    if (m->right) {
        misuse_thread(m, want, NULL);
        misuse_signal(&release, 1);
        misuse_await(&wanted, 2);
        return;
    }
    misuse_must((*m->jvmti)->SuspendThread(m->jvmti, thread), "SuspendThread");
    misuse_thread(m, want, NULL);
    misuse_await(&wanted, 1);
    /* It enters meanwhile; nothing tells when it has begun to. */
    nanosleep(&pause, NULL);
    misuse_must((*m->jvmti)->ResumeThread(m->jvmti, thread), "ResumeThread");
    misuse_signal(&release, 1);
    misuse_await(&wanted, 2);
}

/* ---- monitors of objects ---- */

static void JNICALL
hold_object(jvmtiEnv *jvmti, JNIEnv *jni, void *object)
{
    (void)jvmti;
    (*jni)->MonitorEnter(jni, object);
    misuse_signal(&held, 1);
    misuse_await(&release, 1);
    (*jni)->MonitorExit(jni, object);
    misuse_signal(&held, 2);
}

static void JNICALL
want_object(jvmtiEnv *jvmti, JNIEnv *jni, void *object)
{
    (void)jvmti;
    misuse_signal(&wanted, 1);
    (*jni)->MonitorEnter(jni, object);
    (*jni)->MonitorExit(jni, object);
    misuse_signal(&wanted, 2);
}

static void
want_object_of_suspended(struct misuse *m)
{
    struct timespec pause = { 0, 300000000 };
    jobject object = (*m->jni)->NewGlobalRef(m->jni, m->thread);
    jthread thread = misuse_thread(m, hold_object, object);

    misuse_await(&held, 1);
    misuse_must((*m->jvmti)->SuspendThread(m->jvmti, thread), "SuspendThread");
    if (m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_thread(m, want_object, object);
    misuse_await(&wanted, 1);
    /* It enters meanwhile; nothing tells when it has begun to. */
    nanosleep(&pause, NULL);
    if (!m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_signal(&release, 1);
    misuse_await(&wanted, 2);
    misuse_await(&held, 2);
    (*m->jni)->DeleteGlobalRef(m->jni, object);
}

static void
suspend_while_held(struct misuse *m)
{
    jobject object = (*m->jni)->NewGlobalRef(m->jni, m->thread);
    jthread thread = misuse_thread(m, hold_object, object);

    misuse_await(&held, 1);
    if (!m->right)
        enter(m->jvmti, first);
    misuse_must((*m->jvmti)->SuspendThread(m->jvmti, thread), "SuspendThread");
    if (!m->right)
        leave(m->jvmti, first);
    (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_signal(&release, 1);
    misuse_await(&held, 2);
    (*m->jni)->DeleteGlobalRef(m->jni, object);
}

static void
exit_object(struct misuse *m)
{
    if (m->right)
        (*m->jni)->MonitorEnter(m->jni, m->thread);
    (*m->jni)->MonitorExit(m->jni, m->thread);
    (*m->jni)->ExceptionClear(m->jni);
}

static void
call_java(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jmethodID get = (*jni)->GetMethodID(jni, (*jni)->GetObjectClass(jni, m->thread),
                                        "getName", "()Ljava/lang/String;");
    jrawMonitorID lock;

    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "held", &lock), "CreateRawMonitor");
    (*m->jvmti)->RawMonitorEnter(m->jvmti, lock);
    if (m->right)
        (*m->jvmti)->RawMonitorExit(m->jvmti, lock);
    (*jni)->CallObjectMethod(jni, m->thread, get);
    if (!m->right)
        (*m->jvmti)->RawMonitorExit(m->jvmti, lock);
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, lock);
}

/* What both the thread that forces a collection and its callback want. */
static void JNICALL
count_collection(jvmtiEnv *jvmti)
{
    static int count;

    (*jvmti)->RawMonitorEnter(jvmti, first);
    (*jvmti)->RawMonitorEnter(jvmti, first);
    count++;
    (*jvmti)->RawMonitorExit(jvmti, first);
    (*jvmti)->RawMonitorExit(jvmti, first);
}

static void
make_counting(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_generate_garbage_collection_events);
    make(m);
    misuse_callbacks.GarbageCollectionFinish = count_collection;
    misuse_enable(m, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void
collect_inside(struct misuse *m)
{
    (*m->jvmti)->RawMonitorEnter(m->jvmti, first);
    if (m->right)
        (*m->jvmti)->RawMonitorExit(m->jvmti, first);
    (*m->jvmti)->ForceGarbageCollection(m->jvmti);
    if (!m->right)
        (*m->jvmti)->RawMonitorExit(m->jvmti, first);
}

const struct misuse_case monitor_cases[] = {
    { .rule = "monitor.held-over-collection", .load = make_counting,
      .init = collect_inside },
    { .rule = "monitor.held-over-java", .init = call_java },
    { .rule = "monitor.held-over-suspension", .load = make_suspending,
      .init = suspend_while_held, .death = destroy },
    { .rule = "monitor.owner-suspended/object", .load = make_suspending,
      .init = want_object_of_suspended, .death = destroy },
    { .rule = "monitor.not-owner", .load = make, .init = notify, .death = destroy },
    { .rule = "monitor.java-not-owner", .init = exit_object },
    { .rule = "monitor.destroyed-in-use", .load = make, .init = destroy_in_use },
    { .rule = "monitor.use-after-destroy", .load = make, .init = use_destroyed,
      .death = destroy },
    { .rule = "monitor.invalid", .load = make, .init = use_invalid, .death = destroy },
    { .rule = "monitor.never-destroyed", .init = make_many },
    { .rule = "monitor.lock-order", .load = make, .init = invert, .death = destroy },
    { .rule = "monitor.held-by-suspended", .load = make_suspending,
      .init = suspend_holder, .death = destroy },
    { .rule = "monitor.owner-suspended", .load = make_suspending,
      .init = want_of_suspended, .death = destroy },
    { .rule = NULL }
};
