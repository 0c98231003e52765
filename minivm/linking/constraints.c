/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/constraints.c -- loader constraints (JVMS 5.3.4).
 *
 * A struct loader_constraint is one class name and the set of loaders that must mean
 * the same class by it; each of these loaders has it in its map, by the name.  A
 * constraint between two loaders merges their sets.  When one of them has loaded the
 * class, the constraint knows it, and the others can record only that one.
 */

#include "linking/constraints.h"

#include <string.h>

#include "base/mem.h"
#include "linking/loader.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

struct loader_constraint {
    struct class *class; /* what one of the loaders has recorded, or NULL: none yet */
    uint32_t count, capacity;
    /* While classes are unloaded: how many of the loaders are dead. */
    uint32_t dead;
    struct loader **loaders;
};

/* Returns the constraint of l for that name, or NULL if it is free to mean any class. */
static struct loader_constraint *
constraint_of(struct loader *l, const struct symbol *name)
{
    return ptrmap_get(&l->constraints, name);
}

/* Adds l to the loaders of k. */
static void
join(struct loader_constraint *k, struct loader *l, const struct symbol *name)
{
    if (k->count == k->capacity) {
        k->capacity = k->capacity ? 2 * k->capacity : 2;
        k->loaders = mem_realloc(k->loaders, k->capacity * sizeof(struct loader *));
    }
    k->loaders[k->count++] = l;
    ptrmap_put(&l->constraints, name, k);
}

static void
constraint_free(struct loader_constraint *k)
{
    mem_free(k->loaders);
    mem_free(k);
}

/* Makes one constraint of a and b, which are different, and returns it; the other one
   is freed.  The loaders of the smaller one move: thus a loader moves only when its set
   at least doubles, which keeps many merges cheap.  The caller sets the class. */
static struct loader_constraint *
merge(struct loader_constraint *a, struct loader_constraint *b,
      const struct symbol *name)
{
    struct loader_constraint *into = a->count < b->count ? b : a;
    struct loader_constraint *from = into == a ? b : a;

    for (uint32_t i = 0; i < from->count; i++)
        join(into, from->loaders[i], name);
    constraint_free(from);
    return into;
}

/* Adds the constraint that a and b mean the same class by name.  Returns false if they,
   or loaders that are in their constraints, have different ones already. */
static bool
add(struct loader *a, struct loader *b, const struct symbol *name)
{
    struct loader_constraint *ka = constraint_of(a, name), *kb = constraint_of(b, name);
    struct class *const known[4] = { ptrmap_get(&a->classes, name),
                                     ptrmap_get(&b->classes, name),
                                     ka ? ka->class : NULL, kb ? kb->class : NULL };
    struct loader_constraint *k;
    struct class *one = NULL;

    /* All that are known have to be one and the same. */
    for (unsigned i = 0; i < 4; i++) {
        if (one && known[i] && one != known[i])
            return false;
        if (known[i])
            one = known[i];
    }
    /* Both have recorded the class already.  What is recorded does not change, so there
       is nothing to remember. */
    if (known[0] && known[1])
        return true;
    if (ka && kb) {
        k = ka == kb ? ka : merge(ka, kb, name);
    } else {
        k = ka ? ka : kb ? kb : mem_calloc(1, sizeof *k);
        if (!ka)
            join(k, a, name);
        if (!kb)
            join(k, b, name);
    }
    k->class = one;
    return true;
}

/* Every class name in a descriptor stands between 'L' and ';'.  The constraints of the
   names before one that fails stay. */
const struct symbol *
constraints_add(struct vm *vm, struct loader *a, struct loader *b,
                const struct symbol *descriptor)
{
    if (a == b)
        return NULL;
    LOCK(&vm->class_mutex);
    for (const char *at = descriptor->bytes; (at = strchr(at, 'L')) != NULL;) {
        const char *end = strchr(at, ';');
        const struct symbol *name = symbol_intern(at + 1, (size_t)(end - at - 1));

        if (!add(a, b, name))
            return name;
        at = end;
    }
    return NULL;
}

struct class *
constraints_record(struct loader *l, const struct symbol *name, struct class *c)
{
    struct loader_constraint *k = constraint_of(l, name);

    if (k && k->class && k->class != c)
        return k->class;
    if (k)
        k->class = c;
    return NULL;
}

/* ---- overriding ---- */

/* Throws LinkageError for class c: its method m overrides or implements old, but their
   loaders mean different classes by the name failed, which the descriptor has. */
static bool
throw_override(struct thread *self, const struct class *c, const struct method *m,
               const struct method *old, const struct symbol *failed)
{
    const struct class *mine = m->class, *its = old->class;

    if (class_is_interface(its))
        return THROW(
            self, LinkageError,
            "loader constraint violation in interface itable initialization for class "
            "%pC: when selecting method '%pM' the class loader %pL for super interface "
            "%pC, and the class loader %pL of the selected method's %pI, %pC have "
            "different Class objects for the type %pN used in the signature (%pO; %pO)",
            c, old, its->loader, its, mine->loader, mine, mine, failed->bytes, its,
            mine);
    return THROW(
        self, LinkageError,
        "loader constraint violation for class %pC: when selecting overriding method "
        "'%pM' the class loader %pL of the selected method's type %pC, and the class "
        "loader %pL for its super type %pC have different Class objects for the type "
        "%pN used in the signature (%pO; %pO)",
        c, m, mine->loader, mine, its->loader, its, failed->bytes, mine, its);
}

/* Adds the constraints for m, which an instance of c runs in place of old, a method of
   a supertype.  Returns false with LinkageError pending if one cannot hold. */
static bool
check_pair(struct thread *self, struct class *c, const struct method *m,
           const struct method *old)
{
    const struct symbol *failed = constraints_add(self->vm, m->class->loader,
                                                  old->class->loader, m->descriptor);

    return !failed || throw_override(self, c, m, old, failed);
}

/* Checks each method of the superclass that c replaces in the vtable.  c's own slots
   behind the inherited ones override nothing. */
static bool
check_vtable(struct thread *self, struct class *c)
{
    uint32_t inherited = c->super ? c->super->vtable_length : 0;

    for (uint32_t i = 0; i < inherited; i++)
        if (c->vtable[i] != c->super->vtable[i]
            && !check_pair(self, c, c->vtable[i], c->super->vtable[i]))
            return false;
    return true;
}

/* Checks each method of a superinterface against the one that c runs for it.  A method
   that c does not implement is an error of its calls, not of linking. */
static bool
check_interface(struct thread *self, struct class *c, struct class *interface)
{
    for (uint32_t i = 0; i < interface->method_count; i++) {
        struct method *m = class_method(interface, i), *target;

        if (m->access_flags & (ACC_STATIC | ACC_PRIVATE))
            continue;
        target = class_select_interface(c, m);
        if (target && !check_pair(self, c, target, m))
            return false;
    }
    return true;
}

/* class_link calls it, for each class once.  A supertype of the same loader means the
   same classes by all names, so only others are looked at; the boot loader's classes
   have supertypes of that loader only. */
bool
constraints_add_overriding(struct thread *self, struct class *c)
{
    if (c->loader->is_boot || class_is_interface(c))
        return true;
    if (c->super->loader != c->loader && !check_vtable(self, c))
        return false;
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i]->loader != c->loader
            && !check_interface(self, c, c->all_interfaces[i]))
            return false;
    return true;
}

/* ---- unloading ---- */

/* Takes the dead loaders out of k, all in one pass. */
static void
drop_dead(struct loader_constraint *k)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < k->count; i++)
        if (!k->loaders[i]->is_dead)
            k->loaders[kept++] = k->loaders[i];
    k->count = kept;
    k->dead = 0;
}

/* For ptrmap_retain: returns false if the constraint is to leave the map of the loader.
   A constraint with a single living loader says nothing any more, so it is freed; its
   only user is the loader whose map is gone through. */
static bool
keep_constraint(struct ptrmap_entry *entry, void *unused)
{
    struct loader_constraint *k = entry->value;

    (void)unused;
    if (k->class && k->class->flags & CLASS_IS_UNLOADED)
        k->class = NULL;
    if (k->dead)
        drop_dead(k);
    if (k->count > 1)
        return true;
    constraint_free(k);
    return false;
}

void
constraints_forget_unloaded(struct loader *l)
{
    ptrmap_retain(&l->constraints, keep_constraint, NULL);
}

/*
 * A loader only counts itself as dead here.  Many loaders that die together often share
 * constraints with one parent; were each to remove itself from the set, the time would
 * grow with the square of their number.  constraints_forget_unloaded removes all in one
 * pass.  Where every loader of a constraint is dead, the last one frees it.
 */
void
constraints_leave(struct loader *l)
{
    struct ptrmap_entry *e;

    for (size_t at = 0; (e = ptrmap_next(&l->constraints, &at)) != NULL;) {
        struct loader_constraint *k = e->value;

        if (++k->dead == k->count)
            constraint_free(k);
    }
    ptrmap_release(&l->constraints);
}
