/* SPDX-License-Identifier: MIT */
/* minivm/vm/lookup.c -- resolving and selecting fields and methods (JVMS 5.4.3.2 to
 * 5.4.3.4, 5.4.6, 6.5). */

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "classfile/opcode.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/registry.h"

/* ---- messages ---- */

static const char *
protection(unsigned flags)
{
    return flags & ACC_PROTECTED ? "protected " : flags & ACC_PRIVATE ? "private " : "";
}

/* member, which is freed, is what from tried to access.  What failed about the hosts of
   two nests is the end of a message about private access. */
static void *
throw_access(struct thread *self, const struct class *from, char *member,
             const struct class *holder, unsigned flags)
{
    const char *first = from->nest_host_error, *second = holder->nest_host_error;
    char *hosts = NULL;

    if (flags & ACC_PRIVATE && (first || second))
        hosts = text_printf(", (%s%s%s)", first ? first : "",
                            first && second ? ", " : "", second ? second : "");
    return THROW(self, IllegalAccessError, "class %pC tried to access %pF (%pF)%pF",
                 from, member, class_describe_places(from, holder), hosts);
}

/* ---- constraints ---- */

static bool
constrain_field(struct thread *self, struct class *from, const struct field *f)
{
    const struct class *its = f->class;
    const struct symbol *failed =
        constraints_add(self->vm, from->loader, its->loader, f->descriptor);

    return failed == NULL
           || THROW(
               self, LinkageError,
               "loader constraint violation: when resolving field \"%s\" of type %pN, "
               "the class loader %pL of the current class, %pC, and the class loader "
               "%pL for the field's defining %pI, %pC, have different Class objects "
               "for type %pN (%pO; %pO)",
               f->name->bytes, failed->bytes, from->loader, from, its->loader, its, its,
               failed->bytes, from, its);
}

static bool
constrain_method(struct thread *self, struct class *from, const struct method *m,
                 const struct symbol *descriptor)
{
    const struct class *its = m->class;
    const struct symbol *failed =
        m->flags & METHOD_SIGNATURE_POLYMORPHIC
            ? NULL
            : constraints_add(self->vm, from->loader, its->loader, descriptor);

    return failed == NULL
           || THROW(
               self, LinkageError,
               "loader constraint violation: when resolving %s '%pM' the class loader "
               "%pL of the current class, %pC, and the class loader %pL for the "
               "method's defining class, %pC, have different Class objects for the "
               "type %pN used in the signature (%pO; %pO)",
               class_is_interface(its) ? "interface method" : "method", m,
               from->loader, from, its->loader, its, failed->bytes, from, its);
}

/* ---- fields ---- */

static struct field *
find_field(struct thread *self, struct class *holder, const struct symbol *name,
           const struct symbol *descriptor)
{
    struct field *f = class_find_field(holder, name, descriptor);

    return f ? f : THROW(self, NoSuchFieldError, "%s", name->bytes);
}

struct field *
link_field(struct thread *self, struct class *holder, const struct symbol *name,
           const struct symbol *descriptor, struct class *from)
{
    struct field *f = find_field(self, holder, name, descriptor);

    if (f == NULL)
        return NULL;
    if (access_member(from, f->class, holder, f->access_flags))
        return constrain_field(self, from, f) ? f : NULL;
    if (exception_pending(self))
        return NULL;
    return throw_access(self, from,
                        text_printf("%sfield %pC.%s", protection(f->access_flags),
                                    f->class, f->name->bytes),
                        f->class, f->access_flags);
}

/* ---- methods ---- */

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

static struct method *
find_method(struct thread *self, struct class *holder, const struct symbol *name,
            const struct symbol *descriptor, bool is_interface_ref, unsigned opcode)
{
    const struct method wanted = {
        .class = holder, .name = name, .descriptor = descriptor
    };
    struct method *m;

    if (!check_holder(self, &wanted, is_interface_ref, opcode))
        return NULL;
    m = is_interface_ref ? class_find_interface_method(holder, name, descriptor)
                         : class_find_method(holder, name, descriptor);
    return m ? m : THROW(self, NoSuchMethodError, "'%pM'", &wanted);
}

/* May from see m, found in holder?  A signature-polymorphic method is told with the
   types of the call. */
static bool
check_access(struct thread *self, struct class *from, struct class *holder,
             const struct method *m, const struct symbol *descriptor)
{
    const struct method seen = {
        .class = m->class, .name = m->name, .descriptor = descriptor
    };

    /* Arrays have a public clone (JLS 10.7). */
    if ((class_is_array(holder) && symbol_equals(m->name, "clone"))
        || access_member(from, m->class, holder, m->access_flags))
        return true;
    if (exception_pending(self))
        return false;
    return throw_access(self, from,
                        text_printf("%s%smethod '%pM'",
                                    method_is_abstract(m) ? "abstract " : "",
                                    protection(m->access_flags), &seen),
                        m->class, m->access_flags);
}

struct method *
link_method(struct thread *self, struct class *holder, const struct symbol *name,
            const struct symbol *descriptor, bool is_interface_ref, struct class *from,
            unsigned opcode)
{
    struct method *m =
        find_method(self, holder, name, descriptor, is_interface_ref, opcode);

    return m && check_access(self, from, holder, m, descriptor)
                   && constrain_method(self, from, m, descriptor)
               ? m
               : NULL;
}

/* ---- what instructions demand ---- */

static void *
throw_static(struct thread *self, const struct method *m)
{
    return THROW(self, IncompatibleClassChangeError,
                 "Expected instance not static method '%pM'", m);
}

static bool
check_special(struct thread *self, struct class *from, struct class *holder,
              const struct method *m)
{
    if (class_is_interface(holder) && method_is_static(m))
        return throw_static(self, m);
    if (symbol_equals(m->name, "<init>") && m->class != holder)
        return THROW(self, NoSuchMethodError, "%pC: method '%pS' not found", holder, m);
    if (!class_is_interface(holder) || from == NULL || from->flags & CLASS_SKIPS_CHECKS
        || from == holder)
        return true;
    for (uint32_t i = 0; i < from->interface_count; i++)
        if (from->interfaces[i] == holder)
            return true;
    return THROW(self, IncompatibleClassChangeError, "Interface method reference: "
                 "'%pM', is in an indirect superinterface of %pC", m, from);
}

/* JVMS 6.5 invokespecial: with ACC_SUPER, which all classes are taken to have, the
   lookup of an inherited method begins at the direct superclass. */
static struct method *
select_special(struct thread *self, struct class *from, struct class *holder,
               struct method *m)
{
    struct method *selected = NULL;

    if (!(m->flags & METHOD_INITIALIZER) && !class_is_interface(holder) && from != NULL
        && from != holder && class_is_subclass(from, holder)) {
        selected = class_find_method(from->super, m->name, m->descriptor);
        if (selected && method_is_static(selected))
            selected = NULL;
    } else if (class_is_interface(holder) && !method_is_private(m)
               && method_is_abstract(m)) {
        selected = class_select_interface(holder, m);
    }
    if (selected == NULL)
        selected = m;
    return method_is_abstract(selected)
               ? THROW(self, AbstractMethodError, "'%pM'", selected)
               : selected;
}

struct method *
check_call(struct thread *self, struct class *from, struct class *holder,
           struct method *m, unsigned opcode)
{
    bool wants_static = opcode == OP_invokestatic;

    if (opcode == OP_invokespecial && !check_special(self, from, holder, m))
        return NULL;
    if (opcode == OP_invokevirtual && class_is_interface(m->class)
        && method_is_private(m))
        return THROW(self, IncompatibleClassChangeError, "private interface method "
                     "requires invokespecial, not invokevirtual: method '%pM'", m);
    if (opcode == OP_invokeinterface && method_is_static(m))
        return throw_static(self, m);
    if (method_is_static(m) != wants_static)
        return THROW(self, IncompatibleClassChangeError, "%s method '%pM'",
                     wants_static ? "Expected static" : "Expecting non-static", m);
    return opcode == OP_invokespecial ? select_special(self, from, holder, m) : m;
}

/* ---- what method handles stand for ---- */

/* An array's members are those of Object; clone is, so, protected. */
static struct class *
class_with_members(struct class *holder)
{
    return class_is_array(holder) ? KC(the_vm, Object) : holder;
}

struct field *
link_handle_field(struct thread *self, struct class *holder, const struct symbol *name,
                  const struct symbol *descriptor, struct class *from, bool constrains)
{
    struct field *f = find_field(self, class_with_members(holder), name, descriptor);

    return f && (!constrains || constrain_field(self, from, f)) ? f : NULL;
}

struct method *
link_handle_method(struct thread *self, enum cf_ref_kind kind, struct class *holder,
                   const struct symbol *name, const struct symbol *descriptor,
                   struct class *from, bool constrains)
{
    unsigned opcode = kind == REF_INVOKE_VIRTUAL     ? OP_invokevirtual
                      : kind == REF_INVOKE_STATIC    ? OP_invokestatic
                      : kind == REF_INVOKE_INTERFACE ? OP_invokeinterface
                                                     : OP_invokespecial;
    bool is_interface_ref =
        opcode == OP_invokeinterface
        || (opcode != OP_invokevirtual && class_is_interface(holder));
    struct method *m;

    holder = class_with_members(holder);
    m = find_method(self, holder, name, descriptor, is_interface_ref, opcode);
    if (m == NULL || (from && !check_access(self, from, holder, m, descriptor))
        || (constrains && !constrain_method(self, from, m, descriptor)))
        return NULL;
    return check_call(self, from, holder, m, opcode);
}

/* ---- selection ---- */

void *
throw_abstract(struct thread *self, const struct class *receiver,
               const struct method *resolved, const struct method *selected)
{
    char *other = selected && selected != resolved
                      ? text_printf(" Selected method is '%s%pM'.",
                                    method_is_abstract(selected) ? "abstract " : "",
                                    selected)
                      : NULL;

    return THROW(self, AbstractMethodError, "Receiver class %pC does not define or "
                 "inherit an implementation of the resolved method '%s%s%pS' of %pK "
                 "%pC.%pF", receiver, method_is_abstract(resolved) ? "abstract " : "",
                 method_is_private(resolved) ? "private " : "", resolved,
                 resolved->class, resolved->class, other);
}

/* There are several maximally-specific methods, told in the order of the interfaces, or
   none. */
static void *
throw_unselected(struct thread *self, struct class *c, const struct method *m)
{
    struct buf b = { 0 };
    unsigned count = 0;

    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        const struct method *mine =
            class_own_method(c->all_interfaces[i], m->name, m->descriptor);

        if (mine && !(mine->access_flags & (ACC_PRIVATE | ACC_STATIC | ACC_ABSTRACT))
            && class_is_maximal(c, mine)) {
            buf_printf(&b, " %s.%s", mine->class->name->bytes, mine->name->bytes);
            count++;
        }
    }
    if (count > 1)
        return THROW(self, IncompatibleClassChangeError,
                     "Conflicting default methods:%pF", (char *)buf_steal(&b, NULL));
    buf_release(&b);
    return throw_abstract(self, c, m, NULL);
}

static struct method *
select_interface(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected;

    if (!class_is_subtype(receiver, m->class))
        return THROW(self, IncompatibleClassChangeError,
                     "Class %pC does not implement the requested interface %pC",
                     receiver, m->class);
    selected = class_select_interface(receiver, m);
    if (selected == NULL)
        return throw_unselected(self, receiver, m);
    if (!(selected->access_flags & (ACC_PUBLIC | ACC_PRIVATE))) {
        struct method shown = *selected;

        shown.class = receiver;
        return THROW(self, IllegalAccessError, "'%pM'", &shown);
    }
    return method_is_abstract(selected) ? throw_abstract(self, receiver, m, selected)
                                        : selected;
}

struct method *
select_method(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected = m;

    if (class_is_interface(m->class))
        return select_interface(self, receiver, m);
    if (m->vtable_index >= 0)
        selected = receiver->vtable[m->vtable_index];
    return method_is_abstract(selected) ? throw_abstract(self, receiver, m, selected)
                                        : selected;
}
