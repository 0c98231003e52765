/* SPDX-License-Identifier: MIT */
/* sdk/src/agent.c -- the start of an agent. */
#include <tiforge/agent.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/buffer.h>
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

/*
 * Leave the last error that was logged to who attached the agent, as the message of a
 * pending exception: a VM may put it into its answer, as minivm does, and the others
 * clear it.  Every VM has loaded that class, so the agent leaves no trace of itself.
 */
static void
throw_reason(JNIEnv *jni)
{
    char reason[1024];
    jclass klass;

    if (jni == NULL || (*jni)->ExceptionCheck(jni)
        || !tf_log_last_error(reason, sizeof reason))
        return;
    klass = (*jni)->FindClass(jni, "java/lang/RuntimeException");
    if (klass != NULL)
        (*jni)->ThrowNew(jni, klass, reason);
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
        throw_reason(agent.jni);
        return JNI_ERR;
    }
}

/* -- errors -- */

/* Places whose error has been told, as hashes; 0 is none.  A place that finds no room, or
   another one of the same hash, is told again or not at all, which does no harm. */
static uintptr_t told[256];

/* True the first time for a place and an error. */
static bool
is_new(const char *what, const char *file, int line, jvmtiError error)
{
    uintptr_t hash = 2166136261u;

    for (const char *c = what; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    hash = (hash ^ (uintptr_t)file) * 16777619u;
    hash = (hash ^ (unsigned)line) * 16777619u;
    hash = ((hash ^ (unsigned)error) * 16777619u) | 1;
    for (size_t i = 0; i < 8; i++) {
        uintptr_t *slot = &told[(hash / 2 + i) % (sizeof told / sizeof *told)];
        uintptr_t empty = 0;

        if (__atomic_compare_exchange_n(slot, &empty, hash, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (empty == hash)
            return false;
    }
    return true;
}

/* Is the VM in the phase in which all is over?  If it cannot say, it is. */
static bool
is_dead(jvmtiEnv *jvmti)
{
    jvmtiPhase phase;

    return jvmti == NULL
        || TF_TABLE(jvmti)->GetPhase(jvmti, &phase) != JVMTI_ERROR_NONE
        || phase == JVMTI_PHASE_DEAD;
}

/* ": can_tag_objects is missing", for what needs capabilities that env has not; what is
   not known to need any gets an empty text. */
static void
add_missing(struct tf_buffer *text, jvmtiEnv *jvmti, const char *what)
{
    const char *inner = strchr(what, '(');
    jvmtiCapabilities held;
    char name[64];
    int count = 0, capability;

    if (jvmti == NULL
        || TF_TABLE(jvmti)->GetCapabilities(jvmti, &held) != JVMTI_ERROR_NONE)
        return;
    if (inner != NULL)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(inner + 1, ")"), inner + 1);
    else
        snprintf(name, sizeof name, "%s", what);
    for (int n = 0; (capability = tiforge_required_capability(name, n)) >= 0; n++)
        if (!tiforge_capability_get(&held, capability))
            tf_buffer_format(text, "%s%s", count++ == 0 ? ": " : ", ",
                             tiforge_capability_name(capability));
    if (count > 0)
        tf_buffer_text(text, count == 1 ? " was not added" : " were not added");
}

/* ": the phase is onload, allowed in live", as far as that is known. */
static void
add_phases(struct tf_buffer *text, jvmtiEnv *jvmti, const char *what)
{
    const char *allowed, *name;
    jvmtiPhase phase;
    char function[64];

    snprintf(function, sizeof function, "%.*s", (int)strcspn(what, "("), what);
    allowed = tiforge_allowed_phases(function);
    if (allowed == NULL
        || TF_TABLE(jvmti)->GetPhase(jvmti, &phase) != JVMTI_ERROR_NONE)
        return;
    name = tiforge_phase_name(phase);
    tf_buffer_format(text, ": the phase is %s, allowed in %s",
                     name != NULL ? name : "unknown", allowed);
}

bool
tf_check_at(jvmtiEnv *jvmti, jvmtiError error, const char *what, const char *file,
            int line)
{
    enum tf_log_level level = TF_LOG_WARNING;
    struct tf_buffer reason;
    char text[64];

    if (error == JVMTI_ERROR_NONE)
        return true;
    tf_buffer_init(&reason);
    if (error == JVMTI_ERROR_MUST_POSSESS_CAPABILITY)
        add_missing(&reason, jvmti, what);
    if (error == JVMTI_ERROR_WRONG_PHASE && jvmti != NULL)
        add_phases(&reason, jvmti, what);
    if (error == JVMTI_ERROR_WRONG_PHASE && is_dead(jvmti))
        level = TF_LOG_DEBUG;
    else if ((error == JVMTI_ERROR_MUST_POSSESS_CAPABILITY
              || error == JVMTI_ERROR_WRONG_PHASE)
             && !is_new(what, file, line, error))
        level = TF_LOG_DEBUG;
    if (file != NULL)
        tf_buffer_format(&reason, " (%s:%d)", file, line);
    tf_log(level, "%s: %s%s", what, tf_error_text(jvmti, error, text, sizeof text),
           tf_buffer_string(&reason));
    tf_buffer_release(&reason);
    return false;
}

bool
tf_check(jvmtiEnv *jvmti, jvmtiError error, const char *what)
{
    return tf_check_at(jvmti, error, what, NULL, 0);
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
set_events(const char *file, int line, jvmtiEnv *jvmti, jvmtiEventMode mode,
           va_list events)
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
        if (!tf_check_at(jvmti, error, what, file, line))
            return false;
    }
    return true;
}

bool
tf_events_set(const char *file, int line, jvmtiEventMode mode, jvmtiEnv *jvmti, ...)
{
    va_list events;
    bool done;

    va_start(events, jvmti);
    done = set_events(file, line, jvmti, mode, events);
    va_end(events);
    return done;
}

/* In parentheses the name is no macro. */
bool
(tf_events_enable)(jvmtiEnv *jvmti, ...)
{
    va_list events;
    bool done;

    va_start(events, jvmti);
    done = set_events(NULL, 0, jvmti, JVMTI_ENABLE, events);
    va_end(events);
    return done;
}

bool
(tf_events_disable)(jvmtiEnv *jvmti, ...)
{
    va_list events;
    bool done;

    va_start(events, jvmti);
    done = set_events(NULL, 0, jvmti, JVMTI_DISABLE, events);
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
