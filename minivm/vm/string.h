/* SPDX-License-Identifier: MIT */
/* minivm/vm/string.h -- java.lang.String from C. */

#ifndef MINIVM_VM_STRING_H
#define MINIVM_VM_STRING_H

#include "vm/thread.h"

/* New strings; NULL with OutOfMemoryError pending.  Lengths are in bytes, or in
   chars for UTF-16. */
struct object *string_from_modified(struct thread *self, const char *bytes, size_t length);
struct object *string_from_utf8(struct thread *self, const char *text); /* standard */
struct object *string_from_utf16(struct thread *self, const uint16_t *chars, size_t length);
#define string_from_symbol(self, s) \
    string_from_modified((self), (s)->bytes, (s)->length)
/* The same with '/' made '.'. */
struct object *string_from_symbol_dotted(struct thread *self, const struct symbol *s);

/* Interned (String.intern, constants). */
struct object *string_intern(struct thread *self, struct object *string);
struct object *string_intern_symbol(struct thread *self, const struct symbol *s);

/* Did its constructor get as far as the value? */
bool string_has_value(const struct object *s);
int32_t string_length(const struct object *s);              /* chars */
uint16_t string_char_at(const struct object *s, int32_t index);
size_t string_modified_length(const struct object *s);      /* bytes without NUL */
/* NUL-terminated copies; mem_free.  s is not NULL. */
char *string_to_modified(const struct object *s);
char *string_to_utf8(const struct object *s);
/* Interned symbol of a Java string; dots_to_slashes for class names.  NULL when it
   is longer than 65535 bytes. */
const struct symbol *string_to_symbol(const struct object *s, bool dots_to_slashes);
bool string_equals(const struct object *a, const struct object *b);

void string_table_init(struct vm *vm);

#endif
