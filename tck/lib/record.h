/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/record.h -- takes down every event that an environment is sent.
 *
 * Recording is safe in every callback: nothing is allocated, and JNI is only used where
 * the event allows it.
 */
#ifndef TCK_LIB_RECORD_H
#define TCK_LIB_RECORD_H

#include "tck/lib/tck.h"

struct record {
    jvmtiEvent event;
    jvmtiEnv *env;
    pthread_t thread;        /* that the handler ran on */
    jvmtiPhase phase;        /* that GetPhase told there; 0: it may not be asked */
    bool jni;                /* the event brought a JNIEnv */
    jmethodID method;        /* the event's method */
    jlocation location;
    jmethodID catch_method;
    jlocation catch_location;
    jfieldID field;
    jlong a;                 /* timeout, timed_out, size, tag, flags, was_popped ... */
    jlong b;                 /* the new value, as bits */
    jvalue value;            /* the result of a MethodExit */
    jint hash;               /* identity of the event's object, 0: NULL */
    jint hash2;              /* of the thread, or of the class loader */
    jint hash3;              /* of the allocated object's class, or of the domain */
    bool bad_map;            /* the address map contradicts the code's range */
    char type;               /* signature_type of a FieldModification */
    char text[80];           /* signature of the class, name of class or thread */
    bool whole;              /* all of it has been written, atomically told */
    jmethodID top;           /* method of the topmost frame, where it may be asked for */
    jlocation top_location;
};

/* Let env record all events; forgets what was recorded before, by any environment. */
void record_start(struct tck *t, jvmtiEnv *env);
/* Let a further environment record too. */
void record_also(struct tck *t, jvmtiEnv *env);
/* Take the callbacks away again. */
void record_stop(struct tck *t, jvmtiEnv *env);
void record_clear(void);

/* The number of records; record_at(i) for 0 <= i < record_count() in order of sending.
   One that another thread's handler is writing is waited for, but not for ever: its thread
   may be suspended. */
int record_count(void);
const struct record *record_at(int index);

/* How many records of an event there are, of an environment; NULL text: any text. */
int record_matches(jvmtiEnv *env, jvmtiEvent event, jmethodID method, const char *text);
/* The index of the first one from `from` on, or -1. */
int record_find(jvmtiEnv *env, jvmtiEvent event, jmethodID method, const char *text,
                int from);

/* Is it of an event that came on the calling thread? */
bool record_is_own(const struct record *record);
/* The first record from `from` on of the calling thread, or -1: a thread of the VM may have
   its own events between two of the case's. */
int record_next_own(int from);
/* record_matches of those of the calling thread. */
int record_own_matches(jvmtiEnv *env, jvmtiEvent event, jmethodID method,
                       const char *text);

/* Wait, but not for ever, for an event that nothing says has come when its thread is seen
   to have ended.  NULL text, hash2 0: any. */
void record_await(jvmtiEnv *env, jvmtiEvent event, const char *text, jint hash2);

/* From now on such events are shown to the hook only: there may be any number of them. */
void record_pass(jvmtiEvent event);

/* A hook that runs inside the handler after the record was made; NULL: none. */
typedef void (*record_hook)(jvmtiEnv *env, JNIEnv *jni, const struct record *record);
void record_set_hook(record_hook hook);

/* Switch an event on or off; false fails the case. */
bool record_enable(struct tck *t, jvmtiEnv *env, jvmtiEvent event, jthread thread);
bool record_disable(struct tck *t, jvmtiEnv *env, jvmtiEvent event, jthread thread);

/* Disable all events and take the callbacks of t->jvmti away: as before the case. */
void record_quiet(struct tck *t);

/* The n-th record (from 0) of an event and a method; NULL fails the case. */
const struct record *record_the(struct tck *t, jvmtiEvent event, jmethodID method, int n);

/* Start recording with one event enabled. */
#define RECORDING(event)                                                               \
    do {                                                                               \
        record_start(t, t->jvmti);                                                     \
        if (!record_enable(t, t->jvmti, event, NULL))                                  \
            return;                                                                    \
    } while (0)

/* Declare variable to be a record that has to be there. */
#define THE(variable, event, method, n)                                                \
    const struct record *variable = record_the(t, event, method, n);                   \
    if (variable == NULL)                                                              \
        return

/* The identity of the calling thread's object. */
jint record_own_hash(struct tck *t);

/* An object's identity, as in record.hash. */
jint record_hash(struct tck *t, jobject object);

#endif
