/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/bytes.h -- reading big-endian values, with and without a check of bounds.
 *
 * Class files and the JDK's module file are parsed with a struct reader, which makes it
 * impossible to read beyond the end; bytecode that the verifier has accepted is read
 * with get_u2 and get_u4.
 */
#ifndef MINIVM_BASE_BYTES_H
#define MINIVM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* These functions read and write bytes that the caller knows to be there; they need not
   be aligned. */
static inline uint16_t
get_u2(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t
get_u4(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline void
put_u2(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/*
 * A position in the bytes [at, end).  Each read moves it on.  A read that would pass
 * the end returns zero, moves at to the end and sets bad, which is never reset; so a
 * parser may read a whole structure and then check bad once.
 */
struct reader {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;
};

static inline struct reader
reader_of(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    return (struct reader){ at, length == 0 ? at : at + length, false };
}

static inline size_t
reader_left(const struct reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Returns the address of the next length bytes and moves behind them, or NULL when
   fewer are left. */
static inline const uint8_t *
reader_bytes(struct reader *r, size_t length)
{
    const uint8_t *at = r->at;

    if (length > reader_left(r)) {
        r->at = r->end;
        r->bad = true;
        return NULL;
    }
    if (length != 0)
        r->at += length;
    return at;
}

static inline uint8_t
reader_u1(struct reader *r)
{
    const uint8_t *at = reader_bytes(r, 1);

    return !at ? 0 : *at;
}

static inline uint16_t
reader_u2(struct reader *r)
{
    const uint8_t *at = reader_bytes(r, 2);

    return !at ? 0 : get_u2(at);
}

/* Reads values of 2 bytes into a struct of size bytes that has only uint16_t
   members. */
static inline void
reader_u2s(struct reader *r, void *to, size_t size)
{
    uint16_t *fields = to;

    for (size_t i = 0; i < size / sizeof *fields; i++)
        fields[i] = reader_u2(r);
}

static inline uint32_t
reader_u4(struct reader *r)
{
    const uint8_t *at = reader_bytes(r, 4);

    return !at ? 0 : get_u4(at);
}

/* Returns a reader of the next length bytes alone; r moves behind them. */
static inline struct reader
reader_sub(struct reader *r, size_t length)
{
    const uint8_t *at = reader_bytes(r, length);

    if (!at)
        return (struct reader){ r->end, r->end, true };
    return reader_of(at, length);
}

#endif
