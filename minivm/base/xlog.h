/* SPDX-License-Identifier: MIT */
/* minivm/base/xlog.h -- the VM's log: -Xlog (JEP 158).
 *
 * A line has a tag set and a level.  Outputs (standard output, standard error, files)
 * each say by selections from what level on they take the lines of which tag sets, and
 * which decorations stand before them. */
#ifndef MINIVM_BASE_XLOG_H
#define MINIVM_BASE_XLOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum log_level {
    LOG_OFF, LOG_TRACE, LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_LEVELS
};

/* The tag sets that the VM has lines for; their tags stand in xlog.c. */
enum log_set {
    LOG_CLASS_LOAD, LOG_CLASS_UNLOAD, LOG_GC, LOG_GC_START, LOG_JNI_RESOLVE,
    LOG_LOGGING, LOG_REDEFINE_EXCEPTIONS, LOG_SETS
};

/* The lowest level that some output takes, by tag set; LOG_LEVELS: none. */
extern _Atomic uint8_t log_threshold[LOG_SETS];

static inline bool
log_wanted(enum log_set set, enum log_level level)
{
    return __builtin_expect(
        atomic_load_explicit(&log_threshold[set], memory_order_relaxed) <= level, 0);
}

/* Write the lines of text to all outputs that take them. */
void log_write(enum log_set set, enum log_level level, const char *text);

/* Time decorations count from there (os_nanos). */
void log_start(int64_t nanos);
/* Seconds since then. */
double log_uptime(void);

/*
 * Configure an output, and make it when it is a new file.  Each may be NULL or empty:
 * output is then standard output, what is "all=info", decorators stay as they are.
 * False, with lines that say why in problem; problem may have lines (warnings) when the
 * result is true, too.
 */
bool log_configure(const char *output, const char *what, const char *decorators,
                   const char *options, struct buf *problem);
/* The four with ':' between, as behind "-Xlog:"; a file's name may be quoted. */
bool log_configure_line(const char *line, struct buf *problem);
/* Standard output takes lines of set from level on, or none (LOG_OFF). */
void log_set_verbose(enum log_set set, enum log_level level);
/* No output takes anything; files are closed. */
void log_disable(void);
/* Begin new files, keep the old ones. */
void log_rotate(void);
/* What there is to choose from, and what was chosen. */
void log_describe(struct buf *out);
/* What -Xlog takes. */
void log_help(struct buf *out);

#endif
