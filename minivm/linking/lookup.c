/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/lookup.c -- resolving fields and methods by name (JVMS 5.4.3.2 to
 * 5.4.3.5, 6.5).
 *
 * Each resolution has three steps: find the member through the supertypes (class.c),
 * check that it is accessible (access.c), and add loader constraints for the types in
 * its descriptor (constraints.c).  Method handles leave some of the checks to the class
 * library.
 */

#include "linking/lookup.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "classfile/opcode.h"
#include "linking/access.h"
#include "linking/constraints.h"
#include "linking/message.h"
#include "linking/select.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- messages ---- */

static const char *
protection(unsigned flags)
{
    return flags & ACC_PROTECTED ? "protected " : flags & ACC_PRIVATE ? "private " : "";
}

/* Throws IllegalAccessError: from tried to access a member of holder with these access
   flags.  member describes it for the message.  If the nest host of one of the classes
   could not be resolved, a message about private access ends with the reason. */
static void *
throw_access(struct thread *self, const struct class *from, const char *member,
             const struct class *holder, unsigned flags)
{
    const char *first = from->nest_host_error, *second = holder->nest_host_error;
    const char *hosts = "";
    TEXTS(t);

    if (flags & ACC_PRIVATE && (first || second))
        hosts = own(&t,
                    message_printf(", (%s%s%s)", first ? first : "",
                                   first && second ? ", " : "", second ? second : ""));
    return THROW(self, IllegalAccessError, "class %pC tried to access %s (%pT)%s", from,
                 member, CLASS_PAIR(from, holder), hosts);
}

/* ---- constraints ---- */

/* Adds the loader constraint that class from and the class that declares f mean the
   same by the type of f (JVMS 5.4.3.2).  Returns false with LinkageError pending if
   they do not. */
static bool
constrain_field(struct thread *self, struct class *from, const struct field *f)
{
    const struct class *its = f->class;
    const struct symbol *failed = constraints_add(self->vm, from->loader, its->loader,
                                                  f->descriptor);

    return !failed
           || THROW(
               self, LinkageError,
               "loader constraint violation: when resolving field \"%s\" of type %pN, "
               "the class loader %pL of the current class, %pC, and the class loader "
               "%pL for the field's defining %pI, %pC, have different Class objects "
               "for type %pN (%pO; %pO)",
               f->name->bytes, failed->bytes, from->loader, from, its->loader, its, its,
               failed->bytes, from, its);
}

/* Adds the loader constraints that class from and the class that declares m mean the
   same by the types in descriptor, the call's (JVMS 5.4.3.3).  A signature-polymorphic
   method has no types of its own to compare.  Returns false with LinkageError pending
   if they do not. */
static bool
constrain_method(struct thread *self, struct class *from, const struct method *m,
                 const struct symbol *descriptor)
{
    const struct class *its = m->class;
    const struct symbol *failed = m->flags & METHOD_SIGNATURE_POLYMORPHIC
                                      ? NULL
                                      : constraints_add(self->vm, from->loader,
                                                        its->loader, descriptor);

    return !failed
           || THROW(
               self, LinkageError,
               "loader constraint violation: when resolving %s '%pM' the class loader "
               "%pL of the current class, %pC, and the class loader %pL for the "
               "method's defining class, %pC, have different Class objects for the "
               "type %pN used in the signature (%pO; %pO)",
               class_is_interface(its) ? "interface method" : "method", m, from->loader,
               from, its->loader, its, failed->bytes, from, its);
}

/* ---- fields ---- */

/* From this release on the error for a missing field names the class and the type. */
static const struct releases with_field_type = { 21, 0 };

/* Returns the field of that name and descriptor in holder or a supertype, or NULL with
   NoSuchFieldError pending. */
static struct field *
find_field(struct thread *self, struct class *holder, const struct symbol *name,
           const struct symbol *descriptor)
{
    struct field *f = class_find_field(holder, name, descriptor);

    if (f)
        return f;
    return release_is_in(self->vm->profile->feature, with_field_type)
               ? THROW(self, NoSuchFieldError,
                       "Class %pC does not have member field '%pF %s'", holder,
                       descriptor, name->bytes)
               : THROW(self, NoSuchFieldError, "%s", name->bytes);
}

/* If access_member returns false, it may have failed for another reason than access,
   which is pending then. */
struct field *
lookup_field(struct thread *self, struct class *holder, const struct symbol *name,
             const struct symbol *descriptor, struct class *from)
{
    struct field *f = find_field(self, holder, name, descriptor);
    TEXTS(t);

    if (!f)
        return NULL;
    if (access_member(self, from, f->class, holder, f->access_flags))
        return constrain_field(self, from, f) ? f : NULL;
    if (exception_pending(self))
        return NULL;
    return throw_access(
        self, from,
        own(&t, message_printf("%sfield %pC.%s", protection(f->access_flags), f->class,
                               f->name->bytes)),
        f->class, f->access_flags);
}

/* ---- methods ---- */

/* Checks that wanted->class is an interface if and only if the constant is an
   InterfaceMethodref (is_interface_ref).  wanted is no method of that class but carries
   the class, the name and the descriptor that were asked for, to be printed.  Returns
   false with IncompatibleClassChangeError pending, which HotSpot words in two ways. */
static bool
check_holder(struct thread *self, const struct method *wanted, bool is_interface_ref,
             unsigned opcode)
{
    const struct class *holder = wanted->class;

    if (class_is_interface(holder) == is_interface_ref)
        return true;
    if (opcode == OP_invokestatic || opcode == OP_invokespecial)
        return THROW(self, IncompatibleClassChangeError,
                     "Method '%pM' must be %sMethodref constant", wanted,
                     is_interface_ref ? "" : "Interface");
    return THROW(self, IncompatibleClassChangeError,
                 "Found %pI %pC, but %s was expected", holder, holder,
                 is_interface_ref ? "interface" : "class");
}

/* Returns the method of that name and descriptor in holder or a supertype, or NULL with
   IncompatibleClassChangeError or NoSuchMethodError pending.  opcode decides the words
   of the former only. */
static struct method *
find_method(struct thread *self, struct class *holder, const struct symbol *name,
            const struct symbol *descriptor, bool is_interface_ref, unsigned opcode)
{
    const struct method wanted = { .class = holder,
                                   .name = name,
                                   .descriptor = descriptor };
    struct method *m;

    if (!check_holder(self, &wanted, is_interface_ref, opcode))
        return NULL;
    m = is_interface_ref ? class_find_interface_method(holder, name, descriptor)
                         : class_find_method(holder, name, descriptor);
    return m ? m : THROW(self, NoSuchMethodError, "'%pM'", &wanted);
}

/* Checks that m, found in holder, is accessible to from; else returns false with
   IllegalAccessError pending.  descriptor is the call's, which differs from that of a
   signature-polymorphic m, and is for the message. */
static bool
check_access(struct thread *self, struct class *from, struct class *holder,
             const struct method *m, const struct symbol *descriptor)
{
    const struct method seen = { .class = m->class,
                                 .name = m->name,
                                 .descriptor = descriptor };
    TEXTS(t);

    /* Arrays have a public clone (JLS 10.7). */
    if ((class_is_array(holder) && symbol_equals(m->name, "clone"))
        || access_member(self, from, m->class, holder, m->access_flags))
        return true;
    if (exception_pending(self))
        return false;
    return throw_access(self, from,
                        own(&t, message_printf("%s%smethod '%pM'",
                                               method_is_abstract(m) ? "abstract " : "",
                                               protection(m->access_flags), &seen)),
                        m->class, m->access_flags);
}

struct method *
lookup_method(struct thread *self, struct class *holder, const struct symbol *name,
              const struct symbol *descriptor, bool is_interface_ref,
              struct class *from, unsigned opcode)
{
    struct method *m = find_method(self, holder, name, descriptor, is_interface_ref,
                                   opcode);

    return m && check_access(self, from, holder, m, descriptor)
                   && constrain_method(self, from, m, descriptor)
               ? m
               : NULL;
}

/* ---- what invocation instructions demand (JVMS 6.5) ---- */

/* Throws the error for an instruction that needs an instance method and found the
   static method m. */
static void *
throw_static(struct thread *self, const struct method *m)
{
    return THROW(self, IncompatibleClassChangeError,
                 "Expected instance not static method '%pM'", m);
}

/*
 * Checks what only invokespecial demands: a constructor has to be declared by holder,
 * the class that the constant names, not inherited; and an interface that the constant
 * names has to be from itself or a direct superinterface of it.  The latter is not
 * checked if from is NULL, for a method handle without access checks, or skips checks.
 * A static method of an interface is refused here already, as HotSpot words it.
 * Returns false with the error pending.
 */
static bool
check_special(struct thread *self, struct class *from, struct class *holder,
              const struct method *m)
{
    if (class_is_interface(holder) && method_is_static(m))
        return throw_static(self, m);
    if (symbol_equals(m->name, "<init>") && m->class != holder)
        return THROW(self, NoSuchMethodError, "%pC: method '%pS' not found", holder, m);
    if (!class_is_interface(holder) || !from || from->flags & CLASS_SKIPS_CHECKS
        || from == holder)
        return true;
    for (uint32_t i = 0; i < from->interface_count; i++)
        if (from->interfaces[i] == holder)
            return true;
    return THROW(self, IncompatibleClassChangeError,
                 "Interface method reference: "
                 "'%pM', is in an indirect superinterface of %pC",
                 m, from);
}

/*
 * Selects the method that invokespecial runs for the resolved method m (JVMS 6.5).  If
 * m is inherited from a superclass of from, that is the method which the direct
 * superclass of from has, as ACC_SUPER says; all classes count as having that flag.  A
 * class that inherits its method from interfaces has to have a single maximally-specific
 * one.  An interface's abstract method may have an implementation in another
 * superinterface of holder.  Any other method is run as it was resolved.  Returns NULL
 * with AbstractMethodError or IncompatibleClassChangeError pending if nothing was
 * selected or what was has no body.
 */
static struct method *
select_special(struct thread *self, struct class *from, struct class *holder,
               struct method *m)
{
    struct method *selected = NULL;
    struct class *c = holder;

    if (!(m->flags & METHOD_INITIALIZER) && !class_is_interface(holder) && from
        && from != holder && class_is_subclass(from, holder)) {
        c = from->super;
        selected = class_find_method(c, m->name, m->descriptor);
        /* Only an instance method can be selected (JVMS 6.5). */
        if (selected && method_is_static(selected))
            selected = NULL;
    } else if (class_is_interface(holder) && !method_is_private(m)
               && method_is_abstract(m)) {
        selected = class_select_interface(holder, m);
    }
    if (!selected)
        selected = m;
    if (!class_is_interface(c) && class_is_interface(selected->class)
        && !method_is_private(selected)) {
        struct method *maximal = class_select_interface(c, selected);

        if (!maximal)
            return throw_unselected(self, c, selected, true);
        selected = maximal;
    }
    return method_is_abstract(selected)
               ? THROW(self, AbstractMethodError, "'%pM'", selected)
               : selected;
}

struct method *
check_invocation(struct thread *self, struct class *from, struct class *holder,
                 struct method *m, unsigned opcode)
{
    bool wants_static = opcode == OP_invokestatic;

    if (opcode == OP_invokespecial && !check_special(self, from, holder, m))
        return NULL;
    if (opcode == OP_invokevirtual && class_is_interface(m->class)
        && method_is_private(m))
        return THROW(self, IncompatibleClassChangeError,
                     "private interface method "
                     "requires invokespecial, not invokevirtual: method '%pM'",
                     m);
    if (opcode == OP_invokeinterface && method_is_static(m))
        return throw_static(self, m);
    if (method_is_static(m) != wants_static)
        return THROW(self, IncompatibleClassChangeError, "%s method '%pM'",
                     wants_static ? "Expected static" : "Expecting non-static", m);
    return opcode == OP_invokespecial ? select_special(self, from, holder, m) : m;
}

/* ---- members of method handles (JVMS 5.4.3.5) ---- */

/* Returns the class in which members of holder are looked up: for arrays that is
   Object, so their clone is protected here, as in HotSpot. */
static struct class *
class_with_members(struct class *holder)
{
    return class_is_array(holder) ? KC(the_vm, Object) : holder;
}

struct field *
lookup_handle_field(struct thread *self, struct class *holder,
                    const struct symbol *name, const struct symbol *descriptor,
                    struct class *from, bool constrains)
{
    struct field *f = find_field(self, class_with_members(holder), name, descriptor);

    return f && (!constrains || constrain_field(self, from, f)) ? f : NULL;
}

/* A reference that is neither virtual nor interface has no word for which of the two
   kinds holder is, so holder itself decides.  An array's methods are looked up in
   Object. */
struct method *
lookup_handle_method(struct thread *self, enum cf_ref_kind kind, struct class *holder,
                     const struct symbol *name, const struct symbol *descriptor,
                     struct class *from, bool constrains)
{
    unsigned opcode = kind == REF_INVOKE_VIRTUAL     ? OP_invokevirtual
                      : kind == REF_INVOKE_STATIC    ? OP_invokestatic
                      : kind == REF_INVOKE_INTERFACE ? OP_invokeinterface
                                                     : OP_invokespecial;
    bool is_interface_ref = opcode == OP_invokeinterface
                            || (opcode != OP_invokevirtual
                                && class_is_interface(holder));
    struct method *m;

    holder = class_with_members(holder);
    m = find_method(self, holder, name, descriptor, is_interface_ref, opcode);
    if (!m || (from && !check_access(self, from, holder, m, descriptor))
        || (constrains && !constrain_method(self, from, m, descriptor)))
        return NULL;
    return check_invocation(self, from, holder, m, opcode);
}
