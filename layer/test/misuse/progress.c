/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/progress.c -- what does not come back. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>
#include <time.h>

static jrawMonitorID first;
static int held, release, wanted;

static void
pause_a_little(void)
{
    struct timespec pause = { 0, 100000000 };

    nanosleep(&pause, NULL);
}

static void
hang(struct misuse *m)
{
    while (!m->right)
        pause_a_little();
}

static void
make(struct misuse *m)
{
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "first", &first), "first");
}

/* ---- a call ---- */

static void JNICALL
hold(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jni, (void)arg;
    misuse_must((*jvmti)->RawMonitorEnter(jvmti, first), "RawMonitorEnter");
    misuse_signal(&held, 1);
    misuse_await(&release, 1);
    misuse_must((*jvmti)->RawMonitorExit(jvmti, first), "RawMonitorExit");
}

static void JNICALL
want(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jni, (void)arg;
    misuse_must((*jvmti)->RawMonitorEnter(jvmti, first), "RawMonitorEnter");
    misuse_must((*jvmti)->RawMonitorExit(jvmti, first), "RawMonitorExit");
    misuse_signal(&wanted, 1);
}

static void
want_in_vain(struct misuse *m)
{
    misuse_thread(m, hold, NULL);
    misuse_await(&held, 1);
    misuse_thread(m, want, NULL);
    if (m->right) {
        misuse_signal(&release, 1);
        misuse_await(&wanted, 1);
    }
}

/* VMDeath itself makes progress all the time. */
static void
wait_long(struct misuse *m)
{
    jvmtiPhase phase;

    for (int i = 0; i < 300 && !m->right; i++) {
        (*m->jvmti)->GetPhase(m->jvmti, &phase);
        pause_a_little();
    }
}

/* ---- a deadlock ---- */

static jobject object;

static void JNICALL
enter_both(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)arg;
    misuse_must((*jvmti)->RawMonitorEnter(jvmti, first), "RawMonitorEnter");
    misuse_signal(&held, 1);
    misuse_await(&release, 1);
    (*jni)->MonitorEnter(jni, object);
    (*jni)->MonitorExit(jni, object);
    misuse_must((*jvmti)->RawMonitorExit(jvmti, first), "RawMonitorExit");
}

static void
enter_inverted(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Thread");

    object = (*m->jni)->NewGlobalRef(m->jni, class);
    misuse_thread(m, enter_both, NULL);
    misuse_await(&held, 1);
    if (!m->right)
        (*m->jni)->MonitorEnter(m->jni, object);
    misuse_signal(&release, 1);
    (*m->jvmti)->RawMonitorEnter(m->jvmti, first);
    (*m->jvmti)->RawMonitorExit(m->jvmti, first);
}

const struct misuse_case progress_cases[] = {
    { .rule = "progress.callback", .init = hang },
    { .rule = "progress.death", .death = hang },
    { .rule = "progress.call", .load = make, .init = want_in_vain, .death = wait_long },
    { .rule = "progress.deadlock", .load = make, .init = enter_inverted },
    { .rule = NULL }
};
