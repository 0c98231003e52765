/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jdk.h -- what the VM gives the JDK's class library besides JNI. */

#ifndef MINIVM_JDK_JDK_H
#define MINIVM_JDK_JDK_H

#include "jni/entry.h"
#include "vm/wellknown.h"

/* The profile of a feature release (17), or NULL. */
const struct jdk_profile *profile_of(int feature);

/* The floor's part of a new VM: before the first class, and after initPhase1 (the
   signal dispatcher, unless -Xrs was given, and the like). */
void jdk_init(struct vm *vm);
void jdk_start_services(struct thread *self);

/* What the process's end must do first (JVM_Halt calls it, IN_VM). */
void jdk_set_before_exit(void (*fn)(struct thread *self));

/* Is there such a version of JNI, and has the VM's release it? */
JNIEXPORT jboolean JNICALL JVM_IsSupportedJNIVersion(jint version);

/* -Dcom.sun.management…: false with an exception pending, about which it has told. */
bool management_agent_start(struct thread *self);

/* Fill in UnsafeConstants; false with an exception pending. */
bool unsafe_set_constants(struct thread *self);

#endif
