/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/vtable.c -- building the table of a class's virtual methods.
 *
 * The table begins with the superclass's slots, in which a method that overrides
 * another takes the other's place.  So a method is found at one index in the tables of
 * its class and of all subclasses, and invokevirtual is a load.  New methods get new
 * slots at the end; one that is final and overrides nothing needs none, since it can be
 * called directly.
 *
 * A method may have several slots.  When B.m in another package cannot override the
 * package-private A.m, both have one; if C.m, in A's package, then overrides both, it
 * is in both slots.
 *
 * Interfaces have no table.  Their methods are found by linking/select.c.
 */

#include "linking/vtable.h"

#include <string.h>

#include "base/mem.h"
#include "runtime/exception.h"

/* Returns true if calls of m are dispatched by the class of the receiver.  Private
   methods, constructors and class initializers are called directly (JVMS 5.4.6). */
static bool
is_virtual(const struct method *m)
{
    return !(m->access_flags & (ACC_STATIC | ACC_PRIVATE))
           && !(m->flags & METHOD_INITIALIZER);
}

/*
 * Returns true if a method of the new class with old's name and descriptor overrides
 * old because old is public or protected, or because both are in one run-time package
 * (JVMS 5.4.5).  The paragraph's third case, a chain of methods that override each
 * other, is take_slots's.
 */
static bool
can_override(const struct vtable_maker *k, const struct method *old)
{
    return (old->access_flags & (ACC_PUBLIC | ACC_PROTECTED))
           || (old->class->loader == k->loader && old->class->package == k->package);
}

/* Puts m into a slot.  m->vtable_index is the first slot that m gets; a method with
   more than one is marked, so that a class below finds the others. */
static void
set_slot(struct vtable_maker *k, struct method *m, uint32_t slot)
{
    k->slots[slot] = m;
    if (m->vtable_index == VTABLE_NONE)
        m->vtable_index = (int32_t)slot;
    else if (m->vtable_index != (int32_t)slot)
        m->flags |= METHOD_MANY_SLOTS;
}

/*
 * Makes m take over all slots that old has.  Overriding is transitive: the slot of a
 * package-private method goes along with the public method that has overridden it.
 */
static void
take_slots(struct vtable_maker *k, struct method *m, struct method *old)
{
    if (old->vtable_index == VTABLE_NONE)
        return;
    if (old->flags & METHOD_MANY_SLOTS)
        for (uint32_t i = 0; i < k->super->vtable_length; i++)
            if (k->super->vtable[i] == old)
                set_slot(k, m, i);
    set_slot(k, m, (uint32_t)old->vtable_index);
}

/* Makes m override the methods of superclasses that it can.  Returns false with
   IncompatibleClassChangeError pending if one of them is final. */
static bool
override_in_supers(struct vtable_maker *k, struct method *m)
{
    for (struct class *s = k->super; s; s = s->super) {
        struct method *old = class_own_method(s, m->name, m->descriptor);

        if (!old || !is_virtual(old) || !can_override(k, old))
            continue;
        if (old->access_flags & ACC_FINAL)
            return THROW(k->self, IncompatibleClassChangeError,
                         "class %pN overrides final method %pC.%s%s",
                         k->file->this_class->bytes, old->class, m->name->bytes,
                         m->descriptor->bytes);
        take_slots(k, m, old);
    }
    return true;
}

bool
vtable_make(struct vtable_maker *k)
{
    bool final_class = (k->file->access_flags & ACC_FINAL) != 0;
    uint32_t inherited = k->super ? k->super->vtable_length : 0;

    k->slots = mem_alloc((inherited + k->file->method_count + 1) * sizeof *k->slots);
    if (inherited)
        memcpy(k->slots, k->super->vtable, inherited * sizeof *k->slots);
    k->length = inherited;
    for (uint32_t i = 0; i < k->file->method_count; i++) {
        struct method *m = &k->methods[i];

        if (!is_virtual(m))
            continue;
        if (!override_in_supers(k, m))
            return false;
        if (m->vtable_index == VTABLE_NONE && !final_class
            && !(m->access_flags & ACC_FINAL))
            set_slot(k, m, k->length++);
    }
    return true;
}
