/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/utf8.h -- conversions between modified UTF-8, UTF-8, UTF-16 and Latin-1.
 *
 * A "unit" is a code unit of UTF-16, a Java char.  Strings of the class library hold
 * UTF-16 or, if all units are below 256, Latin-1 (`latin1` is true then, and a unit is
 * a byte).
 */
#ifndef MINIVM_BASE_UTF8_H
#define MINIVM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Modified UTF-8 (JVMS 4.4.7) writes U+0000 as two bytes and a supplementary character
 * as two surrogates of three bytes each.
 *
 * The functions that read it accept any bytes, since agents and native methods pass
 * strings that are not well-formed: a byte that begins no well-formed sequence is read
 * as the unit of its own value.  mutf8_valid tells whether bytes are well-formed.
 */

/*
 * Returns true if the bytes are modified UTF-8: no zero byte, none of 0xf0 to 0xff, and
 * no incomplete sequence.  With shortest, each character must also have its shortest
 * form, as in class files from version 48 on.
 */
bool mutf8_valid(const char *bytes, size_t length, bool shortest);

/* Returns the number of units, and stores whether all of them are below 256. */
size_t mutf8_utf16_length(const char *bytes, size_t length, bool *latin1);
/* Stores so many units: as UTF-16, or each truncated to a byte. */
void mutf8_to_units(const char *bytes, size_t length, void *units, bool latin1);

/*
 * Returns the unit at *at, which must be before end, and moves *at behind it.
 */
uint16_t mutf8_next(const char **at, const char *end);
/* Stores the unit as 1 to 3 bytes of modified UTF-8 and returns the address behind
   them. */
char *mutf8_put(char *to, uint16_t unit);

/* Returns the number of bytes, without a NUL, that the units have as modified UTF-8;
   the second function stores them and adds no NUL. */
size_t units_mutf8_length(const void *units, size_t count, bool latin1);
void units_to_mutf8(const void *units, size_t count, bool latin1, char *bytes);

bool utf16_is_latin1(const uint16_t *units, size_t count);

/*
 * Convert standard UTF-8 to modified UTF-8 and back.  The result has a NUL behind it,
 * which *result_length does not count (it may be NULL), and is freed by mem_free.  As
 * in Java's own decoder and encoder, an incomplete sequence becomes U+FFFD, and a
 * surrogate without its partner becomes '?'.
 */
char *utf8_to_mutf8(const char *bytes, size_t length, size_t *result_length);
char *mutf8_to_utf8(const char *bytes, size_t length, size_t *result_length);

#endif
