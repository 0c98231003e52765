/* SPDX-License-Identifier: MIT */
/*
 * tiforge/json.h -- writes JSON (RFC 8259) as a stream, for results too large to build
 * as a tree in memory.  Commas, nesting and escapes are the writer's.
 *
 *     tf_json_open_object(&json, NULL);
 *     tf_json_string(&json, "name", name);
 *     tf_json_open_array(&json, "rows");
 *     tf_json_number(&json, NULL, 7);
 *     tf_json_close(&json);
 *     tf_json_close(&json);
 *
 * `key` is NULL in arrays and at the top.  A misplaced key or close aborts: it is a
 * mistake in the program.  Errors of writing stay with the stream (ferror).
 */
#ifndef TIFORGE_JSON_H
#define TIFORGE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TF_JSON_DEPTH 32

struct tf_json {
    FILE *stream;
    int depth;
    bool filled;                        /* something stands before in this level */
    bool pretty;                        /* one item a line; may be set at any time */
    char closing[TF_JSON_DEPTH];
};

void tf_json_init(struct tf_json *json, FILE *stream);
void tf_json_open_object(struct tf_json *json, const char *key);
void tf_json_open_array(struct tf_json *json, const char *key);
/* Close the innermost object or array. */
void tf_json_close(struct tf_json *json);

/* Text in UTF-8 or modified UTF-8; bytes that are neither become U+FFFD.  NULL gives
   null. */
void tf_json_string(struct tf_json *json, const char *key, const char *text);
void tf_json_number(struct tf_json *json, const char *key, int64_t value);
/* Seventeen significant digits; null for infinities and NaN, which JSON lacks. */
void tf_json_double(struct tf_json *json, const char *key, double value);
/* value / scale with that many decimals, exactly: nanoseconds as microseconds. */
void tf_json_decimal(struct tf_json *json, const char *key, int64_t value,
                     int decimals);
void tf_json_bool(struct tf_json *json, const char *key, bool value);
void tf_json_null(struct tf_json *json, const char *key);

#ifdef __cplusplus
}
#endif

#endif
