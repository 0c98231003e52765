/* SPDX-License-Identifier: MIT */
/*
 * layer/stress.c -- disturbs an agent, so that what depends on time goes wrong soon.
 *
 * With stress=SEED callbacks of the agent are delayed, have collections of garbage, and a
 * thread attaches itself and detaches all the time.  What a thread gets is drawn from the
 * seed and the thread's name, so that the same seed disturbs in the same way again.  With
 * exit-in=EVENT the program ends while the first callback of that event runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tiforge/log.h>

#include "layer/check.h"

/* Collections are slow: so many at most. */
#define COLLECTIONS 100

static unsigned long seed;
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

/* ---- threads that come and go ---- */

static void *
come_and_go(void *data)
{
    JavaVM *vm = data;
    struct check_thread state = { .chance = seed | 1 };
    void *env;

    for (;;) {
        pause_for(next_number(&state) % 20000);
        if (check_phase() == JVMTI_PHASE_DEAD
            || (*vm)->AttachCurrentThreadAsDaemon(vm, &env, NULL) != JNI_OK)
            return NULL;
        pause_for(next_number(&state) % 2000);
        (*vm)->DetachCurrentThread(vm);
    }
}

void
stress_vm_init(void)
{
    if (seed != 0)
        start_thread(come_and_go);
}

/* ---- callbacks ---- */

void
stress_event(const struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    static int collections, exits;
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
    if (number % 8 == 0)
        pause_for(number / 8 % 2000);
    else if (number % 8 == 1 && check_may_ask(event->thread)
             && __atomic_fetch_add(&collections, 1, __ATOMIC_RELAXED) < COLLECTIONS)
        (*check_jvmti)->ForceGarbageCollection(check_jvmti);
}
