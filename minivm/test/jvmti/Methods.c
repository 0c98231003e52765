/* SPDX-License-Identifier: MIT */
/* New versions with other methods, and what their ids name. */

#include <stdint.h>

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jint JNICALL
Java_Methods_redefine(JNIEnv *jni, jclass c, jclass changed, jbyteArray file)
{
    jvmtiClassDefinition definition = {
        changed, (*jni)->GetArrayLength(jni, file),
        (unsigned char *)(*jni)->GetByteArrayElements(jni, file, NULL)
    };
    jvmtiError error = (*ti)->RedefineClasses(ti, 1, &definition);

    (*jni)->ReleaseByteArrayElements(jni, file, (jbyte *)definition.class_bytes,
                                     JNI_ABORT);
    return (jint)error;
}

JNIEXPORT jstring JNICALL
Java_Methods_names(JNIEnv *jni, jclass c, jclass of)
{
    char text[1000] = "";
    jint count = 0;
    jmethodID *methods = NULL;

    (*ti)->GetClassMethods(ti, of, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *name = NULL;
        (*ti)->GetMethodName(ti, methods[i], &name, NULL, NULL);
        strcat(strcat(text, name), " ");
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    (*ti)->Deallocate(ti, (unsigned char *)methods);
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jlong JNICALL
Java_Methods_id(JNIEnv *jni, jclass c, jobject method)
{
    return (jlong)(intptr_t)(*jni)->FromReflectedMethod(jni, method);
}

JNIEXPORT jboolean JNICALL
Java_Methods_isObsolete(JNIEnv *jni, jclass c, jlong id)
{
    jboolean is = JNI_FALSE;

    (*ti)->IsMethodObsolete(ti, (jmethodID)(intptr_t)id, &is);
    return is;
}

JNIEXPORT jstring JNICALL
Java_Methods_name(JNIEnv *jni, jclass c, jlong id)
{
    char *name = NULL;
    jstring text = NULL;

    if ((*ti)->GetMethodName(ti, (jmethodID)(intptr_t)id, &name, NULL, NULL)
        == JVMTI_ERROR_NONE)
        text = (*jni)->NewStringUTF(jni, name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return text;
}

JNIEXPORT jint JNICALL
Java_Changing_bound(JNIEnv *jni, jclass c)
{
    return 42;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiCapabilities capabilities = {
        .can_redefine_classes = 1, .can_maintain_original_method_order = 1
    };

    ti = make_env(vm, JVMTI_VERSION_11, &capabilities);
    return JNI_OK;
}
