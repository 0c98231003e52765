/* SPDX-License-Identifier: MIT */
/* minivm/threads/schedule.c -- the schedule: who has the turn, and who waits for it.
 *
 * Every thread has ATTENTION_SCHEDULE for ever, so all its polls and transitions take
 * the slow paths of safepoint.c, which call the functions here.
 *
 * A thread that was started or woken, or that runs native code, needs some real time until
 * it waits for the turn.  So that it takes part in the next draw, whoever gives the turn
 * away waits for those that are to come, unless they sleep in a system call: these are not
 * waited for again before they have come.  So a loaded machine makes no difference.
 * Who gets the turn waits for them, too, before it goes on: so the native code of one
 * thread runs while the others wait, and what it does between two calls is not mixed with
 * theirs.  Draws are among the waiting threads in the order of their serial numbers.
 *
 * A thread that is about to return to native code may be held back there, for one draw or
 * for many: what others do meanwhile comes between its call and what its native code does
 * next.  Few long delays find what needs one thread to be late where all the others are
 * quick, which draws alone, that are fair, would not.
 */

#include "threads/schedule.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

/* A thread has the turn for up to so many polls. */
enum { MOST_POLLS = 2000 };
/* Who is to come is looked for so often, at first without a rest, then with so many
   nanoseconds in between; so often again those that are all asleep. */
enum { BUSY_LOOKS = 50, LOOKS = 100000, LOOKS_ASLEEP = 100, LOOK_NANOS = 50000 };
/* One return to native code in so many is held back, for up to two to the power of this
   draws. */
enum { HELD_BACK_ONE_IN = 4, MOST_DELAY_BITS = 12 };

_Atomic bool schedule_is_on;

struct schedule {
    struct mutex mutex;
    pthread_cond_t changed;        /* holder is another */
    uint64_t numbers;              /* state of the draws */
    struct thread *_Atomic holder; /* who has the turn, or NULL */
    /* Those that wait for it, by serial number. */
    TAILQ_HEAD(, schedule_waiter) waiters;
    uint32_t waiter_count;
    /* The threads that have the mark of this round: those that are to come. */
    struct thread **comers;
    uint32_t most_comers;
    _Atomic uint32_t coming;
    uint32_t round; /* from 1 on */
    uint64_t draws; /* so many turns were given */
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
    if (s->coming == s->most_comers) {
        s->most_comers = s->most_comers * 2 + 16;
        s->comers = mem_realloc(s->comers, s->most_comers * sizeof *s->comers);
    }
    s->comers[s->coming] = t;
    s->coming++;
}

static void
unmark_coming(struct schedule *s, struct thread *t)
{
    if (t->schedule_round == s->round) {
        uint32_t i = 0;

        while (s->comers[i] != t)
            i++;
        s->comers[i] = s->comers[s->coming - 1];
        s->coming--;
    }
    t->schedule_round = 0;
}

/* Does the thread sleep in a system call?  False if the kernel does not tell. */
static bool
is_asleep(const struct thread *t)
{
    char path[64], text[256];
    const char *state;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", t->native_id);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    /* "12 (name) S ..." */
    state = strrchr(text, ')');
    return state && strncmp(state, ") S", 3) == 0;
}

static bool
are_all_asleep(struct schedule *s)
{
    LOCK(&s->mutex);
    for (uint32_t i = 0; i < s->coming; i++)
        if (!is_asleep(s->comers[i]))
            return false;
    return true;
}

/* Waits for those that are to come.  One that waits for another of them sleeps, too, but
   not for longer than that one runs. */
static void
settle(struct schedule *s)
{
    const struct timespec t = { 0, LOOK_NANOS };
    int asleep = 0;

    for (int i = 0; i < BUSY_LOOKS && s->coming > 0; i++)
        sched_yield();
    for (int i = 0; i < LOOKS && s->coming > 0 && asleep < LOOKS_ASLEEP; i++) {
        nanosleep(&t, NULL);
        asleep = are_all_asleep(s) ? asleep + 1 : 0;
    }
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

/* Only one thread runs at a time, so one processor is enough, and on one the system's own
   order of those that come hardly differs between two runs.  New threads inherit it. */
static void
take_one_processor(const struct thread *t)
{
    cpu_set_t all, one;
    int i = 0;

    if (t->native_id == 0 || sched_getaffinity(t->native_id, sizeof all, &all) != 0)
        return;
    while (i < CPU_SETSIZE - 1 && !CPU_ISSET(i, &all))
        i++;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    sched_setaffinity(t->native_id, sizeof one, &one);
}

/* Do all threads but self sleep in a system call, outside of the VM's own code? */
static bool
others_are_at_rest(const struct thread *self)
{
    bool at_rest = true;

    threads_lock(self->vm);
    FOR_EACH_THREAD(self->vm, t)
        if (t != self && (run_state_of(t) == THREAD_IN_VM || !is_asleep(t)))
            at_rest = false;
    threads_unlock(self->vm);
    return at_rest;
}

/* Those that the class library has started ran freely so far.  Waits until they have come
   to rest, so that the schedule starts from the same state each time; an agent's threads
   may not come to rest, so this has an end. */
static void
await_rest(const struct thread *self)
{
    const struct timespec t = { 0, LOOK_NANOS };
    int at_rest = 0;

    for (int i = 0; i < LOOKS && at_rest < LOOKS_ASLEEP; i++) {
        nanosleep(&t, NULL);
        at_rest = others_are_at_rest(self) ? at_rest + 1 : 0;
    }
}

/* Threads that are IN_VM when a schedule starts would not wait for the turn, so the world
   is stopped. */
void
schedule_start(struct thread *self, uint32_t seed)
{
    struct schedule *s = self->vm->schedule;

    await_rest(self);
    world_stop(self, "schedule");
    mutex_lock(&s->mutex);
    s->numbers = seed;
    s->holder = self;
    atomic_store(&schedule_is_on, true);
    mutex_unlock(&s->mutex);
    FOR_EACH_THREAD(self->vm, t) {
        take_one_processor(t);
        schedule_join(t);
    }
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
schedule_woken(struct thread *t, bool is_asleep)
{
    struct schedule *s = t->vm->schedule;

    if (!schedule_is_on)
        return;
    LOCK(&s->mutex);
    if (!t->schedule_waits && s->holder != t
        && (is_asleep || run_state_of(t) == THREAD_BLOCKED))
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

/* How many wait that are not held back. */
static uint32_t
count_ready(const struct schedule *s)
{
    const struct schedule_waiter *w;
    uint32_t n = 0;

    TAILQ_FOREACH(w, &s->waiters, link)
        n += w->thread->schedule_delay <= s->draws;
    return n;
}

/* The next one has the turn; one that is held back only if there is no other.  The caller
   holds the mutex and has it. */
static void
pass_on(struct schedule *s)
{
    uint32_t ready = count_ready(s), n;
    struct schedule_waiter *w;

    s->holder = NULL;
    if (s->waiter_count == 0)
        return;
    n = draw(s, ready > 0 ? ready : s->waiter_count);
    TAILQ_FOREACH(w, &s->waiters, link)
        if ((ready == 0 || w->thread->schedule_delay <= s->draws) && n-- == 0)
            break;
    s->draws++;
    s->holder = w->thread;
    pthread_cond_broadcast(&s->changed);
}

/* Waits until self has the turn and those that are to come have come; the caller holds the
   mutex.  If nobody has it, self draws, in which it wins. */
static void
await_turn(struct schedule *s, struct schedule_waiter *own)
{
    while (s->holder != own->thread) {
        if (!s->holder)
            pass_on(s);
        if (s->holder != own->thread)
            pthread_cond_wait(&s->changed, &s->mutex.m);
    }
    mutex_unlock(&s->mutex);
    settle(s);
    mutex_lock(&s->mutex);
}

/* One that is held back gets the turn where there is no other, and gives it to those that
   have come since. */
static bool
gives_again(const struct schedule *s, const struct thread *self)
{
    return self->schedule_delay > s->draws && count_ready(s) > 0;
}

static void
end_wait(struct schedule *s, struct schedule_waiter *own)
{
    TAILQ_REMOVE(&s->waiters, own, link);
    s->waiter_count--;
    own->thread->schedule_waits = false;
    own->thread->schedule_delay = 0;
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
    bool had_turn, is_free;

    atomic_store(&self->run_state, THREAD_BLOCKED);
    safepoint_notify(self->vm);
    mutex_lock(&s->mutex);
    had_turn = s->holder == self;
    is_free = !s->holder;
    unmark_coming(s, self);
    add_waiter(s, &own);
    mutex_unlock(&s->mutex);
    /* From here on self may be given the turn, which is not to be given away then. */
    if (had_turn || is_free)
        settle(s);
    mutex_lock(&s->mutex);
    if (had_turn || !s->holder)
        pass_on(s);
    await_turn(s, &own);
    while (gives_again(s, self)) {
        pass_on(s);
        await_turn(s, &own);
    }
    end_wait(s, &own);
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

/* comes: self is to come again.  One that is about to wait is so, too, until it sleeps,
   since it may have nothing to wait for. */
static void
give(struct thread *self, bool comes)
{
    struct schedule *s = self->vm->schedule;

    if (!schedule_is_on || s->holder != self)
        return;
    settle(s);
    LOCK(&s->mutex);
    if (comes)
        mark_coming(s, self);
    pass_on(s);
}

void
schedule_give(struct thread *self)
{
    give(self, true);
}

/* Is self to be held back?  If so its delay is drawn.  One at a time is: the others are
   to be quick. */
static bool
is_held_back(struct schedule *s, struct thread *self)
{
    settle(s);
    LOCK(&s->mutex);
    if (s->waiter_count == 0 || count_ready(s) < s->waiter_count
        || draw(s, HELD_BACK_ONE_IN) > 0)
        return false;
    self->schedule_delay = s->draws + draw(s, 1u << draw(s, MOST_DELAY_BITS + 1));
    return true;
}

/* self is BLOCKED while it waits, and in native code again afterwards. */
static void
wait_in_native(struct schedule *s, struct thread *self)
{
    wait_for_turn(s, self);
    atomic_store(&self->run_state, THREAD_IN_NATIVE);
}

void
schedule_leave(struct thread *self)
{
    struct schedule *s = self->vm->schedule;

    if (schedule_is_on && s->holder == self && !world_is_stopped_by(self)
        && is_held_back(s, self))
        wait_in_native(s, self);
    schedule_give(self);
}

void
schedule_point_slow(struct thread *self)
{
    struct schedule *s = self->vm->schedule;

    if (run_state_of(self) != THREAD_IN_NATIVE || s->holder == self)
        return;
    wait_in_native(s, self);
    schedule_leave(self);
}

void
schedule_part(struct thread *t)
{
    schedule_sleeps(t);
    give(t, false);
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
