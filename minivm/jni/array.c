/* SPDX-License-Identifier: MIT */
/* minivm/jni/array.c -- JNI "Array Operations".
 *
 * The functions for the eight primitive types differ in the type only: those in front
 * do the work and take the size of an element from the array's layout.  Objects do not
 * move, so the critical functions hand out the array's own memory.  The others hand out
 * a copy, since what was written must be lost when it is released with JNI_ABORT. */

#include "jni/entry.h"
#include "jni/functions.h"

#include <string.h>

#include "base/mem.h"
#include "interp/interp.h"
#include "runtime/above.h"
#include "runtime/exception.h"

jsize JNICALL
jni_GetArrayLength(JNIEnv *env, jarray array)
{
    VM_ENTRY(env);

    return array_length(ref_get(array));
}

/* The sum is computed in 64 bits, since start + count may be more than a jsize has. */
bool
jni_region_fits(struct thread *self, const struct object *array, jsize start,
                jsize count)
{
    int32_t length = array_length(array);

    if (start >= 0 && count >= 0 && (int64_t)start + count <= length)
        return true;
    if (count < 0)
        return THROW(self, ArrayIndexOutOfBoundsException, "Length %d is negative",
                     count);
    return THROW(self, ArrayIndexOutOfBoundsException,
                 "Array region %d..%lld out of bounds for length %d", start,
                 (long long)start + count, length);
}

/* Returns true if the array has an element of that index; else false with
   ArrayIndexOutOfBoundsException pending. */
static bool
has_element(struct thread *self, const struct object *array, jsize index)
{
    return (index >= 0 && index < array_length(array))
           || throw_array_index(self, array, index);
}

/* ---- arrays of objects ---- */

/* Whether the initial element is an instance of the elements' class is not checked: the
   caller sees to it.  A negative length throws NegativeArraySizeException. */
jobjectArray JNICALL
jni_NewObjectArray(JNIEnv *env, jsize length, jclass element, jobject initial)
{
    VM_ENTRY(env);
    struct class *c = class_array_of(self, ref_class(element));
    struct object *a = c ? array_new_checked(self, c, length) : NULL;
    struct object *value = ref_get(initial);

    for (jsize i = 0; a && value && i < length; i++)
        ARRAY_REFS(a)[i] = value;
    return object_ref(self, a);
}

jobject JNICALL
jni_GetObjectArrayElement(JNIEnv *env, jobjectArray array, jsize index)
{
    VM_ENTRY(env);
    struct object *a = ref_get(array);

    if (!has_element(self, a, index))
        return NULL;
    return object_ref(self, __atomic_load_n(&ARRAY_REFS(a)[index], __ATOMIC_RELAXED));
}

void JNICALL
jni_SetObjectArrayElement(JNIEnv *env, jobjectArray array, jsize index, jobject value)
{
    VM_ENTRY(env);
    struct object *a = ref_get(array), *o = ref_get(value);

    if (!has_element(self, a, index))
        return;
    if (o && !object_is_instance(o, object_class(a)->element))
        THROW(self, ArrayStoreException, "type mismatch: can not store %pC to %pC[%d]",
              object_class(o), object_class(a)->element, index);
    else
        __atomic_store_n(&ARRAY_REFS(a)[index], o, __ATOMIC_RELAXED);
}

/* ---- critical sections ---- */

void *JNICALL
jni_GetPrimitiveArrayCritical(JNIEnv *env, jarray array, jboolean *is_copy)
{
    VM_ENTRY(env);

    if (is_copy)
        *is_copy = JNI_FALSE;
    return array_data(ref_get(array));
}

/* There is nothing to do: the memory is the array's own. */
void JNICALL
jni_ReleasePrimitiveArrayCritical(JNIEnv *env, jarray array, void *memory, jint mode)
{
    (void)env;
    (void)array;
    (void)memory;
    (void)mode;
}

/* ---- arrays of primitive types: the work ---- */

/* Returns the size of count elements of an array in bytes. */
static size_t
elements_size(const struct object *array, jsize count)
{
    return (size_t)count << object_layout(array)->element_shift;
}

/* Returns a new array; type is the character of the element type's descriptor. */
static jarray
new_array(JNIEnv *env, jsize length, char type)
{
    VM_ENTRY(env);
    struct class *c = self->vm->known.primitive_arrays[type - 'A'];

    return object_ref(self, array_new_checked(self, c, length));
}

/* Returns a copy of the elements, which release_elements frees; NULL with
   OutOfMemoryError pending. */
static void *
get_elements(JNIEnv *env, jarray array, jboolean *is_copy)
{
    VM_ENTRY(env);
    const struct object *a = ref_get(array);
    size_t size = elements_size(a, array_length(a));
    void *copy = mem_try_alloc(size ? size : 1);

    if (!copy)
        return throw_out_of_memory(self, "native memory");
    memcpy(copy, array_data(a), size);
    if (is_copy)
        *is_copy = JNI_TRUE;
    return copy;
}

/* Copies the elements back unless mode is JNI_ABORT, and frees the copy unless mode is
   JNI_COMMIT. */
static void
release_elements(JNIEnv *env, jarray array, void *elements, jint mode)
{
    VM_ENTRY(env);
    const struct object *a = ref_get(array);

    if (mode != JNI_ABORT)
        memcpy(array_data(a), elements, elements_size(a, array_length(a)));
    if (mode != JNI_COMMIT)
        mem_free(elements);
}

/* Copies a region of the array to native memory, or the other way.  Nothing is copied
   if the region does not fit; ArrayIndexOutOfBoundsException is pending then. */
static void
get_region(JNIEnv *env, jarray array, jsize start, jsize count, void *to)
{
    VM_ENTRY(env);
    const struct object *a = ref_get(array);

    if (jni_region_fits(self, a, start, count))
        memcpy(to, (char *)array_data(a) + elements_size(a, start),
               elements_size(a, count));
}

/* As get_region, from native memory to the array. */
static void
set_region(JNIEnv *env, jarray array, jsize start, jsize count, const void *from)
{
    VM_ENTRY(env);
    const struct object *a = ref_get(array);

    if (jni_region_fits(self, a, start, count))
        memcpy((char *)array_data(a) + elements_size(a, start), from,
               elements_size(a, count));
}

/* ---- arrays of primitive types: the functions ---- */

jbooleanArray JNICALL
jni_NewBooleanArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'Z');
}

jboolean *JNICALL
jni_GetBooleanArrayElements(JNIEnv *env, jbooleanArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseBooleanArrayElements(JNIEnv *env, jbooleanArray array, jboolean *elements,
                                jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetBooleanArrayRegion(JNIEnv *env, jbooleanArray array, jsize start, jsize count,
                          jboolean *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetBooleanArrayRegion(JNIEnv *env, jbooleanArray array, jsize start, jsize count,
                          const jboolean *from)
{
    set_region(env, array, start, count, from);
}

jbyteArray JNICALL
jni_NewByteArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'B');
}

jbyte *JNICALL
jni_GetByteArrayElements(JNIEnv *env, jbyteArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseByteArrayElements(JNIEnv *env, jbyteArray array, jbyte *elements, jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetByteArrayRegion(JNIEnv *env, jbyteArray array, jsize start, jsize count,
                       jbyte *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetByteArrayRegion(JNIEnv *env, jbyteArray array, jsize start, jsize count,
                       const jbyte *from)
{
    set_region(env, array, start, count, from);
}

jcharArray JNICALL
jni_NewCharArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'C');
}

jchar *JNICALL
jni_GetCharArrayElements(JNIEnv *env, jcharArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseCharArrayElements(JNIEnv *env, jcharArray array, jchar *elements, jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetCharArrayRegion(JNIEnv *env, jcharArray array, jsize start, jsize count,
                       jchar *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetCharArrayRegion(JNIEnv *env, jcharArray array, jsize start, jsize count,
                       const jchar *from)
{
    set_region(env, array, start, count, from);
}

jshortArray JNICALL
jni_NewShortArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'S');
}

jshort *JNICALL
jni_GetShortArrayElements(JNIEnv *env, jshortArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseShortArrayElements(JNIEnv *env, jshortArray array, jshort *elements,
                              jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetShortArrayRegion(JNIEnv *env, jshortArray array, jsize start, jsize count,
                        jshort *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetShortArrayRegion(JNIEnv *env, jshortArray array, jsize start, jsize count,
                        const jshort *from)
{
    set_region(env, array, start, count, from);
}

jintArray JNICALL
jni_NewIntArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'I');
}

jint *JNICALL
jni_GetIntArrayElements(JNIEnv *env, jintArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseIntArrayElements(JNIEnv *env, jintArray array, jint *elements, jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetIntArrayRegion(JNIEnv *env, jintArray array, jsize start, jsize count, jint *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetIntArrayRegion(JNIEnv *env, jintArray array, jsize start, jsize count,
                      const jint *from)
{
    set_region(env, array, start, count, from);
}

jlongArray JNICALL
jni_NewLongArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'J');
}

jlong *JNICALL
jni_GetLongArrayElements(JNIEnv *env, jlongArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseLongArrayElements(JNIEnv *env, jlongArray array, jlong *elements, jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetLongArrayRegion(JNIEnv *env, jlongArray array, jsize start, jsize count,
                       jlong *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetLongArrayRegion(JNIEnv *env, jlongArray array, jsize start, jsize count,
                       const jlong *from)
{
    set_region(env, array, start, count, from);
}

jfloatArray JNICALL
jni_NewFloatArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'F');
}

jfloat *JNICALL
jni_GetFloatArrayElements(JNIEnv *env, jfloatArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseFloatArrayElements(JNIEnv *env, jfloatArray array, jfloat *elements,
                              jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetFloatArrayRegion(JNIEnv *env, jfloatArray array, jsize start, jsize count,
                        jfloat *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetFloatArrayRegion(JNIEnv *env, jfloatArray array, jsize start, jsize count,
                        const jfloat *from)
{
    set_region(env, array, start, count, from);
}

jdoubleArray JNICALL
jni_NewDoubleArray(JNIEnv *env, jsize length)
{
    return new_array(env, length, 'D');
}

jdouble *JNICALL
jni_GetDoubleArrayElements(JNIEnv *env, jdoubleArray array, jboolean *is_copy)
{
    return get_elements(env, array, is_copy);
}

void JNICALL
jni_ReleaseDoubleArrayElements(JNIEnv *env, jdoubleArray array, jdouble *elements,
                               jint mode)
{
    release_elements(env, array, elements, mode);
}

void JNICALL
jni_GetDoubleArrayRegion(JNIEnv *env, jdoubleArray array, jsize start, jsize count,
                         jdouble *to)
{
    get_region(env, array, start, count, to);
}

void JNICALL
jni_SetDoubleArrayRegion(JNIEnv *env, jdoubleArray array, jsize start, jsize count,
                         const jdouble *from)
{
    set_region(env, array, start, count, from);
}
