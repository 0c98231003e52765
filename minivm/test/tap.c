/* SPDX-License-Identifier: MIT */
/* minivm/test/tap.c -- Test Anything Protocol for the unit tests. */

#include "test/tap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The sanitizers ask a program for its defaults: the tests of failing
 * allocations want NULL and no report.
 */
#define DEFAULTS(name) \
    const char *name(void) __attribute__((visibility("default"))); \
    const char *name(void) \
    { \
        return "allocator_may_return_null=1"; \
    }
DEFAULTS(__asan_default_options)
DEFAULTS(__tsan_default_options)

static int points;
static int failures;
static const char *todo_reason;

/* One line per point, whole even when several threads test. */
static void
point(bool passed, const char *format, va_list args)
{
    int number;

    flockfile(stdout);
    number = ++points;
    if (!passed && todo_reason == NULL)
        failures++;
    printf("%sok %d - ", passed ? "" : "not ", number);
    vprintf(format, args);
    if (todo_reason != NULL)
        printf(" # TODO %s", todo_reason);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
}

bool
tap_ok(bool passed, const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    point(passed, format, args);
    va_end(args);
    if (!passed)
        diag("failed at %s:%d", file, line);
    return passed;
}

bool
tap_is_int(long long got, long long want, const char *file, int line,
           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    point(got == want, format, args);
    va_end(args);
    if (got != want)
        diag("at %s:%d: got %lld (%#llx), want %lld (%#llx)", file, line, got,
             (unsigned long long)got, want, (unsigned long long)want);
    return got == want;
}

bool
tap_is_string(const char *got, const char *want, const char *file, int line,
              const char *format, ...)
{
    bool passed = got == NULL || want == NULL ? got == want : strcmp(got, want) == 0;
    va_list args;

    va_start(args, format);
    point(passed, format, args);
    va_end(args);
    if (!passed)
        diag("at %s:%d: got \"%s\", want \"%s\"", file, line,
             got == NULL ? "(null)" : got, want == NULL ? "(null)" : want);
    return passed;
}

bool
tap_is_bytes(const void *got, size_t got_length, const void *want, size_t want_length,
             const char *file, int line, const char *format, ...)
{
    const uint8_t *g = got, *w = want;
    size_t at = 0;
    bool passed;
    va_list args;

    while (at < got_length && at < want_length && g[at] == w[at])
        at++;
    passed = at == got_length && at == want_length;
    va_start(args, format);
    point(passed, format, args);
    va_end(args);
    if (!passed)
        diag("at %s:%d: %zu bytes, want %zu; the first difference is at %zu", file,
             line, got_length, want_length, at);
    return passed;
}

void
skip(const char *format, ...)
{
    va_list args;

    flockfile(stdout);
    printf("ok %d # SKIP ", ++points);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
}

void
todo(const char *reason)
{
    todo_reason = reason;
}

void
diag(const char *format, ...)
{
    va_list args;

    flockfile(stdout);
    fputs("# ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
}

void
skip_all(const char *format, ...)
{
    va_list args;

    fputs("1..0 # SKIP ", stdout);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    exit(0);
}

int
done_testing(void)
{
    printf("1..%d\n", points);
    if (failures != 0)
        diag("%d of %d failed", failures, points);
    return failures == 0 ? 0 : 1;
}
