/* SPDX-License-Identifier: MIT */
/* minivm/vm/heapdump.h -- the heap as a file that heap analysers read (HPROF 1.0.2). */

#ifndef MINIVM_VM_HEAPDUMP_H
#define MINIVM_VM_HEAPDUMP_H

#include "vm/thread.h"

struct heap_dump {
    const char *path;
    bool live;                     /* collect first: only what can be reached */
    bool overwrite;                /* a file that is there is no error */
    bool out_of_memory;            /* self is about to get an OutOfMemoryError, whose
                                      constructor becomes its newest frame */
    int gzip_level;                /* 1 to 9, 0: not compressed */
};

/*
 * Write the dump that d describes.  Stops the world; takes nothing of the Java heap and
 * native memory in proportion to classes, not to objects.  Answers NULL, or why there
 * is no whole dump (mem_free).  What is to be told meanwhile is appended to out, and to
 * standard output when out is NULL.
 */
struct buf;
char *heap_dump_write(struct thread *self, const struct heap_dump *d, struct buf *out);

/* Write the dump that -XX:HeapDumpPath and -XX:HeapDumpGzipLevel describe, the second
   one and those that follow with a number behind the name. */
void heap_dump_by_options(struct thread *self, bool out_of_memory);

#endif
