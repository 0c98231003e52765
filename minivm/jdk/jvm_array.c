/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_array.c -- JVM_ functions of java.lang.reflect.Array, and the
 * conversions that all of reflection shares. */

#include <string.h>

#include "jdk/jvm.h"

/* ---- conversions ---- */

bool
widen_value(struct thread *self, union slot *value, char from, char to)
{
    static const char *const wider_than['Z' + 1] = {
        ['B'] = "SIJFD", ['S'] = "IJFD", ['C'] = "IJFD", ['I'] = "JFD", ['J'] = "FD",
        ['F'] = "D"
    };
    const char *wider = wider_than[(unsigned char)from];
    union slot v = *value;

    if (from == to)
        return true;
    if (!wider || !to || !strchr(wider, to))
        return THROW(self, IllegalArgumentException, "argument type mismatch");
    if (to == 'J')
        value->j = v.i;
    else if (to == 'F')
        value->f = from == 'J' ? (float)v.j : (float)v.i;
    else if (to == 'D')
        value->d = from == 'J' ? (double)v.j : from == 'F' ? v.f : v.i;
    return true;
}

bool
unbox_widened(struct thread *self, const struct object *box, char to, union slot *value)
{
    if (!box)
        return THROW0(self, IllegalArgumentException);
    return widen_value(self, value, unbox_value(self->vm, box, value), to);
}

/* ---- elements ---- */

static char
element_type(const struct object *array)
{
    char type = object_class(array)->element->primitive;

    return type ? type : 'L';
}

static struct object *
check_array(struct thread *self, jobject array, bool primitive_only)
{
    struct object *a = ref_get(array);

    if (!a)
        THROW0(self, NullPointerException);
    else if (!class_is_array(object_class(a)))
        THROW(self, IllegalArgumentException, "Argument is not an array");
    else if (primitive_only && element_type(a) == 'L')
        THROW(self, IllegalArgumentException,
              "Argument is not an array of primitive type");
    else
        return a;
    return NULL;
}

static bool
check_index(struct thread *self, const struct object *a, jint index)
{
    return (index >= 0 && index < array_length(a))
           || THROW0(self, ArrayIndexOutOfBoundsException);
}

static void *
element_place(const struct object *a, jint index)
{
    return (char *)array_data(a)
           + ((size_t)index << object_class(a)->layout.element_shift);
}

/* The JDK's codes of primitive types, as newarray has them (JVMS 6.5). */
static char
type_of_code(jint code)
{
    static const char types[] = "ZCFDBSIJ";

    return code >= 4 && code <= 11 ? types[code - 4] : 0;
}

/* ---- the functions ---- */

JNIEXPORT jint JNICALL
JVM_GetArrayLength(JNIEnv *env, jobject array)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, false);

    return a ? array_length(a) : 0;
}

JNIEXPORT jobject JNICALL
JVM_GetArrayElement(JNIEnv *env, jobject array, jint index)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, false);

    if (!a || !check_index(self, a, index))
        return NULL;
    char type = element_type(a);
    void *place = element_place(a, index);
    return object_ref(self,
                      type == 'L' ? *(struct object **)place
                                  : box_value(self, type, value_load(place, type)));
}

JNIEXPORT jvalue JNICALL
JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jint code)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, true);
    char type = type_of_code(code);
    jvalue result = { .j = 0 };

    if (!a || !check_index(self, a, index))
        return result;
    union slot s = value_load(element_place(a, index), element_type(a));
    if (widen_value(self, &s, element_type(a), type))
        value_store(&result, type, s);
    return result;
}

JNIEXPORT void JNICALL
JVM_SetArrayElement(JNIEnv *env, jobject array, jint index, jobject value)
{
    VM_ENTRY(env);
    struct object *a = check_array(self, array, false);
    union slot s = { .ref = ref_get(value) };

    if (!a)
        return;
    char type = element_type(a);
    /* A null for a primitive is refused before the index is looked at. */
    if ((type == 'L' || s.ref) && !check_index(self, a, index))
        return;
    if (type != 'L' && !unbox_widened(self, s.ref, type, &s))
        return;
    if (type == 'L' && s.ref && !object_is_instance(s.ref, object_class(a)->element))
        THROW(self, IllegalArgumentException, "array element type mismatch");
    else if (type == 'L')
        __atomic_store_n(&ARRAY_REFS(a)[index], s.ref, __ATOMIC_RELAXED);
    else
        value_store(element_place(a, index), type, s);
}

JNIEXPORT void JNICALL
JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jvalue value,
                             unsigned char code)
{
    VM_ENTRY(env);
    struct object *a = check_array(self, array, true);
    char type = type_of_code(code);
    union slot s = value_load(&value, type);

    if (a && check_index(self, a, index)
        && widen_value(self, &s, type, element_type(a)))
        value_store(element_place(a, index), element_type(a), s);
}

/* ---- new arrays ---- */

enum { MAX_DIMENSIONS = 255 };

/* The class of arrays of that many dimensions more; NULL with an exception pending. */
static struct class *
array_class(struct thread *self, jclass element, int dimensions)
{
    if (!element)
        return THROW0(self, NullPointerException);
    struct class *c = ref_class(element);
    if (c->primitive == 'V' || c->dimensions + dimensions > MAX_DIMENSIONS)
        return THROW0(self, IllegalArgumentException);
    while (c && dimensions-- > 0)
        c = class_array_of(self, c);
    return c;
}

static jobject
made(struct thread *self, struct object *array)
{
    return object_ref(self, object_made_by_vm(self, array));
}

JNIEXPORT jobject JNICALL
JVM_NewArray(JNIEnv *env, jclass element, jint length)
{
    VM_ENTRY(env);
    struct class *c = NULL;

    if (element && length < 0)
        THROW(self, NegativeArraySizeException, "%d", length);
    else
        c = array_class(self, element, 1);
    return c ? made(self, new_array_checked(self, c, length)) : NULL;
}

JNIEXPORT jobject JNICALL
JVM_NewMultiArray(JNIEnv *env, jclass element, jintArray lengths)
{
    VM_ENTRY(env);
    const struct object *l = ref_get(lengths);
    union slot counts[MAX_DIMENSIONS];

    if (!element || !l)
        return THROW0(self, NullPointerException);
    int32_t n = array_length(l);
    if (n == 0 || n > MAX_DIMENSIONS)
        return THROW0(self, IllegalArgumentException);
    for (int32_t i = 0; i < n; i++) {
        counts[i].i = ARRAY_INTS(l)[i];
        if (counts[i].i < 0)
            return THROW(self, NegativeArraySizeException, "%d", counts[i].i);
    }
    struct class *c = array_class(self, element, n);
    return c ? made(self, new_multi_array(self, c, n, counts)) : NULL;
}
