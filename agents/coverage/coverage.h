/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/coverage.h -- the model that instrumentation, data files and reports
 * share.
 *
 * A method is a list of items: instructions of one line that are executed together.  An
 * item has one bit, "executed", and, where it ends with a branch, one more for each way
 * that can be taken.  Runs are merged by OR over the bits of classes of the same bytes.
 */
#ifndef AGENTS_COVERAGE_H
#define AGENTS_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jvmti.h>

#include <tiforge/tiforge.h>

#include "agents/progress.h"

struct item {
    uint32_t bit;           /* in the unit's hits; those of the ways follow it */
    uint32_t insns;         /* 0: nothing that counts */
    uint16_t line;          /* 0: not known */
    uint16_t ways;          /* 0, or at least 2 */
};

struct method {
    char *name, *descriptor;
    struct item *items;
    uint32_t count;
};

/*
 * How the bits follow from the probes of a running class: an item was executed when one
 * of its edges was.  An edge is another item (0 and up) or a probe (~p).
 */
struct flow {
    int32_t *edges;
    uint32_t *first;        /* by item, method after method; one more at the end */
    uint32_t edge_count, item_count;
    int32_t *leader;        /* by item: the one that this is a copy of, or itself */
};

/* A class with certain bytes. */
struct unit {
    char *name, *source;    /* "p/C"; "C.java" or NULL */
    uint64_t hash;          /* of the class file before instrumentation */
    struct method *methods;
    uint32_t method_count;
    uint32_t bit_count;
    unsigned char *hits;    /* bit_count bits */
    uint32_t probe_count;
    struct flow flow;       /* empty for one that came from a file */
};

struct units {
    struct unit **list;
    size_t count, capacity;
};

/* Where the probes of a class are. */
enum probe_place {
    PROBES_NONE,            /* only look at the class */
    PROBES_FIELDS,          /* a static field of the class for each */
    PROBES_ARRAY,           /* one array: the fields of an interface are final */
    PROBES_HOLDER           /* fields of another class: this one is loaded already */
};

/* Names of the fields: the first is different for each class file. */
#define FIRST_FIELD "$cov$"
#define FIELD "$c"
#define HOLDER "tiforge/coverage/Hits"

/* analyze.c: take a class apart.  Fills methods, flow and probe_count of unit and,
   unless place is PROBES_NONE, adds the probes to c.  False when memory is short; else
   look at tf_class_error. */
bool unit_analyze(struct unit *unit, struct tf_class *c, enum probe_place place,
                  unsigned id);
/* Add what the probes write to: fields, or the array with its initialization. */
void probe_add_fields(struct tf_class *c, enum probe_place place, unsigned id,
                      uint32_t count);
/* The class file of a holder of so many probes. */
void probe_holder(struct tf_buffer *out, const char *name, unsigned id, uint32_t count);
/* The name of probe p's field. */
void probe_name(char *name, size_t size, unsigned id, uint32_t p);

/* filter.c: what a compiler added and nobody wrote. */
struct filtered {
    bool *ignored;          /* by instruction */
    int32_t *leader;        /* by instruction: the one that it is a copy of, or -1 */
};
bool filter_skips_class(struct tf_class *c);
bool filter_skips_method(struct tf_class *c, struct tf_member *method);
void filter_code(struct tf_code *code, struct tf_insn **insns, size_t count,
                 struct filtered *out);

/* data.c */
struct unit *unit_new(const char *name, const char *source, uint64_t hash);
void unit_free(struct unit *unit);
/* Number the bits of all items and make room for them. */
bool unit_lay_out(struct unit *unit);
/* Set the bits that follow from the probes. */
void unit_cover(struct unit *unit, const unsigned char *probes);
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);
#define HASH_START 14695981039346656037u

static inline bool
unit_bit(const struct unit *unit, uint32_t bit)
{
    return (unit->hits[bit >> 3] >> (bit & 7) & 1) != 0;
}

bool units_add(struct units *units, struct unit *unit);
/* Sort by name; equal ones become one, with the bits of both. */
void units_sort(struct units *units);
void units_release(struct units *units);
/* A copy without the flow. */
struct unit *unit_copy(const struct unit *unit);
void data_write(const struct units *units, struct tf_buffer *out);
/* False, with the reason logged, when the file cannot be read or is none. */
bool data_read(struct units *units, const char *path);

/* folder.c */
struct unit *unit_of(struct tf_class *c, const void *bytes, size_t length);
typedef bool wanted_class(const void *argument, const char *name, bool of_boot_loader);
/* Add the classes below a folder that are not among the first `known` units, which are
   sorted, with nothing executed. */
void units_add_folder(struct units *units, const char *folder, size_t known,
                      const void *argument, wanted_class *wanted);

/* report.c */
enum format { FORMAT_DATA, FORMAT_TEXT, FORMAT_LCOV, FORMAT_JACOCO, FORMAT_COBERTURA,
              FORMAT_HTML };
#define FORMATS "data|text|lcov|jacoco|cobertura|html"

enum { INSTRUCTION, BRANCH, LINE, COMPLEXITY, METHOD, CLASS, COUNTERS };

struct counter {
    unsigned missed, covered;
};

struct line {
    struct counter insns, ways;
};

struct source {
    char *package, *name;   /* "p/q" or ""; "C.java", or the class's name */
    bool known;             /* the class says its source */
    char *path;             /* of the file below sourcepath; NULL when not found */
    struct unit **units;
    size_t unit_count;
    struct line *lines;     /* by number; [0] is for those without */
    unsigned line_count;    /* the highest number */
    struct counter counters[COUNTERS];
};

struct report {
    struct source *sources; /* by package and name */
    size_t count;
    struct counter counters[COUNTERS];
};

bool report_build(struct report *report, struct units *units, char *const *sourcepath);
void report_release(struct report *report);
void count_method(const struct unit *unit, const struct method *method,
                  struct counter counters[COUNTERS]);
void count_unit(const struct unit *unit, struct counter counters[COUNTERS]);
/* Add up the sources from first that are of first's package; answers their number. */
size_t count_package(const struct report *report, size_t first,
                     struct counter counters[COUNTERS]);
/* The first line of a method; 0 when it has none. */
unsigned method_line(const struct method *method);
/* The last line of so many methods. */
unsigned last_line(const struct method *methods, uint32_t count);
/* Add a method to what is known of its lines, by number. */
void lines_add(const struct unit *unit, const struct method *method,
               struct line *lines);
double counter_ratio(const struct counter *counter);

void report_text(const struct report *report, FILE *out);
void report_lcov(const struct report *report, FILE *out);
void report_jacoco(const struct report *report, FILE *out);
void report_cobertura(const struct report *report, char *const *sourcepath, FILE *out);
/* `old` is the report of an earlier run to compare with, or NULL; vm names the VM. A page
   that would be large is cut, and the sources go to files in a folder beside `file`. False,
   with the reason logged, when those cannot be written. */
bool report_html(const struct report *report, const struct report *old, const char *vm,
                 const char *file, struct progress *progress, FILE *out);

#endif
