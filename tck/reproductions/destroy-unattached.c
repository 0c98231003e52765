/* SPDX-License-Identifier: MIT */
/*
 * DestroyRawMonitor on a thread that the VM does not know.  An implementation need not
 * give the error that the text recommends, but it may not crash: HotSpot 17 does not.
 *
 * Text: Destroy Raw Monitor; JVMTI_ERROR_UNATTACHED_THREAD in "Universal Errors"
 * Outcome: HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

#include <pthread.h>

static jvmtiEnv *the_env;
static jrawMonitorID monitor;

static void *
run_unattached(void *arg)
{
    jvmtiError error = (*the_env)->DestroyRawMonitor(the_env, monitor);

    if (error == JVMTI_ERROR_UNATTACHED_THREAD || error == JVMTI_ERROR_NONE)
        puts("as specified");
    else
        printf("departs: DestroyRawMonitor gives %d\n", error);
    return NULL;
}

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    pthread_t native;

    the_env = ti;
    (*ti)->CreateRawMonitor(ti, "monitor", &monitor);
    pthread_create(&native, NULL, run_unattached, NULL);
    pthread_join(native, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
