/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management_memory.c -- java.lang.management: memory pools, collectors.
 *
 * There are two pools, the Java heap, which the collector manages, and the metadata of
 * classes.  Their beans are made by the class library when they are first asked for. */

#include <string.h>

#include "base/mem.h"
#include "jdk/jmm.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

enum pool { POOL_HEAP, POOL_METADATA, POOL_COUNT };
enum { MANAGER_COLLECTOR, MANAGER_METADATA, MANAGER_COUNT };

static struct {
    pthread_mutex_t mutex;
    ref pools[POOL_COUNT], managers[MANAGER_COUNT]; /* global references */
    size_t peak[POOL_COUNT];
} beans = { .mutex = PTHREAD_MUTEX_INITIALIZER };

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
    struct heap_usage heap;
    size_t bytes = 0;

    if (which == POOL_METADATA) {
        classes_visit(vm, true, add_class, &bytes);
        return (struct usage){ 0, (jlong)bytes, (jlong)bytes, -1 };
    }
    heap_get_usage(vm->heap, &heap);
    if (heap.committed < heap.used)
        heap.committed = heap.used;
    return (struct usage){ (jlong)heap.initial, (jlong)heap.used, (jlong)heap.committed,
                           (jlong)heap.maximum };
}

/* A java.lang.management.MemoryUsage. */
static jobject
usage_ref(struct thread *self, struct usage u)
{
    struct class *c = class_load_boot(self, "java/lang/management/MemoryUsage");
    union slot args[9];

    if (!c || !class_initialize(self, c))
        return NULL;
    args[0].ref = keep(self, object_new(self, c));
    args[1].j = u.initial;
    args[3].j = u.used;
    args[5].j = u.committed;
    args[7].j = u.maximum;
    if (!args[0].ref)
        return NULL;
    struct object *o = args[0].ref;
    management_call(self, "java/lang/management/MemoryUsage", "<init>", "(JJJJ)V", args);
    return exception_pending(self) ? NULL : object_ref(self, o);
}

/* ---- beans ---- */

static struct object *
new_string(struct thread *self, const char *text)
{
    return keep(self, string_from_utf8(self, text));
}

static struct object *
make_pool(struct thread *self, const char *name, bool is_heap)
{
    union slot args[6] = { { .ref = new_string(self, name) }, { .i = is_heap } };

    /* No thresholds: nobody watches the usage. */
    args[2].j = args[4].j = -1;
    return args[0].ref
               ? management_call(self, "sun/management/ManagementFactoryHelper",
                                 "createMemoryPool",
                                 "(Ljava/lang/String;ZJJ)"
                                 "Ljava/lang/management/MemoryPoolMXBean;", args)
               : NULL;
}

/* The bean of jdk.management where that module is there. */
static struct object *
make_collector(struct thread *self, const char *name)
{
    static const char extended[] = "com/sun/management/internal/GarbageCollectorExtImpl";
    union slot args[2] = { { .ref = new_string(self, name) }, { .ref = NULL } };
    struct class *c = class_try_load(self, self->vm->boot_loader, symbol_of(extended));

    if (!args[0].ref || exception_pending(self))
        return NULL;
    return management_call(self,
                           c ? extended : "sun/management/ManagementFactoryHelper",
                           "createGarbageCollector",
                           "(Ljava/lang/String;Ljava/lang/String;)"
                           "Ljava/lang/management/GarbageCollectorMXBean;", args);
}

static struct object *
make_manager(struct thread *self, const char *name)
{
    union slot args[1] = { { .ref = new_string(self, name) } };

    return args[0].ref
               ? management_call(self, "sun/management/ManagementFactoryHelper",
                                 "createMemoryManager",
                                 "(Ljava/lang/String;)"
                                 "Ljava/lang/management/MemoryManagerMXBean;", args)
               : NULL;
}

/* Remember the first bean that is made. */
static struct object *
publish(struct thread *self, ref *place, struct object *o)
{
    ref mine = o ? ref_new_global(self, o) : NULL;

    if (!mine)
        return NULL;
    pthread_mutex_lock(&beans.mutex);
    if (!*place) {
        *place = mine;
        mine = NULL;
    }
    o = ref_get(*place);
    pthread_mutex_unlock(&beans.mutex);
    if (mine)
        ref_delete_global(self->vm, mine);
    return o;
}

static struct object *
pool_bean(struct thread *self, enum pool which)
{
    ref *place = &beans.pools[which];

    if (*place)
        return ref_get(*place);
    return publish(self, place,
                   make_pool(self, which == POOL_HEAP ? "Java Heap" : "Metaspace",
                             which == POOL_HEAP));
}

static struct object *
manager_bean(struct thread *self, int which)
{
    ref *place = &beans.managers[which];

    if (*place)
        return ref_get(*place);
    return publish(self, place, which == MANAGER_COLLECTOR
                                    ? make_collector(self, "MarkSweep")
                                    : make_manager(self, "Metaspace Manager"));
}

/* The pool or manager of a bean; -1: none of ours. */
static int
number_of(const ref *list, int count, jobject bean)
{
    for (int i = 0; i < count; i++)
        if (list[i] && ref_get(list[i]) == ref_get(bean))
            return i;
    return -1;
}

static enum pool
pool_number(jobject bean)
{
    return number_of(beans.pools, POOL_COUNT, bean) == POOL_METADATA ? POOL_METADATA
                                                                     : POOL_HEAP;
}

/* Those from first on, count of them, as an array of that interface. */
static jobjectArray
bean_array(struct thread *self, const char *type, int first, int count,
           struct object *(*bean)(struct thread *self, int which))
{
    struct class *c = class_load_boot(self, type);
    struct class *array = c ? class_array_of(self, c) : NULL;
    struct object *result = array ? keep(self, array_new(self, array, count)) : NULL;

    for (int i = 0; result && i < count; i++) {
        struct object *o = bean(self, first + i);
        if (!o)
            return NULL;
        ARRAY_REFS(result)[i] = o;
    }
    return object_ref(self, result);
}

static struct object *
any_pool(struct thread *self, int which)
{
    return pool_bean(self, (enum pool)which);
}

/* Pool and manager have the same number. */
static jobjectArray JNICALL
get_pools(JNIEnv *env, jobject manager)
{
    VM_ENTRY(env);
    int which = manager ? number_of(beans.managers, MANAGER_COUNT, manager) : 0;

    return bean_array(self, "java/lang/management/MemoryPoolMXBean",
                      which < 0 ? 0 : which,
                      manager ? which >= 0 : POOL_COUNT, any_pool);
}

static jobjectArray JNICALL
get_managers(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    int which = pool ? number_of(beans.pools, POOL_COUNT, pool) : 0;

    return bean_array(self, "java/lang/management/MemoryManagerMXBean",
                      which < 0 ? 0 : which,
                      pool ? which >= 0 : MANAGER_COUNT, manager_bean);
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

static jobject JNICALL
get_peak_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    enum pool which = pool_number(pool);
    struct usage u = noted_usage(self->vm, which);

    u.used = (jlong)beans.peak[which];
    if (u.committed < u.used)
        u.committed = u.used;
    return usage_ref(self, u);
}

/* Only the heap is collected. */
static jobject JNICALL
get_collection_usage(JNIEnv *env, jobject pool)
{
    VM_ENTRY(env);
    struct heap_usage heap;
    struct usage u;

    if (pool_number(pool) != POOL_HEAP)
        return NULL;
    heap_get_usage(self->vm->heap, &heap);
    u = usage_of(self->vm, POOL_HEAP);
    u.used = (jlong)heap.used_after_collection;
    if (u.committed < u.used)
        u.committed = u.used;
    return usage_ref(self, u);
}

static void
reset_contention(struct vm *vm, jlong id, int type)
{
    uint32_t tid = KF(vm, Thread_tid);

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t) {
        if (id != 0 && (!t->object || OBJECT_FIELD(jlong, t->object, tid) != id))
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
set_pool_sensor(JNIEnv *env, jobject pool, int type, jobject sensor)
{
    (void)env;
    (void)pool;
    (void)type;
    (void)sensor;
}

/* The pools have none: Java refuses to set one before it comes here. */
static jlong JNICALL
set_pool_threshold(JNIEnv *env, jobject pool, int type, jlong threshold)
{
    (void)env;
    (void)pool;
    (void)type;
    (void)threshold;
    return -1;
}

static jint JNICALL
get_gc_attributes(JNIEnv *env, jobject manager, struct jmm_gc_attribute *attributes,
                  jint count)
{
    (void)env;
    (void)manager;
    if (count < 1)
        return 0;
    attributes[0] = (struct jmm_gc_attribute){ "GcThreadCount", 'I',
                                               "Number of GC threads" };
    return 1;
}

/* Single collections are not recorded: index 0 says that there is none. */
static void JNICALL
get_last_gc(JNIEnv *env, jobject manager, struct jmm_gc_stat *stat)
{
    (void)env;
    (void)manager;
    stat->index = 0;
}

static void JNICALL
set_gc_notification(JNIEnv *env, jobject manager, jboolean enabled)
{
    (void)env;
    (void)manager;
    (void)enabled;
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
