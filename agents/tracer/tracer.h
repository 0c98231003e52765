/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/tracer.h -- what the parts of the agent share.
 *
 * Each thread puts what it enters and leaves into a buffer of its own (recorder.c). The
 * worker takes it out and keeps it (store.c): for formats of single events in a file
 * without a name, for formats of sums in a tree (calltree.c).  At the end, or when
 * somebody asks, it is written (formats.c, text.c, html.c).  A session that samples has a
 * thread of its own that asks for stacks instead (sampler.c).
 *
 * A session is the time from a start to a stop; attaching can start several.  Callbacks
 * of an earlier session may still run in a later one, so what they touch is never
 * freed: methods, the buffers, the worker.  What they record names a thread of their
 * session and is ignored.
 */
#ifndef TRACER_H
#define TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <tiforge/tiforge.h>

#include "agents/progress.h"

enum format { FORMAT_CHROME, FORMAT_SPEEDSCOPE, FORMAT_COLLAPSED, FORMAT_TREE,
              FORMAT_HTML };
enum { FULL_DROP, FULL_WAIT };
enum { VALUE_TIME, VALUE_CALLS };

struct config {
    char *file;
    int format, full, value, progress;
    char **include, **exclude, **on;
    char **compare;             /* two files, before and after; NULL: none */
    long long buffer, limit, depth;
    long long sample;           /* nanoseconds between samples; 0: calls are traced */
    long long cost;             /* of samples, in percent of the program's time; 0: any */
    long long top, min;         /* rows of a text, -1 for the default, 0 for all; the least
                                   part of all that a row has, in percent */
    bool idle, start, stop;
    bool probes;                /* calls are told by the methods' own bytecode */
};

/* Of the session; constant while it runs. */
extern struct config config;

/* -- methods.c -- */

struct method {
    jmethodID id;
    char *name;                 /* "p.C.m(int, long[])" */
    size_t class_length;        /* of "p.C" */
    size_t short_length;        /* of "p.C.m" */
    uint32_t number;            /* what records say; from 0 */
    uint32_t verdict;           /* session * 2, + 1 if it is wanted */
};

/* The method, looked up without a lock unless it is new; NULL when memory is short. */
struct method *method_find(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id);
/* Do include and exclude let it in?  A pattern may fit its class, "p.C.m" or all. */
bool method_wanted(struct method *method, uint32_t session);
const char *method_name(uint32_t number);
/* The same by names as class files have them, for a method that has no id yet. */
struct method *method_named(const char *class_name, const char *name,
                            const char *descriptor);
/* May a class, "p/C", have methods that include and exclude let in? */
bool method_class_wanted(const char *class_name);
/* False if no method that was seen in the session fits a pattern of include. */
bool method_any_included(uint32_t session);

/* -- recorder.c: the threads' side -- */

/* The session that runs; 0 for none. */
extern uint32_t recorder_session;

/* Begin a session, which is not 0: nanoseconds count from here.  False when memory is
   short. */
bool recorder_start(uint32_t session, jvmtiEnv *jvmti, JNIEnv *jni);
void recorder_stop(void);
/* Nanoseconds since the start. */
uint64_t recorder_now(void);
/* What the monotonic clock says then. */
struct timespec recorder_clock(uint64_t time);
/* Nanoseconds of the processor's time by one of its clocks: of the process, of the thread. */
uint64_t recorder_processor_time(clockid_t clock);
/* Calls that found no room. */
uint64_t recorder_lost(void);
/* Calls that include or exclude kept out; a little less, since each thread counts some
   thousands before it tells them. */
uint64_t recorder_left_out(void);
/* Hand what the threads wrote to store_add.  Under the store's lock. */
void recorder_read(void);

/* Of the calling thread: */
void recorder_enter(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method);
void recorder_leave(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method, bool thrown);
void recorder_thread_end(jvmtiEnv *jvmti, JNIEnv *jni);
/* From a probe of the method. */
void recorder_probe_enter(JNIEnv *jni, uint32_t method);
void recorder_probe_leave(JNIEnv *jni, uint32_t method, bool thrown);

/* -- threads.c: what belongs to a Java thread -- */

struct call {
    uint64_t entered;
    uint32_t method;
};

struct own_buffer;

struct thread {
    uint32_t session;           /* the rest is of this one */
    uint32_t track;             /* 0 until a wanted call */
    uint32_t depth, recorded, capacity;
    uint64_t beyond;            /* calls too deep, or that there was no memory for */
    struct call *calls;
    struct own_buffer *own;     /* records of a virtual thread; else NULL */
    bool ignored;
};

struct record;

/* Does the VM tell this environment of virtual threads? */
bool threads_know_virtual(jvmtiEnv *jvmti);
/* A session of this environment begins. */
void threads_start(jvmtiEnv *jvmti, JNIEnv *jni);
/* The calling thread, of the system, records nothing: the agent's own. */
void threads_ignore(void);
/* The current thread's; NULL when memory is short, or in the end of the VM.  Without jni
   only one that is there already. */
struct thread *thread_here(jvmtiEnv *jvmti, JNIEnv *jni);
/* The current thread ends. */
void thread_forget(jvmtiEnv *jvmti, struct thread *thread);
/* The current thread's name, to be freed; NULL when memory is short. */
char *thread_name(jvmtiEnv *jvmti, JNIEnv *jni, const struct thread *thread);
/* The same of any virtual thread; NULL when memory is short. */
char *thread_name_virtual(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);
/* Keep a record of the current thread, a virtual one. */
void thread_put(const struct thread *thread, const struct record *record);
/* Hand what a virtual thread recorded to store_add.  Takes the store's lock. */
void thread_flush(const struct thread *thread);
/* The same of all of them.  Under the store's lock. */
void threads_read(void);

/* -- instrument.c: probes -- */

/* Put probes into the classes that are there, and into those that come, by
   instrument_class.  The session runs.  False with the reason logged. */
bool instrument_start(jvmtiEnv *jvmti, JNIEnv *jni);
/* For ClassFileLoadHook. */
void instrument_class(jvmtiEnv *jvmti, const char *name, jint length,
                      const unsigned char *bytes, jint *new_length,
                      unsigned char **new_bytes);

/* tracer.c: have the worker empty the buffers soon. */
void ask_for_reading(void);

/* -- store.c: what was recorded -- */

enum kind { ENTER, LEAVE, LEAVE_THROWN, LEAVE_OPEN };

struct record {
    uint64_t time;
    uint32_t track;
    uint32_t what;              /* method * 4 + kind; LEAVE_OPEN only from replay */
};

struct open_call {
    uint32_t node;
    uint64_t since;
};

/* -- timeline.c: when something was recorded -- */

enum { TIMELINE_SLOTS = 512 };

struct timeline {
    uint64_t width;             /* of a slot, nanoseconds; 0 at first */
    uint64_t busy[TIMELINE_SLOTS];      /* nanoseconds in calls */
    uint64_t rate[TIMELINE_SLOTS];      /* calls that began, or samples */
};

/* Make the slots wide enough for a time. */
void timeline_reach(struct timeline *line, uint64_t time);
void timeline_begin(struct timeline *line, uint64_t time);
void timeline_busy(struct timeline *line, uint64_t from, uint64_t to);

/* -- store.c, continued -- */

/* A Java thread. */
struct track {
    uint32_t number;            /* never used again */
    char *name;
    uint64_t calls;             /* kept ones */
    uint32_t depth;             /* kept calls that are open */
    uint64_t dropped;           /* open calls inside of these that are not kept */
    uint32_t first_run, last_run;       /* of events; from 1 */
    struct open_call *open;     /* of the tree */
    uint32_t open_capacity;
    uint32_t root;
    struct timeline *line;      /* of a page; NULL for other formats */
    uint64_t since;             /* when the outermost open call began */
};

/* For the others, which take turns: reading, writing, naming threads. */
void store_lock(void);
void store_unlock(void);

/* False, with the reason logged, when there is no place for events. */
bool store_open(void);
void store_close(void);
/* A new thread; name becomes the store's.  0 when memory is short.  Takes the lock. */
uint32_t store_new_track(char *name);
/* The thread ended, with this name.  Takes the lock and the name. */
void store_end_track(uint32_t number, char *name);

/* The root of a track's tree; 0 when memory is short.  Takes the lock. */
uint32_t store_root(uint32_t track);
/* Add samples whose innermost method has this node, 0 if there was no room for it; takes
   the lock.  Its callers get theirs when the tree is written. */
void store_add_samples(uint32_t track, uint32_t node, uint64_t count, uint64_t time);

/* Under the lock: */
void store_add(const struct record *record);
/* All that was added is where replays find it; before anything below. */
void store_flush(void);
uint64_t store_calls(void);
/* Calls for which the limit, the disk or memory did not suffice. */
uint64_t store_lost(void);
/* The tracks with kept calls, one after the other: NULL at first and in the end. */
struct track *store_next_track(const struct track *track);
typedef void store_visitor(void *argument, enum kind kind, uint32_t method,
                           uint64_t time);
/* The events of a thread; calls that are open are left at `end`.  False, with the
   reason logged, when they cannot be read. */
bool store_replay(const struct track *track, uint64_t end, store_visitor *visit,
                  void *argument);

/* -- calltree.c -- */

#define TREE_ROOT UINT32_MAX    /* as a method */

/* 0 is no node. */
struct node {
    uint64_t calls, thrown;
    uint64_t total;             /* nanoseconds */
    uint32_t method, parent;
    uint32_t child, last_child, sibling;        /* children: in order of first call */
};

/* The node of method below parent (0: a new root); 0 when it would be too much. */
uint32_t calltree_node(uint32_t parent, uint32_t method);
struct node *calltree_at(uint32_t node);
/* The next one of a walk that begins with root, *depth with 0; 0 in the end. */
uint32_t calltree_next(uint32_t node, uint32_t root, uint32_t *depth);
/* The same, without what is below node. */
uint32_t calltree_skip(uint32_t node, uint32_t root, uint32_t *depth);
/* What a node has of total without its callees. */
uint64_t calltree_own(const struct node *node);
/* Add what every node has of calls and total to those above it, or take that back. */
void calltree_add_up(void);
void calltree_take_apart(void);
/* Put the callees of every node below root into the order of their totals, the largest
   first. */
void calltree_sort(uint32_t root);
void calltree_free(void);

/* -- cut.c: trees without what is too small to be seen -- */

enum { PAGE_NODES = 200000 };   /* some four megabytes */

struct cut {
    uint32_t root;              /* of what is walked; 0 for all tracks */
    bool compares;              /* of a comparison, whose `calls` are the value before */
    uint64_t least;             /* which a node must have */
};

/* Find the least value, so that at most PAGE_NODES are left. */
void cut_choose(struct cut *cut);
/* As calltree_next. */
uint32_t cut_next(const struct cut *cut, uint32_t node, uint32_t root, uint32_t *depth);
/* What a node has without those of its callees that are left. */
struct node cut_own(const struct cut *cut, const struct node *node);

/* -- formats.c -- */

/* Write it all to config.file; under the lock, and everything was read.  False with the
   reason logged. */
bool formats_write(uint64_t end);

/* -- text.c -- */

/* The hottest methods and the tree of each thread, of a session that took `end`
   nanoseconds; false with the reason logged. */
bool text_write(FILE *stream, uint64_t end, uint64_t lost, uint32_t threads);

/* -- html.c -- */

/* The page of a session; open calls count as until now.  False with the reason logged. */
bool html_write(FILE *stream, uint64_t end, uint64_t lost);
/* What every page of a profile begins and ends with; between them stand the other members
   of its data, each after a comma. */
void html_begin(FILE *stream, const char *title, const char *about);
void html_end(FILE *stream);
/* Text as a string of JSON that may stand in a page. */
void html_string(FILE *stream, const char *text);

/* -- compare.c -- */

/* Write the page of config.compare to config.file; false with the reason logged. */
bool compare_write(void);

/* -- sampler.c -- */

/* Sample from now on; false with the reason logged, or for want of memory. */
bool sampler_start(jvmtiEnv *jvmti, JNIEnv *jni, uint32_t session);
/* A thread has started or ended; of any thread, and when nothing is sampled, too. */
void sampler_threads_changed(void);
/* After it no sample is taken, and the sampling thread has ended. */
void sampler_stop(void);
/* Nanoseconds of a thread's time that a sample stands for, in a session that took `end`:
   looks that came too late are left out, so it may be more than what was asked for. */
double sampler_interval(uint64_t end);
/* Nanoseconds from one look at the threads to the next, on average; more than the above
   where option cost had them come less often, for each has several samples then. */
double sampler_look_interval(uint64_t end);
/* Nanoseconds from one look to the next at the end, if option cost made them clearly more
   than what was asked for; 0 otherwise. */
double sampler_held_back(void);

#endif
