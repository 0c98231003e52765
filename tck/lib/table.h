/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/table.h -- the facts table as C data.  The generator (tck/gen) writes the
 * arrays from sdk/spec/jvmti-21.json; nothing here is typed in twice.
 */
#ifndef TCK_LIB_TABLE_H
#define TCK_LIB_TABLE_H

#include <jvmti.h>

#include <stdbool.h>

#define TCK_MAX_ARGS 8
#define TCK_MAX_EVENT_PARAMS 10

/* One argument of a call; the member in use follows from tck_param.rep. */
union tck_arg {
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    void *p;
};

/* What NULL means for a pointer or a reference. */
enum tck_null {
    NULL_NA,      /* not a pointer */
    NULL_OK,      /* may be NULL */
    NULL_ERROR,   /* must not be NULL */
    NULL_UNKNOWN  /* the text does not say */
};

struct tck_param {
    const char *name;
    const char *type;   /* as in the specification */
    char rep;           /* 'i', 'j', 'f', 'd' or 'p' */
    enum tck_null null;
    bool out;           /* the function stores through it */
    bool allocated;     /* and stores memory that Deallocate frees */
};

/* Bits of a phase set; TCK_DEAD is after VMDeath. */
enum {
    TCK_ONLOAD = 1,
    TCK_PRIMORDIAL = 2,
    TCK_START = 4,
    TCK_LIVE = 8,
    TCK_DEAD = 16
};

struct tck_function {
    const char *name;
    const char *title;    /* the section of the specification */
    const char *chapter;  /* "stack-frame" */
    int slot;
    int since;            /* first level that has it; 11 for all older ones */
    unsigned phases;
    bool callback_safe;
    int caps[2];          /* capabilities that a call needs; -1 ends */
    int nparams;
    struct tck_param params[TCK_MAX_ARGS];
    jvmtiError (*call)(jvmtiEnv *env, const union tck_arg *a);
};

struct tck_event {
    const char *name;
    const char *title;
    jvmtiEvent number;
    int since;
    unsigned phases;
    int cap;              /* -1: none needed */
    bool thread_scoped;   /* may be enabled for one thread */
    int nparams;          /* of its callback, with the environments */
    struct {
        const char *name, *type;
    } params[TCK_MAX_EVENT_PARAMS];
};

struct tck_capability {
    const char *name;
    int since;
};

struct tck_error {
    const char *name;     /* without JVMTI_ERROR_ */
    jvmtiError number;
    char class;           /* 'u'niversal, 'r'equired, 'a'gent */
};

/* A row (function, error, argument) of the specification's error tables. */
struct tck_row {
    const char *id;       /* "GetTag.error.INVALID_OBJECT.object" */
    int function;
    char class;           /* of its error */
};

/* The one fault of a mechanical case; what each does to the call is in faults.c. */
enum tck_fault {
#define FAULT(name) FAULT_##name,
#include "tck/lib/faults.def"
#undef FAULT
    FAULT_COUNT
};

/* A generated case: call the function rightly but for one argument. */
struct tck_mech {
    const char *id;
    int function;
    enum tck_fault fault;
    int arg;              /* index of the spoiled argument, -1: none */
    int cap;              /* for FAULT_CAPABILITY */
    jvmtiError expect;
    jvmtiError accept;    /* as good as expect; equal to it when there is none */
    unsigned phase;       /* where it runs */
    int since;
};

extern const struct tck_function tck_functions[];
extern const int tck_function_count;
extern const struct tck_event tck_events[];
extern const int tck_event_count;
extern const struct tck_capability tck_capabilities[];
extern const int tck_capability_count;
extern const struct tck_error tck_errors[];
extern const int tck_error_count;
extern const struct tck_row tck_rows[];
extern const int tck_row_count;
extern const struct tck_mech tck_mechs[];
extern const int tck_mech_count;

/* Set or read one capability by its index in tck_capabilities. */
void tck_cap_set(jvmtiCapabilities *caps, int index, bool on);
bool tck_cap_get(const jvmtiCapabilities *caps, int index);

#endif
