/* SPDX-License-Identifier: MIT */
#include "tck/mutate/mutate.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const jvmtiInterface_1 *mutate_original;

static jvmtiInterface_1 wrapped;
static struct JNIInvokeInterface_ invoke;
static const struct JNIInvokeInterface_ *real_invoke;

static struct {
    enum { WRONG, MISSING, OUT, SWALLOWED, DROPPED, DOUBLED } kind;
    int subject;          /* index of the function or event */
    jvmtiError error;
    int arg;
} fault = { .subject = -1 };

static char log_path[4096];

static struct { jvmtiEnv *env; jvmtiEventCallbacks callbacks; } set[256];
static int set_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Async-signal-safe and callback-safe, once. */
static void
reached(void)
{
    static int done;

    if (!__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST))
        close(open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
}

bool
mutate_swallows(int function)
{
    if (fault.kind != SWALLOWED || fault.subject != function)
        return false;
    reached();
    return true;
}

/* Where in a structure the change is made: a member that has one right value. */
static size_t
member_offset(const char *type)
{
    static const struct { const char *type; size_t offset; } members[] = {
        { "jvmtiTimerInfo*", offsetof(jvmtiTimerInfo, kind) },
        { "jvmtiThreadInfo*", offsetof(jvmtiThreadInfo, priority) },
        { "jvmtiThreadGroupInfo*", offsetof(jvmtiThreadGroupInfo, max_priority) },
        { "jvmtiMonitorUsage*", offsetof(jvmtiMonitorUsage, entry_count) },
        { "jvmtiFrameInfo*", offsetof(jvmtiFrameInfo, location) }
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].type, type) == 0)
            return members[i].offset;
    return 0;
}

/* Change what came out; false when there is nothing to change. */
static bool
change(const struct tck_param *p, void *where)
{
    const char *type = p->type;
    size_t length = strlen(type);

    if (where == NULL)
        return false;
    /* New memory has no contents to change. */
    if (strcmp(p->name, "mem_ptr") == 0) {
        *(void **)where = NULL;
        return true;
    }
    if (length > 2 && strcmp(type + length - 2, "**") == 0) {
        void *memory = *(void **)where;

        if (strcmp(type, "void**") == 0) {
            *(char **)where = (char *)memory + 8;
            return true;
        }
        if (memory == NULL || (strncmp(type, "char", 4) == 0 && *(char *)memory == '\0'))
            return false;
        if (strcmp(type, "jlong**") == 0 || strncmp(type, "char", 4) == 0
            || strncmp(type, "unsigned", 8) == 0 || *(jlong *)memory == 0)
            *(char *)memory ^= 1;
        else
            memset(memory, 0, sizeof(void *));
        return true;
    }
    if (strcmp(type, "jint*") == 0)
        ++*(jint *)where;
    else if (strcmp(type, "jlong*") == 0 || strcmp(type, "jlocation*") == 0)
        ++*(jlong *)where;
    else if (strcmp(type, "jfloat*") == 0)
        *(jfloat *)where += 1;
    else if (strcmp(type, "jdouble*") == 0)
        *(jdouble *)where += 1;
    else if (strcmp(type, "jobject*") == 0 || strcmp(type, "jclass*") == 0
             || strcmp(type, "jthread*") == 0 || strcmp(type, "jmethodID*") == 0
             || strcmp(type, "jrawMonitorID*") == 0) {
        if (*(void **)where == NULL)
            return false;
        *(void **)where = NULL;
    } else {
        ((char *)where)[member_offset(type)] ^= 1;
    }
    return true;
}

jvmtiError
mutate_result(int function, const union tck_arg *args, jvmtiError error)
{
    if (function != fault.subject)
        return error;
    switch (fault.kind) {
    case WRONG:
    case MISSING:
        if (error != fault.error)
            return error;
        reached();
        return fault.kind == WRONG ? JVMTI_ERROR_INTERNAL : JVMTI_ERROR_NONE;
    case OUT:
        if (error == JVMTI_ERROR_NONE
            && change(&tck_functions[function].params[fault.arg], args[fault.arg].p))
            reached();
        return error;
    default:
        return error;
    }
}

/* -- events -- */

const jvmtiEventCallbacks *
mutate_callbacks(jvmtiEnv *env)
{
    const jvmtiEventCallbacks *found = NULL;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < set_count; i++)
        if (set[i].env == env)
            found = &set[i].callbacks;
    pthread_mutex_unlock(&lock);
    return found;
}

static void
remember(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks)
{
    int i = 0;

    pthread_mutex_lock(&lock);
    while (i < set_count && set[i].env != env)
        i++;
    if (i < (int)(sizeof set / sizeof set[0])) {
        set[i].env = env;
        set[i].callbacks = *callbacks;
        set_count += i == set_count;
    }
    pthread_mutex_unlock(&lock);
}

static jvmtiError JNICALL
set_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks, jint size)
{
    jvmtiEventCallbacks copy;

    if (callbacks == NULL || size < (jint)sizeof copy)
        return mutate_original->SetEventCallbacks(env, callbacks, size);
    memcpy(&copy, callbacks, sizeof copy);
    remember(env, &copy);
    mutate_event(&copy, fault.subject);
    return mutate_original->SetEventCallbacks(env, &copy, sizeof copy);
}

int
mutate_copies(void)
{
    reached();
    return fault.kind == DOUBLED ? 2 : 0;
}

/* -- interposing -- */

static jint JNICALL
get_env(JavaVM *vm, void **env, jint version)
{
    jint result = real_invoke->GetEnv(vm, env, version);

    if (result != JNI_OK || (version & JVMTI_VERSION_MASK_INTERFACE_TYPE)
        != JVMTI_VERSION_INTERFACE_JVMTI)
        return result;
    if (mutate_original == NULL) {
        mutate_original = **(jvmtiInterface_1 ***)env;
        wrapped = *mutate_original;
        mutate_fill(&wrapped);
        if (fault.kind == DROPPED || fault.kind == DOUBLED)
            wrapped.SetEventCallbacks = set_callbacks;
    }
    /* An environment begins with the pointer to its functions (JVM TI "Accessing
     * Functions"): it stays the VM's own, so that events and agent threads bring it. */
    **(const jvmtiInterface_1 ***)env = &wrapped;
    return JNI_OK;
}

static bool
find_error(const char *name)
{
    for (int i = 0; i < tck_error_count; i++) {
        if (strcmp(tck_errors[i].name, name) == 0) {
            fault.error = tck_errors[i].number;
            return true;
        }
    }
    return false;
}

static bool
find_param(const char *name)
{
    const struct tck_function *f = &tck_functions[fault.subject];

    for (fault.arg = 0; fault.arg < f->nparams; fault.arg++)
        if (strcmp(f->params[fault.arg].name, name) == 0)
            return true;
    return false;
}

static bool
parse_fault(const char *text)
{
    char subject[64], kind[16], what[80] = "";

    if (sscanf(text, "%63[^.].%15[^.].%79s", subject, kind, what) < 2)
        return false;
    if (strcmp(kind, "dropped") == 0 || strcmp(kind, "doubled") == 0) {
        fault.kind = strcmp(kind, "dropped") == 0 ? DROPPED : DOUBLED;
        for (int i = 0; i < tck_event_count; i++)
            if (strcmp(tck_events[i].name, subject) == 0)
                fault.subject = i;
        return fault.subject >= 0;
    }
    for (int i = 0; i < tck_function_count; i++)
        if (strcmp(tck_functions[i].name, subject) == 0)
            fault.subject = i;
    if (fault.subject < 0)
        return false;
    fault.kind = strcmp(kind, "wrong") == 0 ? WRONG
        : strcmp(kind, "missing") == 0 ? MISSING
        : strcmp(kind, "out") == 0 ? OUT : SWALLOWED;
    return fault.kind == SWALLOWED || (fault.kind == OUT ? find_param(what)
                                                         : find_error(what));
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char name[160], path[4096];

    (void)reserved;
    if (sscanf(options, "fault=%159[^,],log=%4095s", name, path) != 2
        || !parse_fault(name)) {
        fprintf(stderr, "tckmutate: bad options '%s'\n", options);
        return 1;
    }
    snprintf(log_path, sizeof log_path, "%s", path);
    real_invoke = *vm;
    invoke = *real_invoke;
    invoke.GetEnv = get_env;
    *(const struct JNIInvokeInterface_ **)vm = &invoke;
    return 0;
}
