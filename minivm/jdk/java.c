/* SPDX-License-Identifier: MIT */
/* minivm/jdk/java.c -- making Java objects and arrays, for the natives of this
 * folder. */

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "runtime/above.h"
#include "runtime/call.h"

bool
native_nothing(struct thread *self UNUSED, union slot *args UNUSED)
{
    return true;
}

struct object *
java_new(struct thread *self, struct class *c)
{
    return c && class_initialize(self, c) ? handle_new(self, object_new(self, c))
                                          : NULL;
}

struct object *
java_new_array(struct thread *self, struct class *element, size_t length)
{
    struct class *c = element ? class_array_of(self, element) : NULL;

    return c ? handle_new(self, array_new(self, c, (int32_t)length)) : NULL;
}

bool
java_array_store(struct object *array, size_t index, struct object *o)
{
    ARRAY_REFS(array)[index] = o;
    return o != NULL;
}

struct object *
java_construct(struct thread *self, struct class *c, const char *descriptor,
               union slot *args)
{
    struct object *o = args[0].ref = java_new(self, c);

    return o && java_call_named(self, c, "<init>", descriptor, args, NULL) ? o : NULL;
}

/* Returns an array of the objects for which self has got handles since handle_count was
   mark.  The handles stay, so the objects are alive while the array is allocated. */
struct object *
array_from_handles(struct thread *self, struct class *element, size_t mark)
{
    size_t count = self->handle_count - mark;
    struct object *array = exception_pending(self)
                               ? NULL
                               : java_new_array(self, element, count);

    for (size_t i = 0; array && i < count; i++)
        ARRAY_REFS(array)[i] = self->handles[mark + i];
    return array;
}
