/* SPDX-License-Identifier: MIT */
/* minivm/linking/select.c -- selection of methods (JVMS 5.4.6). */

#include "linking/select.h"

#include "base/buf.h"
#include "base/mem.h"
#include "linking/message.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

void *
throw_abstract_method_error(struct thread *self, const struct class *receiver,
                            const struct method *resolved,
                            const struct method *selected)
{
    const char *other = "";
    TEXTS(t);

    if (selected && selected != resolved)
        other = own(&t, message_printf(" Selected method is '%s%pM'.",
                                       method_is_abstract(selected) ? "abstract " : "",
                                       selected));

    return THROW(self, AbstractMethodError,
                 "Receiver class %pC does not define or "
                 "inherit an implementation of the resolved method '%s%s%pS' of %pK "
                 "%pC.%s",
                 receiver, method_is_abstract(resolved) ? "abstract " : "",
                 method_is_private(resolved) ? "private " : "", resolved,
                 resolved->class, resolved->class, other);
}

/* From this release on, HotSpot's error for an interface's method that a class does not
   implement names the class and no receiver, if default methods are about.  Before, it
   does so only for a call by the class (invokevirtual, invokespecial). */
static const struct releases with_plain_error = { 25, 0 };

/* Returns the class that inherits the method m of an interface: receiver, or the highest
   of its superclasses that has the interface. */
static const struct class *
heir_of(const struct class *receiver, const struct method *m)
{
    while (receiver->super && class_is_subtype(receiver->super, m->class))
        receiver = receiver->super;
    return receiver;
}

static bool
has_default_methods(const struct class *c)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        for (uint32_t j = 0; j < c->all_interfaces[i]->method_count; j++)
            if (!(c->all_interfaces[i]->methods[j].access_flags
                  & (ACC_STATIC | ACC_ABSTRACT)))
                return true;
    return false;
}

void *
throw_unselected(struct thread *self, struct class *c, const struct method *m,
                 bool by_class)
{
    struct buf b = { 0 };
    unsigned count = 0;
    TEXTS(t);

    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        const struct method *mine = class_own_method(c->all_interfaces[i], m->name,
                                                     m->descriptor);

        if (mine && !(mine->access_flags & (ACC_PRIVATE | ACC_STATIC | ACC_ABSTRACT))
            && class_is_maximal(c, mine)) {
            buf_printf(&b, " %s.%s", mine->class->name->bytes, mine->name->bytes);
            count++;
        }
    }
    if (count > 1)
        return THROW(self, IncompatibleClassChangeError,
                     "Conflicting default methods:%s",
                     own(&t, (char *)buf_steal(&b, NULL)));
    buf_release(&b);
    const struct class *heir = heir_of(c, m);
    if ((by_class || release_is_in(self->vm->profile->feature, with_plain_error))
        && has_default_methods(heir))
        return THROW(self, AbstractMethodError, "Method %s.%s%s is abstract",
                     heir->name->bytes, m->name->bytes, m->descriptor->bytes);
    return throw_abstract_method_error(self, c, m, NULL);
}

/* The verifier lets any object pass as an interface (JVMS 4.10.1.2), so the receiver may
   not implement it. */
struct method *
select_interface(struct thread *self, struct class *receiver, struct method *m,
                 bool by_class)
{
    struct method *selected;

    if (!class_is_subtype(receiver, m->class))
        return THROW(self, IncompatibleClassChangeError,
                     "Class %pC does not implement the requested interface %pC",
                     receiver, m->class);
    selected = class_select_interface(receiver, m);
    if (!selected)
        return throw_unselected(self, receiver, m, by_class);
    if (!(selected->access_flags & (ACC_PUBLIC | ACC_PRIVATE))) {
        /* As in HotSpot, the message names the receiver's class, also if the method is
           inherited. */
        struct method shown = *selected;

        shown.class = receiver;
        return THROW(self, IllegalAccessError, "'%pM'", &shown);
    }
    return method_is_abstract(selected)
               ? throw_abstract_method_error(self, receiver, m, selected)
               : selected;
}

struct method *
select_method(struct thread *self, struct class *receiver, struct method *m)
{
    struct method *selected = m;

    if (class_is_interface(m->class))
        return select_interface(self, receiver, m, false);
    if (m->vtable_index >= 0)
        selected = receiver->vtable[m->vtable_index];
    return method_is_abstract(selected)
               ? throw_abstract_method_error(self, receiver, m, selected)
               : selected;
}
