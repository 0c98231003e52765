/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/lookup.h -- resolving fields and methods by name (JVMS 5.4.3.2 to
 * 5.4.3.5), and what the invocation instructions ask of a method (JVMS 6.5).
 *
 * These functions look a member up, check access, add loader constraints, and throw
 * what the specification demands.  They remember nothing; resolve.h does that for
 * constants of a pool.  All may stop and collect.  All return NULL with the error
 * pending.
 */

#ifndef MINIVM_LINKING_LOOKUP_H
#define MINIVM_LINKING_LOOKUP_H

#include "linking/class.h"

/* Resolves the field that class from refers to in holder (JVMS 5.4.3.2). */
struct field *lookup_field(struct thread *self, struct class *holder,
                           const struct symbol *name, const struct symbol *descriptor,
                           struct class *from);

/* Resolves the method that class from refers to in holder (JVMS 5.4.3.3, 5.4.3.4).
   is_interface_ref says that the constant is an InterfaceMethodref; opcode, an
   invocation's, only decides the message when holder is of the other kind. */
struct method *lookup_method(struct thread *self, struct class *holder,
                             const struct symbol *name, const struct symbol *descriptor,
                             bool is_interface_ref, struct class *from,
                             unsigned opcode);

/*
 * Checks that method m, resolved in holder, is one that the instruction opcode in class
 * from may invoke: static or not, an instance initialization method, and so on.
 * Returns m, or for invokespecial the method that this instruction selects.
 */
struct method *check_invocation(struct thread *self, struct class *from,
                                struct class *holder, struct method *m,
                                unsigned opcode);

/*
 * Resolve the field or method that a method handle refers to (JVMS 5.4.3.5).  A method
 * is found as by the instruction that kind stands for, except that a static or special
 * reference does not say whether it means a class or an interface: that is holder's.
 * Of a field, access and whether it is static are left to the class library.  from
 * NULL: no access checks.  constrains: with the loader constraints of from, which is
 * not NULL then.
 */
struct field *lookup_handle_field(struct thread *self, struct class *holder,
                                  const struct symbol *name,
                                  const struct symbol *descriptor, struct class *from,
                                  bool constrains);
struct method *lookup_handle_method(struct thread *self, enum cf_ref_kind kind,
                                    struct class *holder, const struct symbol *name,
                                    const struct symbol *descriptor, struct class *from,
                                    bool constrains);

#endif
