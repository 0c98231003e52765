/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/check.h -- a test of the VM's invariants, for -XX:+VerifyBeforeGC
 * and -XX:+VerifyAfterGC.
 */

#ifndef MINIVM_DIAGNOSTICS_CHECK_H
#define MINIVM_DIAGNOSTICS_CHECK_H

struct vm;

/*
 * Compares the heap, the classes, the roots, the threads' frames and locks, and the
 * monitors with what their headers promise.  The caller has stopped the world and
 * flushed all allocation caches.  Ends the process with a message that begins with
 * `when` if a promise is broken.
 */
void vm_check(struct vm *vm, const char *when);

#endif
