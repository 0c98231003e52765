/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic_line.c -- reading the line of a diagnostic command, and running
 * it.
 *
 * A line is the command's name and its arguments, between spaces.  KEY=VALUE or KEY
 * gives the option of that name its value; anything else is the next argument without a
 * name. A key or value may stand between quotes.  The texts are checked against the
 * type that the command's table says, and handed to its function in the table's order.
 * */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
#include "jdk/diagnostic.h"
#include "jdk/jvm.h"

/*
 * Reads the text at *at, up to one of the characters in ends or between quotes, and
 * moves *at behind it.  The result is owned by texts; NULL with
 * IllegalArgumentException pending when a quote is not closed.  A text between quotes
 * may have the characters of ends in it.
 */
static const char *
read_word(struct thread *self, struct texts *texts, const char **at, const char *ends)
{
    const char *start = *at, *end;
    char quote = *start;

    if (quote != '"' && quote != '\'') {
        *at += strcspn(start, ends);
        return own(texts, mem_strndup(start, (size_t)(*at - start)));
    }
    end = strchr(start + 1, quote);
    /* A quote behind a backslash is a part of the text, as is the backslash. */
    while (end && end[-1] == '\\')
        end = strchr(end + 1, quote);
    if (!end)
        return THROW(self, IllegalArgumentException,
                     "Format error in diagnostic command arguments");
    *at = end + 1;
    return own(texts, mem_strndup(start + 1, (size_t)(end - start - 1)));
}

/* A message repeats so many characters of what it cannot parse; all of a BOOLEAN before these
   releases. */
enum { REPEATED = 64 };
static const struct releases cut_boolean = { 25, 0 };

/*
 * Returns true if value is of the argument's type, else false with
 * IllegalArgumentException pending.  The message ends with a line feed, as HotSpot's: jcmd
 * of JDK 21 and later shows it as a space.
 */
static bool
check_value(struct thread *self, const struct jmm_command_argument *a,
            const char *value)
{
    bool is_cut = release_is_in(self->vm->profile->feature, cut_boolean);
    char *end;

    if (!strcmp(a->type, "BOOLEAN"))
        return !strcmp(value, "true") || !strcmp(value, "false")
               || THROW(self, IllegalArgumentException,
                        "Boolean parsing error in command argument '%s'. "
                        "Could not parse: %.*s.\n",
                        a->name, is_cut ? REPEATED : INT_MAX, value);
    if (strcmp(a->type, "INT") != 0)
        return true;
    /* A number that is too large is taken for the largest. */
    strtoll(value, &end, 10);
    return (*value && !*end)
           || THROW(self, IllegalArgumentException,
                    "Integer parsing error in command argument '%s'. "
                    "Could not parse: %.*s%s.\n",
                    a->name, REPEATED, value, strlen(value) > REPEATED ? "..." : "");
}

/*
 * Stores in values the option that key names, or key itself as the next argument
 * without a name.  given is what stood behind key and '=', or NULL.  False with
 * IllegalArgumentException pending.  An option without a value, or with an empty one,
 * is true if it is a BOOLEAN, and empty otherwise.  The next argument without a name is
 * the first one in the table's order that has no value yet.
 */
static bool
assign_argument(struct thread *self, const struct diagnostic_command *c,
                struct texts *texts, const char *key, const char *given,
                const char **values)
{
    const struct jmm_command_argument *a = c->arguments;
    int count = c->info.argument_count, i = 0;

    while (i < count && !(a[i].is_option && !strcmp(a[i].name, key)))
        i++;
    bool is_option = i < count;
    if (!is_option)
        for (i = 0; i < count && (a[i].is_option || values[i]); i++)
            ;
    if (i == count)
        return THROW(self, IllegalArgumentException,
                     "Unknown argument '%s' in diagnostic command.", key);
    const char *value = is_option ? given : key;
    if (!value || (is_option && !*value))
        value = !strcmp(a[i].type, "BOOLEAN") ? "true" : "";
    if (!check_value(self, &a[i], value))
        return false;
    /* The text key=value is one argument when no option has that name. */
    values[i] = !is_option && given ? own(texts, mem_printf("%s=%s", key, given))
                                    : value;
    if (!strcmp(a[i].type, "FILE"))
        values[i] = own(texts, os_expand_pid(values[i]));
    return true;
}

/*
 * Reads all arguments of c at the text at into values, and fills in the defaults.
 * False with IllegalArgumentException pending, also when a mandatory one is missing.
 */
static bool
read_arguments(struct thread *self, const struct diagnostic_command *c,
               struct texts *texts, const char *at, const char **values)
{
    while (*(at += strspn(at, " "))) {
        const char *key = read_word(self, texts, &at, " ="), *given = NULL;
        if (key && *at == '=') {
            at++;
            given = read_word(self, texts, &at, " ");
        }
        if (exception_pending(self)
            || !assign_argument(self, c, texts, key, given, values))
            return false;
    }
    for (int i = 0; i < c->info.argument_count; i++) {
        const struct jmm_command_argument *a = &c->arguments[i];
        if (!values[i])
            values[i] = a->initial;
        if (!values[i] && a->is_mandatory)
            return THROW(self, IllegalArgumentException,
                         "The argument '%s' is mandatory.", a->name);
    }
    return true;
}

/*
 * Runs the command of one line.  False with an exception pending.  An unknown command
 * throws IllegalArgumentException.  The texts of the values live until diagnostic_run
 * returns.
 */
static bool
run_line(struct thread *self, struct texts *texts, const char *line, struct buf *out)
{
    size_t length = strcspn(line, " ");
    const char *values[DIAGNOSTIC_ARGUMENTS] = { NULL };
    const struct diagnostic_command *c = diagnostic_find(
        own(texts, mem_strndup(line, length)));

    if (!c)
        return THROW(self, IllegalArgumentException, "Unknown diagnostic command");
    if (read_arguments(self, c, texts, line + length, values))
        c->run(self, values, out);
    return !exception_pending(self);
}

/*
 * Runs the commands of text, a line each, until one fails or says "stop".  Returns
 * false with an exception pending.
 */
bool
diagnostic_run(struct thread *self, const char *text, struct buf *out)
{
    TEXTS(texts);
    char *rest = mem_strdup(text), *line;

    own(&texts, rest);
    while ((line = strsep(&rest, "\n"))) {
        line += strspn(line, " \t\v\f\r");
        if (!strcmp(line, "stop"))
            return true;
        if (*line && *line != '#' && !run_line(self, &texts, line, out))
            return false;
    }
    return true;
}
