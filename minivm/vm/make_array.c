/* SPDX-License-Identifier: MIT */
/* minivm/vm/make_array.c -- classes without a file (primitives and arrays), and
 * mirrors. */

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "vm/exception.h"
#include "vm/registry.h"

/* ---- primitives and arrays ---- */

struct class *
class_make_primitive(struct thread *self, char type)
{
    struct vm *vm = self->vm;
    struct class *c = class_space_alloc(vm, class_struct_size(0));

    if (c == NULL)
        fatal("no memory below 4 GiB for classes");
    c->name = symbol_of(primitive_name(type));
    c->loader = vm->boot_loader;
    c->module = vm->java_base;
    c->access_flags = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    c->primitive = type;
    c->bottom = c;
    c->state = CLASS_INITIALIZED;
    c->serial = __atomic_add_fetch(&vm->class_serial, 1, __ATOMIC_RELAXED);
    return c;
}

static const struct symbol *
array_name(const struct class *element)
{
    char *text;
    const struct symbol *name;

    if (element->primitive)
        text = mem_printf("[%c", element->primitive);
    else if (class_is_array(element))
        text = mem_printf("[%s", element->name->bytes);
    else
        text = mem_printf("[L%s;", element->name->bytes);
    name = strlen(text) <= SYMBOL_MAX_LENGTH ? symbol_of(text) : NULL;
    mem_free(text);
    return name;
}

static unsigned
element_shift(const struct class *element)
{
    static const char shifts[] = { 0, 0, 1, 0, 2, 0, 0, 0, 3 };

    return (unsigned)shifts[element->primitive ? type_size(element->primitive) : 8];
}

static void
set_array_layout(struct class *c, const struct class *element)
{
    c->layout.kind =
        element->primitive ? LAYOUT_PRIMITIVE_ARRAY : LAYOUT_REFERENCE_ARRAY;
    c->layout.element_shift = (uint8_t)element_shift(element);
    c->layout.instance_size = ARRAY_BASE;
}

/* Arrays are Object's subclasses, Cloneable and Serializable (JLS 10.8). */
static void
set_array_supers(struct vm *vm, struct class *c)
{
    struct class *object = KC(vm, Object);

    c->super = object;
    c->depth = 1;
    c->supers[0] = object;
    c->supers[1] = c;
    c->interfaces = arena_calloc(&c->arena, 2, sizeof *c->interfaces);
    c->interfaces[0] = KC(vm, Cloneable);
    c->interfaces[1] = KC(vm, Serializable);
    c->interface_count = c->all_interface_count = 2;
    c->all_interfaces = c->interfaces;
    memcpy(c->vtable, object->vtable, object->vtable_length * sizeof *c->vtable);
    c->vtable_length = object->vtable_length;
}

static struct class *
make_array(struct thread *self, struct class *element, const struct symbol *name)
{
    struct vm *vm = self->vm;
    struct class *c =
        class_space_alloc(vm, class_struct_size(KC(vm, Object)->vtable_length));

    if (c == NULL) {
        throw_out_of_memory(self, "Compressed class space");
        return NULL;
    }
    c->name = name;
    c->loader = element->loader;
    c->package = element->package;
    c->module = element->module;
    c->element = element;
    c->bottom = element->bottom;
    c->access_flags = (uint16_t)((c->bottom->access_flags & ACC_PUBLIC) | ACC_FINAL
                                 | ACC_ABSTRACT);
    c->flags = (uint16_t)((element->flags & CLASS_IS_WEAK) | CLASS_IS_CLONEABLE);
    c->dimensions = (uint8_t)(element->dimensions + 1);
    c->state = CLASS_INITIALIZED;
    c->serial = __atomic_add_fetch(&vm->class_serial, 1, __ATOMIC_RELAXED);
    set_array_supers(vm, c);
    set_array_layout(c, element);
    return c;
}

struct class *
class_array_of(struct thread *self, struct class *element)
{
    struct vm *vm = self->vm;
    struct class *c = atomic_load_explicit(&element->array, memory_order_acquire);
    struct class *other;
    const struct symbol *name;

    if (c)
        return c;
    name = element->dimensions == 255 ? NULL : array_name(element);
    if (name == NULL) {
        THROW(self, IllegalArgumentException, NULL);
        return NULL;
    }
    c = make_array(self, element, name);
    if (c == NULL)
        return NULL;
    if (vm->registry->is_booted && !class_make_mirror(self, c, NULL, NULL)) {
        class_free(vm, c);
        return NULL;
    }
    mutex_lock(&vm->class_mutex);
    other = atomic_load_explicit(&element->array, memory_order_relaxed);
    if (other == NULL)
        atomic_store_explicit(&element->array, c, memory_order_release);
    mutex_unlock(&vm->class_mutex);
    if (other) {
        class_discard(vm, c);
        return other;
    }
    return c;
}

/* ---- mirrors ---- */

static struct object *
module_object(const struct class *c)
{
    return c->module ? c->module->object : NULL;
}

bool
class_make_mirror(struct thread *self, struct class *c,
                  struct object *protection_domain, struct object *class_data)
{
    struct vm *vm = self->vm;
    struct object *mirror;
    SCOPE(self);

    keep(self, protection_domain);
    keep(self, class_data);
    mirror = mirror_new(self, c);
    if (mirror == NULL)
        return false;
    OBJECT_FIELD(struct class *, mirror, vm->known.mirror_class_offset) = c;
    OBJECT_FIELD(struct object *, mirror, vm->known.mirror_protection_domain) =
        protection_domain;
    OBJECT_FIELD(struct object *, mirror, KF(vm, Class_classLoader)) =
        c->loader->object;
    OBJECT_FIELD(struct object *, mirror, KF(vm, Class_module)) = module_object(c);
    OBJECT_FIELD(struct object *, mirror, KF(vm, Class_classData)) = class_data;
    if (c->element)
        OBJECT_FIELD(struct object *, mirror, KF(vm, Class_componentType)) =
            c->element->layout.mirror;
    __atomic_store_n(&c->layout.mirror, mirror, __ATOMIC_RELEASE);
    return true;
}
