/* SPDX-License-Identifier: MIT */
/*
 * tiforge/buffer.h -- a byte buffer that grows.  A failed allocation is remembered, so
 * that only the end has to be asked; what is appended after it is ignored.
 */
#ifndef TIFORGE_BUFFER_H
#define TIFORGE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tiforge/log.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_buffer {
    unsigned char *bytes;   /* length bytes and a 0 after them; NULL while empty */
    size_t length, capacity;
    bool failed;            /* memory ran short */
};

/* Zeroed storage is an empty buffer, too. */
void tf_buffer_init(struct tf_buffer *buffer);
/* Free the bytes; the buffer is empty again. */
void tf_buffer_release(struct tf_buffer *buffer);
/* Make it empty, keep the storage. */
void tf_buffer_clear(struct tf_buffer *buffer);

void tf_buffer_add(struct tf_buffer *buffer, const void *bytes, size_t length);
void tf_buffer_text(struct tf_buffer *buffer, const char *text);
void tf_buffer_format(struct tf_buffer *buffer, const char *format, ...)
    TF_PRINTF(2, 3);

/* Big-endian numbers, as class files and HPROF have them. */
void tf_buffer_u1(struct tf_buffer *buffer, unsigned value);
void tf_buffer_u2(struct tf_buffer *buffer, unsigned value);
void tf_buffer_u4(struct tf_buffer *buffer, uint32_t value);
void tf_buffer_u8(struct tf_buffer *buffer, uint64_t value);

/* The bytes as text: "" while empty or failed; valid until the next change. */
const char *tf_buffer_string(const struct tf_buffer *buffer);
/* The bytes, now the caller's to free(); NULL if it failed.  The buffer is empty
   again. */
char *tf_buffer_take(struct tf_buffer *buffer);

/*
 * Append `length` bytes of modified UTF-8 (JVMS 4.4.7; what JVM TI and JNI give) as
 * standard UTF-8: surrogate pairs become one sequence, C0 80 becomes a zero, standard
 * sequences stay, and all else, a lone surrogate among it, becomes U+FFFD.
 */
void tf_buffer_modified_utf8(struct tf_buffer *buffer, const char *text, size_t length);

/*
 * Append `length` bytes of modified UTF-8 as text for a person or a line of a file.
 * Class, method and thread names may hold nearly any character, so what would break
 * the line, move the cursor or turn the direction of writing is written as an escape
 * of the Java language: \n, \t, \u001b; a backslash becomes two.  The result holds no
 * zero, and the same text never stands for two names.
 */
void tf_buffer_printable(struct tf_buffer *buffer, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
