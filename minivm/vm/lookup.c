/* SPDX-License-Identifier: MIT */
/* minivm/vm/lookup.c -- resolving and selecting fields and methods (JVMS 5.4.3.2 to
 * 5.4.3.4, 5.4.6, 6.5). */

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "classfile/opcode.h"
#include "vm/exception.h"
#include "vm/lookup.h"
#include "vm/registry.h"

/* ---- messages ---- */

static const char *
protection(unsigned flags)
{
    return flags & ACC_PROTECTED ? "protected " : flags & ACC_PRIVATE ? "private " : "";
}

/* member is what from tried to access.  What failed about the hosts of two nests is
   the end of a message about private access. */
static void *
throw_access(struct thread *self, const struct class *from, const char *member,
             const struct class *holder, unsigned flags)
{
    const char *first = from->nest_host_error, *second = holder->nest_host_error;
    struct buf b = { 0 };
    TEXTS(t);

    if (flags & ACC_PRIVATE && (first || second))
        buf_printf(&b, ", (%s%s%s)", first ? first : "", first && second ? ", " : "",
                   second ? second : "");
    return THROW(self, IllegalAccessError, "class %s tried to access %s (%s)%s",
                 named(&t, from), member, own(&t, class_describe_places(from, holder)),
                 own(&t, buf_steal(&b, NULL)));
}

/* The quoted method stands between before and after. */
static void *
throw_change(struct thread *self, const char *before, const struct class *holder,
             const struct symbol *name, const struct symbol *descriptor,
             const char *after)
{
    TEXTS(t);

    return THROW(self, IncompatibleClassChangeError, "%s'%s'%s", before,
                 own(&t, method_external_name(holder, name, descriptor)), after);
}

/* ---- constraints ---- */

static bool
constrain_field(struct thread *self, struct class *from, const struct field *f)
{
    const struct symbol *failed = constraints_add_all(
        self->vm, from->loader, f->class->loader, f->descriptor);
    const char *type;
    TEXTS(t);

    if (failed == NULL)
        return true;
    type = own(&t, dotted_name(failed->bytes));
    return THROW(
        self, LinkageError,
        "loader constraint violation: when resolving field \"%s\" of type %s, the "
        "class loader %s of the current class, %s, and the class loader %s for the "
        "field's defining %s, %s, have different Class objects for type %s (%s; %s)",
        f->name->bytes, type, own(&t, loader_describe(from->loader)), named(&t, from),
        own(&t, loader_describe(f->class->loader)),
        class_is_interface(f->class) ? "interface" : "class", named(&t, f->class), type,
        own(&t, class_describe_origin(from)), own(&t, class_describe_origin(f->class)));
}

static bool
constrain_method(struct thread *self, struct class *from, const struct method *m,
                 const struct symbol *descriptor)
{
    const struct symbol *failed = constraints_add_all(
        self->vm, from->loader, m->class->loader, descriptor);
    TEXTS(t);

    if (failed == NULL)
        return true;
    return THROW(
        self, LinkageError,
        "loader constraint violation: when resolving %s '%s' the class loader %s of "
        "the current class, %s, and the class loader %s for the method's defining "
        "class, %s, have different Class objects for the type %s used in the "
        "signature (%s; %s)",
        class_is_interface(m->class) ? "interface method" : "method",
        own(&t, method_external_name(m->class, m->name, m->descriptor)),
        own(&t, loader_describe(from->loader)), named(&t, from),
        own(&t, loader_describe(m->class->loader)), named(&t, m->class),
        own(&t, dotted_name(failed->bytes)), own(&t, class_describe_origin(from)),
        own(&t, class_describe_origin(m->class)));
}

/* ---- fields ---- */

struct field *
link_field(struct thread *self, struct class *holder, const struct symbol *name,
           const struct symbol *descriptor, struct class *from)
{
    struct field *f = class_find_field(holder, name, descriptor);
    char *name_of_field;
    TEXTS(t);

    if (f == NULL)
        return THROW(self, NoSuchFieldError, "%s", name->bytes);
    if (from == NULL)
        return f;
    if (access_member(from, f->class, holder, f->access_flags))
        return constrain_field(self, from, f) ? f : NULL;
    if (exception_pending(self))
        return NULL;
    name_of_field = mem_printf("%sfield %s.%s", protection(f->access_flags),
                               named(&t, f->class), f->name->bytes);
    return throw_access(self, from, own(&t, name_of_field), f->class, f->access_flags);
}

/* ---- methods ---- */

static bool
check_holder(struct thread *self, const struct class *holder, const struct symbol *name,
             const struct symbol *descriptor, bool is_interface_ref, unsigned opcode)
{
    TEXTS(t);

    if (class_is_interface(holder) == is_interface_ref)
        return true;
    if (!is_interface_ref && (opcode == OP_invokestatic || opcode == OP_invokespecial))
        return throw_change(self, "Method ", holder, name, descriptor,
                            " must be InterfaceMethodref constant");
    return THROW(self, IncompatibleClassChangeError, "Found %s, but %s was expected",
                 own(&t, mem_printf("%s %s", is_interface_ref ? "class" : "interface",
                                    named(&t, holder))),
                 is_interface_ref ? "interface" : "class");
}

struct method *
link_method_for(struct thread *self, struct class *holder, const struct symbol *name,
                const struct symbol *descriptor, bool is_interface_ref,
                struct class *from, unsigned opcode)
{
    struct method *m;
    char *name_of_method;
    TEXTS(t);

    if (!check_holder(self, holder, name, descriptor, is_interface_ref, opcode))
        return NULL;
    m = is_interface_ref ? class_find_interface_method(holder, name, descriptor)
                         : class_find_method(holder, name, descriptor);
    if (m == NULL)
        return THROW(self, NoSuchMethodError, "'%s'",
                     own(&t, method_external_name(holder, name, descriptor)));
    if (from == NULL)
        return m;
    /* Arrays have a public clone (JLS 10.7). */
    if ((class_is_array(holder) && symbol_equals(name, "clone"))
        || access_member(from, m->class, holder, m->access_flags))
        return constrain_method(self, from, m, descriptor) ? m : NULL;
    if (exception_pending(self))
        return NULL;
    name_of_method =
        mem_printf("%s%smethod '%s'", method_is_abstract(m) ? "abstract " : "",
                   protection(m->access_flags),
                   own(&t, method_external_name(m->class, m->name, m->descriptor)));
    return throw_access(self, from, own(&t, name_of_method), m->class, m->access_flags);
}

struct method *
link_method(struct thread *self, struct class *holder, const struct symbol *name,
            const struct symbol *descriptor, bool is_interface_ref, struct class *from)
{
    return link_method_for(self, holder, name, descriptor, is_interface_ref, from, 0);
}

/* ---- what instructions demand ---- */

static bool
throw_expectation(struct thread *self, const struct method *m, const char *text)
{
    return throw_change(self, text, m->class, m->name, m->descriptor, "");
}

static bool
check_special(struct thread *self, struct class *from, struct class *holder,
              const struct method *m)
{
    TEXTS(t);

    if (symbol_equals(m->name, "<init>") && m->class != holder)
        return THROW(self, NoSuchMethodError, "%s: method '%s' not found",
                     named(&t, holder),
                     own(&t, method_external_name(holder, m->name, m->descriptor)));
    if (!class_is_interface(holder) || from->flags & CLASS_SKIPS_CHECKS
        || from == holder)
        return true;
    for (uint32_t i = 0; i < from->interface_count; i++)
        if (from->interfaces[i] == holder)
            return true;
    return throw_change(self, "Interface method reference: ", m->class, m->name,
                        m->descriptor,
                        own(&t, mem_printf(", is in an indirect superinterface of %s",
                                           named(&t, from))));
}

bool
check_call(struct thread *self, struct class *from, struct class *holder,
           const struct method *m, unsigned opcode)
{
    switch (opcode) {
    case OP_invokestatic:
        return method_is_static(m)
               || throw_expectation(self, m, "Expected static method ");
    case OP_invokeinterface:
        return !method_is_static(m)
               || throw_expectation(self, m, "Expected instance not static method ");
    case OP_invokespecial:
        return check_special(self, from, holder, m)
               && (!method_is_static(m)
                   || throw_expectation(self, m, "Expecting non-static method "));
    default:
        if (class_is_interface(m->class) && method_is_private(m))
            return throw_expectation(
                self, m,
                "private interface method requires invokespecial, not invokevirtual: "
                "method ");
        return !method_is_static(m)
               || throw_expectation(self, m, "Expecting non-static method ");
    }
}

/* JVMS 6.5 invokespecial: with ACC_SUPER, which all classes are taken to have, the
   lookup of an inherited method begins at the direct superclass. */
struct method *
select_special(struct thread *self, struct class *from, struct class *holder,
               struct method *m)
{
    struct method *selected = m;

    if (!(m->flags & METHOD_INITIALIZER) && !class_is_interface(holder)
        && from != holder && class_is_subclass(from, holder)) {
        selected = class_find_method(from->super, m->name, m->descriptor);
        if (selected == NULL || method_is_static(selected))
            selected = m;
    } else if (class_is_interface(holder) && !method_is_private(m)
               && method_is_abstract(m)) {
        bool conflict;
        struct method *target = class_select_interface(holder, m, &conflict);

        selected = target ? target : m;
    }
    return method_is_abstract(selected) ? throw_abstract(self, NULL, m, selected)
                                        : selected;
}

/* ---- selection ---- */

/* Append the method without its class, as AbstractMethodError has it. */
static void
append_method(struct buf *b, const struct method *m)
{
    TEXTS(t);
    const char *name = own(&t, method_external_name(m->class, m->name, m->descriptor));
    const char *space = strchr(name, ' ');

    buf_printf(b, "%s%s%.*s%s", method_is_abstract(m) ? "abstract " : "",
               method_is_private(m) ? "private " : "", (int)(space + 1 - name), name,
               space + 1 + strlen(named(&t, m->class)) + 1);
}

void *
throw_abstract(struct thread *self, const struct class *receiver,
               const struct method *resolved, const struct method *selected)
{
    struct buf b = { 0 };
    TEXTS(t);

    if (receiver)
        buf_printf(
            &b, "Receiver class %s does not define or inherit an implementation of the",
            named(&t, receiver));
    else
        buf_append_string(&b, "Missing implementation of");
    buf_append_string(&b, " resolved method '");
    append_method(&b, resolved);
    buf_printf(&b, "' of %s %s.", class_describe_kind(resolved->class),
               named(&t, resolved->class));
    if (selected && selected != resolved) {
        buf_append_string(&b, " Selected method is '");
        append_method(&b, selected);
        buf_append_string(&b, "'.");
    }
    return THROW(self, AbstractMethodError, "%s", own(&t, buf_steal(&b, NULL)));
}

/* Which maximally-specific methods there are, in the order of the interfaces. */
static void *
throw_conflict(struct thread *self, struct class *c, const struct method *m)
{
    struct buf b = { 0 };
    TEXTS(t);

    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        const struct method *mine =
            class_own_method(c->all_interfaces[i], m->name, m->descriptor);

        if (mine && class_is_maximal(c, mine) && !method_is_abstract(mine))
            buf_printf(&b, " %s.%s", mine->class->name->bytes, mine->name->bytes);
    }
    return THROW(self, IncompatibleClassChangeError, "Conflicting default methods:%s",
                 own(&t, buf_steal(&b, NULL)));
}

static struct method *
select_interface(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected;
    bool conflict;
    TEXTS(t);

    if (!class_is_subtype(receiver, m->class))
        return THROW(self, IncompatibleClassChangeError,
                     "Class %s does not implement the requested interface %s",
                     named(&t, receiver), named(&t, m->class));
    selected = class_select_interface(receiver, m, &conflict);
    if (selected == NULL && conflict)
        return throw_conflict(self, receiver, m);
    if (selected == NULL)
        return throw_abstract(self, receiver, m, NULL);
    if (!(selected->access_flags & (ACC_PUBLIC | ACC_PRIVATE)))
        return THROW0(self, IllegalAccessError);
    if (method_is_abstract(selected))
        return throw_abstract(self, receiver, m, selected);
    return selected;
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
