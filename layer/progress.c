/* SPDX-License-Identifier: MIT */
/*
 * layer/progress.c -- rules about what does not come back: callbacks, calls, threads that
 * wait for each other.
 *
 * The watchdog is a thread that counts seconds.  Each callback and call leaves in its
 * thread's record when it began, in this count; calls renew that of their callback, but
 * for those of raw monitors, since a loop around RawMonitorWait is a hang, too.  What is
 * older than the limit is told of, with the C stacks of the agent's threads, which a
 * signal has them take themselves, and the Java stacks, which the VM prints for SIGQUIT.
 * Then the process ends with the status 72: it would not end otherwise.
 *
 * A deadlock is found when its last edge is made.  Who waits for which raw monitor, and
 * who has it, is known from the calls (monitor.c).  That a thread with a raw monitor
 * waits for an object's the layer's own environment is told by an event, and the VM is
 * asked who has that.
 */
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <tiforge/buffer.h>

#include "layer/check.h"
#include "layer/finding.h"

#define STATUS_STUCK 72
#define FRAMES 64
#define MOST_THREADS 64
#define LONGEST_CYCLE 16

static int seconds;             /* since the watchdog began */

int
progress_now(void)
{
    return __atomic_load_n(&seconds, __ATOMIC_RELAXED);
}

/* ---- what threads do ---- */

void
progress_enter(struct check_thread *thread, const char *what)
{
    if (check_options.watchdog == 0)
        return;
    __atomic_store_n(&thread->busy_since, progress_now(), __ATOMIC_RELAXED);
    __atomic_store_n(&thread->busy_in, what, __ATOMIC_RELEASE);
}

void
progress_leave(struct check_thread *thread)
{
    __atomic_store_n(&thread->busy_in, NULL, __ATOMIC_RELEASE);
}

void
progress_event_begin(struct check_thread *thread, const struct interpose_event *event)
{
    if (thread->depth == 1)
        progress_enter(thread, event->facts->name);
}

void
progress_event_end(struct check_thread *thread)
{
    if (thread->depth == 1)
        progress_leave(thread);
}

/* May it take any time, as far as the agent is concerned? */
static bool
may_last(int function)
{
    return function == INTERPOSE_RawMonitorWait || function == INTERPOSE_SuspendThread
        || function == INTERPOSE_SuspendThreadList
        || function == INTERPOSE_SuspendAllVirtualThreads;
}

void
progress_call_begin(const struct interpose_call *call)
{
    struct check_thread *thread = call->thread->state;

    if (check_options.watchdog == 0)
        return;
    if (thread->depth == 0 && thread->busy_in == NULL && !may_last(call->function)) {
        __atomic_store_n(&thread->is_in_call, true, __ATOMIC_RELAXED);
        progress_enter(thread, interpose_functions[call->function].name);
    } else if (call->function < INTERPOSE_CreateRawMonitor
               || call->function > INTERPOSE_RawMonitorNotifyAll)
        __atomic_store_n(&thread->busy_since, progress_now(), __ATOMIC_RELAXED);
}

void
progress_call_end(struct check_thread *thread)
{
    if (!thread->is_in_call)
        return;
    __atomic_store_n(&thread->is_in_call, false, __ATOMIC_RELAXED);
    progress_leave(thread);
}

/* ---- stacks ---- */

static struct {
    void *frames[FRAMES];
    int count;
    bool is_done;
    long wanted;        /* the kernel's id of the thread whose turn it is, or 0 */
} capture;

/* A signal that comes after its sender has given up finds that its turn is over. */
static void
take_capture(int signal)
{
    int error = errno;
    long id = syscall(SYS_gettid);

    (void)signal;
    if (__atomic_compare_exchange_n(&capture.wanted, &id, 0, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
        capture.count = backtrace(capture.frames, FRAMES);
        __atomic_store_n(&capture.is_done, true, __ATOMIC_RELEASE);
    }
    errno = error;
}

/* The first real-time signals are the C library's; no VM uses those behind. */
static int
capture_signal(void)
{
    return SIGRTMIN + 7;
}

static void
pause_for(long milliseconds)
{
    struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000 };

    nanosleep(&t, NULL);
}

static bool
is_captured(void)
{
    for (int i = 0; i < 100 && !__atomic_load_n(&capture.is_done, __ATOMIC_ACQUIRE); i++)
        pause_for(10);
    return __atomic_load_n(&capture.is_done, __ATOMIC_ACQUIRE);
}

/* Have another thread take its C stack; false if it does not within a second, or if one
   that has begun does not end. */
static bool
take_stack(long id)
{
    static bool is_lost;

    if (is_lost)
        return false;
    capture.is_done = false;
    __atomic_store_n(&capture.wanted, id, __ATOMIC_RELEASE);
    if (syscall(SYS_tgkill, getpid(), id, capture_signal()) == 0 && is_captured())
        return true;
    if (__atomic_exchange_n(&capture.wanted, 0, __ATOMIC_ACQUIRE) == id)
        return false;
    is_lost = !is_captured();
    return !is_lost;
}

/* Its frames that are an agent's: between those of the VM that it has called and those
   that have called it. */
static void
take_agents_stack(long id, struct stack *stack)
{
    struct frame_text text;

    stack->count = 0;
    if (!take_stack(id))
        return;
    for (int i = 0; i < capture.count && stack->count < STACK_FRAMES; i++) {
        bool is_agents = stack_frame((uintptr_t)capture.frames[i], &text)
                         && strncmp(text.library, "libc.so", 7) != 0;

        if (is_agents)
            stack->frames[stack->count++] = (uintptr_t)capture.frames[i];
        else if (stack->count > 0)
            break;
    }
}

/* Threads that run code of an agent, or hold one of its monitors. */
struct listed {
    int count;
    struct {
        long id;
        char text[256];
    } threads[MOST_THREADS];
};

static void
list_thread(struct interpose_thread *thread, void *data)
{
    struct check_thread *state = thread->state;
    struct listed *listed = data;
    const char *in = __atomic_load_n(&state->busy_in, __ATOMIC_ACQUIRE);
    const char *held = NULL, *wanted = NULL;

    if (listed->count == MOST_THREADS)
        return;
    monitor_is_held(state, &held);
    monitor_owner(__atomic_load_n(&state->wants, __ATOMIC_ACQUIRE), &wanted);
    if (in == NULL && held == NULL && wanted == NULL
        && __atomic_load_n(&state->stack_place, __ATOMIC_RELAXED) == 0)
        return;
    listed->threads[listed->count].id = thread->id;
    snprintf(listed->threads[listed->count++].text, sizeof listed->threads[0].text,
             "thread \"%s\" (%ld)%s%s%s%s%s%s", state->name, thread->id,
             in != NULL ? ", in " : "", in != NULL ? in : "",
             held != NULL ? ", has raw monitor " : "", held != NULL ? held : "",
             wanted != NULL ? ", wants raw monitor " : "", wanted != NULL ? wanted : "");
}

/* What was captured, without the frames of the signal. */
static void
print_capture(void)
{
    struct frame_text text;
    int first = 0;

    while (first < capture.count && stack_is_own((uintptr_t)capture.frames[first]))
        first++;
    for (int i = first + 1; i < capture.count; i++)
        if (stack_frame_any((uintptr_t)capture.frames[i], &text))
            fprintf(stderr, "    at %s\n", text.text);
}

/* SIGQUIT is for the VM only if it has a handler. */
static void
print_java_stacks(void)
{
    struct sigaction action;

    if (sigaction(SIGQUIT, NULL, &action) != 0 || action.sa_handler == SIG_DFL
        || action.sa_handler == SIG_IGN)
        return;
    fprintf(stderr, "tiforge check: the VM prints the Java stacks on standard output\n");
    kill(getpid(), SIGQUIT);
    pause_for(2000);
}

static void
print_stacks(void)
{
    static struct listed listed;

    interpose_each_thread(list_thread, &listed);
    fprintf(stderr, "tiforge check: the agent's threads:\n");
    for (int i = 0; i < listed.count; i++) {
        fprintf(stderr, "%s\n", listed.threads[i].text);
        if (take_stack(listed.threads[i].id))
            print_capture();
    }
    fflush(stderr);
    print_java_stacks();
}

/* ---- the watchdog ---- */

struct stuck {
    long id;
    const char *in;
    bool is_call, is_death;
    int since;
};

static void
look_at(struct interpose_thread *thread, void *data)
{
    const struct check_thread *state = thread->state;
    struct stuck *stuck = data;
    const char *in = __atomic_load_n(&state->busy_in, __ATOMIC_ACQUIRE);
    int since = __atomic_load_n(&state->busy_since, __ATOMIC_RELAXED);

    if (in == NULL || progress_now() - since < check_options.watchdog
        || __atomic_load_n(&state->suspended, __ATOMIC_RELAXED) > 0)
        return;
    /* The end waits for others: it is the first to be told. */
    if (stuck->in != NULL && !strcmp(stuck->in, "VMDeath"))
        return;
    *stuck = (struct stuck){ thread->id, in,
                             __atomic_load_n(&state->is_in_call, __ATOMIC_RELAXED),
                             strcmp(in, "VMDeath") == 0
                                 || strcmp(in, "Agent_OnUnload") == 0, since };
}

static void
end_stuck(const struct stuck *stuck)
{
    enum check_rule rule = stuck->is_death  ? RULE_PROGRESS_DEATH
                           : stuck->is_call ? RULE_PROGRESS_CALL
                                            : RULE_PROGRESS_CALLBACK;
    struct stack stack = { 0 };

    take_agents_stack(stuck->id, &stack);
    check_found_at(rule, stuck->in, &stack, 1, "%s %s has not come back for %d seconds",
                   stuck->is_call ? "the call of" : "the agent's", stuck->in,
                   progress_now() - stuck->since);
    print_stacks();
    finding_write_state("stuck");
    _exit(STATUS_STUCK);
}

/* ---- threads that keep the VM from ending ---- */

/* Is it a thread that DestroyJavaVM waits for, and no native one of an agent? */
static bool
keeps_rightly(JNIEnv *jni, jthread thread, bool *is_ending)
{
    const struct check_thread *state = check_thread_of(thread);
    jvmtiThreadInfo info;
    bool is_daemon;

    if ((*check_jvmti)->GetThreadInfo(check_jvmti, thread, &info) != JVMTI_ERROR_NONE)
        return true;
    is_daemon = info.is_daemon;
    if (info.name != NULL && strcmp(info.name, "DestroyJavaVM") == 0)
        *is_ending = is_daemon = true;
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return !is_daemon && (state == NULL || !thread_is_attached(state));
}

/* Does DestroyJavaVM wait for threads that agents attached, and for no others? */
static bool
waits_for_agents(JNIEnv *jni)
{
    bool is_ending = false, others = false;
    jthread *threads = NULL;
    jint count = 0;

    (*check_jvmti)->GetAllThreads(check_jvmti, &count, &threads);
    for (jint i = 0; i < count; i++) {
        others |= keeps_rightly(jni, threads[i], &is_ending);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)threads);
    return is_ending && !others;
}

static void
find_attached(struct interpose_thread *thread, void *data)
{
    struct check_thread *state = thread->state;
    struct check_thread **found = data;

    if (*found == NULL && thread_is_attached(state) && !state->is_daemon)
        *found = state;
}

/* Threads end that may have been the last ones: to look is to attach a thread, of which
   agents are told, so that is done for so many seconds then. */
#define LOOKS 3
static int look_until;
static __thread bool is_watchdog;

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti, (void)jni, (void)thread;
    if (!is_watchdog)
        __atomic_store_n(&look_until, progress_now() + LOOKS, __ATOMIC_RELAXED);
}

void
progress_watch_end(void)
{
    if (check_options.watchdog == 0)
        return;
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_THREAD_END, NULL);
    __atomic_store_n(&look_until, progress_now() + LOOKS, __ATOMIC_RELAXED);
}

/* An agent's thread that is attached and no daemon: does the VM wait for it?  It is told
   once; when it has waited as long as the limit is, the process is ended. */
static void
look_at_end(void)
{
    static int since;
    struct check_thread *found = NULL;
    void *env;

    if (check_phase() != JVMTI_PHASE_LIVE
        || (since == 0
            && progress_now() > __atomic_load_n(&look_until, __ATOMIC_RELAXED)))
        return;
    interpose_each_thread(find_attached, &found);
    if (found == NULL
        || (*check_real_vm)->AttachCurrentThreadAsDaemon(check_real_vm, &env, NULL) != JNI_OK)
        return;
    if (!waits_for_agents(env))
        since = 0;
    else if (since == 0) {
        since = progress_now();
        check_found_at(RULE_THREAD_ATTACHED_AT_EXIT, "AttachCurrentThread",
                       &found->attached_at, 1,
                       "the VM does not end, since a thread that the agent attached is "
                       "attached still");
    }
    (*check_real_vm)->DetachCurrentThread(check_real_vm);
    if (since != 0 && progress_now() - since >= check_options.watchdog) {
        print_stacks();
        finding_write_state("stuck");
        _exit(STATUS_STUCK);
    }
}

static void *
watch(void *data)
{
    (void)data;
    is_watchdog = true;
    for (;;) {
        struct stuck stuck = { .in = NULL };

        pause_for(1000);
        __atomic_fetch_add(&seconds, 1, __ATOMIC_RELAXED);
        interpose_each_thread(look_at, &stuck);
        if (stuck.in != NULL)
            end_stuck(&stuck);
        look_at_end();
    }
    return NULL;
}

void
progress_start(void)
{
    struct sigaction action = { .sa_handler = take_capture, .sa_flags = SA_RESTART };
    static bool is_started;
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;

    if (check_options.watchdog == 0 || is_started)
        return;
    is_started = true;
    sigaction(capture_signal(), &action, NULL);
    /* Signals are for the VM's threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, watch, NULL) != 0)
        fprintf(stderr, "tiforge check: no thread for the watchdog\n");
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- deadlocks ---- */

static void
release_usage(JNIEnv *jni, const jvmtiMonitorUsage *usage)
{
    for (jint i = 0; i < usage->waiter_count; i++)
        (*jni)->DeleteLocalRef(jni, usage->waiters[i]);
    for (jint i = 0; i < usage->notify_waiter_count; i++)
        (*jni)->DeleteLocalRef(jni, usage->notify_waiters[i]);
    (*jni)->DeleteLocalRef(jni, usage->owner);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)usage->waiters);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)usage->notify_waiters);
}

/* The thread that has the monitor of the object, as far as it has run code of an agent. */
static struct check_thread *
owner_of_object(JNIEnv *jni, jweak weak)
{
    jobject object = (*jni)->NewLocalRef(jni, weak);
    struct check_thread *owner = NULL;
    jvmtiMonitorUsage usage;

    if (object == NULL)
        return NULL;
    if ((*check_jvmti)->GetObjectMonitorUsage(check_jvmti, object, &usage)
        == JVMTI_ERROR_NONE) {
        if (usage.owner != NULL)
            owner = check_thread_of(usage.owner);
        release_usage(jni, &usage);
    }
    (*jni)->DeleteLocalRef(jni, object);
    return owner;
}

/* Whom the thread waits for, with a word about it in the text; NULL if for nobody. */
static struct check_thread *
next_of(JNIEnv *jni, const struct check_thread *thread, struct tf_buffer *text)
{
    struct raw_monitor *wants = __atomic_load_n(&thread->wants, __ATOMIC_ACQUIRE);
    jweak object = __atomic_load_n(&thread->wants_object, __ATOMIC_ACQUIRE);
    struct check_thread *owner = NULL;
    const char *name = NULL;

    if (wants != NULL)
        owner = monitor_owner(wants, &name);
    else if (object != NULL)
        owner = owner_of_object(jni, object);
    if (owner == NULL || owner == thread)
        return NULL;
    tf_buffer_format(text, "%sthread \"%s\" wants %s%s%s, which \"%s\" has",
                     text->length > 0 ? "; " : "", thread->name,
                     wants != NULL ? "raw monitor '" : "an object's monitor",
                     wants != NULL ? name : "", wants != NULL ? "'" : "", owner->name);
    return owner;
}

/* Does the thread wait for itself, over others?  The text says how then. */
static bool
is_in_cycle(JNIEnv *jni, const struct check_thread *thread, struct tf_buffer *text)
{
    const struct check_thread *at = thread;

    for (int i = 0; i < LONGEST_CYCLE && at != NULL; i++) {
        at = next_of(jni, at, text);
        if (at == thread)
            return true;
    }
    return false;
}

/* Others go on while they are looked at, so that one look may see what was never there at
   the same time.  In a deadlock nobody moves: each of several looks sees it. */
void
progress_wants(struct check_thread *thread, const char *function)
{
    const struct timespec pause = { 0, 2000000 };
    bool is_deadlock = true;
    void *jni = NULL;

    if ((*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2) != JNI_OK)
        return;
    for (int look = 5; look-- > 0 && is_deadlock;) {
        struct tf_buffer text = { 0 };

        is_deadlock = is_in_cycle(jni, thread, &text);
        if (is_deadlock && look == 0)
            check_found(RULE_PROGRESS_DEADLOCK, function, "a deadlock: %s",
                        tf_buffer_string(&text));
        else if (is_deadlock)
            nanosleep(&pause, NULL);
        tf_buffer_release(&text);
    }
}

/* The agent waits for an object's monitor: has it suspended the thread that has it? */
static void
check_suspended_owner(const struct check_thread *thread, JNIEnv *jni, jobject object)
{
    jvmtiMonitorUsage usage;
    jint state = 0;

    if (thread->under_way == 0 || !thread_any_suspended()
        || (*check_jvmti)->GetObjectMonitorUsage(check_jvmti, object, &usage)
            != JVMTI_ERROR_NONE)
        return;
    if (usage.owner != NULL
        && (*check_jvmti)->GetThreadState(check_jvmti, usage.owner, &state)
            == JVMTI_ERROR_NONE && (state & JVMTI_THREAD_STATE_SUSPENDED))
        check_found(RULE_MONITOR_OWNER_SUSPENDED, "MonitorEnter",
                    "an object's monitor is wanted, whose owner is suspended");
    release_usage(jni, &usage);
}

static void JNICALL
on_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread java_thread, jobject object)
{
    struct check_thread *thread = check_thread_self();

    (void)jvmti, (void)java_thread;
    check_suspended_owner(thread, jni, object);
    if (thread->held_count == 0)
        return;
    __atomic_store_n(&thread->wants_object, (*jni)->NewWeakGlobalRef(jni, object),
                     __ATOMIC_RELEASE);
    progress_wants(thread, "MonitorContendedEnter");
}

static void JNICALL
on_contended_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread java_thread, jobject object)
{
    struct check_thread *thread = check_thread_self();
    jweak weak = thread->wants_object;

    (void)jvmti, (void)java_thread, (void)object;
    if (weak == NULL)
        return;
    __atomic_store_n(&thread->wants_object, NULL, __ATOMIC_RELEASE);
    /* Another thread may be about to use it: it goes when the next one comes. */
    (*jni)->DeleteWeakGlobalRef(jni, thread->spent_object);
    thread->spent_object = weak;
}

void
progress_callbacks(jvmtiEventCallbacks *callbacks)
{
    callbacks->ThreadEnd = on_thread_end;
    callbacks->MonitorContendedEnter = on_contended_enter;
    callbacks->MonitorContendedEntered = on_contended_entered;
}

void
progress_watch_monitors(void)
{
    jvmtiCapabilities wanted = { .can_generate_monitor_events = 1,
                                 .can_get_monitor_info = 1 };
    static bool is_done;

    if (__atomic_exchange_n(&is_done, true, __ATOMIC_RELAXED)
        || (*check_jvmti)->AddCapabilities(check_jvmti, &wanted) != JVMTI_ERROR_NONE)
        return;
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL);
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, NULL);
}
