/* SPDX-License-Identifier: MIT */
/* minivm/jdk/attach.h -- what other processes of the same user may ask a running VM, by
 * attaching and by signals. */

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

/* ---- diagnostic.c ---- */

/* How many objects of each class there are; with_garbage: also those that a collection
   would free. */
void class_histogram(struct thread *self, bool with_garbage, struct buf *out);
void class_histogram_print(struct thread *self); /* to standard output */

/* ---- signals.c, thread_dump.c ---- */

/* The dispatcher is to act as if that signal had come; nothing happens with -Xrs. */
void signals_notify(int number);

/* A dump of all Java threads, as SIGQUIT and jstack print it; stops the world. */
enum { DUMP_HEAP = 1, DUMP_SYNCHRONIZERS = 2 };
void thread_dump(struct thread *self, struct buf *out, unsigned with);
void thread_dump_print(struct thread *self);   /* to standard output, with the heap */
/* How much of the heap and of the memory for classes is in use. */
void heap_print(const struct vm *vm, struct buf *out);

/* ---- management_memory.c ---- */
void management_print_metaspace(struct buf *out);

/* ---- management_thread.c; world stopped ---- */
/* What t waits for, or NULL, and the Thread that has it, or NULL. */
struct object *thread_blocker(struct vm *vm, const struct thread *t,
                              struct object **owner);
/* Keep all ownable synchronizers that have an owner: each, then its owner. */
void synchronizers_find(struct thread *self);
/* Who owns what t waits for, or NULL. */
struct thread *thread_waits_for(struct vm *vm, const struct thread *t,
                                bool monitors_only);
/* Does following owners from t lead back to t? */
bool thread_is_deadlocked(struct vm *vm, struct thread *t, bool monitors_only);

#endif
