/* SPDX-License-Identifier: MIT */
/* minivm/jdk/perf.h -- performance counters that other processes can read. */

#ifndef MINIVM_JDK_PERF_H
#define MINIVM_JDK_PERF_H

#include "vm/vm.h"

/* Make the counters' file, or memory of our own where there can be none, and add the
   counters that the JDK's tools ask for.  vm->options are complete. */
void perf_init(struct vm *vm);

/* Constant counters; the value is copied.  Dropped when the memory is full. */
void perf_add_string(const char *name, const char *value);
void perf_add_long(const char *name, int64_t value);
/* A number that changes; NULL when there is no room. */
int64_t *perf_add_variable(const char *name);

/* ---- perf_counters.c ---- */

/* The counters of the heap and of classes; vm->heap exists. */
void perf_counters_init(struct vm *vm);

#endif
