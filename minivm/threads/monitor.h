/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor.h -- object monitors (JVMS 2.11.10, JLS 17.1, 17.2), and raw
 * monitors of JVM TI.
 *
 * Each object has a lock word of 32 bits in its header.  Its states, and what leads
 * from one to another:
 *
 *     unlocked    0
 *     thin        thread << 10 | count << 2 | 1    held count + 1 times by the thread
 *                                                  with that lock_id
 *     inflated    index << 2 | 2                   the rest is in the struct monitor
 *                                                  with that index
 *
 *     unlocked -> thin        monitor_enter: one compare-and-swap
 *     thin -> thin            the owner enters again or leaves: count
 *     thin -> unlocked        monitor_exit: one compare-and-swap
 *     any -> inflated         a contender, Object.wait, a count that does not fit
 *     inflated -> unlocked    deflation: the collector finds the monitor idle
 *
 * Identity hashes come from the address, so the word holds none.
 *
 * Every entry is also noted on the thread's lock stack, with the frame that entered, so
 * that a method that ends can release what it has entered (JVMS 2.11.10, "structured
 * locking") and JVM TI can tell which frame owns what.
 *
 * Functions with `self` may stop, unless their contract says otherwise. */

#ifndef MINIVM_THREADS_MONITOR_H
#define MINIVM_THREADS_MONITOR_H

#include "threads/thread.h"

/* The parts of a lock word. */
#define LOCK_THIN 1u
#define LOCK_INFLATED 2u
#define LOCK_TAG 3u
#define LOCK_COUNT_ONE 4u
#define LOCK_COUNT_MASK 0x3fcu
#define LOCK_THREAD_SHIFT 10 /* LOCK_ID_MAX: lock_id.h */

/*
 * Enters obj's monitor for frame (NULL: for JNI "MonitorEnter"), and waits until it is
 * free.  Reports MonitorContendedEnter and MonitorContendedEntered if it has to wait.
 * False, with OutOfMemoryError pending and the monitor not entered, only when there is
 * no memory for the lock stack or for a struct monitor.  Nothing else ends the wait: an
 * exception of thread_stop stays with the thread until its next poll.
 */
bool monitor_enter(struct thread *self, struct object *obj, struct frame *frame);

/* Leaves obj's monitor once.  False with IllegalMonitorStateException pending when self
   does not own it. */
bool monitor_exit(struct thread *self, struct object *obj);

/* Leaves all that frame has entered and has not left.  True when there was something:
   the caller throws IllegalMonitorStateException then. */
bool monitor_exit_frame(struct thread *self, struct frame *frame);

/* Leaves all that self has entered, since self ends. */
void monitor_exit_all(struct thread *self);

/* What became of an operation that may have to wait. */
enum monitor_outcome {
    MONITOR_FAILED,  /* an exception is pending */
    MONITOR_DONE,    /* it is as if it had not waited */
    MONITOR_UNMOUNTS /* the virtual thread waits, and its caller has to unmount it */
};

/*
 * The same as monitor_enter and monitor_wait, for a virtual thread that self runs and
 * that may be unmounted: no C code has to return before it goes on.  Its object
 * Continuation has a chunk.  With MONITOR_UNMOUNTS the caller unmounts it at once, before
 * anything that may stop; and when it is mounted again, the first thing is monitor_resume.
 */
enum monitor_outcome monitor_enter_unmounting(struct thread *self, struct object *obj,
                                              struct frame *frame);
enum monitor_outcome monitor_wait_unmounting(struct thread *self, struct object *obj,
                                             int64_t millis);

/* Goes on with the operation for which the virtual thread that self runs was unmounted:
   its continuation has a waiter.  The outcome is that of the operation.  With
   MONITOR_UNMOUNTS it has to wait once more. */
enum monitor_outcome monitor_resume(struct thread *self);

/*
 * Object.wait; millis 0: without a limit.  Threads are notified in the order in which
 * they began to wait.  False with an exception pending: IllegalMonitorStateException,
 * InterruptedException, IllegalArgumentException, OutOfMemoryError, or one of
 * thread_stop.
 */
bool monitor_wait(struct thread *self, struct object *obj, int64_t millis);

/* Object.notify, or notifyAll when all is true.  False with
   IllegalMonitorStateException pending when self does not own the monitor. */
bool monitor_wake(struct thread *self, struct object *obj, bool all);
#define monitor_notify(self, obj) monitor_wake((self), (obj), false)
#define monitor_notify_all(self, obj) monitor_wake((self), (obj), true)

/* ---- queries; none stops ---- */

/* Returns whether t owns obj's monitor.  t is self, stopped, or in a handshake. */
bool monitor_is_held(const struct thread *t, const struct object *obj);

/* Returns whether t owns the monitor that the entry of its lock stack names.  It does
   not while it waits in Object.wait. */
bool monitor_owns_entry(const struct thread *t, const struct held_lock *entry);

/* Who uses a monitor (JVM TI "Get Object Monitor Usage"). */
struct monitor_usage {
    /* The thread that owns it, or that has the virtual thread mounted that does.  NULL:
       nobody, or a virtual thread that is unmounted. */
    struct thread *owner;
    struct object *owner_object;    /* its java.lang.Thread, or NULL */
    int32_t entry_count;            /* how often the owner has entered */
    struct thread **waiters;        /* those that wait to enter */
    struct thread **notify_waiters; /* those in Object.wait */
    size_t waiter_count, notify_waiter_count;
};

/* Fills in *usage, which monitor_usage_release releases.  The world is stopped.  False
   when there is no memory for the lists. */
bool monitor_get_usage(struct vm *vm, const struct object *obj,
                       struct monitor_usage *usage);
void monitor_usage_release(struct monitor_usage *usage);

/* Returns the object whose monitor t waits to enter, or that t waits on; or NULL. */
struct object *monitor_contended(const struct thread *t);

/* ---- raw monitors (JVM TI "Raw Monitor") ----
 *
 * They do not enter the VM.  So callbacks of the collector may use them, and a thread
 * that blocks on one is in native code, where it may be suspended, and where the world
 * may stop without it.  An id is an index and a generation, so that one that was freed,
 * or never was, is found out; the memory of monitors is used again.
 */

enum raw_result {
    RAW_DONE,
    RAW_NOT_OWNED,   /* self is not the owner */
    RAW_INTERRUPTED, /* the wait was interrupted */
    RAW_DEAD         /* the monitor was freed meanwhile */
};

/* Returns the id of a new raw monitor; 0 when there is no memory. */
uintptr_t raw_monitor_new(struct vm *vm);

/* Returns the raw monitor with that id; NULL when there is none. */
struct monitor *raw_monitor_of_id(const struct vm *vm, uintptr_t id);

/* Frees m, which self owns or nobody does, and in which nobody waits. */
enum raw_result raw_monitor_free(struct thread *self, struct monitor *m);

enum raw_result raw_monitor_enter(struct thread *self, struct monitor *m);
enum raw_result raw_monitor_exit(struct thread *self, struct monitor *m);

/* Waits for millis milliseconds at most; 0 or negative: without a limit. */
enum raw_result raw_monitor_wait(struct thread *self, struct monitor *m,
                                 int64_t millis);

/* Notifies one thread that waits, or all. */
enum raw_result raw_monitor_wake(struct thread *self, struct monitor *m, bool all);

/* Returns whether self owns any raw monitor.  It goes through the table of all
   monitors, because raw ones are not on a thread's lock stack; so it is for rare
   questions.  A heap walk asks it: whoever owns a raw monitor must not wait for other
   threads' callbacks, which may wait for that monitor. */
bool raw_monitor_is_owner(const struct thread *self);

/* ---- life ---- */

/* Makes the table of monitors and registers it with the heap. */
void monitor_init(struct vm *vm);

/* Returns how many objects have an inflated monitor now. */
size_t monitor_count(struct vm *vm);

/* ---- the interpreter's fast paths; neither stops ---- */

/* Enters obj's monitor if it is unlocked, or thin and self's, and if the lock stack has
   room.  Returns whether it did. */
static inline bool
monitor_enter_fast(struct thread *self, struct object *obj, struct frame *frame)
{
    uint32_t mine = self->lock_id << LOCK_THREAD_SHIFT | LOCK_THIN;
    uint32_t word = 0;

    if (__builtin_expect(self->lock_count == self->lock_capacity, 0))
        return false;
    if (!__atomic_compare_exchange_n(&obj->lock, &word, mine, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED)) {
        if ((word & ~LOCK_COUNT_MASK) != mine
            || (word & LOCK_COUNT_MASK) == LOCK_COUNT_MASK
            || !__atomic_compare_exchange_n(&obj->lock, &word, word + LOCK_COUNT_ONE,
                                            false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return false;
    }
    self->locks[self->lock_count++] = (struct held_lock){ obj, frame };
    return true;
}

/* Leaves obj's monitor if it is thin, self's, and the newest entry of the lock stack.
   Returns whether it did. */
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
