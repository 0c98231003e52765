/* SPDX-License-Identifier: MIT */
/* minivm/vm/check.h -- do the VM's tables keep their promises?  For -XX:+VerifyBeforeGC
 * and -XX:+VerifyAfterGC. */

#ifndef MINIVM_VM_CHECK_H
#define MINIVM_VM_CHECK_H

struct vm;

/*
 * Compare the heap, the classes, the roots, the threads' frames and locks, and the
 * monitors with what their headers promise.  The world is stopped and all caches are
 * flushed.  Ends the process with a message that begins with `when` if a promise is
 * broken.
 */
void vm_check(struct vm *vm, const char *when);

#endif
