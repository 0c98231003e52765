/* SPDX-License-Identifier: MIT */
/* An agent that keeps the VM from starting.  Options: init, start or thread leaves an
   exception pending in VMInit, VMStart or the first ThreadStart; fail makes Agent_OnLoad
   fail; the name of a class breaks its class file. */

#include <jvmti.h>
#include <string.h>

static char option[64];

static void
leave(JNIEnv *jni, const char *where)
{
    jclass c, cause;

    if (strcmp(option, where) != 0)
        return;
    c = (*jni)->FindClass(jni, "java/lang/IllegalArgumentException");
    cause = (*jni)->FindClass(jni, "java/lang/Throwable");
    jmethodID init = (*jni)->GetMethodID(
        jni, c, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
    jmethodID init_cause =
        (*jni)->GetMethodID(jni, cause, "<init>", "(Ljava/lang/String;)V");
    jobject why = (*jni)->NewObject(jni, cause, init_cause,
                                    (*jni)->NewStringUTF(jni, "the cause"));
    (*jni)->Throw(jni, (*jni)->NewObject(jni, c, init, (*jni)->NewStringUTF(jni, where),
                                         why));
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    leave(jni, "init");
}

static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    leave(jni, "start");
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase;
    jvmtiThreadInfo info;

    if ((*jvmti)->GetPhase(jvmti, &phase) == JVMTI_ERROR_NONE
        && phase == JVMTI_PHASE_LIVE
        && (*jvmti)->GetThreadInfo(jvmti, thread, &info) == JVMTI_ERROR_NONE
        && strcmp(info.name, "main") == 0)
        leave(jni, "thread");
}

static void JNICALL
on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass again, jobject loader,
              const char *name, jobject domain, jint length,
              const unsigned char *bytes, jint *new_length, unsigned char **new_bytes)
{
    (void)jni;
    (void)again;
    (void)loader;
    (void)domain;
    (void)length;
    (void)bytes;
    if (name == NULL || strcmp(name, option) != 0)
        return;
    (*jvmti)->Allocate(jvmti, 3, new_bytes);
    memcpy(*new_bytes, "bad", 3);
    *new_length = 3;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_START, JVMTI_EVENT_THREAD_START,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK
    };
    jvmtiCapabilities capabilities = { .can_generate_all_class_hook_events = 1,
                                       .can_generate_early_class_hook_events = 1 };
    jvmtiEventCallbacks callbacks = { .VMInit = on_vm_init, .VMStart = on_vm_start,
                                      .ThreadStart = on_thread_start,
                                      .ClassFileLoadHook = on_class_file };
    jvmtiEnv *jvmti;

    (void)reserved;
    strncpy(option, options, sizeof option - 1);
    if (strcmp(option, "fail") == 0)
        return 7;
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
    (*jvmti)->AddCapabilities(jvmti, &capabilities);
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    for (int i = 0; i < 4; i++)
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    return JNI_OK;
}
