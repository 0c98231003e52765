/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_values.c -- the values that a heap walk reports: of primitive
 * fields, of arrays of primitive types and of strings (JVM TI
 * "jvmtiPrimitiveFieldCallback" and the two behind it). */

#include "jvmti/heap_walk.h"

#include "linking/class.h"

/* Returns the value of a primitive field of an object. */
static inline jvalue
field_value(const struct object *o, const struct heap_field *f)
{
    switch (f->type) {
    case 'Z':
    case 'B': return (jvalue){ .b = OBJECT_FIELD(jbyte, o, f->offset) };
    case 'C':
    case 'S': return (jvalue){ .s = OBJECT_FIELD(jshort, o, f->offset) };
    case 'I':
    case 'F': return (jvalue){ .i = OBJECT_FIELD(jint, o, f->offset) };
    default: return (jvalue){ .j = OBJECT_FIELD(jlong, o, f->offset) };
    }
}

/* Reports the primitive fields of the visited object: of an instance of c by their list
   and kind, or the static ones of c itself. */
static bool
report_fields(struct walk *w, struct class *c, jvmtiHeapReferenceKind kind,
              enum heap_field_list list)
{
    struct view *v = &w->visited;
    const struct heap_fields *fields = heap_fields_get(w, c);

    if (!fields)
        return false;
    FOR_EACH_HEAP_FIELD(f, fields, list)
    {
        jvmtiHeapReferenceInfo info = { .field.index = f->index };
        jint flags = w->callbacks->primitive_field_callback(
            kind, &info, v->class_tag, &v->tag, field_value(v->object, f),
            (jvmtiPrimitiveType)f->type, w->user_data);
        if (!walk_goes_on(w, flags))
            return false;
    }
    return true;
}

/* Reports the static fields of the class whose mirror is visited.  Before a class is
   linked it has none to report, as GetClassFields is refused then. */
static bool
report_statics(struct walk *w)
{
    struct class *c = class_of_mirror(w->visited.object);

    return !c || c->primitive || class_is_array(c) || class_state(c) == CLASS_LOADED
           || report_fields(w, c, JVMTI_HEAP_REFERENCE_STATIC_FIELD, STATIC_PRIMITIVES);
}

/* Reports the elements of the visited primitive array. */
static bool
report_array(struct walk *w)
{
    struct view *v = &w->visited;
    jint flags = w->callbacks->array_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, array_length(v->object),
        (jvmtiPrimitiveType)object_class(v->object)->element->primitive,
        array_data(v->object), w->user_data);

    return walk_goes_on(w, flags);
}

/* Returns the characters of a string that is stored in Latin-1, in w->chars; NULL if
   memory is short. */
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

/* Reports the characters of the visited string. */
static bool
report_string(struct walk *w)
{
    struct view *v = &w->visited;
    const struct object *bytes = REF_FIELD(w->vm, v->object, String_value);
    int wide = OBJECT_FIELD(int8_t, v->object, KF(w->vm, String_coder));
    const jchar *chars;
    jint length, flags;

    /* Its constructor has not run yet. */
    if (!bytes)
        return true;
    length = array_length(bytes) >> wide;
    chars = wide ? ARRAY_CHARS(bytes) : widen(w, bytes, (size_t)length);
    if (!chars)
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    flags = w->callbacks->string_primitive_value_callback(
        v->class_tag, view_size(v), &v->tag, chars, length, w->user_data);
    return walk_goes_on(w, flags);
}

/* Reports the values of the visited object to the callbacks for them; returns false if
   the walk is over.  A callback that is NULL is passed by.  For a mirror the static
   fields of its class are reported, and for a string its characters besides its
   fields. */
bool
walk_report_values(struct walk *w)
{
    const jvmtiHeapCallbacks *callbacks = w->callbacks;
    struct class *c = object_class(w->visited.object);

    if (c->layout.kind == LAYOUT_PRIMITIVE_ARRAY)
        return !callbacks->array_primitive_value_callback || report_array(w);
    if (c->layout.kind == LAYOUT_REFERENCE_ARRAY)
        return true;
    if (callbacks->primitive_field_callback
        && !(c->layout.kind == LAYOUT_MIRROR
                 ? report_statics(w)
                 : report_fields(w, c, JVMTI_HEAP_REFERENCE_FIELD, PRIMITIVES)))
        return false;
    return !callbacks->string_primitive_value_callback || c != KC(w->vm, String)
           || report_string(w);
}
