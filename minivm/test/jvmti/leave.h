/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/leave.h -- the agent of the programs about frames that are left
 * early, which define PROGRAM.
 *
 * A plan says in which event of which method of PROGRAM$T the current thread leaves
 * its frame: E: entry, X: exit, S: step, B: breakpoint, T: throw, C: catch, A and M:
 * field access and modification, R: contended monitor entered, K: class prepared.
 * Actions: p: PopFrame; I, J, F, D, L, V: ForceEarlyReturn of that type. */

#ifndef MINIVM_TEST_JVMTI_LEAVE_H
#define MINIVM_TEST_JVMTI_LEAVE_H

#include "check.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOIN_(a, b, c) a##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NATIVE(name) JOIN(Java_, PROGRAM, name)

struct plan {
    char event, action;
    char method[40];
    jlocation location;            /* -1: any */
    jobject value;
    jdouble number;
    int times;
};

static jvmtiEnv *ti;
static struct plan plan;
static jthread noted;              /* whose events are written down */
static jint result;
static char text[4000];
static size_t length;

static jint
leave(jthread thread, char action, jobject value, jdouble number)
{
    switch (action) {
    case 'p': return (*ti)->PopFrame(ti, thread);
    case 'I': return (*ti)->ForceEarlyReturnInt(ti, thread, (jint)(jlong)number);
    case 'J': return (*ti)->ForceEarlyReturnLong(ti, thread, (jlong)number);
    case 'F': return (*ti)->ForceEarlyReturnFloat(ti, thread, (jfloat)number);
    case 'D': return (*ti)->ForceEarlyReturnDouble(ti, thread, number);
    case 'L': return (*ti)->ForceEarlyReturnObject(ti, thread, value);
    default: return (*ti)->ForceEarlyReturnVoid(ti, thread);
    }
}

/* The names of a method of PROGRAM$T; false for others. */
static bool
name_of(JNIEnv *jni, jmethodID method, char name[40], char *type)
{
    jclass c;
    char *bytes = NULL, *signature = NULL, *owner = NULL;

    (*ti)->GetMethodDeclaringClass(ti, method, &c);
    (*ti)->GetClassSignature(ti, c, &owner, NULL);
    (*ti)->GetMethodName(ti, method, &bytes, &signature, NULL);
    bool ours = !strncmp(owner, "L" TEXT(PROGRAM) "$T", strlen(TEXT(PROGRAM)) + 3);
    snprintf(name, 40, "%s", bytes);
    *type = strchr(signature, ')')[1];
    (*ti)->Deallocate(ti, (unsigned char *)bytes);
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    (*ti)->Deallocate(ti, (unsigned char *)owner);
    (*jni)->DeleteLocalRef(jni, c);
    return ours;
}

static void
act(char event, JNIEnv *jni, jthread thread, const char *name, jlocation location)
{
    if (plan.times == 0 || plan.event != event || strcmp(plan.method, name)
        || (plan.location >= 0 && location >= 0 && plan.location != location))
        return;
    plan.times--;
    result = leave(thread, plan.action, plan.value, plan.number);
}

static void
happens(char event, JNIEnv *jni, jthread thread, jmethodID method, jlocation location)
{
    char name[40], type;

    if (name_of(jni, method, name, &type))
        act(event, jni, thread, name, location);
}

static void
note(JNIEnv *jni, jthread thread, const char *what)
{
    if (noted != NULL && (*jni)->IsSameObject(jni, thread, noted)
        && length + strlen(what) < sizeof text)
        length += (size_t)sprintf(text + length, "%s", what);
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    char name[40], type, what[60];

    if (!name_of(jni, method, name, &type))
        return;
    snprintf(what, sizeof what, "E:%s ", name);
    note(jni, thread, what);
    act('E', jni, thread, name, -1);
}

static void JNICALL
on_exit_(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown,
         jvalue v)
{
    char name[40], type, value[40] = "", what[100];

    if (!name_of(jni, method, name, &type))
        return;
    switch (thrown ? 'V' : type) {
    case 'Z': snprintf(value, 40, "=%d", v.z); break;
    case 'B': snprintf(value, 40, "=%d", v.b); break;
    case 'C': snprintf(value, 40, "=%d", v.c); break;
    case 'S': snprintf(value, 40, "=%d", v.s); break;
    case 'I': snprintf(value, 40, "=%d", v.i); break;
    case 'J': snprintf(value, 40, "=%lld", (long long)v.j); break;
    case 'F': snprintf(value, 40, "=%g", v.f); break;
    case 'D': snprintf(value, 40, "=%g", v.d); break;
    case 'V': break;
    default: snprintf(value, 40, "=%s", v.l == NULL ? "null" : "object"); break;
    }
    snprintf(what, sizeof what, "%s:%s%s ", thrown ? "XT" : "X", name, value);
    note(jni, thread, what);
    act('X', jni, thread, name, -1);
}

static void JNICALL
on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown)
{
    char name[40], type, what[60];

    name_of(jni, method, name, &type);
    snprintf(what, sizeof what, "%s:%s ", thrown ? "PT" : "P", name);
    note(jni, thread, what);
}

static void JNICALL
on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
        jlocation location)
{
    happens('S', jni, thread, method, location);
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    happens('B', jni, thread, method, location);
}

static void JNICALL
on_throw(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
         jlocation location, jobject exception, jmethodID catcher, jlocation at)
{
    happens('T', jni, thread, method, location);
}

static void JNICALL
on_catch(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
         jlocation location, jobject exception)
{
    happens('C', jni, thread, method, location);
}

static void JNICALL
on_access(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
          jlocation location, jclass c, jobject object, jfieldID field)
{
    happens('A', jni, thread, method, location);
}

static void JNICALL
on_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                jlocation location, jclass c, jobject object, jfieldID field, char type,
                jvalue value)
{
    happens('M', jni, thread, method, location);
}

static void
happens_on_top(char event, JNIEnv *jni, jthread thread)
{
    jmethodID method;
    jlocation location;

    if ((*ti)->GetFrameLocation(ti, thread, 0, &method, &location) == JVMTI_ERROR_NONE)
        happens(event, jni, thread, method, location);
}

static void JNICALL
on_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    happens_on_top('R', jni, thread);
}

static void JNICALL
on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    happens_on_top('K', jni, thread);
}

/* ---- what the programs call ---- */

JNIEXPORT void JNICALL
NATIVE(plan)(JNIEnv *jni, jclass self, jchar event, jstring method, jlong location,
             jchar action, jobject value, jdouble number, jint times)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, method, NULL);

    plan = (struct plan){ (char)event, (char)action, "", location,
                          (*jni)->NewGlobalRef(jni, value), number, times };
    snprintf(plan.method, sizeof plan.method, "%s", bytes);
    (*jni)->ReleaseStringUTFChars(jni, method, bytes);
    result = -1;
}

/* Of the plan; -1: it was not reached. */
JNIEXPORT jint JNICALL
NATIVE(result)(JNIEnv *jni, jclass self)
{
    return result;
}

JNIEXPORT jint JNICALL
NATIVE(enable)(JNIEnv *jni, jclass self, jint event, jboolean on)
{
    return (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                           (jvmtiEvent)event, NULL);
}

JNIEXPORT jint JNICALL
NATIVE(leave)(JNIEnv *jni, jclass self, jthread thread, jchar action, jobject value,
              jdouble number)
{
    return leave(thread, (char)action, value, number);
}

JNIEXPORT jint JNICALL
NATIVE(suspend)(JNIEnv *jni, jclass self, jthread thread)
{
    return (*ti)->SuspendThread(ti, thread);
}

JNIEXPORT jint JNICALL
NATIVE(resume)(JNIEnv *jni, jclass self, jthread thread)
{
    return (*ti)->ResumeThread(ti, thread);
}

JNIEXPORT jint JNICALL
NATIVE(stop)(JNIEnv *jni, jclass self, jthread thread, jobject exception)
{
    return (*ti)->StopThread(ti, thread, exception);
}

JNIEXPORT jint JNICALL
NATIVE(state)(JNIEnv *jni, jclass self, jthread thread)
{
    jint state = 0;

    (*ti)->GetThreadState(ti, thread, &state);
    return state;
}

JNIEXPORT jint JNICALL
NATIVE(notifyPop)(JNIEnv *jni, jclass self, jthread thread, jint depth)
{
    return (*ti)->NotifyFramePop(ti, thread, depth);
}

/* Write down the events of thread from now on (NULL: no more). */
JNIEXPORT void JNICALL
NATIVE(note)(JNIEnv *jni, jclass self, jthread thread)
{
    noted = thread != NULL ? (*jni)->NewGlobalRef(jni, thread) : NULL;
}

JNIEXPORT jstring JNICALL
NATIVE(take)(JNIEnv *jni, jclass self)
{
    text[length > 0 ? length - 1 : 0] = '\0';
    length = 0;
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jint JNICALL
NATIVE(breakpoint)(JNIEnv *jni, jclass self, jclass c, jstring name, jstring type,
                   jlong location)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, name, NULL);
    const char *signature = (*jni)->GetStringUTFChars(jni, type, NULL);
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, bytes, signature);

    (*jni)->ReleaseStringUTFChars(jni, name, bytes);
    (*jni)->ReleaseStringUTFChars(jni, type, signature);
    return (*ti)->SetBreakpoint(ti, m, location);
}

/* A static int field, for reading and writing. */
JNIEXPORT jint JNICALL
NATIVE(watch)(JNIEnv *jni, jclass self, jclass c, jstring name)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, name, NULL);
    jfieldID field = (*jni)->GetStaticFieldID(jni, c, bytes, "I");

    (*jni)->ReleaseStringUTFChars(jni, name, bytes);
    return (jint)(*ti)->SetFieldAccessWatch(ti, c, field)
           | (jint)(*ti)->SetFieldModificationWatch(ti, c, field);
}

/* Calls a static method without arguments: its caller is native. */
JNIEXPORT void JNICALL
NATIVE(upcall)(JNIEnv *jni, jclass self, jclass c, jstring name)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, name, NULL);

    jmethodID m = (*jni)->GetStaticMethodID(jni, c, bytes, "()V");
    (*jni)->CallStaticVoidMethod(jni, c, m);
    (*jni)->ReleaseStringUTFChars(jni, name, bytes);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_pop_frame = 1, .can_force_early_return = 1,
                                 .can_suspend = 1, .can_signal_thread = 1,
                                 .can_generate_frame_pop_events = 1,
                                 .can_generate_single_step_events = 1,
                                 .can_generate_breakpoint_events = 1,
                                 .can_generate_method_entry_events = 1,
                                 .can_generate_method_exit_events = 1,
                                 .can_generate_exception_events = 1,
                                 .can_generate_monitor_events = 1,
                                 .can_generate_field_access_events = 1,
                                 .can_generate_field_modification_events = 1 };
    jvmtiEventCallbacks callbacks = { .SingleStep = on_step,
                                      .Breakpoint = on_breakpoint,
                                      .MethodEntry = on_entry,
                                      .MethodExit = on_exit_,
                                      .FramePop = on_pop,
                                      .Exception = on_throw,
                                      .ExceptionCatch = on_catch,
                                      .FieldAccess = on_access,
                                      .FieldModification = on_modification,
                                      .MonitorContendedEntered = on_entered,
                                      .ClassPrepare = on_prepare };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return JNI_OK;
}

#endif
