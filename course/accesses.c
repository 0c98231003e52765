/* SPDX-License-Identifier: MIT */
/*
 * accesses.c -- watches the accesses to memory of a submission, to find its races.
 *
 * The marking compiles the submission with -fsanitize=thread, so the compiler puts a call
 * in front of each access to memory that other threads may see, and links it with this
 * file instead of the sanitizer's library, which does not work inside a JVM.
 *
 * A thread that comes to an access writes down where it is going, sleeps for a moment, and
 * only then goes on.  Another thread that comes to an access of the same bytes meanwhile
 * has met a race: both stand in front of their accesses at the same time, so nothing orders
 * them.  It needs no knowledge of locks, and a program without races is never accused.
 * Because threads sleep in front of nearly each of their accesses, those that can meet do.
 *
 * The name of each function is one that the compiler calls; T is the type of an access.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLEEP_US 500
/* So often a thread sleeps at one place of the code, and all threads at all places. */
#define SLEEPS_OF_PLACE 60
#define SLEEPS 30000
#define PLACES 8192
#define RACES_TOLD 8
#define WATCHES 32

enum kind { READ, WRITE, ATOMIC };

struct access {
    uintptr_t first, end;   /* of the bytes; first is 0 if the element is free */
    enum kind kind;
    pthread_t thread;
    uintptr_t place;        /* in the code */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;    /* of what follows */
static struct access watches[WATCHES];
/* By a hash of place and thread. */
static struct { uintptr_t place; long thread; int sleeps; } places[PLACES];
static long thread_count, sleeps;
static int races_told;
static bool anything_seen;
static int report = -1;     /* a descriptor for lines */

/* Another source, linked with this one, may define this: then each access sleeps for so
   many microseconds, if it is not 0, and nothing is compared.  So the marking makes a walk
   over something slow that the walked one's owner should not change meanwhile. */
extern int lab_sleep_us __attribute__((weak));

static __thread long thread_number;
static __thread uintptr_t stack_low, stack_high;

static bool
is_on_stack(uintptr_t address)
{
    if (stack_high == 0) {
        pthread_attr_t attributes;
        void *low;
        size_t size;

        stack_high = 1;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
                stack_low = (uintptr_t)low;
                stack_high = stack_low + size;
            }
            pthread_attr_destroy(&attributes);
        }
    }
    return address >= stack_low && address < stack_high;
}

/* A place as an offset in the library, which addr2line knows. */
static unsigned long
offset_of(uintptr_t place)
{
    Dl_info info;

    return dladdr((void *)place, &info) != 0 ? place - 1 - (uintptr_t)info.dli_fbase : 0;
}

static void
tell_race(const struct access *one, const struct access *two)
{
    /* Nothing else may come between the parts of a line. */
    static const char *const names[] = { "read", "write", "atomic" };

    if (races_told++ < RACES_TOLD)
        dprintf(report, "lab race: %#lx %s, %#lx %s\n", offset_of(one->place),
                names[one->kind], offset_of(two->place), names[two->kind]);
}

static bool
is_race(const struct access *one, const struct access *two)
{
    return one->first < two->end && two->first < one->end
        && !pthread_equal(one->thread, two->thread)
        && !(one->kind == READ && two->kind == READ)
        && !(one->kind == ATOMIC && two->kind == ATOMIC);
}

/* Shall this access sleep?  Not at places where the thread has slept often enough.  Each
   thread has sleeps of its own, so that one which came first leaves some to others. */
static bool
is_sleepy(uintptr_t place)
{
    size_t at;

    if (thread_number == 0)
        thread_number = ++thread_count;
    at = (place * 31 + (size_t)thread_number * 7919) % PLACES;
    for (int i = 0; i < 16; i++, at = (at + 1) % PLACES) {
        if (places[at].place == 0) {
            places[at].place = place;
            places[at].thread = thread_number;
        }
        if (places[at].place == place && places[at].thread == thread_number)
            return places[at].sleeps++ < SLEEPS_OF_PLACE && sleeps++ < SLEEPS;
    }
    return false;
}

static void
sleep_for(long microseconds)
{
    nanosleep(&(struct timespec){ .tv_nsec = microseconds * 1000 }, NULL);
}

/* An access is about to happen. */
static void
come_to(const volatile void *memory, size_t size, enum kind kind, void *place)
{
    struct access access = { (uintptr_t)memory, (uintptr_t)memory + size, kind,
                             pthread_self(), (uintptr_t)place };
    struct access *mine = NULL;

    if (&lab_sleep_us != NULL) {
        if (lab_sleep_us > 0)
            sleep_for(lab_sleep_us);
        return;
    }
    if (report < 0 || is_on_stack(access.first))
        return;
    pthread_mutex_lock(&mutex);
    anything_seen = true;
    for (int i = 0; i < WATCHES; i++) {
        if (watches[i].first == 0)
            mine = &watches[i];
        else if (is_race(&watches[i], &access))
            tell_race(&watches[i], &access);
    }
    if (mine != NULL && is_sleepy(access.place)) {
        *mine = access;
        pthread_mutex_unlock(&mutex);
        sleep_for(SLEEP_US);
        pthread_mutex_lock(&mutex);
        mine->first = 0;
    }
    pthread_mutex_unlock(&mutex);
}

/* The lines go where standard error was when the library came, whatever it is later. */
__attribute__((constructor(101))) static void
start_watching(void)
{
    report = fcntl(2, F_DUPFD_CLOEXEC, 100);
}

__attribute__((destructor)) static void
tell_end(void)
{
    if (anything_seen)
        dprintf(report, "lab race: accesses were watched\n");
}

/* ---- What the compiler calls: accesses ---- */

#define HERE __builtin_return_address(0)
#define CALLED __attribute__((visibility("default"), used))

#define ACCESS(name, size, kind)                                                       \
    CALLED void __tsan_##name(void *memory);                                           \
    CALLED void __tsan_##name(void *memory)                                            \
    {                                                                                  \
        come_to(memory, size, kind, HERE);                                             \
    }

ACCESS(read1, 1, READ)
ACCESS(read2, 2, READ)
ACCESS(read4, 4, READ)
ACCESS(read8, 8, READ)
ACCESS(read16, 16, READ)
ACCESS(write1, 1, WRITE)
ACCESS(write2, 2, WRITE)
ACCESS(write4, 4, WRITE)
ACCESS(write8, 8, WRITE)
ACCESS(write16, 16, WRITE)
ACCESS(unaligned_read2, 2, READ)
ACCESS(unaligned_read4, 4, READ)
ACCESS(unaligned_read8, 8, READ)
ACCESS(unaligned_read16, 16, READ)
ACCESS(unaligned_write2, 2, WRITE)
ACCESS(unaligned_write4, 4, WRITE)
ACCESS(unaligned_write8, 8, WRITE)
ACCESS(unaligned_write16, 16, WRITE)

#define RANGE(name, kind)                                                              \
    CALLED void __tsan_##name(void *memory, unsigned long size);                       \
    CALLED void __tsan_##name(void *memory, unsigned long size)                        \
    {                                                                                  \
        come_to(memory, size, kind, HERE);                                             \
    }

RANGE(read_range, READ)
RANGE(write_range, WRITE)

/* These are clang's. */
CALLED void *__tsan_memcpy(void *to, const void *from, size_t size);
CALLED void *__tsan_memmove(void *to, const void *from, size_t size);
CALLED void *__tsan_memset(void *to, int byte, size_t size);

CALLED void *
__tsan_memcpy(void *to, const void *from, size_t size)
{
    come_to(from, size, READ, HERE);
    come_to(to, size, WRITE, HERE);
    return memcpy(to, from, size);
}

CALLED void *
__tsan_memmove(void *to, const void *from, size_t size)
{
    come_to(from, size, READ, HERE);
    come_to(to, size, WRITE, HERE);
    return memmove(to, from, size);
}

CALLED void *
__tsan_memset(void *to, int byte, size_t size)
{
    come_to(to, size, WRITE, HERE);
    return memset(to, byte, size);
}

/* ---- What says nothing to us ---- */

CALLED void __tsan_init(void);
CALLED void __tsan_func_entry(void *caller);
CALLED void __tsan_func_exit(void);

CALLED void
__tsan_init(void)
{
}

CALLED void
__tsan_func_entry(void *caller)
{
    (void)caller;
}

CALLED void
__tsan_func_exit(void)
{
}

/* ---- Atomic accesses: they race with others only ---- */

#define ORDER __ATOMIC_SEQ_CST

#define ATOMIC_BINARY(bits, T, name)                                                   \
    CALLED T __tsan_atomic##bits##_fetch_##name(volatile T *at, T value, int order);   \
    CALLED T __tsan_atomic##bits##_fetch_##name(volatile T *at, T value, int order)    \
    {                                                                                  \
        (void)order;                                                                   \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        return __atomic_fetch_##name(at, value, ORDER);                                \
    }

#define ATOMIC_EXCHANGE(bits, T, name)                                                 \
    CALLED int __tsan_atomic##bits##_##name(volatile T *at, T *expected, T value,      \
                                            int order, int other);                     \
    CALLED int __tsan_atomic##bits##_##name(volatile T *at, T *expected, T value,      \
                                            int order, int other)                      \
    {                                                                                  \
        (void)order, (void)other;                                                      \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        return __atomic_compare_exchange_n(at, expected, value, false, ORDER, ORDER);  \
    }

#define ATOMICS(bits, T)                                                               \
    CALLED T __tsan_atomic##bits##_load(const volatile T *at, int order);              \
    CALLED T __tsan_atomic##bits##_load(const volatile T *at, int order)               \
    {                                                                                  \
        (void)order;                                                                   \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        return __atomic_load_n(at, ORDER);                                             \
    }                                                                                  \
    CALLED void __tsan_atomic##bits##_store(volatile T *at, T value, int order);       \
    CALLED void __tsan_atomic##bits##_store(volatile T *at, T value, int order)        \
    {                                                                                  \
        (void)order;                                                                   \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        __atomic_store_n(at, value, ORDER);                                            \
    }                                                                                  \
    CALLED T __tsan_atomic##bits##_exchange(volatile T *at, T value, int order);       \
    CALLED T __tsan_atomic##bits##_exchange(volatile T *at, T value, int order)        \
    {                                                                                  \
        (void)order;                                                                   \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        return __atomic_exchange_n(at, value, ORDER);                                  \
    }                                                                                  \
    CALLED T __tsan_atomic##bits##_compare_exchange_val(volatile T *at, T expected,    \
                                                        T value, int order, int other);\
    CALLED T __tsan_atomic##bits##_compare_exchange_val(volatile T *at, T expected,    \
                                                        T value, int order, int other) \
    {                                                                                  \
        (void)order, (void)other;                                                      \
        come_to(at, sizeof *at, ATOMIC, HERE);                                         \
        __atomic_compare_exchange_n(at, &expected, value, false, ORDER, ORDER);        \
        return expected;                                                               \
    }                                                                                  \
    ATOMIC_EXCHANGE(bits, T, compare_exchange_strong)                                  \
    ATOMIC_EXCHANGE(bits, T, compare_exchange_weak)                                    \
    ATOMIC_BINARY(bits, T, add)                                                        \
    ATOMIC_BINARY(bits, T, sub)                                                        \
    ATOMIC_BINARY(bits, T, and)                                                        \
    ATOMIC_BINARY(bits, T, or)                                                         \
    ATOMIC_BINARY(bits, T, xor)                                                        \
    ATOMIC_BINARY(bits, T, nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

CALLED void __tsan_atomic_thread_fence(int order);
CALLED void __tsan_atomic_signal_fence(int order);

CALLED void
__tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(ORDER);
}

CALLED void
__tsan_atomic_signal_fence(int order)
{
    (void)order;
}
