/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/report.c -- writing text in a process that is broken.
 *
 * printf must not be called there: it may allocate, and it locks the stream.  So here
 * is the part of it that the crash report needs, over write(2) and a buffer.
 */

#include "base/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* ---- where the text goes ---- */

/* When writing fails the rest of the text is dropped: there is nobody to tell. */
void
report_flush(struct report *r)
{
    size_t at = 0;

    while (r->fd >= 0 && at < r->used) {
        ssize_t n = write(r->fd, r->buffer + at, r->used - at);
        if (n > 0)
            at += (size_t)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    r->used = 0;
}

/* A report without a file keeps the first bytes, as many as its buffer has room for. */
void
report_bytes(struct report *r, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (r->used == sizeof r->buffer) {
            if (r->fd < 0)
                return;
            report_flush(r);
        }
        r->buffer[r->used++] = bytes[i];
    }
}

void
report_text(struct report *r, const char *text)
{
    report_bytes(r, text, strlen(text));
}

void
report_char(struct report *r, uint16_t c)
{
    char utf8[3];
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;

    if (c >= 0xD800 && c < 0xE000)
        c = '?', length = 1;
    if (length == 1)
        utf8[0] = (char)c;
    else {
        for (size_t i = length; --i > 0; c >>= 6)
            utf8[i] = (char)(0x80 | (c & 0x3F));
        utf8[0] = (char)((length == 2 ? 0xC0 : 0xE0) | c);
    }
    report_bytes(r, utf8, length);
}

void
report_file(struct report *r, const char *path, size_t limit)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char bytes[1024];
    ssize_t n;

    if (fd < 0)
        return;
    while (limit > 0
           && (n = read(fd, bytes, limit < sizeof bytes ? limit : sizeof bytes)) > 0) {
        report_bytes(r, bytes, (size_t)n);
        limit -= (size_t)n;
    }
    close(fd);
}

/* ---- formats ---- */

/* What stands between % and the letter of a conversion. */
struct conversion {
    bool zero, is_long;
    size_t width;
};

/* Writes the number in that base, 10 or 16, with a minus sign before it if is_negative,
   filled up on the left to the conversion's width: by spaces before the sign, or by
   zeros behind it. */
static void
print_number(struct report *r, const struct conversion *c, unsigned long value,
             unsigned base, bool is_negative)
{
    char digits[24];
    size_t at = sizeof digits;

    do
        digits[--at] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    size_t length = sizeof digits - at + is_negative;
    for (size_t i = length; !c->zero && i < c->width; i++)
        report_text(r, " ");
    if (is_negative)
        report_text(r, "-");
    for (size_t i = length; c->zero && i < c->width; i++)
        report_text(r, "0");
    report_bytes(r, digits + at, sizeof digits - at);
}

static void
print_signed(struct report *r, const struct conversion *c, long value)
{
    print_number(r, c, value < 0 ? -(unsigned long)value : (unsigned long)value, 10,
                 value < 0);
}

/* Writes the next argument as the letter of the conversion says; a letter that is not
   known, as that of %%, is written as it is and takes no argument. */
static void
print_one(struct report *r, const struct conversion *c, char kind, va_list *args)
{
    const char *text;

    switch (kind) {
    case 's':
        text = va_arg(*args, const char *);
        report_text(r, text ? text : "(null)");
        break;
    case 'c': report_bytes(r, &(char){ (char)va_arg(*args, int) }, 1); break;
    case 'd':
        print_signed(r, c, c->is_long ? va_arg(*args, long) : va_arg(*args, int));
        break;
    case 'u':
    case 'x':
        print_number(
            r, c, c->is_long ? va_arg(*args, unsigned long) : va_arg(*args, unsigned),
            kind == 'x' ? 16 : 10, false);
        break;
    default: report_bytes(r, &kind, 1); break;
    }
}

/* print_one takes arguments from the list by a pointer, which a parameter of type
   va_list does not allow everywhere (it may be an array), so there is a copy. */
void
report_vprint(struct report *r, const char *format, va_list args)
{
    va_list left;

    va_copy(left, args);
    for (const char *p = format; *p; p++) {
        struct conversion c = { 0 };

        if (*p != '%') {
            report_bytes(r, p, 1);
            continue;
        }
        if (strncmp(++p, ".*s", 3) == 0) {
            size_t most = (size_t)va_arg(left, int);
            const char *text = va_arg(left, const char *);
            report_bytes(r, text, strnlen(text, most));
            p += 2;
            continue;
        }
        for (; *p == '0'; p++)
            c.zero = true;
        for (; *p >= '0' && *p <= '9'; p++)
            c.width = c.width * 10 + (size_t)(*p - '0');
        for (; *p == 'l' || *p == 'z'; p++)
            c.is_long = true;
        print_one(r, &c, *p, &left);
    }
    va_end(left);
}

void
report_print(struct report *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report_vprint(r, format, args);
    va_end(args);
}

void
report_format(char *to, size_t size, const char *format, ...)
{
    struct report r;
    va_list args;

    r.fd = -1;
    r.used = 0;
    va_start(args, format);
    report_vprint(&r, format, args);
    va_end(args);
    size_t length = r.used < size ? r.used : size - 1;
    memcpy(to, r.buffer, length);
    to[length] = '\0';
}
