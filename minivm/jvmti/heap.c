/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap.c -- JVM TI "Heap": walks over objects and references.
 *
 * The world is stopped and the thread stays in the VM during a walk, so a function
 * that is not safe in callbacks answers INTERNAL there (jvmti_enter).  Nothing
 * recurses: what was reached waits on a stack. */

#include <string.h>

#include "classfile/classfile.h"
#include "jvmti/heap_tags.h"
#include "vm/frame.h"
#include "vm/link.h"
#include "vm/loader.h"
#include "vm/safepoint.h"

/* An object as a callback is shown it.  The callback may change tag. */
struct view {
    struct object *object;
    jlong tag, before;             /* before: as the table has it */
    jlong class_tag;
};

struct walk {
    struct jvmti_env *env;
    struct vm *vm;
    const jvmtiHeapCallbacks *callbacks;
    void *user_data;
    struct class *klass;           /* of the objects to report; NULL: all */
    bool with_subclasses;          /* or of klass's subclasses */
    jint filter;                   /* JVMTI_HEAP_FILTER_… */
    jvmtiHeapReferenceCallback report; /* of references; may be NULL */
    bool wants_values;

    struct view visited;           /* whose references and values are reported; no
                                      object for the roots */
    struct heap_marks marks;       /* of what was reached */
    struct buf reached;            /* a stack of objects, not visited yet */
    bool is_over;
    jvmtiError error;              /* out of memory */
    struct buf chars;              /* a string's value */
};

/* End the walk with an error; false. */
static bool
walk_fail(struct walk *w, jvmtiError error)
{
    w->error = error;
    w->is_over = true;
    return false;
}

/* ---- objects as callbacks see them ---- */

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

static inline bool
has_class(const struct walk *w, const struct object *o)
{
    return w->klass == NULL || w->klass == object_class(o)
           || (w->with_subclasses && object_is_instance(o, w->klass));
}

/* JVM TI "Heap Filter Flags". */
static inline bool
view_passes(const struct walk *w, const struct view *v)
{
    jint is = (v->tag != 0 ? JVMTI_HEAP_FILTER_TAGGED : JVMTI_HEAP_FILTER_UNTAGGED)
              | (v->class_tag != 0 ? JVMTI_HEAP_FILTER_CLASS_TAGGED
                                   : JVMTI_HEAP_FILTER_CLASS_UNTAGGED);

    return (is & w->filter) == 0 && has_class(w, v->object);
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

/* ---- where a class's fields lie ---- */

/* Their indices are those of JVM TI "jvmtiHeapReferenceInfoField". */
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

enum { UPPER = 1 };                /* this floor's place in struct class.upper */

static enum heap_field_list
list_of(const struct field *f)
{
    return (field_is_static(f) ? STATIC_REFERENCES : REFERENCES) + (f->type != 'L');
}

/* Count those of each list.  The index behind the last field: first come those of all
   interfaces, each once, then of the superclasses from Object down, then its own. */
static jint
count_fields(const struct class *of, uint32_t counts[4])
{
    uint32_t index = 0;

    for (uint32_t i = 0; i < of->all_interface_count; i++)
        index += of->all_interfaces[i]->field_count;
    for (const struct class *c = of; c != NULL; c = c->super) {
        index += c->field_count;
        for (uint32_t i = 0; i < c->field_count; i++)
            if (c == of || !field_is_static(&c->fields[i]))
                counts[list_of(&c->fields[i])]++;
    }
    return (jint)index;
}

/* Of a class that is no array; NULL ends the walk: memory is short. */
static const struct heap_fields *
heap_fields(struct walk *w, struct class *of)
{
    struct heap_fields *fields = of->upper[UPPER];
    uint32_t at[4] = { 0 };

    if (fields != NULL)
        return fields;
    jint index = count_fields(of, at);
    for (int i = 1; i < 4; i++)
        at[i] += at[i - 1];
    fields = mem_try_alloc(sizeof *fields + at[3] * sizeof fields->at[0]);
    if (fields == NULL) {
        walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
        return NULL;
    }
    memcpy(fields->ends, at, sizeof at);
    /* Each list from its end, since fields are met from the class up to Object. */
    for (const struct class *c = of; c != NULL; c = c->super)
        for (uint32_t i = c->field_count; i-- > 0;) {
            const struct field *f = &c->fields[i];

            index--;
            if (c == of || !field_is_static(f))
                fields->at[--at[list_of(f)]] =
                    (struct heap_field){ f->offset, index, f->type };
        }
    of->upper[UPPER] = fields;
    return fields;
}

static void
forget_fields(struct class *c)
{
    mem_free(c->upper[UPPER]);
    c->upper[UPPER] = NULL;
}

/* ---- values ---- */

/* What the callback made of the visited object's tag; false: it wants no more. */
static inline bool
go_on(struct walk *w, jint flags)
{
    if (flags & JVMTI_VISIT_ABORT)
        w->is_over = true;
    return view_write(w, &w->visited) && !w->is_over;
}

static inline jvalue
field_value(const struct object *o, const struct heap_field *f)
{
    switch (f->type) {
    case 'Z': case 'B': return (jvalue){ .b = OBJECT_FIELD(jbyte, o, f->offset) };
    case 'C': case 'S': return (jvalue){ .s = OBJECT_FIELD(jshort, o, f->offset) };
    case 'I': case 'F': return (jvalue){ .i = OBJECT_FIELD(jint, o, f->offset) };
    default: return (jvalue){ .j = OBJECT_FIELD(jlong, o, f->offset) };
    }
}

/* The primitive fields of a class's instance, or of the class itself. */
static bool
report_fields(struct walk *w, struct class *c, jvmtiHeapReferenceKind kind,
              enum heap_field_list list)
{
    struct view *v = &w->visited;
    const struct heap_fields *fields = heap_fields(w, c);

    if (fields == NULL)
        return false;
    FOR_EACH_HEAP_FIELD(f, fields, list) {
        jvmtiHeapReferenceInfo info = { .field.index = f->index };
        jint flags = w->callbacks->primitive_field_callback(
            kind, &info, v->class_tag, &v->tag, field_value(v->object, f),
            (jvmtiPrimitiveType)f->type, w->user_data);
        if (!go_on(w, flags))
            return false;
    }
    return true;
}

static bool
report_statics(struct walk *w)
{
    struct class *c = class_of_mirror(w->visited.object);

    return c == NULL || c->primitive || class_is_array(c)
           || class_state(c) == CLASS_LOADED
           || report_fields(w, c, JVMTI_HEAP_REFERENCE_STATIC_FIELD, STATIC_PRIMITIVES);
}

static bool
report_array(struct walk *w)
{
    struct view *v = &w->visited;
    jint flags = w->callbacks->array_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, array_length(v->object),
        (jvmtiPrimitiveType)object_class(v->object)->element->primitive,
        array_data(v->object), w->user_data);

    return go_on(w, flags);
}

/* A Latin-1 string's characters, widened; NULL when memory is short. */
static const jchar *
widen(struct walk *w, const struct object *bytes, size_t length)
{
    jchar *chars;

    buf_clear(&w->chars);
    if (!buf_try_reserve(&w->chars, (length + 1) * sizeof *chars))
        return NULL;
    chars = (jchar *)w->chars.data;
    for (size_t i = 0; i < length; i++)
        chars[i] = (uint8_t)ARRAY_BYTES(bytes)[i];
    return chars;
}

static bool
report_string(struct walk *w)
{
    struct view *v = &w->visited;
    const struct object *bytes = REF_FIELD(w->vm, v->object, String_value);
    int wide = OBJECT_FIELD(int8_t, v->object, KF(w->vm, String_coder));
    const jchar *chars;
    jint length, flags;

    if (bytes == NULL)             /* not constructed yet */
        return true;
    length = array_length(bytes) >> wide;
    chars = wide ? ARRAY_CHARS(bytes) : widen(w, bytes, (size_t)length);
    if (chars == NULL)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    flags = w->callbacks->string_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, chars, length, w->user_data);
    return go_on(w, flags);
}

/* The values of the visited object, which passes the filters. */
static bool
report_values(struct walk *w)
{
    const jvmtiHeapCallbacks *callbacks = w->callbacks;
    struct class *c = object_class(w->visited.object);

    if (c->layout.kind == LAYOUT_PRIMITIVE_ARRAY)
        return callbacks->array_primitive_value_callback == NULL || report_array(w);
    if (c->layout.kind == LAYOUT_REFERENCE_ARRAY)
        return true;
    if (callbacks->primitive_field_callback != NULL
        && !(c->layout.kind == LAYOUT_MIRROR
                 ? report_statics(w)
                 : report_fields(w, c, JVMTI_HEAP_REFERENCE_FIELD, PRIMITIVES)))
        return false;
    return callbacks->string_primitive_value_callback == NULL
           || c != KC(w->vm, String) || report_string(w);
}

/* ---- what was reached ---- */

static inline bool
reach(struct walk *w, struct object *o)
{
    struct buf *stack = &w->reached;

    if (!heap_walk_mark(&w->marks, o))
        return true;
    if (__builtin_expect(stack->length == stack->capacity, 0)
        && !buf_try_reserve(stack, sizeof o))
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    *(struct object **)(stack->data + stack->length) = o;
    stack->length += sizeof o;
    return true;
}

/* o (NULL: nothing) is soon to be reached. */
static inline void
foresee(const struct walk *w, const struct object *o)
{
    heap_walk_foresee(&w->marks, o);
    tag_foresee(w->env->tags, o);
}

/* ---- references ---- */

/* Both tags may have changed, and a class's is that of its instances' class. */
static bool
write_tags(struct walk *w, struct view *to)
{
    struct object *from = w->visited.object;

    if (!view_write(w, to) || (to->object != from && !view_write(w, &w->visited)))
        return false;
    if (from != NULL)
        view_open(w, &w->visited, from);
    return true;
}

/* Report a reference from the visited object, or from a root, and go on with o as the
   callback says; false: the walk is over. */
static inline bool
follow(struct walk *w, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
       struct object *o)
{
    jint flags = JVMTI_VISIT_OBJECTS;
    struct view *from = &w->visited, to;

    if (w->report != NULL) {
        view_open(w, &to, o);
        if (view_passes(w, &to))
            flags = w->report(kind, info, to.class_tag, from->class_tag, view_size(&to),
                              &to.tag, from->object == NULL ? NULL
                                       : from->object == o ? &to.tag : &from->tag,
                              view_length(&to), w->user_data);
        if ((to.tag != to.before || from->tag != from->before) && !write_tags(w, &to))
            return false;
    }
    if (flags & JVMTI_VISIT_ABORT)
        w->is_over = true;
    return !w->is_over && (!(flags & JVMTI_VISIT_OBJECTS) || reach(w, o));
}

/* A reference of the visited object, if it is there.  index is -1 where the kind has no
   meaning for it. */
static inline bool
edge(struct walk *w, jvmtiHeapReferenceKind kind, jint index, struct object *to)
{
    /* array and constant_pool have the index there as well. */
    const jvmtiHeapReferenceInfo info = { .field.index = index };

    return to == NULL || follow(w, kind, index >= 0 ? &info : NULL, to);
}

static bool
visit_fields(struct walk *w, struct object *o, jvmtiHeapReferenceKind kind,
             struct class *c, enum heap_field_list list)
{
    const struct heap_fields *fields = heap_fields(w, c);

    if (fields == NULL)
        return false;
    FOR_EACH_HEAP_FIELD(f, fields, list)
        if (!edge(w, kind, f->index, OBJECT_FIELD(struct object *, o, f->offset)))
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
        if (!edge(w, JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, i, elements[i]))
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
        if (!edge(w, JVMTI_HEAP_REFERENCE_CONSTANT_POOL, (jint)i, constant(pool, i)))
            return false;
    return true;
}

/* What only classes with a class file have.  Before they are prepared, fields have no
   order (GetClassFields), and of constants hardly more than the class is resolved. */
static bool
visit_definition(struct walk *w, struct object *mirror, struct class *c)
{
    bool is_prepared = class_state(c) != CLASS_LOADED;

    if (is_prepared && c->pool != NULL && !visit_constants(w, c->pool))
        return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!edge(w, JVMTI_HEAP_REFERENCE_INTERFACE, -1,
                     c->interfaces[i]->layout.mirror))
            return false;
    return !is_prepared
           || visit_fields(w, mirror, JVMTI_HEAP_REFERENCE_STATIC_FIELD, c,
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
        && !edge(w, JVMTI_HEAP_REFERENCE_SUPERCLASS, -1, c->super->layout.mirror))
        return false;
    return edge(w, JVMTI_HEAP_REFERENCE_CLASS_LOADER, -1, c->loader->object)
           && edge(w, JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN, -1,
                   REF_FIELD(w->vm, mirror, Class_protectionDomain))
           && edge(w, JVMTI_HEAP_REFERENCE_SIGNERS, -1,
                   REF_FIELD(w->vm, mirror, Class_signers))
           && (class_is_array(c) || visit_definition(w, mirror, c));
}

static bool
visit(struct walk *w, struct object *o)
{
    const struct layout *layout = object_layout(o);

    if (w->report != NULL || w->wants_values)
        view_open(w, &w->visited, o);
    if (layout->kind == LAYOUT_MIRROR) {
        if (!visit_class(w, o))
            return false;
    } else {
        if (!edge(w, JVMTI_HEAP_REFERENCE_CLASS, -1, layout->mirror))
            return false;
        if (layout->kind == LAYOUT_REFERENCE_ARRAY ? !visit_elements(w, o)
            : layout->kind != LAYOUT_PRIMITIVE_ARRAY
                  && !visit_fields(w, o, JVMTI_HEAP_REFERENCE_FIELD, object_class(o),
                                   REFERENCES))
            return false;
    }
    return !w->wants_values || !view_passes(w, &w->visited) || report_values(w);
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
        for (; w->reached.length > 0 && last - first < WAITING; last++) {
            w->reached.length -= sizeof *waiting;
            waiting[last % WAITING] =
                *(struct object **)(w->reached.data + w->reached.length);
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

/* Roots have the numbers of "Heap Root Kind"; those of "Heap Reference Kind" lie
   behind the other references.  What is told of a stack's local begins with what is
   told of a JNI one. */
static void
visit_root(void *walk, struct object *o, const struct root_info *root)
{
    struct walk *w = walk;
    bool is_local = root->kind == ROOT_STACK_LOCAL || root->kind == ROOT_JNI_LOCAL;
    const struct object *thread = is_local ? root->thread->object : NULL;
    const struct frame *frame = root->frame;
    jvmtiHeapReferenceInfo info;

    if (is_local)
        info.stack_local = (jvmtiHeapReferenceInfoStackLocal){
            .thread_tag = tag_get(w->env->tags, thread),
            .thread_id = thread != NULL ? LONG_FIELD(w->vm, thread, Thread_tid) : 0,
            .depth = (jint)root->depth,
            .method = frame != NULL ? (jmethodID)code_id(frame->code) : NULL,
            .location = root->bci,
            .slot = root->slot,
        };
    if (!w->is_over)
        follow(w, JVMTI_HEAP_REFERENCE_JNI_GLOBAL - JVMTI_HEAP_ROOT_JNI_GLOBAL
                      + root->kind, is_local ? &info : NULL, o);
}

/* ---- the functions ---- */

static struct walk
walk_begin(struct jvmti_env *env, jint heap_filter, struct class *klass,
           const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    jvmti_stop_for_walk(current_thread);
    return (struct walk){
        .env = env,
        .vm = the_vm,
        .callbacks = callbacks,
        .user_data = (void *)(uintptr_t)user_data,
        .klass = klass,
        .filter = heap_filter,
        .report = callbacks->heap_reference_callback,
        .wants_values = callbacks->primitive_field_callback != NULL
                        || callbacks->array_primitive_value_callback != NULL
                        || callbacks->string_primitive_value_callback != NULL,
    };
}

static jvmtiError
walk_end(struct walk *w)
{
    world_resume(current_thread);
    buf_release(&w->reached);
    buf_release(&w->chars);
    return w->error;
}

jvmtiError
jvmti_FollowReferences(struct jvmti_env *env, jint heap_filter, struct class *klass,
                       struct object *initial_object,
                       const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    struct walk w = walk_begin(env, heap_filter, klass, callbacks, user_data);

    if (heap_walk_begin(w.vm->heap, &w.marks)) {
        if (initial_object != NULL)
            reach(&w, initial_object);
        else
            heap_visit_roots(w.vm->heap, visit_root, &w);
        drain(&w);
        heap_walk_end(w.vm->heap);
    } else {
        w.error = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    return walk_end(&w);
}

static bool
visit_object(void *walk, struct object *o)
{
    struct walk *w = walk;
    struct view *v = &w->visited;

    if (!has_class(w, o))
        return true;
    view_open(w, v, o);
    if (!view_passes(w, v))
        return true;
    if (w->callbacks->heap_iteration_callback != NULL
        && !go_on(w, w->callbacks->heap_iteration_callback(
                         v->class_tag, view_size(v), &v->tag, view_length(v),
                         w->user_data)))
        return false;
    return !w->wants_values || report_values(w);
}

jvmtiError
jvmti_iterate_heap(struct jvmti_env *env, jint heap_filter, struct class *klass,
                   bool with_subclasses, const jvmtiHeapCallbacks *callbacks,
                   const void *user_data)
{
    struct walk w = walk_begin(env, heap_filter, klass, callbacks, user_data);

    w.with_subclasses = with_subclasses;
    heap_iterate(w.vm->heap, visit_object, &w);
    return walk_end(&w);
}

jvmtiError
jvmti_IterateThroughHeap(struct jvmti_env *env, jint heap_filter, struct class *klass,
                         const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    return jvmti_iterate_heap(env, heap_filter, klass, false, callbacks, user_data);
}

jvmtiError
jvmti_ForceGarbageCollection(void)
{
    vm_collect(current_thread, "ForceGarbageCollection", false);
    return JVMTI_ERROR_NONE;
}

void
jvmti_init_heap(struct vm *vm)
{
    vm->jvmti->sampling_interval = 512 << 10;
    vm->jvmti->sampling_now = HEAP_NO_SAMPLING;
    heap_add_part(vm->heap, NULL, tags_drop_dead, vm);
    class_add_free_hook(forget_fields);
}
