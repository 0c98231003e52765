/* SPDX-License-Identifier: MIT */
/*
 * RedefineClasses with an object that is no class.  An implementation need not give
 * the error that the text recommends, but it may not crash.
 *
 * Text: Redefine Classes: JVMTI_ERROR_INVALID_CLASS in the table of errors
 * Outcome: HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    unsigned char byte = 0;
    jvmtiClassDefinition definition = { (jclass)thread, 1, &byte };
    jvmtiError error = (*ti)->RedefineClasses(ti, 1, &definition);

    if (error != JVMTI_ERROR_NONE)
        puts("as specified");
    else
        puts("departs: RedefineClasses redefines a thread");
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
    wanted.can_redefine_classes = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
