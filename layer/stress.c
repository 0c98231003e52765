/* SPDX-License-Identifier: MIT */
/*
 * layer/stress.c -- disturbs an agent, so that what depends on time goes wrong soon.
 *
 * With stress=SEED callbacks of the agent are delayed, the first ones of each event and
 * others have collections of garbage, and a thread attaches itself and detaches all the
 * time, also just while a callback runs.  That thread defines a class with a loader of its
 * own, runs it and forgets it, so that collections unload classes which the agent has
 * seen.  What a thread gets is drawn from the seed and the thread's name, so that the same
 * seed disturbs in the same way again.  Delays and the thread depend on time, though: with
 * turns as well, where the VM has a schedule of its own from the seed (minivm's
 * -XX:ScheduleSeed), there are only the collections, and a run is the same one each time.
 * With exit-in=EVENT the program ends while the first
 * callback of that event runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tiforge/log.h>

#include "layer/check.h"

/* Each event's first callbacks have one; collections are slow: so many at most. */
#define COLLECTED_FIRST 10
#define COLLECTIONS 200
/* A callback waits so many milliseconds for a thread to attach itself and detach. */
#define MEETING 20

static unsigned long seed;
static bool has_turns;
static int exit_event = -1;

bool
stress_set(const char *text)
{
    char *end;

    seed = strtoul(text, &end, 10);
    if (*end == '\0' && seed > 0)
        return true;
    tf_error("stress wants a number from 1 on, not '%s'", text);
    return false;
}

void
stress_set_turns(void)
{
    has_turns = true;
}

bool
stress_set_exit(const char *event)
{
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        if (interpose_events[i].name != NULL && strcmp(interpose_events[i].name, event) == 0)
            exit_event = i;
    if (exit_event < 0)
        tf_error("exit-in wants an event, not '%s'", event);
    return exit_event >= 0;
}

/* ---- chance ---- */

/* xorshift64*, for each thread from its name on. */
static unsigned
next_number(struct check_thread *thread)
{
    unsigned long x = thread->chance;

    if (x == 0) {
        char name[64];

        check_thread_name(name, sizeof name);
        x = seed * 0x9e3779b97f4a7c15ul;
        for (const char *p = name; *p != '\0'; p++)
            x = (x ^ (unsigned char)*p) * 0x100000001b3ul;
        x |= 1;
    }
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    thread->chance = x;
    return (unsigned)(x * 0x2545f4914f6cdd1dul >> 40);
}

static void
pause_for(unsigned microseconds)
{
    struct timespec t = { 0, (long)microseconds * 1000 };

    nanosleep(&t, NULL);
}

/* ---- the end, during a callback ---- */

static void *
end_program(void *data)
{
    JavaVM *vm = data;
    void *env;
    JNIEnv *jni;
    jclass class;

    if ((*vm)->AttachCurrentThreadAsDaemon(vm, &env, NULL) != JNI_OK)
        return NULL;
    jni = env;
    class = (*jni)->FindClass(jni, "java/lang/System");
    if (class != NULL)
        (*jni)->CallStaticVoidMethod(jni, class,
                                     (*jni)->GetStaticMethodID(jni, class, "exit", "(I)V"),
                                     (jint)0);
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

static void
start_thread(void *run(void *data))
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, run, check_real_vm) != 0)
        tf_warning("no thread to disturb the agent with");
    pthread_attr_destroy(&attributes);
}

/* ---- classes that come and go ---- */

/* public class tiforge/stress/Part { public static void run() { } }, of version 50: without
   frames. */
static const jbyte part[] =
    "\xca\xfe\xba\xbe\0\0\0\x32\0\x08"
    "\7\0\2" "\1\0\x13tiforge/stress/Part"
    "\7\0\4" "\1\0\x10java/lang/Object"
    "\1\0\3run" "\1\0\3()V" "\1\0\4Code"
    "\0\x21\0\1\0\3\0\0\0\0\0\1"
    "\0\x09\0\5\0\6\0\1" "\0\7\0\0\0\x0d\0\0\0\0\0\0\0\1\xb1\0\0\0\0"
    "\0\0";

/* Each definition is of another loader, which nobody keeps. */
static void
define_part(JNIEnv *jni)
{
    jclass loaders = (*jni)->FindClass(jni, "java/security/SecureClassLoader"), class = NULL;
    jmethodID method = loaders != NULL
        ? (*jni)->GetMethodID(jni, loaders, "<init>", "()V") : NULL;
    jobject loader = method != NULL ? (*jni)->NewObject(jni, loaders, method) : NULL;

    if (loader != NULL)
        class = (*jni)->DefineClass(jni, "tiforge/stress/Part", loader, part,
                                    sizeof part - 1);
    method = class != NULL ? (*jni)->GetStaticMethodID(jni, class, "run", "()V") : NULL;
    if (method != NULL)
        (*jni)->CallStaticVoidMethod(jni, class, method);
    (*jni)->ExceptionClear(jni);
}

/* ---- threads that come and go ---- */

/* Callbacks that have asked for a thread, and what that has answered. */
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static unsigned asks, answers;

static void
deadline_in(struct timespec *at, unsigned microseconds)
{
    clock_gettime(CLOCK_REALTIME, at);
    at->tv_nsec += (long)microseconds * 1000;
    at->tv_sec += at->tv_nsec / 1000000000;
    at->tv_nsec %= 1000000000;
}

/* Have a thread attach itself and detach while this callback runs.  It may be that it
   cannot before the callback returns. */
static void
meet(void)
{
    struct timespec at;
    unsigned number;

    deadline_in(&at, MEETING * 1000);
    pthread_mutex_lock(&meeting);
    number = ++asks;
    pthread_cond_signal(&asked);
    while ((int)(answers - number) < 0
           && pthread_cond_timedwait(&answered, &meeting, &at) == 0)
        continue;
    pthread_mutex_unlock(&meeting);
}

/* Until a callback asks, or the time is over; what it has to answer. */
static unsigned
wait_for_ask(unsigned microseconds)
{
    struct timespec at;
    unsigned number;

    deadline_in(&at, microseconds);
    pthread_mutex_lock(&meeting);
    while (asks == answers && pthread_cond_timedwait(&asked, &meeting, &at) == 0)
        continue;
    number = asks;
    pthread_mutex_unlock(&meeting);
    return number;
}

static void
answer(unsigned number)
{
    pthread_mutex_lock(&meeting);
    answers = number;
    pthread_cond_broadcast(&answered);
    pthread_mutex_unlock(&meeting);
}

/* Its own callbacks do not wait for it. */
static __thread bool is_stress_thread;

static void *
come_and_go(void *data)
{
    JavaVM *vm = data;
    struct check_thread state = { .chance = seed | 1 };
    void *env;

    is_stress_thread = true;
    for (;;) {
        unsigned number = wait_for_ask(next_number(&state) % 20000);

        if (check_phase() == JVMTI_PHASE_DEAD
            || (*vm)->AttachCurrentThreadAsDaemon(vm, &env, NULL) != JNI_OK)
            return NULL;
        if (next_number(&state) % 4 == 0)
            define_part(env);
        pause_for(next_number(&state) % 2000);
        (*vm)->DetachCurrentThread(vm);
        answer(number);
    }
}

void
stress_vm_init(void)
{
    if (seed != 0 && !has_turns)
        start_thread(come_and_go);
}

/* ---- callbacks ---- */

void
stress_event(const struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    static int collections, exits, seen[INTERPOSE_EVENT_COUNT];
    bool is_first;
    unsigned number;

    if ((int)event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL == exit_event
        && check_phase() == JVMTI_PHASE_LIVE
        && __atomic_fetch_add(&exits, 1, __ATOMIC_RELAXED) == 0) {
        start_thread(end_program);
        pause_for(50000);
    }
    if (seed == 0)
        return;
    number = next_number(thread);
    is_first = __atomic_fetch_add(&seen[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL], 1,
                                  __ATOMIC_RELAXED) < COLLECTED_FIRST;
    if (number % 8 == 0 && !has_turns)
        pause_for(number / 8 % 2000);
    else if (number % 8 == 2 && !has_turns && !is_stress_thread && check_may_ask(event->thread))
        meet();
    else if ((is_first || number % 8 == 1) && check_may_ask(event->thread)
             && __atomic_fetch_add(&collections, 1, __ATOMIC_RELAXED) < COLLECTIONS)
        (*check_jvmti)->ForceGarbageCollection(check_jvmti);
}
