/* SPDX-License-Identifier: MIT */
/* Lab 8: counters in bytecode.  See handout.md. */
#include "lab.h"

/*
 * A method's code is a list: from code->first over next to code->last, which is a label.
 * An element is an instruction, or a label, which names the place in front of the
 * instruction that follows; jumps, handlers and the tables of lines and locals point to
 * labels instead of numbers of bytes.
 *
 *     tf_emit(code, label, ...)         in front of the label: a jump to it passes this by
 *     tf_emit(code, label->next, ...)   behind the label: a jump to it runs this, too
 */
#include <tiforge/classfile.h>

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
         const char *name, jobject domain, jint length, const unsigned char *bytes,
         jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti;
    (void)jni;
    (void)redefined;
    (void)loader;
    (void)name;
    (void)domain;
    (void)length;
    (void)bytes;
    (void)new_length;
    (void)new_bytes;
    /* Your work begins here. */
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class;
    if (!CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
        return JNI_ERR;
    return JNI_OK;
}
