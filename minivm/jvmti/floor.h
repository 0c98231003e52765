/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/floor.h -- what the invocation interface asks of JVM TI. */

#ifndef MINIVM_JVMTI_FLOOR_H
#define MINIVM_JVMTI_FLOOR_H

#include <jni.h>

#include "base/buf.h"
#include "vm/vm.h"

/* Fill base/events.h's table; once, before the first class. */
void jvmti_init(struct vm *vm);

/* Load the agents of the command line and call their Agent_OnLoad, in order; the
   primordial phase follows.  False when one fails: printed. */
bool jvmti_load_agents(struct thread *self);

/* Agent_OnAttach: an agent_start_fn (jdk/attach.h).  One that succeeded counts as
   started and gets its Agent_OnUnload; a failed one's library stays loaded. */
int jvmti_attach_agent(struct thread *self, const char *name, bool is_path,
                       const char *options, struct buf *out);

/* Agent_OnUnload of every agent, once (JVM TI "Agent Shutdown"). */
void jvmti_unload_agents(struct thread *self);

/* GetEnv for a JVM TI version: a new environment, or JNI_EVERSION. */
jint jvmti_get_env(struct vm *vm, void **env, jint version);

#endif
