/* SPDX-License-Identifier: MIT */
/* minivm/jdk/signals.h -- signals that Java sees, thread dumps, threads' natives. */

#ifndef MINIVM_JDK_SIGNALS_H
#define MINIVM_JDK_SIGNALS_H

#include "base/buf.h"
#include "jni/entry.h"

/* Start the thread "Signal Dispatcher", unless -Xrs was given; false with the
   exception pending.  After initPhase1. */
bool signals_start(struct thread *self);

/* The dispatcher is to act as if that signal had come; nothing happens with -Xrs. */
void signals_notify(int number);

/* SIGQUIT asks fn first: true when an attaching process sent it, so that nothing is
   dumped. */
void signals_set_attach(bool (*fn)(struct thread *self));

/* A dump of all Java threads, as SIGQUIT and jstack print it; stops the world. */
enum { DUMP_HEAP = 1, DUMP_SYNCHRONIZERS = 2 };
void thread_dump(struct thread *self, struct buf *out, unsigned with);

/* ---- management_thread.c; world stopped ---- */
/* The thread that owns o when that is an ownable synchronizer, or NULL. */
struct object *exclusive_owner(const struct vm *vm, const struct object *o);
/* Who owns what t waits for, or NULL. */
struct thread *thread_waits_for(struct vm *vm, const struct thread *t,
                                bool monitors_only);
/* Does following owners from t lead back to t? */
bool thread_is_deadlocked(struct vm *vm, struct thread *t, bool monitors_only);

/* ---- jvm_thread.c; thread, object: as JVM_ functions get them ---- */
JNIEXPORT void JNICALL JVM_StartThread(JNIEnv *env, jobject thread);
JNIEXPORT void JNICALL JVM_StopThread(JNIEnv *env, jobject thread, jobject throwable);
JNIEXPORT jboolean JNICALL JVM_IsThreadAlive(JNIEnv *env, jobject thread);
JNIEXPORT void JNICALL JVM_SuspendThread(JNIEnv *env, jobject thread);
JNIEXPORT void JNICALL JVM_ResumeThread(JNIEnv *env, jobject thread);
JNIEXPORT void JNICALL JVM_SetThreadPriority(JNIEnv *env, jobject thread,
                                             jint priority);
JNIEXPORT void JNICALL JVM_Yield(JNIEnv *env, jclass cls);
JNIEXPORT void JNICALL JVM_Sleep(JNIEnv *env, jclass cls, jlong millis);
JNIEXPORT jobject JNICALL JVM_CurrentThread(JNIEnv *env, jclass cls);
JNIEXPORT void JNICALL JVM_Interrupt(JNIEnv *env, jobject thread);
JNIEXPORT jboolean JNICALL JVM_HoldsLock(JNIEnv *env, jclass cls, jobject object);
JNIEXPORT jobjectArray JNICALL JVM_GetAllThreads(JNIEnv *env, jclass unused);
JNIEXPORT jobjectArray JNICALL JVM_DumpThreads(JNIEnv *env, jclass cls,
                                               jobjectArray threads);
JNIEXPORT void JNICALL JVM_DumpAllStacks(JNIEnv *env, jclass unused);
JNIEXPORT void JNICALL JVM_SetNativeThreadName(JNIEnv *env, jobject thread,
                                               jstring name);
JNIEXPORT void JNICALL JVM_MonitorWait(JNIEnv *env, jobject object, jlong millis);
JNIEXPORT void JNICALL JVM_MonitorNotify(JNIEnv *env, jobject object);
JNIEXPORT void JNICALL JVM_MonitorNotifyAll(JNIEnv *env, jobject object);

/* ---- signals.c: jdk.internal.misc.Signal ---- */
JNIEXPORT void *JNICALL JVM_RegisterSignal(jint number, void *handler);
JNIEXPORT jboolean JNICALL JVM_RaiseSignal(jint number);
JNIEXPORT jint JNICALL JVM_FindSignal(const char *name);

#endif
