/* SPDX-License-Identifier: MIT */
/*
 * layer/monitor.c -- rules about raw monitors (JVM TI "Raw Monitor").
 *
 * The agent gets a jrawMonitorID of ours, an element of an array that is never given
 * back: so one that was destroyed or made up is known before the VM looks at it.  Who
 * owns a monitor and who waits is followed from the calls.
 *
 * Lock order: entering M while H is held is an edge from H to M.  A cycle of edges that
 * different threads have made is told, though it did not come to a deadlock, unless all
 * were made while one other monitor was held: that is then a gate that lets only one
 * thread through.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "layer/check.h"

#define MOST_MONITORS 65536
#define MOST_EDGES 1024
/* So many monitors of one place are many. */
#define MANY 32

struct raw_monitor {
    jrawMonitorID real;
    bool is_destroyed;
    int waiters;
    struct check_thread *owner;
    char name[64];
    struct stack made, destroyed;
};

/* Untouched pages cost nothing. */
static struct raw_monitor *monitors;
static int monitor_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Monitors that were held each time. */
struct gates {
    int count;
    struct raw_monitor *monitors[MAX_HELD];
};

struct edge {
    struct raw_monitor *from, *to;
    long thread;                /* the only one that made it, or 0 for several */
    struct gates gates;
};
static struct edge edges[MOST_EDGES];
static int edge_count;

static struct raw_monitor *
monitor_of(const void *id)
{
    uintptr_t offset = (uintptr_t)id - (uintptr_t)monitors;

    if (monitors == NULL || (uintptr_t)id < (uintptr_t)monitors
        || offset % sizeof *monitors != 0
        || offset / sizeof *monitors
            >= (size_t)__atomic_load_n(&monitor_count, __ATOMIC_ACQUIRE))
        return NULL;
    return &monitors[offset / sizeof *monitors];
}

const char *
monitor_name(const void *id)
{
    const struct raw_monitor *monitor = monitor_of(id);

    return monitor != NULL ? monitor->name : NULL;
}

static struct raw_monitor *
monitor_new(jrawMonitorID real, const char *name)
{
    struct raw_monitor *monitor = NULL;

    pthread_mutex_lock(&lock);
    if (monitors == NULL) {
        void *pages = mmap(NULL, MOST_MONITORS * sizeof *monitors,
                           PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        monitors = pages != MAP_FAILED ? pages : NULL;
    }
    if (monitors != NULL && monitor_count < MOST_MONITORS) {
        monitor = &monitors[monitor_count];
        monitor->real = real;
        snprintf(monitor->name, sizeof monitor->name, "%s", name != NULL ? name : "");
        __atomic_store_n(&monitor_count, monitor_count + 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (monitor != NULL)
        stack_take(&monitor->made);
    return monitor;
}

/* ---- what a thread holds ---- */

static int
find_held(const struct check_thread *thread, const struct raw_monitor *monitor)
{
    for (int i = 0; i < thread->held_count; i++)
        if (thread->held[i].monitor == monitor)
            return i;
    return -1;
}

/* Is it in a callback during which the VM is stopped? */
static bool
is_in_collection(const struct check_thread *thread)
{
    const struct interpose_event *event = thread->thread->event;

    return event != NULL
        && (event->facts->number == JVMTI_EVENT_GARBAGE_COLLECTION_START
            || event->facts->number == JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void
push(struct check_thread *thread, struct raw_monitor *monitor)
{
    int i = find_held(thread, monitor);

    if (i >= 0)
        thread->held[i].entries++;
    else if (thread->held_count < MAX_HELD) {
        thread->held[thread->held_count].entries = 1;
        thread->held[thread->held_count].in_collection = is_in_collection(thread);
        thread->held[thread->held_count++].monitor = monitor;
    }
    __atomic_store_n(&monitor->owner, thread, __ATOMIC_RELEASE);
}

static void
drop(struct check_thread *thread, struct raw_monitor *monitor, bool all)
{
    int i = find_held(thread, monitor);

    if (i < 0 || (!all && --thread->held[i].entries > 0))
        return;
    memmove(&thread->held[i], &thread->held[i + 1],
            (size_t)(thread->held_count - i - 1) * sizeof thread->held[0]);
    thread->held_count--;
    __atomic_store_n(&monitor->owner, NULL, __ATOMIC_RELEASE);
}

int
monitor_entries(const struct check_thread *thread)
{
    int entries = 0;

    for (int i = 0; i < thread->held_count; i++)
        entries += thread->held[i].entries;
    return entries;
}

bool
monitor_nth_held(const struct check_thread *thread, int n, const char **name)
{
    if (n >= thread->held_count)
        return false;
    /* One that it waits for is not held meanwhile. */
    *name = __atomic_load_n(&thread->held[n].monitor->owner, __ATOMIC_ACQUIRE) == thread
        ? thread->held[n].monitor->name
        : NULL;
    return true;
}

bool
monitor_is_held(const struct check_thread *thread, const char **name)
{
    for (int i = thread->held_count - 1; i >= 0; i--)
        if (monitor_nth_held(thread, i, name) && *name != NULL)
            return true;
    return false;
}

struct check_thread *
monitor_owner(const struct raw_monitor *monitor, const char **name)
{
    if (monitor == NULL)
        return NULL;
    *name = monitor->name;
    return __atomic_load_n(&monitor->owner, __ATOMIC_ACQUIRE);
}

/* ---- lock order ---- */

static void
take_gates(struct gates *gates, const struct check_thread *thread,
           const struct raw_monitor *from)
{
    gates->count = 0;
    for (int i = 0; i < thread->held_count; i++)
        if (thread->held[i].monitor != from)
            gates->monitors[gates->count++] = thread->held[i].monitor;
}

/* Leave only those gates that are among others, too; true if some went. */
static bool
intersect(struct gates *gates, const struct gates *others)
{
    int count = 0, before = gates->count;

    for (int i = 0; i < gates->count; i++)
        for (int k = 0; k < others->count; k++)
            if (gates->monitors[i] == others->monitors[k]) {
                gates->monitors[count++] = gates->monitors[i];
                break;
            }
    gates->count = count;
    return count != before;
}

/* Is there a way from one monitor to another by edges of other threads, so that no gate is
   common to all edges?  The last edge of it. */
static const struct edge *
find_way(const struct raw_monitor *from, const struct raw_monitor *to, long thread,
         const struct gates *gates, int depth)
{
    for (int i = 0; i < edge_count; i++) {
        const struct edge *e = &edges[i], *rest = NULL;
        struct gates common = *gates;

        if (e->from != from || e->thread == thread)
            continue;
        intersect(&common, &e->gates);
        if (e->to == to && common.count == 0)
            return e;
        if (e->to != to && depth > 0)
            rest = find_way(e->to, to, thread, &common, depth - 1);
        if (rest != NULL)
            return rest;
    }
    return NULL;
}

/* Add the edge, or what is new of it; true if there is anything new. */
static bool
put_edge(struct raw_monitor *from, struct raw_monitor *to, long thread,
         const struct gates *gates)
{
    struct edge *edge = NULL;
    bool is_new;

    for (int i = 0; i < edge_count && edge == NULL; i++)
        if (edges[i].from == from && edges[i].to == to)
            edge = &edges[i];
    if (edge == NULL) {
        if (edge_count == MOST_EDGES)
            return false;
        edges[edge_count++] = (struct edge){ from, to, thread, *gates };
        return true;
    }
    is_new = intersect(&edge->gates, gates);
    if (edge->thread != 0 && edge->thread != thread) {
        edge->thread = 0;
        is_new = true;
    }
    return is_new;
}

/* Add the edge; the one that closes a cycle with it, if that is new. */
static bool
add_edge(struct raw_monitor *from, struct raw_monitor *to,
         const struct check_thread *thread, struct edge *closing)
{
    const struct edge *way = NULL;
    struct gates gates;

    take_gates(&gates, thread, from);
    pthread_mutex_lock(&lock);
    if (put_edge(from, to, thread->thread->id, &gates))
        way = find_way(to, from, thread->thread->id, &gates, 4);
    if (way != NULL)
        *closing = *way;
    pthread_mutex_unlock(&lock);
    return way != NULL;
}

static void
check_order(const struct check_thread *thread, struct raw_monitor *monitor)
{
    struct edge closing;

    if (find_held(thread, monitor) >= 0)
        return;
    for (int i = 0; i < thread->held_count; i++)
        if (add_edge(thread->held[i].monitor, monitor, thread, &closing))
            check_found(RULE_MONITOR_LOCK_ORDER, "RawMonitorEnter",
                        "raw monitor '%s' is entered while '%s' is held, and elsewhere "
                        "'%s' while '%s' is: two threads can wait for each other",
                        monitor->name, thread->held[i].monitor->name, closing.to->name,
                        closing.from->name);
}

/* Which thread collects, and which one runs the callback, is the VM's affair: the one that
   has the monitor may be the one, and then the callback waits for ever if it is not the
   other, too. */
static void
check_collection(const struct check_thread *thread, const struct raw_monitor *monitor,
                 const struct check_thread *owner)
{
    int i = find_held(thread, monitor);

    if (is_in_collection(thread)
        && ((i >= 0 && !thread->held[i].in_collection)
            || (i < 0 && owner != NULL
                && __atomic_load_n(&owner->is_collecting, __ATOMIC_ACQUIRE))))
        check_found(RULE_MONITOR_HELD_OVER_COLLECTION, "RawMonitorEnter",
                    "raw monitor '%s' is entered in the callback of %s, while the thread "
                    "for which the VM collects has it: %s", monitor->name,
                    thread->thread->event->facts->name,
                    i < 0 ? "both wait for ever"
                          : "where another thread runs the callback both wait for ever");
}

/* Does the kernel let it wait?  False if that cannot be told. */
static bool
is_asleep(const struct check_thread *thread)
{
    char path[64], line[256] = "";
    const char *end;
    FILE *file;

    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread->id);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    /* "ID (NAME) STATE ..." */
    if (fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    fclose(file);
    end = strrchr(line, ')');
    return end != NULL && (end[1] == '\0' ? end[1] : end[2]) == 'S';
}

/* In so many looks that follow each other. */
#define ASLEEP 3

/* Has a suspended thread the monitor for good?  One that was suspended in the agent's code
   goes on with it, and may be about to leave the monitor.  The caller would wait for it
   anyway. */
static bool
stays_suspended(const struct raw_monitor *monitor, const struct check_thread *owner)
{
    const struct timespec a_while = { 0, 10000000 };
    int asleep = 0;

    for (int looks = 0; looks < 200 && asleep < ASLEEP; looks++) {
        if (__atomic_load_n(&monitor->owner, __ATOMIC_ACQUIRE) != owner
            || __atomic_load_n(&owner->suspended, __ATOMIC_RELAXED) == 0)
            return false;
        asleep = is_asleep(owner) ? asleep + 1 : 0;
        nanosleep(&a_while, NULL);
    }
    return asleep == ASLEEP;
}

/* ---- calls ---- */

static void
enter(struct interpose_call *call, struct raw_monitor *monitor)
{
    struct check_thread *thread = call->thread->state;
    struct check_thread *owner = __atomic_load_n(&monitor->owner, __ATOMIC_ACQUIRE);

    check_thread_mark(call->thread);
    if (thread->name[0] == '\0')
        check_thread_name(thread->name, sizeof thread->name);
    check_order(thread, monitor);
    check_collection(thread, monitor, owner);
    __atomic_store_n(&thread->wants, monitor, __ATOMIC_RELEASE);
    if (owner != NULL && owner != thread)
        progress_wants(thread, "RawMonitorEnter");
    if (owner != NULL && owner != thread
        && __atomic_load_n(&owner->suspended, __ATOMIC_RELAXED) > 0
        && stays_suspended(monitor, owner))
        check_found(RULE_MONITOR_OWNER_SUSPENDED, "RawMonitorEnter",
                    "raw monitor '%s' is wanted, whose owner the agent has suspended",
                    monitor->name);
}

static void
need_owner(const struct interpose_call *call, const struct raw_monitor *monitor)
{
    const struct check_thread *thread = call->thread->state;

    if (find_held(thread, monitor) < 0 && thread->held_count < MAX_HELD
        && !check_is_outlived(call->thread))
        check_found(RULE_MONITOR_NOT_OWNER, interpose_functions[call->function].name,
                    "%s of raw monitor '%s', which the thread has not entered",
                    interpose_functions[call->function].name, monitor->name);
}

static void
destroy(const struct interpose_call *call, const struct raw_monitor *monitor)
{
    const struct check_thread *owner = monitor->owner;

    if ((owner != NULL && owner != call->thread->state) || monitor->waiters > 0)
        check_found(RULE_MONITOR_DESTROYED_IN_USE, "DestroyRawMonitor",
                    "raw monitor '%s' is destroyed while another thread %s it",
                    monitor->name, monitor->waiters > 0 ? "waits for" : "has entered");
}

/* Replace our monitor by the VM's; false if there is no such monitor. */
static bool
resolve(struct interpose_call *call, struct raw_monitor **found)
{
    const char *name = interpose_functions[call->function].name;
    struct raw_monitor *monitor = monitor_of(call->args[0].p);

    if (monitor == NULL || monitor->is_destroyed) {
        if (monitor != NULL && !check_is_outlived(call->thread))
            check_found(RULE_MONITOR_USE_AFTER_DESTROY, name,
                        "%s of raw monitor '%s', which was destroyed", name,
                        monitor->name);
        else if (monitor == NULL)
            check_found(RULE_MONITOR_INVALID, name,
                        "%s of what is no raw monitor: CreateRawMonitor did not make it",
                        name);
        call->error = JVMTI_ERROR_INVALID_MONITOR;
        return false;
    }
    *found = monitor;
    call->data = monitor;
    call->args[0].p = monitor->real;
    return true;
}

static void
set_collecting(const struct interpose_call *call, bool is_collecting)
{
    struct check_thread *thread = call->thread->state;

    __atomic_store_n(&thread->is_collecting, is_collecting, __ATOMIC_RELEASE);
}

bool
monitor_begin(struct interpose_call *call)
{
    struct raw_monitor *monitor;

    switch (call->function) {
    case INTERPOSE_ForceGarbageCollection:
        set_collecting(call, true);
        return true;
    case INTERPOSE_DestroyRawMonitor:
    case INTERPOSE_RawMonitorEnter:
    case INTERPOSE_RawMonitorExit:
    case INTERPOSE_RawMonitorWait:
    case INTERPOSE_RawMonitorNotify:
    case INTERPOSE_RawMonitorNotifyAll:
        break;
    default:
        return true;
    }
    if (!resolve(call, &monitor))
        return false;
    switch (call->function) {
    case INTERPOSE_DestroyRawMonitor:
        destroy(call, monitor);
        break;
    case INTERPOSE_RawMonitorEnter:
        enter(call, monitor);
        break;
    case INTERPOSE_RawMonitorExit:
        need_owner(call, monitor);
        /* Others may enter it before the call returns. */
        drop(call->thread->state, monitor, false);
        break;
    case INTERPOSE_RawMonitorWait:
        need_owner(call, monitor);
        __atomic_fetch_add(&monitor->waiters, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&monitor->owner, NULL, __ATOMIC_RELEASE);
        break;
    default:
        need_owner(call, monitor);
        break;
    }
    return true;
}

void
monitor_end(struct interpose_call *call)
{
    struct raw_monitor *monitor = call->data;
    struct check_thread *thread = call->thread->state;

    switch (call->function) {
    case INTERPOSE_ForceGarbageCollection:
        set_collecting(call, false);
        break;
    case INTERPOSE_CreateRawMonitor:
        if (call->error != JVMTI_ERROR_NONE)
            break;
        monitor = monitor_new(*(jrawMonitorID *)call->args[1].p, call->args[0].p);
        if (monitor == NULL)
            call->error = JVMTI_ERROR_OUT_OF_MEMORY;
        else
            *(jrawMonitorID *)call->args[1].p = (jrawMonitorID)monitor;
        progress_watch_monitors();
        break;
    case INTERPOSE_DestroyRawMonitor:
        if (call->error != JVMTI_ERROR_NONE)
            break;
        drop(thread, monitor, true);
        stack_take(&monitor->destroyed);
        monitor->is_destroyed = true;
        break;
    case INTERPOSE_RawMonitorEnter:
        __atomic_store_n(&thread->wants, NULL, __ATOMIC_RELEASE);
        if (call->error == JVMTI_ERROR_NONE)
            push(thread, monitor);
        break;
    case INTERPOSE_RawMonitorWait:
        __atomic_fetch_sub(&monitor->waiters, 1, __ATOMIC_RELAXED);
        if (find_held(thread, monitor) >= 0)
            __atomic_store_n(&monitor->owner, thread, __ATOMIC_RELEASE);
        break;
    default:
        break;
    }
}

/* An agent may keep a monitor for as long as it lives.  Many of one place, none of which
   was destroyed, are a leak. */
void
monitor_at_exit(void)
{
    for (int i = 0; i < monitor_count; i++) {
        const struct raw_monitor *first = &monitors[i];
        int count = 1;
        bool is_first = true, is_any_destroyed = first->is_destroyed;

        if (first->made.count == 0)
            continue;
        for (int k = 0; k < i && is_first; k++)
            is_first = monitors[k].made.count == 0
                || monitors[k].made.frames[0] != first->made.frames[0];
        for (int k = i + 1; k < monitor_count && is_first && !is_any_destroyed; k++)
            if (monitors[k].made.count > 0
                && monitors[k].made.frames[0] == first->made.frames[0]) {
                count++;
                is_any_destroyed = monitors[k].is_destroyed;
            }
        if (is_first && !is_any_destroyed && count >= MANY)
            check_found_at(RULE_MONITOR_NEVER_DESTROYED, "CreateRawMonitor", &first->made,
                           count, "%d raw monitors were made at one place, the first one "
                           "'%s', and none of them was destroyed", count, first->name);
    }
}
