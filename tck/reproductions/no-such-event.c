/* SPDX-License-Identifier: MIT */
/*
 * Five numbers between those of events belong to no event.  They can be enabled all the
 * same.
 *
 * Text: Set Event Notification Mode: JVMTI_ERROR_INVALID_EVENT_TYPE
 * Outcome: HotSpot 17 departs, HotSpot 21 departs, HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const int numbers[] = { 72, 77, 78, 79, 85 };
    int accepted = 0;
    jvmtiEnv *ti;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    for (int i = 0; i < 5; i++) {
        jvmtiError error = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                                           (jvmtiEvent)numbers[i], NULL);

        if (error != JVMTI_ERROR_INVALID_EVENT_TYPE && accepted++ >= 0)
            printf("departs: enabling event %d gives %d\n", numbers[i], error);
    }
    if (accepted == 0)
        puts("as specified");
    return JNI_OK;
}
