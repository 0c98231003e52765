/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/debug.h -- the agent of the programs about steps, breakpoints and
 * watches, which define PROGRAM.
 *
 * It writes down what happens in class PROGRAM$T, breakpoints and watched fields:
 * S: step, B: breakpoint, E: entry, C: catch, A and M: access, modification.  A plan is
 * something to do in the callback of one of them. */

#ifndef MINIVM_TEST_JVMTI_DEBUG_H
#define MINIVM_TEST_JVMTI_DEBUG_H

#include <pthread.h>
#include <stdarg.h>

#include "check.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOIN_(a, b, c) a##b##_##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NATIVE(name) JOIN(Java_, PROGRAM, name)

struct plan {
    char event;                    /* 0: none */
    char method[40];
    jlocation location;
    char action;                   /* 'b' set, 'c' clear, 's' step, 'n' no step */
    jmethodID target;
    jlocation target_location;
};

static jvmtiEnv *ti, *second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[1 << 20];
static size_t length;
static long events;
static struct plan plan;
static jobject subject;

static void
note(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pthread_mutex_lock(&mutex);
    events++;
    if (length < sizeof text - 200)
        length += (size_t)vsnprintf(text + length, 200, format, args);
    pthread_mutex_unlock(&mutex);
    va_end(args);
}

/* The method's name; false unless PROGRAM$T declares it or any will do. */
static bool
name_of(jvmtiEnv *env, JNIEnv *jni, jmethodID method, bool any, char name[40])
{
    jclass c;
    char *text_of = NULL, *signature = NULL;

    (*env)->GetMethodDeclaringClass(env, method, &c);
    (*env)->GetClassSignature(env, c, &signature, NULL);
    (*env)->GetMethodName(env, method, &text_of, NULL, NULL);
    bool ours = !strcmp(signature, "L" TEXT(PROGRAM) "$T;");
    snprintf(name, 40, "%s", text_of);
    (*env)->Deallocate(env, (unsigned char *)signature);
    (*env)->Deallocate(env, (unsigned char *)text_of);
    (*jni)->DeleteLocalRef(jni, c);
    return ours || any;
}

static void
act(char event, const char *method, jlocation location, jthread thread)
{
    struct plan p = plan;

    if (p.event != event || p.location != location || strcmp(p.method, method))
        return;
    plan.event = 0;
    if (p.action == 'b')
        note("+%d ", (*ti)->SetBreakpoint(ti, p.target, p.target_location));
    else if (p.action == 'c')
        note("-%d ", (*ti)->ClearBreakpoint(ti, p.target, p.target_location));
    else
        (*ti)->SetEventNotificationMode(
            ti, p.action == 's' ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SINGLE_STEP,
            thread);
}

static void
place(char event, jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
      jlocation location)
{
    char name[40];
    jmethodID top;
    jlocation at = -2;

    if (!name_of(env, jni, method, event == 'B', name))
        return;
    /* JVM TI "Get Frame Location" agrees with what the event says. */
    if ((*env)->GetFrameLocation(env, thread, 0, &top, &at) != JVMTI_ERROR_NONE
        || top != method || at != location)
        note("top frame at %lld! ", (long long)at);
    note("%s%c:%s@%d ", env == second ? "2" : "", event, name, (int)location);
    if (env == ti)
        act(event, name, location, thread);
}

static void JNICALL
on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
        jlocation location)
{
    place('S', env, jni, thread, method, location);
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    place('B', env, jni, thread, method, location);
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    place('E', env, jni, thread, method, 0);
}

static void JNICALL
on_catch(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
         jlocation location, jobject exception)
{
    place('C', env, jni, thread, method, location);
}

/* Class, name, and whether object is the subject. */
static void
field_text(jvmtiEnv *env, JNIEnv *jni, jclass c, jobject object, jfieldID field,
           char out[80])
{
    char *signature = NULL, *name = NULL;

    (*env)->GetClassSignature(env, c, &signature, NULL);
    (*env)->GetFieldName(env, c, field, &name, NULL, NULL);
    snprintf(out, 80, "%s%s=%s", signature, name,
             object == NULL                                  ? "static"
             : (*jni)->IsSameObject(jni, object, subject)    ? "subject"
                                                             : "other");
    (*env)->Deallocate(env, (unsigned char *)signature);
    (*env)->Deallocate(env, (unsigned char *)name);
}

static void JNICALL
on_access(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
          jlocation location, jclass c, jobject object, jfieldID field)
{
    char name[40], what[80];

    name_of(env, jni, method, true, name);
    field_text(env, jni, c, object, field, what);
    note("A:%s@%d:%s ", name, (int)location, what);
}

static void
value_text(JNIEnv *jni, char type, jvalue v, char out[40])
{
    switch (type) {
    case 'Z': snprintf(out, 40, "%d", v.z); break;
    case 'B': snprintf(out, 40, "%d", v.b); break;
    case 'C': snprintf(out, 40, "%d", v.c); break;
    case 'S': snprintf(out, 40, "%d", v.s); break;
    case 'I': snprintf(out, 40, "%d", v.i); break;
    case 'J': snprintf(out, 40, "%lld", (long long)v.j); break;
    case 'F': snprintf(out, 40, "%g", v.f); break;
    case 'D': snprintf(out, 40, "%g", v.d); break;
    default:
        snprintf(out, 40, "%s", v.l == NULL ? "null"
                 : (*jni)->IsSameObject(jni, v.l, subject) ? "subject" : "other");
        break;
    }
}

static void JNICALL
on_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                jlocation location, jclass c, jobject object, jfieldID field, char type,
                jvalue value)
{
    char name[40], what[80], number[40];

    name_of(env, jni, method, true, name);
    field_text(env, jni, c, object, field, what);
    value_text(jni, type, value, number);
    note("M:%s@%d:%s:%c%s ", name, (int)location, what, type, number);
}

/* ---- what the programs call ---- */

static jmethodID
find_method(JNIEnv *jni, jclass c, const char *wanted)
{
    jmethodID *methods, found = NULL;
    jint count;

    if ((*ti)->GetClassMethods(ti, c, &count, &methods) != JVMTI_ERROR_NONE)
        return NULL;
    for (jint i = 0; i < count; i++) {
        char *name;
        (*ti)->GetMethodName(ti, methods[i], &name, NULL, NULL);
        if (!strcmp(name, wanted))
            found = methods[i];
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    (*ti)->Deallocate(ti, (unsigned char *)methods);
    return found;
}

static jmethodID
named_method(JNIEnv *jni, jclass c, jstring name)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, name, NULL);
    jmethodID method = find_method(jni, c, bytes);

    (*jni)->ReleaseStringUTFChars(jni, name, bytes);
    return method;
}

JNIEXPORT jstring JNICALL
NATIVE(take)(JNIEnv *jni, jclass self)
{
    pthread_mutex_lock(&mutex);
    text[length > 0 ? length - 1 : 0] = '\0';
    jstring result = (*jni)->NewStringUTF(jni, text);
    length = 0;
    events = 0;
    pthread_mutex_unlock(&mutex);
    return result;
}

JNIEXPORT jlong JNICALL
NATIVE(events)(JNIEnv *jni, jclass self)
{
    return __atomic_load_n(&events, __ATOMIC_RELAXED);
}

JNIEXPORT jint JNICALL
NATIVE(enable)(JNIEnv *jni, jclass self, jint event, jboolean on, jthread thread)
{
    return (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                           (jvmtiEvent)event, thread);
}

JNIEXPORT jint JNICALL
NATIVE(enableSecond)(JNIEnv *jni, jclass self, jint event, jboolean on)
{
    return (*second)->SetEventNotificationMode(
        second, on ? JVMTI_ENABLE : JVMTI_DISABLE, (jvmtiEvent)event, NULL);
}

JNIEXPORT jint JNICALL
NATIVE(setBreakpoint)(JNIEnv *jni, jclass self, jclass c, jstring name, jlong location)
{
    return (*ti)->SetBreakpoint(ti, named_method(jni, c, name), location);
}

JNIEXPORT jint JNICALL
NATIVE(setBreakpointSecond)(JNIEnv *jni, jclass self, jclass c, jstring name,
                            jlong location)
{
    return (*second)->SetBreakpoint(second, named_method(jni, c, name), location);
}

JNIEXPORT jint JNICALL
NATIVE(clearBreakpoint)(JNIEnv *jni, jclass self, jclass c, jstring name,
                        jlong location)
{
    return (*ti)->ClearBreakpoint(ti, named_method(jni, c, name), location);
}

JNIEXPORT void JNICALL
NATIVE(plan)(JNIEnv *jni, jclass self, jchar event, jstring method, jlong location,
             jchar action, jstring target, jlong target_location, jclass c)
{
    const char *bytes = (*jni)->GetStringUTFChars(jni, method, NULL);

    plan = (struct plan){ (char)event, "", location, (char)action,
                          named_method(jni, c, target), target_location };
    snprintf(plan.method, sizeof plan.method, "%s", bytes);
    (*jni)->ReleaseStringUTFChars(jni, method, bytes);
}

JNIEXPORT jbyteArray JNICALL
NATIVE(bytecodes)(JNIEnv *jni, jclass self, jclass c, jstring name)
{
    unsigned char *bytes;
    jint count;

    if ((*ti)->GetBytecodes(ti, named_method(jni, c, name), &count, &bytes)
        != JVMTI_ERROR_NONE)
        return NULL;
    jbyteArray result = (*jni)->NewByteArray(jni, count);
    (*jni)->SetByteArrayRegion(jni, result, 0, count, (const jbyte *)bytes);
    (*ti)->Deallocate(ti, bytes);
    return result;
}

static jfieldID
own_field(jclass c, const char *wanted)
{
    jfieldID *fields, found = NULL;
    jint count;

    if ((*ti)->GetClassFields(ti, c, &count, &fields) != JVMTI_ERROR_NONE)
        return NULL;
    for (jint i = 0; i < count; i++) {
        char *bytes;
        (*ti)->GetFieldName(ti, c, fields[i], &bytes, NULL, NULL);
        if (!strcmp(bytes, wanted))
            found = fields[i];
        (*ti)->Deallocate(ti, (unsigned char *)bytes);
    }
    (*ti)->Deallocate(ti, (unsigned char *)fields);
    return found;
}

/* Of the class or of one above. */
static jfieldID
named_field(JNIEnv *jni, jclass c, jstring name)
{
    const char *wanted = (*jni)->GetStringUTFChars(jni, name, NULL);
    jfieldID found = NULL;

    for (; c != NULL && found == NULL; c = (*jni)->GetSuperclass(jni, c))
        found = own_field(c, wanted);
    (*jni)->ReleaseStringUTFChars(jni, name, wanted);
    return found;
}

/* what: 'a' and 'm' set, 'A' and 'M' clear. */
JNIEXPORT jint JNICALL
NATIVE(watch)(JNIEnv *jni, jclass self, jclass c, jstring name, jchar what)
{
    jfieldID field = named_field(jni, c, name);

    switch (what) {
    case 'a': return (*ti)->SetFieldAccessWatch(ti, c, field);
    case 'A': return (*ti)->ClearFieldAccessWatch(ti, c, field);
    case 'm': return (*ti)->SetFieldModificationWatch(ti, c, field);
    default: return (*ti)->ClearFieldModificationWatch(ti, c, field);
    }
}

JNIEXPORT void JNICALL
NATIVE(subject)(JNIEnv *jni, jclass self, jobject object)
{
    subject = (*jni)->NewGlobalRef(jni, object);
}

/* Reads or writes an int field, static when object is NULL. */
JNIEXPORT jint JNICALL
NATIVE(jniInt)(JNIEnv *jni, jclass self, jclass c, jobject object, jstring name,
               jboolean write, jint value)
{
    jfieldID field = named_field(jni, c, name);

    if (object == NULL && write)
        (*jni)->SetStaticIntField(jni, c, field, value);
    else if (write)
        (*jni)->SetIntField(jni, object, field, value);
    else if (object == NULL)
        return (*jni)->GetStaticIntField(jni, c, field);
    else
        return (*jni)->GetIntField(jni, object, field);
    return value;
}

JNIEXPORT jobject JNICALL
NATIVE(jniObject)(JNIEnv *jni, jclass self, jclass c, jobject object, jstring name,
                  jboolean write, jobject value)
{
    jfieldID field = named_field(jni, c, name);

    if (!write)
        return (*jni)->GetObjectField(jni, object, field);
    (*jni)->SetObjectField(jni, object, field, value);
    return value;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_generate_single_step_events = 1,
                                 .can_generate_breakpoint_events = 1,
                                 .can_generate_method_entry_events = 1,
                                 .can_generate_exception_events = 1,
                                 .can_generate_field_access_events = 1,
                                 .can_generate_field_modification_events = 1,
                                 .can_get_bytecodes = 1 };
    jvmtiEventCallbacks callbacks = { .SingleStep = on_step,
                                      .Breakpoint = on_breakpoint,
                                      .MethodEntry = on_entry,
                                      .ExceptionCatch = on_catch,
                                      .FieldAccess = on_access,
                                      .FieldModification = on_modification };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    second = make_env(vm, JVMTI_VERSION_11, NULL);
    /* Where one environment only can have the others, this one has steps. */
    if ((*second)->AddCapabilities(second, &wanted) != JVMTI_ERROR_NONE) {
        wanted = (jvmtiCapabilities){ .can_generate_single_step_events = 1 };
        (*second)->AddCapabilities(second, &wanted);
    }
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*second)->SetEventCallbacks(second, &callbacks, sizeof callbacks);
    return JNI_OK;
}

#endif
