/* SPDX-License-Identifier: MIT */
/* minivm/vm/monitor_table.h -- inflated and raw monitors, for the files about them. */

#ifndef MINIVM_VM_MONITOR_TABLE_H
#define MINIVM_VM_MONITOR_TABLE_H

#include "vm/monitor.h"
#include "vm/vm.h"

enum waiter_state {
    WAITER_RUNS,                   /* in no queue */
    WAITER_ENTERS,                 /* in the entry queue */
    WAITER_WAITS                   /* in the wait set */
};

/* Lies on the C stack of the thread that waits. */
struct waiter {
    struct thread *thread;
    TAILQ_ENTRY(waiter) link;
    _Atomic uint32_t state;        /* enum waiter_state; changed under monitor.lock */
    bool is_passive;               /* not to be the successor; under monitor.lock */
};

TAILQ_HEAD(queue, waiter);

struct monitor {
    _Atomic uint32_t owner;        /* lock_id, or 0 */
    _Atomic uint32_t contenders;   /* that are or will be in entries */
    _Atomic uint32_t successor;    /* lock_id of one that was woken, or 0 */
    uint32_t count;                /* entries beyond the first; the owner's */
    struct object *object;         /* NULL: the monitor is free, or raw */
    struct mutex lock;             /* of the queues */
    struct queue entries, waiters;
    uint32_t spins;                /* how long it paid to spin; racy on purpose */
    uint32_t index;
    _Atomic uint32_t generation;   /* of a raw one: odd while it lives */
    struct monitor *next_free;
};

enum { SPINS_MAX = 2000, SPINS_MIN = 20 };

struct monitor_table {
    struct mutex mutex;
    struct monitor *free, *free_raw;
    _Atomic uint32_t used;         /* indices ever given */
    size_t count;                  /* monitors that are an object's */
    struct span memory;            /* of all of them, by index */
};

static inline struct monitor *
table_at(const struct monitor_table *table, uint32_t index)
{
    return (struct monitor *)table->memory.base + index;
}

static inline struct monitor *
word_monitor(const struct vm *vm, uint32_t word)
{
    return table_at(vm->monitors, word >> 2);
}

static inline uint32_t
lock_word(const struct object *obj)
{
    return __atomic_load_n(&obj->lock, __ATOMIC_ACQUIRE);
}

/* A free monitor becomes obj's, or a raw one when that is NULL; NULL: no memory. */
struct monitor *monitor_new(struct vm *vm, struct object *obj);
/* m becomes free; the table's mutex is held or the world is stopped. */
void monitor_recycle(struct monitor_table *table, struct monitor *m);
/* The caller does not hold m->lock. */
bool monitor_has_waiters(struct monitor *m);

#endif
