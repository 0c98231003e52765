/* SPDX-License-Identifier: MIT */
/* minivm/jdk/attach.h -- the attach listener, by which other processes of the same user
 * control a running VM (jcmd, jstack, jmap, agents).
 *
 * attach.c explains the protocol.  The start and end of the VM (minivm/invocation.c)
 * and the dispatcher of signals (signals.c) call the first four functions; jcmd and the
 * JVM TI floor the others. */

#ifndef MINIVM_JDK_ATTACH_H
#define MINIVM_JDK_ATTACH_H

#include "base/buf.h"
#include "threads/thread.h"

/* Prepares the listener, before the first SIGQUIT can come. */
void attach_init(struct thread *self);

/*
 * Serves from now on, since the VM is live (JVM TI "VM Initialization Event"); a
 * process that has asked before gets its answer now.  Starts a thread if one is needed.
 */
void attach_live(struct thread *self);

/*
 * Decides what a SIGQUIT was for.  Returns true if a process that attaches has sent it:
 * the listener runs then, and nothing is to be dumped.
 */
bool attach_on_quit(struct thread *self);

/* Closes and removes the socket, at the end of the VM or process. */
void attach_end(void);

/*
 * Starts an agent in the live phase (JVM TI "Agent Start-Up (Live phase)").  is_path:
 * name is a path, else a library's name.  What the user is to read goes to out.
 * Returns 0 when the agent's start-up function ran, whatever it returned; else -1.  No
 * exception is left pending.
 */
enum { BY_NAME = false, BY_PATH = true };
typedef int agent_start_fn(struct thread *self, const char *name, bool is_path,
                           const char *options, struct buf *out);
/* Sets the function that does it, which is the JVM TI floor's. */
void attach_set_agent_start(agent_start_fn *fn);
/* Starts an agent by the function that was set, which must have been; its parameters
   and result are those of agent_start_fn.  Before that it makes the checks that do not
   depend on JVM TI: it refuses with -XX:-EnableDynamicAgentLoading, and loads the
   module java.instrument for the library "instrument". */
agent_start_fn attach_start_agent;

/*
 * Appends to out the bytes that a static method of jdk.internal.vm.VMSupport returns,
 * such as serializePropertiesToByteArray.  False with an exception pending.
 */
bool attach_call_support(struct thread *self, const char *method, struct buf *out);

/* The parts of a request, each ended by a NUL: version, command, three arguments. */
enum { ATTACH_ARGUMENTS = 3, ATTACH_PARTS = 2 + ATTACH_ARGUMENTS };

/*
 * Finds the parts of a request in the length bytes that have come so far.  Returns
 * true, with pointers into bytes in parts, once all are there.
 */
bool attach_split_request(char *bytes, size_t length, char *parts[ATTACH_PARTS]);

#endif
