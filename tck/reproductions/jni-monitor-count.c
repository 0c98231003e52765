/* SPDX-License-Identifier: MIT */
/*
 * GetObjectMonitorUsage is to give how often the owner has entered the monitor.
 * Entries by JNI's MonitorEnter are not counted.
 *
 * Text: Get Object Monitor Usage: entry_count "The number of times the owning thread has entered the monitor"
 * Outcome: HotSpot 17 departs, HotSpot 21 departs, HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    jvmtiMonitorUsage usage;
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jobject o = (*jni)->AllocObject(jni, object);

    for (int i = 0; i < 3; i++)
        (*jni)->MonitorEnter(jni, o);
    (*ti)->GetObjectMonitorUsage(ti, o, &usage);
    if (usage.owner != NULL && usage.entry_count == 3)
        puts("as specified");
    else
        printf("departs: entered 3 times, entry_count is %d\n", usage.entry_count);
    for (int i = 0; i < 3; i++)
        (*jni)->MonitorExit(jni, o);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;
    jvmtiCapabilities wanted;

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
