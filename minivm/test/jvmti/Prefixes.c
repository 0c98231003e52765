/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Prefixes.c -- prefixes of native methods, and their binding. */

#include "check.h"

static jvmtiEnv *one, *two, *three;

#define NATIVE(name, value) \
    JNIEXPORT jint JNICALL Java_Prefixes_##name(JNIEnv *jni, jclass c) { return value; }

NATIVE(plain, 1)
NATIVE(simple, 2)
NATIVE(own, 3)
NATIVE(_00024a_1own, 4)
NATIVE(layers, 5)
NATIVE(second, 6)
NATIVE(order, 7)
NATIVE(hooked, 8)
NATIVE(alone, 9)
NATIVE(both, 10)
NATIVE(signature, 11)
NATIVE(gap, 12)
NATIVE(redirected, 15)
NATIVE(rebound, 16)

JNIEXPORT jint JNICALL
Java_Prefixes_overloaded__I(JNIEnv *jni, jclass c, jint x)
{
    return 13;
}

JNIEXPORT jint JNICALL
Java_Prefixes_overloaded__Ljava_lang_String_2(JNIEnv *jni, jclass c, jobject x)
{
    return 14;
}

static jint JNICALL
registered(JNIEnv *jni, jclass c)
{
    return 100;
}

/* ---- binding ---- */

static struct {
    char name[40];
    int count;
} bound[1000];
static bool early_without_jni, early_with_jni;
static void *instead_of;

static jint JNICALL
redirection(JNIEnv *jni, jclass c)
{
    return 1015;
}

static void
note(const char *name)
{
    int i = 0;

    while (bound[i].count > 0 && strcmp(bound[i].name, name) != 0)
        i++;
    snprintf(bound[i].name, sizeof bound[i].name, "%s", name);
    bound[i].count++;
}

static void JNICALL
on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, void *address,
        void **new_address)
{
    jvmtiPhase phase;
    char *name, *signature;
    jclass owner;

    (*env)->GetPhase(env, &phase);
    if (phase == JVMTI_PHASE_PRIMORDIAL) {
        early_with_jni |= jni != NULL;
        early_without_jni |= jni == NULL;
        return;
    }
    (*env)->GetMethodDeclaringClass(env, method, &owner);
    (*env)->GetClassSignature(env, owner, &signature, NULL);
    (*env)->GetMethodName(env, method, &name, NULL, NULL);
    if (!strcmp(signature, "LPrefixes;")) {
        note(name);
        if (!strcmp(name, "redirected")) {
            instead_of = address;
            *new_address = (void *)redirection;
        }
    }
    (*env)->Deallocate(env, (unsigned char *)name);
    (*env)->Deallocate(env, (unsigned char *)signature);
}

/* The second to hear of it is told what the first has made of it. */
static void JNICALL
on_bind_2(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, void *address,
          void **new_address)
{
    if (instead_of != NULL) {
        check("bind-chained", address == (void *)redirection);
        check("bind-address", instead_of == (void *)Java_Prefixes_redirected
                                  || instead_of == (void *)registered);
        instead_of = NULL;
    }
}

/* ---- called by the program ---- */

static const char *
text(JNIEnv *jni, jstring s)
{
    static char buffer[100];

    memset(buffer, 0, sizeof buffer);
    (*jni)->GetStringUTFRegion(jni, s, 0, (*jni)->GetStringLength(jni, s), buffer);
    return buffer;
}

JNIEXPORT jint JNICALL
Java_Prefixes_registerIn(JNIEnv *jni, jclass c, jclass in, jstring name)
{
    JNINativeMethod method = { (char *)text(jni, name), "()I", (void *)registered };

    return (*jni)->RegisterNatives(jni, in, &method, 1);
}

JNIEXPORT jint JNICALL
Java_Prefixes_register(JNIEnv *jni, jclass c, jstring name)
{
    return Java_Prefixes_registerIn(jni, c, c, name);
}

JNIEXPORT void JNICALL
Java_Prefixes_unregister(JNIEnv *jni, jclass c)
{
    (*jni)->UnregisterNatives(jni, c);
}

JNIEXPORT jint JNICALL
Java_Prefixes_bound(JNIEnv *jni, jclass c, jstring name)
{
    const char *wanted = text(jni, name);

    for (int i = 0; bound[i].count > 0; i++)
        if (!strcmp(bound[i].name, wanted))
            return bound[i].count;
    return 0;
}

JNIEXPORT void JNICALL
Java_Prefixes_cancel(JNIEnv *jni, jclass c, jint which)
{
    char *none = NULL;

    if (which == 1)
        check_int("cancel", (*one)->SetNativeMethodPrefix(one, NULL), JVMTI_ERROR_NONE);
    else
        check_int("cancel-all", (*two)->SetNativeMethodPrefixes(two, 0, &none),
                  JVMTI_ERROR_NONE);
    (*jni)->UnregisterNatives(jni, c);
}

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    check("primordial-without-jni", early_without_jni && !early_with_jni);
}

static void
listen(jvmtiEnv *env, jvmtiEventNativeMethodBind bind)
{
    jvmtiEventCallbacks callbacks = { .NativeMethodBind = bind, .VMInit = on_init };

    (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND,
                                     NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities retransform = { .can_retransform_classes = 1 };
    const jvmtiCapabilities others = { .can_set_native_method_prefix = 1,
                                       .can_generate_native_method_bind_events = 1 };
    char *prefixes[] = { "$a_", "$b_" };
    jvmtiEnv *none;

    one = make_env(vm, JVMTI_VERSION_1_1, &others);
    (*one)->AddCapabilities(one, &retransform);
    /* Now it is "retransformation capable". */
    (*one)->SetEventNotificationMode(one, JVMTI_ENABLE,
                                     JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    two = make_env(vm, JVMTI_VERSION_1_1, &others);
    three = make_env(vm, JVMTI_VERSION_1_1, &others);
    none = make_env(vm, JVMTI_VERSION_1_1, NULL);
    check_int("no-capability", (*none)->SetNativeMethodPrefix(none, "x"),
              JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
    check_int("set-one", (*one)->SetNativeMethodPrefix(one, "$r_"), JVMTI_ERROR_NONE);
    check_int("set-two", (*two)->SetNativeMethodPrefix(two, "replaced_"),
              JVMTI_ERROR_NONE);
    check_int("set-two-again", (*two)->SetNativeMethodPrefixes(two, 2, prefixes),
              JVMTI_ERROR_NONE);
    prefixes[0] = prefixes[1] = NULL;
    listen(two, on_bind);
    listen(three, on_bind_2);
    (*two)->SetEventNotificationMode(two, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return JNI_OK;
}
