/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/threads.c -- which calls a Java thread is in, and what it records.
 *
 * A platform thread is a thread of the system, so what belongs to it lies in that one's
 * storage, and its records in a buffer that is read without a lock.  Virtual threads
 * share threads of the system and move between them: what belongs to one hangs on its
 * thread-local storage of JVM TI, which goes with it.  Its records would lie in buffers
 * of several carriers, which are read in no order, so it has a small buffer of its own
 * and empties that into the store itself.  It is so small because there may be a million
 * of them; in exchange nothing is lost for want of room in it.
 *
 * The storage of a platform thread points to its thread of the system, so that an event
 * needs one question to know whose it is.  Odd values are the sampler's.
 */
#include "agents/tracer/tracer.h"

#include <pthread.h>
#include <stdlib.h>

enum { OWN_RECORDS = 32 };

struct own_buffer {
    pthread_mutex_t lock; /* of the records: the store may be written meanwhile */
    uint32_t count;
    struct record records[OWN_RECORDS];
    struct thread *previous, *next; /* of all buffers, under list_lock */
};

static _Thread_local struct thread mine;
/* Of virtual threads that have ended: they may leave methods yet. */
static struct thread ended = { .ignored = true };

static bool know_virtual;  /* the VM tells of virtual threads in this session */
static jfieldID thread_id; /* of java.lang.Thread; NULL: not known */

/* Taken after the store's. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *first;

bool
threads_know_virtual(jvmtiEnv *jvmti)
{
    jvmtiCapabilities capabilities;

    return TF_CALL(jvmti, GetCapabilities, (jvmti, &capabilities))
        && capabilities.can_support_virtual_threads;
}

void
threads_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    bool known = threads_know_virtual(jvmti);

    if (known && thread_id == NULL) {
        jclass c = (*jni)->FindClass(jni, "java/lang/Thread");

        if (c != NULL)
            thread_id = (*jni)->GetFieldID(jni, c, "tid", "J");
        tf_clear_exception(jni, "the number of a thread");
        (*jni)->DeleteLocalRef(jni, c);
    }
    __atomic_store_n(&know_virtual, known, __ATOMIC_RELEASE);
}

void
threads_ignore(void)
{
    mine.ignored = true;
}

static struct thread *
new_virtual(void)
{
    struct thread *thread = calloc(1, sizeof *thread);

    if (thread != NULL)
        thread->own = calloc(1, sizeof *thread->own);
    if (thread == NULL || thread->own == NULL) {
        free(thread);
        return NULL;
    }
    pthread_mutex_init(&thread->own->lock, NULL);
    pthread_mutex_lock(&list_lock);
    thread->own->next = first;
    if (first != NULL)
        first->own->previous = thread;
    first = thread;
    pthread_mutex_unlock(&list_lock);
    return thread;
}

/* No event of it comes any more, and nobody else keeps it. */
static void
free_virtual(struct thread *thread)
{
    struct own_buffer *own = thread->own;

    pthread_mutex_lock(&list_lock);
    if (own->previous != NULL)
        own->previous->own->next = own->next;
    else
        first = own->next;
    if (own->next != NULL)
        own->next->own->previous = own->previous;
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_destroy(&own->lock);
    free(own);
    free(thread->calls);
    free(thread);
}

/* The current thread's first event in this environment. */
static struct thread *
meet(jvmtiEnv *jvmti, JNIEnv *jni)
{
    struct thread *thread = &mine;
    jthread current = NULL;

    if (!TF_CALL(jvmti, GetCurrentThread, (jvmti, &current)))
        return NULL;
    if ((*jni)->IsVirtualThread(jni, current))
        thread = new_virtual();
    (*jni)->DeleteLocalRef(jni, current);
    if (thread != NULL
        && !TF_CALL(jvmti, SetThreadLocalStorage, (jvmti, NULL, thread))) {
        if (thread != &mine)
            free_virtual(thread);
        return NULL;
    }
    return thread;
}

struct thread *
thread_here(jvmtiEnv *jvmti, JNIEnv *jni)
{
    void *stored = NULL;

    if (!__atomic_load_n(&know_virtual, __ATOMIC_RELAXED))
        return &mine;
    if (!TF_CALL(jvmti, GetThreadLocalStorage, (jvmti, NULL, &stored)))
        return NULL;
    if (stored != NULL && ((uintptr_t)stored & 1) == 0)
        return stored;
    return jni == NULL ? NULL : meet(jvmti, jni);
}

void
thread_forget(jvmtiEnv *jvmti, struct thread *thread)
{
    if (thread->own != NULL) {
        (void)TF_CALL(jvmti, SetThreadLocalStorage, (jvmti, NULL, &ended));
        free_virtual(thread);
        return;
    }
    /* The thread of the system may become another Java thread. */
    free(thread->calls);
    thread->calls = NULL;
    thread->session = thread->depth = thread->capacity = 0;
}

/* A virtual thread mostly has no name of its own. */
char *
thread_name_virtual(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    struct tf_buffer name = { 0 };
    jvmtiThreadInfo info = { .name = NULL };
    bool named = false;

    if (thread != NULL && TF_CALL(jvmti, GetThreadInfo, (jvmti, thread, &info))) {
        named = info.name != NULL && *info.name != '\0';
        tf_deallocate(jvmti, info.name);
        (*jni)->DeleteLocalRef(jni, info.thread_group);
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    }
    if (named)
        tf_name_thread(&name, jvmti, jni, thread);
    else if (thread != NULL && thread_id != NULL)
        tf_buffer_format(&name, "virtual #%lld",
                         (long long)(*jni)->GetLongField(jni, thread, thread_id));
    else
        tf_buffer_text(&name, "virtual");
    return tf_buffer_take(&name);
}

char *
thread_name(jvmtiEnv *jvmti, JNIEnv *jni, const struct thread *thread)
{
    struct tf_buffer name = { 0 };
    jthread current = NULL;
    char *result;

    if (thread->own == NULL) {
        tf_name_thread(&name, jvmti, jni, NULL);
        return tf_buffer_take(&name);
    }
    if (!TF_CALL(jvmti, GetCurrentThread, (jvmti, &current)))
        current = NULL;
    result = thread_name_virtual(jvmti, jni, current);
    (*jni)->DeleteLocalRef(jni, current);
    return result;
}

/* -- records of virtual threads -- */

/* Under the store's lock. */
static void
empty(struct own_buffer *own)
{
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < own->count; i++)
        store_add(&own->records[i]);
    own->count = 0;
    pthread_mutex_unlock(&own->lock);
}

void
thread_flush(const struct thread *thread)
{
    if (thread->own == NULL)
        return;
    store_lock();
    empty(thread->own);
    store_unlock();
}

void
thread_put(const struct thread *thread, const struct record *record)
{
    struct own_buffer *own = thread->own;
    bool full;

    pthread_mutex_lock(&own->lock);
    own->records[own->count++] = *record;
    full = own->count == OWN_RECORDS;
    pthread_mutex_unlock(&own->lock);
    /* Only the thread itself adds, so there is room until it is here again. */
    if (full)
        thread_flush(thread);
}

void
threads_read(void)
{
    pthread_mutex_lock(&list_lock);
    for (struct thread *thread = first; thread != NULL; thread = thread->own->next)
        empty(thread->own);
    pthread_mutex_unlock(&list_lock);
}
