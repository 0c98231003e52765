/* SPDX-License-Identifier: MIT */
/* minivm/base/buf.h -- growable byte buffers. */
#ifndef MINIVM_BASE_BUF_H
#define MINIVM_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * data[0, length) are the bytes; data may be NULL while capacity is 0.  All
 * zeroes is an empty buffer.  Growth doubles and never fails (mem_realloc),
 * except in buf_try_reserve.
 */
struct buf {
    uint8_t *data;
    size_t length;
    size_t capacity;
};

void buf_init(struct buf *b);
/* Frees the bytes; b is empty afterwards and may be used again. */
void buf_release(struct buf *b);
/* Forgets the bytes but keeps the storage. */
void buf_clear(struct buf *b);

/* Makes room for extra more bytes. */
void buf_reserve(struct buf *b, size_t extra);
/* The same; false when the memory is not to be had, b unchanged. */
bool buf_try_reserve(struct buf *b, size_t extra);

/* bytes must not point into b. */
void buf_append(struct buf *b, const void *bytes, size_t length);
void buf_append_string(struct buf *b, const char *text);
/* Big-endian, as in class files. */
void buf_append_u1(struct buf *b, uint8_t value);
void buf_append_u2(struct buf *b, uint16_t value);

/* Appends the text without its NUL. */
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The bytes with a NUL after them, not counted in length; owned by b. */
const char *buf_string(struct buf *b);
/*
 * Hands the bytes to the caller (mem_free) with a NUL after them, stores
 * their number in *length unless that is NULL, and leaves b empty.
 */
void *buf_steal(struct buf *b, size_t *length);

#endif
