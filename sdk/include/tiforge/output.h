/* SPDX-License-Identifier: MIT */
/*
 * tiforge/output.h -- a result file that is there whole or not at all.
 *
 * It has no name while it is written, and gets the one that was asked for when it is
 * complete, so that neither an error nor a kill leaves a part of it.  On file systems
 * that have no files without names (NFS, for one) it is called PATH.tiforge-XXXXXX.tmp
 * meanwhile; a killed process leaves that, and the next one that opens PATH removes it.
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

/* True if a file could be opened at path now.  It leaves everything as it is.  An agent
   that writes at the exit asks at its start; the reason for a false is logged. */
bool tf_output_try(const char *path);

#ifdef __cplusplus
}
#endif

#endif
