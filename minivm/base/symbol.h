/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/symbol.h -- symbols: names of classes, members and types, each stored
 * once in the process, so that names are compared by their pointers.
 *
 * Any thread may call these functions; nothing here stops or collects.
 */
#ifndef MINIVM_BASE_SYMBOL_H
#define MINIVM_BASE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A symbol.  Two names are equal exactly if the pointers to their symbols are.  Symbols
 * are never freed, so a pointer to one may be kept anywhere.
 */
struct symbol {
    uint32_t hash;
    uint16_t length;
    /* Modified UTF-8 (JVMS 4.4.7), in which there is no NUL; a NUL follows. */
    char bytes[];
};

/* The longest name that a class file can hold (JVMS 4.4.7). */
#define SYMBOL_MAX_LENGTH 65535

/*
 * Returns the symbol of these bytes, which is added if it is new.  length must not
 * exceed SYMBOL_MAX_LENGTH.  Finding a known name takes no lock; adding one takes a
 * mutex and ends the process when there is no memory.
 */
const struct symbol *symbol_intern(const char *bytes, size_t length);
const struct symbol *symbol_of(const char *text);
/* Returns the symbol of these bytes, added if it is new; NULL when there is no memory
   for a new one. */
const struct symbol *symbol_try_intern(const char *bytes, size_t length);
/* Returns the symbol of these bytes, or NULL when it was never added. */
const struct symbol *symbol_lookup(const char *bytes, size_t length);

static inline bool
symbol_equals(const struct symbol *s, const char *text)
{
    return __builtin_strcmp(s->bytes, text) == 0;
}

#endif
