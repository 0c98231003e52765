/* SPDX-License-Identifier: MIT */
/* Lab 2: a log of phases, classes and threads. */
#include "lab.h"

static const char *
phase_name(jvmtiEnv *jvmti)
{
    jvmtiPhase phase;

    if (!CALL(GetPhase, jvmti, &phase))
        return "?";
    switch (phase) {
    case JVMTI_PHASE_ONLOAD: return "onload";
    case JVMTI_PHASE_PRIMORDIAL: return "primordial";
    case JVMTI_PHASE_START: return "start";
    case JVMTI_PHASE_LIVE: return "live";
    case JVMTI_PHASE_DEAD: return "dead";
    default: return "?";
    }
}

/* Says a line with a thread's name. */
static void
say_thread(jvmtiEnv *jvmti, jthread thread, const char *before)
{
    jvmtiThreadInfo info;

    if (!CALL(GetThreadInfo, jvmti, thread, &info))
        return;
    say("%s%s", before, info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
}

static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    say("vmstart phase=%s", phase_name(jvmti));
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    char before[60];

    (void)jni;
    snprintf(before, sizeof before, "vminit phase=%s thread=", phase_name(jvmti));
    say_thread(jvmti, thread, before);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    say("vmdeath phase=%s", phase_name(jvmti));
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    jobject loader = NULL;
    char *signature = NULL;

    (void)jni;
    (void)thread;
    if (!CALL(GetClassLoader, jvmti, klass, &loader) || loader == NULL)
        return;
    if (!CALL(GetClassSignature, jvmti, klass, &signature, NULL))
        return;
    for (char *c = signature; *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
    say("prepare %.*s", (int)strlen(signature) - 2, signature + 1);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static bool
is_live(jvmtiEnv *jvmti)
{
    jvmtiPhase phase;

    return CALL(GetPhase, jvmti, &phase) && phase == JVMTI_PHASE_LIVE;
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    if (is_live(jvmti))
        say_thread(jvmti, thread, "start ");
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    if (is_live(jvmti))
        say_thread(jvmti, thread, "end ");
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END
    };
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    say("onload phase=%s", phase_name(jvmti));
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMStart = on_vm_start;
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.ThreadStart = on_thread_start;
    callbacks.ThreadEnd = on_thread_end;
    if (!CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks))
        return JNI_ERR;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, events[i], NULL))
            return JNI_ERR;
    return JNI_OK;
}
