/* SPDX-License-Identifier: MIT */
/* minivm/base/mem.c -- native memory. */

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#ifdef TIFORGE_MALLOC_FAIL
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static unsigned long fail_every;
static atomic_ulong calls;

static void
read_fail_every(void)
{
    const char *text = getenv("TIFORGE_FAIL_NTH");

    fail_every = text == NULL ? 0 : strtoul(text, NULL, 10);
}

static bool
must_fail(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_fail_every);
    if (fail_every == 0)
        return false;
    return (atomic_fetch_add(&calls, 1) + 1) % fail_every == 0;
}
#else
#define must_fail() 0
#endif

/* malloc(0) may answer NULL, which would look like a failure. */
static size_t
at_least_one(size_t size)
{
    return size == 0 ? 1 : size;
}

static _Noreturn void
out_of_memory(size_t count, size_t size)
{
    if (count == 1)
        fatal("out of native memory (%zu bytes)", size);
    fatal("out of native memory (%zu times %zu bytes)", count, size);
}

void *
mem_alloc(size_t size)
{
    void *block = malloc(at_least_one(size));

    if (block == NULL)
        out_of_memory(1, size);
    return block;
}

void *
mem_calloc(size_t count, size_t size)
{
    void *block = calloc(at_least_one(count), at_least_one(size));

    if (block == NULL)
        out_of_memory(count, size);
    return block;
}

void *
mem_realloc(void *old, size_t size)
{
    void *block = realloc(old, at_least_one(size));

    if (block == NULL)
        out_of_memory(1, size);
    return block;
}

char *
mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

char *
mem_strndup(const char *text, size_t length)
{
    char *copy;

    length = strnlen(text, length);
    copy = mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *
mem_printf(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    text = mem_vprintf(format, args);
    va_end(args);
    return text;
}

char *
mem_vprintf(const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        fatal("cannot format \"%s\"", format);
    return text;
}

void *
mem_try_alloc(size_t size)
{
    return must_fail() ? NULL : malloc(at_least_one(size));
}

void *
mem_try_calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : calloc(at_least_one(count), at_least_one(size));
}

void *
mem_try_realloc(void *old, size_t size)
{
    return must_fail() ? NULL : realloc(old, at_least_one(size));
}

char *
mem_try_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mem_try_alloc(size);

    return copy == NULL ? NULL : memcpy(copy, text, size);
}

void
mem_free(void *block)
{
    free(block);
}
