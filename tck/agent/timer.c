/* SPDX-License-Identifier: MIT */
/* tck/agent/timer.c -- chapter Timers: each against the operating system's clocks. */
#include "tck/lib/stage.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000LL
/* "The resolution at which the time is updated is not specified": a coarse tick. */
#define TICK (50 * MS)
#define WORK (100 * MS)

static jlong
read_clock(clockid_t clock)
{
    struct timespec ts = { 0, 0 };

    clock_gettime(clock, &ts);
    return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

/* Use up processor time of this thread, in user mode. */
static void
burn(void)
{
    jlong end = read_clock(CLOCK_THREAD_CPUTIME_ID) + WORK;

    while (read_clock(CLOCK_THREAD_CPUTIME_ID) < end)
        for (volatile int i = 0; i < 100000; i++)
            continue;
}

static bool
same_info(const jvmtiTimerInfo *a, const jvmtiTimerInfo *b)
{
    return a->max_value == b->max_value && a->kind == b->kind
        && a->may_skip_forward == b->may_skip_forward
        && a->may_skip_backward == b->may_skip_backward;
}

/* A timer advanced between two readings by what its clock says, or by somewhat less
 * when it counts only part of that. */
static void
advanced(struct tck *t, jlong by, jlong least, jlong most)
{
    if (by < least - TICK || by > most + TICK)
        tck_fail(t, "the timer advanced by %lld ns, the clock by %lld to %lld",
                 (long long)by, (long long)least, (long long)most);
}

/* -- elapsed time -- */

TCK_CASE("general", timer_info, "GetTimerInfo.behaviour.constant",
         "Get Timer Information", 519)
{
    jvmtiTimerInfo a, b;

    memset(&a, 0x55, sizeof a);
    memset(&b, 0x2a, sizeof b);
    CALL(GetTimerInfo, &a);
    CALL(GetTimerInfo, &b);
    TRUE(same_info(&a, &b));
}

TCK_CASE("general", timer_kind, "GetTimerInfo.behaviour.kind", "Get Timer Information",
         776)
{
    jvmtiTimerInfo info;

    CALL(GetTimerInfo, &info);
    SAME(JVMTI_TIMER_ELAPSED, info.kind);
}

TCK_CASE("general", time_monotonic, "GetTime.behaviour.monotonic", "Get Time", 736)
{
    jvmtiTimerInfo info;
    jlong last = 0, next;

    CALL(GetTimerInfo, &info);
    if (info.may_skip_backward) {
        tck_skip(t, "the timer may skip backward");
        return;
    }
    CALL(GetTime, &last);
    for (int i = 0; i < 1000; i++) {
        CALL(GetTime, &next);
        TRUE(next - last >= 0);   /* from below zero to above it as well */
        last = next;
    }
}

TCK_CASE("general", time_maximum, "GetTimerInfo.behaviour.maximum",
         "Get Timer Information", 688)
{
    jvmtiTimerInfo info;
    jlong time;

    CALL(GetTimerInfo, &info);
    CALL(GetTime, &time);
    /* The fixed time is "perhaps in the future, so values may be negative". */
    TRUE(time < 0 || (unsigned long long)time <= (unsigned long long)info.max_value);
}

TCK_CASE("general", time_unit, "GetTime.behaviour.nanoseconds", "Get Time", 735)
{
    const struct timespec pause = { 0, WORK };
    jvmtiTimerInfo info;
    jlong outer, inner, before, after;

    CALL(GetTimerInfo, &info);
    if (info.may_skip_backward || info.may_skip_forward) {
        tck_skip(t, "the timer may skip");
        return;
    }
    outer = read_clock(CLOCK_MONOTONIC);
    CALL(GetTime, &before);
    inner = read_clock(CLOCK_MONOTONIC);
    nanosleep(&pause, NULL);
    inner = read_clock(CLOCK_MONOTONIC) - inner;
    CALL(GetTime, &after);
    advanced(t, after - before, inner, read_clock(CLOCK_MONOTONIC) - outer);
}

/* -- processor time -- */

/* The two timers: of the current thread, and of any. */
struct cpu_timer {
    const char *name, *info_name, *capability;
};

static const struct cpu_timer current_timer = {
    "GetCurrentThreadCpuTime", "GetCurrentThreadCpuTimerInfo",
    "can_get_current_thread_cpu_time"
};
static const struct cpu_timer any_timer = {
    "GetThreadCpuTime", "GetThreadCpuTimerInfo", "can_get_thread_cpu_time"
};

static jlong
cpu_time(struct tck *t, const struct cpu_timer *timer, jthread thread)
{
    jlong nanos = 0;

    tck_want(t, timer->name, JVMTI_ERROR_NONE, timer == &current_timer
             ? (*t->jvmti)->GetCurrentThreadCpuTime(t->jvmti, &nanos)
             : (*t->jvmti)->GetThreadCpuTime(t->jvmti, thread, &nanos));
    return nanos;
}

static jvmtiTimerInfo
cpu_info(struct tck *t, const struct cpu_timer *timer)
{
    jvmtiTimerInfo info = { .kind = 0 };

    tck_want(t, timer->info_name, JVMTI_ERROR_NONE, timer == &current_timer
             ? (*t->jvmti)->GetCurrentThreadCpuTimerInfo(t->jvmti, &info)
             : (*t->jvmti)->GetThreadCpuTimerInfo(t->jvmti, &info));
    return info;
}

/* It may be adjusted: then what it says of a time proves nothing. */
static bool
may_skip(struct tck *t, const struct cpu_timer *timer)
{
    jvmtiTimerInfo info = cpu_info(t, timer);
    bool skips = info.may_skip_forward || info.may_skip_backward;

    if (skips)
        tck_skip(t, "the timer may skip");
    return skips;
}

static void
run_kind(struct tck *t, const void *data)
{
    const struct cpu_timer *timer = data;
    jvmtiTimerInfo a, b;

    NEED(timer->capability);
    a = cpu_info(t, timer);
    b = cpu_info(t, timer);
    TRUE(same_info(&a, &b));
    TRUE(a.kind == JVMTI_TIMER_USER_CPU || a.kind == JVMTI_TIMER_TOTAL_CPU);
}

/* What the operating system has counted of this thread. */
static void
read_usage(jlong *user, jlong *in_system)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    *user = usage.ru_utime.tv_sec * 1000 * MS + usage.ru_utime.tv_usec * 1000LL;
    *in_system = usage.ru_stime.tv_sec * 1000 * MS + usage.ru_stime.tv_usec * 1000LL;
}

/* Work in system mode nearly alone: a timer that counts it says so by its kind. */
static void
run_modes(struct tck *t, const void *data)
{
    const struct cpu_timer *timer = data;
    static char zeroes[1 << 16];
    jlong user, in_system, user_before, system_before, before, by;
    int fd;

    NEED(timer->capability);
    if (may_skip(t, timer))
        return;
    fd = open("/dev/zero", O_RDONLY);
    TRUE(fd >= 0);
    read_usage(&user_before, &system_before);
    before = cpu_time(t, timer, NULL);
    do {
        for (int i = 0; i < 100; i++)
            if (read(fd, zeroes, sizeof zeroes) < 0)
                tck_fail(t, "cannot read /dev/zero");
        read_usage(&user, &in_system);
        user -= user_before;
        in_system -= system_before;
    } while (!t->failed && user + in_system < 10 * WORK && in_system < 2 * WORK);
    by = cpu_time(t, timer, NULL) - before;
    close(fd);
    if (in_system < 2 * WORK) {
        tck_skip(t, "the system does not tell its own time apart");
        return;
    }
    if (cpu_info(t, timer).kind == JVMTI_TIMER_TOTAL_CPU)
        advanced(t, by, user + in_system, user + in_system);
    else
        advanced(t, by, user, user);
}

static void
run_advance(struct tck *t, const void *data)
{
    const struct cpu_timer *timer = data;
    bool total;
    jlong outer, inner, before, after;

    NEED(timer->capability);
    if (may_skip(t, timer))
        return;
    total = cpu_info(t, timer).kind == JVMTI_TIMER_TOTAL_CPU;
    outer = read_clock(CLOCK_THREAD_CPUTIME_ID);
    before = cpu_time(t, timer, NULL);
    inner = read_clock(CLOCK_THREAD_CPUTIME_ID);
    burn();
    inner = read_clock(CLOCK_THREAD_CPUTIME_ID) - inner;
    after = cpu_time(t, timer, NULL);
    advanced(t, after - before, total ? inner : inner / 2,
             read_clock(CLOCK_THREAD_CPUTIME_ID) - outer);
}

static void
run_monotonic(struct tck *t, const void *data)
{
    const struct cpu_timer *timer = data;
    jvmtiTimerInfo info;
    jlong last = 0;

    NEED(timer->capability);
    info = cpu_info(t, timer);
    if (info.may_skip_backward) {
        tck_skip(t, "the timer may skip backward");
        return;
    }
    for (int i = 0; i < 1000; i++) {
        jlong next = cpu_time(t, timer, NULL);

        TRUE((unsigned long long)next >= (unsigned long long)last);
        TRUE((unsigned long long)next <= (unsigned long long)info.max_value);
        last = next;
    }
}

static void
run_maximum(struct tck *t, const void *data)
{
    const struct cpu_timer *timer = data;
    unsigned long long time;

    NEED(timer->capability);
    time = (unsigned long long)cpu_time(t, timer, NULL);
    TRUE(time <= (unsigned long long)cpu_info(t, timer).max_value);
}

#define TCK_CPU(name, id, section, note, run, timer)                                   \
    TCK_CASE_DATA("general", name, id, section, note, TCK_LIVE, 11, run, &timer)

TCK_CPU(any_kind, "GetThreadCpuTimerInfo.behaviour.kind",
        "Get Thread CPU Timer Information", 516, run_kind, any_timer);
TCK_CPU(any_maximum, "GetThreadCpuTimerInfo.behaviour.maximum",
        "Get Thread CPU Timer Information", 688, run_maximum, any_timer);
TCK_CPU(current_maximum, "GetCurrentThreadCpuTimerInfo.behaviour.maximum",
        "Get Current Thread CPU Timer Information", 688, run_maximum, current_timer);
TCK_CPU(any_modes, "GetThreadCpuTimerInfo.behaviour.kind-as-counted",
        "Get Thread CPU Timer Information", 735, run_modes, any_timer);
TCK_CPU(any_advance, "GetThreadCpuTime.behaviour.nanoseconds", "Get Thread CPU Time",
        735, run_advance, any_timer);
TCK_CPU(any_monotonic, "GetThreadCpuTime.behaviour.monotonic", "Get Thread CPU Time",
        736, run_monotonic, any_timer);
TCK_CPU(current_kind, "GetCurrentThreadCpuTimerInfo.behaviour.kind",
        "Get Current Thread CPU Timer Information", 512, run_kind, current_timer);
TCK_CPU(current_modes, "GetCurrentThreadCpuTimerInfo.behaviour.kind-as-counted",
        "Get Current Thread CPU Timer Information", 735, run_modes, current_timer);
TCK_CPU(current_advance, "GetCurrentThreadCpuTime.behaviour.nanoseconds",
        "Get Current Thread CPU Time", 735, run_advance, current_timer);
TCK_CPU(current_monotonic, "GetCurrentThreadCpuTime.behaviour.monotonic",
        "Get Current Thread CPU Time", 736, run_monotonic, current_timer);

/* By the timer itself: that of GetCurrentThreadCpuTime may count something else. */
TCK_CASE("general", cpu_same_clock, "GetThreadCpuTime.behaviour.null-is-current",
         "Get Thread CPU Time", 517)
{
    jthread self;
    jlong before, mine, after;

    NEED("can_get_thread_cpu_time");
    if (cpu_info(t, &any_timer).may_skip_backward) {
        tck_skip(t, "the timer may skip backward");
        return;
    }
    CALL(GetCurrentThread, &self);
    before = cpu_time(t, &any_timer, self);
    CALL(GetThreadCpuTime, NULL, &mine);
    after = cpu_time(t, &any_timer, self);
    TRUE(mine >= before && mine <= after);
}

/* -- the time of another thread -- */

/* It attaches itself, works, and stays where it uses no more time. */
static struct worker {
    pthread_t id;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool worked, go;
    JavaVM *vm;
    jvmtiEnv *jvmti;
    jobject thread;
    jlong time;           /* by the system's clock, at the end of the work */
} worker = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void *
work(void *data)
{
    JavaVMAttachArgs args = { JNI_VERSION_1_8, (char *)"worker", NULL };
    JNIEnv *jni;
    jthread thread = NULL;

    (void)data;
    (*worker.vm)->AttachCurrentThreadAsDaemon(worker.vm, (void **)&jni, &args);
    (*worker.jvmti)->GetCurrentThread(worker.jvmti, &thread);
    worker.thread = (*jni)->NewGlobalRef(jni, thread);
    burn();
    pthread_mutex_lock(&worker.lock);
    worker.worked = true;
    worker.time = read_clock(CLOCK_THREAD_CPUTIME_ID);
    pthread_cond_broadcast(&worker.changed);
    while (!worker.go)
        pthread_cond_wait(&worker.changed, &worker.lock);
    pthread_mutex_unlock(&worker.lock);
    (*jni)->DeleteGlobalRef(jni, worker.thread);
    (*worker.vm)->DetachCurrentThread(worker.vm);
    return NULL;
}

TCK_CASE("general", cpu_of_other, "GetThreadCpuTime.behaviour.other-thread",
         "Get Thread CPU Time", 735)
{
    bool total;
    jlong first, second;

    NEED("can_get_thread_cpu_time");
    if (may_skip(t, &any_timer))
        return;
    total = cpu_info(t, &any_timer).kind == JVMTI_TIMER_TOTAL_CPU;
    worker.vm = t->vm;
    worker.jvmti = t->jvmti;
    SAME(0, pthread_create(&worker.id, NULL, work, NULL));
    pthread_mutex_lock(&worker.lock);
    while (!worker.worked)
        pthread_cond_wait(&worker.changed, &worker.lock);
    pthread_mutex_unlock(&worker.lock);
    first = cpu_time(t, &any_timer, worker.thread);
    burn();
    second = cpu_time(t, &any_timer, worker.thread);
    pthread_mutex_lock(&worker.lock);
    worker.go = true;
    pthread_cond_broadcast(&worker.changed);
    pthread_mutex_unlock(&worker.lock);
    pthread_join(worker.id, NULL);
    /* The time before the capability was there need not count: see WORK alone. */
    advanced(t, first, total ? WORK : WORK / 2, worker.time);
    advanced(t, second - first, 0, 0);
}

TCK_CASE("general", cpu_of_waiting, "GetThreadCpuTime.behaviour.waiting-thread",
         "Get Thread CPU Time", 735)
{
    jlong before;
    jthread thread;

    NEED("can_get_thread_cpu_time");
    if (may_skip(t, &any_timer))
        return;
    thread = stage_start(t, 'W');
    before = cpu_time(t, &any_timer, thread);
    burn();
    advanced(t, cpu_time(t, &any_timer, thread) - before, 0, 0);
}
