/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic_classes.c -- diagnostic commands about classes and class
 * loaders: VM.class_hierarchy, VM.classloader_stats.
 *
 * Both stop the world, since classes may be defined and unloaded otherwise, and print
 * into memory meanwhile.  The hierarchy is made from the classes' superclasses: a node
 * for each class, linked below its superclass's; then the nodes that are to be shown
 * are marked, and printed from Object down. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "jdk/diagnostic.h"
#include "jdk/jvm.h"
#include "linking/loader.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* ---- VM.class_hierarchy ---- */

/* A class in the tree, below its superclass. */
struct node {
    const struct class *class;
    struct node *first; /* of the subclasses */
    struct node *next;  /* of the same superclass */
    bool is_shown;
};

/* The tree below Object, and how it is printed. */
struct tree {
    struct node *nodes;
    size_t count, capacity;
    struct ptrmap by_class;
    bool with_interfaces;
    struct buf *out;
};

/* Adds a node for c; the visitor of classes_visit. */
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

/* Returns the node of c, NULL for NULL. */
static struct node *
node_of(const struct tree *t, const struct class *c)
{
    return c ? ptrmap_get(&t->by_class, c) : NULL;
}

/*
 * Returns the node of the superclass, which is Object for an interface; NULL for
 * Object.
 */
static struct node *
node_above(const struct tree *t, const struct node *n)
{
    const struct class *object = KC(the_vm, Object);

    return n->class == object ? NULL
           : n->class->super  ? node_of(t, n->class->super)
                              : node_of(t, object);
}

/*
 * Makes nodes for all classes and links them.  The nodes are all there before they are
 * linked, since the array of nodes may move while it grows.  Array classes are left
 * out.  t->nodes and t->by_class are the caller's to release.
 */
static void
make_tree(struct tree *t)
{
    classes_visit(the_vm, WITHOUT_ARRAYS, add_node, t);
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

/*
 * Appends "java.util.List/null" or "Main/0x00007f0012345678" to the output: the class's
 * external name, and the address of its loader's struct, null for the boot loader.
 * VM.classloader_stats prints the same address, so the two can be matched.
 */
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

/* Prints the vertical lines of depth levels of the tree. */
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

/*
 * Prints the interfaces of c: those that its class file names, then those that they or
 * its superclass have.
 */
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

/* Prints the line of a class, and those of its interfaces if they are wanted. */
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

/*
 * Prints what is shown of n and the nodes below.  The recursion is not too deep: a
 * class's superclasses were loaded by recursion, too.
 */
static void
print_tree(const struct tree *t, const struct node *n, unsigned depth)
{
    if (!n->is_shown)
        return;
    print_node(t, n, depth);
    for (const struct node *below = n->first; below; below = below->next)
        print_tree(t, below, depth + 1);
}

/* Marks n and all nodes below to be shown. */
static void
show_below(struct node *n)
{
    n->is_shown = true;
    for (struct node *below = n->first; below; below = below->next)
        show_below(below);
}

/*
 * -i: with interfaces; -s: with subclasses; the name of a class, NULL for all.  The
 * classes above a shown one are shown, too, up to Object.  More than one class may have
 * the name, in different loaders.
 */
void
diagnostic_class_hierarchy(struct thread *self, const char *const *values,
                           struct buf *out)
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

/* Classes and their memory, in bytes: chunks are taken from the system, blocks used. */
struct statistics {
    size_t classes, chunks, blocks;
};

/*
 * Adds c and its memory.  The class's struct with its vtable, its arena, and the
 * constant pool and class file of each version.
 */
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

/* Prints a loader's row, and one for its hidden classes if it has any. */
static void
print_loader(struct vm *vm, const struct loader *l,
             const struct statistics *own_classes, const struct statistics *hidden,
             struct buf *out)
{
    const struct object *parent = l->object
                                      ? REF_FIELD(vm, l->object, ClassLoader_parent)
                                      : NULL;
    TEXTS(t);

    buf_printf(out,
               "0x%016" PRIxPTR "  0x%016" PRIxPTR "  0x%016" PRIxPTR
               "  %6zu  %8zu  %8zu  %s\n",
               (uintptr_t)l->object, (uintptr_t)parent, (uintptr_t)l,
               own_classes->classes, own_classes->chunks, own_classes->blocks,
               l->object ? own(&t, class_external_name(object_class(l->object)))
                         : "<boot class loader>");
    if (hidden->classes)
        buf_printf(out, "%64s%6zu  %8zu  %8zu   + hidden classes\n", "",
                   hidden->classes, hidden->chunks, hidden->blocks);
}

/*
 * Prints how many classes each loader has defined and what memory they take.  One row
 * for each loader, and one for all of them at the end.  The columns are HotSpot's:
 * ChunkSz is memory taken, and BlockSz what is used of it.
 */
void
diagnostic_classloader_stats(struct thread *self, const char *const *values UNUSED,
                             struct buf *out)
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
    buf_printf(out,
               "Total = %-5zu %50s%6zu  %8zu  %8zu  \n"
               "ChunkSz: Total size of the memory taken for classes\n"
               "BlockSz: Total size of what is used of it\n",
               loaders, "", all.classes, all.chunks, all.blocks);
}
