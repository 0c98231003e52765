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
#include "base/mem.h"
#include "base/os.h"
#include "jdk/properties.h"
#include "vm/exception.h"

enum {
    DEFAULT_INITIAL = 8 << 20,     /* of the heap */
    DEFAULT_STACK = 1 << 20,
    MINIMUM_STACK = 136 << 10
};

/* ---- values ---- */

bool
options_parse_size(const char *text, size_t *size)
{
    char *end;

    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    unsigned long long n = strtoull(text, &end, 0);
    static const char units[] = "kmgt";
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || end[shift != 0] != '\0' || n > (SIZE_MAX >> shift))
        return false;
    *size = (size_t)n << shift;
    return true;
}

static const char *
after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* ---- groups of options; each answers true when it knows the option ---- */

struct reading {
    struct vm_options *o;
    bool ignore_unknown;
    bool in_file;                  /* that an option named */
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
add_agent(struct vm_options *o, const char *text, bool is_path)
{
    struct agent_option *a = mem_calloc(1, sizeof *a), **end = &o->agents;
    const char *equals = strchr(text, '=');

    a->name = mem_strndup(text, strcspn(text, "="));
    a->options = equals ? mem_strdup(equals + 1) : NULL;
    a->is_path = is_path;
    while (*end)
        end = &(*end)->next;
    *end = a;
}

static bool
read_agent(struct reading *r, const char *text)
{
    const char *rest;
    TEXTS(t);

    if ((rest = after(text, "-agentlib:"))) {
        add_agent(r->o, rest, false);
    } else if ((rest = after(text, "-agentpath:"))) {
        add_agent(r->o, rest, true);
    } else if ((rest = after(text, "-javaagent:"))) {
        add_agent(r->o, own(&t, mem_printf("instrument=%s", rest)), false);
        add_numbered(r->o, "jdk.module.addmods", "java.instrument");
    } else if ((rest = after(text, "-Xrun"))) {
        char *whole = mem_strdup(rest), *colon = strchr(whole, ':');
        if (colon)
            *colon = '=';
        add_agent(r->o, own(&t, whole), false);
    } else {
        return false;
    }
    return true;
}

static void
add_assertion(struct vm_options *o, const char *what, bool enable)
{
    struct assertion_option *a = mem_calloc(1, sizeof *a), **end = &o->assertions;

    a->enable = enable;
    if (what) {
        size_t length = strlen(what);
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

static bool
read_assertion(struct reading *r, const char *text)
{
    static const char *const names[] = { "-ea", "-enableassertions", "-da",
                                         "-disableassertions" };
    const char *rest;

    for (int i = 0; i < 4; i++) {
        rest = after(text, names[i]);
        if (rest && (*rest == '\0' || *rest == ':')) {
            add_assertion(r->o, *rest ? rest + 1 : NULL, i < 2);
            return true;
        }
    }
    return false;
}

static bool
read_module(struct reading *r, const char *text)
{
    static const struct {
        const char *option, *property;
        bool numbered;
    } rows[] = {
        { "--module-path=", "jdk.module.path", false },
        { "--upgrade-module-path=", "jdk.module.upgrade.path", false },
        { "--limit-modules=", "jdk.module.limitmods", false },
        { "--add-modules=", "jdk.module.addmods", true },
        { "--add-exports=", "jdk.module.addexports", true },
        { "--add-opens=", "jdk.module.addopens", true },
        { "--add-reads=", "jdk.module.addreads", true },
        { "--patch-module=", "jdk.module.patch", true },
        { "--enable-native-access=", "jdk.module.enable.native.access", true },
    };
    const char *rest;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(rest = after(text, rows[i].option)))
            continue;
        if (!strcmp(rows[i].option, "--patch-module=") && !strchr(rest, '='))
            return fail(r, stdout, "Missing '=' in --patch-module specification\n");
        if (rows[i].numbered)
            add_numbered(r->o, rows[i].property, rest);
        else
            property_set(r->o, rows[i].property, mem_strdup(rest));
        return true;
    }
    if ((rest = after(text, "--illegal-access=")))
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Ignoring option "
                        "--illegal-access=%s; support was removed in 17.0\n", rest);
    return rest != NULL;
}

#define PLACE(field) offsetof(struct vm_options, field)
#define NOWHERE SIZE_MAX           /* without effect */

static bool
read_size(struct reading *r, const char *text)
{
    static const struct {
        const char *name, *what;
        size_t place, minimum, maximum;
    } rows[] = {
        { "-Xmx", "maximum heap size", PLACE(heap_maximum), 1, SIZE_MAX },
        { "-Xms", "initial heap size", PLACE(heap_initial), 0, SIZE_MAX },
        { "-Xmn", "initial young generation size", NOWHERE, 0, SIZE_MAX },
        { "-Xss", "thread stack size", PLACE(stack_size), 0, (size_t)1 << 30 },
    };
    size_t row = 0, size = 0;

    while (row < sizeof rows / sizeof *rows && !after(text, rows[row].name))
        row++;
    if (row == sizeof rows / sizeof *rows)
        return false;
    bool is_size = options_parse_size(text + 4, &size);
    if (!is_size || size < rows[row].minimum || size > rows[row].maximum)
        return fail(r, stderr, "Invalid %s: %s\n%s", rows[row].what, text,
                    is_size && size > rows[row].maximum
                        ? "The specified size exceeds the maximum representable size.\n"
                        : "");
    if (rows[row].place != NOWHERE)
        *(size_t *)((char *)r->o + rows[row].place) = size;
    return true;
}

/* Options without a value. */
static bool
read_switch(struct reading *r, const char *text)
{
    static const struct {
        const char *name;
        size_t place;
        bool value;
    } rows[] = {
        { "-verbose", PLACE(verbose_class), true },
        { "-verbose:class", PLACE(verbose_class), true },
        { "-verbose:gc", PLACE(verbose_gc), true },
        { "-verbose:jni", PLACE(verbose_jni), true },
        { "-esa", PLACE(system_assertions), true },
        { "-enablesystemassertions", PLACE(system_assertions), true },
        { "-dsa", PLACE(system_assertions), false },
        { "-disablesystemassertions", PLACE(system_assertions), false },
        { "-Xrs", PLACE(no_java_signals), true },
        { "--enable-preview", PLACE(enable_preview), true }
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(text, rows[i].name)) {
            *(bool *)((char *)r->o + rows[i].place) = rows[i].value;
            return true;
        }
    }
    return false;
}

/* ---- -Xlog:WHAT:OUTPUT:… (JEP 158) ---- */

/* Selectors are tags with + between, * for further ones, and a level; the last that
   fits counts. */
static void
select_logs(struct vm_options *o, char *what)
{
    char *level, *rest = what;

    for (char *tags; (tags = strsep(&rest, ",")) != NULL;) {
        level = strchr(tags, '=');
        if (level)
            *level++ = '\0';
        bool detailed = level && (!strcmp(level, "debug") || !strcmp(level, "trace"));
        bool on = !level || detailed || !strcmp(level, "info");
        bool all = !strcmp(tags, "all");
        if (all || !strcmp(tags, "class*") || after(tags, "class+load"))
            o->verbose_class = on;
        if (all || !strcmp(tags, "gc") || !strcmp(tags, "gc*"))
            o->verbose_gc = on;
        if (all || !strcmp(tags, "jni*") || after(tags, "jni+resolve"))
            o->verbose_jni = detailed;
    }
}

/* A file's name may be quoted, and %p in it is the process. */
static bool
open_log(struct reading *r, const char *output)
{
    const char *path = after(output, "file=") ? output + 5 : output;
    bool quoted = *path == '"';
    struct buf name;

    r->o->log = NULL;
    if (*output == '\0' || *output == ':' || after(output, "stdout"))
        return true;
    if (after(output, "stderr")) {
        r->o->log = stderr;
        return true;
    }
    buf_init(&name);
    for (path += quoted; *path && *path != (quoted ? '"' : ':'); path++)
        if (path[0] == '%' && path[1] == 'p')
            buf_printf(&name, "%d", (int)getpid()), path++;
        else
            buf_append_u1(&name, (uint8_t)*path);
    buf_append_u1(&name, 0);
    char *file = buf_steal(&name, NULL);
    r->o->log = fopen(file, "we");
    if (!r->o->log)
        fail(r, stdout, "Error opening log file '%s': %s\n", file, strerror(errno));
    mem_free(file);
    return true;
}

static bool
read_log(struct reading *r, const char *text)
{
    const char *output = text + strcspn(text, ":");
    char *what = mem_strndup(text, (size_t)(output - text));

    select_logs(r->o, what);
    mem_free(what);
    return open_log(r, *output ? output + 1 : output);
}

static bool
read_x(struct reading *r, const char *text)
{
    static const char *const accepted[] = {
        "-Xint", "-Xcomp", "-Xmixed", "-Xbatch", "-Xdebug", "-Xfuture", "-Xnoagent",
        "-Xinternalversion", "-server", "-client", "-tty", "-Xshare:auto",
        "-Xshare:on", "-Xshare:off", "-Xshare:dump"
    };
    struct vm_options *o = r->o;
    const char *rest;

    if ((rest = after(text, "-Xbootclasspath/a:"))) {
        char *joined = o->boot_append ? mem_printf("%s:%s", o->boot_append, rest)
                                      : mem_strdup(rest);
        mem_free(o->boot_append);
        o->boot_append = joined;
        return true;
    }
    if ((rest = after(text, "-Xbootclasspath")) && (*rest == ':' || *rest == '/'))
        return fail(r, stdout, "-Xbootclasspath%s is no longer a supported option.\n",
                    *rest == '/' ? "/p" : "");
    if ((rest = after(text, "-Xverify:"))) {
        if (strcmp(rest, "all") && strcmp(rest, "remote") && strcmp(rest, "none"))
            return fail(r, stderr, "Unrecognized verification option: %s\n", text);
        o->verify_local = !strcmp(rest, "all");
        o->verify_remote = strcmp(rest, "none") != 0;
        return true;
    }
    if (!strcmp(text, "-noverify")) {
        o->verify_local = o->verify_remote = false;
        return true;
    }
    if (!strcmp(text, "-Xnoclassgc")) {
        o->class_unloading = false;
        return true;
    }
    if ((rest = after(text, "-Xcheck:"))) {
        if (strcmp(rest, "jni") != 0)
            return fail(r, stderr, "Unrecognized check option: %s\n", text);
        o->check_jni = true;
        return true;
    }
    if ((rest = after(text, "-Xlog:")))
        return read_log(r, rest);
    if ((rest = after(text, "-Xloggc:"))) {
        o->verbose_gc = true;
        return open_log(r, rest);
    }
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++)
        if (!strcmp(text, accepted[i]))
            return true;
    return after(text, "-Xlog") || after(text, "-verbose:");
}

/* ---- -XX ---- */

static bool
read_xx(struct reading *r, const char *text)
{
    const char *name = after(text, "-XX:");

    if (!name)
        return false;
    switch (xx_option(r->o, name)) {
    case XX_UNKNOWN:
        return r->ignore_unknown
               || fail(r, stderr, "Unrecognized VM option '%s'\n",
                       *name == '+' || *name == '-' ? name + 1 : name);
    case XX_MALFORMED:
        r->failed = true;
        break;
    case XX_IGNORE_UNKNOWN:
        r->ignore_unknown = true;
        break;
    default:
        break;
    }
    return true;
}

/* ---- one option ---- */

static void
read_property(struct vm_options *o, const char *text)
{
    const char *equals = strchr(text, '=');
    TEXTS(t);

    property_set(o, own(&t, mem_strndup(text, strcspn(text, "="))),
                 mem_strdup(equals ? equals + 1 : ""));
}

static void read_vm_options_file(struct reading *r, const char *path);

static void
read_option(struct reading *r, const JavaVMOption *option)
{
    const char *text = option->optionString;
    const char *rest;

    if ((rest = after(text, "-D"))) {
        read_property(r->o, rest);
    } else if ((rest = after(text, "-XX:VMOptionsFile="))) {
        read_vm_options_file(r, rest);
    } else if (after(text, "-XX:Flags=")) {
        /* was read before all others */
    } else if (!strcmp(text, "exit")) {
        r->o->exit_hook = (void (*)(int))option->extraInfo;
    } else if (!strcmp(text, "abort")) {
        r->o->abort_hook = (void (*)(void))option->extraInfo;
    } else if (!strcmp(text, "vfprintf")) {
        r->o->vfprintf_hook = (void (*)(void))option->extraInfo;
    } else if (!read_agent(r, text) && !read_assertion(r, text) && !read_module(r, text)
               && !read_switch(r, text) && !read_size(r, text) && !read_xx(r, text)
               && !read_x(r, text) && text[0] != '_' && !r->ignore_unknown) {
        fail(r, stderr, "Unrecognized option: %s\n", text);
    }
}

static void
remember(struct vm_options *o, const char *text)
{
    /* Those that the launcher adds for the VM's sake are not the user's. */
    if (text[0] != '-' || after(text, "-Djava.class.path")
        || after(text, "-Dsun.java.command") || after(text, "-Dsun.java.launcher"))
        return;
    o->vm_args = mem_realloc(o->vm_args, (o->vm_arg_count + 1) * sizeof *o->vm_args);
    o->vm_args[o->vm_arg_count++] = mem_strdup(text);
}

/* ---- environment variables (JVM TI "JAVA_TOOL_OPTIONS") ---- */

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

/* The options in text, which came from what is named. */
static void
read_words(struct reading *r, const char *text, const char *name)
{
    bool open = false;
    char *word;

    while (!r->failed && (word = next_word(&text, &open))) {
        JavaVMOption option = { word, NULL };
        if (open) {
            fail(r, stderr, "Unmatched quote in %s\n", name);
        } else {
            remember(r->o, word);
            read_option(r, &option);
        }
        mem_free(word);
    }
}

static void
read_variable(struct reading *r, const char *name)
{
    const char *value = getenv(name);

    if (value) {
        fprintf(stderr, "Picked up %s: %s\n", name, value);
        read_words(r, value, name);
    }
}

/* ---- files of options ---- */

/* The file's text or NULL, when it failed and why was printed; mem_free. */
static char *
read_options_file(struct reading *r, const char *what, const char *path)
{
    char *text = r->in_file ? NULL : os_read_file(path, NULL, NULL);

    if (r->in_file)
        fprintf(stderr, "A file of options cannot name another one: %s\n", path);
    else if (!text)
        fprintf(stderr, what, path);
    r->in_file = text != NULL;
    r->failed = !text;
    return text;
}

/* -XX:Flags= names a file of settings without "-XX:", with comments behind #. */
static void
read_flags_file(struct reading *r, const char *path)
{
    char *text = read_options_file(r, "Could not open settings file %s\n", path), *word;
    const char *at = text;
    bool open;

    for (char *p = text; p && *p; p++)
        if (*p == '#' && (p == text || isspace((unsigned char)p[-1])))
            memset(p, ' ', strcspn(p, "\n"));
    while (text && !r->failed && (word = next_word(&at, &open))) {
        TEXTS(t);
        read_xx(r, own(&t, mem_printf("-XX:%s", own(&t, word))));
    }
    mem_free(text);
    r->in_file = false;
}

/* -XX:VMOptionsFile= names a file of options as on the command line. */
static void
read_vm_options_file(struct reading *r, const char *path)
{
    char *text = read_options_file(r, "Could not open options file '%s'\n", path);

    if (text)
        read_words(r, text, path);
    mem_free(text);
    r->in_file = false;
}

/* ---- all of them ---- */

void
options_init(struct vm_options *o)
{
    size_t memory = os_physical_memory();

    *o = (struct vm_options){
        .heap_maximum = memory / 4, .verify_remote = true,
        .helpful_npe = true, .stack_trace_in_throwable = true,
        .max_stack_trace_depth = 1024, .soft_ref_ms_per_mb = 1000,
        .class_unloading = true, .perf_data = true
    };
}

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
    struct reading r = { .o = o, .ignore_unknown = args->ignoreUnrecognized };
    const char *file;

    for (jint i = 0; i < args->nOptions; i++)
        if (!strcmp(args->options[i].optionString, "-XX:+IgnoreUnrecognizedVMOptions"))
            r.ignore_unknown = true;
    for (jint i = 0; i < args->nOptions && !r.failed; i++)
        if ((file = after(args->options[i].optionString, "-XX:Flags=")))
            read_flags_file(&r, file);
    read_variable(&r, "JAVA_TOOL_OPTIONS");
    for (jint i = 0; i < args->nOptions && !r.failed; i++) {
        remember(o, args->options[i].optionString);
        read_option(&r, &args->options[i]);
    }
    if (!r.failed)
        read_variable(&r, "_JAVA_OPTIONS");
    return !r.failed && check_sizes(o);
}
