/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/log.h -- fatal errors and warnings of the VM itself.
 *
 * The log that the user configures (-Xlog) is base/xlog.h.  Any thread may call these
 * functions; nothing here stops or collects.
 */
#ifndef MINIVM_BASE_LOG_H
#define MINIVM_BASE_LOG_H

/*
 * Ends the process because an invariant of the VM does not hold; never because of
 * faulty input.  Prints "minivm: fatal: ..." and a newline to standard error and
 * aborts, which leads to the report of a crash.
 */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Ends the process because there is no memory that it cannot go on without.  Prints
 * "minivm: out of memory: ..." and a newline to standard error and exits with code 1 at
 * once, without exit handlers.
 */
_Noreturn void out_of_memory(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Returns the message of fatal() for the report of the crash; "" before fatal was
   called. */
const char *fatal_message(void);

/* Prints "minivm: warning: ..." and a newline to standard error. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
