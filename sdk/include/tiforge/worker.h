/* SPDX-License-Identifier: MIT */
/*
 * tiforge/worker.h -- a thread of the agent's own for work that a callback must not do.
 *
 * GarbageCollectionStart and -Finish, ObjectFree and the heap callbacks may call almost
 * nothing (JVM TI "Garbage Collection Start"); ResourceExhausted, MonitorContended* and
 * others had better not do much.  They post; the worker has JVM TI and JNI.
 */
#ifndef TIFORGE_WORKER_H
#define TIFORGE_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_worker;

/* jni is the worker's own.  Local references die when the function returns; a pending
   exception is logged and cleared. */
typedef void tf_work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument);

/*
 * A worker whose queue holds `capacity` (rounded up to a power of two) items; NULL when
 * memory is short.  Any phase; items may be posted at once and wait for the start.
 */
struct tf_worker *tf_worker_new(jvmtiEnv *jvmti, size_t capacity);

/*
 * Start its thread, a daemon with this name, by RunAgentThread: live phase, so in
 * VMInit or in an attach.  False, with the reason logged, when that fails.
 */
bool tf_worker_start(struct tf_worker *worker, JNIEnv *jni, const char *thread_name);

/*
 * Have work(argument) done, in the order of posting.  Lock-free, calls neither JVM TI
 * nor JNI, does not allocate: allowed in every callback and in signal handlers.  False
 * when the queue is full, which is counted, or the worker was stopped.
 */
bool tf_worker_post(struct tf_worker *worker, tf_work *work, void *argument);

/* How many items were refused because the queue was full. */
unsigned long long tf_worker_refused(struct tf_worker *worker);

/*
 * Wait until all that was posted before the call is done; false after `milliseconds`
 * (0: no limit), when the thread does not run, or on the worker's own thread.
 */
bool tf_worker_drain(struct tf_worker *worker, unsigned milliseconds);

/*
 * Refuse new items, do the posted ones and end the thread: false if that takes longer
 * than `milliseconds` (0: no limit).  For VMDeath or a stop; not on the worker's own
 * thread.
 */
bool tf_worker_stop(struct tf_worker *worker, unsigned milliseconds);

/* Free a worker that never started or whose stop answered true. */
void tf_worker_free(struct tf_worker *worker);

#ifdef __cplusplus
}
#endif

#endif
