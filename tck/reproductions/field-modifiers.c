/* SPDX-License-Identifier: MIT */
/*
 * GetFieldModifiers is to give the access flags of the class file.  For a field with a
 * generic type an internal flag, 0x800, shows.
 *
 * Text: Get Field Modifiers: "the access flags", with JVMS 4.5
 * Outcome: HotSpot 17 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    jclass klass = (*jni)->FindClass(jni, "java/lang/Class");
    jint count, modifiers;
    jfieldID *fields;
    int odd = 0;

    (*ti)->GetClassFields(ti, klass, &count, &fields);
    for (jint i = 0; i < count; i++) {
        (*ti)->GetFieldModifiers(ti, klass, fields[i], &modifiers);
        /* JVMS table 4.5-A: no flag of a field is 0x800. */
        odd += (modifiers & 0x800) != 0;
    }
    if (odd == 0)
        puts("as specified");
    else
        printf("departs: %d fields of java.lang.Class have the flag 0x800\n", odd);
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
