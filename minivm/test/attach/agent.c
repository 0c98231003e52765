/* SPDX-License-Identifier: MIT */
/* minivm/test/attach/agent.c -- an agent that is started in a running VM.
 *
 * It tells what it finds, and changes Target's fields so that the program can tell, too.
 * Options: "fail" makes it answer 7, "throw" leaves an exception behind. */

#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static int starts;

static void JNICALL
on_data_dump(jvmtiEnv *env)
{
    jvmtiPhase phase = 0;

    (*env)->GetPhase(env, &phase);
    printf("data dump in phase %d\n", (int)phase);
    fflush(stdout);
}

static void
watch(JavaVM *vm)
{
    jvmtiEnv *env = NULL;
    jvmtiPhase phase = 0;
    jvmtiCapabilities potential, early = { .can_generate_early_vmstart = 1 };
    jvmtiEventCallbacks callbacks = { .DataDumpRequest = on_data_dump };

    if ((*vm)->GetEnv(vm, (void **)&env, JVMTI_VERSION_9) != JNI_OK)
        return;
    (*env)->GetPhase(env, &phase);
    (*env)->GetPotentialCapabilities(env, &potential);
    printf("phase %d; early start %d, early hook %d; adding it: %d\n", (int)phase,
           potential.can_generate_early_vmstart,
           potential.can_generate_early_class_hook_events,
           (int)(*env)->AddCapabilities(env, &early));
    if (starts > 1) {
        (*env)->DisposeEnvironment(env);
        return;
    }
    (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_DATA_DUMP_REQUEST,
                                     NULL);
}

static void
tell_target(JNIEnv *env, const char *options)
{
    jclass c = (*env)->FindClass(env, "Target");
    jfieldID started = c ? (*env)->GetStaticFieldID(env, c, "started", "I") : NULL;
    jfieldID text = started ? (*env)->GetStaticFieldID(env, c, "options",
                                                       "Ljava/lang/String;")
                            : NULL;

    if (!text)
        return;
    (*env)->SetStaticIntField(env, c, started, starts);
    (*env)->SetStaticObjectField(env, c, text, (*env)->NewStringUTF(env, options));
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    JNIEnv *env = NULL;

    starts++;
    printf("OnAttach %d '%s', reserved %s, attached %d\n", starts, options ? options : "",
           reserved ? "set" : "NULL",
           (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) == JNI_OK);
    fflush(stdout);
    watch(vm);
    tell_target(env, options ? options : "");
    fflush(stdout);
    if (options && !strcmp(options, "throw"))
        (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"),
                         "left behind");
    return options && !strcmp(options, "fail") ? 7 : 0;
}

/* Started with the VM, to see its end when the start fails. */
JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)vm;
    (void)reserved;
    printf("OnLoad '%s'\n", options);
    fflush(stdout);
    return strcmp(options, "fail") == 0;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    printf("OnUnload\n");
    fflush(stdout);
}
