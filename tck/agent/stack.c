/* SPDX-License-Identifier: MIT */
/* tck/agent/stack.c -- chapter Stack Frame: traces, locations, owned monitors. */
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

/* More than any stack here has, with what a launcher may have below main(). */
#define MAX 256
/* The bits that a VM gives a meaning of its own. */
#define VENDOR                                                                         \
    (JVMTI_THREAD_STATE_VENDOR_1 | JVMTI_THREAD_STATE_VENDOR_2                         \
     | JVMTI_THREAD_STATE_VENDOR_3)

/* What Frames.probe() runs. */
static void (*probe)(struct tck *t);

JNIEXPORT void JNICALL
Java_tck_Frames_probe(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    if (probe != NULL)
        probe(&tck);
}

static void
at_depth(struct tck *t, jint n, void (*function)(struct tck *t))
{
    probe = function;
    stage_call_void(t, "tck/Frames", "deep", "(I)V", n);
    probe = NULL;
}

static jmethodID
deep(struct tck *t)
{
    return stage_method(t, "tck/Frames", "deep", "(I)V", true);
}

static jmethodID
native_probe(struct tck *t)
{
    return stage_method(t, "tck/Frames", "probe", "()V", true);
}

static jmethodID
host(struct tck *t, const char *name, const char *signature)
{
    return stage_method(t, "tck/Host", name, signature, true);
}

/* probe, deep, deep, deep, Host.run, Host.main; what is below main is the VM's own. */
static void
whole(struct tck *t)
{
    jvmtiFrameInfo f[MAX];
    jint count;

    CALL(GetStackTrace, NULL, 0, MAX, f, &count);
    TRUE(count >= 6);
    TRUE(f[0].method == native_probe(t));
    SAME(-1, f[0].location);
    for (int i = 1; i <= 3; i++)
        TRUE(f[i].method == deep(t));
    TRUE(f[4].method == host(t, "run", "()V"));
    SAME(-1, f[4].location);
    TRUE(f[5].method == host(t, "main", "([Ljava/lang/String;)V"));
    SAME(0, f[5].location);
    SAME(4, f[1].location);     /* invokestatic probe */
    SAME(13, f[2].location);    /* the two recursive calls */
    SAME(13, f[3].location);
}

TCK_CASE("stack", trace_whole, "GetStackTrace.behaviour.methods-and-locations",
         "Get Stack Trace", 169)
{
    NEED_BYTECODE_INDICES;
    at_depth(t, 2, whole);
}

static bool
same_frames(const jvmtiFrameInfo *a, jint a_count, const jvmtiFrameInfo *b, jint b_count)
{
    if (a_count != b_count)
        return false;
    for (jint i = 0; i < a_count; i++)
        if (a[i].method != b[i].method || a[i].location != b[i].location)
            return false;
    return true;
}

static void
from_depth(struct tck *t)
{
    jvmtiFrameInfo all[MAX], part[MAX];
    jint count, got;

    CALL(GetStackTrace, NULL, 0, MAX, all, &count);
    for (jint start = 0; start < count; start++) {
        CALL(GetStackTrace, NULL, start, MAX, part, &got);
        SAME(count - start, got);
        TRUE(same_frames(part, got, all + start, count - start));
    }
}

TCK_CASE("stack", trace_from, "GetStackTrace.behaviour.start-depth", "Get Stack Trace",
         166)
{
    at_depth(t, 3, from_depth);
}

static void
from_oldest(struct tck *t)
{
    jvmtiFrameInfo all[MAX], part[MAX];
    jint count, got;

    CALL(GetStackTrace, NULL, 0, MAX, all, &count);
    for (jint back = 1; back <= count; back++) {
        CALL(GetStackTrace, NULL, -back, MAX, part, &got);
        SAME(back, got);
        TRUE(same_frames(part, got, all + count - back, back));
    }
    CALL(GetStackTrace, NULL, -3, 2, part, &got);
    TRUE(same_frames(part, got, all + count - 3, 2));
}

TCK_CASE("stack", trace_negative, "GetStackTrace.behaviour.negative-start-depth",
         "Get Stack Trace", 167)
{
    at_depth(t, 3, from_oldest);
}

static void
limited(struct tck *t)
{
    jvmtiFrameInfo all[MAX], part[MAX];
    jint count, got;

    CALL(GetStackTrace, NULL, 0, MAX, all, &count);
    for (jint max = 0; max <= count; max++) {
        memset(part, 0, sizeof part);
        CALL(GetStackTrace, NULL, 0, max, part, &got);
        SAME(max, got);
        TRUE(same_frames(part, got, all, max));
        TRUE(part[max].method == NULL);
    }
}

TCK_CASE("stack", trace_limited, "GetStackTrace.behaviour.max-frame-count",
         "Get Stack Trace", 170)
{
    at_depth(t, 2, limited);
}

static void
at_the_edges(struct tck *t)
{
    jvmtiFrameInfo f[MAX];
    jint count, got;

    CALL(GetFrameCount, NULL, &count);
    CALL(GetStackTrace, NULL, count - 1, MAX, f, &got);
    SAME(1, got);
    CALL(GetStackTrace, NULL, -count, MAX, f, &got);
    SAME(count, got);
}

TCK_CASE("stack", trace_edges,
         "GetStackTrace.behaviour.depth-bounds", "Get Stack Trace",
         171)
{
    at_depth(t, 1, at_the_edges);
}

static void
beyond_the_edges(struct tck *t)
{
    jvmtiFrameInfo f[MAX];
    jint count, got;

    CALL(GetFrameCount, NULL, &count);
    WANT(ILLEGAL_ARGUMENT, GetStackTrace, NULL, count, MAX, f, &got);
    WANT(ILLEGAL_ARGUMENT, GetStackTrace, NULL, -count - 1, MAX, f, &got);
}

TCK_CASE("stack", trace_beyond, "GetStackTrace.behaviour.beyond-depth-bounds",
         "Get Stack Trace", 172)
{
    at_depth(t, 1, beyond_the_edges);
}

static void
counted(struct tck *t)
{
    jvmtiFrameInfo f[MAX];
    jint count, got;

    CALL(GetFrameCount, NULL, &count);
    CALL(GetStackTrace, NULL, 0, MAX, f, &got);
    SAME(got, count);
}

TCK_CASE("stack", frame_count,
         "GetFrameCount.behaviour.as-stack-trace", "Get Frame Count",
         186)
{
    at_depth(t, 5, counted);
}

static jint base_count;

static void
note_count(struct tck *t)
{
    CALL(GetFrameCount, NULL, &base_count);
}

TCK_CASE("stack", frame_count_grows, "GetFrameCount.behaviour.every-frame",
         "Get Frame Count", 186)
{
    jint shallow;

    at_depth(t, 0, note_count);
    shallow = base_count;
    at_depth(t, 7, note_count);
    SAME(shallow + 7, base_count);
}

TCK_CASE("stack", empty_stack, "GetStackTrace.behaviour.empty-stack", "Get Stack Trace",
         171)
{
    jthread thread = stage_bare(t, false);
    jvmtiFrameInfo f[4];
    jint count = -1;

    CALL(GetStackTrace, thread, 0, 4, f, &count);
    SAME(0, count);
    CALL(GetFrameCount, thread, &count);
    SAME(0, count);
}

static jmethodID
stage_frame(struct tck *t, const char *name)
{
    bool run = strcmp(name, "run") == 0;

    return stage_method(t, "tck/Stage", name,
                        run ? "()V" : "(Ltck/Stage;IJFDLjava/lang/Object;)V", !run);
}

TCK_CASE("stack", other_thread,
         "GetStackTrace.behaviour.other-thread", "Get Stack Trace",
         173)
{
    jthread thread = stage_start(t, 'V');
    jvmtiFrameInfo f[MAX];
    jint count;

    CALL(GetStackTrace, thread, 0, MAX, f, &count);
    TRUE(count >= 2);
    TRUE(f[0].method == stage_frame(t, "spinV"));
    TRUE(f[1].method == stage_frame(t, "run"));
}

TCK_CASE("stack", suspended_thread, "GetStackTrace.behaviour.suspended-thread",
         "Get Stack Trace", 173)
{
    jthread thread;
    jvmtiFrameInfo f[MAX];
    jint count, again;
    jlocation first;

    NEED("can_suspend");
    thread = stage_suspended(t, 'V');
    CALL(GetStackTrace, thread, 0, MAX, f, &count);
    TRUE(f[0].method == stage_frame(t, "spinV"));
    first = f[0].location;
    CALL(GetStackTrace, thread, 0, MAX, f, &again);
    SAME(count, again);
    SAME(first, f[0].location);
}

/* -- locations -- */

static void
locations(struct tck *t)
{
    jvmtiFrameInfo f[MAX];
    jmethodID method;
    jlocation location;
    jint count;

    CALL(GetStackTrace, NULL, 0, MAX, f, &count);
    for (jint i = 0; i < count; i++) {
        CALL(GetFrameLocation, NULL, i, &method, &location);
        TRUE(method == f[i].method);
        SAME(f[i].location, location);
    }
    WANT(NO_MORE_FRAMES, GetFrameLocation, NULL, count, &method, &location);
}

TCK_CASE("stack", frame_location, "GetFrameLocation.behaviour.every-frame",
         "Get Frame Location", 200)
{
    at_depth(t, 3, locations);
}

TCK_CASE("stack", native_location, "GetFrameLocation.behaviour.native-method",
         "Get Frame Location", 200)
{
    jmethodID method;
    jlocation location = 0;

    CALL(GetFrameLocation, NULL, 0, &method, &location);
    TRUE(method == host(t, "run", "()V"));
    SAME(-1, location);
}

/* -- all threads, listed threads -- */

static const jvmtiStackInfo *
find_info(struct tck *t, const jvmtiStackInfo *info, jint count, jthread thread)
{
    for (jint i = 0; i < count; i++)
        if ((*t->jni)->IsSameObject(t->jni, info[i].thread, thread))
            return &info[i];
    return NULL;
}

TCK_CASE("stack", all_traces, "GetAllStackTraces.behaviour.live-threads",
         "Get All Stack Traces", 176)
{
    jthread a, b = stage_bare(t, false), self;
    const jvmtiStackInfo *of_a, *of_b, *of_self;
    jvmtiStackInfo *info;
    jint count;

    NEED("can_suspend");
    a = stage_suspended(t, 'V');
    CALL(GetCurrentThread, &self);
    CALL(GetAllStackTraces, MAX, &info, &count);
    of_a = find_info(t, info, count, a);
    of_b = find_info(t, info, count, b);
    of_self = find_info(t, info, count, self);
    TRUE(of_a != NULL && of_b != NULL && of_self != NULL);
    TRUE(of_a->frame_count >= 2);
    TRUE(of_a->frame_buffer[0].method == stage_frame(t, "spinV"));
    TRUE((of_a->state & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    SAME(0, of_b->frame_count);
    TRUE(of_self->frame_buffer[0].method == host(t, "run", "()V"));
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", all_traces_unstarted, "GetAllStackTraces.behaviour.not-unstarted",
         "Get All Stack Traces", 176)
{
    jthread unstarted = stage_unstarted(t, 'V'), ended = stage_ended(t);
    jvmtiStackInfo *info;
    jint count;

    CALL(GetAllStackTraces, 1, &info, &count);
    TRUE(find_info(t, info, count, unstarted) == NULL);
    TRUE(find_info(t, info, count, ended) == NULL);
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", all_traces_limited, "GetAllStackTraces.behaviour.max-frame-count",
         "Get All Stack Traces", 179)
{
    jvmtiStackInfo *info;
    const jvmtiStackInfo *of_self;
    jthread self;
    jint count;

    CALL(GetCurrentThread, &self);
    CALL(GetAllStackTraces, 1, &info, &count);
    TRUE(count > 0);
    for (jint i = 0; i < count; i++)
        TRUE(info[i].frame_count <= 1);
    of_self = find_info(t, info, count, self);
    TRUE(of_self != NULL);
    SAME(1, of_self->frame_count);
    CALL(Deallocate, (unsigned char *)info);
    CALL(GetAllStackTraces, 0, &info, &count);
    for (jint i = 0; i < count; i++)
        SAME(0, info[i].frame_count);
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", list_order, "GetThreadListStackTraces.behaviour.request-order",
         "Get Thread List Stack Traces", 181)
{
    jthread list[3];
    jvmtiStackInfo *info;

    list[0] = stage_start(t, 'W');
    list[1] = stage_start(t, 'V');
    CALL(GetCurrentThread, &list[2]);
    CALL(GetThreadListStackTraces, 3, list, MAX, &info);
    for (int i = 0; i < 3; i++)
        TRUE((*t->jni)->IsSameObject(t->jni, list[i], info[i].thread));
    TRUE(info[1].frame_buffer[0].method == stage_frame(t, "spinV"));
    TRUE(info[2].frame_buffer[0].method == host(t, "run", "()V"));
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", list_limited, "GetThreadListStackTraces.behaviour.max-frame-count",
         "Get Thread List Stack Traces", 767)
{
    jvmtiStackInfo *info;
    jthread self;

    CALL(GetCurrentThread, &self);
    for (jint max = 0; max <= 2; max++) {
        CALL(GetThreadListStackTraces, 1, &self, max, &info);
        SAME(max, info->frame_count);
        CALL(Deallocate, (unsigned char *)info);
    }
}

/* Does each record of the three threads tell what the thread's own trace and state are? */
static bool
agree(struct tck *t, const jthread *threads, const jvmtiStackInfo *info, jint count)
{
    jvmtiFrameInfo frames[MAX];

    for (int i = 0; i < 3; i++) {
        const jvmtiStackInfo *one = find_info(t, info, count, threads[i]);
        jint frame_count = -1, state = 0;

        tck_want(t, "GetStackTrace", JVMTI_ERROR_NONE,
                 (*t->jvmti)->GetStackTrace(t->jvmti, threads[i], 0, MAX, frames,
                                            &frame_count));
        tck_want(t, "GetThreadState", JVMTI_ERROR_NONE,
                 (*t->jvmti)->GetThreadState(t->jvmti, threads[i], &state));
        if (!tck_true(t, "the thread is among those told", one != NULL)
            || !tck_true(t, "the frames are those of GetStackTrace",
                         same_frames(frames, frame_count, one->frame_buffer,
                                     one->frame_count))
            || !tck_same(t, "the state", state & ~VENDOR, one->state & ~VENDOR))
            return false;
    }
    return !t->failed;
}

/* Threads that don't move, so that they can be asked one after the other. */
static bool
three_suspended(struct tck *t, jthread *threads)
{
    if (!tck_has(t, "can_suspend")) {
        tck_skip(t, "the VM does not offer can_suspend");
        return false;
    }
    threads[0] = stage_suspended(t, 'V');
    threads[1] = stage_suspended(t, 'W');
    threads[2] = stage_bare(t, true);
    return !t->failed;
}

TCK_CASE("stack", list_frames, "GetThreadListStackTraces.behaviour.frames",
         "Get Thread List Stack Traces", 687)
{
    jvmtiStackInfo *info;
    jthread list[3];

    if (!three_suspended(t, list))
        return;
    CALL(GetThreadListStackTraces, 3, list, MAX, &info);
    if (agree(t, list, info, 3))
        CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", all_frames, "GetAllStackTraces.behaviour.frames",
         "Get All Stack Traces", 687)
{
    jvmtiStackInfo *info;
    jthread threads[3];
    jint count;

    if (!three_suspended(t, threads))
        return;
    CALL(GetAllStackTraces, MAX, &info, &count);
    if (agree(t, threads, info, count))
        CALL(Deallocate, (unsigned char *)info);
}

/* What a thread's own functions tell of it at a moment. */
struct moment {
    jvmtiFrameInfo frames[MAX];
    jint count, state;
    bool known;
};

static void
take_moment(struct tck *t, jthread thread, struct moment *m)
{
    m->known = (*t->jvmti)->GetThreadState(t->jvmti, thread, &m->state) == JVMTI_ERROR_NONE
        && (*t->jvmti)->GetStackTrace(t->jvmti, thread, 0, MAX, m->frames, &m->count)
            == JVMTI_ERROR_NONE;
}

static bool
same_moment(const struct moment *a, const jvmtiFrameInfo *frames, jint count, jint state)
{
    return (a->state & ~VENDOR) == (state & ~VENDOR)
        && same_frames(a->frames, a->count, frames, count);
}

/* How many of the threads that were the same before and after are told otherwise. */
static int
told_otherwise(struct tck *t, const jthread *threads, jint count, struct moment *before)
{
    jvmtiStackInfo *info = NULL;
    struct moment after;
    jint told = 0;
    int wrong = 0;

    for (jint i = 0; i < count; i++)
        take_moment(t, threads[i], &before[i]);
    if (!tck_want(t, "GetAllStackTraces", JVMTI_ERROR_NONE,
                  (*t->jvmti)->GetAllStackTraces(t->jvmti, MAX, &info, &told)))
        return 0;
    for (jint i = 0; i < count; i++) {
        const jvmtiStackInfo *one = find_info(t, info, told, threads[i]);

        take_moment(t, threads[i], &after);
        if (before[i].known && after.known
            && same_moment(&before[i], after.frames, after.count, after.state))
            wrong += one == NULL
                || !same_moment(&before[i], one->frame_buffer, one->frame_count,
                                one->state);
    }
    for (jint i = 0; i < told; i++)
        (*t->jni)->DeleteLocalRef(t->jni, info[i].thread);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)info);
    return wrong;
}

/* A thread that came back to where it was has moved all the same, so it is asked again. */
TCK_CASE("stack", all_still, "GetAllStackTraces.behaviour.every-thread",
         "Get All Stack Traces", 687)
{
    struct moment *moments;
    jthread *threads;
    jint count;
    int wrong = 1;

    CALL(GetAllThreads, &count, &threads);
    moments = calloc(count, sizeof *moments);
    TRUE(moments != NULL);
    for (int i = 0; i < 100 && wrong > 0 && !t->failed; i++)
        wrong = told_otherwise(t, threads, count, moments);
    free(moments);
    CALL(Deallocate, (unsigned char *)threads);
    SAME(0, wrong);
}

TCK_CASE("stack", list_dead, "GetThreadListStackTraces.behaviour.not-alive",
         "Get Thread List Stack Traces", 182)
{
    jthread list[2] = { stage_unstarted(t, 'V'), stage_ended(t) };
    jvmtiStackInfo *info;

    CALL(GetThreadListStackTraces, 2, list, MAX, &info);
    SAME(0, info[0].frame_count);
    SAME(0, info[0].state & ~VENDOR);
    SAME(0, info[1].frame_count);
    TRUE((info[1].state & JVMTI_THREAD_STATE_TERMINATED) != 0);
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("stack", list_empty, "GetThreadListStackTraces.behaviour.empty-list",
         "Function Return Values", 49)
{
    jthread none = NULL;
    jvmtiStackInfo not_null, *info = &not_null;

    CALL(GetThreadListStackTraces, 0, &none, MAX, &info);
    TRUE(info == NULL);
}

/* -- monitors -- */

static jobject
lock(struct tck *t, const char *name)
{
    return stage_static(t, "tck/Frames", name, "Ljava/lang/Object;");
}

/* How often the list has it. */
static int
times(struct tck *t, const jobject *list, jint count, jobject object)
{
    int found = 0;

    for (jint i = 0; i < count; i++)
        found += (*t->jni)->IsSameObject(t->jni, list[i], object);
    return found;
}

/* What the thread owns before the case enters anything: a launcher may hold a monitor. */
static jint
owned_before(struct tck *t)
{
    jobject *list = NULL;
    jint count = -1;

    tck_want(t, "GetOwnedMonitorInfo", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetOwnedMonitorInfo(t->jvmti, NULL, &count, &list));
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    return count;
}

static jint base_owned;

static void
owned(struct tck *t)
{
    jobject *list;
    jint count;

    CALL(GetOwnedMonitorInfo, NULL, &count, &list);
    SAME(base_owned + 2, count);
    SAME(1, times(t, list, count, lock(t, "A")));
    SAME(1, times(t, list, count, lock(t, "B")));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("stack", owned_once, "GetOwnedMonitorInfo.behaviour.each-once",
         "Get Owned Monitor Info", 139)
{
    NEED("can_get_owned_monitor_info");
    base_owned = owned_before(t);
    probe = owned;
    stage_call_void(t, "tck/Frames", "locked", "()V");
    probe = NULL;
}

TCK_CASE("stack", owned_none, "GetOwnedMonitorInfo.behaviour.none",
         "Get Owned Monitor Info", 769)
{
    jobject *list = NULL;
    jint count = -1;

    NEED("can_get_owned_monitor_info");
    CALL(GetOwnedMonitorInfo, stage_start(t, 'V'), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
}

static void
owned_class(struct tck *t)
{
    jobject *list;
    jint count;

    CALL(GetOwnedMonitorInfo, NULL, &count, &list);
    SAME(base_owned + 1, count);
    SAME(1, times(t, list, count, stage_class(t, "tck/Frames")));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("stack", owned_method, "GetOwnedMonitorInfo.behaviour.synchronized-method",
         "Get Owned Monitor Info", 139)
{
    NEED("can_get_owned_monitor_info");
    base_owned = owned_before(t);
    probe = owned_class;
    stage_call_void(t, "tck/Frames", "lockedMethod", "()V");
    probe = NULL;
}

static jint
depths_before(struct tck *t)
{
    jvmtiMonitorStackDepthInfo *list = NULL;
    jint count = -1;

    tck_want(t, "GetOwnedMonitorStackDepthInfo", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetOwnedMonitorStackDepthInfo(t->jvmti, NULL, &count, &list));
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    return count;
}

/* probe 0, inner 1 (A again, B), locked 2 (A), and the agent's own on a Model; -1 each "if
   the implementation cannot determine the stack depth". */
static void
owned_depths(struct tck *t)
{
    jvmtiMonitorStackDepthInfo *list;
    jobject mine = stage_object(t), a = lock(t, "A"), b = lock(t, "B");
    jint count;
    int seen_a = 0, seen_b = 0, seen_mine = 0;

    (*t->jni)->MonitorEnter(t->jni, mine);
    CALL(GetOwnedMonitorStackDepthInfo, NULL, &count, &list);
    for (jint i = 0; i < count; i++) {
        if ((*t->jni)->IsSameObject(t->jni, list[i].monitor, a)) {
            seen_a++;
            TRUE(list[i].stack_depth == -1 || list[i].stack_depth == 1
                 || list[i].stack_depth == 2);
        } else if ((*t->jni)->IsSameObject(t->jni, list[i].monitor, b)) {
            seen_b++;
            TRUE(list[i].stack_depth == -1 || list[i].stack_depth == 1);
        } else if ((*t->jni)->IsSameObject(t->jni, list[i].monitor, mine)) {
            /* The native method's. */
            seen_mine++;
            TRUE(list[i].stack_depth == -1 || list[i].stack_depth == 0);
        }
    }
    (*t->jni)->MonitorExit(t->jni, mine);
    TRUE(seen_a >= 1);
    SAME(1, seen_b);
    SAME(1, seen_mine);
    SAME(base_owned + seen_a + seen_b + seen_mine, count);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("stack", owned_depth, "GetOwnedMonitorStackDepthInfo.behaviour.depths",
         "Get Owned Monitor Stack Depth Info", 141)
{
    NEED("can_get_owned_monitor_stack_depth_info");
    base_owned = depths_before(t);
    probe = owned_depths;
    stage_call_void(t, "tck/Frames", "locked", "()V");
    probe = NULL;
}

TCK_CASE("stack", owned_depth_none, "GetOwnedMonitorStackDepthInfo.behaviour.none",
         "Get Owned Monitor Stack Depth Info", 769)
{
    jvmtiMonitorStackDepthInfo *list = NULL;
    jint count = -1;

    NEED("can_get_owned_monitor_stack_depth_info");
    CALL(GetOwnedMonitorStackDepthInfo, stage_start(t, 'V'), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
}

static void
used_twice(struct tck *t)
{
    jvmtiMonitorUsage usage;
    jthread self;

    CALL(GetCurrentThread, &self);
    CALL(GetObjectMonitorUsage, lock(t, "A"), &usage);
    TRUE((*t->jni)->IsSameObject(t->jni, self, usage.owner));
    SAME(2, usage.entry_count);
    CALL(GetObjectMonitorUsage, lock(t, "B"), &usage);
    SAME(1, usage.entry_count);
}

TCK_CASE("stack", usage, "GetObjectMonitorUsage.behaviour.owner",
         "Get Object Monitor Usage", 418)
{
    NEED("can_get_monitor_info");
    probe = used_twice;
    stage_call_void(t, "tck/Frames", "locked", "()V");
    probe = NULL;
}

TCK_CASE("stack", contended, "GetCurrentContendedMonitor.behaviour.blocked",
         "Get Current Contended Monitor", 143)
{
    jobject held = stage_static(t, "tck/Threads", "HELD", "Ljava/lang/Object;");
    jthread thread;
    bool told;

    NEED("can_get_current_contended_monitor");
    (*t->jni)->MonitorEnter(t->jni, held);
    thread = stage_call(t, "tck/Threads", "blocked", "()Ljava/lang/Thread;");
    told = stage_awaits(t, thread, held);
    (*t->jni)->MonitorExit(t->jni, held);
    stage_call_void(t, "tck/Threads", "end", "(Ljava/lang/Thread;)V", thread);
    TRUE(told);
}

TCK_CASE("stack", contended_regain, "GetCurrentContendedMonitor.behaviour.regaining",
         "Get Current Contended Monitor", 143)
{
    jobject held = stage_static(t, "tck/Threads", "HELD", "Ljava/lang/Object;");
    jthread thread;
    bool told;

    NEED("can_get_current_contended_monitor");
    thread = stage_call(t, "tck/Threads", "waiting", "(J)Ljava/lang/Thread;", (jlong)0);
    (*t->jni)->MonitorEnter(t->jni, held);
    stage_call_void(t, "tck/Threads", "regain", "(Ljava/lang/Thread;)V", thread);
    told = stage_awaits(t, thread, held);
    (*t->jni)->MonitorExit(t->jni, held);
    stage_call_void(t, "tck/Threads", "end", "(Ljava/lang/Thread;)V", thread);
    TRUE(told);
}

TCK_CASE("stack", contended_none, "GetCurrentContendedMonitor.behaviour.none",
         "Get Current Contended Monitor", 144)
{
    jobject monitor = stage_object(t);

    NEED("can_get_current_contended_monitor");
    CALL(GetCurrentContendedMonitor, stage_start(t, 'V'), &monitor);
    TRUE(monitor == NULL);
}
