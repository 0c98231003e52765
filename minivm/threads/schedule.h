/* SPDX-License-Identifier: MIT */
/* minivm/threads/schedule.h -- seeded schedules of threads (-XX:ScheduleSeed=N).
 *
 * Only one thread at a time is IN_VM: the one that has the turn.  It gives the turn away
 * when it leaves the VM or waits, and after a number of polls that is drawn from the seed;
 * who gets it next is drawn, too.  Each call of a function of JNI or JVM TI is such a
 * point, before it and behind it, also where the function does not enter the VM.  So what
 * threads do to one another follows from the seed as far as they wait for each other only,
 * not for time or for the system.  The functions do nothing, and schedule_is_due is false,
 * while there is no schedule. */

#ifndef MINIVM_THREADS_SCHEDULE_H
#define MINIVM_THREADS_SCHEDULE_H

#include "threads/thread.h"

/* Once true, it stays; a process has one VM. */
extern _Atomic bool schedule_is_on;

void schedule_init(struct vm *vm);

/* From here on there is a schedule.  self gets the turn. */
void schedule_start(struct thread *self, uint32_t seed);

/* t is about to get into the list of threads, or is out of it. */
void schedule_join(struct thread *t);
void schedule_part(struct thread *t);

/* t was woken, maybe while it slept, and is to come; or it sleeps again. */
void schedule_woken(struct thread *t, bool is_asleep);
void schedule_sleeps(struct thread *t);

/* Waits for the turn, unless self has it; self may be BLOCKED then. */
void schedule_take(struct thread *self);

/* Gives the turn away if self has it. */
void schedule_give(struct thread *self);

/* The same for self that has left the VM for native code; it may be held back before, and
   waits BLOCKED then. */
void schedule_leave(struct thread *self);

/* The point of a function that does not enter the VM.  self is in native code, or NULL, or
   in a callback of the collector, which is no point.  Does not wait while self is
   suspended. */
void schedule_point_slow(struct thread *self);

static inline void
schedule_point(struct thread *self)
{
    if (__builtin_expect(schedule_is_on, 0) && self)
        schedule_point_slow(self);
}

/* A poll of self: returns whether its time is over. */
bool schedule_is_due(struct thread *self);

/* Lets another thread have the turn, if one is drawn, and waits to have it again.  self
   becomes BLOCKED. */
void schedule_yield(struct thread *self);

#endif
