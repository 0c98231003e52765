/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/exhausted.h -- what happens when there is no memory left.
 *
 * The rooms of the VM call this instead of throwing OutOfMemoryError themselves, so
 * that options such as -XX:+HeapDumpOnOutOfMemoryError and the event ResourceExhausted
 * see each case.
 */

#ifndef MINIVM_DIAGNOSTICS_EXHAUSTED_H
#define MINIVM_DIAGNOSTICS_EXHAUSTED_H

#include "threads/thread.h"

/* What is exhausted, with the numbers of JVM TI "Resource Exhausted"; jvmti/deliver.c
   asserts that they are equal. */
enum { EXHAUSTED_OOM_ERROR = 1, EXHAUSTED_JAVA_HEAP = 2, EXHAUSTED_THREADS = 4 };

/*
 * Throws OutOfMemoryError with that text and returns NULL, for callers to return.
 * Before that it does what the options -XX:…OnOutOfMemoryError ask for, which may end
 * the process, and sends the event ResourceExhausted with these flags, EXHAUSTED_... or
 * several of them.  May stop and collect, and agents' code runs, so the caller holds no
 * lock of the VM.
 */
void *throw_exhausted(struct thread *self, const char *text, int flags);

#endif
