/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/sampler.c -- stacks of the threads that run, now and then.
 *
 * A thread of the agent's own looks at all threads and adds the stacks of those that are
 * runnable to the tree of calls: one sample for each call on the stack.  JVM TI calls a
 * thread runnable that waits in native code for input, so where the VM tells a thread's
 * time of the processor, one that took none since it was last seen runnable is left out.
 * Where more threads ran than there are processors, those count that run just now: one that
 * waits for its turn would answer only when it has it, and would be waited for.
 *
 * The program pays for the stops only, so this is what shows where time goes; it does
 * not show how often something was called.  Each stack is asked for by itself (JVM TI
 * "Get Stack Trace"), which stops the one thread that it is of: a list of threads, or
 * all, would be asked for while every thread stands still.
 *
 * Most of a stack is as it was in the thread's last sample.  So the last one is kept,
 * with the tree's node of each frame, and only frames above the first new one are looked
 * up.  The path is kept in one of a few places by the thread's number, for there may be
 * many threads.
 *
 * A virtual thread that runs is found by its carrier, which took the time of the processor
 * meanwhile.  JVM TI's list of all threads has no virtual ones; which of them a carrier runs
 * tells an extension of HotSpot's that minivm has, too.
 *
 * Looking is not free: where changing from one thread to another is slow, 1000 looks in a
 * second would cost a program a fifth of its time.  So the thread knows how much of the
 * processor's time it took, and looks less often than it was asked to rather than let the
 * samples cost more than option `cost` allows.  A stack counts then for as many samples as
 * it stands for, or what the program did first, before that was known, would seem to have
 * taken longer than it did.
 *
 * Which track a thread has stands in its thread-local storage, together with the
 * session, since tracks are not those of an earlier one.  The value is odd, for sessions
 * that trace keep pointers there (threads.c).
 */
#include "agents/tracer/tracer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    PATHS = 256,
    /* How much later than asked the sampling thread may be woken, in nanoseconds.  HotSpot
       waits for the thread that is to tell its stack by sleeping for 10 microseconds again
       and again; each time the system wakes the sleeper, it takes the processor from
       somebody, often from that very thread.  With 50 microseconds, which is usual, a look
       at javac sleeps three times, with this once. */
    TIMER_SLACK = 300000,
    /* What samples cost in all for each unit of time that the sampling thread takes itself:
       others pay for being stopped and for what they find no longer in caches.  Between 2.5
       and 5 with javac on HotSpot 17 and 25, by bench/sampler and this thread's time. */
    COST_IN_ALL = 4,
    RATE_LOOKS = 32             /* looks from one choice of the interval to the next; what
                                   the first ones take goes to names of methods, once */
};

/* A thread's last stack, its outermost frame first. */
struct path {
    uint32_t track, count, capacity;
    struct step {
        jmethodID method;
        uint32_t node;          /* of the method, or of its caller if it is not wanted */
    } *steps;
};

/* com.sun.hotspot.functions.GetVirtualThread: a new local reference, or NULL. */
typedef jvmtiError virtual_of(jvmtiEnv *jvmti, jthread carrier, jthread *thread);

/* A platform thread that is sampled. */
struct listed {
    jthread thread;             /* a local reference of the sampling thread's */
    uint32_t track;
    /* Of one that ran since the last look: */
    jthread mounted;            /* the virtual thread that it runs; NULL: none */
    int64_t took;               /* of the processor's time, since then */
};

/* What one session's work needs; the sampling thread's own. */
struct sampling {
    jvmtiEnv *jvmti;
    JNIEnv *jni;
    uint32_t session;
    uint32_t base;              /* the session's first track */
    bool first;                 /* look: what threads took before does not count */
    uint64_t count;             /* samples that a stack of this look stands for */
    jvmtiFrameInfo *frames;
    struct listed *listed;      /* in any order */
    uint32_t listed_count, listed_capacity;
    uint32_t processors;
    int64_t *used;              /* the processor's time by track, from the base on */
    uint32_t used_capacity;
    struct path paths[PATHS];
    virtual_of *virtual_of;     /* NULL: there are no virtual threads, or none is told */
    /* When the interval was to be chosen for the first time: the time of the processor that
       this thread and the process had taken, the looks so far, the time of the session. */
    uint64_t own_before, all_before, looks_before, time_before;
};

static struct tf_worker *worker;        /* from start to stop */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;          /* of stopping, by the monotonic clock */
static bool stopping, ready;
static bool threads_changed;            /* since the threads were listed */
/* Of the session: looks, the samples that a thread has that ran in all of them, and
   nanoseconds from one look to the next, at present. */
static uint64_t looks, samples, interval;

/* -- threads -- */

static void *
stored_value(uint32_t session, uint32_t track)
{
    return (void *)((uintptr_t)session << 32 | track << 1 | 1);
}

/* The extension that tells which virtual thread a carrier runs; NULL where there is none,
   and where there are no virtual threads. */
static virtual_of *
find_virtual_of(jvmtiEnv *jvmti)
{
    jvmtiExtensionFunctionInfo *all = NULL;
    virtual_of *found = NULL;
    jint count = 0;

    if (!threads_know_virtual(jvmti)
        || !TF_CALL(jvmti, GetExtensionFunctions, (jvmti, &count, &all)))
        return NULL;
    for (jint i = 0; i < count; i++) {
        if (strcmp(all[i].id, "com.sun.hotspot.functions.GetVirtualThread") == 0)
            found = (virtual_of *)all[i].func;
        for (jint j = 0; j < all[i].param_count; j++)
            tf_deallocate(jvmti, all[i].params[j].name);
        tf_deallocate(jvmti, all[i].id);
        tf_deallocate(jvmti, all[i].short_description);
        tf_deallocate(jvmti, all[i].params);
        tf_deallocate(jvmti, all[i].errors);
    }
    tf_deallocate(jvmti, all);
    return found;
}

/* 0 for one that is not sampled: it has ended, or is the agent's own. */
static uint32_t
track_of_thread(struct sampling *s, jthread thread, bool is_virtual)
{
    struct tf_buffer text = { 0 };
    void *stored = NULL;
    uint32_t track;
    char *name;

    if (TF_TABLE(s->jvmti)->GetThreadLocalStorage(s->jvmti, thread, &stored)
        != JVMTI_ERROR_NONE)
        return 0;
    if (((uintptr_t)stored & 1) != 0 && (uintptr_t)stored >> 32 == s->session)
        return (uint32_t)(uintptr_t)stored >> 1;
    if (is_virtual)
        name = thread_name_virtual(s->jvmti, s->jni, thread);
    else {
        tf_name_thread(&text, s->jvmti, s->jni, thread);
        name = tf_buffer_take(&text);
    }
    track = store_new_track(name);
    if (track != 0)
        (void)TF_TABLE(s->jvmti)->SetThreadLocalStorage(s->jvmti, thread,
                                                        stored_value(s->session, track));
    return track;
}

/* Where the track's time of the processor is kept; NULL when memory is short. */
static int64_t *
used_by(struct sampling *s, uint32_t track)
{
    if (s->base == 0)
        s->base = track;        /* Tracks are numbered as they come. */
    if (track - s->base >= s->used_capacity) {
        uint32_t wanted = 2 * (track - s->base) + 64;
        int64_t *larger = realloc(s->used, wanted * sizeof *larger);

        if (larger == NULL)
            return NULL;
        for (uint32_t i = s->used_capacity; i < wanted; i++)
            larger[i] = -1;
        s->used = larger;
        s->used_capacity = wanted;
    }
    return &s->used[track - s->base];
}

/* Has the thread run since this was last asked, and how long?  Where the VM does not tell,
   it has. */
static bool
has_run(struct sampling *s, jthread thread, uint32_t track, int64_t *took)
{
    int64_t *before = used_by(s, track);
    jlong used;
    bool has_run;

    *took = 0;
    if (before == NULL
        || TF_TABLE(s->jvmti)->GetThreadCpuTime(s->jvmti, thread, &used)
            != JVMTI_ERROR_NONE)
        return true;
    /* One that was not asked about before has begun to run since the first sample. */
    has_run = *before < 0 ? !s->first : used > *before;
    *took = used - (*before < 0 ? 0 : *before);
    *before = used;
    return has_run;
}

static bool
is_runnable(struct sampling *s, jthread thread)
{
    jint state;

    return TF_TABLE(s->jvmti)->GetThreadState(s->jvmti, thread, &state)
            == JVMTI_ERROR_NONE
        && (state & JVMTI_THREAD_STATE_RUNNABLE) != 0;
}

/* -- stacks -- */

/* The path of the track, empty if another track's was there; with room for count
   steps, or NULL when memory is short. */
static struct path *
path_of(struct sampling *s, uint32_t track, uint32_t count)
{
    struct path *path = &s->paths[track % PATHS];

    if (path->track != track) {
        path->track = track;
        path->count = 0;
    }
    if (count > path->capacity) {
        uint32_t wanted = count + count / 2;
        struct step *larger = realloc(path->steps, wanted * sizeof *larger);

        if (larger == NULL)
            return NULL;
        path->steps = larger;
        path->capacity = wanted;
    }
    return path;
}

/*
 * Make the path that of the frames, which begin with the innermost.  Steps that the path
 * has already keep their nodes; the others' are found or made.  What a method is called
 * is asked before the store's lock is taken, and only of methods that are new.
 */
static bool
follow(struct sampling *s, struct path *path, uint32_t root, uint32_t count)
{
    uint32_t same = 0, node;

    while (same < count && same < path->count
           && path->steps[same].method == s->frames[count - 1 - same].method)
        same++;
    path->count = same;
    node = same == 0 ? root : path->steps[same - 1].node;
    for (; path->count < count; path->count++) {
        jmethodID id = s->frames[count - 1 - path->count].method;
        struct method *method = method_find(s->jvmti, s->jni, id);

        if (method != NULL && method_wanted(method, s->session)) {
            uint32_t next;

            store_lock();
            next = calltree_node(node, method->number);
            store_unlock();
            if (next == 0)
                return false;
            node = next;
        }
        path->steps[path->count] = (struct step){ id, node };
    }
    return true;
}

/* Add the thread's stack to its track's. */
static void
sample_stack(struct sampling *s, jthread thread, uint32_t track, uint64_t now)
{
    uint32_t root, node = 0;
    struct path *path;
    jint count = 0;

    if (TF_TABLE(s->jvmti)->GetStackTrace(s->jvmti, thread, 0, (jint)config.depth,
                                          s->frames, &count) != JVMTI_ERROR_NONE
        || count <= 0)
        return;
    root = store_root(track);
    path = path_of(s, track, (uint32_t)count);
    if (root != 0 && path != NULL && follow(s, path, root, (uint32_t)count))
        node = path->steps[count - 1].node;
    /* Of a stack without a wanted method there is nothing to tell. */
    if (node != root || node == 0)
        store_add_samples(track, node, s->count, now);
}

/* A platform thread that ran; or the virtual one that it runs, if it runs one. */
static void
sample_thread(struct sampling *s, const struct listed *l, uint64_t now)
{
    uint32_t track;

    if (l->mounted == NULL)
        sample_stack(s, l->thread, l->track, now);
    else if ((track = track_of_thread(s, l->mounted, true)) != 0
             && is_runnable(s, l->mounted))
        sample_stack(s, l->mounted, track, now);
}

/* -- looks -- */

static bool
has_room(struct sampling *s, uint32_t count)
{
    struct listed *larger;

    if (count <= s->listed_capacity)
        return true;
    larger = realloc(s->listed, 2 * (size_t)count * sizeof *larger);
    if (larger == NULL)
        return false;
    s->listed = larger;
    s->listed_capacity = 2 * count;
    return true;
}

/* List the threads that are sampled, unless none has started or ended since; false if it
   has to be tried again. */
static bool
list_threads(struct sampling *s)
{
    jthread *threads = NULL;
    jint count = 0;
    bool room;

    if (!__atomic_exchange_n(&threads_changed, false, __ATOMIC_RELAXED))
        return true;
    for (uint32_t i = 0; i < s->listed_count; i++)
        (*s->jni)->DeleteLocalRef(s->jni, s->listed[i].thread);
    s->listed_count = 0;
    if (!TF_CALL(s->jvmti, GetAllThreads, (s->jvmti, &count, &threads))) {
        sampler_threads_changed();
        return false;
    }
    room = has_room(s, (uint32_t)count);
    if (!room)
        sampler_threads_changed();
    for (jint i = 0; i < count; i++) {
        uint32_t track = room ? track_of_thread(s, threads[i], false) : 0;

        if (track != 0)
            s->listed[s->listed_count++] = (struct listed){ threads[i], track, NULL, 0 };
        else
            (*s->jni)->DeleteLocalRef(s->jni, threads[i]);
    }
    tf_deallocate(s->jvmti, threads);
    return room;
}

/* The virtual thread that a platform thread runs: a new local reference, or NULL. */
static jthread
mounted_on(struct sampling *s, jthread carrier)
{
    jthread mounted = NULL;

    if (s->virtual_of == NULL
        || s->virtual_of(s->jvmti, carrier, &mounted) != JVMTI_ERROR_NONE)
        return NULL;
    return mounted;
}

/* The time of the processor is asked of the system, and so only for threads that may run: a
   carrier's state is that of one that waits while it runs a virtual thread. */
static bool
ran_since_last_look(struct sampling *s, struct listed *l)
{
    l->mounted = mounted_on(s, l->thread);
    if ((l->mounted != NULL || is_runnable(s, l->thread))
        && has_run(s, l->thread, l->track, &l->took))
        return true;
    (*s->jni)->DeleteLocalRef(s->jni, l->mounted);
    return false;
}

static void
swap(struct sampling *s, uint32_t a, uint32_t b)
{
    struct listed l = s->listed[a];

    s->listed[a] = s->listed[b];
    s->listed[b] = l;
}

/* Of the first threads of the list put those before the others that run just now, and return
   how many they are: their time goes on.  Where none's does, as on a machine with one
   processor, which this thread has, it is the one that took the most. */
static uint32_t
keep_running(struct sampling *s, uint32_t count)
{
    uint32_t kept = 0, most = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct listed *l = &s->listed[i];
        int64_t more;

        if (has_run(s, l->thread, l->track, &more))
            swap(s, i, kept++);
        else if (l->took > s->listed[most].took)
            most = i;           /* It is where it was if there is none that runs. */
    }
    if (kept == 0)
        swap(s, most, kept++);
    return kept;
}

static void
look_at_threads(struct sampling *s)
{
    uint64_t now = recorder_now();
    uint32_t ran = 0, wanted;

    if (!list_threads(s))
        return;
    for (uint32_t i = 0; i < s->listed_count; i++)
        if (ran_since_last_look(s, &s->listed[i]))
            swap(s, i, ran++);
    wanted = ran > s->processors ? keep_running(s, ran) : ran;
    for (uint32_t i = 0; i < wanted; i++)
        sample_thread(s, &s->listed[i], now);
    for (uint32_t i = 0; i < ran; i++)
        (*s->jni)->DeleteLocalRef(s->jni, s->listed[i].mounted);
    s->first = false;
}

/* -- how often -- */

/*
 * Nanoseconds from one look to the next: what was asked for, or, if the looks so far cost
 * too much, as many as make them cost the part of the program's time that they may.  The
 * program's time is the processor's, and at least the time that passed, so that one that
 * waits is looked at often enough to be seen when it begins to work.  All looks but the
 * first count, so that the interval does not follow each phase of the program.
 */
static uint64_t
interval_after(struct sampling *s, uint64_t looked)
{
    uint64_t own = recorder_processor_time(CLOCK_THREAD_CPUTIME_ID);
    uint64_t all = recorder_processor_time(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t now = recorder_now();
    double passed, processors, look, wanted = 0;

    if (s->looks_before == 0) {
        s->own_before = own;
        s->all_before = all;
        s->looks_before = looked;
        s->time_before = now;
    } else if (config.cost > 0) {
        own -= s->own_before;
        all -= s->all_before;
        passed = (double)(now - s->time_before);
        processors = (double)(all - own) / passed;
        look = (double)own / (double)(looked - s->looks_before);
        wanted = look * COST_IN_ALL * 100 / (double)config.cost;
        if (processors > 1)
            wanted /= processors;
    }
    return wanted > (double)config.sample ? (uint64_t)wanted : (uint64_t)config.sample;
}

/* -- the sampling thread -- */

/* Wait for the time of the next sample; false when there is none. */
static bool
wait_until(uint64_t time)
{
    const struct timespec at = recorder_clock(time);
    int error = 0;
    bool stop;

    pthread_mutex_lock(&lock);
    while (!stopping && error == 0)
        error = pthread_cond_timedwait(&changed, &lock, &at);
    stop = stopping;
    pthread_mutex_unlock(&lock);
    return !stop;
}

/* The worker's item: samples until the session ends.  A look that came too late is left
   out; one that was put off counts for the samples that it is put off by. */
static void
sample_work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    struct sampling *s = calloc(1, sizeof *s);
    uint64_t every = (uint64_t)config.sample, next = every, due = 0;

    if (s != NULL)
        s->frames = calloc((size_t)config.depth, sizeof *s->frames);
    if (s == NULL || s->frames == NULL) {
        tf_error("out of memory");
        free(s);
        return;
    }
    s->jvmti = jvmti;
    s->jni = jni;
    s->session = (uint32_t)(uintptr_t)argument;
    s->first = true;
    sampler_threads_changed();
    s->virtual_of = find_virtual_of(jvmti);
    s->processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    (void)prctl(PR_SET_TIMERSLACK, (unsigned long)TIMER_SLACK, 0UL, 0UL, 0UL);
    (void)TF_CALL(jvmti, SetThreadLocalStorage,
                  (jvmti, NULL, stored_value(s->session, 0)));
    __atomic_store_n(&looks, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&samples, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&interval, every, __ATOMIC_RELAXED);
    while (wait_until(next)) {
        uint64_t looked, now;

        due += every;
        s->count = due / (uint64_t)config.sample;
        due %= (uint64_t)config.sample;
        look_at_threads(s);
        __atomic_fetch_add(&samples, s->count, __ATOMIC_RELAXED);
        looked = __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
        if (looked % RATE_LOOKS == 0)
            every = interval_after(s, looked);
        __atomic_store_n(&interval, every, __ATOMIC_RELAXED);
        now = recorder_now();
        for (next += every; next < now; )
            next += every;
    }
    for (uint32_t i = 0; i < PATHS; i++)
        free(s->paths[i].steps);
    free(s->listed);
    free(s->used);
    free(s->frames);
    free(s);
}

void
sampler_threads_changed(void)
{
    __atomic_store_n(&threads_changed, true, __ATOMIC_RELAXED);
}

static void
prepare(void)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    ready = true;
}

bool
sampler_start(jvmtiEnv *jvmti, JNIEnv *jni, uint32_t session)
{
    if (!ready)
        prepare();
    stopping = false;
    worker = tf_worker_new(jvmti, 4);
    if (worker != NULL && !tf_worker_start(worker, jni, "tracer sampler")) {
        tf_worker_free(worker);
        worker = NULL;
    }
    return worker != NULL
        && tf_worker_post(worker, sample_work, (void *)(uintptr_t)session);
}

/* The thread ends with the session: HotSpot's end waits 300 ms for threads that are in
   native code, as one that waits for work is. */
void
sampler_stop(void)
{
    if (worker == NULL)
        return;
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (tf_worker_stop(worker, 5000))
        tf_worker_free(worker);
    else
        tf_warning("the last sample does not end");
    worker = NULL;
}

static double
part_of(uint64_t end, const uint64_t *counter)
{
    uint64_t count = __atomic_load_n(counter, __ATOMIC_RELAXED);

    return count == 0 ? (double)config.sample : (double)end / (double)count;
}

double
sampler_interval(uint64_t end)
{
    return part_of(end, &samples);
}

double
sampler_look_interval(uint64_t end)
{
    return part_of(end, &looks);
}

double
sampler_held_back(void)
{
    uint64_t now = __atomic_load_n(&interval, __ATOMIC_RELAXED);

    return now > (uint64_t)config.sample + (uint64_t)config.sample / 2 ? (double)now : 0;
}
