/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump.h -- writes the heap as a file that heap analysers read
 * (HPROF 1.0.2).
 *
 * Dumps are asked for by options (-XX:+HeapDumpOnOutOfMemoryError and others), by jcmd
 * and by the management interface of the class library.  Writing one stops the world.
 */

#ifndef MINIVM_DIAGNOSTICS_HEAPDUMP_H
#define MINIVM_DIAGNOSTICS_HEAPDUMP_H

#include "threads/thread.h"

struct heap_dump {
    const char *path;
    /* Collect garbage first, so that only what can be reached is in the dump. */
    bool live;
    /* A file that is there already is replaced; if false, it is an error. */
    bool overwrite;
    /* The thread is about to get an OutOfMemoryError; its dumped stack begins with the
       error's constructor, as analysers expect. */
    bool out_of_memory;
    /* 1 to 9, or 0 for a file that is not compressed. */
    int gzip_level;
};

/*
 * Writes the dump that d describes.  Stops the world; takes no Java heap, and native
 * memory in proportion to the number of classes, not of objects.  Returns NULL, or a
 * text that says why there is no complete dump, which the caller frees (mem_free).
 * Messages about the progress are appended to out; if out is NULL, they go to standard
 * output.
 */
struct buf;
char *heap_dump_write(struct thread *self, const struct heap_dump *d, struct buf *out);

/* Writes the dump that -XX:HeapDumpPath and -XX:HeapDumpGzipLevel describe, and tells
   of it on standard output.  The second one of the process and those that follow have a
   number behind their name.  Stops the world. */
void heap_dump_by_options(struct thread *self, bool out_of_memory);

#endif
