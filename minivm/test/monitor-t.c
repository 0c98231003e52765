/* SPDX-License-Identifier: MIT */
/* minivm/test/monitor-t.c -- thin and inflated monitors, wait and notify, deflation. */

#include <stdlib.h>

#include "base/os.h"
#include "test/heap-fixture.h"
#include "test/tap.h"
#include "test/thread-fixture.h"
#include "threads/monitor_table.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

enum { RUNNERS = 4, ROUNDS = 20000 };

static bool
is_inflated(const struct object *o)
{
    return (__atomic_load_n(&o->lock, __ATOMIC_ACQUIRE) & LOCK_TAG) == LOCK_INFLATED;
}

static void
test_thin(struct thread *self)
{
    struct object o = { 0 };
    char frames[2];
    struct frame *outer = (struct frame *)&frames[0];
    struct frame *inner = (struct frame *)&frames[1];

    for (int i = 0; i < 256; i++)
        monitor_enter(self, &o, outer);
    ok(!is_inflated(&o), "256 entries fit into the lock word");
    ok(monitor_is_held(self, &o), "held");
    monitor_enter(self, &o, inner);
    ok(is_inflated(&o), "the 257th inflates");
    is_int(self->lock_count, 257, "each entry is on the lock stack");
    ok(monitor_exit_frame(self, inner), "a frame leaves what it entered");
    is_int(self->lock_count, 256, "and only that");
    ok(!monitor_exit_frame(self, inner), "nothing is left of it");
    for (int i = 0; i < 255; i++)
        monitor_exit(self, &o);
    ok(monitor_is_held(self, &o), "still held");
    monitor_exit(self, &o);
    ok(!monitor_is_held(self, &o), "free");
    is_int(self->lock_count, 0, "the lock stack is empty");
}

static void
test_order(struct thread *self)
{
    struct object a = { 0 }, b = { 0 };

    monitor_enter(self, &a, NULL);
    monitor_enter(self, &b, NULL);
    monitor_exit(self, &a);
    ok(!monitor_is_held(self, &a) && monitor_is_held(self, &b),
       "locks may be left in any order");
    monitor_exit_all(self);
    ok(!monitor_is_held(self, &b), "a thread that ends leaves all");
}

struct counter {
    struct object lock;
    uint64_t value;
    bool polls;
};

static void
run_counting(struct thread *self, void *arg)
{
    struct counter *c = arg;

    for (int i = 0; i < ROUNDS; i++) {
        if (!monitor_enter_fast(self, &c->lock, NULL))
            monitor_enter(self, &c->lock, NULL);
        c->value++;
        if (!monitor_exit_fast(self, &c->lock))
            monitor_exit(self, &c->lock);
        thread_poll(self);
    }
}

static void
test_contention(struct thread *self)
{
    struct counter c = { 0 };
    struct runner r[RUNNERS];

    for (int i = 0; i < RUNNERS; i++)
        runner_start(self, &r[i], run_counting, &c);
    for (int i = 0; i < 50; i++) {
        world_stop(self, "while they count");
        world_resume(self);
        thread_yield(self);
    }
    for (int i = 0; i < RUNNERS; i++)
        runner_join(self, &r[i]);
    is_int(c.value, RUNNERS * ROUNDS, "a contended counter loses nothing");
    ok(!monitor_is_held(self, &c.lock), "free in the end");
}

/* A one-place buffer: every item needs a wait and a notify on each side. */
struct place {
    struct object lock;
    int item; /* 0: empty */
    int64_t sum;
};

enum { ITEMS = 4000 };

static void
run_producing(struct thread *self, void *arg)
{
    struct place *p = arg;

    for (int i = 1; i <= ITEMS; i++) {
        monitor_enter(self, &p->lock, NULL);
        while (p->item)
            monitor_wait(self, &p->lock, 0);
        p->item = i;
        monitor_notify_all(self, &p->lock);
        monitor_exit(self, &p->lock);
    }
}

static void
run_consuming(struct thread *self, void *arg)
{
    struct place *p = arg;

    for (int i = 1; i <= ITEMS; i++) {
        monitor_enter(self, &p->lock, NULL);
        while (!p->item)
            monitor_wait(self, &p->lock, i % 2 ? 0 : 10000);
        p->sum += p->item;
        p->item = 0;
        monitor_notify_all(self, &p->lock);
        monitor_exit(self, &p->lock);
    }
}

static void
test_wait_notify(struct thread *self)
{
    struct place p = { 0 };
    struct runner r[4];

    for (int i = 0; i < 4; i++)
        runner_start(self, &r[i], i % 2 ? run_producing : run_consuming, &p);
    for (int i = 0; i < 100; i++) {
        struct thread *t = r[0].thread;
        size_t count;
        struct thread **list = thread_list(&test_vm, WITH_HIDDEN, &count);

        for (size_t j = 0; j < count; j++)
            if (list[j] == t) {
                thread_suspend(self, t);
                thread_yield(self);
                thread_resume(t);
            }
        thread_list_release(list, count);
    }
    for (int i = 0; i < 4; i++)
        runner_join(self, &r[i]);
    is_int(p.sum, (int64_t)ITEMS * (ITEMS + 1), "every item is handed over once");
}

static void
test_timeout(struct thread *self)
{
    struct object o = { 0 };
    int64_t before = os_nanos();

    monitor_enter(self, &o, NULL);
    monitor_enter(self, &o, NULL);
    ok(monitor_wait(self, &o, 20), "a wait with a limit returns");
    ok(os_nanos() - before >= 20000000, "not before the time");
    ok(monitor_is_held(self, &o), "owning the monitor again");
    monitor_exit(self, &o);
    ok(monitor_is_held(self, &o), "as often as before");
    monitor_exit(self, &o);
    ok(!monitor_is_held(self, &o), "then it is free");
}

struct row {
    struct object lock;
    int order[RUNNERS], woken, waiting;
    bool go[RUNNERS];
};

struct waiter_arg {
    struct row *row;
    int number;
};

static void
run_waiting(struct thread *self, void *arg)
{
    struct waiter_arg *w = arg;

    monitor_enter(self, &w->row->lock, NULL);
    w->row->waiting++;
    monitor_wait(self, &w->row->lock, 0);
    w->row->order[w->row->woken++] = w->number;
    monitor_exit(self, &w->row->lock);
}

static int
waiting_in(struct thread *self, struct row *row)
{
    int waiting;

    monitor_enter(self, &row->lock, NULL);
    waiting = row->waiting;
    monitor_exit(self, &row->lock);
    return waiting;
}

static int
woken_in(struct thread *self, struct row *row)
{
    int woken;

    monitor_enter(self, &row->lock, NULL);
    woken = row->woken;
    monitor_exit(self, &row->lock);
    return woken;
}

static void
test_notify_order(struct thread *self)
{
    struct row row = { 0 };
    struct runner r[RUNNERS];
    struct waiter_arg w[RUNNERS];
    struct monitor_usage usage;
    bool in_order = true;

    for (int i = 0; i < RUNNERS; i++) {
        w[i] = (struct waiter_arg){ &row, i };
        runner_start(self, &r[i], run_waiting, &w[i]);
        AWAIT(self, waiting_in(self, &row) == i + 1);
    }
    world_stop(self, "usage");
    monitor_get_usage(&test_vm, &row.lock, &usage);
    ok(!usage.owner && usage.waiter_count == 0 && usage.notify_waiter_count == RUNNERS,
       "four wait to be notified");
    ok(usage.notify_waiters[0] == r[0].thread, "the first comes first");
    ok(monitor_contended(r[2].thread) == &row.lock, "what a waiting thread waits on");
    is_int(thread_full_status(r[2].thread), 0x1 | 0x80 | 0x10 | 0x100, "its state");
    monitor_usage_release(&usage);
    world_resume(self);
    for (int i = 0; i < RUNNERS; i++) {
        monitor_enter(self, &row.lock, NULL);
        monitor_notify(self, &row.lock);
        monitor_exit(self, &row.lock);
        AWAIT(self, woken_in(self, &row) == i + 1);
    }
    for (int i = 0; i < RUNNERS; i++) {
        runner_join(self, &r[i]);
        in_order &= row.order[i] == i;
    }
    ok(in_order, "notified in the order in which they began to wait");
}

static void
run_entering(struct thread *self, void *arg)
{
    struct counter *c = arg;

    monitor_enter(self, &c->lock, NULL);
    c->value++;
    monitor_exit(self, &c->lock);
}

static void
test_suspended_contender(struct thread *self)
{
    struct counter c = { 0 };
    struct runner first, second;

    monitor_enter(self, &c.lock, NULL);
    runner_start(self, &first, run_entering, &c);
    AWAIT(self, monitor_contended(first.thread) == &c.lock);
    runner_start(self, &second, run_entering, &c);
    AWAIT(self, monitor_contended(second.thread) == &c.lock);
    is_int(thread_full_status(first.thread), 0x1 | 0x400, "blocked on enter");
    thread_suspend(self, first.thread);
    is_int(thread_full_status(first.thread), 0x1 | 0x400 | 0x100000, "and suspended");
    monitor_exit(self, &c.lock);
    runner_join(self, &second);
    is_int(c.value, 1, "a suspended contender lets the next one pass");
    thread_resume(first.thread);
    runner_join(self, &first);
    is_int(c.value, 2, "and enters when it is resumed");
}

static void
test_spinning(struct thread *self)
{
    struct wakeup w = { 0 };
    struct counter c = { 0 };
    struct runner r;
    struct monitor *m;

    ok(!wakeup_spin(&w, 10), "a spin without a token ends");
    wakeup_set(&w);
    ok(wakeup_spin(&w, 1) && !wakeup_spin(&w, 1), "a spin takes the token");
    test_vm.monitors->processors = 1;
    monitor_enter(self, &c.lock, NULL);
    runner_start(self, &r, run_entering, &c);
    AWAIT(self, monitor_contended(r.thread) == &c.lock);
    m = word_monitor(&test_vm, lock_word(&c.lock));
    is_int(m->spins, SPINS_MAX, "nobody spins on one processor");
    monitor_exit(self, &c.lock);
    runner_join(self, &r);
    test_vm.monitors->processors = 0;
}

static struct fixture heap;

static void
test_deflation(struct thread *self)
{
    struct runner r;
    struct counter c = { 0 };
    struct object *kept, *lost;

    size_t before = monitor_count(&test_vm);
    kept = fixture_new(&heap, LEAF);
    lost = fixture_new(&heap, LEAF);
    for (int i = 0; i < 300; i++) {
        monitor_enter(self, kept, NULL);
        monitor_enter(self, lost, NULL);
    }
    is_int(monitor_count(&test_vm), before + 2, "two are inflated");
    world_stop(self, "collect");
    fixture_collect(&heap);
    world_resume(self);
    ok(is_inflated(lost) && monitor_is_held(self, lost),
       "a held monitor keeps its object");
    while (self->lock_count)
        monitor_exit(self, self->locks[self->lock_count - 1].object);
    runner_start(self, &r, run_entering, &c);
    heap.roots[0] = kept;
    world_stop(self, "collect");
    fixture_collect(&heap);
    world_resume(self);
    runner_join(self, &r);
    is_int(kept->lock, 0, "an idle monitor is deflated");
    ok(monitor_count(&test_vm) <= 1, "all idle ones are free again");
}

int
main(void)
{
    struct thread *self;

    fixture_init(&heap,
                 &(struct heap_options){ .initial = 1 << 20, .maximum = 8 << 20 });
    test_vm.heap = heap.heap;
    self = fixture_start();
    /* First: the collector would not know what the others' objects are. */
    test_deflation(self);
    test_thin(self);
    test_order(self);
    test_contention(self);
    test_wait_notify(self);
    test_timeout(self);
    test_notify_order(self);
    test_suspended_contender(self);
    test_spinning(self);
    return done_testing();
}
