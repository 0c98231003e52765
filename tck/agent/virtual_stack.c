/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/virtual_stack.c -- frames, locals and monitors of virtual threads: of one that
 * is on no carrier, one that runs, and one that is pinned to its carrier.
 */
#include "tck/lib/stage.h"
#include "tck/lib/virtual.h"

#include <string.h>

#define MAX_FRAMES 256
/* The bits that a VM gives a meaning of its own. */
#define VENDOR \
    (JVMTI_THREAD_STATE_VENDOR_1 | JVMTI_THREAD_STATE_VENDOR_2 \
     | JVMTI_THREAD_STATE_VENDOR_3)

#define TCK_STACK(name, id, section, note) \
    TCK_CASE_IN("virtual-stack", name, id, section, note, TCK_LIVE, 21)

/* The same on each of the three kinds of threads; data is the place. */
#define ON_ALL(name, id, section, note, run) \
    TCK_CASE_DATA("virtual-stack", name##_unmounted, id ".virtual-unmounted", section, \
                  note, TCK_LIVE, 21, run, "P"); \
    TCK_CASE_DATA("virtual-stack", name##_mounted, id ".virtual-mounted", section, \
                  note, TCK_LIVE, 21, run, "M"); \
    TCK_CASE_DATA("virtual-stack", name##_pinned, id ".virtual-pinned", section, note, \
                  TCK_LIVE, 21, run, "X")

/* -- stacks -- */

/* The thread's own methods, the topmost first; returns how many. */
static int
own_frames(struct tck *t, char place, jmethodID *list)
{
    int count = 0;

    list[count++] = virtual_method(t, "hold");
    if (place == 'X')
        list[count++] = virtual_method(t, "callBack");
    list[count++] = virtual_method(t, "middle");
    list[count++] = virtual_method(t, "outer");
    list[count++] = virtual_method(t, "run");
    return count;
}

static void
run_trace(struct tck *t, const void *data)
{
    char place = *(const char *)data;
    jmethodID own[8];
    int own_count = own_frames(t, place, own);
    struct virtual_thread v;
    jvmtiFrameInfo frames[MAX_FRAMES];
    jint count, depth;

    if (!virtual_suspended(t, place, &v))
        return;
    CALL(GetStackTrace, v.thread, 0, MAX_FRAMES, frames, &count);
    depth = virtual_depth(t, v.thread, own[0]);
    TRUE(depth >= 0 && depth + own_count <= count);
    for (jint i = 0; i < count; i++) {
        jmethodID method;
        jlocation location;

        CALL(GetFrameLocation, v.thread, i, &method, &location);
        TRUE(frames[i].method == method);
        SAME(location, frames[i].location);
    }
    /* A frame that waits is below the library's, one that runs is the topmost. */
    TRUE((depth == 0) == (place == 'M'));
    for (int i = 0; i < own_count; i++) {
        TRUE(frames[depth + i].method == own[i]);
        TRUE((frames[depth + i].location == -1)
             == (own[i] == virtual_method(t, "callBack")));
    }
}

ON_ALL(trace, "GetStackTrace.behaviour", "Get Stack Trace", 169, run_trace);

/* How many frames the thread has from hold() downwards.  Above it are the library's, which
   need not wait in the same way each time. */
static jint
count_of_own(struct tck *t, const struct virtual_thread *v)
{
    jint count = 0;

    tck_want(t, "GetFrameCount", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetFrameCount(t->jvmti, v->thread, &count));
    return count - virtual_depth(t, v->thread, virtual_method(t, "hold"));
}

static void
run_count(struct tck *t, const void *data)
{
    char place = *(const char *)data;
    struct virtual_thread v, deeper;
    jvmtiFrameInfo frames[MAX_FRAMES];
    jint count, own, got;

    if (!virtual_suspended(t, place, &v))
        return;
    CALL(GetStackTrace, v.thread, 0, MAX_FRAMES, frames, &got);
    CALL(GetFrameCount, v.thread, &count);
    SAME(got, count);
    own = count_of_own(t, &v);
    if (!virtual_finish(t, &v) || !virtual_start_deeper(t, place, 23, &deeper))
        return;
    CALL(SuspendThread, deeper.thread);
    SAME(own + 23, count_of_own(t, &deeper));
}

ON_ALL(count, "GetFrameCount.behaviour", "Get Frame Count", 186, run_count);

/* The line that the location of a frame belongs to. */
static jint
line_of(struct tck *t, jmethodID method, jlocation location)
{
    jvmtiLineNumberEntry *table = NULL;
    jlocation start = -1;
    jint count = 0, line = -1;

    tck_want(t, "GetLineNumberTable", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetLineNumberTable(t->jvmti, method, &count, &table));
    /* The entries are in no order. */
    for (jint i = 0; i < count; i++)
        if (table[i].start_location <= location && table[i].start_location > start) {
            start = table[i].start_location;
            line = table[i].line_number;
        }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)table);
    return line;
}

static void
run_location(struct tck *t, const void *data)
{
    char place = *(const char *)data;
    struct virtual_thread v;
    jmethodID middle = virtual_method(t, "middle"), method, below;
    jlocation location;
    jint depth;

    NEED("can_get_line_numbers");
    if (!virtual_suspended(t, place, &v))
        return;
    depth = virtual_depth(t, v.thread, middle);
    CALL(GetFrameLocation, v.thread, depth, &method, &location);
    TRUE(method == middle);
    if (place == 'X') {
        CALL(GetFrameLocation, v.thread, depth - 1, &below, &location);
        TRUE(below == virtual_method(t, "callBack"));
        SAME(-1, location);
        return;
    }
    SAME(stage_get_long(t, v.stage, "line"), line_of(t, method, location));
}

ON_ALL(location, "GetFrameLocation.behaviour", "Get Frame Location", 200, run_location);

static void
run_from_oldest(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jvmtiFrameInfo frames[MAX_FRAMES], last[2];
    jint count, got;

    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    CALL(GetStackTrace, v.thread, 0, MAX_FRAMES, frames, &count);
    CALL(GetStackTrace, v.thread, -2, 2, last, &got);
    SAME(2, got);
    for (int i = 0; i < 2; i++) {
        TRUE(last[i].method == frames[count - 2 + i].method);
        SAME(frames[count - 2 + i].location, last[i].location);
    }
}

ON_ALL(trace_oldest, "GetStackTrace.behaviour.from-the-oldest", "Get Stack Trace", 167,
       run_from_oldest);

TCK_STACK(trace_from, "GetStackTrace.behaviour.virtual-from-a-depth", "Get Stack Trace",
          166)
{
    struct virtual_thread v;
    jmethodID hold = virtual_method(t, "hold");
    jvmtiFrameInfo frames[3];
    jint got;

    if (!virtual_suspended(t, 'P', &v))
        return;
    CALL(GetStackTrace, v.thread, virtual_depth(t, v.thread, hold), 3, frames, &got);
    SAME(3, got);
    TRUE(frames[0].method == hold);
    TRUE(frames[1].method == virtual_method(t, "middle"));
    TRUE(frames[2].method == virtual_method(t, "outer"));
}

TCK_STACK(trace_beyond, "GetStackTrace.error.ILLEGAL_ARGUMENT.virtual-beyond",
          "Get Stack Trace", 172)
{
    struct virtual_thread v;
    jvmtiFrameInfo frame;
    jint count, got;

    if (!virtual_suspended(t, 'P', &v))
        return;
    CALL(GetFrameCount, v.thread, &count);
    CALL(GetStackTrace, v.thread, count - 1, 1, &frame, &got);
    SAME(1, got);
    WANT(ILLEGAL_ARGUMENT, GetStackTrace, v.thread, count, 1, &frame, &got);
    WANT(ILLEGAL_ARGUMENT, GetStackTrace, v.thread, -count - 1, 1, &frame, &got);
}

TCK_STACK(location_beyond, "GetFrameLocation.error.NO_MORE_FRAMES.virtual-unmounted",
          "Get Frame Location", 201)
{
    struct virtual_thread v;
    jmethodID method;
    jlocation location;
    jint count;

    if (!virtual_suspended(t, 'P', &v))
        return;
    CALL(GetFrameCount, v.thread, &count);
    CALL(GetFrameLocation, v.thread, count - 1, &method, &location);
    WANT(NO_MORE_FRAMES, GetFrameLocation, v.thread, count, &method, &location);
}

/* The stack of a thread that was let go, and stands at the same place again, has not
   grown by what carried it there. */
TCK_STACK(count_after, "GetFrameCount.behaviour.virtual-mounted-again",
          "Get Frame Count", 186)
{
    struct virtual_thread v;
    jvmtiFrameInfo frames[MAX_FRAMES];
    jint before, after, got;

    if (!virtual_suspended(t, 'P', &v))
        return;
    before = count_of_own(t, &v);
    CALL(ResumeThread, v.thread);
    for (int i = 0; i < 5; i++) {
        virtual_call(t, &v, "unpark");
        virtual_call_int(t, &v, "awaitTurns", i + 1);
        virtual_call_int(t, &v, "awaitState", 3);
    }
    CALL(SuspendThread, v.thread);
    SAME(before, count_of_own(t, &v));
    CALL(GetFrameCount, v.thread, &after);
    CALL(GetStackTrace, v.thread, 0, MAX_FRAMES, frames, &got);
    SAME(got, after);
}

static void
run_not_alive(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jvmtiFrameInfo frame;
    jmethodID method;
    jlocation location;
    jint count;

    if (!(*(const char *)data == 'e' ? virtual_ended(t, &v)
                                     : virtual_create(t, 'P', 0, &v)))
        return;
    WANT(THREAD_NOT_ALIVE, GetStackTrace, v.thread, 0, 1, &frame, &count);
    WANT(THREAD_NOT_ALIVE, GetFrameCount, v.thread, &count);
    WANT(THREAD_NOT_ALIVE, GetFrameLocation, v.thread, 0, &method, &location);
}

TCK_CASE_DATA("virtual-stack", stack_unstarted,
              "GetStackTrace.error.THREAD_NOT_ALIVE.virtual-unstarted",
              "Get Stack Trace", 0, TCK_LIVE, 21, run_not_alive, "u");
TCK_CASE_DATA("virtual-stack", stack_ended,
              "GetStackTrace.error.THREAD_NOT_ALIVE.virtual-ended", "Get Stack Trace",
              0, TCK_LIVE, 21, run_not_alive, "e");

/* -- lists of stacks -- */

TCK_STACK(list, "GetThreadListStackTraces.behaviour.virtual",
          "Get Thread List Stack Traces", 185)
{
    struct virtual_thread parked, running;
    jvmtiStackInfo *info;
    jthread threads[3];
    jint state, depth;

    if (!virtual_suspended(t, 'P', &parked) || !virtual_suspended(t, 'M', &running))
        return;
    threads[0] = running.thread;
    threads[1] = stage_start(t, 'W');
    threads[2] = parked.thread;
    CALL(GetThreadListStackTraces, 3, threads, MAX_FRAMES, &info);
    for (int i = 0; i < 3; i++) {
        TRUE((*t->jni)->IsSameObject(t->jni, threads[i], info[i].thread));
        CALL(GetThreadState, threads[i], &state);
        SAME(state & ~VENDOR, info[i].state & ~VENDOR);
    }
    TRUE(info[0].frame_count > 3);
    TRUE(info[0].frame_buffer[0].method == virtual_method(t, "hold"));
    depth = virtual_depth(t, parked.thread, virtual_method(t, "hold"));
    TRUE(info[2].frame_count > depth + 1);
    TRUE(info[2].frame_buffer[depth].method == virtual_method(t, "hold"));
    TRUE(info[2].frame_buffer[depth + 1].method == virtual_method(t, "middle"));
    CALL(Deallocate, (unsigned char *)info);
}

TCK_STACK(list_not_alive, "GetThreadListStackTraces.behaviour.virtual-not-alive",
          "Get Thread List Stack Traces", 182)
{
    struct virtual_thread ended, created;
    jvmtiStackInfo *info;
    jthread threads[2];

    if (!virtual_ended(t, &ended) || !virtual_create(t, 'P', 0, &created))
        return;
    threads[0] = ended.thread;
    threads[1] = created.thread;
    CALL(GetThreadListStackTraces, 2, threads, MAX_FRAMES, &info);
    SAME(0, info[0].frame_count);
    SAME(JVMTI_THREAD_STATE_TERMINATED, info[0].state & ~VENDOR);
    SAME(0, info[1].frame_count);
    SAME(0, info[1].state & ~VENDOR);
    CALL(Deallocate, (unsigned char *)info);
}

/* -- the current thread -- */

struct own_stack {
    jvmtiEnv *jvmti;
    jvmtiError errors[5];
    jint count, frame_count;
    jvmtiFrameInfo frames[MAX_FRAMES];
    jmethodID method;
    jlocation location;
    bool same_thread;
};

static void
ask_own_stack(JNIEnv *jni, void *data)
{
    struct own_stack *s = data;
    jthread self = NULL;

    s->errors[0] = (*s->jvmti)->GetStackTrace(s->jvmti, NULL, 0, MAX_FRAMES, s->frames,
                                              &s->count);
    s->errors[1] = (*s->jvmti)->GetFrameCount(s->jvmti, NULL, &s->frame_count);
    s->errors[2] = (*s->jvmti)->GetFrameLocation(s->jvmti, NULL, 0, &s->method,
                                                 &s->location);
    s->errors[3] = (*s->jvmti)->GetCurrentThread(s->jvmti, &self);
    if (s->errors[3] == JVMTI_ERROR_NONE) {
        jclass k = (*jni)->FindClass(jni, "java/lang/Thread");
        jmethodID current = (*jni)->GetStaticMethodID(jni, k, "currentThread",
                                                      "()Ljava/lang/Thread;");
        jobject thread = (*jni)->CallStaticObjectMethod(jni, k, current);

        s->same_thread = (*jni)->IsSameObject(jni, thread, self)
                         && (*jni)->IsVirtualThread(jni, self);
    }
}

static bool
own_stack(struct tck *t, struct own_stack *s)
{
    memset(s, 0, sizeof *s);
    s->jvmti = t->jvmti;
    stage_on_virtual(t, ask_own_stack, s);
    for (int i = 0; i < 4 && !t->failed; i++)
        tck_want(t, "on a virtual thread", JVMTI_ERROR_NONE, s->errors[i]);
    return !t->failed;
}

TCK_STACK(current, "GetCurrentThread.behaviour.virtual", "Get Current Thread", 95)
{
    struct own_stack s;

    if (own_stack(t, &s))
        TRUE(s.same_thread);
}

TCK_STACK(trace_current, "GetStackTrace.behaviour.virtual-current", "Get Stack Trace",
          175)
{
    struct own_stack s;

    if (!own_stack(t, &s))
        return;
    TRUE(s.count > 1);
    TRUE(s.frames[0].method == stage_method(t, "tck/Stage", "visit", "()V", true));
    SAME(-1, s.frames[0].location);
}

TCK_STACK(count_current, "GetFrameCount.behaviour.virtual-current", "Get Frame Count",
          186)
{
    struct own_stack s;

    if (own_stack(t, &s))
        SAME(s.count, s.frame_count);
}

TCK_STACK(location_current, "GetFrameLocation.behaviour.virtual-current",
          "Get Frame Location", 200)
{
    struct own_stack s;

    if (!own_stack(t, &s))
        return;
    TRUE(s.method == stage_method(t, "tck/Stage", "visit", "()V", true));
    SAME(-1, s.location);
}

/* -- locals -- */

/* A suspended thread, and the depth of the frame of hold(). */
static bool
in_hold(struct tck *t, const char *place, struct virtual_thread *v, jint *depth)
{
    if (!tck_has(t, "can_access_local_variables")) {
        tck_skip(t, "the VM does not offer can_access_local_variables");
        return false;
    }
    if (!virtual_suspended(t, *place, v))
        return false;
    *depth = virtual_depth(t, v->thread, virtual_method(t, "hold"));
    return *depth >= 0;
}

static void
run_int(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jint depth, value = 0;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalInt, v.thread, depth, VIRTUAL_SLOT_INT, &value);
    SAME(11, value);
}

static void
run_long(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jlong value = 0;
    jint depth;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalLong, v.thread, depth, VIRTUAL_SLOT_LONG, &value);
    SAME(22, value);
}

static void
run_float(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jfloat value = 0;
    jint depth;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalFloat, v.thread, depth, VIRTUAL_SLOT_FLOAT, &value);
    TRUE(value == 3.5f);
}

static void
run_double(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jdouble value = 0;
    jint depth;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalDouble, v.thread, depth, VIRTUAL_SLOT_DOUBLE, &value);
    TRUE(value == 4.25);
}

/* What the frame keeps in the end is what it had as an argument. */
static void
run_object(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jobject value = NULL;
    jint depth;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalObject, v.thread, depth, VIRTUAL_SLOT_OBJECT, &value);
    TRUE(value != NULL);
    TRUE((*t->jni)->IsInstanceOf(t->jni, value, stage_class(t, "tck/Model")));
    if (virtual_finish(t, &v))
        TRUE((*t->jni)->IsSameObject(
            t->jni, value,
            stage_get(t, v.stage, "objectResult", "Ljava/lang/Object;")));
}

static void
run_instance(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jobject value = NULL;
    jint depth;

    if (!in_hold(t, data, &v, &depth))
        return;
    CALL(GetLocalInstance, v.thread, depth, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, v.stage, value));
}

#define LOCAL(type) "Get Local Variable - " type
ON_ALL(local_int, "GetLocalInt.behaviour", "Local Variable", 305, run_int);
ON_ALL(local_long, "GetLocalLong.behaviour", "Local Variable", 305, run_long);
ON_ALL(local_float, "GetLocalFloat.behaviour", "Local Variable", 305, run_float);
ON_ALL(local_double, "GetLocalDouble.behaviour", "Local Variable", 305, run_double);
ON_ALL(local_object, "GetLocalObject.behaviour", "Local Variable", 305, run_object);
ON_ALL(local_instance, "GetLocalInstance.behaviour", "Get Local Instance", 309,
       run_instance);

TCK_STACK(local_type, "GetLocalInt.error.TYPE_MISMATCH.virtual-unmounted", LOCAL("Int"),
          311)
{
    struct virtual_thread v;
    jint depth, value;

    if (!in_hold(t, "P", &v, &depth))
        return;
    CALL(GetLocalInt, v.thread, depth, VIRTUAL_SLOT_INT, &value);
    WANT(TYPE_MISMATCH, GetLocalInt, v.thread, depth, VIRTUAL_SLOT_OBJECT, &value);
}

TCK_STACK(local_slot, "GetLocalInt.error.INVALID_SLOT.virtual-unmounted", LOCAL("Int"),
          308)
{
    struct virtual_thread v;
    jint depth, value;

    if (!in_hold(t, "P", &v, &depth))
        return;
    CALL(GetLocalInt, v.thread, depth, VIRTUAL_SLOT_INT, &value);
    WANT(INVALID_SLOT, GetLocalInt, v.thread, depth, 1000, &value);
}

/* "GetLocalObject() would return JVMTI_ERROR_OPAQUE_FRAME" from a native method's frame. */
TCK_STACK(local_native, "GetLocalObject.error.OPAQUE_FRAME.virtual-pinned",
          LOCAL("Object"), 308)
{
    struct virtual_thread v;
    jobject value;
    jint depth;

    if (!in_hold(t, "X", &v, &depth))
        return;
    CALL(GetLocalObject, v.thread, depth, VIRTUAL_SLOT_OBJECT, &value);
    depth = virtual_depth(t, v.thread, virtual_method(t, "callBack"));
    WANT(OPAQUE_FRAME, GetLocalObject, v.thread, depth, VIRTUAL_SLOT_THIS, &value);
}

/* A thread that is neither suspended nor current, and then is. */
static void
run_not_suspended(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jint value;

    NEED("can_access_local_variables");
    NEED("can_suspend");
    if (!virtual_start(t, *(const char *)data, &v))
        return;
    WANT(THREAD_NOT_SUSPENDED, GetLocalInt, v.thread,
         virtual_depth(t, v.thread, virtual_method(t, "hold")), VIRTUAL_SLOT_INT, &value);
    CALL(SuspendThread, v.thread);
    CALL(GetLocalInt, v.thread, virtual_depth(t, v.thread, virtual_method(t, "hold")),
         VIRTUAL_SLOT_INT, &value);
    SAME(11, value);
}

ON_ALL(local_unsuspended, "GetLocalInt.error.THREAD_NOT_SUSPENDED", LOCAL("Int"), 306,
       run_not_suspended);

/* -- monitors -- */

/* outer() has the monitor of first, and hold(), which is two frames above, that of
   second. */
static bool
with_monitors(struct tck *t, struct virtual_thread *v, jobject *first, jobject *second)
{
    if (!virtual_suspended(t, 'S', v))
        return false;
    *first = stage_get(t, v->stage, "first", "Ljava/lang/Object;");
    *second = stage_get(t, v->stage, "second", "Ljava/lang/Object;");
    return true;
}

TCK_STACK(owned, "GetOwnedMonitorInfo.behaviour.virtual", "Get Owned Monitor Info", 139)
{
    struct virtual_thread v;
    jobject first, second, *list;
    jint count, of_first = 0, of_second = 0;

    NEED("can_get_owned_monitor_info");
    if (!with_monitors(t, &v, &first, &second))
        return;
    CALL(GetOwnedMonitorInfo, v.thread, &count, &list);
    /* In any order, and beside what the library may hold. */
    for (jint i = 0; i < count; i++) {
        of_first += (*t->jni)->IsSameObject(t->jni, first, list[i]);
        of_second += (*t->jni)->IsSameObject(t->jni, second, list[i]);
    }
    SAME(1, of_first);
    SAME(1, of_second);
    CALL(Deallocate, (unsigned char *)list);
}

/* In hold(): the library's frames, which may hold something, are where a thread parks. */
TCK_STACK(owned_none, "GetOwnedMonitorInfo.behaviour.virtual-none",
          "Get Owned Monitor Info", 769)
{
    struct virtual_thread v;
    jobject *list;
    jint count = -1;

    NEED("can_get_owned_monitor_info");
    if (!virtual_suspended(t, 'M', &v))
        return;
    CALL(GetOwnedMonitorInfo, v.thread, &count, &list);
    SAME(0, count);
    TRUE(list == NULL);
}

TCK_STACK(owned_depth, "GetOwnedMonitorStackDepthInfo.behaviour.virtual",
          "Get Owned Monitor Stack Depth Info", 141)
{
    struct virtual_thread v;
    jobject first, second;
    jvmtiMonitorStackDepthInfo *list;
    jint count, depths[2], found[2] = { 0, 0 };

    NEED("can_get_owned_monitor_stack_depth_info");
    if (!with_monitors(t, &v, &first, &second))
        return;
    depths[0] = virtual_depth(t, v.thread, virtual_method(t, "outer"));
    depths[1] = virtual_depth(t, v.thread, virtual_method(t, "hold"));
    CALL(GetOwnedMonitorStackDepthInfo, v.thread, &count, &list);
    for (jint i = 0; i < count; i++) {
        bool is_first = (*t->jni)->IsSameObject(t->jni, first, list[i].monitor);

        if (!is_first && !(*t->jni)->IsSameObject(t->jni, second, list[i].monitor))
            continue;
        found[is_first ? 0 : 1]++;
        /* "If the implementation cannot determine the stack depth". */
        if (list[i].stack_depth != -1)
            SAME(depths[is_first ? 0 : 1], list[i].stack_depth);
    }
    SAME(1, found[0]);
    SAME(1, found[1]);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_STACK(contended, "GetCurrentContendedMonitor.behaviour.virtual-blocked",
          "Get Current Contended Monitor", 143)
{
    struct virtual_thread v;

    NEED("can_get_current_contended_monitor");
    if (!virtual_start(t, 'B', &v))
        return;
    TRUE(stage_awaits(t, v.thread,
                      stage_get(t, v.stage, "first", "Ljava/lang/Object;")));
}

/* Notified, it has to regain the monitor that this thread has. */
TCK_STACK(contended_wait, "GetCurrentContendedMonitor.behaviour.virtual-regaining",
          "Get Current Contended Monitor", 143)
{
    struct virtual_thread v;
    jobject first;
    bool is_told;

    NEED("can_get_current_contended_monitor");
    if (!virtual_start(t, 'W', &v))
        return;
    first = stage_get(t, v.stage, "first", "Ljava/lang/Object;");
    (*t->jni)->MonitorEnter(t->jni, first);
    virtual_let_go(t, &v);
    virtual_call_int(t, &v, "awaitState", 2);
    is_told = stage_awaits(t, v.thread, first);
    (*t->jni)->MonitorExit(t->jni, first);
    TRUE(is_told);
}

TCK_STACK(contended_none, "GetCurrentContendedMonitor.behaviour.virtual-none",
          "Get Current Contended Monitor", 144)
{
    struct virtual_thread v;
    jobject monitor;

    NEED("can_get_current_contended_monitor");
    if (!virtual_suspended(t, 'P', &v))
        return;
    monitor = v.stage;
    CALL(GetCurrentContendedMonitor, v.thread, &monitor);
    TRUE(monitor == NULL);
}
