/* SPDX-License-Identifier: MIT */
/* minivm/linking/method_type.c -- Class and MethodType objects of descriptors. */

#include "linking/method_type.h"

#include <string.h>

#include "classfile/descriptor.h"
#include "linking/access.h"
#include "linking/loader.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- descriptors ---- */

/* A descriptor of one character is that of a primitive type or void; NULL without an
   exception is only returned for other characters, which no checked descriptor has.
   The name of a class is between 'L' and ';'; an array's descriptor is its name. */
struct class *
class_of_descriptor(struct thread *self, struct loader *l, const char *text,
                    size_t length)
{
    if (length == 1)
        return *text >= 'A' && *text <= 'Z' ? self->vm->known.primitives[*text - 'A']
                                            : NULL;
    if (*text == 'L')
        return class_load(self, l, symbol_intern(text + 1, length - 2),
                          NOT_FOUND_ERROR);
    return class_load(self, l, symbol_intern(text, length), NOT_FOUND_ERROR);
}

/* ---- method types (JVMS 5.4.3.5) ---- */

/* Returns the class of that type if it is a public one of java.lang or
   java.lang.invoke, else NULL.  Those mean the same to every loader, so no loader is
   asked, as in HotSpot. */
static struct class *
visible_everywhere(struct vm *vm, const struct descriptor_type *type)
{
    size_t length;
    const char *text = descriptor_class_text(type, &length);
    const struct symbol *name;
    struct class *c;

    if (type->kind != 'L' || strncmp(text, "java/lang/", 10) != 0)
        return NULL;
    name = symbol_lookup(text, length);
    c = name ? class_find_loaded(vm->boot_loader, name) : NULL;
    return c && (c->access_flags & ACC_PUBLIC)
                   && (class_same_package(c, KC(vm, Object))
                       || class_same_package(c, KC(vm, MethodHandle)))
               ? c
               : NULL;
}

struct object *
type_mirror(struct thread *self, struct class *from, const struct descriptor_type *type,
            bool checked)
{
    struct class *c = checked ? visible_everywhere(self->vm, type) : NULL;

    if (!c)
        c = class_of_descriptor(self, from->loader, type->text, type->length);
    if (c && checked && !check_class_access(self, from, c))
        return NULL;
    return c ? c->layout.mirror : NULL;
}

/* The array is a handle; the mirror of the result is kept alive by the class, which
   from's loader has recorded. */
struct object *
parameter_mirrors(struct thread *self, struct class *from,
                  const struct symbol *descriptor, bool checked,
                  struct object **returned)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct descriptor_type type;
    struct object *mirrors = handle_new(
        self,
        array_new(self, self->vm->known.class_array, descriptor_arg_count(descriptor)));

    for (int32_t i = 0; mirrors && descriptor_next(&it, &type); i++) {
        struct object *mirror = type_mirror(self, from, &type, checked);

        if (!mirror)
            return NULL;
        ARRAY_REFS(mirrors)[i] = mirror;
    }
    descriptor_return(descriptor, &type);
    *returned = mirrors ? type_mirror(self, from, &type, checked) : NULL;
    return *returned ? mirrors : NULL;
}

/* Calls MethodHandleNatives.findMethodHandleType(Class result, Class[] parameters). */
struct object *
method_type_of(struct thread *self, struct class *from, const struct symbol *descriptor)
{
    struct method *m = KM(self->vm, MethodHandleNatives_findMethodHandleType);
    union slot args[2];
    HANDLE_SCOPE(self);

    args[1].ref = parameter_mirrors(self, from, descriptor, CHECKED, &args[0].ref);
    return args[1].ref ? java_call_for_object(self, m, args) : NULL;
}
