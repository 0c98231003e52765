/* SPDX-License-Identifier: MIT */
/* sdk/src/buffer.c -- a byte buffer that grows. */
#include <tiforge/buffer.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

void
tf_buffer_init(struct tf_buffer *buffer)
{
    memset(buffer, 0, sizeof *buffer);
}

void
tf_buffer_release(struct tf_buffer *buffer)
{
    free(buffer->bytes);
    tf_buffer_init(buffer);
}

void
tf_buffer_clear(struct tf_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->bytes != NULL)
        buffer->bytes[0] = '\0';
}

/* Room for `more` bytes and the 0 behind them. */
static bool
reserve(struct tf_buffer *buffer, size_t more)
{
    size_t capacity = buffer->capacity;
    unsigned char *bytes;

    if (buffer->failed)
        return false;
    if (more < capacity - buffer->length)
        return true;
    if (more > (size_t)-1 / 4 - buffer->length) {
        buffer->failed = true;
        return false;
    }
    capacity = capacity < 32 ? 64 : capacity * 2;
    if (capacity < buffer->length + more + 1)
        capacity = buffer->length + more + 1;
    bytes = (unsigned char *)realloc(buffer->bytes, capacity);
    if (bytes == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void
tf_buffer_add(struct tf_buffer *buffer, const void *bytes, size_t length)
{
    if (!reserve(buffer, length))
        return;
    if (length > 0)
        memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    buffer->bytes[buffer->length] = '\0';
}

void
tf_buffer_text(struct tf_buffer *buffer, const char *text)
{
    tf_buffer_add(buffer, text, strlen(text));
}

void
tf_buffer_format(struct tf_buffer *buffer, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(buffer, (size_t)length)) {
        buffer->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf((char *)buffer->bytes + buffer->length, (size_t)length + 1, format, args);
    va_end(args);
    buffer->length += (size_t)length;
}

static void
add_number(struct tf_buffer *buffer, uint64_t value, int size)
{
    unsigned char bytes[8];

    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> (8 * (size - 1 - i)));
    tf_buffer_add(buffer, bytes, (size_t)size);
}

void
tf_buffer_u1(struct tf_buffer *buffer, unsigned value)
{
    add_number(buffer, value, 1);
}

void
tf_buffer_u2(struct tf_buffer *buffer, unsigned value)
{
    add_number(buffer, value, 2);
}

void
tf_buffer_u4(struct tf_buffer *buffer, uint32_t value)
{
    add_number(buffer, value, 4);
}

void
tf_buffer_u8(struct tf_buffer *buffer, uint64_t value)
{
    add_number(buffer, value, 8);
}

const char *
tf_buffer_string(const struct tf_buffer *buffer)
{
    return buffer->bytes == NULL || buffer->failed ? "" : (const char *)buffer->bytes;
}

char *
tf_buffer_take(struct tf_buffer *buffer)
{
    char *text = NULL;

    tf_buffer_add(buffer, "", 0);   /* an empty text is a text, too */
    if (!buffer->failed) {
        text = (char *)buffer->bytes;
        buffer->bytes = NULL;
    }
    tf_buffer_release(buffer);
    return text;
}

/* The next unit of UTF-8, surrogates among them: its length, 0 for a bad byte. */
static size_t
next_unit(const unsigned char *text, size_t length, uint32_t *unit)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t size = text[0] < 0x80 ? 1 : (text[0] & 0xe0) == 0xc0 ? 2
        : (text[0] & 0xf0) == 0xe0 ? 3 : (text[0] & 0xf8) == 0xf0 ? 4 : 0;

    if (size == 0 || size > length)
        return 0;
    *unit = size == 1 ? text[0] : text[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *unit = *unit << 6 | (text[i] & 0x3f);
    }
    if (*unit > 0x10ffff || (*unit < least[size] && !(size == 2 && *unit == 0)))
        return 0;
    return size;
}

size_t
tf_utf8_next(const char *text, size_t length, uint32_t *c)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t size = next_unit(at, length, c);
    uint32_t low;

    if (size == 0) {
        *c = 0xfffd;
        return 1;
    }
    if (*c < 0xd800 || *c >= 0xe000)
        return size;
    if (*c < 0xdc00 && length >= 6 && next_unit(at + 3, 3, &low) == 3 && low >= 0xdc00
        && low < 0xe000) {
        *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
        return 6;
    }
    *c = 0xfffd;
    return size;
}

size_t
tf_utf8_put(char *bytes, uint32_t c)
{
    static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = length; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[length] | c);
    return length;
}

void
tf_buffer_modified_utf8(struct tf_buffer *out, const char *text, size_t length)
{
    char bytes[4];
    uint32_t c;

    for (size_t at = 0; at < length; ) {
        at += tf_utf8_next(text + at, length - at, &c);
        tf_buffer_add(out, bytes, tf_utf8_put(bytes, c));
    }
}

/* True for a character that does not simply stand where it is written: C0 and C1
   controls, the separators of lines and paragraphs, and what changes the direction of
   writing. */
static bool
is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void
tf_buffer_printable(struct tf_buffer *out, const char *text, size_t length)
{
    char bytes[4];
    uint32_t c;

    for (size_t at = 0; at < length; ) {
        at += tf_utf8_next(text + at, length - at, &c);
        if (c == '\\')
            tf_buffer_text(out, "\\\\");
        else if (c == '\n')
            tf_buffer_text(out, "\\n");
        else if (c == '\r')
            tf_buffer_text(out, "\\r");
        else if (c == '\t')
            tf_buffer_text(out, "\\t");
        else if (is_control(c))
            tf_buffer_format(out, "\\u%04x", (unsigned)c);
        else
            tf_buffer_add(out, bytes, tf_utf8_put(bytes, c));
    }
}
