/* SPDX-License-Identifier: MIT */
/*
 * layer/test/misuse/misuse.h -- an agent that breaks one rule of tiforge check, or does
 * the same rightly.
 *
 *     -agentpath:libmisuse.so=RULE,wrong
 *
 * A case is a row of the table of its family with functions for the moments at which it
 * does something.
 */
#ifndef LAYER_TEST_MISUSE_H
#define LAYER_TEST_MISUSE_H

#include <stdbool.h>

#include <jvmti.h>

struct misuse {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    JNIEnv *jni;            /* NULL while the agent is loaded and unloaded */
    jthread thread;         /* in init: main's */
    bool right;
};

struct misuse_case {
    const char *rule;
    void (*load)(struct misuse *m);     /* Agent_OnLoad */
    void (*init)(struct misuse *m);     /* VMInit */
    void (*death)(struct misuse *m);    /* VMDeath */
    void (*unload)(struct misuse *m);   /* Agent_OnUnload */
};

/* Tables of cases; a row without a rule ends each. */
extern const struct misuse_case memory_cases[], phase_cases[], callback_cases[],
    thread_cases[], monitor_cases[], reference_cases[], table_cases[], id_cases[],
    class_cases[], error_cases[], progress_cases[], correct_cases[];

/* The one that runs, for callbacks. */
extern struct misuse *misuse_now;
/* What Agent_OnLoad got, which ends with it. */
extern const char *misuse_options;
/* Callbacks besides VMInit and VMDeath: set before `load` returns. */
extern jvmtiEventCallbacks misuse_callbacks;

void misuse_enable(struct misuse *m, jvmtiEvent event);
void misuse_must(jvmtiError error, const char *what);
/* Add can_tag_objects and the like: the bit's member of jvmtiCapabilities. */
#define MISUSE_CAPABILITY(m, name) \
    misuse_must((*(m)->jvmti)->AddCapabilities((m)->jvmti, \
                                               &(jvmtiCapabilities){ .name = 1 }), \
                #name)
/* A new java.lang.Thread that runs proc as an agent thread. */
jthread misuse_thread(struct misuse *m, jvmtiStartFunction proc, void *arg);
/* A lock for the tests' own needs, with a count to wait for; not a raw monitor. */
void misuse_signal(int *place, int value);
void misuse_await(const int *place, int value);
/* One more at the place: of several threads none is lost. */
void misuse_count(int *place);

#endif
