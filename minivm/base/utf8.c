/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/utf8.c -- conversions between modified UTF-8, UTF-8, UTF-16 and Latin-1.
 *
 * All functions that read modified UTF-8 go through mutf8_next, so that they agree on
 * bytes that are not well-formed.
 */

#include "base/utf8.h"

#include <string.h>

#include "base/mem.h"
#include "base/shared.h"

enum { REPLACEMENT = 0xfffd };

/*
 * Decodes the sequence of modified UTF-8 at bytes.  Returns its length, 1 to 3, with
 * the unit in *unit, or 0 when it is not well-formed.
 */
static inline size_t
decode(const uint8_t *bytes, size_t left, uint16_t *unit)
{
    uint8_t first = bytes[0];

    if (first < 0x80) {
        *unit = first;
        return 1;
    }
    if ((first & 0xe0) == 0xc0) {
        if (left < 2 || (bytes[1] & 0xc0) != 0x80)
            return 0;
        *unit = (uint16_t)((first & 0x1f) << 6 | (bytes[1] & 0x3f));
        return 2;
    }
    if ((first & 0xf0) == 0xe0) {
        if (left < 3 || (bytes[1] & 0xc0) != 0x80 || (bytes[2] & 0xc0) != 0x80)
            return 0;
        *unit = (uint16_t)((first & 0x0f) << 12 | (bytes[1] & 0x3f) << 6
                           | (bytes[2] & 0x3f));
        return 3;
    }
    return 0;
}

/*
 * Returns how many of the first bytes are ASCII but not NUL, which modified UTF-8,
 * UTF-8 and Latin-1 represent alike (in UTF-16 a unit has two bytes); it counts by
 * eight, so a few more may follow.  Names are nearly
 * always ASCII.
 */
static inline size_t
plain_prefix(const void *bytes, size_t length)
{
    const uint64_t ones = 0x0101010101010101u, highs = ones << 7;
    size_t i = 0;

    for (uint64_t word; i + 8 <= length; i += 8) {
        memcpy(&word, (const char *)bytes + i, 8);
        /* If one of the bytes is 0 or has its highest bit set, so has one of these. */
        if (((word - ones) | word) & highs)
            break;
    }
    return i;
}

uint16_t
mutf8_next(const char **at, const char *end)
{
    const uint8_t *bytes = (const uint8_t *)*at;
    uint16_t unit;
    size_t length = decode(bytes, (size_t)(end - *at), &unit);

    if (length == 0) {
        *at += 1;
        return bytes[0];
    }
    *at += length;
    return unit;
}

bool
mutf8_valid(const char *bytes, size_t length, bool shortest)
{
    size_t plain = plain_prefix(bytes, length);
    const uint8_t *at = (const uint8_t *)bytes + plain;

    length -= plain;
    while (length > 0) {
        uint16_t unit;
        size_t size = decode(at, length, &unit);

        if (size == 0 || (size == 1 && unit == 0))
            return false;
        if (shortest && size == 2 && unit < 0x80 && unit != 0)
            return false;
        if (shortest && size == 3 && unit < 0x800)
            return false;
        at += size;
        length -= size;
    }
    return true;
}

/* `all` has the bits of all units beyond ASCII, which tell whether one of them is
   beyond Latin-1. */
size_t
mutf8_utf16_length(const char *bytes, size_t length, bool *latin1)
{
    const char *end = bytes + length;
    uint16_t all = 0;
    size_t count = plain_prefix(bytes, length);

    for (bytes += count; bytes < end; count++)
        if ((*bytes & 0x80) == 0)
            bytes++;
        else
            all |= mutf8_next(&bytes, end);
    *latin1 = all <= 0xff;
    return count;
}

/* The units become the content of a string, which is a final field for other threads
   (JLS 17.5): they may read it without synchronization. */
UNTRACKED void
mutf8_to_units(const char *bytes, size_t length, void *units, bool latin1)
{
    const char *end = bytes + length;

    for (size_t i = 0; bytes < end; i++) {
        uint16_t unit = mutf8_next(&bytes, end);

        if (latin1)
            ((uint8_t *)units)[i] = (uint8_t)unit;
        else
            ((uint16_t *)units)[i] = unit;
    }
}

static inline size_t
mutf8_size(uint16_t unit)
{
    if (unit < 0x80)
        return unit == 0 ? 2 : 1;
    return unit < 0x800 ? 2 : 3;
}

/* Stores the code point as a sequence of size bytes (1 to 4), which the caller has
   found to be enough; returns the address behind it. */
static inline char *
put_sequence(char *to, uint32_t point, size_t size)
{
    static const uint8_t heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

    *to++ = (char)(heads[size] | point >> 6 * (size - 1));
    while (--size > 0)
        *to++ = (char)(0x80 | (point >> 6 * (size - 1) & 0x3f));
    return to;
}

char *
mutf8_put(char *to, uint16_t unit)
{
    return put_sequence(to, unit, mutf8_size(unit));
}

static inline uint16_t
unit_at(const void *units, size_t i, bool latin1)
{
    return latin1 ? ((const uint8_t *)units)[i] : ((const uint16_t *)units)[i];
}

size_t
units_mutf8_length(const void *units, size_t count, bool latin1)
{
    size_t plain = latin1 ? plain_prefix(units, count) : 0, length = plain;

    for (size_t i = plain; i < count; i++)
        length += mutf8_size(unit_at(units, i, latin1));
    return length;
}

void
units_to_mutf8(const void *units, size_t count, bool latin1, char *bytes)
{
    size_t plain = latin1 ? plain_prefix(units, count) : 0;

    memcpy(bytes, units, plain);
    bytes += plain;
    for (size_t i = plain; i < count; i++)
        bytes = mutf8_put(bytes, unit_at(units, i, latin1));
}

bool
utf16_is_latin1(const uint16_t *units, size_t count)
{
    uint16_t all = 0;

    for (size_t i = 0; i < count; i++)
        all |= units[i];
    return all <= 0xff;
}

/*
 * Decodes one character of standard UTF-8 (Unicode 3.9, table 3-7).  Returns its length
 * and stores it in *point.  If the bytes are not well-formed, returns the length of the
 * longest beginning of a character that they have, at least 1, as a negative number.
 */
static int
utf8_decode(const uint8_t *bytes, size_t left, uint32_t *point)
{
    uint8_t first = bytes[0], low = 0x80, high = 0xbf;
    int size;

    if (first < 0x80) {
        *point = first;
        return 1;
    }
    if (first < 0xc2 || first > 0xf4)
        return -1;
    size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *point = first & (0xffu >> (size + 1));
    /* The second byte tells overlong forms, surrogates and what is too large. */
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    for (int i = 1; i < size; i++) {
        if ((size_t)i >= left || bytes[i] < low || bytes[i] > high)
            return -i;
        *point = *point << 6 | (bytes[i] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    return size;
}

/* Ends the text at end by a NUL and stores its length without that (unless length is
   NULL).  Returns result, its beginning. */
static char *
terminate(char *result, char *end, size_t *length)
{
    *end = '\0';
    if (length)
        *length = (size_t)(end - result);
    return result;
}

char *
utf8_to_mutf8(const char *bytes, size_t length, size_t *result_length)
{
    /* What is broken grows most: one byte becomes three. */
    char *result = mem_alloc(3 * length + 1), *to = result;
    const uint8_t *at = (const uint8_t *)bytes;

    while (length > 0) {
        uint32_t point;
        int size = utf8_decode(at, length, &point);

        if (size < 0) {
            point = REPLACEMENT;
            size = -size;
        }
        /* Above 0xffff: two surrogates, of which the first has the upper ten bits of
           point - 0x10000; 0xd7c0 is 0xd800 less 0x10000 >> 10. */
        if (point > 0xffff) {
            to = mutf8_put(to, (uint16_t)(0xd7c0 + (point >> 10)));
            point = 0xdc00 + (point & 0x3ff);
        }
        to = mutf8_put(to, (uint16_t)point);
        at += size;
        length -= (size_t)size;
    }
    return terminate(result, to, result_length);
}

/* Two surrogates that belong together become one character of four bytes.  To see
   whether they do, the unit after the first one is read ahead (next, low). */
char *
mutf8_to_utf8(const char *bytes, size_t length, size_t *result_length)
{
    /* A stray byte beyond ASCII becomes two. */
    char *result = mem_alloc(2 * length + 1), *to = result;
    const char *end = bytes + length;

    while (bytes < end) {
        uint32_t point = mutf8_next(&bytes, end), low = 0;
        const char *next = bytes;

        if ((point & 0xfc00) == 0xd800 && next < end)
            low = mutf8_next(&next, end);
        if ((low & 0xfc00) == 0xdc00) {
            point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
            bytes = next;
        } else if ((point & 0xf800) == 0xd800) {
            point = '?';
        }
        to = put_sequence(to, point,
                          point < 0x80      ? 1
                          : point < 0x800   ? 2
                          : point < 0x10000 ? 3
                                            : 4);
    }
    return terminate(result, to, result_length);
}
