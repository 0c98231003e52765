/* SPDX-License-Identifier: MIT */
/* minivm/test/thread-fixture.h -- a VM without Java: threads, safepoints, monitors. */
#ifndef MINIVM_TEST_THREAD_FIXTURE_H
#define MINIVM_TEST_THREAD_FIXTURE_H

#include "threads/monitor.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "runtime/vm.h"

/* The VM of the test, and its main thread, which is attached and IN_VM. */
extern struct vm test_vm;
struct thread *fixture_start(void);

/* A thread that runs fn, attached and IN_VM. */
struct runner {
    pthread_t pthread;
    struct thread *thread;     /* pinned until runner_join */
    void (*fn)(struct thread *self, void *arg);
    void *arg;
    _Atomic bool is_attached;
};

/* Returns when the runner is attached. */
void runner_start(struct thread *self, struct runner *r,
                  void (*fn)(struct thread *self, void *arg), void *arg);
/* Waits for its end, as a thread that is blocked. */
void runner_join(struct thread *self, struct runner *r);

/* Lets others run until condition holds; as a thread that polls. */
#define AWAIT(self, condition) \
    while (!(condition)) { \
        thread_poll(self); \
        thread_yield(self); \
    }

#endif
