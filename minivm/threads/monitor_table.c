/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_table.c -- where monitors come from, who has them, deflation.
 *
 * A monitor is an object's from inflation until a collection finds it idle: nobody owns
 * it, waits in it or is about to enter it.  Then the object's lock word becomes 0
 * again, and the monitor is free.  The same happens when its object has died.  A thread
 * that has read an inflated lock word is IN_VM, or is counted as a contender, or is in
 * the wait set, before it uses the monitor; so the monitor stays the object's
 * meanwhile. */

#include "threads/monitor_table.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "threads/continuation.h"
#include "threads/lock_id.h"

/* How many monitors there is address space for. */
enum { MONITORS = 1 << 22 };

/* Returns a monitor that was never used, or NULL.  The caller holds the table's
   mutex. */
static struct monitor *
table_extend(struct monitor_table *table)
{
    uint32_t index = table->used;
    struct monitor *m = table_at(table, index);

    if ((index + 1) * sizeof *m > table->memory.reserved
        || !span_commit(&table->memory, (index + 1) * sizeof *m))
        return NULL;
    m->index = index;
    m->spins = SPINS_MAX;
    m->processor = -1;
    mutex_init(&m->lock);
    TAILQ_INIT(&m->entries);
    TAILQ_INIT(&m->waiters);
    table->used++;
    return m;
}

struct monitor *
monitor_new(struct vm *vm, struct object *obj)
{
    struct monitor_table *table = vm->monitors;
    struct monitor **free = obj ? &table->free : &table->free_raw, *m;
    LOCK(&table->mutex);

    m = *free;
    if (m)
        *free = m->next_free;
    else
        m = table_extend(table);
    if (m && obj) {
        m->object = obj;
        table->count++;
    }
    return m;
}

void
monitor_recycle(struct monitor_table *table, struct monitor *m)
{
    m->object = NULL;
    atomic_store(&m->owner, 0);
    atomic_store(&m->successor, 0);
    m->count = 0;
    m->next_free = table->free;
    table->free = m;
    table->count--;
}

size_t
monitor_count(struct vm *vm)
{
    LOCK(&vm->monitors->mutex);

    return vm->monitors->count;
}

/* The number of processors is read at the first contention: it takes reading files,
   which would make the start of the VM slower. */
bool
monitor_table_spins(struct vm *vm)
{
    int processors = atomic_load_explicit(&vm->monitors->processors,
                                          memory_order_relaxed);

    if (processors == 0) {
        processors = vm_processor_count(vm);
        atomic_store_explicit(&vm->monitors->processors, processors,
                              memory_order_relaxed);
    }
    return processors > 1;
}

bool
monitor_has_waiters(struct monitor *m)
{
    LOCK(&m->lock);

    return !TAILQ_EMPTY(&m->waiters);
}

/* The monitor is one that was never raw or was freed, so its generation is even and
   becomes odd; raw_monitor_free makes it even again. */
uintptr_t
raw_monitor_new(struct vm *vm)
{
    struct monitor *m = monitor_new(vm, NULL);

    return m ? (uintptr_t)++m->generation << 32 | m->index : 0;
}

/* id may be any number.  An even generation is no id's. */
struct monitor *
raw_monitor_of_id(const struct vm *vm, uintptr_t id)
{
    uint32_t index = (uint32_t)id, generation = (uint32_t)(id >> 32);
    struct monitor *m;

    if (!(generation & 1) || index >= atomic_load(&vm->monitors->used))
        return NULL;
    m = table_at(vm->monitors, index);
    return m->generation == generation ? m : NULL;
}

bool
raw_monitor_is_owner(const struct thread *self)
{
    const struct monitor_table *table = self->vm->monitors;

    /* An odd generation tells a raw monitor that lives from all others. */
    for (uint32_t i = 0; i < atomic_load(&table->used); i++) {
        struct monitor *m = table_at(table, i);
        if (atomic_load_explicit(&m->generation, memory_order_relaxed) & 1
            && atomic_load_explicit(&m->owner, memory_order_relaxed) == self->lock_id)
            return true;
    }
    return false;
}

/* ---- queries ---- */

struct object *
monitor_contended(const struct thread *t)
{
    switch (atomic_load_explicit(&t->wait, memory_order_acquire)) {
    case WAIT_MONITOR_ENTER:
    case WAIT_OBJECT:
    case WAIT_OBJECT_TIMED:
        return atomic_load_explicit(&t->wait_object, memory_order_relaxed);
    default: return NULL;
    }
}

/* A thread owns all that is on its lock stack, except for the object on which it waits
   in Object.wait, and until it has entered that again.  Only for that object is the
   monitor asked. */
bool
monitor_owns_entry(const struct thread *t, const struct held_lock *entry)
{
    return monitor_contended(t) != entry->object || monitor_is_held(t, entry->object);
}

/* Stores the threads of a queue that sleep there in a new array, and adds their number to *count.  There
   is room for all threads.  False when there is no memory.  The caller holds the lock
   of the monitor. */
static bool
list_queue(const struct vm *vm, const struct queue *q, struct thread ***list,
           size_t *count)
{
    const struct waiter *w;

    *list = mem_try_alloc(vm->thread_count * sizeof **list);
    if (*list)
        TAILQ_FOREACH(w, q, link)
            if (w->thread)
                (*list)[(*count)++] = w->thread;
    return *list != NULL;
}

bool
monitor_get_usage(struct vm *vm, const struct object *obj, struct monitor_usage *usage)
{
    uint32_t word = lock_word(obj);
    struct monitor *m;

    *usage = (struct monitor_usage){ 0 };
    /* A thin or unlocked monitor: nobody waits for it.  No thread has lock_id 0. */
    if ((word & LOCK_TAG) != LOCK_INFLATED) {
        usage->owner = thread_of_lock_id(vm, word >> LOCK_THREAD_SHIFT);
        usage->owner_object = object_of_lock_id(vm, word >> LOCK_THREAD_SHIFT);
        usage->entry_count = word ? (int32_t)((word & LOCK_COUNT_MASK) / LOCK_COUNT_ONE)
                                        + 1
                                  : 0;
        return true;
    }
    m = word_monitor(vm, word);
    usage->owner = thread_of_lock_id(vm, atomic_load(&m->owner));
    usage->owner_object = object_of_lock_id(vm, atomic_load(&m->owner));
    usage->entry_count = atomic_load(&m->owner) ? (int32_t)m->count + 1 : 0;
    LOCK(&m->lock); /* those whose time is over leave even while the world is stopped */
    if (list_queue(vm, &m->entries, &usage->waiters, &usage->waiter_count)
        && list_queue(vm, &m->waiters, &usage->notify_waiters,
                      &usage->notify_waiter_count))
        return true;
    monitor_usage_release(usage);
    return false;
}

void
monitor_usage_release(struct monitor_usage *usage)
{
    mem_free(usage->waiters);
    mem_free(usage->notify_waiters);
    usage->waiters = usage->notify_waiters = NULL;
}

/* ---- collection; the world is stopped, but waiting threads leave their queue ---- */

/* Returns whether nobody uses m.  The wait set is looked at first: a thread that leaves
   it is counted as a contender. */
static bool
is_idle(struct monitor *m)
{
    return !monitor_has_waiters(m) && !atomic_load(&m->owner)
           && !atomic_load(&m->contenders);
}

/* Returns whether the owner of m is a virtual thread that is unmounted, and nobody else
   uses m.  Then m's object is reached from that thread's lock stack if it can still go
   on. */
static bool
is_left_locked(const struct vm *vm, struct monitor *m)
{
    const struct continuation *c = continuation_of_lock_id(vm, atomic_load(&m->owner));

    return c && !c->thread && !monitor_has_waiters(m) && !atomic_load(&m->contenders);
}

/* Visits the virtual threads of a queue: who is to be woken by the monitor lives.  The
   caller holds the lock of the monitor. */
static void
visit_queue(const struct queue *q, heap_root_fn *visit, void *context)
{
    const struct waiter *w;

    TAILQ_FOREACH(w, q, link)
        if (w->continuation)
            root_visit(visit, context, w->continuation->object, ROOT_OTHER, NULL);
}

/* For heap_add_part: an object whose monitor is in use lives. */
static void
visit_roots(void *part, heap_root_fn *visit, void *context)
{
    const struct vm *vm = part;
    const struct monitor_table *table = vm->monitors;

    for (uint32_t i = 0; i < table->used; i++) {
        struct monitor *m = table_at(table, i);

        if (!m->object || is_idle(m) || is_left_locked(vm, m))
            continue;
        root_visit(visit, context, m->object, ROOT_MONITOR, NULL);
        LOCK(&m->lock);
        visit_queue(&m->entries, visit, context);
        visit_queue(&m->waiters, visit, context);
    }
}

/* For heap_add_part: frees the monitors that nobody uses; an object that lives is
   unlocked then.  It is called after marking, so nobody can use the monitor of an object
   that has died any more (visit_roots). */
static void
deflate_idle(void *part, struct heap *heap)
{
    struct monitor_table *table = ((struct vm *)part)->monitors;

    for (uint32_t i = 0; i < table->used; i++) {
        struct monitor *m = table_at(table, i);
        bool lives = m->object && heap_is_live(heap, m->object);

        if (!m->object || (lives && !is_idle(m)))
            continue;
        if (lives)
            m->object->lock = 0;
        monitor_recycle(table, m);
    }
}

void
monitor_init(struct vm *vm)
{
    vm->monitors = mem_calloc(1, sizeof *vm->monitors);
    mutex_init(&vm->monitors->mutex);
    mutex_init(&vm->monitors->unblock_mutex);
    pthread_cond_init(&vm->monitors->unblock_changed, NULL);
    TAILQ_INIT(&vm->monitors->to_unblock);
    if (!span_reserve(&vm->monitors->memory,
                      os_reservable(MONITORS * sizeof(struct monitor), 32)))
        out_of_memory("no address space for monitors");
    heap_add_part(vm->heap, visit_roots, deflate_idle, vm);
}
