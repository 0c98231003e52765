/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_walk.c -- the traversal behind JVM TI "Follow References". */

#include "jvmti/heap_walk.h"

#include "classfile/classfile.h"
#include "vm/link.h"
#include "vm/loader.h"
#include "vm/safepoint.h"

bool
walk_fail(struct walk *w, jvmtiError error)
{
    w->error = error;
    w->is_over = true;
    return false;
}

/* ---- what was reached ---- */

static bool
grow_stack(struct walk *w)
{
    size_t capacity = w->capacity * 2 + 4096;
    struct object **stack = mem_try_realloc(w->stack, capacity * sizeof *stack);

    if (stack == NULL)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    w->stack = stack;
    w->capacity = capacity;
    return true;
}

static inline bool
reach(struct walk *w, struct object *o)
{
    if (!heap_walk_mark(&w->marks, o))
        return true;
    if (__builtin_expect(w->top == w->capacity, 0) && !grow_stack(w))
        return false;
    w->stack[w->top++] = o;
    return true;
}

/* Go on with o as the report said; false: the walk is over. */
static inline bool
go_on(struct walk *w, enum walk_next next, struct object *o)
{
    if (next == WALK_FOLLOW)
        return reach(w, o);
    if (next == WALK_ABORT)
        w->is_over = true;
    return next != WALK_ABORT;
}

/* o (NULL: nothing) is soon to be reached. */
static inline void
foresee(const struct walk *w, const struct object *o)
{
    heap_walk_foresee(&w->marks, o);
    tag_foresee(w->env->tags, o);
}

/* ---- references of an object ---- */

/* Both tags may have changed, and a class's is that of its instances' class. */
static bool
write_tags(struct walk *w, struct view *to)
{
    if (!view_write(w, to)
        || (to->object != w->referrer.object && !view_write(w, &w->referrer)))
        return false;
    view_open(w, &w->referrer, w->referrer.object);
    return true;
}

static inline bool
edge(struct walk *w, jvmtiHeapReferenceKind kind, jint index, struct object *to)
{
    enum walk_next next = WALK_FOLLOW;
    struct view view;

    if (w->edge != NULL) {
        view_open(w, &view, to);
        next = w->edge(w, kind, index, &view,
                       to == w->referrer.object ? &view.tag : &w->referrer.tag);
        if ((view.tag != view.before || w->referrer.tag != w->referrer.before)
            && !write_tags(w, &view))
            return false;
    }
    return go_on(w, next, to);
}

/* The same for what may be absent. */
static bool
edge_to(struct walk *w, jvmtiHeapReferenceKind kind, jint index, struct object *to)
{
    return to == NULL || edge(w, kind, index, to);
}

static bool
visit_fields(struct walk *w, struct object *o, jvmtiHeapReferenceKind kind,
             const struct heap_fields *fields, enum heap_field_list list)
{
    FOR_EACH_HEAP_FIELD(f, fields, list)
        if (!edge_to(w, kind, f->index, OBJECT_FIELD(struct object *, o, f->offset)))
            return false;
    return true;
}

static bool
visit_elements(struct walk *w, struct object *o)
{
    struct object **elements = ARRAY_REFS(o);
    jint length = array_length(o);

    for (jint i = 0; i < length; i++) {
        if (i + 16 < length)
            foresee(w, elements[i + 16]);
        if (!edge_to(w, JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, i, elements[i]))
            return false;
    }
    return true;
}

/* The object of a resolved constant: a class's, or one that the Java program gets.  A
   dynamic constant of a primitive type is a box that nobody sees. */
static struct object *
constant(const struct cpool *pool, unsigned index)
{
    struct class *c;
    char kind;

    switch (cf_tag_at(pool->file, index)) {
    case CF_CLASS:
        c = resolved_entry(pool, index);
        return c != NULL ? c->layout.mirror : NULL;
    case CF_DYNAMIC:
        kind = cf_member(pool->file, index).descriptor->bytes[0];
        return kind == 'L' || kind == '[' ? resolved_entry(pool, index) : NULL;
    case CF_STRING: case CF_METHOD_TYPE: case CF_METHOD_HANDLE:
        return resolved_entry(pool, index);
    default:
        return NULL;
    }
}

static bool
visit_constants(struct walk *w, const struct cpool *pool)
{
    for (unsigned i = 1; i < pool->file->cp_count; i++)
        if (!edge_to(w, JVMTI_HEAP_REFERENCE_CONSTANT_POOL, (jint)i, constant(pool, i)))
            return false;
    return true;
}

/* What only classes with a class file have. */
static bool
visit_definition(struct walk *w, struct object *mirror, struct class *c)
{
    const struct heap_fields *fields = heap_fields(c);

    if (fields == NULL)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    if (c->pool != NULL && !visit_constants(w, c->pool))
        return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!edge_to(w, JVMTI_HEAP_REFERENCE_INTERFACE, -1,
                     c->interfaces[i]->layout.mirror))
            return false;
    /* Fields have no order before (GetClassFields). */
    return class_state(c) == CLASS_LOADED
           || visit_fields(w, mirror, JVMTI_HEAP_REFERENCE_STATIC_FIELD, fields,
                           STATIC_REFERENCES);
}

/* A Class object stands for the class: its own fields are none of Java's view (JVM TI
   "Follow References"). */
static bool
visit_class(struct walk *w, struct object *mirror)
{
    struct class *c = class_of_mirror(mirror);

    if (c == NULL || c->primitive)
        return true;
    if (c->super != NULL && c->super != KC(w->vm, Object)
        && !edge_to(w, JVMTI_HEAP_REFERENCE_SUPERCLASS, -1, c->super->layout.mirror))
        return false;
    return edge_to(w, JVMTI_HEAP_REFERENCE_CLASS_LOADER, -1, c->loader->object)
           && edge_to(w, JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN, -1,
                      REF_FIELD(w->vm, mirror, Class_protectionDomain))
           && edge_to(w, JVMTI_HEAP_REFERENCE_SIGNERS, -1,
                      REF_FIELD(w->vm, mirror, Class_signers))
           && (class_is_array(c) || visit_definition(w, mirror, c));
}

static bool
visit_instance(struct walk *w, struct object *o)
{
    const struct heap_fields *fields = heap_fields(object_class(o));

    if (fields == NULL)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    return visit_fields(w, o, JVMTI_HEAP_REFERENCE_FIELD, fields, REFERENCES);
}

static bool
visit(struct walk *w, struct object *o)
{
    const struct layout *layout = object_layout(o);

    if (w->edge != NULL)
        view_open(w, &w->referrer, o);
    if (layout->kind == LAYOUT_MIRROR) {
        if (!visit_class(w, o))
            return false;
    } else {
        if (!edge_to(w, JVMTI_HEAP_REFERENCE_CLASS, -1, layout->mirror))
            return false;
        if (layout->kind == LAYOUT_REFERENCE_ARRAY ? !visit_elements(w, o)
            : layout->kind != LAYOUT_PRIMITIVE_ARRAY && !visit_instance(w, o))
            return false;
    }
    return w->values == NULL || w->values(w, o);
}

/* o is soon to be visited, and in the cache already. */
static inline void
foresee_fields(const struct walk *w, const struct object *o)
{
    const struct layout *layout = object_layout(o);

    if (layout->kind != LAYOUT_INSTANCE)
        return;
    for (uint32_t i = 0; i < layout->run_count; i++)
        for (uint32_t k = 0; k < layout->runs[i].count; k++)
            foresee(w, OBJECT_FIELD(struct object *, o,
                                    layout->runs[i].offset + k * sizeof o));
}

/* Memory takes longer than all else, so objects wait in a queue until they are in the
   processor's cache, and then until what they refer to is. */
static void
drain(struct walk *w)
{
    enum { WAITING = 16, FORESEEN = 8 };
    struct object *waiting[WAITING];
    unsigned first = 0, foreseen = 0, last = 0;

    while (!w->is_over) {
        for (; w->top > 0 && last - first < WAITING; last++) {
            waiting[last % WAITING] = w->stack[--w->top];
            __builtin_prefetch(waiting[last % WAITING]);
        }
        if (first == last)
            return;
        for (; foreseen != last && foreseen - first < FORESEEN; foreseen++)
            foresee_fields(w, waiting[foreseen % WAITING]);
        if (!visit(w, waiting[first++ % WAITING]))
            return;
    }
}

/* ---- walks ---- */

static void
visit_root(void *context, struct object *o, const struct root_info *info)
{
    struct walk *w = context;
    enum walk_next next = WALK_FOLLOW;
    struct view view;

    if (w->is_over)
        return;
    if (w->root != NULL) {
        view_open(w, &view, o);
        next = w->root(w, info, &view);
        if (!view_write(w, &view))
            return;
    }
    go_on(w, next, o);
}

jvmtiError
walk_references(struct walk *w, struct object *from, bool roots_only)
{
    struct thread *self = current_thread;

    w->vm = self->vm;
    world_stop(self, "heap walk");
    if (heap_walk_begin(w->vm->heap, &w->marks)) {
        if (from != NULL)
            reach(w, from);
        else
            heap_visit_roots(w->vm->heap, visit_root, w);
        if (!roots_only)
            drain(w);
        heap_walk_end(w->vm->heap);
    } else {
        w->error = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    world_resume(self);
    mem_free(w->stack);
    buf_release(&w->chars);
    return w->error;
}

jvmtiError
walk_heap(struct walk *w, bool (*visit_object)(void *walk, struct object *o))
{
    struct thread *self = current_thread;

    w->vm = self->vm;
    world_stop(self, "heap walk");
    heap_iterate(w->vm->heap, visit_object, w);
    world_resume(self);
    buf_release(&w->chars);
    return w->error;
}
