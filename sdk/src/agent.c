/* SPDX-License-Identifier: MIT */
/* sdk/src/agent.c -- the start of an agent. */
#include <tiforge/agent.h>

#include <stdarg.h>
#include <stdlib.h>

#include <tiforge/log.h>
#include <tiforge_names.h>

/* "1.2", "21": how people write the level of a version constant. */
static void
level_text(jint version, char *text, size_t size)
{
    int major = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    int minor = (version & JVMTI_VERSION_MASK_MINOR) >> JVMTI_VERSION_SHIFT_MINOR;

    snprintf(text, size, minor != 0 || major == 1 ? "%d.%d" : "%d", major, minor);
}

jint
tf_agent_load(const char *name, jint version, JavaVM *vm, const char *options,
              bool attached, tf_start_function *start)
{
    struct tf_agent agent = {
        .name = name, .vm = vm, .options = options != NULL ? options : "",
        .attached = attached
    };
    char text[32];
    void *env;

    tf_log_set_name(name);
    if ((*vm)->GetEnv(vm, &env, version) != JNI_OK) {
        level_text(version, text, sizeof text);
        tf_error("this VM does not have JVM TI %s", text);
        return JNI_ERR;
    }
    agent.jvmti = (jvmtiEnv *)env;
    if (attached && (*vm)->GetEnv(vm, &env, JNI_VERSION_1_2) == JNI_OK)
        agent.jni = (JNIEnv *)env;
    switch (start(&agent)) {
    case TF_RUN:
        return JNI_OK;
    case TF_DONE:
        if (!attached)
            exit(0);
        (*agent.jvmti)->DisposeEnvironment(agent.jvmti);
        return JNI_OK;
    default:
        (*agent.jvmti)->DisposeEnvironment(agent.jvmti);
        return JNI_ERR;
    }
}

bool
tf_check(jvmtiEnv *jvmti, jvmtiError error, const char *what)
{
    char text[64];

    if (error == JVMTI_ERROR_NONE)
        return true;
    tf_log(error == JVMTI_ERROR_WRONG_PHASE ? TF_LOG_DEBUG : TF_LOG_WARNING, "%s: %s",
           what, tf_error_text(jvmti, error, text, sizeof text));
    return false;
}

int
tf_level(jvmtiEnv *jvmti)
{
    jint version;

    if ((*jvmti)->GetVersionNumber(jvmti, &version) != JVMTI_ERROR_NONE)
        return 0;
    return (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
}

static bool
set_events(jvmtiEnv *jvmti, jvmtiEventMode mode, va_list events)
{
    jvmtiError error;
    char what[96];
    int event;

    while ((event = va_arg(events, int)) != 0) {
        const char *name = tiforge_event_name((jvmtiEvent)event);

        snprintf(what, sizeof what, "SetEventNotificationMode(%s)",
                 name != NULL ? name : "?");
        error = (*jvmti)->SetEventNotificationMode(jvmti, mode, (jvmtiEvent)event,
                                                   NULL);
        if (!tf_check(jvmti, error, what))
            return false;
    }
    return true;
}

bool
tf_events_enable(jvmtiEnv *jvmti, ...)
{
    va_list events;
    bool done;

    va_start(events, jvmti);
    done = set_events(jvmti, JVMTI_ENABLE, events);
    va_end(events);
    return done;
}

bool
tf_events_disable(jvmtiEnv *jvmti, ...)
{
    va_list events;
    bool done;

    va_start(events, jvmti);
    done = set_events(jvmti, JVMTI_DISABLE, events);
    va_end(events);
    return done;
}

JNIEnv *
tf_jni(JavaVM *vm, const char *thread_name, bool *detach)
{
    JavaVMAttachArgs args = { JNI_VERSION_1_2, (char *)thread_name, NULL };
    void *env = NULL;
    jint answer = (*vm)->GetEnv(vm, &env, JNI_VERSION_1_2);
    bool attached = answer == JNI_EDETACHED
        && (*vm)->AttachCurrentThreadAsDaemon(vm, &env, &args) == JNI_OK;

    if (detach != NULL)
        *detach = attached;
    return answer == JNI_OK || attached ? (JNIEnv *)env : NULL;
}

bool
tf_clear_exception(JNIEnv *jni, const char *what)
{
    if (!(*jni)->ExceptionCheck(jni))
        return false;
    tf_warning("%s: a Java exception", what);
    if (getenv("TIFORGE_LOG") != NULL)
        (*jni)->ExceptionDescribe(jni);
    (*jni)->ExceptionClear(jni);
    return true;
}
