/* SPDX-License-Identifier: MIT */
/*
 * SetSystemProperty may be called in OnLoad, and its value may be NULL, to ask whether
 * the property could be written.  The VM copies the value without a look.
 *
 * Text: Set System Property: "If value_ptr is NULL, do not set the value, but return
 * JVMTI_ERROR_NOT_AVAILABLE if the property is not writeable."
 * Outcome: HotSpot 17 dies, HotSpot 21 dies, HotSpot 25 dies
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *ti;
    jvmtiError error;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    error = (*ti)->SetSystemProperty(ti, "java.home", NULL);
    if (error == JVMTI_ERROR_NONE || error == JVMTI_ERROR_NOT_AVAILABLE)
        puts("as specified");
    else
        printf("departs: SetSystemProperty gives %d\n", error);
    return JNI_OK;
}
