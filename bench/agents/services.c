/* SPDX-License-Identifier: MIT */
/*
 * Functions about stacks, threads, raw monitors, methods, classes and memory, and the
 * switches of events with empty callbacks: natives of workloads/Services.java.  Times are
 * in seconds of a million calls, the best of some blocks: other programs disturb less.
 */
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCKS = 10, TURNS = 200, FRAMES = 200 };
enum { MONITOR_ENVIRONMENTS = 16 };    /* as Services.java has it */

static jvmtiEnv *ti, *monitor_envs[MONITOR_ENVIRONMENTS];
static _Thread_local long own_events;
static long events;
static jrawMonitorID lock;

static double
now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
expect(jvmtiError error)
{
    if (error == JVMTI_ERROR_NONE)
        return;
    fprintf(stderr, "services: error %d\n", (int)error);
    exit(1);
}

static void
give_back(void *memory)
{
    expect((*ti)->Deallocate(ti, memory));
}

/* ---- functions: arguments of the calls ---- */

static jthread thread;             /* waits in Object.wait */
static jthread *threads;
static jint thread_count;
static jclass klass;
static jmethodID method;

static void
call_stack(JNIEnv *jni)
{
    jvmtiFrameInfo frames[FRAMES];
    jint count;

    (void)jni;
    expect((*ti)->GetStackTrace(ti, thread, 0, FRAMES, frames, &count));
}

static void
call_frame_count(JNIEnv *jni)
{
    jint count;

    (void)jni;
    expect((*ti)->GetFrameCount(ti, thread, &count));
}

static void
call_frame_location(JNIEnv *jni)
{
    jmethodID m;
    jlocation at;

    (void)jni;
    expect((*ti)->GetFrameLocation(ti, thread, 5, &m, &at));
}

/* The references to the threads are let go, too. */
static void
all_stacks(JNIEnv *jni)
{
    jvmtiStackInfo *infos;
    jint count;

    expect((*ti)->GetAllStackTraces(ti, FRAMES, &infos, &count));
    for (jint i = 0; i < count; i++)
        (*jni)->DeleteLocalRef(jni, infos[i].thread);
    give_back(infos);
}

static void
list_stacks(JNIEnv *jni)
{
    jvmtiStackInfo *infos;

    expect((*ti)->GetThreadListStackTraces(ti, thread_count, threads, FRAMES, &infos));
    /* One of the VMs answers with the references that it was given. */
    for (jint i = 0; i < thread_count; i++)
        if (infos[i].thread != threads[i])
            (*jni)->DeleteLocalRef(jni, infos[i].thread);
    give_back(infos);
}

static void
all_threads(JNIEnv *jni)
{
    jthread *list;
    jint count;

    expect((*ti)->GetAllThreads(ti, &count, &list));
    for (jint i = 0; i < count; i++)
        (*jni)->DeleteLocalRef(jni, list[i]);
    give_back(list);
}

static void
suspend_resume(JNIEnv *jni)
{
    (void)jni;
    expect((*ti)->SuspendThread(ti, thread));
    expect((*ti)->ResumeThread(ti, thread));
}

static void
suspend_resume_list(JNIEnv *jni)
{
    jvmtiError errors[1000];

    (void)jni;
    expect((*ti)->SuspendThreadList(ti, thread_count, threads, errors));
    expect((*ti)->ResumeThreadList(ti, thread_count, threads, errors));
}

static void
call_thread_state(JNIEnv *jni)
{
    jint state;

    (void)jni;
    expect((*ti)->GetThreadState(ti, thread, &state));
}

static void
call_thread_info(JNIEnv *jni)
{
    jvmtiThreadInfo info;

    expect((*ti)->GetThreadInfo(ti, thread, &info));
    give_back(info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

static void
call_local_storage(JNIEnv *jni)
{
    void *data;

    (void)jni;
    expect((*ti)->SetThreadLocalStorage(ti, NULL, ti));
    expect((*ti)->GetThreadLocalStorage(ti, NULL, &data));
}

static void
call_owned_monitors(JNIEnv *jni)
{
    jobject *owned;
    jint count;

    (void)jni;
    expect((*ti)->GetOwnedMonitorInfo(ti, thread, &count, &owned));
    give_back(owned);
}

static void
enter_exit(JNIEnv *jni)
{
    (void)jni;
    expect((*ti)->RawMonitorEnter(ti, lock));
    expect((*ti)->RawMonitorExit(ti, lock));
}

static void
allocate(JNIEnv *jni)
{
    unsigned char *memory;

    (void)jni;
    expect((*ti)->Allocate(ti, 100, &memory));
    give_back(memory);
}

static void
event_mode(JNIEnv *jni)
{
    (void)jni;
    expect((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                           JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL));
    expect((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE,
                                           JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL));
}

static void
call_method_name(JNIEnv *jni)
{
    char *name, *signature, *generic;

    (void)jni;
    expect((*ti)->GetMethodName(ti, method, &name, &signature, &generic));
    give_back(name);
    give_back(signature);
    give_back(generic);
}

static void
call_class_signature(JNIEnv *jni)
{
    char *signature;

    (void)jni;
    expect((*ti)->GetClassSignature(ti, klass, &signature, NULL));
    give_back(signature);
}

static void
call_line_table(JNIEnv *jni)
{
    jvmtiLineNumberEntry *lines;
    jint count;

    (void)jni;
    expect((*ti)->GetLineNumberTable(ti, method, &count, &lines));
    give_back(lines);
}

static void
call_declaring_class(JNIEnv *jni)
{
    jclass c;

    expect((*ti)->GetMethodDeclaringClass(ti, method, &c));
    (*jni)->DeleteLocalRef(jni, c);
}

static void
call_class_methods(JNIEnv *jni)
{
    jmethodID *methods;
    jint count;

    (void)jni;
    expect((*ti)->GetClassMethods(ti, klass, &count, &methods));
    give_back(methods);
}

static void
call_bytecodes(JNIEnv *jni)
{
    unsigned char *bytes;
    jint count;

    (void)jni;
    expect((*ti)->GetBytecodes(ti, method, &count, &bytes));
    give_back(bytes);
}

static void
loaded_classes(JNIEnv *jni)
{
    jclass *classes;
    jint count;

    expect((*ti)->GetLoadedClasses(ti, &count, &classes));
    for (jint i = 0; i < count; i++)
        (*jni)->DeleteLocalRef(jni, classes[i]);
    give_back(classes);
}

static void
call_object_size(JNIEnv *jni)
{
    jlong size;

    (void)jni;
    expect((*ti)->GetObjectSize(ti, thread, &size));
}

static const struct service {
    const char *name;
    void (*call)(JNIEnv *jni);
    jint divisor;                  /* so much fewer calls */
} services[] = {
    { "stack", call_stack, 10 },
    { "frame-count", call_frame_count, 1 },
    { "frame-location", call_frame_location, 1 },
    { "all-stacks", all_stacks, 500 },
    { "list-stacks", list_stacks, 500 },
    { "all-threads", all_threads, 50 },
    { "suspend-resume", suspend_resume, 10 },
    { "suspend-list", suspend_resume_list, 500 },
    { "thread-state", call_thread_state, 1 },
    { "thread-info", call_thread_info, 1 },
    { "thread-storage", call_local_storage, 1 },
    { "owned-monitors", call_owned_monitors, 10 },
    { "raw-enter-exit", enter_exit, 1 },
    { "allocate", allocate, 1 },
    { "event-mode", event_mode, 1 },
    { "method-name", call_method_name, 1 },
    { "method-class", call_declaring_class, 1 },
    { "line-table", call_line_table, 1 },
    { "bytecodes", call_bytecodes, 1 },
    { "class-signature", call_class_signature, 1 },
    { "class-methods", call_class_methods, 10 },
    { "loaded-classes", loaded_classes, 1000 },
    { "object-size", call_object_size, 1 }
};

/* The service of that name on the given threads: the first, or all, as it takes them. */
JNIEXPORT jdouble JNICALL
Java_Services_call(JNIEnv *jni, jclass c, jstring name, jobjectArray list, jint count,
                   jboolean by_wall)
{
    const char *wanted = (*jni)->GetStringUTFChars(jni, name, NULL);
    clockid_t clock = by_wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const struct service *s = services;
    double best = 1e9;

    while (strcmp(s->name, wanted) != 0)
        s++;
    (*jni)->ReleaseStringUTFChars(jni, name, wanted);
    klass = c;
    method = (*jni)->GetStaticMethodID(jni, c, "main", "([Ljava/lang/String;)V");
    thread_count = list == NULL ? 0 : (*jni)->GetArrayLength(jni, list);
    threads = calloc((size_t)thread_count + 1, sizeof *threads);
    for (jint i = 0; i < thread_count; i++)
        threads[i] = (*jni)->GetObjectArrayElement(jni, list, i);
    thread = threads[0];
    if (thread == NULL)
        expect((*ti)->GetCurrentThread(ti, &thread));
    count = count / s->divisor / BLOCKS;
    for (int block = 0; block < BLOCKS; block++) {
        double start = now(clock);

        for (jint i = 0; i < count; i++)
            s->call(jni);
        double time = now(clock) - start;
        if (time < best)
            best = time;
    }
    free(threads);
    return best * 1e6 / count;
}

/* ---- hand-over: two threads that wait for their turns, seconds of a million ---- */

static jint turn;

JNIEXPORT jdouble JNICALL
Java_Services_handOver(JNIEnv *jni, jclass c, jint me, jint count)
{
    double best = 1e9;

    (void)jni, (void)c;
    for (jint done = 0; done < count; done += TURNS) {
        double start = now(CLOCK_MONOTONIC);

        expect((*ti)->RawMonitorEnter(ti, lock));
        for (jint i = 0; i < TURNS; i++) {
            while (turn != me)
                expect((*ti)->RawMonitorWait(ti, lock, 0));
            turn = !me;
            expect((*ti)->RawMonitorNotify(ti, lock));
        }
        expect((*ti)->RawMonitorExit(ti, lock));
        double time = now(CLOCK_MONOTONIC) - start;
        if (time < best)
            best = time;
    }
    return best * 1e6 / TURNS / 2;
}

/* ---- events ---- */

static void
seen(void)
{
    own_events++;
    __atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m)
{
    (void)env, (void)jni, (void)t, (void)m;
    own_events++;
}

static void JNICALL
on_leave(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean popped,
         jvalue v)
{
    (void)env, (void)jni, (void)t, (void)m, (void)popped, (void)v;
    own_events++;
}

static void JNICALL
on_thread(jvmtiEnv *env, JNIEnv *jni, jthread t)
{
    (void)env, (void)jni, (void)t;
    seen();
}

static void JNICALL
on_contended(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o)
{
    (void)env, (void)jni, (void)t, (void)o;
    seen();
}

static void JNICALL
on_wait(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jlong millis)
{
    (void)env, (void)jni, (void)t, (void)o, (void)millis;
    seen();
}

static void JNICALL
on_waited(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jboolean in_vain)
{
    (void)env, (void)jni, (void)t, (void)o, (void)in_vain;
    seen();
}

static void JNICALL
on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass k, jlong size)
{
    (void)env, (void)jni, (void)t, (void)o, (void)k, (void)size;
    own_events++;
}

static void JNICALL
on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *bytes,
              jint *new_length, unsigned char **new_bytes)
{
    (void)env, (void)jni, (void)redefined, (void)loader, (void)name, (void)domain;
    (void)length, (void)bytes, (void)new_length, (void)new_bytes;
    own_events++;
}

JNIEXPORT void JNICALL
Java_Services_enable(JNIEnv *jni, jclass c, jint event, jboolean on)
{
    bool many = event >= JVMTI_EVENT_MONITOR_WAIT
                && event <= JVMTI_EVENT_MONITOR_CONTENDED_ENTERED;

    (void)jni, (void)c;
    for (int i = 0; i < (many ? MONITOR_ENVIRONMENTS : 1); i++) {
        jvmtiEnv *env = many ? monitor_envs[i] : ti;
        expect((*env)->SetEventNotificationMode(env, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                                (jvmtiEvent)event, NULL));
    }
}

/* Of the calling thread, or of all. */
JNIEXPORT jlong JNICALL
Java_Services_events(JNIEnv *jni, jclass c, jboolean own)
{
    (void)jni, (void)c;
    return own ? own_events : __atomic_load_n(&events, __ATOMIC_RELAXED);
}

JNIEXPORT jdouble JNICALL
Java_Services_time(JNIEnv *jni, jclass c, jboolean own)
{
    (void)jni, (void)c;
    return now(own ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = {
        .MethodEntry = on_entry, .MethodExit = on_leave, .ThreadStart = on_thread,
        .ThreadEnd = on_thread, .VMObjectAlloc = on_allocation,
        .ClassFileLoadHook = on_class_file
    };
    jvmtiEventCallbacks monitor_callbacks = {
        .MonitorContendedEnter = on_contended, .MonitorContendedEntered = on_contended,
        .MonitorWait = on_wait, .MonitorWaited = on_waited
    };
    jvmtiCapabilities wanted = {
        .can_suspend = 1, .can_get_owned_monitor_info = 1, .can_get_line_numbers = 1,
        .can_get_bytecodes = 1, .can_generate_method_entry_events = 1,
        .can_generate_method_exit_events = 1, .can_generate_vm_object_alloc_events = 1
    };
    jvmtiCapabilities monitor_wanted = { .can_generate_monitor_events = 1 };

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK
        || (*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE
        || (*ti)->CreateRawMonitor(ti, "hand-over", &lock) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    for (int i = 0; i < MONITOR_ENVIRONMENTS; i++) {
        jvmtiEnv **env = &monitor_envs[i];
        if ((*vm)->GetEnv(vm, (void **)env, JVMTI_VERSION_11) != JNI_OK
            || (**env)->AddCapabilities(*env, &monitor_wanted) != JVMTI_ERROR_NONE
            || (**env)->SetEventCallbacks(*env, &monitor_callbacks,
                                          sizeof monitor_callbacks)
               != JVMTI_ERROR_NONE)
            return JNI_ERR;
    }
    return (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
}
