/* SPDX-License-Identifier: MIT */
/* Objects without their constructor, and what takes class loaders. */

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jobject JNICALL
Java_Unfinished_allocate(JNIEnv *jni, jclass c, jclass of)
{
    return (*jni)->AllocObject(jni, of);
}

JNIEXPORT void JNICALL
Java_Unfinished_construct(JNIEnv *jni, jclass c, jobject o)
{
    jclass of = (*jni)->GetObjectClass(jni, o);

    (*jni)->CallVoidMethod(jni, o, (*jni)->GetMethodID(jni, of, "<init>", "()V"));
}

JNIEXPORT jclass JNICALL
Java_Unfinished_define(JNIEnv *jni, jclass c, jstring name, jobject loader,
                       jbyteArray bytes)
{
    jsize length = (*jni)->GetArrayLength(jni, bytes);
    jbyte *copy = (*jni)->GetByteArrayElements(jni, bytes, NULL);
    const char *text = name ? (*jni)->GetStringUTFChars(jni, name, NULL) : NULL;
    jclass defined = (*jni)->DefineClass(jni, text, loader, copy, length);

    if (text)
        (*jni)->ReleaseStringUTFChars(jni, name, text);
    (*jni)->ReleaseByteArrayElements(jni, bytes, copy, JNI_ABORT);
    return defined;
}

JNIEXPORT jobjectArray JNICALL
Java_Unfinished_loaderClasses(JNIEnv *jni, jclass c, jobject loader)
{
    jint count = 0;
    jclass *classes = NULL;
    jobjectArray array;

    (*ti)->GetClassLoaderClasses(ti, loader, &count, &classes);
    array = (*jni)->NewObjectArray(jni, count, (*jni)->GetObjectClass(jni, c), NULL);
    for (jint i = 0; i < count; i++)
        (*jni)->SetObjectArrayElement(jni, array, i, classes[i]);
    (*ti)->Deallocate(ti, (unsigned char *)classes);
    return array;
}

/* The error, or -1 when there is such a module. */
JNIEXPORT jint JNICALL
Java_Unfinished_namedModule(JNIEnv *jni, jclass c, jobject loader)
{
    jobject module = NULL;
    jvmtiError error = (*ti)->GetNamedModule(ti, loader, "java/lang", &module);

    return error == JVMTI_ERROR_NONE && module != NULL ? -1 : (jint)error;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    ti = make_env(vm, JVMTI_VERSION_11, NULL);
    return JNI_OK;
}
