/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/unload.c -- what classes keep alive, and what happens to dead ones
 * (JLS 12.7).
 *
 * For the collector each class refers to its loader, supertypes and so on
 * (class_edges), and the classes of the boot loader are roots.  After marking, unload
 * looks for mirrors that are not live.  Their classes are unlinked from their loaders
 * and marked; then those who live drop their references to marked ones.  The memory is
 * freed by the next collection only, since until the garbage is swept its headers still
 * name the classes.
 */

#include "linking/unload.h"

#include <stdio.h>

#include "base/history.h"
#include "base/log.h"
#include "base/os.h"
#include "linking/constraints.h"
#include "linking/ids.h"
#include "linking/loader.h"
#include "linking/make.h"
#include "linking/module.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- what a class refers to ---- */

/* What is called for each object that a class refers to. */
struct edges {
    void (*visit)(void *context, struct object *object);
    void *context;
};

/* Visits an object that the class refers to; o may be NULL. */
static void
visit_edge(const struct edges *e, struct object *o)
{
    if (o)
        e->visit(e->context, o);
}

/* Visits the mirror of a class that the class refers to; c may be NULL. */
static void
visit_class_edge(const struct edges *e, const struct class *c)
{
    if (c)
        visit_edge(e, c->layout.mirror);
}

/* Visits the objects that a constant pool and its older versions have resolved. */
static void
visit_pool_edges(const struct edges *e, const struct cpool *pool)
{
    for (; pool; pool = pool->previous)
        for (const struct reference_chunk *chunk = pool->references; chunk;
             chunk = chunk->next)
            for (uint32_t i = 0; i < chunk->used; i++)
                visit_edge(e, chunk->slots[i]);
}

/*
 * Calls visit for every object that the class keeps alive.  Classes of the boot loader
 * are roots and never die, so references from one to another are left out.
 */
static void
class_edges(struct layout *layout, void (*visit)(void *context, struct object *object),
            void *context)
{
    struct class *c = (struct class *)layout;
    struct edges e = { visit, context };
    struct ptrmap_entry *needed;

    visit_pool_edges(&e, c->pool);
    visit_edge(&e, c->init_error);
    visit_class_edge(&e, c->array);
    visit_class_edge(&e, c->element);
    if (c->loader->is_boot && !(c->flags & CLASS_IS_WEAK))
        return;
    visit_edge(&e, c->loader->object);
    visit_class_edge(&e, c->super);
    for (uint32_t i = 0; i < c->interface_count; i++)
        visit_class_edge(&e, c->interfaces[i]);
    visit_class_edge(&e, c->nest_host);
    /* The needed loaders are visited for one class of the loader only, to which all
       others refer. */
    visit_class_edge(&e, c->loader->representative);
    if (c->loader->representative && c->loader->representative != c)
        return;
    for (size_t at = 0; (needed = ptrmap_next(&c->loader->needed, &at)) != NULL;)
        visit_edge(&e, ((struct loader *)needed->value)->object);
}

/* ---- roots ---- */

/* Visits the roots: the classes of the boot loader, those of all loaders if there is no
   class unloading, primitive classes, and the boot loader's modules.  Weak hidden
   classes of the boot loader, and classes whose definition has failed, may die. */
static void
class_roots(void *part, heap_root_fn *visit, void *context)
{
    struct vm *vm = part;
    struct ptrmap_entry *entry;

    for (const struct loader *l = vm->loaders; l; l = l->next)
        for (const struct class *c = l->defined; c; c = c->next_in_loader)
            if (l->is_boot ? !(c->flags & (CLASS_IS_WEAK | CLASS_IS_DISCARDED))
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

/* ---- unloading ---- */

/* The functions of class_add_free_hook.  They belong to the process, since the floors
   above register them once, not for each VM. */
static void (*free_hooks[8])(struct class *c);
static unsigned free_hook_count;

void
class_add_free_hook(void (*hook)(struct class *c))
{
    if (free_hook_count == sizeof free_hooks / sizeof free_hooks[0])
        fatal("too many hooks for freed classes");
    free_hooks[free_hook_count++] = hook;
}

/* Tells everybody that c and its arrays are unloaded, and puts them on the list of
   classes to be freed. */
static void
unlink_class(struct vm *vm, struct class *c)
{
    bool was_loaded = !(c->flags & CLASS_IS_DISCARDED);

    vm->classes_unloaded += was_loaded;
    for (unsigned i = 0; i < free_hook_count; i++)
        free_hooks[i](c);
    ids_forget_class(c);
    if (was_loaded)
        history_add_name(HISTORY_UNLOADED, "Unloading class", c, c->name);
    if (was_loaded && log_wanted(LOG_CLASS_UNLOAD, LOG_INFO))
        vm_log(LOG_CLASS_UNLOAD, LOG_INFO, "unloading class %pC 0x%016zx", c,
               (size_t)c);
    for (; c; c = c->array) {
        c->flags |= CLASS_IS_UNLOADED;
        c->next_in_loader = vm->unloaded_classes;
        vm->unloaded_classes = c;
    }
}

/* Unlinks the classes of l that are dead: all of them, or weak hidden ones.  Returns
   true if there were any. */
static bool
unlink_dead_classes(struct vm *vm, struct heap *heap, struct loader *l)
{
    bool any = false;

    for (struct class **at = &l->defined; *at;) {
        struct class *c = *at;

        /* A class without a mirror is one of the first at start, which stay. */
        if (!c->layout.mirror || heap_is_live(heap, c->layout.mirror)) {
            at = &c->next_in_loader;
            continue;
        }
        *at = c->next_in_loader;
        if (l->representative == c)
            l->representative = NULL;
        unlink_class(vm, c);
        any = true;
    }
    return any;
}

/* For classes_visit: clears the cache of subtype tests if it names an unloaded
   class. */
static void
forget_subtype(void *context, struct class *c)
{
    struct class *hit = c->last_subtype_hit;

    (void)context;
    if (hit && hit->flags & CLASS_IS_UNLOADED)
        c->last_subtype_hit = NULL;
}

/* The functions keep_living_... are for ptrmap_retain: they return false for an entry
   whose loader or class was found dead, which leaves the table. */
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

static bool
keep_living_class(struct ptrmap_entry *e, void *unused)
{
    const struct class *c = e->value;

    (void)unused;
    return !(c->flags & CLASS_IS_UNLOADED);
}

/* Removes dead loaders, and their modules, from the tables of l, its modules and
   packages. */
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

/* Unlinks the dead loaders, after unlink_dead_classes has run for all.  A class refers
   to its loader's object, so a dead loader has no class left.  Returns true if there
   were any. */
static bool
unlink_dead_loaders(struct vm *vm, struct heap *heap)
{
    bool any = false;

    for (struct loader **at = &vm->loaders; *at;) {
        struct loader *l = *at;

        if (!l->object || heap_is_live(heap, l->object)) {
            at = &l->next;
            continue;
        }
        if (l->defined)
            fatal("a loader died before its class %s", l->defined->name->bytes);
        *at = l->next;
        l->is_dead = true;
        constraints_leave(l);
        l->next = vm->unloaded_loaders;
        vm->unloaded_loaders = l;
        any = true;
    }
    return any;
}

/* Frees what the last collection has unlinked.  Nobody looks at the garbage of that
   collection any more, whose headers name these classes. */
static void
free_unlinked(struct vm *vm)
{
    struct class *c = vm->unloaded_classes, *next;
    struct loader *l = vm->unloaded_loaders, *next_loader;

    vm->unloaded_classes = NULL;
    vm->unloaded_loaders = NULL;
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
 * Runs in each collection, after marking.  All dead classes and loaders are marked
 * first; then one pass over the living ones drops references to them.  A pass for each
 * of the dead would take a time that grows with the square of their number.
 */
static void
unload(void *part, struct heap *heap)
{
    struct vm *vm = part;
    bool any_class = false, any_loader;

    free_unlinked(vm);
    for (struct loader *l = vm->loaders; l; l = l->next)
        any_class |= unlink_dead_classes(vm, heap, l);
    any_loader = unlink_dead_loaders(vm, heap);
    for (struct loader *l = vm->loaders; l; l = l->next) {
        if (any_class || any_loader) {
            ptrmap_retain(&l->classes, keep_living_class, NULL);
            constraints_forget_unloaded(l);
        }
        if (any_loader)
            forget_dead_loaders(l);
    }
    if (any_class)
        classes_visit(vm, WITH_ARRAYS, forget_subtype, NULL);
}

void
unload_init(struct vm *vm)
{
    heap_set_class_edges(vm->heap, class_edges);
    heap_add_part(vm->heap, class_roots, unload, vm);
}
