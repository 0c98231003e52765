/* SPDX-License-Identifier: MIT */
/* minivm/runtime/boxing.h -- values of Java's primitive types: loading, storing,
 * boxing.
 *
 * A type is a character of a field descriptor (JVMS 4.3.2).  In a slot, boolean, byte,
 * char and short are an int (JVMS 2.11.1).  Reflection, method handles and Unsafe use
 * this; the interpreter has its own instructions. */

#ifndef MINIVM_RUNTIME_BOXING_H
#define MINIVM_RUNTIME_BOXING_H

#include "linking/class.h"

struct vm;

/* Loads a field or array element of that type (Z B C S I J F D) as if it were volatile
   (JLS 17.4).  Any other type is loaded as a reference. */
union slot value_load(const void *from, char type);

/* Stores it likewise.  The lowest bit of a boolean counts (JVMS 6.5 "putfield"). */
void value_store(void *to, char type, union slot value);

/* Returns a new Boolean, Byte, Character, Short, Integer, Long, Float or Double with
   the value (JLS 5.1.7; without the caches of valueOf).  NULL with an exception
   pending. */
struct object *box_value(struct thread *self, char type, union slot value);

/* Stores the value of a box in *value and returns its type; 0 when box is NULL or no
   box. */
char unbox_value(const struct vm *vm, const struct object *box, union slot *value);

#endif
