/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/sampler.c -- stacks of all threads that run, now and then.
 *
 * A thread of the agent's own asks for all stacks (JVM TI "Get All Stack Traces") and
 * adds those of threads that are runnable to the tree of calls: one sample for each
 * call on the stack.  JVM TI calls a thread runnable that waits in native code for
 * input, so where the VM tells a thread's time of the processor, one that took none
 * since the last sample is left out.  The program pays for the stops only, so this is
 * what shows where time goes; it does not show how often something was called.
 *
 * Which track a thread has stands in its thread-local storage, together with the
 * session, since tracks are not those of an earlier one.  The value is odd, for sessions
 * that trace keep pointers there (threads.c).
 */
#include "agents/tracer/tracer.h"

#include <stdlib.h>
#include <time.h>

static struct tf_worker *worker;        /* started once */
static struct tf_monitor monitor;       /* of stopping, notified when that is set */
static bool stopping, ready;

static uint32_t
track_of_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, uint32_t session)
{
    struct tf_buffer name = { 0 };
    void *stored = NULL;
    uint32_t track;

    if (TF_TABLE(jvmti)->GetThreadLocalStorage(jvmti, thread, &stored)
        != JVMTI_ERROR_NONE)
        return 0;               /* it has ended */
    if (((uintptr_t)stored & 1) != 0 && (uintptr_t)stored >> 32 == session)
        return (uint32_t)(uintptr_t)stored >> 1;
    tf_name_thread(&name, jvmti, jni, thread);
    track = store_new_track(tf_buffer_take(&name));
    if (track != 0)
        (void)TF_TABLE(jvmti)->SetThreadLocalStorage(
            jvmti, thread, (void *)((uintptr_t)session << 32 | track << 1 | 1));
    return track;
}

/* Has the thread run since the last sample?  Where the VM does not tell, it has. */
static bool
has_run(jvmtiEnv *jvmti, jthread thread, uint32_t track)
{
    jlong used;

    return TF_TABLE(jvmti)->GetThreadCpuTime(jvmti, thread, &used) != JVMTI_ERROR_NONE
        || store_has_run(track, used);
}

/* The wanted methods of a stack, outermost first; how many there are. */
static uint32_t
wanted_methods(jvmtiEnv *jvmti, JNIEnv *jni, const jvmtiStackInfo *info,
               uint32_t session, uint32_t *methods)
{
    uint32_t count = 0;

    for (jint i = info->frame_count; i-- > 0; ) {
        struct method *method = method_find(jvmti, jni, info->frame_buffer[i].method);

        if (method != NULL && method_wanted(method, session))
            methods[count++] = method->number;
    }
    return count;
}

static void
take_samples(jvmtiEnv *jvmti, JNIEnv *jni, uint32_t session, uint32_t *methods)
{
    uint64_t now = recorder_now();
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;

    if (!TF_CALL(jvmti, GetAllStackTraces,
                 (jvmti, (jint)config.depth, &stacks, &count)))
        return;
    for (jint i = 0; i < count; i++) {
        const jvmtiStackInfo *info = &stacks[i];

        if ((info->state & JVMTI_THREAD_STATE_RUNNABLE) != 0 && info->frame_count > 0) {
            uint32_t track = track_of_thread(jvmti, jni, info->thread, session);
            uint32_t wanted = track == 0 || !has_run(jvmti, info->thread, track) ? 0
                : wanted_methods(jvmti, jni, info, session, methods);

            if (wanted > 0)
                store_add_sample(track, methods, wanted, now);
        }
        (*jni)->DeleteLocalRef(jni, info->thread);
    }
    tf_deallocate(jvmti, stacks);
}

/* Wait for the time of the next sample; false when there is none. */
static bool
wait_until(uint64_t time)
{
    uint64_t now;
    bool stop = true;

    if (!tf_monitor_enter(&monitor))
        return false;
    while (!(stop = stopping) && (now = recorder_now()) < time)
        if (tf_monitor_wait(&monitor, (jlong)((time - now + 999999) / 1000000))
            == TF_WAIT_FAILED) {
            stop = true;
            break;
        }
    tf_monitor_exit(&monitor);
    return !stop;
}

/* The worker's item of a session: samples until it ends.  A sample that came too late
   is left out rather than taken twice. */
static void
sample_work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    uint32_t session = (uint32_t)(uintptr_t)argument;
    uint32_t *methods = calloc((size_t)config.depth, sizeof *methods);
    uint64_t next = (uint64_t)config.sample;

    if (methods == NULL)
        tf_error("out of memory");
    while (methods != NULL && wait_until(next)) {
        uint64_t now;

        take_samples(jvmti, jni, session, methods);
        now = recorder_now();
        for (next += (uint64_t)config.sample; next < now; )
            next += (uint64_t)config.sample;
    }
    free(methods);
}

bool
sampler_start(jvmtiEnv *jvmti, JNIEnv *jni, uint32_t session)
{
    if (!ready) {
        worker = tf_worker_new(jvmti, 4);
        if (worker == NULL || !tf_monitor_init(&monitor, jvmti, "tracer"))
            return false;
        ready = tf_worker_start(worker, jni, "tracer sampler");
    }
    stopping = false;
    return ready && tf_worker_post(worker, sample_work, (void *)(uintptr_t)session);
}

void
sampler_stop(void)
{
    if (!ready || !tf_monitor_enter(&monitor))
        return;
    stopping = true;
    tf_monitor_notify_all(&monitor);
    tf_monitor_exit(&monitor);
    if (!tf_worker_drain(worker, 5000))
        tf_warning("the last sample does not end");
}
