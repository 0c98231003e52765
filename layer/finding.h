/* SPDX-License-Identifier: MIT */
/* layer/finding.h -- what was found, for those who write it. */
#ifndef LAYER_FINDING_H
#define LAYER_FINDING_H

#include <stdbool.h>

#include "layer/check.h"

enum severity { ADVICE, WARNING, ERROR };

/* A row of the table of rules, layer/rules.txt. */
struct rule_facts {
    const char *id;
    enum severity severity;
    const char *sentence, *section, *remedy;
};
extern const struct rule_facts rule_facts[RULE_COUNT];
extern const char *const severity_names[];

struct finding {
    enum check_rule rule;
    const char *function;       /* of JVM TI or JNI, or an event; "" if there is none */
    char *message;
    char thread[64];
    int frame_count;
    char *frames[STACK_FRAMES]; /* from the agent's innermost one on */
    char *file;                 /* of that one, with the line; NULL if it is not known */
    int line;
    int text_count;             /* frames, with those of libtiforge before it */
    struct stack stack;
    uintptr_t place;            /* with rule the key: source_place */
    long count;
    struct finding *next;
};

/* Read a file of suppressions; false, with a message, if that cannot be. */
bool finding_read_suppressions(const char *path);
/* Take the names of rules or families, separated by colons or commas, that alone are
   to be told; false, with a message, for one that there is not. */
bool finding_select(const char *names);
/* The oldest one, without a lock: for the report of a crash. */
const struct finding *finding_first(void);
/* Write the report and the status, if they are wanted; `is_last` says that the agents
   have ended. */
void finding_write(bool is_last);
/* The same, with a word for the status. */
void finding_write_state(const char *state);

/* report.c: write all findings in the form that the name of the file asks for. */
bool report_is_known(const char *path);
bool report_write(const char *path, const struct finding *findings);

#endif
