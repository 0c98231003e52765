/* SPDX-License-Identifier: MIT */
/* minivm/jni/reference.c -- references and objects (JNI "Global and Local
 * References", "Object Operations"), and the table. */

#include "jni/functions.h"
#include "jni/entry.h"

#include "vm/exception.h"
#include "vm/wellknown.h"

/* -Xcheck:jni: so many more references may live. */
static bool
reserve(struct thread *self, jint capacity)
{
    struct native_refs *n = self->natives;

    if (n && capacity > 0 && self->vm->options.check_jni
        && ref_live(self) + (size_t)capacity > n->capacity)
        n->capacity = ref_live(self) + (size_t)capacity;
    return capacity >= 0;
}

static jint
ok_or_out_of_memory(struct thread *self, bool is_ok)
{
    if (is_ok)
        return JNI_OK;
    throw_out_of_memory(self, "local references");
    return JNI_ERR;
}

JVM_VALUE(jint, jni_PushLocalFrame, (JNIEnv *env, jint capacity),
          ok_or_out_of_memory(self, reserve(self, capacity) && ref_push_frame(self)))
JVM_VALUE(jint, jni_EnsureLocalCapacity, (JNIEnv *env, jint capacity),
          ok_or_out_of_memory(self, reserve(self, capacity)))

jobject JNICALL
jni_PopLocalFrame(JNIEnv *env, jobject result)
{
    VM_ENTRY(env);
    struct object *o = keep(self, ref_get(result));

    ref_pop_frame(self);
    return object_ref(self, o);
}

JVM_VALUE(jobject, jni_NewLocalRef, (JNIEnv *env, jobject r),
          object_ref(self, ref_get(r)))
JVM_VALUE(jobject, jni_NewGlobalRef, (JNIEnv *env, jobject r),
          ref_new_global(self, ref_get(r)))
JVM_VALUE(jweak, jni_NewWeakGlobalRef, (JNIEnv *env, jobject r),
          ref_new_weak(self, ref_get(r)))
JVM_ACTION(jni_DeleteLocalRef, (JNIEnv *env, jobject r), ref_delete_local(self, r))
JVM_ACTION(jni_DeleteGlobalRef, (JNIEnv *env, jobject r),
           if (r) ref_delete_global(self->vm, r))
JVM_ACTION(jni_DeleteWeakGlobalRef, (JNIEnv *env, jweak r),
           if (r) ref_delete_weak(self->vm, r))
JVM_VALUE(jboolean, jni_IsSameObject, (JNIEnv *env, jobject a, jobject b),
          ref_get(a) == ref_get(b))

jobjectRefType JNICALL
jni_GetObjectRefType(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    if (!r)
        return JNIInvalidRefType;
    if (ref_tag(r) == REF_LOCAL)
        return ref_is_local(self, r) ? JNILocalRefType : JNIInvalidRefType;
    if (!ref_is_valid_global(self->vm, r))
        return JNIInvalidRefType;
    return ref_tag(r) == REF_WEAK ? JNIWeakGlobalRefType : JNIGlobalRefType;
}

JVM_VALUE(jclass, jni_GetObjectClass, (JNIEnv *env, jobject r),
          class_ref(self, object_class(ref_get(r))))
JVM_VALUE(jboolean, jni_IsInstanceOf, (JNIEnv *env, jobject r, jclass clazz),
          !ref_get(r) || object_is_instance(ref_get(r), ref_class(clazz)))
JVM_PLAIN(jboolean, jni_IsVirtualThread, (JNIEnv *env UNUSED, jobject r UNUSED),
          JNI_FALSE)

static struct JNINativeInterface_ table = JNI_TABLE;

enum { TABLE_SLOTS = sizeof table / sizeof(void *) };

void
jni_table_read(struct JNINativeInterface_ *to)
{
    *to = table;
}

/* Slot by slot: threads call through it meanwhile. */
void
jni_table_write(const struct JNINativeInterface_ *from)
{
    for (int i = 0; i < TABLE_SLOTS; i++)
        __atomic_store_n((void **)&table + i, ((void *const *)from)[i],
                         __ATOMIC_RELEASE);
}

void
jni_init(struct vm *vm)
{
    if (vm->options.check_jni)
        jni_table_write(jni_checked_table());
    vm->jni_functions = &table;
}
