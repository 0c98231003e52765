/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_walk.h -- walks over the heap's objects and references, which the
 * chapters "Heap" and "Heap (1.0)" report each in its own way.
 *
 * The world is stopped and the thread stays in the VM during a walk, so a function
 * that is not safe in callbacks answers INTERNAL there (jvmti_enter).  Nothing
 * recurses: what was reached waits on a stack. */

#ifndef MINIVM_JVMTI_HEAP_WALK_H
#define MINIVM_JVMTI_HEAP_WALK_H

#include "jvmti/heap_tags.h"

/* An object as a callback is shown it.  The callback may change tag. */
struct view {
    struct object *object;
    jlong tag, before;             /* before: as the table has it */
    jlong class_tag;
};

enum walk_next { WALK_FOLLOW, WALK_IGNORE, WALK_ABORT };

struct walk {
    struct jvmti_env *env;
    struct vm *vm;
    void *user_data;
    const void *callbacks;         /* the chapter's own */
    struct class *klass;           /* of the objects to report; NULL: all */
    jint filter;                   /* JVMTI_HEAP_FILTER_… */

    /* The chapter's reports; each may be NULL. */
    enum walk_next (*root)(struct walk *w, const struct root_info *info,
                           struct view *to);
    /* kind: enum jvmtiHeapReferenceKind; index is -1 where it has no meaning. */
    enum walk_next (*edge)(struct walk *w, jvmtiHeapReferenceKind kind, jint index,
                           struct view *to, jlong *referrer_tag);
    /* After o's references; false to stop. */
    bool (*values)(struct walk *w, struct object *o);

    struct heap_marks marks;       /* of what was reached */
    struct view referrer;          /* whose references are being reported */
    struct object **stack;         /* reached, not visited yet */
    size_t top, capacity;
    bool is_over;
    jvmtiError error;              /* out of memory */
    struct buf chars;              /* a string's value */
};

/* Stop the world and visit what from reaches, or what the roots reach; roots_only:
   nothing behind them. */
jvmtiError walk_references(struct walk *w, struct object *from, bool roots_only);
/* Stop the world and call visit for all objects, reachable or not. */
jvmtiError walk_heap(struct walk *w, bool (*visit)(void *walk, struct object *o));

/* End the walk with an error; false. */
bool walk_fail(struct walk *w, jvmtiError error);

/* Where the fields of objects lie and what their indices are (JVM TI
   "jvmtiHeapReferenceInfoField"). */
struct heap_field {
    uint32_t offset;               /* in the instance, or in the mirror */
    jint index;
    char type;                     /* Z B C S I J F D L */
};

/* Those of instances, and the static ones that the class itself declares. */
enum heap_field_list { REFERENCES, PRIMITIVES, STATIC_REFERENCES, STATIC_PRIMITIVES };

/* Freed with the class. */
struct heap_fields {
    uint32_t ends[4];              /* of the lists, by enum heap_field_list */
    struct heap_field at[];        /* one after the other, in the order of indices */
};

#define FOR_EACH_HEAP_FIELD(f, fields, list) \
    for (const struct heap_field *f = \
             (fields)->at + ((list) == 0 ? 0 : (fields)->ends[(list) - 1]), \
             *f##_end = (fields)->at + (fields)->ends[list]; \
         f < f##_end; f++)

/* Of c, which is no array.  The world is stopped.  NULL when memory is short. */
const struct heap_fields *heap_fields(struct class *c);

/* For class_add_free_hook. */
void heap_fields_forget(struct class *c);

static inline void
view_open(const struct walk *w, struct view *v, struct object *o)
{
    const struct tag_table *tags = w->env->tags;

    v->object = o;
    v->tag = v->before = tag_get(tags, o);
    v->class_tag = tag_get(tags, object_class(o)->layout.mirror);
}

/* Take over what the callback made of the tag; false when there is no memory. */
static inline bool
view_write(struct walk *w, struct view *v)
{
    if (__builtin_expect(v->tag != v->before, 0)) {
        jvmtiError error = tag_set(w->env, v->object, v->tag);
        if (error != JVMTI_ERROR_NONE)
            return walk_fail(w, error);
        v->before = v->tag;
    }
    return true;
}

/* JVM TI "Heap Filter Flags". */
static inline bool
view_passes(const struct walk *w, const struct view *v)
{
    jint is = (v->tag != 0 ? JVMTI_HEAP_FILTER_TAGGED : JVMTI_HEAP_FILTER_UNTAGGED)
              | (v->class_tag != 0 ? JVMTI_HEAP_FILTER_CLASS_TAGGED
                                   : JVMTI_HEAP_FILTER_CLASS_UNTAGGED);

    return (is & w->filter) == 0
           && (w->klass == NULL || w->klass == object_class(v->object));
}

static inline jlong
view_size(const struct view *v)
{
    const struct layout *layout = object_layout(v->object);

    return layout->kind == LAYOUT_INSTANCE ? (jlong)layout->instance_size
                                           : (jlong)object_size(v->object);
}

static inline jint
view_length(const struct view *v)
{
    return object_layout(v->object)->kind >= LAYOUT_PRIMITIVE_ARRAY
               ? array_length(v->object) : -1;
}

#endif
