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

/* What failed about the hosts of two nests, as a message about private access ends. */
static void
append_nest_errors(struct buf *b, const struct class *from, const struct class *to)
{
    const char *first = from->nest_host_error, *second = to->nest_host_error;

    if (first || second)
        buf_printf(b, ", (%s%s%s)", first ? first : "", first && second ? ", " : "",
                   second ? second : "");
}

static const char *
protection(unsigned flags)
{
    return flags & ACC_PROTECTED ? "protected " : flags & ACC_PRIVATE ? "private " : "";
}

static void
throw_field_access(struct thread *self, const struct class *from, const struct field *f)
{
    char *from_name = class_external_name(from),
         *holder = class_external_name(f->class);
    char *places = class_describe_places(from, f->class);
    struct buf b = { 0 };

    buf_printf(&b, "class %s tried to access %sfield %s.%s (%s)", from_name,
               protection(f->access_flags), holder, f->name->bytes, places);
    if (f->access_flags & ACC_PRIVATE)
        append_nest_errors(&b, from, f->class);
    THROW(self, IllegalAccessError, "%s", buf_string(&b));
    buf_release(&b);
    mem_free(from_name);
    mem_free(holder);
    mem_free(places);
}

static void
throw_method_access(struct thread *self, const struct class *from,
                    const struct method *m)
{
    char *from_name = class_external_name(from);
    char *method = method_external_name(m->class, m->name, m->descriptor);
    char *places = class_describe_places(from, m->class);
    struct buf b = { 0 };

    buf_printf(&b, "class %s tried to access %s%smethod '%s' (%s)", from_name,
               method_is_abstract(m) ? "abstract " : "", protection(m->access_flags),
               method, places);
    if (method_is_private(m))
        append_nest_errors(&b, from, m->class);
    THROW(self, IllegalAccessError, "%s", buf_string(&b));
    buf_release(&b);
    mem_free(from_name);
    mem_free(method);
    mem_free(places);
}

/* format has the quoted method alone. */
static void
throw_change(struct thread *self, const char *before, const struct class *holder,
             const struct symbol *name, const struct symbol *descriptor,
             const char *after)
{
    char *method = method_external_name(holder, name, descriptor);

    THROW(self, IncompatibleClassChangeError, "%s'%s'%s", before, method, after);
    mem_free(method);
}

static void
throw_kind(struct thread *self, const struct class *holder, bool wanted_interface)
{
    char *name = class_external_name(holder);

    if (wanted_interface)
        THROW(self, IncompatibleClassChangeError,
              "Found class %s, but interface was expected", name);
    else
        THROW(self, IncompatibleClassChangeError,
              "Found interface %s, but class was expected", name);
    mem_free(name);
}

static char *
dotted(const struct symbol *name)
{
    char *text = mem_strdup(name->bytes);

    for (char *at = text; *at; at++)
        if (*at == '/')
            *at = '.';
    return text;
}

/* ---- constraints ---- */

static bool
constrain_field(struct thread *self, struct class *from, const struct field *f)
{
    const struct symbol *failed = constraints_add_all(
        self->vm, from->loader, f->class->loader, f->descriptor);
    char *type, *mine, *its, *my_name, *its_name, *my_place, *its_place;

    if (failed == NULL)
        return true;
    type = dotted(failed);
    mine = class_describe_loader(from);
    its = class_describe_loader(f->class);
    my_name = class_external_name(from);
    its_name = class_external_name(f->class);
    my_place = class_describe_origin(from);
    its_place = class_describe_origin(f->class);
    THROW(self, LinkageError,
          "loader constraint violation: when resolving field \"%s\" of type %s, the "
          "class loader %s of the current class, %s, and the class loader %s for the "
          "field's defining %s, %s, have different Class objects for type %s (%s; %s)",
          f->name->bytes, type, mine, my_name, its,
          class_is_interface(f->class) ? "interface" : "class", its_name, type,
          my_place, its_place);
    mem_free(type);
    mem_free(mine);
    mem_free(its);
    mem_free(my_name);
    mem_free(its_name);
    mem_free(my_place);
    mem_free(its_place);
    return false;
}

static bool
constrain_method(struct thread *self, struct class *from, const struct method *m,
                 const struct symbol *descriptor)
{
    const struct symbol *failed = constraints_add_all(
        self->vm, from->loader, m->class->loader, descriptor);
    char *type, *method, *mine, *its, *my_name, *its_name, *my_place, *its_place;

    if (failed == NULL)
        return true;
    type = dotted(failed);
    method = method_external_name(m->class, m->name, m->descriptor);
    mine = class_describe_loader(from);
    its = class_describe_loader(m->class);
    my_name = class_external_name(from);
    its_name = class_external_name(m->class);
    my_place = class_describe_origin(from);
    its_place = class_describe_origin(m->class);
    THROW(self, LinkageError,
          "loader constraint violation: when resolving %s '%s' the class loader %s of "
          "the current class, %s, and the class loader %s for the method's defining "
          "class, %s, have different Class objects for the type %s used in the "
          "signature (%s; %s)",
          class_is_interface(m->class) ? "interface method" : "method", method, mine,
          my_name, its, its_name, type, my_place, its_place);
    mem_free(type);
    mem_free(method);
    mem_free(mine);
    mem_free(its);
    mem_free(my_name);
    mem_free(its_name);
    mem_free(my_place);
    mem_free(its_place);
    return false;
}

/* ---- fields ---- */

struct field *
link_field(struct thread *self, struct class *holder, const struct symbol *name,
           const struct symbol *descriptor, struct class *from)
{
    struct field *f = class_find_field(holder, name, descriptor);

    if (f == NULL) {
        THROW(self, NoSuchFieldError, "%s", name->bytes);
        return NULL;
    }
    if (from == NULL)
        return f;
    if (!access_member(from, f->class, holder, f->access_flags)) {
        if (!exception_pending(self))
            throw_field_access(self, from, f);
        return NULL;
    }
    return constrain_field(self, from, f) ? f : NULL;
}

/* Final fields are written by their class alone, and from version 53 on in
   initializers alone (JVMS 6.5 putfield, putstatic). */
enum { STRICT_FINAL_VERSION = 53 };

static bool
check_final(struct thread *self, const struct field *f, bool is_static,
            const struct method *from)
{
    char *name, *from_name, *method;
    bool strict;

    if (!(f->access_flags & ACC_FINAL))
        return true;
    strict = from->class->pool->file->major >= STRICT_FINAL_VERSION;
    if (from->class == f->class
        && (!strict || symbol_equals(from->name, is_static ? "<clinit>" : "<init>")))
        return true;
    name = class_external_name(f->class);
    from_name = class_external_name(from->class);
    if (from->class != f->class) {
        THROW(
            self, IllegalAccessError,
            "Update to %s final field %s.%s attempted from a different class (%s) than "
            "the field's declaring class",
            is_static ? "static" : "non-static", name, f->name->bytes, from_name);
    } else {
        method = mem_strdup(from->name->bytes);
        THROW(self, IllegalAccessError,
              "Update to %s final field %s.%s attempted from a different method (%s) "
              "than the initializer method %s ",
              is_static ? "static" : "non-static", name, f->name->bytes, method,
              is_static ? "<clinit>" : "<init>");
        mem_free(method);
    }
    mem_free(name);
    mem_free(from_name);
    return false;
}

bool
check_field_use(struct thread *self, const struct field *f, unsigned opcode,
                const struct method *from)
{
    bool is_static = opcode == OP_getstatic || opcode == OP_putstatic;
    bool is_put = opcode == OP_putfield || opcode == OP_putstatic;
    char *holder;

    if (field_is_static(f) != is_static) {
        holder = class_external_name(f->class);
        THROW(self, IncompatibleClassChangeError, "Expected %s field %s.%s",
              is_static ? "static" : "non-static", holder, f->name->bytes);
        mem_free(holder);
        return false;
    }
    return !is_put || check_final(self, f, is_static, from);
}

/* ---- methods ---- */

static bool
check_holder(struct thread *self, const struct class *holder, const struct symbol *name,
             const struct symbol *descriptor, bool is_interface_ref, unsigned opcode)
{
    if (class_is_interface(holder) == is_interface_ref)
        return true;
    if (is_interface_ref)
        throw_kind(self, holder, true);
    else if (opcode == OP_invokestatic || opcode == OP_invokespecial)
        throw_change(self, "Method ", holder, name, descriptor,
                     " must be InterfaceMethodref constant");
    else
        throw_kind(self, holder, false);
    return false;
}

static void
throw_no_method(struct thread *self, const struct class *holder,
                const struct symbol *name, const struct symbol *descriptor)
{
    char *method = method_external_name(holder, name, descriptor);

    THROW(self, NoSuchMethodError, "'%s'", method);
    mem_free(method);
}

struct method *
link_method_for(struct thread *self, struct class *holder, const struct symbol *name,
                const struct symbol *descriptor, bool is_interface_ref,
                struct class *from, unsigned opcode)
{
    struct method *m;

    if (!check_holder(self, holder, name, descriptor, is_interface_ref, opcode))
        return NULL;
    m = is_interface_ref ? class_find_interface_method(holder, name, descriptor)
                         : class_find_method(holder, name, descriptor);
    if (m == NULL) {
        throw_no_method(self, holder, name, descriptor);
        return NULL;
    }
    if (from == NULL)
        return m;
    /* Arrays have a public clone (JLS 10.7). */
    if (!(class_is_array(holder) && symbol_equals(name, "clone"))
        && !access_member(from, m->class, holder, m->access_flags)) {
        if (!exception_pending(self))
            throw_method_access(self, from, m);
        return NULL;
    }
    return constrain_method(self, from, m, descriptor) ? m : NULL;
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
    throw_change(self, text, m->class, m->name, m->descriptor, "");
    return false;
}

static bool
check_special(struct thread *self, struct class *from, struct class *holder,
              const struct method *m)
{
    char *name, *signature;

    if (symbol_equals(m->name, "<init>") && m->class != holder) {
        name = class_external_name(holder);
        signature = method_external_name(holder, m->name, m->descriptor);
        THROW(self, NoSuchMethodError, "%s: method '%s' not found", name, signature);
        mem_free(name);
        mem_free(signature);
        return false;
    }
    if (!class_is_interface(holder) || from->flags & CLASS_SKIPS_CHECKS
        || from == holder)
        return true;
    for (uint32_t i = 0; i < from->interface_count; i++)
        if (from->interfaces[i] == holder)
            return true;
    name = class_external_name(from);
    signature = mem_printf(", is in an indirect superinterface of %s", name);
    throw_change(self, "Interface method reference: ", m->class, m->name, m->descriptor,
                 signature);
    mem_free(name);
    mem_free(signature);
    return false;
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
    if (method_is_abstract(selected)) {
        throw_abstract(self, NULL, m, selected);
        return NULL;
    }
    return selected;
}

/* ---- selection ---- */

static const char *
kind_of(const struct class *c)
{
    return class_is_interface(c)                ? "interface"
           : c->access_flags & ACC_ABSTRACT ? "abstract class"
                                            : "class";
}

/* The method without its class, as AbstractMethodError has it. */
static void
append_method(struct buf *b, const struct method *m)
{
    char *name = method_external_name(m->class, m->name, m->descriptor);
    char *holder = class_external_name(m->class);
    const char *space = name, *rest;

    while (*space != ' ')
        space++;
    rest = space + 1 + strlen(holder) + 1;
    buf_printf(b, "%s%s", method_is_abstract(m) ? "abstract " : "",
               method_is_private(m) ? "private " : "");
    buf_append(b, name, (size_t)(space + 1 - name));
    buf_append_string(b, rest);
    mem_free(name);
    mem_free(holder);
}

void
throw_abstract(struct thread *self, const struct class *receiver,
               const struct method *resolved, const struct method *selected)
{
    struct buf b = { 0 };
    char *name = receiver ? class_external_name(receiver) : NULL;
    char *holder = class_external_name(resolved->class);

    if (receiver)
        buf_printf(
            &b, "Receiver class %s does not define or inherit an implementation of the",
            name);
    else
        buf_append_string(&b, "Missing implementation of");
    buf_append_string(&b, " resolved method '");
    append_method(&b, resolved);
    buf_printf(&b, "' of %s %s.", kind_of(resolved->class), holder);
    if (selected && selected != resolved) {
        buf_append_string(&b, " Selected method is '");
        append_method(&b, selected);
        buf_append_string(&b, "'.");
    }
    THROW(self, AbstractMethodError, "%s", buf_string(&b));
    buf_release(&b);
    mem_free(name);
    mem_free(holder);
}

/* Which maximally-specific methods there are, in the order of the interfaces. */
static void
throw_conflict(struct thread *self, struct class *c, const struct method *m)
{
    struct buf b = { 0 };

    buf_append_string(&b, "Conflicting default methods:");
    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        const struct method *own =
            class_own_method(c->all_interfaces[i], m->name, m->descriptor);

        if (own && class_is_maximal(c, own) && !method_is_abstract(own))
            buf_printf(&b, " %s.%s", own->class->name->bytes, own->name->bytes);
    }
    THROW(self, IncompatibleClassChangeError, "%s", buf_string(&b));
    buf_release(&b);
}

static struct method *
select_interface(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected;
    bool conflict;

    if (!class_is_subtype(receiver, m->class)) {
        char *name = class_external_name(receiver),
             *other = class_external_name(m->class);

        THROW(self, IncompatibleClassChangeError,
              "Class %s does not implement the requested interface %s", name, other);
        mem_free(name);
        mem_free(other);
        return NULL;
    }
    selected = class_select_interface(receiver, m, &conflict);
    if (selected == NULL && conflict)
        throw_conflict(self, receiver, m);
    else if (selected == NULL)
        throw_abstract(self, receiver, m, NULL);
    else if (!(selected->access_flags & (ACC_PUBLIC | ACC_PRIVATE)))
        THROW0(self, IllegalAccessError);
    else if (method_is_abstract(selected))
        throw_abstract(self, receiver, m, selected);
    else
        return selected;
    return NULL;
}

struct method *
select_method(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected = m;

    if (class_is_interface(m->class))
        return select_interface(self, receiver, m);
    if (m->vtable_index >= 0)
        selected = receiver->vtable[m->vtable_index];
    if (method_is_abstract(selected)) {
        throw_abstract(self, receiver, m, selected);
        return NULL;
    }
    return selected;
}
