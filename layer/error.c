/* SPDX-License-Identifier: MIT */
/*
 * layer/error.c -- rules about errors, and about what an agent asks for (JVM TI "Error
 * Reporting", "Versions").
 *
 * Whether an agent looks at an error cannot be seen.  What can: the next call of the
 * thread gets what the function that failed has left in its result.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <tiforge_names.h>

#include "layer/check.h"

/* ---- errors that nobody looked at ---- */

/* A bit for each result that is a pointer, an id or a reference. */
static unsigned char pointers[INTERPOSE_FUNCTION_COUNT];

void
error_start(void)
{
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        for (int k = 0; k < interpose_functions[i].count; k++) {
            const char *type = interpose_functions[i].params[k].type;

            if (interpose_functions[i].params[k].is_out
                && (strstr(type, "**") != NULL
                    || strcmp(type, "jobject*") == 0 || strcmp(type, "jclass*") == 0
                    || strcmp(type, "jthread*") == 0 || strcmp(type, "jmethodID*") == 0
                    || strcmp(type, "jrawMonitorID*") == 0))
                pointers[i] |= (unsigned char)(1u << k);
        }
}

/* "jclass*" and "jclass", "unsigned char**" and "unsigned char*". */
static bool
is_result_for(const char *result, const char *param)
{
    size_t length = strlen(result) - 1;

    return strncmp(result, param, length) == 0 && param[length] == '\0';
}

static const char *
error_name(jvmtiError error)
{
    const char *name = tiforge_error_name(error);

    return name != NULL ? name : "an unknown error";
}

static void
tell_ignored(const struct interpose_call *call, int param)
{
    const struct check_thread *thread = call->thread->state;
    const char *name = interpose_functions[call->function].name;
    const char *failed = interpose_functions[thread->failed.function].name;

    check_found(RULE_ERROR_IGNORED, name,
                "%s gets in '%s' what %s was to give, which has failed with %s", name,
                interpose_functions[call->function].params[param].name, failed,
                error_name(thread->failed.error));
}

/* Does the call use what the one before was to give?  A function that fails leaves what was
   there before, which may be good still: so it counts if it is an error here.  NULL is none
   for Deallocate, which tells of memory that it does not know. */
static void
check_ignored(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_thread *thread = call->thread->state;
    const struct interpose_function *before = &interpose_functions[thread->failed.function];

    for (int i = 0; i < f->count; i++)
        for (int k = 0; f->params[i].member == 'p' && !f->params[i].is_out
                        && pointers[thread->failed.function] >> k != 0; k++)
            if ((pointers[thread->failed.function] & 1u << k)
                && thread->failed.left[k] == call->args[i].p
                && (call->function == INTERPOSE_Deallocate
                        ? call->args[i].p != NULL && thread->is_deallocate_wrong
                        : is_result_for(before->params[k].type, f->params[i].type)
                            && call->error != JVMTI_ERROR_NONE))
                tell_ignored(call, i);
}

/* What was in the places of the results stays there when a function fails: an old value
   that was right before the call is none of it. */
static void
keep_failed(const struct interpose_call *call)
{
    struct check_thread *thread = call->thread->state;

    thread->failed.function = call->function;
    thread->failed.error = call->error;
    for (int k = 0; pointers[call->function] >> k != 0; k++)
        thread->failed.left[k] =
            (pointers[call->function] & 1u << k) && call->args[k].p != NULL
            ? *(void **)call->args[k].p : (void *)(intptr_t)-1;
}

/* An object where the function needs a class or a thread; told, if it is that and no
   reference that was kept, which has been told. */
static bool
is_wrong_kind(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    const struct check_thread *thread = call->thread->state;
    void *jni = NULL;

    if ((call->error != JVMTI_ERROR_INVALID_CLASS && call->error != JVMTI_ERROR_INVALID_THREAD
         && call->error != JVMTI_ERROR_INVALID_THREAD_GROUP)
        || !check_may_ask(call->thread)
        || (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2) != JNI_OK)
        return false;
    for (int i = 0; i < f->count; i++)
        if (local_is_reference(f->params[i].type) && call->args[i].p != NULL
            && !kind_fits(jni, call->args[i].p, f->params[i].type)) {
            if (thread->is_kept_used)
                return true;
            check_found(RULE_REFERENCE_WRONG_KIND, f->name,
                        "%s gets in '%s' an object that is no %s", f->name,
                        f->params[i].name, f->params[i].type);
            return true;
        }
    return false;
}

/* Errors that say that an argument was none that the function can take then.  Where other
   rules tell of one it is left to them. */
static void
check_refused(const struct interpose_call *call)
{
    static const struct { jvmtiError error; const char *what; } errors[] = {
        { JVMTI_ERROR_INVALID_CLASS, "its class is none" },
        { JVMTI_ERROR_INVALID_OBJECT, "its object is none" },
        { JVMTI_ERROR_INVALID_THREAD, "its thread is none" },
        { JVMTI_ERROR_INVALID_THREAD_GROUP, "its thread group is none" },
        { JVMTI_ERROR_INVALID_LOCATION, "its location is not in the method" },
        { JVMTI_ERROR_INVALID_SLOT, "no such local variable is there" },
        { JVMTI_ERROR_TYPE_MISMATCH, "the variable or the result is of another type" },
        { JVMTI_ERROR_INVALID_EVENT_TYPE, "there is no such event" },
        { JVMTI_ERROR_ILLEGAL_ARGUMENT, "an argument is out of range, or names nothing" },
        { JVMTI_ERROR_INVALID_PRIORITY, "there is no such priority" },
        { JVMTI_ERROR_DUPLICATE, "it is set already" },
        { JVMTI_ERROR_NOT_FOUND, "it is not set" },
        { JVMTI_ERROR_UNSUPPORTED_OPERATION, "it does not serve a virtual thread" },
        { JVMTI_ERROR_THREAD_NOT_ALIVE, "the thread has not begun or has ended" },
    };
    const char *name = interpose_functions[call->function].name;

    if (is_wrong_kind(call))
        return;
    if (call->function == INTERPOSE_SetEventNotificationMode && call->args[2].p != NULL
        && call->error == JVMTI_ERROR_ILLEGAL_ARGUMENT)
        return;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == call->error)
            check_found(RULE_ERROR_BAD_ARGUMENT, name, "%s was refused with %s: %s",
                        name, error_name(call->error), errors[i].what);
}

void
error_end(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_thread *thread = call->thread->state;

    if (thread->failed.error != JVMTI_ERROR_NONE) {
        check_ignored(call);
        thread->failed.error = JVMTI_ERROR_NONE;
    }
    if (call->error != JVMTI_ERROR_NONE && pointers[call->function] != 0)
        keep_failed(call);
    if (call->error == JVMTI_ERROR_NULL_POINTER)
        check_found(RULE_ERROR_NULL_POINTER, f->name,
                    "%s was given NULL where it must not be", f->name);
    if (call->is_made)
        check_refused(call);
}

/* ---- what an agent asks for ---- */

static void
need_level(struct check_env *env, jint level)
{
    if (level > __atomic_load_n(&env->needed_level, __ATOMIC_RELAXED))
        __atomic_store_n(&env->needed_level, level, __ATOMIC_RELAXED);
}

void
error_begin(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_env *env = call->env->state;

    need_level(env, f->level);
    if (call->function == INTERPOSE_SetEventNotificationMode) {
        int event = call->args[1].i - JVMTI_MIN_EVENT_TYPE_VAL;

        if (event >= 0 && event < INTERPOSE_EVENT_COUNT
            && interpose_events[event].name != NULL)
            need_level(env, interpose_events[event].level);
        /* HotSpot takes any other number for JVMTI_DISABLE. */
        if (call->args[0].i != JVMTI_ENABLE && call->args[0].i != JVMTI_DISABLE)
            check_found(RULE_ERROR_BAD_ARGUMENT, f->name,
                        "%s gets the mode %d, which is neither JVMTI_ENABLE nor "
                        "JVMTI_DISABLE", f->name, (int)call->args[0].i);
    }
    if (f->is_deprecated)
        check_found(RULE_ERROR_DEPRECATED, f->name, "%s is superseded: %s", f->name,
                    call->function == INTERPOSE_IterateOverHeap
                        || call->function == INTERPOSE_IterateOverInstancesOfClass
                    ? "IterateThroughHeap visits objects" : "FollowReferences does it");
}

static const char *
level_name(jint level, char *text, size_t size)
{
    int major = level >> 16 & 0xfff, minor = level >> 8 & 0xff;

    snprintf(text, size, minor > 0 || major < 9 ? "%d.%d" : "%d", major, minor);
    return text;
}

void
error_env_ended(const struct interpose_env *env)
{
    struct check_env *state = env->state;
    char asked[16], needed[16];

    for (int i = 0; i < interpose_capability_count; i++)
        if (state->used & (uint64_t)1 << i)
            need_level(state, interpose_capability_levels[i]);
    /* The micro number is no part of the level; every VM of today has 1.2. */
    if ((state->version & ~0xff) > state->needed_level && state->needed_level != 0
        && state->version > JVMTI_VERSION_1_2)
        check_found_at(RULE_ERROR_LEVEL_HIGH, "GetEnv", NULL, 1,
                       "JVM TI %s is asked for; what is used would be there in %s",
                       level_name(state->version, asked, sizeof asked),
                       level_name(state->needed_level, needed, sizeof needed));
}

/* ---- several copies ---- */

static bool
is_same_file(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev
        && a.st_ino == b.st_ino;
}

void
error_agent_added(const struct check_agent *first, const struct check_agent *added)
{
    /* Made for it: each -javaagent is one. */
    if (strcmp(added->name, "libinstrument.so") == 0)
        return;
    for (const struct check_agent *a = first; a != NULL && a != added; a = a->next)
        if (a->library == added->library || is_same_file(a->path, added->path)) {
            check_found_at(RULE_ERROR_SEVERAL_COPIES, "Agent_OnLoad", NULL, 1,
                           "%s is loaded a second time, and shares its variables with the "
                           "first", added->name);
            return;
        }
}
