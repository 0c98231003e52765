/* SPDX-License-Identifier: MIT */
/* sdk/test/fakevm.h -- the few functions of JVM TI and JNI that the library calls, so
   that a test sees each call and can make it fail. */
#ifndef SDK_TEST_FAKEVM_H
#define SDK_TEST_FAKEVM_H

#include <jvmti.h>

struct fake {
    int allocated, deallocated;         /* blocks */
    int frames, popped;                 /* of local references */
    int deleted;                        /* local references */
    bool no_frame;                      /* PushLocalFrame fails */
    jvmtiCapabilities potential, held;
    int refuse;                         /* AddCapabilities with more than so many fails */
    jint version;
    jvmtiPhase phase;
    jvmtiEvent events[8];
    int event_count;
    jvmtiError enable_error, wait_error;
    int threads;                        /* RunAgentThread */
};

extern struct fake fake;
extern jvmtiEnv fake_jvmti;
extern JNIEnv fake_jni;

/* Memory as a JVM TI function gives it. */
void *fake_allocate(size_t size);

#endif
