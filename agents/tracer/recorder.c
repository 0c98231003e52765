/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/recorder.c -- what a thread does when it enters or leaves a method.
 *
 * A thread keeps the wanted calls that it is in.  The outer ones are in its buffer,
 * with room left for their ends; the inner ones are not yet if the buffer was full, and
 * come in as soon as there is room, with the time of their entry: nothing younger can
 * have been recorded before.  So what is recorded nests rightly, and a call is lost
 * only if there was no room from its entry to its end.
 */
#include "agents/tracer/tracer.h"

#include <stdlib.h>
#include <time.h>

#define RECORD_SIZE (8 + sizeof(struct record))

uint32_t recorder_session;
static jvmtiEnv *naming;        /* which knows the threads of probes */
static struct tf_rings *rings;
static size_t ring_bytes;
static uint64_t start_time;
static uint64_t lost;
static uint64_t left_out;       /* calls that the methods' names kept out, in portions */

static uint64_t
clock_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t
recorder_now(void)
{
    return clock_now() - start_time;
}

uint64_t
recorder_processor_time(clockid_t clock)
{
    struct timespec time = { 0, 0 };

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct timespec
recorder_clock(uint64_t time)
{
    uint64_t at = start_time + time;

    return (struct timespec){ (time_t)(at / 1000000000), (long)(at % 1000000000) };
}

bool
recorder_start(uint32_t session, jvmtiEnv *jvmti, JNIEnv *jni)
{
    size_t bytes = 4096;

    naming = jvmti;
    threads_start(jvmti, jni);
    while (bytes < (size_t)config.buffer)
        bytes *= 2;
    if (rings == NULL || bytes != ring_bytes) {
        struct tf_rings *fresh = tf_rings_new(bytes);

        if (fresh == NULL)
            return false;
        rings = fresh;
        ring_bytes = bytes;
    }
    start_time = clock_now();
    __atomic_store_n(&lost, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&left_out, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&recorder_session, session, __ATOMIC_RELEASE);
    return true;
}

void
recorder_stop(void)
{
    __atomic_store_n(&recorder_session, 0, __ATOMIC_RELEASE);
}

uint64_t
recorder_lost(void)
{
    return __atomic_load_n(&lost, __ATOMIC_RELAXED);
}

uint64_t
recorder_left_out(void)
{
    return __atomic_load_n(&left_out, __ATOMIC_RELAXED);
}

static void
hand_over(const struct tf_ring *ring, const void *record, size_t size, void *argument)
{
    (void)ring;
    (void)size;
    (void)argument;
    store_add(record);
}

void
recorder_read(void)
{
    tf_rings_read(rings, hand_over, NULL);
}

/*
 * Is there room for a record, for the ends of recorded calls after it, and for what is
 * skipped where the buffer begins anew?
 */
static bool
has_room(struct thread *thread, const struct tf_ring *ring, enum kind kind)
{
    size_t ends = config.full == FULL_DROP && kind == ENTER ? thread->recorded + 1 : 0;
    size_t used = tf_ring_used(ring);

    if (used > ring_bytes / 2)
        ask_for_reading();
    return used + (ends + 2) * RECORD_SIZE <= ring_bytes;
}

static bool
wait_for_room(struct thread *thread, const struct tf_ring *ring, enum kind kind)
{
    static const struct timespec pause = { 0, 50000 };

    while (!has_room(thread, ring, kind)) {
        if (config.full == FULL_DROP
            || __atomic_load_n(&recorder_session, __ATOMIC_RELAXED) != thread->session)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static bool
put(struct thread *thread, enum kind kind, uint32_t method, uint64_t time)
{
    const struct record wanted = { time, thread->track, method * 4 + kind };
    struct tf_ring *ring;
    struct record *record;

    if (thread->track == 0)
        return false;
    if (thread->own != NULL) {
        thread_put(thread, &wanted);
        return true;
    }
    ring = tf_rings_mine(rings);
    if (ring == NULL || !wait_for_room(thread, ring, kind))
        return false;
    record = tf_ring_reserve(ring, sizeof *record);
    if (record == NULL)
        return false;
    *record = wanted;
    tf_ring_commit(ring);
    return true;
}

/* Record the inner calls that are not yet. */
static void
catch_up(struct thread *thread)
{
    while (thread->recorded < thread->depth) {
        const struct call *call = &thread->calls[thread->recorded];

        if (!put(thread, ENTER, call->method, call->entered))
            return;
        thread->recorded++;
        __atomic_fetch_sub(&lost, 1, __ATOMIC_RELAXED);
    }
}

static bool
grow(struct thread *thread)
{
    uint32_t wanted = thread->capacity == 0 ? 16 : thread->capacity * 2;
    struct call *calls = realloc(thread->calls, wanted * sizeof *calls);

    if (calls == NULL)
        return false;
    thread->calls = calls;
    thread->capacity = wanted;
    return true;
}

static void
push(struct thread *thread, jvmtiEnv *jvmti, JNIEnv *jni, uint32_t method,
     uint64_t time)
{
    if (thread->depth == (uint32_t)config.depth) {
        thread->beyond++;
        return;
    }
    if (thread->beyond > 0 || (thread->depth == thread->capacity && !grow(thread))) {
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
        thread->beyond++;
        return;
    }
    if (thread->track == 0)
        thread->track = store_new_track(thread_name(jvmti, jni, thread));
    thread->calls[thread->depth++] = (struct call){ time, method };
    if (thread->recorded == thread->depth - 1 && put(thread, ENTER, method, time)) {
        thread->recorded++;
        return;
    }
    __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
    catch_up(thread);
}

static void
pop(struct thread *thread, uint64_t time, bool thrown)
{
    const struct call *call = &thread->calls[--thread->depth];

    if (thread->recorded > thread->depth) {
        put(thread, thrown ? LEAVE_THROWN : LEAVE, call->method, time);
        thread->recorded--;
    }
}

static void
renew(struct thread *thread, uint32_t session)
{
    thread->session = session;
    thread->track = thread->depth = thread->recorded = 0;
    thread->beyond = 0;
}

/*
 * The first wanted event of a thread in this session.  What its stack has below began
 * before the session did; an entered method stands on top already, and so does one that
 * is left.
 */
static void
begin(struct thread *thread, jvmtiEnv *jvmti, JNIEnv *jni, uint32_t session,
      bool entering)
{
    jvmtiFrameInfo *frames;
    jint count = 0;

    renew(thread, session);
    if (!TF_CALL(jvmti, GetFrameCount, (jvmti, NULL, &count)) || count <= entering)
        return;
    frames = calloc((size_t)count, sizeof *frames);
    if (frames != NULL
        && TF_CALL(jvmti, GetStackTrace, (jvmti, NULL, 0, count, frames, &count)))
        for (jint i = count - 1; i >= entering; i--) {
            struct method *method = method_find(jvmti, jni, frames[i].method);

            if (method != NULL && method_wanted(method, session))
                push(thread, jvmti, jni, method->number, 0);
        }
    free(frames);
}

/* A call that is not recorded: counted by its thread, and for all in portions. */
static void
leave_out(void)
{
    enum { PORTION = 4096, READ = 256 * PORTION };
    static _Thread_local uint32_t here;

    if (++here % PORTION == 0
        && __atomic_add_fetch(&left_out, PORTION, __ATOMIC_RELAXED) % READ == 0)
        ask_for_reading();
}

/* What both events begin with: the method if it is to be recorded, and the thread. */
static struct method *
wanted_method(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id, bool entering,
              struct thread **found)
{
    uint32_t session = __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE);
    struct method *method = session == 0 ? NULL : method_find(jvmti, jni, id);
    struct thread *thread;

    if (method == NULL || !method_wanted(method, session)) {
        if (method != NULL && entering)
            leave_out();
        return NULL;
    }
    *found = thread = thread_here(jvmti, jni);
    if (thread == NULL || thread->ignored)
        return NULL;
    if (thread->session != session)
        begin(thread, jvmti, jni, session, entering);
    return method;
}

void
recorder_enter(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id)
{
    struct thread *thread;
    struct method *method = wanted_method(jvmti, jni, id, true, &thread);

    if (method != NULL)
        push(thread, jvmti, jni, method->number, recorder_now());
}

/*
 * Calls above the one that is left ended without an event: another agent popped them
 * (JVM TI "Pop Frame").  Without such a call this one was entered before anybody
 * looked.
 */
static void
leave(struct thread *thread, uint32_t method, uint64_t time, bool thrown)
{
    uint32_t at = thread->depth;

    if (thread->beyond > 0) {
        thread->beyond--;
        return;
    }
    while (at > 0 && thread->calls[at - 1].method != method)
        at--;
    if (at == 0)
        return;
    catch_up(thread);
    while (thread->depth > at)
        pop(thread, time, false);
    pop(thread, time, thrown);
}

void
recorder_leave(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id, bool thrown)
{
    uint64_t time = recorder_now();
    struct thread *thread;
    struct method *method = wanted_method(jvmti, jni, id, false, &thread);

    if (method != NULL)
        leave(thread, method->number, time, thrown);
}

/* -- probes: they see what begins in the session only -- */

void
recorder_probe_enter(JNIEnv *jni, uint32_t method)
{
    uint32_t session = __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE);
    struct thread *thread = session == 0 ? NULL : thread_here(naming, jni);

    if (thread == NULL || thread->ignored)
        return;
    if (thread->session != session)
        renew(thread, session);
    push(thread, naming, jni, method, recorder_now());
}

void
recorder_probe_leave(JNIEnv *jni, uint32_t method, bool thrown)
{
    uint32_t session = __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE);
    struct thread *thread = session == 0 ? NULL : thread_here(naming, jni);

    if (thread != NULL && !thread->ignored && thread->session == session)
        leave(thread, method, recorder_now(), thrown);
}

void
recorder_thread_end(jvmtiEnv *jvmti, JNIEnv *jni)
{
    struct thread *thread = thread_here(jvmti, jni);

    if (thread == NULL || thread->ignored)
        return;
    if (thread->session != 0
        && thread->session == __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE)
        && thread->track != 0) {
        catch_up(thread);
        for (uint64_t time = recorder_now(); thread->depth > 0; )
            pop(thread, time, false);
        thread_flush(thread);
        store_end_track(thread->track, thread_name(jvmti, jni, thread));
    }
    thread_forget(jvmti, thread);
}
