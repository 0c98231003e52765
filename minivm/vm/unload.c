/* SPDX-License-Identifier: MIT */
/* minivm/vm/unload.c -- what classes keep alive, and what happens to dead ones
 * (JVMS 12.7 of the JLS: classes go with their loader, weak hidden ones alone). */

#include <stdio.h>

#include "base/history.h"
#include "base/log.h"
#include "base/os.h"
#include "vm/exception.h"
#include "vm/registry.h"

/* ---- edges ---- */

struct edges {
    void (*visit)(void *context, struct object *object);
    void *context;
};

static void
edge(const struct edges *e, struct object *o)
{
    if (o)
        e->visit(e->context, o);
}

static void
class_edge(const struct edges *e, const struct class *c)
{
    if (c)
        edge(e, c->layout.mirror);
}

static void
pool_edges(const struct edges *e, const struct cpool *pool)
{
    for (; pool; pool = pool->previous)
        for (const struct reference_chunk *chunk = pool->references; chunk;
             chunk = chunk->next)
            for (uint32_t i = 0; i < chunk->used; i++)
                edge(e, chunk->slots[i]);
}

/*
 * Boot classes never die, so what they keep beside references of their constants
 * (supers, arrays) needs no edge, and an edge to one does no work.
 */
static void
class_edges(struct layout *layout, void (*visit)(void *context, struct object *object),
            void *context)
{
    struct class *c = (struct class *)layout;
    struct edges e = { visit, context };
    struct ptrmap_entry *needed;

    pool_edges(&e, c->pool);
    edge(&e, c->init_error);
    class_edge(&e, c->array);
    class_edge(&e, c->element);
    if (c->loader->is_boot && !(c->flags & CLASS_IS_WEAK))
        return;
    edge(&e, c->loader->object);
    class_edge(&e, c->super);
    for (uint32_t i = 0; i < c->interface_count; i++)
        class_edge(&e, c->interfaces[i]);
    class_edge(&e, c->nest_host);
    /* One class has the edges of all, which so are gone through once. */
    class_edge(&e, c->loader->keeper);
    if (c->loader->keeper && c->loader->keeper != c)
        return;
    for (size_t at = 0; (needed = ptrmap_next(&c->loader->needed, &at)) != NULL;)
        edge(&e, ((struct loader *)needed->value)->object);
}

/* ---- roots ---- */

/* The classes of the boot loader, of all loaders when none may go; its modules. */
static void
class_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;
    struct ptrmap_entry *entry;

    for (const struct loader *l = vm->loaders; l; l = l->next)
        for (const struct class *c = l->defined; c; c = c->next_in_loader)
            if (l->is_boot ? !(c->flags & (CLASS_IS_WEAK | CLASS_IS_REFUSED))
                           : !vm->options.class_unloading)
                root_visit(visit, context, c->layout.mirror, ROOT_SYSTEM_CLASS, NULL);
    for (unsigned i = 0; i < 26; i++)
        if (vm->known.primitives[i])
            root_visit(visit, context, vm->known.primitives[i]->layout.mirror,
                       ROOT_SYSTEM_CLASS, NULL);
    for (size_t at = 0; (entry = ptrmap_next(&vm->boot_loader->modules, &at)) != NULL;)
        root_visit(visit, context, ((struct module *)entry->value)->object, ROOT_OTHER,
                   NULL);
    root_visit(visit, context, vm->boot_unnamed->object, ROOT_OTHER, NULL);
}

/* ---- the dead ---- */

static void (*free_hooks[8])(struct class *c);
static unsigned free_hook_count;

void
class_add_free_hook(void (*hook)(struct class *c))
{
    if (free_hook_count == sizeof free_hooks / sizeof free_hooks[0])
        fatal("too many hooks for freed classes");
    free_hooks[free_hook_count++] = hook;
}

/* c and its arrays. */
static void
bury(struct vm *vm, struct class *c)
{
    bool was_loaded = !(c->flags & CLASS_IS_REFUSED);

    vm->classes_unloaded += was_loaded;
    for (unsigned i = 0; i < free_hook_count; i++)
        free_hooks[i](c);
    ids_forget_class(c);
    if (was_loaded)
        history_add(HISTORY_UNLOADED, "Unloading class %p '%s'", (const void *)c,
                    c->name->bytes);
    if (was_loaded && log_wanted(LOG_CLASS_UNLOAD, LOG_INFO))
        vm_log(LOG_CLASS_UNLOAD, LOG_INFO, "unloading class %pC 0x%016zx", c,
               (size_t)c);
    for (; c; c = c->array) {
        c->flags |= CLASS_IS_UNLOADED;
        c->next_in_loader = vm->registry->dead;
        vm->registry->dead = c;
    }
}

/* Classes of l that died: all, or weak hidden ones. */
static bool
bury_dead(struct vm *vm, struct heap *heap, struct loader *l)
{
    bool any = false;

    for (struct class **at = &l->defined; *at;) {
        struct class *c = *at;

        if (!c->layout.mirror || heap_is_live(heap, c->layout.mirror)) {
            at = &c->next_in_loader;
            continue;
        }
        *at = c->next_in_loader;
        if (l->keeper == c)
            l->keeper = NULL;
        bury(vm, c);
        any = true;
    }
    return any;
}

static void
forget_subtype(void *context, struct class *c)
{
    struct class *hit = c->last_subtype_hit;

    (void)context;
    if (hit && hit->flags & CLASS_IS_UNLOADED)
        c->last_subtype_hit = NULL;
}

static bool
keep_living_loader(struct ptrmap_entry *e, void *unused)
{
    const struct loader *l = e->value;

    (void)unused;
    return !l->is_dead;
}

static bool
keep_living_module(struct ptrmap_entry *e, void *unused)
{
    const struct module *m = e->value;

    (void)unused;
    return !m->loader->is_dead;
}

/* Edges of l, its modules and packages to loaders that died and to their modules. */
static void
forget_dead_loaders(struct loader *l)
{
    struct ptrmap_entry *e;

    ptrmap_retain(&l->needed, keep_living_loader, NULL);
    for (size_t at = 0; (e = ptrmap_next(&l->modules, &at)) != NULL;)
        ptrmap_retain(&((struct module *)e->value)->reads, keep_living_module, NULL);
    for (size_t at = 0; (e = ptrmap_next(&l->packages, &at)) != NULL;)
        ptrmap_retain(&((struct package *)e->value)->exports, keep_living_module, NULL);
}

/* Moves the dead loaders to where free_buried finds them; false if there are none. */
static bool
bury_loaders(struct vm *vm, struct heap *heap)
{
    bool any = false;

    for (struct loader **at = &vm->loaders; *at;) {
        struct loader *l = *at;

        if (l->object == NULL || heap_is_live(heap, l->object)) {
            at = &l->next;
            continue;
        }
        if (l->defined)
            fatal("a loader died before its class %s", l->defined->name->bytes);
        *at = l->next;
        l->is_dead = true;
        constraints_leave(l);
        l->next = vm->registry->dead_loaders;
        vm->registry->dead_loaders = l;
        any = true;
    }
    return any;
}

/* What the collection before this one found dead: its garbage is swept by now. */
static void
free_buried(struct vm *vm)
{
    struct class_registry *r = vm->registry;
    struct class *c = r->dead, *next;
    struct loader *l = r->dead_loaders, *next_loader;

    r->dead = NULL;
    r->dead_loaders = NULL;
    for (; c; c = next) {
        next = c->next_in_loader;
        class_free(vm, c);
    }
    for (; l; l = next_loader) {
        next_loader = l->next;
        loader_free(l);
    }
}

/*
 * All that died is marked first.  Then whoever lives forgets it, in one walk over them:
 * a walk for each of the dead would take n times n steps.
 */
static void
unload(void *part, struct heap *heap)
{
    struct vm *vm = part;
    bool any_class = false, any_loader;

    free_buried(vm);
    for (struct loader *l = vm->loaders; l; l = l->next)
        any_class |= bury_dead(vm, heap, l);
    any_loader = bury_loaders(vm, heap);
    for (struct loader *l = vm->loaders; l; l = l->next) {
        if (any_class || any_loader)
            loader_forget_unloaded(l);
        if (any_loader)
            forget_dead_loaders(l);
    }
    if (any_class)
        classes_visit(vm, true, forget_subtype, NULL);
}

void
unload_init(struct vm *vm)
{
    heap_set_class_edges(vm->heap, class_edges);
    heap_add_part(vm->heap, class_roots, unload, vm);
}
