/* SPDX-License-Identifier: MIT */
/* An agent with native methods that count without a lock: between the load and the store
   is a call, in which others may come.  What each thread has counted from and to is kept
   in the order in which it happened. */
#include <jvmti.h>
#include <stdio.h>

enum { TIMES = 40 };

static jvmtiEnv *jvmti;
static jrawMonitorID monitor;
static volatile int counter;
static char text[8000];
static int length;

static void
call(JNIEnv *jni, jclass class, int kind)
{
    unsigned char *memory;

    switch (kind) {
    case 0:     /* functions that enter the VM */
        (*jni)->DeleteLocalRef(jni, (*jni)->NewLocalRef(jni, class));
        break;
    case 1:     /* and some that do not */
        (*jvmti)->Allocate(jvmti, 8, &memory);
        (*jvmti)->Deallocate(jvmti, memory);
        break;
    default:    /* and where threads wait for one another in native code */
        (*jvmti)->RawMonitorEnter(jvmti, monitor);
        (*jvmti)->RawMonitorNotifyAll(jvmti, monitor);
        (*jvmti)->RawMonitorExit(jvmti, monitor);
    }
}

JNIEXPORT void JNICALL
Java_Calls_count(JNIEnv *jni, jclass class, jint kind, jint thread)
{
    for (int i = 0; i < TIMES; i++) {
        int old = counter;

        call(jni, class, kind);
        counter = old + 1;
        length += snprintf(text + length, sizeof text - (size_t)length, "%c%d ",
                           'a' + thread, counter);
        call(jni, class, kind);
    }
}

JNIEXPORT jstring JNICALL
Java_Calls_counted(JNIEnv *jni, jclass class)
{
    (void)class;
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)options, (void)reserved;
    return (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_0)
        || (*jvmti)->CreateRawMonitor(jvmti, "calls", &monitor);
}
