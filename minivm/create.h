/* SPDX-License-Identifier: MIT */
/* minivm/create.h -- a VM's beginning and end. */

#ifndef MINIVM_CREATE_H
#define MINIVM_CREATE_H

#include <jni.h>

#include "vm/vm.h"

/* The VM of the process, with the calling thread attached (IN_VM); NULL when that
   fails, which was printed. */
struct vm *vm_create(const JavaVMInitArgs *args, struct thread **self);

/* Shutdown hooks, VMDeath, Agent_OnUnload.  Called IN_VM by the last thread of
   DestroyJavaVM, or on the way to exit(). */
void vm_destroy(struct thread *self);

/* The part of it that exit() needs too: VMDeath and Agent_OnUnload. */
void vm_before_exit(struct thread *self);

/* What vm->jni_invoke points to. */
extern const struct JNIInvokeInterface_ vm_invoke_interface;

#endif
