/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/xlog_names.c -- the names of the log's levels, tags and decorators, and
 * what log_describe and log_help say of them.
 */

#include <inttypes.h>
#include <string.h>

#include "base/xlog_internal.h"

/* ---- the names ---- */

/* clang-format off */
const char *const level_names[LOG_LEVELS] = {
    "off", "trace", "debug", "info", "warning", "error"
};

const char *const set_tags[LOG_SETS][TAGS] = {
    [LOG_CLASS_LOAD] = { "class", "load" }, [LOG_CLASS_UNLOAD] = { "class", "unload" },
    [LOG_GC] = { "gc" }, [LOG_GC_START] = { "gc", "start" },
    [LOG_JNI_RESOLVE] = { "jni", "resolve" }, [LOG_LOGGING] = { "logging" },
    [LOG_REDEFINE_EXCEPTIONS] = { "redefine", "class", "load", "exceptions" }
};

/* All tags that HotSpot has, so that a selection is right or wrong on both VMs; most of
   them belong to no line that this VM logs. */
static const char *const tag_names[] = {
    "add", "age", "alloc", "annotation", "arguments", "attach", "barrier",
    "biasedlocking", "blocks", "bot", "breakpoint", "bytecode", "cds", "census", "class",
    "classhisto", "cleanup", "codecache", "compaction", "compilation", "condy",
    "constantpool", "constraints", "container", "coops", "cpu", "cset", "data",
    "datacreation", "dcmd", "decoder", "defaultmethods", "director", "dump", "dynamic",
    "ergo", "event", "exceptions", "exit", "fingerprint", "free", "freelist", "gc",
    "handshake", "hashtables", "heap", "humongous", "ihop", "iklass", "indy", "init",
    "inlining", "install", "interpreter", "itables", "jfr", "jit", "jni", "jvmci",
    "jvmti", "lambda", "library", "liveness", "load", "loader", "logging", "malloc",
    "map", "mark", "marking", "membername", "memops", "metadata", "metaspace",
    "methodcomparator", "methodhandles", "mirror", "mmu", "module", "monitorinflation",
    "monitormismatch", "nestmates", "nmethod", "nmt", "normalize", "numa",
    "objecttagging", "obsolete", "oldobject", "oom", "oopmap", "oops", "oopstorage",
    "os", "owner", "pagesize", "parser", "patch", "path", "perf", "periodic", "phases",
    "plab", "placeholders", "preorder", "preview", "promotion", "protectiondomain",
    "ptrqueue", "purge", "record", "redefine", "ref", "refine", "region", "reloc",
    "remset", "resolve", "safepoint", "sampling", "scavenge", "sealed", "setting",
    "smr", "stackbarrier", "stackmap", "stacktrace", "stackwalk", "start", "startup",
    "startuptime", "state", "stats", "streaming", "stringdedup", "stringtable",
    "subclass", "survivor", "suspend", "sweep", "symboltable", "system", "table",
    "task", "thread", "throttle", "time", "timer", "tlab", "tracking", "trimnative",
    "unload", "unshareable", "update", "valuebasedclasses", "verification", "verify",
    "vmmutex", "vmoperation", "vmthread", "vtables", "vtablestubs", "workgang"
};

const char *const decorator_names[DECORATORS][2] = {
    { "time", "t" }, { "utctime", "utc" }, { "uptime", "u" }, { "timemillis", "tm" },
    { "uptimemillis", "um" }, { "timenanos", "tn" }, { "uptimenanos", "un" },
    { "hostname", "hn" }, { "pid", "p" }, { "tid", "ti" }, { "level", "l" },
    { "tags", "tg" }
};
/* clang-format on */

/* ---- looking names up ---- */

/* Returns how much two words resemble each other, from 0 to 1: twice the number of
   pairs of neighbouring letters of the first that the second has, divided by both
   lengths. */
static double
likeness(const char *a, const char *b)
{
    size_t hits = 0, total = strlen(a) + strlen(b);

    for (const char *p = a; p[0] && p[1]; p++)
        for (const char *q = b; q[0] && q[1]; q++)
            if (p[0] == q[0] && p[1] == q[1]) {
                hits++;
                break;
            }
    return total ? 2.0 * (double)hits / (double)total : 0;
}

/* Returns the index of the word in a list, or the length of the list if it is not in
   it.  Then *likely becomes the entry that resembles the word most, or NULL if none
   does by half. */
static size_t
find_word(const char *const *list, size_t count, const char *word, const char **likely)
{
    double best = 0.5;

    *likely = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!strcasecmp(list[i], word))
            return i;
        double score = likeness(word, list[i]);
        if (score > best || (score >= best && !*likely)) {
            best = score;
            *likely = list[i];
        }
    }
    return count;
}

static void
report_unknown(struct buf *problem, const char *kind, const char *word,
               const char *likely)
{
    buf_printf(problem, "Invalid %s '%s' in log selection.", kind, word);
    if (likely)
        buf_printf(problem, " Did you mean '%s'?", likely);
    buf_append_string(problem, "\n");
}

enum log_level
find_level(const char *word, struct buf *problem)
{
    const char *likely;
    size_t i = find_word(level_names, LOG_LEVELS, word, &likely);

    if (i == LOG_LEVELS)
        report_unknown(problem, "level", word, likely);
    return (enum log_level)i;
}

const char *
find_tag(const char *word, struct buf *problem)
{
    const size_t count = sizeof tag_names / sizeof *tag_names;
    const char *likely;
    size_t i = find_word(tag_names, count, word, &likely);

    if (i < count)
        return tag_names[i];
    report_unknown(problem, "tag", word, likely);
    return NULL;
}

/* ---- describing ---- */

static void
list_words(struct buf *out, const char *title, const char *const *words, size_t count)
{
    buf_append_string(out, title);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%s%s", i ? ", " : "", words[i]);
    buf_append_string(out, "\n");
}

/* Appends the levels, decorators and tags that there are. */
static void
list_choices(struct buf *out)
{
    list_words(out, "Available log levels: ", level_names, LOG_LEVELS);
    buf_append_string(out, "Available log decorators: ");
    for (int d = 0; d < DECORATORS; d++)
        buf_printf(out, "%s%s (%s)", d ? ", " : "", decorator_names[d][0],
                   decorator_names[d][1]);
    list_words(out, "\nAvailable log tags: ", tag_names,
               sizeof tag_names / sizeof *tag_names);
    buf_append_string(out, "Described tag sets:\n"
                           " logging: Logging for the log framework itself\n");
}

/* Prints a number of bytes in the largest unit in which it has three digits or more:
   "20480K", "1024B". */
static void
print_size(struct buf *out, uint64_t size)
{
    uint64_t mega = 1 << 20;

    if (size >= 100 * mega)
        buf_printf(out, "%" PRIu64 "M", size / mega);
    else if (size >= 100 << 10)
        buf_printf(out, "%" PRIu64 "K", size >> 10);
    else
        buf_printf(out, "%" PRIu64 "B", size);
}

/* Appends a line about an output: number, name, selections, decorators, options of a
   file.  Selections with the level of "all", the first one, are left out: they say
   nothing more, unless one takes back a part of another one, which then shows wider
   than it is. */
static void
describe_output(struct buf *out, size_t index)
{
    const struct output *o = &logs.outputs[index];
    const char *separator = "";

    buf_printf(out, " #%zu: %s ", index, o->name);
    for (size_t i = 0; i < o->selection_count; i++) {
        const struct selection *s = &o->selections[i];
        if (i > 0 && s->level == o->selections[0].level)
            continue;
        buf_printf(out, "%s%s=%s", i ? "," : "", s->text, level_names[s->level]);
    }
    buf_append_string(out, o->decorators ? " " : " none");
    for (int d = 0; d < DECORATORS; d++)
        if (o->decorators & 1u << d) {
            buf_printf(out, "%s%s", separator, decorator_names[d][0]);
            separator = ",";
        }
    if (o->path) {
        buf_printf(out, " filecount=%u,filesize=", o->keep);
        print_size(out, o->size_limit);
        buf_append_string(out, ",async=false");
    }
    buf_append_string(out, o->is_reconfigured ? " (reconfigured)\n" : "\n");
}

void
log_describe(struct buf *out)
{
    list_choices(out);
    buf_append_string(out, "Log output configuration:\n");
    pthread_mutex_lock(&logs.mutex);
    output_add_standard();
    for (size_t i = 0; i < logs.count; i++)
        describe_output(out, i);
    pthread_mutex_unlock(&logs.mutex);
}

void
log_help(struct buf *out)
{
    buf_append_string(
        out,
        "-Xlog[:[what][:[output][:[decorators][:options]]]]\n"
        "what is a list of tags with levels: tag1[+tag2...][*][=level][,...].\n"
        "Without *, only lines with exactly those tags are meant; all means every\n"
        "line.\n\n");
    list_choices(out);
    buf_append_string(out, "\nTag sets that this VM logs:");
    for (int set = 0; set < LOG_SETS; set++)
        for (int i = 0; i < TAGS && set_tags[set][i]; i++)
            buf_printf(out, "%s%s", i ? "+" : " ", set_tags[set][i]);
    buf_append_string(
        out,
        "\n\noutput is stdout, stderr or file=NAME; %p in NAME is the process, %t the\n"
        "time of the start.  decorators are a list of the above, or none.\n"
        "A file's options:\n"
        " filesize=N    begin a new file at so many bytes (k, m, g); 0: never\n"
        " filecount=N   keep so many old files; 0: overwrite\n\n"
        "-Xlog:disable   turns all off, warnings too\n"
        "-Xlog:async     is accepted; lines are always written at once\n"
        "-Xlog           is -Xlog:all=info:stdout:uptime,level,tags\n");
}
