/* SPDX-License-Identifier: MIT */
/* agents/heapdump/heapdump.h -- what the parts of the agent share. */
#ifndef HEAPDUMP_H
#define HEAPDUMP_H

#include <stdbool.h>
#include <stdint.h>

#include <tiforge/tiforge.h>

#include "agents/progress.h"

enum { FORMAT_HPROF, FORMAT_HISTOGRAM, FORMAT_RETAINED, FORMAT_HTML,
       FORMAT_GROWTH };

struct config {
    int format;
    char *file;             /* NULL: by format */
    int progress;
    bool gzip;
    char **include, **exclude, **on;
    char *compare;          /* an HPROF file of an earlier dump; NULL: none */
    char *now;              /* one to compare with it instead of the program's heap */
    long long top, min;     /* rows of a text, 0 for all; percent that one of growth has */
    JavaVM *vm;
    unsigned events;        /* of on: bits of ON_... */
    unsigned dumps;         /* written so far */
};

/* -- output.c: a file, compressed or not -- */

struct output;

/* NULL with the reason logged. */
struct output *output_open(const char *path, bool gzip);
/* False after the first failure, which commit reports. */
bool output_bytes(struct output *out, const void *bytes, size_t length);
/* Append text; for lines of reports. */
bool output_format(struct output *out, const char *format, ...) TF_PRINTF(2, 3);
/* How many bytes went in. */
unsigned long long output_length(const struct output *out);
bool output_commit(struct output *out);
void output_discard(struct output *out);

/* -- model.c: classes and threads as they were before a walk -- */

/*
 * The tag of an object is its number in the dump, and for arrays the length above it,
 * since a walk tells the length only where the array is referred to.  Numbers below
 * FIRST_OBJECT are those of classes: the index in model.classes.
 */
enum { NUMBER_BITS = 33 };
#define NUMBER_OF(tag) ((uint64_t)(tag) & (((uint64_t)1 << NUMBER_BITS) - 1))
#define LENGTH_OF(tag) ((uint32_t)((uint64_t)(tag) >> NUMBER_BITS))
#define FIRST_OBJECT ((uint64_t)1 << 24)

struct field {
    uint32_t name;          /* a string's number */
    uint32_t at;            /* of an instance field: byte among those of its class in a
                               dump; of a static one: index in values */
    char type;              /* 'L' for all references */
    bool is_static;
};

struct constant {
    uint16_t index;
    uint64_t value;
};

struct class {
    char *signature;        /* NULL until it is described */
    uint32_t name, super;   /* name: as in class files, a string's number */
    uint32_t *interfaces, interface_count;
    struct field *fields;   /* own, as GetClassFields orders them */
    uint32_t field_count;
    uint32_t first;         /* the index of its first field, as walks count (JVM TI
                               "jvmtiHeapReferenceInfoField"), without `above` */
    uint32_t above;         /* number of fields in interfaces */
    uint32_t bytes, all_bytes;      /* instance field values: own, with superclasses' */
    uint32_t statics;
    uint64_t *values;       /* of statics, by field.at */
    struct constant *constants;
    uint32_t constant_count, constant_capacity;
    uint64_t loader, signers, domain;
    jlong size;             /* of an instance; 0 until one was seen */
    uint64_t objects, object_bytes;
    uint32_t stamp;         /* of the last traversal of interfaces that came here */
    char element;           /* of an array: its elements' type; 0 for others */
    bool is_interface, wanted;
    bool prepared;          /* so its fields are known */
    bool has_instances;     /* which a walk met though it is not prepared */
    bool weak;              /* a soft, weak or phantom reference */
};

struct frame {
    jmethodID method;
    jlocation location;
    uint32_t name, signature, source, class;
    int32_t line;
};

struct thread {
    uint64_t number;
    struct frame *frames;
    uint32_t frame_count;
    jint moved;             /* innermost frames that a walk counts and the trace has not */
    bool told;              /* its root was written */
};

struct model {
    jvmtiEnv *jvmti;        /* of this dump alone: its tags go with it */
    JNIEnv *jni;
    const struct config *config;
    struct class *classes;  /* from 1 */
    uint32_t class_count, class_capacity;   /* class_count includes the unused 0 */
    uint32_t java_class;    /* java.lang.Class */
    uint64_t *mirrors;      /* Class objects of no loaded class: int.class, and what
                               HotSpot has in archives; by number */
    uint32_t mirror_count, mirror_capacity;
    uint32_t *pending;      /* of count_above */
    struct thread *threads;
    uint32_t thread_count, thread_capacity;
    uint32_t *thread_index, thread_index_size;      /* threads by their numbers */
    char **strings;         /* from 1 */
    uint32_t string_count, string_capacity, *string_index, string_index_size;
    uint32_t stamp;
    uint64_t known;         /* the first number that no object has before the walk */
    uint64_t next;          /* the next number */
    bool has_met;           /* classes that are not prepared and have instances */
    bool stale;             /* there is a class that came after the model was made */
    bool no_memory;
    double started;
    struct progress progress;
    uint64_t used;          /* bytes of the heap in use, garbage as well, before the walk;
                               0 when that is not known */
    uint64_t met;           /* bytes of objects that the walk has met */
    const struct growth *growth;        /* for a page; NULL: none */
};

bool model_init(struct model *model, JNIEnv *jni, const struct config *config);
void model_release(struct model *model);
/* Look at classes that it does not know yet; may be repeated. */
bool model_add_classes(struct model *model);
/* The number of an object, a class, a text, which get one if they have none; 0 for NULL and
   when memory is short. */
uint64_t model_object(struct model *model, jobject object);
uint32_t model_class_number(struct model *model, jclass class);
uint32_t model_string(struct model *model, const char *text);
/* Look, once, for instances of classes whose fields are not known, in a pass that costs
   little: the model is stale if there are some. */
bool model_meet_unprepared(struct model *model);
/* Do include and exclude let in any class? */
bool model_any_wanted(const struct model *model);
/* Take back the tags that a walk has set. */
void model_forget_objects(struct model *model);

/* By the tag of a class; NULL, and the model is stale, when it is not known. */
static inline struct class *
model_class(struct model *model, jlong tag)
{
    if (tag > 0 && tag < model->class_count)
        return &model->classes[tag];
    model->stale = true;
    return NULL;
}

/* The field that a walk calls `index` in class; NULL for none.  `owner` is the class or
   superclass that has it. */
const struct field *model_field(struct model *model, struct class *class, jint index,
                                struct class **owner);
/*
 * See to it that the object with this tag has a number, which it answers; 0 when memory
 * is short.  `class` is its class, size and length are its own; only an array has a length.
 */
uint64_t model_number(struct model *model, struct class *class, jlong *tag, jlong size,
                      jint length);

/* An object of so many bytes was met by a walk that does `what`. */
void model_met(struct model *model, const char *what, jlong size);

/* The name of a class as Java writes it; the caller's to free(). */
char *class_java_name(const struct class *class);

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

/* -- threads.c -- */

/* Threads with their frames, virtual ones that have some included; replaces what was
   known. */
bool threads_find(struct model *model);
void threads_release(struct model *model);
/* The number of a thread by its tag, from 1; 0 when it is not known. */
uint32_t threads_number(const struct model *model, jlong tag);

/* -- the formats; false with the reason logged, unless the model is stale -- */

bool hprof_write(struct model *model, struct output *out);
bool histogram_write(struct model *model, struct output *out);
bool retained_write(struct model *model, struct output *out);

bool html_write(struct model *model, struct output *out);
bool growth_write(struct model *model, struct output *out);

/* -- retained.c: the graph of what refers to what -- */

enum { UNIT = 8 };      /* of sizes: objects are aligned, and 32 bits are enough then */
enum { LABEL_BITS = 26 };
#define IS_ROOT (1u << 31)

/* Node 0 is the root of roots, then come classes and objects. */
struct graph {
    struct model *model;
    uint32_t *class, *size, *start;     /* by node; class has IS_ROOT, too */
    uint32_t nodes, capacity;
    uint32_t *edges;                    /* of a node: their count, then the nodes */
    uint64_t edge_count, edge_capacity;
    uint32_t from;                      /* the node whose references are being told */
    uint32_t *labels;                   /* by edge: the kind (JVM TI
                                           "jvmtiHeapReferenceKind") above LABEL_BITS,
                                           below it the index of a field or element */
    uint32_t *root_kind;                /* by node: how it is a root; 0 if it is none */
    const char *broken;
    bool no_memory;
};

const struct class *graph_class(const struct graph *g, uint32_t node);
/* "java.util.HashMap", "class p.C" for the class itself; the caller's to free(). */
char *graph_text(const struct graph *g, uint32_t node);
/* What a reference with this label from a node is: a field's name, "[3]", "a thread" of
   the root of roots; the caller's to free(), NULL when memory is short. */
char *graph_label(const struct graph *g, uint32_t from, uint32_t label);

/* What becomes of a graph: order, dominator and reached are those of dominators().
   False when memory is short. */
typedef bool graph_writer(const struct graph *g, struct output *out,
                          const uint32_t *order, const uint32_t *dominator,
                          uint32_t reached);
/* Walk the heap and hand the graph on; false with the reason logged, unless the model is
   stale. */
bool graph_write(struct model *model, struct output *out, graph_writer *write);

/* -- compare.c -- */

/* The objects of a class in an earlier dump. */
struct old_class {
    char *name;             /* "java/lang/String", "[I" */
    uint64_t id, objects, bytes;
};

struct old_dump {
    struct old_class *classes;          /* by name */
    uint32_t count;
};

/* Can the file be read, and is it an HPROF file?  False with the reason logged. */
bool old_dump_try(const char *path);
/* Count the objects of an HPROF file by class; false with the reason logged. */
bool old_dump_read(struct old_dump *dump, const char *path);
/* By the name as class files write it; NULL when there was none. */
const struct old_class *old_dump_find(const struct old_dump *dump, const char *name);
void old_dump_release(struct old_dump *dump);

/* -- dominators.c -- */

/*
 * Immediate dominators of a graph with `count` nodes, of which 0 is the root.  The
 * edges of node n stand from edges[start[n]]: their count, then the nodes; start 0 is
 * for none.  On success order[i] is the i-th node of a depth-first search, *reached how
 * many there are, and dominator[i] the position in order of that node's immediate
 * dominator, always lower than i.  Both are the caller's to free().  False when memory
 * is short.
 */
bool dominators(uint32_t count, const uint32_t *start, const uint32_t *edges,
                uint32_t **order, uint32_t **dominator, uint32_t *reached);

#endif
