/* SPDX-License-Identifier: MIT */
/* minivm/test/tap.h -- Test Anything Protocol for the unit tests. */
#ifndef MINIVM_TEST_TAP_H
#define MINIVM_TEST_TAP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One test point each, printed at once: "ok 3 - text".  A failed one adds the
 * place and the values as a comment.  Each answers whether it passed.  Points
 * are counted atomically, so threads may test as well.
 */
#define ok(condition, ...) tap_ok(!!(condition), __FILE__, __LINE__, __VA_ARGS__)
#define is_int(got, want, ...) \
    tap_is_int((long long)(got), (long long)(want), __FILE__, __LINE__, __VA_ARGS__)
/* NULL equals NULL only. */
#define is_string(got, want, ...) \
    tap_is_string(got, want, __FILE__, __LINE__, __VA_ARGS__)
#define is_bytes(got, got_length, want, want_length, ...) \
    tap_is_bytes(got, got_length, want, want_length, __FILE__, __LINE__, __VA_ARGS__)

bool tap_ok(bool passed, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool tap_is_int(long long got, long long want, const char *file, int line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
bool tap_is_string(const char *got, const char *want, const char *file, int line,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
bool tap_is_bytes(const void *got, size_t got_length, const void *want,
                  size_t want_length, const char *file, int line, const char *format,
                  ...) __attribute__((format(printf, 7, 8)));

/* A point that cannot be tested here, with the reason. */
void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The points until the next todo(NULL) are known gaps. */
void todo(const char *reason);
/* A comment in the output. */
void diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The whole program cannot be tested here: prints the plan and exits. */
_Noreturn void skip_all(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan; the result is main's. */
int done_testing(void);

#endif
