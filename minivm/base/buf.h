/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/buf.h -- byte buffers that grow.
 *
 * Serves texts and tables whose size is not known before.  The owner of the struct owns
 * the bytes; there is no lock.  Nothing here stops or collects.
 */
#ifndef MINIVM_BASE_BUF_H
#define MINIVM_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * data[0, length) are the bytes; data may be NULL while capacity is 0.  All zeroes is
 * an empty buffer.  The storage doubles when it is full.  When there is no memory the
 * process ends (mem_realloc); only buf_try_reserve reports it instead.
 */
struct buf {
    uint8_t *data;
    size_t length;
    size_t capacity;
};

void buf_init(struct buf *b);
/* Frees the bytes; the buffer is empty afterwards and may be used again. */
void buf_release(struct buf *b);
/* Empties the buffer but keeps its storage. */
void buf_clear(struct buf *b);

/* Makes room for so many more bytes. */
void buf_reserve(struct buf *b, size_t extra);
/* Makes room for so many more bytes; returns false, with the buffer unchanged, when
   there is no memory. */
bool buf_try_reserve(struct buf *b, size_t extra);

/* Appends a copy of the bytes, which must not lie in the buffer itself. */
void buf_append(struct buf *b, const void *bytes, size_t length);
void buf_append_string(struct buf *b, const char *text);
/* Append a value of 1 or 2 bytes, big-endian as in class files. */
void buf_append_u1(struct buf *b, uint8_t value);
void buf_append_u2(struct buf *b, uint16_t value);

/* Appends the formatted text without a NUL. */
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Returns the bytes with a NUL behind them, which length does not count.  They belong
   to the buffer and are valid until it changes. */
const char *buf_string(struct buf *b);
/*
 * Hands the bytes to the caller (mem_free) with a NUL after them, stores
 * their number in *length unless that is NULL, and leaves b empty.
 */
void *buf_steal(struct buf *b, size_t *length);

#endif
