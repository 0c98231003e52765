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
   them belong to no line that this VM logs.  Each has the first and the last release of
   the JDK that has it, 0 for those that reach further. */
static const struct tag {
    const char *name;
    int since, until;
} all_tags[] = {
    { "add", 0, 0 }, { "age", 0, 0 }, { "alloc", 0, 0 }, { "annotation", 0, 0 },
    { "aot", 25, 0 }, { "arguments", 0, 0 }, { "array", 25, 0 }, { "attach", 0, 0 },
    { "barrier", 0, 0 }, { "biasedlocking", 0, 17 }, { "blocks", 0, 0 },
    { "bot", 0, 0 }, { "breakpoint", 0, 0 }, { "bytecode", 0, 0 }, { "cause", 25, 0 },
    { "cds", 0, 0 }, { "census", 0, 0 }, { "class", 0, 0 }, { "classhisto", 0, 0 },
    { "cleanup", 0, 0 }, { "codecache", 0, 0 }, { "compaction", 0, 0 },
    { "compilation", 0, 0 }, { "condy", 0, 0 }, { "constantpool", 0, 0 },
    { "constraints", 0, 0 }, { "container", 0, 0 }, { "continuations", 21, 0 },
    { "coops", 0, 0 }, { "cpu", 0, 0 }, { "cset", 0, 0 }, { "data", 0, 0 },
    { "datacreation", 0, 0 }, { "dcmd", 0, 0 }, { "decoder", 0, 0 },
    { "defaultmethods", 0, 0 }, { "deoptimization", 21, 0 }, { "dependencies", 21, 0 },
    { "director", 0, 0 }, { "dump", 0, 0 }, { "dynamic", 0, 0 }, { "ergo", 0, 0 },
    { "event", 0, 0 }, { "exceptions", 0, 0 }, { "exit", 0, 0 }, { "fastlock", 21, 0 },
    { "finalizer", 21, 0 }, { "fingerprint", 0, 0 }, { "free", 0, 0 },
    { "freelist", 0, 0 }, { "gc", 0, 0 }, { "handshake", 0, 0 }, { "hashtables", 0, 0 },
    { "heap", 0, 0 }, { "heapdump", 25, 0 }, { "humongous", 0, 0 }, { "ihop", 0, 0 },
    { "iklass", 0, 0 }, { "indy", 0, 0 }, { "init", 0, 0 }, { "inlinecache", 25, 0 },
    { "inlining", 0, 0 }, { "install", 0, 0 }, { "interpreter", 0, 0 },
    { "itables", 0, 0 }, { "jfr", 0, 0 }, { "jit", 0, 0 }, { "jmethod", 25, 0 },
    { "jni", 0, 0 }, { "jvmci", 0, 0 }, { "jvmti", 0, 0 }, { "lambda", 0, 0 },
    { "library", 0, 0 }, { "link", 25, 0 }, { "liveness", 0, 0 }, { "load", 0, 0 },
    { "loader", 0, 0 }, { "logging", 0, 0 }, { "malloc", 0, 0 }, { "map", 0, 0 },
    { "mark", 0, 0 }, { "marking", 0, 0 }, { "membername", 0, 0 }, { "memops", 0, 0 },
    { "metadata", 0, 0 }, { "metaspace", 0, 0 }, { "methodcomparator", 0, 0 },
    { "methodhandles", 0, 0 }, { "methodtrace", 25, 0 }, { "mirror", 0, 0 },
    { "mmu", 0, 0 }, { "module", 0, 0 }, { "monitorinflation", 0, 0 },
    { "monitormismatch", 0, 0 }, { "monitortable", 25, 0 }, { "native", 25, 0 },
    { "nestmates", 0, 0 }, { "nmethod", 0, 0 }, { "nmt", 0, 0 }, { "normalize", 0, 0 },
    { "numa", 0, 0 }, { "objecttagging", 0, 0 }, { "obsolete", 0, 0 },
    { "oldobject", 0, 0 }, { "oom", 0, 0 }, { "oopmap", 0, 0 }, { "oops", 0, 0 },
    { "oopstorage", 0, 0 }, { "os", 0, 0 }, { "owner", 0, 0 }, { "page", 21, 0 },
    { "pagesize", 0, 0 }, { "parser", 0, 0 }, { "patch", 0, 0 }, { "path", 0, 0 },
    { "perf", 0, 0 }, { "periodic", 0, 0 }, { "phases", 0, 0 }, { "plab", 0, 0 },
    { "placeholders", 0, 0 }, { "preempt", 21, 0 }, { "preorder", 0, 0 },
    { "preview", 0, 0 }, { "promotion", 0, 0 }, { "protectiondomain", 0, 21 },
    { "ptrqueue", 0, 0 }, { "purge", 0, 0 }, { "record", 0, 0 }, { "redefine", 0, 0 },
    { "ref", 0, 0 }, { "refine", 0, 0 }, { "region", 0, 0 }, { "reloc", 0, 0 },
    { "remset", 0, 0 }, { "resolve", 0, 0 }, { "safepoint", 0, 0 },
    { "sampling", 0, 0 }, { "scavenge", 0, 0 }, { "sealed", 0, 0 }, { "setting", 0, 0 },
    { "smr", 0, 0 }, { "stackbarrier", 0, 0 }, { "stackmap", 0, 0 },
    { "stacktrace", 0, 0 }, { "stackwalk", 0, 0 }, { "start", 0, 0 },
    { "startup", 0, 0 }, { "startuptime", 0, 0 }, { "state", 0, 0 }, { "stats", 0, 0 },
    { "streaming", 0, 0 }, { "stringdedup", 0, 0 }, { "stringtable", 0, 0 },
    { "stubs", 21, 0 }, { "subclass", 0, 0 }, { "survivor", 0, 0 }, { "suspend", 0, 0 },
    { "sweep", 0, 0 }, { "symboltable", 0, 0 }, { "system", 0, 0 }, { "table", 0, 0 },
    { "task", 0, 0 }, { "thread", 0, 0 }, { "throttle", 0, 0 }, { "time", 0, 17 },
    { "timer", 0, 0 }, { "tlab", 0, 0 }, { "tracking", 0, 0 }, { "training", 25, 0 },
    { "trimnative", 0, 0 }, { "unload", 0, 0 }, { "unmap", 21, 0 },
    { "unshareable", 0, 0 }, { "update", 0, 0 }, { "valuebasedclasses", 0, 0 },
    { "verification", 0, 0 }, { "verify", 0, 0 }, { "vmmutex", 0, 0 },
    { "vmoperation", 0, 0 }, { "vmthread", 0, 0 }, { "vtables", 0, 0 },
    { "vtablestubs", 0, 0 }, { "workgang", 0, 17 }
};

const char *const decorator_names[DECORATORS][2] = {
    { "time", "t" }, { "utctime", "utc" }, { "uptime", "u" }, { "timemillis", "tm" },
    { "uptimemillis", "um" }, { "timenanos", "tn" }, { "uptimenanos", "un" },
    { "hostname", "hn" }, { "pid", "p" }, { "tid", "ti" }, { "level", "l" },
    { "tags", "tg" }
};
/* clang-format on */

/* ---- the release ---- */

/* From this release on each output has options, foldmultilines among them. */
enum { COMMON_OPTIONS_SINCE = 18 };

/* The names of the tags of the release that was selected. */
static const char *tag_names[sizeof all_tags / sizeof *all_tags];
static size_t tag_count;

void
log_select(int feature)
{
    tag_count = 0;
    for (size_t i = 0; i < sizeof all_tags / sizeof *all_tags; i++)
        if (feature >= all_tags[i].since
            && (all_tags[i].until == 0 || feature <= all_tags[i].until))
            tag_names[tag_count++] = all_tags[i].name;
    logs.has_common_options = feature >= COMMON_OPTIONS_SINCE;
}

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
    const char *likely;
    size_t i = find_word(tag_names, tag_count, word, &likely);

    if (i < tag_count)
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
    list_words(out, "\nAvailable log tags: ", tag_names, tag_count);
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
    if (logs.has_common_options)
        buf_printf(out, " foldmultilines=%s", o->folds ? "true" : "false");
    if (o->path) {
        buf_printf(out, "%cfilecount=%u,filesize=", logs.has_common_options ? ',' : ' ',
                   o->keep);
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
        " filecount=N   keep so many old files; 0: overwrite\n"
        "and, from JDK 18 on, an option of all outputs:\n"
        " foldmultilines=true   several lines become one, with \\n between them\n\n"
        "-Xlog:disable   turns all off, warnings too\n"
        "-Xlog:async     is accepted; lines are always written at once\n"
        "-Xlog           is -Xlog:all=info:stdout:uptime,level,tags\n");
}
