/* SPDX-License-Identifier: MIT */
/*
 * tiforge/agent.h -- the entry points of an agent (JVM TI "Agent Start-Up"), and the
 * first calls that every agent makes.
 */
#ifndef TIFORGE_AGENT_H
#define TIFORGE_AGENT_H

#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_agent {
    const char *name;       /* of TF_AGENT, stands before each message */
    JavaVM *vm;
    jvmtiEnv *jvmti;        /* of the level that TF_AGENT asked for */
    JNIEnv *jni;            /* of this thread; NULL in the OnLoad phase */
    const char *options;    /* "" when none were given; valid until start returns */
    bool attached;          /* started in the live phase, by attach */
};

enum tf_outcome {
    TF_RUN,     /* the agent runs */
    TF_DONE,    /* there was only something to say, such as help */
    TF_FAILED   /* it cannot run; why has been logged */
};

typedef enum tf_outcome tf_start_function(struct tf_agent *agent);

/*
 * Define Agent_OnLoad and Agent_OnAttach of this library; both call `start`, which has
 * the type tf_start_function.  `version` is the lowest level that has what the agent
 * needs, such as JVMTI_VERSION_1_2.  Where start does not answer TF_RUN its environment
 * is disposed of.  Then TF_FAILED ends the VM in the OnLoad phase and makes the attach
 * fail in the live one; TF_DONE exits the process with 0 in the OnLoad phase, as
 * -agentlib:jdwp=help does, and succeeds in the live one.
 *
 * Agent_OnUnload is left to the agent: few need it, for memory dies with the process
 * and JVM TI is gone by then.
 */
#ifdef __cplusplus
#define TF_ENTRY extern "C" JNIEXPORT jint JNICALL
#else
#define TF_ENTRY JNIEXPORT jint JNICALL
#endif
#define TF_AGENT(name, version, start)                                                 \
    TF_ENTRY Agent_OnLoad(JavaVM *tf_vm, char *tf_options, void *tf_reserved)          \
    {                                                                                  \
        (void)tf_reserved;                                                             \
        return tf_agent_load(name, version, tf_vm, tf_options, false, start);          \
    }                                                                                  \
    TF_ENTRY Agent_OnAttach(JavaVM *tf_vm, char *tf_options, void *tf_reserved)        \
    {                                                                                  \
        (void)tf_reserved;                                                             \
        return tf_agent_load(name, version, tf_vm, tf_options, true, start);           \
    }                                                                                  \
    TF_ENTRY Agent_OnLoad(JavaVM *, char *, void *)

/* What TF_AGENT's functions do.  name stays the caller's and must be static. */
jint tf_agent_load(const char *name, jint version, JavaVM *vm, const char *options,
                   bool attached, tf_start_function *start);

/* The function table of an environment, alike in C and C++. */
#ifdef __cplusplus
#define TF_TABLE(env) ((env)->functions)
#else
#define TF_TABLE(env) (*(env))
#endif

/*
 * Call a JVM TI function and log its error, if any: true when there was none.
 *
 *     if (!TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL)))
 *         return;
 */
#define TF_CALL(env, function, arguments)                                              \
    tf_check_at((env), TF_TABLE(env)->function arguments, #function, TF_PLACE)
/* Where the agent is, for messages; without it if TF_NO_PLACE is defined. */
#ifdef TF_NO_PLACE
#define TF_PLACE NULL, 0
#else
#define TF_PLACE __FILE__, __LINE__
#endif

/*
 * Is error JVMTI_ERROR_NONE?  If not, log it as a warning with GetErrorName's text and
 * `what` before it, which is the name of a function, or
 * "SetEventNotificationMode(EVENT)".  MUST_POSSESS_CAPABILITY also names the
 * capabilities that are missing.  WRONG_PHASE is a warning, too, but for the dead phase:
 * it is what every late call gets while the VM dies, so there it is logged for
 * debugging only.  Those two errors are logged once for a place in the agent, and later
 * ones for debugging.  Callback safe as GetErrorName is.
 */
bool tf_check(jvmtiEnv *jvmti, jvmtiError error, const char *what);
/* As tf_check, and the message ends with the place, "(src/agent.c:42)".  file must be
   static; NULL for no place. */
bool tf_check_at(jvmtiEnv *jvmti, jvmtiError error, const char *what, const char *file,
                 int line);

/*
 * The major level of the environment's VM (1 for 1.x, then 9, 11, 13 ... 21); 0 when it
 * does not say.  Functions that came later than the environment's own level may be
 * called only after TF_HAS: tables of older VMs are shorter, and later ones have gaps.
 *
 *     if (TF_HAS(jvmti, 21, SuspendAllVirtualThreads))
 */
int tf_level(jvmtiEnv *jvmti);
#define TF_HAS(env, since, function)                                                   \
    (tf_level(env) >= (since) && TF_TABLE(env)->function != NULL)

/*
 * Enable or disable events for all threads: jvmtiEvent values, 0 last.  False, with the
 * reason logged, at the first that fails; those before it stay as set.
 * (JVM TI "Set Event Notification Mode".)
 */
bool tf_events_enable(jvmtiEnv *jvmti, ...);
bool tf_events_disable(jvmtiEnv *jvmti, ...);
/* What the two do, with a place for messages as in tf_check_at; a call of one of them by
   its name goes here. */
bool tf_events_set(const char *file, int line, jvmtiEventMode mode, jvmtiEnv *jvmti,
                   ...);
#define tf_events_enable(...) tf_events_set(TF_PLACE, JVMTI_ENABLE, __VA_ARGS__)
#define tf_events_disable(...) tf_events_set(TF_PLACE, JVMTI_DISABLE, __VA_ARGS__)

/*
 * The JNI environment of the current thread, attaching it as a daemon where it is not
 * attached yet; NULL where that fails.  `detach` (or NULL) receives whether the caller
 * has to call DetachCurrentThread in the end.
 */
JNIEnv *tf_jni(JavaVM *vm, const char *thread_name, bool *detach);

/*
 * Clear a pending Java exception that is the agent's own fault: true if there was one;
 * `what` is logged with it.  A callback must not leave behind an exception of its own.
 */
bool tf_clear_exception(JNIEnv *jni, const char *what);

#ifdef __cplusplus
}
#endif

#endif
