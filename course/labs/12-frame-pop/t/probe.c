/* SPDX-License-Identifier: MIT */
/* The marking's own agent: asks for the ends of frames where the program throws Ask. */
#include "lab.h"

#include <dlfcn.h>

static void
say_event(jvmtiEnv *jvmti, jmethodID method, jboolean by_exception)
{
    char *name = NULL;

    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        say("pop %s %s", name, by_exception ? "exception" : "return");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void
ask(jvmtiEnv *jvmti, const char *what, jthread thread, jint depth)
{
    jvmtiError error = (*jvmti)->NotifyFramePop(jvmti, thread, depth);

    char *name = NULL;

    if (CALL(GetErrorName, jvmti, error, &name))
        say("%s %s", what, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

/* Shall the next FramePop ask again, for the frame that is just ending?  That is too late. */
static bool asks_late;

static void JNICALL
on_frame_pop(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jboolean by_exception)
{
    (void)jni, (void)thread;
    say_event(jvmti, method, by_exception);
    if (asks_late) {
        asks_late = false;
        ask(jvmti, "late", NULL, 0);
    }
}

/* How often the thread has looked at the end of a frame since the last call (watch.c). */
static int
looks(void)
{
    int (*count)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "JVM_LabFramePops");
    static int before;
    int now = count != NULL ? count() : -1, since = now - before;

    before = now;
    return since;
}

/* Ask0, Ask1 and so on: for the frame that threw it, its caller, and so on.  AskTwice:
   the first frame, twice; AskOff: it, but the event is disabled before the frame ends;
   AskLooks: none. */
static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catcher, jlocation where)
{
    char *signature = NULL;

    (void)method, (void)location, (void)catcher, (void)where;
    if (!CALL(GetClassSignature, jvmti, (*jni)->GetObjectClass(jni, exception),
              &signature, NULL))
        return;
    if (strcmp(signature, "LAskTwice;") == 0) {
        ask(jvmti, "asked", NULL, 0);
        ask(jvmti, "again", NULL, 0);
        asks_late = true;
    } else if (strcmp(signature, "LAskOff;") == 0) {
        ask(jvmti, "asked", NULL, 0);
        CALL(SetEventNotificationMode, jvmti, JVMTI_DISABLE, JVMTI_EVENT_FRAME_POP, NULL);
    } else if (strcmp(signature, "LAskOn;") == 0)
        CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    else if (strcmp(signature, "LAskLooks;") == 0)
        say("looks %d", looks());
    else if (strncmp(signature, "LAsk", 4) == 0) {
        ask(jvmti, "asked", NULL, signature[4] - '0');
        ask(jvmti, "too-deep", NULL, 1000);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* In the VM's code of a start the newest frame may be native. */
static void JNICALL
on_native(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    char *name = NULL;

    (void)jni, (void)thread;
    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL)
        && strcmp(name, "registerNatives") != 0 && strcmp(name, "sleep") == 0) {
        jboolean native = JNI_FALSE;

        if (CALL(IsMethodNative, jvmti, method, &native) && native)
            ask(jvmti, "native", NULL, 0);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, thread);
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, thread);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_init, .Exception = on_exception, .FramePop = on_frame_pop,
        .MethodEntry = on_native
    };
    jvmtiCapabilities capabilities = {
        .can_generate_exception_events = 1, .can_generate_frame_pop_events = 1,
        .can_generate_method_entry_events = 1
    };
    jvmtiEnv *jvmti;

    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
