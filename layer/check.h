/* SPDX-License-Identifier: MIT */
/*
 * layer/check.h -- the checking layer: what all of its parts know.
 *
 * libtiforge-check.so is an agent that loads another one and stands between it and the
 * VM (layer/interpose).  agent.c loads it; hooks.c is told of each call and each callback
 * and asks the families of rules, each in a file of its own; finding.c keeps what was
 * found and report.c writes it.
 *
 * The families do not call the agent and take no lock of the VM while they hold one of
 * their own.  Where a call breaks a rule so that the VM would be damaged it is left out,
 * and the agent gets the error that the specification has for it.
 */
#ifndef LAYER_CHECK_H
#define LAYER_CHECK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "layer/interpose/interpose.h"
#include "layer/stack.h"

#include <check_rules.h>

/* ---- what there is of it ---- */

/* An agent that is checked. */
struct check_agent {
    char *path;
    const char *name;       /* the last part of path */
    void *library;
    struct interpose_vm *vm;
    bool has_ended;         /* its Agent_OnUnload was called */
    struct check_agent *next;
};

/* Of an environment: struct interpose_env.state. */
struct check_env {
    jint version;
    uint64_t held, ever_held, used;         /* bits of capabilities */
    uint64_t ever_enabled, ever_called_back;    /* events, by number - the least one */
    struct event_cost {
        long long count, sampled, nanoseconds;
    } costs[INTERPOSE_EVENT_COUNT];
};

#define MAX_HELD 32

struct raw_monitor;

/* Of a thread: struct interpose_thread.state. */
struct check_thread {
    struct interpose_thread *thread;
    bool is_attached_by_agent, is_daemon;
    bool is_loading;        /* in a start or an end function of the agent */
    bool has_used_jni;      /* since its innermost callback began */
    bool is_marked;         /* the layer's environment knows the thread's record */
    int suspended;          /* by the agent, and not yet resumed */
    int criticals;          /* critical regions that it is in */
    int java_monitors;      /* entered by JNI and not yet left */
    uintptr_t stack_place;  /* an address in the stack of a thread of the agent's, or 0 */
    struct stack attached_at;
    int held_count;
    struct {
        struct raw_monitor *monitor;
        int entries;
    } held[MAX_HELD];
};

/* Options: those of the command line, or of -agentpath. */
struct check_options {
    char *agent, *report, *status, *agent_options;
    char *trace, *filter;
    int fail_on;
    bool is_poisoning, is_summary;
};
extern struct check_options check_options;

/* An environment of the layer's own, of which the agents know nothing. */
extern jvmtiEnv *check_jvmti;
extern JavaVM *check_real_vm;

/* The phase, JVMTI_PHASE_DEAD once VMDeath has been sent to all. */
jvmtiPhase check_phase(void);
/* The calling thread's record. */
struct check_thread *check_thread_self(void);
/* The record of a Java thread, or NULL if it has none.  Live phase only. */
struct check_thread *check_thread_of(jthread thread);
/* May the calling thread ask the VM for names and the like? */
bool check_may_ask(const struct interpose_thread *thread);
/* Let the calling thread be found by check_thread_of, if that can be now. */
void check_thread_mark(struct interpose_thread *thread);
/* "main" or the like; "" if it cannot be told. */
void check_thread_name(char *name, size_t size);

/* ---- findings: finding.c ---- */

/* Tell that a rule was broken by a call, or at a place of the agent. */
void check_found(enum check_rule rule, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what happened at a place that was kept, `count` times. */
void check_found_at(enum check_rule rule, const char *function,
                    const struct stack *stack, long count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- the families ---- */

/* Begin returns false where the call has to be left out; call->error is its answer. */
bool memory_begin(struct interpose_call *call);
void memory_end(struct interpose_call *call);
void memory_class_bytes(struct interpose_event *event);
void memory_disposed(struct interpose_env *env);
void memory_at_exit(void);
/* The agent frees with free() or realloc(); true if it is memory of JVM TI, which is
   then given up, after `size` bytes of it have been copied unless copy is NULL. */
bool memory_freed_by_agent(void *pointer, void *copy, size_t size);

bool phase_begin(struct interpose_call *call);
void phase_end(struct interpose_call *call);
void phase_env_ended(struct interpose_env *env);

bool callback_begin(struct interpose_call *call);
bool callback_jni_begin(struct interpose_jni_call *call);
void callback_jni_end(struct interpose_jni_call *call);
void callback_event_begin(struct interpose_event *event);
void callback_event_end(struct interpose_event *event);
void callback_env_ended(struct interpose_env *env);

bool monitor_begin(struct interpose_call *call);
void monitor_end(struct interpose_call *call);
void monitor_at_exit(void);
/* True, with a name, if the thread has entered a raw monitor. */
bool monitor_is_held(const struct check_thread *thread, const char **name);
int monitor_entries(const struct check_thread *thread);
/* The name of a monitor that the agent has; NULL if it is none. */
const char *monitor_name(const void *id);

bool thread_begin(struct interpose_call *call);
void thread_end(struct interpose_call *call);
void thread_at_exit(void);
void thread_at_death(void);

void reference_call_begin(const struct interpose_call *call);
bool reference_jni_begin(struct interpose_jni_call *call);
void reference_jni_end(const struct interpose_jni_call *call);
void reference_at_exit(void);

bool table_begin(struct interpose_call *call);
void table_jni_begin(const struct interpose_jni_call *call);

/* got.c: have free() and realloc() of the agent's library come by. */
void got_redirect(const struct check_agent *agent);

#endif
