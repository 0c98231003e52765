/* SPDX-License-Identifier: MIT */
/* minivm/vm/monitor.h -- object monitors (JVMS 2.11.10, JLS 17.1, 17.2).
 *
 * An object's lock word:
 *   0                                  unlocked
 *   thread << 10 | count << 2 | 1      thin: held by thread's lock_id, count + 1 times
 *   index << 2 | 2                     inflated: struct monitor in vm's table
 * A contender inflates; an idle monitor is deflated while the world is stopped.
 * Identity hashes come from the address, so the word holds none.
 *
 * Every hold is also on the thread's lock stack with the frame that entered. */

#ifndef MINIVM_VM_MONITOR_H
#define MINIVM_VM_MONITOR_H

#include "vm/thread.h"

#define LOCK_THIN 1u
#define LOCK_INFLATED 2u
#define LOCK_TAG 3u
#define LOCK_COUNT_ONE 4u
#define LOCK_COUNT_MASK 0x3fcu
#define LOCK_THREAD_SHIFT 10

/*
 * Enter obj's monitor for frame (NULL: JNI); blocks until it is free.  Reports
 * MonitorContendedEnter when it has to wait.  False only when the lock stack or
 * a monitor cannot be allocated (OutOfMemoryError pending) or an async exception
 * came (pending).
 */
bool monitor_enter(struct thread *self, struct object *obj, struct frame *frame);

/* False with IllegalMonitorStateException pending when self does not own it. */
bool monitor_exit(struct thread *self, struct object *obj);

/* Release everything that frame entered and did not leave; true when there was
   something (the caller throws IllegalMonitorStateException). */
bool monitor_exit_frame(struct thread *self, struct frame *frame);

/* Release whatever self holds: it ends. */
void monitor_exit_all(struct thread *self);

/* Object.wait; millis 0: for ever.  Threads are notified in the order in which they
   began to wait.  False with an exception pending (IllegalMonitorState, Interrupted,
   IllegalArgument, OutOfMemory). */
bool monitor_wait(struct thread *self, struct object *obj, int64_t millis);
bool monitor_wake(struct thread *self, struct object *obj, bool all);
#define monitor_notify(self, obj) monitor_wake((self), (obj), false)
#define monitor_notify_all(self, obj) monitor_wake((self), (obj), true)

/* t is self, stopped or in a handshake. */
bool monitor_is_held(const struct thread *t, const struct object *obj);
/* Does t own what its lock stack's entry names?  Not while it waits on it. */
bool monitor_owns_entry(const struct thread *t, const struct held_lock *entry);

/* Owner (NULL: none), its count, threads that wait to enter, threads in wait.
   The world is stopped.  False when there is no memory for the lists. */
struct monitor_usage {
    struct thread *owner;
    int32_t entry_count;
    struct thread **waiters, **notify_waiters;
    size_t waiter_count, notify_waiter_count;
};
bool monitor_get_usage(struct vm *vm, const struct object *obj,
                       struct monitor_usage *usage);
void monitor_usage_release(struct monitor_usage *usage);

/* The object that t is blocked on entering, or waits on; NULL: none. */
struct object *monitor_contended(const struct thread *t);

/*
 * Raw monitors (JVM TI "Raw Monitor") enter the VM nowhere: they are safe in callbacks
 * of the collector, and a thread that blocks is in native code, where it may be
 * suspended and where the world may stop without it.  An id is an index and a
 * generation, so that one that was freed, or never was, is found out; monitors are
 * used again.  RAW_DEAD: freed meanwhile.
 */
enum raw_result { RAW_DONE, RAW_NOT_OWNED, RAW_INTERRUPTED, RAW_DEAD };

uintptr_t raw_monitor_new(struct vm *vm);                   /* 0: no memory */
struct monitor *raw_monitor_of_id(const struct vm *vm, uintptr_t id); /* or NULL */
enum raw_result raw_monitor_free(struct thread *self, struct monitor *m);
enum raw_result raw_monitor_enter(struct thread *self, struct monitor *m);
enum raw_result raw_monitor_exit(struct thread *self, struct monitor *m);
/* millis 0 or negative: for ever. */
enum raw_result raw_monitor_wait(struct thread *self, struct monitor *m,
                                 int64_t millis);
enum raw_result raw_monitor_wake(struct thread *self, struct monitor *m, bool all);

/* Does self own a raw monitor?  Looks at all of them. */
bool raw_monitor_is_owner(const struct thread *self);

void monitor_init(struct vm *vm);
/* Inflated monitors at the moment. */
size_t monitor_count(struct vm *vm);

/* Thin lock fast path for the loop: true when entered (the lock stack has room
   and the word was free or thin and ours). */
static inline bool
monitor_enter_fast(struct thread *self, struct object *obj, struct frame *frame)
{
    uint32_t mine = self->lock_id << LOCK_THREAD_SHIFT | LOCK_THIN;
    uint32_t word = 0;

    if (__builtin_expect(self->lock_count == self->lock_capacity, 0))
        return false;
    if (!__atomic_compare_exchange_n(&obj->lock, &word, mine, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if ((word & ~LOCK_COUNT_MASK) != mine
            || (word & LOCK_COUNT_MASK) == LOCK_COUNT_MASK
            || !__atomic_compare_exchange_n(&obj->lock, &word, word + LOCK_COUNT_ONE,
                                            false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return false;
    }
    self->locks[self->lock_count++] = (struct held_lock){ obj, frame };
    return true;
}

static inline bool
monitor_exit_fast(struct thread *self, struct object *obj)
{
    uint32_t mine = self->lock_id << LOCK_THREAD_SHIFT | LOCK_THIN;
    uint32_t word = mine;

    if (self->lock_count == 0 || self->locks[self->lock_count - 1].object != obj)
        return false;
    if (!__atomic_compare_exchange_n(&obj->lock, &word, 0, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED)) {
        if ((word & ~LOCK_COUNT_MASK) != mine
            || !__atomic_compare_exchange_n(&obj->lock, &word, word - LOCK_COUNT_ONE,
                                            false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            return false;
    }
    self->lock_count--;
    return true;
}

#endif
