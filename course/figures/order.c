/* SPDX-License-Identifier: MIT */
/*
 * The agent of the figure order.svg: writes a line "PHASE THREAD EVENT [CLASS]" for each
 * event of the threads main and worker, in which PHASE is what GetPhase says then.
 */
#include "lab.h"

static const char *const phases[] = {
    [JVMTI_PHASE_ONLOAD] = "onload", [JVMTI_PHASE_PRIMORDIAL] = "primordial",
    [JVMTI_PHASE_START] = "start", [JVMTI_PHASE_LIVE] = "live",
    [JVMTI_PHASE_DEAD] = "dead"
};

/* The line, if the event is one of a thread that is shown; klass may be NULL.  So may the
   thread: that on which main runs, which has no name yet, or another one at the end. */
static void
tell(jvmtiEnv *jvmti, jthread thread, const char *event, jclass klass)
{
    jvmtiThreadInfo info = { .name = NULL };
    char *signature = NULL;
    jvmtiPhase phase;

    if (!CALL(GetPhase, jvmti, &phase))
        return;
    if (thread != NULL && phase == JVMTI_PHASE_LIVE
        && !CALL(GetThreadInfo, jvmti, thread, &info))
        return;
    if ((info.name == NULL || strcmp(info.name, "main") == 0
         || strcmp(info.name, "worker") == 0)
        && (klass == NULL || CALL(GetClassSignature, jvmti, klass, &signature, NULL)))
        say("%s %s %s%s%.*s", phases[phase], info.name != NULL ? info.name : "main", event,
            signature != NULL ? " " : "",
            signature != NULL ? (int)strlen(signature) - 2 : 0,
            signature != NULL ? signature + 1 : "");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* Has the program itself loaded the class? */
static bool
is_of_program(jvmtiEnv *jvmti, jclass klass)
{
    jobject loader = NULL;

    return CALL(GetClassLoader, jvmti, klass, &loader) && loader != NULL;
}

static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    tell(jvmti, NULL, "VMStart", NULL);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    tell(jvmti, thread, "VMInit", NULL);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    tell(jvmti, NULL, "VMDeath", NULL);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase;

    (void)jni;
    /* In the start phase it may be any thread's. */
    if (CALL(GetPhase, jvmti, &phase) && phase == JVMTI_PHASE_LIVE)
        tell(jvmti, thread, "ThreadStart", NULL);
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase;

    (void)jni;
    if (CALL(GetPhase, jvmti, &phase) && phase == JVMTI_PHASE_LIVE)
        tell(jvmti, thread, "ThreadEnd", NULL);
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    (void)jni;
    if (is_of_program(jvmti, klass))
        tell(jvmti, thread, "ClassPrepare", klass);
}

static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    jclass klass = (*jni)->GetObjectClass(jni, exception);

    (void)method;
    (void)location;
    (void)catch_method;
    (void)catch_location;
    if (is_of_program(jvmti, klass))
        tell(jvmti, thread, "Exception", klass);
}

static void JNICALL
on_exception_catch(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                   jlocation location, jobject exception)
{
    jclass klass = (*jni)->GetObjectClass(jni, exception);

    (void)method;
    (void)location;
    if (is_of_program(jvmti, klass))
        tell(jvmti, thread, "ExceptionCatch", klass);
}

static void JNICALL
on_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    (void)jni;
    (void)object;
    tell(jvmti, thread, "MonitorContendedEnter", NULL);
}

static void JNICALL
on_contended_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    (void)jni;
    (void)object;
    tell(jvmti, thread, "MonitorContendedEntered", NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_EXCEPTION, JVMTI_EVENT_EXCEPTION_CATCH,
        JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED
    };
    jvmtiCapabilities capabilities = { .can_generate_exception_events = 1,
                                       .can_generate_monitor_events = 1 };
    jvmtiEventCallbacks callbacks = {
        .VMStart = on_vm_start, .VMInit = on_vm_init, .VMDeath = on_vm_death,
        .ClassPrepare = on_class_prepare, .ThreadStart = on_thread_start,
        .ThreadEnd = on_thread_end, .Exception = on_exception,
        .ExceptionCatch = on_exception_catch,
        .MonitorContendedEnter = on_contended_enter,
        .MonitorContendedEntered = on_contended_entered
    };
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks))
        return JNI_ERR;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, events[i], NULL))
            return JNI_ERR;
    tell(jvmti, NULL, "Agent_OnLoad", NULL);
    return JNI_OK;
}
