/* SPDX-License-Identifier: MIT */
/*
 * sdk/src/worker.c -- a thread for deferred work.
 *
 * The queue is a bounded ring in which each cell has a ticket: a producer takes the
 * cell whose ticket equals its position, the worker the one whose ticket is one more.
 * A semaphore counts the items, for sem_post is allowed everywhere.
 */
#include <tiforge/worker.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include <tiforge/agent.h>
#include <tiforge/gate.h>
#include <tiforge/log.h>

struct cell {
    size_t ticket;
    tf_work *work;
    void *argument;
};

struct tf_worker {
    jvmtiEnv *jvmti;
    struct cell *cells;
    size_t mask;
    size_t posted;          /* the next position for producers */
    size_t taken;           /* the worker's own */
    size_t done;            /* items finished */
    unsigned long long refused;
    struct tf_gate gate;    /* producers are inside */
    sem_t items;
    bool ending;
    /* Under lock. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running, ended;
};

struct tf_worker *
tf_worker_new(jvmtiEnv *jvmti, size_t capacity)
{
    struct tf_worker *worker = (struct tf_worker *)calloc(1, sizeof *worker);
    pthread_condattr_t monotonic;
    size_t size = 2;

    while (size < capacity)
        size *= 2;
    if (worker != NULL)
        worker->cells = (struct cell *)calloc(size, sizeof *worker->cells);
    if (worker == NULL || worker->cells == NULL) {
        free(worker);
        return NULL;
    }
    for (size_t i = 0; i < size; i++)
        worker->cells[i].ticket = i;
    worker->jvmti = jvmti;
    worker->mask = size - 1;
    sem_init(&worker->items, 0, 0);
    pthread_mutex_init(&worker->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return worker;
}

/* Is there an item?  Waits for a producer that took a cell and is about to fill it. */
static bool
take(struct tf_worker *worker, tf_work **work, void **argument)
{
    struct cell *cell = &worker->cells[worker->taken & worker->mask];

    if (worker->taken == __atomic_load_n(&worker->posted, __ATOMIC_ACQUIRE))
        return false;
    while (__atomic_load_n(&cell->ticket, __ATOMIC_ACQUIRE) != worker->taken + 1)
        sched_yield();
    *work = cell->work;
    *argument = cell->argument;
    __atomic_store_n(&cell->ticket, worker->taken + worker->mask + 1, __ATOMIC_RELEASE);
    worker->taken++;
    return true;
}

static void
signal_change(struct tf_worker *worker, bool *flag, bool value)
{
    pthread_mutex_lock(&worker->lock);
    if (flag != NULL)
        *flag = value;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

static void
do_one(struct tf_worker *worker, JNIEnv *jni, tf_work *work, void *argument)
{
    bool framed = (*jni)->PushLocalFrame(jni, 16) == JNI_OK;

    if (!framed)
        tf_clear_exception(jni, "PushLocalFrame");
    work(worker->jvmti, jni, argument);
    tf_clear_exception(jni, "deferred work");
    if (framed)
        (*jni)->PopLocalFrame(jni, NULL);
    __atomic_fetch_add(&worker->done, 1, __ATOMIC_RELEASE);
    signal_change(worker, NULL, false);
}

static void JNICALL
run(jvmtiEnv *jvmti, JNIEnv *jni, void *data)
{
    struct tf_worker *worker = (struct tf_worker *)data;
    tf_work *work;
    void *argument;

    (void)jvmti;
    pthread_mutex_lock(&worker->lock);
    worker->thread = pthread_self();
    worker->running = true;
    pthread_mutex_unlock(&worker->lock);
    for (;;) {
        while (sem_wait(&worker->items) != 0 && errno == EINTR)
            ;
        if (take(worker, &work, &argument))
            do_one(worker, jni, work, argument);
        else if (__atomic_load_n(&worker->ending, __ATOMIC_ACQUIRE))
            break;
    }
    signal_change(worker, &worker->ended, true);
}

static jobject
make_thread(JNIEnv *jni, const char *name)
{
    jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID constructor = klass == NULL ? NULL
        : (*jni)->GetMethodID(jni, klass, "<init>", "(Ljava/lang/String;)V");
    jstring text = constructor == NULL ? NULL : (*jni)->NewStringUTF(jni, name);

    return text == NULL ? NULL : (*jni)->NewObject(jni, klass, constructor, text);
}

bool
tf_worker_start(struct tf_worker *worker, JNIEnv *jni, const char *thread_name)
{
    bool started = false;
    jobject thread;

    if ((*jni)->PushLocalFrame(jni, 8) != JNI_OK) {
        tf_clear_exception(jni, "PushLocalFrame");
        return false;
    }
    thread = make_thread(jni, thread_name);
    if (thread != NULL)
        started = TF_CALL(worker->jvmti, RunAgentThread,
                          (worker->jvmti, thread, run, worker,
                           JVMTI_THREAD_NORM_PRIORITY));
    else
        tf_clear_exception(jni, "new Thread");
    (*jni)->PopLocalFrame(jni, NULL);
    if (started) {
        /* Set here as well as in run, so that drain and stop know of it at once. */
        pthread_mutex_lock(&worker->lock);
        worker->running = true;
        pthread_mutex_unlock(&worker->lock);
    }
    return started;
}

static bool
put(struct tf_worker *worker, tf_work *work, void *argument)
{
    size_t at = __atomic_load_n(&worker->posted, __ATOMIC_RELAXED);

    for (;;) {
        struct cell *cell = &worker->cells[at & worker->mask];
        size_t ticket = __atomic_load_n(&cell->ticket, __ATOMIC_ACQUIRE);

        if (ticket == at) {
            if (__atomic_compare_exchange_n(&worker->posted, &at, at + 1, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
                cell->work = work;
                cell->argument = argument;
                __atomic_store_n(&cell->ticket, at + 1, __ATOMIC_RELEASE);
                return true;
            }
        } else if ((ptrdiff_t)(ticket - at) < 0)
            return false;
        else
            at = __atomic_load_n(&worker->posted, __ATOMIC_RELAXED);
    }
}

bool
tf_worker_post(struct tf_worker *worker, tf_work *work, void *argument)
{
    bool room;

    if (!tf_gate_enter(&worker->gate))
        return false;
    room = put(worker, work, argument);
    if (room)
        sem_post(&worker->items);
    else
        __atomic_fetch_add(&worker->refused, 1, __ATOMIC_RELAXED);
    tf_gate_leave(&worker->gate);
    return room;
}

unsigned long long
tf_worker_refused(struct tf_worker *worker)
{
    return __atomic_load_n(&worker->refused, __ATOMIC_RELAXED);
}

static struct timespec
deadline_after(unsigned milliseconds)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Wait until `target` items are done, or with end for the end of the thread. */
static bool
wait_for(struct tf_worker *worker, bool end, size_t target, unsigned milliseconds)
{
    struct timespec deadline = deadline_after(milliseconds);
    bool reached = false;
    int error = 0;

    pthread_mutex_lock(&worker->lock);
    if (worker->running && !(worker->thread != 0
                             && pthread_equal(worker->thread, pthread_self())))
        for (;;) {
            size_t done = __atomic_load_n(&worker->done, __ATOMIC_ACQUIRE);

            reached = worker->ended || (!end && (ptrdiff_t)(done - target) >= 0);
            if (reached || error != 0)
                break;
            error = milliseconds == 0
                ? pthread_cond_wait(&worker->changed, &worker->lock)
                : pthread_cond_timedwait(&worker->changed, &worker->lock, &deadline);
        }
    pthread_mutex_unlock(&worker->lock);
    return reached;
}

bool
tf_worker_drain(struct tf_worker *worker, unsigned milliseconds)
{
    return wait_for(worker, false, __atomic_load_n(&worker->posted, __ATOMIC_ACQUIRE),
                    milliseconds);
}

bool
tf_worker_stop(struct tf_worker *worker, unsigned milliseconds)
{
    /* Producers do not wait inside, so they are gone in no time. */
    tf_gate_close(&worker->gate, 1000);
    __atomic_store_n(&worker->ending, true, __ATOMIC_RELEASE);
    sem_post(&worker->items);
    return wait_for(worker, true, 0, milliseconds);
}

void
tf_worker_free(struct tf_worker *worker)
{
    if (worker == NULL)
        return;
    sem_destroy(&worker->items);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    free(worker->cells);
    free(worker);
}
