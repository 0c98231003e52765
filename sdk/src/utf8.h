/* SPDX-License-Identifier: MIT */
/* sdk/src/utf8.h -- code points of standard and of modified UTF-8 (JVMS 4.4.7). */
#ifndef SDK_SRC_UTF8_H
#define SDK_SRC_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The first character of length > 0 bytes: how many bytes it takes.  *c is U+FFFD for
   bytes that are none. */
size_t tf_utf8_next(const char *text, size_t length, uint32_t *c);
/* Write c, which is no surrogate, as standard UTF-8, at most 4 bytes: how many. */
size_t tf_utf8_put(char *bytes, uint32_t c);

#endif
