/* SPDX-License-Identifier: MIT */
/* minivm/base/symbol.h -- names, each stored once in the process. */
#ifndef MINIVM_BASE_SYMBOL_H
#define MINIVM_BASE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Two symbols are the same name exactly when their pointers are equal.
 * Symbols live until the process ends, so a pointer may be kept anywhere.
 */
struct symbol {
    uint32_t hash;
    uint16_t length;
    /* Modified UTF-8 (JVMS 4.4.7), so no NUL among them; one follows. */
    char bytes[];
};

/* The longest name that a class file can hold (JVMS 4.4.7). */
#define SYMBOL_MAX_LENGTH 65535

/*
 * The symbol of these bytes, made when it is new.  Any thread may call it;
 * finding a known name takes no lock.  length is at most SYMBOL_MAX_LENGTH.
 */
const struct symbol *symbol_intern(const char *bytes, size_t length);
const struct symbol *symbol_of(const char *text);
/* symbol_intern, but NULL when a new symbol would need memory that is not there. */
const struct symbol *symbol_try_intern(const char *bytes, size_t length);
/* NULL when nobody has interned the name yet. */
const struct symbol *symbol_lookup(const char *bytes, size_t length);

static inline bool
symbol_equals(const struct symbol *s, const char *text)
{
    return __builtin_strcmp(s->bytes, text) == 0;
}

#endif
