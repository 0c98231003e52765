/* SPDX-License-Identifier: MIT */
/* minivm/test/thread-t.c -- the list of threads, park, sleep, hooks. */

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os.h"
#include "diagnostics/fault.h"
#include "test/tap.h"
#include "test/thread-fixture.h"
#include "threads/thread_list.h"

enum { RUNNERS = 4, ROUNDS = 5000 };

static void
run_until_unparked(struct thread *self, void *arg)
{
    (void)arg;
    thread_park(self, false, 0);
}

static void
test_park(struct thread *self)
{
    struct runner r;
    int64_t before = os_nanos();

    thread_unpark(self);
    thread_park(self, false, 0);
    ok(1, "a permit lets the next park return");
    thread_park(self, false, 10000000);
    ok(os_nanos() - before >= 10000000, "a park with a limit waits");
    thread_park(self, true, os_wall_nanos() / 1000000 + 10);
    ok(os_nanos() - before >= 19000000, "and so does one until a moment");
    thread_park(self, false, -1);
    thread_park(self, true, 0);
    ok(1, "a time that has passed returns at once");
    runner_start(self, &r, run_until_unparked, NULL);
    AWAIT(self, thread_status(r.thread) == (0x1 | 0x80 | 0x10 | 0x200));
    thread_unpark(r.thread);
    runner_join(self, &r);
    ok(1, "unpark wakes");
    runner_start(self, &r, run_until_unparked, NULL);
    AWAIT(self, thread_status(r.thread) == (0x1 | 0x80 | 0x10 | 0x200));
    thread_mark_interrupted(r.thread);
    thread_interrupt(r.thread);
    runner_join(self, &r);
    ok(1, "interrupt wakes");
}

struct ball {
    struct thread *_Atomic players[2];
    _Atomic int turn;
};

struct player {
    struct runner runner;
    struct ball *ball;
    int number;
};

static void
run_playing(struct thread *self, void *arg)
{
    struct player *p = arg;

    AWAIT(self, atomic_load(&p->ball->players[1]));
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&p->ball->turn) != p->number)
            thread_park(self, false, 0);
        atomic_store(&p->ball->turn, 1 - p->number);
        thread_unpark(p->ball->players[1 - p->number]);
    }
    while (atomic_load(&p->ball->turn) != 2 && p->number == 1)
        atomic_store(&p->ball->turn, 2);
    AWAIT(self, atomic_load(&p->ball->turn) == 2);
}

static void
test_ping_pong(struct thread *self)
{
    struct ball ball = { .turn = 0 };
    struct player p[2];

    for (int i = 0; i < 2; i++) {
        p[i] = (struct player){ .ball = &ball, .number = i };
        runner_start(self, &p[i].runner, run_playing, &p[i]);
    }
    for (int i = 0; i < 2; i++)
        atomic_store(&ball.players[i], p[i].runner.thread);
    for (int i = 0; i < 2; i++)
        runner_join(self, &p[i].runner);
    is_int(atomic_load(&ball.turn), 2, "no unpark is lost");
}

static void
test_sleep(struct thread *self)
{
    int64_t before = os_nanos();

    ok(thread_sleep(self, 10000000), "sleep");
    ok(os_nanos() - before >= 10000000, "for as long as asked");
}

static int created, ended;

static void
count_created(struct thread *t)
{
    (void)t;
    __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
}

static void
count_ended(struct thread *t)
{
    (void)t;
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static void
run_nothing(struct thread *self, void *arg)
{
    (void)self;
    (void)arg;
}

static void
test_life(struct thread *self)
{
    struct runner r[RUNNERS];
    size_t count;
    struct thread **list;

    test_vm.thread_created = count_created;
    test_vm.thread_ended = count_ended;
    for (int i = 0; i < RUNNERS; i++)
        runner_start(self, &r[i], run_until_unparked, NULL);
    is_int(created, RUNNERS, "upper floors hear of every thread");
    list = thread_list(&test_vm, WITH_HIDDEN, &count);
    is_int(count, RUNNERS + 1, "the list has all threads");
    ok(list[0] == self && list[1] == r[0].thread, "oldest first");
    for (int i = 0; i < RUNNERS; i++) {
        thread_unpark(r[i].thread);
        runner_join(self, &r[i]);
    }
    is_int(test_vm.thread_count, 1, "they ended");
    is_int(__atomic_load_n(&ended, __ATOMIC_RELAXED), 0, "but are kept while pinned");
    ok(list[1]->is_ended, "and known to have ended");
    thread_list_release(list, count);
    is_int(ended, RUNNERS, "then they are freed");
    runner_start(self, &r[0], run_nothing, NULL);
    runner_join(self, &r[0]);
    ok(test_vm.peak_threads >= RUNNERS + 1, "the peak is remembered");
}

/* A walk goes on behind a thread that ended while the walk was there. */
static void
test_walk(struct thread *self)
{
    struct runner r[RUNNERS];
    int visited = 0, in_order = 0, found_ended = 0;
    struct thread *t = thread_next(&test_vm, NULL);

    ok(t == self, "a walk begins with the oldest thread");
    for (int i = 0; i < RUNNERS; i++)
        runner_start(self, &r[i], run_until_unparked, NULL);
    /* All end but the last one, while the walk holds a pin of the first of them. */
    t = thread_next(&test_vm, t);
    for (int i = 0; i < RUNNERS - 1; i++) {
        thread_unpark(r[i].thread);
        runner_join(self, &r[i]);
    }
    ok(t->is_ended, "a thread ends while the walk is there");
    t = thread_next(&test_vm, t);
    ok(t == r[RUNNERS - 1].thread, "the walk goes on with the next one that lives");
    thread_unpark(t);
    runner_join(self, &r[RUNNERS - 1]);
    ok(thread_next(&test_vm, t) == NULL, "and ends behind the newest");

    for (int i = 0; i < RUNNERS; i++)
        runner_start(self, &r[i], run_until_unparked, NULL);
    for (t = thread_next(&test_vm, NULL); t; t = thread_next(&test_vm, t)) {
        in_order += t == (visited ? r[visited - 1].thread : self);
        found_ended += t->is_ended;
        visited++;
    }
    is_int(visited, RUNNERS + 1, "a walk visits every thread once");
    is_int(in_order, RUNNERS + 1, "oldest first");
    is_int(found_ended, 0, "and none that has ended");
    for (int i = 0; i < RUNNERS; i++) {
        thread_unpark(r[i].thread);
        runner_join(self, &r[i]);
    }
}

/* As when as many threads have been there as the range has numbers. */
static void
test_lock_ids(struct thread *self)
{
    const uint32_t LAST = test_vm.lock_ids.limit;
    struct runner r[2];

    test_vm.lock_ids.last = LAST - 1;
    for (int i = 0; i < 2; i++)
        runner_start(self, &r[i], run_until_unparked, NULL);
    is_int(r[0].thread->lock_id, LAST, "the last lock id is given");
    is_int(self->lock_id, 1, "the first one is taken");
    is_int(r[1].thread->lock_id, 2, "and passed over when they come again");
    for (int i = 0; i < 2; i++) {
        thread_unpark(r[i].thread);
        runner_join(self, &r[i]);
    }
}

static void
test_hooks(struct thread *self)
{
    union slot *limit = atomic_load(&self->limit);

    ok(limit == self->stack_red && self->stack_red < self->stack_end,
       "calls keep a reserve");
    thread_set_hooks(self, HOOK_METHOD_ENTRY | HOOK_METHOD_EXIT, 0);
    ok(!atomic_load(&self->limit), "method entries make calls slow");
    thread_set_hooks(self, 0, HOOK_METHOD_ENTRY);
    ok(atomic_load(&self->limit) == limit, "method exits do not");
    thread_set_hooks(self, 0, HOOK_METHOD_EXIT);
    ok(atomic_load(&self->poll.both) == 0, "nobody watches");
}

static void
test_handles(struct thread *self)
{
    struct object o[3];
    size_t mark = self->handle_count;

    {
        HANDLE_SCOPE(self);
        for (int i = 0; i < 1000; i++)
            handle_new(self, &o[i % 3]);
        is_int(self->handle_count, mark + 1000, "a scope grows");
        ok(self->handles[mark + 700] == &o[700 % 3], "and keeps its content");
    }
    is_int(self->handle_count, mark, "and lets go");
}

static bool
read_word_body(struct thread *self, union slot *args)
{
    (void)self;
    args[1].i = *(volatile int *)(uintptr_t)args[0].j;
    return true;
}

static bool
read_word(struct thread *self, const volatile int *at, int *value)
{
    union slot args[2] = { { .j = (int64_t)(uintptr_t)at }, { .i = 0 } };
    bool good = fault_guard(self, read_word_body, args);

    if (good)
        *value = args[1].i;
    return good;
}

static void
test_faults(struct thread *self)
{
    FILE *file = tmpfile();
    int value = 17;
    volatile int *map;

    fault_init();
    ok(read_word(self, &(int){ 4 }, &value) && value == 4, "memory that is there");
    value = 17;
    ok(!read_word(self, (int *)64, &value), "an address that is none");
    ok(!read_word(self, (int *)64, &value), "again");
    fwrite(&value, sizeof value, 1, file);
    fflush(file);
    map = mmap(NULL, sizeof value, PROT_READ, MAP_SHARED, fileno(file), 0);
    ok(read_word(self, map, &value) && value == 17, "a mapped file");
    ok(ftruncate(fileno(file), 0) == 0 && !read_word(self, map, &value),
       "a mapped file that shrank");
    ok(!self->fault_armed, "nothing stays armed");
    fclose(file);
}

int
main(void)
{
    struct thread *self = fixture_start();

    test_park(self);
    test_ping_pong(self);
    test_sleep(self);
    test_life(self);
    test_walk(self);
    test_lock_ids(self);
    test_hooks(self);
    test_handles(self);
    test_faults(self);
    return done_testing();
}
