/* SPDX-License-Identifier: MIT */
/*
 * tiforge/options.h -- the text after -agentpath:lib= as typed options.
 *
 *     key=value,flag,key="a, b",@more.options
 *
 * A value may be quoted: in '...' all characters stand for themselves, in "..." \" and
 * \\ stand for " and \.  A flag is on alone, or with =yes, =true, =on, =1, off with
 * =no, =false, =off, =0.  @FILE inserts the file's text, in which new lines separate
 * options, too, and # begins a comment up to the end of the line.  `help` (or `?`)
 * asks for help.
 */
#ifndef TIFORGE_OPTIONS_H
#define TIFORGE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <tiforge/agent.h>
#include <tiforge/buffer.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tf_option_type {
    TF_FLAG,        /* bool */
    TF_INT,         /* long long: 10, -3, 0x1f */
    TF_SIZE,        /* long long: bytes; 512, 64k, 16m, 2g (powers of 1024) */
    TF_DURATION,    /* long long: nanoseconds; 10ns, 20us, 5ms, 2s, 3m, 1h */
    TF_TEXT,        /* char * */
    TF_PATH,        /* char *: %p becomes the process's id, %t the time of the start as
                       20240131-235959 (UTC), %% a % */
    TF_CHOICE,      /* int: the index in .choices */
    TF_LIST         /* char **: elements between colons, NULL last; repeating the key
                       adds to it */
};

struct tf_option {
    const char *name;
    enum tf_option_type type;
    void *value;            /* the variable; holds the default before */
    const char *choices;    /* TF_CHOICE: "text|json|xml"; NULL otherwise */
    long long min, max;     /* TF_INT, TF_SIZE, TF_DURATION: both 0 for no limits */
    const char *help;       /* one line, no full stop */
    const char *argument;   /* stands for the value in the help; NULL: by type */
};

/* Owns the texts that options point to; zeroed storage is empty. */
struct tf_options {
    void *blocks;
};

/*
 * Parse text into the variables of `count` options.  TF_RUN: done.  TF_DONE: help was
 * asked for; variables may have been set.  TF_FAILED: `error` says what is wrong; an
 * unknown key lists the known ones.  text stays the caller's; values live until
 * tf_options_release.  No JVM TI: any phase.
 */
enum tf_outcome tf_options_parse(struct tf_options *options, const char *text,
                                 const struct tf_option *table, size_t count,
                                 struct tf_buffer *error);
void tf_options_release(struct tf_options *options);

/* Append a help text: usage, `about`, then a line per option with its default: what the
   variable holds now, unless that is NULL or a number outside of the limits. */
void tf_options_help(struct tf_buffer *out, const char *agent, const char *about,
                     const struct tf_option *table, size_t count);

/*
 * The usual: parse agent->options, log an error or print the help to standard output;
 * what it answers is what the agent's start function answers unless it is TF_RUN.  The
 * values live as long as the process; an agent that is attached once more finds those
 * of the time before as defaults.
 */
enum tf_outcome tf_agent_options(struct tf_agent *agent, const char *about,
                                 const struct tf_option *table, size_t count);

/*
 * Expand %p, %t and %% (see TF_PATH) of a file name.  The result is the caller's to
 * free(); NULL, with `error` set, for another letter or when memory is short.
 */
char *tf_path_expand(const char *pattern, struct tf_buffer *error);

#ifdef __cplusplus
}
#endif

#endif
