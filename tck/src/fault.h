/* SPDX-License-Identifier: MIT */
/*
 * tck/src/fault.h -- the faults that can be put between the kit and a VM, by their
 * names; tck/mutate/mutate.h says what each kind is.
 */
#ifndef TCK_SRC_FAULT_H
#define TCK_SRC_FAULT_H

#include "tck/src/run.h"

enum fault_kind {
    FAULT_WRONG,
    FAULT_MISSING,
    FAULT_CONFUSED,
    FAULT_REFUSED,
    FAULT_IN,
    FAULT_NARROW,
    FAULT_OUT,
    FAULT_STUCK,
    FAULT_LAST,
    FAULT_ORDER,
    FAULT_LONGER,
    FAULT_SWALLOWED,
    FAULT_FEWER,
    FAULT_MEMBER,
    FAULT_HIDES,
    FAULT_CALLBACK,
    FAULT_DROPPED,
    FAULT_DOUBLED,
    FAULT_SPARSE,
    FAULT_UNDISABLED,
    FAULT_WIDENED,
    FAULT_UNHEARD,
    FAULT_ARG,
    FAULT_OTHER,
    FAULT_KINDS
};

extern const char *const fault_kind_names[FAULT_KINDS];

struct fault {
    char *name;
    const char *subject;
    enum fault_kind kind;
    char *mark; /* what the record says when it could be reached */
    char *hint; /* part of the ids to try first */
};

/* All that the level has and --mutate selects; the caller keeps them. */
struct fault *fault_list(const struct run *run, size_t *count);

#endif
