/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap.c -- JVM TI "Heap": what walks report to the callbacks. */

#include "jvmti/heap_walk.h"
#include "vm/frame.h"

static const jvmtiHeapCallbacks *
callbacks_of(const struct walk *w)
{
    return w->callbacks;
}

static enum walk_next
next_of(jint flags)
{
    if (flags & JVMTI_VISIT_ABORT)
        return WALK_ABORT;
    return flags & JVMTI_VISIT_OBJECTS ? WALK_FOLLOW : WALK_IGNORE;
}

/* ---- values ---- */

/* False: the callback wants no more. */
static inline bool
go_on(struct walk *w, struct view *v, jint flags)
{
    if (flags & JVMTI_VISIT_ABORT)
        w->is_over = true;
    return view_write(w, v) && !w->is_over;
}

static jvalue
field_value(const struct object *o, const struct heap_field *f)
{
    jvalue value = { .j = 0 };

    switch (f->type) {
    case 'Z': case 'B':
        value.b = OBJECT_FIELD(jbyte, o, f->offset);
        break;
    case 'C': case 'S':
        value.s = OBJECT_FIELD(jshort, o, f->offset);
        break;
    case 'I': case 'F':
        value.i = OBJECT_FIELD(jint, o, f->offset);
        break;
    default:
        value.j = OBJECT_FIELD(jlong, o, f->offset);
        break;
    }
    return value;
}

/* The primitive fields of a class's instance, or of the class itself. */
static bool
report_fields(struct walk *w, struct view *v, struct class *c,
              jvmtiHeapReferenceKind kind, enum heap_field_list list)
{
    const struct heap_fields *fields = heap_fields(c);

    if (fields == NULL)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    FOR_EACH_HEAP_FIELD(f, fields, list) {
        jvmtiHeapReferenceInfo info = { .field.index = f->index };
        jint flags = callbacks_of(w)->primitive_field_callback(
            kind, &info, v->class_tag, &v->tag, field_value(v->object, f),
            (jvmtiPrimitiveType)f->type, w->user_data);
        if (!go_on(w, v, flags))
            return false;
    }
    return true;
}

static bool
report_statics(struct walk *w, struct view *v)
{
    struct class *c = class_of_mirror(v->object);

    return c == NULL || c->primitive || class_is_array(c)
           || class_state(c) == CLASS_LOADED
           || report_fields(w, v, c, JVMTI_HEAP_REFERENCE_STATIC_FIELD,
                            STATIC_PRIMITIVES);
}

static bool
report_array(struct walk *w, struct view *v)
{
    jint flags = callbacks_of(w)->array_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, array_length(v->object),
        (jvmtiPrimitiveType)object_class(v->object)->element->primitive,
        array_data(v->object), w->user_data);

    return go_on(w, v, flags);
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
report_string(struct walk *w, struct view *v)
{
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
    flags = callbacks_of(w)->string_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, chars, length, w->user_data);
    return go_on(w, v, flags);
}

/* The values of an object that passes the filters. */
static bool
report_values(struct walk *w, struct view *v)
{
    const jvmtiHeapCallbacks *callbacks = callbacks_of(w);
    struct class *c = object_class(v->object);

    if (c->layout.kind == LAYOUT_PRIMITIVE_ARRAY)
        return callbacks->array_primitive_value_callback == NULL || report_array(w, v);
    if (c->layout.kind == LAYOUT_REFERENCE_ARRAY)
        return true;
    if (callbacks->primitive_field_callback != NULL
        && !(c->layout.kind == LAYOUT_MIRROR
                 ? report_statics(w, v)
                 : report_fields(w, v, c, JVMTI_HEAP_REFERENCE_FIELD, PRIMITIVES)))
        return false;
    return callbacks->string_primitive_value_callback == NULL
           || c != KC(w->vm, String) || report_string(w, v);
}

static bool
wants_values(const jvmtiHeapCallbacks *callbacks)
{
    return callbacks->primitive_field_callback != NULL
           || callbacks->array_primitive_value_callback != NULL
           || callbacks->string_primitive_value_callback != NULL;
}

static bool
visit_values(struct walk *w, struct object *o)
{
    struct view view;

    view_open(w, &view, o);
    return !view_passes(w, &view) || report_values(w, &view);
}

/* ---- references ---- */

static bool
has_index(jvmtiHeapReferenceKind kind)
{
    return kind == JVMTI_HEAP_REFERENCE_FIELD
           || kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT
           || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD
           || kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL;
}

static enum walk_next
report_edge(struct walk *w, jvmtiHeapReferenceKind kind, jint index, struct view *to,
            jlong *referrer_tag)
{
    jvmtiHeapReferenceInfo info;

    if (!view_passes(w, to))
        return WALK_FOLLOW;
    info.field.index = index;      /* array and constant_pool have it there as well */
    return next_of(callbacks_of(w)->heap_reference_callback(
        kind, has_index(kind) ? &info : NULL, to->class_tag, w->referrer.class_tag,
        view_size(to), &to->tag, referrer_tag, view_length(to), w->user_data));
}

/* Roots have the numbers of "Heap Root Kind"; those of "Heap Reference Kind" lie
   behind the other references.  What is told of a stack's local begins with what is
   told of a JNI one. */
static enum walk_next
report_root(struct walk *w, const struct root_info *root, struct view *to)
{
    bool is_local = root->kind == ROOT_STACK_LOCAL || root->kind == ROOT_JNI_LOCAL;
    const struct object *thread = is_local ? root->thread->object : NULL;
    const struct frame *frame = root->frame;
    jvmtiHeapReferenceInfo info;

    if (!view_passes(w, to))
        return WALK_FOLLOW;
    if (is_local)
        info.stack_local = (jvmtiHeapReferenceInfoStackLocal){
            .thread_tag = tag_get(w->env->tags, thread),
            .thread_id = thread != NULL ? LONG_FIELD(w->vm, thread, Thread_tid) : 0,
            .depth = (jint)root->depth,
            .method = frame != NULL ? (jmethodID)code_id(frame->code) : NULL,
            .location = root->bci,
            .slot = root->slot,
        };
    return next_of(callbacks_of(w)->heap_reference_callback(
        JVMTI_HEAP_REFERENCE_JNI_GLOBAL - JVMTI_HEAP_ROOT_JNI_GLOBAL + root->kind,
        is_local ? &info : NULL, to->class_tag, 0, view_size(to), &to->tag, NULL,
        view_length(to), w->user_data));
}

static struct walk
new_walk(struct jvmti_env *env, jint heap_filter, struct class *klass,
         const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    return (struct walk){
        .env = env,
        .user_data = (void *)(uintptr_t)user_data,
        .callbacks = callbacks,
        .klass = klass,
        .filter = heap_filter,
        .values = wants_values(callbacks) ? visit_values : NULL,
    };
}

jvmtiError
jvmti_FollowReferences(struct jvmti_env *env, jint heap_filter, struct class *klass,
                       struct object *initial_object,
                       const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    struct walk w = new_walk(env, heap_filter, klass, callbacks, user_data);

    if (callbacks->heap_reference_callback != NULL) {
        w.root = report_root;
        w.edge = report_edge;
    }
    return walk_references(&w, initial_object, false);
}

static bool
report_object(void *walk, struct object *o)
{
    struct walk *w = walk;
    const jvmtiHeapCallbacks *callbacks = w->callbacks;
    struct view view;

    if (w->klass != NULL && w->klass != object_class(o))
        return true;
    view_open(w, &view, o);
    if (!view_passes(w, &view))
        return true;
    if (callbacks->heap_iteration_callback != NULL) {
        jint flags = callbacks->heap_iteration_callback(
            view.class_tag, view_size(&view), &view.tag, view_length(&view),
            w->user_data);
        if (!go_on(w, &view, flags))
            return false;
    }
    return w->values == NULL || report_values(w, &view);
}

jvmtiError
jvmti_IterateThroughHeap(struct jvmti_env *env, jint heap_filter, struct class *klass,
                         const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    struct walk w = new_walk(env, heap_filter, klass, callbacks, user_data);

    return walk_heap(&w, report_object);
}

jvmtiError
jvmti_ForceGarbageCollection(void)
{
    vm_collect(current_thread, "ForceGarbageCollection", false);
    return JVMTI_ERROR_NONE;
}
