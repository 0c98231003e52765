/* SPDX-License-Identifier: MIT */
/* agents/heapdump/output.c -- a result file, compressed or not. */
#include "agents/heapdump/heapdump.h"

#include <stdarg.h>
#include <stdlib.h>
#include <zlib.h>

enum { CHUNK = 1 << 16 };

struct output {
    struct tf_output *file;
    unsigned long long length;
    bool gzip;
    z_stream deflater;
    unsigned char chunk[CHUNK];
};

/* Level 1, as jcmd's -gz=1: the walk holds up the program, and the higher ones gain
   little on heaps. */
struct output *
output_open(const char *path, bool gzip)
{
    struct output *out = calloc(1, sizeof *out);

    if (out != NULL)
        out->gzip = gzip;
    if (out == NULL
        || (gzip && deflateInit2(&out->deflater, 1, Z_DEFLATED, 15 + 16, 8,
                                 Z_DEFAULT_STRATEGY) != Z_OK)) {
        tf_error("cannot write \"%s\": out of memory", path);
        free(out);
        return NULL;
    }
    out->file = tf_output_open(path);
    if (out->file == NULL) {
        if (gzip)
            deflateEnd(&out->deflater);
        free(out);
        return NULL;
    }
    return out;
}

static bool
compress_to(struct output *out, const void *bytes, size_t length, int flush)
{
    const unsigned char *next = bytes;

    do {
        uInt part = length < 1u << 30 ? (uInt)length : 1u << 30;
        int mode = part == length ? flush : Z_NO_FLUSH;

        out->deflater.next_in = (Bytef *)next;
        out->deflater.avail_in = part;
        do {
            out->deflater.next_out = out->chunk;
            out->deflater.avail_out = CHUNK;
            deflate(&out->deflater, mode);
            if (!tf_output_write(out->file, out->chunk,
                                 CHUNK - out->deflater.avail_out))
                return false;
        } while (out->deflater.avail_out == 0);
        next += part;
        length -= part;
    } while (length > 0);
    return true;
}

bool
output_bytes(struct output *out, const void *bytes, size_t length)
{
    out->length += length;
    if (length == 0)
        return true;
    return out->gzip ? compress_to(out, bytes, length, Z_NO_FLUSH)
        : tf_output_write(out->file, bytes, length);
}

bool
output_format(struct output *out, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    int length;
    bool done;

    va_start(arguments, format);
    length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return false;
    done = output_bytes(out, text, (size_t)length);
    free(text);
    return done;
}

unsigned long long
output_length(const struct output *out)
{
    return out->length;
}

static void
output_free(struct output *out)
{
    if (out->gzip)
        deflateEnd(&out->deflater);
    free(out);
}

bool
output_commit(struct output *out)
{
    bool done;

    if (out->gzip)
        compress_to(out, "", 0, Z_FINISH);
    done = tf_output_commit(out->file);
    output_free(out);
    return done;
}

void
output_discard(struct output *out)
{
    tf_output_discard(out->file);
    output_free(out);
}
