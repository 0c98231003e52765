/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/stage.h -- what calls are made with: environments, streams with
 * their registers, and the Java program behind them (java/Calls.java).
 *
 * A stream is a sequence of calls that one thread makes.  Its arguments are taken from
 * registers, and results go to registers, so that a sequence still means something
 * when some of its calls are left out.  The fuzzer makes streams up; the programs that
 * its minimiser writes have them as C functions.  Both are the stage and something that
 * defines the functions at the end.
 */
#ifndef MINIVM_FUZZ_CALLS_STAGE_H
#define MINIVM_FUZZ_CALLS_STAGE_H

#include <stdatomic.h>
#include <stdint.h>

#include "fuzz/calls/table.h"

/* The first ones are in the order of Calls.make. */
enum kind {
    THREAD, GROUP, CLASS, LOADER, MODULE, OBJECT, METHOD, FIELD, MONITOR, KINDS
};

enum {
    REGISTERS = 16,            /* of each kind */
    ENVIRONMENTS = 4,          /* 0 has all capabilities and stays; 1 is shared, too */
    STREAMS = 8,               /* numbers below have a thread of their own */
    GUESTS = 24,               /* numbers from STREAMS on: threads during callbacks */
    PHASES = STREAMS + GUESTS, /* numbers from here on: streams of the phases */
    ALL_STREAMS = PHASES + 9,
    VERSIONS = 4               /* of the class VictimA */
};

enum state { EMPTY, VALID, WEAK, STALE };

struct cell {
    void *value;
    enum state state;
    jclass owner;              /* of an id, a global reference; may be NULL */
};

struct stream {
    int number;
    JNIEnv *jni;               /* NULL: there is none in this phase */
    jvmtiEnv *env[ENVIRONMENTS];
    struct cell cell[KINDS][REGISTERS];
    uint64_t index;            /* of the call that is being made */
    uint64_t next;             /* where the stream goes on */
    int callbacks;             /* how many are under way */
    int events;                /* since the call began */
    bool leaf;                 /* in a callback that allows safe functions only */
    unsigned char *memory;     /* to deallocate, or NULL */
    jthread thread;            /* a global reference: whose stream it is */
    _Atomic uint64_t progress; /* counts calls that have ended */
    atomic_bool busy;
};

struct stage {
    JavaVM *vm;
    jvmtiEnv *base;            /* the stage's own */
    jvmtiCapabilities potential;
    jint version;              /* of JVM TI */
    jint jni_version;
    jvmtiPhase phase;          /* as far as the callbacks tell */
    uint64_t seed;
    int streams;
    bool attached;             /* the agent came in the live phase */
    double hang_seconds;
    bool is_set;               /* all of the following is there */

    /* Global references. */
    jclass calls, life, target, throwable, string_class;
    jmethodID make, action;
    unsigned char *version_bytes[VERSIONS];
    jint version_length[VERSIONS];
    jmethodID methods[10][2];  /* of Target, by result type and whether it is static */
    jfieldID fields[9][2];
    jmethodID constructor;
    jobject instance, string, object_array, arrays[8], exception, reflected[2];
    jmethodID life_methods[64];
    jint life_method_count;
};

extern struct stage stage;
extern const char *const type_names[10]; /* "Object", "Boolean" … "Void" */

/* The stream of a number. */
struct stream *stage_stream(int number);
/* What is in a register is let go, and replaced with a new object, id or monitor of the
   kind; which one the variant says. */
void stage_refresh(struct stream *s, enum kind kind, int i, int variant);
/* The same with the object of a local reference, which is deleted. */
void stage_store(struct stream *s, enum kind kind, int i, jobject local, bool weak);
/* Ids; owner may be NULL. */
void stage_store_id(struct stream *s, enum kind kind, int i, void *id, jclass owner);
/* The reference is deleted, or the monitor destroyed, but stays in its register. */
void stage_spoil(struct stream *s, enum kind kind, int i);
/* A new environment in place of number i of the stream. */
void stage_environment(struct stream *s, int i);
void stage_action(struct stream *s, int what);
/* Calls of a thread that is not attached. */
void stage_foreign(struct stream *s, void make_calls(struct stream *s));
/* Whether thread's Java frames may be left early or changed: they are of class Life.  A
   library's locks would stay locked. */
bool stage_may_disturb(struct stream *s, jthread thread);
/* Whether the current thread is one that all depends on; it must not be suspended. */
bool stage_is_spared(struct stream *s);
/* Nothing is sent any more, as far as env is concerned. */
void stage_calm(jvmtiEnv *env);
/* The environment gets all capabilities that there are. */
void stage_all_capabilities(jvmtiEnv *env);
void stage_clear_exception(struct stream *s);
/* Agent threads call this. */
void JNICALL stage_agent_thread(jvmtiEnv *env, JNIEnv *jni, void *number);

/* Write a message and end the process with status 1. */
_Noreturn void stage_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* ---- defined by what uses the stage ---- */

void sequence_options(const char *options);
/* Makes some of a stream's calls; false after the last one. */
bool sequence_batch(struct stream *s);
/* The calls in a callback: s->index and s->events say which. */
void sequence_event(struct stream *s, jvmtiEnv *env, const struct event *event,
                    const union value *a);
/* The calls in a phase, with the stream PHASES + phase. */
void sequence_phase(struct stream *s);
void sequence_end(void);

#endif
