/* SPDX-License-Identifier: MIT */
/* minivm/runtime/string.h -- java.lang.String from C, and interned strings (JLS
 * 3.10.5).
 *
 * A String has a byte[] with its chars: in Latin-1, one byte each, if all of them fit,
 * else in UTF-16.  C code sees a string's chars by index, or as a copy in UTF-8: the
 * modified form that class files and the JNI have (JVMS 4.4.7), or the standard one.
 *
 * Functions with `self` allocate: they stop and collect, and return NULL with
 * OutOfMemoryError pending when there is no memory in the Java heap.  Copies take
 * native memory without fail. */

#ifndef MINIVM_RUNTIME_STRING_H
#define MINIVM_RUNTIME_STRING_H

#include "threads/thread.h"

/* ---- new strings ---- */

/* From length bytes of modified UTF-8. */
struct object *string_from_modified(struct thread *self, const char *bytes,
                                    size_t length);
/* From standard UTF-8 that ends with NUL. */
struct object *string_from_utf8(struct thread *self, const char *text);
/* From length chars. */
struct object *string_from_utf16(struct thread *self, const uint16_t *chars,
                                 size_t length);
#define string_from_symbol(self, s) \
    string_from_modified((self), (s)->bytes, (s)->length)
/* From a symbol, each '/' made a '.': the external name of a class. */
struct object *string_from_symbol_dotted(struct thread *self, const struct symbol *s);

/* ---- interned strings ---- */

/* Returns the string that is equal to this one and interned: String.intern.  It does
   not allocate in the Java heap. */
struct object *string_intern(struct thread *self, struct object *string);
/* Returns the interned string of a symbol: a string constant (JVMS 5.1). */
struct object *string_intern_symbol(struct thread *self, const struct symbol *s);

/* ---- reading; s is not NULL ---- */

/* Returns whether the constructor of s has got as far as its value.  Until then the
   other functions take s for the empty string. */
bool string_has_value(const struct object *s);
/* Returns the length in chars. */
int32_t string_length(const struct object *s);
/* Returns the char at index, which is less than the length. */
uint16_t string_char_at(const struct object *s, int32_t index);
/* Returns the length in bytes of modified UTF-8, without a NUL. */
size_t string_modified_length(const struct object *s);
/* Return copies that end with NUL, for mem_free. */
char *string_to_modified(const struct object *s);
char *string_to_utf8(const struct object *s);
/* Returns the symbol with the text of s, with each '.' made a '/' if dots_to_slashes,
   as in names of classes.  NULL when s is longer than a symbol may be: 65535 bytes. */
const struct symbol *string_to_symbol(const struct object *s, bool dots_to_slashes);
enum { KEEP_DOTS = false, DOTS_TO_SLASHES = true };
bool string_equals(const struct object *a, const struct object *b);

/* Makes the table of interned strings and registers it with the heap. */
void string_table_init(struct vm *vm);

#endif
