/* SPDX-License-Identifier: MIT */
/*
 * tck/src/run.h -- the runner: what is shared by its parts.
 */
#ifndef TCK_SRC_RUN_H
#define TCK_SRC_RUN_H

#include "tck/lib/tck.h"

#include <stddef.h>
#include <stdio.h>

enum status {
    NOT_RUN,
    PASS,
    FAIL,
    SKIP,
    DEPARTURE,        /* fails, as the expectation file says */
    UNEXPECTED_PASS   /* passes against the expectation file */
};

/* An assertion of this run. */
struct result {
    const char *id;
    const char *group;
    const char *section;
    const struct tck_case *def;
    bool selected;
    enum status status;
    char *detail;        /* what came, or why it was skipped; by malloc */
    const char *reason;  /* of an expected departure */
};

struct options {
    char **java;             /* the command, split; NULL-terminated */
    const char *java_text;
    const char *lib;         /* path of the agent library */
    const char *classes;     /* directory of the Java targets */
    const char *filters[64];
    int filter_count;
    const char *expect;
    const char *reports[16];
    int report_count;
    const char *others[8];   /* JSON reports to show beside this run */
    int other_count;
    const char *agent;       /* another agent to load first, or NULL */
    const char *mutate;      /* glob over faults, or NULL */
    const char *mutator;     /* path of the agent that makes them */
    const char *log;         /* of what came of the faults, or NULL */
    const char *after[8];    /* such logs of earlier runs */
    int after_count;
    int jobs;
    int shard, shards;
    int timeout;             /* seconds without progress */
    bool list, coverage, quiet;
};

struct run {
    struct options opt;
    struct result *results;
    size_t count;
    const char **groups;
    size_t group_count;
    char *vm_name;           /* from the VM itself */
    int level;
    char work[64];           /* temporary directory */
    bool interrupted;
    bool enough;             /* set it to have vm_run_groups stop */
    bool no_restart;         /* a crash ends its group */
    double seconds;
};

/* Say on stderr what is wrong with the input and exit with status 2. */
void bad_input(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* Memory that cannot be had ends the program. */
void *must(void *memory);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
double now(void);

struct result *find_result(struct run *run, const char *id);
const char *status_name(enum status status);

/* -- vm.c -- */

/* Start the VM once; bad_input when it does not get as far as loading the agent. */
void vm_probe(struct run *run);
/* Run all selected groups and fill in the results. */
void vm_run_groups(struct run *run, void (*progress)(struct run *run, size_t done));
/* Ask vm_run_groups to stop; safe in a signal handler. */
void vm_interrupt(void);

bool vm_interrupted(void);

/* -- mutation.c -- */

/* Try the faults that opt.mutate names, one by one; the exit status. */
int mutation_run(struct run *run);

/* -- expect.c -- */

/* Read the expectation file; bad_input for what is wrong with it. */
void expect_read(struct run *run);
/* Turn failures that it lists into departures, and passes into unexpected ones. */
void expect_apply(struct run *run);

/* -- report.c, html.c -- */

void report_tap(const struct run *run, FILE *out);
/* By the file's ending: .tap, .xml, .json, .html. */
void report_check(const char *path);
void report_write(const struct run *run, const char *path);
void report_html(const struct run *run, FILE *out);

/* -- coverage.c -- */

/* Print what is tested and what is not; the exit status. */
int coverage_print(const struct run *run);

#endif
