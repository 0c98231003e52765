/* SPDX-License-Identifier: MIT */
/* minivm/jdk/attach.h -- what other processes of the same user may ask a running VM. */

#ifndef MINIVM_JDK_ATTACH_H
#define MINIVM_JDK_ATTACH_H

#include "base/buf.h"
#include "vm/thread.h"

/* ---- attach.c: the listener ---- */

/* Watch for attaching processes; before the first SIGQUIT can come. */
void attach_init(struct thread *self);
/* The VM is live: serve who asked meanwhile. */
void attach_live(struct thread *self);
/* SIGQUIT: true when an attaching process sent it, so that nothing is dumped. */
bool attach_on_quit(struct thread *self);
/* Close and remove the socket: the VM ends. */
void attach_end(void);

/*
 * Start an agent in the live phase (JVM TI "Agent Start-Up (Live phase)"); is_path:
 * name is a path, else a library's name.  What to tell goes to out.  0 when its
 * start-up function ran, whatever it returned; else -1.  Nothing stays pending.
 */
typedef int agent_start_fn(struct thread *self, const char *name, bool is_path,
                           const char *options, struct buf *out);
/* The JVM TI floor's. */
void attach_set_agent_start(agent_start_fn *fn);
/* The same with the checks that do not depend on JVM TI. */
agent_start_fn attach_start_agent;

/* What a static method of VMSupport answers, which is a byte[]; false with an
   exception pending. */
bool attach_call_support(struct thread *self, const char *method, struct buf *out);

/* ---- histogram.c ---- */

/* How many objects of each class there are; with_garbage: also those that a collection
   would free. */
void class_histogram(struct thread *self, bool with_garbage, struct buf *out);

#endif
