/* SPDX-License-Identifier: MIT */
/* minivm/vm/wellknown.c -- looking up what the profile names. */

#include "base/log.h"
#include "vm/registry.h"

static const char *const class_ids[] = {
#define X(name) #name,
    KNOWN_CLASSES(X)
#undef X
};

void
known_init(struct vm *vm)
{
    struct ptrmap *names = &vm->registry->known_names;

    for (uintptr_t i = 0; i < KNOWN_CLASS_COUNT; i++)
        if (vm->profile->class_names[i])
            ptrmap_put(names, symbol_of(vm->profile->class_names[i]), (void *)(i + 1));
}

int
known_number(const struct vm *vm, const struct loader *l, const struct symbol *name)
{
    if (!l->is_boot)
        return -1;
    return (int)(uintptr_t)ptrmap_get(&vm->registry->known_names, name) - 1;
}

/* The fields that every release gets, beside those of the profile's list. */
static const struct {
    int owner;
    size_t place;                  /* of the offset, in struct known */
    bool is_reference;
} injected[] = {
    { KNOWN_CLASS_Class, offsetof(struct known, mirror_class_offset), false },
    { KNOWN_CLASS_Class, offsetof(struct known, mirror_protection_domain), true },
    { KNOWN_CLASS_Class, offsetof(struct known, mirror_signers), true },
    { KNOWN_CLASS_ResolvedMethodName, offsetof(struct known, resolved_method_target),
      false },
    { KNOWN_CLASS_MemberName, offsetof(struct known, member_name_index), false },
    { KNOWN_CLASS_ClassLoader, offsetof(struct known, loader_data), false },
    { KNOWN_CLASS_Module, offsetof(struct known, module_data), false },
};

size_t
known_injected(struct vm *vm, int number, struct injected list[INJECTED_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof injected / sizeof injected[0]; i++)
        if (injected[i].owner == number)
            list[count++] =
                (struct injected){ (void *)((char *)&vm->known + injected[i].place),
                                   injected[i].is_reference };
    for (unsigned i = 0; number >= 0 && i < KNOWN_FIELD_COUNT; i++) {
        const struct profile_field *f = &vm->profile->fields[i];

        if (!f->is_injected || (int)f->owner != number)
            continue;
        if (count == INJECTED_MAX)
            fatal("more than %d fields injected into one class", INJECTED_MAX);
        list[count++] =
            (struct injected){ &vm->known.fields[i], f->descriptor[0] != 'J' };
    }
    return count;
}

static void
resolve_field_row(struct vm *vm, struct class *c, unsigned i)
{
    const struct profile_field *row = &vm->profile->fields[i];
    struct field *f;

    if (row->is_injected)
        return;
    f = class_own_field(c, symbol_of(row->name), symbol_of(row->descriptor));
    if (f && field_is_static(f) == row->is_static)
        vm->known.fields[i] = f->offset;
    else if (!row->is_optional)
        fatal("%s has no field %s %s: the class library is not of JDK %d",
              c->name->bytes, row->descriptor, row->name, vm->profile->feature);
}

static void
resolve_method_row(struct vm *vm, struct class *c, unsigned i)
{
    const struct profile_method *row = &vm->profile->methods[i];

    vm->known.methods[i] =
        class_own_method(c, symbol_of(row->name), symbol_of(row->descriptor));
    if (vm->known.methods[i] == NULL && !row->is_optional)
        fatal("%s has no method %s%s: the class library is not of JDK %d",
              c->name->bytes, row->name, row->descriptor, vm->profile->feature);
}

void
known_resolve_class(struct vm *vm, struct class *c)
{
    int number = known_number(vm, c->loader, c->name);

    if (number < 0)
        return;
    for (unsigned i = 0; i < KNOWN_FIELD_COUNT; i++)
        if (vm->profile->fields[i].name && (int)vm->profile->fields[i].owner == number)
            resolve_field_row(vm, c, i);
    for (unsigned i = 0; i < KNOWN_METHOD_COUNT; i++)
        if (vm->profile->methods[i].name
            && (int)vm->profile->methods[i].owner == number)
            resolve_method_row(vm, c, i);
    __atomic_store_n(&vm->known.classes[number], c, __ATOMIC_RELEASE);
}

struct class *
known_class(struct thread *self, enum known_class which)
{
    struct class *c =
        __atomic_load_n(&self->vm->known.classes[which], __ATOMIC_ACQUIRE);
    const char *name = self->vm->profile->class_names[which];

    if (c)
        return c;
    if (name == NULL)
        fatal("%s is not a class of JDK %d", class_ids[which],
              self->vm->profile->feature);
    return class_load_boot(self, name);
}
