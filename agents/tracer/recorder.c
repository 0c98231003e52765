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

struct call {
    uint64_t entered;
    uint32_t method;
};

/* Of a thread. */
static _Thread_local struct {
    uint32_t session;           /* the rest is of this one */
    uint32_t track;             /* 0 until a wanted call */
    uint32_t depth, recorded, capacity;
    uint64_t beyond;            /* calls too deep, or that there was no memory for */
    struct call *calls;
    bool ignored;
} mine;

uint32_t recorder_session;
static struct tf_rings *rings;
static size_t ring_bytes;
static uint64_t start_time;
static uint64_t lost;

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

bool
recorder_start(uint32_t session)
{
    size_t bytes = 4096;

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

void
recorder_ignore(void)
{
    mine.ignored = true;
}

/*
 * Is there room for a record, for the ends of recorded calls after it, and for what is
 * skipped where the buffer begins anew?
 */
static bool
has_room(const struct tf_ring *ring, enum kind kind)
{
    size_t ends = config.full == FULL_DROP && kind == ENTER ? mine.recorded + 1 : 0;
    size_t used = tf_ring_used(ring);

    if (used > ring_bytes / 2)
        ask_for_reading();
    return used + (ends + 2) * RECORD_SIZE <= ring_bytes;
}

static bool
wait_for_room(const struct tf_ring *ring, enum kind kind)
{
    static const struct timespec pause = { 0, 50000 };

    while (!has_room(ring, kind)) {
        if (config.full == FULL_DROP
            || __atomic_load_n(&recorder_session, __ATOMIC_RELAXED) != mine.session)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static bool
put(enum kind kind, uint32_t method, uint64_t time)
{
    struct tf_ring *ring = tf_rings_mine(rings);
    struct record *record;

    if (ring == NULL || mine.track == 0 || !wait_for_room(ring, kind))
        return false;
    record = tf_ring_reserve(ring, sizeof *record);
    if (record == NULL)
        return false;
    *record = (struct record){ time, mine.track, method * 4 + kind };
    tf_ring_commit(ring);
    return true;
}

/* Record the inner calls that are not yet. */
static void
catch_up(void)
{
    while (mine.recorded < mine.depth) {
        const struct call *call = &mine.calls[mine.recorded];

        if (!put(ENTER, call->method, call->entered))
            return;
        mine.recorded++;
        __atomic_fetch_sub(&lost, 1, __ATOMIC_RELAXED);
    }
}

static bool
grow(void)
{
    uint32_t wanted = mine.capacity == 0 ? 64 : mine.capacity * 2;
    struct call *calls = realloc(mine.calls, wanted * sizeof *calls);

    if (calls == NULL)
        return false;
    mine.calls = calls;
    mine.capacity = wanted;
    return true;
}

static void
push(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, uint32_t method, uint64_t time)
{
    if (mine.depth == (uint32_t)config.depth) {
        mine.beyond++;
        return;
    }
    if (mine.beyond > 0 || (mine.depth == mine.capacity && !grow())) {
        __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
        mine.beyond++;
        return;
    }
    if (mine.track == 0) {
        struct tf_buffer name = { 0 };

        tf_name_thread(&name, jvmti, jni, thread);
        mine.track = store_new_track(tf_buffer_take(&name));
    }
    mine.calls[mine.depth++] = (struct call){ time, method };
    if (mine.recorded == mine.depth - 1 && put(ENTER, method, time)) {
        mine.recorded++;
        return;
    }
    __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
    catch_up();
}

static void
pop(uint64_t time, bool thrown)
{
    const struct call *call = &mine.calls[--mine.depth];

    if (mine.recorded > mine.depth) {
        put(thrown ? LEAVE_THROWN : LEAVE, call->method, time);
        mine.recorded--;
    }
}

/*
 * The first event of a thread in this session.  What its stack has below began before
 * the session did; an entered method stands on top already, and so does one that is
 * left.
 */
static void
begin(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, uint32_t session, bool entering)
{
    jvmtiFrameInfo *frames;
    jint count = 0;

    mine.session = session;
    mine.track = mine.depth = mine.recorded = 0;
    mine.beyond = 0;
    if (mine.ignored || !TF_CALL(jvmti, GetFrameCount, (jvmti, thread, &count))
        || count <= entering)
        return;
    frames = calloc((size_t)count, sizeof *frames);
    if (frames != NULL
        && TF_CALL(jvmti, GetStackTrace, (jvmti, thread, 0, count, frames, &count)))
        for (jint i = count - 1; i >= entering; i--) {
            struct method *method = method_find(jvmti, jni, frames[i].method);

            if (method != NULL && method_wanted(method, session))
                push(jvmti, jni, thread, method->number, 0);
        }
    free(frames);
}

/* What both events begin with: the method if it is to be recorded. */
static struct method *
wanted_method(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id, bool entering)
{
    uint32_t session = __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE);
    struct method *method;

    if (session == 0)
        return NULL;
    if (mine.session != session)
        begin(jvmti, jni, thread, session, entering);
    if (mine.ignored)
        return NULL;
    method = method_find(jvmti, jni, id);
    return method != NULL && method_wanted(method, session) ? method : NULL;
}

void
recorder_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id)
{
    struct method *method = wanted_method(jvmti, jni, thread, id, true);

    if (method != NULL)
        push(jvmti, jni, thread, method->number, recorder_now());
}

/*
 * Calls above the one that is left ended without an event: another agent popped them
 * (JVM TI "Pop Frame").  Without such a call this one was entered before anybody
 * looked.
 */
static void
leave(uint32_t method, uint64_t time, bool thrown)
{
    uint32_t at = mine.depth;

    if (mine.beyond > 0) {
        mine.beyond--;
        return;
    }
    while (at > 0 && mine.calls[at - 1].method != method)
        at--;
    if (at == 0)
        return;
    catch_up();
    while (mine.depth > at)
        pop(time, false);
    pop(time, thrown);
}

void
recorder_leave(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id, bool thrown)
{
    uint64_t time = recorder_now();
    struct method *method = wanted_method(jvmti, jni, thread, id, false);

    if (method != NULL)
        leave(method->number, time, thrown);
}

/* -- probes: they see what begins in the session only -- */

static jvmtiEnv *naming;

void
recorder_set_environment(jvmtiEnv *jvmti)
{
    naming = jvmti;
}

void
recorder_probe_enter(JNIEnv *jni, uint32_t method)
{
    uint32_t session = __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE);

    if (session == 0)
        return;
    if (mine.session != session) {
        mine.session = session;
        mine.track = mine.depth = mine.recorded = 0;
        mine.beyond = 0;
    }
    if (!mine.ignored)
        push(naming, jni, NULL, method, recorder_now());
}

void
recorder_probe_leave(uint32_t method, bool thrown)
{
    if (mine.session != 0 && !mine.ignored
        && mine.session == __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE))
        leave(method, recorder_now(), thrown);
}

void
recorder_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    struct tf_buffer name = { 0 };

    if (mine.session != 0
        && mine.session == __atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE)
        && mine.track != 0) {
        catch_up();
        for (uint64_t time = recorder_now(); mine.depth > 0; )
            pop(time, false);
        if (tf_name_thread(&name, jvmti, jni, thread))
            store_rename_track(mine.track, tf_buffer_take(&name));
        tf_buffer_release(&name);
    }
    /* The thread of the system may become another Java thread. */
    free(mine.calls);
    mine.calls = NULL;
    mine.session = mine.depth = mine.capacity = 0;
}
