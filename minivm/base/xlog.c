/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/xlog.c -- the VM's log: its outputs, their files, and writing lines.
 *
 * Who has something to log first compares its level with log_threshold, the lowest
 * level that any output takes of that tag set; no lock is needed for that (log_wanted).
 * Only then it makes the text and calls log_write, which takes the mutex and goes
 * through the outputs.  A file that has grown to its limit is rotated: it is renamed to
 * an old one, NAME.0, NAME.1 and so on in turn, and a new one begins.
 */

#include "base/xlog.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "base/xlog_internal.h"

/* ---- outputs ---- */

struct logs logs = { .mutex = PTHREAD_MUTEX_INITIALIZER };

_Atomic uint8_t log_threshold[LOG_SETS] = { [0 ... LOG_SETS - 1] = LOG_LEVELS };

void
output_note_selection(struct output *o, const char *text, enum log_level level)
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

/* LOG_OFF is 0, below all levels; the threshold that takes nothing is LOG_LEVELS, above
   all of them. */
struct output *
output_add(const char *name, FILE *file, enum log_level level)
{
    logs.outputs = mem_realloc(logs.outputs, (logs.count + 1) * sizeof *logs.outputs);
    struct output *o = &logs.outputs[logs.count++];
    *o = (struct output){ .name = mem_strdup(name),
                          .file = file,
                          .decorators = USUAL_DECORATORS };
    memset(o->threshold, level ? level : LOG_LEVELS, LOG_SETS);
    output_note_selection(o, "all", level);
    return o;
}

void
output_add_standard(void)
{
    if (logs.count)
        return;
    output_add("stdout", stdout, LOG_WARNING);
    output_add("stderr", stderr, LOG_OFF);
}

struct output *
output_find(const char *name)
{
    for (size_t i = 0; i < logs.count; i++)
        if (!strcmp(logs.outputs[i].name, name))
            return &logs.outputs[i];
    return NULL;
}

/* Relaxed order is enough: a thread that still reads an old threshold makes a line that
   no output takes, or leaves one out at the moment of the change. */
void
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

/* Returns the name of an old file, PATH.0, PATH.1 and so on, with as many digits as the
   last one has.  The caller frees it (mem_free). */
static char *
old_name(const struct output *o, unsigned number)
{
    int digits = o->keep > 100 ? 3 : o->keep > 10 ? 2 : 1;

    return mem_printf("%s.%0*u", o->path, digits, number);
}

/* Returns the first number that no old file has, else that of the oldest one. */
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

/* Renames the file that is at o->path, if there is one, to the old file whose turn it
   is, which is replaced.  Does nothing if no old files are kept, or for a device. */
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

/* Begins a new file.  Nothing happens to an output that is no file, or that keeps no
   old files: its one file just grows.  If the new one cannot be opened, o->file is NULL
   and lines for the output are dropped. */
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

bool
output_open_file(struct output *o)
{
    o->next = o->keep ? free_number(o) : 0;
    keep_old(o);
    o->file = fopen(o->path, "we");
    return o->file;
}

void
output_release(struct output *o)
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

/* Appends the present time with milliseconds as ISO 8601 has it, in the local time zone
   or in UTC. */
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

/* Appends the text of one decoration, without brackets, for a line of that set and
   level. */
static void
print_decorator(struct buf *b, enum decorator d, enum log_set set, enum log_level level)
{
    int64_t up = os_nanos() - logs.start;
    char host[256] = "";

    switch (d) {
    case TIME:
    case UTC_TIME: print_time(b, d == UTC_TIME); break;
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
    case LEVEL: buf_append_string(b, level_names[level]); break;
    default:
        for (int i = 0; i < TAGS && set_tags[set][i]; i++)
            buf_printf(b, "%s%s", i ? "," : "", set_tags[set][i]);
        break;
    }
}

/* Appends the decorations.  Each is filled up to the width of the widest one so far, so
   that the columns of lines agree. */
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

/* Appends text as one line, without its last line end: \n stands for the others, \\ for a
   backslash. */
static void
fold(struct buf *b, const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p == '\\')
            buf_append_string(b, "\\\\");
        else if (*p != '\n')
            buf_append_u1(b, (uint8_t)*p);
        else if (p[1])
            buf_append_string(b, "\\n");
    buf_append_string(b, "\n");
}

/* Writes the lines of text to one output, whose file is open; each line gets the
   decorations.  The caller holds the mutex. */
static void
write_to(struct output *o, enum log_set set, enum log_level level, const char *text)
{
    struct buf b = { 0 };

    if (o->folds) {
        decorate(&b, o, set, level);
        fold(&b, text);
    }
    for (const char *at = text; !o->folds && *at;) {
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
    output_add_standard();
    update_thresholds();
    pthread_mutex_unlock(&logs.mutex);
}

double
log_uptime(void)
{
    return logs.start ? (double)(os_nanos() - logs.start) / 1e9 : 0;
}

/* ---- other changes of the configuration ---- */

/* Standard output is output 0 (output_add_standard).  This is how JVM TI
   "SetVerboseFlag" and the class library's management beans turn lines on and off. */
void
log_set_verbose(enum log_set set, enum log_level level)
{
    struct buf name = { 0 };

    pthread_mutex_lock(&logs.mutex);
    output_add_standard();
    logs.outputs[0].threshold[set] = level == LOG_OFF ? LOG_LEVELS : (uint8_t)level;
    for (int i = 0; i < TAGS && set_tags[set][i]; i++)
        buf_printf(&name, "%s%s", i ? "+" : "", set_tags[set][i]);
    output_note_selection(&logs.outputs[0], buf_string(&name), level);
    update_thresholds();
    pthread_mutex_unlock(&logs.mutex);
    buf_release(&name);
}

/* The first two outputs are the standard ones and stay, as they are at the start but
   for taking no lines; those behind them are files and are closed. */
void
log_disable(void)
{
    pthread_mutex_lock(&logs.mutex);
    output_add_standard();
    while (logs.count > 2)
        output_release(&logs.outputs[--logs.count]);
    for (size_t i = 0; i < logs.count; i++) {
        struct output *o = &logs.outputs[i];
        memset(o->threshold, LOG_LEVELS, LOG_SETS);
        output_note_selection(o, "all", LOG_OFF);
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
