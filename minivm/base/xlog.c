/* SPDX-License-Identifier: MIT */
/* minivm/base/xlog.c -- the VM's log.
 *
 * One mutex guards outputs and their files; who logs looks at log_threshold first,
 * without it. */

#include "base/xlog.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"

enum { TAGS = 5, OUTPUTS_MAX = 64, FILES_MAX = 1000 };

/* ---- names ---- */

static const char *const levels[LOG_LEVELS] = {
    "off", "trace", "debug", "info", "warning", "error"
};

/* The tags of a set in their order. */
static const char *const sets[LOG_SETS][TAGS] = {
    [LOG_CLASS_LOAD] = { "class", "load" }, [LOG_CLASS_UNLOAD] = { "class", "unload" },
    [LOG_GC] = { "gc" }, [LOG_GC_START] = { "gc", "start" },
    [LOG_JNI_RESOLVE] = { "jni", "resolve" }, [LOG_LOGGING] = { "logging" },
    [LOG_REDEFINE_EXCEPTIONS] = { "redefine", "class", "load", "exceptions" }
};

/* All tags that HotSpot has, so that a selection is good or bad on both. */
static const char *const tags[] = {
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

/* In the order in which they stand before a line. */
enum decorator {
    TIME, UTC_TIME, UPTIME, TIME_MILLIS, UPTIME_MILLIS, TIME_NANOS, UPTIME_NANOS,
    HOST_NAME, PID, TID, LEVEL, TAG_SET, DECORATORS
};

static const char *const decorator_names[DECORATORS][2] = {
    { "time", "t" }, { "utctime", "utc" }, { "uptime", "u" }, { "timemillis", "tm" },
    { "uptimemillis", "um" }, { "timenanos", "tn" }, { "uptimenanos", "un" },
    { "hostname", "hn" }, { "pid", "p" }, { "tid", "ti" }, { "level", "l" },
    { "tags", "tg" }
};

enum { USUAL_DECORATORS = 1 << UPTIME | 1 << LEVEL | 1 << TAG_SET };

/* Twice the number of pairs of letters that both words have, over their lengths. */
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

/* The entry of a list that is word, or the count of the list; *likely: the one that it
   resembles most, or NULL. */
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

static bool
refuse_word(struct buf *problem, const char *kind, const char *word, const char *likely)
{
    buf_printf(problem, "Invalid %s '%s' in log selection.", kind, word);
    if (likely)
        buf_printf(problem, " Did you mean '%s'?", likely);
    buf_append_string(problem, "\n");
    return false;
}

/* ---- outputs ---- */

struct selection {
    char *text;                    /* gc*, all, class+load */
    enum log_level level;
};

struct output {
    char *name;                    /* stdout, stderr or file=PATH */
    FILE *file;
    bool is_reconfigured;
    uint32_t decorators;           /* bits by enum decorator */
    int widths[DECORATORS];        /* the widest so far */
    uint8_t threshold[LOG_SETS];   /* the lowest level of its; LOG_LEVELS: none */
    struct selection *selections;  /* in words: the first one is of "all" */
    size_t selection_count;
    /* of a file */
    char *path;
    uint64_t size, size_limit;
    unsigned keep, next;           /* how many old files; the next one's number */
};

static struct {
    pthread_mutex_t mutex;
    struct output *outputs;
    size_t count;
    int64_t start;
} logs = { .mutex = PTHREAD_MUTEX_INITIALIZER };

_Atomic uint8_t log_threshold[LOG_SETS] = {
    [0 ... LOG_SETS - 1] = LOG_LEVELS
};

static void
note_selection(struct output *o, const char *text, enum log_level level)
{
    size_t i = 0;

    if (!strcmp(text, "all"))
        while (o->selection_count > 0)
            mem_free(o->selections[--o->selection_count].text);
    while (i < o->selection_count && strcmp(o->selections[i].text, text) != 0)
        i++;
    if (i == o->selection_count) {
        o->selections = mem_realloc(o->selections, (i + 1) * sizeof *o->selections);
        o->selections[o->selection_count++].text = mem_strdup(text);
    }
    o->selections[i].level = level;
}

static struct output *
add_output(const char *name, FILE *file, enum log_level level)
{
    logs.outputs = mem_realloc(logs.outputs, (logs.count + 1) * sizeof *logs.outputs);
    struct output *o = &logs.outputs[logs.count++];
    *o = (struct output){ .name = mem_strdup(name), .file = file,
                          .decorators = USUAL_DECORATORS };
    memset(o->threshold, level ? level : LOG_LEVELS, LOG_SETS);
    note_selection(o, "all", level);
    return o;
}

/* Under the mutex. */
static void
make_standard_outputs(void)
{
    if (logs.count)
        return;
    add_output("stdout", stdout, LOG_WARNING);
    add_output("stderr", stderr, LOG_OFF);
}

static void
update_thresholds(void)
{
    for (int set = 0; set < LOG_SETS; set++) {
        uint8_t lowest = LOG_LEVELS;
        for (size_t i = 0; i < logs.count; i++)
            if (logs.outputs[i].threshold[set] < lowest)
                lowest = logs.outputs[i].threshold[set];
        atomic_store_explicit(&log_threshold[set], lowest, memory_order_relaxed);
    }
}

/* ---- files ---- */

/* PATH.0, PATH.1…: as many digits as the last one has; mem_free. */
static char *
old_name(const struct output *o, unsigned number)
{
    int digits = o->keep > 100 ? 3 : o->keep > 10 ? 2 : 1;

    return mem_printf("%s.%0*u", o->path, digits, number);
}

/* The first number that no file has, else the oldest file's. */
static unsigned
free_number(const struct output *o)
{
    struct stat status;
    time_t oldest = 0;
    unsigned found = 0;

    for (unsigned i = 0; i < o->keep; i++) {
        char *name = old_name(o, i);
        bool exists = stat(name, &status) == 0;
        mem_free(name);
        if (!exists)
            return i;
        if (i == 0 || status.st_mtime < oldest) {
            oldest = status.st_mtime;
            found = i;
        }
    }
    return found;
}

/* The file that is there becomes an old one. */
static void
keep_old(struct output *o)
{
    struct stat status;

    if (o->keep == 0 || stat(o->path, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    char *name = old_name(o, o->next);
    unlink(name);
    rename(o->path, name);
    mem_free(name);
    o->next = (o->next + 1) % o->keep;
}

static void
rotate(struct output *o)
{
    if (!o->path || o->keep == 0)
        return;
    if (o->file)
        fclose(o->file);
    keep_old(o);
    o->file = fopen(o->path, "we");
    o->size = 0;
}

/* name with %p made the process's number, and %t the time; mem_free. */
static char *
expand(const char *name)
{
    struct buf b = { 0 };
    time_t now = time(NULL);
    char date[32] = "";
    struct tm tm;

    if (localtime_r(&now, &tm))
        strftime(date, sizeof date, "%Y-%m-%d_%H-%M-%S", &tm);
    for (const char *p = name; *p; p++) {
        if (p[0] == '%' && p[1] == 'p')
            buf_printf(&b, "%d", (int)getpid()), p++;
        else if (p[0] == '%' && p[1] == 't')
            buf_append_string(&b, date), p++;
        else
            buf_append_u1(&b, (uint8_t)*p);
    }
    return buf_steal(&b, NULL);
}

/* A number with k, m or g behind it, or none. */
static bool
read_number(const char *text, uint64_t most, uint64_t *number)
{
    static const char units[] = "kmg";
    char *end;

    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || (*end && (!unit || end[1])) || *number > UINT64_MAX >> shift)
        return false;
    *number <<= shift;
    return *number <= most;
}

static bool
read_file_option(struct output *o, const char *option, struct buf *problem)
{
    uint64_t number = 0;
    const char *value = strchr(option, '=');
    size_t length = value ? (size_t)(value - option) : strlen(option);

    if (length == 9 && value && !strncmp(option, "filecount", 9)) {
        if (!read_number(value + 1, FILES_MAX, &number)) {
            buf_printf(problem, "Invalid option: filecount must be in range [0, %d]\n",
                       FILES_MAX);
            return false;
        }
        o->keep = (unsigned)number;
    } else if (length == 8 && value && !strncmp(option, "filesize", 8)) {
        if (!read_number(value + 1, UINT64_MAX, &o->size_limit)) {
            buf_printf(problem, "Invalid option: filesize must be in range [0, %" PRIu64
                                "]\n", UINT64_MAX);
            return false;
        }
    } else {
        buf_printf(problem, "Invalid option '%.*s' for log file output.\n", (int)length,
                   option);
        return false;
    }
    return true;
}

static bool
open_file(struct output *o, const char *name, const char *options, struct buf *problem)
{
    bool good = true;

    o->path = expand(name);
    o->keep = 5;
    o->size_limit = 20 << 20;
    for (const char *at = options ? options : ""; good && *at;) {
        size_t length = strcspn(at, ",");
        char *option = mem_strndup(at, length);
        good = read_file_option(o, option, problem);
        mem_free(option);
        at += length + (at[length] == ',');
    }
    if (good) {
        o->next = o->keep ? free_number(o) : 0;
        keep_old(o);
        o->file = fopen(o->path, "we");
        if (!o->file)
            buf_printf(problem, "Error opening log file '%s': %s\n", o->path,
                       strerror(errno));
        good = o->file != NULL;
    }
    if (!good)
        buf_printf(problem, "Initialization of output 'file=%s' using options '%s' "
                            "failed.\n", name, options ? options : "(null)");
    return good;
}

static void
drop_output(struct output *o)
{
    while (o->selection_count > 0)
        mem_free(o->selections[--o->selection_count].text);
    mem_free(o->selections);
    if (o->path && o->file)
        fclose(o->file);
    mem_free(o->path);
    mem_free(o->name);
}

/* ---- lines ---- */

static void
print_time(struct buf *b, bool utc)
{
    int64_t nanos = os_wall_nanos();
    time_t now = (time_t)(nanos / 1000000000);
    char date[32] = "", zone[8] = "";
    struct tm tm;

    if (utc ? gmtime_r(&now, &tm) : localtime_r(&now, &tm)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
        strftime(zone, sizeof zone, "%z", &tm);
    }
    buf_printf(b, "%s.%03d%s", date, (int)(nanos / 1000000 % 1000), zone);
}

static void
print_decorator(struct buf *b, enum decorator d, enum log_set set, enum log_level level)
{
    int64_t up = os_nanos() - logs.start;
    char host[256] = "";

    switch (d) {
    case TIME: case UTC_TIME: print_time(b, d == UTC_TIME); break;
    case UPTIME: buf_printf(b, "%.3fs", (double)up / 1e9); break;
    case TIME_MILLIS: buf_printf(b, "%" PRId64 "ms", os_wall_nanos() / 1000000); break;
    case UPTIME_MILLIS: buf_printf(b, "%" PRId64 "ms", up / 1000000); break;
    case TIME_NANOS: buf_printf(b, "%" PRId64 "ns", os_nanos()); break;
    case UPTIME_NANOS: buf_printf(b, "%" PRId64 "ns", up); break;
    case HOST_NAME:
        gethostname(host, sizeof host - 1);
        buf_append_string(b, host);
        break;
    case PID: buf_printf(b, "%d", (int)getpid()); break;
    case TID: buf_printf(b, "%d", (int)syscall(SYS_gettid)); break;
    case LEVEL: buf_append_string(b, levels[level]); break;
    default:
        for (int i = 0; i < TAGS && sets[set][i]; i++)
            buf_printf(b, "%s%s", i ? "," : "", sets[set][i]);
        break;
    }
}

/* Columns stay in line: each is as wide as its widest so far. */
static void
decorate(struct buf *b, struct output *o, enum log_set set, enum log_level level)
{
    for (int d = 0; d < DECORATORS; d++) {
        size_t start;
        if (!(o->decorators & 1u << d))
            continue;
        buf_append_string(b, "[");
        start = b->length;
        print_decorator(b, (enum decorator)d, set, level);
        if ((int)(b->length - start) > o->widths[d])
            o->widths[d] = (int)(b->length - start);
        while ((int)(b->length - start) < o->widths[d])
            buf_append_string(b, " ");
        buf_append_string(b, "]");
    }
    if (o->decorators)
        buf_append_string(b, " ");
}

static void
write_to(struct output *o, enum log_set set, enum log_level level, const char *text)
{
    struct buf b = { 0 };

    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        decorate(&b, o, set, level);
        buf_append(&b, at, length);
        buf_append_string(&b, "\n");
        at += length + (at[length] == '\n');
    }
    fwrite(b.data, 1, b.length, o->file);
    fflush(o->file);
    o->size += b.length;
    buf_release(&b);
    if (o->size_limit && o->size >= o->size_limit)
        rotate(o);
}

void
log_write(enum log_set set, enum log_level level, const char *text)
{
    pthread_mutex_lock(&logs.mutex);
    for (size_t i = 0; i < logs.count; i++)
        if (logs.outputs[i].file && logs.outputs[i].threshold[set] <= level)
            write_to(&logs.outputs[i], set, level, text);
    pthread_mutex_unlock(&logs.mutex);
}

void
log_start(int64_t nanos)
{
    pthread_mutex_lock(&logs.mutex);
    logs.start = nanos;
    make_standard_outputs();
    update_thresholds();
    pthread_mutex_unlock(&logs.mutex);
}

double
log_uptime(void)
{
    return logs.start ? (double)(os_nanos() - logs.start) / 1e9 : 0;
}

/* ---- selections ---- */

struct request {
    char *text;                    /* without the level */
    const char *tags[TAGS];        /* entries of tags[] */
    unsigned tag_count;            /* 0: all */
    bool is_open;                  /* further tags do not matter */
    enum log_level level;
};

static bool
matches(const struct request *r, enum log_set set)
{
    unsigned count = 0, found = 0;

    while (count < TAGS && sets[set][count])
        count++;
    for (unsigned i = 0; i < r->tag_count; i++)
        for (unsigned j = 0; j < count; j++)
            found += !strcmp(sets[set][j], r->tags[i]);
    return found == r->tag_count
           && (r->is_open || r->tag_count == 0 || count == r->tag_count);
}

/* text is changed. */
static bool
read_tags(struct request *r, char *text, struct buf *problem)
{
    size_t length = strlen(text);
    const char *likely;
    char *rest = text, *word;

    if (!strcasecmp(text, "all"))
        return true;
    if (length > 0 && text[length - 1] == '*') {
        r->is_open = true;
        text[length - 1] = '\0';
    }
    while ((word = strsep(&rest, "+")) != NULL) {
        size_t at = find_word(tags, sizeof tags / sizeof *tags, word, &likely);
        if (at == sizeof tags / sizeof *tags)
            return refuse_word(problem, "tag", word, likely);
        if (r->tag_count == TAGS) {
            buf_printf(problem, "Too many tags in log selection '%s' (can only have up "
                                "to %d tags).\n", text, TAGS);
            return false;
        }
        r->tags[r->tag_count++] = tags[at];
    }
    return true;
}

/* item: tag+tag*=level, changed. */
static bool
read_request(struct request *r, char *item, struct buf *problem)
{
    char *level = strchr(item, '=');
    const char *likely;

    *r = (struct request){ .level = LOG_INFO };
    if (level)
        *level++ = '\0';
    r->text = mem_strdup(item);
    if (!read_tags(r, item, problem))
        return false;
    if (level) {
        r->level = (enum log_level)find_word(levels, LOG_LEVELS, level, &likely);
        if (r->level == LOG_LEVELS)
            return refuse_word(problem, "level", level, likely);
    }
    return true;
}

/* Nothing is chosen silently that never comes. */
static void
check_use(const struct request *r)
{
    for (int set = 0; set < LOG_SETS; set++)
        if (matches(r, (enum log_set)set))
            return;
    if (r->level != LOG_OFF && r->level < LOG_WARNING)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: -Xlog:%s selects nothing "
                        "that this VM logs\n", r->text);
}

static void
apply(struct output *o, const struct request *r)
{
    for (int set = 0; set < LOG_SETS; set++)
        if (matches(r, (enum log_set)set))
            o->threshold[set] = r->level == LOG_OFF ? LOG_LEVELS : (uint8_t)r->level;
    note_selection(o, r->text, r->level);
}

/* All of them, or none with the reason. */
static bool
read_requests(const char *what, struct request **list, size_t *count,
              struct buf *problem)
{
    char *copy = mem_strdup(what), *rest = copy, *item;
    bool good = true;

    while (good && (item = strsep(&rest, ",")) != NULL) {
        *list = mem_realloc(*list, (*count + 1) * sizeof **list);
        good = read_request(&(*list)[(*count)++], item, problem);
    }
    mem_free(copy);
    return good;
}

static bool
read_decorators(const char *text, uint32_t *decorators, struct buf *problem)
{
    char *copy, *rest, *word;
    bool good = true;

    *decorators = 0;
    if (!strcmp(text, "none"))
        return true;
    copy = rest = mem_strdup(text);
    while (good && (word = strsep(&rest, ",")) != NULL) {
        int d = 0;
        while (d < DECORATORS && strcasecmp(decorator_names[d][0], word) != 0
               && strcmp(decorator_names[d][1], word) != 0)
            d++;
        good = d < DECORATORS;
        if (good)
            *decorators |= 1u << d;
        else
            buf_printf(problem, "Invalid decorator '%s'.\n", word);
    }
    mem_free(copy);
    return good;
}

/* ---- configuration ---- */

static const char *
after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static struct output *
output_named(const char *name)
{
    for (size_t i = 0; i < logs.count; i++)
        if (!strcmp(logs.outputs[i].name, name))
            return &logs.outputs[i];
    return NULL;
}

/* The output of that name, made when it is a file that is new; NULL with the reason. */
static struct output *
output_for(const char *output, const char *options, bool *is_new, struct buf *problem)
{
    const char *path = after(output, "file=");
    struct output *o;

    *is_new = false;
    if (*output == '#') {
        char *end;
        unsigned long index = strtoul(output + 1, &end, 10);
        if (output[1] && !*end && index < logs.count)
            return &logs.outputs[index];
        buf_printf(problem, "Invalid output index '%s'\n", output);
        return NULL;
    }
    if (!strcmp(output, "stdout") || !strcmp(output, "stderr"))
        return output_named(output);
    if (!path && strchr(output, '=')) {
        buf_printf(problem, "Unsupported log output type: %s\n", output);
        return NULL;
    }
    char *bare = mem_strdup(path ? path : output);
    size_t length = strlen(bare);
    if (length > 1 && bare[0] == '"' && bare[length - 1] == '"') {
        memmove(bare, bare + 1, length - 2);
        bare[length - 2] = '\0';
    }
    char *name = mem_printf("file=%s", bare);
    o = output_named(name);
    if (!o) {
        if (logs.count == OUTPUTS_MAX) {
            buf_append_string(problem, "Too many log outputs\n");
        } else {
            o = add_output(name, NULL, LOG_OFF);
            *is_new = true;
            if (!open_file(o, bare, options, problem)) {
                drop_output(o);
                logs.count--;
                o = NULL;
            }
        }
    }
    mem_free(name);
    mem_free(bare);
    return o;
}

bool
log_configure(const char *output, const char *what, const char *decorators,
              const char *options, struct buf *problem)
{
    struct request *list = NULL;
    size_t count = 0;
    uint32_t bits = USUAL_DECORATORS;
    struct output *o = NULL;
    bool is_new, has_decorators = decorators && *decorators;

    if (read_requests(what && *what ? what : "all", &list, &count, problem)
        && (!has_decorators || read_decorators(decorators, &bits, problem))) {
        pthread_mutex_lock(&logs.mutex);
        make_standard_outputs();
        o = output_for(output && *output ? output : "stdout", options, &is_new,
                       problem);
        if (o) {
            if (!is_new && options && *options)
                buf_append_string(problem,
                                  "Output options for existing outputs are ignored.\n");
            for (size_t i = 0; i < count; i++)
                apply(o, &list[i]);
            /* New widths for new columns. */
            if (has_decorators && o->decorators != bits)
                memset(o->widths, 0, sizeof o->widths);
            if (has_decorators)
                o->decorators = bits;
            o->is_reconfigured = logs.start != 0;
        }
        update_thresholds();
        pthread_mutex_unlock(&logs.mutex);
    }
    for (size_t i = 0; i < count; i++) {
        if (o)
            check_use(&list[i]);
        mem_free(list[i].text);
    }
    mem_free(list);
    return o != NULL;
}

/* The next part up to ':', which may stand in quotes; mem_free. */
static char *
next_part(const char **at)
{
    const char *p = *at;
    bool quoted = false;

    for (; *p && (*p != ':' || quoted); p++)
        quoted ^= *p == '"';
    char *part = mem_strndup(*at, (size_t)(p - *at));
    *at = p + (*p == ':');
    return part;
}

bool
log_configure_line(const char *line, struct buf *problem)
{
    char *what = next_part(&line), *output = next_part(&line);
    char *decorators = next_part(&line);
    bool good = log_configure(output, what, decorators, *line ? line : NULL, problem);

    mem_free(what);
    mem_free(output);
    mem_free(decorators);
    return good;
}

void
log_set_verbose(enum log_set set, enum log_level level)
{
    struct buf name = { 0 };

    pthread_mutex_lock(&logs.mutex);
    make_standard_outputs();
    logs.outputs[0].threshold[set] = level == LOG_OFF ? LOG_LEVELS : (uint8_t)level;
    for (int i = 0; i < TAGS && sets[set][i]; i++)
        buf_printf(&name, "%s%s", i ? "+" : "", sets[set][i]);
    note_selection(&logs.outputs[0], buf_string(&name), level);
    update_thresholds();
    pthread_mutex_unlock(&logs.mutex);
    buf_release(&name);
}

void
log_disable(void)
{
    pthread_mutex_lock(&logs.mutex);
    make_standard_outputs();
    while (logs.count > 2)
        drop_output(&logs.outputs[--logs.count]);
    for (size_t i = 0; i < logs.count; i++) {
        struct output *o = &logs.outputs[i];
        memset(o->threshold, LOG_LEVELS, LOG_SETS);
        note_selection(o, "all", LOG_OFF);
        o->decorators = USUAL_DECORATORS;
    }
    update_thresholds();
    pthread_mutex_unlock(&logs.mutex);
}

void
log_rotate(void)
{
    pthread_mutex_lock(&logs.mutex);
    for (size_t i = 0; i < logs.count; i++)
        rotate(&logs.outputs[i]);
    pthread_mutex_unlock(&logs.mutex);
}

/* ---- what there is ---- */

static void
list_words(struct buf *out, const char *title, const char *const *words, size_t count)
{
    buf_append_string(out, title);
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%s%s", i ? ", " : "", words[i]);
    buf_append_string(out, "\n");
}

static void
list_choices(struct buf *out)
{
    list_words(out, "Available log levels: ", levels, LOG_LEVELS);
    buf_append_string(out, "Available log decorators: ");
    for (int d = 0; d < DECORATORS; d++)
        buf_printf(out, "%s%s (%s)", d ? ", " : "", decorator_names[d][0],
                   decorator_names[d][1]);
    list_words(out, "\nAvailable log tags: ", tags, sizeof tags / sizeof *tags);
    buf_append_string(out, "Described tag sets:\n"
                           " logging: Logging for the log framework itself\n");
}

/* Bytes as short as they go: 20480K, 1024B. */
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
        buf_printf(out, "%s%s=%s", i ? "," : "", s->text, levels[s->level]);
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
    make_standard_outputs();
    for (size_t i = 0; i < logs.count; i++)
        describe_output(out, i);
    pthread_mutex_unlock(&logs.mutex);
}

void
log_help(struct buf *out)
{
    buf_append_string(out,
        "-Xlog[:[what][:[output][:[decorators][:options]]]]\n"
        "what is a list of tags with levels: tag1[+tag2...][*][=level][,...].\n"
        "Without *, only lines with exactly those tags are meant; all means every\n"
        "line.\n\n");
    list_choices(out);
    buf_append_string(out, "\nTag sets that this VM logs:");
    for (int set = 0; set < LOG_SETS; set++)
        for (int i = 0; i < TAGS && sets[set][i]; i++)
            buf_printf(out, "%s%s", i ? "+" : " ", sets[set][i]);
    buf_append_string(out,
        "\n\noutput is stdout, stderr or file=NAME; %p in NAME is the process, %t the\n"
        "time of the start.  decorators are a list of the above, or none.\n"
        "A file's options:\n"
        " filesize=N    begin a new file at so many bytes (k, m, g); 0: never\n"
        " filecount=N   keep so many old files; 0: overwrite\n\n"
        "-Xlog:disable   turns all off, warnings too\n"
        "-Xlog:async     is accepted; lines are always written at once\n"
        "-Xlog           is -Xlog:all=info:stdout:uptime,level,tags\n");
}
