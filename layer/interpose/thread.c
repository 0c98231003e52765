/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/thread.c -- a record for each thread that an agent's code runs on.
 *
 * A record is made when the thread first comes by and is found through a thread-local
 * pointer.  When the thread has ended its record goes to the end of a queue, from whose
 * beginning records are taken again once the queue is long.  Until then an agent that
 * still uses the thread's JNIEnv is recognized.
 *
 * A thread's end is told by the destructor of its data.  An agent may have one, too, in
 * which it detaches the thread, and the order of destructors is not specified; so ours
 * takes effect in a later round of them.
 */
#include "layer/interpose/wrappers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KEPT 1024
/* Rounds of destructors that agents have for themselves; POSIX guarantees four in all. */
#define ROUNDS 2

static __thread struct interpose_thread *self;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Guards the list of threads and the queue of records of ended ones. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct interpose_thread *threads, *oldest, *newest;
static int kept;

static void
thread_ended(void *data)
{
    struct interpose_thread *thread = data, **at = &threads;

    if (thread->endings++ < ROUNDS) {
        pthread_setspecific(key, thread);
        return;
    }
    interposed_thread_ended(thread);
    pthread_mutex_lock(&lock);
    while (*at != NULL && *at != thread)
        at = &(*at)->next;
    if (*at == thread)
        *at = thread->next;
    thread->has_ended = true;
    thread->next = NULL;
    if (newest != NULL)
        newest->next = thread;
    else
        oldest = thread;
    newest = thread;
    kept++;
    pthread_mutex_unlock(&lock);
    self = NULL;
}

static void
make_key(void)
{
    pthread_key_create(&key, thread_ended);
}

static struct interpose_thread *
thread_new(void)
{
    struct interpose_thread *thread = NULL;

    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    if (kept > KEPT) {
        thread = oldest;
        oldest = thread->next;
        kept--;
    }
    pthread_mutex_unlock(&lock);
    if (thread == NULL)
        thread = malloc(sizeof *thread);
    if (thread == NULL) {
        fprintf(stderr, "tiforge: out of memory\n");
        abort();
    }
    *thread = (struct interpose_thread){ .id = syscall(SYS_gettid) };
    pthread_setspecific(key, thread);
    return thread;
}

struct interpose_thread *
interpose_thread_self(void)
{
    if (self == NULL) {
        self = thread_new();
        /* Others find it when it has what the layer keeps of it. */
        interposed_thread_seen(self);
        pthread_mutex_lock(&lock);
        self->next = threads;
        threads = self;
        pthread_mutex_unlock(&lock);
    }
    return self;
}

struct interpose_thread *
interpose_thread_known(void)
{
    return self;
}

void
interpose_each_thread(void each(struct interpose_thread *thread, void *data), void *data)
{
    pthread_mutex_lock(&lock);
    for (struct interpose_thread *t = threads; t != NULL; t = t->next)
        each(t, data);
    pthread_mutex_unlock(&lock);
}

/* ---- agent threads ---- */

struct start {
    jvmtiStartFunction function;
    void *arg;
    struct interpose_env *env;
};

static void JNICALL
run_start(jvmtiEnv *real, JNIEnv *jni, void *data)
{
    struct start start = *(struct start *)data;

    (void)real;
    free(data);
    interpose_thread_self()->is_agent_thread = true;
    start.function((jvmtiEnv *)&start.env->functions,
                   interpose_jni_for(start.env->vm, interpose_thread_self(), jni),
                   start.arg);
}

bool
interpose_agent_thread_adapt(struct interpose_call *call)
{
    struct start *start;

    if (call->args[1].p == NULL)
        return true;
    start = malloc(sizeof *start);
    if (start == NULL) {
        call->error = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    *start = (struct start){ (jvmtiStartFunction)call->args[1].p, call->args[2].p,
                             call->env };
    call->args[1].p = (void *)run_start;
    call->args[2].p = start;
    return true;
}
