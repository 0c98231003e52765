/* SPDX-License-Identifier: MIT */
/* minivm/test/onload/speaks.c -- an agent that prints where it is and makes one call of
 * the invocation interface there.
 *
 * Its options name the call; "-other" behind it lets another thread make it. */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jvmti.h>

static JavaVM *vm;
static char wanted[32];
static bool by_another;

static bool
is_wanted(const char *call)
{
    return strcmp(wanted, call) == 0;
}

static jint
attach(void)
{
    JNIEnv *jni;
    jint result = (*vm)->AttachCurrentThread(vm, (void **)&jni, NULL);

    if (result != JNI_OK)
        return result;
    return (*jni)->FindClass(jni, "java/lang/String") != NULL ? JNI_OK : -100;
}

static jint
call(void)
{
    void *env = &env;
    jint result = is_wanted("jni") ? (*vm)->GetEnv(vm, &env, JNI_VERSION_10)
                  : is_wanted("jvmti") ? (*vm)->GetEnv(vm, &env, JVMTI_VERSION_11)
                  : is_wanted("attach") ? attach()
                  : is_wanted("detach") ? (*vm)->DetachCurrentThread(vm)
                                        : (*vm)->DestroyJavaVM(vm);

    /* GetEnv stores NULL when it fails. */
    return result != JNI_OK && env == NULL ? result : result == JNI_OK ? JNI_OK
           : is_wanted("jni") || is_wanted("jvmti") ? -200 : result;
}

static void *
other(void *result)
{
    *(jint *)result = call();
    if (is_wanted("attach"))
        (*vm)->DetachCurrentThread(vm);
    return NULL;
}

static void
at(const char *place)
{
    pthread_t thread;
    jint result;

    printf("%s\n", place);
    if (is_wanted("print") || is_wanted("collection"))
        return;
    /* In the live phase it would wait for the thread that waits for it here. */
    if (by_another && is_wanted("destroy") && strncmp(place, "VM", 2) == 0
        && strcmp(place, "VMStart") != 0)
        return;
    if (!by_another)
        result = call();
    else if (pthread_create(&thread, NULL, other, &result) == 0)
        pthread_join(thread, NULL);
    fprintf(stderr, "call %s:%d\n", place, (int)result);
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni)
{
    at("VMStart");
}

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    at("VMInit");
    if (is_wanted("collection"))
        (*env)->ForceGarbageCollection(env);
}

static void JNICALL
on_death(jvmtiEnv *env, JNIEnv *jni)
{
    at("VMDeath");
}

static void JNICALL
on_collection(jvmtiEnv *env)
{
    static int times;
    void *result;

    if (times++ > 0)
        return;
    jint got = (*vm)->GetEnv(vm, &result, JVMTI_VERSION_11);
    jint detached = (*vm)->DetachCurrentThread(vm);
    jint destroyed = (*vm)->DestroyJavaVM(vm);
    fprintf(stderr, "call GarbageCollectionStart:%d:%d:%d\n", (int)got, (int)detached,
            (int)destroyed);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *javavm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = { JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT,
                                         JVMTI_EVENT_VM_DEATH };
    const jvmtiEventCallbacks callbacks = { .VMStart = on_start, .VMInit = on_init,
                                            .VMDeath = on_death,
                                            .GarbageCollectionStart = on_collection };
    const jvmtiCapabilities collections = { .can_generate_garbage_collection_events = 1 };
    size_t length = strcspn(options, "-");
    jvmtiEnv *ti;

    vm = javavm;
    by_another = options[length] == '-';
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, options);
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    for (int i = 0; i < 3; i++)
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL);
    if (is_wanted("collection")) {
        (*ti)->AddCapabilities(ti, &collections);
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                        JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
    }
    at("OnLoad");
    return JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *javavm)
{
    at("Unload");
}
