/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/virtual_state.c -- the states of virtual threads, what is known of each, and
 * suspending, interrupting and storing things for them.
 */
#include "tck/lib/stage.h"
#include "tck/lib/virtual.h"

#include <string.h>
#include <time.h>

#define TCK_STATE(name, id, section, note) \
    TCK_CASE_IN("virtual-state", name, id, section, note, TCK_LIVE, 21)

#define ALIVE JVMTI_THREAD_STATE_ALIVE
#define RUNNABLE JVMTI_THREAD_STATE_RUNNABLE
#define BLOCKED JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER
#define WAITING JVMTI_THREAD_STATE_WAITING
#define FOR_EVER JVMTI_THREAD_STATE_WAITING_INDEFINITELY
#define FOR_A_TIME JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT
#define SLEEPING JVMTI_THREAD_STATE_SLEEPING
#define IN_OBJECT_WAIT JVMTI_THREAD_STATE_IN_OBJECT_WAIT
#define PARKED JVMTI_THREAD_STATE_PARKED
#define SUSPENDED JVMTI_THREAD_STATE_SUSPENDED
#define INTERRUPTED JVMTI_THREAD_STATE_INTERRUPTED
#define IN_NATIVE JVMTI_THREAD_STATE_IN_NATIVE
/* The bits that a VM gives a meaning of its own. */
#define VENDOR \
    (JVMTI_THREAD_STATE_VENDOR_1 | JVMTI_THREAD_STATE_VENDOR_2 \
     | JVMTI_THREAD_STATE_VENDOR_3)

static jint
state_of(struct tck *t, jthread thread)
{
    jint state = -1;

    tck_want(t, "GetThreadState(virtual thread)", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetThreadState(t->jvmti, thread, &state));
    return state & ~VENDOR;
}

static bool
is_suspended(struct tck *t, const struct virtual_thread *v)
{
    return (state_of(t, v->thread) & SUSPENDED) != 0;
}

/* -- states -- */

struct state_at {
    char place;
    jint state;
    jint or_state; /* as good */
    jint mask;     /* JVMTI_JAVA_LANG_THREAD_STATE_... */
};

/* The thread's state without IN_NATIVE, where the library may wait in a native method. */
static jint
state_at(struct tck *t, const struct state_at *at, jthread thread)
{
    jint state = state_of(t, thread);

    return (at->state & WAITING) != 0 ? state & ~IN_NATIVE : state;
}

/*
 * The state that the place makes comes at last: java.lang.Thread.State, by which the thread
 * was seen to be there, is not told by the same function, and IN_NATIVE is of a method that
 * "has not called back into the VM", which one that waits for a field does now and then.
 */
static void
check_state(struct tck *t, const struct state_at *at, jint also)
{
    struct virtual_thread v;
    jint state = 0;

    if (!virtual_start(t, at->place, &v))
        return;
    for (int i = 0; i < 1000; i++) {
        if (also == SUSPENDED)
            CALL(SuspendThread, v.thread);
        state = state_at(t, at, v.thread);
        if (t->failed || state == (at->state | also) || state == (at->or_state | also))
            break;
        if (also == SUSPENDED)
            CALL(ResumeThread, v.thread);
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    if (state != (at->or_state | also))
        SAME(at->state | also, state);
    SAME(at->mask, state & JVMTI_JAVA_LANG_THREAD_STATE_MASK);
    if (also == SUSPENDED)
        CALL(ResumeThread, v.thread);
}

static void
run_state(struct tck *t, const void *data)
{
    check_state(t, data, 0);
}

static void
run_suspended_state(struct tck *t, const void *data)
{
    NEED("can_suspend");
    check_state(t, data, SUSPENDED);
}

#define STATE(name, note, place, state, or_state, java) \
    static const struct state_at at_##name = { place, ALIVE | (state), \
                                               ALIVE | (or_state), \
                                               JVMTI_JAVA_LANG_THREAD_STATE_##java }; \
    TCK_CASE_DATA("virtual-state", state_##name, \
                  "GetThreadState.behaviour.virtual-" #name, "Get Thread State", note, \
                  TCK_LIVE, 21, run_state, &at_##name); \
    TCK_CASE_DATA("virtual-state", suspended_##name, \
                  "GetThreadState.behaviour.virtual-" #name "-suspended", \
                  "Get Thread State", 90, TCK_LIVE, 21, run_suspended_state, \
                  &at_##name)

STATE(parked, 89, 'P', WAITING | FOR_EVER | PARKED, WAITING | FOR_EVER | PARKED,
      WAITING);
STATE(pinned, 89, 'X', WAITING | FOR_EVER | PARKED, WAITING | FOR_EVER | PARKED,
      WAITING);
STATE(timed, 89, 'Q', WAITING | FOR_A_TIME | PARKED, WAITING | FOR_A_TIME | PARKED,
      TIMED_WAITING);
STATE(sleeping, 88, 'Z', WAITING | FOR_A_TIME | SLEEPING, WAITING | FOR_A_TIME | PARKED,
      TIMED_WAITING);
STATE(waiting, 87, 'W', WAITING | FOR_EVER | IN_OBJECT_WAIT,
      WAITING | FOR_EVER | IN_OBJECT_WAIT, WAITING);
STATE(waits, 87, 'T', WAITING | FOR_A_TIME | IN_OBJECT_WAIT,
      WAITING | FOR_A_TIME | IN_OBJECT_WAIT, TIMED_WAITING);
STATE(blocked, 86, 'B', BLOCKED, BLOCKED, BLOCKED);
STATE(running, 90, 'M', RUNNABLE, RUNNABLE, RUNNABLE);
STATE(native, 91, 'N', RUNNABLE | IN_NATIVE, RUNNABLE | IN_NATIVE, RUNNABLE);

TCK_STATE(unstarted, "GetThreadState.behaviour.virtual-unstarted", "Get Thread State",
          78)
{
    struct virtual_thread v;

    if (virtual_create(t, 'P', 0, &v))
        SAME(0, state_of(t, v.thread));
}

TCK_STATE(ended, "GetThreadState.behaviour.virtual-ended", "Get Thread State", 79)
{
    struct virtual_thread v;

    if (virtual_ended(t, &v))
        SAME(JVMTI_THREAD_STATE_TERMINATED, state_of(t, v.thread));
}

/* -- interrupts -- */

static bool
is_interrupted(struct tck *t, const struct virtual_thread *v)
{
    return stage_call_long(t, "tck/Threads", "interrupted", "(Ljava/lang/Thread;)Z",
                           v->thread);
}

TCK_STATE(interrupt_running, "InterruptThread.behaviour.virtual-mounted",
          "Interrupt Thread", 131)
{
    struct virtual_thread v;

    NEED("can_signal_thread");
    if (!virtual_start(t, 'M', &v))
        return;
    CALL(InterruptThread, v.thread);
    TRUE(is_interrupted(t, &v));
    SAME(ALIVE | RUNNABLE | INTERRUPTED, state_of(t, v.thread));
}

TCK_STATE(interrupt_parked, "InterruptThread.behaviour.virtual-parked",
          "Interrupt Thread", 131)
{
    struct virtual_thread v;

    NEED("can_signal_thread");
    if (!virtual_start(t, 'P', &v))
        return;
    CALL(InterruptThread, v.thread);
    /* It leaves park(), and then hold(), though it was not let go. */
    stage_call_void(t, "tck/Threads", "join", "(Ljava/lang/Thread;)V", v.thread);
    SAME(11, stage_get_long(t, v.stage, "intResult"));
}

/* What ends with an InterruptedException; data is the place. */
static void
run_interrupt(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jobject thrown;

    NEED("can_signal_thread");
    if (!virtual_start(t, *(const char *)data, &v))
        return;
    CALL(InterruptThread, v.thread);
    stage_call_void(t, "tck/Threads", "join", "(Ljava/lang/Thread;)V", v.thread);
    thrown = stage_get(t, v.stage, "thrown", "Ljava/lang/Throwable;");
    TRUE(thrown != NULL);
    TRUE((*t->jni)->IsInstanceOf(t->jni, thrown,
                                 stage_class(t, "java/lang/InterruptedException")));
}

TCK_CASE_DATA("virtual-state", interrupt_waiting,
              "InterruptThread.behaviour.virtual-waiting", "Interrupt Thread", 131,
              TCK_LIVE, 21, run_interrupt, "W");
TCK_CASE_DATA("virtual-state", interrupt_sleeping,
              "InterruptThread.behaviour.virtual-sleeping", "Interrupt Thread", 131,
              TCK_LIVE, 21, run_interrupt, "Z");

/* -- what is known of a thread -- */

TCK_STATE(name, "GetThreadInfo.behaviour.virtual-name", "Get Thread Info", 132)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;

    if (!virtual_start(t, 'Q', &v))
        return;
    CALL(GetThreadInfo, v.thread, &info);
    TEXT("virtual-Q", info.name);
    CALL(Deallocate, (unsigned char *)info.name);
}

TCK_STATE(group, "GetThreadInfo.behaviour.virtual-group", "Get Thread Info", 132)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;
    jmethodID get = stage_method(t, "java/lang/Thread", "getThreadGroup",
                                 "()Ljava/lang/ThreadGroup;", false);

    if (!virtual_start(t, 'P', &v))
        return;
    CALL(GetThreadInfo, v.thread, &info);
    CALL(Deallocate, (unsigned char *)info.name);
    TRUE(info.thread_group != NULL);
    TRUE((*t->jni)->IsSameObject(t->jni, info.thread_group,
                                 (*t->jni)->CallObjectMethod(t->jni, v.thread, get)));
}

TCK_STATE(loader, "GetThreadInfo.behaviour.virtual-loader", "Get Thread Info", 138)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;
    jmethodID set = stage_method(t, "java/lang/Thread", "setContextClassLoader",
                                 "(Ljava/lang/ClassLoader;)V", false);
    jobject loader = stage_call(t, "tck/Events", "newLoader",
                                "()Ljava/lang/ClassLoader;");

    if (!virtual_start(t, 'P', &v))
        return;
    (*t->jni)->CallVoidMethod(t->jni, v.thread, set, loader);
    CALL(GetThreadInfo, v.thread, &info);
    CALL(Deallocate, (unsigned char *)info.name);
    TRUE((*t->jni)->IsSameObject(t->jni, loader, info.context_class_loader));
}

TCK_STATE(info_unstarted, "GetThreadInfo.behaviour.virtual-unstarted",
          "Get Thread Info", 135)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;

    if (!virtual_create(t, 'S', 0, &v))
        return;
    CALL(GetThreadInfo, v.thread, &info);
    TEXT("virtual-S", info.name);
    CALL(Deallocate, (unsigned char *)info.name);
    SAME(5, info.priority);
    SAME(JNI_TRUE, info.is_daemon);
}

TCK_STATE(info_ended, "GetThreadInfo.behaviour.virtual-ended", "Get Thread Info", 134)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;

    if (!virtual_ended(t, &v))
        return;
    CALL(GetThreadInfo, v.thread, &info);
    TEXT("virtual-P", info.name);
    CALL(Deallocate, (unsigned char *)info.name);
    TRUE(info.thread_group == NULL);
}

TCK_STATE(no_children, "GetThreadGroupChildren.behaviour.no-virtual",
          "Get Thread Group Children", 162)
{
    struct virtual_thread v;
    jvmtiThreadInfo info;
    jthread *threads;
    jthreadGroup *groups;
    jint thread_count = -1, group_count = -1;

    if (!virtual_start(t, 'P', &v))
        return;
    CALL(GetThreadInfo, v.thread, &info);
    CALL(Deallocate, (unsigned char *)info.name);
    CALL(GetThreadGroupChildren, info.thread_group, &thread_count, &threads,
         &group_count, &groups);
    TRUE(thread_count >= 0);
    for (jint i = 0; i < thread_count; i++)
        TRUE(!(*t->jni)->IsSameObject(t->jni, threads[i], v.thread));
    CALL(Deallocate, (unsigned char *)threads);
    CALL(Deallocate, (unsigned char *)groups);
}

/* -- suspending and resuming one -- */

TCK_STATE(suspend_running, "SuspendThread.behaviour.virtual-mounted", "Suspend Thread",
          102)
{
    struct virtual_thread v;
    jlong turns;

    NEED("can_suspend");
    if (!virtual_suspended(t, 'M', &v))
        return;
    turns = stage_get_long(t, v.stage, "turns");
    stage_call_void(t, "tck/Virtual", "pause", "()V");
    SAME(turns, stage_get_long(t, v.stage, "turns"));
    CALL(ResumeThread, v.thread);
    virtual_call_int(t, &v, "awaitTurns", (jint)turns + 10);
    TRUE(stage_get_long(t, v.stage, "turns") >= turns + 10);
}

/* Unparked, it is not mounted before it is resumed. */
TCK_STATE(suspend_parked, "SuspendThread.behaviour.virtual-unmounted", "Suspend Thread",
          102)
{
    struct virtual_thread v;
    jlong turns;

    NEED("can_suspend");
    if (!virtual_suspended(t, 'P', &v))
        return;
    /* "The call may return spuriously", so there may be some already. */
    turns = stage_get_long(t, v.stage, "turns");
    virtual_call(t, &v, "unpark");
    stage_call_void(t, "tck/Virtual", "pause", "()V");
    SAME(turns, stage_get_long(t, v.stage, "turns"));
    TRUE(is_suspended(t, &v));
    CALL(ResumeThread, v.thread);
    virtual_call_int(t, &v, "awaitTurns", (jint)turns + 1);
}

static void
run_suspend_twice(struct tck *t, const void *data)
{
    struct virtual_thread v;

    NEED("can_suspend");
    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    WANT(THREAD_SUSPENDED, SuspendThread, v.thread);
    CALL(ResumeThread, v.thread);
    WANT(THREAD_NOT_SUSPENDED, ResumeThread, v.thread);
}

TCK_CASE_DATA("virtual-state", suspend_twice_mounted,
              "SuspendThread.error.THREAD_SUSPENDED.virtual-mounted", "Suspend Thread",
              104, TCK_LIVE, 21, run_suspend_twice, "M");
TCK_CASE_DATA("virtual-state", suspend_twice_pinned,
              "SuspendThread.error.THREAD_SUSPENDED.virtual-pinned", "Suspend Thread",
              104, TCK_LIVE, 21, run_suspend_twice, "X");
TCK_CASE_DATA("virtual-state", resume_twice,
              "ResumeThread.error.THREAD_NOT_SUSPENDED.virtual-unmounted",
              "Resume Thread", 120, TCK_LIVE, 21, run_suspend_twice, "P");

static void
run_dead(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jvmtiError error;

    NEED("can_suspend");
    if (!(*(const char *)data == 'e' ? virtual_ended(t, &v)
                                     : virtual_create(t, 'P', 0, &v)))
        return;
    WANT(THREAD_NOT_ALIVE, SuspendThread, v.thread);
    /* It is neither alive nor suspended. */
    error = (*t->jvmti)->ResumeThread(t->jvmti, v.thread);
    if (error != JVMTI_ERROR_THREAD_NOT_SUSPENDED)
        tck_want(t, "ResumeThread", JVMTI_ERROR_THREAD_NOT_ALIVE, error);
}

TCK_CASE_DATA("virtual-state", suspend_unstarted,
              "SuspendThread.error.THREAD_NOT_ALIVE.virtual-unstarted",
              "Suspend Thread", 106, TCK_LIVE, 21, run_dead, "u");
TCK_CASE_DATA("virtual-state", suspend_ended,
              "SuspendThread.error.THREAD_NOT_ALIVE.virtual-ended", "Suspend Thread",
              106, TCK_LIVE, 21, run_dead, "e");

TCK_STATE(suspend_list, "SuspendThreadList.behaviour.virtual-results",
          "Suspend Thread List", 109)
{
    struct virtual_thread running, parked, ended;
    jthread list[4];
    jvmtiError results[4] = { 99, 99, 99, 99 };

    NEED("can_suspend");
    if (!virtual_ended(t, &ended) || !virtual_suspended(t, 'P', &parked)
        || !virtual_start(t, 'M', &running))
        return;
    list[0] = parked.thread;
    list[1] = ended.thread;
    list[2] = stage_start(t, 'W');
    list[3] = running.thread;
    CALL(SuspendThreadList, 4, list, results);
    SAME(JVMTI_ERROR_THREAD_SUSPENDED, results[0]);
    SAME(JVMTI_ERROR_THREAD_NOT_ALIVE, results[1]);
    SAME(JVMTI_ERROR_NONE, results[2]);
    SAME(JVMTI_ERROR_NONE, results[3]);
    TRUE((state_of(t, list[2]) & SUSPENDED) != 0);
    TRUE(is_suspended(t, &running));
}

TCK_STATE(resume_list, "ResumeThreadList.behaviour.virtual-results",
          "Resume Thread List", 122)
{
    struct virtual_thread running, parked, other;
    jthread list[4];
    jvmtiError results[4] = { 99, 99, 99, 99 };

    NEED("can_suspend");
    if (!virtual_suspended(t, 'P', &parked) || !virtual_start(t, 'P', &other)
        || !virtual_suspended(t, 'M', &running))
        return;
    list[0] = parked.thread;
    list[1] = other.thread;
    list[2] = stage_suspended(t, 'W');
    list[3] = running.thread;
    CALL(ResumeThreadList, 4, list, results);
    SAME(JVMTI_ERROR_NONE, results[0]);
    SAME(JVMTI_ERROR_THREAD_NOT_SUSPENDED, results[1]);
    SAME(JVMTI_ERROR_NONE, results[2]);
    SAME(JVMTI_ERROR_NONE, results[3]);
    TRUE(!is_suspended(t, &parked));
    TRUE((state_of(t, list[2]) & SUSPENDED) == 0);
    TRUE(!is_suspended(t, &running));
}

/* -- suspending and resuming all -- */

#define NEED_ALL \
    NEED("can_suspend"); \
    NEED("can_support_virtual_threads")

TCK_STATE(all_mounted, "SuspendAllVirtualThreads.behaviour.virtual-mounted",
          "Suspend All Virtual Threads", 112)
{
    struct virtual_thread running, pinned;
    jlong turns;

    NEED_ALL;
    if (stage_call_long(t, "tck/Values", "processors", "()I") < 2) {
        tck_skip(t, "the pinned thread may have the only carrier");
        return;
    }
    if (!virtual_start(t, 'X', &pinned) || !virtual_start(t, 'M', &running))
        return;
    CALL(SuspendAllVirtualThreads, 0, NULL);
    turns = stage_get_long(t, running.stage, "turns");
    TRUE(is_suspended(t, &pinned));
    TRUE(is_suspended(t, &running));
    stage_call_void(t, "tck/Virtual", "pause", "()V");
    SAME(turns, stage_get_long(t, running.stage, "turns"));
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, &pinned));
    TRUE(!is_suspended(t, &running));
}

TCK_STATE(all_except, "SuspendAllVirtualThreads.behaviour.virtual-two-exceptions",
          "Suspend All Virtual Threads", 112)
{
    struct virtual_thread a, b, c, d;
    jthread except[2];

    NEED_ALL;
    if (!virtual_start(t, 'P', &a) || !virtual_start(t, 'P', &b)
        || !virtual_start(t, 'P', &c) || !virtual_start(t, 'P', &d))
        return;
    except[0] = d.thread;
    except[1] = b.thread;
    CALL(SuspendAllVirtualThreads, 2, except);
    TRUE(is_suspended(t, &a));
    TRUE(!is_suspended(t, &b));
    TRUE(is_suspended(t, &c));
    TRUE(!is_suspended(t, &d));
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, &a));
    TRUE(!is_suspended(t, &c));
}

TCK_STATE(all_one_by_one, "SuspendAllVirtualThreads.behaviour.virtual-resumed-singly",
          "Suspend All Virtual Threads", 117)
{
    struct virtual_thread a, b, c;
    jvmtiError result = 99;

    NEED_ALL;
    if (!virtual_start(t, 'P', &a) || !virtual_start(t, 'P', &b)
        || !virtual_start(t, 'P', &c))
        return;
    CALL(SuspendAllVirtualThreads, 0, NULL);
    CALL(ResumeThread, a.thread);
    CALL(ResumeThreadList, 1, &b.thread, &result);
    SAME(JVMTI_ERROR_NONE, result);
    TRUE(!is_suspended(t, &a));
    TRUE(!is_suspended(t, &b));
    TRUE(is_suspended(t, &c));
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, &c));
}

TCK_STATE(all_platform, "ResumeAllVirtualThreads.behaviour.virtual-only",
          "Resume All Virtual Threads", 124)
{
    struct virtual_thread v;
    jthread platform;

    NEED_ALL;
    platform = stage_suspended(t, 'W');
    if (!virtual_suspended(t, 'P', &v))
        return;
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, &v));
    TRUE((state_of(t, platform) & SUSPENDED) != 0);
}

TCK_STATE(all_singly, "ResumeAllVirtualThreads.behaviour.virtual-suspended-singly",
          "Resume All Virtual Threads", 124)
{
    struct virtual_thread a, b;

    NEED_ALL;
    if (!virtual_start(t, 'P', &b) || !virtual_suspended(t, 'M', &a))
        return;
    CALL(ResumeAllVirtualThreads, 0, NULL);
    TRUE(!is_suspended(t, &a));
    TRUE(!is_suspended(t, &b));
    WANT(THREAD_NOT_SUSPENDED, ResumeThread, a.thread);
}

TCK_STATE(all_exceptions, "ResumeAllVirtualThreads.behaviour.virtual-two-exceptions",
          "Resume All Virtual Threads", 125)
{
    struct virtual_thread a, b, c;
    jthread except[2];

    NEED_ALL;
    if (!virtual_suspended(t, 'P', &a) || !virtual_suspended(t, 'P', &b)
        || !virtual_suspended(t, 'X', &c))
        return;
    except[0] = a.thread;
    except[1] = c.thread;
    CALL(ResumeAllVirtualThreads, 2, except);
    TRUE(is_suspended(t, &a));
    TRUE(!is_suspended(t, &b));
    TRUE(is_suspended(t, &c));
}

/* What has been taken back is not done to threads that come later. */
TCK_STATE(all_later, "ResumeAllVirtualThreads.behaviour.virtual-later",
          "Resume All Virtual Threads", 124)
{
    struct virtual_thread before, later;

    NEED_ALL;
    if (!virtual_start(t, 'P', &before))
        return;
    CALL(SuspendAllVirtualThreads, 0, NULL);
    TRUE(is_suspended(t, &before));
    CALL(ResumeAllVirtualThreads, 0, NULL);
    if (!virtual_start(t, 'P', &later))
        return;
    TRUE(!is_suspended(t, &later));
    WANT(THREAD_NOT_SUSPENDED, ResumeThread, later.thread);
}

/* The list holds threads that are virtual. */
TCK_STATE(all_invalid, "SuspendAllVirtualThreads.error.INVALID_THREAD.virtual-platform",
          "Suspend All Virtual Threads", 115)
{
    struct virtual_thread v, other;
    jthread list[2];

    NEED_ALL;
    if (!virtual_start(t, 'P', &v) || !virtual_start(t, 'P', &other))
        return;
    list[0] = v.thread;
    list[1] = stage_start(t, 'W');
    WANT(INVALID_THREAD, SuspendAllVirtualThreads, 2, list);
    /* An error means that no action took place. */
    TRUE(!is_suspended(t, &v));
    TRUE(!is_suspended(t, &other));
    CALL(SuspendAllVirtualThreads, 1, list);
    CALL(ResumeAllVirtualThreads, 0, NULL);
}

/* -- storage -- */

TCK_STATE(storage_each, "GetThreadLocalStorage.behaviour.virtual-each",
          "Set Thread Local Storage", 155)
{
    struct virtual_thread a, b;
    void *value = &a;

    if (!virtual_start(t, 'P', &a) || !virtual_start(t, 'P', &b))
        return;
    CALL(SetThreadLocalStorage, a.thread, &a);
    CALL(GetThreadLocalStorage, b.thread, &value);
    TRUE(value == NULL);
    CALL(SetThreadLocalStorage, b.thread, &b);
    CALL(GetThreadLocalStorage, a.thread, &value);
    TRUE(value == &a);
    CALL(GetThreadLocalStorage, b.thread, &value);
    TRUE(value == &b);
    CALL(SetThreadLocalStorage, a.thread, NULL);
    CALL(GetThreadLocalStorage, a.thread, &value);
    TRUE(value == NULL);
}

struct stored {
    jvmtiEnv *jvmti;
    void *found, *kept;
    jvmtiError get, set, again;
};

/* Looks for what an earlier thread on the same carrier has left, and leaves something. */
static void
store_here(JNIEnv *jni, void *data)
{
    struct stored *s = data;

    (void)jni;
    s->get = (*s->jvmti)->GetThreadLocalStorage(s->jvmti, NULL, &s->found);
    s->set = (*s->jvmti)->SetThreadLocalStorage(s->jvmti, NULL, s);
    s->again = (*s->jvmti)->GetThreadLocalStorage(s->jvmti, NULL, &s->kept);
}

TCK_STATE(storage_carrier, "SetThreadLocalStorage.behaviour.virtual-not-the-carrier",
          "Set Thread Local Storage", 155)
{
    for (int i = 0; i < 8; i++) {
        struct stored s = { .jvmti = t->jvmti, .found = t };

        stage_on_virtual(t, store_here, &s);
        SAME(JVMTI_ERROR_NONE, s.get);
        SAME(JVMTI_ERROR_NONE, s.set);
        SAME(JVMTI_ERROR_NONE, s.again);
        TRUE(s.found == NULL);
        TRUE(s.kept == &s);
    }
}

TCK_STATE(storage_moves, "GetThreadLocalStorage.behaviour.virtual-mounted-again",
          "Get Thread Local Storage", 155)
{
    struct virtual_thread v;
    void *value = NULL;

    if (!virtual_start(t, 'P', &v))
        return;
    CALL(SetThreadLocalStorage, v.thread, &v);
    virtual_call(t, &v, "unpark");
    virtual_call_int(t, &v, "awaitTurns", 1);
    CALL(GetThreadLocalStorage, v.thread, &value);
    TRUE(value == &v);
}

TCK_STATE(storage_environments, "GetThreadLocalStorage.behaviour.virtual-environments",
          "Set Thread Local Storage", 155)
{
    struct virtual_thread v;
    jvmtiEnv *env = tck_new_env(t);
    void *value = &v;

    if (env == NULL || !virtual_start(t, 'P', &v))
        return;
    CALL(SetThreadLocalStorage, v.thread, &v);
    CALL_ON(env, GetThreadLocalStorage, v.thread, &value);
    TRUE(value == NULL);
    CALL_ON(env, DisposeEnvironment);
    CALL(GetThreadLocalStorage, v.thread, &value);
    TRUE(value == &v);
}

static void
run_storage_dead(struct tck *t, const void *data)
{
    struct virtual_thread v;
    void *value;

    if (!(*(const char *)data == 'e' ? virtual_ended(t, &v)
                                     : virtual_create(t, 'P', 0, &v)))
        return;
    WANT(THREAD_NOT_ALIVE, GetThreadLocalStorage, v.thread, &value);
    WANT(THREAD_NOT_ALIVE, SetThreadLocalStorage, v.thread, &v);
}

TCK_CASE_DATA("virtual-state", storage_unstarted,
              "GetThreadLocalStorage.error.THREAD_NOT_ALIVE.virtual-unstarted",
              "Get Thread Local Storage", 159, TCK_LIVE, 21, run_storage_dead, "u");
TCK_CASE_DATA("virtual-state", storage_ended,
              "GetThreadLocalStorage.error.THREAD_NOT_ALIVE.virtual-ended",
              "Get Thread Local Storage", 159, TCK_LIVE, 21, run_storage_dead, "e");
