/* SPDX-License-Identifier: MIT */
/*
 * minivm/options.c -- reading the VM's options.
 *
 * Options come from four sources (options.h), which are all reduced to read_option: one
 * text at a time.  It tries, in this order,
 *
 *   - the few options that read files or take a function from JNI_CreateJavaVM;
 *   - flags, -XX:…, which jdk/flags.c has a table of, with their types, ranges and
 *     where their values go (option_flag.c);
 *   - a table of the options that do what many others do: set a bool, a size or a
 *     system property, or add an agent (option_table.c);
 *   - functions for options whose syntax is their own (option_syntax.c).
 *
 * To add an option that fits a kind of the table, add a row to it.  To let a flag of
 * HotSpot take effect, or to add one, see the tables of jdk/flags.c.  Messages and exit
 * codes are HotSpot's, so that a faulty command line fails on both VMs in the same way.
 */

#include "options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "base/xlog.h"
#include "option_reader.h"

const char *
option_after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

bool
option_fail(struct option_reader *r, FILE *to, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    r->failed = true;
    return true;
}

/* ---- one option ---- */

static void read_file(struct option_reader *r, const char *path, bool of_flags);

/* Reads any option.  extra is the function that comes with the options "exit", "abort"
   and "vfprintf" (JNI "JNI_CreateJavaVM"). */
static void
read_option(struct option_reader *r, const char *text, void *extra)
{
    struct vm_options *o = r->o;
    const char *rest;

    /* Remember the options for RuntimeMXBean.getInputArguments and reports, except for
       those that the launcher has added. */
    if (text[0] == '-' && !option_after(text, "-Djava.class.path")
        && !option_after(text, "-Dsun.java.command")
        && !option_after(text, "-Dsun.java.launcher")) {
        o->vm_args = mem_realloc(o->vm_args,
                                 (o->vm_arg_count + 1) * sizeof *o->vm_args);
        o->vm_args[o->vm_arg_count++] = mem_strdup(text);
    }
    if ((rest = option_after(text, "-XX:VMOptionsFile=")))
        read_file(r, rest, false);
    else if (option_after(text, "-XX:Flags="))
        ; /* options_read has read it before all others. */
    else if ((rest = option_after(text, "-XX:")))
        option_read_flag(r, rest);
    else if (!strcmp(text, "exit"))
        o->exit_hook = (void (*)(int))extra;
    else if (!strcmp(text, "abort"))
        o->abort_hook = (void (*)(void))extra;
    else if (!strcmp(text, "vfprintf"))
        o->vfprintf_hook = (void (*)(void))extra;
    else if (!option_read_listed(r, text) && !option_read_other(r, text)
             && text[0] != '_' && !r->ignore_unknown)
        option_fail(r, stderr, "Unrecognized option: %s\n", text);
}

/* ---- words of environment variables (JVM TI "JAVA_TOOL_OPTIONS") and files ---- */

/* Returns the next word at *at without its quotes, to be freed (mem_free), or NULL at
   the end, and moves *at behind it.  *open becomes true if a quote is not closed. */
static char *
next_word(const char **at, bool *open)
{
    struct buf b;
    const char *p = *at;

    while (isspace((unsigned char)*p))
        p++;
    if (!*p)
        return NULL;
    buf_init(&b);
    while (*p && !isspace((unsigned char)*p)) {
        if (*p == '\'' || *p == '"') {
            char quote = *p++;
            while (*p && *p != quote)
                buf_append_u1(&b, (uint8_t)*p++);
            *open = *p == '\0';
            p += !*open;
        } else {
            buf_append_u1(&b, (uint8_t)*p++);
        }
    }
    *at = p;
    return buf_steal(&b, NULL);
}

/* Reads the options in text, which comes from the variable or file of that name.  Flags
   are written there without "-XX:". */
static void
read_words(struct option_reader *r, const char *text, const char *name, bool are_flags)
{
    bool open = false;
    char *word;

    while (!r->failed && (word = next_word(&text, &open))) {
        if (are_flags)
            option_read_flag(r, word);
        else if (open)
            option_fail(r, stderr, "Unmatched quote in %s\n", name);
        else
            read_option(r, word, NULL);
        mem_free(word);
    }
}

/* Reads the options of an environment variable, if it is set. */
static void
read_variable(struct option_reader *r, const char *name)
{
    const char *value = getenv(name);

    if (value) {
        fprintf(stderr, "Picked up %s: %s\n", name, value);
        r->origin = FLAG_BY_ENVIRONMENT;
        read_words(r, value, name, false);
        r->origin = FLAG_BY_COMMAND_LINE;
    }
}

/* Reads a file of options as they stand on the command line (-XX:VMOptionsFile), or one
   of flags (-XX:Flags), where comments begin with '#'. */
static void
read_file(struct option_reader *r, const char *path, bool of_flags)
{
    char *text = r->in_file ? NULL : os_read_file(path, NULL, NULL);

    if (!text) {
        option_fail(r, stderr,
                    r->in_file ? "A file of options cannot name another one: %s\n"
                    : of_flags ? "Could not open settings file %s\n"
                               : "Could not open options file '%s'\n",
                    path);
        return;
    }
    for (char *p = text; of_flags && *p; p++)
        if (*p == '#' && (p == text || isspace((unsigned char)p[-1])))
            memset(p, ' ', strcspn(p, "\n"));
    r->in_file = true;
    r->origin = of_flags ? FLAG_BY_FILE : FLAG_BY_COMMAND_LINE;
    read_words(r, text, path, of_flags);
    r->origin = FLAG_BY_COMMAND_LINE;
    r->in_file = false;
    mem_free(text);
}

/* ---- all of them ---- */

/* In bytes: the initial heap, and the stack of a thread. */
enum { DEFAULT_INITIAL = 8 << 20, DEFAULT_STACK = 1 << 20, MINIMUM_STACK = 136 << 10 };

/* Checks the sizes of heap and stacks and replaces 0 by the default.  The limits are
   HotSpot's, so that a command line fails on both VMs or on neither. */
static bool
check_sizes(struct vm_options *o)
{
    const char *wrong = NULL;

    if (o->heap_maximum < ((size_t)2 << 20))
        wrong = "Too small maximum heap";
    else if (o->heap_initial > o->heap_maximum)
        wrong = "Initial heap size set to a larger value than the maximum heap size";
    if (wrong) {
        printf("Error occurred during initialization of VM\n%s\n", wrong);
        return false;
    }
    if (o->heap_initial == 0)
        o->heap_initial = o->heap_maximum < DEFAULT_INITIAL ? o->heap_maximum
                                                            : DEFAULT_INITIAL;
    if (o->stack_size > 0 && o->stack_size < MINIMUM_STACK) {
        printf("\nThe Java thread stack size specified is too small. Specify at least "
               "%dk\n",
               MINIMUM_STACK >> 10);
        return false;
    }
    if (o->stack_size == 0)
        o->stack_size = DEFAULT_STACK;
    return true;
}

bool
options_read(struct vm_options *o, const JavaVMInitArgs *args, int feature)
{
    struct option_reader r = { .o = o,
                               .feature = feature,
                               .origin = FLAG_BY_COMMAND_LINE,
                               .ignore_unknown = args->ignoreUnrecognized };
    const char *file;

    *o = (struct vm_options){ .java_home = o->java_home,
                              .heap_maximum = os_reservable(os_physical_memory() / 4,
                                                            4),
                              .verify_remote = true,
                              .helpful_npe = true,
                              .stack_trace_in_throwable = true,
                              .max_stack_trace_depth = 1024,
                              .soft_ref_ms_per_mb = 1000,
                              .class_unloading = true,
                              .continuations = true,
                              .perf_data = true,
                              .active_processors = -1,
                              .create_core = true,
                              .error_log_timeout = 120 };
    flags_select(feature);
    log_select(feature);
    for (jint i = 0; i < args->nOptions; i++)
        if (!strcmp(args->options[i].optionString, "-XX:+IgnoreUnrecognizedVMOptions"))
            r.ignore_unknown = true;
    for (jint i = 0; i < args->nOptions && !r.failed; i++)
        if ((file = option_after(args->options[i].optionString, "-XX:Flags=")))
            read_file(&r, file, true);
    read_variable(&r, "JAVA_TOOL_OPTIONS");
    for (jint i = 0; i < args->nOptions && !r.failed; i++)
        read_option(&r, args->options[i].optionString, args->options[i].extraInfo);
    if (!r.failed)
        read_variable(&r, "_JAVA_OPTIONS");
    if (r.has_reserved)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Ignoring system property "
                        "options whose names match the '-Djdk.module.*'. names that "
                        "are reserved for internal use.\n");
    if (o->message_box)
        warn("-XX:+ShowMessageBoxOnError is not supported");
    return !r.failed && check_sizes(o);
}
