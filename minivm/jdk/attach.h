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

/* ---- diagnostic.c: the commands of jcmd ---- */

/* An argument of a command; in the order of the syntax. */
struct diagnostic_argument {
    const char *name, *description;
    const char *type;              /* "BOOLEAN", "INT", "STRING" */
    const char *initial;           /* the default, or NULL */
    bool is_option, is_mandatory;
};

enum { DIAGNOSTIC_ARGUMENTS = 2 };

struct diagnostic_command {
    const char *name, *description, *impact;
    const char *permission[3];     /* class, name, action; or NULL */
    /* Those in use have a name. */
    struct diagnostic_argument arguments[DIAGNOSTIC_ARGUMENTS];
    void (*run)(struct thread *self, const char *const *values, struct buf *out);
};

extern const struct diagnostic_command diagnostic_commands[]; /* ended by a NULL name */
const struct diagnostic_command *diagnostic_find(const char *name);
int diagnostic_argument_count(const struct diagnostic_command *c);

/* Run the commands of text, one to a line; false with an exception pending. */
bool diagnostic_run(struct thread *self, const char *text, struct buf *out);

/* ---- histogram.c ---- */

/* How many objects of each class there are; with_garbage: also those that a collection
   would free. */
void class_histogram(struct thread *self, bool with_garbage, struct buf *out);

#endif
