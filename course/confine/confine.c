/* SPDX-License-Identifier: MIT */
/*
 * course/confine/confine.c -- runs one command of an untrusted submission, bounded:
 *
 *     confine [OPTION VALUE]... -- COMMAND [ARGUMENT...]
 *
 * We stay outside as the supervisor and start the holder (inside.c) with the best
 * isolation that the system allows.  The command's streams are pipes that we read: what
 * goes beyond the limit is thrown away, and a flood ends the job.  Five times a second
 * we look at what the processes use (tree.c).
 *
 * Time is processor time first, so that a busy machine changes no verdict: a job ends
 * when it has computed for so long, or when nothing in it has wanted to compute for so
 * long, which is what a deadlock looks like; the limit of the clock is far behind both.
 *
 * The status file gets one line: "exit N", "signal N", or "limit WHAT"; and behind it
 * the isolation.  Our own status is 0 if the command ran, whatever became of it.
 */
#include "course/confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* So many times the kept output may be written before the job counts as a flood. */
#define FLOOD 256
#define SAMPLE_MS 200

static const char *const isolation_names[ISOLATION_COUNT] = {
    "namespaces", "user-namespace", "limits-only"
};

static volatile sig_atomic_t stopped;

struct stream {
    int from, to;
    long kept, seen;        /* bytes */
};

/* A window in which the job did nothing, so far. */
struct rest {
    double since, cpu;
    long samples, busy;
};

static void
on_signal(int number)
{
    stopped = number;
}

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
fail(const char *what, const char *name)
{
    fprintf(stderr, "confine: %s '%s'%s%s\n", what, name, errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    exit(2);
}

/* ---- The command line ---- */

struct option {
    const char *name;
    long *number;
    const char **text;
};

static void
hide(struct job *job, const char *path)
{
    job->hidden = realloc(job->hidden, (job->hidden_count + 1) * sizeof *job->hidden);
    if (job->hidden == NULL || (job->hidden[job->hidden_count++] = strdup(path)) == NULL)
        fail("no memory for", path);
}

/* The file has a path in each line, so that they may hold blanks. */
static void
hide_list(struct job *job, const char *name)
{
    FILE *file = fopen(name, "re");
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    if (file == NULL)
        fail("cannot read", name);
    while ((length = getline(&line, &size, file)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] == '/')
            hide(job, line);
    }
    free(line);
    fclose(file);
}

static void
take_option(struct job *job, const char *name, const char *value)
{
    long uid = -1;
    const struct option table[] = {
        { "--wall", &job->wall, NULL }, { "--cpu", &job->cpu, NULL },
        { "--idle", &job->idle, NULL }, { "--memory", &job->memory, NULL },
        { "--space", &job->space, NULL }, { "--processes", &job->processes, NULL },
        { "--file", &job->file, NULL }, { "--output", &job->output, NULL },
        { "--uid", &uid, NULL }, { "--out", NULL, &job->out },
        { "--err", NULL, &job->err }, { "--status", NULL, &job->status },
        { "--scratch", NULL, &job->scratch }, { "--write", NULL, &job->write },
        { "--show", NULL, &job->show }
    };
    char *end;

    if (strcmp(name, "--env") == 0) {
        putenv((char *)value);
        return;
    }
    if (strcmp(name, "--hide") == 0) {
        hide(job, value);
        return;
    }
    if (strcmp(name, "--hide-list") == 0) {
        hide_list(job, value);
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(name, table[i].name) != 0)
            continue;
        if (table[i].text != NULL) {
            *table[i].text = value;
            return;
        }
        *table[i].number = strtol(value, &end, 10);
        if (end == value || *end != '\0' || *table[i].number < 0)
            fail("no number", value);
        if (uid >= 0)
            job->uid = (uid_t)uid;
        return;
    }
    fail("no option", name);
}

static void
read_arguments(struct job *job, char **argv)
{
    clearenv();
    putenv((char *)"PATH=/usr/local/bin:/usr/bin:/bin");
    putenv((char *)"LANG=C.UTF-8");
    for (argv++; *argv != NULL && strcmp(*argv, "--") != 0; argv += 2) {
        if (argv[1] == NULL)
            fail("no value for", *argv);
        take_option(job, argv[0], argv[1]);
    }
    if (*argv == NULL || argv[1] == NULL || job->out == NULL || job->err == NULL
        || job->status == NULL)
        fail("confine wants", "--out F --err F --status F -- COMMAND");
    job->command = argv + 1;
    if (job->scratch != NULL) {
        setenv("HOME", job->scratch, 1);
        setenv("TMPDIR", job->scratch, 1);
    }
}

/* ---- Output ---- */

static void
open_stream(struct stream *stream, const char *file, int *inside)
{
    int ends[2];

    memset(stream, 0, sizeof *stream);
    stream->to = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (stream->to < 0)
        fail("cannot write", file);
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail("no pipe for", file);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    stream->from = ends[0];
    *inside = ends[1];
}

/* Takes what is there; closes the stream at its end. */
static void
drain(struct stream *stream, long limit)
{
    char bytes[65536];
    ssize_t got = 0;

    for (int i = 0; stream->from >= 0 && i < 64; i++) {
        got = read(stream->from, bytes, sizeof bytes);
        if (got <= 0)
            break;
        stream->seen += got;
        if (stream->kept < limit) {
            size_t some = (size_t)(limit - stream->kept < got ? limit - stream->kept
                                                              : got);
            if (write(stream->to, bytes, some) != (ssize_t)some)
                stream->seen = limit * FLOOD + 1;
            stream->kept += (long)some;
        }
    }
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        if (stream->from >= 0)
            close(stream->from);
        stream->from = -1;
    }
}

/* All processes have ended: what is left in the pipe. */
static void
drain_rest(struct stream *stream, long limit)
{
    while (stream->from >= 0 && stream->seen < limit * FLOOD) {
        drain(stream, limit);
        if (stream->from >= 0)
            usleep(1000);
    }
}

/* ---- Limits ---- */

/* Has the job done next to nothing, and wanted to do nothing, for the idle time? */
static bool
is_idle(const struct job *job, const struct usage *usage, struct rest *rest)
{
    double time = now();

    rest->samples++;
    rest->busy += usage->running > 0;
    if (usage->cpu - rest->cpu > 0.02 * (double)job->idle
        || (rest->samples > 10 && rest->busy * 4 > rest->samples)
        || rest->since == 0) {
        *rest = (struct rest){ .since = time, .cpu = usage->cpu };
        return false;
    }
    return time - rest->since > (double)job->idle;
}

/* The limit that the job has passed, or NULL. */
static const char *
passed_limit(const struct job *job, const struct usage *usage, struct rest *rest,
             double started, const struct stream *streams)
{
    if (usage->cpu > (double)job->cpu)
        return "cpu";
    if (usage->resident > job->memory)
        return "memory";
    if (usage->threads > job->processes * 2)
        return "processes";
    if (streams[0].seen > job->output * 1024 * FLOOD
        || streams[1].seen > job->output * 1024 * FLOOD)
        return "output";
    if (now() - started > (double)job->wall)
        return "wall";
    return is_idle(job, usage, rest) ? "idle" : NULL;
}

/* Until the command ends (its status is in *status) or passes a limit. */
static const char *
supervise(const struct job *job, pid_t holder, int report, struct stream *streams,
          int *status)
{
    double started = now(), sampled = 0;
    struct rest rest = { 0 };
    struct usage usage;

    for (;;) {
        struct pollfd polls[3] = {
            { .fd = report, .events = POLLIN },
            { .fd = streams[0].from, .events = POLLIN },
            { .fd = streams[1].from, .events = POLLIN }
        };
        const char *limit;

        poll(polls, 3, SAMPLE_MS);
        if (stopped)
            return "stopped";
        drain(&streams[0], job->output * 1024);
        drain(&streams[1], job->output * 1024);
        if (polls[0].revents != 0)
            return read(report, status, sizeof *status) == sizeof *status ? NULL
                                                                          : "lost";
        if (now() - sampled < SAMPLE_MS / 1000.0)
            continue;
        tree_usage(holder, &usage);
        sampled = now();
        limit = passed_limit(job, &usage, &rest, started, streams);
        if (limit != NULL)
            return limit;
    }
}

/* Ends what is left.  Without namespaces the holder's children go first, since they
   would become ours. */
static void
end_all(pid_t holder, enum isolation isolation)
{
    if (isolation == SAME_SYSTEM) {
        kill(holder, SIGSTOP);
        tree_kill(holder);
    }
    kill(holder, SIGKILL);
    while (waitpid(holder, NULL, 0) < 0 && errno == EINTR)
        ;
    if (isolation == SAME_SYSTEM) {
        tree_kill(getpid());
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
}

static void
write_status(const struct job *job, const char *limit, int status,
             enum isolation isolation)
{
    FILE *file = fopen(job->status, "we");

    if (file == NULL)
        fail("cannot write", job->status);
    if (limit != NULL)
        fprintf(file, "limit %s", limit);
    else if (WIFSIGNALED(status))
        fprintf(file, "signal %d", WTERMSIG(status));
    else
        fprintf(file, "exit %d", WEXITSTATUS(status));
    fprintf(file, " %s\n", isolation_names[isolation]);
    if (fclose(file) != 0)
        fail("cannot write", job->status);
}

int
main(int argc, char **argv)
{
    struct job job = {
        .wall = 600, .cpu = 60, .idle = 20, .memory = 1024, .space = 8192,
        .processes = 256, .file = 64, .output = 1024
    };
    struct sigaction action = { .sa_handler = on_signal };
    struct stream streams[2];
    enum isolation isolation;
    int out, err, report = -1, status = 0;
    const char *limit;
    pid_t holder = -1;

    (void)argc;
    read_arguments(&job, argv);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    /* The shell that wants the result is gone: nobody will read it. */
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    open_stream(&streams[0], job.out, &out);
    open_stream(&streams[1], job.err, &err);
    for (isolation = 0; isolation < ISOLATION_COUNT; isolation++) {
        holder = inside_start(&job, isolation, out, err, &report);
        if (holder > 0)
            break;
    }
    if (holder < 0)
        fail("cannot start", job.command[0]);
    close(out);
    close(err);
    limit = supervise(&job, holder, report, streams, &status);
    end_all(holder, isolation);
    for (int i = 0; i < 2 && !stopped; i++)
        drain_rest(&streams[i], job.output * 1024);
    write_status(&job, limit, status, isolation);
    return stopped ? 128 + stopped : 0;
}
