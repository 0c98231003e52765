/* SPDX-License-Identifier: MIT */
/*
 * tiforge/output.h -- a result file that is there whole or not at all: it is written
 * beside its place under another name and renamed when it is complete.
 */
#ifndef TIFORGE_OUTPUT_H
#define TIFORGE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_output;

/*
 * Begin to write `path`; "-" is standard output, "/dev/..." is written in place.  NULL,
 * with the reason logged, when the file cannot be made.  path is copied.
 */
struct tf_output *tf_output_open(const char *path);

/* The stream to write to; do not close it. */
FILE *tf_output_stream(struct tf_output *output);
/* Write bytes; false after the first error, which commit reports. */
bool tf_output_write(struct tf_output *output, const void *bytes, size_t length);

/*
 * Flush it to the disk, give it its name and free output.  False, with the reason
 * logged, when anything failed since the opening: then there is no new file under the
 * name, and an old one is as it was.
 */
bool tf_output_commit(struct tf_output *output);
/* Remove what was written and free output. */
void tf_output_discard(struct tf_output *output);

#ifdef __cplusplus
}
#endif

#endif
