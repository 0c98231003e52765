/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/access.h -- access control (JVMS 5.4.4).
 *
 * May a class refer to another one, or to a field or method?  The answers take modules
 * and nests into account.
 */

#ifndef MINIVM_LINKING_ACCESS_H
#define MINIVM_LINKING_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct class;
struct thread;

/* Returns true if to is accessible to from: it is in the same run-time package, or it
   is public and from's module reads its module, which exports the package.  For an
   array class its innermost element class counts. */
bool access_class(struct class *from, struct class *to);

/*
 * Returns true if the field or method with these access flags, declared by declaring
 * and found through a reference to the class resolved, is accessible to from; from
 * NULL: no checks.  A private member may need the nest hosts of both classes, so this
 * may load classes, stop and collect; returns false with an exception pending if that
 * fails for a reason outside of the classes, such as memory.
 */
bool access_member(struct thread *self, struct class *from, struct class *declaring,
                   struct class *resolved, uint16_t flags);

/* Returns true if c, or its innermost element class, is accessible to from, else false
   with IllegalAccessError pending. */
bool check_class_access(struct thread *self, struct class *from, struct class *c);

/* Returns the message of the IllegalAccessError for a class that access_class refuses;
   the caller frees it with mem_free. */
char *access_class_message(struct class *from, struct class *to);

/* Returns the same if modules are the reason, else NULL. */
char *access_class_module_message(struct class *from, struct class *to);

#endif
