/* SPDX-License-Identifier: MIT */
/* minivm/test/safepoint-t.c -- global stops, handshakes, suspension, under load. */

#include <stdlib.h>
#include <sys/resource.h>

#include "test/tap.h"
#include "test/thread-fixture.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

enum { RUNNERS = 3, ROUNDS = 100 };

static _Atomic bool quit;
static uint64_t work[RUNNERS]; /* plain: only a stop makes reading it safe */

struct worker {
    struct runner runner;
    unsigned number;
};

/* Java code that polls. */
static void
run_polling(struct thread *self, void *arg)
{
    struct worker *w = arg;

    while (!atomic_load(&quit)) {
        work[w->number]++;
        thread_poll(self);
    }
}

/* Java code that calls natives and waits. */
static void
run_switching(struct thread *self, void *arg)
{
    struct worker *w = arg;

    while (!atomic_load(&quit)) {
        work[w->number]++;
        thread_leave_vm(self);
        thread_enter_vm(self);
        thread_block_begin(self);
        thread_block_end(self);
    }
}

static void
start_workers(struct thread *self, struct worker *w)
{
    atomic_store(&quit, false);
    for (unsigned i = 0; i < RUNNERS; i++) {
        w[i].number = i;
        runner_start(self, &w[i].runner, i % 2 ? run_polling : run_switching, &w[i]);
    }
}

static void
stop_workers(struct thread *self, struct worker *w)
{
    atomic_store(&quit, true);
    for (unsigned i = 0; i < RUNNERS; i++)
        runner_join(self, &w[i].runner);
}

static uint64_t
total(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < RUNNERS; i++)
        sum += work[i];
    return sum;
}

static void
test_world_stop(struct thread *self)
{
    struct worker w[RUNNERS];
    unsigned moved = 0;

    start_workers(self, w);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t before;

        world_stop(self, "test");
        before = total();
        for (volatile int j = 0; j < 1000; j++)
            ;
        moved += before != total();
        world_resume(self);
    }
    is_int(moved, 0, "nobody runs while the world is stopped");
    ok(!world_is_stopped(&test_vm), "the world runs again");
    world_stop(self, "outer");
    world_stop(self, "inner");
    world_resume(self);
    ok(world_is_stopped(&test_vm), "stops nest");
    world_resume(self);
    stop_workers(self, w);
}

static void
run_stopping(struct thread *self, void *arg)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        world_stop(self, "rival");
        ++*(unsigned *)arg;
        world_resume(self);
    }
}

static void
test_rival_stops(struct thread *self)
{
    struct runner r[RUNNERS];
    unsigned stops = 0;

    for (unsigned i = 0; i < RUNNERS; i++)
        runner_start(self, &r[i], run_stopping, &stops);
    for (unsigned i = 0; i < RUNNERS; i++)
        runner_join(self, &r[i]);
    is_int(stops, RUNNERS * ROUNDS, "rivals stop the world one after the other");
}

static void
count_call(struct thread *target, void *arg)
{
    (void)target;
    ++*(unsigned *)arg;
}

static void
read_work(struct thread *target, void *arg)
{
    (void)target;
    *(uint64_t *)arg += total() != 0;
}

/* While on is true, no memory suffices for a list of all threads: the VM believes that
   it has four thousand million of them, and the process may take no more than now. */
static void
exhaust_lists(bool on)
{
    static uint32_t count;
    static struct rlimit before;

    if (on) {
        struct rlimit none;

        getrlimit(RLIMIT_AS, &before);
        none = before;
        none.rlim_cur = 1 << 20;
        setrlimit(RLIMIT_AS, &none);
        count = test_vm.thread_count;
        test_vm.thread_count = UINT32_MAX;
    } else {
        test_vm.thread_count = count;
        setrlimit(RLIMIT_AS, &before);
    }
}

static void
test_handshakes(struct thread *self)
{
    struct worker w[RUNNERS];
    unsigned calls = 0, all = 0;
    bool answered = true;

    start_workers(self, w);
    for (unsigned i = 0; i < ROUNDS; i++)
        for (unsigned j = 0; j < RUNNERS; j++)
            answered &= handshake(self, w[j].runner.thread, count_call, &calls);
    ok(answered, "every handshake was answered");
    is_int(calls, RUNNERS * ROUNDS, "each ran once");
    handshake_all(self, count_call, &all);
    is_int(all, RUNNERS + 1, "all threads and the caller");
    all = 0;
    exhaust_lists(true);
    handshake_all(self, count_call, &all);
    exhaust_lists(false);
    is_int(all, RUNNERS + 1, "also when there is no memory for a list of them");
    world_stop(self, "test");
    calls = 0;
    handshake(self, w[0].runner.thread, count_call, &calls);
    is_int(calls, 1, "a handshake in a stopped world");
    world_resume(self);
    stop_workers(self, w);
}

struct meeting {
    struct runner runner;
    struct thread *_Atomic partner;
    unsigned calls;
    _Atomic bool is_done;
};

static void
run_meeting(struct thread *self, void *arg)
{
    struct meeting *m = arg;
    unsigned ignored = 0;

    AWAIT(self, atomic_load(&m->partner));
    for (unsigned i = 0; i < ROUNDS; i++)
        m->calls += handshake(self, m->partner, count_call, &ignored);
    atomic_store(&m->is_done, true);
    AWAIT(self, atomic_load(&quit));
}

static void
test_mutual_handshakes(struct thread *self)
{
    struct meeting m[2] = { 0 };
    unsigned ignored = 0;

    atomic_store(&quit, false);
    for (int i = 0; i < 2; i++)
        runner_start(self, &m[i].runner, run_meeting, &m[i]);
    for (int i = 0; i < 2; i++)
        atomic_store(&m[i].partner, m[1 - i].runner.thread);
    for (unsigned i = 0; i < ROUNDS; i++) {
        handshake_all(self, count_call, &ignored);
        world_stop(self, "between");
        world_resume(self);
    }
    AWAIT(self, atomic_load(&m[0].is_done) && atomic_load(&m[1].is_done));
    atomic_store(&quit, true);
    for (int i = 0; i < 2; i++)
        runner_join(self, &m[i].runner);
    ok(m[0].calls == ROUNDS && m[1].calls == ROUNDS,
       "two threads that shake each other's hands");
}

static void
run_briefly(struct thread *self, void *arg)
{
    (void)arg;
    thread_poll(self);
}

static void
test_ending_threads(struct thread *self)
{
    struct runner r[RUNNERS];
    unsigned answered = 0, ran = 0, refused = 0;

    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        struct thread **list;
        size_t count;

        for (unsigned j = 0; j < RUNNERS; j++)
            runner_start(self, &r[j], run_briefly, NULL);
        list = thread_list(&test_vm, WITH_HIDDEN, &count);
        for (size_t j = 0; j < count; j++)
            answered += handshake(self, list[j], count_call, &ran);
        for (unsigned j = 0; j < RUNNERS; j++)
            runner_join(self, &r[j]);
        for (size_t j = 0; j < count; j++)
            refused += list[j] != self && !handshake(self, list[j], count_call, &ran);
        refused -= (unsigned)count - 1;
        thread_list_release(list, count);
    }
    is_int(answered, ran, "handshakes with threads that are about to end");
    is_int(refused, 0, "those that ended refuse them");
    is_int(test_vm.thread_count, 1, "all of them are gone");
}

static void
test_suspension(struct thread *self)
{
    struct worker w[RUNNERS];
    unsigned moved = 0, calls = 0;

    start_workers(self, w);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct thread *t = w[i % RUNNERS].runner.thread;
        uint64_t before;

        thread_suspend(self, t);
        before = work[i % RUNNERS];
        handshake(self, t, count_call, &calls);
        for (volatile int j = 0; j < 1000; j++)
            ;
        moved += before != work[i % RUNNERS];
        thread_resume(t);
    }
    is_int(moved, 0, "a suspended thread does not move");
    is_int(calls, ROUNDS, "but answers handshakes");
    struct thread *t = w[0].runner.thread;
    ok(thread_suspend(self, t), "suspended");
    ok(!thread_suspend(self, t), "not twice");
    ok(thread_is_suspended(t), "others see it");
    world_stop(self, "with a suspended thread");
    uint64_t sum = 0;
    handshake(self, t, read_work, &sum);
    world_resume(self);
    is_int(sum, 1, "the world stops around suspended threads");
    ok(thread_resume(t), "resumed");
    ok(!thread_resume(t), "not twice");
    stop_workers(self, w);
}

static void
run_self_suspending(struct thread *self, void *arg)
{
    thread_suspend(self, self);
    atomic_store((_Atomic bool *)arg, true);
}

static void
test_self_suspension(struct thread *self)
{
    struct runner r;
    _Atomic bool passed = false;

    runner_start(self, &r, run_self_suspending, &passed);
    AWAIT(self, thread_is_suspended(r.thread));
    unsigned calls = 0;
    handshake(self, r.thread, count_call, &calls);
    ok(!atomic_load(&passed), "a thread that suspends itself stops there");
    AWAIT(self, thread_resume(r.thread));
    runner_join(self, &r);
    ok(atomic_load(&passed), "until it is resumed");
}

int
main(void)
{
    struct thread *self = fixture_start();

    test_world_stop(self);
    test_rival_stops(self);
    test_handshakes(self);
    test_mutual_handshakes(self);
    test_ending_threads(self);
    test_suspension(self);
    test_self_suspension(self);
    return done_testing();
}
