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
#include <setjmp.h>
#include <signal.h>
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
    jint needed_level;      /* the highest of what it uses */
    uint64_t held, ever_held, used;         /* bits of capabilities */
    /* Events, by number - the least one: asked for, in vain or not, and so on. */
    uint64_t ever_asked_for, ever_enabled, ever_called_back;
    struct event_cost {
        long long count, sampled, nanoseconds;
        long long long_ones;    /* of those sampled */
        int very_long;          /* and took a processor's time */
        int collections;        /* that its callbacks have asked for */
    } costs[INTERPOSE_EVENT_COUNT];
};

#define MAX_HELD 32
#define LOCAL_FRAMES 3          /* callbacks within one another that are followed */
#define LOCAL_REFERENCES 48     /* of one */
#define LOCAL_PAST 64           /* of callbacks that have returned */
#define LOCAL_PUSHED 4
#define LOCAL_GONE 16           /* that were deleted last */

/* A call of JVM TI or JNI, for the report of a crash. */
#define LAST_CALLS 20
struct last_call {
    const char *name;
    bool is_jni, is_over;
    int error, depth;
};

/* Local references of a callback; the first one of a thread is for what runs outside of
   callbacks, where they are counted only. */
struct local_frame {
    int calls;              /* of the agent that are under way */
    int count;
    bool is_full;
    void *references[LOCAL_REFERENCES];
    int made, ensured, pushed;
    int given, most;        /* of an agent thread: not deleted; by one call at most */
    struct {
        int made, ensured, given;
    } before[LOCAL_PUSHED]; /* PushLocalFrame */
};

struct raw_monitor;
struct reach;

/* Of a thread: struct interpose_thread.state. */
struct check_thread {
    struct interpose_thread *thread;
    bool is_attached_by_agent, is_daemon;
    const char *loading;    /* the start or the end function of the agent that it is in */
    bool has_used_jni;      /* since its innermost callback began */
    bool has_thrown;        /* since then, by Throw or ThrowNew */
    bool is_marked;         /* the layer's environment knows the thread's record */
    bool is_overtaken;      /* has made a call outside of callbacks after VMDeath */
    int suspended;          /* by the agent, and not yet resumed */
    int criticals;          /* critical regions that it is in */
    bool is_kept_used;      /* by the call that runs: a reference that was kept */
    bool is_deallocate_wrong;   /* the last Deallocate got an address that is no block's */
    int java_monitors;      /* entered by JNI and not yet left */
    long elements_size;     /* of what a call of JNI is about to give; -1: not known */
    uintptr_t stack_place;  /* an address in the stack of a thread of the agent's, or 0 */
    struct stack attached_at;
    char name[64];          /* "" until the thread has entered a raw monitor */
    void *caller;           /* of the last call: the place in the agent */
    int depth;              /* callbacks within one another */
    struct local_frame locals[LOCAL_FRAMES + 1];
    void *past[LOCAL_PAST]; /* references of callbacks that have returned */
    int next_past;
    struct {
        void *reference, *caller;
    } gone[LOCAL_GONE];     /* deleted, and not given again since */
    int next_gone;
    unsigned callbacks[INTERPOSE_EVENT_COUNT], all_callbacks;   /* that it has had */
    unsigned long chance;   /* what stress draws next; 0: not yet begun */
    struct last_call calls[LAST_CALLS];
    unsigned next_call;
    unsigned long turn;     /* when it last came to run code of the agent; 0: never */
    struct check_thread *older;     /* in the list of all */
    long id;                /* the kernel's; `thread` may be used again */
    int under_way;          /* calls within one another */
    struct {
        int function;
        jvmtiError error;   /* NONE: the last call did not fail */
        void *left[INTERPOSE_MAX_ARGS];     /* in the places of its results */
    } failed;
    /* For the watchdog: the callback that runs, else the call; NULL for none. */
    const char *busy_in;
    int busy_since;
    bool is_in_call;
    struct raw_monitor *wants;      /* is about to enter it */
    jweak wants_object, spent_object;       /* is about to enter its monitor; did so */
    int held_count;
    bool is_collecting;     /* in ForceGarbageCollection */
    struct {
        struct raw_monitor *monitor;
        int entries;
        bool in_collection;     /* entered by a callback of a collection */
    } held[MAX_HELD];
};

/* Options: those of the command line, or of -agentpath. */
struct check_options {
    char *agent, *report, *status, *agent_options;
    char *trace, *filter;
    char *record;           /* a file that gets the functions that were called */
    int fail_on;
    int watchdog;           /* seconds; 0 for none */
    bool is_poisoning, is_summary;
};
extern struct check_options check_options;

/* An environment of the layer's own, of which the agents know nothing. */
extern jvmtiEnv *check_jvmti;
extern JavaVM *check_real_vm;

/* The phase, JVMTI_PHASE_DEAD once VMDeath has been sent to all. */
jvmtiPhase check_phase(void);
/* The same as an environment of the VM sees it: for those that have
   can_generate_early_vmstart the start phase begins earlier. */
jvmtiPhase check_phase_for(jvmtiEnv *real);
/* Is the thread in a callback that was under way when the VM came to its end, or that the
   VM has sent since?  The VM does not wait for these, and what they find gone is no
   mistake of the agent's. */
bool check_is_outlived(const struct interpose_thread *thread);
/* After VMDeath: the same, or is it the first call of a thread of the agent's that looks
   by its error whether the VM is there still? */
bool check_is_overtaken(const struct interpose_thread *thread);
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
/* At the exit: what was written to memory that the agent gave back. */
void memory_at_exit(void);
/* Is it the beginning of memory that the agent gave back, or gave to the VM? */
bool memory_is_gone(const void *address);
/* Memory of guard_new that a callback was shown: it is kept for a while, and told of if
   the agent writes to it. */
void memory_retire(void *memory, size_t size, const char *event);
void memory_start(void);
/* The text that a callback gets is a copy, which cannot be used once it has returned. */
void memory_text_shown(struct interpose_event *event);
void memory_text_ended(struct interpose_event *event);
/* The agent frees with another function than Deallocate, such as "free" or "delete"; true
   if it is memory of JVM TI, which is then given up, after `size` bytes of it have been
   copied unless copy is NULL. */
bool memory_freed_by_agent(const char *function, void *pointer, void *copy, size_t size);

/* Is the address in memory that the agent got from JVM TI, and has still? */
bool block_has(const void *address);
void leak_disposed(struct interpose_env *env);
/* At the exit, in this order: how many blocks there are still, which are to be searched
   for, and which of them nothing points to. */
size_t leak_collect(void);
void leak_add_to(struct reach *reach);
void leak_at_exit(const struct reach *reach);

bool phase_begin(struct interpose_call *call);
void phase_end(struct interpose_call *call);
void phase_env_ended(struct interpose_env *env);

bool callback_begin(struct interpose_call *call);
bool callback_jni_begin(struct interpose_jni_call *call);
void callback_jni_end(struct interpose_jni_call *call);
void callback_event_begin(struct interpose_event *event);
void callback_event_end(struct interpose_event *event);
void callback_env_ended(struct interpose_env *env);
/* What is between takes time that is not the callback's. */
struct callback_pause {
    long long started;
    long waits;
};
void callback_pause_begin(struct callback_pause *pause);
void callback_pause_end(const struct callback_pause *pause);

bool monitor_begin(struct interpose_call *call);
void monitor_end(struct interpose_call *call);
void monitor_at_exit(void);
/* True, with a name, if the thread has entered a raw monitor. */
bool monitor_is_held(const struct check_thread *thread, const char **name);
/* The same of the n-th that it has entered, from 0; no name if it waits for that one.
   False behind the last. */
bool monitor_nth_held(const struct check_thread *thread, int n, const char **name);
int monitor_entries(const struct check_thread *thread);
/* Who has the monitor, or NULL, and its name; NULL for NULL. */
struct check_thread *monitor_owner(const struct raw_monitor *monitor, const char **name);
/* The name of a monitor that the agent has; NULL if it is none. */
const char *monitor_name(const void *id);

bool thread_begin(struct interpose_call *call);
void thread_end(struct interpose_call *call);
bool thread_any_suspended(void);
void thread_at_exit(void);
/* Has the agent attached it?  Any thread may ask. */
bool thread_is_attached(const struct check_thread *state);
void thread_at_death(void);

/* False, and told of, if it is no reference of this thread. */
bool reference_check(JNIEnv *jni, const char *function, const char *param,
                     void *reference);
void reference_start(void);
bool reference_call_begin(struct interpose_call *call);
bool reference_jni_begin(struct interpose_jni_call *call);
void reference_jni_end(const struct interpose_jni_call *call);
/* Of global references, as of memory. */
size_t reference_collect(void);
void reference_add_to(struct reach *reach);
void reference_at_exit(const struct reach *reach);

/* Characters of strings and elements of arrays. */
void elements_start(void);
bool elements_begin(struct interpose_jni_call *call);
void elements_end(struct interpose_jni_call *call);
/* Is it a function that may be called in a critical region? */
bool elements_is_critical(int function);
/* As memory_freed_by_agent. */
bool elements_freed_by_agent(const char *function, void *pointer, void *copy, size_t size);
void elements_at_exit(void);

void local_start(void);
/* Is a type of JNI, or jthread, one of references? */
bool local_is_reference(const char *type);
void local_event_begin(const struct interpose_event *event);
void local_event_end(const struct interpose_event *event);
void local_call_begin(struct check_thread *thread);
void local_call_end(const struct interpose_call *call);
void local_jni_end(const struct interpose_jni_call *call);
/* The calling thread has none but those that it makes from now on. */
void local_reset(struct check_thread *thread);
/* Is it of a callback that has returned, and of none that runs? */
bool local_was_kept(const struct check_thread *thread, const void *reference);
/* DeleteLocalRef of it. */
void local_deleted(struct check_thread *thread, void *reference, void *caller);
/* What became of one that the VM does not know: where in the agent it was deleted, or
   NULL, and whether it was of a callback of this thread, or another one. */
enum local_fate { LOCAL_UNKNOWN, LOCAL_DELETED, LOCAL_RETURNED, LOCAL_FOREIGN };
enum local_fate local_fate_of(const struct check_thread *thread, const void *reference,
                              void **caller);

void id_start(void);
/* In VMInit, before the agents. */
void id_vm_init(JNIEnv *jni);
/* Ids of fields that an event brings. */
void id_event_begin(const struct interpose_event *event);
bool id_begin(struct interpose_call *call);
void id_end(const struct interpose_call *call);
bool id_jni_begin(const struct interpose_jni_call *call);
void id_jni_end(const struct interpose_jni_call *call);
/* The arguments of a Java method of this name and descriptor; false, and told of, if one
   is of another type. */
bool value_check(const struct interpose_jni_call *call, const char *method,
                 const char *descriptor);
/* Is the object of the type of the signature, or NULL? */
bool value_fits(JNIEnv *jni, jobject object, const char *signature);

/* Classes, strings and arrays that JNI gets: false, and told of, if one is none. */
void kind_start(void);
void kind_vm_init(JNIEnv *jni);
bool kind_jni_begin(const struct interpose_jni_call *call);
/* Is the object of a type of JNI, or of jthread or jthreadGroup?  True for other types. */
bool kind_fits(JNIEnv *jni, jobject object, const char *type);
/* Is the object a class?  False before VMInit. */
bool kind_is_class(JNIEnv *jni, jobject object);
/* The size of an element of an array of primitive values; 0 if that cannot be told. */
size_t kind_element_size(JNIEnv *jni, jarray array);

/* What a ClassFileLoadHook gets, has not changed when it returns, and not afterwards. */
void class_bytes_shown(struct interpose_event *event);
void class_bytes_seen(const struct interpose_event *event);
void class_bytes_ended(const struct interpose_event *event);
/* What a ClassFileLoadHook gives, before memory_class_bytes takes it. */
void class_bytes_given(struct interpose_event *event);
void class_end(const struct interpose_call *call);
/* Of RedefineClasses and RetransformClasses: what was refused, and why. */
void redefine_end(const struct interpose_call *call);
/* Events that the layer's own environment gets. */
void class_callbacks(jvmtiEventCallbacks *callbacks);

void error_start(void);
void error_begin(const struct interpose_call *call);
void error_end(const struct interpose_call *call);
void error_env_ended(const struct interpose_env *env);
void error_agent_added(const struct check_agent *first, const struct check_agent *added);

/* The watchdog, if it is wanted. */
void progress_start(void);
/* Seconds since it began. */
int progress_now(void);
/* The agent's function of this name begins, or has returned. */
void progress_enter(struct check_thread *thread, const char *what);
void progress_leave(struct check_thread *thread);
void progress_event_begin(struct check_thread *thread, const struct interpose_event *event);
void progress_event_end(struct check_thread *thread);
void progress_call_begin(const struct interpose_call *call);
void progress_call_end(struct check_thread *thread);
/* The thread is about to wait for what it wants: is that a deadlock? */
void progress_wants(struct check_thread *thread, const char *function);
void progress_callbacks(jvmtiEventCallbacks *callbacks);
void progress_watch_monitors(void);
/* A thread was attached that the VM waits for at its end. */
void progress_watch_end(void);

/* FUNCTION:ERROR:NUMBER, a call that is to fail; false, with a message, if that is none. */
bool fault_set(const char *text);
bool fault_begin(struct interpose_call *call);
void fault_at_exit(void);

void crash_start(void);
void crash_thread_seen(struct check_thread *thread);
/* Code of the agent runs on the thread. */
void crash_thread_runs(struct check_thread *thread);
void crash_call_begin(struct check_thread *thread, const char *name, bool is_jni);
/* GetEnv of this version gave an error of JNI: who does not look has no environment. */
void crash_env_refused(jint version, jint error);
void crash_call_end(struct check_thread *thread, int error);
/* Exported: a text about the calling thread for the report of a crash, in memory that the
   next call uses again.  May be called in a signal handler. */
JNIEXPORT const char *JNICALL tiforge_check_crash(void);

/* A seed; the name of an event.  False, with a message, if it is none. */
bool stress_set(const char *text);
/* Nothing that depends on time: the VM has a schedule from the seed. */
void stress_set_turns(void);
bool stress_set_exit(const char *event);
void stress_vm_init(void);
void stress_event(const struct interpose_event *event);

bool table_begin(struct interpose_call *call);
void table_jni_begin(const struct interpose_jni_call *call);

/* Handlers of signals.  Is the calling thread in one of the agent's? */
bool signal_is_handled(void);
/* In the place of the functions of the C library that the agent calls. */
int signal_checked_sigaction(int number, const struct sigaction *action,
                             struct sigaction *old);
void (*signal_checked_signal(int number, void (*handler)(int)))(int);
void signal_checked_longjmp(struct __jmp_buf_tag *place, int value)
    __attribute__((noreturn));

/* got.c: have malloc() and its like of the agent's library come by. */
void got_redirect(const struct check_agent *agent);
/* The size of memory that the agent got from malloc() or calloc(), or with block_size
   from JVM TI; 0 if that is not known. */
size_t got_size(const void *pointer);
size_t block_size(const void *pointer);

#endif
