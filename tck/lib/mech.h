/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/mech.h -- running generated cases.
 *
 * A case prepares a call that succeeds, spoils one argument (or one circumstance),
 * makes the call, and compares the error.  Then it undoes the fault and makes the call
 * again, which has to succeed: so the fault alone made the difference, and the failing
 * call took no action (JVM TI "Function Return Values").
 */
#ifndef TCK_LIB_MECH_H
#define TCK_LIB_MECH_H

#include "tck/lib/tck.h"

struct mech_call {
    const struct tck_mech *mech;
    const struct tck_function *function;
    jvmtiEnv *env;
    union tck_arg args[TCK_MAX_ARGS];
    union tck_arg good[TCK_MAX_ARGS];    /* while args are spoiled */
    jthread thread;                      /* what a thread argument names */
    jrawMonitorID monitor;
    bool monitor_entered;
    jvmtiEnv *extra_env;                 /* disposed of after the case */
    void *list[2];                       /* storage of list arguments */
    jlong tags[2];
    jvmtiClassDefinition definitions[2];
    unsigned char *bytes;                /* freed after the case */
    jvmtiCapabilities caps;
    jvmtiHeapCallbacks heap;
    jvmtiEventCallbacks events;
    void *table;                         /* from GetJNIFunctionTable */
    bool made;                           /* the good call has been made */
    _Alignas(16) unsigned char out[TCK_MAX_ARGS][1024];
};

/* A raw monitor made in OnLoad, for phases in which none can be. */
extern jrawMonitorID mech_early_monitor;

/* Environments made in OnLoad, for phases in which GetEnv gives none. */
extern jvmtiEnv *mech_spare_envs[2];

/* The case that stands for a generated one; made on first use, lives for ever. */
const struct tck_case *mech_case(const struct tck_mech *mech);

/* The generated case that c stands for, or NULL when c was written by hand. */
const struct tck_mech *mech_of(const struct tck_case *c);

/* Fill args with what makes the call succeed.  False: the case failed or is skipped. */
bool mech_prepare(struct tck *t, struct mech_call *c);
/* Undo what prepare and a successful call have done. */
void mech_release(struct tck *t, struct mech_call *c);

/* The place (see stage.h) of the thread that the function's calls are about. */
char mech_place(const struct mech_call *c);

/* Spoil the call as its case says, or repair it.  False as above. */
bool fault_apply(struct tck *t, struct mech_call *c);
bool fault_undo(struct tck *t, struct mech_call *c);

/* Index of the first parameter of that name or type, or -1. */
int mech_param(const struct mech_call *c, const char *name);
int mech_param_of_type(const struct mech_call *c, const char *type);

#endif
