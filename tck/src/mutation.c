/* SPDX-License-Identifier: MIT */
/*
 * tck/src/mutation.c -- tests of the tests: one fault at a time, who notices?
 *
 * A fault is tried first on the assertions that ought to notice it, then on all about
 * its subject, then on the whole kit; the first that notices ends it.  Most faults cost
 * a single VM that way.
 */
#include "tck/src/run.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { WRONG, MISSING, OUT, SWALLOWED, DROPPED, DOUBLED, KINDS };

static const char *const kind_names[KINDS] = {
    "wrong", "missing", "out", "swallowed", "dropped", "doubled"
};

struct fault {
    char *name;
    const char *subject;
    enum kind kind;
    char *hint;           /* part of the ids to try first */
};

#define VIRTUAL "only a virtual thread gives it"

/* Why a fault cannot be told from a sound VM, or is not reached. */
static const struct {
    const char *fault;    /* glob */
    const char *reason;
} explained[] = {
    { "GetObjectHashCode.out.hash_code_ptr",
      "any value does that is the same for the same object" },
    { "GetJLocationFormat.out.format_ptr", "another format of the enumeration" },
    { "GetCurrentThreadCpuTime.out.nanos_ptr", "a nanosecond more is as true" },
    { "GetVersionNumber.out.version_ptr", "the micro version is the VM's own affair" },
    { "GetJNIFunctionTable.out.function_table", "its first slot is reserved" },
    { "RunAgentThread.*.UNSUPPORTED_OPERATION", VIRTUAL },
    { "StopThread.*.THREAD_NOT_SUSPENDED", VIRTUAL },
    { "StopThread.*.OPAQUE_FRAME", VIRTUAL },
    { "GetThreadCpuTime.*.UNSUPPORTED_OPERATION", VIRTUAL },
    { "GetCurrentThreadCpuTime.*.UNSUPPORTED_OPERATION", VIRTUAL },
    { "SuspendAllVirtualThreads.*", "the VM has no virtual threads" },
    { "ResumeAllVirtualThreads.*", "the VM has no virtual threads" },
    { "VirtualThread*.d*", "the VM has no virtual threads" },
    { "CompiledMethod*.d*", "the VM compiled nothing, or kept what it had compiled" },
    { "DynamicCodeGenerated.d*", "the VM generated no code" },
    { "DataDumpRequest.doubled", "how many requests a signal makes is not specified" },
    { "*.UNMODIFIABLE_MODULE", "no module of this VM is unmodifiable" },
    { "*.INVALID_TYPESTATE", "no call is known to give it" },
    { "*.ABSENT_INFORMATION", "no call is known to give it" },
};

static const char *
reason_for(const char *fault)
{
    for (size_t i = 0; i < sizeof explained / sizeof explained[0]; i++)
        if (fnmatch(explained[i].fault, fault, 0) == 0)
            return explained[i].reason;
    return "unexplained";
}

struct tally {
    int faults, reached, caught;
};

static struct fault *faults;
static size_t fault_count;
static enum status *baseline;

/* -- which faults there are -- */

static void
add_fault(const struct run *run, const char *subject, enum kind kind, const char *what,
          const char *hint)
{
    char *name = format_text("%s.%s%s%s", subject, kind_names[kind],
                             what == NULL ? "" : ".", what == NULL ? "" : what);

    if (fnmatch(run->opt.mutate, name, 0) != 0) {
        free(name);
        return;
    }
    faults = must(realloc(faults, (fault_count + 1) * sizeof *faults));
    faults[fault_count++] = (struct fault){ name, subject, kind,
                                            format_text(".%s", hint) };
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
                add_fault(run, f->name, OUT, f->params[k].name, "behaviour.");
        add_fault(run, f->name, SWALLOWED, NULL, "behaviour.");
    }
    for (int i = 0; i < tck_event_count; i++) {
        if (tck_events[i].since > run->level)
            continue;
        add_fault(run, tck_events[i].name, DROPPED, NULL, "event.");
        add_fault(run, tck_events[i].name, DOUBLED, NULL, "event.");
    }
    if (fault_count == 0)
        bad_input("no fault matches '%s'", run->opt.mutate);
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

        r->selected = first == stage && baseline[i] == PASS;
        r->status = NOT_RUN;
        any = any || r->selected;
    }
    return any;
}

static void
try_fault(struct run *run, const struct fault *fault, struct tally *tally)
{
    char *log = format_text("%s/reached", run->work);
    const char *noticed = NULL;
    bool was_reached;

    unlink(log);
    run->opt.agent = format_text("%s=fault=%s,log=%s", run->opt.mutator, fault->name, log);
    for (int stage = 0; stage < 3 && noticed == NULL; stage++) {
        if (vm_interrupted())
            break;
        run->enough = false;
        if (select_stage(run, fault, stage))
            vm_run_groups(run, stop_when_noticed);
        noticed = who_noticed(run);
    }
    was_reached = access(log, F_OK) == 0;
    free((char *)run->opt.agent);
    free(log);
    if (vm_interrupted())
        return;
    tally->faults++;
    tally->reached += was_reached;
    tally->caught += was_reached && noticed != NULL;
    if (!was_reached)
        printf("not reached %s: %s\n", fault->name, reason_for(fault->name));
    else if (noticed == NULL)
        printf("survived %s: %s\n", fault->name, reason_for(fault->name));
    else if (!run->opt.quiet)
        printf("caught %s by %s\n", fault->name, noticed);
    fflush(stdout);
}

/* In a child: every jobs-th fault of the shard; the tallies go up the pipe. */
static void
try_share(struct run *run, int job, int pipe_end)
{
    struct tally tallies[KINDS] = { { 0 } };
    size_t parts = (size_t)run->opt.jobs * run->opt.shards;
    size_t part = (size_t)job * run->opt.shards + run->opt.shard - 1;
    char *work = format_text("%s/%d", run->work, job);

    run->opt.jobs = 1;
    snprintf(run->work, sizeof run->work, "%s", work);
    if (mkdir(work, 0777) != 0)
        _exit(2);
    for (size_t i = part; i < fault_count && !vm_interrupted(); i += parts)
        try_fault(run, &faults[i], &tallies[faults[i].kind]);
    if (write(pipe_end, tallies, sizeof tallies) != sizeof tallies)
        _exit(2);
    _exit(0);
}

static void
print_tally(const char *name, const struct tally *tally)
{
    printf("# %s: %d faults, %d reached, %d caught (%.1f%% of those reached)\n", name,
           tally->faults, tally->reached, tally->caught,
           tally->reached == 0 ? 0 : 100.0 * tally->caught / tally->reached);
}

/* Let the children work; add up what they tell. */
static void
try_all(struct run *run, struct tally *tallies)
{
    pid_t *children = must(calloc(run->opt.jobs, sizeof *children));
    int ends[2];

    if (pipe(ends) != 0)
        bad_input("cannot make a pipe: %s", strerror(errno));
    fflush(stdout);
    for (int i = 0; i < run->opt.jobs; i++) {
        children[i] = fork();
        if (children[i] == 0)
            try_share(run, i, ends[1]);
    }
    close(ends[1]);
    for (int i = 0; i < run->opt.jobs; i++) {
        struct tally share[KINDS];

        while (children[i] > 0 && waitpid(children[i], NULL, 0) < 0 && errno == EINTR)
            for (int k = 0; k < run->opt.jobs; k++)
                kill(children[k], SIGTERM);
        if (read(ends[0], share, sizeof share) != sizeof share)
            bad_input("a part of the faults could not be tried");
        for (int k = 0; k < KINDS; k++) {
            tallies[k].faults += share[k].faults;
            tallies[k].reached += share[k].reached;
            tallies[k].caught += share[k].caught;
        }
    }
    close(ends[0]);
    free(children);
}

static void
ignore_progress(struct run *run, size_t done)
{
    (void)run, (void)done;
}

int
mutation_run(struct run *run)
{
    struct tally tallies[KINDS] = { { 0 } }, sum = { 0, 0, 0 };
    double start = now();

    list_faults(run);
    vm_run_groups(run, ignore_progress);
    baseline = must(calloc(run->count, sizeof *baseline));
    for (size_t i = 0; i < run->count; i++)
        baseline[i] = run->results[i].status;
    run->no_restart = true;
    try_all(run, tallies);
    for (int k = 0; k < KINDS; k++) {
        if (tallies[k].faults > 0)
            print_tally(kind_names[k], &tallies[k]);
        sum.faults += tallies[k].faults;
        sum.reached += tallies[k].reached;
        sum.caught += tallies[k].caught;
    }
    print_tally(run->vm_name, &sum);
    printf("# %.0f s%s\n", now() - start, vm_interrupted() ? ", interrupted" : "");
    return vm_interrupted() ? 130 : sum.caught < sum.reached;
}
