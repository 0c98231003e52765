/* SPDX-License-Identifier: MIT */
/* minivm/test/virtual-stress/suspender.c -- suspends and resumes virtual threads at
 * random, for virtual-stress.t.
 *
 * A thread of the agent draws some of the virtual threads that have started, suspends them
 * one by one, as a list, or all there are, looks at them, and resumes them.  A thread that
 * is suspended must stay as it is: its state, its frames and its first local are read twice
 * and must agree.  What does not is written to standard error, and the process ends with
 * status 3.  At the end the numbers of suspensions go to the file of the option
 * "SEED,FILE", so that the test can tell that there were some.
 *
 * Between a suspension and the resumption the agent waits for nothing that a suspended
 * thread could have: above all not for the lock of the table below, which events take. */

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jvmti.h>

enum { KNOWN = 64, AT_ONCE = 8, FRAMES = 40, SUSPENDED = JVMTI_THREAD_STATE_SUSPENDED };

static jvmtiEnv *ti;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static jthread known[KNOWN]; /* global references, or NULL */
static bool stopping, has_ended;
static unsigned seed;
static long singles, lists, alls;
static char *file;

/* What is seen of a suspended thread. */
struct view {
    jint state, count;
    jvmtiError local_error;
    jvmtiFrameInfo frames[FRAMES];
    jobject local;
};

static void
fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "suspender: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    _exit(3);
}

static unsigned
draw(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 8) % below;
}

/* ---- which threads ---- */

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jthread global = (*jni)->NewGlobalRef(jni, thread);

    pthread_mutex_lock(&mutex);
    for (int i = 0; i < KNOWN && global != NULL; i++)
        if (known[i] == NULL) {
            known[i] = global;
            global = NULL;
        }
    pthread_mutex_unlock(&mutex);
    if (global != NULL)
        (*jni)->DeleteGlobalRef(jni, global);
}

/* Takes up to `most` threads out of the table. */
static jint
take(jthread *threads, jint most)
{
    unsigned first = draw(KNOWN);
    jint count = 0;

    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < KNOWN && count < most; i++) {
        jthread *cell = &known[(first + i) % KNOWN];
        if (*cell != NULL) {
            threads[count++] = *cell;
            *cell = NULL;
        }
    }
    pthread_mutex_unlock(&mutex);
    return count;
}

/* Puts the thread back, unless it has ended or the table is full. */
static void
put(JNIEnv *jni, jthread thread)
{
    jint state = 0;

    (*ti)->GetThreadState(ti, thread, &state);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < KNOWN && thread != NULL && (state & JVMTI_THREAD_STATE_ALIVE);
         i++)
        if (known[i] == NULL) {
            known[i] = thread;
            thread = NULL;
        }
    pthread_mutex_unlock(&mutex);
    if (thread != NULL)
        (*jni)->DeleteGlobalRef(jni, thread);
}

/* ---- suspended threads ---- */

static void
look(jthread thread, struct view *v)
{
    jvmtiError error = (*ti)->GetThreadState(ti, thread, &v->state);

    memset(v->frames, 0, sizeof v->frames);
    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->GetStackTrace(ti, thread, 0, FRAMES, v->frames, &v->count);
    if (error != JVMTI_ERROR_NONE)
        fail("a suspended thread has error %d", error);
    v->local = NULL;
    v->local_error = (*ti)->GetLocalObject(ti, thread, 0, 0, &v->local);
}

static void
check_still(JNIEnv *jni, jthread thread)
{
    struct view a, b;

    look(thread, &a);
    if (draw(2) == 0)
        usleep(draw(300));
    look(thread, &b);
    if (!(a.state & SUSPENDED) || !(b.state & SUSPENDED))
        fail("suspended, but the states are %#x and %#x", a.state, b.state);
    if (a.count != b.count || memcmp(a.frames, b.frames, sizeof a.frames) != 0)
        fail("suspended, but the stack of %d frames became one of %d", a.count,
             b.count);
    if (a.local_error != b.local_error || !(*jni)->IsSameObject(jni, a.local, b.local))
        fail("suspended, but a local changed (errors %d, %d)", a.local_error,
             b.local_error);
    if (a.local != NULL)
        (*jni)->DeleteLocalRef(jni, a.local);
    if (b.local != NULL)
        (*jni)->DeleteLocalRef(jni, b.local);
}

static void
suspend_singles(JNIEnv *jni, jthread *threads, jint count)
{
    for (jint i = 0; i < count; i++) {
        jvmtiError error = (*ti)->SuspendThread(ti, threads[i]);
        if (error == JVMTI_ERROR_THREAD_NOT_ALIVE)
            continue;
        if (error != JVMTI_ERROR_NONE)
            fail("SuspendThread: %d", error);
        check_still(jni, threads[i]);
        if ((error = (*ti)->ResumeThread(ti, threads[i])) != JVMTI_ERROR_NONE)
            fail("ResumeThread: %d", error);
        singles++;
    }
}

static void
suspend_list(JNIEnv *jni, jthread *threads, jint count)
{
    jvmtiError results[AT_ONCE], resumed[AT_ONCE];

    if ((*ti)->SuspendThreadList(ti, count, threads, results) != JVMTI_ERROR_NONE)
        fail("SuspendThreadList");
    for (jint i = 0; i < count; i++)
        if (results[i] == JVMTI_ERROR_NONE)
            check_still(jni, threads[i]);
        else if (results[i] != JVMTI_ERROR_THREAD_NOT_ALIVE)
            fail("SuspendThreadList: %d", results[i]);
    if ((*ti)->ResumeThreadList(ti, count, threads, resumed) != JVMTI_ERROR_NONE)
        fail("ResumeThreadList");
    for (jint i = 0; i < count; i++)
        if (results[i] == JVMTI_ERROR_NONE && resumed[i] != JVMTI_ERROR_NONE)
            fail("ResumeThreadList: %d", resumed[i]);
    lists++;
}

/* Suspends all but the first one, which may run and end meanwhile. */
static void
suspend_all(JNIEnv *jni, jthread *threads, jint count)
{
    jint state;

    if ((*ti)->SuspendAllVirtualThreads(ti, 1, threads) != JVMTI_ERROR_NONE)
        fail("SuspendAllVirtualThreads");
    for (jint i = 1; i < count; i++)
        if ((*ti)->GetThreadState(ti, threads[i], &state) == JVMTI_ERROR_NONE
            && (state & JVMTI_THREAD_STATE_ALIVE))
            check_still(jni, threads[i]);
    if ((*ti)->ResumeAllVirtualThreads(ti, 0, NULL) != JVMTI_ERROR_NONE)
        fail("ResumeAllVirtualThreads");
    alls++;
}

static bool
is_stopping(void)
{
    pthread_mutex_lock(&mutex);
    bool result = stopping;
    pthread_mutex_unlock(&mutex);
    return result;
}

static void JNICALL
run(jvmtiEnv *env, JNIEnv *jni, void *unused)
{
    jthread threads[AT_ONCE];

    while (!is_stopping()) {
        jint count = take(threads, 1 + (jint)draw(AT_ONCE));
        unsigned kind = draw(10);
        if (count > 0 && kind == 0)
            suspend_all(jni, threads, count);
        else if (count > 0 && kind < 5)
            suspend_list(jni, threads, count);
        else
            suspend_singles(jni, threads, count);
        for (jint i = 0; i < count; i++)
            put(jni, threads[i]);
        usleep(draw(2000));
    }
    pthread_mutex_lock(&mutex);
    has_ended = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&mutex);
}

/* ---- life ---- */

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID init = (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/String;)V");
    jthread own = (*jni)->NewObject(jni, c, init,
                                    (*jni)->NewStringUTF(jni, "suspender"));

    if (own == NULL
        || (*ti)->RunAgentThread(ti, own, run, NULL, JVMTI_THREAD_NORM_PRIORITY)
               != JVMTI_ERROR_NONE)
        fail("the agent's thread does not start");
}

static void JNICALL
on_death(jvmtiEnv *env, JNIEnv *jni)
{
    FILE *out = fopen(file, "w");

    pthread_mutex_lock(&mutex);
    stopping = true;
    while (!has_ended)
        pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
    if (out == NULL || fprintf(out, "%ld %ld %ld\n", singles, lists, alls) < 0
        || fclose(out) != 0)
        fail("cannot write %s", file);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEventCallbacks callbacks = { .VMInit = on_init,
                                                   .VMDeath = on_death,
                                                   .VirtualThreadStart = on_start };
    static const jvmtiCapabilities capabilities = { .can_suspend = 1,
                                                    .can_support_virtual_threads = 1,
                                                    .can_access_local_variables = 1 };
    static const jvmtiEvent events[] = { JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                         JVMTI_EVENT_VIRTUAL_THREAD_START };

    if (options == NULL || strchr(options, ',') == NULL
        || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_21) != JNI_OK
        || (*ti)->AddCapabilities(ti, &capabilities) != JVMTI_ERROR_NONE
        || (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks)
               != JVMTI_ERROR_NONE)
        return JNI_ERR;
    seed = (unsigned)strtoul(options, NULL, 10);
    file = strdup(strchr(options, ',') + 1);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if ((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL)
            != JVMTI_ERROR_NONE)
            return JNI_ERR;
    return JNI_OK;
}
