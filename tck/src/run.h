/* SPDX-License-Identifier: MIT */
/*
 * tck/src/run.h -- the runner: what is shared by its parts.
 */
#ifndef TCK_SRC_RUN_H
#define TCK_SRC_RUN_H

#include "tck/lib/tck.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum status {
    NOT_RUN,
    PASS,
    FAIL,
    SKIP,
    LACK,             /* like FAIL, but of what is advised only */
    DEPARTURE,        /* fails, as the expectation file says */
    KNOWN_LACK,       /* so does this one, of what is advised only */
    UNEXPECTED_PASS   /* passes against the expectation file */
};

/* An assertion of this run. */
struct result {
    const char *id;
    const char *group;
    const char *section;
    const struct tck_case *def;
    enum tck_class class;
    int since;           /* the level that demands it first */
    bool selected;
    bool died;           /* the VM crashed, hung or ended early in it */
    enum status status;
    char *detail;        /* what came, or why it was skipped; by malloc */
    double seconds;      /* that it took in the VM; 0 when it came to no end */
    const char *reason;  /* of an expected departure, and the section */
    const char *line;    /* where the expectation file lists it */
};

struct options {
    char **java;             /* the command, split; NULL-terminated */
    const char *java_text;
    const char *lib;         /* path of the agent library */
    const char *classes;     /* directory of the Java targets */
    const char *filters[64];
    int filter_count;
    const char *expect;
    const char *accept;      /* the expectation file to write, or NULL */
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
    int level;               /* of JVM TI to judge by; 0: the one that the VM tells */
    int timeout;             /* seconds without progress */
    char **merged;           /* the reports to merge, or NULL */
    int merged_count;
    bool list, facts, coverage, quiet, merge;
};

struct run {
    struct options opt;
    struct result *results;
    size_t count;
    const char **groups;
    size_t group_count;
    char *vm_name;           /* from the VM itself */
    int level;
    char *comments;          /* of the expectation file */
    char *work;              /* temporary directory; by malloc */
    char date[32];           /* when the run began: ISO 8601, in UTC */
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

const char *status_name(enum status status);

/* -- catalog.c -- */

/* Fill in all assertions that there are: the agent's cases, and one about the end of each
   group's VM. */
void catalog_build(struct run *run);
/* Print the selected ones' ids; with opt.facts "ID | class | level | section". */
void catalog_print(const struct run *run);
struct result *find_result(struct run *run, const char *id);
/* The group's place in run->groups, or -1. */
int group_index(const struct run *run, const char *group);

/* -- text.c -- */

/* A copy in which all bytes that are no printable UTF-8 read \xNN. */
char *readable_text(const char *text);
/* A copy without what differs from run to run: addresses and process ids read '*', and
   the work directory '.'. */
char *comparable_text(const char *text, const char *work);

/* -- guard.c -- */

/* Start the process that cleans up should this one be killed: kills the VMs that run
   and removes the directory work. */
void guard_start(const char *work);
/* A VM has been started in a process group of its own, or has ended. */
void guard_tell(pid_t group, bool is_running);
/* All VMs have ended: let the guard end, too. */
void guard_end(void);
void remove_directory(const char *path);

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
/* Tell failures apart: those of what is advised are lacks, unless the VM died of them;
   and those that the file lists are known.  Listed ones that pass are unexpected. */
void expect_apply(struct run *run);
/* Write an expectation file by which this run would be as expected: the comments and, of
   the lines that were read, those that hold or were not tried, and a line for each further
   failure. */
void expect_write(const struct run *run, const char *path);

/* -- report.c, html.c -- */

void report_tap(const struct run *run, FILE *out);
/* bad_input unless path can be written and ends in .tap, .xml, .json or .html, which
   says what report_write makes of it.  Leaves no new file behind. */
void report_check(const char *path);
void report_write(const struct run *run, const char *path);
void report_html(const struct run *run, FILE *out);

/* -- merge.c -- */

/* Read a .json report; bad_input when it is none.  Lives as long as the program. */
struct cJSON *report_read(const char *path);
/* Take the results from the .json reports of earlier runs instead of from a VM;
   bad_input when they are not of one VM. */
void merge_reports(struct run *run, char **paths, int count);

/* -- coverage.c -- */

/* Print what is tested and what is not; the exit status. */
int coverage_print(const struct run *run);

#endif
