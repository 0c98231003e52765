/* SPDX-License-Identifier: MIT */
#include "tck/lib/mech.h"

#include "tck/lib/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
mech_param(const struct mech_call *c, const char *name)
{
    for (int i = 0; i < c->function->nparams; i++)
        if (strcmp(c->function->params[i].name, name) == 0)
            return i;
    return -1;
}

int
mech_param_of_type(const struct mech_call *c, const char *type)
{
    for (int i = 0; i < c->function->nparams; i++)
        if (strcmp(c->function->params[i].type, type) == 0)
            return i;
    return -1;
}

static jvmtiError
call(struct mech_call *c)
{
    return c->function->call(c->env, c->args);
}

static void *
call_unattached(void *data)
{
    struct mech_call *c = data;

    return (void *)(size_t)call(c);
}

static jvmtiError
call_elsewhere(struct tck *t, struct mech_call *c)
{
    pthread_t thread;
    void *result;

    if (pthread_create(&thread, NULL, call_unattached, c) != 0) {
        tck_fail(t, "cannot start a thread");
        return JVMTI_ERROR_INTERNAL;
    }
    pthread_join(thread, &result);
    return (jvmtiError)(size_t)result;
}

/* -- a call about the current thread from one of its Java frames -- */

static struct mech_call *at_breakpoint;
static jvmtiError breakpoint_result;

static void JNICALL
on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    struct mech_call *c = at_breakpoint;

    (void)jvmti, (void)jni, (void)thread, (void)method, (void)location;
    at_breakpoint = NULL;
    if (c != NULL)
        breakpoint_result = call(c);
}

/*
 * With NULL for the thread the call is about the caller, whose topmost frame must not be
 * this native method's: so it is made from a breakpoint at the start of Stage.spinX,
 * where frames and slots are those of a stage thread.
 */
static bool
is_about_own_frame(const struct mech_call *c)
{
    return c->mech->fault == FAULT_NULL && c->mech->expect == JVMTI_ERROR_NONE
        && strcmp(c->function->params[c->mech->arg].type, "jthread") == 0
        && strchr("IJFDLV", mech_place(c)) != NULL;
}

static jvmtiError
call_at_breakpoint(struct tck *t, struct mech_call *c)
{
    char place = mech_place(c), name[8], signature[64];
    jvmtiEventCallbacks callbacks;
    jmethodID method;
    jlocation first;

    memset(&callbacks, 0, sizeof callbacks);
    callbacks.Breakpoint = on_breakpoint;
    snprintf(name, sizeof name, "spin%c", place);
    snprintf(signature, sizeof signature, "(Ltck/Stage;IJFDLjava/lang/Object;)%.*s",
             place == 'L' ? 11 : 1, place == 'L' ? "Ltck/Stage;" : &place);
    method = stage_method(t, "tck/Stage", name, signature, true);
    first = stage_first_location(t, method);
    /* The frame goes on, so it has to keep its own stage: give the other slot away. */
    if (strcmp(c->function->name, "SetLocalObject") == 0)
        c->args[mech_param(c, "slot")].i = STAGE_SLOT_OBJECT;
    breakpoint_result = JVMTI_ERROR_INTERNAL;
    at_breakpoint = c;
    if (method == NULL
        || (*t->jvmti)->SetEventCallbacks(t->jvmti, &callbacks, sizeof callbacks) != 0
        || (*t->jvmti)->SetEventNotificationMode(t->jvmti, JVMTI_ENABLE,
                                                 JVMTI_EVENT_BREAKPOINT, NULL) != 0
        || (*t->jvmti)->SetBreakpoint(t->jvmti, method, first) != 0)
        tck_fail(t, "cannot set a breakpoint");
    stage_call_void(t, "tck/Stage", "pass", "(I)V", (jint)place);
    if (at_breakpoint != NULL)
        tck_fail(t, "the breakpoint was not reached");
    at_breakpoint = NULL;
    (*t->jvmti)->ClearBreakpoint(t->jvmti, method, first);
    (*t->jvmti)->SetEventNotificationMode(t->jvmti, JVMTI_DISABLE,
                                          JVMTI_EVENT_BREAKPOINT, NULL);
    (*t->jvmti)->SetEventCallbacks(t->jvmti, NULL, 0);
    return breakpoint_result;
}

/* What was called, with the spoiled argument named. */
static const char *
describe(const struct mech_call *c)
{
    static const char *const faults[] = {
#define FAULT(name) #name,
#include "tck/lib/faults.def"
#undef FAULT
    };
    static char text[256];
    const struct tck_mech *m = c->mech;
    const char *arg = m->arg >= 0 && m->arg < c->function->nparams
        ? c->function->params[m->arg].name : NULL;

    if (m->fault == FAULT_EVENT_CAPABILITY || m->fault == FAULT_EVENT_THREAD)
        arg = tck_events[m->arg].name;
    snprintf(text, sizeof text, "%s with fault %s%s%s", c->function->name,
             faults[m->fault], arg == NULL ? "" : " in ", arg == NULL ? "" : arg);
    return text;
}

static bool
capabilities_held(struct tck *t, const struct mech_call *c)
{
    const int caps[] = {
        c->function->caps[0], c->function->caps[1], c->mech->cap,
        c->mech->fault == FAULT_VIRTUAL_THREAD
            ? tck_cap_index("can_support_virtual_threads") : -1,
        is_about_own_frame(c) ? tck_cap_index("can_generate_breakpoint_events") : -1
    };

    for (size_t i = 0; i < sizeof caps / sizeof caps[0]; i++) {
        int cap = caps[i];

        if (cap >= 0 && !tck_cap_get(&t->held, cap)) {
            tck_skip(t, "the VM does not offer %s", tck_capabilities[cap].name);
            return false;
        }
    }
    return true;
}

static bool
acceptable(const struct mech_call *c, jvmtiError got)
{
    const struct tck_mech *m = c->mech;

    if (got == m->expect || got == m->accept)
        return true;
    /* A thread that is not attached owns nothing. */
    return m->fault == FAULT_UNATTACHED && m->accept == JVMTI_ERROR_NONE
        && got == JVMTI_ERROR_NOT_MONITOR_OWNER;
}

/*
 * PopFrame and ForceEarlyReturn: "the implementation is unable to provide this functionality
 * on this frame", which may be so of the frames at hand.
 */
static bool
is_unable(const struct mech_call *c, jvmtiError got)
{
    const char *name = c->function->name;

    return got == JVMTI_ERROR_OPAQUE_FRAME
        && (strcmp(name, "PopFrame") == 0 || strncmp(name, "ForceEarlyReturn", 16) == 0);
}

static void
skip_unable(struct tck *t)
{
    tck_skip(t, "the VM is unable to do it to this frame");
}

static void
report(struct tck *t, const struct mech_call *c, jvmtiError got)
{
    const struct tck_mech *m = c->mech;

    tck_fail(t, "%s: expected %s%s%s, got %s", describe(c),
             m->expect == JVMTI_ERROR_NONE ? "NONE" : tck_error_name(m->expect),
             m->accept != m->expect ? " or " : "",
             m->accept != m->expect ? m->accept == JVMTI_ERROR_NONE
                 ? "NONE" : tck_error_name(m->accept) : "",
             tck_error_name(got));
}

static void
run_wrong_phase(struct tck *t, struct mech_call *c)
{
    jvmtiError got = call(c);

    if (got != JVMTI_ERROR_WRONG_PHASE)
        report(t, c, got);
}

/* The call itself is the assertion. */
static void
run_good(struct tck *t, struct mech_call *c)
{
    jvmtiError got;

    if (!mech_prepare(t, c))
        return;
    got = call(c);
    c->made = got == JVMTI_ERROR_NONE;
    if (is_unable(c, got)) {
        skip_unable(t);
        return;
    }
    /* Before the live phase the classes at hand are the library's. */
    if (got != JVMTI_ERROR_NONE
        && !(t->phase == TCK_START && got == JVMTI_ERROR_ABSENT_INFORMATION))
        report(t, c, got);
}

static void
run_fault(struct tck *t, struct mech_call *c)
{
    jvmtiError got, first;

    if (!mech_prepare(t, c))
        return;
    memcpy(c->good, c->args, sizeof c->args);
    if (!fault_apply(t, c))
        return;
    got = c->mech->fault == FAULT_UNATTACHED ? call_elsewhere(t, c)
        : is_about_own_frame(c) ? call_at_breakpoint(t, c) : call(c);
    first = got;
    if (is_unable(c, got) && c->mech->expect == JVMTI_ERROR_NONE) {
        skip_unable(t);
        return;
    }
    if (!acceptable(c, got) && !is_unable(c, got)) {
        c->made = got == JVMTI_ERROR_NONE;
        report(t, c, got);
        return;
    }
    if (got == JVMTI_ERROR_NONE) {
        c->made = true;
        return;
    }
    memcpy(c->args, c->good, sizeof c->args);
    if (!fault_undo(t, c))
        return;
    got = call(c);
    c->made = got == JVMTI_ERROR_NONE;
    /* What is refused of the frame itself may be refused for that first. */
    if (is_unable(c, got))
        skip_unable(t);
    else if (!acceptable(c, first))
        report(t, c, first);
    else if (got != JVMTI_ERROR_NONE)
        tck_fail(t, "%s gave the error, but the same call without the fault does not "
                 "succeed: expected NONE, got %s", describe(c), tck_error_name(got));
}

static void
run(struct tck *t, const void *data)
{
    struct mech_call *c = calloc(1, sizeof *c);

    if (c == NULL)
        abort();
    c->mech = data;
    c->function = &tck_functions[c->mech->function];
    c->env = t->jvmti;
    if (c->mech->fault == FAULT_WRONG_PHASE) {
        run_wrong_phase(t, c);
    } else if (capabilities_held(t, c)) {
        if (c->mech->fault == FAULT_NONE)
            run_good(t, c);
        else
            run_fault(t, c);
        mech_release(t, c);
    }
    free(c);
}

const struct tck_mech *
mech_of(const struct tck_case *c)
{
    return c->run == run ? c->data : NULL;
}

const struct tck_case *
mech_case(const struct tck_mech *mech)
{
    const struct tck_function *function = &tck_functions[mech->function];
    struct tck_case *c = calloc(1, sizeof *c);
    char group[80];

    if (c == NULL)
        abort();
    if (strstr(mech->id, ".phase.") != NULL)
        snprintf(group, sizeof group, "phase");
    else if (strstr(mech->id, ".universal.") != NULL)
        snprintf(group, sizeof group, "universal");
    else if (mech->phase == TCK_ONLOAD)
        snprintf(group, sizeof group, "errors-onload");
    else
        snprintf(group, sizeof group, "errors-%s", function->chapter);
    c->group = strdup(group);
    c->id = mech->id;
    c->section = function->title;
    c->phase = mech->phase;
    c->since = mech->since;
    c->run = run;
    c->data = mech;
    return c;
}
