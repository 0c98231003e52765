/* SPDX-License-Identifier: MIT */
/* sdk/src/json.c -- JSON as a stream. */
#include <tiforge/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/log.h>

#include "utf8.h"

_Noreturn static void
misuse(const char *what)
{
    tf_error("JSON writer: %s", what);
    abort();
}

/* How much of the text stands for itself, most of it usually. */
static size_t
plain_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    while (*c >= 0x20 && *c < 0x7f && *c != '"' && *c != '\\')
        c++;
    return (size_t)(c - (const unsigned char *)text);
}

static void
put_text(FILE *stream, const char *text)
{
    size_t length = strlen(text);

    putc('"', stream);
    for (size_t at = 0; at < length; ) {
        size_t plain = plain_length(text + at);
        char bytes[4];
        uint32_t c;

        if (plain > 0) {
            fwrite(text + at, 1, plain, stream);
            at += plain;
            continue;
        }
        at += tf_utf8_next(text + at, length - at, &c);
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", (int)c);
        else if (c == '\n')
            fputs("\\n", stream);
        else if (c < 0x20 || c == 0x7f)
            fprintf(stream, "\\u%04x", (unsigned)c);
        else
            fwrite(bytes, 1, tf_utf8_put(bytes, c), stream);
    }
    putc('"', stream);
}

/* What stands before a value: comma, new line, key. */
static void
begin(struct tf_json *json, const char *key)
{
    bool in_object = json->depth > 0 && json->closing[json->depth - 1] == '}';

    if (in_object != (key != NULL))
        misuse(in_object ? "no key in an object" : "a key outside of an object");
    if (json->filled && json->depth > 0)
        putc(',', json->stream);
    if (json->pretty && json->depth > 0)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    json->filled = true;
    if (key != NULL) {
        put_text(json->stream, key);
        fputs(json->pretty ? ": " : ":", json->stream);
    }
}

void
tf_json_init(struct tf_json *json, FILE *stream)
{
    memset(json, 0, sizeof *json);
    json->stream = stream;
}

static void
open_level(struct tf_json *json, const char *key, char opening, char closing)
{
    begin(json, key);
    if (json->depth == TF_JSON_DEPTH)
        misuse("nested too deeply");
    putc(opening, json->stream);
    json->closing[json->depth++] = closing;
    json->filled = false;
}

void
tf_json_open_object(struct tf_json *json, const char *key)
{
    open_level(json, key, '{', '}');
}

void
tf_json_open_array(struct tf_json *json, const char *key)
{
    open_level(json, key, '[', ']');
}

void
tf_json_close(struct tf_json *json)
{
    if (json->depth == 0)
        misuse("nothing to close");
    json->depth--;
    if (json->pretty && json->filled)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    putc(json->closing[json->depth], json->stream);
    json->filled = true;
    if (json->depth == 0)
        putc('\n', json->stream);
}

void
tf_json_string(struct tf_json *json, const char *key, const char *text)
{
    begin(json, key);
    if (text == NULL)
        fputs("null", json->stream);
    else
        put_text(json->stream, text);
}

void
tf_json_number(struct tf_json *json, const char *key, int64_t value)
{
    begin(json, key);
    fprintf(json->stream, "%" PRId64, value);
}

void
tf_json_double(struct tf_json *json, const char *key, double value)
{
    char text[32], *comma;

    begin(json, key);
    if (!isfinite(value)) {
        fputs("null", json->stream);
        return;
    }
    snprintf(text, sizeof text, "%.17g", value);
    comma = strchr(text, ',');
    if (comma != NULL)
        *comma = '.';       /* the program's locale has a comma */
    fputs(text, json->stream);
}

void
tf_json_decimal(struct tf_json *json, const char *key, int64_t value, int decimals)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, scale = 1;

    for (int i = 0; i < decimals; i++)
        scale *= 10;
    begin(json, key);
    fprintf(json->stream, "%s%" PRIu64, value < 0 ? "-" : "", magnitude / scale);
    if (decimals > 0)
        fprintf(json->stream, ".%0*" PRIu64, decimals, magnitude % scale);
}

void
tf_json_bool(struct tf_json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void
tf_json_null(struct tf_json *json, const char *key)
{
    begin(json, key);
    fputs("null", json->stream);
}
