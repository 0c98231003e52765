/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/wrapper.h -- what the generated entry wrappers (entries.c) are made of.
 *
 * A wrapper checks, in this order: the environment, the phase, the capabilities, the
 * arguments.  NULL pointers and numbers are checked while the thread is still native;
 * then it enters the VM, resolves references and calls the body, which gets them
 * resolved and holds only the work.  Functions that are safe in GC callbacks do not
 * enter: they would wait for the collection that called them. */

#ifndef MINIVM_JVMTI_WRAPPER_H
#define MINIVM_JVMTI_WRAPPER_H

#include <stddef.h>

#include <jvmti.h>

#include "vm/vm.h"

struct jvmti_env;
struct monitor;

/* Leave the function with the error of expression unless it is JVMTI_ERROR_NONE. */
#define TRY(expression) \
    do { \
        jvmtiError try_error = (expression); \
        if (try_error != JVMTI_ERROR_NONE) \
            return try_error; \
    } while (0)

#define REQUIRE(env, capability) \
    do { \
        if (!jvmti_env_capabilities(env)->capability) \
            return JVMTI_ERROR_MUST_POSSESS_CAPABILITY; \
    } while (0)

/* Before each body.  In the build of `make body-mutation` the environment names the one
   that does nothing. */
#ifdef BODY_MUTATION
#include <stdlib.h>
#define BODY(number) \
    do { \
        const char *empty_body = getenv("EMPTY_BODY"); \
        if (empty_body != NULL && atoi(empty_body) == (number)) \
            return JVMTI_ERROR_NONE; \
    } while (0)
#else
#define BODY(number) ((void)0)
#endif

/* A body of one expression. */
#define JVMTI_BODY(type, function, parameters, ...) \
type \
function parameters \
{ \
    return __VA_ARGS__; \
}

/* Phases as bits, for sets of them. */
#define PHASE_ONLOAD (1u << VM_PHASE_ONLOAD)
#define PHASE_PRIMORDIAL (1u << VM_PHASE_PRIMORDIAL)
#define PHASE_START (1u << VM_PHASE_START)
#define PHASE_LIVE (1u << VM_PHASE_LIVE)
#define PHASE_DEAD (1u << VM_PHASE_DEAD)
#define PHASE_ANY \
    (PHASE_ONLOAD | PHASE_PRIMORDIAL | PHASE_START | PHASE_LIVE | PHASE_DEAD)

/* The thread that a function is about.  It stays valid for the call: object is kept,
   live is pinned.  Both are NULL where the function allows NULL and that does not mean
   the current thread. */
struct target {
    struct object *object;         /* the java.lang.Thread */
    struct thread *live;           /* NULL: not started, ended or virtual */
};

/* One call's stay in the VM; ended when the variable goes out of scope. */
struct jvmti_call {
    struct thread *self;           /* NULL: it never entered */
    struct thread *pinned;
    struct scope scope;
    size_t results;                /* where its own begin (env.h) */
    jvmtiError error;              /* the body's */
};
#define JVMTI_CALL __attribute__((cleanup(jvmti_leave))) = { 0 }

/* What NULL means for a reference. */
enum null_policy { NULL_IS_INVALID, NULL_IS_NONE, NULL_IS_CURRENT };
enum target_state { TARGET_ANY, TARGET_ALIVE };

/* INVALID_ENVIRONMENT for NULL, a disposed one and what never was one; WRONG_PHASE
   unless the VM is in one of phases. */
jvmtiError jvmti_check(jvmtiEnv *handle, unsigned phases, struct jvmti_env **env);
const jvmtiCapabilities *jvmti_env_capabilities(const struct jvmti_env *env);

/* Native → VM: UNATTACHED_THREAD for a thread that the VM does not know, INTERNAL for
   a call out of a callback that runs inside the VM (GC events, heap walks). */
jvmtiError jvmti_enter(struct jvmti_call *call);
void jvmti_leave(struct jvmti_call *call);

/* The references of a call, kept until it ends.  Each fails with the error of its kind:
   INVALID_THREAD (and THREAD_NOT_ALIVE), INVALID_CLASS… */
jvmtiError jvmti_resolve_thread(struct jvmti_call *call, jthread thread,
                                enum null_policy null, enum target_state state,
                                struct target *result);
/* An instance of the well-known class, else error. */
jvmtiError jvmti_resolve_instance(struct jvmti_call *call, jobject reference,
                                  enum null_policy null, enum known_class class,
                                  jvmtiError error, struct object **result);
jvmtiError jvmti_resolve_class(struct jvmti_call *call, jclass klass,
                               enum null_policy null, struct class **result);
/* The version that the id names: an obsolete one answers for itself. */
jvmtiError jvmti_resolve_method(jmethodID method, struct code **result);
/* INVALID_FIELDID also when klass neither declares nor inherits it. */
jvmtiError jvmti_resolve_field(struct class *klass, jfieldID field,
                               struct field **result);
jvmtiError jvmti_resolve_monitor(jrawMonitorID monitor, struct monitor **result);

#endif
