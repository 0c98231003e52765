/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/history.h -- what happened last: the newest events of each kind, for
 * `jcmd VM.events`.
 *
 * The memory has a fixed size.  Any thread may call; a mutex is held for a moment.
 * Nothing here stops or collects.
 */
#ifndef MINIVM_BASE_HISTORY_H
#define MINIVM_BASE_HISTORY_H

#include <stddef.h>

#include "base/buf.h"
#include "base/symbol.h"

enum history {
    HISTORY_COLLECTIONS,
    HISTORY_LIBRARIES,
    HISTORY_LOADED,
    HISTORY_UNLOADED,
    HISTORY_REDEFINED,
    HISTORIES
};

/* Adds an event, with the present time, in the place of the oldest one of its kind.
   The end of a text of more than 159 bytes is cut off. */
void history_add(enum history kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the event "what name", or "what address 'name'" if address is not NULL.  It is for
   what happens often: the text is made only when somebody asks for it, so what must
   stay. */
void history_add_name(enum history kind, const char *what, const void *address,
                      const struct symbol *name);

/*
 * Appends the newest events, at most max, of the kind with that short name ("load",
 * "gc" and so on), or of each kind when name is NULL.  For an unknown name appends the
 * names that there are and returns false.
 */
bool history_print(struct buf *out, const char *name, size_t max);

#endif
