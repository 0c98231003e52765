/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/misuse.c -- finds the case and lets it run. */
#include "layer/test/misuse/misuse.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct misuse *misuse_now;
jvmtiEventCallbacks misuse_callbacks;
const char *misuse_options;

static struct misuse now;
static const struct misuse_case *chosen;

void
misuse_must(jvmtiError error, const char *what)
{
    if (error != JVMTI_ERROR_NONE) {
        fprintf(stderr, "misuse: %s: error %d\n", what, (int)error);
        exit(3);
    }
}

void
misuse_enable(struct misuse *m, jvmtiEvent event)
{
    misuse_must((*m->jvmti)->SetEventNotificationMode(m->jvmti, JVMTI_ENABLE, event, NULL),
                "SetEventNotificationMode");
}

jthread
misuse_thread(struct misuse *m, jvmtiStartFunction proc, void *arg)
{
    JNIEnv *jni = m->jni;
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID init = (*jni)->GetMethodID(jni, class, "<init>", "()V");
    jthread thread = (*jni)->NewObject(jni, class, init);

    misuse_must((*m->jvmti)->RunAgentThread(m->jvmti, thread, proc, arg,
                                            JVMTI_THREAD_NORM_PRIORITY),
                "RunAgentThread");
    return thread;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void
misuse_signal(int *place, int value)
{
    pthread_mutex_lock(&lock);
    *place = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void
misuse_count(int *place)
{
    pthread_mutex_lock(&lock);
    ++*place;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void
misuse_await(const int *place, int value)
{
    pthread_mutex_lock(&lock);
    while (*place < value)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    now.jni = jni;
    now.thread = thread;
    if (chosen->init != NULL)
        chosen->init(&now);
}

static void JNICALL
on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    now.jni = jni;
    if (chosen->death != NULL)
        chosen->death(&now);
}

static const struct misuse_case *
find(const char *rule)
{
    const struct misuse_case *const tables[] = { memory_cases, phase_cases,
                                                 callback_cases, thread_cases,
                                                 monitor_cases, reference_cases,
                                                 table_cases, id_cases, class_cases,
                                                 error_cases, progress_cases,
                                                 correct_cases };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct misuse_case *c = tables[i]; c->rule != NULL; c++)
            if (strcmp(c->rule, rule) == 0)
                return c;
    return NULL;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char rule[64], way[16];
    void *env;

    (void)reserved;
    misuse_options = options;
    if (sscanf(options, "%63[^,],%15s", rule, way) != 2 || (chosen = find(rule)) == NULL
        || (*vm)->GetEnv(vm, &env, JVMTI_VERSION_1_0) != JNI_OK) {
        fprintf(stderr, "misuse: no case '%s'\n", options);
        return JNI_ERR;
    }
    now = (struct misuse){ .vm = vm, .jvmti = env, .right = strcmp(way, "right") == 0 };
    misuse_now = &now;
    misuse_callbacks.VMInit = on_init;
    misuse_callbacks.VMDeath = on_death;
    if (chosen->load != NULL)
        chosen->load(&now);
    misuse_must((*now.jvmti)->SetEventCallbacks(now.jvmti, &misuse_callbacks,
                                                sizeof misuse_callbacks),
                "SetEventCallbacks");
    misuse_enable(&now, JVMTI_EVENT_VM_INIT);
    misuse_enable(&now, JVMTI_EVENT_VM_DEATH);
    return JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    now.jni = NULL;
    if (chosen->unload != NULL)
        chosen->unload(&now);
}
