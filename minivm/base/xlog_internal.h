/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/xlog_internal.h -- what the files of the VM's log share.
 *
 *     xlog.c          the outputs, their files, and writing lines
 *     xlog_config.c   what -Xlog and its options configure
 *     xlog_names.c    names of levels, tags and decorators; describing and help
 *
 * Names of levels, tags and decorators are compared without regard to case, and
 * messages are HotSpot's, so that a command line is right or wrong on both.
 */
#ifndef MINIVM_BASE_XLOG_INTERNAL_H
#define MINIVM_BASE_XLOG_INTERNAL_H

#include <pthread.h>
#include <stdio.h>

#include "base/xlog.h"

/* The most tags of a set; the most outputs. */
enum { TAGS = 5, OUTPUTS_MAX = 64 };

/* What may stand before a line, in this order (JEP 158 "Decorations"). */
enum decorator {
    TIME,
    UTC_TIME,
    UPTIME,
    TIME_MILLIS,
    UPTIME_MILLIS,
    TIME_NANOS,
    UPTIME_NANOS,
    HOST_NAME,
    PID,
    TID,
    LEVEL,
    TAG_SET,
    DECORATORS
};

/* The decorators of an output that was not told others. */
enum { USUAL_DECORATORS = 1 << UPTIME | 1 << LEVEL | 1 << TAG_SET };

/* What an output was told, for log_describe. */
struct selection {
    /* "gc*", "all", "class+load". */
    char *text;
    enum log_level level;
};

struct output {
    /* "stdout", "stderr" or "file=PATH". */
    char *name;
    FILE *file;
    /* It was configured after the VM had started. */
    bool is_reconfigured;
    /* The decorators, as bits by enum decorator, and the widest text of each so far. */
    uint32_t decorators;
    int widths[DECORATORS];
    /* The lowest level that it takes, by tag set; LOG_LEVELS: none. */
    uint8_t threshold[LOG_SETS];
    /* The lines of one text become one line, with \n and \\ for what would be lost. */
    bool folds;
    /* The first selection is that of "all". */
    struct selection *selections;
    size_t selection_count;
    /* The rest is for files.  NULL: it is none. */
    char *path;
    /* Bytes written to the present file, and how many begin a new one; 0: never. */
    uint64_t size, size_limit;
    /* How many old files are kept, and the number of the next one. */
    unsigned keep, next;
};

/* The log of the process, which is why it is global; the mutex guards the rest. */
extern struct logs {
    pthread_mutex_t mutex;
    struct output *outputs;
    size_t count;
    /* When the VM started (os_nanos), or 0. */
    int64_t start;
    /* The release of the JDK has options of outputs that are no files, too. */
    bool has_common_options;
} logs;

/* ---- xlog.c; the caller holds the mutex ---- */

/* Appends an output that takes lines from the level on.  Pointers to outputs are valid
   until the next call. */
struct output *output_add(const char *name, FILE *file, enum log_level level);
/* Closes the file and frees what the output refers to, not the output itself. */
void output_release(struct output *o);
/* Makes the outputs stdout and stderr, numbers 0 and 1, if there are none yet. */
void output_add_standard(void);
/* Returns the output of that name, or NULL. */
struct output *output_find(const char *name);
/* Remembers for log_describe that the output was told a selection.  One of the same
   text is replaced; "all" makes the output forget the others, which it overrides. */
void output_note_selection(struct output *o, const char *text, enum log_level level);
/* Opens the file o->path of a new output; renames one that is there to an old one if
   those are kept.  Returns false with errno set when it cannot be opened. */
bool output_open_file(struct output *o);
/* Computes log_threshold from the outputs. */
void update_thresholds(void);

/* ---- xlog_names.c ---- */

extern const char *const level_names[LOG_LEVELS];
/* The long and the short name. */
extern const char *const decorator_names[DECORATORS][2];
/* The tags of each set in their order; the rest of a row is NULL. */
extern const char *const set_tags[LOG_SETS][TAGS];

/*
 * Look a word up.  They return the level, or the tag's name, which is constant; for an
 * unknown word they return LOG_LEVELS or NULL and say so in problem, with the known
 * word that resembles it most.
 */
enum log_level find_level(const char *word, struct buf *problem);
const char *find_tag(const char *word, struct buf *problem);

#endif
