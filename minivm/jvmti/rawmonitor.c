/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/rawmonitor.c -- JVM TI "Raw Monitor".
 *
 * The owner holds the pthread mutex for as long as it owns the monitor, which makes
 * entering a free one as cheap as that.  Nothing here enters the VM: the functions are
 * safe in callbacks of the collector, and a thread that blocks is in native code, where
 * it may be suspended and where the world may stop without it.
 *
 * A jrawMonitorID is generation and index, so that one that was destroyed, or never
 * was, is found out.  Monitors are used again, never freed. */

#include "base/os.h"
#include "jvmti/env.h"

/* A thread in RawMonitorWait; on its stack. */
struct waiter {
    struct thread *thread;
    struct waiter *next;
    bool is_notified;
};

struct raw_monitor {
    pthread_mutex_t mutex;
    struct thread *_Atomic owner;
    int32_t count;                 /* times that the owner entered */
    struct waiter *first, **last;  /* in order of arrival; guarded by mutex */
    _Atomic uint32_t generation;   /* odd while it lives */
    uint32_t index;
    struct raw_monitor *next_free;
};

enum { MONITORS = 1 << 20, INDEX_SHIFT = 3 };

static struct {
    pthread_mutex_t mutex;         /* of creation and destruction */
    struct span memory;
    _Atomic uint32_t count;
    struct raw_monitor *free;
} table = { .mutex = PTHREAD_MUTEX_INITIALIZER };

/* ---- ids ---- */

static struct raw_monitor *
monitor_at(uint32_t index)
{
    return (struct raw_monitor *)table.memory.base + index;
}

static jrawMonitorID
id_of_monitor(const struct raw_monitor *m)
{
    return (jrawMonitorID)((uintptr_t)m->generation << 32
                           | (uintptr_t)m->index << INDEX_SHIFT);
}

jvmtiError
jvmti_resolve_monitor(jrawMonitorID monitor, struct raw_monitor **result)
{
    uintptr_t id = (uintptr_t)monitor;
    uint32_t index = (uint32_t)id >> INDEX_SHIFT, generation = (uint32_t)(id >> 32);

    if ((id & ((1u << INDEX_SHIFT) - 1)) != 0 || !(generation & 1)
        || index >= atomic_load_explicit(&table.count, memory_order_acquire))
        return JVMTI_ERROR_INVALID_MONITOR;
    *result = monitor_at(index);
    if (atomic_load_explicit(&(*result)->generation, memory_order_acquire)
        != generation)
        return JVMTI_ERROR_INVALID_MONITOR;
    return current_thread != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNATTACHED_THREAD;
}

/* With table.mutex held; NULL when memory is short. */
static struct raw_monitor *
new_monitor(void)
{
    struct raw_monitor *m = table.free;
    uint32_t index = table.count;

    if (m != NULL) {
        table.free = m->next_free;
        return m;
    }
    if ((table.memory.base == NULL
         && !span_reserve(&table.memory, MONITORS * sizeof *m))
        || index == MONITORS || !span_commit(&table.memory, (index + 1) * sizeof *m))
        return NULL;
    m = monitor_at(index);
    pthread_mutex_init(&m->mutex, NULL);
    m->index = index;
    m->last = &m->first;
    atomic_store_explicit(&table.count, index + 1, memory_order_release);
    return m;
}

jvmtiError
jvmti_CreateRawMonitor(const char *name, jrawMonitorID *monitor)
{
    (void)name;
    pthread_mutex_lock(&table.mutex);
    struct raw_monitor *m = new_monitor();
    if (m != NULL)
        atomic_fetch_add(&m->generation, 1);
    pthread_mutex_unlock(&table.mutex);
    if (m == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    *monitor = id_of_monitor(m);
    return JVMTI_ERROR_NONE;
}

/* ---- owning ---- */

static bool
is_owner(const struct raw_monitor *m)
{
    return atomic_load_explicit(&m->owner, memory_order_relaxed) == current_thread;
}

static void
release(struct raw_monitor *m)
{
    atomic_store_explicit(&m->owner, NULL, memory_order_relaxed);
    pthread_mutex_unlock(&m->mutex);
}

/* A thread that was suspended while it waited must not get the monitor: those who will
   resume it may need it. */
static void
acquire(struct raw_monitor *m)
{
    struct thread *self = current_thread;

    for (;;) {
        pthread_mutex_lock(&m->mutex);
        if (self == NULL || !thread_is_suspended(self))
            return;
        pthread_mutex_unlock(&m->mutex);
        thread_await_resume(self);
    }
}

jvmtiError
jvmti_RawMonitorEnter(struct raw_monitor *monitor)
{
    if (is_owner(monitor)) {
        monitor->count++;
        return JVMTI_ERROR_NONE;
    }
    acquire(monitor);
    /* Destroyed meanwhile. */
    if (!(monitor->generation & 1)) {
        pthread_mutex_unlock(&monitor->mutex);
        return JVMTI_ERROR_INVALID_MONITOR;
    }
    monitor->count = 1;
    atomic_store_explicit(&monitor->owner, current_thread, memory_order_relaxed);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_RawMonitorExit(struct raw_monitor *monitor)
{
    if (!is_owner(monitor))
        return JVMTI_ERROR_NOT_MONITOR_OWNER;
    if (--monitor->count == 0)
        release(monitor);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_DestroyRawMonitor(struct raw_monitor *monitor)
{
    /* One that is free is taken first, so that nobody else has it. */
    if (!is_owner(monitor)) {
        if (pthread_mutex_trylock(&monitor->mutex) != 0)
            return JVMTI_ERROR_NOT_MONITOR_OWNER;
        if (!(monitor->generation & 1)) {
            pthread_mutex_unlock(&monitor->mutex);
            return JVMTI_ERROR_INVALID_MONITOR;
        }
    }
    if (monitor->first != NULL) {
        /* Threads still wait on it: it has to live on for them. */
        if (!is_owner(monitor))
            pthread_mutex_unlock(&monitor->mutex);
        return JVMTI_ERROR_NOT_MONITOR_OWNER;
    }
    atomic_fetch_add(&monitor->generation, 1);
    release(monitor);
    pthread_mutex_lock(&table.mutex);
    monitor->next_free = table.free;
    table.free = monitor;
    pthread_mutex_unlock(&table.mutex);
    return JVMTI_ERROR_NONE;
}

/* ---- waiting ---- */

static void
leave_queue(struct raw_monitor *m, struct waiter *w)
{
    struct waiter **at = &m->first;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (m->last == &w->next)
        m->last = at;
}

jvmtiError
jvmti_RawMonitorWait(struct raw_monitor *monitor, jlong millis)
{
    struct thread *self = current_thread;
    struct waiter waiter = { .thread = self };
    int64_t deadline = millis > 0 ? deadline_after(millis, 1000000) : INT64_MAX;
    bool is_notified, is_interrupted = false, in_time = true;

    if (!is_owner(monitor))
        return JVMTI_ERROR_NOT_MONITOR_OWNER;
    if (thread_is_interrupted(self, true))
        return JVMTI_ERROR_INTERRUPT;
    int32_t count = monitor->count;
    *monitor->last = &waiter;
    monitor->last = &waiter.next;
    thread_set_wait(self, WAIT_RAW_MONITOR, NULL);
    release(monitor);
    for (;;) {
        is_notified = __atomic_load_n(&waiter.is_notified, __ATOMIC_ACQUIRE);
        if (is_notified || !in_time)
            break;
        is_interrupted = thread_is_interrupted(self, true);
        if (is_interrupted)
            break;
        in_time = wakeup_wait(&self->wake, deadline);
    }
    acquire(monitor);
    if (!waiter.is_notified)
        leave_queue(monitor, &waiter);
    monitor->count = count;
    atomic_store_explicit(&monitor->owner, self, memory_order_relaxed);
    thread_set_wait(self, WAIT_NONE, NULL);
    return is_interrupted ? JVMTI_ERROR_INTERRUPT : JVMTI_ERROR_NONE;
}

static void
notify_first(struct raw_monitor *m)
{
    struct waiter *w = m->first;

    m->first = w->next;
    if (m->first == NULL)
        m->last = &m->first;
    /* It needs the mutex before it can go away. */
    __atomic_store_n(&w->is_notified, true, __ATOMIC_RELEASE);
    wakeup_set(&w->thread->wake);
}

jvmtiError
jvmti_RawMonitorNotify(struct raw_monitor *monitor)
{
    if (!is_owner(monitor))
        return JVMTI_ERROR_NOT_MONITOR_OWNER;
    if (monitor->first != NULL)
        notify_first(monitor);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_RawMonitorNotifyAll(struct raw_monitor *monitor)
{
    if (!is_owner(monitor))
        return JVMTI_ERROR_NOT_MONITOR_OWNER;
    while (monitor->first != NULL)
        notify_first(monitor);
    return JVMTI_ERROR_NONE;
}
