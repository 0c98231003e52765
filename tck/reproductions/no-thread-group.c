/* SPDX-License-Identifier: MIT */
/*
 * GetThreadGroupInfo with an object that is no thread group: the VM reads behind the
 * end of the object and takes what lies there for a name and a parent.
 *
 * Text: Get Thread Group Info: JVMTI_ERROR_INVALID_THREAD_GROUP "group is not a thread group object."
 * Outcome: HotSpot 17 departs, HotSpot 21 departs, HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jobject o = (*jni)->AllocObject(jni, object);
    jvmtiThreadGroupInfo info;
    jvmtiError error = (*ti)->GetThreadGroupInfo(ti, o, &info);

    if (error == JVMTI_ERROR_INVALID_THREAD_GROUP)
        puts("as specified");
    else
        printf("departs: GetThreadGroupInfo gives %d for a plain object\n", error);
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
