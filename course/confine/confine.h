/* SPDX-License-Identifier: MIT */
/*
 * course/confine/confine.h -- one bounded run of a command that nobody trusts.
 *
 * `tiforge lab` and `tiforge mark` start each compiler and each JVM of a submission by
 * this program.  It owns the limits and the isolation; what the output is worth is
 * judged by the marking, outside.  It promises that the command has ended, with all
 * that it started, when the program ends, and that no more of its output was kept than
 * was asked for.
 */
#ifndef COURSE_CONFINE_H
#define COURSE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How far the command is kept away from the rest; the best that the system allows. */
enum isolation {
    NAMESPACES,         /* as root: own mounts, processes and network */
    USER_NAMESPACE,     /* the same, for everybody */
    SAME_SYSTEM,        /* only the limits, and another user if we are root */
    ISOLATION_COUNT
};

struct job {
    long wall, cpu, idle;       /* seconds */
    long memory;                /* MB that all processes together may have resident */
    long space;                 /* MB of addresses of each process */
    long processes;             /* and threads */
    long file;                  /* MB of each file, and of the scratch folder */
    long output;                /* kB that are kept of each stream */
    const char *out, *err;      /* files for the streams */
    const char *status;         /* file for one line that says how it ended */
    const char *scratch;        /* folder to start in: empty, and gone afterwards */
    const char *write;          /* folder that may be written; NULL for none */
    const char *show;           /* folder to be seen below a hidden one; NULL */
    char **hidden;              /* folders and files that look empty */
    size_t hidden_count;
    uid_t uid;                  /* for whom to run if we are root; 0: stay root */
    char **command;
};

/* What the processes of a job use, all of them together. */
struct usage {
    long processes, threads;
    long running;               /* threads that compute or wait for a disk */
    double cpu;                 /* seconds, of those that have ended, too */
    long resident;              /* MB */
};

/* ---- tree.c ---- */

/* What process root and its descendants use now. */
void tree_usage(pid_t root, struct usage *usage);
/* Kill the descendants of root, not root itself, until there are none. */
void tree_kill(pid_t root);

/* ---- inside.c ---- */

/*
 * Start the job; the result is the process that holds all others, or -1 if it cannot
 * be had with this isolation.  `*report` is where it writes the command's wait status,
 * an int, when that has ended.  The streams go to out and err.
 */
pid_t inside_start(const struct job *job, enum isolation isolation, int out, int err,
                   int *report);

#endif
