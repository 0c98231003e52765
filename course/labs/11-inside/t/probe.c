/* SPDX-License-Identifier: MIT */
/* The marking's own agent: says what the two functions of the VM answer. */
#include "lab.h"

static char *class_name;

static void
say_name(jvmtiEnv *jvmti, const char *what, jmethodID method, jlocation location)
{
    char *name = NULL;

    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        say("%s %s %lld", what, name, (long long)location);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void
say_error(jvmtiEnv *jvmti, const char *what, const char *about, jvmtiError error)
{
    char *name = NULL;

    if (CALL(GetErrorName, jvmti, error, &name))
        say("%s %s%s", what, about, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void
say_table(jvmtiEnv *jvmti, jmethodID method)
{
    jvmtiLineNumberEntry *table = NULL;
    char *name = NULL, about[300];
    jint rows = 0;
    jvmtiError error = (*jvmti)->GetLineNumberTable(jvmti, method, &rows, &table);

    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL)) {
        snprintf(about, sizeof about, "%s ", name);
        say_error(jvmti, "method", about, error);
        for (jint i = 0; error == JVMTI_ERROR_NONE && i < rows; i++)
            say("row %s pc %lld line %d", name, (long long)table[i].start_location,
                (int)table[i].line_number);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

static void
say_tables(jvmtiEnv *jvmti, jclass klass)
{
    jmethodID *methods = NULL;
    jint count = 0;

    if (!CALL(GetClassMethods, jvmti, klass, &count, &methods))
        return;
    for (jint i = 0; i < count; i++)
        say_table(jvmti, methods[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

static void
say_trace(jvmtiEnv *jvmti, const char *what, jthread thread, jint start, jint max)
{
    jvmtiFrameInfo frames[200];
    jint count = 0;
    jvmtiError error = (*jvmti)->GetStackTrace(jvmti, thread, start, max, frames, &count);

    if (error != JVMTI_ERROR_NONE)
        say_error(jvmti, what, "", error);
    for (jint i = 0; error == JVMTI_ERROR_NONE && i < count; i++)
        say_name(jvmti, what, frames[i].method, frames[i].location);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jthread *threads = NULL;
    jint count = 0;
    jvmtiThreadInfo info;

    if (!CALL(GetThreadInfo, jvmti, thread, &info) || strcmp(info.name, "look") != 0
        || !CALL(GetAllThreads, jvmti, &count, &threads))
        return;
    for (jint i = 0; i < count; i++)
        if (CALL(GetThreadInfo, jvmti, threads[i], &info)
            && strcmp(info.name, "waits") == 0)
            say_trace(jvmti, "other", threads[i], 0, 200);
    say_tables(jvmti, (*jni)->FindClass(jni, class_name));
    say_tables(jvmti, (*jni)->FindClass(jni, "Without"));
}

/* The exception that says: look at my own stack. */
static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catcher, jlocation where)
{
    char *signature = NULL;
    jint depth = 0;

    (void)method, (void)location, (void)catcher, (void)where;
    if (!CALL(GetClassSignature, jvmti, (*jni)->GetObjectClass(jni, exception),
              &signature, NULL) || strcmp(signature, "LLook;") != 0
        || !CALL(GetFrameCount, jvmti, thread, &depth))
        return;
    say_trace(jvmti, "trace", NULL, 0, 200);
    say_trace(jvmti, "from-one", NULL, 1, 200);
    say_trace(jvmti, "last-two", NULL, -2, 200);
    say_trace(jvmti, "three", NULL, 0, 3);
    say_trace(jvmti, "beyond", NULL, depth, 3);
    say_trace(jvmti, "before", NULL, -depth - 1, 3);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni, (void)thread;
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_init, .ThreadStart = on_thread_start, .Exception = on_exception
    };
    jvmtiCapabilities capabilities = {
        .can_generate_exception_events = 1, .can_get_line_numbers = 1,
        .can_maintain_original_method_order = 1
    };
    jvmtiEnv *jvmti;

    (void)reserved;
    class_name = strdup(options);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
