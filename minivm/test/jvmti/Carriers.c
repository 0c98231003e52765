/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Carriers.c -- the extension functions GetVirtualThread and
 * GetCarrierThread, and the extension events for mounts, for Carriers.java. */

#include <pthread.h>
#include <stdarg.h>

#include "check.h"

static jvmtiEnv *ti, *poor;
static jvmtiExtensionFunction virtual_thread, carrier_thread;
static jint mount_event = -1, unmount_event = -1;

/* Whose events are written down. */
static jthread watched;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[1000];

/* An error as an Integer, since the other results are threads. */
static jobject
boxed(JNIEnv *jni, jint error)
{
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");
    jmethodID value_of =
        (*jni)->GetStaticMethodID(jni, integer, "valueOf", "(I)Ljava/lang/Integer;");

    return (*jni)->CallStaticObjectMethod(jni, integer, value_of, error);
}

static jobject
ask(JNIEnv *jni, jvmtiExtensionFunction function, jthread thread)
{
    jthread result = thread;
    jvmtiError error = function(ti, thread, &result);

    return error == JVMTI_ERROR_NONE ? result : boxed(jni, (jint)error);
}

JNIEXPORT jobject JNICALL
Java_Carriers_virtualOf(JNIEnv *jni, jclass c, jthread thread)
{
    return ask(jni, virtual_thread, thread);
}

JNIEXPORT jobject JNICALL
Java_Carriers_carrierOf(JNIEnv *jni, jclass c, jthread thread)
{
    return ask(jni, carrier_thread, thread);
}

/* Both functions; their errors have to be the same. */
JNIEXPORT jint JNICALL
Java_Carriers_withoutCapability(JNIEnv *jni, jclass c, jthread thread)
{
    jthread result;
    jint first = (jint)virtual_thread(poor, thread, &result);

    return first == (jint)carrier_thread(poor, thread, &result) ? first : -1;
}

JNIEXPORT jint JNICALL
Java_Carriers_withoutResult(JNIEnv *jni, jclass c, jthread thread)
{
    jint first = (jint)virtual_thread(ti, thread, NULL);

    return first == (jint)carrier_thread(ti, thread, NULL) ? first : -1;
}

/* ---- events ---- */

static void
note(JNIEnv *jni, jthread thread, const char *what)
{
    pthread_mutex_lock(&mutex);
    if (watched && (*jni)->IsSameObject(jni, thread, watched))
        strcat(text, what);
    pthread_mutex_unlock(&mutex);
}

static void JNICALL
on_mount(jvmtiEnv *env, ...)
{
    va_list args;

    va_start(args, env);
    JNIEnv *jni = va_arg(args, JNIEnv *);
    jthread thread = va_arg(args, jthread);
    va_end(args);
    note(jni, thread, "mount ");
}

static void JNICALL
on_unmount(jvmtiEnv *env, ...)
{
    va_list args;

    va_start(args, env);
    JNIEnv *jni = va_arg(args, JNIEnv *);
    jthread thread = va_arg(args, jthread);
    va_end(args);
    note(jni, thread, "unmount ");
}

JNIEXPORT void JNICALL
Java_Carriers_watch(JNIEnv *jni, jclass c, jthread thread)
{
    pthread_mutex_lock(&mutex);
    if (watched)
        (*jni)->DeleteGlobalRef(jni, watched);
    watched = (*jni)->NewGlobalRef(jni, thread);
    text[0] = '\0';
    pthread_mutex_unlock(&mutex);
}

JNIEXPORT jstring JNICALL
Java_Carriers_take(JNIEnv *jni, jclass c)
{
    char copy[sizeof text];

    pthread_mutex_lock(&mutex);
    strcpy(copy, text);
    pthread_mutex_unlock(&mutex);
    return (*jni)->NewStringUTF(jni, copy);
}

/* Turns both events on or off by their indexes, as HotSpot allows. */
JNIEXPORT jint JNICALL
Java_Carriers_mode(JNIEnv *jni, jclass c, jboolean on, jthread thread)
{
    jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
    jint first =
        (jint)(*ti)->SetEventNotificationMode(ti, mode, (jvmtiEvent)mount_event, thread);

    return first
           + (jint)(*ti)->SetEventNotificationMode(ti, mode, (jvmtiEvent)unmount_event,
                                                   thread);
}

/* Finds the extensions by the ends of their ids. */
static void
find(void)
{
    jvmtiExtensionFunctionInfo *functions;
    jvmtiExtensionEventInfo *events;
    jint count;

    (*ti)->GetExtensionFunctions(ti, &count, &functions);
    for (jint i = 0; i < count; i++) {
        if (strstr(functions[i].id, ".GetVirtualThread"))
            virtual_thread = functions[i].func;
        if (strstr(functions[i].id, ".GetCarrierThread"))
            carrier_thread = functions[i].func;
    }
    (*ti)->GetExtensionEvents(ti, &count, &events);
    for (jint i = 0; i < count; i++) {
        if (strstr(events[i].id, ".VirtualThreadMount"))
            mount_event = events[i].extension_event_index;
        if (strstr(events[i].id, ".VirtualThreadUnmount"))
            unmount_event = events[i].extension_event_index;
    }
    check("found", virtual_thread && carrier_thread && mount_event >= 0
                       && unmount_event >= 0);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_support_virtual_threads = 1 };

    ti = make_env(vm, JVMTI_VERSION_21, &wanted);
    poor = make_env(vm, JVMTI_VERSION_21, NULL);
    find();
    check_int("mounts", (*ti)->SetExtensionEventCallback(ti, mount_event, on_mount),
              JVMTI_ERROR_NONE);
    check_int("unmounts", (*ti)->SetExtensionEventCallback(ti, unmount_event, on_unmount),
              JVMTI_ERROR_NONE);
    /* HotSpot has enabled the events with the callback; asking again does no harm. */
    Java_Carriers_mode(NULL, NULL, JNI_TRUE, NULL);
    return JNI_OK;
}
