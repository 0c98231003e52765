/* SPDX-License-Identifier: MIT */
/* minivm/vm/make_array.c -- classes without a file (primitives and arrays), and
 * mirrors. */

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/exception.h"
#include "vm/registry.h"

/* ---- primitives and arrays ---- */

static uint32_t
new_serial(struct vm *vm)
{
    return __atomic_add_fetch(&vm->class_serial, 1, __ATOMIC_RELAXED);
}

struct class *
class_make_primitive(struct thread *self, char type)
{
    struct vm *vm = self->vm;
    struct class *c = class_space_alloc(vm, class_struct_size(0));

    if (c == NULL)
        fatal("no memory below 4 GiB for classes");
    *c = (struct class){
        .name = symbol_of(descriptor_primitive_name(type)), .primitive = type,
        .bottom = c, .loader = vm->boot_loader, .module = vm->java_base,
        .state = CLASS_INITIALIZED,
        .access_flags = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT, .serial = new_serial(vm),
    };
    return c;
}

static const struct symbol *
array_name(const struct class *element)
{
    TEXTS(t);
    const char *text =
        own(&t, element->primitive        ? mem_printf("[%c", element->primitive)
                : class_is_array(element) ? mem_printf("[%s", element->name->bytes)
                                          : mem_printf("[L%s;", element->name->bytes));

    return strlen(text) <= SYMBOL_MAX_LENGTH ? symbol_of(text) : NULL;
}

static uint8_t
element_shift(const struct class *element)
{
    char type = element->primitive;

    return (uint8_t)__builtin_ctz(type ? type_size(type) : 8);
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

    if (c == NULL)
        return throw_out_of_memory(self, "Compressed class space");
    *c = (struct class){
        .name = name, .element = element, .bottom = element->bottom,
        .loader = element->loader, .package = element->package,
        .module = element->module, .state = CLASS_INITIALIZED, .serial = new_serial(vm),
        .access_flags = (uint16_t)((element->bottom->access_flags & ACC_PUBLIC)
                                   | ACC_FINAL | ACC_ABSTRACT),
        .flags = (uint16_t)((element->flags & CLASS_IS_WEAK) | CLASS_IS_CLONEABLE),
        .dimensions = (uint8_t)(element->dimensions + 1),
        .layout = {
            .kind = element->primitive ? LAYOUT_PRIMITIVE_ARRAY
                                       : LAYOUT_REFERENCE_ARRAY,
            .element_shift = element_shift(element), .instance_size = ARRAY_BASE,
        },
    };
    set_array_supers(vm, c);
    return c;
}

struct class *
class_array_of(struct thread *self, struct class *element)
{
    struct vm *vm = self->vm;
    struct class *c = atomic_load_explicit(&element->array, memory_order_acquire);
    struct class *other = NULL;
    const struct symbol *name;

    if (c)
        return c;
    name = element->dimensions == 255 ? NULL : array_name(element);
    if (name == NULL)
        return THROW0(self, IllegalArgumentException);
    c = make_array(self, element, name);
    if (c == NULL)
        return NULL;
    if (vm->registry->is_booted && !class_make_mirror(self, c, NULL, NULL)) {
        class_free(vm, c);
        return NULL;
    }
    if (atomic_compare_exchange_strong(&element->array, &other, c))
        return c;
    class_discard(vm, c);
    return other;
}

/* ---- mirrors ---- */

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
    OBJECT_FIELD(struct class *, mirror, KF(vm, Class_vmClass)) = c;
    REF_FIELD(vm, mirror, Class_protectionDomain) = protection_domain;
    REF_FIELD(vm, mirror, Class_classLoader) = c->loader->object;
    REF_FIELD(vm, mirror, Class_module) = c->module ? c->module->object : NULL;
    REF_FIELD(vm, mirror, Class_classData) = class_data;
    if (c->element)
        REF_FIELD(vm, mirror, Class_componentType) = c->element->layout.mirror;
    __atomic_store_n(&c->layout.mirror, mirror, __ATOMIC_RELEASE);
    return true;
}
