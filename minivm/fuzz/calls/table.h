/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/table.h -- what the fuzzer of calls knows of JVM TI and JNI.
 *
 * The arrays and the functions that make a call are generated from the tables of facts
 * (sdk/spec/gen_calls.c), so that a function which is new there is called as well.
 */
#ifndef MINIVM_FUZZ_CALLS_TABLE_H
#define MINIVM_FUZZ_CALLS_TABLE_H

#include <jvmti.h>

#include <stdbool.h>

enum { MAX_ARGUMENTS = 10 };

/* An argument or a result; the table's representation says which member is in use. */
union value {
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    void *p;
};

/* What NULL means for a pointer or reference. */
enum null { NULL_NO_POINTER, NULL_ALLOWED, NULL_REFUSED, NULL_UNKNOWN };

struct parameter {
    const char *name, *type;
    char rep;                  /* 'i', 'j', 'f', 'd' or 'p' */
    const char *kind;          /* "thread", "class", "depth"; "" in JNI and events */
    char direction;            /* 'i'n, 'o'ut, 'a'llocated and out */
    enum null null;
};

/* Sets of phases have bit 1 << jvmtiPhase; the enum's values are 1, 2, 4, 6, 8. */
struct jvmti_function {
    const char *name;
    unsigned phases;
    bool callback_safe;
    bool cond_capabilities;    /* some rows or arguments need others */
    int capabilities[2];       /* bits of jvmtiCapabilities; -1: none */
    const jvmtiError *errors;  /* of its rows; JVMTI_ERROR_NONE ends */
    int count;
    struct parameter parameters[MAX_ARGUMENTS];
    jvmtiError (*call)(jvmtiEnv *env, const union value *a);
};

struct jni_function {
    const char *name;
    char form;                 /* '.' variadic, 'V' va_list, 'A' array, or 0 */
    const char *returns;
    int count;                 /* those of a form are not counted */
    struct parameter parameters[MAX_ARGUMENTS];
    void (*call)(JNIEnv *jni, const union value *a, union value *result);
};

/* What a method of a form gets: the fuzzer's methods take (IJDLjava/lang/Object;). */
enum { VARIADIC_INT = MAX_ARGUMENTS, VARIADIC_LONG, VARIADIC_DOUBLE, VARIADIC_OBJECT,
       CALL_VALUES };

struct event {
    const char *name;
    jvmtiEvent number;
    unsigned phases;
    bool thread_scoped;
    int capability;            /* bit, or -1 */
    int count;
    struct parameter parameters[MAX_ARGUMENTS];
};

extern const struct jvmti_function jvmti_functions[];
extern const int jvmti_function_count;
extern const struct jni_function jni_functions[];
extern const int jni_function_count;
extern const struct event events[];
extern const int event_count;
extern const jvmtiError all_errors[];
extern const int all_error_count;
extern const int capability_count;

/* A callback for each event; all of them call event_callback. */
extern const jvmtiEventCallbacks event_callbacks;
/* Defined by who uses the table: an event, with its arguments but for jvmti_env. */
void event_callback(jvmtiEnv *env, const struct event *event, const union value *a);

#endif
