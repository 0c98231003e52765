/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/VirtualThreads.c -- calls about virtual threads, for
 * VirtualThreads.java; and counters of events of threads whose names begin with v. */

#include "check.h"

static jvmtiEnv *ti;
static jint counts[4];
enum { STARTS, ENDS, PLATFORM_STARTS, PLATFORM_ENDS };

/* Returns whether there are virtual threads: then the environment has the capability. */
JNIEXPORT jboolean JNICALL
Java_VirtualThreads_areThere(JNIEnv *jni, jclass c)
{
    const jvmtiCapabilities wanted = { .can_support_virtual_threads = 1 };

    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_FALSE;
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VIRTUAL_THREAD_START,
                                    NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VIRTUAL_THREAD_END,
                                    NULL);
    return JNI_TRUE;
}

/* Calls SuspendAllVirtualThreads or ResumeAllVirtualThreads with the exceptions. */
JNIEXPORT jint JNICALL
Java_VirtualThreads_all(JNIEnv *jni, jclass c, jboolean suspend, jobjectArray except)
{
    jthread list[8];
    jint count = (*jni)->GetArrayLength(jni, except);

    for (jint i = 0; i < count; i++)
        list[i] = (*jni)->GetObjectArrayElement(jni, except, i);
    return suspend ? (*ti)->SuspendAllVirtualThreads(ti, count, list)
                   : (*ti)->ResumeAllVirtualThreads(ti, count, list);
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_resume(JNIEnv *jni, jclass c, jthread thread)
{
    return (*ti)->ResumeThread(ti, thread);
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_stop(JNIEnv *jni, jclass c, jthread thread, jthrowable exception)
{
    return (*ti)->StopThread(ti, thread, exception);
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_state(JNIEnv *jni, jclass c, jthread thread)
{
    jint state = -1;

    (*ti)->GetThreadState(ti, thread, &state);
    return state;
}

static void JNICALL
run_agent(jvmtiEnv *env, JNIEnv *jni, void *arg)
{
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_runAgent(JNIEnv *jni, jclass c, jthread thread)
{
    return (*ti)->RunAgentThread(ti, thread, run_agent, NULL, 5);
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_cpuTime(JNIEnv *jni, jclass c, jthread thread)
{
    jlong nanos = 0;

    return thread != NULL ? (*ti)->GetThreadCpuTime(ti, thread, &nanos)
                          : (*ti)->GetCurrentThreadCpuTime(ti, &nanos);
}

JNIEXPORT jboolean JNICALL
Java_VirtualThreads_isVirtual(JNIEnv *jni, jclass c, jobject o)
{
    return (*jni)->IsVirtualThread(jni, o);
}

/* The thread's name, priority, daemon status and group, in a text. */
JNIEXPORT jstring JNICALL
Java_VirtualThreads_info(JNIEnv *jni, jclass c, jthread thread)
{
    jvmtiThreadInfo info;
    jvmtiThreadGroupInfo group = { .name = NULL };
    char text[200];

    if ((*ti)->GetThreadInfo(ti, thread, &info) != JVMTI_ERROR_NONE)
        return NULL;
    if (info.thread_group != NULL)
        (*ti)->GetThreadGroupInfo(ti, info.thread_group, &group);
    snprintf(text, sizeof text, "%s %d %d %s", info.name, (int)info.priority,
             info.is_daemon, group.name != NULL ? group.name : "none");
    return (*jni)->NewStringUTF(jni, text);
}

/* In how many of three lists the thread is: of threads, of stacks, of its group. */
JNIEXPORT jint JNICALL
Java_VirtualThreads_lists(JNIEnv *jni, jclass c, jthread thread)
{
    jvmtiThreadInfo info;
    jvmtiStackInfo *stacks;
    jthread *threads;
    jthreadGroup *groups;
    jint count, group_count, found = 0;

    (*ti)->GetAllThreads(ti, &count, &threads);
    for (jint i = 0; i < count; i++)
        found += (*jni)->IsSameObject(jni, threads[i], thread);
    (*ti)->GetAllStackTraces(ti, 1, &stacks, &count);
    for (jint i = 0; i < count; i++)
        found += (*jni)->IsSameObject(jni, stacks[i].thread, thread);
    (*ti)->GetThreadInfo(ti, thread, &info);
    (*ti)->GetThreadGroupChildren(ti, info.thread_group, &count, &threads,
                                  &group_count, &groups);
    for (jint i = 0; i < count; i++)
        found += (*jni)->IsSameObject(jni, threads[i], thread);
    return found;
}

JNIEXPORT jint JNICALL
Java_VirtualThreads_count(JNIEnv *jni, jclass c, jint which)
{
    return __atomic_load_n(&counts[which], __ATOMIC_SEQ_CST);
}

static void
note(jthread thread, int which)
{
    jvmtiThreadInfo info;

    if ((*ti)->GetThreadInfo(ti, thread, &info) == JVMTI_ERROR_NONE
        && info.name[0] == 'v')
        __atomic_fetch_add(&counts[which], 1, __ATOMIC_SEQ_CST);
}

static void JNICALL
on_virtual_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    note(thread, STARTS);
}

static void JNICALL
on_virtual_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    note(thread, ENDS);
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    note(thread, PLATFORM_STARTS);
}

static void JNICALL
on_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    note(thread, PLATFORM_ENDS);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_suspend = 1,
                                       .can_signal_thread = 1,
                                       .can_get_thread_cpu_time = 1,
                                       .can_get_current_thread_cpu_time = 1 };
    const jvmtiEventCallbacks callbacks = { .ThreadStart = on_start,
                                            .ThreadEnd = on_end,
                                            .VirtualThreadStart = on_virtual_start,
                                            .VirtualThreadEnd = on_virtual_end };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    return JNI_OK;
}
