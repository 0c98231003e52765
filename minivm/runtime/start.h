/* SPDX-License-Identifier: MIT */
/* minivm/runtime/start.h -- how threads begin and end: Thread.start, attach, detach.
 *
 * A struct thread is made by the calling thread for itself (the first thread of the VM,
 * JNI "AttachCurrentThread") or by another one that starts it.  It is in the list of
 * threads from before its java.lang.Thread can be seen as alive until after its joiners
 * were notified.  What starts or attaches a thread runs Java (constructors of
 * java.lang.Thread and of its group) and therefore stops and collects. */

#ifndef MINIVM_RUNTIME_START_H
#define MINIVM_RUNTIME_START_H

#include "threads/thread.h"

/* Makes the main thread of the VM, which is the calling one, before any object exists.
   It is IN_VM then.  NULL when there is no memory. */
struct thread *thread_attach_first(struct vm *vm);

/* Makes the thread groups system and main, and the main thread's java.lang.Thread.  To
   be called once, when ThreadGroup and Thread can be initialized: it runs their
   initializers and constructors.  False with the exception pending. */
bool thread_create_main_object(struct thread *self);

/* Attaches the calling thread (JNI "AttachCurrentThread"), with a new java.lang.Thread
   in group (NULL: main's), of that name (standard UTF-8; NULL: Thread-N).  The thread
   is IN_NATIVE then.  NULL when there is no memory, or Java threw an exception. */
struct thread *thread_attach(struct vm *vm, const char *name, struct object *group,
                             bool daemon);

/* The end of the calling thread, which is IN_NATIVE and runs no Java: its uncaught
   exception is dispatched, Thread.exit and ThreadEnd run, what it entered by JNI is
   released, and its joiners are notified.  self is gone afterwards. */
void thread_detach(struct thread *self);

/* The end of the calling thread, which is IN_NATIVE, when no Java can run: making its
   java.lang.Thread has failed.  self is gone afterwards. */
void thread_drop(struct thread *self);

/* Thread.start0 of thread_object.  May leave IllegalThreadStateException or
   OutOfMemoryError pending. */
void thread_start(struct thread *self, struct object *thread_object);

/*
 * Starts a Java thread that runs fn, IN_VM: the signal dispatcher, the attach listener,
 * an agent's thread.  It is a daemon in the group system, with a java.lang.Thread that
 * is new and has that name; or with thread_object (JVM TI "Run Agent Thread"), and name
 * is NULL then.  False with the exception pending.
 */
bool thread_start_internal(struct thread *self, struct object *thread_object,
                           const char *name, void (*fn)(struct thread *self, void *arg),
                           void *arg, int priority);

/* Gives the calling thread a name for the operating system, which keeps the first 15
   bytes. */
void thread_set_native_name(const char *name);

#endif
