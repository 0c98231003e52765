/* SPDX-License-Identifier: MIT */
/* Lab 6: contention and deadlock. */
#include "lab.h"

static char prefix[600];        /* of classes, "p.L" */

/* A thread's name; the caller frees it. */
static char *
thread_name(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiThreadInfo info;
    char *name;

    if (thread == NULL || !CALL(GetThreadInfo, jvmti, thread, &info))
        return strdup("?");
    name = strdup(info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return name;
}

/* The name of the object's class if it is one of those that count; the caller frees it. */
static char *
wanted_class(jvmtiEnv *jvmti, JNIEnv *jni, jobject object)
{
    char *signature = NULL, *name = NULL;

    if (!CALL(GetClassSignature, jvmti, (*jni)->GetObjectClass(jni, object), &signature,
              NULL))
        return NULL;
    for (char *c = signature; *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
    if (strncmp(signature + 1, prefix, strlen(prefix)) == 0)
        name = strndup(signature + 1, strlen(signature) - 2);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return name;
}

/* Who owns the monitor, or NULL. */
static jthread
owner_of(jvmtiEnv *jvmti, jobject object)
{
    jvmtiMonitorUsage usage;

    if (!CALL(GetObjectMonitorUsage, jvmti, object, &usage))
        return NULL;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.waiters);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.notify_waiters);
    return usage.owner;
}

static void JNICALL
on_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    char *class = wanted_class(jvmti, jni, object), *name, *owner;

    if (class == NULL)
        return;
    name = thread_name(jvmti, thread);
    owner = thread_name(jvmti, owner_of(jvmti, object));
    say("wait %s for %s owner %s", name, class, owner);
    free(class);
    free(name);
    free(owner);
}

static void JNICALL
on_contended_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    char *class = wanted_class(jvmti, jni, object), *name;

    if (class == NULL)
        return;
    name = thread_name(jvmti, thread);
    say("enter %s %s", name, class);
    free(class);
    free(name);
}

/* The index of the thread that threads[i] waits for, or -1.  What is in Object.wait has a
   contended monitor, too, but waits for nobody who owns it. */
static int
waits_for(jvmtiEnv *jvmti, JNIEnv *jni, jthread *threads, int count, int i)
{
    jobject object = NULL;
    jthread owner;
    jint state = 0;

    if ((*jvmti)->GetThreadState(jvmti, threads[i], &state) != JVMTI_ERROR_NONE
        || (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) == 0)
        return -1;
    if ((*jvmti)->GetCurrentContendedMonitor(jvmti, threads[i], &object)
        != JVMTI_ERROR_NONE || object == NULL)
        return -1;
    owner = owner_of(jvmti, object);
    for (int j = 0; j < count && owner != NULL; j++)
        if ((*jni)->IsSameObject(jni, threads[j], owner))
            return j;
    return -1;
}

static bool
is_in_circle(const int *next, int count, int i)
{
    int at = next[i];

    for (int steps = 0; steps < count && at >= 0; steps++) {
        if (at == i)
            return true;
        at = next[at];
    }
    return false;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
look(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jthread *threads = NULL;
    jint count = 0;
    int next[1000], found = 0;
    char *names[1000], line[1000] = "deadlock";

    if (!CALL(GetAllThreads, jvmti, &count, &threads))
        return;
    for (int i = 0; i < count && i < 1000; i++)
        next[i] = waits_for(jvmti, jni, threads, count, i);
    for (int i = 0; i < count && i < 1000; i++)
        if (is_in_circle(next, count, i))
            names[found++] = thread_name(jvmti, threads[i]);
    qsort(names, (size_t)found, sizeof *names, compare);
    for (int i = 0; i < found; i++) {
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", names[i]);
        free(names[i]);
    }
    say("%s%s", line, found == 0 ? " none" : "");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
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

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    if (options != NULL && strncmp(options, "class=", 6) == 0)
        snprintf(prefix, sizeof prefix, "%s", options + 6);
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_monitor_events = 1;
    capabilities.can_get_monitor_info = 1;
    capabilities.can_get_current_contended_monitor = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.MonitorContendedEnter = on_contended_enter;
    callbacks.MonitorContendedEntered = on_contended_entered;
    callbacks.ThreadStart = on_thread_start;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_MONITOR_CONTENDED_ENTER, NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_THREAD_START, NULL))
        return JNI_ERR;
    return JNI_OK;
}
