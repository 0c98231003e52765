/* SPDX-License-Identifier: MIT */
/*
 * layer/callback.c -- rules about callbacks: what may be called in them, and what they
 * leave behind (JVM TI "Event Callbacks", "Heap"; JNI "Java Exceptions").
 */
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "layer/check.h"

/* One callback of so many is timed. */
#define SAMPLING 16
/* An event is told of at the exit if it had so many callbacks, and they took so many
   nanoseconds in all and so many each. */
#define MUCH_TIME 100000000LL
#define MUCH_EACH 1000LL
#define MANY 100
/* One that takes so many nanoseconds holds up the program by itself, if it waits; one that
   does not may have had no processor, so it takes some of them. */
#define LONG_TIME 100000000LL
#define LONG_ONES 3
/* So often within itself a callback has no end. */
#define DEEP 8
/* So many collections by the callbacks of one event are many. */
#define COLLECTIONS 3

/* How often the thread has waited for something: when it only was not let run, because
   the machine is busy, that does not count. */
static long
waits(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

static long long
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void
callback_pause_begin(struct callback_pause *pause)
{
    pause->started = now();
    pause->waits = waits();
}

void
callback_pause_end(const struct callback_pause *pause)
{
    const struct interpose_thread *thread = interpose_thread_known();
    long long time = now() - pause->started;
    long waited = waits() - pause->waits;

    for (struct interpose_event *e = thread != NULL ? thread->event : NULL; e != NULL;
         e = e->outer)
        if (e->started != 0) {
            e->started += time;
            e->waits += waited;
        }
}

/* The callback that is running and does not allow all calls; NULL if there is none. */
static const char *
restricted_callback(const struct interpose_thread *thread)
{
    if (thread->restricted > 0)
        return "a heap callback";
    if (thread->event == NULL)
        return NULL;
    switch (thread->event->facts->number) {
    case JVMTI_EVENT_GARBAGE_COLLECTION_START:
    case JVMTI_EVENT_GARBAGE_COLLECTION_FINISH:
    case JVMTI_EVENT_OBJECT_FREE:
        return thread->event->facts->name;
    default:
        return NULL;
    }
}

static void
check_signal(const char *function)
{
    if (signal_is_handled())
        check_found(RULE_CALLBACK_SIGNAL_HANDLER, function,
                    "%s is called in a signal handler, which may have interrupted the VM "
                    "anywhere", function);
}

void
interposed_env_refused(jint version, jint error)
{
    crash_env_refused(version, error);
}

void
interposed_vm_call(struct interpose_thread *thread, const char *function)
{
    const char *callback = restricted_callback(thread);

    check_signal(function);
    if (callback != NULL)
        check_found(RULE_CALLBACK_JNI, function,
                    "%s of the JavaVM is called in %s, where JNI may not be used", function,
                    callback);
}

/* What is done once may take its time. */
static bool
is_start_or_end(jvmtiEvent number)
{
    return number == JVMTI_EVENT_VM_START || number == JVMTI_EVENT_VM_INIT
        || number == JVMTI_EVENT_VM_DEATH || number == JVMTI_EVENT_DATA_DUMP_REQUEST;
}

/* A collection for each event: the program gets slow, whatever it is for. */
static void
check_collection(const struct interpose_call *call)
{
    const struct interpose_event *event = call->thread->event;
    struct check_env *env = call->env->state;
    struct event_cost *cost;

    if (event == NULL || is_start_or_end(event->facts->number))
        return;
    cost = &env->costs[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL];
    if (__atomic_add_fetch(&cost->collections, 1, __ATOMIC_RELAXED) == COLLECTIONS)
        check_found(RULE_CALLBACK_COLLECTION, "ForceGarbageCollection",
                    "callbacks of %s call ForceGarbageCollection again and again",
                    event->facts->name);
}

bool
callback_begin(struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    const char *callback = restricted_callback(call->thread);

    if (callback != NULL && !f->is_callback_safe)
        check_found(RULE_CALLBACK_UNSAFE_FUNCTION, f->name,
                    "%s is called in %s, where only callback-safe functions may be",
                    f->name, callback);
    check_signal(f->name);
    if (call->function == INTERPOSE_ForceGarbageCollection)
        check_collection(call);
    return true;
}

void
interposed_strange_visit(int function, int result)
{
    const char *name = interpose_functions[function].name;

    check_found_at(RULE_CALLBACK_VISIT, name, NULL, 1,
                   "a callback of %s has returned 0x%x, which is no %s", name,
                   (unsigned)result,
                   function == INTERPOSE_FollowReferences
                       || function == INTERPOSE_IterateThroughHeap
                   ? "JVMTI_VISIT_OBJECTS or JVMTI_VISIT_ABORT, nor 0"
                   : "jvmtiIterationControl");
}

/* ---- JNI ---- */

struct early {
    const struct interpose_vm *vm;
    bool has_started;
};

static void
look_for_start(struct interpose_env *env, void *data)
{
    struct early *early = data;

    if (env->vm == early->vm && check_phase_for(env->real) == JVMTI_PHASE_START)
        early->has_started = true;
}

/* Has VMStart come, to one of the agent's environments at least?  Those that have
   can_generate_early_vmstart get it before others. */
static bool
has_started(const struct interpose_vm *vm)
{
    struct early early = { vm, false };
    jvmtiPhase phase = check_phase();

    if (phase == JVMTI_PHASE_PRIMORDIAL)
        interpose_each_env(look_for_start, &early);
    return (phase != JVMTI_PHASE_ONLOAD && phase != JVMTI_PHASE_PRIMORDIAL)
        || early.has_started;
}

/* Before VMStart there are no objects that JNI could use (JVM TI "VM Start Event"). */
static bool
check_early(const struct interpose_jni_call *call)
{
    const char *name = interpose_jni_functions[call->function].name;

    if (has_started(call->jni->vm))
        return true;
    check_found(RULE_PHASE_JNI_EARLY, name, "JNI's %s is called before the VMStart event",
                name);
    return call->function == INTERPOSE_JNI_GetVersion
        || call->function == INTERPOSE_JNI_GetJavaVM;
}

/* Does a thread of the agent's only give back what it got before VMDeath? */
static bool
tidies_up(const struct interpose_thread *thread, const char *function)
{
    const struct check_thread *state = thread->state;

    return state->loading == NULL
        && (strncmp(function, "Delete", 6) == 0 || strncmp(function, "Release", 7) == 0
            || strncmp(function, "Exception", 9) == 0
            || strcmp(function, "PopLocalFrame") == 0);
}

/* Java code may wait for other threads, and they for the monitor. */
static void
check_java_call(const struct check_thread *thread, const char *function)
{
    bool is_new = strncmp(function, "NewObject", 9) == 0
        && (function[9] == '\0' || function[10] == '\0');
    const char *monitor;

    if (thread->held_count > 0 && (is_new || strncmp(function, "Call", 4) == 0)
        && monitor_is_held(thread, &monitor))
        check_found(RULE_MONITOR_HELD_OVER_JAVA, function,
                    "JNI's %s runs Java code while raw monitor '%s' is held", function,
                    monitor);
}

/* What was so when the callback began: struct interpose_event.marks. */
enum { MARK_ENTRIES, MARK_JAVA_MONITORS, MARK_USED_JNI, MARK_THROWN, MARK_PENDING };

static bool
has_exception(const struct interpose_event *event)
{
    const struct interpose_jni *jni = &event->thread->jni;

    return event->jni != NULL && jni->real != NULL
        && (*jni->real)->ExceptionCheck(jni->real);
}

/* An exception that is pending before the callback's first call of JNI was so when it
   began: only that can throw.  Most callbacks make no call, and to ask is dear. */
static void
note_pending(const struct interpose_thread *thread)
{
    const struct check_thread *state = thread->state;

    if (thread->event != NULL && !state->has_used_jni)
        thread->event->marks[MARK_PENDING] = has_exception(thread->event);
}

bool
callback_jni_begin(struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct interpose_thread *thread = call->thread;
    const char *callback = restricted_callback(thread);
    JNIEnv *own;

    check_signal(f->name);
    check_java_call(thread->state, f->name);
    if (callback != NULL)
        check_found(RULE_CALLBACK_JNI, f->name,
                    "JNI's %s is called in %s, where JNI may not be used", f->name,
                    callback);
    if (call->jni->thread != thread || call->real == NULL) {
        own = interpose_real_jni(call->jni->vm);
        if (callback == NULL)
            check_found(RULE_THREAD_FOREIGN_JNIENV, f->name,
                        "JNI's %s is called with the JNIEnv of %s%s%s", f->name,
                        call->jni->thread == thread ? "this thread from before it detached"
                                                    : "another thread",
                        call->jni->thread->has_ended ? ", which has ended" : "",
                        own == NULL ? "; this one is not attached" : "");
        if (own == NULL)
            return false;
        call->real = own;
    }
    if (!check_early(call))
        return false;
    note_pending(thread);
    if (check_phase() == JVMTI_PHASE_DEAD && !tidies_up(thread, f->name)
        && !check_is_overtaken(thread))
        check_found(RULE_PHASE_JNI_AFTER_DEATH, f->name,
                    "JNI's %s is called after the VMDeath event", f->name);
    if (!f->is_for_pending && callback == NULL
        && (*call->real)->ExceptionCheck(call->real))
        check_found(RULE_CALLBACK_EXCEPTION_IGNORED, f->name,
                    "JNI's %s is called while an exception is pending", f->name);
    return true;
}

void
callback_jni_end(struct interpose_jni_call *call)
{
    struct check_thread *thread = call->thread->state;

    if (call->function == INTERPOSE_JNI_MonitorEnter && call->result.i == JNI_OK)
        thread->java_monitors++;
    else if (call->function == INTERPOSE_JNI_MonitorExit) {
        if (call->result.i == JNI_OK && thread->java_monitors > 0)
            thread->java_monitors--;
        else
            check_found(RULE_MONITOR_JAVA_NOT_OWNER, "MonitorExit",
                        "JNI's MonitorExit of a monitor that the thread %s",
                        call->result.i == JNI_OK ? "has not entered by MonitorEnter"
                                                 : "does not own");
    } else if (call->function == INTERPOSE_JNI_Throw
               || call->function == INTERPOSE_JNI_ThrowNew)
        thread->has_thrown = true;
    else if (call->function == INTERPOSE_JNI_ExceptionClear)
        thread->has_thrown = false;
    thread->has_used_jni = true;
}

/* ---- events ---- */

/* Events that another one follows on the same thread: what the agent enters in the first
   it may leave in the second. */
static bool
is_first_of_two(jvmtiEvent number)
{
    switch (number) {
    case JVMTI_EVENT_GARBAGE_COLLECTION_START:
    case JVMTI_EVENT_MONITOR_CONTENDED_ENTER:
    case JVMTI_EVENT_MONITOR_WAIT:
    case JVMTI_EVENT_METHOD_ENTRY:
        return true;
    default:
        return false;
    }
}

/* The callback of an event during that of the same event, and so on. */
static void
check_recursion(const struct interpose_event *event)
{
    int depth = 0;

    for (const struct interpose_event *e = event->outer; e != NULL; e = e->outer)
        depth += e->facts == event->facts;
    if (depth == DEEP)
        check_found_at(RULE_CALLBACK_RECURSION, event->facts->name, NULL, 1,
                       "the callback of %s was called %d times within itself",
                       event->facts->name, depth);
}

void
callback_event_begin(struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    struct check_env *env = event->env->state;
    struct event_cost *cost =
        &env->costs[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL];
    long long count = __atomic_fetch_add(&cost->count, 1, __ATOMIC_RELAXED);

    check_recursion(event);
    event->marks[MARK_ENTRIES] = monitor_entries(thread);
    event->marks[MARK_JAVA_MONITORS] = thread->java_monitors;
    event->marks[MARK_USED_JNI] = thread->has_used_jni;
    event->marks[MARK_THROWN] = thread->has_thrown;
    event->marks[MARK_PENDING] = false;
    thread->has_used_jni = thread->has_thrown = false;
    event->started = 0;
    if (count < MANY || count % SAMPLING == 0) {
        event->waits = waits();
        event->started = now();
    }
}

static void
check_left_behind(const struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    const char *name, *callback = event->facts->name;
    bool may_hold = is_first_of_two(event->facts->number);

    if (!may_hold && monitor_entries(thread) > event->marks[MARK_ENTRIES]
        && monitor_is_held(thread, &name))
        check_found_at(RULE_CALLBACK_MONITOR_HELD, callback, NULL, 1,
                       "the callback of %s returns with the raw monitor '%s' entered",
                       callback, name);
    if (!may_hold && thread->java_monitors > event->marks[MARK_JAVA_MONITORS])
        check_found_at(RULE_CALLBACK_JAVA_MONITOR_HELD, callback, NULL, 1,
                       "the callback of %s returns with an object's monitor entered",
                       callback);
    /* Only a call of JNI can have thrown.  What the agent throws itself it means, or it is
       the exception that it found and has preserved. */
    if (thread->has_used_jni && !thread->has_thrown && !event->marks[MARK_PENDING]
        && has_exception(event))
        check_found_at(RULE_CALLBACK_EXCEPTION_LEFT, callback, NULL, 1,
                       "the callback of %s returns with an exception pending", callback);
}

void
callback_event_end(struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    struct check_env *env = event->env->state;
    struct event_cost *cost =
        &env->costs[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL];

    if (event->started != 0) {
        long long time = now() - event->started;

        __atomic_fetch_add(&cost->sampled, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&cost->nanoseconds, time, __ATOMIC_RELAXED);
        __atomic_fetch_add(&cost->long_ones, time > MUCH_EACH, __ATOMIC_RELAXED);
        if (time > LONG_TIME && !is_start_or_end(event->facts->number)
            && (waits() > event->waits
                || __atomic_add_fetch(&cost->very_long, 1, __ATOMIC_RELAXED) >= LONG_ONES))
            check_found_at(RULE_CALLBACK_SLOW, event->facts->name, NULL, 1,
                           "a callback of %s took %.1f seconds", event->facts->name,
                           (double)time / 1e9);
    }
    check_left_behind(event);
    thread->has_used_jni |= event->marks[MARK_USED_JNI];
    thread->has_thrown = event->marks[MARK_THROWN];
}

/* Costs of the callbacks, as far as they are worth a word. */
void
callback_env_ended(struct interpose_env *env)
{
    const struct check_env *state = env->state;

    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++) {
        const struct event_cost *cost = &state->costs[i];
        long long each = cost->sampled > 0 ? cost->nanoseconds / cost->sampled : 0;

        /* The mean of short ones is high, too, when one was kept from running. */
        if (cost->count >= MANY && each > MUCH_EACH && cost->long_ones * 2 > cost->sampled
            && each * cost->count > MUCH_TIME)
            check_found_at(RULE_CALLBACK_SLOW, interpose_events[i].name, NULL, 1,
                           "%lld callbacks of %s took %lld microseconds each, %.1f "
                           "seconds in all", cost->count, interpose_events[i].name,
                           each / 1000, (double)each * (double)cost->count / 1e9);
    }
}
