/* SPDX-License-Identifier: MIT */
/* minivm/base/utf8.h -- modified UTF-8, UTF-8, UTF-16 and Latin-1. */
#ifndef MINIVM_BASE_UTF8_H
#define MINIVM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Modified UTF-8 (JVMS 4.4.7) writes U+0000 as two bytes and a supplementary
 * character as two surrogates of three bytes each.
 *
 * The functions that read it accept any bytes: one that begins no well-formed
 * sequence stands for the unit of its own value, as agents and natives that
 * pass sloppy strings are used to.  mutf8_valid tells good from bad.
 */

/*
 * Whether the bytes are modified UTF-8: no zero byte, none of 0xf0 to 0xff,
 * no broken sequence.  With shortest also whether each character has its
 * shortest form, which class files from version 48 on must use.
 */
bool mutf8_valid(const char *bytes, size_t length, bool shortest);

/* The number of UTF-16 units. */
size_t mutf8_utf16_length(const char *bytes, size_t length);
/* Whether all units fit in Latin-1. */
bool mutf8_is_latin1(const char *bytes, size_t length);
/* Write mutf8_utf16_length units; the Latin-1 one truncates each to a byte. */
void mutf8_to_utf16(const char *bytes, size_t length, uint16_t *units);
void mutf8_to_latin1(const char *bytes, size_t length, uint8_t *units);

/*
 * The unit at *at, *at moved behind it; *at < end.  The one decoder that all
 * the others use.
 */
uint16_t mutf8_next(const char **at, const char *end);
/* Writes unit as 1 to 3 bytes and answers the place behind them. */
char *mutf8_put(char *to, uint16_t unit);

/* The number of bytes without a NUL; the writers add none. */
size_t utf16_mutf8_length(const uint16_t *units, size_t count);
size_t latin1_mutf8_length(const uint8_t *units, size_t count);
void utf16_to_mutf8(const uint16_t *units, size_t count, char *bytes);
void latin1_to_mutf8(const uint8_t *units, size_t count, char *bytes);

bool utf16_is_latin1(const uint16_t *units, size_t count);

/*
 * Standard UTF-8 to modified and back; the result has a NUL after it that
 * *result_length (may be NULL) does not count, and goes to mem_free.  A broken
 * sequence becomes U+FFFD, a surrogate without its partner '?', as Java's
 * own decoder and encoder have it.
 */
char *utf8_to_mutf8(const char *bytes, size_t length, size_t *result_length);
char *mutf8_to_utf8(const char *bytes, size_t length, size_t *result_length);

#endif
