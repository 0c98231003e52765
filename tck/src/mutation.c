/* SPDX-License-Identifier: MIT */
/*
 * tck/src/mutation.c -- tests of the tests: one fault at a time, who notices?
 *
 * A run without faults comes first and records which of them each group would reach.  A
 * fault is then tried on the assertions that ought to notice it, then on all about its
 * subject, then on all of the groups that reach it; the first that notices ends it.
 * Most faults cost a single VM that way.
 */
#include "tck/src/run.h"

#include "tck/mutate/heap.h"
#include "tck/mutate/members.h"
#include "tck/src/explained.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind {
    WRONG, MISSING, OUT, SWALLOWED, FEWER, MEMBER, HIDES, CALLBACK, DROPPED, DOUBLED, ARG,
    OTHER, KINDS
};

static const char *const kind_names[KINDS] = {
    "wrong", "missing", "out", "swallowed", "fewer", "member", "hides", "callback",
    "dropped", "doubled", "arg", "other"
};

enum outcome { UNTRIED, NOT_REACHED, SURVIVED, CAUGHT };

static const char *const outcome_names[] = {
    NULL, "not reached", "survived", "caught"
};

struct fault {
    char *name;
    const char *subject;
    enum kind kind;
    char *mark;           /* what the record says when it could be reached */
    char *hint;           /* part of the ids to try first */
};

static struct fault *faults;
static size_t fault_count;
static enum status *baseline;
static FILE *log_file;

/* Of each fault; shared with the children that try them. */
static enum outcome *outcomes;

/* The lines of the record, sorted. */
static char **marks;
static size_t mark_count;

/* What the VM may lack explains only that a fault was not reached. */
static const char *
reason_for(const struct fault *fault, enum outcome outcome)
{
    for (size_t i = 0; i < sizeof explained / sizeof explained[0]; i++)
        if (fnmatch(explained[i].fault, fault->name, 0) == 0
            && (outcome == NOT_REACHED || !explained[i].depends))
            return explained[i].reason;
    return NULL;
}

/* -- which faults there are -- */

/* What the record says when it could be reached; a member's is its parameter. */
static const char *
mark_of(enum kind kind, const char *what)
{
    return kind >= DROPPED ? "sent"
        : kind == SWALLOWED || kind == HIDES || kind == CALLBACK ? "called" : what;
}

static void
add_fault(const struct run *run, const char *subject, enum kind kind, const char *what,
          const char *hint)
{
    char *name = format_text("%s.%s%s%s", subject, kind_names[kind],
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
    add_fault(run, function, WRONG, error, hint);
    add_fault(run, function, MISSING, error, hint);
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

/* What comes out of a function: the whole, counts, and members of structures. */
static void
add_outs(const struct run *run, const struct tck_function *f, const struct tck_param *p)
{
    size_t length = strcspn(p->type, "*");

    add_fault(run, f->name, OUT, p->name, "behaviour.");
    if (strcmp(p->type, "jint*") == 0 && strstr(p->name, "count") != NULL)
        add_fault(run, f->name, FEWER, p->name, "behaviour.");
    for (size_t i = 0; i < sizeof mutate_members / sizeof mutate_members[0]; i++)
        if (strlen(mutate_members[i].type) == length
            && strncmp(mutate_members[i].type, p->type, length) == 0)
            add_fault(run, f->name, MEMBER,
                      format_text("%s/%s", p->name, mutate_members[i].member),
                      "behaviour.");
}

static void
add_capabilities(const struct run *run)
{
    for (int i = 0; i < tck_capability_count; i++)
        if (tck_capabilities[i].since <= run->level)
            add_fault(run, "GetPotentialCapabilities", HIDES, tck_capabilities[i].name,
                      "behaviour.");
}

static void
add_heap_callbacks(const struct run *run)
{
    for (size_t i = 0; i < sizeof mutate_heap / sizeof mutate_heap[0]; i++) {
        const char *what = mutate_heap[i].changes;

        for (size_t n; (n = strcspn(what, " ")) > 0; what += n + (what[n] == ' '))
            add_fault(run, mutate_heap[i].function, CALLBACK,
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
        add_fault(run, event->name, ARG, name, "behaviour.");
        if (strcmp(type, "jthread") == 0 || strcmp(type, "jclass") == 0
            || strcmp(type, "jobject") == 0 || strcmp(type, "jmethodID") == 0)
            add_fault(run, event->name, OTHER, name, "behaviour.");
    }
}

static void
list_faults(const struct run *run)
{
    for (int i = 0; i < tck_function_count; i++) {
        const struct tck_function *f = &tck_functions[i];

        if (f->since > run->level)
            continue;
        add_errors(run, i);
        for (int k = 0; k < f->nparams; k++)
            if (f->params[k].out)
                add_outs(run, f, &f->params[k]);
        add_fault(run, f->name, SWALLOWED, NULL, "behaviour.");
    }
    for (int i = 0; i < tck_event_count; i++) {
        if (tck_events[i].since > run->level)
            continue;
        add_fault(run, tck_events[i].name, DROPPED, NULL, "event.");
        add_fault(run, tck_events[i].name, DOUBLED, NULL, "event.");
        add_arguments(run, &tck_events[i]);
    }
    add_capabilities(run);
    add_heap_callbacks(run);
    if (fault_count == 0)
        bad_input("no fault matches '%s'", run->opt.mutate);
}

/* -- what is known before they are tried -- */

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
read_record(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    while (file != NULL && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        marks = must(realloc(marks, (mark_count + 1) * sizeof *marks));
        marks[mark_count++] = must(strdup(line));
    }
    if (file == NULL)
        bad_input("the faults cannot be put between the kit and this VM");
    fclose(file);
    free(line);
    qsort(marks, mark_count, sizeof *marks, compare_lines);
}

static bool
reaches(const char *group, const struct fault *fault)
{
    char line[256], *key = line;

    snprintf(line, sizeof line, "%s %s", group, fault->mark);
    return bsearch(&key, marks, mark_count, sizeof *marks, compare_lines) != NULL;
}

static void
ignore_progress(struct run *run, size_t done)
{
    (void)run, (void)done;
}

/* The kit on the VM without a fault. */
static void
run_baseline(struct run *run)
{
    char *log = format_text("%s/record", run->work);

    run->opt.agent = format_text("%s=fault=record,log=%s", run->opt.mutator, log);
    vm_run_groups(run, ignore_progress);
    free((char *)run->opt.agent);
    baseline = must(calloc(run->count, sizeof *baseline));
    for (size_t i = 0; i < run->count; i++)
        baseline[i] = run->results[i].status;
    if (!vm_interrupted())
        read_record(log);
    free(log);
}

/* An earlier log: what came of a fault there counts, the best of several. */
static void
read_earlier(const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    if (file == NULL)
        bad_input("cannot read '%s': %s", path, strerror(errno));
    while (getline(&line, &room, file) > 0) {
        for (int k = NOT_REACHED; k <= CAUGHT; k++) {
            size_t length = strlen(outcome_names[k]);
            char *name = line + length + 1;

            if (strncmp(line, outcome_names[k], length) != 0 || line[length] != ' ')
                continue;
            name[strcspn(name, ": \n")] = '\0';
            for (size_t i = 0; i < fault_count; i++)
                if (outcomes[i] < (enum outcome)k && strcmp(faults[i].name, name) == 0)
                    outcomes[i] = (enum outcome)k;
        }
    }
    fclose(file);
    free(line);
}

/* -- trying them -- */

/* The assertion that told the fault from the sound VM, or NULL; a skip tells nothing. */
static const char *
who_noticed(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected && run->results[i].status == FAIL)
            return run->results[i].id;
    return NULL;
}

static void
stop_when_noticed(struct run *run, size_t done)
{
    (void)done;
    run->enough = who_noticed(run) != NULL;
}

/* Select what is tried at a stage, but for what was already; false when nothing is. */
static bool
select_stage(struct run *run, const struct fault *fault, int stage)
{
    size_t length = strlen(fault->subject);
    bool any = false;

    for (size_t i = 0; i < run->count; i++) {
        struct result *r = &run->results[i];
        bool about = strncmp(r->id, fault->subject, length) == 0 && r->id[length] == '.';
        int first = !about ? 2
            : strncmp(r->id + length, fault->hint, strlen(fault->hint)) == 0 ? 0 : 1;

        r->selected = first == stage && baseline[i] == PASS
            && reaches(r->group, fault);
        r->status = NOT_RUN;
        any = any || r->selected;
    }
    return any;
}

/* Print how it went, unless only what is wrong is wanted, and log it. */
static void
tell(const struct run *run, const struct fault *fault, enum outcome outcome,
     const char *more)
{
    char *line = format_text("%s %s%s%s\n", outcome_names[outcome], fault->name,
                             outcome == CAUGHT ? " by " : ": ", more);

    if (outcome != CAUGHT || !run->opt.quiet) {
        fputs(line, stdout);
        fflush(stdout);
    }
    if (log_file != NULL) {
        fputs(line, log_file);
        fflush(log_file);
    }
    free(line);
}

static enum outcome
try_fault(struct run *run, const struct fault *fault)
{
    char *log = format_text("%s/reached", run->work);
    const char *noticed = NULL, *reason;
    enum outcome outcome;

    unlink(log);
    run->opt.agent = format_text("%s=fault=%s,log=%s", run->opt.mutator, fault->name,
                                 log);
    for (int stage = 0; stage < 3 && noticed == NULL; stage++) {
        if (vm_interrupted())
            break;
        run->enough = false;
        if (select_stage(run, fault, stage))
            vm_run_groups(run, stop_when_noticed);
        noticed = who_noticed(run);
    }
    outcome = access(log, F_OK) != 0 ? NOT_REACHED
        : noticed == NULL ? SURVIVED : CAUGHT;
    free((char *)run->opt.agent);
    free(log);
    if (vm_interrupted())
        return UNTRIED;
    reason = reason_for(fault, outcome);
    tell(run, fault, outcome, outcome == CAUGHT ? noticed
         : reason != NULL ? reason : "unexplained");
    return outcome;
}

/* In a child: every jobs-th fault of the shard that an earlier run did not reach. */
static void
try_share(struct run *run, int job)
{
    size_t parts = (size_t)run->opt.jobs * run->opt.shards;
    size_t part = (size_t)job * run->opt.shards + run->opt.shard - 1;

    /* A runner that is killed cannot end its parts itself. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run->opt.jobs = 1;
    run->work = format_text("%s/%d", run->work, job);
    if (mkdir(run->work, 0777) != 0)
        _exit(2);
    for (size_t i = part; i < fault_count && !vm_interrupted(); i += parts) {
        if (outcomes[i] <= NOT_REACHED) {
            enum outcome outcome = try_fault(run, &faults[i]);

            if (outcome > outcomes[i])
                outcomes[i] = outcome;
        }
    }
    _exit(0);
}

static void
try_all(struct run *run)
{
    pid_t *children = must(calloc(run->opt.jobs, sizeof *children));

    fflush(stdout);
    for (int i = 0; i < run->opt.jobs; i++) {
        children[i] = fork();
        if (children[i] == 0)
            try_share(run, i);
    }
    for (int i = 0; i < run->opt.jobs; i++) {
        int status = 0;

        while (children[i] > 0 && waitpid(children[i], &status, 0) < 0
               && errno == EINTR)
            for (int k = 0; k < run->opt.jobs; k++)
                kill(children[k], SIGTERM);
        if (children[i] < 0 || status != 0)
            bad_input("a part of the faults could not be tried");
    }
    free(children);
}

/* -- the sum -- */

/* All of a kind, or of every kind: how many came to which outcome. */
static void
print_sum(const char *name, enum kind kind)
{
    int count[CAUGHT + 1] = { 0 }, all = 0, reached;

    for (size_t i = 0; i < fault_count; i++)
        if (kind == KINDS || faults[i].kind == kind)
            count[outcomes[i]]++;
    reached = count[SURVIVED] + count[CAUGHT];
    all = count[NOT_REACHED] + reached;
    if (all > 0)
        printf("# %s: %d faults, %d not reached (%.1f%%), %d survived, %d caught "
               "(%.1f%% of those reached)\n", name, all, count[NOT_REACHED],
               100.0 * count[NOT_REACHED] / all, count[SURVIVED], count[CAUGHT],
               reached == 0 ? 0 : 100.0 * count[CAUGHT] / reached);
}

/* How many survived or were not reached without a reason that is known. */
static int
count_unexplained(void)
{
    int count = 0;

    for (size_t i = 0; i < fault_count; i++)
        count += (outcomes[i] == NOT_REACHED || outcomes[i] == SURVIVED)
            && reason_for(&faults[i], outcomes[i]) == NULL;
    return count;
}

/* Explanations of what was caught after all. */
static int
print_stale(void)
{
    int stale = 0;

    for (size_t k = 0; k < sizeof explained / sizeof explained[0]; k++) {
        int tried = 0, other = 0;

        for (size_t i = 0; i < fault_count; i++) {
            if (fnmatch(explained[k].fault, faults[i].name, 0) == 0) {
                tried += outcomes[i] == CAUGHT;
                other += outcomes[i] != CAUGHT;
            }
        }
        if (tried == 0 || other > 0 || explained[k].depends)
            continue;
        printf("stale explanation of %s: it is caught\n", explained[k].fault);
        stale++;
    }
    return stale;
}

int
mutation_run(struct run *run)
{
    double start = now();
    int unexplained, stale;

    list_faults(run);
    outcomes = mmap(NULL, fault_count * sizeof *outcomes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcomes == MAP_FAILED)
        bad_input("no memory: %s", strerror(errno));
    for (int i = 0; i < run->opt.after_count; i++)
        read_earlier(run->opt.after[i]);
    if (run->opt.log != NULL && (log_file = fopen(run->opt.log, "a")) == NULL)
        bad_input("cannot write '%s': %s", run->opt.log, strerror(errno));
    run_baseline(run);
    run->no_restart = true;
    if (!vm_interrupted())
        try_all(run);
    for (int k = 0; k < KINDS; k++)
        print_sum(kind_names[k], (enum kind)k);
    print_sum(run->opt.after_count > 0 ? "with the earlier runs" : run->vm_name, KINDS);
    unexplained = count_unexplained();
    stale = print_stale();
    printf("# %s, %d unexplained, %.0f s%s\n", run->vm_name, unexplained, now() - start,
           vm_interrupted() ? ", interrupted" : "");
    return vm_interrupted() ? 130 : unexplained + stale > 0;
}
