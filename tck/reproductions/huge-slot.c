/* SPDX-License-Identifier: MIT */
/*
 * GetLocalLong and its kin look at two slots.  With slot 0x7fffffff the number of the
 * second one overflows, the bounds check passes, and the VM reads far outside of the
 * frame.
 *
 * Text: Get Local Variable - Long: JVMTI_ERROR_INVALID_SLOT "Invalid slot."
 * Outcome: HotSpot 17 dies, HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static void JNICALL
on_method(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method)
{
    jvmtiError error;
    jlong value;

    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    error = (*ti)->GetLocalLong(ti, NULL, 0, 0x7fffffff, &value);
    if (error == JVMTI_ERROR_INVALID_SLOT)
        puts("as specified");
    else
        printf("departs: GetLocalLong gives %d, not 35\n", error);
}

/* Java code has to be on the stack: the first method that is entered after VMInit. */
static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
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
    wanted.can_access_local_variables = 1;
    wanted.can_generate_method_entry_events = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    callbacks.MethodEntry = on_method;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
