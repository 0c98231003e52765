/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Extensions.c -- the chapter "Extension Mechanism": every extension
 * is described whole, the class unload event comes, and the function tells the truth. */

#include <stdarg.h>
#include <stdatomic.h>

#include "check.h"

static jvmtiEnv *ti, *silent;
static jint unload_event = -1;
static struct {
    char name[60];
    int count;
} told[2000];
static int told_count;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static atomic_int silent_count, bad_phase;

/* Java's lambdas and the like come too, from any thread. */
static void
note(const char *name)
{
    int i = 0;

    while (atomic_flag_test_and_set(&busy))
        continue;
    while (i < told_count && strcmp(told[i].name, name) != 0)
        i++;
    if (i == told_count && told_count < 2000)
        snprintf(told[told_count++].name, sizeof told[0].name, "%s", name);
    told[i].count++;
    atomic_flag_clear(&busy);
}

static void JNICALL
on_unload(jvmtiEnv *env, ...)
{
    jvmtiPhase phase;
    va_list args;

    va_start(args, env);
    JNIEnv *jni = va_arg(args, JNIEnv *);
    const char *name = va_arg(args, const char *);
    va_end(args);
    note(name);
    (*env)->GetPhase(env, &phase);
    if (phase != JVMTI_PHASE_LIVE || (*jni)->GetVersion(jni) < JNI_VERSION_9)
        bad_phase++;
}

static void JNICALL
on_unload_silent(jvmtiEnv *env, ...)
{
    silent_count++;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && !strcmp(text + length - end_length, end);
}

/* Every string and array is one that Deallocate takes. */
static bool
check_params(jvmtiParamInfo *params, jint count)
{
    bool good = count == 0 || params != NULL;

    for (jint i = 0; i < count; i++) {
        good &= params[i].name != NULL && params[i].name[0] != '\0'
                && params[i].kind >= JVMTI_KIND_IN && params[i].kind <= JVMTI_KIND_OUT_BUF
                && params[i].base_type >= JVMTI_TYPE_JBYTE
                && params[i].base_type <= JVMTI_TYPE_JNIENV
                && (params[i].null_ok == JNI_TRUE || params[i].null_ok == JNI_FALSE);
        good &= (*ti)->Deallocate(ti, (unsigned char *)params[i].name)
                == JVMTI_ERROR_NONE;
    }
    return good
           && (*ti)->Deallocate(ti, (unsigned char *)params) == JVMTI_ERROR_NONE;
}

static bool
check_texts(char *id, char *description)
{
    bool good = strchr(id, '.') != NULL && strlen(description) > 10 && id != description;

    return good && (*ti)->Deallocate(ti, (unsigned char *)id) == JVMTI_ERROR_NONE
           && (*ti)->Deallocate(ti, (unsigned char *)description) == JVMTI_ERROR_NONE;
}

static void
check_events(void)
{
    jvmtiExtensionEventInfo *events;
    jint count, highest = 0;
    bool good = true;

    check_int("events", (*ti)->GetExtensionEvents(ti, &count, &events), JVMTI_ERROR_NONE);
    check("events-some", count > 0);
    for (jint i = 0; i < count; i++) {
        jvmtiExtensionEventInfo *e = &events[i];
        if (e->extension_event_index > highest)
            highest = e->extension_event_index;
        if (ends_with(e->id, ".ClassUnload")) {
            unload_event = e->extension_event_index;
            check("unload-params",
                  e->param_count == 2 && e->params[0].kind == JVMTI_KIND_IN_PTR
                      && e->params[0].base_type == JVMTI_TYPE_JNIENV
                      && e->params[1].kind == JVMTI_KIND_IN_PTR
                      && e->params[1].base_type == JVMTI_TYPE_CCHAR);
        }
        good &= check_params(e->params, e->param_count)
                && check_texts(e->id, e->short_description);
    }
    check("events-described", good);
    (*ti)->Deallocate(ti, (unsigned char *)events);
    check_int("no-such-event",
              (*ti)->SetExtensionEventCallback(ti, highest + 1, on_unload),
              JVMTI_ERROR_ILLEGAL_ARGUMENT);
    check_int("no-such-event-2", (*ti)->SetExtensionEventCallback(ti, -1, NULL),
              JVMTI_ERROR_ILLEGAL_ARGUMENT);
}

/* Each VM has another function; what the known ones say is checked. */
static void
check_function(JNIEnv *jni, const jvmtiExtensionFunctionInfo *f, jlong max)
{
    jclass system = (*jni)->FindClass(jni, "java/lang/System");
    jlong used = -1, committed = -1, maximum = -1, before = -1, after = -1, nanos = -1;
    jboolean unloads = 7;

    if (ends_with(f->id, ".GetHeapStatistics")) {
        jint error = f->func(ti, &used, &committed, &maximum, &before, &nanos);
        (*jni)->CallStaticVoidMethod(jni, system,
                                     (*jni)->GetStaticMethodID(jni, system, "gc", "()V"));
        error += f->func(ti, NULL, NULL, NULL, &after, NULL);
        check("function-answers", error == 0 && f->param_count == 5 && used > 0
                                      && used <= committed && committed <= maximum
                                      && maximum == max && after > before
                                      && before >= 0 && nanos >= 0);
    } else if (ends_with(f->id, ".IsClassUnloadingEnabled")) {
        check("function-answers", f->func(ti, &unloads) == 0 && unloads == JNI_TRUE);
    }
}

JNIEXPORT void JNICALL
Java_Extensions_statistics(JNIEnv *jni, jclass c, jlong max)
{
    jvmtiExtensionFunctionInfo *functions;
    bool good = true;
    jint count;

    check_int("functions", (*ti)->GetExtensionFunctions(ti, &count, &functions),
              JVMTI_ERROR_NONE);
    check("functions-some", count > 0);
    for (jint i = 0; i < count; i++) {
        jvmtiExtensionFunctionInfo *f = &functions[i];
        check_function(jni, f, max);
        good &= f->func != NULL && (f->error_count == 0 || f->errors != NULL)
                && check_params(f->params, f->param_count)
                && check_texts(f->id, f->short_description)
                && (*ti)->Deallocate(ti, (unsigned char *)f->errors)
                       == JVMTI_ERROR_NONE;
    }
    check("functions-described", good);
    (*ti)->Deallocate(ti, (unsigned char *)functions);
    check_events();
}

JNIEXPORT jint JNICALL
Java_Extensions_told(JNIEnv *jni, jclass c, jstring name)
{
    char text[100] = "";

    (*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name), text);
    for (int i = 0; i < told_count; i++)
        if (!strcmp(told[i].name, text))
            return told[i].count;
    return 0;
}

JNIEXPORT void JNICALL
Java_Extensions_listen(JNIEnv *jni, jclass c, jboolean yes)
{
    check_int(yes ? "listen-again" : "listen-no-more",
              (*ti)->SetExtensionEventCallback(ti, unload_event, yes ? on_unload : NULL),
              JVMTI_ERROR_NONE);
    check("silent-told", silent_count > 0);
    check("callbacks-live", bad_phase == 0);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    ti = make_env(vm, JVMTI_VERSION_1_0, NULL);
    silent = make_env(vm, JVMTI_VERSION_1_0, NULL);
    check_events();
    check_int("listen", (*ti)->SetExtensionEventCallback(ti, unload_event, on_unload),
              JVMTI_ERROR_NONE);
    check_int("listen-second", (*silent)->SetExtensionEventCallback(silent, unload_event,
                                                                    on_unload_silent),
              JVMTI_ERROR_NONE);
    return JNI_OK;
}
