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

/* The number of UTF-16 units, and whether all of them fit in Latin-1. */
size_t mutf8_utf16_length(const char *bytes, size_t length, bool *latin1);
/* Writes as many units: UTF-16, or each truncated to a byte. */
void mutf8_to_units(const char *bytes, size_t length, void *units, bool latin1);

/*
 * The unit at *at, *at moved behind it; *at < end.  The one decoder that all
 * the others use.
 */
uint16_t mutf8_next(const char **at, const char *end);
/* Writes unit as 1 to 3 bytes and answers the place behind them. */
char *mutf8_put(char *to, uint16_t unit);

/* Of UTF-16 or Latin-1: the number of bytes without a NUL; the writer adds none. */
size_t units_mutf8_length(const void *units, size_t count, bool latin1);
void units_to_mutf8(const void *units, size_t count, bool latin1, char *bytes);

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
