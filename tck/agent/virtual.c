/* SPDX-License-Identifier: MIT */
/* tck/agent/virtual.c -- virtual threads, of level 21. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"
#include "tck/lib/virtual.h"

#include <string.h>

#define TCK_VIRTUAL(name, id, section, note)                                           \
    TCK_CASE_IN("virtual", name, id, section, note, TCK_LIVE, 21)

static jint
state_of(struct tck *t, jthread thread)
{
    jint state = -1;

    tck_want(t, "GetThreadState", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetThreadState(t->jvmti, thread, &state));
    return state;
}

static bool
is_suspended(struct tck *t, jthread thread)
{
    return (state_of(t, thread) & JVMTI_THREAD_STATE_SUSPENDED) != 0;
}

/* A suspended one; skips the case where none can be. */
static jthread
suspended_virtual(struct tck *t)
{
    jthread thread;

    if (!tck_has(t, "can_suspend")) {
        tck_skip(t, "the VM does not offer can_suspend");
        return NULL;
    }
    thread = stage_virtual(t);
    if (thread != NULL)
        tck_want(t, "SuspendThread", JVMTI_ERROR_NONE,
                 (*t->jvmti)->SuspendThread(t->jvmti, thread));
    return thread;
}

TCK_VIRTUAL(info, "GetThreadInfo.behaviour.virtual", "Get Thread Info", 133)
{
    jthread thread = stage_virtual(t);
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, thread, &info);
    SAME(5, info.priority);
    SAME(JNI_TRUE, info.is_daemon);
    CALL(Deallocate, (unsigned char *)info.name);
}

TCK_VIRTUAL(not_listed, "GetAllThreads.behaviour.no-virtual", "Get All Threads", 99)
{
    jthread thread = stage_virtual(t), *list;
    jint count;

    CALL(GetAllThreads, &count, &list);
    for (jint i = 0; i < count; i++)
        TRUE(!(*t->jni)->IsSameObject(t->jni, list[i], thread));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_VIRTUAL(no_trace, "GetAllStackTraces.behaviour.no-virtual", "Get All Stack Traces",
            176)
{
    jthread thread = stage_virtual(t);
    jvmtiStackInfo *info;
    jint count;

    CALL(GetAllStackTraces, 1, &info, &count);
    for (jint i = 0; i < count; i++)
        TRUE(!(*t->jni)->IsSameObject(t->jni, info[i].thread, thread));
    CALL(Deallocate, (unsigned char *)info);
}

TCK_VIRTUAL(state, "GetThreadState.behaviour.virtual", "Get Thread State", 81)
{
    jint state = state_of(t, stage_virtual(t));

    TRUE((state & JVMTI_THREAD_STATE_ALIVE) != 0);
    TRUE((state & JVMTI_THREAD_STATE_WAITING) != 0);
}

TCK_VIRTUAL(trace, "GetStackTrace.behaviour.virtual", "Get Stack Trace", 175)
{
    jthread thread = suspended_virtual(t);
    jvmtiFrameInfo frames[64];
    jint count, got;

    CALL(GetStackTrace, thread, 0, 64, frames, &got);
    CALL(GetFrameCount, thread, &count);
    TRUE(got > 0);
    SAME(count < 64 ? count : 64, got);
}

TCK_VIRTUAL(suspend, "SuspendThread.behaviour.virtual", "Suspend Thread", 107)
{
    jthread thread = stage_virtual(t);

    NEED("can_suspend");
    CALL(SuspendThread, thread);
    TRUE(is_suspended(t, thread));
    WANT(THREAD_SUSPENDED, SuspendThread, thread);
    CALL(ResumeThread, thread);
    TRUE(!is_suspended(t, thread));
}

TCK_VIRTUAL(suspend_all, "SuspendAllVirtualThreads.behaviour.suspends",
            "Suspend All Virtual Threads", 112)
{
    jthread thread = stage_virtual(t), platform = stage_start(t, 'W');

    NEED("can_suspend");
    NEED("can_support_virtual_threads");
    CALL(SuspendAllVirtualThreads, 0, NULL);
    TRUE(is_suspended(t, thread));
    TRUE(!is_suspended(t, platform));
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, thread));
}

TCK_VIRTUAL(suspend_except, "SuspendAllVirtualThreads.behaviour.exceptions",
            "Suspend All Virtual Threads", 112)
{
    jthread thread = stage_virtual(t);

    NEED("can_suspend");
    NEED("can_support_virtual_threads");
    CALL(SuspendAllVirtualThreads, 1, &thread);
    TRUE(!is_suspended(t, thread));
    CALL(ResumeAllVirtualThreads, 0, NULL);
}

TCK_VIRTUAL(suspend_before, "SuspendAllVirtualThreads.behaviour.suspended-before",
            "Suspend All Virtual Threads", 113)
{
    jthread thread = stage_virtual(t);

    NEED("can_suspend");
    NEED("can_support_virtual_threads");
    CALL(SuspendThread, thread);
    CALL(SuspendAllVirtualThreads, 0, NULL);
    TRUE(is_suspended(t, thread));
    CALL(ResumeThread, thread);
    TRUE(!is_suspended(t, thread));
    CALL(ResumeAllVirtualThreads, 0, NULL);
}

TCK_VIRTUAL(resume_except, "ResumeAllVirtualThreads.behaviour.exceptions",
            "Resume All Virtual Threads", 125)
{
    jthread thread = stage_virtual(t);

    NEED("can_suspend");
    NEED("can_support_virtual_threads");
    CALL(SuspendAllVirtualThreads, 0, NULL);
    CALL(ResumeAllVirtualThreads, 1, &thread);
    TRUE(is_suspended(t, thread));
    CALL(ResumeThread, thread);
}

TCK_VIRTUAL(storage, "SetThreadLocalStorage.behaviour.virtual",
            "Set Thread Local Storage", 155)
{
    jthread thread = stage_virtual(t);
    void *value = NULL;

    CALL(SetThreadLocalStorage, thread, &value);
    CALL(GetThreadLocalStorage, thread, &value);
    TRUE(value == &value);
}

/* -- events -- */

static void
run_once(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    jthread thread;
    jint hash;
    int count = 0;

    NEED("can_support_virtual_threads");
    RECORDING(*event);
    thread = stage_virtual(t);
    hash = record_hash(t, thread);
    stage_call_void(t, "tck/Stage", "endVirtual", "(Ljava/lang/Thread;)V", thread);
    /* A thread may be seen to have ended before its last event comes. */
    record_await(t->jvmti, *event, NULL, hash);
    record_quiet(t);
    for (int i = 0; i < record_count(); i++)
        count += record_at(i)->hash2 == hash;
    SAME(1, count);
}

static const jvmtiEvent start_event = JVMTI_EVENT_VIRTUAL_THREAD_START,
    end_event = JVMTI_EVENT_VIRTUAL_THREAD_END;

TCK_CASE_DATA("virtual", start_once, "VirtualThreadStart.behaviour.once",
              "Virtual Thread Start", 611, TCK_LIVE, 21, run_once, &start_event);
TCK_CASE_DATA("virtual", end_once, "VirtualThreadEnd.behaviour.once",
              "Virtual Thread End", 612, TCK_LIVE, 21, run_once, &end_event);

/* -- rows: what may be refused for a virtual thread -- */

/* The call has either to work or to answer with the row's error. */
static void
either(struct tck *t, const char *call, jvmtiError error, jvmtiError got)
{
    if (got != JVMTI_ERROR_NONE)
        tck_want(t, call, error, got);
}

TCK_VIRTUAL(cpu_time, "GetThreadCpuTime.error.UNSUPPORTED_OPERATION.thread.virtual",
            "Get Thread CPU Time", 517)
{
    jlong nanos = -1;
    jvmtiError got;

    NEED("can_get_thread_cpu_time");
    got = (*t->jvmti)->GetThreadCpuTime(t->jvmti, stage_virtual(t), &nanos);
    either(t, "GetThreadCpuTime(virtual thread)", JVMTI_ERROR_UNSUPPORTED_OPERATION,
           got);
    TRUE(got != JVMTI_ERROR_NONE || nanos >= 0);
}

struct cpu_time_call {
    jvmtiEnv *jvmti;
    jlong nanos;
    jvmtiError error;
};

static void
ask_cpu_time(JNIEnv *jni, void *data)
{
    struct cpu_time_call *c = data;

    (void)jni;
    c->error = (*c->jvmti)->GetCurrentThreadCpuTime(c->jvmti, &c->nanos);
}

TCK_VIRTUAL(current_cpu_time, "GetCurrentThreadCpuTime.error.UNSUPPORTED_OPERATION",
            "Get Current Thread CPU Time", 514)
{
    struct cpu_time_call call = { t->jvmti, -1, JVMTI_ERROR_INTERNAL };

    NEED("can_get_current_thread_cpu_time");
    NEED("can_support_virtual_threads");
    stage_on_virtual(t, ask_cpu_time, &call);
    either(t, "GetCurrentThreadCpuTime on a virtual thread",
           JVMTI_ERROR_UNSUPPORTED_OPERATION, call.error);
    TRUE(call.error != JVMTI_ERROR_NONE || call.nanos >= 0);
}

struct owned_call {
    jvmtiEnv *jvmti;
    jobject object;
    jvmtiError error;
    jvmtiMonitorUsage usage;
    bool is_owner;
};

static void
ask_usage(JNIEnv *jni, void *data)
{
    struct owned_call *c = data;
    jthread self = NULL;

    (*jni)->MonitorEnter(jni, c->object);
    c->error = (*c->jvmti)->GetObjectMonitorUsage(c->jvmti, c->object, &c->usage);
    (*c->jvmti)->GetCurrentThread(c->jvmti, &self);
    c->is_owner = c->error == JVMTI_ERROR_NONE && c->usage.owner != NULL
        && (*jni)->IsSameObject(jni, self, c->usage.owner);
    (*jni)->MonitorExit(jni, c->object);
}

TCK_VIRTUAL(owner, "GetObjectMonitorUsage.behaviour.virtual-owner",
            "Get Object Monitor Usage", 689)
{
    struct owned_call call = { .jvmti = t->jvmti, .error = JVMTI_ERROR_INTERNAL };
    jthread waiter;

    NEED("can_get_monitor_info");
    NEED("can_support_virtual_threads");
    /* A platform thread waits for a notification of it. */
    waiter = stage_start(t, 'W');
    call.object = (*t->jni)->NewGlobalRef(
        t->jni, stage_get(t, waiter, "lock", "Ljava/lang/Object;"));
    stage_on_virtual(t, ask_usage, &call);
    (*t->jni)->DeleteGlobalRef(t->jni, call.object);
    if (t->skipped)
        return;
    SAME(JVMTI_ERROR_NONE, call.error);
    CALL(Deallocate, (unsigned char *)call.usage.waiters);
    CALL(Deallocate, (unsigned char *)call.usage.notify_waiters);
    SAME(1, call.usage.notify_waiter_count);
    /* Until 21 the owner is the thread; in 25 it is NULL for a virtual one. */
    if (t->level <= 21) {
        TRUE(call.is_owner);
    } else if (t->level < 25) {
        TRUE(call.is_owner || call.usage.owner == NULL);
    } else {
        TRUE(call.usage.owner == NULL);
        SAME(0, call.usage.entry_count);
    }
}

TCK_VIRTUAL(pop, "PopFrame.error.OPAQUE_FRAME.2.virtual", "Pop Frame", 197)
{
    NEED("can_pop_frame");
    either(t, "PopFrame(suspended virtual thread)", JVMTI_ERROR_OPAQUE_FRAME,
           (*t->jvmti)->PopFrame(t->jvmti, suspended_virtual(t)));
}

TCK_VIRTUAL(stop, "StopThread.error.OPAQUE_FRAME.virtual", "Stop Thread", 129)
{
    jclass k = stage_class(t, "java/lang/Error");
    jobject exception = (*t->jni)->AllocObject(t->jni, k);
    jthread thread;
    jvmtiError got;

    NEED("can_signal_thread");
    NEED("can_suspend");
    NEED("can_support_virtual_threads");
    thread = suspended_virtual(t);
    got = (*t->jvmti)->StopThread(t->jvmti, thread, exception);
    either(t, "StopThread(suspended virtual thread)", JVMTI_ERROR_OPAQUE_FRAME, got);
    if (got != JVMTI_ERROR_NONE)
        return;
    CALL(ResumeThread, thread);
    stage_call_void(t, "tck/Stage", "endVirtual", "(Ljava/lang/Thread;)V", thread);
    TRUE((*t->jni)->IsSameObject(t->jni, exception,
                                 stage_static(t, "tck/Stage", "virtualThrown",
                                              "Ljava/lang/Throwable;")));
}

/* In a frame of a thread that waits, below the library's: OPAQUE_FRAME when the
   implementation cannot set its variables; else they are set. */
static void
run_set_local(struct tck *t, const void *data)
{
    jvmtiEnv *env = t->jvmti;
    struct virtual_thread v;
    jobject object = stage_string(t), kept;
    jvmtiError got;
    jint depth;
    bool set;

    NEED("can_access_local_variables");
    if (!virtual_suspended(t, 'P', &v))
        return;
    depth = virtual_depth(t, v.thread, virtual_method(t, "hold"));
    switch ((size_t)data) {
    case 1:
        got = (*env)->SetLocalObject(env, v.thread, depth, VIRTUAL_SLOT_OBJECT, object);
        break;
    case 2:
        got = (*env)->SetLocalInt(env, v.thread, depth, VIRTUAL_SLOT_INT, 12);
        break;
    case 3:
        got = (*env)->SetLocalLong(env, v.thread, depth, VIRTUAL_SLOT_LONG, 23);
        break;
    case 4:
        got = (*env)->SetLocalFloat(env, v.thread, depth, VIRTUAL_SLOT_FLOAT, 1.0f);
        break;
    default:
        got = (*env)->SetLocalDouble(env, v.thread, depth, VIRTUAL_SLOT_DOUBLE, 1.0);
    }
    either(t, "SetLocal(suspended virtual thread)", JVMTI_ERROR_OPAQUE_FRAME, got);
    if (!virtual_finish(t, &v))
        return;
    /* What hold() has in the end; no other variable has changed. */
    set = got == JVMTI_ERROR_NONE;
    kept = stage_get(t, v.stage, "objectResult", "Ljava/lang/Object;");
    SAME(set && (size_t)data == 1, (*t->jni)->IsSameObject(t->jni, object, kept));
    SAME(set && (size_t)data == 2 ? 12 : 11, stage_get_long(t, v.stage, "intResult"));
    SAME(set && (size_t)data == 3 ? 23 : 22, stage_get_long(t, v.stage, "longResult"));
    SAME(set && (size_t)data == 4 ? 0x3f800000 : 0x40600000,
         stage_get_long(t, v.stage, "floatBits"));
    SAME(set && (size_t)data == 5 ? 0x3ff0000000000000 : 0x4011000000000000,
         stage_get_long(t, v.stage, "doubleBits"));
}

#define SET_LOCAL(type, index)                                                         \
    TCK_CASE_DATA("virtual", set_##type, "SetLocal" #type ".error.OPAQUE_FRAME.2.virtual", \
                  "Local Variable", 317, TCK_LIVE, 21, run_set_local, (const void *)index)

SET_LOCAL(Object, 1);
SET_LOCAL(Int, 2);
SET_LOCAL(Long, 3);
SET_LOCAL(Float, 4);
SET_LOCAL(Double, 5);
