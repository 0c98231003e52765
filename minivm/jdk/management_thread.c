/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_thread.c -- java.lang.management: threads.
 *
 * What a ThreadInfo says is collected of all its threads while the world is stopped,
 * so that owners and waiters fit together; the objects are made afterwards. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "jdk/jmm.h"
#include "jdk/signals.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"
#include "vm/string.h"

/* ---- one thread, as it was ---- */

struct place {
    struct code *code;
    int32_t bci;
};

struct locked {
    struct object *object;
    int32_t depth;                 /* of the frame; -1: entered by JNI */
};

/* The objects are kept by the caller's scope. */
struct snapshot {
    struct object *thread;         /* NULL: there is no such live thread */
    int32_t status;                /* threadStatus and enum jmm state bits */
    struct object *lock, *owner;   /* what it waits for; its owner's Thread */
    struct place *places;
    struct locked *locked;
    struct object **synchronizers;
    int32_t place_count, locked_count, synchronizer_count;
    int64_t blocked_count, blocked_millis, waited_count, waited_millis;
};

struct request {
    int32_t depth;                 /* of the stack; -1: all of it */
    bool monitors, synchronizers;
};

static void
release_snapshots(struct snapshot *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mem_free(all[i].places);
        mem_free(all[i].locked);
        mem_free(all[i].synchronizers);
    }
    mem_free(all);
}

struct object *
exclusive_owner(const struct vm *vm, const struct object *o)
{
    struct class *c = KC(vm, AbstractOwnableSynchronizer);

    if (!o || !c || !object_is_instance(o, c))
        return NULL;
    return OBJECT_FIELD(struct object *, o,
                        KF(vm, AbstractOwnableSynchronizer_exclusiveOwnerThread));
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

static struct object *
park_blocker(const struct vm *vm, const struct thread *t)
{
    return OBJECT_FIELD(struct object *, t->object, KF(vm, Thread_parkBlocker));
}

/* What t waits for, and who has it. */
static void
find_blocker(struct vm *vm, const struct thread *t, struct snapshot *s)
{
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER: case WAIT_OBJECT: case WAIT_OBJECT_TIMED:
        s->lock = monitor_contended(t);
        s->owner = monitor_owner(vm, s->lock);
        break;
    case WAIT_PARK: case WAIT_PARK_TIMED:
        s->lock = park_blocker(vm, t);
        s->owner = exclusive_owner(vm, s->lock);
        break;
    default:
        break;
    }
}

static void
collect_stack(struct thread *self, const struct thread *t, int32_t limit,
              struct snapshot *s)
{
    int32_t count = 0;

    for (struct frame *f = thread_top_frame(t); f; f = frame_older(f))
        count++;
    if (limit >= 0 && limit < count)
        count = limit;
    s->places = mem_alloc((size_t)(count + 1) * sizeof *s->places);
    for (struct frame *f = thread_top_frame(t); f && s->place_count < count;
         f = frame_older(f)) {
        s->places[s->place_count++] = (struct place){ f->code, frame_bci(f) };
        keep(self, f->code->method->class->layout.mirror);
    }
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
        if (depth >= s->place_count)
            continue;
        s->locked[s->locked_count++] = (struct locked){ held->object, depth };
        keep(self, held->object);
    }
}

static void
collect_thread(struct thread *self, const struct thread *t, const struct request *r,
               struct snapshot *s)
{
    s->thread = keep(self, t->object);
    s->status = (int32_t)thread_java_status(t);
    if (thread_is_suspended(t))
        s->status |= JMM_STATE_SUSPENDED;
    if (atomic_load(&t->run_state) == THREAD_IN_NATIVE)
        s->status |= JMM_STATE_NATIVE;
    find_blocker(self->vm, t, s);
    keep(self, s->lock);
    keep(self, s->owner);
    s->blocked_count = (int64_t)t->blocked_count;
    s->waited_count = (int64_t)t->waited_count;
    s->blocked_millis =
        management_contention() ? (int64_t)(t->blocked_nanos / 1000000) : -1;
    s->waited_millis =
        management_contention() ? (int64_t)(t->waited_nanos / 1000000) : -1;
    collect_stack(self, t, r->depth, s);
    if (r->monitors)
        collect_monitors(self, t, s);
}

/* ---- all that were asked for ---- */

struct gathering {
    struct thread *self;
    struct snapshot *all;
    size_t count;
};

static bool
note_synchronizer(void *context, struct object *o)
{
    struct gathering *g = context;
    struct object *owner = exclusive_owner(g->self->vm, o);

    for (size_t i = 0; owner && i < g->count; i++) {
        struct snapshot *s = &g->all[i];
        if (s->thread != owner)
            continue;
        s->synchronizers =
            mem_realloc(s->synchronizers, (size_t)(s->synchronizer_count + 1)
                                              * sizeof *s->synchronizers);
        s->synchronizers[s->synchronizer_count++] = keep(g->self, o);
    }
    return true;
}

static struct thread *
thread_by_id(struct vm *vm, jlong id)
{
    FOR_EACH_THREAD(vm, t)
        if (!t->is_hidden && t->object
            && OBJECT_FIELD(jlong, t->object, KF(vm, Thread_tid)) == id)
            return t;
    return NULL;
}

/* Snapshots of the threads with those ids, or (NULL) of all, in order; *count of them.
   What they refer to is kept until the caller's scope ends. */
static struct snapshot *
take_snapshots(struct thread *self, const struct object *ids, const struct request *r,
               size_t *count)
{
    struct vm *vm = self->vm;
    struct snapshot *all;

    world_stop(self, "ThreadMXBean");
    *count = ids ? (size_t)array_length(ids) : 0;
    if (!ids)
        FOR_EACH_THREAD(vm, t)
            *count += !t->is_hidden && t->object;
    all = mem_calloc(*count + 1, sizeof *all);
    if (ids) {
        for (size_t i = 0; i < *count; i++) {
            struct thread *t = thread_by_id(vm, ARRAY_LONGS(ids)[i]);
            if (t)
                collect_thread(self, t, r, &all[i]);
        }
    } else {
        size_t i = 0;
        FOR_EACH_THREAD(vm, t)
            if (!t->is_hidden && t->object)
                collect_thread(self, t, r, &all[i++]);
    }
    if (r->synchronizers) {
        struct gathering g = { self, all, *count };
        heap_iterate(vm->heap, note_synchronizer, &g);
    }
    world_resume(self);
    return all;
}

/* ---- java.lang.management.ThreadInfo ---- */

static struct object *
stack_trace(struct thread *self, const struct snapshot *s)
{
    struct class *c = known_class(self, KNOWN_CLASS_StackTraceElement);
    struct class *array = c && class_initialize(self, c) ? class_array_of(self, c) : NULL;
    struct object *trace =
        array ? keep(self, array_new(self, array, s->place_count)) : NULL;

    for (int32_t i = 0; trace && i < s->place_count; i++) {
        struct object *element = object_new(self, c);
        if (!element)
            return NULL;
        ARRAY_REFS(trace)[i] = element;
        if (!exception_element(self, element, s->places[i].code, s->places[i].bci))
            return NULL;
    }
    return trace;
}

static struct object *
monitor_array(struct thread *self, const struct snapshot *s, struct object **depths)
{
    struct object *array =
        keep(self, array_new(self, self->vm->known.object_array, s->locked_count));

    *depths = array ? keep(self, array_new_primitive(self, 'I', s->locked_count)) : NULL;
    for (int32_t i = 0; *depths && i < s->locked_count; i++) {
        ARRAY_REFS(array)[i] = s->locked[i].object;
        ARRAY_INTS(*depths)[i] = s->locked[i].depth;
    }
    return *depths ? array : NULL;
}

static struct object *
synchronizer_array(struct thread *self, const struct snapshot *s)
{
    struct object *array =
        keep(self, array_new(self, self->vm->known.object_array, s->synchronizer_count));

    for (int32_t i = 0; array && i < s->synchronizer_count; i++)
        ARRAY_REFS(array)[i] = s->synchronizers[i];
    return array;
}

#define THREAD_INFO "java/lang/management/ThreadInfo"
#define INFO_TYPES \
    "Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ" \
    "[Ljava/lang/StackTraceElement;"

static struct object *
thread_info(struct thread *self, const struct snapshot *s, const struct request *r,
            bool with_locks)
{
    struct class *c = class_load_boot(self, THREAD_INFO);
    union slot args[17];
    SCOPE(self);

    if (!c || !class_initialize(self, c))
        return NULL;
    memset(args, 0, sizeof args);
    struct object *info = args[0].ref = keep(self, object_new(self, c));
    args[1].ref = s->thread;
    args[2].i = s->status;
    args[3].ref = s->lock;
    args[4].ref = s->owner;
    args[5].j = s->blocked_count;
    args[7].j = s->blocked_millis;
    args[9].j = s->waited_count;
    args[11].j = s->waited_millis;
    args[13].ref = info ? stack_trace(self, s) : NULL;
    if (with_locks && r->monitors && args[13].ref)
        args[14].ref = monitor_array(self, s, &args[15].ref);
    if (with_locks && r->synchronizers && !exception_pending(self))
        args[16].ref = synchronizer_array(self, s);
    if (exception_pending(self))
        return NULL;
    management_call(self, THREAD_INFO, "<init>",
                    with_locks ? "(" INFO_TYPES
                                 "[Ljava/lang/Object;[I[Ljava/lang/Object;)V"
                               : "(" INFO_TYPES ")V",
                    args);
    return exception_pending(self) ? NULL : info;
}

static jint JNICALL
get_thread_info(JNIEnv *env, jlongArray ids, jint depth, jobjectArray infos)
{
    VM_ENTRY(env);
    struct object *id_array = ref_get(ids), *array = ref_get(infos);
    struct request r = { .depth = depth };
    size_t count;

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
    struct snapshot *all = take_snapshots(self, id_array, &r, &count);
    for (size_t i = 0; i < count && !exception_pending(self); i++)
        if (all[i].thread)
            ARRAY_REFS(array)[i] = thread_info(self, &all[i], &r, false);
    release_snapshots(all, count);
    return 0;
}

static jobjectArray JNICALL
dump_threads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers,
             jint depth)
{
    VM_ENTRY(env);
    struct request r = { .depth = depth < 0 || depth == INT32_MAX ? -1 : depth,
                         .monitors = monitors, .synchronizers = synchronizers };
    struct class *c = class_load_boot(self, THREAD_INFO);
    struct class *array = c ? class_array_of(self, c) : NULL;
    size_t count;

    if (!array)
        return NULL;
    struct snapshot *all = take_snapshots(self, ref_get(ids), &r, &count);
    struct object *result = keep(self, array_new(self, array, (int32_t)count));
    for (size_t i = 0; result && i < count && !exception_pending(self); i++)
        if (all[i].thread)
            ARRAY_REFS(result)[i] = thread_info(self, &all[i], &r, true);
    release_snapshots(all, count);
    return exception_pending(self) ? NULL : object_ref(self, result);
}

/* ---- deadlocks ---- */

/* The thread that t waits for, or NULL; the world is stopped. */
struct thread *
thread_waits_for(struct vm *vm, const struct thread *t, bool monitors_only)
{
    struct object *owner = NULL;

    if (!t->object)
        return NULL;
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER:
        owner = monitor_owner(vm, monitor_contended(t));
        break;
    case WAIT_PARK: case WAIT_PARK_TIMED:
        owner = monitors_only ? NULL : exclusive_owner(vm, park_blocker(vm, t));
        break;
    default:
        break;
    }
    FOR_EACH_THREAD(vm, u)
        if (owner && u->object == owner)
            return u;
    return NULL;
}

/* Does following owners from t lead back to t? */
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
    struct class *array = class_array_of(self, KC(vm, Thread));
    size_t mark = self->handle_count;
    int32_t count = 0;

    if (!array)
        return NULL;
    world_stop(self, "FindDeadlocks");
    FOR_EACH_THREAD(vm, t) {
        if (t->is_hidden || !thread_is_deadlocked(vm, t, monitors_only))
            continue;
        keep(self, t->object);
        count++;
    }
    world_resume(self);
    if (count == 0)
        return NULL;
    struct object *result = array_new(self, array, count);
    for (int32_t i = 0; result && i < count; i++)
        ARRAY_REFS(result)[i] = self->handles[mark + (size_t)i];
    return object_ref(self, result);
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
    char *path = mem_printf("/proc/self/task/%d/stat", native_id), *text, *at;
    unsigned long ticks = 0;
    size_t length;

    text = os_read_file(path, &length, NULL);
    mem_free(path);
    at = text ? strrchr(text, ')') : NULL;
    if (!at || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        ticks = 0;
    mem_free(text);
    return at ? (jlong)ticks * (1000000000 / sysconf(_SC_CLK_TCK)) : -1;
}

static jlong
cpu_time_of(struct thread *self, const struct thread *t, bool system)
{
    if (t == self)
        return system ? os_thread_cpu_nanos() : os_thread_user_nanos();
    return system ? os_thread_cpu_nanos_of(t->pthread) : user_nanos_of(t->native_id);
}

/* id 0: the current thread; -1 when there is no such thread. */
static jlong
cpu_time_by_id(struct thread *self, jlong id, bool system)
{
    struct vm *vm = self->vm;
    jlong time = -1;

    if (id == 0)
        return cpu_time_of(self, self, system);
    threads_lock(vm);
    const struct thread *t = thread_by_id(vm, id);
    if (t)
        time = cpu_time_of(self, t, system);
    threads_unlock(vm);
    return time;
}

static jlong JNICALL
get_cpu_time(JNIEnv *env, jlong id, jboolean system)
{
    VM_ENTRY(env);

    return cpu_time_by_id(self, id, system);
}

static jlong JNICALL
get_total_cpu_time(JNIEnv *env, jlong id)
{
    return get_cpu_time(env, id, JNI_TRUE);
}

static bool
check_arrays(struct thread *self, const struct object *ids, const struct object *out)
{
    if (!ids || !out)
        THROW0(self, NullPointerException);
    else if (array_length(ids) != array_length(out))
        THROW(self, IllegalArgumentException,
              "The length of the given long array does not match the length of the "
              "given array of thread IDs");
    else
        return true;
    return false;
}

static void JNICALL
get_cpu_times(JNIEnv *env, jlongArray ids, jlongArray times, jboolean system)
{
    VM_ENTRY(env);
    const struct object *from = ref_get(ids), *to = ref_get(times);

    if (!check_arrays(self, from, to))
        return;
    for (int32_t i = 0; i < array_length(from); i++)
        ARRAY_LONGS(to)[i] = cpu_time_by_id(self, ARRAY_LONGS(from)[i], system);
}

static jlong
allocated_by_id(struct thread *self, jlong id)
{
    struct vm *vm = self->vm;
    jlong bytes = -1;

    if (id == 0)
        return (jlong)self->cache.allocated;
    threads_lock(vm);
    const struct thread *t = thread_by_id(vm, id);
    if (t)
        bytes = (jlong)t->cache.allocated;
    threads_unlock(vm);
    return bytes;
}

static jlong JNICALL
get_one_allocated(JNIEnv *env, jlong id)
{
    VM_ENTRY(env);

    return allocated_by_id(self, id);
}

static void JNICALL
get_allocated(JNIEnv *env, jlongArray ids, jlongArray sizes)
{
    VM_ENTRY(env);
    const struct object *from = ref_get(ids), *to = ref_get(sizes);

    if (!check_arrays(self, from, to))
        return;
    for (int32_t i = 0; i < array_length(from); i++)
        ARRAY_LONGS(to)[i] = allocated_by_id(self, ARRAY_LONGS(from)[i]);
}

/* All that was ever allocated, by threads that have ended too. */
static jlong JNICALL
get_total_allocated(JNIEnv *env)
{
    VM_ENTRY(env);
    struct heap_usage usage;

    heap_get_usage(self->vm->heap, &usage);
    return (jlong)usage.allocated;
}

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
