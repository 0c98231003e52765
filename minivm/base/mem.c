/* SPDX-License-Identifier: MIT */
/* minivm/base/mem.c -- native memory. */

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#ifdef TIFORGE_MALLOC_FAIL
#    include <stdatomic.h>
#    include <stdbool.h>

/* TIFORGE_FAIL_NTH, and the calls so far; global because the setting is for the
   process. */
static unsigned long fail_every;
static atomic_ulong calls;

__attribute__((constructor)) static void
read_fail_every(void)
{
    const char *text = getenv("TIFORGE_FAIL_NTH");

    fail_every = text ? strtoul(text, NULL, 10) : 0;
}

static bool
must_fail(void)
{
    return fail_every != 0 && (atomic_fetch_add(&calls, 1) + 1) % fail_every == 0;
}
#else
#    define must_fail() 0
#endif

/* Returns a size to call malloc with: malloc(0) may return NULL, which would look like
   a failure. */
static size_t
at_least_one(size_t size)
{
    return size == 0 ? 1 : size;
}

/* Returns the block; ends the process if it is NULL, with a message that has the count
   and the size that were asked for. */
static void *
not_null(void *block, size_t count, size_t size)
{
    if (!block && count == 1)
        out_of_memory("no %zu bytes of native memory", size);
    if (!block)
        out_of_memory("no %zu times %zu bytes of native memory", count, size);
    return block;
}

void *
mem_alloc(size_t size)
{
    return not_null(malloc(at_least_one(size)), 1, size);
}

void *
mem_calloc(size_t count, size_t size)
{
    return not_null(calloc(at_least_one(count), at_least_one(size)), count, size);
}

void *
mem_realloc(void *old, size_t size)
{
    return not_null(realloc(old, at_least_one(size)), 1, size);
}

char *
mem_strdup(const char *text)
{
    return not_null(strdup(text), 1, strlen(text) + 1);
}

char *
mem_strndup(const char *text, size_t length)
{
    return not_null(strndup(text, length), 1, length);
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
        out_of_memory("no native memory for a text");
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
    return must_fail() ? NULL : strdup(text);
}

void
mem_free(void *block)
{
    free(block);
}
