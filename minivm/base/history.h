/* SPDX-License-Identifier: MIT */
/* minivm/base/history.h -- what happened last, for VM.events and reports: the newest
 * events of each kind, kept in memory of a fixed size. */
#ifndef MINIVM_BASE_HISTORY_H
#define MINIVM_BASE_HISTORY_H

#include <stddef.h>

#include "base/buf.h"

enum history {
    HISTORY_COLLECTIONS, HISTORY_LIBRARIES, HISTORY_LOADED, HISTORY_UNLOADED,
    HISTORY_REDEFINED, HISTORIES
};

/* The end of a long text is cut off. */
void history_add(enum history kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The newest max events of the kind with that short name (load, gc…), NULL: of all
 * kinds.  False, and the names that there are, when it is none.
 */
bool history_print(struct buf *out, const char *name, size_t max);

#endif
