/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor_table.h -- struct monitor, and the table of all inflated and
 * raw monitors; for the files about monitors in this folder only.
 *
 * All struct monitors are in one table, so that 30 bits of a lock word can name one.
 * They never move and are never freed; those of no use are in one of two lists, since a
 * monitor that was raw never becomes an object's. */

#ifndef MINIVM_THREADS_MONITOR_TABLE_H
#define MINIVM_THREADS_MONITOR_TABLE_H

#include "base/span.h"
#include "runtime/vm.h"
#include "threads/monitor.h"

enum waiter_state {
    WAITER_RUNS,   /* in no queue */
    WAITER_ENTERS, /* in the entry queue */
    WAITER_WAITS   /* in the wait set */
};

/* A thread that waits for a monitor.  This is on its C stack, or, of a virtual thread that
   is unmounted meanwhile, the first member of a struct virtual_waiter. */
struct waiter {
    struct thread *thread;             /* that sleeps, or NULL */
    struct continuation *continuation; /* of the virtual thread, or NULL */
    uint32_t lock_id;                  /* whose it is */
    TAILQ_ENTRY(waiter) link;
    _Atomic uint32_t state; /* enum waiter_state; changed under monitor.lock */
    bool is_passive;        /* not to be the successor; under monitor.lock */
};

TAILQ_HEAD(queue, waiter);

struct monitor {
    _Atomic uint32_t owner;      /* lock_id, or 0 */
    _Atomic uint32_t contenders; /* that are or will be in entries */
    _Atomic uint32_t successor;  /* lock_id of one that was woken, or 0 */
    uint32_t count;              /* entries beyond the first; the owner's */
    struct object *object;       /* NULL: the monitor is free, or raw */
    struct mutex lock;           /* guards the queues */
    struct queue entries, waiters;
    uint32_t spins;         /* how long it paid to spin; racy on purpose */
    uint32_t vain_spins;    /* of those who waited last, in a row; racy, too */
    uint32_t skipped_spins; /* waits that did not spin since; the owner's */
    int processor;          /* where the last one began to wait; the owner's */
    uint32_t index;
    _Atomic uint32_t generation; /* of a raw one: odd while it lives */
    struct monitor *next_free;
};

/* The most pauses before a contender sleeps; a new monitor begins with them. */
enum { SPINS_MAX = 2000 };

TAILQ_HEAD(virtual_waiters, virtual_waiter);

struct monitor_table {
    struct mutex mutex;
    struct monitor *free, *free_raw;
    _Atomic uint32_t used;  /* indices ever given */
    size_t count;           /* monitors that are an object's */
    _Atomic int processors; /* 0 before somebody asked */
    struct span memory;     /* of all of them, by index */
    /* Virtual threads that the class library has to schedule (monitor_virtual.c). */
    struct mutex unblock_mutex;
    pthread_cond_t unblock_changed;
    struct virtual_waiters to_unblock;
};

/* Returns the monitor with that index. */
static inline struct monitor *
table_at(const struct monitor_table *table, uint32_t index)
{
    return (struct monitor *)table->memory.base + index;
}

/* Returns the monitor that an inflated lock word names. */
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

/* Returns a free monitor, which becomes obj's, or a raw one when obj is NULL.  NULL
   when there is no memory. */
struct monitor *monitor_new(struct vm *vm, struct object *obj);
/* m, which was an object's, becomes free.  The caller holds the table's mutex, or the
   world is stopped. */
void monitor_recycle(struct monitor_table *table, struct monitor *m);
/* Returns whether there is another processor, on which an owner can run while a
   contender spins. */
bool monitor_table_spins(struct vm *vm);
/* Returns obj's monitor, and inflates its lock if need be (monitor.c).  Returns NULL with
   OutOfMemoryError pending.  Does not stop unless it fails. */
struct monitor *monitor_inflate(struct thread *self, struct object *obj);
/* Notes on the lock stack that self, which owns obj's monitor, has entered it for frame
   (monitor.c).  Leaves it and returns false with OutOfMemoryError pending when there is
   no memory. */
bool monitor_note_entry(struct thread *self, struct object *obj, struct frame *frame);
/* Throws IllegalMonitorStateException; returns false (monitor.c). */
bool monitor_throw_not_owner(struct thread *self);
/* Returns whether a thread is in m's wait set.  The caller does not hold m->lock. */
bool monitor_has_waiters(struct monitor *m);

#endif
