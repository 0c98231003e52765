/* SPDX-License-Identifier: MIT */
/*
 * The native part of the marking's programs: says whether a thread stands in front of a
 * monitor, and whether every agent has been told so.
 *
 * Thread.getState is BLOCKED a little too early for both.  The VM sets it before it sends
 * MonitorContendedEnter, so on a busy machine the owner could go before the agent that is
 * marked has asked who owns the monitor; and a VM may count the thread among those that
 * want the monitor only when the event has been sent.  Our environment is made when the
 * program runs, later than that of an agent, and events are sent "in the order that the
 * environments were created": once our callback runs, those of the agent have returned.
 */
#include "lab.h"

static jvmtiEnv *jvmti;
static jrawMonitorID lock;      /* of the numbers */
static jlong last_number;

/* Monitors have numbers, as tags; a thread's tag is that of the monitor for which it had
   to wait last. */
static void JNICALL
on_contended_enter(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    jlong number = 0;

    (void)jni;
    if (!CALL(RawMonitorEnter, env, lock))
        return;
    if (CALL(GetTag, env, object, &number) && number == 0) {
        number = ++last_number;
        CALL(SetTag, env, object, number);
    }
    CALL(SetTag, env, thread, number);
    CALL(RawMonitorExit, env, lock);
}

/* Is the thread one of those that wait to own the object's monitor? */
static bool
wants(JNIEnv *jni, jthread thread, jobject object)
{
    jvmtiMonitorUsage usage;
    bool found = false;

    if (!CALL(GetObjectMonitorUsage, jvmti, object, &usage))
        return false;
    for (jint i = 0; i < usage.waiter_count; i++)
        found = found || (*jni)->IsSameObject(jni, usage.waiters[i], thread);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.waiters);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.notify_waiters);
    return found;
}

/* Waiting.isBlocked(thread, object): does the thread wait to enter the object's monitor,
   and has that been told to every agent? */
JNIEXPORT jboolean JNICALL
Java_probe_Waiting_isBlocked(JNIEnv *jni, jclass class, jthread thread, jobject object)
{
    jlong told = 0, number = 0;

    (void)class;
    return CALL(GetTag, jvmti, thread, &told) && CALL(GetTag, jvmti, object, &number)
        && number != 0 && told == number && wants(jni, thread, object);
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_monitor_events = 1;
    capabilities.can_get_monitor_info = 1;
    capabilities.can_tag_objects = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MonitorContendedEnter = on_contended_enter;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(CreateRawMonitor, jvmti, "probe", &lock)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL))
        return JNI_ERR;
    return JNI_VERSION_1_8;
}
