/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic_classes.c -- jcmd's commands about classes and loaders. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/registry.h"
#include "vm/safepoint.h"

/* ---- VM.class_hierarchy; the world is stopped ---- */

/* A class in the tree below Object, with what hangs on it. */
struct node {
    const struct class *class;
    struct node *first, *next;     /* subclass, the next one of its superclass */
    bool is_shown;
};

struct tree {
    struct node *nodes;
    size_t count, capacity;
    struct ptrmap by_class;
    bool with_interfaces;
    struct buf *out;
};

static void
add_node(void *context, struct class *c)
{
    struct tree *t = context;

    if (t->count == t->capacity) {
        t->capacity = t->capacity * 2 + 256;
        t->nodes = mem_realloc(t->nodes, t->capacity * sizeof *t->nodes);
    }
    t->nodes[t->count++] = (struct node){ .class = c };
}

static struct node *
node_of(const struct tree *t, const struct class *c)
{
    return c ? ptrmap_get(&t->by_class, c) : NULL;
}

/* Interfaces stand below Object. */
static struct node *
node_above(const struct tree *t, const struct node *n)
{
    const struct class *object = KC(the_vm, Object);

    return n->class == object ? NULL
           : n->class->super  ? node_of(t, n->class->super)
                              : node_of(t, object);
}

static void
make_tree(struct tree *t)
{
    classes_visit(the_vm, false, add_node, t);
    for (size_t i = 0; i < t->count; i++)
        ptrmap_put(&t->by_class, t->nodes[i].class, &t->nodes[i]);
    for (size_t i = 0; i < t->count; i++) {
        struct node *above = node_above(t, &t->nodes[i]);
        if (above) {
            t->nodes[i].next = above->first;
            above->first = &t->nodes[i];
        }
    }
}

static void
print_class(const struct tree *t, const struct class *c)
{
    TEXTS(texts);

    buf_printf(t->out, "%s/", own(&texts, class_external_name(c)));
    if (c->loader->is_boot)
        buf_append_string(t->out, "null");
    else
        buf_printf(t->out, "0x%016" PRIxPTR, (uintptr_t)c->loader);
}

static void
print_indent(const struct tree *t, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        buf_append_string(t->out, "|  ");
}

static bool
is_direct_interface(const struct class *c, const struct class *interface)
{
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (c->interfaces[i] == interface)
            return true;
    return false;
}

/* Those that the class names, then those that come with them or its superclass. */
static void
print_interfaces(const struct tree *t, const struct class *c, unsigned depth)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < c->all_interface_count; i++) {
            const struct class *interface = c->all_interfaces[i];
            if (is_direct_interface(c, interface) != (pass == 0))
                continue;
            print_indent(t, depth);
            buf_append_string(t->out, "implements ");
            print_class(t, interface);
            buf_append_string(t->out,
                              pass == 0 ? " (declared intf)\n" : " (inherited intf)\n");
        }
}

static void
print_node(const struct tree *t, const struct node *n, unsigned depth)
{
    if (depth > 0) {
        print_indent(t, depth - 1);
        buf_append_string(t->out, "|--");
    }
    print_class(t, n->class);
    buf_append_string(t->out, class_is_interface(n->class) ? " (intf)\n" : "\n");
    if (t->with_interfaces)
        print_interfaces(t, n->class, depth);
}

/* The part of the tree that is shown.  Chains of superclasses are loaded by recursion,
   so that they are not too long for one more. */
static void
print_tree(const struct tree *t, const struct node *n, unsigned depth)
{
    if (!n->is_shown)
        return;
    print_node(t, n, depth);
    for (const struct node *below = n->first; below; below = below->next)
        print_tree(t, below, depth + 1);
}

static void
show_below(struct node *n)
{
    n->is_shown = true;
    for (struct node *below = n->first; below; below = below->next)
        show_below(below);
}

/* -i: interfaces too; -s: subclasses; the name of a class or NULL for all. */
DIAGNOSTIC_COMMAND(diagnostic_class_hierarchy)
{
    struct tree t = { .with_interfaces = diagnostic_is_true(values[0]), .out = out };
    bool with_subclasses = diagnostic_is_true(values[1]);

    world_stop(self, "class hierarchy");
    make_tree(&t);
    for (size_t i = 0; i < t.count; i++) {
        TEXTS(texts);
        struct node *n = &t.nodes[i];
        if (values[2] && strcmp(values[2], own(&texts, class_external_name(n->class))))
            continue;
        if (values[2] && with_subclasses)
            show_below(n);
        for (; n; n = node_above(&t, n))
            n->is_shown = true;
    }
    if (t.count > 0 && node_of(&t, KC(self->vm, Object)))
        print_tree(&t, node_of(&t, KC(self->vm, Object)), 0);
    world_resume(self);
    ptrmap_release(&t.by_class);
    mem_free(t.nodes);
}

/* ---- VM.classloader_stats ---- */

struct statistics {
    size_t classes, chunks, blocks; /* bytes taken from the system, and used */
};

static void
count_class(struct statistics *s, const struct class *c)
{
    size_t size = sizeof *c + c->vtable_length * sizeof *c->vtable;

    s->classes++;
    s->chunks += size + c->arena.footprint;
    s->blocks += size + c->arena.footprint - (size_t)(c->arena.end - c->arena.next);
    for (const struct cpool *p = c->pool; p; p = p->previous) {
        size = sizeof *p + p->file->cp_count * sizeof *p->entries;
        s->chunks += size + p->file->arena.footprint;
        s->blocks += size + p->file->arena.footprint
                     - (size_t)(p->file->arena.end - p->file->arena.next);
    }
}

static void
print_loader(struct vm *vm, const struct loader *l,
             const struct statistics *own_classes, const struct statistics *hidden,
             struct buf *out)
{
    const struct object *parent =
        l->object ? REF_FIELD(vm, l->object, ClassLoader_parent) : NULL;
    TEXTS(t);

    buf_printf(out, "0x%016" PRIxPTR "  0x%016" PRIxPTR "  0x%016" PRIxPTR
                    "  %6zu  %8zu  %8zu  %s\n",
               (uintptr_t)l->object, (uintptr_t)parent, (uintptr_t)l,
               own_classes->classes, own_classes->chunks, own_classes->blocks,
               l->object ? own(&t, class_external_name(object_class(l->object)))
                         : "<boot class loader>");
    if (hidden->classes)
        buf_printf(out, "%64s%6zu  %8zu  %8zu   + hidden classes\n", "",
                   hidden->classes, hidden->chunks, hidden->blocks);
}

DIAGNOSTIC_COMMAND(diagnostic_classloader_stats)
{
    struct vm *vm = self->vm;
    struct statistics all = { 0 };
    size_t loaders = 0;

    world_stop(self, "class loader statistics");
    buf_append_string(out, "ClassLoader         Parent              CLD*               "
                           "Classes   ChunkSz   BlockSz  Type\n");
    for (const struct loader *l = vm->loaders; l; l = l->next, loaders++) {
        struct statistics own_classes = { 0 }, hidden = { 0 };
        for (const struct class *c = l->defined; c; c = c->next_in_loader)
            count_class(c->flags & CLASS_IS_HIDDEN ? &hidden : &own_classes, c);
        print_loader(vm, l, &own_classes, &hidden, out);
        all.classes += own_classes.classes + hidden.classes;
        all.chunks += own_classes.chunks + hidden.chunks;
        all.blocks += own_classes.blocks + hidden.blocks;
    }
    world_resume(self);
    buf_printf(out, "Total = %-5zu %50s%6zu  %8zu  %8zu  \n"
                    "ChunkSz: Total size of the memory taken for classes\n"
                    "BlockSz: Total size of what is used of it\n",
               loaders, "", all.classes, all.chunks, all.blocks);
}
