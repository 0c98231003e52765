/* SPDX-License-Identifier: MIT */
/* tiforge/log.h -- messages of an agent, to standard error or to a file. */
#ifndef TIFORGE_LOG_H
#define TIFORGE_LOG_H

#include <stdbool.h>
#include <stdio.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tf_log_level { TF_LOG_ERROR, TF_LOG_WARNING, TF_LOG_INFO, TF_LOG_DEBUG };

#if defined(__GNUC__)
#define TF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TF_PRINTF(text, first)
#endif

/*
 * Log a line "NAME: text" (errors and warnings say so) in one write, so that lines of
 * several threads do not mix.  Lines over 4 kB are cut.  On a terminal the words "error"
 * and "warning" have a colour, unless NO_COLOR is set.  No JVM TI, no JNI, no lock
 * beyond stdio's: safe in every callback.
 */
void tf_log(enum tf_log_level level, const char *format, ...) TF_PRINTF(2, 3);
#define tf_error(...) tf_log(TF_LOG_ERROR, __VA_ARGS__)
#define tf_warning(...) tf_log(TF_LOG_WARNING, __VA_ARGS__)
#define tf_info(...) tf_log(TF_LOG_INFO, __VA_ARGS__)
#define tf_debug(...) tf_log(TF_LOG_DEBUG, __VA_ARGS__)

/*
 * The line that the calling thread logged last as an error, without its line end, in
 * buffer; false, and buffer is empty, when it has logged none.  A line of more than 1023
 * bytes is cut.
 */
bool tf_log_last_error(char *buffer, size_t size);

/* What stands before each line; must be static.  TF_AGENT sets the agent's name. */
void tf_log_set_name(const char *name);
/* Log up to this level; TF_LOG_WARNING at first, or what TIFORGE_LOG says
   (error, warning, info or debug). */
void tf_log_set_level(enum tf_log_level level);
/* Where lines go: stderr at first.  The stream stays the caller's. */
void tf_log_set_stream(FILE *stream);

/*
 * "JVMTI_ERROR_NULL_POINTER" in buffer: GetErrorName's answer, else the table's, else
 * "error 4711".  Answers buffer.  jvmti may be NULL.
 */
const char *tf_error_text(jvmtiEnv *jvmti, jvmtiError error, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
