/* SPDX-License-Identifier: MIT */
/* Lab 10: virtual threads. */
#include "lab.h"

#define MAX_THREADS 10000

static jrawMonitorID lock;              /* of what follows */
static jthread alive[MAX_THREADS];      /* global references */
static int alive_count;
static long started, ended;

static void JNICALL
on_virtual_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    started++;
    if (alive_count < MAX_THREADS)
        alive[alive_count++] = (*jni)->NewGlobalRef(jni, thread);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL
on_virtual_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    ended++;
    for (int i = 0; i < alive_count; i++)
        if ((*jni)->IsSameObject(jni, alive[i], thread)) {
            (*jni)->DeleteGlobalRef(jni, alive[i]);
            alive[i] = alive[--alive_count];
            break;
        }
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

/* The thread's name; the caller frees it. */
static char *
thread_name(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiThreadInfo info;
    char *name;

    if (!CALL(GetThreadInfo, jvmti, thread, &info))
        return strdup("?");
    name = strdup(info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return name;
}

/* The method's name if its class has no package, else NULL; the caller frees it. */
static char *
own_method(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    char *signature = NULL, *name = NULL, *result = NULL;
    jclass klass;

    if (!CALL(GetMethodDeclaringClass, jvmti, method, &klass))
        return NULL;
    if (CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && strchr(signature, '/') == NULL
        && CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        result = strdup(name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, klass);
    return result;
}

/* The line of a thread; the caller frees it. */
static char *
describe(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiFrameInfo frames[200];
    char *name = thread_name(jvmti, thread), *top = NULL, *line = NULL;
    const char *what = "running";
    jint state = 0, count = 0;

    CALL(GetThreadState, jvmti, thread, &state);
    if ((state & JVMTI_THREAD_STATE_WAITING) != 0)
        what = "waiting";
    else if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0)
        what = "blocked";
    if (CALL(GetStackTrace, jvmti, thread, 0, 200, frames, &count))
        for (jint i = 0; i < count && top == NULL; i++)
            top = own_method(jvmti, jni, frames[i].method);
    if (asprintf(&line, "%s %s %s", name, what, top != NULL ? top : "-") < 0)
        line = NULL;
    free(name);
    free(top);
    return line;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
look(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jthread *threads = NULL, *copy = calloc(MAX_THREADS, sizeof *copy);
    char **text = calloc(MAX_THREADS, sizeof *text);
    jint count = 0, listed = 0;
    int n = 0;

    if (copy == NULL || text == NULL || !CALL(GetAllThreads, jvmti, &count, &threads))
        return;
    for (jint i = 0; i < count; i++)
        listed += (*jni)->IsVirtualThread(jni, threads[i]);
    say("listed %d", (int)listed);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
    /* Not with the monitor held: a thread may want it to end. */
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    for (; n < alive_count; n++)
        copy[n] = (*jni)->NewLocalRef(jni, alive[n]);
    (*jvmti)->RawMonitorExit(jvmti, lock);
    for (int i = 0; i < n; i++)
        text[i] = describe(jvmti, jni, copy[i]);
    qsort(text, (size_t)n, sizeof *text, compare);
    for (int i = 0; i < n; i++) {
        say("alive %s", text[i]);
        free(text[i]);
    }
    free(copy);
    free(text);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase;
    char *name;

    if (!CALL(GetPhase, jvmti, &phase) || phase != JVMTI_PHASE_LIVE)
        return;
    name = thread_name(jvmti, thread);
    if (strcmp(name, "look") == 0)
        look(jvmti, jni);
    free(name);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    say("virtual started %ld ended %ld", started, ended);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VIRTUAL_THREAD_START, JVMTI_EVENT_VIRTUAL_THREAD_END,
        JVMTI_EVENT_THREAD_START, JVMTI_EVENT_VM_DEATH
    };
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_21) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_support_virtual_threads = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VirtualThreadStart = on_virtual_start;
    callbacks.VirtualThreadEnd = on_virtual_end;
    callbacks.ThreadStart = on_thread_start;
    callbacks.VMDeath = on_vm_death;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(CreateRawMonitor, jvmti, "list", &lock)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks))
        return JNI_ERR;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, events[i], NULL))
            return JNI_ERR;
    return JNI_OK;
}
