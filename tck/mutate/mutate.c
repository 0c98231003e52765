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
    enum { WRONG, MISSING, OUT, SWALLOWED, DROPPED, DOUBLED, RECORD } kind;
    int subject;          /* index of the function or event */
    jvmtiError error;
    int arg;
} fault = { .subject = -1 };

static char log_path[4096], group[64];

/* What has been recorded. */
static struct {
    bool called, out[TCK_MAX_ARGS], error[JVMTI_ERROR_MAX + 1];
} seen_functions[256];
static bool seen_events[JVMTI_MAX_EVENT_TYPE_VAL + 1];

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

/* Write a line for what came for the first time. */
static void
record(bool *seen, const char *subject, const char *what)
{
    char line[200];
    int fd, length;

    if (__atomic_exchange_n(seen, true, __ATOMIC_RELAXED))
        return;
    length = snprintf(line, sizeof line, "%s %s.%s\n", group, subject, what);
    fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (write(fd, line, (size_t)length) != length)
        fprintf(stderr, "tckmutate: cannot write '%s'\n", log_path);
    close(fd);
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
        { "jvmtiFrameInfo*", offsetof(jvmtiFrameInfo, location) },
        { "jniNativeInterface**", offsetof(jniNativeInterface, GetVersion) }
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].type, type) == 0)
            return members[i].offset;
    return 0;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);

    return a > b && strcmp(text + a - b, end) == 0;
}

static bool
is_reference(const char *type)
{
    return strcmp(type, "jobject*") == 0 || strcmp(type, "jclass*") == 0
        || strcmp(type, "jthread*") == 0 || strcmp(type, "jmethodID*") == 0
        || strcmp(type, "jrawMonitorID*") == 0;
}

/* Did something come out that can be changed?  New memory has no contents yet. */
static bool
changeable(const struct tck_param *p, void *where)
{
    if (where == NULL)
        return false;
    if (strcmp(p->name, "mem_ptr") == 0 || strcmp(p->type, "void**") == 0)
        return true;
    if (ends_with(p->type, "**"))
        return *(char **)where != NULL
            && (strncmp(p->type, "char", 4) != 0 || **(char **)where != '\0');
    return !is_reference(p->type) || *(void **)where != NULL;
}

/* In memory that was allocated for the result. */
static void
change_memory(const char *type, char *memory)
{
    memory += member_offset(type);
    if (strcmp(type, "jlong**") == 0 || strncmp(type, "char", 4) == 0
        || strncmp(type, "unsigned", 8) == 0 || *(jlong *)memory == 0)
        *memory ^= 1;
    else
        memset(memory, 0, sizeof(void *));
}

static void
change(const struct tck_param *p, void *where)
{
    const char *type = p->type;

    if (strcmp(p->name, "mem_ptr") == 0 || is_reference(type))
        *(void **)where = NULL;
    else if (strcmp(type, "void**") == 0)
        *(char **)where += 8;
    else if (ends_with(type, "**"))
        change_memory(type, *(char **)where);
    /* A nanosecond more would be as true: another unit is not. */
    else if (strcmp(p->name, "nanos_ptr") == 0)
        *(jlong *)where /= 1000;
    /* The micro version is the VM's own affair, the major one is not. */
    else if (strcmp(p->name, "version_ptr") == 0)
        *(jint *)where += 1 << JVMTI_VERSION_SHIFT_MAJOR;
    else if (strcmp(type, "jint*") == 0)
        ++*(jint *)where;
    else if (strcmp(type, "jlong*") == 0 || strcmp(type, "jlocation*") == 0)
        ++*(jlong *)where;
    else if (strcmp(type, "jfloat*") == 0)
        *(jfloat *)where += 1;
    else if (strcmp(type, "jdouble*") == 0)
        *(jdouble *)where += 1;
    else
        ((char *)where)[member_offset(type)] ^= 1;
}

static void
record_call(int function, const union tck_arg *args, jvmtiError error)
{
    const struct tck_function *f = &tck_functions[function];

    record(&seen_functions[function].called, f->name, "called");
    if (error != JVMTI_ERROR_NONE) {
        for (int i = 0; i < tck_error_count; i++)
            if (tck_errors[i].number == error)
                record(&seen_functions[function].error[error], f->name,
                       tck_errors[i].name);
        return;
    }
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i].out && changeable(&f->params[i], args[i].p))
            record(&seen_functions[function].out[i], f->name, f->params[i].name);
}

jvmtiError
mutate_result(int function, const union tck_arg *args, jvmtiError error)
{
    if (fault.kind == RECORD)
        record_call(function, args, error);
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
            && changeable(&tck_functions[function].params[fault.arg],
                          args[fault.arg].p)) {
            change(&tck_functions[function].params[fault.arg], args[fault.arg].p);
            reached();
        }
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

static jvmtiError (JNICALL *set_unchanged)(jvmtiEnv *, const jvmtiEventCallbacks *,
                                           jint);

static jvmtiError JNICALL
set_callbacks(jvmtiEnv *env, const jvmtiEventCallbacks *callbacks, jint size)
{
    jvmtiEventCallbacks copy;

    if (callbacks == NULL || size < (jint)sizeof copy)
        return set_unchanged(env, callbacks, size);
    memcpy(&copy, callbacks, sizeof copy);
    remember(env, &copy);
    for (int i = 0; i < tck_event_count; i++)
        if (fault.kind == RECORD || fault.subject == i)
            mutate_event(&copy, i);
    return set_unchanged(env, &copy, sizeof copy);
}

int
mutate_copies(int event)
{
    if (fault.kind == RECORD) {
        record(&seen_events[event], tck_events[event].name, "sent");
        return 1;
    }
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
        set_unchanged = wrapped.SetEventCallbacks;
        if (fault.kind >= DROPPED)
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

    if (strcmp(text, "record") == 0) {
        fault.kind = RECORD;
        return true;
    }
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
    if (sscanf(options, "fault=%159[^,],log=%4095[^,],group=%63s", name, path,
               group) != 3 || !parse_fault(name)) {
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
