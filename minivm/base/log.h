/* SPDX-License-Identifier: MIT */
/* minivm/base/log.h -- the last words of the process, and its warnings. */
#ifndef MINIVM_BASE_LOG_H
#define MINIVM_BASE_LOG_H

/*
 * For a broken promise of our own, never for input: prints
 * "minivm: fatal: ..." and a newline to standard error and aborts.
 */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * For memory that the process cannot do without: prints "minivm: out of memory: ..." and
 * a newline to standard error and ends the process with exit code 1, at once.
 */
_Noreturn void out_of_memory(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* What fatal() was told, for the report of the crash; empty before. */
const char *fatal_message(void);

/* Prints "minivm: warning: ..." and a newline to standard error. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
