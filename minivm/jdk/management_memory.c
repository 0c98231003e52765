/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_memory.c -- java.lang.management: memory pools, collectors.
 *
 * There are two pools, the Java heap, which the collector manages, and the metadata of
 * classes.  Their beans are made by the class library when they are first asked for. */

#include "jdk/attach.h"
#include "jdk/jmm.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "jdk/jvm.h"

enum pool { POOL_HEAP, POOL_METADATA, POOL_COUNT };

static size_t peaks[POOL_COUNT];

#define COLLECTOR "MarkSweep"

/* ---- usage ---- */

static void
add_class(void *context, struct class *c)
{
    size_t *bytes = context;

    *bytes += sizeof *c + c->vtable_length * sizeof *c->vtable + c->arena.footprint;
    for (const struct cpool *p = c->pool; p; p = p->previous)
        *bytes += sizeof *p + p->file->cp_count * sizeof *p->entries
                  + p->file->arena.footprint;
}

static struct heap_usage
usage_of(struct vm *vm, enum pool which)
{
    size_t bytes = 0;

    if (which == POOL_HEAP)
        return heap_get_usage(the_vm->heap);
    classes_visit(vm, true, add_class, &bytes);
    return (struct heap_usage){ .used = bytes, .committed = bytes,
                                .maximum = SIZE_MAX }; /* undefined: -1 */
}

void
management_print_metaspace(struct buf *out)
{
    struct heap_usage u = usage_of(the_vm, POOL_METADATA);

    buf_printf(out, " Metaspace       used %zuK, committed %zuK\n", u.used >> 10,
               u.committed >> 10);
}

/* A java.lang.management.MemoryUsage. */
static jobject
usage_ref(struct thread *self, struct heap_usage u)
{
    union slot args[9] = {
        [1] = { .j = (jlong)u.initial }, [3] = { .j = (jlong)u.used },
        [5] = { .j = (jlong)u.committed }, [7] = { .j = (jlong)u.maximum }
    };
    struct class *c = class_load_boot(self, "java/lang/management/MemoryUsage");

    return object_ref(self, java_construct(self, c, "(JJJJ)V", args));
}

/* ---- beans ---- */

/* The pools, and the manager of each. */
enum bean { BEAN_MANAGER = POOL_COUNT, BEAN_COUNT = 2 * POOL_COUNT };

static ref beans[BEAN_COUNT];      /* global references; NULL: not made */

#define BEAN(name, method, parameters, type) \
    name, method, "(Ljava/lang/String;" parameters ")Ljava/lang/management/" type ";"

/* What a static method of the class library makes of a name and more. */
static struct object *
make_bean(struct thread *self, int which)
{
    static const char helper[] = "sun/management/ManagementFactoryHelper",
        extended[] = "com/sun/management/internal/GarbageCollectorExtImpl";
    /* Thresholds are not set; only the heap has one for collections. */
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
    const char *factory = helper;
    union slot args[6], result;

    /* The collector's is of jdk.management where that module is there. */
    if (which == BEAN_MANAGER + POOL_HEAP
        && class_try_load(self, self->vm->boot_loader, symbol_of(extended)))
        factory = extended;
    if (exception_pending(self))
        return NULL;
    memcpy(args, rows[which].args, sizeof args);
    args[0].ref = keep(self, string_from_utf8(self, rows[which].name));
    return args[0].ref
           && java_call_named(self, class_load_boot(self, factory), rows[which].method,
                              rows[which].descriptor, args, &result)
               ? keep(self, result.ref) : NULL;
}

/* Of all that threads make at a time, the first one. */
static struct object *
bean_of(struct thread *self, int which)
{
    SCOPE(self);
    ref known = __atomic_load_n(&beans[which], __ATOMIC_ACQUIRE);
    struct object *o = known ? NULL : make_bean(self, which);
    ref mine = o ? ref_new_global(self, o) : NULL;

    if (mine && !__atomic_compare_exchange_n(&beans[which], &known, mine, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ref_delete_global(self->vm, mine);
    else if (mine)
        known = mine;
    return known ? ref_get(known) : NULL;
}

/* -1: none of ours. */
static int
bean_number(jobject bean)
{
    for (int i = 0; i < BEAN_COUNT; i++)
        if (beans[i] && ref_get(beans[i]) == ref_get(bean))
            return i;
    return -1;
}

static enum pool
pool_number(jobject bean)
{
    return bean_number(bean) == POOL_METADATA ? POOL_METADATA : POOL_HEAP;
}

/* The beans from first on, one for each pool, as an array of that interface: all, or
   the one that belongs to other. */
static jobjectArray
bean_array(struct thread *self, const char *type, int first, jobject other)
{
    int number = other ? bean_number(other) : -1;
    struct class *c = class_load_boot(self, type);
    size_t mark = self->handle_count;

    for (int i = 0; i < POOL_COUNT && !exception_pending(self); i++)
        if (!other || (number >= 0 && number % POOL_COUNT == i))
            keep(self, bean_of(self, first + i));
    return object_ref(self, java_kept(self, c, mark));
}

JMM_VALUE(jobjectArray, get_pools, (JNIEnv *env, jobject manager),
          bean_array(self, "java/lang/management/MemoryPoolMXBean", 0, manager))

JMM_VALUE(jobjectArray, get_managers, (JNIEnv *env, jobject pool),
          bean_array(self, "java/lang/management/MemoryManagerMXBean", BEAN_MANAGER,
                     pool))

/* ---- the functions ---- */

JMM_VALUE(jobject, get_memory_usage, (JNIEnv *env, jboolean heap),
          usage_ref(self, usage_of(self->vm, heap ? POOL_HEAP : POOL_METADATA)))

static struct heap_usage
noted_usage(struct vm *vm, enum pool which)
{
    struct heap_usage u = usage_of(vm, which);

    if (u.used > peaks[which])
        peaks[which] = u.used;
    return u;
}

JMM_VALUE(jobject, get_pool_usage, (JNIEnv *env, jobject pool),
          usage_ref(self, noted_usage(self->vm, pool_number(pool))))

static struct heap_usage
with_used(struct heap_usage u, size_t used)
{
    u.used = used;
    if (u.committed < u.used)
        u.committed = u.used;
    return u;
}

static jobject JNICALL
get_peak_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    enum pool which = pool_number(pool);
    struct heap_usage u = noted_usage(self->vm, which);

    return usage_ref(self, with_used(u, peaks[which]));
}

/* Only the heap is collected. */
static jobject JNICALL
get_collection_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    struct heap_usage u = heap_get_usage(the_vm->heap);

    return pool_number(pool) == POOL_HEAP
               ? usage_ref(self, with_used(u, u.used_after_collection)) : NULL;
}

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

static jboolean JNICALL
reset_statistic(JNIEnv *env, jvalue o, int type)
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
    case JMM_STAT_CONTENTION_COUNT: case JMM_STAT_CONTENTION_TIME:
    case JMM_STAT_CONTENTION:
        reset_contention(vm, o.j, type);
        return JNI_TRUE;
    case JMM_STAT_PEAK_POOL:
        which = pool_number(o.l);
        peaks[which] = 0;
        noted_usage(vm, which);
        return JNI_TRUE;
    default:
        return JNI_FALSE;
    }
}

/* ---- thresholds of pools, and what their crossing and collections tell ---- */

enum { WATCH_MILLIS = 20 };

static struct watch {
    size_t _Atomic threshold;      /* 0: none */
    ref _Atomic sensor;            /* of the class library, which counts and notifies */
    bool exceeded;                 /* at last */
} usages[POOL_COUNT], collected;   /* the latter: of the heap, after collections */
static atomic_bool is_watching, tells_collections;

static void
sense(struct thread *self, struct watch *w, struct heap_usage u)
{
    ref sensor = atomic_load(&w->sensor);
    size_t threshold = atomic_load(&w->threshold);
    bool exceeds = threshold > 0 && u.used >= threshold;
    SCOPE(self);

    if (!sensor || exceeds == w->exceeded)
        return;
    w->exceeded = exceeds;
    struct class *c = class_load_boot(self, "sun/management/Sensor");
    jobject usage = usage_ref(self, u);
    union slot args[3] = { { .ref = ref_get(sensor) }, { .i = 1 },
                           { .ref = ref_get(usage) } };
    if (exceeds)
        java_call_named(self, c, "trigger", "(ILjava/lang/management/MemoryUsage;)V",
                        args, NULL);
    else
        java_call_named(self, c, "clear", "()V", args, NULL);
}

static void
tell_collection(struct thread *self)
{
    struct object *bean = bean_of(self, BEAN_MANAGER + POOL_HEAP);
    union slot args[7] = { { .ref = bean } }, result;
    SCOPE(self);

    if (!bean || !java_call_named(self, object_class(bean), "getLastGcInfo",
                                  "()Lcom/sun/management/GcInfo;", args, &result))
        return;
    args[6].ref = keep(self, result.ref);
    args[1].j = os_wall_nanos() / 1000000;
    args[3].ref = keep(self, string_from_utf8(self, COLLECTOR));
    args[4].ref = keep(self, string_from_utf8(self, "end of major GC"));
    args[5].ref = keep(self, string_from_utf8(self, self->vm->last_collection.cause));
    args[0].ref = bean;
    if (args[3].ref && args[4].ref && args[5].ref)
        java_call_named(self, object_class(bean), "createGCNotification",
                        "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;"
                        "Lcom/sun/management/GcInfo;)V", args, NULL);
}

/* Runs once somebody wants to know. */
static void
watch(struct thread *self, void *arg UNUSED)
{
    struct vm *vm = self->vm;
    uint64_t seen = vm->last_collection.after.collections;

    for (;;) {
        thread_block_begin(self);
        nanosleep(&(struct timespec){ 0, WATCH_MILLIS * 1000000L }, NULL);
        thread_block_end(self);
        struct ref_mark mark = ref_mark(self);
        if (vm->last_collection.after.collections != seen) {
            seen = vm->last_collection.after.collections;
            sense(self, &usages[POOL_HEAP], vm->last_collection.before);
            sense(self, &collected, vm->last_collection.after);
            if (atomic_load(&tells_collections) && !exception_pending(self))
                tell_collection(self);
        }
        for (int which = 0; which < POOL_COUNT && !exception_pending(self); which++)
            if (atomic_load(&usages[which].threshold) > 0 || usages[which].exceeded)
                sense(self, &usages[which], usage_of(vm, which));
        if (exception_pending(self))
            exception_print(self, exception_take(self));
        ref_release(self, mark);
    }
}

static void
start_watching(struct thread *self)
{
    if (!atomic_exchange(&is_watching, true))
        thread_start_internal(self, NULL, "Notification Thread", watch, NULL, 9);
}

static struct watch *
watch_of(jobject pool, int type)
{
    return type == JMM_USAGE_THRESHOLD_HIGH        ? &usages[pool_number(pool)]
           : type == JMM_COLLECTION_THRESHOLD_HIGH ? &collected
                                                   : NULL;
}

static void JNICALL
set_pool_sensor(JNIEnv *env, jobject pool, int type, jobject sensor)
{
    VM_ENTRY(env);
    struct watch *w = watch_of(pool, type);
    ref mine = w ? ref_new_global(self, ref_get(sensor)) : NULL;

    if (mine)
        atomic_store(&w->sensor, mine);
    start_watching(self);
}

static jlong JNICALL
set_pool_threshold(JNIEnv *env, jobject pool, int type, jlong threshold)
{
    VM_ENTRY(env);
    struct watch *w = watch_of(pool, type);

    return w ? (jlong)atomic_exchange(&w->threshold, (size_t)threshold) : -1;
}

static jint JNICALL
get_gc_attributes(JNIEnv *env UNUSED, jobject manager UNUSED,
                  struct jmm_gc_attribute *attributes, jint count)
{
    if (count < 1)
        return 0;
    attributes[0] = (struct jmm_gc_attribute){ "GcThreadCount", 'I',
                                               "Number of GC threads" };
    return 1;
}

/* The usage of the pools, the heap's then. */
static bool
fill_usages(struct thread *self, jobjectArray to, struct heap_usage then)
{
    for (int which = 0; which < POOL_COUNT; which++) {
        jobject u = usage_ref(self, which == POOL_HEAP ? then
                                                       : usage_of(self->vm, which));
        if (!java_put(ref_get(to), (size_t)which, ref_get(u)))
            return false;
    }
    return true;
}

/* Index 0 says that there was none. */
static void JNICALL
get_last_gc(JNIEnv *env, jobject manager UNUSED, struct jmm_gc_stat *stat)
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
    stat->values[0].i = 1;         /* GcThreadCount */
}

static void JNICALL
set_gc_notification(JNIEnv *env, jobject manager, jboolean enabled)
{
    VM_ENTRY(env);

    if (bean_number(manager) == BEAN_MANAGER + POOL_HEAP)
        atomic_store(&tells_collections, enabled);
    start_watching(self);
}

void
management_fill_memory(struct jmm_interface *t)
{
    t->GetMemoryPools = get_pools;
    t->GetMemoryManagers = get_managers;
    t->GetMemoryUsage = get_memory_usage;
    t->GetMemoryPoolUsage = get_pool_usage;
    t->GetPeakMemoryPoolUsage = get_peak_usage;
    t->GetPoolCollectionUsage = get_collection_usage;
    t->ResetStatistic = reset_statistic;
    t->SetPoolSensor = set_pool_sensor;
    t->SetPoolThreshold = set_pool_threshold;
    t->GetGCExtAttributeInfo = get_gc_attributes;
    t->GetLastGCStat = get_last_gc;
    t->SetGCNotificationEnabled = set_gc_notification;
}
