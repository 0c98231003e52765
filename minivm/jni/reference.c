/* SPDX-License-Identifier: MIT */
/* minivm/jni/reference.c -- JNI "Global and Local References", "Weak Global
 * References", "Object Operations".  What a reference is: runtime/refs.h. */

#include "jni/entry.h"
#include "jni/functions.h"

#include "runtime/exception.h"
#include "runtime/wellknown.h"

/* Returns false if the capacity is negative.  Local references need no reservation;
   only -Xcheck:jni compares their number with the capacity that native code has asked
   for. */
static bool
reserve(struct thread *self, jint capacity)
{
    struct native_invocation *n = self->native_invocations;

    if (n && capacity > 0 && self->vm->options.check_jni
        && ref_live(self) + (size_t)capacity > n->capacity)
        n->capacity = ref_live(self) + (size_t)capacity;
    return capacity >= 0;
}

/* Returns JNI_OK, or JNI_ERR with OutOfMemoryError pending.  A negative capacity is
   reported in this way, too, since the functions know no other error. */
static jint
ok_or_out_of_memory(struct thread *self, bool is_ok)
{
    if (is_ok)
        return JNI_OK;
    throw_out_of_memory(self, "local references");
    return JNI_ERR;
}

jint JNICALL
jni_PushLocalFrame(JNIEnv *env, jint capacity)
{
    VM_ENTRY(env);

    return ok_or_out_of_memory(self, reserve(self, capacity) && ref_push_frame(self));
}

jint JNICALL
jni_EnsureLocalCapacity(JNIEnv *env, jint capacity)
{
    VM_ENTRY(env);

    return ok_or_out_of_memory(self, reserve(self, capacity));
}

/* The result's object is kept by a handle while its reference goes with the frame, and
   gets a new one in the frame before. */
jobject JNICALL
jni_PopLocalFrame(JNIEnv *env, jobject result)
{
    VM_ENTRY(env);
    struct object *o = handle_new(self, ref_get(result));

    ref_pop_frame(self);
    return object_ref(self, o);
}

jobject JNICALL
jni_NewLocalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    return object_ref(self, ref_get(r));
}

jobject JNICALL
jni_NewGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    return ref_new_global(self, ref_get(r));
}

jweak JNICALL
jni_NewWeakGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    return ref_new_weak(self, ref_get(r));
}

void JNICALL
jni_DeleteLocalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    ref_delete_local(self, r);
}

void JNICALL
jni_DeleteGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    if (r)
        ref_delete_global(self->vm, r);
}

void JNICALL
jni_DeleteWeakGlobalRef(JNIEnv *env, jweak r)
{
    VM_ENTRY(env);

    if (r)
        ref_delete_weak(self->vm, r);
}

jboolean JNICALL
jni_IsSameObject(JNIEnv *env, jobject a, jobject b)
{
    VM_ENTRY(env);

    return ref_get(a) == ref_get(b);
}

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

/* ---- objects ---- */

jclass JNICALL
jni_GetObjectClass(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    return class_ref(self, object_class(ref_get(r)));
}

/* NULL is an instance of every class, as for a cast (JNI "IsInstanceOf"). */
jboolean JNICALL
jni_IsInstanceOf(JNIEnv *env, jobject r, jclass clazz)
{
    VM_ENTRY(env);

    return !ref_get(r) || object_is_instance(ref_get(r), ref_class(clazz));
}

/* Any object may be asked for; null is no virtual thread. */
jboolean JNICALL
jni_IsVirtualThread(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);

    return ref_get(r) && thread_object_is_virtual(self->vm, ref_get(r));
}
