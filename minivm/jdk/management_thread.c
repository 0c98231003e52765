/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_thread.c -- java.lang.management: threads.
 *
 * What a ThreadInfo says is collected of all its threads while the world is stopped,
 * so that owners and waiters fit together; the objects are made afterwards. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "jdk/attach.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- one thread, as it was ---- */

struct locked {
    struct object *object;
    int32_t depth;                 /* of the frame; -1: entered by JNI */
};

/* The arguments of ThreadInfo's constructors; status: threadStatus and enum jmm state
   bits; owner: the Thread that has the lock which the thread waits for. */
enum {
    ARG_THREAD = 1, ARG_STATUS, ARG_LOCK, ARG_OWNER, ARG_BLOCKED_COUNT,
    ARG_BLOCKED_MILLIS = 7, ARG_WAITED_COUNT = 9, ARG_WAITED_MILLIS = 11,
    ARG_TRACE = 13, ARG_MONITORS, ARG_DEPTHS, ARG_SYNCHRONIZERS, ARG_COUNT
};

/* The objects are kept by the caller's scope. */
struct snapshot {
    union slot args[ARG_COUNT];    /* without a thread: there is no such live one */
    struct trace trace;
    struct locked *locked;
    size_t locked_count;
};

/* What is asked for and what was found. */
struct gathering {
    size_t depth;                  /* of the stacks */
    bool monitors, locks;          /* locks: ownable synchronizers */
    struct snapshot *all;
    size_t count;
    size_t locks_begin, locks_end; /* self's handles of synchronizers_find */
};

static struct object *
exclusive_owner(const struct vm *vm, const struct object *o)
{
    struct class *c = KC(vm, AbstractOwnableSynchronizer);

    if (!o || !c || !object_is_instance(o, c))
        return NULL;
    return REF_FIELD(vm, o, AbstractOwnableSynchronizer_exclusiveOwnerThread);
}

static struct object *
monitor_owner(struct vm *vm, const struct object *o)
{
    struct monitor_usage usage;
    struct object *owner = NULL;

    if (o && monitor_get_usage(vm, o, &usage)) {
        owner = usage.owner ? usage.owner->object : NULL;
        monitor_usage_release(&usage);
    }
    return owner;
}

struct object *
thread_blocker(struct vm *vm, const struct thread *t, struct object **owner)
{
    struct object *lock = NULL;

    *owner = NULL;
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER: case WAIT_OBJECT: case WAIT_OBJECT_TIMED:
        lock = monitor_contended(t);
        *owner = monitor_owner(vm, lock);
        break;
    case WAIT_PARK: case WAIT_PARK_TIMED:
        lock = REF_FIELD(vm, t->object, Thread_parkBlocker);
        *owner = exclusive_owner(vm, lock);
        break;
    default:
        break;
    }
    return lock;
}

static int32_t
depth_of(const struct thread *t, const struct frame *wanted)
{
    int32_t depth = 0;

    for (struct frame *f = thread_top_frame(t); f; f = frame_older(f), depth++)
        if (f == wanted)
            return depth;
    return -1;
}

/* Each monitor once, at the frame that entered it first, innermost frames first. */
static void
collect_monitors(struct thread *self, const struct thread *t, struct snapshot *s)
{
    s->locked = mem_alloc((t->lock_count + 1) * sizeof *s->locked);
    for (uint32_t i = t->lock_count; i-- > 0;) {
        const struct held_lock *held = &t->locks[i];
        bool again = false;
        for (uint32_t j = 0; j < i; j++)
            again = again || t->locks[j].object == held->object;
        if (again || !monitor_owns_entry(t, held))
            continue;
        int32_t depth = held->frame ? depth_of(t, held->frame) : -1;
        if (depth >= (int32_t)s->trace.count)
            continue;
        s->locked[s->locked_count++] = (struct locked){ held->object, depth };
        keep(self, held->object);
    }
}

static void
collect_thread(struct thread *self, const struct thread *t, const struct gathering *g,
               struct snapshot *s)
{
    bool is_measured = management_switches.contention;
    union slot *args = s->args;

    args[ARG_THREAD].ref = keep(self, t->object);
    args[ARG_STATUS].i =
        (int32_t)thread_java_status(t)
        | (thread_is_suspended(t) ? JMM_STATE_SUSPENDED : 0)
        | (atomic_load(&t->run_state) == THREAD_IN_NATIVE ? JMM_STATE_NATIVE : 0);
    args[ARG_LOCK].ref = keep(self, thread_blocker(self->vm, t, &args[ARG_OWNER].ref));
    keep(self, args[ARG_OWNER].ref);
    args[ARG_BLOCKED_COUNT].j = (int64_t)t->blocked_count;
    args[ARG_BLOCKED_MILLIS].j =
        is_measured ? (int64_t)(t->blocked_nanos / 1000000) : -1;
    args[ARG_WAITED_COUNT].j = (int64_t)t->waited_count;
    args[ARG_WAITED_MILLIS].j = is_measured ? (int64_t)(t->waited_nanos / 1000000) : -1;
    trace_take(self, t, g->depth, &s->trace);
    if (g->monitors)
        collect_monitors(self, t, s);
}

/* ---- all that were asked for ---- */

static bool
note_synchronizer(void *context, struct object *o)
{
    struct thread *self = context;
    struct object *owner = exclusive_owner(self->vm, o);

    if (owner) {
        keep(self, o);
        keep(self, owner);
    }
    return true;
}

void
synchronizers_find(struct thread *self)
{
    heap_iterate(self->vm->heap, note_synchronizer, self);
}

static struct thread *
thread_by_id(struct vm *vm, jlong id)
{
    FOR_EACH_THREAD(vm, t)
        if (thread_is_visible(t) && LONG_FIELD(vm, t->object, Thread_tid) == id)
            return t;
    return NULL;
}

/* Snapshots of the threads with those ids, or (NULL) of all, in order.  What they refer
   to is kept until the caller's scope ends. */
static void
gather(struct thread *self, const struct object *ids, struct gathering *g)
{
    struct vm *vm = self->vm;

    world_stop(self, "ThreadMXBean");
    g->count = ids ? (size_t)array_length(ids) : vm->thread_count;
    g->all = mem_calloc(g->count + 1, sizeof *g->all);
    for (size_t i = 0; ids && i < g->count; i++) {
        const struct thread *t = thread_by_id(vm, ARRAY_LONGS(ids)[i]);
        if (t)
            collect_thread(self, t, g, &g->all[i]);
    }
    if (!ids) {
        g->count = 0;
        FOR_EACH_THREAD(vm, t)
            if (thread_is_visible(t))
                collect_thread(self, t, g, &g->all[g->count++]);
    }
    g->locks_begin = self->handle_count;
    if (g->locks)
        synchronizers_find(self);
    g->locks_end = self->handle_count;
    world_resume(self);
}

static void
release(struct gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        mem_free(g->all[i].trace.places);
        mem_free(g->all[i].locked);
    }
    mem_free(g->all);
}

/* ---- java.lang.management.ThreadInfo ---- */

static bool
set_monitors(struct thread *self, struct snapshot *s)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), s->locked_count);
    struct object *depths =
        array ? keep(self, array_new_primitive(self, 'I', array_length(array))) : NULL;

    for (size_t i = 0; depths && i < s->locked_count; i++) {
        ARRAY_REFS(array)[i] = s->locked[i].object;
        ARRAY_INTS(depths)[i] = s->locked[i].depth;
    }
    s->args[ARG_MONITORS].ref = array;
    s->args[ARG_DEPTHS].ref = depths;
    return depths != NULL;
}

static bool
set_synchronizers(struct thread *self, struct snapshot *s, const struct gathering *g)
{
    size_t mark = self->handle_count;

    for (size_t i = g->locks_begin; i < g->locks_end; i += 2)
        if (self->handles[i + 1] == s->args[ARG_THREAD].ref)
            keep(self, self->handles[i]);
    s->args[ARG_SYNCHRONIZERS].ref = java_kept(self, KC(self->vm, Object), mark);
    return s->args[ARG_SYNCHRONIZERS].ref != NULL;
}

#define THREAD_INFO "java/lang/management/ThreadInfo"

/* NULL also when there is no such thread. */
static struct object *
thread_info(struct thread *self, struct snapshot *s, const struct gathering *g)
{
    SCOPE(self);

    if (!s->args[ARG_THREAD].ref
        || !(s->args[ARG_TRACE].ref = trace_elements(self, &s->trace))
        || (g->monitors && !set_monitors(self, s))
        || (g->locks && !set_synchronizers(self, s, g)))
        return NULL;
    return java_construct(self, class_load_boot(self, THREAD_INFO),
                          "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ"
                          "[Ljava/lang/StackTraceElement;[Ljava/lang/Object;[I"
                          "[Ljava/lang/Object;)V", s->args);
}

/* The functions' callers in the class library have checked ids and lengths. */
static jint JNICALL
get_thread_info(JNIEnv *env, jlongArray ids, jint depth, jobjectArray infos)
{
    VM_ENTRY(env);
    struct gathering g = { .depth = depth < 0 ? SIZE_MAX : (size_t)depth };

    gather(self, ref_get(ids), &g);
    for (size_t i = 0; i < g.count && !exception_pending(self); i++)
        ARRAY_REFS(ref_get(infos))[i] = thread_info(self, &g.all[i], &g);
    release(&g);
    return 0;
}

static jobjectArray JNICALL
dump_threads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers,
             jint depth)
{
    VM_ENTRY(env);
    struct gathering g = { .depth = depth < 0 ? SIZE_MAX : (size_t)depth,
                           .monitors = monitors, .locks = synchronizers };
    struct class *c = class_load_boot(self, THREAD_INFO);

    if (!c)
        return NULL;
    gather(self, ref_get(ids), &g);
    size_t mark = self->handle_count;
    for (size_t i = 0; i < g.count && !exception_pending(self); i++)
        keep(self, thread_info(self, &g.all[i], &g));
    release(&g);
    return object_ref(self, java_kept(self, c, mark));
}

/* ---- deadlocks ---- */

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

static jobjectArray JNICALL
find_deadlocks(JNIEnv *env, jboolean monitors_only)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    size_t mark = self->handle_count;

    world_stop(self, "FindDeadlocks");
    FOR_EACH_THREAD(vm, t)
        if (!t->is_hidden && thread_is_deadlocked(vm, t, monitors_only))
            keep(self, t->object);
    world_resume(self);
    if (self->handle_count == mark)
        return NULL;
    return object_ref(self, java_kept(self, KC(vm, Thread), mark));
}

static jobjectArray JNICALL
find_monitor_deadlocks(JNIEnv *env)
{
    return find_deadlocks(env, JNI_TRUE);
}

/* ---- times and bytes ---- */

/* What is measured of t, a thread that lives. */
typedef jlong measure_fn(const struct thread *t);

static jlong
cpu_nanos(const struct thread *t)
{
    return os_thread_cpu_nanos_of(t->pthread);
}

/* Of another thread by its ticks: its clock of user mode may be ahead of cpu_nanos. */
static jlong
user_nanos(const struct thread *t)
{
    TEXTS(texts);

    if (t == current_thread)
        return os_thread_user_nanos();
    const char *path =
        own(&texts, mem_printf("/proc/self/task/%d/stat", t->native_id));
    const char *text = own(&texts, os_read_file(path, NULL, NULL));
    const char *at = text ? strrchr(text, ')') : NULL;
    unsigned long ticks;

    if (!at
        || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        return -1;
    return (jlong)ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}

static jlong
allocated_bytes(const struct thread *t)
{
    return (jlong)t->cache.allocated;
}

/* id 0: the current thread; -1 when there is no such thread. */
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

static void
measure_all(struct thread *self, jlongArray ids, jlongArray results, measure_fn *fn)
{
    const struct object *from = ref_get(ids), *to = ref_get(results);

    for (int32_t i = 0; i < array_length(from); i++)
        ARRAY_LONGS(to)[i] = measure(self, ARRAY_LONGS(from)[i], fn);
}

JMM_VALUE(jlong, get_cpu_time, (JNIEnv *env, jlong id, jboolean system),
          measure(self, id, system ? cpu_nanos : user_nanos))

JMM_VALUE(jlong, get_total_cpu_time, (JNIEnv *env, jlong id),
          measure(self, id, cpu_nanos))

JMM_VALUE(void, get_cpu_times,
          (JNIEnv *env, jlongArray ids, jlongArray times, jboolean system),
          measure_all(self, ids, times, system ? cpu_nanos : user_nanos))

JMM_VALUE(jlong, get_one_allocated, (JNIEnv *env, jlong id),
          measure(self, id, allocated_bytes))

JMM_VALUE(void, get_allocated, (JNIEnv *env, jlongArray ids, jlongArray sizes),
          measure_all(self, ids, sizes, allocated_bytes))

/* All that was ever allocated, by threads that have ended too. */
JMM_VALUE(jlong, get_total_allocated, (JNIEnv *env),
          (jlong)heap_get_usage(self->vm->heap).allocated)

void
management_fill_threads(struct jmm_interface *t)
{
    t->GetThreadInfo = get_thread_info;
    t->DumpThreads = dump_threads;
    t->FindDeadlocks = find_deadlocks;
    t->FindCircularBlockedThreads = find_monitor_deadlocks;
    t->GetThreadCpuTime = get_total_cpu_time;
    t->GetThreadCpuTimeWithKind = get_cpu_time;
    t->GetThreadCpuTimesWithKind = get_cpu_times;
    t->GetOneThreadAllocatedMemory = get_one_allocated;
    t->GetThreadAllocatedMemory = get_allocated;
    t->GetTotalThreadAllocatedMemory = get_total_allocated;
}
