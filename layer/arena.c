/* SPDX-License-Identifier: MIT */
/*
 * layer/arena.c -- the memory that agents get in the place of JVM TI's.
 *
 * Small blocks have sizes that are powers of two, and are cut from large pieces; those
 * that were freed are in a list for each size, whose links are inverted, since they are
 * no addresses that the agent has.  Large blocks are mapped one by one.
 */
#include "layer/arena.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define LEAST 32u
#define CLASSES 9       /* 32 to 8192 bytes */
#define PIECE (1u << 20)
#define PAGE 4096u
#define BEGINNING 64u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t freed[CLASSES];        /* inverted addresses; 0 for none */
static uintptr_t least = UINTPTR_MAX, most;     /* all that was mapped is between these */
static char *piece;
static size_t left;

static int
class_of(size_t size)
{
    int class = 0;

    while (class < CLASSES && (size_t)LEAST << class < size)
        class++;
    return class;
}

static void
widen(uintptr_t start, size_t size)
{
    uintptr_t old = __atomic_load_n(&least, __ATOMIC_RELAXED);

    while (start < old
           && !__atomic_compare_exchange_n(&least, &old, start, true, __ATOMIC_RELAXED,
                                           __ATOMIC_RELAXED))
        ;
    old = __atomic_load_n(&most, __ATOMIC_RELAXED);
    while (start + size > old
           && !__atomic_compare_exchange_n(&most, &old, start + size, true,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

bool
arena_has(uintptr_t address)
{
    return address >= __atomic_load_n(&least, __ATOMIC_RELAXED)
        && address < __atomic_load_n(&most, __ATOMIC_RELAXED);
}

/* Memory between two pages without access, so that the kernel makes it part of no other
   mapping, such as a stack; its beginning, which may be known as the end of something
   else, is left out. */
static char *
map(size_t size)
{
    size_t whole = (BEGINNING + size + PAGE - 1) / PAGE * PAGE;
    char *pages = mmap(NULL, whole + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                       0);

    if (pages == MAP_FAILED)
        return NULL;
    if (mprotect(pages + PAGE, whole, PROT_READ | PROT_WRITE) != 0) {
        munmap(pages, whole + 2 * PAGE);
        return NULL;
    }
    widen((uintptr_t)pages, whole + 2 * PAGE);
    return pages + PAGE + BEGINNING;
}

static void
unmap(char *memory, size_t size)
{
    size_t whole = (BEGINNING + size + PAGE - 1) / PAGE * PAGE;

    munmap(memory - BEGINNING - PAGE, whole + 2 * PAGE);
}

static void *
cut(size_t size)
{
    void *memory;

    if (left < size) {
        piece = map(PIECE);
        left = piece != NULL ? PIECE : 0;
    }
    if (left < size)
        return NULL;
    memory = piece;
    piece += size;
    left -= size;
    return memory;
}

void *
arena_new(size_t size)
{
    int class = class_of(size);
    void *memory;

    if (class == CLASSES)
        return map(size);
    pthread_mutex_lock(&lock);
    if (freed[class] != 0) {
        memory = (void *)~freed[class];
        freed[class] = *(uintptr_t *)memory;
    } else
        memory = cut((size_t)LEAST << class);
    pthread_mutex_unlock(&lock);
    return memory;
}

void
arena_free(void *memory, size_t size)
{
    int class = class_of(size);

    if (class == CLASSES) {
        unmap(memory, size);
        return;
    }
    pthread_mutex_lock(&lock);
    *(uintptr_t *)memory = freed[class];
    freed[class] = ~(uintptr_t)memory;
    pthread_mutex_unlock(&lock);
}
