/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Carried.c -- calls about virtual threads that carriers run, for
 * Carried.java, and notes of the events of one of them. */

#include <pthread.h>
#include <stdint.h>

#include "check.h"

static jvmtiEnv *ti;
static jthread noted; /* whose events are written down */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[4000];
static jint platform_starts;

/* ---- functions ---- */

JNIEXPORT jint JNICALL
Java_Carried_suspend(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->SuspendThread(ti, t);
}

JNIEXPORT jint JNICALL
Java_Carried_resume(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->ResumeThread(ti, t);
}

/* SuspendThreadList or ResumeThreadList; the results as one number, two digits each. */
JNIEXPORT jlong JNICALL
Java_Carried_list(JNIEnv *jni, jclass c, jboolean suspend, jobjectArray threads)
{
    jthread list[8];
    jvmtiError results[8] = { 0 };
    jint count = (*jni)->GetArrayLength(jni, threads);
    jlong all = 0;

    for (jint i = 0; i < count; i++)
        list[i] = (*jni)->GetObjectArrayElement(jni, threads, i);
    if (suspend)
        (*ti)->SuspendThreadList(ti, count, list, results);
    else
        (*ti)->ResumeThreadList(ti, count, list, results);
    for (jint i = 0; i < count; i++)
        all = all * 100 + results[i];
    return all;
}

JNIEXPORT jint JNICALL
Java_Carried_state(JNIEnv *jni, jclass c, jthread t)
{
    jint state = -1;

    (*ti)->GetThreadState(ti, t, &state);
    return state;
}

JNIEXPORT jobject JNICALL
Java_Carried_current(JNIEnv *jni, jclass c)
{
    jthread t = NULL;

    (*ti)->GetCurrentThread(ti, &t);
    return t;
}

JNIEXPORT jint JNICALL
Java_Carried_setStorage(JNIEnv *jni, jclass c, jthread t, jlong value)
{
    return (*ti)->SetThreadLocalStorage(ti, t, (void *)(intptr_t)value);
}

JNIEXPORT jlong JNICALL
Java_Carried_storage(JNIEnv *jni, jclass c, jthread t)
{
    void *value = (void *)(intptr_t)-1;

    (*ti)->GetThreadLocalStorage(ti, t, &value);
    return (jlong)(intptr_t)value;
}

JNIEXPORT jint JNICALL
Java_Carried_stop(JNIEnv *jni, jclass c, jthread t, jthrowable exception)
{
    return (*ti)->StopThread(ti, t, exception);
}

JNIEXPORT jint JNICALL
Java_Carried_interrupt(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->InterruptThread(ti, t);
}

static void
append_frame(JNIEnv *jni, char *out, size_t size, jmethodID method)
{
    char *name = NULL, *owner = NULL;
    jclass c;

    (*ti)->GetMethodName(ti, method, &name, NULL, NULL);
    (*ti)->GetMethodDeclaringClass(ti, method, &c);
    (*ti)->GetClassSignature(ti, c, &owner, NULL);
    if (strchr(owner, '$') == NULL && strchr(name, '$') == NULL)
        snprintf(out + strlen(out), size - strlen(out), "%s ", name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    (*ti)->Deallocate(ti, (unsigned char *)owner);
    (*jni)->DeleteLocalRef(jni, c);
}

/* The names of the thread's methods, newest first; those of lambdas are left out.  An
   error as a number. */
JNIEXPORT jstring JNICALL
Java_Carried_frames(JNIEnv *jni, jclass c, jthread t)
{
    jvmtiFrameInfo rows[60];
    jint count = 0;
    char out[2000] = "";
    jvmtiError error = (*ti)->GetStackTrace(ti, t, 0, 60, rows, &count);

    if (error != JVMTI_ERROR_NONE)
        snprintf(out, sizeof out, "%d ", error);
    for (jint i = 0; i < count; i++)
        append_frame(jni, out, sizeof out, rows[i].method);
    out[strlen(out) > 0 ? strlen(out) - 1 : 0] = '\0';
    return (*jni)->NewStringUTF(jni, out);
}

/* The numbers of frames of the threads, by GetThreadListStackTraces, and by
   GetFrameCount: 'same' if they agree. */
JNIEXPORT jstring JNICALL
Java_Carried_counts(JNIEnv *jni, jclass c, jobjectArray threads)
{
    jthread list[8];
    jvmtiStackInfo *infos;
    jint count = (*jni)->GetArrayLength(jni, threads), frames;
    char out[200] = "";

    for (jint i = 0; i < count; i++)
        list[i] = (*jni)->GetObjectArrayElement(jni, threads, i);
    if ((*ti)->GetThreadListStackTraces(ti, count, list, 100, &infos) != JVMTI_ERROR_NONE)
        return NULL;
    for (jint i = 0; i < count; i++) {
        jvmtiError error = (*ti)->GetFrameCount(ti, list[i], &frames);
        size_t length = strlen(out);
        if (error != JVMTI_ERROR_NONE)
            snprintf(out + length, sizeof out - length, "%d:%d:%x ", error,
                     (int)infos[i].frame_count, (unsigned)infos[i].state);
        else
            snprintf(out + length, sizeof out - length, "%s:%x ",
                     frames == infos[i].frame_count && frames > 0 ? "same" : "other",
                     (unsigned)infos[i].state);
    }
    (*ti)->Deallocate(ti, (unsigned char *)infos);
    return (*jni)->NewStringUTF(jni, out);
}

/* The depth of the newest frame of the method, or -1. */
static jint
depth_of(JNIEnv *jni, jthread t, const char *wanted)
{
    jvmtiFrameInfo rows[60];
    jint count = 0, depth = -1;

    (*ti)->GetStackTrace(ti, t, 0, 60, rows, &count);
    for (jint i = count; i-- > 0;) {
        char *name = NULL;
        (*ti)->GetMethodName(ti, rows[i].method, &name, NULL, NULL);
        if (!strcmp(name, wanted))
            depth = i;
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    return depth;
}

JNIEXPORT jint JNICALL
Java_Carried_depth(JNIEnv *jni, jclass c, jthread t, jstring method)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, method, NULL);
    jint depth = depth_of(jni, t, bytes);

    (*jni)->ReleaseStringUTFChars(jni, method, bytes);
    return depth;
}

/* Locals 0 to 6 of a method (int, long, float, double, String) at that depth. */
JNIEXPORT jstring JNICALL
Java_Carried_locals(JNIEnv *jni, jclass c, jthread t, jint depth)
{
    jint i = 0;
    jlong j = 0;
    jfloat f = 0;
    jdouble d = 0;
    jobject o = NULL;
    jvmtiError error = (*ti)->GetLocalInt(ti, t, depth, 0, &i);
    char out[200] = "";

    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->GetLocalLong(ti, t, depth, 1, &j);
    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->GetLocalFloat(ti, t, depth, 3, &f);
    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->GetLocalDouble(ti, t, depth, 4, &d);
    if (error == JVMTI_ERROR_NONE)
        error = (*ti)->GetLocalObject(ti, t, depth, 6, &o);
    const char *bytes = o != NULL ? (*jni)->GetStringUTFChars(jni, o, NULL) : NULL;
    snprintf(out, sizeof out, "%d %d %lld %g %g %s", error, (int)i, (long long)j, f, d,
             bytes != NULL ? bytes : "null");
    if (bytes != NULL)
        (*jni)->ReleaseStringUTFChars(jni, o, bytes);
    return (*jni)->NewStringUTF(jni, out);
}

JNIEXPORT jint JNICALL
Java_Carried_setInt(JNIEnv *jni, jclass c, jthread t, jint depth, jint slot, jint value)
{
    return (*ti)->SetLocalInt(ti, t, depth, slot, value);
}

JNIEXPORT jint JNICALL
Java_Carried_notifyPop(JNIEnv *jni, jclass c, jthread t, jint depth)
{
    return (*ti)->NotifyFramePop(ti, t, depth);
}

JNIEXPORT jint JNICALL
Java_Carried_popFrame(JNIEnv *jni, jclass c, jthread t)
{
    return (*ti)->PopFrame(ti, t);
}

/* How many monitors the thread owns, and whether it waits for the object: "1 true". */
JNIEXPORT jstring JNICALL
Java_Carried_monitors(JNIEnv *jni, jclass c, jthread t, jobject contended)
{
    jint count = -1;
    jobject *owned = NULL, waited = NULL;
    char out[40];

    (*ti)->GetOwnedMonitorInfo(ti, t, &count, &owned);
    (*ti)->GetCurrentContendedMonitor(ti, t, &waited);
    (*ti)->Deallocate(ti, (unsigned char *)owned);
    snprintf(out, sizeof out, "%d %s", (int)count,
             waited != NULL && (*jni)->IsSameObject(jni, waited, contended) ? "true"
                                                                           : "false");
    return (*jni)->NewStringUTF(jni, out);
}

static jrawMonitorID raw;

JNIEXPORT jint JNICALL
Java_Carried_enterRaw(JNIEnv *jni, jclass c)
{
    return (*ti)->RawMonitorEnter(ti, raw);
}

JNIEXPORT jint JNICALL
Java_Carried_exitRaw(JNIEnv *jni, jclass c)
{
    return (*ti)->RawMonitorExit(ti, raw);
}

/* ---- the heap ---- */

/* What FollowReferences tells of the object with tag 2: from which thread (tag 1) and of
   which method. */
struct found {
    jmethodID method;
    jint count, depth;
};

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    struct found *found = data;

    if (*tag == 2 && kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL
        && info->stack_local.thread_tag == 1 && referrer_tag == NULL) {
        found->count++;
        found->method = info->stack_local.method;
        found->depth = info->stack_local.depth;
    }
    return JVMTI_VISIT_OBJECTS;
}

/* Whether the object, which only a local of the thread's frame of that method refers to,
   is found there; the reference in the caller's frame counts, too. */
JNIEXPORT jint JNICALL
Java_Carried_reaches(JNIEnv *jni, jclass c, jthread t, jlong tag_of, jstring method)
{
    const jvmtiHeapCallbacks callbacks = { .heap_reference_callback = on_reference };
    struct found found = { .depth = -1 };
    const char *bytes = (*jni)->GetStringUTFChars(jni, method, NULL);
    char *name = NULL;
    jint result = 0;

    (*ti)->SetTag(ti, t, 1);
    (*ti)->FollowReferences(ti, 0, NULL, NULL, &callbacks, &found);
    if (found.count == 1)
        (*ti)->GetMethodName(ti, found.method, &name, NULL, NULL);
    if (name != NULL && !strcmp(name, bytes))
        result = found.depth == depth_of(jni, t, bytes) ? 1 : 2;
    (*ti)->Deallocate(ti, (unsigned char *)name);
    (*jni)->ReleaseStringUTFChars(jni, method, bytes);
    (*ti)->SetTag(ti, t, 0);
    return result;
}

JNIEXPORT void JNICALL
Java_Carried_tag(JNIEnv *jni, jclass c, jobject o, jlong tag)
{
    (*ti)->SetTag(ti, o, tag);
}

/* ---- redefinition ---- */

JNIEXPORT jint JNICALL
Java_Carried_redefine(JNIEnv *jni, jclass self, jclass c, jbyteArray file)
{
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    const jvmtiClassDefinition definition = { c, (*jni)->GetArrayLength(jni, file),
                                              (const unsigned char *)bytes };
    jint error = (*ti)->RedefineClasses(ti, 1, &definition);

    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
    return error;
}

/* Whether the method of the frame at that depth is obsolete. */
JNIEXPORT jboolean JNICALL
Java_Carried_isObsolete(JNIEnv *jni, jclass c, jthread t, jint depth)
{
    jmethodID method = NULL;
    jlocation location;
    jboolean obsolete = JNI_FALSE;

    (*ti)->GetFrameLocation(ti, t, depth, &method, &location);
    (*ti)->IsMethodObsolete(ti, method, &obsolete);
    return obsolete;
}

/* ---- events ---- */

/* Writes the events of the thread down from now on. */
JNIEXPORT void JNICALL
Java_Carried_note(JNIEnv *jni, jclass c, jthread t)
{
    pthread_mutex_lock(&mutex);
    noted = t != NULL ? (*jni)->NewGlobalRef(jni, t) : NULL;
    text[0] = '\0';
    pthread_mutex_unlock(&mutex);
}

JNIEXPORT jstring JNICALL
Java_Carried_take(JNIEnv *jni, jclass c)
{
    pthread_mutex_lock(&mutex);
    size_t length = strlen(text);
    if (length > 0)
        text[length - 1] = '\0';
    jstring result = (*jni)->NewStringUTF(jni, text);
    text[0] = '\0';
    pthread_mutex_unlock(&mutex);
    return result;
}

JNIEXPORT jint JNICALL
Java_Carried_enable(JNIEnv *jni, jclass c, jint event, jboolean on, jthread t)
{
    return (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                           (jvmtiEvent)event, t);
}

JNIEXPORT jint JNICALL
Java_Carried_breakpoint(JNIEnv *jni, jclass self, jclass c, jstring method, jboolean set)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, method, NULL);
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, bytes, "(I)I");

    (*jni)->ReleaseStringUTFChars(jni, method, bytes);
    return set ? (*ti)->SetBreakpoint(ti, m, 0) : (*ti)->ClearBreakpoint(ti, m, 0);
}

JNIEXPORT jint JNICALL
Java_Carried_platformStarts(JNIEnv *jni, jclass c)
{
    return __atomic_load_n(&platform_starts, __ATOMIC_SEQ_CST);
}

/* What is to be done at a breakpoint, once: 'p' PopFrame, 'i' ForceEarlyReturnInt with
   77, 'g' SetLocalInt of local 0 to 5, 's' suspend itself, 'x' stop.  It is 0 afterwards,
   and the error is noted if there is one. */
static _Atomic char plan;

JNIEXPORT void JNICALL
Java_Carried_plan(JNIEnv *jni, jclass c, jchar what)
{
    plan = (char)what;
}

static void
write_down(JNIEnv *jni, jthread t, const char *what, const char *name)
{
    pthread_mutex_lock(&mutex);
    if (noted != NULL && (*jni)->IsSameObject(jni, noted, t)
        && strlen(text) + strlen(name) + 20 < sizeof text)
        sprintf(text + strlen(text), "%s%s ", what, name);
    pthread_mutex_unlock(&mutex);
}

/* Writes down what happens in methods whose names begin with t_. */
static void
method_event(JNIEnv *jni, jthread t, const char *what, jmethodID method)
{
    char *name = NULL;

    (*ti)->GetMethodName(ti, method, &name, NULL, NULL);
    if (!strncmp(name, "t_", 2))
        write_down(jni, t, what, name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method)
{
    method_event(jni, t, "E:", method);
}

static void JNICALL
on_exit_(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jboolean thrown,
         jvalue value)
{
    method_event(jni, t, thrown ? "XT:" : "X:", method);
}

static void JNICALL
on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jlocation at)
{
    method_event(jni, t, "S:", method);
}

static void JNICALL
on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jboolean thrown)
{
    method_event(jni, t, thrown ? "PT:" : "P:", method);
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jlocation at)
{
    char what = plan, error[12];
    jvmtiError result = JVMTI_ERROR_NONE;

    method_event(jni, t, "B:", method);
    plan = 0;
    if (what == 'p')
        result = (*ti)->PopFrame(ti, t);
    else if (what == 'i')
        result = (*ti)->ForceEarlyReturnInt(ti, NULL, 77);
    else if (what == 'g')
        result = (*ti)->SetLocalInt(ti, NULL, 0, 0, 5);
    else if (what == 's')
        result = (*ti)->SuspendThread(ti, t);
    if (result != JVMTI_ERROR_NONE) {
        snprintf(error, sizeof error, "%d", result);
        write_down(jni, t, "error", error);
    }
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jlocation at,
             jobject exception, jmethodID catcher, jlocation caught)
{
    method_event(jni, t, "T:", method);
}

static void JNICALL
on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID method, jlocation at,
         jobject exception)
{
    method_event(jni, t, "C:", method);
}

static void JNICALL
on_contended(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o)
{
    write_down(jni, t, "contended", "");
}

static void JNICALL
on_entered(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o)
{
    write_down(jni, t, "entered", "");
}

static void JNICALL
on_wait(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jlong millis)
{
    write_down(jni, t, "wait", "");
}

static void JNICALL
on_waited(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jboolean timed_out)
{
    write_down(jni, t, timed_out ? "timed-out" : "waited", "");
}

static void JNICALL
on_virtual_start(jvmtiEnv *env, JNIEnv *jni, jthread t)
{
    write_down(jni, t, "start", "");
}

static void JNICALL
on_virtual_end(jvmtiEnv *env, JNIEnv *jni, jthread t)
{
    write_down(jni, t, "end", "");
}

static void JNICALL
on_platform_start(jvmtiEnv *env, JNIEnv *jni, jthread t)
{
    if ((*jni)->IsVirtualThread(jni, t))
        __atomic_fetch_add(&platform_starts, 1, __ATOMIC_SEQ_CST);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_support_virtual_threads = 1,
                                       .can_suspend = 1,
                                       .can_signal_thread = 1,
                                       .can_access_local_variables = 1,
                                       .can_pop_frame = 1,
                                       .can_force_early_return = 1,
                                       .can_tag_objects = 1,
                                       .can_redefine_classes = 1,
                                       .can_get_owned_monitor_info = 1,
                                       .can_get_current_contended_monitor = 1,
                                       .can_generate_frame_pop_events = 1,
                                       .can_generate_single_step_events = 1,
                                       .can_generate_breakpoint_events = 1,
                                       .can_generate_method_entry_events = 1,
                                       .can_generate_method_exit_events = 1,
                                       .can_generate_exception_events = 1,
                                       .can_generate_monitor_events = 1 };
    const jvmtiEventCallbacks callbacks = { .SingleStep = on_step,
                                            .Breakpoint = on_breakpoint,
                                            .MethodEntry = on_entry,
                                            .MethodExit = on_exit_,
                                            .FramePop = on_pop,
                                            .Exception = on_exception,
                                            .ExceptionCatch = on_catch,
                                            .MonitorContendedEnter = on_contended,
                                            .MonitorContendedEntered = on_entered,
                                            .MonitorWait = on_wait,
                                            .MonitorWaited = on_waited,
                                            .ThreadStart = on_platform_start,
                                            .VirtualThreadStart = on_virtual_start,
                                            .VirtualThreadEnd = on_virtual_end };

    ti = make_env(vm, JVMTI_VERSION_21, &wanted);
    (*ti)->CreateRawMonitor(ti, "raw", &raw);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    return JNI_OK;
}
