/* SPDX-License-Identifier: MIT */
/*
 * tck/src/guard.c -- sees to it that nothing is left when the runner is killed.
 *
 * A VM that hangs outlives a runner that SIGKILL ends, since nobody is there any more to
 * notice its timeout.  So the runner has a second process, the guard, that reads from a
 * pipe which VMs were started and which have ended.  When the last writer is gone, that
 * is, when the runner has ended in whatever way, the guard kills what was started and
 * not ended, and removes the work directory.  It kills process groups: a VM may be
 * started by a script.
 */
#include "tck/src/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How many VMs may run at the same time. */
#define MAX_GROUPS 1024

/* What the pipe carries; short enough to be written whole. */
struct notice {
    pid_t group;
    bool is_running;
};

static int pipe_out = -1;
static pid_t guard;

void
remove_directory(const char *path)
{
    char *command = format_text("rm -rf '%s'", path);

    if (system(command) != 0)
        fprintf(stderr, "tck/run: cannot remove '%s'\n", path);
    free(command);
}

/* Set down that the group runs, or that it does not. */
static void
note(pid_t *groups, const struct notice *notice)
{
    pid_t from = notice->is_running ? 0 : notice->group;
    pid_t to = notice->is_running ? notice->group : 0;

    for (int i = 0; i < MAX_GROUPS; i++)
        if (groups[i] == notice->group && notice->is_running)
            return;
    for (int i = 0; i < MAX_GROUPS; i++)
        if (groups[i] == from) {
            groups[i] = to;
            return;
        }
}

/* The guard's life.  It keeps none of the runner's files open, so that who reads the
   runner's output sees its end. */
static void
watch(int in, const char *work)
{
    static pid_t groups[MAX_GROUPS];
    struct notice notice;
    int null = open("/dev/null", O_RDWR);
    ssize_t got;

    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    do {
        got = read(in, &notice, sizeof notice);
        if (got == sizeof notice)
            note(groups, &notice);
    } while (got > 0 || (got < 0 && errno == EINTR));
    for (int i = 0; i < MAX_GROUPS; i++)
        if (groups[i] > 0)
            kill(-groups[i], SIGKILL);
    if (access(work, F_OK) == 0)
        remove_directory(work);
    _exit(0);
}

void
guard_start(const char *work)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        bad_input("cannot make a pipe: %s", strerror(errno));
    guard = fork();
    if (guard < 0)
        bad_input("cannot start a process: %s", strerror(errno));
    if (guard == 0) {
        close(ends[1]);
        watch(ends[0], work);
    }
    close(ends[0]);
    pipe_out = ends[1];
}

void
guard_tell(pid_t group, bool is_running)
{
    struct notice notice;

    memset(&notice, 0, sizeof notice);
    notice.group = group;
    notice.is_running = is_running;
    /* Without a guard the runner still works. */
    while (pipe_out >= 0 && write(pipe_out, &notice, sizeof notice) < 0
           && errno == EINTR)
        ;
}

void
guard_end(void)
{
    if (pipe_out < 0)
        return;
    close(pipe_out);
    pipe_out = -1;
    waitpid(guard, NULL, 0);
}
