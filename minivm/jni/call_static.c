/* SPDX-License-Identifier: MIT */
/* minivm/jni/call_static.c -- JNI "Calling Static Methods".
 *
 * The functions differ in the type of the result and in the form of the arguments, see
 * call.h.  id names the method's class, too, so c is not needed. */

#include "jni/call.h"
#include "jni/functions.h"

jobject JNICALL
jni_CallStaticObjectMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'L', NULL, id).l;
}

jobject JNICALL
jni_CallStaticObjectMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'L', NULL, id, list).l;
}

jobject JNICALL
jni_CallStaticObjectMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'L', NULL, id, args).l;
}

jboolean JNICALL
jni_CallStaticBooleanMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'Z', NULL, id).z;
}

jboolean JNICALL
jni_CallStaticBooleanMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'Z', NULL, id, list).z;
}

jboolean JNICALL
jni_CallStaticBooleanMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'Z', NULL, id, args).z;
}

jbyte JNICALL
jni_CallStaticByteMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'B', NULL, id).b;
}

jbyte JNICALL
jni_CallStaticByteMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'B', NULL, id, list).b;
}

jbyte JNICALL
jni_CallStaticByteMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'B', NULL, id, args).b;
}

jchar JNICALL
jni_CallStaticCharMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'C', NULL, id).c;
}

jchar JNICALL
jni_CallStaticCharMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'C', NULL, id, list).c;
}

jchar JNICALL
jni_CallStaticCharMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'C', NULL, id, args).c;
}

jshort JNICALL
jni_CallStaticShortMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'S', NULL, id).s;
}

jshort JNICALL
jni_CallStaticShortMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'S', NULL, id, list).s;
}

jshort JNICALL
jni_CallStaticShortMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'S', NULL, id, args).s;
}

jint JNICALL
jni_CallStaticIntMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'I', NULL, id).i;
}

jint JNICALL
jni_CallStaticIntMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'I', NULL, id, list).i;
}

jint JNICALL
jni_CallStaticIntMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'I', NULL, id, args).i;
}

jlong JNICALL
jni_CallStaticLongMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'J', NULL, id).j;
}

jlong JNICALL
jni_CallStaticLongMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'J', NULL, id, list).j;
}

jlong JNICALL
jni_CallStaticLongMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'J', NULL, id, args).j;
}

jfloat JNICALL
jni_CallStaticFloatMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'F', NULL, id).f;
}

jfloat JNICALL
jni_CallStaticFloatMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'F', NULL, id, list).f;
}

jfloat JNICALL
jni_CallStaticFloatMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'F', NULL, id, args).f;
}

jdouble JNICALL
jni_CallStaticDoubleMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    return JNI_CALL_VARIADIC(env, CALL_STATIC, 'D', NULL, id).d;
}

jdouble JNICALL
jni_CallStaticDoubleMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    return jni_call_list(env, CALL_STATIC, 'D', NULL, id, list).d;
}

jdouble JNICALL
jni_CallStaticDoubleMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    return jni_call_array(env, CALL_STATIC, 'D', NULL, id, args).d;
}

void JNICALL
jni_CallStaticVoidMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    (void)c;
    JNI_CALL_VARIADIC(env, CALL_STATIC, 'V', NULL, id);
}

void JNICALL
jni_CallStaticVoidMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    (void)c;
    jni_call_list(env, CALL_STATIC, 'V', NULL, id, list);
}

void JNICALL
jni_CallStaticVoidMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    (void)c;
    jni_call_array(env, CALL_STATIC, 'V', NULL, id, args);
}
