/* SPDX-License-Identifier: MIT */
/* minivm/jdk/widen.h -- conversions of primitive values that reflection does. */

#ifndef MINIVM_JDK_WIDEN_H
#define MINIVM_JDK_WIDEN_H

#include "vm/thread.h"

/*
 * Widen *value from one primitive type to another (JLS 5.1.2), by descriptor
 * character; false with IllegalArgumentException pending when that is no widening.
 */
bool widen_value(struct thread *self, union slot *value, char from, char to);

/* The primitive in a box that is wanted as type to: as above, and for null. */
bool unbox_widened(struct thread *self, const struct object *box, char to,
                   union slot *value);

#endif
