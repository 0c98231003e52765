/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/xlog.h -- the VM's log, which -Xlog configures (JEP 158).
 *
 * Each line has a set of tags, such as class+load, and a level.  There are outputs:
 * standard output, standard error, and files.  Each output has a lowest level for each
 * tag set, and takes the lines from that level on, with decorations before them.
 *
 * Any thread may call these functions.  They take a mutex and write to files, but do
 * not stop or collect.
 */
#ifndef MINIVM_BASE_XLOG_H
#define MINIVM_BASE_XLOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum log_level {
    LOG_OFF,
    LOG_TRACE,
    LOG_DEBUG,
    LOG_INFO,
    LOG_WARNING,
    LOG_ERROR,
    LOG_LEVELS
};

/* The tag sets that the VM has lines for; xlog_names.c has their tags. */
enum log_set {
    LOG_CLASS_LOAD,
    LOG_CLASS_UNLOAD,
    LOG_GC,
    LOG_GC_START,
    LOG_JNI_RESOLVE,
    LOG_LOGGING,
    LOG_REDEFINE_EXCEPTIONS,
    LOG_SETS
};

/* The lowest level that some output takes, by tag set; LOG_LEVELS: none.  It is global
   because each place that logs tests it first, as cheaply as possible. */
extern _Atomic uint8_t log_threshold[LOG_SETS];

/* Returns true if some output takes lines of that set and level. */
static inline bool
log_wanted(enum log_set set, enum log_level level)
{
    return __builtin_expect(
        atomic_load_explicit(&log_threshold[set], memory_order_relaxed) <= level, 0);
}

/* Writes the lines of text to all outputs that take lines of that set and level. */
void log_write(enum log_set set, enum log_level level, const char *text);

/* Selects the tags and options that HotSpot's log has in a release of the JDK, before the
   log is configured. */
void log_select(int feature);
/* Sets the time (os_nanos) from which the decoration "uptime" counts. */
void log_start(int64_t nanos);
/* Returns the seconds since then; 0 before log_start. */
double log_uptime(void);

/*
 * Configures an output, which is added if it is a new file.  Each text may be NULL or
 * empty: output is then standard output, `what` is "all=info", and decorators stay as
 * they are.  Returns false, and appends lines that say why to problem, if a text is
 * faulty.  Lines that were appended when the result is true are warnings.
 */
bool log_configure(const char *output, const char *what, const char *decorators,
                   const char *options, struct buf *problem);
/* Configures an output by a line as it follows "-Xlog:",
   what:output:decorators:options; the name of a file may be in quotes.  Result and
   problem as of log_configure. */
bool log_configure_line(const char *line, struct buf *problem);
/* Lets standard output take lines of the set from the level on, or none (LOG_OFF). */
void log_set_verbose(enum log_set set, enum log_level level);
/* Lets no output take anything, and closes files. */
void log_disable(void);
/* Begins new files; the present ones become old ones. */
void log_rotate(void);
/* Appends the levels, tags and decorators that there are, and how the outputs are
   configured. */
void log_describe(struct buf *out);
/* Appends what -Xlog takes. */
void log_help(struct buf *out);

#endif
