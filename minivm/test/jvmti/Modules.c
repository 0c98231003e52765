/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Modules.c -- the chapter "Module", called by Modules.java. */

#include "check.h"

static jvmtiEnv *ti;

JNIEXPORT jobjectArray JNICALL
Java_Modules_all(JNIEnv *jni, jclass c)
{
    jint count = -1;
    jobject *modules;
    jclass type = (*jni)->FindClass(jni, "java/lang/Module");
    jobjectArray array;

    if ((*ti)->GetAllModules(ti, &count, &modules) != JVMTI_ERROR_NONE)
        return NULL;
    array = (*jni)->NewObjectArray(jni, count, type, NULL);
    for (jint i = 0; i < count; i++)
        (*jni)->SetObjectArrayElement(jni, array, i, modules[i]);
    (*ti)->Deallocate(ti, (unsigned char *)modules);
    return array;
}

static char package_name[200];

static const char *
text(JNIEnv *jni, jstring s)
{
    jsize length = (*jni)->GetStringUTFLength(jni, s);

    (*jni)->GetStringUTFRegion(jni, s, 0, (*jni)->GetStringLength(jni, s), package_name);
    package_name[length] = '\0';
    return package_name;
}

/* The module, NULL, or the error as an Integer. */
JNIEXPORT jobject JNICALL
Java_Modules_named(JNIEnv *jni, jclass c, jobject loader, jstring package)
{
    jobject module = c;
    jint error = (*ti)->GetNamedModule(ti, loader, text(jni, package), &module);
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");

    if (error == JVMTI_ERROR_NONE)
        return module;
    return (*jni)->CallStaticObjectMethod(
        jni, integer,
        (*jni)->GetStaticMethodID(jni, integer, "valueOf", "(I)Ljava/lang/Integer;"),
        error);
}

JNIEXPORT jint JNICALL
Java_Modules_reads(JNIEnv *jni, jclass c, jobject from, jobject to)
{
    return (*ti)->AddModuleReads(ti, from, to);
}

JNIEXPORT jint JNICALL
Java_Modules_exports(JNIEnv *jni, jclass c, jobject from, jstring package, jobject to)
{
    return (*ti)->AddModuleExports(ti, from, text(jni, package), to);
}

JNIEXPORT jint JNICALL
Java_Modules_opens(JNIEnv *jni, jclass c, jobject from, jstring package, jobject to)
{
    return (*ti)->AddModuleOpens(ti, from, text(jni, package), to);
}

/* With an exception pending, which the call must keep. */
JNIEXPORT jint JNICALL
Java_Modules_uses(JNIEnv *jni, jclass c, jobject module, jclass service)
{
    jclass thrown = (*jni)->FindClass(jni, "java/lang/IllegalCallerException");
    jint error;
    jthrowable pending;

    (*jni)->ThrowNew(jni, thrown, "kept");
    error = (*ti)->AddModuleUses(ti, module, service);
    pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    return pending != NULL && (*jni)->IsInstanceOf(jni, pending, thrown) ? error : -1;
}

JNIEXPORT jint JNICALL
Java_Modules_provides(JNIEnv *jni, jclass c, jobject module, jclass service, jclass impl)
{
    return (*ti)->AddModuleProvides(ti, module, service, impl);
}

/* The answer, or minus the error. */
JNIEXPORT jint JNICALL
Java_Modules_modifiable(JNIEnv *jni, jclass c, jobject module)
{
    jboolean yes = 7;
    jint error = (*ti)->IsModifiableModule(ti, module, &yes);

    return error != JVMTI_ERROR_NONE ? -error : yes;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    ti = make_env(vm, JVMTI_VERSION_9, NULL);
    return JNI_OK;
}
