/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_array.c -- JVM_ functions of java.lang.reflect.Array, and the
 * conversions that all of reflection shares. */

#include "interp/interp.h"
#include "jdk/jvm.h"
#include "jdk/widen.h"
#include "vm/exception.h"
#include "vm/link.h"

/* ---- conversions ---- */

static bool
mismatch(struct thread *self)
{
    THROW(self, IllegalArgumentException, "argument type mismatch");
    return false;
}

/* The types that one can be widened to. */
static const char *
wider_than(char type)
{
    switch (type) {
    case 'B':
        return "SIJFD";
    case 'S': case 'C':
        return "IJFD";
    case 'I':
        return "JFD";
    case 'J':
        return "FD";
    case 'F':
        return "D";
    default:
        return "";
    }
}

static union slot
convert(union slot from, char type, char to)
{
    union slot result = from;

    switch (to) {
    case 'J':
        result.j = from.i;
        break;
    case 'F':
        result.f = type == 'J' ? (float)from.j : (float)from.i;
        break;
    case 'D':
        result.d = type == 'J' ? (double)from.j : type == 'F' ? from.f : from.i;
        break;
    default:
        break;
    }
    return result;
}

bool
widen_value(struct thread *self, union slot *value, char from, char to)
{
    const char *wider = wider_than(from);

    if (from == to)
        return true;
    while (*wider && *wider != to)
        wider++;
    if (!*wider)
        return mismatch(self);
    *value = convert(*value, from, to);
    return true;
}

bool
unbox_widened(struct thread *self, const struct object *box, char to, union slot *value)
{
    if (!box) {
        THROW0(self, IllegalArgumentException);
        return false;
    }
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
    if (index >= 0 && index < array_length(a))
        return true;
    THROW0(self, ArrayIndexOutOfBoundsException);
    return false;
}

static union slot
load_element(const struct object *a, jint index)
{
    union slot s = { .bits = 0 };

    switch (element_type(a)) {
    case 'Z': case 'B':
        s.i = ARRAY_BYTES(a)[index];
        break;
    case 'C':
        s.i = ARRAY_CHARS(a)[index];
        break;
    case 'S':
        s.i = ARRAY_SHORTS(a)[index];
        break;
    case 'I': case 'F':
        s.i = ARRAY_INTS(a)[index];
        break;
    case 'J': case 'D':
        s.j = ARRAY_LONGS(a)[index];
        break;
    default:
        s.ref = ARRAY_REFS(a)[index];
        break;
    }
    return s;
}

static void
store_element(struct object *a, jint index, union slot s)
{
    switch (element_type(a)) {
    case 'Z':
        ARRAY_BYTES(a)[index] = s.i & 1;
        break;
    case 'B':
        ARRAY_BYTES(a)[index] = (int8_t)s.i;
        break;
    case 'C': case 'S':
        ARRAY_SHORTS(a)[index] = (int16_t)s.i;
        break;
    case 'I': case 'F':
        ARRAY_INTS(a)[index] = s.i;
        break;
    case 'J': case 'D':
        ARRAY_LONGS(a)[index] = s.j;
        break;
    default:
        __atomic_store_n(&ARRAY_REFS(a)[index], s.ref, __ATOMIC_RELAXED);
        break;
    }
}

/* The JDK's codes of primitive types, as newarray has them (JVMS 6.5). */
static char
type_of_code(jint code)
{
    static const char types[] = "ZCFDBSIJ";

    return code >= 4 && code <= 11 ? types[code - 4] : 0;
}

static jvalue
value_of_slot(union slot s, char type)
{
    jvalue v = { .j = 0 };

    switch (type) {
    case 'Z':
        v.z = s.i != 0;
        break;
    case 'B':
        v.b = (jbyte)s.i;
        break;
    case 'C':
        v.c = (jchar)s.i;
        break;
    case 'S':
        v.s = (jshort)s.i;
        break;
    case 'I':
        v.i = s.i;
        break;
    case 'F':
        v.f = s.f;
        break;
    case 'J':
        v.j = s.j;
        break;
    default:
        v.d = s.d;
        break;
    }
    return v;
}

static union slot
slot_of_value(jvalue v, char type)
{
    union slot s = { .bits = 0 };

    switch (type) {
    case 'Z':
        s.i = v.z;
        break;
    case 'B':
        s.i = v.b;
        break;
    case 'C':
        s.i = v.c;
        break;
    case 'S':
        s.i = v.s;
        break;
    case 'I':
        s.i = v.i;
        break;
    case 'F':
        s.f = v.f;
        break;
    case 'J':
        s.j = v.j;
        break;
    default:
        s.d = v.d;
        break;
    }
    return s;
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
    union slot s = load_element(a, index);
    return object_ref(self, element_type(a) == 'L'
                                ? s.ref
                                : box_value(self, element_type(a), s));
}

JNIEXPORT jvalue JNICALL
JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jint code)
{
    VM_ENTRY(env);
    const struct object *a = check_array(self, array, true);
    char type = type_of_code(code);
    jvalue none = { .j = 0 };

    if (!a || !check_index(self, a, index))
        return none;
    union slot s = load_element(a, index);
    return widen_value(self, &s, element_type(a), type) ? value_of_slot(s, type) : none;
}

JNIEXPORT void JNICALL
JVM_SetArrayElement(JNIEnv *env, jobject array, jint index, jobject value)
{
    VM_ENTRY(env);
    struct object *a = check_array(self, array, false);
    union slot s = { .ref = ref_get(value) };
    char type;

    if (!a)
        return;
    type = element_type(a);
    /* A null for a primitive is refused before the index is looked at. */
    if ((type == 'L' || s.ref) && !check_index(self, a, index))
        return;
    if (type != 'L' && !unbox_widened(self, s.ref, type, &s))
        return;
    if (type == 'L' && s.ref && !object_is_instance(s.ref, object_class(a)->element))
        THROW(self, IllegalArgumentException, "array element type mismatch");
    else
        store_element(a, index, s);
}

JNIEXPORT void JNICALL
JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jvalue value,
                             unsigned char code)
{
    VM_ENTRY(env);
    struct object *a = check_array(self, array, true);
    char type = type_of_code(code);
    union slot s;

    if (!a || !check_index(self, a, index))
        return;
    s = slot_of_value(value, type);
    if (widen_value(self, &s, type, element_type(a)))
        store_element(a, index, s);
}

/* ---- new arrays ---- */

enum { MAX_DIMENSIONS = 255 };

/* The class of arrays of that many dimensions more; NULL with an exception pending. */
static struct class *
array_class(struct thread *self, jclass element, int dimensions)
{
    struct class *c;

    if (!element) {
        THROW0(self, NullPointerException);
        return NULL;
    }
    c = ref_class(element);
    if (c->primitive == 'V' || c->dimensions + dimensions > MAX_DIMENSIONS) {
        THROW0(self, IllegalArgumentException);
        return NULL;
    }
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

    if (!element || !l) {
        THROW0(self, NullPointerException);
        return NULL;
    }
    int32_t n = array_length(l);
    if (n == 0 || n > MAX_DIMENSIONS) {
        THROW0(self, IllegalArgumentException);
        return NULL;
    }
    for (int32_t i = 0; i < n; i++) {
        counts[i].i = ARRAY_INTS(l)[i];
        if (counts[i].i < 0) {
            THROW(self, NegativeArraySizeException, "%d", counts[i].i);
            return NULL;
        }
    }
    struct class *c = array_class(self, element, n);
    return c ? made(self, new_multi_array(self, c, n, counts)) : NULL;
}
