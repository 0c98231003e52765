/* SPDX-License-Identifier: MIT */
/*
 * tck/src/mutation.c -- tests of the tests: one fault at a time, who notices?
 *
 * A run without faults comes first and records which of them each group would reach.
 * Faults that put another answer in place of an error are then tried all at once: an
 * assertion that wanted this error of this function and was given that answer has noticed
 * this fault and no other.  What nobody noticed so is tried alone, as are other faults.
 *
 * A fault is tried alone on the assertions that ought to notice it, then on all about its
 * subject, then on all of the groups that reach it; the first that notices ends it.
 * Most faults cost a single VM that way.
 */
#include "tck/src/explained.h"
#include "tck/src/fault.h"

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

enum outcome { UNTRIED, NOT_REACHED, SURVIVED, CAUGHT };

static const char *const outcome_names[] = {
    NULL, "not reached", "survived", "caught"
};

static struct fault *faults;
static size_t fault_count;
static enum status *baseline;
static FILE *log_file;

/* Of each fault; shared with the children that try them. */
static enum outcome *outcomes;

/* The lines of a record, sorted. */
struct marks {
    char **lines;
    size_t count;
};

/* Of the VM without a fault. */
static struct marks sound;

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

/* -- what is known before they are tried -- */

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct marks
read_record(const char *path)
{
    FILE *file = fopen(path, "r");
    struct marks marks = { NULL, 0 };
    char *line = NULL;
    size_t room = 0;

    while (file != NULL && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        marks.lines = must(realloc(marks.lines, (marks.count + 1) * sizeof *marks.lines));
        marks.lines[marks.count++] = must(strdup(line));
    }
    if (file == NULL)
        bad_input("the faults cannot be put between the kit and this VM");
    fclose(file);
    free(line);
    qsort(marks.lines, marks.count, sizeof *marks.lines, compare_lines);
    return marks;
}

static void
free_marks(struct marks *marks)
{
    for (size_t i = 0; i < marks->count; i++)
        free(marks->lines[i]);
    free(marks->lines);
}

static bool
reaches(const struct marks *marks, const char *group, const struct fault *fault)
{
    char line[256], *key = line;

    snprintf(line, sizeof line, "%s %s", group, fault->mark);
    return bsearch(&key, marks->lines, marks->count, sizeof *marks->lines, compare_lines)
        != NULL;
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
        sound = read_record(log);
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

/* -- trying one -- */

/* The assertion that told the fault from the sound VM, or NULL; a skip tells nothing. */
static const struct result *
who_noticed(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected && run->results[i].status == FAIL)
            return &run->results[i];
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
            && reaches(&sound, r->group, fault);
        r->status = NOT_RUN;
        any = any || r->selected;
    }
    return any;
}

/* Print how it went, unless only what is wrong is wanted, and log it. */
static void
tell(const struct run *run, const struct fault *fault, enum outcome outcome,
     const struct result *noticed)
{
    const char *reason = reason_for(fault, outcome);
    char *line;

    if (outcome != CAUGHT)
        line = format_text("%s %s: %s\n", outcome_names[outcome], fault->name,
                           reason != NULL ? reason : "unexplained");
    else
        line = format_text("caught %s by %s: %s\n", fault->name, noticed->id,
                           noticed->detail != NULL ? noticed->detail : "");

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
    const struct result *noticed = NULL;
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
    tell(run, fault, outcome, noticed);
    return outcome;
}

/* -- many at once -- */

/* Did the assertion want the fault's error of its function, and was it given the answer
   that the fault gives?  By what the failure says (tck_want, lib/mech.c). */
static bool
told_of(const struct result *result, const struct fault *fault)
{
    size_t length = strlen(fault->subject);
    const char *what = strrchr(fault->name, '.') + 1, *detail = result->detail;
    const char *got = fault->kind == FAULT_WRONG ? "INTERNAL"
        : fault->kind == FAULT_MISSING ? "NONE" : strchr(what, '/') + 1;
    const char *end = detail == NULL ? NULL : strstr(detail, ": expected ");
    size_t error = strcspn(what, "/");

    return result->status == FAIL && !result->died && end != NULL
        && strncmp(detail, fault->subject, length) == 0
        && (detail[length] == ' ' || detail[length] == '(')
        && strncmp(end += strlen(": expected "), what, error) == 0
        && strncmp(end += error, ", got ", strlen(", got ")) == 0
        && strcmp(end + strlen(", got "), got) == 0;
}

/* Those of one kind that are not known to be caught yet. */
static bool
write_many(const struct run *run, enum fault_kind kind, const char *path)
{
    FILE *file = fopen(path, "w");
    bool any = false;

    if (file == NULL)
        bad_input("cannot write '%s': %s", path, strerror(errno));
    for (size_t i = run->opt.shard - 1; i < fault_count; i += run->opt.shards) {
        if (faults[i].kind == kind && outcomes[i] <= NOT_REACHED) {
            fprintf(file, "%s\n", faults[i].name);
            any = true;
        }
    }
    fclose(file);
    return any;
}

static void
judge_many(struct run *run, enum fault_kind kind, const struct marks *reached)
{
    for (size_t i = run->opt.shard - 1; i < fault_count; i += run->opt.shards) {
        if (faults[i].kind != kind || outcomes[i] > NOT_REACHED)
            continue;
        for (size_t k = 0; k < run->count && outcomes[i] != CAUGHT; k++) {
            const struct result *r = &run->results[k];

            if (r->selected && told_of(r, &faults[i])
                && reaches(reached, r->group, &faults[i])) {
                outcomes[i] = CAUGHT;
                tell(run, &faults[i], CAUGHT, r);
            }
        }
    }
}

static void
try_many(struct run *run, enum fault_kind kind)
{
    char *list = format_text("%s/many", run->work), *log = format_text("%s/reached",
                                                                       run->work);

    if (write_many(run, kind, list)) {
        struct marks reached;

        unlink(log);
        run->opt.agent = format_text("%s=fault=@%s,log=%s", run->opt.mutator, list, log);
        for (size_t i = 0; i < run->count; i++) {
            run->results[i].selected = baseline[i] == PASS;
            run->results[i].status = NOT_RUN;
            run->results[i].died = false;
        }
        vm_run_groups(run, ignore_progress);
        if (access(log, F_OK) == 0) {
            reached = read_record(log);
            judge_many(run, kind, &reached);
            free_marks(&reached);
        }
        free((char *)run->opt.agent);
    }
    free(list);
    free(log);
}

/* -- one at a time -- */

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
print_sum(const char *name, enum fault_kind kind)
{
    int count[CAUGHT + 1] = { 0 }, all = 0, reached;

    for (size_t i = 0; i < fault_count; i++)
        if (kind == FAULT_KINDS || faults[i].kind == kind)
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

    faults = fault_list(run, &fault_count);
    if (fault_count == 0)
        bad_input("no fault matches '%s'", run->opt.mutate);
    outcomes = mmap(NULL, fault_count * sizeof *outcomes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcomes == MAP_FAILED)
        bad_input("no memory: %s", strerror(errno));
    for (int i = 0; i < run->opt.after_count; i++)
        read_earlier(run->opt.after[i]);
    if (run->opt.log != NULL && (log_file = fopen(run->opt.log, "a")) == NULL)
        bad_input("cannot write '%s': %s", run->opt.log, strerror(errno));
    run_baseline(run);
    for (int k = FAULT_WRONG; k <= FAULT_CONFUSED && !vm_interrupted(); k++)
        try_many(run, (enum fault_kind)k);
    run->no_restart = true;
    if (!vm_interrupted())
        try_all(run);
    for (int k = 0; k < FAULT_KINDS; k++)
        print_sum(fault_kind_names[k], (enum fault_kind)k);
    print_sum(run->opt.after_count > 0 ? "with the earlier runs" : run->vm_name, FAULT_KINDS);
    unexplained = count_unexplained();
    stale = print_stale();
    printf("# %s, %d unexplained, %.0f s%s\n", run->vm_name, unexplained, now() - start,
           vm_interrupted() ? ", interrupted" : "");
    return vm_interrupted() ? 130 : unexplained + stale > 0;
}
