/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_thread.c -- java.lang.management: threads (ThreadMXBean),
 * who waits for whom, deadlocks.
 *
 * What a ThreadInfo says of a thread has to fit what others say: the owner of a monitor
 * in one must not have left it in another.  So the world is stopped once, and a
 * snapshot of all threads that were asked for is taken, which allocates nothing in the
 * heap; the Java objects are made afterwards.  Handles keep what the snapshots refer
 * to.
 *
 * A thread waits for another one if it enters a monitor that the other owns, or parks
 * on an ownable synchronizer (java.util.concurrent.locks) whose exclusive owner is the
 * other.  A deadlock is a cycle of these. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "jdk/thread_dump.h"
#include "threads/continuation.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"

/* ---- one thread, as it was ---- */

/* A monitor that a thread holds. */
struct held_monitor {
    struct object *object;
    /* Of the frame that entered it, 0 the newest; -1: by JNI MonitorEnter. */
    int32_t depth;
};

/*
 * The arguments of ThreadInfo's constructor, by the number of the first slot.  The
 * status is that of Thread.threadStatus and the JMM_STATE_ bits; the owner is the
 * Thread that has the lock which the thread waits for.
 */
enum {
    ARG_THREAD = 1,
    ARG_STATUS,
    ARG_LOCK,
    ARG_OWNER,
    ARG_BLOCKED_COUNT,
    ARG_BLOCKED_MILLIS = 7,
    ARG_WAITED_COUNT = 9,
    ARG_WAITED_MILLIS = 11,
    ARG_TRACE = 13,
    ARG_MONITORS,
    ARG_DEPTHS,
    ARG_SYNCHRONIZERS,
    ARG_COUNT
};

/* A thread as it was.  The caller's handle scope has handles for the objects. */
struct thread_snapshot {
    union slot args[ARG_COUNT]; /* the thread is NULL when none with that id lives */
    struct stack_trace trace;
    struct held_monitor *locked; /* mem_free */
    size_t locked_count;
};

/* What is asked for, and the snapshots. */
struct thread_query {
    size_t depth;         /* of the stacks */
    bool monitors, locks; /* locks: ownable synchronizers */
    struct thread_snapshot *all;
    size_t count;
    /* self's handles from locks_begin up to locks_end are those of synchronizers_find:
       pairs of a synchronizer and the Thread that owns it. */
    size_t locks_begin, locks_end;
};

/* Before the first synchronizer is loaded there is no class to compare with. */
struct object *
exclusive_owner(const struct vm *vm, const struct object *o)
{
    struct class *c = KC(vm, AbstractOwnableSynchronizer);

    if (!o || !c || !object_is_instance(o, c))
        return NULL;
    return REF_FIELD(vm, o, AbstractOwnableSynchronizer_exclusiveOwnerThread);
}

/*
 * Returns the Thread that owns o's monitor, or NULL.  o may be NULL.  Without memory
 * the monitor counts as free.
 */
static struct object *
monitor_owner(struct vm *vm, const struct object *o)
{
    struct monitor_usage usage;
    struct object *owner = NULL;

    if (o && monitor_get_usage(vm, o, &usage)) {
        owner = usage.owner_object;
        monitor_usage_release(&usage);
    }
    return owner;
}

/*
 * Returns the object that t waits for, or NULL, and in *owner the Thread that has it,
 * or NULL.  t has a java.lang.Thread, and the world is stopped.
 */
struct object *
thread_blocker(struct vm *vm, const struct thread *t, struct object **owner)
{
    struct object *lock = NULL;

    *owner = NULL;
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER:
    case WAIT_OBJECT:
    case WAIT_OBJECT_TIMED:
        lock = monitor_contended(t);
        *owner = monitor_owner(vm, lock);
        break;
    case WAIT_PARK:
    case WAIT_PARK_TIMED:
        lock = REF_FIELD(vm, t->object, Thread_parkBlocker);
        *owner = exclusive_owner(vm, lock);
        break;
    default: break;
    }
    return lock;
}

/*
 * Returns the depth of a frame in t's stack as a platform thread, 0 for the newest; -1 if
 * it is not there.
 */
static int32_t
depth_of(const struct thread *t, const struct frame *wanted)
{
    int32_t depth = 0;

    for (struct frame *f = thread_own_top(t); f; f = frame_older(f), depth++)
        if (f == wanted)
            return depth;
    return -1;
}

/* Returns whether the snapshot has the monitor already. */
static bool
is_recorded(const struct thread_snapshot *s, const struct object *monitor)
{
    for (size_t i = 0; i < s->locked_count; i++)
        if (s->locked[i].object == monitor)
            return true;
    return false;
}

/*
 * Records the monitors that t holds: first each entry by one of the frames that the
 * trace has, newest frames first, so a monitor that was entered again is there
 * again; then, once and without a frame, those that only JNI has entered.
 */
static void
snapshot_monitors(struct thread *self, const struct thread *t,
                  struct thread_snapshot *s)
{
    struct lock_stack own = thread_own_locks(t);

    s->locked = mem_alloc((own.count + 1) * sizeof *s->locked);
    for (int by_jni = 0; by_jni <= 1; by_jni++)
        for (uint32_t i = own.count; i-- > 0;) {
            const struct held_lock *held = &own.locks[i];
            int32_t depth = held->frame ? depth_of(t, held->frame) : -1;

            if ((held->frame == NULL) != by_jni || !monitor_owns_entry(t, held)
                || depth >= (int32_t)s->trace.count
                || (by_jni && is_recorded(s, held->object)))
                continue;
            s->locked[s->locked_count++] = (struct held_monitor){ held->object, depth };
            handle_new(self, held->object);
        }
}

/*
 * Records in *s what a ThreadInfo of t says: its Thread and status, what it waits for
 * and who owns that, its stack, and its monitors if they were asked for.  The world is
 * stopped.  The objects have handles in the caller's scope, where they must stay until
 * the ThreadInfo is made.  t has a Thread object, and *s is zero before.  When there is
 * no memory for the stack, s->trace.frames is
 * NULL, and stack_trace_elements throws OutOfMemoryError later.
 */
static void
snapshot_thread(struct thread *self, const struct thread *t,
                const struct thread_query *q, struct thread_snapshot *s)
{
    bool is_measured = management_switches.contention;
    union slot *args = s->args;

    args[ARG_THREAD].ref = handle_new(self, t->object);
    args[ARG_STATUS].i = (int32_t)thread_status(t)
                         | (thread_is_suspended(t) ? JMM_STATE_SUSPENDED : 0)
                         | (atomic_load(&t->run_state) == THREAD_IN_NATIVE
                                ? JMM_STATE_NATIVE
                                : 0);
    args[ARG_LOCK].ref = handle_new(self,
                                    thread_blocker(self->vm, t, &args[ARG_OWNER].ref));
    handle_new(self, args[ARG_OWNER].ref);
    args[ARG_BLOCKED_COUNT].j = (int64_t)t->blocked_count;
    args[ARG_BLOCKED_MILLIS].j = is_measured ? (int64_t)(t->blocked_nanos / 1000000)
                                             : -1;
    args[ARG_WAITED_COUNT].j = (int64_t)t->waited_count;
    args[ARG_WAITED_MILLIS].j = is_measured ? (int64_t)(t->waited_nanos / 1000000) : -1;
    stack_trace_capture(self, thread_own_top(t), q->depth, WITH_HIDDEN_FRAMES,
                        &s->trace);
    if (q->monitors)
        snapshot_monitors(self, t, s);
}

/* ---- all threads that were asked for ---- */

/* Makes handles for o and its owner, if it has one; the visitor of heap_iterate. */
static bool
add_synchronizer(void *context, struct object *o)
{
    struct thread *self = context;
    struct object *owner = exclusive_owner(self->vm, o);

    if (owner) {
        handle_new(self, o);
        handle_new(self, owner);
    }
    return true;
}

void
synchronizers_find(struct thread *self)
{
    heap_iterate(self->vm->heap, add_synchronizer, self);
}

/*
 * Returns the live thread with that Thread.getId, or NULL.  The caller holds the list
 * of threads, or has stopped the world, which does.
 */
static struct thread *
thread_by_id(struct vm *vm, jlong id)
{
    FOR_EACH_THREAD(vm, t)
        if (thread_is_listed(t) && LONG_FIELD(vm, t->object, Thread_tid) == id)
            return t;
    return NULL;
}

/*
 * Takes snapshots of the threads with those ids, a long[], or of all if ids is NULL, in
 * that order.  Stops the world.  An id that no live thread has leaves its snapshot
 * empty.  The caller releases them.
 */
static void
take_snapshots(struct thread *self, const struct object *ids, struct thread_query *q)
{
    struct vm *vm = self->vm;

    world_stop(self, "ThreadMXBean");
    q->count = ids ? (size_t)array_length(ids) : vm->thread_count;
    q->all = mem_calloc(q->count + 1, sizeof *q->all);
    for (size_t i = 0; ids && i < q->count; i++) {
        const struct thread *t = thread_by_id(vm, ARRAY_LONGS(ids)[i]);
        if (t)
            snapshot_thread(self, t, q, &q->all[i]);
    }
    if (!ids) {
        q->count = 0;
        FOR_EACH_THREAD(vm, t)
            if (thread_is_listed(t))
                snapshot_thread(self, t, q, &q->all[q->count++]);
    }
    q->locks_begin = self->handle_count;
    if (q->locks)
        synchronizers_find(self);
    q->locks_end = self->handle_count;
    world_resume(self);
}

/* Frees what take_snapshots has allocated.  The handles end with the caller's scope. */
static void
release_snapshots(struct thread_query *q)
{
    for (size_t i = 0; i < q->count; i++) {
        mem_free(q->all[i].trace.frames);
        mem_free(q->all[i].locked);
    }
    mem_free(q->all);
}

/* ---- java.lang.management.ThreadInfo ---- */

/*
 * Makes the arrays of monitors and of the depths at which they were entered.  False
 * with an exception pending.
 */
static bool
set_monitors(struct thread *self, struct thread_snapshot *s)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), s->locked_count);
    struct object *depths = array
                                ? handle_new(self, array_new_primitive(
                                                       self, 'I', array_length(array)))
                                : NULL;

    for (size_t i = 0; depths && i < s->locked_count; i++) {
        ARRAY_REFS(array)[i] = s->locked[i].object;
        ARRAY_INTS(depths)[i] = s->locked[i].depth;
    }
    s->args[ARG_MONITORS].ref = array;
    s->args[ARG_DEPTHS].ref = depths;
    return depths != NULL;
}

/*
 * Makes the array of synchronizers that the thread owns, out of the query's pairs, and
 * stores it in s->args.  It has a handle in the caller's scope, and so have the
 * synchronizers.  False with an exception pending.
 */
static bool
set_synchronizers(struct thread *self, struct thread_snapshot *s,
                  const struct thread_query *q)
{
    size_t mark = self->handle_count;

    for (size_t i = q->locks_begin; i < q->locks_end; i += 2)
        if (self->handles[i + 1] == s->args[ARG_THREAD].ref)
            handle_new(self, self->handles[i]);
    s->args[ARG_SYNCHRONIZERS].ref = array_from_handles(self, KC(self->vm, Object),
                                                        mark);
    return s->args[ARG_SYNCHRONIZERS].ref != NULL;
}

#define THREAD_INFO "java/lang/management/ThreadInfo"

/*
 * Returns a new ThreadInfo of a snapshot; NULL when there is no such thread, or with an
 * exception pending.
 */
static struct object *
thread_info(struct thread *self, struct thread_snapshot *s,
            const struct thread_query *q)
{
    HANDLE_SCOPE(self);

    if (!s->args[ARG_THREAD].ref
        || !(s->args[ARG_TRACE].ref = stack_trace_elements(self, &s->trace))
        || (q->monitors && !set_monitors(self, s))
        || (q->locks && !set_synchronizers(self, s, q)))
        return NULL;
    return java_construct(self, class_load_boot(self, THREAD_INFO),
                          "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ"
                          "[Ljava/lang/StackTraceElement;[Ljava/lang/Object;[I"
                          "[Ljava/lang/Object;)V",
                          s->args);
}

/*
 * Stores a ThreadInfo, or null, in infos for each id, with at most depth frames (-1:
 * all).  Returns 0.
 */
static jint JNICALL
jmm_GetThreadInfo(JNIEnv *env, jlongArray ids, jint depth, jobjectArray infos)
{
    VM_ENTRY(env);
    struct thread_query q = { .depth = depth < 0 ? SIZE_MAX : (size_t)depth };

    take_snapshots(self, ref_get(ids), &q);
    for (size_t i = 0; i < q.count && !exception_pending(self); i++)
        ARRAY_REFS(ref_get(infos))[i] = thread_info(self, &q.all[i], &q);
    release_snapshots(&q);
    return 0;
}

/*
 * Returns a ThreadInfo[] for the ids, or, when that is null, for all threads, with the
 * monitors and synchronizers that they own if asked for.
 */
static jobjectArray JNICALL
jmm_DumpThreads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers,
                jint depth)
{
    VM_ENTRY(env);
    struct thread_query q = { .depth = depth < 0 ? SIZE_MAX : (size_t)depth,
                              .monitors = monitors,
                              .locks = synchronizers };
    struct class *c = class_load_boot(self, THREAD_INFO);

    if (!c)
        return NULL;
    take_snapshots(self, ref_get(ids), &q);
    size_t mark = self->handle_count;
    for (size_t i = 0; i < q.count && !exception_pending(self); i++)
        handle_new(self, thread_info(self, &q.all[i], &q));
    release_snapshots(&q);
    return object_ref(self, array_from_handles(self, c, mark));
}

/* ---- deadlocks ---- */

/*
 * Returns the thread that has what t waits for, or NULL.  A thread in Object.wait is
 * not stuck by an owner, so it counts as one that does not wait.
 */
struct thread *
thread_waits_for(struct vm *vm, const struct thread *t, bool monitors_only)
{
    uint32_t wait = atomic_load(&t->wait);
    bool parks = wait == WAIT_PARK || wait == WAIT_PARK_TIMED;
    struct object *owner = NULL;

    if (t->object && (wait == WAIT_MONITOR_ENTER || (parks && !monitors_only)))
        thread_blocker(vm, t, &owner);
    return owner ? thread_of_object(owner) : NULL;
}

/*
 * Returns true if following what threads wait for leads from t back to t.  The threads
 * that t waits for may be in a cycle without t, so the search ends after as many steps
 * as there are threads.
 */
bool
thread_is_deadlocked(struct vm *vm, struct thread *t, bool monitors_only)
{
    struct thread *u = thread_waits_for(vm, t, monitors_only);

    for (uint32_t steps = 0; u && steps <= vm->thread_count; steps++) {
        if (u == t)
            return true;
        u = thread_waits_for(vm, u, monitors_only);
    }
    return false;
}

/* Returns a Thread[] of all threads in deadlocks; null when there is none. */
static jobjectArray JNICALL
jmm_FindDeadlocks(JNIEnv *env, jboolean monitors_only)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    size_t mark = self->handle_count;

    world_stop(self, "FindDeadlocks");
    FOR_EACH_THREAD(vm, t)
        if (!t->is_hidden && thread_is_deadlocked(vm, t, monitors_only))
            handle_new(self, t->object);
    world_resume(self);
    if (self->handle_count == mark)
        return NULL;
    return object_ref(self, array_from_handles(self, KC(vm, Thread), mark));
}

/* Returns a Thread[] of all threads in deadlocks of monitors only; null for none. */
static jobjectArray JNICALL
jmm_FindCircularBlockedThreads(JNIEnv *env)
{
    return jmm_FindDeadlocks(env, JNI_TRUE);
}

/* ---- times and bytes ---- */

/* Returns a number that is measured of t, a live thread. */
typedef jlong measure_fn(const struct thread *t);

/* Returns the time in user mode and in the system; -1 when it cannot be read. */
static jlong
cpu_nanos(const struct thread *t)
{
    return os_thread_cpu_nanos_of(t->pthread);
}

/*
 * Returns the time in user mode.  Another thread's is read in clock ticks, since its
 * clock of user mode can be ahead of cpu_nanos; -1 when it cannot be read.  The number
 * is the 14th of the file (proc(5), utime), counted from the ')' behind the program's
 * name, which may contain spaces.
 */
static jlong
user_nanos(const struct thread *t)
{
    TEXTS(texts);

    if (t == current_thread)
        return os_thread_user_nanos();
    const char *path = own(&texts, mem_printf("/proc/self/task/%d/stat", t->native_id));
    const char *text = own(&texts, os_read_file(path, NULL, NULL));
    const char *at = text ? strrchr(text, ')') : NULL;
    unsigned long ticks;

    if (!at
        || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        return -1;
    return (jlong)ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}

/*
 * Another thread changes its number meanwhile; the one that is read may be a little
 * old.
 */
static jlong
allocated_bytes(const struct thread *t)
{
    return (jlong)t->cache.allocated;
}

/*
 * Measures the thread with that id, 0 being the calling one; -1 when there is none.
 * Under the lock of the list the thread cannot end meanwhile.
 */
static jlong
measure(struct thread *self, jlong id, measure_fn *fn)
{
    if (id == 0)
        return fn(self);
    threads_lock(self->vm);
    const struct thread *t = thread_by_id(self->vm, id);
    jlong result = t ? fn(t) : -1;
    threads_unlock(self->vm);
    return result;
}

/*
 * Measures the threads with those ids, a long[], and stores the numbers in results,
 * another.
 */
static void
measure_all(struct thread *self, jlongArray ids, jlongArray results, measure_fn *fn)
{
    const struct object *from = ref_get(ids), *to = ref_get(results);

    for (int32_t i = 0; i < array_length(from); i++)
        ARRAY_LONGS(to)[i] = measure(self, ARRAY_LONGS(from)[i], fn);
}

/* system: with the time in the system. */
static jlong JNICALL
jmm_GetThreadCpuTimeWithKind(JNIEnv *env, jlong id, jboolean system)
{
    VM_ENTRY(env);

    return measure(self, id, system ? cpu_nanos : user_nanos);
}

/* The time in user mode and in the system. */
static jlong JNICALL
jmm_GetThreadCpuTime(JNIEnv *env, jlong id)
{
    VM_ENTRY(env);

    return measure(self, id, cpu_nanos);
}

static void JNICALL
jmm_GetThreadCpuTimesWithKind(JNIEnv *env, jlongArray ids, jlongArray times,
                              jboolean system)
{
    VM_ENTRY(env);

    measure_all(self, ids, times, system ? cpu_nanos : user_nanos);
}

static jlong JNICALL
jmm_GetOneThreadAllocatedMemory(JNIEnv *env, jlong id)
{
    VM_ENTRY(env);

    return measure(self, id, allocated_bytes);
}

static void JNICALL
jmm_GetThreadAllocatedMemory(JNIEnv *env, jlongArray ids, jlongArray sizes)
{
    VM_ENTRY(env);

    measure_all(self, ids, sizes, allocated_bytes);
}

/* The bytes that all threads have allocated, those that have ended too. */
static jlong JNICALL
jmm_GetTotalThreadAllocatedMemory(JNIEnv *env)
{
    VM_ENTRY(env);

    return (jlong)heap_get_usage(self->vm->heap).allocated;
}

void
management_fill_threads(struct jmm_interface *t)
{
    t->GetThreadInfo = jmm_GetThreadInfo;
    t->DumpThreads = jmm_DumpThreads;
    t->FindDeadlocks = jmm_FindDeadlocks;
    t->FindCircularBlockedThreads = jmm_FindCircularBlockedThreads;
    t->GetThreadCpuTime = jmm_GetThreadCpuTime;
    t->GetThreadCpuTimeWithKind = jmm_GetThreadCpuTimeWithKind;
    t->GetThreadCpuTimesWithKind = jmm_GetThreadCpuTimesWithKind;
    t->GetOneThreadAllocatedMemory = jmm_GetOneThreadAllocatedMemory;
    t->GetThreadAllocatedMemory = jmm_GetThreadAllocatedMemory;
    t->GetTotalThreadAllocatedMemory = jmm_GetTotalThreadAllocatedMemory;
}
