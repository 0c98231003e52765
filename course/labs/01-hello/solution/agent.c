/* SPDX-License-Identifier: MIT */
/* Lab 1: an agent that greets. */
#include "lab.h"

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    char *name = NULL;

    (void)jni;
    (void)thread;
    if (!CALL(GetSystemProperty, jvmti, "java.vm.name", &name))
        return;
    say("vm %s", name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    say("goodbye");
}

/* Reads the options; false for one that we do not know. */
static bool
read_options(char *options, const char **name, int *repeat)
{
    char *rest = NULL;

    for (char *option = strtok_r(options, ",", &rest); option != NULL;
         option = strtok_r(NULL, ",", &rest)) {
        if (strncmp(option, "name=", 5) == 0)
            *name = option + 5;
        else if (strncmp(option, "repeat=", 7) == 0)
            *repeat = atoi(option + 7);
        else {
            fprintf(stderr, "unknown option: %s\n", option);
            return false;
        }
    }
    return true;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    const char *name = "world";
    char *copy = strdup(options != NULL ? options : "");
    jvmtiEnv *jvmti;
    int repeat = 1;

    (void)reserved;
    if (copy == NULL || !read_options(copy, &name, &repeat)
        || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        free(copy);
        return JNI_ERR;
    }
    for (int i = 0; i < repeat; i++)
        say("hello %s", name);
    free(copy);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    if (!CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
