/* SPDX-License-Identifier: MIT */
/* minivm/threads/schedule.c -- the schedule: who has the turn, and who waits for it.
 *
 * Every thread has ATTENTION_SCHEDULE for ever, so all its polls and transitions take
 * the slow paths of safepoint.c, which call the functions here.
 *
 * A thread that was started or woken, or that runs native code, needs some real time until
 * it waits for the turn.  So that it takes part in the next draw, whoever gives the turn
 * away waits for those that are to come, though not for long: what has not come by then is
 * not waited for again before it has.  Draws are among the waiting threads in the order of
 * their serial numbers.
 */

#include "threads/schedule.h"

#include <time.h>

#include "base/mem.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

/* A thread has the turn for up to so many polls. */
enum { MOST_POLLS = 2000 };
/* Who is to come is looked for so often, with so many nanoseconds in between. */
enum { LOOKS = 4000, LOOK_NANOS = 50000 };

_Atomic bool schedule_is_on;

struct schedule {
    struct mutex mutex;
    pthread_cond_t changed;        /* holder is another */
    uint64_t numbers;              /* state of the draws */
    struct thread *_Atomic holder; /* who has the turn, or NULL */
    /* Those that wait for it, by serial number. */
    TAILQ_HEAD(, schedule_waiter) waiters;
    uint32_t waiter_count;
    /* How many threads have the mark of this round: those that are to come. */
    _Atomic uint32_t coming;
    uint32_t round; /* from 1 on */
};

struct schedule_waiter {
    struct thread *thread;
    TAILQ_ENTRY(schedule_waiter) link;
};

void
schedule_init(struct vm *vm)
{
    struct schedule *s = mem_calloc(1, sizeof *s);

    mutex_init(&s->mutex);
    pthread_cond_init(&s->changed, NULL);
    TAILQ_INIT(&s->waiters);
    s->round = 1;
    vm->schedule = s;
}

/* The caller of both holds the mutex. */
static void
mark_coming(struct schedule *s, struct thread *t)
{
    if (t->schedule_round == s->round)
        return;
    t->schedule_round = s->round;
    s->coming++;
}

static void
unmark_coming(struct schedule *s, struct thread *t)
{
    if (t->schedule_round == s->round)
        s->coming--;
    t->schedule_round = 0;
}

/* Waits for those that are to come. */
static void
settle(struct schedule *s)
{
    const struct timespec t = { 0, LOOK_NANOS };

    for (int i = 0; i < LOOKS && s->coming > 0; i++)
        nanosleep(&t, NULL);
    if (s->coming == 0)
        return;
    LOCK(&s->mutex);
    s->round++;
    s->coming = 0;
}

static uint32_t
run_state_of(const struct thread *t)
{
    return atomic_load(&t->run_state);
}

/* splitmix64; the caller holds the mutex. */
static uint32_t
draw(struct schedule *s, uint32_t below)
{
    uint64_t x = s->numbers += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) >> 32) % below;
}

/* Threads that are IN_VM when a schedule starts would not wait for the turn, so the world
   is stopped. */
void
schedule_start(struct thread *self, uint32_t seed)
{
    struct schedule *s = self->vm->schedule;

    world_stop(self, "schedule");
    mutex_lock(&s->mutex);
    s->numbers = seed;
    s->holder = self;
    atomic_store(&schedule_is_on, true);
    mutex_unlock(&s->mutex);
    FOR_EACH_THREAD(self->vm, t)
        schedule_join(t);
    world_resume(self);
}

void
schedule_join(struct thread *t)
{
    struct schedule *s = t->vm->schedule;

    if (!schedule_is_on)
        return;
    LOCK(&s->mutex);
    t->schedule_polls = draw(s, MOST_POLLS) + 1;
    if (s->holder != t && run_state_of(t) != THREAD_BLOCKED)
        mark_coming(s, t);
    attention_set(t, ATTENTION_SCHEDULE);
}

void
schedule_woken(struct thread *t)
{
    struct schedule *s = t->vm->schedule;

    if (!schedule_is_on)
        return;
    LOCK(&s->mutex);
    if (!t->schedule_waits && s->holder != t && run_state_of(t) == THREAD_BLOCKED)
        mark_coming(s, t);
}

void
schedule_sleeps(struct thread *t)
{
    struct schedule *s = t->vm->schedule;

    if (!schedule_is_on)
        return;
    LOCK(&s->mutex);
    unmark_coming(s, t);
}

/* The next one has the turn.  The caller holds the mutex and has it. */
static void
pass_on(struct schedule *s)
{
    struct schedule_waiter *w = TAILQ_FIRST(&s->waiters);

    s->holder = NULL;
    if (!w)
        return;
    for (uint32_t n = draw(s, s->waiter_count); n > 0; n--)
        w = TAILQ_NEXT(w, link);
    s->holder = w->thread;
    pthread_cond_broadcast(&s->changed);
}

/* Waits until self has the turn; the caller holds the mutex.  If nobody has it, self
   draws, in which it wins. */
static void
await_turn(struct schedule *s, struct schedule_waiter *own)
{
    while (s->holder != own->thread) {
        if (!s->holder)
            pass_on(s);
        if (s->holder != own->thread)
            pthread_cond_wait(&s->changed, &s->mutex.m);
    }
    TAILQ_REMOVE(&s->waiters, own, link);
    s->waiter_count--;
    own->thread->schedule_waits = false;
    own->thread->schedule_polls = draw(s, MOST_POLLS) + 1;
}

static void
add_waiter(struct schedule *s, struct schedule_waiter *own)
{
    struct schedule_waiter *w;

    s->waiter_count++;
    own->thread->schedule_waits = true;
    TAILQ_FOREACH(w, &s->waiters, link)
        if (w->thread->serial > own->thread->serial) {
            TAILQ_INSERT_BEFORE(w, own, link);
            return;
        }
    TAILQ_INSERT_TAIL(&s->waiters, own, link);
}

/* Waits for the turn, having given away what self has.  Those that stop the world do not
   wait for self meanwhile. */
static void
wait_for_turn(struct schedule *s, struct thread *self)
{
    struct schedule_waiter own = { .thread = self };

    atomic_store(&self->run_state, THREAD_BLOCKED);
    safepoint_notify(self->vm);
    mutex_lock(&s->mutex);
    unmark_coming(s, self);
    add_waiter(s, &own);
    mutex_unlock(&s->mutex);
    if (!s->holder || s->holder == self)
        settle(s);
    mutex_lock(&s->mutex);
    if (!s->holder || s->holder == self)
        pass_on(s);
    await_turn(s, &own);
    mutex_unlock(&s->mutex);
}

/* Only self makes itself the holder, or is made it while it waits; so without the mutex
   it sees whether it is.  The owner of a stop goes on without the turn: who has it waits
   for the end of the stop. */
void
schedule_take(struct thread *self)
{
    struct schedule *s = self->vm->schedule;

    if (schedule_is_on && !world_is_stopped_by(self) && atomic_load(&s->holder) != self)
        wait_for_turn(s, self);
}

void
schedule_give(struct thread *self)
{
    struct schedule *s = self->vm->schedule;

    if (!schedule_is_on || s->holder != self)
        return;
    settle(s);
    LOCK(&s->mutex);
    if (run_state_of(self) == THREAD_IN_NATIVE)
        mark_coming(s, self);
    pass_on(s);
}

void
schedule_part(struct thread *t)
{
    schedule_sleeps(t);
    schedule_give(t);
}

bool
schedule_is_due(struct thread *self)
{
    return schedule_is_on && --self->schedule_polls == 0;
}

void
schedule_yield(struct thread *self)
{
    wait_for_turn(self->vm->schedule, self);
}
