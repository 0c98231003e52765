/* SPDX-License-Identifier: MIT */
/* minivm/test/thread-fixture.c -- see the header. */

#include "test/thread-fixture.h"

#include "runtime/start.h"
#include "threads/thread_list.h"

struct vm test_vm;

struct thread *
fixture_start(void)
{
    const struct heap_options options = { .initial = 1 << 20, .maximum = 8 << 20 };
    const char *error;

    the_vm = &test_vm;
    if (!test_vm.heap)
        test_vm.heap = heap_new(&options, &error);
    safepoint_init(&test_vm);
    threads_init(&test_vm);
    monitor_init(&test_vm);
    return thread_attach_first(&test_vm);
}

static void *
run(void *arg)
{
    struct runner *r = arg;
    struct thread *self = thread_attach_first(&test_vm);

    r->thread = self;
    threads_lock(&test_vm);
    self->pins++;
    threads_unlock(&test_vm);
    atomic_store(&r->is_attached, true);
    r->fn(self, r->arg);
    thread_leave_vm(self);
    thread_drop(self);
    return NULL;
}

void
runner_start(struct thread *self, struct runner *r,
             void (*fn)(struct thread *self, void *arg), void *arg)
{
    r->fn = fn;
    r->arg = arg;
    atomic_store(&r->is_attached, false);
    pthread_create(&r->pthread, NULL, run, r);
    AWAIT(self, atomic_load(&r->is_attached));
}

void
runner_join(struct thread *self, struct runner *r)
{
    thread_block_begin(self);
    pthread_join(r->pthread, NULL);
    thread_block_end(self);
    thread_unpin(r->thread);
}
