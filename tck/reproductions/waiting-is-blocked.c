/* SPDX-License-Identifier: MIT */
/*
 * GetObjectMonitorUsage counts a thread that waits to be notified, in Object.wait, as one
 * that waits to own the monitor, too, which nobody owns.
 *
 * Text: Get Object Monitor Usage: waiter_count "The number of threads waiting to own this monitor"
 * Outcome: HotSpot 17 departs, HotSpot 21 departs
 */
#include <jvmti.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static JavaVM *java_vm;
static jobject monitor;
static sem_t entered;

/* Enters the monitor, tells so, and waits in it until it is notified. */
static void *
wait_in_monitor(void *unused)
{
    JNIEnv *jni;
    jclass object;

    (*java_vm)->AttachCurrentThreadAsDaemon(java_vm, (void **)&jni, NULL);
    object = (*jni)->FindClass(jni, "java/lang/Object");
    (*jni)->MonitorEnter(jni, monitor);
    sem_post(&entered);
    (*jni)->CallVoidMethod(jni, monitor,
                           (*jni)->GetMethodID(jni, object, "wait", "()V"));
    (*jni)->MonitorExit(jni, monitor);
    (*java_vm)->DetachCurrentThread(java_vm);
    return unused;
}

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    jvmtiMonitorUsage usage;
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    pthread_t waiter;

    monitor = (*jni)->NewGlobalRef(jni, (*jni)->AllocObject(jni, object));
    sem_init(&entered, 0, 0);
    pthread_create(&waiter, NULL, wait_in_monitor, NULL);
    sem_wait(&entered);
    /* It can be entered when the other thread waits in it, and not before. */
    (*jni)->MonitorEnter(jni, monitor);
    (*jni)->MonitorExit(jni, monitor);
    (*ti)->GetObjectMonitorUsage(ti, monitor, &usage);
    if (usage.waiter_count == 0 && usage.notify_waiter_count == 1)
        puts("as specified");
    else
        printf("departs: one thread waits to be notified and none to own the monitor, "
               "waiter_count is %d, notify_waiter_count is %d\n",
               usage.waiter_count, usage.notify_waiter_count);
    (*jni)->MonitorEnter(jni, monitor);
    (*jni)->CallVoidMethod(jni, monitor,
                           (*jni)->GetMethodID(jni, object, "notifyAll", "()V"));
    (*jni)->MonitorExit(jni, monitor);
    pthread_join(waiter, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;
    jvmtiCapabilities wanted;

    java_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_monitor_info = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
