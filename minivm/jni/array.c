/* SPDX-License-Identifier: MIT */
/* minivm/jni/array.c -- arrays and direct buffers (JNI "Array Operations", "NIO
 * Support").
 *
 * Objects do not move, so the critical functions hand out the array's own memory;
 * the others copy, since an aborted release must lose what was written. */

#include "jni/functions.h"
#include "jni/entry.h"

#include <string.h>

#include "base/mem.h"
#include "interp/interp.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"

JVM_VALUE(jsize, jni_GetArrayLength, (JNIEnv *env, jarray array),
          array_length(ref_get(array)))

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

/* The same of one element. */
static bool
has_element(struct thread *self, const struct object *array, jsize index)
{
    return (index >= 0 && index < array_length(array))
           || throw_index(self, array, index);
}

#define ARRAY_FAMILY(Name, jtype, promoted, member, slot_member, kind) \
jtype##Array JNICALL \
jni_New##Name##Array(JNIEnv *env, jsize length) \
{ \
    VM_ENTRY(env); \
    struct class *c = self->vm->known.primitive_arrays[kind - 'A']; \
    return object_ref(self, new_array_checked(self, c, length)); \
} \
jtype *JNICALL \
jni_Get##Name##ArrayElements(JNIEnv *env, jtype##Array array, jboolean *is_copy) \
{ \
    VM_ENTRY(env); \
    const struct object *a = ref_get(array); \
    size_t bytes = (size_t)array_length(a) * sizeof(jtype); \
    jtype *copy = mem_try_alloc(bytes ? bytes : 1); \
    if (!copy) \
        return throw_out_of_memory(self, "native memory"); \
    memcpy(copy, array_data(a), bytes); \
    if (is_copy) \
        *is_copy = JNI_TRUE; \
    return copy; \
} \
void JNICALL \
jni_Release##Name##ArrayElements(JNIEnv *env, jtype##Array array, jtype *elements, \
                                 jint mode) \
{ \
    VM_ENTRY(env); \
    const struct object *a = ref_get(array); \
    if (mode != JNI_ABORT) \
        memcpy(array_data(a), elements, (size_t)array_length(a) * sizeof(jtype)); \
    if (mode != JNI_COMMIT) \
        mem_free(elements); \
} \
void JNICALL \
jni_Get##Name##ArrayRegion(JNIEnv *env, jtype##Array array, jsize start, \
                           jsize count, jtype *to) \
{ \
    VM_ENTRY(env); \
    const struct object *a = ref_get(array); \
    if (jni_region_fits(self, a, start, count)) \
        memcpy(to, (jtype *)array_data(a) + start, (size_t)count * sizeof(jtype)); \
} \
void JNICALL \
jni_Set##Name##ArrayRegion(JNIEnv *env, jtype##Array array, jsize start, \
                           jsize count, const jtype *from) \
{ \
    VM_ENTRY(env); \
    const struct object *a = ref_get(array); \
    if (jni_region_fits(self, a, start, count)) \
        memcpy((jtype *)array_data(a) + start, from, (size_t)count * sizeof(jtype)); \
}
JNI_PRIMITIVES(ARRAY_FAMILY)

jobjectArray JNICALL
jni_NewObjectArray(JNIEnv *env, jsize length, jclass element, jobject initial)
{
    VM_ENTRY(env);
    struct class *c = class_array_of(self, ref_class(element));
    struct object *a = c ? new_array_checked(self, c, length) : NULL;
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

void *JNICALL
jni_GetPrimitiveArrayCritical(JNIEnv *env, jarray array, jboolean *is_copy)
{
    VM_ENTRY(env);
    if (is_copy)
        *is_copy = JNI_FALSE;
    return array_data(ref_get(array));
}

/* The memory is the array's own. */
JVM_PLAIN(void, jni_ReleasePrimitiveArrayCritical,
          (JNIEnv *env UNUSED, jarray array UNUSED, void *memory UNUSED,
           jint mode UNUSED), )

jobject JNICALL
jni_NewDirectByteBuffer(JNIEnv *env, void *address, jlong capacity)
{
    VM_ENTRY(env);
    if (capacity < 0 || capacity > INT32_MAX)
        return THROW(self, IllegalArgumentException,
                     "JNI NewDirectByteBuffer passed capacity < 0 or greater than "
                     "Integer.MAX_VALUE: %lld", (long long)capacity);
    struct class *c = class_load_boot(self, "java/nio/DirectByteBuffer");
    if (!c || !class_initialize(self, c))
        return NULL;
    struct method *m = class_own_method(c, symbol_of("<init>"), symbol_of("(JI)V"));
    struct object *o = keep(self, object_new(self, c));
    union slot args[4];
    args[0].ref = o;
    args[1].j = (int64_t)(uintptr_t)address;
    args[3].i = (int32_t)capacity;
    if (!o || !m || !java_call(self, m, args, NULL))
        return NULL;
    return object_ref(self, o);
}

static bool
is_direct(struct thread *self, jobject buffer)
{
    struct class *c =
        ref_get(buffer) ? class_load_boot(self, "sun/nio/ch/DirectBuffer") : NULL;

    return c && KC(self->vm, Buffer) && object_is_instance(ref_get(buffer), c);
}

JVM_VALUE(void *, jni_GetDirectBufferAddress, (JNIEnv *env, jobject buffer),
          is_direct(self, buffer)
              ? (void *)(uintptr_t)LONG_FIELD(self->vm, ref_get(buffer), Buffer_address)
              : NULL)
JVM_VALUE(jlong, jni_GetDirectBufferCapacity, (JNIEnv *env, jobject buffer),
          is_direct(self, buffer)
              ? INT_FIELD(self->vm, ref_get(buffer), Buffer_capacity) : -1)
