/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/floor.h -- the functions of the JVM TI floor that the floors above call.
 *
 * The invocation interface (minivm/invocation.c) calls them when the VM starts and
 * ends, and for GetEnv; the attach mechanism (jdk/attach.h) starts agents.  All other
 * calls come from agents (wrapper.h) or through event_hooks (deliver.h). */

#ifndef MINIVM_JVMTI_FLOOR_H
#define MINIVM_JVMTI_FLOOR_H

#include <jni.h>

#include "base/buf.h"
#include "runtime/vm.h"

/* Makes vm->jvmti and fills event_hooks (base/events.h).  Called once, before the first
   class is loaded. */
void jvmti_init(struct vm *vm);

/* Loads the agents of the command line and calls their Agent_OnLoad, in order; then the
   primordial phase begins.  Returns false, with a message printed, if one of them
   fails. self is in the VM; agents' code runs. */
bool jvmti_load_agents(struct thread *self);

/* Starts an agent in the live phase: loads it and calls Agent_OnAttach.  This is an
   agent_start_fn (jdk/attach.h), which says what out gets.  Returns 0 if Agent_OnAttach
   was called, whatever it returned, and -1 if not.  An agent whose function returned
   JNI_OK gets its Agent_OnUnload; the library of one that failed stays loaded. */
int jvmti_attach_agent(struct thread *self, const char *name, bool is_path,
                       const char *options, struct buf *out);

/* Calls Agent_OnUnload of every agent, each once (JVM TI "Agent Shutdown"). */
void jvmti_unload_agents(struct thread *self);

/* GetEnv for a version of JVM TI: sets *env to a new environment and returns JNI_OK.
   Returns JNI_EVERSION for an unknown version, JNI_EDETACHED in the dead phase,
   JNI_ENOMEM. The calling thread is attached and in native state. */
jint jvmti_get_env(struct vm *vm, void **env, jint version);

#endif
