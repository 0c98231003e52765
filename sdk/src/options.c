/* SPDX-License-Identifier: MIT */
/* sdk/src/options.c -- an agent's options. */
#include <tiforge/options.h>

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_FILE_DEPTH 8

struct parser {
    struct tf_options *options;
    const struct tf_option *table;
    size_t count;
    bool *seen;
    struct tf_buffer *error;
    int depth;              /* of @FILE */
};

/* -- memory that lives as long as the options -- */

struct block {
    struct block *next;
    max_align_t content[];
};

static void *
keep(struct tf_options *options, size_t size)
{
    struct block *block = (struct block *)malloc(sizeof *block + size);

    if (block == NULL)
        return NULL;
    block->next = (struct block *)options->blocks;
    options->blocks = block;
    return block->content;
}

static char *
keep_text(struct tf_options *options, const char *text, size_t length)
{
    char *copy = (char *)keep(options, length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void
tf_options_release(struct tf_options *options)
{
    for (struct block *block = (struct block *)options->blocks, *next; block != NULL;
         block = next) {
        next = block->next;
        free(block);
    }
    options->blocks = NULL;
}

static enum tf_outcome
fail(struct parser *p, const char *option, const char *problem, const char *value)
{
    tf_buffer_format(p->error, "option \"%s\": %s", option, problem);
    if (value != NULL)
        tf_buffer_format(p->error, ", not \"%s\"", value);
    return TF_FAILED;
}

/* -- values by type -- */

char *
tf_path_expand(const char *pattern, struct tf_buffer *error)
{
    struct tf_buffer path;
    time_t now = time(NULL);
    struct tm utc;
    char text[32];

    tf_buffer_init(&path);
    for (const char *at = pattern; *at != '\0'; at++)
        if (*at != '%')
            tf_buffer_u1(&path, (unsigned char)*at);
        else
            switch (*++at) {
            case '%':
                tf_buffer_text(&path, "%");
                break;
            case 'p':
                tf_buffer_format(&path, "%ld", (long)getpid());
                break;
            case 't':
                strftime(text, sizeof text, "%Y%m%d-%H%M%S", gmtime_r(&now, &utc));
                tf_buffer_text(&path, text);
                break;
            default:
                tf_buffer_format(error, "\"%s\": after %% stand p, t or %%", pattern);
                tf_buffer_release(&path);
                return NULL;
            }
    return tf_buffer_take(&path);
}

static bool
parse_flag(const char *value, bool *flag)
{
    static const char *const words[] = { "no", "false", "off", "0",
                                         "yes", "true", "on", "1" };

    for (size_t i = 0; value != NULL && i < 8; i++)
        if (strcmp(value, words[i]) == 0) {
            *flag = i >= 4;
            return true;
        }
    *flag = true;
    return value == NULL;
}

/* The number that text begins with times its unit's factor. */
struct unit {
    const char *name;
    long long factor;
};

static const struct unit no_units[] = { { "", 1 }, { NULL, 0 } };
static const struct unit sizes[] = {
    { "", 1 }, { "k", 1LL << 10 }, { "m", 1LL << 20 }, { "g", 1LL << 30 },
    { "K", 1LL << 10 }, { "M", 1LL << 20 }, { "G", 1LL << 30 }, { NULL, 0 }
};
static const struct unit durations[] = {
    { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
    { "m", 60 * 1000000000LL }, { "h", 3600 * 1000000000LL }, { NULL, 0 }
};

static bool
parse_number(const char *text, const struct unit *units, long long *number)
{
    long long value;
    char *end;

    errno = 0;
    value = strtoll(text, &end, strncmp(text + (*text == '-'), "0x", 2) == 0 ? 16 : 10);
    if (end == text || errno != 0 || isspace((unsigned char)*text))
        return false;
    for (; units->name != NULL; units++)
        if (strcmp(units->name, end) == 0)
            return !__builtin_mul_overflow(value, units->factor, number);
    return false;
}

static const struct unit *
units_of(const struct tf_option *option)
{
    return option->type == TF_INT ? no_units
        : option->type == TF_SIZE ? sizes : durations;
}

/* With the largest unit that leaves no fraction. */
static void
add_number(struct tf_buffer *out, const struct tf_option *option, long long value)
{
    const struct unit *best = units_of(option);

    for (const struct unit *unit = best; unit->name != NULL; unit++)
        if (value % unit->factor == 0 && unit->factor > best->factor && value != 0)
            best = unit;
    tf_buffer_format(out, "%lld%s", value / best->factor, best->name);
}

static bool
in_limits(const struct tf_option *option, long long number)
{
    return (option->min == 0 && option->max == 0)
        || (number >= option->min && number <= option->max);
}

static enum tf_outcome
set_number(struct parser *p, const struct tf_option *option, const char *value)
{
    const char *what = option->type == TF_INT ? "wants a number"
        : option->type == TF_SIZE ? "wants a size such as 64k, 16m or 1g"
        : "wants a duration such as 10ms, 2s or 1h";
    struct tf_buffer range;
    long long number;

    if (!parse_number(value, units_of(option), &number))
        return fail(p, option->name, what, value);
    if (in_limits(option, number)) {
        *(long long *)option->value = number;
        return TF_RUN;
    }
    tf_buffer_init(&range);
    tf_buffer_text(&range, "must be from ");
    add_number(&range, option, option->min);
    tf_buffer_text(&range, " to ");
    add_number(&range, option, option->max);
    fail(p, option->name, tf_buffer_string(&range), value);
    tf_buffer_release(&range);
    return TF_FAILED;
}

static enum tf_outcome
set_choice(struct parser *p, const struct tf_option *option, const char *value)
{
    const char *choice = option->choices;
    struct tf_buffer problem;

    for (int i = 0; ; i++) {
        size_t length = strcspn(choice, "|");

        if (length == strlen(value) && strncmp(choice, value, length) == 0) {
            *(int *)option->value = i;
            return TF_RUN;
        }
        if (choice[length] == '\0')
            break;
        choice += length + 1;
    }
    tf_buffer_init(&problem);
    tf_buffer_format(&problem, "must be one of %s", option->choices);
    fail(p, option->name, tf_buffer_string(&problem), value);
    tf_buffer_release(&problem);
    return TF_FAILED;
}

static enum tf_outcome
set_path(struct parser *p, const struct tf_option *option, const char *value)
{
    char *path = tf_path_expand(value, p->error), *copy;

    if (path == NULL)
        return TF_FAILED;
    copy = keep_text(p->options, path, strlen(path));
    free(path);
    if (copy == NULL)
        return fail(p, option->name, "out of memory", NULL);
    *(char **)option->value = copy;
    return TF_RUN;
}

static enum tf_outcome
add_to_list(struct parser *p, const struct tf_option *option, const char *value)
{
    char ***list = (char ***)option->value, **longer;
    size_t old = 0, more = 1, used;

    /* The first occurrence replaces the default. */
    while (p->seen[option - p->table] && (*list)[old] != NULL)
        old++;
    for (const char *c = value; *c != '\0'; c++)
        more += *c == ':';
    longer = (char **)keep(p->options, (old + more + 1) * sizeof *longer);
    if (longer == NULL)
        return fail(p, option->name, "out of memory", NULL);
    if (old > 0)
        memcpy(longer, *list, old * sizeof *longer);
    for (used = old; used < old + more; value += strcspn(value, ":") + 1) {
        longer[used] = keep_text(p->options, value, strcspn(value, ":"));
        if (longer[used++] == NULL)
            return fail(p, option->name, "out of memory", NULL);
    }
    longer[used] = NULL;
    *list = longer;
    return TF_RUN;
}

static enum tf_outcome
set_text(struct parser *p, const struct tf_option *option, const char *value)
{
    char *copy = keep_text(p->options, value, strlen(value));

    if (copy == NULL)
        return fail(p, option->name, "out of memory", NULL);
    *(char **)option->value = copy;
    return TF_RUN;
}

/* How many characters have to be changed, added or left out to make b of a; a large
   number for names that are too long to be mistaken for each other. */
static size_t
distance(const char *a, const char *b)
{
    size_t row[32], m = strlen(a), n = strlen(b);

    if (n >= sizeof row / sizeof *row || m >= sizeof row / sizeof *row)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j], least = diagonal + (a[i - 1] != b[j - 1]);

            least = above + 1 < least ? above + 1 : least;
            least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
            diagonal = above;
            row[j] = least;
        }
    }
    return row[n];
}

/* The name of the option that was probably meant; NULL for none. */
static const char *
nearest(const struct parser *p, const char *name)
{
    size_t least = strlen(name) < 3 ? 2 : 3;
    const char *best = NULL;

    for (size_t i = 0; i < p->count; i++) {
        size_t d = distance(name, p->table[i].name);

        /* Of a short name nothing would be left. */
        if (d < least && d < strlen(p->table[i].name)) {
            least = d;
            best = p->table[i].name;
        }
    }
    return best;
}

static enum tf_outcome
unknown(struct parser *p, const char *name)
{
    const char *meant = nearest(p, name);

    tf_buffer_format(p->error, "unknown option \"%s\"; there are:", name);
    for (size_t i = 0; i < p->count; i++)
        tf_buffer_format(p->error, " %s,", p->table[i].name);
    tf_buffer_text(p->error, " help");
    if (meant != NULL)
        tf_buffer_format(p->error, "; did you mean \"%s\"?", meant);
    return TF_FAILED;
}

static enum tf_outcome
set(struct parser *p, const char *name, const char *value)
{
    const struct tf_option *option = p->table;
    enum tf_outcome outcome;

    if (value == NULL && (strcmp(name, "help") == 0 || strcmp(name, "?") == 0))
        return TF_DONE;
    while (option < p->table + p->count && strcmp(option->name, name) != 0)
        option++;
    if (option == p->table + p->count)
        return unknown(p, name);
    if (value == NULL && option->type != TF_FLAG)
        return fail(p, name, "wants a value", NULL);
    switch (option->type) {
    case TF_FLAG:
        if (!parse_flag(value, (bool *)option->value))
            return fail(p, name, "must be yes or no", value);
        outcome = TF_RUN;
        break;
    case TF_TEXT: outcome = set_text(p, option, value); break;
    case TF_PATH: outcome = set_path(p, option, value); break;
    case TF_CHOICE: outcome = set_choice(p, option, value); break;
    case TF_LIST: outcome = add_to_list(p, option, value); break;
    default: outcome = set_number(p, option, value);
    }
    p->seen[option - p->table] = true;
    return outcome;
}

/* -- the syntax -- */

/* Append a value up to `,` (or a new line in a file) without its quotes: what is left;
   NULL for a quote that does not end. */
static const char *
scan_value(const char *text, bool in_file, struct tf_buffer *value)
{
    char quote = '\0';

    for (; *text != '\0'; text++) {
        if (quote == '\0' && (*text == ',' || (in_file && *text == '\n')))
            break;
        if (*text == quote)
            quote = '\0';
        else if (quote == '\0' && (*text == '"' || *text == '\''))
            quote = *text;
        else {
            if (quote == '"' && *text == '\\' && (text[1] == '"' || text[1] == '\\'))
                text++;
            if (in_file && quote == '\0' && *text == '\r')
                continue;
            tf_buffer_u1(value, (unsigned char)*text);
        }
    }
    return quote == '\0' ? text : NULL;
}

static enum tf_outcome parse_file(struct parser *p, const char *path);

/* One option at *text, which moves behind it. */
static enum tf_outcome
parse_one(struct parser *p, const char **text, bool in_file)
{
    size_t length = strcspn(*text, in_file ? "=,\r\n" : "=,");
    char *name = keep_text(p->options, *text, length);
    struct tf_buffer value;
    enum tf_outcome outcome;

    if (name == NULL)
        return fail(p, "", "out of memory", NULL);
    tf_buffer_init(&value);
    tf_buffer_add(&value, "", 0);
    if (**text == '@') {
        *text = scan_value(*text + 1, in_file, &value);
        outcome = *text == NULL ? fail(p, "@", "a quote does not end", NULL)
            : parse_file(p, tf_buffer_string(&value));
    } else if ((*text)[length] == '=') {
        *text = scan_value(*text + length + 1, in_file, &value);
        outcome = *text == NULL ? fail(p, name, "a quote does not end", NULL)
            : set(p, name, tf_buffer_string(&value));
    } else {
        *text += length;
        outcome = set(p, name, NULL);
    }
    tf_buffer_release(&value);
    return outcome;
}

static enum tf_outcome
parse(struct parser *p, const char *text, bool in_file)
{
    enum tf_outcome outcome = TF_RUN;

    while (outcome == TF_RUN) {
        text += strspn(text, in_file ? ", \t\r\n" : ",");
        if (in_file && *text == '#')
            text += strcspn(text, "\n");
        else if (*text == '\0')
            break;
        else
            outcome = parse_one(p, &text, in_file);
    }
    return outcome;
}

static bool
read_file(const char *path, struct tf_buffer *content)
{
    FILE *file = fopen(path, "r");
    char part[4096];
    size_t length;
    bool good;

    if (file == NULL)
        return false;
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        tf_buffer_add(content, part, length);
    good = !ferror(file);
    fclose(file);
    return good && !content->failed;
}

static enum tf_outcome
parse_file(struct parser *p, const char *path)
{
    enum tf_outcome outcome = TF_FAILED;
    struct tf_buffer content;

    tf_buffer_init(&content);
    if (p->depth == MAX_FILE_DEPTH)
        tf_buffer_format(p->error, "\"@%s\": too many files inside of files", path);
    else if (!read_file(path, &content))
        tf_buffer_format(p->error, "\"@%s\": %s", path, strerror(errno));
    else {
        p->depth++;
        outcome = parse(p, tf_buffer_string(&content), true);
        p->depth--;
    }
    tf_buffer_release(&content);
    return outcome;
}

enum tf_outcome
tf_options_parse(struct tf_options *options, const char *text,
                 const struct tf_option *table, size_t count, struct tf_buffer *error)
{
    struct parser p = { options, table, count, NULL, error, 0 };
    struct tf_buffer ignored;
    enum tf_outcome outcome;

    p.seen = (bool *)calloc(count + 1, sizeof *p.seen);
    if (p.seen == NULL)
        return fail(&p, "", "out of memory", NULL);
    outcome = parse(&p, text, false);
    /* Defaults have a right to %p, too; but what an earlier start left there has been
       expanded already. */
    tf_buffer_init(&ignored);
    p.error = &ignored;
    for (size_t i = 0; outcome == TF_RUN && i < count; i++)
        if (table[i].type == TF_PATH && !p.seen[i] && *(char **)table[i].value != NULL)
            (void)set_path(&p, &table[i], *(char **)table[i].value);
    tf_buffer_release(&ignored);
    free(p.seen);
    return outcome;
}

/* -- help -- */

static const char *
argument_of(const struct tf_option *option)
{
    static const char *const names[] = {
        "yes|no", "NUMBER", "SIZE", "DURATION", "TEXT", "FILE", "", "A:B:..."
    };

    return option->argument != NULL ? option->argument
        : option->type == TF_CHOICE ? option->choices : names[option->type];
}

static void
add_choice(struct tf_buffer *out, const char *choices, int index)
{
    while (index-- > 0)
        choices += strcspn(choices, "|") + 1;
    tf_buffer_add(out, choices, strcspn(choices, "|"));
}

/* Not where the agent computes it: a NULL, or a number that nobody could give. */
static bool
has_default(const struct tf_option *option)
{
    switch (option->type) {
    case TF_FLAG: case TF_CHOICE: return true;
    case TF_INT: case TF_SIZE: case TF_DURATION:
        return in_limits(option, *(long long *)option->value);
    case TF_LIST: return *(char ***)option->value != NULL;
    default: return *(char **)option->value != NULL;
    }
}

static void
add_default(struct tf_buffer *out, const struct tf_option *option)
{
    char **list;

    switch (option->type) {
    case TF_FLAG:
        tf_buffer_text(out, *(bool *)option->value ? "yes" : "no");
        break;
    case TF_INT: case TF_SIZE: case TF_DURATION:
        add_number(out, option, *(long long *)option->value);
        break;
    case TF_CHOICE: add_choice(out, option->choices, *(int *)option->value); break;
    case TF_LIST:
        list = *(char ***)option->value;
        for (size_t i = 0; list[i] != NULL; i++)
            tf_buffer_format(out, "%s%s", i > 0 ? ":" : "", list[i]);
        break;
    default: tf_buffer_text(out, *(char **)option->value);
    }
}

void
tf_options_help(struct tf_buffer *out, const char *agent, const char *about,
                const struct tf_option *table, size_t count)
{
    tf_buffer_format(out, "usage: -agentpath:lib%s.so=OPTION,...\n\n%s\n\n", agent,
                     about);
    for (size_t i = 0; i < count; i++) {
        struct tf_buffer usage;

        tf_buffer_init(&usage);
        tf_buffer_format(&usage, "%s=%s", table[i].name, argument_of(&table[i]));
        tf_buffer_format(out, "  %-24s %s", tf_buffer_string(&usage), table[i].help);
        if (has_default(&table[i])) {
            tf_buffer_text(out, " (default: ");
            add_default(out, &table[i]);
            tf_buffer_text(out, ")");
        }
        tf_buffer_text(out, "\n");
        tf_buffer_release(&usage);
    }
    tf_buffer_format(out, "  %-24s %s\n", "@FILE", "read options from a file");
    tf_buffer_format(out, "  %-24s %s\n", "help", "print this");
}

enum tf_outcome
tf_agent_options(struct tf_agent *agent, const char *about,
                 const struct tf_option *table, size_t count)
{
    static struct tf_options options;
    struct tf_buffer text;
    enum tf_outcome outcome;

    tf_buffer_init(&text);
    /* The defaults, should the help be asked for behind other options. */
    tf_options_help(&text, agent->name, about, table, count);
    if (strcmp(agent->options, "help") == 0 || strcmp(agent->options, "?") == 0)
        outcome = TF_DONE;
    else {
        struct tf_buffer error;

        tf_buffer_init(&error);
        outcome = tf_options_parse(&options, agent->options, table, count, &error);
        if (outcome == TF_FAILED)
            tf_error("%s", tf_buffer_string(&error));
        tf_buffer_release(&error);
    }
    if (outcome == TF_DONE) {
        fputs(tf_buffer_string(&text), stdout);
        fflush(stdout);
    }
    tf_buffer_release(&text);
    return outcome;
}
