/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Intercept.c -- the chapter "JNI Function Interception". */

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "check.h"

static jvmtiEnv *ti;
static jniNativeInterface *original;
static atomic_int counted, may_go, is_inside;
static JNIEnv *main_env;

/* The functions that the tables of all releases since 9 have. */
enum { TABLE_SIZE = offsetof(jniNativeInterface, IsVirtualThread) };

static jobject JNICALL
counting_NewGlobalRef(JNIEnv *jni, jobject object)
{
    counted++;
    return original->NewGlobalRef(jni, object);
}

/* GetStringUTFLengthAsLong: since 24, and not in our jni.h. */
enum { VERSION_24 = 0x00180000, LENGTH_AS_LONG = 235 };

static void **
slots_of(const jniNativeInterface *table)
{
    return (void **)(size_t)table;
}

static jlong JNICALL
other_length(JNIEnv *jni, jstring string)
{
    return -7;
}

static jlong
length_of(JNIEnv *jni)
{
    jlong(JNICALL * length)(JNIEnv *, jstring) = slots_of(*jni)[LENGTH_AS_LONG];

    return length(jni, (*jni)->NewStringUTF(jni, "seventeen letters"));
}

static jobject JNICALL
never_called(JNIEnv *jni, jobject object)
{
    abort();
}

JNIEXPORT void JNICALL
Java_Intercept_install(JNIEnv *jni, jclass c)
{
    jniNativeInterface *changed, *again;

    while (!is_inside)
        usleep(1000);
    main_env = jni;
    check_int("get", (*ti)->GetJNIFunctionTable(ti, &original), JVMTI_ERROR_NONE);
    check("get-equals", !memcmp(original, *jni, TABLE_SIZE));
    check("get-copies", (const void *)original != (const void *)*jni);
    check_int("get-2", (*ti)->GetJNIFunctionTable(ti, &changed), JVMTI_ERROR_NONE);
    check("get-copies-each", changed != original);
    changed->NewGlobalRef = counting_NewGlobalRef;
    if ((*jni)->GetVersion(jni) >= VERSION_24) {
        check("get-later",
              slots_of(original)[LENGTH_AS_LONG] == slots_of(*jni)[LENGTH_AS_LONG]);
        check_int("later-before", length_of(jni), 17);
        slots_of(changed)[LENGTH_AS_LONG] = (void *)other_length;
    }
    check("copy-is-own", (*jni)->NewGlobalRef == original->NewGlobalRef);
    check_int("set", (*ti)->SetJNIFunctionTable(ti, changed), JVMTI_ERROR_NONE);
    if ((*jni)->GetVersion(jni) >= VERSION_24)
        check_int("later-set", length_of(jni), -7);
    /* The table is copied: this has no effect. */
    changed->NewGlobalRef = never_called;
    changed->DeleteGlobalRef = NULL;
    check_int("get-3", (*ti)->GetJNIFunctionTable(ti, &again), JVMTI_ERROR_NONE);
    check("get-modified", again->NewGlobalRef == counting_NewGlobalRef);
    check("get-others-same", again->DeleteGlobalRef == original->DeleteGlobalRef
                                 && again->FindClass == original->FindClass
                                 && again->GetModule == original->GetModule);
    (*ti)->Deallocate(ti, (unsigned char *)changed);
    (*ti)->Deallocate(ti, (unsigned char *)again);
}

JNIEXPORT void JNICALL
Java_Intercept_restore(JNIEnv *jni, jclass c)
{
    jniNativeInterface *again;

    check("same-environment", jni == main_env);
    check_int("set-null", (*ti)->SetJNIFunctionTable(ti, NULL),
              JVMTI_ERROR_NULL_POINTER);
    check_int("get-null", (*ti)->GetJNIFunctionTable(ti, NULL),
              JVMTI_ERROR_NULL_POINTER);
    check_int("set-back", (*ti)->SetJNIFunctionTable(ti, original), JVMTI_ERROR_NONE);
    (*ti)->GetJNIFunctionTable(ti, &again);
    check("back", !memcmp(original, again, TABLE_SIZE));
    if ((*jni)->GetVersion(jni) >= VERSION_24)
        check_int("later-back", length_of(jni), 17);
}

static void
make(JNIEnv *jni, jobject object, int count)
{
    while (count-- > 0)
        (*jni)->DeleteGlobalRef(jni, (*jni)->NewGlobalRef(jni, object));
}

JNIEXPORT void JNICALL
Java_Intercept_makeReferences(JNIEnv *jni, jclass c, jint count)
{
    make(jni, c, count);
}

JNIEXPORT void JNICALL
Java_Intercept_waitInside(JNIEnv *jni, jclass c)
{
    is_inside = 1;
    while (!may_go)
        usleep(1000);
    make(jni, c, 1);
}

JNIEXPORT void JNICALL
Java_Intercept_go(JNIEnv *jni, jclass c)
{
    may_go = 1;
}

JNIEXPORT void JNICALL
Java_Intercept_expect(JNIEnv *jni, jclass c, jstring name, jint count)
{
    char text[100] = "";

    (*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name), text);
    check_int(text, counted, count);
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni)
{
    jniNativeInterface *table;

    check_int("start-phase-get", (*env)->GetJNIFunctionTable(env, &table),
              JVMTI_ERROR_NONE);
    check_int("start-phase-set", (*env)->SetJNIFunctionTable(env, table),
              JVMTI_ERROR_NONE);
    (*env)->Deallocate(env, (unsigned char *)table);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .VMStart = on_start };
    jniNativeInterface *table = NULL;

    ti = make_env(vm, JVMTI_VERSION_1_0, NULL);
    check_int("onload", (*ti)->GetJNIFunctionTable(ti, &table),
              JVMTI_ERROR_WRONG_PHASE);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
    return JNI_OK;
}
