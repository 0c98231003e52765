/* SPDX-License-Identifier: MIT */
/*
 * tck/src/expect.c -- the departures that are known of a VM.
 *
 * One line each: ID | reason | section of the specification.  A line that begins with
 * '#' is a comment.
 */
#include "tck/src/run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *
trim(char *text)
{
    char *end;

    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

static void
read_line(struct run *run, char *line, int number)
{
    const char *path = run->opt.expect;
    char *reason = strchr(line, '|'), *section, *whole = must(strdup(line));
    struct result *result;

    if (reason == NULL || (section = strchr(reason + 1, '|')) == NULL)
        bad_input("%s:%d: not of the form 'ID | reason | section'", path, number);
    *reason++ = '\0';
    *section++ = '\0';
    result = find_result(run, trim(line));
    if (result == NULL)
        bad_input("%s:%d: there is no assertion '%s'", path, number, trim(line));
    if (result->reason != NULL)
        bad_input("%s:%d: '%s' is listed twice", path, number, trim(line));
    if (*trim(reason) == '\0' || *trim(section) == '\0')
        bad_input("%s:%d: '%s' has no reason or no section", path, number, trim(line));
    result->reason = format_text("%s (%s)", trim(reason), trim(section));
    result->line = whole;
}

/* Keep a comment for expect_write, but for the one that says of what run the file is. */
static void
keep_comment(struct run *run, const char *text)
{
    char *more;

    if (strncmp(text, "# Of ", 5) == 0)
        return;
    more = format_text("%s%s\n", run->comments == NULL ? "" : run->comments, text);
    free(run->comments);
    run->comments = more;
}

void
expect_read(struct run *run)
{
    FILE *file = fopen(run->opt.expect, "r");
    char *line = NULL;
    size_t room = 0;
    int number = 0;

    if (file == NULL)
        bad_input("cannot read '%s': %s", run->opt.expect, strerror(errno));
    while (getline(&line, &room, file) > 0) {
        char *text = trim(line);

        number++;
        if (*text == '#')
            keep_comment(run, text);
        else if (*text != '\0')
            read_line(run, text, number);
    }
    if (ferror(file))
        bad_input("cannot read '%s': %s", run->opt.expect, strerror(errno));
    free(line);
    fclose(file);
}

/* A line must not have a bar or a line feed within its reason. */
static void
write_reason(const char *reason, FILE *file)
{
    for (; *reason != '\0'; reason++)
        fputc(*reason == '|' ? '/' : *reason == '\n' ? ' ' : *reason, file);
}

void
expect_write(const struct run *run, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        bad_input("cannot write '%s': %s", path, strerror(errno));
    fprintf(file, "%s# Of %s, level %d, %.10s\n", run->comments != NULL ? run->comments
            : "# Departures: ID | reason | section\n", run->vm_name, run->level, run->date);
    for (size_t i = 0; i < run->count; i++) {
        const struct result *r = &run->results[i];

        if (r->line != NULL && r->status != UNEXPECTED_PASS) {
            fprintf(file, "%s\n", r->line);
        } else if (r->selected && (r->status == FAIL || r->status == LACK
                                   || r->status == DEPARTURE
                                   || r->status == KNOWN_LACK)) {
            fprintf(file, "%s | ", r->id);
            write_reason(r->detail != NULL ? r->detail : "fails", file);
            fprintf(file, " | %s\n", r->section);
        }
    }
    if (fflush(file) != 0 || ferror(file) || fclose(file) != 0)
        bad_input("cannot write '%s': %s", path, strerror(errno));
}

void
expect_apply(struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        struct result *result = &run->results[i];

        if (result->status == FAIL && result->class == TCK_ADVISED && !result->died)
            result->status = LACK;
        if (result->reason == NULL)
            continue;
        if (result->status == FAIL)
            result->status = DEPARTURE;
        else if (result->status == LACK)
            result->status = KNOWN_LACK;
        else if (result->status == PASS)
            result->status = UNEXPECTED_PASS;
    }
}
