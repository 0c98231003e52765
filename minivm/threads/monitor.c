/* SPDX-License-Identifier: MIT */
/* minivm/threads/monitor.c -- entering and leaving the monitors of objects.
 *
 * Thin locks.  While nobody contends, a lock is its owner's lock_id in the object's
 * lock word (monitor.h), and a compare-and-swap enters or leaves.
 *
 * Inflation.  A thread that finds the word of another owner, or that has to wait, takes
 * a struct monitor from the table, copies owner and count into it, and swaps its index
 * into the word.  Since the word says all about a thin lock, the copy was right if the
 * swap succeeds.  From then on the word does not change until deflation, which happens
 * only while the world is stopped and the monitor is idle (monitor_table.c).
 *
 * The rest is done with the struct monitor: contention.c lets threads wait for it and
 * hands it over, monitor_wait.c has the wait sets, and raw_monitor.c the monitors that
 * agents make for themselves.
 *
 * Every entry is noted on the thread's lock stack (monitor.h), which only this file and
 * the fast paths of the interpreter write. */

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "runtime/exception.h"
#include "threads/contention.h"

struct monitor *
monitor_inflate(struct thread *self, struct object *obj)
{
    struct monitor_table *table = self->vm->monitors;
    struct monitor *m = NULL;
    uint32_t word = lock_word(obj);

    while ((word & LOCK_TAG) != LOCK_INFLATED) {
        if (!m)
            m = monitor_new(self->vm, obj);
        if (!m)
            return throw_out_of_memory(self, "too many monitors");
        /* The word says all about a thin lock, so what we copy is right if the swap
           succeeds. */
        atomic_store(&m->owner, word >> LOCK_THREAD_SHIFT);
        m->count = (word & LOCK_COUNT_MASK) / LOCK_COUNT_ONE;
        if (__atomic_compare_exchange_n(&obj->lock, &word,
                                        m->index << 2 | LOCK_INFLATED, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return m;
    }
    if (m) {
        LOCK(&table->mutex);
        monitor_recycle(table, m);
    }
    return word_monitor(self->vm, word);
}

/* Leaves obj's monitor, which self owns, once.  The lock stack is the caller's. */
static void
leave(struct thread *self, struct object *obj)
{
    uint32_t word = lock_word(obj);

    while ((word & LOCK_TAG) == LOCK_THIN) {
        uint32_t next = word & LOCK_COUNT_MASK ? word - LOCK_COUNT_ONE : 0;

        /* It fails when another thread inflates the lock. */
        if (__atomic_compare_exchange_n(&obj->lock, &word, next, false,
                                        __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
            return;
    }
    monitor_leave(word_monitor(self->vm, word));
}

/* ---- the lock stack ---- */

/* Entries of a new lock stack. */
enum { LOCKS_FIRST = 32 };

/* Makes room for one more entry on self's lock stack.  Returns false with
   OutOfMemoryError pending. */
static bool
reserve_lock(struct thread *self)
{
    uint32_t capacity = self->lock_capacity ? self->lock_capacity * 2 : LOCKS_FIRST;
    struct held_lock *locks;

    if (self->lock_count < self->lock_capacity)
        return true;
    locks = mem_try_realloc(self->locks, capacity * sizeof *locks);
    if (!locks)
        return throw_out_of_memory(self, "too many locks held");
    self->locks = locks;
    self->lock_capacity = capacity;
    return true;
}

/* Takes the entry number at from self's lock stack. */
static void
forget_lock(struct thread *self, uint32_t at)
{
    self->lock_count--;
    memmove(&self->locks[at], &self->locks[at + 1],
            (self->lock_count - at) * sizeof self->locks[0]);
}

bool
monitor_note_entry(struct thread *self, struct object *obj, struct frame *frame)
{
    if (!reserve_lock(self)) {
        leave(self, obj);
        return false;
    }
    self->locks[self->lock_count++] = (struct held_lock){ obj, frame };
    return true;
}

/* ---- enter and exit ---- */

/* Enters obj's monitor for frame; only if may_unmount is true the outcome may be
   MONITOR_UNMOUNTS. */
static enum monitor_outcome
enter(struct thread *self, struct object *obj, struct frame *frame, bool may_unmount)
{
    enum contended contended = CONTENDED_SPUN;
    struct monitor *m;

    if (!reserve_lock(self))
        return MONITOR_FAILED;
    /* Even an exchange that fails takes the word from the owner's processor. */
    if ((lock_word(obj) & LOCK_TAG) != LOCK_INFLATED
        && monitor_enter_fast(self, obj, frame))
        return MONITOR_DONE;
    m = monitor_inflate(self, obj);
    if (!m)
        return MONITOR_FAILED;
    if (monitor_is_owner(self, m))
        m->count++;
    else if (!monitor_try_acquire(self, m))
        contended = monitor_enter_contended(self, m, obj, may_unmount ? frame : NULL);
    if (contended == CONTENDED_UNMOUNTED)
        return MONITOR_UNMOUNTS;
    /* A listener of MonitorContendedEnter may have entered other monitors meanwhile. */
    if (!monitor_note_entry(self, obj, frame))
        return MONITOR_FAILED;
    if (contended == CONTENDED_BLOCKED)
        EVENT_SEND(EVENT_MONITOR_ENTERED, monitor_contended_entered, self, obj);
    return MONITOR_DONE;
}

bool
monitor_enter(struct thread *self, struct object *obj, struct frame *frame)
{
    return enter(self, obj, frame, false) == MONITOR_DONE;
}

enum monitor_outcome
monitor_enter_unmounting(struct thread *self, struct object *obj, struct frame *frame)
{
    return enter(self, obj, frame, true);
}

bool
monitor_throw_not_owner(struct thread *self)
{
    return THROW(self, IllegalMonitorStateException, "current thread is not owner");
}

bool
monitor_exit(struct thread *self, struct object *obj)
{
    uint32_t at = self->lock_count;

    while (at > 0 && self->locks[at - 1].object != obj)
        at--;
    if (at == 0)
        return monitor_throw_not_owner(self);
    leave(self, obj);
    forget_lock(self, at - 1);
    return true;
}

bool
monitor_exit_frame(struct thread *self, struct frame *frame)
{
    bool any = false;

    /* Entries without a frame were made by JNI in native methods that this frame has
       called.  They stay. */
    for (uint32_t at = self->lock_count; at > 0; at--) {
        struct held_lock held = self->locks[at - 1];

        if (held.frame == frame) {
            leave(self, held.object);
            forget_lock(self, at - 1);
            any = true;
        } else if (held.frame) {
            break;
        }
    }
    return any;
}

void
monitor_exit_all(struct thread *self)
{
    for (; self->lock_count; self->lock_count--)
        leave(self, self->locks[self->lock_count - 1].object);
}

bool
monitor_is_held(const struct thread *t, const struct object *obj)
{
    uint32_t word = lock_word(obj);

    if ((word & LOCK_TAG) == LOCK_THIN)
        return word >> LOCK_THREAD_SHIFT == t->lock_id;
    return (word & LOCK_TAG) == LOCK_INFLATED
           && atomic_load(&word_monitor(t->vm, word)->owner) == t->lock_id;
}
