/* SPDX-License-Identifier: MIT */
/* minivm/runtime/wellknown.c -- looking up what the profile names.
 *
 * When the boot loader has made a class, known_resolve_class looks its name up among
 * the well-known ones, and looks for the fields and methods that the profile names in
 * it. */

#include "runtime/wellknown.h"

#include "base/log.h"
#include "linking/loader.h"
#include "runtime/vm.h"

/* 0 is what ptrmap_get returns for a name that is not there, so numbers are entered
   plus 1. */
void
known_init(struct vm *vm)
{
    struct ptrmap *names = &vm->known.numbers;

    for (uintptr_t i = 0; i < KNOWN_CLASS_COUNT; i++)
        if (vm->profile->class_names[i])
            ptrmap_put(names, symbol_of(vm->profile->class_names[i]), (void *)(i + 1));
}

int
known_number(const struct vm *vm, const struct loader *l, const struct symbol *name)
{
    if (!l->is_boot)
        return -1;
    return (int)(uintptr_t)ptrmap_get(&vm->known.numbers, name) - 1;
}

/* The class is stored last, with release order: who finds it finds its fields and
   methods, too.  Injected fields have no declaration; make.c enters their offsets. */
void
known_resolve_class(struct vm *vm, struct class *c)
{
    int number = known_number(vm, c->loader, c->name);

    if (number < 0)
        return;
    for (unsigned i = 0; i < KNOWN_FIELD_COUNT; i++) {
        const struct profile_field *row = &vm->profile->fields[i];

        if (!row->name || (int)row->owner != number || row->is_injected)
            continue;
        struct field *f = class_own_field(c, symbol_of(row->name),
                                          symbol_of(row->descriptor));
        if (!f)
            fatal("%s has no field %s %s: the class library is not of JDK %d",
                  c->name->bytes, row->descriptor, row->name, vm->profile->feature);
        vm->known.fields[i] = f->offset;
    }
    for (unsigned i = 0; i < KNOWN_METHOD_COUNT; i++) {
        const struct profile_method *row = &vm->profile->methods[i];

        if (!row->name || (int)row->owner != number)
            continue;
        vm->known.methods[i] = class_own_method(c, symbol_of(row->name),
                                                symbol_of(row->descriptor));
        if (vm->known.methods[i] == NULL)
            fatal("%s has no method %s%s: the class library is not of JDK %d",
                  c->name->bytes, row->name, row->descriptor, vm->profile->feature);
    }
    __atomic_store_n(&vm->known.classes[number], c, __ATOMIC_RELEASE);
}

/* That the class has no name in this release is a mistake of the VM's, so the process
   ends. */
struct class *
known_class(struct thread *self, enum known_class which)
{
    struct class *c = __atomic_load_n(&self->vm->known.classes[which],
                                      __ATOMIC_ACQUIRE);
    const char *name = self->vm->profile->class_names[which];

    if (c)
        return c;
    if (name == NULL)
        fatal("known class %d is not one of JDK %d", which, self->vm->profile->feature);
    return class_load_boot(self, name);
}
