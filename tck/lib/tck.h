/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/tck.h -- the frame in which assertions run inside the VM under test.
 *
 * An assertion is a case: a stable id, the section of the specification that it rests
 * on, and a function.  It passes when no check in the function fails.  The agent runs
 * the cases of one group, each in its phase, and writes one line per case to the file
 * that the runner named.
 */
#ifndef TCK_LIB_TCK_H
#define TCK_LIB_TCK_H

#include "tck/lib/table.h"

#include <pthread.h>

struct tck;

struct tck_case {
    const char *group;
    const char *id;
    const char *section;
    int note;             /* number in the list of normative behaviours, 0: none */
    unsigned phase;       /* one of TCK_ONLOAD ... TCK_DEAD */
    int since;            /* JVM TI level that introduced what it asserts */
    void (*run)(struct tck *t, const void *data);
    const void *data;
    const char *file;     /* where it is defined, for the order of running */
    int line;
};

/*
 * What it means when a case fails.  The specification names the errors that must be
 * detected; "all other errors represent the recommended response to the error
 * condition" (JVM TI, "Error Reference").
 */
enum tck_class {
    TCK_REQUIRED,   /* the specification demands it */
    TCK_ADVISED,    /* an error that it recommends, or where it is silent */
    TCK_INFERRED    /* it does not state it outright, but it follows from the text */
};

enum tck_class tck_class_of(const struct tck_case *c);
const char *tck_class_name(enum tck_class class);

/* The numbers of the behaviours that are marked so in behaviours.md; 0 ends. */
extern const int tck_inferred[], tck_advised[];

/*
 * Define a case.  Its body follows and receives `t`.  The id reads
 * function-or-event "." kind "." what; group names the VM run that it belongs to.
 */
#define TCK_CASE_IN(group_, name, id_, section_, note_, phase_, since_)                \
    static void case_##name(struct tck *t, const void *data);                          \
    static const struct tck_case def_##name = { group_, id_, section_, note_, phase_,  \
                                                since_, case_##name, NULL, __FILE__,     \
                                                __LINE__ };                            \
    __attribute__((section("tck_cases"), used))                                        \
    static const struct tck_case *const ref_##name = &def_##name;                      \
    static void case_##name(struct tck *t,                                             \
                            __attribute__((unused)) const void *data_)

/* A case whose function several share; data tells them apart. */
#define TCK_CASE_DATA(group_, name, id_, section_, note_, phase_, since_, run_, data_) \
    static const struct tck_case def_##name = { group_, id_, section_, note_, phase_,  \
                                                since_, run_, data_, __FILE__,          \
                                                __LINE__ };                            \
    __attribute__((section("tck_cases"), used))                                        \
    static const struct tck_case *const ref_##name = &def_##name

/* TCK_CASE_IN in the live phase and from level 11 on. */
#define TCK_CASE(group_, name, id_, section_, note_)                                   \
    TCK_CASE_IN(group_, name, id_, section_, note_, TCK_LIVE, 11)

/*
 * Work that the group's cases of a phase rest on, whichever of them are selected; done
 * before the first.  Its body receives `t`.
 */
struct tck_setup {
    const char *group;
    unsigned phase;
    void (*run)(struct tck *t);
};

#define TCK_SETUP(group_, name, phase_)                                                \
    static void setup_##name(struct tck *t);                                           \
    static const struct tck_setup def_setup_##name = { group_, phase_, setup_##name };  \
    __attribute__((section("tck_setups"), used))                                       \
    static const struct tck_setup *const ref_setup_##name = &def_setup_##name;         \
    static void setup_##name(struct tck *t)

/* What the agent knows while it runs; one per process. */
struct tck {
    JavaVM *vm;
    JNIEnv *jni;            /* of the thread that runs the cases; NULL where JNI is out */
    jvmtiEnv *jvmti;        /* the environment with all capabilities that could be had */
    jvmtiCapabilities held; /* by jvmti */
    int level;              /* the major version that the VM is judged by */
    int told;               /* the one that it answers to an agent that asks for asked */
    jint asked;             /* the version that every environment is asked for */
    unsigned phase;         /* the point that the VM has reached */
    const char *group;
    const char *resources;  /* directory of the Java targets */
    const struct tck_case *current;
    bool failed, skipped, finished;
};

extern struct tck tck;

/* All cases: the generated ones and those of the chapters.  Fixed order. */
const struct tck_case *const *tck_cases(size_t *count);

/* Open the result file; cases that stand in it already are not run again. */
bool tck_open(const char *path);
/* Run only the cases whose ids stand in the file, one a line; NULL: all. */
bool tck_select(const char *path);
/* Write that the group cannot run, what the VM is, or that all cases are through. */
void tck_abandon(const char *reason);
void tck_about(int level, const char *name, const char *version);
void tck_finish(void);

/* Write that a case was not run because its phase did not come. */
void tck_unreached(struct tck *t, const struct tck_case *c, const char *reason);

/* Run the cases of the group whose phase is given; jni may be NULL. */
void tck_run_phase(struct tck *t, unsigned phase, JNIEnv *jni);

/*
 * A new environment of version t->asked, or NULL (which fails the case).  The caller
 * disposes of it.  Its capabilities: none.
 */
jvmtiEnv *tck_new_env(struct tck *t);

/* Add to env all capabilities that it can have but the one with index `but`. */
void tck_add_all(struct tck *t, jvmtiEnv *env, int but);

/* The index of a capability in tck_capabilities; aborts on an unknown name. */
int tck_cap_index(const char *name);
int tck_event_index(jvmtiEvent event);

/* Does t->jvmti hold it? */
bool tck_has(struct tck *t, const char *capability);

/* "NULL_POINTER", or the number as text in a static buffer. */
const char *tck_error_name(jvmtiError error);

/* -- verdicts -- */

/* Fail the case with a diagnostic (printf style); the first one counts. */
void tck_fail(struct tck *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Say that the case does not apply to this VM; what fails afterwards does not count. */
void tck_skip(struct tck *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool tck_want(struct tck *t, const char *call, jvmtiError want, jvmtiError got);
bool tck_same(struct tck *t, const char *what, long long want, long long got);
bool tck_text(struct tck *t, const char *what, const char *want, const char *got);
bool tck_true(struct tck *t, const char *what, bool value);

/* Does the VM have what the case rests on?  Otherwise the case is skipped. */
#define NEED(capability)                                                               \
    do {                                                                               \
        if (!tck_has(t, capability)) {                                                 \
            tck_skip(t, "the VM does not offer %s", capability);                       \
            return;                                                                    \
        }                                                                              \
    } while (0)

/* Are locations indices of bytecodes?  "The definition of jlocation has intentionally been
   left unconstrained": a case that knows a location by its number is skipped where they
   are something else. */
bool tck_has_bytecode_indices(struct tck *t);

#define NEED_BYTECODE_INDICES                                                          \
    do {                                                                               \
        if (!tck_has_bytecode_indices(t)) {                                            \
            tck_skip(t, "the VM's locations are no indices of bytecodes");             \
            return;                                                                    \
        }                                                                              \
    } while (0)

/* A call on an environment that has to answer `error`; else the case ends here. */
#define WANT_ON(error, env, function, ...)                                             \
    do {                                                                               \
        if (!tck_want(t, #function "(" #__VA_ARGS__ ")", JVMTI_ERROR_##error,          \
                      (*(env))->function(env, ##__VA_ARGS__)))                         \
            return;                                                                    \
    } while (0)
#define WANT(error, function, ...) WANT_ON(error, t->jvmti, function, ##__VA_ARGS__)
#define CALL(function, ...) WANT_ON(NONE, t->jvmti, function, ##__VA_ARGS__)
#define CALL_ON(env, function, ...) WANT_ON(NONE, env, function, ##__VA_ARGS__)

/* Checks by value; the case ends at the first that fails. */
#define SAME(want, got)                                                                \
    do {                                                                               \
        if (!tck_same(t, #got, (long long)(want), (long long)(got)))                   \
            return;                                                                    \
    } while (0)
#define TEXT(want, got)                                                                \
    do {                                                                               \
        if (!tck_text(t, #got, want, got))                                             \
            return;                                                                    \
    } while (0)
#define TRUE(what)                                                                     \
    do {                                                                               \
        if (!tck_true(t, #what, what))                                                 \
            return;                                                                    \
    } while (0)

#endif
