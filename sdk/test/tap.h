/* SPDX-License-Identifier: MIT */
/* sdk/test/tap.h -- Test Anything Protocol for the library's tests; C and C++. */
#ifndef SDK_TEST_TAP_H
#define SDK_TEST_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

static inline bool
tap_ok(bool good, const char *file, int line, const char *name)
{
    tap_count++;
    tap_failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", tap_count, name);
    if (!good)
        printf("# at %s:%d\n", file, line);
    fflush(stdout);
    return good;
}

static inline bool
tap_int(long long got, long long want, const char *file, int line, const char *name)
{
    if (tap_ok(got == want, file, line, name))
        return true;
    printf("# got %lld, want %lld\n", got, want);
    return false;
}

static inline bool
tap_text(const char *got, const char *want, const char *file, int line, const char *name)
{
    if (tap_ok(got != NULL && strcmp(got, want) == 0, file, line, name))
        return true;
    printf("# got  '%s'\n# want '%s'\n", got != NULL ? got : "(null)", want);
    return false;
}

#define ok(condition, name) tap_ok(!!(condition), __FILE__, __LINE__, name)
#define is_int(got, want, name) \
    tap_int((long long)(got), (long long)(want), __FILE__, __LINE__, name)
#define is_text(got, want, name) tap_text(got, want, __FILE__, __LINE__, name)

static inline int
tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
