/* SPDX-License-Identifier: MIT */
/* minivm/vm/fault.h -- accesses to memory that may not be there.
 *
 * A mapped file may shrink, and Unsafe takes any address. */

#ifndef MINIVM_VM_FAULT_H
#define MINIVM_VM_FAULT_H

#include "vm/thread.h"

/* Take SIGSEGV and SIGBUS; outside of fault_guard they do what they did before. */
void fault_init(void);

/*
 * Run body(self, args).  False when it met SIGSEGV or SIGBUS, which ends it there: it
 * calls nothing that holds a lock.  Does not nest.
 */
bool fault_guard(struct thread *self,
                 bool (*body)(struct thread *self, union slot *args), union slot *args);

#endif
