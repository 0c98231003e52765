/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_thread.c -- java.lang.management: threads.
 *
 * What a ThreadInfo says is collected of all its threads while the world is stopped,
 * so that owners and waiters fit together; the objects are made afterwards. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "jdk/signals.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- one thread, as it was ---- */

struct locked {
    struct object *object;
    int32_t depth;                 /* of the frame; -1: entered by JNI */
};

/* The objects are kept by the caller's scope. */
struct snapshot {
    struct object *thread;         /* NULL: there is no such live thread */
    int32_t status;                /* threadStatus and enum jmm state bits */
    struct object *lock, *owner;   /* what it waits for; its owner's Thread */
    struct trace trace;
    struct locked *locked;
    size_t locked_count;
    int64_t blocked_count, blocked_millis, waited_count, waited_millis;
};

/* What is asked for and what was found. */
struct gathering {
    size_t depth;                  /* of the stacks */
    bool monitors, locks;          /* locks: ownable synchronizers */
    struct snapshot *all;
    size_t count;
    struct synchronizers synchronizers;
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
    s->thread = keep(self, t->object);
    s->status = (int32_t)thread_java_status(t);
    if (thread_is_suspended(t))
        s->status |= JMM_STATE_SUSPENDED;
    if (atomic_load(&t->run_state) == THREAD_IN_NATIVE)
        s->status |= JMM_STATE_NATIVE;
    s->lock = keep(self, thread_blocker(self->vm, t, &s->owner));
    keep(self, s->owner);
    s->blocked_count = (int64_t)t->blocked_count;
    s->waited_count = (int64_t)t->waited_count;
    bool is_measured = management_contention();
    s->blocked_millis = is_measured ? (int64_t)(t->blocked_nanos / 1000000) : -1;
    s->waited_millis = is_measured ? (int64_t)(t->waited_nanos / 1000000) : -1;
    trace_take(self, t, g->depth, &s->trace);
    if (g->monitors)
        collect_monitors(self, t, s);
}

/* ---- all that were asked for ---- */

struct search {
    struct thread *self;
    struct synchronizers *all;
};

static bool
note_synchronizer(void *context, struct object *o)
{
    struct search *search = context;
    struct synchronizers *all = search->all;
    struct object *owner = exclusive_owner(search->self->vm, o);

    if (owner) {
        all->list = mem_realloc(all->list, (all->count + 1) * sizeof *all->list);
        all->list[all->count++] =
            (struct synchronizer){ keep(search->self, o), keep(search->self, owner) };
    }
    return true;
}

void
synchronizers_find(struct thread *self, struct synchronizers *all)
{
    struct search search = { self, all };

    heap_iterate(self->vm->heap, note_synchronizer, &search);
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
    if (g->locks)
        synchronizers_find(self, &g->synchronizers);
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
    mem_free(g->synchronizers.list);
}

/* ---- java.lang.management.ThreadInfo ---- */

static struct object *
monitor_array(struct thread *self, const struct snapshot *s, struct object **depths)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), s->locked_count);

    *depths =
        array ? keep(self, array_new_primitive(self, 'I', array_length(array))) : NULL;
    for (size_t i = 0; *depths && i < s->locked_count; i++) {
        ARRAY_REFS(array)[i] = s->locked[i].object;
        ARRAY_INTS(*depths)[i] = s->locked[i].depth;
    }
    return *depths ? array : NULL;
}

static struct object *
synchronizer_array(struct thread *self, const struct snapshot *s,
                   const struct synchronizers *all)
{
    size_t mark = self->handle_count;

    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].owner == s->thread)
            keep(self, all->list[i].object);
    return java_kept(self, KC(self->vm, Object), mark);
}

#define THREAD_INFO "java/lang/management/ThreadInfo"
#define INFO_TYPES \
    "Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ" \
    "[Ljava/lang/StackTraceElement;"

static struct object *
thread_info(struct thread *self, const struct snapshot *s, const struct gathering *g,
            bool with_locks)
{
    union slot args[17] = {
        [1] = { .ref = s->thread }, [2] = { .i = s->status }, [3] = { .ref = s->lock },
        [4] = { .ref = s->owner }, [5] = { .j = s->blocked_count },
        [7] = { .j = s->blocked_millis }, [9] = { .j = s->waited_count },
        [11] = { .j = s->waited_millis }
    };
    SCOPE(self);

    args[13].ref = trace_elements(self, &s->trace);
    if (g->monitors && args[13].ref)
        args[14].ref = monitor_array(self, s, &args[15].ref);
    if (g->locks && !exception_pending(self))
        args[16].ref = synchronizer_array(self, s, &g->synchronizers);
    if (exception_pending(self))
        return NULL;
    return java_construct(self, class_load_boot(self, THREAD_INFO),
                          with_locks ? "(" INFO_TYPES
                                       "[Ljava/lang/Object;[I[Ljava/lang/Object;)V"
                                     : "(" INFO_TYPES ")V",
                          args);
}

static jint JNICALL
get_thread_info(JNIEnv *env, jlongArray ids, jint depth, jobjectArray infos)
{
    VM_ENTRY(env);
    struct object *id_array = ref_get(ids), *array = ref_get(infos);
    struct gathering g = { .depth = depth < 0 ? SIZE_MAX : (size_t)depth };

    if (!id_array || !array) {
        THROW0(self, NullPointerException);
        return -1;
    }
    if (depth < -1 || array_length(id_array) > array_length(array)) {
        THROW(self, IllegalArgumentException, "%s",
              depth < -1 ? "Invalid maxDepth"
                         : "The length of the given ThreadInfo array does not match");
        return -1;
    }
    gather(self, id_array, &g);
    for (size_t i = 0; i < g.count && !exception_pending(self); i++)
        if (g.all[i].thread)
            ARRAY_REFS(array)[i] = thread_info(self, &g.all[i], &g, false);
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
    struct object *result = java_new_array(self, c, g.count);
    for (size_t i = 0; result && i < g.count && !exception_pending(self); i++)
        if (g.all[i].thread)
            ARRAY_REFS(result)[i] = thread_info(self, &g.all[i], &g, true);
    release(&g);
    return exception_pending(self) ? NULL : object_ref(self, result);
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
    FOR_EACH_THREAD(vm, u)
        if (owner && u->object == owner)
            return u;
    return NULL;
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

/* User-mode time of a kernel thread, by its ticks. */
static jlong
user_nanos_of(int native_id)
{
    TEXTS(t);
    const char *path = own(&t, mem_printf("/proc/self/task/%d/stat", native_id));
    const char *text = own(&t, os_read_file(path, NULL, NULL));
    const char *at = text ? strrchr(text, ')') : NULL;
    unsigned long ticks;

    if (!at
        || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        return -1;
    return (jlong)ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}

/* What is measured of t, a thread that lives. */
typedef jlong measure_fn(const struct thread *self, const struct thread *t);

static jlong
cpu_nanos(const struct thread *self, const struct thread *t)
{
    return t == self ? os_thread_cpu_nanos() : os_thread_cpu_nanos_of(t->pthread);
}

static jlong
user_nanos(const struct thread *self, const struct thread *t)
{
    return t == self ? os_thread_user_nanos() : user_nanos_of(t->native_id);
}

static jlong
allocated_bytes(const struct thread *self UNUSED, const struct thread *t)
{
    return (jlong)t->cache.allocated;
}

/* id 0: the current thread; -1 when there is no such thread. */
static jlong
measure(struct thread *self, jlong id, measure_fn *fn)
{
    if (id == 0)
        return fn(self, self);
    threads_lock(self->vm);
    const struct thread *t = thread_by_id(self->vm, id);
    jlong result = t ? fn(self, t) : -1;
    threads_unlock(self->vm);
    return result;
}

static void
measure_all(JNIEnv *env, jlongArray ids, jlongArray results, measure_fn *fn)
{
    VM_ENTRY(env);
    const struct object *from = ref_get(ids), *to = ref_get(results);

    if (!from || !to)
        THROW0(self, NullPointerException);
    else if (array_length(from) != array_length(to))
        THROW(self, IllegalArgumentException,
              "The length of the given long array does not match the length of the "
              "given array of thread IDs");
    else
        for (int32_t i = 0; i < array_length(from); i++)
            ARRAY_LONGS(to)[i] = measure(self, ARRAY_LONGS(from)[i], fn);
}

JMM_VALUE(jlong, get_cpu_time, (JNIEnv *env, jlong id, jboolean system),
          measure(self, id, system ? cpu_nanos : user_nanos))

JMM_VALUE(jlong, get_total_cpu_time, (JNIEnv *env, jlong id),
          measure(self, id, cpu_nanos))

static void JNICALL
get_cpu_times(JNIEnv *env, jlongArray ids, jlongArray times, jboolean system)
{
    measure_all(env, ids, times, system ? cpu_nanos : user_nanos);
}

JMM_VALUE(jlong, get_one_allocated, (JNIEnv *env, jlong id),
          measure(self, id, allocated_bytes))

static void JNICALL
get_allocated(JNIEnv *env, jlongArray ids, jlongArray sizes)
{
    measure_all(env, ids, sizes, allocated_bytes);
}

/* All that was ever allocated, by threads that have ended too. */
JMM_VALUE(jlong, get_total_allocated, (JNIEnv *env), (jlong)heap_usage_now().allocated)

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
