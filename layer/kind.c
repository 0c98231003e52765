/* SPDX-License-Identifier: MIT */
/*
 * layer/kind.c -- objects of the wrong kind: what JNI takes as a class has to be a
 * java.lang.Class, what it takes as a string a String, and arrays have to be of the
 * function's type (JNI "JNI Types and Data Structures").
 *
 * JNI does not look: HotSpot reads an object that is no class as if it were one.  So each
 * argument is compared with classes that were found at the start.
 */
#include <string.h>

#include "layer/check.h"

/* Which arguments a type of JNI takes. */
static const struct type {
    const char *name, *class;       /* NULL: any array; "": any of primitive values */
} types[] = {
    { "jclass", "java/lang/Class" },     { "jstring", "java/lang/String" },
    { "jthrowable", "java/lang/Throwable" },
    { "jobjectArray", "[Ljava/lang/Object;" },
    { "jbooleanArray", "[Z" },           { "jbyteArray", "[B" },
    { "jcharArray", "[C" },              { "jshortArray", "[S" },
    { "jintArray", "[I" },               { "jlongArray", "[J" },
    { "jfloatArray", "[F" },             { "jdoubleArray", "[D" },
    { "jarray", NULL },
    /* JVM TI's. */
    { "jthread", "java/lang/Thread" },   { "jthreadGroup", "java/lang/ThreadGroup" },
};
enum { TYPES = sizeof types / sizeof *types, THROWABLE = 2, FIRST_ARRAY = 3,
       ANY_ARRAY = TYPES - 3 };

/* Global references; NULL until VMInit. */
static jclass classes[TYPES];
static bool is_ready;

/* For each parameter of each function the type's number + 1, else 0. */
static unsigned char wanted[INTERPOSE_JNI_COUNT][4];

void
kind_start(void)
{
    for (int i = 0; i < INTERPOSE_JNI_COUNT; i++)
        for (int k = 0; k < interpose_jni_functions[i].count; k++)
            for (int t = 0; t < TYPES; t++)
                if (strcmp(interpose_jni_functions[i].params[k].type, types[t].name) == 0)
                    wanted[i][k] = (unsigned char)(t + 1);
}

void
kind_vm_init(JNIEnv *jni)
{
    for (int t = 0; t < TYPES; t++) {
        jclass class;

        if (t == ANY_ARRAY)
            continue;
        class = (*jni)->FindClass(jni, types[t].class);
        if (class == NULL) {
            (*jni)->ExceptionClear(jni);
            return;
        }
        classes[t] = (*jni)->NewGlobalRef(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
    }
    __atomic_store_n(&is_ready, true, __ATOMIC_RELEASE);
}

static bool
is_of_type(JNIEnv *jni, jobject object, int type)
{
    if (type != ANY_ARRAY)
        return (*jni)->IsInstanceOf(jni, object, classes[type]);
    for (int t = FIRST_ARRAY; t < ANY_ARRAY; t++)
        if ((*jni)->IsInstanceOf(jni, object, classes[t]))
            return true;
    return false;
}

bool
kind_fits(JNIEnv *jni, jobject object, const char *type)
{
    if (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
        return true;
    for (int t = 0; t < TYPES; t++)
        if (strcmp(types[t].name, type) == 0)
            return is_of_type(jni, object, t);
    return true;
}

bool
kind_is_class(JNIEnv *jni, jobject object)
{
    return __atomic_load_n(&is_ready, __ATOMIC_ACQUIRE)
        && (*jni)->IsInstanceOf(jni, object, classes[0]);
}

size_t
kind_element_size(JNIEnv *jni, jarray array)
{
    static const size_t sizes[TYPES] = {
        [FIRST_ARRAY + 1] = sizeof(jboolean), sizeof(jbyte), sizeof(jchar), sizeof(jshort),
        sizeof(jint), sizeof(jlong), sizeof(jfloat), sizeof(jdouble)
    };

    if (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
        return 0;
    for (int t = FIRST_ARRAY + 1; t < ANY_ARRAY; t++)
        if ((*jni)->IsInstanceOf(jni, array, classes[t]))
            return sizes[t];
    return 0;
}

static bool
throws_no_throwable(const struct interpose_jni_call *call)
{
    return call->function == INTERPOSE_JNI_ThrowNew
        && !(*call->real)->IsAssignableFrom(call->real, call->args[0].p,
                                            classes[THROWABLE]);
}

bool
kind_jni_begin(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];

    if (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
        return true;
    for (int i = 0; i < f->count; i++)
        if (wanted[call->function][i] != 0 && call->args[i].p != NULL
            && !is_of_type(call->real, call->args[i].p, wanted[call->function][i] - 1)) {
            check_found(RULE_REFERENCE_WRONG_KIND, f->name,
                        "JNI's %s gets in '%s' an object that is no %s", f->name,
                        f->params[i].name, f->params[i].type);
            return false;
        }
    if (call->args[0].p != NULL && throws_no_throwable(call)) {
        check_found(RULE_REFERENCE_WRONG_KIND, f->name,
                    "JNI's ThrowNew gets a class that is not below Throwable");
        return false;
    }
    return true;
}
