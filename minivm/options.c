/* SPDX-License-Identifier: MIT */
/* minivm/options.c -- reading the VM's options. */

#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "base/xlog.h"
#include "jdk/flags.h"
#include "jdk/properties.h"
#include "vm/exception.h"

enum {
    DEFAULT_INITIAL = 8 << 20,     /* of the heap */
    DEFAULT_STACK = 1 << 20,
    MINIMUM_STACK = 136 << 10
};

static const char *
after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* ---- what most options do ---- */

struct reading {
    struct vm_options *o;
    enum flag_origin origin;       /* of what is being read */
    bool ignore_unknown;
    bool in_file;                  /* that an option named */
    bool has_reserved;             /* properties, which were ignored */
    bool failed;
};

/* The option is known and wrong; say why. */
static bool __attribute__((format(printf, 3, 4)))
fail(struct reading *r, FILE *to, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    r->failed = true;
    return true;
}

/* jdk.module.addmods.0, .1…: the first free number. */
static void
add_numbered(struct vm_options *o, const char *prefix, const char *value)
{
    TEXTS(t);
    const char *key;
    unsigned n = 0;

    do
        key = own(&t, mem_printf("%s.%u", prefix, n++));
    while (property_find(o, key));
    property_set(o, key, mem_strdup(value));
}

static void
add_agent(struct vm_options *o, const char *text, const char *separators, bool is_path)
{
    struct agent_option *a = mem_calloc(1, sizeof *a), **end = &o->agents;
    size_t length = strcspn(text, separators);

    a->name = mem_strndup(text, length);
    a->options = text[length] ? mem_strdup(text + length + 1) : NULL;
    a->is_path = is_path;
    while (*end)
        end = &(*end)->next;
    *end = a;
}

/* -javaagent is one of the JDK's own library. */
static void
add_java_agent(struct vm_options *o, const char *text)
{
    TEXTS(t);

    add_agent(o, own(&t, mem_printf("instrument=%s", text)), "=", false);
    add_numbered(o, "jdk.module.addmods", "java.instrument");
}

/* what is empty, or a class's or package's name behind a colon. */
static void
add_assertion(struct vm_options *o, const char *what, bool enable)
{
    struct assertion_option *a = mem_calloc(1, sizeof *a), **end = &o->assertions;

    a->enable = enable;
    if (*what == ':') {
        size_t length = strlen(++what);
        a->is_package = length >= 3 && strcmp(what + length - 3, "...") == 0;
        a->name = mem_strndup(what, a->is_package ? length - 3 : length);
        for (char *p = a->name; *p; p++)
            if (*p == '.')
                *p = '/';
    }
    while (*end)
        end = &(*end)->next;
    *end = a;
}

/* ---- the table of those ---- */

enum kind {
    IGNORED, ON, OFF, VERBOSE,     /* without a value */
    ENABLE, DISABLE,               /* assertions: without one or behind a colon */
    LIBRARY, LIBRARY_PATH, OLD_LIBRARY, JAVA_AGENT, SIZE, PROPERTY, NUMBERED, PATCH
};

#define PLACE(field) offsetof(struct vm_options, field)

static const struct option {
    const char *name;
    enum kind kind;
    const char *text;              /* a property, what the size is, or what to log */
    size_t place;                  /* in struct vm_options; 0: none */
    size_t minimum, maximum;       /* of a size */
} options[] = {
#define PLAIN(name, kind) { name, kind, NULL, 0, 0, 0 }
#define SWITCH(name, kind, field) { name, kind, NULL, PLACE(field), 0, 0 }
#define VALUE(name, kind, property) { name, kind, property, 0, 0, 0 }
    PLAIN("-Xint", IGNORED), PLAIN("-Xcomp", IGNORED), PLAIN("-Xmixed", IGNORED),
    PLAIN("-Xbatch", IGNORED), PLAIN("-Xdebug", IGNORED), PLAIN("-Xfuture", IGNORED),
    PLAIN("-Xnoagent", IGNORED), PLAIN("-Xinternalversion", IGNORED),
    PLAIN("-server", IGNORED), PLAIN("-client", IGNORED), PLAIN("-tty", IGNORED),
    PLAIN("-Xshare:auto", IGNORED), PLAIN("-Xshare:on", IGNORED),
    PLAIN("-Xshare:off", IGNORED), PLAIN("-Xshare:dump", IGNORED),
    PLAIN("-ea", ENABLE), PLAIN("-enableassertions", ENABLE),
    PLAIN("-da", DISABLE), PLAIN("-disableassertions", DISABLE),
    PLAIN("-agentlib:", LIBRARY), PLAIN("-agentpath:", LIBRARY_PATH),
    PLAIN("-Xrun", OLD_LIBRARY), PLAIN("-javaagent:", JAVA_AGENT),
    VALUE("-verbose", VERBOSE, "class+load,class+unload"),
    VALUE("-verbose:class", VERBOSE, "class+load,class+unload"),
    VALUE("-verbose:gc", VERBOSE, "gc"),
    VALUE("-verbose:jni", VERBOSE, "jni+resolve=debug"),
    VALUE("-verbose:module", VERBOSE, "module+load,module+unload"),
    SWITCH("-esa", ON, system_assertions),
    SWITCH("-enablesystemassertions", ON, system_assertions),
    SWITCH("-dsa", OFF, system_assertions),
    SWITCH("-disablesystemassertions", OFF, system_assertions),
    SWITCH("-Xrs", ON, no_java_signals),
    SWITCH("-Xcheck:jni", ON, check_jni),
    SWITCH("-Xnoclassgc", OFF, class_unloading),
    SWITCH("--enable-preview", ON, enable_preview),
    { "-Xmx", SIZE, "maximum heap size", PLACE(heap_maximum), 1, SIZE_MAX },
    { "-Xms", SIZE, "initial heap size", PLACE(heap_initial), 0, SIZE_MAX },
    { "-Xmn", SIZE, "initial young generation size", 0, 0, SIZE_MAX },
    { "-Xss", SIZE, "thread stack size", PLACE(stack_size), 0, (size_t)1 << 30 },
    VALUE("--module-path=", PROPERTY, "jdk.module.path"),
    VALUE("--upgrade-module-path=", PROPERTY, "jdk.module.upgrade.path"),
    VALUE("--limit-modules=", PROPERTY, "jdk.module.limitmods"),
    VALUE("--add-modules=", NUMBERED, "jdk.module.addmods"),
    VALUE("--add-exports=", NUMBERED, "jdk.module.addexports"),
    VALUE("--add-opens=", NUMBERED, "jdk.module.addopens"),
    VALUE("--add-reads=", NUMBERED, "jdk.module.addreads"),
    VALUE("--patch-module=", PATCH, "jdk.module.patch"),
    VALUE("--enable-native-access=", NUMBERED, "jdk.module.enable.native.access"),
};

/* ---- -Xlog (JEP 158) ---- */

/* Lines that the log has to say about its own configuration, as its own lines. */
static void
tell_log(const char *level, struct buf *lines)
{
    char *rest = lines->length ? mem_strdup(buf_string(lines)) : NULL;
    char *text = rest, *line;

    while (rest && (line = strsep(&rest, "\n")) != NULL)
        if (*line)
            printf("[0.000s][%s][logging] %s\n", level, line);
    mem_free(text);
    buf_release(lines);
}

/* what, and where to (NULL: standard output), as option says. */
static bool
read_log(struct reading *r, const char *what, const char *output, const char *option)
{
    struct buf problem = { 0 };
    bool good = log_configure(output, what, NULL, NULL, &problem);

    tell_log(good ? "warning" : "error", &problem);
    return good || fail(r, stderr, "Invalid -Xlog option '%s', see error log for "
                                   "details.\n", option);
}

/* text: the whole option. */
static bool
read_xlog(struct reading *r, const char *text)
{
    const char *line = text + strlen("-Xlog");
    struct buf lines = { 0 };

    if (!strcmp(line, ":help")) {
        log_help(&lines);
        fputs(buf_string(&lines), stdout);
        exit(0);
    }
    if (!strcmp(line, ":disable")) {
        log_disable();
        return true;
    }
    if (!strcmp(line, ":async"))
        return true;
    bool good = log_configure_line(line + (*line == ':'), &lines);
    tell_log(good ? "warning" : "error", &lines);
    return good || fail(r, stderr, "Invalid -Xlog option '%s', see error log for "
                                   "details.\n", text);
}

static void
read_size(struct reading *r, const struct option *option, const char *value)
{
    size_t size = 0;
    bool is_size = parse_size(value, &size);

    if (!is_size || size < option->minimum || size > option->maximum)
        fail(r, stderr, "Invalid %s: %s%s\n%s", option->text, option->name, value,
             is_size && size > option->maximum
                 ? "The specified size exceeds the maximum representable size.\n" : "");
    else if (option->place != 0)
        *(size_t *)((char *)r->o + option->place) = size;
    r->o->heap_maximum_given |= option->place == PLACE(heap_maximum);
    r->o->heap_initial_given |= option->place == PLACE(heap_initial);
}

static const struct option *
find_option(const char *text)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *rest = after(text, options[i].name);
        if (rest && (*rest == '\0' || options[i].kind > DISABLE
                     || (*rest == ':' && options[i].kind >= ENABLE)))
            return &options[i];
    }
    return NULL;
}

/* The functions that read options answer true when they know the option. */
static bool
read_listed(struct reading *r, const char *text)
{
    const struct option *option = find_option(text);
    const char *value = option ? after(text, option->name) : NULL;
    struct vm_options *o = r->o;

    if (!option)
        return false;
    switch (option->kind) {
    case IGNORED: break;
    case ON: case OFF: *(bool *)((char *)o + option->place) = option->kind == ON; break;
    case VERBOSE: return read_log(r, option->text, NULL, text);
    case ENABLE: case DISABLE: add_assertion(o, value, option->kind == ENABLE); break;
    case LIBRARY: add_agent(o, value, "=", false); break;
    case LIBRARY_PATH: add_agent(o, value, "=", true); break;
    case OLD_LIBRARY: add_agent(o, value, "=:", false); break;
    case JAVA_AGENT: add_java_agent(o, value); break;
    case SIZE: read_size(r, option, value); break;
    case PROPERTY: property_set(o, option->text, mem_strdup(value)); break;
    case PATCH:
        if (!strchr(value, '='))
            return fail(r, stdout, "Missing '=' in --patch-module specification\n");
        add_numbered(o, option->text, value);
        break;
    case NUMBERED: add_numbered(o, option->text, value); break;
    }
    return true;
}

/* ---- others ---- */

/* what: behind "-Xverify". */
static bool
read_verify(struct reading *r, const char *what)
{
    bool all = *what == '\0' || !strcmp(what, ":all"), none = !strcmp(what, ":none");

    if (!all && !none && strcmp(what, ":remote"))
        return fail(r, stderr, "Unrecognized verification option: -Xverify%s\n", what);
    if (none)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Options -Xverify:none and "
                        "-noverify were deprecated in JDK 13 and will likely be "
                        "removed in a future release.\n");
    r->o->verify_local = all;
    r->o->verify_remote = !none;
    return true;
}

/* Does an option of the module system stand for the property? */
static bool
is_reserved(const char *text)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *rest =
            options[i].kind >= PROPERTY ? after(text, options[i].text) : NULL;
        if (rest && strchr(".=", *rest))
            return true;
    }
    return false;
}

static bool
read_property(struct reading *r, const char *text)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : "";
    TEXTS(t);

    if (*value && after(text, "java.ext.dirs="))
        return fail(r, stdout, "-D%s is not supported.  Use -classpath instead.\n",
                    text);
    if (*value && after(text, "java.endorsed.dirs="))
        return fail(r, stdout, "-D%s is not supported. Endorsed standards and "
                               "standalone APIs\nin modular form will be supported via "
                               "the concept of upgradeable modules.\n", text);
    if (after(text, "com.sun.management") && !r->o->management_agent) {
        r->o->management_agent = true;
        add_numbered(r->o, "jdk.module.addmods", "jdk.management.agent");
    }
    if (is_reserved(text))
        r->has_reserved = true;
    else
        property_set(r->o, own(&t, mem_strndup(text, strcspn(text, "="))),
                     mem_strdup(value));
    return true;
}

static bool
read_other(struct reading *r, const char *text)
{
    const char *rest;
    struct vm_options *o = r->o;
    TEXTS(t);

    if ((rest = after(text, "-D")))
        return read_property(r, rest);
    if ((rest = after(text, "-Xbootclasspath/a:"))) {
        const char *old = own(&t, o->boot_append);
        o->boot_append = old ? mem_printf("%s:%s", old, rest) : mem_strdup(rest);
        return true;
    }
    if ((rest = after(text, "-Xbootclasspath")) && (*rest == ':' || *rest == '/'))
        return fail(r, stdout, "-Xbootclasspath%s is no longer a supported option.\n",
                    *rest == '/' ? "/p" : "");
    if ((rest = after(text, "-Xverify")))
        return read_verify(r, rest);
    if (!strcmp(text, "-noverify"))
        return read_verify(r, ":none");
    if (after(text, "-Xcheck:"))
        return fail(r, stderr, "Unrecognized check option: %s\n", text);
    if ((rest = after(text, "-Xloggc:"))) {
        printf("[0.000s][warning][gc] -Xloggc is deprecated. Will use -Xlog:gc:%s "
               "instead.\n", rest);
        return read_log(r, "gc", rest, text);
    }
    if ((rest = after(text, "-Xlog")) && (*rest == '\0' || *rest == ':'))
        return read_xlog(r, text);
    if ((rest = after(text, "--illegal-access="))) {
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Ignoring option %s; support "
                        "was removed in 17.0\n", text);
        return true;
    }
    return after(text, "-verbose:");
}

/* ---- -XX ---- */

/* Flags are honoured where the VM has the thing (jdk/flags.h) and accepted without effect
   where it has not (a compiler, other collectors): a command line written for HotSpot
   should run.  What a flag promises that can be seen is told to be missing; speed and
   memory are not. */

/* Those that are now a matter of the log. */
static bool
read_log_flag(struct reading *r, const char *name, bool on)
{
    bool details = !strcmp(name, "PrintGCDetails");
    const char *what = details ? "gc*" : "gc";

    if (!details && strcmp(name, "PrintGC") != 0)
        return false;
    if (!on)
        return true;
    printf("[0.000s][warning][gc] -XX:+%s is deprecated. Will use -Xlog:%s instead.\n",
           name, what);
    return read_log(r, what, NULL, name);
}

/* Flags whose effect could be seen in what a program prints, in files or in how it ends,
   if the VM had it. */
static bool
is_missed(const struct flag *f)
{
    static const char *const prefixes[] = {
        "AbortVM", "ArchiveClassesAtExit", "CITime", "CompressedClassSpaceSize",
        "CreateCoredumpOnCrash", "DTrace", "DisplayVMOutput", "Dump", "ErrorFile",
        "ExtendedDTraceProbes", "FlightRecorder", "InitialRAM", "Log", "MaxMetaspaceSize",
        "MaxRAM", "MinRAM", "NativeMemoryTracking", "OnError", "PauseAtExit",
        "PerfDataSave", "Print", "ReplayCompiles", "SharedArchiveFile",
        "SharedClassListFile", "ShowMessageBoxOnError", "StartFlightRecording",
        "SuppressFatalErrorMessage", "Trace", "VerifyAfterGC", "VerifyBeforeExit",
        "VerifyBeforeGC", "VerifyDuringGC", "VerifyDuringStartup"
    };

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (after(f->name, prefixes[i]))
            return !flag_is_honoured(f);
    return false;
}

static void
warn_of_missed(const struct flag *f, const char *value)
{
    if (is_missed(f) && strcmp(value, f->initial) != 0)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: -XX:%s%s has no effect in "
                        "this VM\n",
                !flag_is_bool(f) ? "" : !strcmp(value, "true") ? "+" : "-", f->name);
}

/* text is what follows -XX: in an option. */
static bool
read_xx(struct reading *r, const char *text)
{
    bool plus_minus = *text == '+' || *text == '-';
    const char *name = text + plus_minus, *equals = strchr(name, '=');
    const struct flag *f =
        flag_find(name, equals ? (size_t)(equals - name) : strlen(name));

    if (!strcmp(name, "IgnoreUnrecognizedVMOptions")) {
        r->ignore_unknown |= *text == '+';
        return true;
    }
    if (!f)
        return r->ignore_unknown
               || fail(r, stderr, "Unrecognized VM option '%s'\n", name);
    if (flag_is_locked(r->o, f))
        return fail(r, stderr, "Error: VM option '%s' is %s and must be enabled via "
                               "-XX:+Unlock%c%sVMOptions.\n"
                               "Error: The unlock option must precede '%s'.\n", f->name,
                    f->lock, toupper((unsigned char)*f->lock), f->lock + 1, f->name);
    bool is_bool = flag_is_bool(f);
    if (is_bool != plus_minus)
        return fail(r, stderr, "%s +/- setting %s VM option '%s'\n",
                    is_bool ? "Missing" : "Unexpected", is_bool ? "for" : "in", name);
    if (is_bool && !equals && read_log_flag(r, f->name, *text == '+'))
        return true;
    const char *low, *high, *value = !is_bool ? equals ? equals + 1 : NULL
                        : *text == '+' ? "true" : "false";
    enum flag_result result = is_bool ? equals != NULL : !equals;
    if (result == FLAG_SET)
        result = flag_set(r->o, f, value, r->origin);
    if (result == FLAG_SET)
        warn_of_missed(f, value);
    else if (result == FLAG_OUT_OF_RANGE && flag_range(f, &low, &high))
        fail(r, stderr, "%s %s=%s is outside the allowed range [ %s ... %s ]\n",
             f->type, f->name, value, low, high);
    return result == FLAG_SET
           || fail(r, stderr, "Improperly specified VM option '%s'\n", name);
}

/* ---- one option ---- */

static void read_file(struct reading *r, const char *path, bool of_flags);

static void
read_option(struct reading *r, const char *text, void *extra)
{
    struct vm_options *o = r->o;
    const char *rest;

    /* Those that the launcher adds for the VM's sake are not the user's. */
    if (text[0] == '-' && !after(text, "-Djava.class.path")
        && !after(text, "-Dsun.java.command") && !after(text, "-Dsun.java.launcher")) {
        o->vm_args =
            mem_realloc(o->vm_args, (o->vm_arg_count + 1) * sizeof *o->vm_args);
        o->vm_args[o->vm_arg_count++] = mem_strdup(text);
    }
    if ((rest = after(text, "-XX:VMOptionsFile=")))
        read_file(r, rest, false);
    else if (after(text, "-XX:Flags="))
        ;                          /* was read before all others */
    else if ((rest = after(text, "-XX:")))
        read_xx(r, rest);
    else if (!strcmp(text, "exit"))
        o->exit_hook = (void (*)(int))extra;
    else if (!strcmp(text, "abort"))
        o->abort_hook = (void (*)(void))extra;
    else if (!strcmp(text, "vfprintf"))
        o->vfprintf_hook = (void (*)(void))extra;
    else if (!read_listed(r, text) && !read_other(r, text) && text[0] != '_'
             && !r->ignore_unknown)
        fail(r, stderr, "Unrecognized option: %s\n", text);
}

/* ---- words of environment variables (JVM TI "JAVA_TOOL_OPTIONS") and files ---- */

/* The next word of *at with its quotes taken off, or NULL; mem_free.  *open: a quote is
   not closed. */
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

/* The options in text, which came from what is named; flags come without "-XX:". */
static void
read_words(struct reading *r, const char *text, const char *name, bool are_flags)
{
    bool open = false;
    char *word;

    while (!r->failed && (word = next_word(&text, &open))) {
        if (are_flags)
            read_xx(r, word);
        else if (open)
            fail(r, stderr, "Unmatched quote in %s\n", name);
        else
            read_option(r, word, NULL);
        mem_free(word);
    }
}

static void
read_variable(struct reading *r, const char *name)
{
    const char *value = getenv(name);

    if (value) {
        fprintf(stderr, "Picked up %s: %s\n", name, value);
        r->origin = FLAG_BY_ENVIRONMENT;
        read_words(r, value, name, false);
        r->origin = FLAG_BY_COMMAND_LINE;
    }
}

/* A file of options as on the command line, or one of flags, with comments behind #. */
static void
read_file(struct reading *r, const char *path, bool of_flags)
{
    char *text = r->in_file ? NULL : os_read_file(path, NULL, NULL);

    if (!text) {
        fail(r, stderr, r->in_file ? "A file of options cannot name another one: %s\n"
                        : of_flags ? "Could not open settings file %s\n"
                                   : "Could not open options file '%s'\n", path);
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

/* HotSpot's limits, so that a command line fails on both or on neither; 0 is the
   default in both. */
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
        o->heap_initial =
            o->heap_maximum < DEFAULT_INITIAL ? o->heap_maximum : DEFAULT_INITIAL;
    if (o->stack_size > 0 && o->stack_size < MINIMUM_STACK) {
        printf("\nThe Java thread stack size specified is too small. Specify at least "
               "%dk\n", MINIMUM_STACK >> 10);
        return false;
    }
    if (o->stack_size == 0)
        o->stack_size = DEFAULT_STACK;
    return true;
}

bool
options_read(struct vm_options *o, const JavaVMInitArgs *args)
{
    struct reading r = { .o = o, .origin = FLAG_BY_COMMAND_LINE,
                         .ignore_unknown = args->ignoreUnrecognized };
    const char *file;

    *o = (struct vm_options){
        .heap_maximum = os_reservable(os_physical_memory() / 4, 4), .verify_remote = true,
        .helpful_npe = true, .stack_trace_in_throwable = true,
        .max_stack_trace_depth = 1024, .soft_ref_ms_per_mb = 1000,
        .class_unloading = true, .perf_data = true,
        .active_processors = -1, .create_core = true, .error_log_timeout = 120
    };
    for (jint i = 0; i < args->nOptions; i++)
        if (!strcmp(args->options[i].optionString, "-XX:+IgnoreUnrecognizedVMOptions"))
            r.ignore_unknown = true;
    for (jint i = 0; i < args->nOptions && !r.failed; i++)
        if ((file = after(args->options[i].optionString, "-XX:Flags=")))
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
