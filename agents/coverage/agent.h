/* SPDX-License-Identifier: MIT */
/* agents/coverage/agent.h -- what the parts of the running agent share. */
#ifndef AGENTS_COVERAGE_AGENT_H
#define AGENTS_COVERAGE_AGENT_H

#include "agents/coverage/coverage.h"

struct config {
    char *file;
    int format;
    char **include, **exclude, **on, **merge, **classes, **sourcepath;
    char *compare;              /* a file of format=data; NULL: none */
    int progress;
    bool append, unload;
    unsigned events;
};

/* A class with probes. */
struct probed {
    struct probed *next;        /* in its bucket */
    struct unit *unit;
    unsigned id;
    enum probe_place place;
    jobject klass;              /* NULL until it is prepared, then it stays; weak with
                                   `unload` */
    jclass holder;
    jfieldID *fields;           /* by probe; one for an array; NULL until needed */
    unsigned char *probes;
};

#define BUCKETS 4096

struct agent {
    bool runs;
    struct config config;
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct tf_gate gate;
    /* Entries are added and never taken out, so that they are found without the lock: JNI
       asks for their classes, and is not called with a raw monitor entered. */
    struct probed *buckets[BUCKETS];
    unsigned next_id;
    unsigned left_out;
    struct tf_monitor lock;     /* of is_collecting, notified when it ends */
    bool is_collecting;         /* a thread reads and changes probes and fields */
};

extern struct agent agent;

/* -- probed.c: classes with probes -- */

/* Do include and exclude of the configuration, `argument`, let in the class "p/C"?  Without
   include all but what comes with the VM, proxies among it. */
wanted_class probed_wanted;
/* The first entry of a bucket; its successors do not change any more. */
struct probed *probed_first(struct probed **bucket);
/* Its class, NULL until it is prepared. */
static inline jobject
probed_class(const struct probed *probed)
{
    return __atomic_load_n(&probed->klass, __ATOMIC_ACQUIRE);
}
/* A class for so many probes of a loaded one, which must see it and read its module; a
   global reference, NULL when there is none. */
jclass probed_holder(JNIEnv *jni, unsigned id, uint32_t count, jclass klass,
                     jobject loader);
/* The number in the name of the first probe's field, -1 for other fields; *probe is that
   of the probe, or -1. */
long probed_marker(jvmtiEnv *jvmti, jclass klass, jfieldID field, long *probe);
/* For ClassFileLoadHook and ClassPrepare. */
void JNICALL probed_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined,
                               jobject loader, const char *name, jobject domain,
                               jint length, const unsigned char *bytes,
                               jint *new_length, unsigned char **new_bytes);
void JNICALL probed_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
                                  jclass klass);

/* -- collect.c: what was executed -- */

/* Read the probes and write the result, as the configuration says; false with the reason
   logged. */
bool collect_write(const struct config *config, JNIEnv *jni);

#endif
