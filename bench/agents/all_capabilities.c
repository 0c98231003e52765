/* SPDX-License-Identifier: MIT */
/* Holds every potential capability and enables no event: the price of readiness. */
#include <jvmti.h>
#include <stdio.h>

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities all;
    jvmtiEnv *env;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    if ((*env)->GetPotentialCapabilities(env, &all) != JVMTI_ERROR_NONE
        || (*env)->AddCapabilities(env, &all) != JVMTI_ERROR_NONE) {
        fprintf(stderr, "all_capabilities: cannot add the potential capabilities\n");
        return JNI_ERR;
    }
    return JNI_OK;
}
