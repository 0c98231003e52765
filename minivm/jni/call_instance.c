/* SPDX-License-Identifier: MIT */
/* minivm/jni/call_instance.c -- JNI "Calling Instance Methods".
 *
 * The functions differ in the type of the result, in the form of the arguments
 * (variadic, V with a va_list, A with an array) and in how the method is selected.
 * call.h tells what they have in common. */

#include "jni/call.h"
#include "jni/functions.h"

/* ---- the method is selected by the class of obj ---- */

jobject JNICALL
jni_CallObjectMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'L', obj, id).l;
}

jobject JNICALL
jni_CallObjectMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'L', obj, id, list).l;
}

jobject JNICALL
jni_CallObjectMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'L', obj, id, args).l;
}

jboolean JNICALL
jni_CallBooleanMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'Z', obj, id).z;
}

jboolean JNICALL
jni_CallBooleanMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'Z', obj, id, list).z;
}

jboolean JNICALL
jni_CallBooleanMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'Z', obj, id, args).z;
}

jbyte JNICALL
jni_CallByteMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'B', obj, id).b;
}

jbyte JNICALL
jni_CallByteMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'B', obj, id, list).b;
}

jbyte JNICALL
jni_CallByteMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'B', obj, id, args).b;
}

jchar JNICALL
jni_CallCharMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'C', obj, id).c;
}

jchar JNICALL
jni_CallCharMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'C', obj, id, list).c;
}

jchar JNICALL
jni_CallCharMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'C', obj, id, args).c;
}

jshort JNICALL
jni_CallShortMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'S', obj, id).s;
}

jshort JNICALL
jni_CallShortMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'S', obj, id, list).s;
}

jshort JNICALL
jni_CallShortMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'S', obj, id, args).s;
}

jint JNICALL
jni_CallIntMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'I', obj, id).i;
}

jint JNICALL
jni_CallIntMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'I', obj, id, list).i;
}

jint JNICALL
jni_CallIntMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'I', obj, id, args).i;
}

jlong JNICALL
jni_CallLongMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'J', obj, id).j;
}

jlong JNICALL
jni_CallLongMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'J', obj, id, list).j;
}

jlong JNICALL
jni_CallLongMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'J', obj, id, args).j;
}

jfloat JNICALL
jni_CallFloatMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'F', obj, id).f;
}

jfloat JNICALL
jni_CallFloatMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'F', obj, id, list).f;
}

jfloat JNICALL
jni_CallFloatMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'F', obj, id, args).f;
}

jdouble JNICALL
jni_CallDoubleMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    return JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'D', obj, id).d;
}

jdouble JNICALL
jni_CallDoubleMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    return jni_call_list(env, CALL_VIRTUAL, 'D', obj, id, list).d;
}

jdouble JNICALL
jni_CallDoubleMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    return jni_call_array(env, CALL_VIRTUAL, 'D', obj, id, args).d;
}

void JNICALL
jni_CallVoidMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    JNI_CALL_VARIADIC(env, CALL_VIRTUAL, 'V', obj, id);
}

void JNICALL
jni_CallVoidMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    jni_call_list(env, CALL_VIRTUAL, 'V', obj, id, list);
}

void JNICALL
jni_CallVoidMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    jni_call_array(env, CALL_VIRTUAL, 'V', obj, id, args);
}

/* ---- the method that id names is called as it is: the class c adds nothing ---- */

jobject JNICALL
jni_CallNonvirtualObjectMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'L', obj, id).l;
}

jobject JNICALL
jni_CallNonvirtualObjectMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'L', obj, id, list).l;
}

jobject JNICALL
jni_CallNonvirtualObjectMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'L', obj, id, args).l;
}

jboolean JNICALL
jni_CallNonvirtualBooleanMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'Z', obj, id).z;
}

jboolean JNICALL
jni_CallNonvirtualBooleanMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                 va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'Z', obj, id, list).z;
}

jboolean JNICALL
jni_CallNonvirtualBooleanMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                 const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'Z', obj, id, args).z;
}

jbyte JNICALL
jni_CallNonvirtualByteMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'B', obj, id).b;
}

jbyte JNICALL
jni_CallNonvirtualByteMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'B', obj, id, list).b;
}

jbyte JNICALL
jni_CallNonvirtualByteMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'B', obj, id, args).b;
}

jchar JNICALL
jni_CallNonvirtualCharMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'C', obj, id).c;
}

jchar JNICALL
jni_CallNonvirtualCharMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'C', obj, id, list).c;
}

jchar JNICALL
jni_CallNonvirtualCharMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'C', obj, id, args).c;
}

jshort JNICALL
jni_CallNonvirtualShortMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'S', obj, id).s;
}

jshort JNICALL
jni_CallNonvirtualShortMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                               va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'S', obj, id, list).s;
}

jshort JNICALL
jni_CallNonvirtualShortMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                               const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'S', obj, id, args).s;
}

jint JNICALL
jni_CallNonvirtualIntMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'I', obj, id).i;
}

jint JNICALL
jni_CallNonvirtualIntMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                             va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'I', obj, id, list).i;
}

jint JNICALL
jni_CallNonvirtualIntMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                             const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'I', obj, id, args).i;
}

jlong JNICALL
jni_CallNonvirtualLongMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'J', obj, id).j;
}

jlong JNICALL
jni_CallNonvirtualLongMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'J', obj, id, list).j;
}

jlong JNICALL
jni_CallNonvirtualLongMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'J', obj, id, args).j;
}

jfloat JNICALL
jni_CallNonvirtualFloatMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'F', obj, id).f;
}

jfloat JNICALL
jni_CallNonvirtualFloatMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                               va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'F', obj, id, list).f;
}

jfloat JNICALL
jni_CallNonvirtualFloatMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                               const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'F', obj, id, args).f;
}

jdouble JNICALL
jni_CallNonvirtualDoubleMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'D', obj, id).d;
}

jdouble JNICALL
jni_CallNonvirtualDoubleMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_NONVIRTUAL, 'D', obj, id, list).d;
}

jdouble JNICALL
jni_CallNonvirtualDoubleMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                                const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_NONVIRTUAL, 'D', obj, id, args).d;
}

void JNICALL
jni_CallNonvirtualVoidMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    (void)c;
    JNI_CALL_VARIADIC(env, CALL_NONVIRTUAL, 'V', obj, id);
}

void JNICALL
jni_CallNonvirtualVoidMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              va_list list)
{
    (void)c;
    jni_call_list(env, CALL_NONVIRTUAL, 'V', obj, id, list);
}

void JNICALL
jni_CallNonvirtualVoidMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                              const jvalue *args)
{
    (void)c;
    jni_call_array(env, CALL_NONVIRTUAL, 'V', obj, id, args);
}
