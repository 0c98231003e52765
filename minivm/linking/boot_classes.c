/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/boot_classes.c -- the first classes.
 *
 * Object, Cloneable and Class are loaded without mirrors, since a mirror is an instance
 * of Class.  Then Class is complete: its mirrors' layout is known, static fields get
 * their offsets, and the classes loaded so far get their mirrors.  Primitive classes,
 * arrays and the other well-known classes follow.
 */

#include "linking/boot_classes.h"

#include "base/mem.h"
#include "linking/layout.h"
#include "linking/loader.h"
#include "linking/make.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* Tells the heap where references are among the static fields in a mirror. */
static uint32_t
static_runs(const struct layout *layout, const struct reference_run **runs)
{
    const struct class *c = (const struct class *)layout;

    *runs = c->static_runs;
    return c->static_run_count;
}

/* Gives mirrors to all classes that were loaded so far.  From now on a class gets its
   mirror when it is made (vm->has_mirrors).  Returns false if there is no memory. */
static bool
make_mirrors(struct thread *self)
{
    struct vm *vm = self->vm;

    for (struct class *c = vm->boot_loader->defined; c; c = c->next_in_loader)
        class_lay_out_statics(vm, c);
    heap_set_mirrors(vm->heap, KF(vm, Class_vmClass), static_runs);
    vm->has_mirrors = true;
    for (struct class *c = vm->boot_loader->defined; c; c = c->next_in_loader) {
        if (!class_make_mirror(self, c, NULL, NULL))
            return false;
        /* Static offsets were not known when the class was first looked at. */
        known_resolve_class(vm, c);
    }
    return true;
}

/* Makes the classes of the primitive types and of void, with their mirrors, and the
   array classes of all but void, which has none.  Returns false if there is no
   memory. */
static bool
make_primitives(struct thread *self)
{
    struct known *known = &self->vm->known;

    for (const char *type = "ZCFDBSIJV"; *type; type++) {
        struct class *c = class_make_primitive(self, *type);

        if (!class_make_mirror(self, c, NULL, NULL))
            return false;
        known->primitives[*type - 'A'] = c;
        if (*type == 'V')
            continue;
        known->primitive_arrays[*type - 'A'] = class_array_of(self, c);
        if (!known->primitive_arrays[*type - 'A'])
            return false;
    }
    return true;
}

/* Loads the well-known classes that are loaded ahead of their use. */
static bool
load_known(struct thread *self)
{
    struct vm *vm = self->vm;

    for (unsigned i = 0; i < KNOWN_CLASSES_AHEAD; i++)
        if (vm->profile->class_names[i] && !known_class(self, (enum known_class)i))
            return false;
    vm->known.object_array = class_array_of(self, KC(vm, Object));
    vm->known.class_array = class_array_of(self, KC(vm, Class));
    return vm->known.object_array && vm->known.class_array;
}

/* Tells the heap where the fields of java.lang.ref.Reference are. */
static void
set_reference_fields(struct vm *vm)
{
    struct heap_reference_fields fields = {
        .referent = KF(vm, Reference_referent),
        .queue = KF(vm, Reference_queue),
        .next = KF(vm, Reference_next),
        .discovered = KF(vm, Reference_discovered),
        .timestamp = KF(vm, SoftReference_timestamp),
        .clock = object_at(KC(vm, SoftReference)->layout.mirror,
                           KF(vm, SoftReference_clock)),
    };

    heap_set_reference_fields(vm->heap, &fields);
}

/* Returns the name of the first class that should have been loaded and was not, for the
   message. */
static const char *
missing_class(const struct vm *vm)
{
    static const enum known_class before[] = { KNOWN_CLASS_Object,
                                               KNOWN_CLASS_Cloneable,
                                               KNOWN_CLASS_Class };

    for (unsigned i = 0; i < sizeof before / sizeof *before; i++)
        if (!vm->known.classes[before[i]])
            return vm->profile->class_names[before[i]];
    for (unsigned i = 0; i < KNOWN_CLASSES_AHEAD; i++)
        if (vm->profile->class_names[i] && !vm->known.classes[i])
            return vm->profile->class_names[i];
    return "the first arrays";
}

bool
classes_boot(struct thread *self, char **error)
{
    const char *reason = exception_first();

    if (known_class(self, KNOWN_CLASS_Object)
        && known_class(self, KNOWN_CLASS_Cloneable)
        && known_class(self, KNOWN_CLASS_Class) && make_mirrors(self)
        && make_primitives(self) && load_known(self)) {
        set_reference_fields(self->vm);
        return true;
    }
    self->exception = NULL;
    *error = mem_printf("cannot load %s from '%s/lib/modules'%s%s",
                        missing_class(self->vm), self->vm->options.java_home,
                        *reason ? ": " : "", reason);
    return false;
}
