/* SPDX-License-Identifier: MIT */
/* Rings and gates under several threads. */
#include <stdlib.h>

#include <tiforge/gate.h>
#include <tiforge/ring.h>

#include <pthread.h>
#include <time.h>

#include "tap.h"

#define WRITERS 4
#define RECORDS 200000

struct record {
    int writer;
    int number;
    unsigned char fill[40];
};

static struct tf_rings *rings;
static int finished;

static void *
write_records(void *argument)
{
    int writer = *(int *)argument;
    struct tf_ring *ring = tf_rings_mine(rings);

    for (int i = 0; i < RECORDS; i++) {
        size_t size = sizeof(int) * 2 + (size_t)(i % 40);
        struct record *record = (struct record *)tf_ring_reserve(ring, size);

        if (record == NULL)
            continue;
        record->writer = writer;
        record->number = i;
        memset(record->fill, i, (size_t)(i % 40));
        tf_ring_commit(ring);
    }
    __atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);
    return NULL;
}

struct check {
    int last[WRITERS];
    bool ordered, whole;
};

static void
check_record(const struct tf_ring *ring, const void *bytes, size_t size, void *argument)
{
    const struct record *record = (const struct record *)bytes;
    struct check *check = (struct check *)argument;

    (void)ring;
    check->whole &= size == sizeof(int) * 2 + (size_t)(record->number % 40);
    for (int i = 0; i < record->number % 40; i++)
        check->whole &= record->fill[i] == (unsigned char)record->number;
    check->ordered &= record->number > check->last[record->writer];
    check->last[record->writer] = record->number;
}

static void
test_rings(void)
{
    pthread_t threads[WRITERS];
    int numbers[WRITERS];
    struct check check;
    size_t read = 0;
    bool over = false;

    rings = tf_rings_new(10000);
    memset(&check, 0xff, sizeof check);
    check.ordered = check.whole = true;
    for (int i = 0; i < WRITERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, write_records, &numbers[i]);
    }
    while (!over) {
        over = __atomic_load_n(&finished, __ATOMIC_ACQUIRE) == WRITERS;
        read += tf_rings_read(rings, check_record, &check);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    read += tf_rings_read(rings, check_record, &check);
    ok(check.whole, "records arrive whole");
    ok(check.ordered, "and in the order of their thread");
    is_int(read + tf_rings_lost(rings), (size_t)WRITERS * RECORDS,
           "each is read or counted as lost");
    tf_rings_free(rings);
}

static void
test_ring(void)
{
    struct tf_ring *ring;
    struct check check;
    int wrote = 0;

    rings = tf_rings_new(1);
    ring = tf_rings_mine(rings);
    ok(ring != NULL && tf_rings_mine(rings) == ring, "a thread has one buffer");
    is_int(tf_ring_number(ring), 1, "the first thread's number");
    ok(tf_ring_reserve(ring, 1025) == NULL && tf_ring_lost(ring) == 1,
       "a record of over a quarter is refused and counted");
    ok(tf_ring_reserve(ring, 8) != NULL, "reserve");
    is_int(tf_ring_used(ring), 0, "what is not committed is not there");
    for (struct record *record; (record = (struct record *)tf_ring_reserve(ring, 8)) != NULL;
         wrote++) {
        record->writer = 0;
        record->number = wrote * 40;
        tf_ring_commit(ring);
    }
    is_int(wrote, 4096 / 16, "records until the buffer is full");
    memset(&check, 0xff, sizeof check);
    check.ordered = check.whole = true;
    is_int(tf_rings_read(rings, check_record, &check), wrote, "all come out");
    ok(check.ordered && check.whole, "as they went in");
    is_int(tf_ring_used(ring), 0, "then it is empty");
    is_int(tf_rings_lost(rings), 2, "the lost ones of all threads");
    tf_rings_free(rings);
}

static struct tf_gate gate;
static int inside, after_close, closed;

static void *
pass(void *argument)
{
    (void)argument;
    while (tf_gate_enter(&gate)) {
        __atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED);
        if (__atomic_load_n(&closed, __ATOMIC_RELAXED))
            __atomic_fetch_add(&after_close, 1, __ATOMIC_RELAXED);
        tf_gate_leave(&gate);
    }
    return NULL;
}

static void
test_gate(void)
{
    struct timespec while_ = { 0, 20000000 };
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, pass, NULL);
    nanosleep(&while_, NULL);
    ok(tf_gate_close(&gate, 1000), "the gate closes");
    __atomic_store_n(&closed, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    is_int(after_close, 0, "nobody is inside afterwards");
    ok(!tf_gate_enter(&gate), "and nobody gets in");
    tf_gate_open(&gate);
    ok(tf_gate_enter(&gate), "until it is opened");
    ok(!tf_gate_close(&gate, 5), "closing gives up on those who stay");
    tf_gate_leave(&gate);
    ok(tf_gate_close(&gate, 0), "and succeeds when they have left");
}

int
main(void)
{
    test_ring();
    test_rings();
    test_gate();
    return tap_done();
}
