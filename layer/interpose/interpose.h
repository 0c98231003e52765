/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/interpose.h -- stands between an agent and the VM.
 *
 * The agent gets a JavaVM of our own.  What it asks of that for is ours, too: each
 * jvmtiEnv is a struct interpose_env and each JNIEnv the struct interpose_jni of a
 * struct interpose_thread.  All begin, as those of a VM do, with a pointer to a table of
 * functions (JVM TI "Accessing Functions"); the functions are wrappers that tell the
 * client of each call and then call the VM's own.  Callbacks and start functions of
 * agent threads are wrapped as well, so that they bring our environments.
 *
 * The client is the library that links this module.  It defines the functions whose
 * names begin with interposed_.  Nothing here holds a lock while it calls them.
 */
#ifndef LAYER_INTERPOSE_INTERPOSE_H
#define LAYER_INTERPOSE_INTERPOSE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#include <interpose_names.h>

#define INTERPOSE_MAX_ARGS 8
#define INTERPOSE_EVENT_COUNT (JVMTI_MAX_EVENT_TYPE_VAL - JVMTI_MIN_EVENT_TYPE_VAL + 1)

/* ---- facts, generated from sdk/spec ---- */

struct interpose_param {
    const char *name, *type;
    char member;            /* of union interpose_arg: 'i', 'j', 'f', 'd' or 'p' */
    const char *kind;       /* "thread", "class", "monitor" and so on */
    bool is_out;            /* the function stores through it */
    bool is_allocated;      /* and stores memory that Deallocate frees */
    bool has_fields;        /* and that memory, or the structure, points to more of it */
    int count_arg;          /* the parameter that stores the number of its elements, -1 */
};

struct interpose_function {
    const char *name;       /* NULL for a slot that is reserved */
    const char *title;      /* its section of the specification */
    unsigned phases;        /* 1 << phase, and 1 << JVMTI_PHASE_DEAD */
    jint level;             /* that brought it: JVMTI_VERSION_1_1 */
    bool is_callback_safe;  /* may be called in heap and garbage collection callbacks */
    bool is_deprecated;
    int capabilities[2];    /* the bits that it requires; -1 ends */
    int count;
    struct interpose_param params[INTERPOSE_MAX_ARGS];
    const jvmtiError *errors;   /* of its own, besides those of all; NONE ends them */
};

/* Of an event or a function of JNI. */
struct interpose_value {
    const char *name, *type;
    char member;
};

struct interpose_event_facts {
    const char *name;       /* NULL for a number that is no event */
    const char *title;
    jvmtiEvent number;
    unsigned phases;
    jint level;
    int capability;         /* the bit; -1 if it needs none */
    bool is_thread_scoped;  /* may be enabled for one thread */
    bool has_jni;           /* its callback gets a JNIEnv */
    size_t offset;          /* of its callback in jvmtiEventCallbacks */
    int count;              /* of its parameters after the environments */
    struct interpose_value params[INTERPOSE_MAX_ARGS];
};

struct interpose_jni_function {
    const char *name;
    char returns;           /* 'v' for void, else a member of union interpose_arg */
    bool is_for_pending;    /* may be called while an exception is pending */
    bool gives_local;       /* returns a local reference */
    int count;
    struct interpose_value params[4];
};

/* By number, which is the slot; of events number - JVMTI_MIN_EVENT_TYPE_VAL. */
extern const struct interpose_function interpose_functions[];
extern const struct interpose_event_facts interpose_events[];
extern const struct interpose_jni_function interpose_jni_functions[];
/* By the bit in jvmtiCapabilities. */
extern const char *const interpose_capabilities[];
extern const jint interpose_capability_levels[];
extern const int interpose_capability_count;

/* ---- what the agent gets ---- */

struct interpose_vm {
    const struct JNIInvokeInterface_ *functions;
    JavaVM *real;
    struct JNIInvokeInterface_ table;
    const struct JNIInvokeInterface_ *real_functions;
    bool is_jni_wrapped;
    void *state;            /* the client's */
};

struct interpose_env {
    const jvmtiInterface_1 *functions;
    jvmtiEnv *real;
    struct interpose_vm *vm;
    jvmtiEventCallbacks callbacks;      /* those that the agent has set */
    bool is_disposed;
    void *state;                        /* the client's */
    struct interpose_env *next, *next_disposed;
};

struct interpose_thread;

struct interpose_jni {
    const struct JNINativeInterface_ *functions;
    JNIEnv *real;
    struct interpose_thread *thread;
    struct interpose_vm *vm;
};

/* A thread of the process that an agent's code has run on.  The memory of one that has
   ended is kept for a while, because an agent may keep its JNIEnv. */
struct interpose_thread {
    struct interpose_jni jni;
    long id;                /* the kernel's */
    bool has_ended;
    int endings;            /* how often its data was about to be destroyed */
    bool is_agent_thread;   /* RunAgentThread started it */
    int restricted;         /* callbacks of heap functions that are running */
    struct interpose_event *event;      /* the innermost callback that is running */
    void *state;            /* the client's */
    struct interpose_thread *next;
};

/* ---- calls ---- */

union interpose_arg {
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    void *p;
};

struct interpose_call {
    int function;
    union interpose_arg *args;      /* what the VM gets; the client may change it */
    void *caller;                   /* the return address into the agent */
    struct interpose_env *env;
    jvmtiEnv *real;
    struct interpose_thread *thread;
    jvmtiError error;               /* what the agent gets */
    bool is_made;                   /* the VM has been asked */
    void *data;                     /* the client's, between begin and end */
    void *storage;                  /* the module's; freed after the call */
};

struct interpose_jni_call {
    int function;
    union interpose_arg *args;
    void *caller;
    const jvalue *values;           /* Call...A: what the Java method gets, else NULL */
    va_list *rest;                  /* Call... and Call...V: the same, to be copied */
    struct interpose_jni *jni;
    JNIEnv *real;
    struct interpose_thread *thread;    /* the calling one; jni->thread is the owner */
    union interpose_arg result;
    void *data;
};

struct interpose_event {
    const struct interpose_event_facts *facts;
    union interpose_arg *args;      /* its parameters after the environments, which the
                                       client may change */
    struct interpose_env *env;
    JNIEnv *jni;                    /* what the agent gets, or NULL */
    struct interpose_thread *thread;
    struct interpose_event *outer;  /* the callback during which this one runs */
    bool is_late;                   /* its environment was disposed of: it is not told */
    long long started;              /* the client's, as what follows */
    long waits;
    int marks[5];
    void *caller;
    void *original, *text;
};

/* ---- for the client ---- */

/* A JavaVM for an agent: pass (JavaVM *)&vm->functions to it.  It lives as long as the
   process.  NULL if memory is short. */
struct interpose_vm *interpose_vm_new(JavaVM *real, bool is_jni_wrapped);
/* The calling thread's record, made at need; never NULL. */
struct interpose_thread *interpose_thread_self(void);
/* The same, but NULL if there is none; for signal handlers, too. */
struct interpose_thread *interpose_thread_known(void);
/* Call each for all threads that have not ended, under a lock. */
void interpose_each_thread(void each(struct interpose_thread *thread, void *data),
                           void *data);
/* Call each for all environments that are not disposed of. */
void interpose_each_env(void each(struct interpose_env *env, void *data), void *data);
/* The VM's JNIEnv of the calling thread; NULL if it is not attached. */
JNIEnv *interpose_real_jni(const struct interpose_vm *vm);

/* ---- which defines these ---- */

/* Before a call.  False leaves it out: the agent gets call->error. */
bool interposed_call_begin(struct interpose_call *call);
void interposed_call_end(struct interpose_call *call);
/* The same for JNI; what is left out gives call->result. */
bool interposed_jni_begin(struct interpose_jni_call *call);
void interposed_jni_end(struct interpose_jni_call *call);
/* Before and after a callback.  Begin returns how often it is to be called: once. */
int interposed_event_begin(struct interpose_event *event);
void interposed_event_end(struct interpose_event *event);
/* A heap callback of a call of the function has returned what no constant stands for. */
void interposed_strange_visit(int function, int result);
/* An environment was made, a thread seen for the first time, a thread ended. */
void interposed_env_made(struct interpose_env *env, jint version);
/* GetEnv gave no environment of the version, of JNI or JVM TI, but an error of JNI. */
void interposed_env_refused(jint version, jint error);
void interposed_thread_seen(struct interpose_thread *thread);
void interposed_thread_ended(struct interpose_thread *thread);
/* A function of the JavaVM other than GetEnv is called. */
void interposed_vm_call(struct interpose_thread *thread, const char *function);
/* Before the calling thread detaches itself; false leaves it attached. */
bool interposed_detaching(struct interpose_vm *vm, struct interpose_thread *thread);
/* Before it calls DestroyJavaVM; false leaves that out. */
bool interposed_destroying(struct interpose_thread *thread);
/* The calling thread attached itself, or detached. */
void interposed_attached(struct interpose_vm *vm, struct interpose_thread *thread,
                         bool is_daemon, void *caller);
void interposed_detached(struct interpose_vm *vm, struct interpose_thread *thread);

#endif
