/* SPDX-License-Identifier: MIT */
/* minivm/vm/constraints.c -- loader constraints (JVMS 5.3.4). */

#include <string.h>

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/registry.h"

/*
 * Loaders that must see the same class of a name.  Each of them points here by
 * the name; class is what one of them has loaded already, or NULL.
 */
struct loader_constraint {
    struct class *class;
    uint32_t count, capacity;
    uint32_t dead;                 /* loaders among them that have died; only while
                                      classes are unloaded */
    struct loader **loaders;
};

static struct loader_constraint *
constraint_of(struct loader *l, const struct symbol *name)
{
    return ptrmap_get(&l->constraints, name);
}

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

/* The one that both become.  The smaller one's loaders move: a loader does so only when
   its constraint at least doubles, which keeps many merges cheap. */
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

static bool
add(struct loader *a, struct loader *b, const struct symbol *name)
{
    struct loader_constraint *ka = constraint_of(a, name), *kb = constraint_of(b, name);
    struct class *const known[4] = { ptrmap_get(&a->classes, name),
                                     ptrmap_get(&b->classes, name),
                                     ka ? ka->class : NULL, kb ? kb->class : NULL };
    struct loader_constraint *k;
    struct class *one = NULL;

    for (unsigned i = 0; i < 4; i++) {
        if (one && known[i] && one != known[i])
            return false;
        if (known[i])
            one = known[i];
    }
    if (known[0] && known[1])
        return true;
    if (ka && kb) {
        k = ka == kb ? ka : merge(ka, kb, name);
    } else {
        k = ka ? ka : kb ? kb : mem_calloc(1, sizeof *k);
        if (ka == NULL)
            join(k, a, name);
        if (kb == NULL)
            join(k, b, name);
    }
    k->class = one;
    return true;
}

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

static bool
check_pair(struct thread *self, struct class *c, const struct method *m,
           const struct method *old)
{
    const struct symbol *failed = constraints_add(
        self->vm, m->class->loader, old->class->loader, m->descriptor);

    return failed == NULL || throw_override(self, c, m, old, failed);
}

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

bool
check_override_constraints(struct thread *self, struct class *c)
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

static bool
keep_class(struct ptrmap_entry *entry, void *unused)
{
    const struct class *c = entry->value;

    (void)unused;
    return !(c->flags & CLASS_IS_UNLOADED);
}

/* The dead leave the list of loaders, once for all of them. */
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
loader_forget_unloaded(struct loader *l)
{
    ptrmap_retain(&l->classes, keep_class, NULL);
    ptrmap_retain(&l->constraints, keep_constraint, NULL);
}

/*
 * Loaders that die together often share constraints with a parent that lives.  So each
 * only counts itself out, and the parent's loader_forget_unloaded goes through the list
 * once; where all die, the last one frees it.
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
