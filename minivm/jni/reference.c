/* SPDX-License-Identifier: MIT */
/* minivm/jni/reference.c -- references and objects (JNI "Global and Local
 * References", "Object Operations"), and the table. */

#include "jni/jni_floor.h"

#include "vm/exception.h"
#include "vm/wellknown.h"

static jint JNICALL
PushLocalFrame(JNIEnv *env, jint capacity)
{
    VM_ENTRY(env);
    if (capacity >= 0 && ref_push_frame(self, capacity))
        return JNI_OK;
    throw_out_of_memory(self, "local references");
    return JNI_ERR;
}

static jobject JNICALL
PopLocalFrame(JNIEnv *env, jobject result)
{
    VM_ENTRY(env);
    struct object *o = keep(self, ref_get(result));

    ref_pop_frame(self);
    return object_ref(self, o);
}

static jint JNICALL
EnsureLocalCapacity(JNIEnv *env, jint capacity)
{
    VM_ENTRY(env);
    if (ref_ensure(self, capacity))
        return JNI_OK;
    throw_out_of_memory(self, "local references");
    return JNI_ERR;
}

static jobject JNICALL
NewLocalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    return object_ref(self, ref_get(r));
}

static void JNICALL
DeleteLocalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    ref_delete_local(self, r);
}

static jobject JNICALL
NewGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    return ref_new_global(self, ref_get(r));
}

static void JNICALL
DeleteGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    if (r)
        ref_delete_global(self->vm, r);
}

static jweak JNICALL
NewWeakGlobalRef(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    return ref_new_weak(self, ref_get(r));
}

static void JNICALL
DeleteWeakGlobalRef(JNIEnv *env, jweak r)
{
    VM_ENTRY(env);
    if (r)
        ref_delete_weak(self->vm, r);
}

static jboolean JNICALL
IsSameObject(JNIEnv *env, jobject a, jobject b)
{
    VM_ENTRY(env);
    return ref_get(a) == ref_get(b);
}

static jobjectRefType JNICALL
GetObjectRefType(JNIEnv *env, jobject r)
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

static jclass JNICALL
GetObjectClass(JNIEnv *env, jobject r)
{
    VM_ENTRY(env);
    return class_ref(self, object_class(ref_get(r)));
}

static jboolean JNICALL
IsInstanceOf(JNIEnv *env, jobject r, jclass clazz)
{
    VM_ENTRY(env);
    const struct object *o = ref_get(r);

    return !o || object_is_instance(o, ref_class(clazz));
}

static jboolean JNICALL
IsVirtualThread(JNIEnv *env, jobject r)
{
    (void)env;
    (void)r;
    return JNI_FALSE;
}

#define FILL(name) t->name = name

void
jni_fill_references(struct JNINativeInterface_ *t)
{
    FILL(PushLocalFrame);
    FILL(PopLocalFrame);
    FILL(EnsureLocalCapacity);
    FILL(NewLocalRef);
    FILL(DeleteLocalRef);
    FILL(NewGlobalRef);
    FILL(DeleteGlobalRef);
    FILL(NewWeakGlobalRef);
    FILL(DeleteWeakGlobalRef);
    FILL(IsSameObject);
    FILL(GetObjectRefType);
    FILL(GetObjectClass);
    FILL(IsInstanceOf);
    FILL(IsVirtualThread);
}

static struct JNINativeInterface_ table;

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
    jni_fill_references(&table);
    jni_fill_classes(&table);
    jni_fill_calls(&table);
    jni_fill_fields(&table);
    jni_fill_arrays(&table);
    jni_fill_strings(&table);
    vm->jni_functions = &table;
}
