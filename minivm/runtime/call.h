/* SPDX-License-Identifier: MIT */
/*
 * minivm/runtime/call.h -- what C functions of the VM need to call Java methods.
 *
 * The call itself is java_call (above.h), which the interpreter defines.
 */

#ifndef MINIVM_RUNTIME_CALL_H
#define MINIVM_RUNTIME_CALL_H

#include <stdbool.h>

struct class;
struct method;
struct object;
struct thread;
union slot;

/*
 * Initializes c and calls the method of that name and descriptor that c itself
 * declares: a static one, or an instance method, which is not selected anew, with its
 * receiver in args[0].  The result goes to *result, which may be NULL.  Returns false
 * with the exception pending, NoSuchMethodError if c has no such method; also, with
 * nothing new thrown, if c is NULL, so that the result of class_load_boot can be passed
 * on.  Runs Java code; may stop and collect.
 */
bool java_call_named(struct thread *self, struct class *c, const char *name,
                     const char *descriptor, const union slot *args,
                     union slot *result);

/* Initializes the class of m, which is static, calls it, and returns the object that it
   returns, in the caller's HANDLE_SCOPE.  Returns NULL with an exception pending, or
   with none if that is the result. */
struct object *java_call_for_object(struct thread *self, struct method *m,
                                    const union slot *args);

/*
 * Returns true if the C stack of self has room for one more level of a recursion in the
 * VM, such as loading, linking or initializing a superclass.  Returns false with
 * StackOverflowError pending if not.
 */
bool c_stack_left(struct thread *self);

#endif
