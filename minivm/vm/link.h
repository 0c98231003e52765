/* SPDX-License-Identifier: MIT */
/* minivm/vm/link.h -- linking, initialization and resolution (JVMS 5.4, 5.5). */

#ifndef MINIVM_VM_LINK_H
#define MINIVM_VM_LINK_H

#include "vm/loader.h"

/* Verify and prepare; false with the error pending.  Idempotent, thread-safe. */
bool class_link(struct thread *self, struct class *c);

/* Verify file as c's, whatever the options say of verification: for class_link and
   for redefinition.  False with the error pending. */
bool class_verify(struct thread *self, struct class *c, const struct classfile *file);

/* Run the initialization procedure of JVMS 5.5; false with the error pending.
   Returns true at once when self is initializing it already. */
bool class_initialize_slow(struct thread *self, struct class *c);

static inline bool
class_initialize(struct thread *self, struct class *c)
{
    return class_is_initialized(c) || class_initialize_slow(self, c);
}

/* May c have instances (JLS 8.1.1.1, JVMS 6.5 "new")?  False with an exception pending
   if not, an error when wanted: InstantiationException, or IllegalAccessException for
   java.lang.Class. */
bool class_may_have_instances(struct thread *self, const struct class *c, bool error);

/* Call a method that c declares, static or with its receiver in args[0]; c may be
   NULL, and result for void. */
bool java_call_named(struct thread *self, struct class *c, const char *name,
                     const char *descriptor, const union slot *args,
                     union slot *result);

/*
 * Resolve a constant of pool; NULL (false) with the error pending.  Each gives the
 * same answer, or throws the same error, ever after.
 */
struct class *resolve_class(struct thread *self, struct cpool *pool, unsigned index);
struct field *resolve_field(struct thread *self, struct cpool *pool, unsigned index);
/* Methodref and InterfaceMethodref, with access checks, loader constraints and what
   the instruction at hand demands (JVMS 6.5): static or not, class or interface, the
   superclass rules of invokespecial; opcode is an invocation's.  Signature-polymorphic
   methods answer the declared method: the interp floor links the call site. */
struct method *resolve_call(struct thread *self, struct cpool *pool, unsigned index,
                            unsigned opcode);
/* A string, method type, method handle, or dynamic constant, which is boxed when it is
   primitive and may be NULL with nothing pending. */
struct object *resolve_object(struct thread *self, struct cpool *pool, unsigned index);
/* The loadable constant at index as ldc pushes it; *is_ref says which. */
bool resolve_loadable(struct thread *self, struct cpool *pool, unsigned index,
                      union slot *value, char *type);

/*
 * What an invokedynamic or dynamic constant hands to its bootstrap method
 * (JVMS 5.4.3.6): the handle, the name, the MethodType or Class, and the static
 * arguments as MethodHandleNatives wants them (NULL, one object or an array).
 * All are kept in the caller's SCOPE.
 */
struct bootstrap_call {
    struct object *handle, *name, *type, *arguments;
};
/* An invokedynamic fails forever as it failed first (JVMS 5.4.3): the first tells whether
   it did, the error pending again; the second is for when it does, with what was thrown
   pending, and wraps that. */
bool call_site_has_failed(struct thread *self, struct cpool *pool, unsigned index);
void call_site_failed(struct thread *self, struct cpool *pool, unsigned index);
bool resolve_bootstrap(struct thread *self, struct cpool *pool, unsigned index,
                       struct bootstrap_call *call);

/* Without throwing and without loading: what is resolved already, or NULL; an
   object for the tags that have one. */
void *resolved_entry(const struct cpool *pool, unsigned index);

/* Access checks (JVMS 5.4.4), module readability and exports included. */
bool access_class(struct class *from, struct class *to);
bool access_member(struct class *from, struct class *declaring, struct class *resolved,
                   uint16_t flags);
/* The message of the IllegalAccessError for a class that may not be seen; the
   caller frees. */
char *access_class_message(struct class *from, struct class *to);
/* The same when modules are the reason, else NULL. */
char *access_class_module_message(struct class *from, struct class *to);

/* Resolve the method or field that class from names, JVMS 5.4.3.2 to 5.4.3.4, with
   access checks and loader constraints; throws NoSuchMethodError etc.  opcode, an
   invocation's, decides the message when a class is found where an interface is wanted. */
struct method *link_method(struct thread *self, struct class *holder,
                           const struct symbol *name, const struct symbol *descriptor,
                           bool is_interface_ref, struct class *from, unsigned opcode);
struct field *link_field(struct thread *self, struct class *holder,
                         const struct symbol *name, const struct symbol *descriptor,
                         struct class *from);

/* What the invocation opcode, in from, of the method m that was resolved in holder
   refers to: m, or what invokespecial selects; NULL with the error pending when m is
   not what it demands. */
struct method *check_call(struct thread *self, struct class *from, struct class *holder,
                          struct method *m, unsigned opcode);

/*
 * The field or method that a method handle refers to (JVMS 5.4.3.5).  A method is found
 * as by the instruction that kind stands for, but a static or special call does not say
 * whether it means a class or an interface; from NULL: no access checks.  Whether the
 * class library's caller has access to a field, and whether that is static, is left to
 * the class library.  constrains: with the loader constraints of from, not NULL.
 */
struct field *link_handle_field(struct thread *self, struct class *holder,
                                const struct symbol *name,
                                const struct symbol *descriptor, struct class *from,
                                bool constrains);
struct method *link_handle_method(struct thread *self, enum cf_ref_kind kind,
                                  struct class *holder, const struct symbol *name,
                                  const struct symbol *descriptor, struct class *from,
                                  bool constrains);

/* The method that receiver's class runs for m (virtual and interface selection).
   Throws AbstractMethodError, IncompatibleClassChangeError.  */
struct method *select_method(struct thread *self, struct class *receiver,
                             struct method *m);
/* AbstractMethodError; selected may be NULL. */
void *throw_abstract(struct thread *self, const struct class *receiver,
                     const struct method *resolved, const struct method *selected);

/* The nest host, resolving and validating the attribute (JVMS 5.4.4); never NULL:
   the class itself when there is none or it fails. */
struct class *class_nest_host(struct thread *self, struct class *c);

/* What a bootstrap method threw becomes what the instruction throws (JVMS 5.4.3.6). */
#define wrap_bootstrap_exception(self) \
    throw_wrapped((self), KNOWN_CLASS_BootstrapMethodError, \
                  KNOWN_METHOD_BootstrapMethodError_init)

/* Java-level helpers: mirror's class from descriptor in a loader's context; throws. */
struct class *class_of_descriptor(struct thread *self, struct loader *l,
                                  const char *descriptor, size_t length);
/* The Class[] of a method descriptor's parameters, kept, and the Class of its result,
   as class from sees them; checked: which must have access to them. */
struct object *parameter_mirrors(struct thread *self, struct class *from,
                                 const struct symbol *descriptor, bool checked,
                                 struct object **returned);
/* MethodType object of a descriptor in the context of class from. */
struct object *method_type_of(struct thread *self, struct class *from,
                              const struct symbol *descriptor);

#endif
