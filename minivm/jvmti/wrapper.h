/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/wrapper.h -- how an agent's call comes into the VM and goes back.
 *
 * A jvmtiEnv points to a table of functions, jvmti_function_table.  The table and the
 * functions in it are generated (entries.c): each one is a wrapper, entry_<Name>, which
 * does the following in this order.
 *
 * 1. jvmti_check looks up the environment and compares the phase of the VM with the
 *    phases in which the function may be called.
 * 2.  REQUIRE checks that the environment possesses the capabilities.
 * 3.  NULL pointers, enumerations and numbers are checked.  Up to here the thread is in
 *    native code and does not hold up a stop of the world.
 * 4. jvmti_enter moves the thread from native code into the VM, where it may touch
 *    objects.
 * 5.  Each reference and each id is resolved by the jvmti_resolve_ function of its
 *    kind: the facts (sdk/spec/jvmti-21.json) give every parameter a kind, and the kind
 *    decides the check and the error.
 * 6.  The body is called.  It is written by hand, jvmti_<Name> in the file of its
 *    chapter, and does only the work; entries.h declares it.
 * 7. jvmti_leave moves the thread back to native code when the wrapper returns.  If the
 *    call failed, it frees the memory that the body had allocated for results (env.h).
 *
 * Functions that are safe in heap callbacks and in events of the collector leave out 4
 * and 7: the world is stopped there, so entering would wait for ever.  They cannot
 * touch objects.
 *
 * A function here that gets a struct jvmti_call may allocate handles of the calling
 * thread; none of them stops at a safepoint except jvmti_enter and jvmti_leave. */

#ifndef MINIVM_JVMTI_WRAPPER_H
#define MINIVM_JVMTI_WRAPPER_H

#include <stddef.h>

#include <jvmti.h>

#include "runtime/vm.h"
#include "threads/schedule.h"

struct jvmti_env;
struct monitor;

/* Returns from the calling function with the error of expression, unless that is
   JVMTI_ERROR_NONE. */
#define TRY(expression) \
    do { \
        jvmtiError try_error = (expression); \
        if (try_error != JVMTI_ERROR_NONE) \
            return try_error; \
    } while (0)

/* Returns from the calling function unless env possesses the capability, a member of
   jvmtiCapabilities. */
#define REQUIRE(env, capability) \
    do { \
        if (!jvmti_env_capabilities(env)->capability) \
            return JVMTI_ERROR_MUST_POSSESS_CAPABILITY; \
    } while (0)

/* Stands before each body in entries.c.  In the build of `make body-mutation` the
   environment variable names the function whose body does nothing, so that the tests
   can show that they notice it.  In any other build it is empty. */
#ifdef BODY_MUTATION
#    include <stdlib.h>
#    define BODY(number) \
        do { \
            const char *empty_body = getenv("EMPTY_BODY"); \
            if (empty_body && atoi(empty_body) == (number)) \
                return JVMTI_ERROR_NONE; \
        } while (0)
#else
#    define BODY(number) ((void)0)
#endif

/* The phases as bits, for sets of them. */
#define PHASE_ONLOAD (1u << VM_PHASE_ONLOAD)
#define PHASE_PRIMORDIAL (1u << VM_PHASE_PRIMORDIAL)
#define PHASE_START (1u << VM_PHASE_START)
#define PHASE_LIVE (1u << VM_PHASE_LIVE)
#define PHASE_DEAD (1u << VM_PHASE_DEAD)
#define PHASE_ANY \
    (PHASE_ONLOAD | PHASE_PRIMORDIAL | PHASE_START | PHASE_LIVE | PHASE_DEAD)

/*
 * The thread that a function is about.  It stays valid until the call ends: a handle
 * keeps the object alive, and the struct thread is pinned.  Both pointers are NULL if
 * the agent passed NULL to a function for which that does not mean the current thread.
 * The struct thread of a platform thread may run a virtual one, so a function that is
 * about its frames, its suspension or its data does not use it as it is: target.c.
 */
struct target {
    struct object *object; /* the java.lang.Thread */
    struct thread *live;   /* NULL: not started yet, or ended, or is_carried */
    bool is_carried;       /* a virtual thread that carriers run; not the current one */
};

/* One call of an agent, from jvmti_enter to jvmti_leave.  The wrapper has it as a local
   variable, and the compiler calls jvmti_leave wherever the wrapper returns. */
struct jvmti_call {
    struct thread *self;   /* NULL until jvmti_enter has succeeded */
    struct thread *pinned; /* the target; NULL: none, or the current thread */
    struct handle_scope scope;
    size_t results;   /* bytes of self->jvmti->results before this call */
    jvmtiError error; /* what the body returned */
};
#define JVMTI_CALL __attribute__((cleanup(jvmti_leave))) = { 0 }

/* In place of it in the wrapper of a function that does not enter the VM: the points of a
   schedule (threads/schedule.h) before and behind it. */
#define JVMTI_POINT __attribute__((cleanup(jvmti_point_end), unused)) = jvmti_point()
void jvmti_point_slow(void);

static inline bool
jvmti_point(void)
{
    if (__builtin_expect(schedule_is_on, 0))
        jvmti_point_slow();
    return true;
}

static inline void
jvmti_point_end(const bool *begun)
{
    (void)begun;
    (void)jvmti_point();
}

/* What NULL means where a reference is expected. */
enum null_policy { NULL_IS_INVALID, NULL_IS_NONE, NULL_IS_CURRENT };
/* Whether a thread has to be alive: started and not ended. */
enum target_state { TARGET_ANY, TARGET_ALIVE };

/* Returns true for the number of an event, and for the index of an extension event. */
bool jvmti_is_event(jvmtiEvent event);

/* Finds the environment.  Returns INVALID_ENVIRONMENT if handle is NULL, was disposed
   of or never was an environment, and WRONG_PHASE unless the VM is in one of phases, a
   set of PHASE_ bits. */
jvmtiError jvmti_check(jvmtiEnv *handle, unsigned phases, struct jvmti_env **env);
const jvmtiCapabilities *jvmti_env_capabilities(const struct jvmti_env *env);

/* Moves the calling thread from native code into the VM; waits while the world is
   stopped.  Returns UNATTACHED_THREAD if the VM does not know the thread, and INTERNAL
   if the thread is in the VM already: the call comes from a heap callback or from an
   event of the collector, and the function is not one of those that are allowed
   there. */
jvmtiError jvmti_enter(struct jvmti_call *call);
/* Ends what jvmti_enter began.  Does nothing if that was not called or failed. */
void jvmti_leave(struct jvmti_call *call);

/*
 * The resolvers: each stores in *result what the agent's argument names, or returns the
 * error of its kind.  An object stays alive until the call ends, since it gets a
 * handle.  A reference that was deleted may have become another object's meanwhile;
 * that is not noticed, as the specification allows.
 */

/* Resolves a java.lang.Thread and pins its struct thread.  Returns INVALID_THREAD, or
   THREAD_NOT_ALIVE if state asks for a live one. */
jvmtiError jvmti_resolve_thread(struct jvmti_call *call, jthread thread,
                                enum null_policy null, enum target_state state,
                                struct target *result);
/* Resolves an instance of the well-known class; returns error if it is none. */
jvmtiError jvmti_resolve_instance(struct jvmti_call *call, jobject reference,
                                  enum null_policy null, enum known_class class,
                                  jvmtiError error, struct object **result);
/* Resolves a java.lang.Class; returns INVALID_CLASS. */
jvmtiError jvmti_resolve_class(struct jvmti_call *call, jclass klass,
                               enum null_policy null, struct class **result);
/* Resolves a method id to the version of the method that it names: the id of an
   obsolete version keeps naming that one (JVM TI "Obsolete Methods").  Returns
   INVALID_METHODID. */
jvmtiError jvmti_resolve_method(jmethodID method, struct method_version **result);
/* Resolves a field id.  Returns INVALID_FIELDID also if klass neither declares nor
   inherits the field. */
jvmtiError jvmti_resolve_field(struct class *klass, jfieldID field,
                               struct field **result);
/* Resolves a raw monitor; any state of the calling thread is fine.  Returns
   INVALID_MONITOR, or UNATTACHED_THREAD if the VM does not know the calling thread,
   which could not own a monitor. */
jvmtiError jvmti_resolve_monitor(jrawMonitorID monitor, struct monitor **result);

#endif
