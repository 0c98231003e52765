/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_memory.c -- java.lang.management: memory pools, garbage
 * collectors, thresholds.
 *
 * There are two pools: the Java heap, which the collector manages, and the metadata of
 * classes.  Each has a bean and a manager's bean, which the class library makes when
 * they are first asked for; the VM keeps global references to them, and tells pools
 * apart by them.
 *
 * A program can set a threshold for a pool's usage, or for the heap's usage after a
 * collection, and be notified when it is crossed; it can also be notified of each
 * collection.  The class library's Sensor objects count the crossings and send the
 * notifications, which is Java code.  A thread of the VM, the Notification Thread,
 * therefore looks every few milliseconds whether something has changed; it is started
 * when somebody first asks. */

#include "jdk/jmm.h"
#include "jdk/thread_dump.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "jdk/jvm.h"
#include "runtime/backtrace.h"
#include "runtime/call.h"
#include "runtime/start.h"

enum pool { POOL_HEAP, POOL_METADATA, POOL_COUNT };

/*
 * The highest usage that a bean has shown, since the last reset.  Beans and pools are
 * the process's, so these and the variables below are global.
 */
static size_t peaks[POOL_COUNT];

#define COLLECTOR "MarkSweep"

/* ---- usage ---- */

/* Adds the bytes that the metadata of c takes; the visitor of classes_visit. */
static void
add_class(void *context, struct class *c)
{
    size_t *bytes = context;

    *bytes += sizeof *c + c->vtable_length * sizeof *c->vtable + c->arena.footprint;
    for (const struct cpool *p = c->pool; p; p = p->previous)
        *bytes += sizeof *p + p->file->cp_count * sizeof *p->entries
                  + p->file->arena.footprint;
}

/*
 * Returns a pool's usage now.  The usage of metadata is counted anew each time, by
 * going through all classes under their mutex.
 */
static struct heap_usage
usage_of(struct vm *vm, enum pool which)
{
    size_t bytes = 0;

    if (which == POOL_HEAP)
        return heap_get_usage(the_vm->heap);
    classes_visit(vm, WITH_ARRAYS, add_class, &bytes);
    return (struct heap_usage){ .used = bytes,
                                .committed = bytes,
                                .maximum = SIZE_MAX }; /* undefined: -1 */
}

void
management_print_metaspace(struct buf *out)
{
    struct heap_usage u = usage_of(the_vm, POOL_METADATA);

    buf_printf(out, " Metaspace       used %zuK, committed %zuK\n", u.used >> 10,
               u.committed >> 10);
}

/*
 * Returns a new java.lang.management.MemoryUsage; NULL with an exception pending.  Each
 * argument of the constructor, a long, takes two slots.
 */
static jobject
usage_ref(struct thread *self, struct heap_usage u)
{
    union slot args[9] = { [1] = { .j = (jlong)u.initial },
                           [3] = { .j = (jlong)u.used },
                           [5] = { .j = (jlong)u.committed },
                           [7] = { .j = (jlong)u.maximum } };
    struct class *c = class_load_boot(self, "java/lang/management/MemoryUsage");

    return object_ref(self, java_construct(self, c, "(JJJJ)V", args));
}

/* ---- beans ---- */

/* Numbers of beans: a pool's is the pool's own number, that of its manager follows. */
enum bean { BEAN_MANAGER = POOL_COUNT, BEAN_COUNT = 2 * POOL_COUNT };

static ref beans[BEAN_COUNT]; /* global references; NULL: not made yet */

/* A row's name, method of the factory, and the method's descriptor. */
#define BEAN(name, method, parameters, type) \
    name, method, "(Ljava/lang/String;" parameters ")Ljava/lang/management/" type ";"

/*
 * Makes a bean by a static method of the class library's factory.  NULL with an
 * exception pending.
 */
static struct object *
make_bean(struct thread *self, int which)
{
    static const char helper[] = "sun/management/ManagementFactoryHelper";
    static const char extended[] =
        "com/sun/management/internal/GarbageCollectorExtImpl";
    /*
     * The arguments of createMemoryPool are the name, whether it is the heap, and the two
     * thresholds: 0 says that one is not set, -1 that the pool has none.
     */
    /* clang-format off */
    static const struct {
        const char *name, *method, *descriptor;
        union slot args[6];
    } rows[BEAN_COUNT] = {
        [POOL_HEAP] = {
            BEAN("Java Heap", "createMemoryPool", "ZJJ", "MemoryPoolMXBean"),
            { [1] = { .i = 1 } } },
        [POOL_METADATA] = {
            BEAN("Metaspace", "createMemoryPool", "ZJJ", "MemoryPoolMXBean"),
            { [4] = { .j = -1 } } },
        [BEAN_MANAGER + POOL_HEAP] = {
            BEAN(COLLECTOR, "createGarbageCollector", "Ljava/lang/String;",
                 "GarbageCollectorMXBean"), { { 0 } } },
        [BEAN_MANAGER + POOL_METADATA] = {
            BEAN("Metaspace Manager", "createMemoryManager", "", "MemoryManagerMXBean"),
            { { 0 } } }
    };
    /* clang-format on */
    const char *factory = helper;
    union slot args[6], result;

    /*
     * The module jdk.management, if it is there, has a collector's bean that can do
     * more.
     */
    if (which == BEAN_MANAGER + POOL_HEAP
        && class_try_load(self, self->vm->boot_loader, symbol_of(extended)))
        factory = extended;
    if (exception_pending(self))
        return NULL;
    memcpy(args, rows[which].args, sizeof args);
    args[0].ref = handle_new(self, string_from_utf8(self, rows[which].name));
    return args[0].ref
                   && java_call_named(self, class_load_boot(self, factory),
                                      rows[which].method, rows[which].descriptor, args,
                                      &result)
               ? handle_new(self, result.ref)
               : NULL;
}

/*
 * Returns a bean, which is made if it is the first time.  When several threads make it
 * at the same time, the first one's is used by all.  NULL with an exception pending.
 * The bean lives as long as the process.
 */
static struct object *
bean_of(struct thread *self, int which)
{
    HANDLE_SCOPE(self);
    ref known = __atomic_load_n(&beans[which], __ATOMIC_ACQUIRE);
    struct object *o = known ? NULL : make_bean(self, which);
    ref mine = o ? ref_new_global(self, o) : NULL;

    if (mine
        && !__atomic_compare_exchange_n(&beans[which], &known, mine, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ref_delete_global(self->vm, mine);
    else if (mine)
        known = mine;
    return known ? ref_get(known) : NULL;
}

/* Returns which bean an object is; -1 if none. */
static int
bean_number(jobject bean)
{
    for (int i = 0; i < BEAN_COUNT; i++)
        if (beans[i] && ref_get(beans[i]) == ref_get(bean))
            return i;
    return -1;
}

/* Returns which pool an object is the bean of.  Another object counts as the heap. */
static enum pool
pool_number(jobject bean)
{
    return bean_number(bean) == POOL_METADATA ? POOL_METADATA : POOL_HEAP;
}

/*
 * Returns an array, of elements of the interface type, of the beans first and first +
 * 1: of both, or, unless other is null, only of the one that belongs to the bean other.
 * first is 0 for the pools and BEAN_MANAGER for their managers.  NULL with an exception
 * pending.
 */
static jobjectArray
bean_array(struct thread *self, const char *type, int first, jobject other)
{
    int number = other ? bean_number(other) : -1;
    struct class *c = class_load_boot(self, type);
    size_t mark = self->handle_count;

    for (int i = 0; i < POOL_COUNT && !exception_pending(self); i++)
        if (!other || (number >= 0 && number % POOL_COUNT == i))
            handle_new(self, bean_of(self, first + i));
    return object_ref(self, array_from_handles(self, c, mark));
}

/* The pools of a manager; of all when it is null. */
static jobjectArray JNICALL
jmm_GetMemoryPools(JNIEnv *env, jobject manager)
{
    VM_ENTRY(env);

    return bean_array(self, "java/lang/management/MemoryPoolMXBean", 0, manager);
}

/* The managers of a pool; of all when it is null. */
static jobjectArray JNICALL
jmm_GetMemoryManagers(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);

    return bean_array(self, "java/lang/management/MemoryManagerMXBean", BEAN_MANAGER,
                      pool);
}

/* ---- the functions ---- */

/* The usage of the heap, or of what is not in it. */
static jobject JNICALL
jmm_GetMemoryUsage(JNIEnv *env, jboolean heap)
{
    VM_ENTRY(env);

    return usage_ref(self, usage_of(self->vm, heap ? POOL_HEAP : POOL_METADATA));
}

/* Returns a pool's usage, and raises its peak. */
static struct heap_usage
usage_with_peak(struct vm *vm, enum pool which)
{
    struct heap_usage u = usage_of(vm, which);

    if (u.used > peaks[which])
        peaks[which] = u.used;
    return u;
}

static jobject JNICALL
jmm_GetMemoryPoolUsage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);

    return usage_ref(self, usage_with_peak(self->vm, pool_number(pool)));
}

/* Returns u with another number of bytes used. */
static struct heap_usage
with_used(struct heap_usage u, size_t used)
{
    u.used = used;
    if (u.committed < u.used)
        u.committed = u.used;
    return u;
}

/* The usage with the highest number of bytes used since the last reset. */
static jobject JNICALL
jmm_GetPeakMemoryPoolUsage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    enum pool which = pool_number(pool);
    struct heap_usage u = usage_with_peak(self->vm, which);

    return usage_ref(self, with_used(u, peaks[which]));
}

/* The usage after the last collection; null for metadata, which is not collected. */
static jobject JNICALL
jmm_GetPoolCollectionUsage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    struct heap_usage u = heap_get_usage(the_vm->heap);

    return pool_number(pool) == POOL_HEAP
               ? usage_ref(self, with_used(u, u.used_after_collection))
               : NULL;
}

/*
 * Resets how often, or how long, the thread with that id (0: all) has waited.  type is
 * one of the JMM_STAT_CONTENTION values: the count, the time, or both.  Other threads'
 * counters are changed while they run, so a wait that ends just now may be lost.
 */
static void
reset_contention(struct vm *vm, jlong id, int type)
{
    threads_lock(vm);
    FOR_EACH_THREAD(vm, t) {
        if (id != 0 && (!t->object || LONG_FIELD(vm, t->object, Thread_tid) != id))
            continue;
        if (type != JMM_STAT_CONTENTION_TIME)
            t->blocked_count = t->waited_count = 0;
        if (type != JMM_STAT_CONTENTION_COUNT)
            t->blocked_nanos = t->waited_nanos = 0;
    }
    threads_unlock(vm);
}

/*
 * Resets a statistic (enum jmm_statistic) of o, which is a thread's id or a pool.
 * Returns true if there is such.
 */
static jboolean JNICALL
jmm_ResetStatistic(JNIEnv *env, jvalue o, int type)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    enum pool which;

    switch (type) {
    case JMM_STAT_PEAK_THREADS:
        threads_lock(vm);
        vm->peak_threads = vm->thread_count;
        threads_unlock(vm);
        return JNI_TRUE;
    case JMM_STAT_CONTENTION_COUNT:
    case JMM_STAT_CONTENTION_TIME:
    case JMM_STAT_CONTENTION: reset_contention(vm, o.j, type); return JNI_TRUE;
    case JMM_STAT_PEAK_POOL:
        which = pool_number(o.l);
        peaks[which] = 0;
        usage_with_peak(vm, which);
        return JNI_TRUE;
    default: return JNI_FALSE;
    }
}

/* ---- thresholds and notifications ---- */

enum { NOTIFICATION_MILLIS = 20 };

static struct usage_threshold {
    size_t _Atomic threshold; /* bytes; 0: none */
    ref _Atomic sensor;       /* a sun.management.Sensor; NULL: none */
    bool exceeded;            /* when it was last looked at */
} usage_thresholds[POOL_COUNT];

/* The threshold of the heap's usage after a collection. */
static struct usage_threshold collection_threshold;

/*
 * Whether the Notification Thread has been started, and whether it is to notify of each
 * collection.
 */
static atomic_bool is_running, notifies_collections;

/*
 * Tells the threshold's sensor, if the usage u has crossed it since the last time.  May
 * leave an exception pending.  Only the Notification Thread calls it, so exceeded needs
 * no lock.  Crossing the threshold upward triggers the sensor, and downward clears it.
 */
static void
update_sensor(struct thread *self, struct usage_threshold *w, struct heap_usage u)
{
    ref sensor = atomic_load(&w->sensor);
    size_t threshold = atomic_load(&w->threshold);
    bool exceeds = threshold > 0 && u.used >= threshold;
    HANDLE_SCOPE(self);

    if (!sensor || exceeds == w->exceeded)
        return;
    w->exceeded = exceeds;
    struct class *c = class_load_boot(self, "sun/management/Sensor");
    jobject usage = usage_ref(self, u);
    union slot args[3] = { { .ref = ref_get(sensor) },
                           { .i = 1 },
                           { .ref = ref_get(usage) } };
    if (exceeds)
        java_call_named(self, c, "trigger", "(ILjava/lang/management/MemoryUsage;)V",
                        args, NULL);
    else
        java_call_named(self, c, "clear", "()V", args, NULL);
}

/*
 * Notifies of the last collection: the collector's bean makes a GcInfo of it and sends
 * that in a GarbageCollectionNotificationInfo (com.sun.management).  May leave an
 * exception pending; the caller prints and clears it.  The arguments are the bean, the
 * time (a long, two slots), the names of the collector and the action, the cause, and
 * the GcInfo.
 */
static void
send_gc_notification(struct thread *self)
{
    struct object *bean = bean_of(self, BEAN_MANAGER + POOL_HEAP);
    union slot args[7] = { { .ref = bean } }, result;
    HANDLE_SCOPE(self);

    if (!bean
        || !java_call_named(self, object_class(bean), "getLastGcInfo",
                            "()Lcom/sun/management/GcInfo;", args, &result))
        return;
    args[6].ref = handle_new(self, result.ref);
    args[1].j = os_wall_nanos() / 1000000;
    args[3].ref = handle_new(self, string_from_utf8(self, COLLECTOR));
    args[4].ref = handle_new(self, string_from_utf8(self, "end of major GC"));
    args[5].ref = handle_new(self,
                             string_from_utf8(self, self->vm->last_collection.cause));
    args[0].ref = bean;
    if (args[3].ref && args[4].ref && args[5].ref)
        java_call_named(self, object_class(bean), "createGCNotification",
                        "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;"
                        "Lcom/sun/management/GcInfo;)V",
                        args, NULL);
}

/*
 * The Notification Thread.  The usage before a collection is looked at, too, since the
 * peak may be over when the thread wakes up.  An exception of Java code ends this round
 * only.  It never ends.
 */
static void
run_notifications(struct thread *self, void *arg UNUSED)
{
    struct vm *vm = self->vm;
    uint64_t seen = vm->last_collection.after.collections;

    for (;;) {
        thread_block_begin(self);
        nanosleep(&(struct timespec){ 0, NOTIFICATION_MILLIS * 1000000L }, NULL);
        thread_block_end(self);
        struct ref_frame refs = ref_frame_begin(self);
        if (vm->last_collection.after.collections != seen) {
            seen = vm->last_collection.after.collections;
            update_sensor(self, &usage_thresholds[POOL_HEAP],
                          vm->last_collection.before);
            update_sensor(self, &collection_threshold, vm->last_collection.after);
            if (atomic_load(&notifies_collections) && !exception_pending(self))
                send_gc_notification(self);
        }
        for (int which = 0; which < POOL_COUNT && !exception_pending(self); which++)
            if (atomic_load(&usage_thresholds[which].threshold) > 0
                || usage_thresholds[which].exceeded)
                update_sensor(self, &usage_thresholds[which], usage_of(vm, which));
        if (exception_pending(self))
            exception_print(self, exception_take(self));
        ref_frame_end(self, refs);
    }
}

/*
 * Starts the Notification Thread, unless it runs.  If it cannot be started,
 * OutOfMemoryError is pending, and it is not tried again.
 */
static void
start_notifications(struct thread *self)
{
    if (!atomic_exchange(&is_running, true))
        thread_start_internal(self, NULL, "Notification Thread", run_notifications,
                              NULL, 9);
}

/*
 * Returns the threshold of that type (enum jmm_statistic) of a pool; NULL for another
 * type.
 */
static struct usage_threshold *
threshold_of(jobject pool, int type)
{
    return type == JMM_USAGE_THRESHOLD_HIGH ? &usage_thresholds[pool_number(pool)]
           : type == JMM_COLLECTION_THRESHOLD_HIGH ? &collection_threshold
                                                   : NULL;
}

/*
 * Sets the Sensor object that is notified when a threshold is crossed.  A sensor that
 * was set before is kept, too: the Notification Thread may be using it.
 */
static void JNICALL
jmm_SetPoolSensor(JNIEnv *env, jobject pool, int type, jobject sensor)
{
    VM_ENTRY(env);
    struct usage_threshold *w = threshold_of(pool, type);
    ref mine = w ? ref_new_global(self, ref_get(sensor)) : NULL;

    if (mine)
        atomic_store(&w->sensor, mine);
    start_notifications(self);
}

/*
 * Returns the threshold before.  A threshold of 0 means none.  The value is in bytes;
 * -1 is returned for an unknown type.
 */
static jlong JNICALL
jmm_SetPoolThreshold(JNIEnv *env, jobject pool, int type, jlong threshold)
{
    VM_ENTRY(env);
    struct usage_threshold *w = threshold_of(pool, type);

    return w ? (jlong)atomic_exchange(&w->threshold, (size_t)threshold) : -1;
}

/* Describes the values that jmm_GetLastGCStat has beside the usages: one. */
static jint JNICALL
jmm_GetGCExtAttributeInfo(JNIEnv *env UNUSED, jobject manager UNUSED,
                          struct jmm_gc_attribute *attributes, jint count)
{
    if (count < 1)
        return 0;
    attributes[0] = (struct jmm_gc_attribute){ "GcThreadCount", 'I',
                                               "Number of GC threads" };
    return 1;
}

/*
 * Stores a MemoryUsage for each pool in the array `to`: heap_usage for the heap, which
 * was noted at a collection, and the present usage for the others.  False with an
 * exception pending when a MemoryUsage could not be made: usage_ref is NULL then, which
 * java_array_store does not store.
 */
static bool
fill_usages(struct thread *self, jobjectArray to, struct heap_usage heap_usage)
{
    for (int which = 0; which < POOL_COUNT; which++) {
        jobject u = usage_ref(self, which == POOL_HEAP ? heap_usage
                                                       : usage_of(self->vm, which));
        if (!java_array_store(ref_get(to), (size_t)which, ref_get(u)))
            return false;
    }
    return true;
}

/* Describes the last collection; index 0 says that there was none. */
static void JNICALL
jmm_GetLastGCStat(JNIEnv *env, jobject manager UNUSED, struct jmm_gc_stat *stat)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    int64_t origin = (int64_t)vm->start_nanos;

    stat->index = (jlong)vm->last_collection.after.collections;
    if (stat->index == 0
        || !fill_usages(self, stat->usage_before, vm->last_collection.before)
        || !fill_usages(self, stat->usage_after, vm->last_collection.after))
        return;
    stat->start_time = (vm->last_collection.start - origin) / 1000000;
    stat->end_time = (vm->last_collection.end - origin) / 1000000;
    stat->value_count = 1;
    stat->values[0].i = 1; /* GcThreadCount */
}

/* Whether each collection is notified of; manager is a collector's bean. */
static void JNICALL
jmm_SetGCNotificationEnabled(JNIEnv *env, jobject manager, jboolean enabled)
{
    VM_ENTRY(env);

    if (bean_number(manager) == BEAN_MANAGER + POOL_HEAP)
        atomic_store(&notifies_collections, enabled);
    start_notifications(self);
}

void
management_fill_memory(struct jmm_interface *t)
{
    t->GetMemoryPools = jmm_GetMemoryPools;
    t->GetMemoryManagers = jmm_GetMemoryManagers;
    t->GetMemoryUsage = jmm_GetMemoryUsage;
    t->GetMemoryPoolUsage = jmm_GetMemoryPoolUsage;
    t->GetPeakMemoryPoolUsage = jmm_GetPeakMemoryPoolUsage;
    t->GetPoolCollectionUsage = jmm_GetPoolCollectionUsage;
    t->ResetStatistic = jmm_ResetStatistic;
    t->SetPoolSensor = jmm_SetPoolSensor;
    t->SetPoolThreshold = jmm_SetPoolThreshold;
    t->GetGCExtAttributeInfo = jmm_GetGCExtAttributeInfo;
    t->GetLastGCStat = jmm_GetLastGCStat;
    t->SetGCNotificationEnabled = jmm_SetGCNotificationEnabled;
}
