/* SPDX-License-Identifier: MIT */
/* minivm/runtime/call.c -- calls of Java methods by name. */

#include "runtime/call.h"

#include "linking/initialize.h"
#include "runtime/above.h"
#include "runtime/exception.h"

bool
java_call_named(struct thread *self, struct class *c, const char *name,
                const char *descriptor, const union slot *args, union slot *result)
{
    struct method *m;

    if (c == NULL || !class_initialize(self, c))
        return false;
    m = class_own_method(c, symbol_of(name), symbol_of(descriptor));
    if (m == NULL)
        return THROW(self, NoSuchMethodError, "%s.%s%s", c->name->bytes, name,
                     descriptor);
    return java_call(self, m, args, result);
}

struct object *
java_call_for_object(struct thread *self, struct method *m, const union slot *args)
{
    union slot result = { .ref = NULL };

    return class_initialize(self, m->class) && java_call(self, m, args, &result)
               ? handle_new(self, result.ref)
               : NULL;
}

/* The C stack grows downwards; c_stack_limit keeps room for throwing the error. */
bool
c_stack_left(struct thread *self)
{
    if ((char *)__builtin_frame_address(0) >= self->c_stack_limit)
        return true;
    return throw_stack_overflow(self);
}
