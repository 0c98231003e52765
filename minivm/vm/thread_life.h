/* SPDX-License-Identifier: MIT */
/* minivm/vm/thread_life.h -- shared by thread.c and start.c. */

#ifndef MINIVM_VM_THREAD_LIFE_H
#define MINIVM_VM_THREAD_LIFE_H

#include "vm/thread.h"

/* A thread with a Java stack of that many bytes, IN_NATIVE, in no list; NULL when
   there is no memory. */
struct thread *thread_new(struct vm *vm, size_t stack_size);
/* t is in no list. */
void thread_free(struct thread *t);
/* Make t known to the others; false when there are too many threads. */
bool thread_list_add(struct thread *t);
/* t is self and IN_VM, or never ran and the caller is IN_VM.  Frees t, now or when it
   is unpinned. */
void thread_list_remove(struct thread *t);

#endif
