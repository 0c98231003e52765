/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Locals.c -- gets and sets locals as Locals.java says. */

#include <stdarg.h>

#include "check.h"

static jvmtiEnv *ti;
static jvmtiError error;

static jobject
box(JNIEnv *jni, const char *name, const char *descriptor, ...)
{
    jclass c = (*jni)->FindClass(jni, name);
    jmethodID make = (*jni)->GetStaticMethodID(jni, c, "valueOf", descriptor);
    va_list args;

    va_start(args, descriptor);
    jobject result = (*jni)->CallStaticObjectMethodV(jni, c, make, args);
    va_end(args);
    return result;
}

static jvmtiError
get_value(jthread thread, jint depth, jint slot, jchar type, jvalue *v)
{
    switch (type) {
    case 'I': return (*ti)->GetLocalInt(ti, thread, depth, slot, &v->i);
    case 'J': return (*ti)->GetLocalLong(ti, thread, depth, slot, &v->j);
    case 'F': return (*ti)->GetLocalFloat(ti, thread, depth, slot, &v->f);
    case 'D': return (*ti)->GetLocalDouble(ti, thread, depth, slot, &v->d);
    case 'T': return (*ti)->GetLocalInstance(ti, thread, depth, &v->l);
    default: return (*ti)->GetLocalObject(ti, thread, depth, slot, &v->l);
    }
}

JNIEXPORT jint JNICALL
Java_Locals_error(JNIEnv *jni, jclass self)
{
    return error;
}

JNIEXPORT jobject JNICALL
Java_Locals_get(JNIEnv *jni, jclass self, jthread thread, jint depth, jint slot,
                jchar type)
{
    jvalue v = { .j = 0 };

    error = get_value(thread, depth, slot, type, &v);
    if (error != JVMTI_ERROR_NONE)
        return NULL;
    switch (type) {
    case 'I': return box(jni, "java/lang/Integer", "(I)Ljava/lang/Integer;", v.i);
    case 'J': return box(jni, "java/lang/Long", "(J)Ljava/lang/Long;", v.j);
    case 'F': return box(jni, "java/lang/Float", "(F)Ljava/lang/Float;", v.f);
    case 'D': return box(jni, "java/lang/Double", "(D)Ljava/lang/Double;", v.d);
    default: return v.l;
    }
}

JNIEXPORT jobject JNICALL
Java_Locals_instance(JNIEnv *jni, jobject self)
{
    jobject o = NULL;

    error = (*ti)->GetLocalInstance(ti, NULL, 0, &o);
    return o;
}

JNIEXPORT jint JNICALL
Java_Locals_set(JNIEnv *jni, jclass self, jthread thread, jint depth, jint slot,
                jchar type, jobject value, jdouble number)
{
    switch (type) {
    case 'I': return (*ti)->SetLocalInt(ti, thread, depth, slot, (jint)number);
    case 'J': return (*ti)->SetLocalLong(ti, thread, depth, slot, (jlong)number);
    case 'F': return (*ti)->SetLocalFloat(ti, thread, depth, slot, (jfloat)number);
    case 'D': return (*ti)->SetLocalDouble(ti, thread, depth, slot, number);
    default: return (*ti)->SetLocalObject(ti, thread, depth, slot, value);
    }
}

/* The types that slots have: a letter for a value, a point for none (which of the two
   errors comes first is nobody's business), ! for anything else. */
JNIEXPORT jstring JNICALL
Java_Locals_types(JNIEnv *jni, jclass self, jthread thread, jint depth, jint slots)
{
    static const char types[] = "IJFDL";
    char text[100] = "";

    for (jint slot = 0; slot < slots; slot++) {
        char found = 0;
        int refused = 0;
        for (const char *type = types; *type != '\0'; type++) {
            jvalue v;
            jvmtiError e = get_value(thread, depth, slot, (jchar)*type, &v);
            refused += e == JVMTI_ERROR_TYPE_MISMATCH || e == JVMTI_ERROR_INVALID_SLOT;
            if (e == JVMTI_ERROR_NONE)
                found = found != 0 ? '!' : *type;
        }
        text[slot] = refused + (found != 0) < 5 ? '!' : found != 0 ? found : '.';
    }
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jint JNICALL
Java_Locals_suspend(JNIEnv *jni, jclass self, jthread thread)
{
    return (*ti)->SuspendThread(ti, thread);
}

JNIEXPORT jint JNICALL
Java_Locals_resume(JNIEnv *jni, jclass self, jthread thread)
{
    return (*ti)->ResumeThread(ti, thread);
}

/* The depth of the newest frame of that method. */
JNIEXPORT jint JNICALL
Java_Locals_depthOf(JNIEnv *jni, jclass self, jthread thread, jstring method)
{
    jvmtiFrameInfo frames[64];
    jint count = 0, found = -1;
    const char *wanted = (*jni)->GetStringUTFChars(jni, method, NULL);

    (*ti)->GetStackTrace(ti, thread, 0, 64, frames, &count);
    for (jint i = 0; i < count && found < 0; i++) {
        char *name;
        (*ti)->GetMethodName(ti, frames[i].method, &name, NULL, NULL);
        if (!strcmp(name, wanted))
            found = i;
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    (*jni)->ReleaseStringUTFChars(jni, method, wanted);
    return found;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_access_local_variables = 1, .can_suspend = 1 };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    return JNI_OK;
}
