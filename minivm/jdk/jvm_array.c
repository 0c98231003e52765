/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_array.c -- JVM_ functions of java.lang.reflect.Array, and the
 * conversions that all of reflection shares.
 *
 * Array.get and its like take any array, so each function checks at run time what the
 * bytecode instructions know from the class file: that the object is an array, that the
 * index is within it, that the value fits the elements.  Values of a primitive type
 * other than the elements' are widened (JLS 5.1.2). */

#include <string.h>

#include "jdk/jvm.h"
#include "runtime/boxing.h"

/* ---- conversions ---- */

/*
 * Converts *value from one primitive type to a wider one (JLS 5.1.2), given by
 * descriptor characters.  A byte, short or char has the same bits in a slot as the int,
 * or the short, that it becomes, so it stays as it is.
 */
bool
widen_value(struct thread *self, union slot *value, char from, char to)
{
    static const char *const wider_than['Z' + 1] = {
        ['B'] = "SIJFD", ['S'] = "IJFD", ['C'] = "IJFD",
        ['I'] = "JFD",   ['J'] = "FD",   ['F'] = "D"
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

/* Returns the descriptor character of the elements' type, 'L' for references. */
static char
element_type(const struct object *array)
{
    char type = object_class(array)->element->primitive;

    return type ? type : 'L';
}

/*
 * Returns the object if it is an array, of primitives if primitive_only; else NULL with
 * an exception pending.
 */
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

/*
 * Returns false with ArrayIndexOutOfBoundsException pending if index is not within a.
 */
static bool
check_index(struct thread *self, const struct object *a, jint index)
{
    return (index >= 0 && index < array_length(a))
           || THROW0(self, ArrayIndexOutOfBoundsException);
}

/* Returns where an element is; index is within a. */
static void *
element_address(const struct object *a, jint index)
{
    return (char *)array_data(a)
           + ((size_t)index << object_class(a)->layout.element_shift);
}

/*
 * Returns the descriptor character of a primitive type's code, which is that of the
 * instruction newarray (JVMS 6.5); 0 for other codes.
 */
static char
type_of_code(jint code)
{
    static const char types[] = "ZCFDBSIJ";

    return code >= 4 && code <= 11 ? types[code - 4] : 0;
}

/* ---- the functions ---- */

/* Array.getLength. */
JNIEXPORT jint JNICALL
JVM_GetArrayLength(JNIEnv *env, jobject array)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, false);

    return a ? array_length(a) : 0;
}

/* Array.get: boxes a primitive. */
JNIEXPORT jobject JNICALL
JVM_GetArrayElement(JNIEnv *env, jobject array, jint index)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, false);

    if (!a || !check_index(self, a, index))
        return NULL;
    char type = element_type(a);
    void *element = element_address(a, index);
    return object_ref(self, type == 'L'
                                ? *(struct object **)element
                                : box_value(self, type, value_load(element, type)));
}

/* Array.getInt and its like: the element, widened to the type that code says. */
JNIEXPORT jvalue JNICALL
JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jint code)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, true);
    char type = type_of_code(code);
    jvalue result = { .j = 0 };

    if (!a || !check_index(self, a, index))
        return result;
    union slot s = value_load(element_address(a, index), element_type(a));
    if (widen_value(self, &s, element_type(a), type))
        value_store(&result, type, s);
    return result;
}

/* Array.set: unboxes and widens the value for an array of primitives. */
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
        value_store(element_address(a, index), type, s);
}

/*
 * Array.setInt and its like: value has the type that code says.  widen_value refuses a
 * code that is none, whose type is 0.
 */
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
        value_store(element_address(a, index), element_type(a), s);
}

/* ---- new arrays ---- */

/* The most dimensions that an array has (JVMS 4.3.2). */
enum { MAX_DIMENSIONS = 255 };

/*
 * Returns the class of arrays that have element's class under dimensions further
 * dimensions; NULL with an exception pending.
 */
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

/*
 * Returns a local reference to a new array, and reports it as VMObjectAlloc (JVM TI);
 * NULL for NULL.
 */
static jobject
new_array_ref(struct thread *self, struct object *array)
{
    return object_ref(self, object_made_by_vm(self, array));
}

/* Array.newArray. */
JNIEXPORT jobject JNICALL
JVM_NewArray(JNIEnv *env, jclass element, jint length)
{
    VM_ENTRY(env);
    struct class *c = NULL;

    if (element && length < 0)
        THROW(self, NegativeArraySizeException, "%d", length);
    else
        c = array_class(self, element, 1);
    return c ? new_array_ref(self, array_new_checked(self, c, length)) : NULL;
}

/* Array.multiNewArray. */
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
    return c ? new_array_ref(self, array_new_multi(self, c, n, counts)) : NULL;
}
