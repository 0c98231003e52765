/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/jvmti.c -- a call of JVM TI and what has to be true after it: the
 * error is one that the function may return, results are there on success only, counts
 * and lists agree, memory can be deallocated, no exception is pending.
 */
#include "fuzz/calls/fuzzer.h"

#include <stdlib.h>
#include <string.h>

enum { FILL = 0x5a };

/* ---- which function ---- */

/* What takes long is called less often: a call of the rest takes a microsecond. */
static const struct { const char *prefix; int weight; } weights[] = {
    { "ForceGarbageCollection", 4 }, { "FollowReferences", 4 },
    { "IterateThroughHeap", 4 }, { "IterateOver", 3 }, { "GetObjectsWithTags", 16 },
    { "RedefineClasses", 8 }, { "RetransformClasses", 6 }, { "GetLoadedClasses", 8 },
    { "GetClassLoaderClasses", 32 }, { "GetAllStackTraces", 32 }, { "AddToBoot", 4 },
    { "AddToSystem", 4 }, { "AddCapabilities", 24 }, { "RelinquishCapabilities", 24 },
    { "SetEventNotificationMode", 96 }, { "RunAgentThread", 16 },
    { "SuspendThread", 96 }, { "ResumeThread", 256 }, { "GetSystemProperties", 32 },
    { "SetVerboseFlag", 4 }, { "RawMonitorWait", 6 }, { "SetBreakpoint", 96 },
    { "SetFieldAccessWatch", 48 }, { "SetFieldModificationWatch", 48 },
    { "AddModule", 64 }, { "GenerateEvents", 24 }, { "", 512 }
};

static int
weight_of(const struct jvmti_function *f)
{
    int i = 0;

    if (strstr(f->name, "VirtualThread") != NULL
        && (stage.version & 0xff0000) < 0x150000)
        return 0;
    while (strncmp(f->name, weights[i].prefix, strlen(weights[i].prefix)) != 0)
        i++;
    return weights[i].weight;
}

static const struct jvmti_function *
choose(struct call *c)
{
    static int sums[256];
    int at, low = 0, high = jvmti_function_count - 1;

    if (sums[jvmti_function_count - 1] == 0) {
        int sum = 0;

        for (int i = 0; i < jvmti_function_count; i++)
            sums[i] = sum += weight_of(&jvmti_functions[i]);
    }
    at = pick(c, sums[jvmti_function_count - 1]);
    while (low < high) {
        int middle = (low + high) / 2;

        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return &jvmti_functions[low];
}

static bool
is(const struct call *c, const char *name)
{
    return strcmp(c->function->name, name) == 0;
}

/* The number of the environment; the first is there for all to use. */
static int
choose_environment(struct call *c)
{
    int what = pick(c, 32);

    if (is(c, "DisposeEnvironment"))
        return 2 + what % 2;
    if (is(c, "RelinquishCapabilities"))
        return 1 + what % 3;
    return what < 20 ? 0 : what < 26 ? 1 : 2 + what % 2;
}

/* ---- checks ---- */

static const char *
own_text(const struct call *c)
{
    static _Thread_local char text[512];
    size_t at = 0;

    for (int i = 0; i < c->function->count; i++)
        at += (size_t)snprintf(text + at, at < sizeof text ? sizeof text - at : 0,
                               " %llx", (unsigned long long)c->a[i].j);
    return text;
}

static void
wrong(const struct call *c, jvmtiError error, const char *what)
{
    if (fuzzer.hotspot)
        return;
    stage_fail("stream %d, call %llu: %s returns error %d in environment %d: %s;"
               " spoiled %d, callbacks %d, arguments:%s", c->s->number,
               (unsigned long long)c->s->index, c->function->name, (int)error, c->env,
               what, c->spoiled, c->s->callbacks, own_text(c));
}

static bool
has_row(const struct jvmti_function *f, jvmtiError error)
{
    for (const jvmtiError *e = f->errors; *e != JVMTI_ERROR_NONE; e++)
        if (*e == error)
            return true;
    return false;
}

static bool
possesses(const struct call *c, jvmtiEnv *env)
{
    jvmtiCapabilities has;
    const unsigned char *bytes = (const unsigned char *)&has;

    memset(&has, 0, sizeof has);
    if ((*env)->GetCapabilities(env, &has) != JVMTI_ERROR_NONE)
        return false;
    for (int i = 0; i < 2; i++) {
        int bit = c->function->capabilities[i];

        if (bit >= 0 && (bytes[bit / 8] >> bit % 8 & 1) == 0)
            return false;
    }
    return true;
}

/* Others may dispose of an environment, or change what a shared one has. */
static bool
is_private(const struct call *c)
{
    return c->env == 0 || (c->s->number < STREAMS && c->env >= 2) || stage.streams == 1;
}

/* The facts are those of level 21.  Level 25 has an error for a frame that has a request
   already. */
static bool
is_listed_later(const struct jvmti_function *f, jvmtiError error)
{
    return error == JVMTI_ERROR_DUPLICATE && strcmp(f->name, "NotifyFramePop") == 0
           && (stage.version & JVMTI_VERSION_MASK_MAJOR) >= 25 << 16;
}

static void
check_error(struct call *c, jvmtiEnv *env, jvmtiError error)
{
    const struct jvmti_function *f = c->function;
    bool right_phase = (f->phases >> stage.phase & 1) != 0;

    switch (error) {
    case JVMTI_ERROR_NULL_POINTER:
    case JVMTI_ERROR_OUT_OF_MEMORY:
        return;
    case JVMTI_ERROR_WRONG_PHASE:
        if (right_phase && stage.phase == JVMTI_PHASE_LIVE && c->s->number < PHASES)
            wrong(c, error, "the phase is right");
        return;
    case JVMTI_ERROR_INVALID_ENVIRONMENT:
        if (c->env == 0 || (c->env == 1 && c->s->number < STREAMS))
            wrong(c, error, "the environment is valid");
        return;
    case JVMTI_ERROR_UNATTACHED_THREAD:
        if (!c->foreign)
            wrong(c, error, "the thread is attached");
        return;
    case JVMTI_ERROR_MUST_POSSESS_CAPABILITY:
        if (f->capabilities[0] < 0 && !f->cond_capabilities && !has_row(f, error))
            wrong(c, error, "no capability is needed");
        if (!f->cond_capabilities && is_private(c) && possesses(c, env))
            wrong(c, error, "it has the capability");
        return;
    default:
        if (!has_row(f, error) && !is_listed_later(f, error))
            wrong(c, error, "the specification does not list that");
    }
}

static void
check_nothing_stored(const struct call *c, jvmtiError error)
{
    for (int i = 0; i < c->function->count; i++)
        if (c->a[i].p == c->out[i])
            for (size_t k = 0; k < sizeof c->out[i]; k++)
                if (c->out[i][k] != FILL)
                    wrong(c, error, "a result was stored nevertheless");
}

/* ---- results ---- */

static void *
pointer_at(const unsigned char *bytes)
{
    void *p;

    memcpy(&p, bytes, sizeof p);
    return p;
}

static jint
int_at(const unsigned char *bytes)
{
    jint i;

    memcpy(&i, bytes, sizeof i);
    return i;
}

static void
deallocate(struct call *c, jvmtiEnv *env, void *memory)
{
    if ((*env)->Deallocate(env, memory) != JVMTI_ERROR_NONE && c->env == 0)
        wrong(c, JVMTI_ERROR_NONE, "what it allocated cannot be deallocated");
}

static enum kind
kind_of_result(const struct parameter *p)
{
    if (strncmp(p->type, "jthreadGroup", 12) == 0)
        return GROUP;
    if (strncmp(p->type, "jthread", 7) == 0)
        return THREAD;
    if (strncmp(p->type, "jclass", 6) == 0)
        return CLASS;
    if (strncmp(p->type, "jmethodID", 9) == 0)
        return METHOD;
    if (strncmp(p->type, "jfieldID", 8) == 0)
        return FIELD;
    if (strncmp(p->type, "jrawMonitorID", 13) == 0)
        return MONITOR;
    if (strncmp(p->type, "jobject", 7) == 0)
        return strstr(p->name, "loader") != NULL ? LOADER
               : strstr(p->name, "module") != NULL ? MODULE : OBJECT;
    return KINDS;
}

/* Where a part of a result is, in C, and to which register it goes. */
static void
trace_result(struct call *c, const char *function, enum kind kind, int number,
             void **part, const char *rest)
{
    uintptr_t inside = (uintptr_t)part - (uintptr_t)c->out[c->taken];
    uintptr_t behind = (uintptr_t)part - (uintptr_t)pointer_at(c->out[c->taken]);

    if (inside < sizeof c->out[0])
        trace(c, "%s(s, %d, %d, *(void **)(out[%d] + %zu)%s);", function, (int)kind,
              number, c->taken, (size_t)inside, rest);
    else if (behind < 1 << 24)
        trace(c, "%s(s, %d, %d, PART(%d, %zu)%s);", function, (int)kind, number,
              c->taken, (size_t)behind, rest);
}

/* One of the references of a result goes to a register now and then; all of them are
   deleted. */
static void
take_references(struct call *c, enum kind kind, void **list, jint count)
{
    struct stream *s = c->s;
    /* Threads that rest and the victims of redefinition stay in low registers. */
    int number = kind == THREAD ? 12 + pick(c, 3) : kind == CLASS ? 13 + pick(c, 2)
                 : pick(c, REGISTERS);
    int which = count > 0 ? pick(c, count) : 0;
    bool weak = pick(c, 8) == 0, keeps = pick(c, 4) == 0;

    for (jint i = 0; i < count; i++) {
        if (list[i] == NULL || s->jni == NULL)
            continue;
        if (!fuzzer.hotspot && (*s->jni)->GetObjectRefType(s->jni, list[i])
                               != JNILocalRefType)
            wrong(c, JVMTI_ERROR_NONE, "a result is no local reference");
        if (i == which && keeps) {
            trace_result(c, "stage_store", kind, number, &list[i],
                         weak ? ", true" : ", false");
            stage_store(s, kind, number, list[i], weak);
        } else {
            (*s->jni)->DeleteLocalRef(s->jni, list[i]);
        }
    }
}

static void
take_ids(struct call *c, enum kind kind, void **list, jint count, jclass owner)
{
    int number = pick(c, REGISTERS), which = count > 0 ? pick(c, count) : 0;

    if (pick(c, 4) != 0)
        return;
    if (count > 0 && list[which] != NULL) {
        trace_result(c, "stage_store_id", kind, number, &list[which], ", NULL");
        stage_store_id(c->s, kind, number, list[which], owner);
    }
}

static void
take_monitor(struct call *c, jrawMonitorID monitor)
{
    int number = pick(c, REGISTERS);

    trace(c, "stage_store_id(s, %d, %d, *(void **)out[1], NULL);", (int)MONITOR,
          number);
    stage_store_id(c->s, MONITOR, number, monitor, NULL);
}

/* The owner that a list of ids is of: the function's class, if it is a valid one. */
static jclass
owner_of_ids(const struct call *c)
{
    for (int i = 0; i < c->function->count; i++)
        if (strcmp(c->function->parameters[i].kind, "class") == 0)
            return c->a[i].p;
    return NULL;
}

static jint
count_before(const struct call *c, int i)
{
    const struct jvmti_function *f = c->function;

    for (int k = i - 1; k >= 0; k--)
        if (strcmp(f->parameters[k].type, "jint*") == 0 && c->a[k].p == c->out[k])
            return int_at(c->out[k]);
    return 0;
}

static void
take_list(struct call *c, jvmtiEnv *env, int i)
{
    const struct parameter *p = &c->function->parameters[i];
    enum kind kind = kind_of_result(p);
    void **list = pointer_at(c->out[i]);
    jint count = count_before(c, i);

    if (count < 0 || (count > 0 && list == NULL && strchr(p->type, '*') != NULL
                      && strcmp(p->type, "char**") != 0
                      && strcmp(p->type, "jvmtiStackInfo**") != 0
                      && strcmp(p->type, "jniNativeInterface**") != 0))
        wrong(c, JVMTI_ERROR_NONE, "the count does not agree with the list");
    if (strstr(p->type, "**") != NULL && kind != KINDS && list != NULL) {
        if (kind < METHOD)
            take_references(c, kind, list, count);
        else
            take_ids(c, kind, list, count, owner_of_ids(c));
    } else if (strcmp(p->type, "char***") == 0) {
        for (jint k = 0; k < count; k++)
            deallocate(c, env, list[k]);
    } else if (strcmp(p->type, "jvmtiLocalVariableEntry**") == 0) {
        jvmtiLocalVariableEntry *rows = (void *)list;

        for (jint k = 0; k < count; k++) {
            deallocate(c, env, rows[k].name);
            deallocate(c, env, rows[k].signature);
            deallocate(c, env, rows[k].generic_signature);
        }
    } else if (strcmp(p->type, "jvmtiMonitorStackDepthInfo**") == 0) {
        jvmtiMonitorStackDepthInfo *rows = (void *)list;

        for (jint k = 0; k < count; k++)
            take_references(c, OBJECT, (void **)&rows[k].monitor, 1);
    } else if (strcmp(p->type, "jvmtiExtensionFunctionInfo**") == 0) {
        jvmtiExtensionFunctionInfo *rows = (void *)list;

        for (jint k = 0; k < count; k++) {
            for (jint n = 0; n < rows[k].param_count; n++)
                deallocate(c, env, rows[k].params[n].name);
            deallocate(c, env, rows[k].id);
            deallocate(c, env, rows[k].short_description);
            deallocate(c, env, rows[k].params);
            deallocate(c, env, rows[k].errors);
        }
    } else if (strcmp(p->type, "jvmtiExtensionEventInfo**") == 0) {
        jvmtiExtensionEventInfo *rows = (void *)list;

        for (jint k = 0; k < count; k++) {
            for (jint n = 0; n < rows[k].param_count; n++)
                deallocate(c, env, rows[k].params[n].name);
            deallocate(c, env, rows[k].id);
            deallocate(c, env, rows[k].short_description);
            deallocate(c, env, rows[k].params);
        }
    }
    deallocate(c, env, list);
}

/* Structures with references or memory in them. */
static void
take_structure(struct call *c, jvmtiEnv *env, int i)
{
    const char *type = c->function->parameters[i].type;

    if (strcmp(type, "jvmtiThreadInfo*") == 0) {
        jvmtiThreadInfo *info = (void *)c->out[i];

        deallocate(c, env, info->name);
        take_references(c, GROUP, (void **)&info->thread_group, 1);
        take_references(c, LOADER, (void **)&info->context_class_loader, 1);
    } else if (strcmp(type, "jvmtiThreadGroupInfo*") == 0) {
        jvmtiThreadGroupInfo *info = (void *)c->out[i];

        deallocate(c, env, info->name);
        take_references(c, GROUP, (void **)&info->parent, 1);
    } else if (strcmp(type, "jvmtiMonitorUsage*") == 0) {
        jvmtiMonitorUsage *info = (void *)c->out[i];

        if (info->waiter_count < 0 || info->notify_waiter_count < 0
            || info->entry_count < 0)
            wrong(c, JVMTI_ERROR_NONE, "a count is negative");
        take_references(c, THREAD, (void **)&info->owner, 1);
        take_references(c, THREAD, (void **)info->waiters, info->waiter_count);
        take_references(c, THREAD, (void **)info->notify_waiters,
                        info->notify_waiter_count);
        deallocate(c, env, info->waiters);
        deallocate(c, env, info->notify_waiters);
    }
}

/* Traces come in one block, with references in it. */
static void
take_stacks(struct call *c, jvmtiEnv *env, int i)
{
    jvmtiStackInfo *stacks = pointer_at(c->out[i]);
    jint count = is(c, "GetThreadListStackTraces") ? c->a[0].i : int_at(c->out[i + 1]);

    for (jint k = 0; k < count; k++) {
        if (stacks[k].frame_count < 0
            || stacks[k].frame_count > c->a[is(c, "GetAllStackTraces") ? 0 : 2].i)
            wrong(c, JVMTI_ERROR_NONE, "it has more frames than asked for");
        take_references(c, THREAD, (void **)&stacks[k].thread, 1);
    }
    deallocate(c, env, stacks);
}

static void
take_results(struct call *c, jvmtiEnv *env)
{
    const struct jvmti_function *f = c->function;

    for (int i = 0; i < f->count; i++) {
        const struct parameter *p = &f->parameters[i];

        if (c->a[i].p != c->out[i] || p->direction == 'i')
            continue;
        c->taken = i;
        if (strcmp(p->type, "jvmtiStackInfo**") == 0) {
            take_stacks(c, env, i);
        } else if (is(c, "Allocate")) {
            if (c->s->memory != NULL)
                deallocate(c, env, c->s->memory);
            c->s->memory = pointer_at(c->out[i]);
        } else if (p->direction == 'a') {
            take_list(c, env, i);
        } else if (strchr(p->type, '*') != NULL) {
            enum kind kind = kind_of_result(p);
            void *value = pointer_at(c->out[i]);

            if (kind < METHOD)
                take_references(c, kind, (void **)c->out[i], 1);
            else if (kind == MONITOR)
                take_monitor(c, value);
            else if (kind != KINDS)
                take_ids(c, kind, (void **)c->out[i], 1, NULL);
            else
                take_structure(c, env, i);
        }
    }
}

/* ---- the call ---- */

static void
trace_call(struct call *c)
{
    char line[4096];
    size_t at = 0;

    if (fuzzer.trace == NULL)
        return;
    for (int i = 0; i < c->function->count; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, ", %s", c->text[i]);
    line[at] = '\0';
    trace(c, "CALL(%d, %s%s);", c->env, c->function->name, line);
}

/* Monitors of guests go from thread to thread, so none may keep one. */
static void
leave_monitor(struct call *c, jvmtiEnv *env)
{
    if (is(c, "RawMonitorEnter") && (c->s->number >= STREAMS || c->foreign)) {
        trace(c, "CALL(%d, RawMonitorExit, %s);", c->env, c->text[0]);
        (*env)->RawMonitorExit(env, c->a[0].p);
    }
}

/* No longer than the table that the VM knows: HotSpot 17's ends earlier. */
static bool
may_be_called(const struct call *c)
{
    const struct jvmti_function *f = c->function;

    if (c->s->leaf && !f->callback_safe)
        return false;
    /* These run Java code, which takes locks; the thread may hold others. */
    if (c->s->callbacks > 0 && strncmp(f->name, "AddModule", 9) == 0)
        return false;
    if (c->s->number >= STREAMS && c->env >= 2 && is(c, "DisposeEnvironment"))
        return false;
    /* The watchdog cannot resume a thread that the stopped world waits for. */
    if (c->s->leaf && strncmp(f->name, "RawMonitor", 10) == 0
        && c->s->number < STREAMS && fuzzer.hotspot)
        return false;
    if (fuzzer.hotspot
        && ((c->s->number >= PHASES && (f->phases >> stage.phase & 1) == 0)
            || is(c, "DisposeEnvironment") || is(c, "DestroyRawMonitor")))
        return false;
    return true;
}

void
call_jvmti(struct call *c)
{
    struct stream *s = c->s;
    bool was_pending = s->jni != NULL && (*s->jni)->ExceptionCheck(s->jni);
    jvmtiError error;
    jvmtiEnv *env;
    size_t number;

    c->function = choose(c);
    c->env = choose_environment(c);
    env = s->env[c->env];
    if (env == NULL || !may_be_called(c))
        return;
    if (!make_arguments(c))
        return;
    number = (size_t)(c->function - jvmti_functions);
    for (int i = 0; i < c->function->count; i++)
        if (c->a[i].p == c->out[i])
            memset(c->out[i], FILL, sizeof c->out[i]);
    trace_call(c);
    error = c->function->call(env, c->a);
    fuzzer.jvmti_made[number]++;
    if (error != JVMTI_ERROR_NONE) {
        check_error(c, env, error);
        check_nothing_stored(c, error);
    } else {
        fuzzer.jvmti_done[number]++;
        take_results(c, env);
        leave_monitor(c, env);
    }
    if (s->jni != NULL && !was_pending && (*s->jni)->ExceptionCheck(s->jni))
        wrong(c, error, "it leaves an exception pending");
}
