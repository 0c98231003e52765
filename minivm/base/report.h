/* SPDX-License-Identifier: MIT */
/* minivm/base/report.h -- text written by a process that is broken.
 *
 * Everything here may run in a signal handler, with a heap and with locks in any state:
 * it calls the kernel, and no function of the C library that allocates or locks. */
#ifndef MINIVM_BASE_REPORT_H
#define MINIVM_BASE_REPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Text on its way to a file descriptor.  All zero but for fd is an empty one. */
struct report {
    int fd;                        /* -1: only the buffer takes text */
    size_t used;
    char buffer[512];
};

/*
 * A part of printf: %s, %.*s, %c, %d, %u, %ld, %lu, %x, %lx, %zu and %%, with a width
 * (and 0 before it) for numbers.  NULL for %s is "(null)".
 */
void report_print(struct report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_vprint(struct report *r, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Text without a format, and its first length bytes. */
void report_text(struct report *r, const char *text);
void report_bytes(struct report *r, const char *bytes, size_t length);
/* One character of UTF-16 as UTF-8; a surrogate is '?'. */
void report_char(struct report *r, uint16_t c);
/* The file, or its first limit bytes; nothing when it cannot be read. */
void report_file(struct report *r, const char *path, size_t limit);
/* Hand over what is still in the buffer. */
void report_flush(struct report *r);

/* Like report_print into size bytes, always with a NUL; cut off if it does not fit. */
void report_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
