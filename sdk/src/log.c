/* SPDX-License-Identifier: MIT */
/* sdk/src/log.c -- messages. */
#include <tiforge/log.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiforge/agent.h>
#include <tiforge_names.h>

static const char *log_name = "agent";
static FILE *log_stream;
static int log_level = -1;
static __thread char last_error[1024];

static int
level_now(void)
{
    static const char *const names[] = { "error", "warning", "info", "debug" };
    int level = __atomic_load_n(&log_level, __ATOMIC_RELAXED);
    const char *wish;

    if (level >= 0)
        return level;
    level = TF_LOG_WARNING;
    wish = getenv("TIFORGE_LOG");
    for (int i = 0; wish != NULL && i < 4; i++)
        if (strcmp(wish, names[i]) == 0)
            level = i;
    __atomic_store_n(&log_level, level, __ATOMIC_RELAXED);
    return level;
}

/* Is the stream a terminal that wants colours (https://no-color.org)? */
static bool
is_coloured(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return (no_color == NULL || *no_color == '\0') && term != NULL
        && strcmp(term, "dumb") != 0 && isatty(fileno(stream));
}

void
tf_log(enum tf_log_level level, const char *format, ...)
{
    static const char *const words[] = { "error: ", "warning: ", "", "" };
    static const char *const coloured[] = { "\033[31merror:\033[0m ",
                                            "\033[33mwarning:\033[0m ", "", "" };
    FILE *stream = __atomic_load_n(&log_stream, __ATOMIC_RELAXED);
    char line[4096];
    int used;
    va_list args;

    if (level == TF_LOG_ERROR) {
        va_start(args, format);
        vsnprintf(last_error, sizeof last_error, format, args);
        va_end(args);
    }
    if ((int)level > level_now())
        return;
    if (stream == NULL)
        stream = stderr;
    used = snprintf(line, sizeof line - 1, "%s: %s",
                    __atomic_load_n(&log_name, __ATOMIC_RELAXED),
                    is_coloured(stream) ? coloured[level] : words[level]);
    if (used < 0 || used > (int)sizeof line / 2)
        used = 0;
    va_start(args, format);
    vsnprintf(line + used, sizeof line - 1 - (size_t)used, format, args);
    va_end(args);
    strcat(line, "\n");
    fputs(line, stream);
    fflush(stream);
}

bool
tf_log_last_error(char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", last_error);
    return last_error[0] != '\0';
}

void
tf_log_set_name(const char *name)
{
    __atomic_store_n(&log_name, name, __ATOMIC_RELAXED);
}

void
tf_log_set_level(enum tf_log_level level)
{
    __atomic_store_n(&log_level, (int)level, __ATOMIC_RELAXED);
}

void
tf_log_set_stream(FILE *stream)
{
    __atomic_store_n(&log_stream, stream, __ATOMIC_RELAXED);
}

const char *
tf_error_text(jvmtiEnv *jvmti, jvmtiError error, char *buffer, size_t size)
{
    const char *known = tiforge_error_name(error);
    char *name = NULL;

    if (jvmti != NULL
        && TF_TABLE(jvmti)->GetErrorName(jvmti, error, &name) == JVMTI_ERROR_NONE
        && name != NULL) {
        snprintf(buffer, size, "%s", name);
        TF_TABLE(jvmti)->Deallocate(jvmti, (unsigned char *)name);
    } else if (known != NULL)
        snprintf(buffer, size, "%s", known);
    else
        snprintf(buffer, size, "error %d", (int)error);
    return buffer;
}
