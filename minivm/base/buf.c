/* SPDX-License-Identifier: MIT */
/* minivm/base/buf.c -- growable byte buffers. */

#include "base/buf.h"

#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/mem.h"

void
buf_init(struct buf *b)
{
    *b = (struct buf){ 0 };
}

void
buf_release(struct buf *b)
{
    mem_free(b->data);
    buf_init(b);
}

void
buf_clear(struct buf *b)
{
    b->length = 0;
}

/* Makes room for extra more bytes with grow, which is mem_realloc or mem_try_realloc.
   Returns false, with the buffer unchanged, when grow returns NULL or the size
   overflows. */
static bool
reserve(struct buf *b, size_t extra, void *grow(void *, size_t))
{
    size_t need, capacity;
    uint8_t *data;

    if (extra <= b->capacity - b->length)
        return true;
    if (__builtin_add_overflow(b->length, extra, &need))
        return false;
    capacity = b->capacity > SIZE_MAX / 2 ? need : b->capacity * 2;
    if (capacity < 64)
        capacity = 64;
    if (capacity < need)
        capacity = need;
    data = grow(b->data, capacity);
    if (!data)
        return false;
    b->data = data;
    b->capacity = capacity;
    return true;
}

void
buf_reserve(struct buf *b, size_t extra)
{
    if (!reserve(b, extra, mem_realloc))
        fatal("a buffer of %zu bytes cannot grow by %zu", b->length, extra);
}

bool
buf_try_reserve(struct buf *b, size_t extra)
{
    return reserve(b, extra, mem_try_realloc);
}

/* Makes the buffer size bytes longer and returns the address of the new bytes, which
   the caller fills. */
static uint8_t *
extend(struct buf *b, size_t size)
{
    buf_reserve(b, size);
    b->length += size;
    return b->data + b->length - size;
}

void
buf_append(struct buf *b, const void *bytes, size_t length)
{
    if (length != 0)
        memcpy(extend(b, length), bytes, length);
}

void
buf_append_string(struct buf *b, const char *text)
{
    buf_append(b, text, strlen(text));
}

void
buf_append_u1(struct buf *b, uint8_t value)
{
    *extend(b, 1) = value;
}

void
buf_append_u2(struct buf *b, uint16_t value)
{
    put_u2(extend(b, 2), value);
}

void
buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vprintf(b, format, args);
    va_end(args);
}

void
buf_vprintf(struct buf *b, const char *format, va_list args)
{
    char *text = mem_vprintf(format, args);

    buf_append_string(b, text);
    mem_free(text);
}

const char *
buf_string(struct buf *b)
{
    buf_reserve(b, 1);
    b->data[b->length] = '\0';
    return (const char *)b->data;
}

void *
buf_steal(struct buf *b, size_t *length)
{
    void *bytes = (void *)buf_string(b);

    if (length)
        *length = b->length;
    buf_init(b);
    return bytes;
}
