/* SPDX-License-Identifier: MIT */
/* tck/src/vm.c -- starts a VM per group, watches it, reads what the agent wrote. */
#include "tck/src/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* More crashes than this in one group and the rest of it counts as failed. */
#define MAX_STARTS 40

/* Bytes that the temporary directory has to have left; a VM writes its results there,
   and a report of some hundred kilobytes when it crashes. */
#define LEAST_ROOM (4 << 20)

struct job {
    const char *group;
    char *out, *log, *select;
    pid_t pid;
    off_t seen;          /* size of out at the last look */
    double progress;     /* when it last grew */
    int starts;
    int begun;           /* assertions that had begun when the VM was started */
    char *ending;        /* how a VM ended between two assertions, or NULL; by malloc */
    bool hung;
};

static volatile sig_atomic_t interrupted;

void
vm_interrupt(void)
{
    interrupted = 1;
}

bool
vm_interrupted(void)
{
    return interrupted != 0;
}

/* Without room for their results and logs the VMs would fail in ways that say nothing
   about them. */
static void
check_room(const struct run *run)
{
    struct statvfs fs;

    if (statvfs(run->work, &fs) == 0 && fs.f_bavail * fs.f_frsize < LEAST_ROOM)
        bad_input("'%s' has less than %d MiB left: nothing can be said about the VM; "
                  "make room, or set TMPDIR to another directory", run->work,
                  LEAST_ROOM >> 20);
}

static off_t
size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? st.st_size : 0;
}

/* The option that a group's VM is started with, or NULL. */
static const char *
group_option(const char *group)
{
    return strcmp(group, "system-loader") == 0
        ? "-Djava.system.class.loader=tck.Plain" : NULL;
}

static char **
command_line(const struct run *run, const struct job *job)
{
    const struct options *opt = &run->opt;
    int words = 0, n = 0;
    char **argv;

    while (opt->java[words] != NULL)
        words++;
    argv = must(calloc(words + 8, sizeof *argv));
    for (; n < words; n++)
        argv[n] = opt->java[n];
    if (opt->agent != NULL)
        argv[n++] = format_text("-agentpath:%s%s%s", opt->agent,
                                opt->mutate != NULL ? ",group=" : "",
                                opt->mutate != NULL ? job->group : "");
    argv[n++] = format_text("-agentpath:%s=group=%s,out=%s,resources=%s,level=%d%s%s",
                            opt->lib, job->group, job->out, opt->classes, opt->level,
                            job->select != NULL ? ",select=" : "",
                            job->select != NULL ? job->select : "");
    if (group_option(job->group) != NULL)
        argv[n++] = (char *)group_option(job->group);
    /* What GetSystemProperty has to know: "properties set on the command-line". */
    argv[n++] = (char *)"-Dtck.given=by the runner";
    argv[n++] = (char *)"-cp";
    argv[n++] = (char *)opt->classes;
    argv[n++] = (char *)"tck.Host";
    return argv;
}

static void
free_command(const struct run *run, char **argv)
{
    int words = 0;

    while (run->opt.java[words] != NULL)
        words++;
    free(argv[words]);
    if (run->opt.agent != NULL)
        free(argv[words + 1]);
    free(argv);
}

static void
free_job(struct job *job)
{
    free(job->out);
    free(job->log);
    free(job->select);
    free(job->ending);
    memset(job, 0, sizeof *job);
}

/* In the child: a process group of its own, output to the log, no core file. */
static void
become_vm(const struct run *run, const struct job *job, char **argv, int report)
{
    struct rlimit none = { 0, 0 };
    int log = open(job->log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    int null = open("/dev/null", O_RDONLY);
    int error;

    setpgid(0, 0);
    guard_tell(getpid(), true);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    dup2(null, 0);
    dup2(log, 1);
    dup2(log, 2);
    if (chdir(run->work) == 0)
        execvp(argv[0], argv);
    error = errno;
    if (write(report, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* Wait for the end of the job's VM, which has ended or was killed. */
static void
reap(const struct job *job, int *status)
{
    waitpid(job->pid, status, 0);
    guard_tell(job->pid, false);
}

/* How many assertions have begun, by the file of results. */
static int
count_begun(const char *out)
{
    FILE *file = fopen(out, "r");
    char *line = NULL;
    size_t room = 0;
    int count = 0;

    while (file != NULL && getline(&line, &room, file) > 0)
        count += strncmp(line, "begin ", 6) == 0;
    if (file != NULL)
        fclose(file);
    free(line);
    return count;
}

/* Start the group's VM; an errno when the command cannot be executed, else 0. */
static int
start(const struct run *run, struct job *job)
{
    char **argv = command_line(run, job);
    int ends[2], error = 0;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    job->begun = count_begun(job->out);
    job->pid = fork();
    if (job->pid == 0)
        become_vm(run, job, argv, ends[1]);
    close(ends[1]);
    if (job->pid < 0 || read(ends[0], &error, sizeof error) < 0)
        error = errno;
    close(ends[0]);
    if (error != 0 && job->pid > 0)
        reap(job, NULL);
    else
        setpgid(job->pid, job->pid);
    job->starts++;
    job->hung = false;
    job->seen = size_of(job->out);
    job->progress = now();
    free_command(run, argv);
    return error;
}

static void
append(const char *path, const char *line)
{
    FILE *file = fopen(path, "a");

    if (file != NULL) {
        fprintf(file, "%s\n", line);
        fclose(file);
    }
}

/* The last line that begins with a word, without it; NULL when there is none. */
static char *
last_line(const char *path, const char *word)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, *found = NULL;
    size_t room = 0;

    while (file != NULL && getline(&line, &room, file) > 0) {
        if (strncmp(line, word, strlen(word)) == 0) {
            free(found);
            line[strcspn(line, "\n")] = '\0';
            found = must(strdup(line + strlen(word)));
        }
    }
    if (file != NULL)
        fclose(file);
    free(line);
    return found;
}

/* The line of the VM's output that tells most about a crash or a failed start. */
static char *
telling_line(const char *log)
{
    static const char *const marks[] = {
        "SIG", "AddressSanitizer", "fatal", "Error", "error", "assert", ""
    };
    char *line = NULL, *found = NULL;
    size_t room = 0;

    for (size_t i = 0; i < sizeof marks / sizeof marks[0] && found == NULL; i++) {
        FILE *file = fopen(log, "r");

        while (file != NULL && found == NULL && getline(&line, &room, file) > 0) {
            char *text = line + strspn(line, "# \t\n");

            text[strcspn(text, "\n")] = '\0';
            if (*text != '\0' && strstr(text, marks[i]) != NULL)
                found = must(strdup(text));
        }
        if (file != NULL)
            fclose(file);
    }
    free(line);
    return found;
}

/* -- reading results -- */


static void
take(struct result *result, enum status status, const char *detail)
{
    result->status = status;
    free(result->detail);
    result->detail = readable_text(detail);
}

/* The VM died in the assertion, whatever that asserts. */
static void
take_death(struct result *result, const char *detail)
{
    take(result, FAIL, detail);
    result->died = true;
}

static void
read_results(struct run *run, const struct job *job)
{
    FILE *file = fopen(job->out, "r");
    struct result *result = NULL;
    char *line = NULL;
    size_t room = 0;

    while (file != NULL && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "begin ", 6) == 0)
            result = find_result(run, line + 6);
        else if (result == NULL)
            continue;
        else if (strcmp(line, "ok") == 0)
            take(result, PASS, "");
        else if (strncmp(line, "not ok ", 7) == 0)
            take(result, FAIL, line + 7);
        else if (strncmp(line, "died ", 5) == 0)
            take_death(result, line + 5);
        else if (strncmp(line, "skip ", 5) == 0)
            take(result, SKIP, line + 5);
        else if (strncmp(line, "time ", 5) == 0)
            result->seconds = atof(line + 5) / 1e6;
    }
    if (file != NULL)
        fclose(file);
    free(line);
}

static bool
has_verdict(const char *out)
{
    FILE *file = fopen(out, "r");
    char *line = NULL;
    size_t room = 0;
    bool verdict = true;

    while (file != NULL && getline(&line, &room, file) > 0) {
        if (strncmp(line, "begin ", 6) == 0)
            verdict = false;
        else if (strncmp(line, "ok", 2) == 0 || strncmp(line, "not ok", 6) == 0
                 || strncmp(line, "skip", 4) == 0 || strncmp(line, "died", 4) == 0)
            verdict = true;
    }
    if (file != NULL)
        fclose(file);
    free(line);
    return verdict;
}

static char *
how_it_ended(const struct run *run, const struct job *job, int status)
{
    char *line, *text, *comparable;

    if (job->hung)
        return format_text("the VM hung: no progress in %d s", run->opt.timeout);
    line = telling_line(job->log);
    if (WIFSIGNALED(status))
        text = format_text("the VM crashed with signal %s%s%s",
                           sigabbrev_np(WTERMSIG(status)), line != NULL ? ": " : "",
                           line != NULL ? line : "");
    else
        text = format_text("the VM ended early with status %d%s%s", WEXITSTATUS(status),
                           line != NULL ? ": " : "", line != NULL ? line : "");
    comparable = comparable_text(text, run->work);
    free(line);
    free(text);
    return comparable;
}

static void
set_ending(struct run *run, const struct job *job, int status)
{
    char *id = format_text("%s.vm.ends-normally", job->group);
    struct result *result = find_result(run, id);

    free(id);
    if (result == NULL)
        return;
    if (job->ending != NULL) {
        take_death(result, job->ending);
    } else if (!job->hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        take(result, PASS, "");
    } else {
        char *text = how_it_ended(run, job, status);

        take_death(result, text);
        free(text);
    }
    /* That a VM died is told also to those who asked about other things. */
    if (result->status == FAIL && run->opt.mutate == NULL)
        result->selected = true;
}

/* What is left of a group that could not be run to its end. */
static void
fail_rest(struct run *run, const char *group, const char *detail)
{
    for (size_t i = 0; i < run->count; i++) {
        struct result *result = &run->results[i];

        if (result->selected && result->status == NOT_RUN
            && strcmp(result->group, group) == 0)
            take(result, FAIL, detail);
    }
}

/*
 * A VM has ended before the group was finished: true when the group has to be started
 * again for what is left.  A VM that dies within an assertion has failed that one, and
 * goes on after it; one that dies between two of them has failed the assertion that it
 * ends normally.  One that did not get as far as its first assertion would not the next
 * time either.
 */
static bool
broke_off(const struct run *run, struct job *job, int status)
{
    char *text = how_it_ended(run, job, status);

    if (!has_verdict(job->out)) {
        char *line = format_text("died %s", text);

        append(job->out, line);
        free(line);
    } else if (job->ending == NULL) {
        job->ending = must(strdup(text));
    }
    free(text);
    return count_begun(job->out) > job->begun && job->starts < MAX_STARTS
        && !run->no_restart;
}

/* A VM has ended: true when the group has to be started again for what is left. */
static bool
ended(struct run *run, struct job *job, int status)
{
    char *finished = last_line(job->out, "finished");
    char *abandoned = last_line(job->out, "abandon ");

    check_room(run);
    if (finished != NULL) {
        set_ending(run, job, status);
    } else if (abandoned != NULL) {
        fail_rest(run, job->group, abandoned);
    } else if (broke_off(run, job, status)) {
        if (truncate(job->log, 0) != 0)
            fprintf(stderr, "tck/run: cannot empty '%s'\n", job->log);
        return true;
    } else if (job->ending != NULL) {
        set_ending(run, job, status);
    }
    read_results(run, job);
    fail_rest(run, job->group,
              job->ending != NULL ? job->ending : "the group was not run to its end");
    free(finished);
    free(abandoned);
    return false;
}

/* -- scheduling -- */

static void
init_job(const struct run *run, struct job *job, const char *group)
{
    memset(job, 0, sizeof *job);
    job->group = group;
    job->out = format_text("%s/%s.out", run->work, group);
    job->log = format_text("%s/%s.log", run->work, group);
    unlink(job->out);
    unlink(job->log);
}

/* Write the ids of the group's selected cases unless all are; false when none is. */
static bool
write_selection(const struct run *run, struct job *job)
{
    bool all = true, any = false;
    FILE *file;

    for (size_t i = 0; i < run->count; i++) {
        if (strcmp(run->results[i].group, job->group) != 0
            || run->results[i].def == NULL)
            continue;
        all = all && run->results[i].selected;
        any = any || run->results[i].selected;
    }
    if (all || !any)
        return any;
    job->select = format_text("%s/%s.select", run->work, job->group);
    file = fopen(job->select, "w");
    if (file == NULL)
        bad_input("cannot write '%s': %s", job->select, strerror(errno));
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected && strcmp(run->results[i].group, job->group) == 0)
            fprintf(file, "%s\n", run->results[i].id);
    fclose(file);
    return true;
}

static bool
poll_job(struct run *run, struct job *job)
{
    off_t size = size_of(job->out);
    int status;
    pid_t pid = waitpid(job->pid, &status, WNOHANG);

    if (pid == 0) {
        if (size != job->seen) {
            job->seen = size;
            job->progress = now();
        } else if (now() - job->progress > run->opt.timeout) {
            job->hung = true;
            kill(-job->pid, SIGKILL);
            waitpid(job->pid, &status, 0);
            pid = job->pid;
        }
    }
    if (pid == 0)
        return true;
    guard_tell(job->pid, false);
    if (ended(run, job, status) && !interrupted)
        return start(run, job) == 0;
    return false;
}

static void
stop_all(struct run *run, struct job *jobs, size_t count)
{
    run->interrupted = interrupted;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].pid > 0) {
            kill(-jobs[i].pid, SIGKILL);
            reap(&jobs[i], NULL);
            read_results(run, &jobs[i]);
            free_job(&jobs[i]);
        }
    }
}

void
vm_run_groups(struct run *run, void (*progress)(struct run *run, size_t done))
{
    struct job *jobs = must(calloc(run->opt.jobs, sizeof *jobs));
    struct timespec pause = { 0, 10000000 };
    size_t next = 0, done = 0;
    int running = 0;

    do {
        while (running < run->opt.jobs && next < run->group_count && !interrupted
               && !run->enough) {
            struct job *job = jobs;

            while (job->pid != 0)
                job++;
            init_job(run, job, run->groups[next++]);
            if (!write_selection(run, job)) {
                free_job(job);
                done++;
            } else if (start(run, job) == 0) {
                running++;
            } else {
                fail_rest(run, job->group, "the VM could not be started");
                free_job(job);
                done++;
            }
        }
        nanosleep(&pause, NULL);
        for (int i = 0; i < run->opt.jobs; i++) {
            if (jobs[i].pid != 0 && !poll_job(run, &jobs[i])) {
                free_job(&jobs[i]);
                running--;
                progress(run, ++done);
            }
        }
    } while (!interrupted && !run->enough && (running > 0 || next < run->group_count));
    if (interrupted || run->enough)
        stop_all(run, jobs, run->opt.jobs);
    free(jobs);
}

void
vm_probe(struct run *run)
{
    struct job job;
    char *about, *rest, *line;
    struct timespec pause = { 0, 10000000 };
    int error, status;

    init_job(run, &job, "probe");
    check_room(run);
    error = start(run, &job);
    if (error != 0)
        bad_input("cannot start '%s': %s", run->opt.java[0], strerror(error));
    while (waitpid(job.pid, &status, WNOHANG) == 0 && !interrupted) {
        if (now() - job.progress > run->opt.timeout) {
            kill(-job.pid, SIGKILL);
            bad_input("'%s' does not end within %d s", run->opt.java_text,
                      run->opt.timeout);
        }
        nanosleep(&pause, NULL);
    }
    if (interrupted) {
        kill(-job.pid, SIGKILL);
        exit(130);
    }
    guard_tell(job.pid, false);
    check_room(run);
    about = last_line(job.out, "vm ");
    if (about == NULL || (rest = strchr(about, ' ')) == NULL) {
        line = last_line(job.out, "abandon ");
        if (line == NULL)
            line = telling_line(job.log);
        bad_input("'%s' does not start with the agent: %s", run->opt.java_text,
                  line != NULL ? line : "no message");
    }
    run->level = atoi(about);
    run->vm_name = readable_text(rest + 1);
    free(about);
    free_job(&job);
}
