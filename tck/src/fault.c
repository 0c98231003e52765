/* SPDX-License-Identifier: MIT */
/* tck/src/fault.c -- which faults there are, from the facts and from tck/mutate. */
#include "tck/src/fault.h"

#include "tck/mutate/answer.h"
#include "tck/mutate/heap.h"
#include "tck/mutate/input.h"
#include "tck/mutate/members.h"

#include <fnmatch.h>
#include <stdlib.h>

const char *const fault_kind_names[FAULT_KINDS] = {
    "wrong",  "missing",    "confused", "refused",  "in",      "narrow",
    "out",    "stuck",      "last",     "order",    "longer",  "swallowed",
    "fewer",  "member",     "hides",    "callback", "dropped", "doubled",
    "sparse", "undisabled", "widened",  "unheard",  "arg",     "other"
};

static struct fault *faults;
static size_t fault_count;

/* What the record says when it could be reached; a member's is its parameter. */
static const char *
mark_of(enum fault_kind kind, const char *what)
{
    switch (kind) {
    case FAULT_REFUSED:
    case FAULT_IN:
    case FAULT_NARROW:
    case FAULT_SWALLOWED:
    case FAULT_HIDES:
    case FAULT_CALLBACK: return "called";
    default: return kind >= FAULT_DROPPED ? "sent" : what;
    }
}

static void
add_fault(const struct run *run, const char *subject, enum fault_kind kind,
          const char *what, const char *hint)
{
    char *name = format_text("%s.%s%s%s", subject, fault_kind_names[kind],
                             what == NULL ? "" : ".", what == NULL ? "" : what);

    if (fnmatch(run->opt.mutate, name, FNM_EXTMATCH) != 0) {
        free(name);
        return;
    }
    faults = must(realloc(faults, (fault_count + 1) * sizeof *faults));
    faults[fault_count++] = (struct fault){
        name, subject, kind,
        format_text("%s.%.*s", subject, (int)strcspn(mark_of(kind, what), "/"),
                    mark_of(kind, what)),
        format_text(".%s", hint)
    };
}

static void
add_error(const struct run *run, const char *function, const char *error,
          const char *hint)
{
    add_fault(run, function, FAULT_WRONG, error, hint);
    add_fault(run, function, FAULT_MISSING, error, hint);
}

/* Is there a call of the function that has to give this error and no other? */
static bool
must_give(int function, jvmtiError error)
{
    for (int i = 0; i < tck_mech_count; i++)
        if (tck_mechs[i].function == function && tck_mechs[i].expect == error
            && tck_mechs[i].accept == error)
            return true;
    return false;
}

/* The errors of its table, each once, and those that any function may give. */
static void
add_errors(const struct run *run, int function)
{
    const char *name = tck_functions[function].name;
    char seen[2000] = "|";

    for (int i = 0; i < tck_row_count; i++) {
        const char *start = tck_rows[i].id + strlen(name) + strlen(".error.");
        char error[100], key[104];

        if (tck_rows[i].function != function)
            continue;
        snprintf(error, sizeof error, "%.*s", (int)strcspn(start, "."), start);
        snprintf(key, sizeof key, "|%s|", error);
        if (strstr(seen, key) != NULL)
            continue;
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s|", error);
        add_error(run, name, error, format_text("error.%s", error));
    }
    if (must_give(function, JVMTI_ERROR_WRONG_PHASE))
        add_error(run, name, "WRONG_PHASE", "phase.");
    if (must_give(function, JVMTI_ERROR_UNATTACHED_THREAD))
        add_error(run, name, "UNATTACHED_THREAD", "universal.UNATTACHED_THREAD");
    if (must_give(function, JVMTI_ERROR_INVALID_ENVIRONMENT))
        add_error(run, name, "INVALID_ENVIRONMENT", "universal.INVALID_ENVIRONMENT");
}

/* Another error of the table, which no call that has to give the one may give as well. */
static void
add_confused(const struct run *run, int function)
{
    const struct tck_mech *given[32];
    int count = 0;

    for (int i = 0; i < tck_mech_count && count < 32; i++)
        if (tck_mechs[i].function == function
            && strstr(tck_mechs[i].id, ".error.") != NULL)
            given[count++] = &tck_mechs[i];
    for (int i = 0; i < count; i++) {
        const struct tck_mech *other = given[(i + 1) % count];

        if (other->expect == given[i]->expect || other->expect == given[i]->accept
            || (i > 0 && given[i - 1]->expect == given[i]->expect))
            continue;
        add_fault(run, tck_functions[function].name, FAULT_CONFUSED,
                  format_text("%s/%s", tck_error_name(given[i]->expect),
                              tck_error_name(other->expect)),
                  "error.");
    }
}

/* Phases other than the live one, in which all of them may be called. */
static void
add_phases(const struct run *run, const struct tck_function *f)
{
    static const struct {
        unsigned phase;
        const char *name;
    } phases[] = { { TCK_ONLOAD, "onload" },
                   { TCK_PRIMORDIAL, "primordial" },
                   { TCK_START, "start" } };

    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if ((f->phases & phases[i].phase) != 0)
            add_fault(run, f->name, FAULT_REFUSED, phases[i].name, "phase.");
}

static void
add_input(const struct run *run, const struct tck_function *f,
          const struct tck_param *p)
{
    if (mutate_input_of(p) != MUTATE_IN_NOT)
        add_fault(run, f->name, FAULT_IN, p->name, "behaviour.");
    if (mutate_can_be_narrow(p))
        add_fault(run, f->name, FAULT_NARROW, p->name, "behaviour.");
}

/* What comes out of a function: the whole, counts, and members of structures. */
static void
add_outs(const struct run *run, const struct tck_function *f, const struct tck_param *p)
{
    size_t length = strcspn(p->type, "*");

    add_fault(run, f->name, FAULT_OUT, p->name, "behaviour.");
    if (mutate_can_be_stuck(f, p))
        add_fault(run, f->name, FAULT_STUCK, p->name, "behaviour.");
    if (mutate_element_size(p->type) > 0 && strcmp(p->name, "mem_ptr") != 0)
        add_fault(run, f->name, FAULT_LAST, p->name, "behaviour.");
    if (mutate_has_order(f, p))
        add_fault(run, f->name, FAULT_ORDER, p->name, "behaviour.");
    if (mutate_can_be_longer(p))
        add_fault(run, f->name, FAULT_LONGER, p->name, "behaviour.");
    if (strcmp(p->type, "jint*") == 0 && strstr(p->name, "count") != NULL)
        add_fault(run, f->name, FAULT_FEWER, p->name, "behaviour.");
    for (size_t i = 0; i < sizeof mutate_members / sizeof mutate_members[0]; i++)
        if (strlen(mutate_members[i].type) == length
            && strncmp(mutate_members[i].type, p->type, length) == 0)
            add_fault(run, f->name, FAULT_MEMBER,
                      format_text("%s/%s", p->name, mutate_members[i].member),
                      "behaviour.");
}

static void
add_capabilities(const struct run *run)
{
    for (int i = 0; i < tck_capability_count; i++)
        if (tck_capabilities[i].since <= run->level)
            add_fault(run, "GetPotentialCapabilities", FAULT_HIDES,
                      tck_capabilities[i].name, "behaviour.");
}

static void
add_heap_callbacks(const struct run *run)
{
    for (size_t i = 0; i < sizeof mutate_heap / sizeof mutate_heap[0]; i++) {
        const char *what = mutate_heap[i].changes;

        for (size_t n; (n = strcspn(what, " ")) > 0; what += n + (what[n] == ' '))
            add_fault(run, mutate_heap[i].function, FAULT_CALLBACK,
                      format_text("%s/%.*s", mutate_heap[i].callback, (int)n, what),
                      "behaviour.");
    }
}

/* What a handler is given, but for the environments and where it answers. */
static void
add_arguments(const struct run *run, const struct tck_event *event)
{
    for (int i = 0; i < event->nparams; i++) {
        const char *name = event->params[i].name, *type = event->params[i].type;

        if (strchr(type, 'E') != NULL || strncmp(name, "new_class", 9) == 0
            || strcmp(name, "new_address_ptr") == 0 || strcmp(name, "reserved") == 0
            || strcmp(name, "compile_info") == 0)
            continue;
        add_fault(run, event->name, FAULT_ARG, name, "behaviour.");
        if (strcmp(type, "jthread") == 0 || strcmp(type, "jclass") == 0
            || strcmp(type, "jobject") == 0 || strcmp(type, "jmethodID") == 0)
            add_fault(run, event->name, FAULT_OTHER, name, "behaviour.");
    }
}

static bool
has_jni(const struct tck_event *event)
{
    for (int i = 0; i < event->nparams; i++)
        if (strcmp(event->params[i].type, "JNIEnv*") == 0)
            return true;
    return false;
}

/* Those of the VM's own life come once, when nothing can be switched any more. */
static void
add_enabling(const struct run *run, const struct tck_event *event)
{
    if (strcmp(event->name, "VMStart") == 0 || strcmp(event->name, "VMInit") == 0
        || strcmp(event->name, "VMDeath") == 0)
        return;
    add_fault(run, event->name, FAULT_SPARSE, NULL, "event.");
    add_fault(run, event->name, FAULT_UNDISABLED, NULL, "event.");
    /* Without a JNIEnv it comes on a thread that is the VM's own affair. */
    if (!event->thread_scoped || !has_jni(event))
        return;
    add_fault(run, event->name, FAULT_WIDENED, NULL, "event.");
    add_fault(run, event->name, FAULT_UNHEARD, NULL, "event.");
}

struct fault *
fault_list(const struct run *run, size_t *count)
{
    for (int i = 0; i < tck_function_count; i++) {
        const struct tck_function *f = &tck_functions[i];

        if (f->since > run->level)
            continue;
        add_errors(run, i);
        add_confused(run, i);
        add_phases(run, f);
        for (int k = 0; k < f->nparams; k++) {
            add_input(run, f, &f->params[k]);
            if (f->params[k].out)
                add_outs(run, f, &f->params[k]);
        }
        add_fault(run, f->name, FAULT_SWALLOWED, NULL, "behaviour.");
    }
    for (int i = 0; i < tck_event_count; i++) {
        if (tck_events[i].since > run->level)
            continue;
        add_fault(run, tck_events[i].name, FAULT_DROPPED, NULL, "event.");
        add_fault(run, tck_events[i].name, FAULT_DOUBLED, NULL, "event.");
        add_enabling(run, &tck_events[i]);
        add_arguments(run, &tck_events[i]);
    }
    add_capabilities(run);
    add_heap_callbacks(run);
    *count = fault_count;
    return faults;
}
