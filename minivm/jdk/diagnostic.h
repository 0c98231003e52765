/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic.h -- the diagnostic commands: what jcmd sends a running VM, and
 * DiagnosticCommandMBean executes.
 *
 * diagnostic.c has the table of commands; the functions that do the work are there and
 * in diagnostic_classes.c, diagnostic_vm.c and management_agent.c.  diagnostic_line.c
 * reads a command line and runs it.  attach.c and management.c call these. */

#ifndef MINIVM_JDK_DIAGNOSTIC_H
#define MINIVM_JDK_DIAGNOSTIC_H

#include "base/buf.h"
#include "jdk/jmm.h"

/* The most arguments that a command has. */
enum { DIAGNOSTIC_ARGUMENTS = 21 };

/*
 * Runs a command.  values has the arguments as text, in the order of the command's
 * table: NULL for one that was not given and has no default, "true" or "false" for a
 * BOOLEAN.  The output goes to out; an exception that is left pending goes to who gave
 * the command.
 */
typedef void diagnostic_fn(struct thread *self, const char *const *values,
                           struct buf *out);

struct diagnostic_command {
    struct jmm_command info;
    struct jmm_command_argument arguments[DIAGNOSTIC_ARGUMENTS]; /* as in the syntax */
    diagnostic_fn *run;
    struct releases releases; /* of the JDK that have the command so */
};

/* Returns the first command of the JDK's release behind c, or of all if c is NULL; NULL
   behind the last one. */
const struct diagnostic_command *diagnostic_next(const struct diagnostic_command *c);

#define FOR_EACH_COMMAND(c) \
    for (const struct diagnostic_command *c = diagnostic_next(NULL); c; \
         c = diagnostic_next(c))

/* Returns the command of that name that the JDK's release has, or NULL. */
const struct diagnostic_command *diagnostic_find(const char *name);

/* Prints how the command is used, as "help COMMAND" does. */
void diagnostic_print_syntax(const struct diagnostic_command *c, struct buf *out);

/* Returns true if the value of a BOOLEAN is true. */
bool diagnostic_is_true(const char *value);

/* The value, by its address, that -gz of GC.heap_dump has when it was not given. */
extern const char diagnostic_gzip_level[];

/* ---- diagnostic_line.c ---- */

/*
 * Runs the commands of text, one to a line; a line "stop" ends them, and what begins
 * with '#' is a comment.  False with an exception pending, which a command has left or
 * which says what is wrong with the line.
 */
bool diagnostic_run(struct thread *self, const char *text, struct buf *out);

/* ---- class_histogram.c ---- */

/*
 * Prints how many objects of each class are in the heap; with_garbage: also those that
 * a collection would free, else it collects first.  Stops the world.
 */
void class_histogram(struct thread *self, bool with_garbage, struct buf *out);
/* Prints how many live objects of each class there are to standard output, after a
   collection.  Stops the world. */
void class_histogram_print(struct thread *self);

/* ---- the commands that are not in diagnostic.c ---- */

/* diagnostic_vm.c */
diagnostic_fn diagnostic_heap_info, diagnostic_heap_dump, diagnostic_run_finalization,
    diagnostic_dump_to_file, diagnostic_events_or_all, diagnostic_finalizer_info,
    diagnostic_dynlibs, diagnostic_info, diagnostic_events, diagnostic_set_flag,
    diagnostic_log, diagnostic_start_debugging;
/* diagnostic_classes.c */
diagnostic_fn diagnostic_class_hierarchy, diagnostic_classloader_stats;
/* diagnostic.c */
diagnostic_fn diagnostic_command_line;
/* management_agent.c */
diagnostic_fn management_agent_start_local, management_agent_start_remote,
    management_agent_stop, management_agent_status;

#endif
