/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/xlog_config.c -- what -Xlog and its options configure (JEP 158).
 *
 * "-Xlog:gc*=debug,class+load:file=gc.log:uptime,tags:filesize=1m" has four parts:
 * which lines, where to, with which decorations, and options of the file.  The first
 * and the third are parsed completely before anything changes, so a faulty option has
 * no effect.
 *
 * A selection (here: struct request) names tags and a level.  It applies to the tag
 * sets that have exactly these tags or, with a '*' behind them, these among others.
 */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/xlog_internal.h"

/* The most old files of an output that can be kept. */
enum { FILES_MAX = 1000 };

/* ---- selections ---- */

struct request {
    /* The selection without its level. */
    char *text;
    /* The tags; none: all lines are meant. */
    const char *tags[TAGS];
    unsigned tag_count;
    /* Lines that have further tags are meant, too. */
    bool is_open;
    enum log_level level;
};

/* Returns true if the selection applies to lines of the tag set: the set has all tags
   of the selection and, unless that ends with '*' or is "all", no others. */
static bool
matches(const struct request *r, enum log_set set)
{
    unsigned count = 0, found = 0;

    while (count < TAGS && set_tags[set][count])
        count++;
    for (unsigned i = 0; i < r->tag_count; i++)
        for (unsigned j = 0; j < count; j++)
            found += !strcmp(set_tags[set][j], r->tags[i]);
    return found == r->tag_count
           && (r->is_open || r->tag_count == 0 || count == r->tag_count);
}

/* Parses "tag+tag*" or "all" into r, whose tags are empty; changes text.  Returns false
   with the reason in problem. */
static bool
parse_tags(struct request *r, char *text, struct buf *problem)
{
    size_t length = strlen(text);
    char *rest = text, *word;

    if (!strcasecmp(text, "all"))
        return true;
    if (length > 0 && text[length - 1] == '*') {
        r->is_open = true;
        text[length - 1] = '\0';
    }
    while ((word = strsep(&rest, "+")) != NULL) {
        const char *tag = find_tag(word, problem);
        if (!tag)
            return false;
        if (r->tag_count == TAGS) {
            buf_printf(problem,
                       "Too many tags in log selection '%s' (can only have up "
                       "to %d tags).\n",
                       text, TAGS);
            return false;
        }
        r->tags[r->tag_count++] = tag;
    }
    return true;
}

/* Parses "tag+tag*=level"; changes item.  r->text is to be freed in any case
   (mem_free). */
static bool
parse_request(struct request *r, char *item, struct buf *problem)
{
    char *level = strchr(item, '=');

    *r = (struct request){ .level = LOG_INFO };
    if (level)
        *level++ = '\0';
    r->text = mem_strdup(item);
    if (!parse_tags(r, item, problem))
        return false;
    if (level)
        r->level = find_level(level, problem);
    return r->level != LOG_LEVELS;
}

/* Warns of a selection that applies to no line of this VM, since the user would wait
   for lines that never come.  One that turns lines off, or asks for warnings and errors
   only, does not make anybody wait. */
static void
check_use(const struct request *r)
{
    for (int set = 0; set < LOG_SETS; set++)
        if (matches(r, (enum log_set)set))
            return;
    if (r->level != LOG_OFF && r->level < LOG_WARNING)
        fprintf(stderr,
                "OpenJDK 64-Bit Server VM warning: -Xlog:%s selects nothing "
                "that this VM logs\n",
                r->text);
}

/* Sets the output's levels as the selection says.  LOG_OFF becomes LOG_LEVELS, a level
   that no line reaches.  The caller holds the mutex and updates log_threshold
   afterwards. */
static void
apply_request(struct output *o, const struct request *r)
{
    for (int set = 0; set < LOG_SETS; set++)
        if (matches(r, (enum log_set)set))
            o->threshold[set] = r->level == LOG_OFF ? LOG_LEVELS : (uint8_t)r->level;
    output_note_selection(o, r->text, r->level);
}

/* Parses a list of selections with commas between; returns false, with the reason in
   problem, if one is faulty.  The caller frees the list and its texts in any case. */
static bool
parse_requests(const char *what, struct request **list, size_t *count,
               struct buf *problem)
{
    char *copy = mem_strdup(what), *rest = copy, *item;
    bool good = true;

    while (good && (item = strsep(&rest, ",")) != NULL) {
        *list = mem_realloc(*list, (*count + 1) * sizeof **list);
        good = parse_request(&(*list)[(*count)++], item, problem);
    }
    mem_free(copy);
    return good;
}

/* Parses a list of decorators, by their long or short names, or "none", into bits by
   enum decorator.  Returns false with the reason in problem. */
static bool
parse_decorators(const char *text, uint32_t *decorators, struct buf *problem)
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

/* ---- files ---- */

/* Returns the name with %p replaced by the process's number and %t by the time.  The
   caller frees it (mem_free). */
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

/* Parses a number, which may have k, m or g behind it.  Returns false if the text is
   none or the number is above most; *number is of no use then. */
static bool
parse_number(const char *text, uint64_t most, uint64_t *number)
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

/* Returns what follows the prefix in text, or NULL when text does not begin with it. */
static const char *
after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Applies one option of an output: "foldmultilines=BOOL" where the release has it, and of
   a file "filecount=N" or "filesize=N".  Returns false with the reason in problem. */
static bool
parse_option(struct output *o, const char *option, struct buf *problem)
{
    uint64_t number = 0;
    const char *value;

    if (logs.has_common_options && (value = after(option, "foldmultilines="))) {
        o->folds = !strcmp(value, "true");
        if (!o->folds && strcmp(value, "false") != 0) {
            buf_append_string(problem,
                              "Invalid option: foldmultilines must be 'true' or "
                              "'false'.\n");
            return false;
        }
    } else if (o->path && (value = after(option, "filecount="))) {
        if (!parse_number(value, FILES_MAX, &number)) {
            buf_printf(problem, "Invalid option: filecount must be in range [0, %d]\n",
                       FILES_MAX);
            return false;
        }
        o->keep = (unsigned)number;
    } else if (o->path && (value = after(option, "filesize="))) {
        if (!parse_number(value, UINT64_MAX, &o->size_limit)) {
            buf_printf(problem,
                       "Invalid option: filesize must be in range [0, %" PRIu64 "]\n",
                       UINT64_MAX);
            return false;
        }
    } else {
        int length = (int)strcspn(option, "=");
        if (logs.has_common_options)
            buf_printf(problem, "Invalid option '%.*s' for log output (%s).\n", length,
                       option, o->name);
        else
            buf_printf(problem, "Invalid option '%.*s' for log file output.\n", length,
                       option);
        return false;
    }
    return true;
}

/* Applies the options that follow the third colon, which may be NULL. */
static bool
parse_options(struct output *o, const char *options, struct buf *problem)
{
    bool good = true;

    for (const char *at = options ? options : ""; good && *at;) {
        size_t length = strcspn(at, ",");
        char *option = mem_strndup(at, length);
        good = parse_option(o, option, problem);
        mem_free(option);
        at += length + (at[length] == ',');
    }
    return good;
}

/* Opens the file of a new output, with its options; without them 5 old files are kept and
   a new one begins at 20 MB, as in HotSpot.  Returns false with the reason in problem; the
   caller releases o. */
static bool
configure_file(struct output *o, const char *name, const char *options,
               struct buf *problem)
{
    o->path = expand(name);
    o->keep = 5;
    o->size_limit = 20 << 20;
    bool good = parse_options(o, options, problem);
    if (good) {
        good = output_open_file(o);
        if (!good)
            buf_printf(problem, "Error opening log file '%s': %s\n", o->path,
                       strerror(errno));
    }
    if (!good)
        buf_printf(problem,
                   "Initialization of output 'file=%s' using options '%s' "
                   "failed.\n",
                   name, options ? options : "(null)");
    return good;
}

/* ---- configuration ---- */

/*
 * Returns the output of that name: "stdout", "stderr", "#N" (its number in the list
 * that log_describe prints), "file=NAME" or just NAME, where quotes around NAME are
 * dropped.  A file that is no output yet becomes one, with the options, and *is_new is
 * true.  Returns NULL, with the reason in problem, when there is no such output or the
 * file cannot be opened.  The caller holds the mutex.
 */
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
        return output_find(output);
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
    o = output_find(name);
    if (!o) {
        if (logs.count == OUTPUTS_MAX) {
            buf_append_string(problem, "Too many log outputs\n");
        } else {
            o = output_add(name, NULL, LOG_OFF);
            *is_new = true;
            if (!configure_file(o, bare, options, problem)) {
                output_release(o);
                logs.count--;
                o = NULL;
            }
        }
    }
    mem_free(name);
    mem_free(bare);
    return o;
}

/* Parses the selections and decorators, which changes nothing yet; finds or opens the
   output under the mutex; then applies all of it.  The output is not NULL when that
   was done, which is the result. */
bool
log_configure(const char *output, const char *what, const char *decorators,
              const char *options, struct buf *problem)
{
    struct request *list = NULL;
    size_t count = 0;
    uint32_t bits = USUAL_DECORATORS;
    struct output *o = NULL;
    bool is_new, has_decorators = decorators && *decorators;

    if (parse_requests(what && *what ? what : "all", &list, &count, problem)
        && (!has_decorators || parse_decorators(decorators, &bits, problem))) {
        pthread_mutex_lock(&logs.mutex);
        output_add_standard();
        o = output_for(output && *output ? output : "stdout", options, &is_new,
                       problem);
        bool is_standard = o && !o->path && logs.has_common_options;
        if (is_standard && !parse_options(o, options, problem))
            o = NULL;
        if (o) {
            if (!is_new && !is_standard && options && *options)
                buf_append_string(problem,
                                  "Output options for existing outputs are ignored.\n");
            for (size_t i = 0; i < count; i++)
                apply_request(o, &list[i]);
            /* The widths are those of the old columns, so columns start anew. */
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
    return o;
}

/* Returns the next part up to a ':' that is not in quotes, to be freed (mem_free), and
   moves *at behind it. */
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
