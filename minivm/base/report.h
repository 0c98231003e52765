/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/report.h -- writing text in a process that is broken.
 *
 * The crash report is written with these functions.  They may be called in a signal
 * handler while malloc's heap and any lock are in any state: they call the kernel, and
 * no function of the C library that allocates or locks.
 */
#ifndef MINIVM_BASE_REPORT_H
#define MINIVM_BASE_REPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of text before a file descriptor.  If everything but fd is zero, it is
   empty. */
struct report {
    /* -1: the text stays in the buffer, and what does not fit is dropped. */
    int fd;
    size_t used;
    char buffer[512];
};

/*
 * Writes text as printf does.  Knows only %s, %.*s, %c, %d, %u, %ld, %lu, %x, %lx, %zu
 * and %%, with a width (and 0 before it) for numbers.  NULL for %s is "(null)".
 */
void report_print(struct report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_vprint(struct report *r, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Write a text, and bytes, as they are. */
void report_text(struct report *r, const char *text);
void report_bytes(struct report *r, const char *bytes, size_t length);
/* Writes a character of UTF-16 as UTF-8; a surrogate is written as '?'. */
void report_char(struct report *r, uint16_t c);
/* Writes the first limit bytes of a file; nothing when it cannot be read. */
void report_file(struct report *r, const char *path, size_t limit);
/* Writes what is in the buffer to the file descriptor. */
void report_flush(struct report *r);

/* Stores formatted text in size bytes, always with a NUL; cuts off what does not
   fit. */
void report_format(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
