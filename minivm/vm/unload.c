/* SPDX-License-Identifier: MIT */
/* minivm/vm/unload.c -- what classes keep alive, and what happens to dead ones
 * (JVMS 12.7 of the JLS: classes go with their loader, weak hidden ones alone). */

#include <stdio.h>

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
    for (uint32_t i = 0; i < c->loader->needed_count; i++)
        edge(&e, c->loader->needed[i]->object);
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
            if (l->is_boot ? !(c->flags & CLASS_IS_WEAK) : !vm->options.class_unloading)
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
    vm->classes_unloaded++;
    for (unsigned i = 0; i < free_hook_count; i++)
        free_hooks[i](c);
    ids_forget_class(c);
    if (vm->options.verbose_class)
        vm_log("info][class,unload", "unloading class %pC 0x%016zx", c, (size_t)c);
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

static void
forget_loader(struct vm *vm, struct loader *gone)
{
    for (struct loader *l = vm->loaders; l; l = l->next)
        for (uint32_t i = 0; i < l->needed_count;)
            if (l->needed[i] == gone)
                l->needed[i] = l->needed[--l->needed_count];
            else
                i++;
}

static bool
keep_edge_to_module(struct ptrmap_entry *e, void *data)
{
    const struct module *m = e->value;

    return m->loader != data;
}

static void
forget_modules(struct vm *vm, struct loader *gone)
{
    struct ptrmap_entry *e;

    for (struct loader *l = vm->loaders; l; l = l->next) {
        for (size_t at = 0; (e = ptrmap_next(&l->modules, &at)) != NULL;)
            ptrmap_retain(&((struct module *)e->value)->reads, keep_edge_to_module,
                          gone);
        for (size_t at = 0; (e = ptrmap_next(&l->packages, &at)) != NULL;)
            ptrmap_retain(&((struct package *)e->value)->exports, keep_edge_to_module,
                          gone);
    }
}

static void
bury_loaders(struct vm *vm, struct heap *heap)
{
    for (struct loader **at = &vm->loaders; *at;) {
        struct loader *l = *at;

        if (l->object == NULL || heap_is_live(heap, l->object)) {
            at = &l->next;
            continue;
        }
        if (l->defined)
            fatal("a loader died before its class %s", l->defined->name->bytes);
        *at = l->next;
        forget_loader(vm, l);
        forget_modules(vm, l);
        constraints_leave(l);
        l->next = vm->registry->dead_loaders;
        vm->registry->dead_loaders = l;
    }
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

static void
unload(void *part, struct heap *heap)
{
    struct vm *vm = part;
    bool any = false;

    free_buried(vm);
    for (struct loader *l = vm->loaders; l; l = l->next)
        any |= bury_dead(vm, heap, l);
    for (struct loader *l = vm->loaders; any && l; l = l->next)
        loader_forget_unloaded(l);
    if (any)
        classes_visit(vm, true, forget_subtype, NULL);
    bury_loaders(vm, heap);
}

void
unload_init(struct vm *vm)
{
    heap_set_class_edges(vm->heap, class_edges);
    heap_add_part(vm->heap, class_roots, unload, vm);
}
