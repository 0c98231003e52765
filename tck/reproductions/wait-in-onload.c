/* SPDX-License-Identifier: MIT */
/*
 * A raw monitor may be waited for in any phase.  In OnLoad there is no Java thread
 * yet, and the VM uses the one that it has not.
 *
 * Text: Raw Monitor Wait: phase "may be called during any phase"
 * Outcome: HotSpot 17 dies, HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *ti;
    jrawMonitorID monitor;
    jvmtiError error;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    (*ti)->CreateRawMonitor(ti, "monitor", &monitor);
    (*ti)->RawMonitorEnter(ti, monitor);
    error = (*ti)->RawMonitorWait(ti, monitor, 10);
    (*ti)->RawMonitorExit(ti, monitor);
    if (error == JVMTI_ERROR_NONE)
        puts("as specified");
    else
        printf("departs: RawMonitorWait gives %d in OnLoad\n", error);
    return JNI_OK;
}
