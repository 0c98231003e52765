/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jdk.h -- what this folder gives the rest of the VM: knowledge of the JDK's
 * class library, and the services that it expects besides JNI.
 *
 * The start (minivm/invocation.c) calls these functions in the order of the VM's life:
 * profile_of, jdk_init, jdk_start_services.  The rest of the folder runs when the class
 * library calls it (jvm.h), or when another process does (attach.h). */

#ifndef MINIVM_JDK_JDK_H
#define MINIVM_JDK_JDK_H

#include "jni/entry.h"
#include "runtime/wellknown.h"

/*
 * Returns the profile of a feature release such as 17, which is never freed; NULL when
 * the VM does not know it.
 */
const struct jdk_profile *profile_of(int feature);

/* Returns the release of the JDK in the folder home, "25.0.3", as its file "release" has it
   (JAVA_VERSION); NULL if there is none.  mem_free. */
char *jdk_release(const char *home);

/* Returns the releases that profile_of knows, as "17, 21 and 25"; mem_free. */
char *profile_list(void);

/*
 * Prepares a new VM before its first class is loaded: the natives, the system
 * properties, the counters, the handlers of faults.
 */
void jdk_init(struct vm *vm);

/* The library "fallbackLinker", which is linked statically (foreign.c). */
JNIEXPORT jint JNICALL JNI_OnLoad_fallbackLinker(JavaVM *vm, void *reserved);

/* Registers the C bodies of this folder (interp/interp.h); jdk_init does it. */
void jdk_register_bodies(void);

/*
 * Starts, after initPhase1, what serves the process: the attach listener's preparations
 * and, unless -Xrs was given, the thread that runs Java's signal handlers.  Failures
 * are printed.
 */
void jdk_start_services(struct thread *self);

/*
 * Sets what the end of the process does first: fn is called once, by JVM_Halt, in the
 * thread that ends the process, which has entered the VM.
 */
void jdk_set_before_exit(void (*fn)(struct thread *self));

/*
 * Returns true if there is a version of JNI with that number and the VM's release has
 * it; any thread may ask.
 */
JNIEXPORT jboolean JNICALL JVM_IsSupportedJNIVersion(jint version);

/*
 * Starts the agent for JMX connections that -Dcom.sun.management... asks for.  False
 * with an exception pending, after the agent has printed what is wrong.
 */
bool management_agent_start(struct thread *self);

/*
 * Stores the constants of jdk.internal.misc.UnsafeConstants, before Unsafe is
 * initialized. False with an exception pending.
 */
bool unsafe_set_constants(struct thread *self);

#endif
