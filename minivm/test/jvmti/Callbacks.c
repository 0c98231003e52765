/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Callbacks.c -- callbacks that throw, look classes up and call Java
 * (JVM TI "Handling Events"). */

#include "check.h"

enum { ENTRY, EXIT, EXCEPTION };
enum { NOTHING, THROW, THROW_AND_CLEAR, FIND, NEST };

static jvmtiEnv *ti;
static jmethodID target;
static jclass program;
static jthrowable to_throw;
static int armed = -1, what;
static jboolean has_run;

static void
act(JNIEnv *jni)
{
    jclass found;

    armed = -1;
    has_run = !(*jni)->ExceptionCheck(jni);
    switch (what) {
    case THROW:
        (*jni)->Throw(jni, to_throw);
        break;
    case THROW_AND_CLEAR:
        (*jni)->Throw(jni, to_throw);
        has_run &= (*jni)->ExceptionCheck(jni);
        (*jni)->ExceptionClear(jni);
        break;
    case FIND:
        /* By the loader of the frame's class. */
        found = (*jni)->FindClass(jni, "Callbacks");
        has_run &= found != NULL && (*jni)->IsSameObject(jni, found, program);
        (*jni)->ExceptionClear(jni);
        break;
    case NEST:
        has_run &= (*jni)->CallStaticIntMethod(jni, program, target, JNI_FALSE) == 42;
        break;
    }
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    if (armed == ENTRY && method == target)
        act(jni);
}

static void JNICALL
on_exit_(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown,
         jvalue value)
{
    if (armed == EXIT && method == target)
        act(jni);
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    if (armed == EXCEPTION && method == target)
        act(jni);
}

JNIEXPORT void JNICALL
Java_Callbacks_arm(JNIEnv *jni, jclass c, jint event, jint action, jthrowable t)
{
    static const jvmtiEvent on[] = { JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT,
                                     JVMTI_EVENT_EXCEPTION };

    if (program == NULL) {
        program = (*jni)->NewGlobalRef(jni, c);
        to_throw = (*jni)->NewGlobalRef(jni, t);
        target = (*jni)->GetStaticMethodID(jni, c, "target", "(Z)I");
        for (int i = 0; i < 3; i++)
            (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, on[i], NULL);
    }
    armed = event;
    what = action;
    has_run = JNI_FALSE;
}

JNIEXPORT jboolean JNICALL
Java_Callbacks_ran(JNIEnv *jni, jclass c)
{
    return has_run;
}

/* ---- callbacks that allocate ---- */

static jmethodID copy;
static int depth, deepest;

static void JNICALL
on_alloc(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
         jlong size)
{
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (depth < 20)
        (*jni)->CallStaticObjectMethod(jni, program, copy);
    depth--;
}

JNIEXPORT jint JNICALL
Java_Callbacks_deepest(JNIEnv *jni, jclass c, jboolean sampled)
{
    jvmtiEvent event = sampled ? JVMTI_EVENT_SAMPLED_OBJECT_ALLOC
                               : JVMTI_EVENT_VM_OBJECT_ALLOC;

    copy = (*jni)->GetStaticMethodID(jni, c, "copy", "()Ljava/lang/Object;");
    deepest = 0;
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, event, NULL);
    (*jni)->CallStaticObjectMethod(jni, c, copy);
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, event, NULL);
    return deepest;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_generate_exception_events = 1,
                                       .can_generate_vm_object_alloc_events = 1,
                                       .can_generate_sampled_object_alloc_events = 1,
                                       .can_generate_method_entry_events = 1,
                                       .can_generate_method_exit_events = 1 };
    const jvmtiEventCallbacks callbacks = { .MethodEntry = on_entry,
                                            .MethodExit = on_exit_,
                                            .Exception = on_exception,
                                            .VMObjectAlloc = on_alloc,
                                            .SampledObjectAlloc = on_alloc };

    ti = make_env(vm, JVMTI_VERSION_11, &wanted);
    (*ti)->SetHeapSamplingInterval(ti, 0);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return JNI_OK;
}
