/* SPDX-License-Identifier: MIT */
/*
 * measure OUT COMMAND [ARG...]: run the command with its standard output in OUT and its
 * standard error in OUT.err, then print one line: exit code (128 + n for signal n),
 * user+system seconds, wall seconds, peak resident KiB.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
redirect(const char *path, int fd)
{
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (to < 0 || dup2(to, fd) < 0) {
        perror(path);
        _exit(126);
    }
    close(to);
}

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double
seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int
main(int argc, char **argv)
{
    char err[4096];
    struct rusage use;
    double start;
    pid_t pid;
    int status;

    if (argc < 3 || strlen(argv[1]) > sizeof err - 8) {
        fprintf(stderr, "usage: measure OUT COMMAND [ARG...]\n");
        return 2;
    }
    snprintf(err, sizeof err, "%s.err", argv[1]);
    start = now();
    pid = fork();
    if (pid < 0) {
        perror("fork");
        return 1;
    }
    if (pid == 0) {
        int null = open("/dev/null", O_RDONLY);

        dup2(null, STDIN_FILENO);
        redirect(argv[1], STDOUT_FILENO);
        redirect(err, STDERR_FILENO);
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (wait4(pid, &status, 0, &use) != pid) {
        perror("wait4");
        return 1;
    }
    printf("%d %.4f %.4f %ld\n",
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
           seconds(use.ru_utime) + seconds(use.ru_stime), now() - start, use.ru_maxrss);
    return 0;
}
