/* SPDX-License-Identifier: MIT */
/*
 * sdk/src/ring.c -- a buffer per thread with one writer and one reader.
 *
 * Positions only grow; the writer publishes `written`, the reader `read`.  A record is
 * a head of eight bytes and its content, rounded up to eight; one that would not fit
 * before the end is put at the start, and a filler head says so.
 */
#include <tiforge/ring.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 8
#define FILLER UINT32_MAX

struct tf_ring {
    struct tf_ring *next;
    struct tf_rings *rings;
    uint64_t number;
    size_t capacity;
    size_t next_written;    /* what commit publishes; the owner's */
    uint64_t lost;          /* written by the owner, read by all */
    bool ended;             /* the thread is gone */
    /* Apart, for one is the owner's and the other the reader's. */
    _Alignas(64) size_t written;
    _Alignas(64) size_t read;
    _Alignas(64) unsigned char bytes[];
};

struct tf_rings {
    size_t capacity;
    pthread_key_t key;
    struct tf_ring *first;  /* pushed by owners, unlinked by the reader */
    uint64_t threads;
    pthread_mutex_t lock;   /* the reader's */
    uint64_t lost;          /* by threads whose buffers are gone; under lock */
};

static void
thread_ends(void *value)
{
    __atomic_store_n(&((struct tf_ring *)value)->ended, true, __ATOMIC_RELEASE);
}

struct tf_rings *
tf_rings_new(size_t bytes)
{
    struct tf_rings *rings = (struct tf_rings *)calloc(1, sizeof *rings);
    size_t capacity = 4096;

    while (capacity < bytes && capacity <= SIZE_MAX / 4)
        capacity *= 2;
    if (rings == NULL || pthread_key_create(&rings->key, thread_ends) != 0) {
        free(rings);
        return NULL;
    }
    rings->capacity = capacity;
    pthread_mutex_init(&rings->lock, NULL);
    return rings;
}

void
tf_rings_free(struct tf_rings *rings)
{
    if (rings == NULL)
        return;
    pthread_key_delete(rings->key);
    for (struct tf_ring *ring = rings->first, *next; ring != NULL; ring = next) {
        next = ring->next;
        free(ring);
    }
    pthread_mutex_destroy(&rings->lock);
    free(rings);
}

struct tf_ring *
tf_rings_mine(struct tf_rings *rings)
{
    struct tf_ring *ring = (struct tf_ring *)pthread_getspecific(rings->key);
    size_t size = (sizeof *ring + rings->capacity + 63) / 64 * 64;

    if (ring != NULL)
        return ring;
    ring = (struct tf_ring *)aligned_alloc(64, size);
    if (ring == NULL)
        return NULL;
    memset(ring, 0, sizeof *ring);
    ring->rings = rings;
    ring->capacity = rings->capacity;
    ring->number = __atomic_add_fetch(&rings->threads, 1, __ATOMIC_RELAXED);
    if (pthread_setspecific(rings->key, ring) != 0) {
        free(ring);
        return NULL;
    }
    ring->next = __atomic_load_n(&rings->first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&rings->first, &ring->next, ring, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return ring;
}

static void
put_head(struct tf_ring *ring, size_t position, uint32_t size)
{
    memcpy(ring->bytes + (position & (ring->capacity - 1)), &size, sizeof size);
}

void *
tf_ring_reserve(struct tf_ring *ring, size_t size)
{
    size_t total = HEAD + (size + 7) / 8 * 8, at = ring->written;
    size_t before_end = ring->capacity - (at & (ring->capacity - 1));
    size_t filler = total > before_end ? before_end : 0;
    size_t used = at - __atomic_load_n(&ring->read, __ATOMIC_ACQUIRE);

    if (size > ring->capacity / 4 || used + filler + total > ring->capacity) {
        __atomic_store_n(&ring->lost, ring->lost + 1, __ATOMIC_RELAXED);
        return NULL;
    }
    if (filler > 0)
        put_head(ring, at, FILLER);
    at += filler;
    put_head(ring, at, (uint32_t)size);
    ring->next_written = at + total;
    return ring->bytes + (at & (ring->capacity - 1)) + HEAD;
}

void
tf_ring_commit(struct tf_ring *ring)
{
    __atomic_store_n(&ring->written, ring->next_written, __ATOMIC_RELEASE);
}

uint64_t
tf_ring_number(const struct tf_ring *ring)
{
    return ring->number;
}

size_t
tf_ring_used(const struct tf_ring *ring)
{
    size_t read = __atomic_load_n(&ring->read, __ATOMIC_ACQUIRE);

    return __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE) - read;
}

uint64_t
tf_ring_lost(const struct tf_ring *ring)
{
    return __atomic_load_n(&ring->lost, __ATOMIC_RELAXED);
}

static size_t
read_ring(struct tf_ring *ring, tf_ring_visitor *visit, void *argument)
{
    size_t end = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE), at = ring->read;
    size_t count = 0;

    while (at != end) {
        size_t offset = at & (ring->capacity - 1);
        uint32_t size;

        memcpy(&size, ring->bytes + offset, sizeof size);
        if (size == FILLER) {
            at += ring->capacity - offset;
            continue;
        }
        visit(ring, ring->bytes + offset + HEAD, size, argument);
        at += HEAD + (size + 7) / 8 * 8;
        __atomic_store_n(&ring->read, at, __ATOMIC_RELEASE);
        count++;
    }
    return count;
}

/* Take a buffer out of the list.  Owners push at its head meanwhile. */
static void
unlink_ring(struct tf_rings *rings, struct tf_ring *ring)
{
    struct tf_ring *head = ring, *before;

    if (__atomic_compare_exchange_n(&rings->first, &head, ring->next, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    for (before = head; before->next != ring; before = before->next)
        ;
    before->next = ring->next;
}

size_t
tf_rings_read(struct tf_rings *rings, tf_ring_visitor *visit, void *argument)
{
    size_t count = 0;

    pthread_mutex_lock(&rings->lock);
    for (struct tf_ring *ring = __atomic_load_n(&rings->first, __ATOMIC_ACQUIRE), *next;
         ring != NULL; ring = next) {
        /* Asked before reading: what an ended thread wrote is all there. */
        bool ended = __atomic_load_n(&ring->ended, __ATOMIC_ACQUIRE);

        next = ring->next;
        count += read_ring(ring, visit, argument);
        if (ended) {
            unlink_ring(rings, ring);
            rings->lost += ring->lost;
            free(ring);
        }
    }
    pthread_mutex_unlock(&rings->lock);
    return count;
}

uint64_t
tf_rings_lost(struct tf_rings *rings)
{
    uint64_t lost;

    pthread_mutex_lock(&rings->lock);
    lost = rings->lost;
    for (struct tf_ring *ring = __atomic_load_n(&rings->first, __ATOMIC_ACQUIRE);
         ring != NULL; ring = ring->next)
        lost += tf_ring_lost(ring);
    pthread_mutex_unlock(&rings->lock);
    return lost;
}
