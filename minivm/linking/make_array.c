/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/make_array.c -- the classes of primitive types and of arrays.
 *
 * They have no class file (JVMS 5.3.3): everything about them follows from the type or
 * from the element.  The class of arrays of a class hangs at that class
 * (element->array) and has the same loader, so it is in no table, and is unloaded
 * together with it.  Two threads may make one at the same time; a compare-and-swap
 * decides whose counts, and the other is given up.
 */

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "linking/make.h"
#include "linking/message.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

struct class *
class_make_primitive(struct thread *self, char type)
{
    struct vm *vm = self->vm;
    struct class *c = class_new(self, 0);

    if (!c)
        out_of_memory("no room below 4 GiB for classes");
    c->name = symbol_of(descriptor_primitive_name(type));
    c->primitive = type;
    c->bottom = c;
    c->loader = vm->boot_loader;
    c->module = vm->java_base;
    c->state = CLASS_INITIALIZED;
    c->access_flags = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    return c;
}

/* Returns the name of the class of arrays of element, such as "[I" or
   "[Ljava/lang/String;", or NULL if it is too long for a class's name. */
static const struct symbol *
array_name(const struct class *element)
{
    char *descriptor = class_descriptor(element);
    char *text = message_printf("[%s", descriptor);
    const struct symbol *name = strlen(text) <= SYMBOL_MAX_LENGTH ? symbol_of(text)
                                                                  : NULL;

    mem_free(descriptor);
    mem_free(text);
    return name;
}

/*
 * Makes the class of arrays of element: a subclass of Object that implements Cloneable
 * and Serializable (JLS 10.8).  It needs neither linking nor initialization, so it is
 * in the state after them at once.  Returns NULL with OutOfMemoryError pending.
 */
static struct class *
make_array(struct thread *self, struct class *element, const struct symbol *name)
{
    struct vm *vm = self->vm;
    struct class *object = KC(vm, Object);
    struct class *c = class_new(self, object->vtable_length);

    if (!c)
        return NULL;
    c->name = name;
    c->element = element;
    c->bottom = element->bottom;
    c->loader = element->loader;
    c->package = element->package;
    c->module = element->module;
    c->state = CLASS_INITIALIZED;
    c->access_flags = (uint16_t)((element->bottom->access_flags & ACC_PUBLIC)
                                 | ACC_FINAL | ACC_ABSTRACT);
    c->flags = (uint16_t)((element->flags & CLASS_IS_WEAK) | CLASS_IS_CLONEABLE);
    c->dimensions = (uint8_t)(element->dimensions + 1);
    c->layout.kind = element->primitive ? LAYOUT_PRIMITIVE_ARRAY
                                        : LAYOUT_REFERENCE_ARRAY;
    c->layout.element_shift = (uint8_t)__builtin_ctz(
        element->primitive ? type_size(element->primitive) : 8);
    c->layout.instance_size = ARRAY_BASE;
    class_set_supers(vm, c, object);
    c->interface_count = c->all_interface_count = 2;
    c->interfaces = arena_calloc(&c->arena, 2, sizeof *c->interfaces);
    c->interfaces[0] = KC(vm, Cloneable);
    c->interfaces[1] = KC(vm, Serializable);
    c->all_interfaces = c->interfaces;
    memcpy(c->vtable, object->vtable, object->vtable_length * sizeof *c->vtable);
    return c;
}

struct class *
class_array_of(struct thread *self, struct class *element)
{
    struct vm *vm = self->vm;
    struct class *c = atomic_load_explicit(&element->array, memory_order_acquire);
    struct class *other = NULL;
    const struct symbol *name;
    bool good;

    if (c)
        return c;
    name = element->dimensions == 255 ? NULL : array_name(element);
    if (!name)
        return THROW0(self, IllegalArgumentException);
    c = make_array(self, element, name);
    if (!c)
        return NULL;
    /* While the first classes are loaded there are no mirrors; boot_classes.c makes them
       later. */
    good = !vm->has_mirrors || class_make_mirror(self, c, NULL, NULL);
    if (good && atomic_compare_exchange_strong(&element->array, &other, c))
        return c;
    /* The mirror could not be made, and other is NULL; or another thread was faster,
       and other is its class. */
    class_discard(vm, c);
    return other;
}
