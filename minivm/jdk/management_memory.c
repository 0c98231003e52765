/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_memory.c -- java.lang.management: memory pools, collectors.
 *
 * There are two pools, the Java heap, which the collector manages, and the metadata of
 * classes.  Their beans are made by the class library when they are first asked for. */

#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/string.h"

/* Each has a manager of the same number: the heap's is the collector. */
enum pool { POOL_HEAP, POOL_METADATA, POOL_COUNT };

static struct {
    ref pools[POOL_COUNT], managers[POOL_COUNT]; /* global references; NULL: not made */
    size_t peak[POOL_COUNT];
} beans;

/* ---- usage ---- */

struct usage {
    jlong initial, used, committed, maximum;   /* -1: undefined */
};

static void
add_class(void *context, struct class *c)
{
    size_t *bytes = context;

    *bytes += sizeof *c + c->vtable_length * sizeof *c->vtable + c->arena.footprint;
    for (const struct cpool *p = c->pool; p; p = p->previous)
        *bytes += sizeof *p + p->file->cp_count * sizeof *p->entries
                  + p->file->arena->footprint;
}

static struct usage
usage_of(struct vm *vm, enum pool which)
{
    size_t bytes = 0;

    if (which == POOL_METADATA) {
        classes_visit(vm, true, add_class, &bytes);
        return (struct usage){ 0, (jlong)bytes, (jlong)bytes, -1 };
    }
    struct heap_usage heap = heap_usage_now();
    return (struct usage){ (jlong)heap.initial, (jlong)heap.used, (jlong)heap.committed,
                           (jlong)heap.maximum };
}

/* A java.lang.management.MemoryUsage. */
static jobject
usage_ref(struct thread *self, struct usage u)
{
    union slot args[9] = { [1] = { .j = u.initial }, [3] = { .j = u.used },
                           [5] = { .j = u.committed }, [7] = { .j = u.maximum } };

    struct class *c = class_load_boot(self, "java/lang/management/MemoryUsage");

    return object_ref(self, java_construct(self, c, "(JJJJ)V", args));
}

/* ---- beans ---- */

/* What the factory's static method makes of a name and what else is in args. */
static struct object *
make_bean(struct thread *self, const char *factory, const char *method,
          const char *descriptor, const char *name, union slot *args)
{
    union slot result;

    args[0].ref = keep(self, string_from_utf8(self, name));
    return args[0].ref
           && java_call_named(self, class_load_boot(self, factory), method, descriptor,
                              args, &result)
               ? keep(self, result.ref) : NULL;
}

#define HELPER "sun/management/ManagementFactoryHelper"

static struct object *
make_pool(struct thread *self, int which)
{
    /* No thresholds: nobody watches the usage. */
    union slot args[6] = { [1] = { .i = which == POOL_HEAP }, [2] = { .j = -1 },
                           [4] = { .j = -1 } };

    return make_bean(self, HELPER, "createMemoryPool",
                     "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;",
                     which == POOL_HEAP ? "Java Heap" : "Metaspace", args);
}

/* The collector's is of jdk.management where that module is there. */
static struct object *
make_manager(struct thread *self, int which)
{
    static const char extended[] =
        "com/sun/management/internal/GarbageCollectorExtImpl";
    union slot args[2] = { { .ref = NULL }, { .ref = NULL } };

    if (which == POOL_METADATA)
        return make_bean(self, HELPER, "createMemoryManager",
                         "(Ljava/lang/String;)"
                         "Ljava/lang/management/MemoryManagerMXBean;",
                         "Metaspace Manager", args);
    struct class *c = class_try_load(self, self->vm->boot_loader, symbol_of(extended));
    if (exception_pending(self))
        return NULL;
    return make_bean(self, c ? extended : HELPER, "createGarbageCollector",
                     "(Ljava/lang/String;Ljava/lang/String;)"
                     "Ljava/lang/management/GarbageCollectorMXBean;", "MarkSweep",
                     args);
}

/* The bean at that place: of all that threads make at a time, the first one. */
static struct object *
bean_at(struct thread *self, ref *place, int which,
        struct object *(*make)(struct thread *self, int which))
{
    ref known = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    struct object *o = known ? NULL : make(self, which);
    ref mine = o ? ref_new_global(self, o) : NULL;

    if (mine && !__atomic_compare_exchange_n(place, &known, mine, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ref_delete_global(self->vm, mine);
    else if (mine)
        known = mine;
    return known ? ref_get(known) : NULL;
}

static struct object *
pool_bean(struct thread *self, int which)
{
    return bean_at(self, &beans.pools[which], which, make_pool);
}

static struct object *
manager_bean(struct thread *self, int which)
{
    return bean_at(self, &beans.managers[which], which, make_manager);
}

/* The pool or manager of a bean; -1: none of ours. */
static int
number_of(const ref *list, jobject bean)
{
    for (int i = 0; i < POOL_COUNT; i++)
        if (list[i] && ref_get(list[i]) == ref_get(bean))
            return i;
    return -1;
}

static enum pool
pool_number(jobject bean)
{
    return number_of(beans.pools, bean) == POOL_METADATA ? POOL_METADATA : POOL_HEAP;
}

/* Beans as an array of that interface: all, or that of the same number as other, which
   list has. */
static jobjectArray
bean_array(struct thread *self, const char *type, jobject other, const ref *list,
           struct object *(*bean)(struct thread *self, int which))
{
    int first = other ? number_of(list, other) : 0;
    int count = !other ? POOL_COUNT : first >= 0;
    struct object *result =
        java_new_array(self, class_load_boot(self, type), (size_t)count);

    for (int i = 0; result && i < count; i++)
        if (!java_put(result, (size_t)i, bean(self, first + i)))
            return NULL;
    return object_ref(self, result);
}

static jobjectArray JNICALL
get_pools(JNIEnv *env, jobject manager)
{
    VM_ENTRY(env);

    return bean_array(self, "java/lang/management/MemoryPoolMXBean", manager,
                      beans.managers, pool_bean);
}

static jobjectArray JNICALL
get_managers(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);

    return bean_array(self, "java/lang/management/MemoryManagerMXBean", pool,
                      beans.pools, manager_bean);
}

/* ---- the functions ---- */

static jobject JNICALL
get_memory_usage(JNIEnv *env, jboolean heap)
{
    VM_ENTRY(env);

    return usage_ref(self, usage_of(self->vm, heap ? POOL_HEAP : POOL_METADATA));
}

static struct usage
noted_usage(struct vm *vm, enum pool which)
{
    struct usage u = usage_of(vm, which);

    if ((size_t)u.used > beans.peak[which])
        beans.peak[which] = (size_t)u.used;
    return u;
}

static jobject JNICALL
get_pool_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);

    return usage_ref(self, noted_usage(self->vm, pool_number(pool)));
}

static struct usage
with_used(struct usage u, size_t used)
{
    u.used = (jlong)used;
    if (u.committed < u.used)
        u.committed = u.used;
    return u;
}

static jobject JNICALL
get_peak_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    enum pool which = pool_number(pool);
    struct usage u = noted_usage(self->vm, which);

    return usage_ref(self, with_used(u, beans.peak[which]));
}

/* Only the heap is collected. */
static jobject JNICALL
get_collection_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);

    if (pool_number(pool) != POOL_HEAP)
        return NULL;
    return usage_ref(self, with_used(usage_of(self->vm, POOL_HEAP),
                                     heap_usage_now().used_after_collection));
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
        beans.peak[which] = 0;
        noted_usage(vm, which);
        return JNI_TRUE;
    default:
        return JNI_FALSE;
    }
}

static void JNICALL
set_pool_sensor(JNIEnv *env UNUSED, jobject pool UNUSED, int type UNUSED,
                jobject sensor UNUSED)
{
}

/* The pools have none: Java refuses to set one before it comes here. */
static jlong JNICALL
set_pool_threshold(JNIEnv *env UNUSED, jobject pool UNUSED, int type UNUSED,
                   jlong threshold UNUSED)
{
    return -1;
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

/* Single collections are not recorded: index 0 says that there is none. */
static void JNICALL
get_last_gc(JNIEnv *env UNUSED, jobject manager UNUSED, struct jmm_gc_stat *stat)
{
    stat->index = 0;
}

static void JNICALL
set_gc_notification(JNIEnv *env UNUSED, jobject manager UNUSED, jboolean enabled UNUSED)
{
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
