/* SPDX-License-Identifier: MIT */
/* tck/src/mutation.c -- tests of the tests: one fault at a time, who notices? */
#include "tck/src/run.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
    int faults, reached, caught;
};

static enum status *baseline;

static void
ignore_progress(struct run *run, size_t done)
{
    (void)run, (void)done;
}

/* Select the assertions about a subject; false when there is none. */
static bool
select_subject(struct run *run, const char *subject)
{
    size_t length = strlen(subject);
    bool any = false;

    for (size_t i = 0; i < run->count; i++) {
        struct result *r = &run->results[i];

        r->selected = strncmp(r->id, subject, length) == 0 && r->id[length] == '.';
        r->status = NOT_RUN;
        any = any || r->selected;
    }
    return any;
}

/* The assertion that told the fault from the sound VM, or NULL. */
static const char *
who_noticed(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected && baseline[i] == PASS
            && run->results[i].status != PASS)
            return run->results[i].id;
    return NULL;
}

static void
try_fault(struct run *run, const char *subject, const char *fault, struct tally *tally)
{
    char *log = format_text("%s/reached", run->work);
    const char *noticed;
    bool was_reached;

    if (fnmatch(run->opt.mutate, fault, 0) != 0) {
        free(log);
        return;
    }
    unlink(log);
    run->opt.agent = format_text("%s=fault=%s,log=%s", run->opt.mutator, fault, log);
    if (select_subject(run, subject))
        vm_run_groups(run, ignore_progress);
    was_reached = access(log, F_OK) == 0;
    noticed = who_noticed(run);
    tally->faults++;
    tally->reached += was_reached;
    tally->caught += noticed != NULL;
    if (!was_reached)
        printf("not reached %s\n", fault);
    else if (noticed == NULL)
        printf("survived %s\n", fault);
    else if (!run->opt.quiet)
        printf("caught %s by %s\n", fault, noticed);
    fflush(stdout);
    free((char *)run->opt.agent);
    free(log);
}

static void
try_errors(struct run *run, int function, struct tally *tally)
{
    const char *name = tck_functions[function].name;
    char last[120] = "";

    for (int i = 0; i < tck_row_count; i++) {
        const char *error, *end;
        char one[120];

        if (tck_rows[i].function != function)
            continue;
        error = tck_rows[i].id + strlen(name) + strlen(".error.");
        end = strchr(error, '.');
        snprintf(one, sizeof one, "|%.*s|",
                 end == NULL ? (int)strlen(error) : (int)(end - error), error);
        if (strcmp(one, last) == 0)
            continue;
        snprintf(last, sizeof last, "%s", one);
        one[strlen(one) - 1] = '\0';
        try_fault(run, name, format_text("%s.wrong.%s", name, one + 1), tally);
        try_fault(run, name, format_text("%s.missing.%s", name, one + 1), tally);
    }
}

static void
try_function(struct run *run, int function, struct tally *tally)
{
    const struct tck_function *f = &tck_functions[function];

    if (f->since > run->level)
        return;
    try_errors(run, function, tally);
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i].out)
            try_fault(run, f->name, format_text("%s.out.%s", f->name, f->params[i].name),
                      tally);
    try_fault(run, f->name, format_text("%s.swallowed", f->name), tally);
}

int
mutation_run(struct run *run)
{
    struct tally tally = { 0, 0, 0 };
    double start = now();
    const char *agent = run->opt.agent;

    vm_run_groups(run, ignore_progress);
    baseline = must(calloc(run->count, sizeof *baseline));
    for (size_t i = 0; i < run->count; i++)
        baseline[i] = run->results[i].status;
    for (int i = 0; i < tck_function_count && !vm_interrupted(); i++)
        try_function(run, i, &tally);
    for (int i = 0; i < tck_event_count && !vm_interrupted(); i++) {
        const char *name = tck_events[i].name;

        if (tck_events[i].since > run->level)
            continue;
        try_fault(run, name, format_text("%s.dropped", name), &tally);
        try_fault(run, name, format_text("%s.doubled", name), &tally);
    }
    run->opt.agent = agent;
    printf("# %d faults, %d reached, %d caught (%.1f%% of those reached), %.0f s%s\n",
           tally.faults, tally.reached, tally.caught,
           tally.reached == 0 ? 0 : 100.0 * tally.caught / tally.reached, now() - start,
           vm_interrupted() ? ", interrupted" : "");
    return vm_interrupted() ? 130 : tally.caught < tally.reached;
}
