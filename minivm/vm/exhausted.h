/* SPDX-License-Identifier: MIT */
/* minivm/vm/exhausted.h -- what happens when there is no memory left. */

#ifndef MINIVM_VM_EXHAUSTED_H
#define MINIVM_VM_EXHAUSTED_H

#include "vm/thread.h"

/* JVM TI "Resource Exhausted". */
enum { EXHAUSTED_OOM_ERROR = 1, EXHAUSTED_JAVA_HEAP = 2, EXHAUSTED_THREADS = 4 };

/*
 * Throw OutOfMemoryError with that text; before, do what -XX:…OnOutOfMemoryError asks
 * for and report ResourceExhausted with these flags.  May end the process.  Always
 * NULL.
 */
void *throw_exhausted(struct thread *self, const char *text, int flags);

#endif
