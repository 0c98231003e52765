/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/resolve.h -- resolving the constants of a run-time constant pool (JVMS
 * 5.4.3).
 *
 * A constant is resolved once.  What came out, a value or a LinkageError, is stored in
 * the pool's entry, and every later attempt returns or throws the same.  When two
 * threads resolve a constant at the same time, the result of the first one counts for
 * both.
 *
 * Functions that have a thread may load and initialize classes, run Java code, stop and
 * collect.  They fail with NULL or false and the error pending.
 */

#ifndef MINIVM_LINKING_RESOLVE_H
#define MINIVM_LINKING_RESOLVE_H

#include "linking/class.h"

/* Resolves a Class constant (JVMS 5.4.3.1). */
struct class *resolve_class(struct thread *self, struct cpool *pool, unsigned index);

/* Resolves a Fieldref (JVMS 5.4.3.2). */
struct field *resolve_field(struct thread *self, struct cpool *pool, unsigned index);

/*
 * Resolves a Methodref or InterfaceMethodref (JVMS 5.4.3.3, 5.4.3.4) and checks what
 * the invocation instruction opcode demands of it (JVMS 6.5); see check_invocation.
 * For a signature-polymorphic method returns the declared one: the interpreter links
 * the call site.
 */
struct method *resolve_call(struct thread *self, struct cpool *pool, unsigned index,
                            unsigned opcode);

/* Resolves a String, MethodType, MethodHandle or Dynamic constant.  The value of a
   dynamic constant is boxed if it is primitive, and may be NULL with nothing
   pending. */
struct object *resolve_object(struct thread *self, struct cpool *pool, unsigned index);

/* Resolves any loadable constant (JVMS 5.1) to what ldc pushes.  *type becomes 'I',
   'J', 'F', 'D', or another primitive type of a dynamic constant, or 'L'. */
bool resolve_loadable(struct thread *self, struct cpool *pool, unsigned index,
                      union slot *value, char *type);

/*
 * What invokedynamic or a dynamic constant passes to its bootstrap method (JVMS
 * 5.4.3.6): the method handle, the name, the MethodType or Class, and the static
 * arguments in the form that java.lang.invoke.MethodHandleNatives takes: NULL, one
 * object or an array.  All are in the caller's HANDLE_SCOPE.
 */
struct bootstrap_call {
    struct object *handle, *name, *type, *arguments;
};

/* Resolves what the bootstrap method of an InvokeDynamic or Dynamic constant needs. */
bool resolve_bootstrap(struct thread *self, struct cpool *pool, unsigned index,
                       struct bootstrap_call *call);

/* Returns true, with the error pending again, if linking a call site of this
   InvokeDynamic constant has failed: it fails forever (JVMS 5.4.3.6). */
bool call_site_has_failed(struct thread *self, struct cpool *pool, unsigned index);

/* Remembers the pending exception as the reason why this call site cannot be linked,
   after bootstrap_wrap_exception. */
void call_site_failed(struct thread *self, struct cpool *pool, unsigned index);

/* Turns what a bootstrap method has thrown, which is pending, into what the instruction
   throws: an Error stays, all else is wrapped in BootstrapMethodError (JVMS
   5.4.3.6). */
void bootstrap_wrap_exception(struct thread *self);

#endif
