/* SPDX-License-Identifier: MIT */
/* minivm/jni/member.c -- ids of methods and fields (JNI "Accessing Fields of Objects",
 * "Calling Instance Methods"), and JNI "Reflection Support". */

#include "jni/entry.h"
#include "jni/functions.h"

#include <string.h>

#include "linking/ids.h"
#include "linking/initialize.h"
#include "runtime/exception.h"
#include "runtime/reflect.h"

/* ---- ids ---- */

/* Returns the method of c that GetMethodID means: <init> and <clinit> are the class's
   own, others may be inherited from classes and interfaces.  NULL if there is none. */
static struct method *
find_method(struct class *c, const struct symbol *name, const struct symbol *descriptor)
{
    struct method *m;

    if (symbol_equals(name, "<init>") || symbol_equals(name, "<clinit>"))
        return class_own_method(c, name, descriptor);
    m = class_find_method(c, name, descriptor);
    return m ? m : class_find_interface_method(c, name, descriptor);
}

/* Returns the class whose member is looked up, initialized as JNI asks; NULL with an
   exception pending.  Arrays and primitive types have no initialization. */
static struct class *
ready_class(struct thread *self, jclass clazz)
{
    struct class *c = ref_class(clazz);

    return c->primitive || class_is_array(c) || class_initialize(self, c) ? c : NULL;
}

/* GetMethodID and GetStaticMethodID.  A name that no class has is no symbol of the VM.
   Returns NULL with NoSuchMethodError pending if there is no such method, static or not
   as is_static says, or with what initialization threw. */
static jmethodID
method_named(JNIEnv *env, jclass clazz, const char *name, const char *signature,
             bool is_static)
{
    VM_ENTRY(env);
    struct class *c = ready_class(self, clazz);
    const struct symbol *n = symbol_lookup(name, strlen(name));
    const struct symbol *d = symbol_lookup(signature, strlen(signature));

    if (!c)
        return NULL;
    struct method *m = !c->primitive && n && d ? find_method(c, n, d) : NULL;
    if (!m || method_is_static(m) != is_static)
        return THROW(self, NoSuchMethodError, "%s", name);
    return (jmethodID)method_id(m);
}

/* GetFieldID and GetStaticFieldID. */
static jfieldID
field_named(JNIEnv *env, jclass clazz, const char *name, const char *signature,
            bool is_static)
{
    VM_ENTRY(env);
    struct class *c = ready_class(self, clazz);
    const struct symbol *n = symbol_lookup(name, strlen(name));
    const struct symbol *d = symbol_lookup(signature, strlen(signature));

    if (!c)
        return NULL;
    struct field *f = n && d ? class_find_field(c, n, d) : NULL;
    if (!f || field_is_static(f) != is_static)
        return THROW(self, NoSuchFieldError, "%s", name);
    return (jfieldID)field_id(f);
}

jmethodID JNICALL
jni_GetMethodID(JNIEnv *env, jclass clazz, const char *name, const char *signature)
{
    return method_named(env, clazz, name, signature, false);
}

jmethodID JNICALL
jni_GetStaticMethodID(JNIEnv *env, jclass clazz, const char *name,
                      const char *signature)
{
    return method_named(env, clazz, name, signature, true);
}

jfieldID JNICALL
jni_GetFieldID(JNIEnv *env, jclass clazz, const char *name, const char *signature)
{
    return field_named(env, clazz, name, signature, false);
}

jfieldID JNICALL
jni_GetStaticFieldID(JNIEnv *env, jclass clazz, const char *name, const char *signature)
{
    return field_named(env, clazz, name, signature, true);
}

/* ---- reflection ---- */

jmethodID JNICALL
jni_FromReflectedMethod(JNIEnv *env, jobject method)
{
    VM_ENTRY(env);

    return (jmethodID)method_id(reflected_method(self->vm, ref_get(method)));
}

jfieldID JNICALL
jni_FromReflectedField(JNIEnv *env, jobject field)
{
    VM_ENTRY(env);

    return (jfieldID)field_id(reflected_field(self->vm, ref_get(field)));
}

/* The class and the kind of the member follow from the id, in both functions. */

jobject JNICALL
jni_ToReflectedMethod(JNIEnv *env, jclass clazz UNUSED, jmethodID id,
                      jboolean is_static UNUSED)
{
    VM_ENTRY(env);
    struct method *m = method_of_id((uintptr_t)id);

    return m ? object_ref(self, reflect_method(self, m)) : NULL;
}

jobject JNICALL
jni_ToReflectedField(JNIEnv *env, jclass clazz UNUSED, jfieldID id,
                     jboolean is_static UNUSED)
{
    VM_ENTRY(env);
    struct field *f = field_of_id((uintptr_t)id);

    return f ? object_ref(self, reflect_field(self, f)) : NULL;
}
