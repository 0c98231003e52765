/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_walk.h -- a heap walk of JVM TI, for the files that make it.
 *
 * heap.c has the walks themselves: IterateThroughHeap visits all objects in the order
 * of their addresses, and FollowReferences visits what is reached from the roots or
 * from one object.  For an object that the walk visits, heap_values.c reports the
 * values of its primitive fields, of a primitive array or of a string.  heap_fields.c
 * knows where the fields of a class lie and what index JVM TI gives each of them.
 *
 * The world is stopped and the thread stays in the VM from the beginning of a walk to
 * its end, also in the agent's callbacks.  So a callback may call only functions that
 * do not enter the VM; others return INTERNAL (jvmti_enter).  The callbacks get tags
 * instead of objects: a struct view is what they are told of one object.  Nothing here
 * recurses. */

#ifndef MINIVM_JVMTI_HEAP_WALK_H
#define MINIVM_JVMTI_HEAP_WALK_H

#include "jvmti/heap_tags.h"

/* What a callback is told of an object.  The callback may change the tag. */
struct view {
    struct object *object;
    jlong tag;
    jlong stored_tag; /* the tag as the table has it */
    jlong class_tag;
};

struct walk {
    struct jvmti_env *env;
    struct vm *vm;
    const jvmtiHeapCallbacks *callbacks;
    void *user_data;
    /* Only objects of this class are reported, if it is not NULL; with_subclasses adds
       those of its subclasses. */
    struct class *klass;
    bool with_subclasses;
    /* JVMTI_HEAP_FILTER_ flags: the objects that are not reported. */
    jint filter;
    /* The callback for references, or NULL. */
    jvmtiHeapReferenceCallback report;
    /* There is a callback for some kind of values. */
    bool wants_values;

    /* The object whose references and values are being reported; none for the roots. */
    struct view visited;
    /* The objects that were reached, and a stack of those among them that were not
       visited yet (struct object *). */
    struct heap_marks marks;
    struct buf reached;
    /* The walk ends: a callback has asked for that, or there was an error. */
    bool is_over;
    jvmtiError error;
    /* The characters of a string that is reported. */
    struct buf chars;
};

/* Ends the walk with an error; returns false. */
static inline bool
walk_fail(struct walk *w, jvmtiError error)
{
    w->error = error;
    w->is_over = true;
    return false;
}

/* ---- objects as callbacks see them ---- */

/* Sets *v to what a callback is told of o. */
static inline void
view_set(const struct walk *w, struct view *v, struct object *o)
{
    const struct tag_table *tags = w->env->tags;

    v->object = o;
    v->tag = v->stored_tag = tag_get(tags, o);
    v->class_tag = tag_get(tags, object_class(o)->layout.mirror);
}

/* Stores the tag if a callback has changed it.  Returns false, with the walk over, if
   there is no memory for it. */
static inline bool
view_write(struct walk *w, struct view *v)
{
    if (__builtin_expect(v->tag != v->stored_tag, 0)) {
        jvmtiError error = tag_set(w->env, v->object, v->tag);
        if (error != JVMTI_ERROR_NONE)
            return walk_fail(w, error);
        v->stored_tag = v->tag;
    }
    return true;
}

/* Returns true if o is of the class whose objects are to be reported. */
static inline bool
walk_wants_class(const struct walk *w, const struct object *o)
{
    return !w->klass || w->klass == object_class(o)
           || (w->with_subclasses && object_is_instance(o, w->klass));
}

/* Returns true if the object is to be reported: no flag of the filter names what it is
   (JVM TI "Heap Filter Flags"), and it is of the wanted class. */
static inline bool
view_passes(const struct walk *w, const struct view *v)
{
    jint is = (v->tag != 0 ? JVMTI_HEAP_FILTER_TAGGED : JVMTI_HEAP_FILTER_UNTAGGED)
              | (v->class_tag != 0 ? JVMTI_HEAP_FILTER_CLASS_TAGGED
                                   : JVMTI_HEAP_FILTER_CLASS_UNTAGGED);

    return (is & w->filter) == 0 && walk_wants_class(w, v->object);
}

/* The size of the object in bytes, and the length of an array, else -1, for
   callbacks. */
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
               ? array_length(v->object)
               : -1;
}

/* ---- the fields of classes ---- */

/* One field: where it lies, and its index as JVM TI "jvmtiHeapReferenceInfoField"
   counts. */
struct heap_field {
    uint32_t offset; /* in the instance, or in the mirror */
    jint index;
    char type; /* Z B C S I J F D L */
};

/* The lists of a class: the fields of its instances, and the static ones that the class
   itself declares. */
enum heap_field_list { REFERENCES, PRIMITIVES, STATIC_REFERENCES, STATIC_PRIMITIVES };

/* The fields of a class, made when a walk needs them first and freed with the class
   (struct class.heap_fields). */
struct heap_fields {
    uint32_t ends[4];       /* of the lists, by enum heap_field_list */
    struct heap_field at[]; /* one after the other, in the order of indices */
};

/* Runs its statement for each field f of one list. */
#define FOR_EACH_HEAP_FIELD(f, fields, list) \
    for (const struct heap_field * \
             f = (fields)->at + ((list) == 0 ? 0 : (fields)->ends[(list)-1]), \
            *f##_end = (fields)->at + (fields)->ends[list]; \
         f < f##_end; f++)

/* Makes the fields of a class that is no array.  Returns NULL, with the walk over, if
   memory is short. */
const struct heap_fields *heap_fields_make(struct walk *w, struct class *of);
/* Frees them: a hook for classes that are unloaded. */
void heap_fields_free(struct class *c);

/* Returns the fields of a class that is no array, as heap_fields_make does. */
static inline const struct heap_fields *
heap_fields_get(struct walk *w, struct class *of)
{
    const struct heap_fields *fields = of->heap_fields;

    return fields ? fields : heap_fields_make(w, of);
}

/* ---- values ---- */

/* Does what a callback about the visited object's values has returned, and stores its
   tag.  Returns false if the walk is over. */
static inline bool
walk_goes_on(struct walk *w, jint flags)
{
    if (flags & JVMTI_VISIT_ABORT)
        w->is_over = true;
    return view_write(w, &w->visited) && !w->is_over;
}

/* Reports the values of the visited object, which passes the filters.  Returns false if
   the walk is over. */
bool walk_report_values(struct walk *w);

#endif
