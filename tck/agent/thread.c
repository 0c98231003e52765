/* SPDX-License-Identifier: MIT */
/* tck/agent/thread.c -- chapter Thread: state, suspension, interruption, storage. */
#include "tck/lib/stage.h"

#include <string.h>
#include <time.h>

#define THREAD "Ljava/lang/Thread;"

static jthread
java_thread(struct tck *t, const char *name)
{
    char signature[40] = "()" THREAD;

    return stage_call(t, "tck/Threads", name, signature);
}

static void
end(struct tck *t, jthread thread)
{
    stage_call_void(t, "tck/Threads", "end", "(" THREAD ")V", thread);
}

static jint
state_of(struct tck *t, jthread thread)
{
    jint state = -1;

    tck_want(t, "GetThreadState", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetThreadState(t->jvmti, thread, &state));
    return state;
}

static void
lock_held(struct tck *t, bool enter)
{
    jobject held = stage_static(t, "tck/Threads", "HELD", "Ljava/lang/Object;");

    if (enter)
        (*t->jni)->MonitorEnter(t->jni, held);
    else
        (*t->jni)->MonitorExit(t->jni, held);
}

#define VENDOR_BITS                                                                    \
    (JVMTI_THREAD_STATE_VENDOR_1 | JVMTI_THREAD_STATE_VENDOR_2                         \
     | JVMTI_THREAD_STATE_VENDOR_3)

/* The defined bits that a state has to show, apart from those a VM may add. */
static jint
core(jint state)
{
    return state & ~(VENDOR_BITS | JVMTI_THREAD_STATE_IN_NATIVE);
}

#define WAITING_BITS (JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_WAITING)

/* -- states -- */

TCK_CASE("thread", state_new,
         "GetThreadState.behaviour.unstarted", "Get Thread State", 78)
{
    SAME(0, state_of(t, stage_unstarted(t, 'V')) & ~VENDOR_BITS);
}

TCK_CASE("thread", state_ended,
         "GetThreadState.behaviour.terminated", "Get Thread State",
         79)
{
    SAME(JVMTI_THREAD_STATE_TERMINATED, core(state_of(t, stage_ended(t))));
}

TCK_CASE("thread", state_current, "GetThreadState.behaviour.null-is-current",
         "Get Thread State", 77)
{
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE, core(state_of(t, NULL)));
}

TCK_CASE("thread", state_runnable, "GetThreadState.behaviour.runnable",
         "Get Thread State", 81)
{
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE,
         core(state_of(t, stage_start(t, 'V'))));
}

TCK_CASE("thread", state_waiting, "GetThreadState.behaviour.object-wait",
         "Get Thread State", 87)
{
    jthread thread = stage_call(t, "tck/Threads", "waiting", "(J)" THREAD, (jlong)0);
    jint state = state_of(t, thread);

    end(t, thread);
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_INDEFINITELY
         | JVMTI_THREAD_STATE_IN_OBJECT_WAIT, core(state));
}

TCK_CASE("thread", state_waiting_timed, "GetThreadState.behaviour.object-wait-timed",
         "Get Thread State", 87)
{
    jthread thread = stage_call(t, "tck/Threads", "waiting", "(J)" THREAD, (jlong)100000);
    jint state = state_of(t, thread);

    end(t, thread);
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT
         | JVMTI_THREAD_STATE_IN_OBJECT_WAIT, core(state));
}

TCK_CASE("thread", state_sleeping, "GetThreadState.behaviour.sleep", "Get Thread State",
         88)
{
    jthread thread = java_thread(t, "sleeping");
    jint state = state_of(t, thread);

    end(t, thread);
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT
         | JVMTI_THREAD_STATE_SLEEPING, core(state));
}

TCK_CASE("thread", state_parked,
         "GetThreadState.behaviour.park", "Get Thread State", 89)
{
    jthread thread = java_thread(t, "parked");
    jint state = state_of(t, thread);

    end(t, thread);
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_INDEFINITELY
         | JVMTI_THREAD_STATE_PARKED, core(state));
}

TCK_CASE("thread", state_parked_timed, "GetThreadState.behaviour.park-timed",
         "Get Thread State", 89)
{
    jthread thread = java_thread(t, "parkedTimed");
    jint state = state_of(t, thread);

    end(t, thread);
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT
         | JVMTI_THREAD_STATE_PARKED, core(state));
}

TCK_CASE("thread", state_blocked,
         "GetThreadState.behaviour.blocked", "Get Thread State",
         86)
{
    jthread thread;
    jint state;

    lock_held(t, true);
    thread = java_thread(t, "blocked");
    state = state_of(t, thread);
    lock_held(t, false);
    end(t, thread);
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER,
         core(state));
}

TCK_CASE("thread", state_regaining, "GetThreadState.behaviour.regaining-after-wait",
         "Get Thread State", 86)
{
    jthread thread = stage_call(t, "tck/Threads", "waiting", "(J)" THREAD, (jlong)0);
    jint state;

    lock_held(t, true);
    stage_call_void(t, "tck/Threads", "regain", "(" THREAD ")V", thread);
    state = state_of(t, thread);
    lock_held(t, false);
    end(t, thread);
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER,
         core(state));
}

TCK_CASE("thread", state_suspended, "GetThreadState.behaviour.suspended-runnable",
         "Get Thread State", 90)
{
    NEED("can_suspend");
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE
         | JVMTI_THREAD_STATE_SUSPENDED, core(state_of(t, stage_suspended(t, 'V'))));
}

TCK_CASE("thread", state_suspended_waiting,
         "GetThreadState.behaviour.suspended-waiting",
         "Get Thread State", 90)
{
    NEED("can_suspend");
    SAME(WAITING_BITS | JVMTI_THREAD_STATE_WAITING_INDEFINITELY
         | JVMTI_THREAD_STATE_IN_OBJECT_WAIT | JVMTI_THREAD_STATE_SUSPENDED,
         core(state_of(t, stage_suspended(t, 'W'))));
}

TCK_CASE("thread", state_in_native, "GetThreadState.behaviour.not-in-native-in-java",
         "Get Thread State", 91)
{
    SAME(0, state_of(t, stage_start(t, 'V')) & JVMTI_THREAD_STATE_IN_NATIVE);
}

/* It is in native code most of the time, and asks the VM now and then. */
TCK_CASE("thread", state_native_method, "GetThreadState.behaviour.in-native-method",
         "Get Thread State", 792)
{
    const struct timespec pause = { 0, 1000000 };
    jthread thread = stage_start(t, 'N');
    bool seen = false;

    for (int i = 0; i < 5000 && !seen && !t->failed; i++) {
        seen = (state_of(t, thread) & JVMTI_THREAD_STATE_IN_NATIVE) != 0;
        nanosleep(&pause, NULL);
    }
    TRUE(seen);
}

TCK_CASE("thread", state_interrupted, "GetThreadState.behaviour.interrupted",
         "Get Thread State", 92)
{
    jthread thread;

    NEED("can_signal_thread");
    thread = stage_start(t, 'V');
    CALL(InterruptThread, thread);
    SAME(JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE
         | JVMTI_THREAD_STATE_INTERRUPTED, core(state_of(t, thread)));
}

/* The conversion of a state to java.lang.Thread.State, by ordinal. */
static jint
converted(jint ordinal)
{
    static const jint masks[] = {
        JVMTI_JAVA_LANG_THREAD_STATE_NEW, JVMTI_JAVA_LANG_THREAD_STATE_RUNNABLE,
        JVMTI_JAVA_LANG_THREAD_STATE_BLOCKED, JVMTI_JAVA_LANG_THREAD_STATE_WAITING,
        JVMTI_JAVA_LANG_THREAD_STATE_TIMED_WAITING,
        JVMTI_JAVA_LANG_THREAD_STATE_TERMINATED
    };

    return ordinal >= 0 && ordinal < 6 ? masks[ordinal] : -1;
}

static void
compare_java(struct tck *t, jthread thread)
{
    jint ordinal = (jint)stage_call_long(t, "tck/Threads", "javaState", "(" THREAD ")I",
                                         thread);

    tck_same(t, "the state, masked for java.lang.Thread.State", converted(ordinal),
             state_of(t, thread) & JVMTI_JAVA_LANG_THREAD_STATE_MASK);
}

TCK_CASE("thread", state_java_new, "GetThreadState.behaviour.java-new",
         "Get Thread State", 94)
{
    compare_java(t, stage_unstarted(t, 'V'));
}

TCK_CASE("thread", state_java_terminated, "GetThreadState.behaviour.java-terminated",
         "Get Thread State", 94)
{
    compare_java(t, stage_ended(t));
}

TCK_CASE("thread", state_java_runnable, "GetThreadState.behaviour.java-runnable",
         "Get Thread State", 94)
{
    compare_java(t, stage_start(t, 'V'));
}

TCK_CASE("thread", state_java_waiting, "GetThreadState.behaviour.java-waiting",
         "Get Thread State", 94)
{
    compare_java(t, stage_start(t, 'W'));
}

TCK_CASE("thread", state_java_timed, "GetThreadState.behaviour.java-timed-waiting",
         "Get Thread State", 94)
{
    jthread thread = java_thread(t, "sleeping");

    compare_java(t, thread);
    end(t, thread);
}

TCK_CASE("thread", state_java_blocked, "GetThreadState.behaviour.java-blocked",
         "Get Thread State", 94)
{
    jthread thread;

    lock_held(t, true);
    thread = java_thread(t, "blocked");
    compare_java(t, thread);
    lock_held(t, false);
    end(t, thread);
}

/* -- lists of threads -- */

TCK_CASE("thread", current_thread, "GetCurrentThread.behaviour.value",
         "Get Current Thread", 95)
{
    jthread thread = NULL;
    jobject java = stage_call(t, "java/lang/Thread", "currentThread", "()" THREAD);

    CALL(GetCurrentThread, &thread);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, java));
    SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, thread));
}

static int
listed(struct tck *t, jthread thread)
{
    jthread *threads = NULL;
    jint count = 0;
    int found = 0;

    tck_want(t, "GetAllThreads", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetAllThreads(t->jvmti, &count, &threads));
    for (jint i = 0; i < count; i++) {
        found += (*t->jni)->IsSameObject(t->jni, threads[i], thread);
        (*t->jni)->DeleteLocalRef(t->jni, threads[i]);
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)threads);
    return found;
}

TCK_CASE("thread", all_live, "GetAllThreads.behaviour.live", "Get All Threads", 98)
{
    jthread self;

    CALL(GetCurrentThread, &self);
    SAME(1, listed(t, self));
    SAME(1, listed(t, stage_start(t, 'W')));
}

TCK_CASE("thread", all_native, "GetAllThreads.behaviour.attached-native",
         "Get All Threads", 98)
{
    SAME(1, listed(t, stage_bare(t, false)));
}

TCK_CASE("thread", all_unstarted, "GetAllThreads.behaviour.not-unstarted",
         "Get All Threads", 100)
{
    SAME(0, listed(t, stage_unstarted(t, 'V')));
}

TCK_CASE("thread", all_ended, "GetAllThreads.behaviour.not-terminated",
         "Get All Threads", 100)
{
    SAME(0, listed(t, stage_ended(t)));
}

TCK_CASE("thread", all_references, "GetAllThreads.behaviour.local-references",
         "Get All Threads", 101)
{
    jthread *threads;
    jint count;
    jclass k = stage_class(t, "java/lang/Thread");

    CALL(GetAllThreads, &count, &threads);
    TRUE(count > 0);
    for (jint i = 0; i < count; i++) {
        SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, threads[i]));
        TRUE((*t->jni)->IsInstanceOf(t->jni, threads[i], k));
    }
    CALL(Deallocate, (unsigned char *)threads);
}

/* -- suspension -- */

/* Does a spinning stage thread still run?  It counts nothing, so look at its end, for
 * long when it ought to come. */
static bool
progresses(struct tck *t, jthread thread, bool wanted)
{
    struct timespec pause = { 0, 1000000 };
    jclass k = (*t->jni)->GetObjectClass(t->jni, thread);
    jfieldID go = (*t->jni)->GetFieldID(t->jni, k, "go", "Z");

    (*t->jni)->SetBooleanField(t->jni, thread, go, JNI_TRUE);
    for (int i = 0; i < (wanted ? 30000 : 100); i++) {
        if ((state_of(t, thread) & JVMTI_THREAD_STATE_ALIVE) == 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

TCK_CASE("thread", suspend_stops,
         "SuspendThread.behaviour.no-progress", "Suspend Thread",
         102)
{
    jthread thread;

    NEED("can_suspend");
    thread = stage_suspended(t, 'V');
    TRUE((state_of(t, thread) & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    TRUE(!progresses(t, thread, false));
    CALL(ResumeThread, thread);
}

TCK_CASE("thread", suspend_twice, "SuspendThread.behaviour.already-suspended",
         "Suspend Thread", 104)
{
    jthread thread;

    NEED("can_suspend");
    thread = stage_suspended(t, 'W');
    WANT(THREAD_SUSPENDED, SuspendThread, thread);
    TRUE((state_of(t, thread) & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    /* It is not counted: one ResumeThread undoes it. */
    CALL(ResumeThread, thread);
    SAME(0, state_of(t, thread) & JVMTI_THREAD_STATE_SUSPENDED);
    WANT(THREAD_NOT_SUSPENDED, ResumeThread, thread);
}

TCK_CASE("thread", resume_one, "ResumeThread.behaviour.others-unaffected",
         "Resume Thread", 119)
{
    jthread a, b;

    NEED("can_suspend");
    a = stage_suspended(t, 'W');
    b = stage_suspended(t, 'W');
    CALL(ResumeThread, a);
    SAME(0, state_of(t, a) & JVMTI_THREAD_STATE_SUSPENDED);
    TRUE((state_of(t, b) & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    CALL(ResumeThread, b);
}

TCK_CASE("thread", resume_runs, "ResumeThread.behaviour.progress", "Resume Thread", 119)
{
    jthread thread;

    NEED("can_suspend");
    thread = stage_suspended(t, 'V');
    CALL(ResumeThread, thread);
    TRUE(progresses(t, thread, true));
}

/* A thread that suspends itself, by NULL, by itself, or in a list. */
struct self_suspender {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    int how;
    jobject thread;
    volatile bool ready, returned;
    jvmtiError error, result;
};

static void *
suspend_self(void *data)
{
    struct self_suspender *s = data;
    JNIEnv *jni;
    jthread self;

    (*s->vm)->AttachCurrentThreadAsDaemon(s->vm, (void **)&jni, NULL);
    (*s->jvmti)->GetCurrentThread(s->jvmti, &self);
    s->thread = (*jni)->NewGlobalRef(jni, self);
    __atomic_store_n(&s->ready, true, __ATOMIC_SEQ_CST);
    if (s->how == 2)
        s->error = (*s->jvmti)->SuspendThreadList(s->jvmti, 1, &self, &s->result);
    else
        s->error = (*s->jvmti)->SuspendThread(s->jvmti, s->how == 0 ? NULL : self);
    __atomic_store_n(&s->returned, true, __ATOMIC_SEQ_CST);
    (*s->vm)->DetachCurrentThread(s->vm);
    return NULL;
}

static void
run_self(struct tck *t, int how)
{
    struct self_suspender s = { .vm = t->vm, .jvmti = t->jvmti, .how = how };
    struct timespec pause = { 0, 1000000 };
    pthread_t thread;
    bool suspended = false, early;

    pthread_create(&thread, NULL, suspend_self, &s);
    for (int i = 0; i < 30000 && !suspended; i++) {
        suspended = __atomic_load_n(&s.ready, __ATOMIC_SEQ_CST)
            && (state_of(t, s.thread) & JVMTI_THREAD_STATE_SUSPENDED) != 0;
        nanosleep(&pause, NULL);
    }
    for (int i = 0; i < 20; i++)
        nanosleep(&pause, NULL);
    early = __atomic_load_n(&s.returned, __ATOMIC_SEQ_CST);
    if (suspended)
        tck_want(t, "ResumeThread", JVMTI_ERROR_NONE,
                 (*t->jvmti)->ResumeThread(t->jvmti, s.thread));
    pthread_join(thread, NULL);
    (*t->jni)->DeleteGlobalRef(t->jni, s.thread);
    tck_true(t, "the calling thread was suspended", suspended);
    tck_true(t, "the call returned only after the resume", !early);
    tck_same(t, "the call's error", JVMTI_ERROR_NONE, s.error);
    tck_same(t, "results[0]", JVMTI_ERROR_NONE, s.result);
}

TCK_CASE("thread", suspend_null, "SuspendThread.nullable.thread", "Suspend Thread", 105)
{
    NEED("can_suspend");
    run_self(t, 0);
}

TCK_CASE("thread", suspend_self, "SuspendThread.behaviour.self", "Suspend Thread", 103)
{
    NEED("can_suspend");
    run_self(t, 1);
}

TCK_CASE("thread", suspend_list_self, "SuspendThreadList.behaviour.self",
         "Suspend Thread List", 110)
{
    NEED("can_suspend");
    run_self(t, 2);
}

TCK_CASE("thread", suspend_list, "SuspendThreadList.behaviour.results",
         "Suspend Thread List", 109)
{
    jthread list[3];
    jvmtiError results[3] = { JVMTI_ERROR_INTERNAL, JVMTI_ERROR_INTERNAL,
                              JVMTI_ERROR_INTERNAL };

    NEED("can_suspend");
    list[0] = stage_start(t, 'W');
    list[1] = stage_suspended(t, 'W');
    list[2] = stage_ended(t);
    CALL(SuspendThreadList, 3, list, results);
    SAME(JVMTI_ERROR_NONE, results[0]);
    SAME(JVMTI_ERROR_THREAD_SUSPENDED, results[1]);
    SAME(JVMTI_ERROR_THREAD_NOT_ALIVE, results[2]);
    TRUE((state_of(t, list[0]) & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    TRUE((state_of(t, list[1]) & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    CALL(ResumeThread, list[0]);
    CALL(ResumeThread, list[1]);
}

TCK_CASE("thread", suspend_list_other, "SuspendThreadList.behaviour.result-of-no-thread",
         "Suspend Thread List", 695)
{
    jthread list[2];
    jvmtiError results[2] = { JVMTI_ERROR_INTERNAL, JVMTI_ERROR_INTERNAL };

    NEED("can_suspend");
    list[0] = stage_string(t);
    list[1] = stage_start(t, 'W');
    CALL(SuspendThreadList, 2, list, results);
    SAME(JVMTI_ERROR_INVALID_THREAD, results[0]);
    SAME(JVMTI_ERROR_NONE, results[1]);
    CALL(ResumeThread, list[1]);
}

TCK_CASE("thread", resume_list, "ResumeThreadList.behaviour.results",
         "Resume Thread List", 122)
{
    jthread list[3];
    jvmtiError results[3] = { JVMTI_ERROR_INTERNAL, JVMTI_ERROR_INTERNAL,
                              JVMTI_ERROR_INTERNAL };

    NEED("can_suspend");
    list[0] = stage_suspended(t, 'W');
    list[1] = stage_start(t, 'W');
    list[2] = stage_unstarted(t, 'W');
    CALL(ResumeThreadList, 3, list, results);
    SAME(JVMTI_ERROR_NONE, results[0]);
    SAME(JVMTI_ERROR_THREAD_NOT_SUSPENDED, results[1]);
    /* One that was not started is not suspended either: two errors of ResumeThread. */
    if (results[2] != JVMTI_ERROR_THREAD_NOT_SUSPENDED)
        SAME(JVMTI_ERROR_THREAD_NOT_ALIVE, results[2]);
    SAME(0, state_of(t, list[0]) & JVMTI_THREAD_STATE_SUSPENDED);
}

TCK_CASE("thread", resume_list_other, "ResumeThreadList.behaviour.result-of-no-thread",
         "Resume Thread List", 695)
{
    jthread list[2];
    jvmtiError results[2] = { JVMTI_ERROR_INTERNAL, JVMTI_ERROR_INTERNAL };

    NEED("can_suspend");
    list[0] = stage_string(t);
    list[1] = stage_suspended(t, 'W');
    CALL(ResumeThreadList, 2, list, results);
    SAME(JVMTI_ERROR_INVALID_THREAD, results[0]);
    SAME(JVMTI_ERROR_NONE, results[1]);
    SAME(0, state_of(t, list[1]) & JVMTI_THREAD_STATE_SUSPENDED);
}

TCK_CASE("thread", suspend_none, "SuspendThreadList.behaviour.empty-list",
         "Suspend Thread List", 111)
{
    jthread none;
    jvmtiError result;

    NEED("can_suspend");
    CALL(SuspendThreadList, 0, &none, &result);
    CALL(ResumeThreadList, 0, &none, &result);
}

/* -- signals -- */

TCK_CASE("thread", interrupt_wait, "InterruptThread.behaviour.ends-wait",
         "Interrupt Thread", 131)
{
    jthread thread;
    jobject thrown;

    NEED("can_signal_thread");
    thread = stage_call(t, "tck/Threads", "waiting", "(J)" THREAD, (jlong)0);
    CALL(InterruptThread, thread);
    stage_call_void(t, "tck/Threads", "join", "(" THREAD ")V", thread);
    thrown = stage_call(t, "tck/Threads", "thrown", "()Ljava/lang/Throwable;");
    TRUE(thrown != NULL && (*t->jni)->IsInstanceOf(
        t->jni, thrown, stage_class(t, "java/lang/InterruptedException")));
}

TCK_CASE("thread", interrupt_running, "InterruptThread.behaviour.sets-status",
         "Interrupt Thread", 131)
{
    jthread thread;

    NEED("can_signal_thread");
    thread = stage_start(t, 'V');
    SAME(0, stage_call_long(t, "tck/Threads", "interrupted", "(" THREAD ")Z", thread));
    CALL(InterruptThread, thread);
    SAME(1, stage_call_long(t, "tck/Threads", "interrupted", "(" THREAD ")Z", thread));
}

TCK_CASE("thread", stop_delivers, "StopThread.behaviour.delivers-the-object",
         "Stop Thread", 127)
{
    jclass k = stage_class(t, "java/lang/IllegalStateException");
    jobject exception = (*t->jni)->NewObject(
        t->jni, k, (*t->jni)->GetMethodID(t->jni, k, "<init>", "()V"));
    jobject thrown;
    jthread thread;

    NEED("can_signal_thread");
    thread = stage_start(t, 'V');
    CALL(StopThread, thread, exception);
    thrown = stage_call(t, "tck/Threads", "thrownBy", "(Ltck/Stage;)Ljava/lang/Throwable;",
                        thread);
    TRUE((*t->jni)->IsSameObject(t->jni, thrown, exception));
}

/* -- information -- */

static void
free_info(struct tck *t, jvmtiThreadInfo *info)
{
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)info->name);
}

/* A thread in a group and with a loader of the case's own. */
static jthread
named(struct tck *t, const char *name, jobject group, jobject loader)
{
    return stage_call(
        t, "tck/Threads", "named",
        "(Ljava/lang/String;IZLjava/lang/ThreadGroup;Ljava/lang/ClassLoader;)" THREAD,
        (*t->jni)->NewStringUTF(t->jni, name), (jint)7, (jint)1, group, loader);
}

static jobject
a_group(struct tck *t)
{
    return stage_call(t, "tck/Values", "group", "()Ljava/lang/ThreadGroup;");
}

static jobject
a_loader(struct tck *t)
{
    return stage_call(t, "tck/Events", "newLoader", "()Ljava/lang/ClassLoader;");
}

TCK_CASE("thread", info_values,
         "GetThreadInfo.behaviour.values", "Get Thread Info", 132)
{
    jobject group = a_group(t), loader = a_loader(t);
    jthread thread = named(t, "a name", group, loader);
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, thread, &info);
    TEXT("a name", info.name);
    SAME(7, info.priority);
    SAME(JNI_TRUE, info.is_daemon);
    TRUE((*t->jni)->IsSameObject(t->jni, group, info.thread_group));
    TRUE((*t->jni)->IsSameObject(t->jni, loader, info.context_class_loader));
    free_info(t, &info);
}

/* The thread that the launcher made: no text says how it is called. */
TCK_CASE("thread", info_user, "GetThreadInfo.behaviour.user-thread", "Get Thread Info",
         132)
{
    jstring name = stage_call(t, "tck/Threads", "ownName", "()Ljava/lang/String;");
    const char *text = (*t->jni)->GetStringUTFChars(t->jni, name, NULL);
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, NULL, &info);
    TEXT(text, info.name);
    (*t->jni)->ReleaseStringUTFChars(t->jni, name, text);
    SAME(stage_call_long(t, "tck/Threads", "ownPriority", "()I"), info.priority);
    SAME(stage_call_long(t, "tck/Threads", "ownDaemon", "()Z"), info.is_daemon);
    TRUE((*t->jni)->IsSameObject(t->jni, info.thread_group,
                                 stage_call(t, "tck/Threads", "mainGroup",
                                            "()Ljava/lang/ThreadGroup;")));
    TRUE((*t->jni)->IsSameObject(t->jni, info.context_class_loader,
                                 stage_call(t, "tck/Threads", "ownLoader",
                                            "()Ljava/lang/ClassLoader;")));
    free_info(t, &info);
}

TCK_CASE("thread", info_unicode, "GetThreadInfo.behaviour.modified-utf8",
         "Modified UTF-8 String Encoding", 67)
{
    static const jchar name[] = { 'a', 0, 0x20ac, 0xd83d, 0xde00 };
    jthread thread = stage_call(t, "tck/Threads", "create",
                                "(Ljava/lang/String;)" THREAD,
                                (*t->jni)->NewString(t->jni, name, 5));
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, thread, &info);
    TEXT("a\xc0\x80\xe2\x82\xac\xed\xa0\xbd\xed\xb8\x80", info.name);
    free_info(t, &info);
}

TCK_CASE("thread", info_ended, "GetThreadInfo.behaviour.terminated", "Get Thread Info",
         134)
{
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, stage_ended(t), &info);
    TEXT("stage-V", info.name);
    TRUE(info.thread_group == NULL);
    free_info(t, &info);
}

TCK_CASE("thread", info_references, "GetThreadInfo.behaviour.local-references",
         "Get Thread Info", 137)
{
    jvmtiThreadInfo info;

    CALL(GetThreadInfo, named(t, "a name", a_group(t), a_loader(t)), &info);
    SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, info.thread_group));
    SAME(JNILocalRefType,
         (*t->jni)->GetObjectRefType(t->jni, info.context_class_loader));
    free_info(t, &info);
}

/* -- local storage -- */

TCK_CASE("thread", storage_initial, "GetThreadLocalStorage.behaviour.initial",
         "Get Thread Local Storage", 158)
{
    void *value = &value;

    CALL(GetThreadLocalStorage, stage_start(t, 'W'), &value);
    TRUE(value == NULL);
}

TCK_CASE("thread", storage_per_thread, "SetThreadLocalStorage.behaviour.per-thread",
         "Set Thread Local Storage", 155)
{
    jthread a = stage_start(t, 'W'), b = stage_start(t, 'W');
    void *value;

    CALL(SetThreadLocalStorage, a, &a);
    CALL(SetThreadLocalStorage, b, &b);
    CALL(GetThreadLocalStorage, a, &value);
    TRUE(value == &a);
    CALL(GetThreadLocalStorage, b, &value);
    TRUE(value == &b);
    CALL(SetThreadLocalStorage, a, NULL);
    CALL(GetThreadLocalStorage, a, &value);
    TRUE(value == NULL);
    CALL(GetThreadLocalStorage, b, &value);
    TRUE(value == &b);
}

TCK_CASE("thread", storage_per_env, "SetThreadLocalStorage.behaviour.per-environment",
         "Set Thread Local Storage", 155)
{
    jthread thread = stage_start(t, 'W');
    jvmtiEnv *env = tck_new_env(t);
    void *value = &value;

    TRUE(env != NULL);
    CALL(SetThreadLocalStorage, thread, &thread);
    CALL_ON(env, GetThreadLocalStorage, thread, &value);
    TRUE(value == NULL);
    CALL_ON(env, SetThreadLocalStorage, thread, &env);
    CALL(GetThreadLocalStorage, thread, &value);
    TRUE(value == &thread);
    CALL_ON(env, DisposeEnvironment);
}

TCK_CASE("thread", storage_null, "SetThreadLocalStorage.behaviour.null-is-current",
         "Set Thread Local Storage", 156)
{
    jthread self;
    void *value;

    CALL(GetCurrentThread, &self);
    CALL(SetThreadLocalStorage, NULL, &self);
    CALL(GetThreadLocalStorage, self, &value);
    TRUE(value == &self);
    CALL(SetThreadLocalStorage, self, NULL);
    CALL(GetThreadLocalStorage, NULL, &value);
    TRUE(value == NULL);
}
