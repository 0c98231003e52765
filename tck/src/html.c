/* SPDX-License-Identifier: MIT */
/*
 * tck/src/html.c -- one self-contained page: function or event by kind of assertion, a
 * square per assertion, a line of squares per VM.
 */
#include "tck/src/page.h"
#include "tck/src/run.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What one VM has answered; entries as in run->results. */
struct column {
    const char *vm;
    const char *date;    /* of the run, or "" */
    int level;           /* of JVM TI, or 0 when it is not known */
    const char **status;
    const char **detail;
};

/* A column of the matrix: which ids, how wide. */
struct kind {
    const char *title;
    const char *part;    /* what the id goes on with after its subject and a dot */
    int width;           /* in per cent */
};

/* The first that fits counts. */
static const struct kind function_kinds[] = {
    { "Capability", "error.MUST_POSSESS_CAPABILITY", 11 },
    { "Errors", "error.", 24 }, { "Phases", "phase.", 9 }, { "NULL", "null", 7 },
    { "Universal", "universal.", 8 }, { "Behaviour", "behaviour.", 21 },
    { NULL, NULL, 0 }
};
static const struct kind event_kinds[] = {
    { "Event", "event.", 38 }, { "Behaviour", "behaviour.", 42 }, { NULL, NULL, 0 }
};

static void
text(const char *s, FILE *out)
{
    for (; s != NULL && *s != '\0'; s++) {
        switch (*s) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*s, out);
        }
    }
}

/* In the order of the columns; a report of another run has the same names. */
enum { STATUSES = 8 };
static const char *const statuses[STATUSES] = {
    "pass", "fail", "lack", "departure", "known lack", "unexpected pass", "skip",
    "not run"
};

static char
letter(const char *status)
{
    for (int i = 0; i < STATUSES; i++)
        if (strcmp(statuses[i], status) == 0)
            return "pfldkusn"[i];
    return 's';
}

/* -- the VMs -- */

static struct column
new_column(const struct run *run, const char *vm, const char *date, int level)
{
    struct column c = { vm, date != NULL ? date : "", level,
                        must(calloc(run->count, sizeof *c.status)),
                        must(calloc(run->count, sizeof *c.detail)) };

    return c;
}

static struct column
this_run(const struct run *run)
{
    struct column c = new_column(run, run->vm_name, run->date, run->level);

    for (size_t i = 0; i < run->count; i++) {
        const struct result *r = &run->results[i];

        if (!r->selected)
            continue;
        c.status[i] = status_name(r->status);
        c.detail[i] = r->reason != NULL ? r->reason : r->detail;
    }
    return c;
}

/* The strings stay part of the tree, which lives as long as the program. */
static struct column
earlier_run(struct run *run, const char *path)
{
    cJSON *root = report_read(path), *item;
    const cJSON *level = cJSON_GetObjectItem(root, "level");
    struct column c = new_column(run,
                                 cJSON_GetStringValue(cJSON_GetObjectItem(root, "vm")),
                                 cJSON_GetStringValue(cJSON_GetObjectItem(root, "date")),
                                 cJSON_IsNumber(level) ? level->valueint : 0);

    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "assertions")) {
        const char *id = cJSON_GetStringValue(cJSON_GetObjectItem(item, "id"));
        struct result *r = id == NULL ? NULL : find_result(run, id);
        const char *reason = cJSON_GetStringValue(cJSON_GetObjectItem(item, "reason"));

        if (r == NULL)
            continue;
        c.status[r - run->results] =
            cJSON_GetStringValue(cJSON_GetObjectItem(item, "status"));
        c.detail[r - run->results] = reason != NULL ? reason
            : cJSON_GetStringValue(cJSON_GetObjectItem(item, "detail"));
    }
    return c;
}

/* -- the matrix -- */

/* Which of the kinds an assertion of this subject is, or NULL. */
static const struct kind *
kind_of(const char *id, const char *subject, const struct kind *kinds)
{
    size_t length = strlen(subject);

    if (strncmp(id, subject, length) != 0 || id[length] != '.')
        return NULL;
    for (; kinds->part != NULL; kinds++)
        if (strncmp(id + length + 1, kinds->part, strlen(kinds->part)) == 0)
            return kinds;
    return NULL;
}

static void
square(const struct run *run, const struct column *column, size_t i, FILE *out)
{
    fprintf(out, "<i class=%c data-c=%s data-l=%d title=\"", letter(column->status[i]),
            tck_class_name(run->results[i].class), run->results[i].since);
    text(run->results[i].id, out);
    fprintf(out, ": %s (%s, since %d)", column->status[i],
            tck_class_name(run->results[i].class),
            run->results[i].since);
    if (column->detail[i] != NULL && column->detail[i][0] != '\0') {
        fputs(", ", out);
        text(column->detail[i], out);
    }
    fputs("\"></i>", out);
}

static void
cell(const struct run *run, const struct column *columns, int count, const char *subject,
     const struct kind *kinds, const struct kind *kind, FILE *out)
{
    bool any = false;

    fprintf(out, "<td data-kind=%s>", kind->title);
    for (size_t i = 0; i < run->count; i++)
        any = any || kind_of(run->results[i].id, subject, kinds) == kind;
    for (int c = 0; c < count && any; c++) {
        fputs("<div class=vm>", out);
        for (size_t i = 0; i < run->count; i++)
            if (columns[c].status[i] != NULL
                && kind_of(run->results[i].id, subject, kinds) == kind)
                square(run, &columns[c], i, out);
        fputs("</div>", out);
    }
    fputs("</td>", out);
}

static void
row(const struct run *run, const struct column *columns, int count, const char *subject,
    const struct kind *kinds, FILE *out)
{
    fprintf(out, "<tr><th>%s</th>", subject);
    for (const struct kind *kind = kinds; kind->part != NULL; kind++)
        cell(run, columns, count, subject, kinds, kind, out);
    fputs("</tr>\n", out);
}

static void
table_head(const char *title, const struct kind *kinds, FILE *out)
{
    fputs("<section><h2>", out);
    for (const char *s = title; *s != '\0'; s++)
        fputc(s == title ? toupper(*s) : *s == '-' ? ' ' : *s, out);
    fputs("</h2><table class=matrix><thead><tr><th style=\"width:20%\"></th>", out);
    for (; kinds->part != NULL; kinds++)
        fprintf(out, "<th style=\"width:%d%%\">%s</th>", kinds->width, kinds->title);
    fputs("</tr></thead><tbody>\n", out);
}

static bool
is_of_table(const struct result *result)
{
    for (int i = 0; i < tck_function_count; i++)
        if (kind_of(result->id, tck_functions[i].name, function_kinds) != NULL)
            return true;
    for (int i = 0; i < tck_event_count; i++)
        if (kind_of(result->id, tck_events[i].name, event_kinds) != NULL)
            return true;
    return false;
}

/* What is about no single function or event: whether the VM of each group ended well, and
   the rest. */
static void
outside(const struct run *run, const struct column *columns, int count, bool endings,
        FILE *out)
{
    fprintf(out, "<section><h2>%s</h2>", endings ? "The VMs' ends, a mark per group"
            : "All functions or events");
    for (int c = 0; c < count; c++) {
        fputs("<div class=vm>", out);
        for (size_t i = 0; i < run->count; i++)
            if (columns[c].status[i] != NULL && endings == (run->results[i].def == NULL)
                && !is_of_table(&run->results[i]))
                square(run, &columns[c], i, out);
        fputs("</div>", out);
    }
    fputs("</section>\n", out);
}

static void
matrix(const struct run *run, const struct column *columns, int count, FILE *out)
{
    bool done[512] = { false };

    for (int i = 0; i < tck_function_count; i++) {
        if (done[i])
            continue;
        table_head(tck_functions[i].chapter, function_kinds, out);
        for (int k = i; k < tck_function_count; k++) {
            if (strcmp(tck_functions[k].chapter, tck_functions[i].chapter) != 0)
                continue;
            done[k] = true;
            row(run, columns, count, tck_functions[k].name, function_kinds, out);
        }
        fputs("</tbody></table></section>\n", out);
    }
    table_head("events", event_kinds, out);
    for (int i = 0; i < tck_event_count; i++)
        row(run, columns, count, tck_events[i].name, event_kinds, out);
    fputs("</tbody></table></section>\n", out);
    outside(run, columns, count, false, out);
    outside(run, columns, count, true, out);
}

static void
summary(const struct run *run, const struct column *columns, int count, FILE *out)
{
    fputs("<table class=sum><thead><tr><th>VM</th><th>level</th><th>run</th>", out);
    for (int i = 0; i < STATUSES; i++)
        fprintf(out, "<th>%s</th>", statuses[i]);
    fputs("</tr></thead><tbody>", out);
    for (int c = 0; c < count; c++) {
        fputs("<tr><th>", out);
        text(columns[c].vm, out);
        if (columns[c].level != 0)
            fprintf(out, "</th><td>%d</td><td>", columns[c].level);
        else
            fputs("</th><td></td><td>", out);
        text(columns[c].date, out);
        fputs("</td>", out);
        for (int n = 0; n < STATUSES; n++) {
            int found = 0;

            for (size_t i = 0; i < run->count; i++)
                found += columns[c].status[i] != NULL
                    && strcmp(columns[c].status[i], statuses[n]) == 0;
            fprintf(out, "<td%s>%d</td>", n == 1 && found > 0 ? " class=bad" : "", found);
        }
        fputs("</tr>", out);
    }
    fputs("</tbody></table>\n<p class=key><span><i class=p></i> pass</span>"
          "<span><i class=f></i> fail</span>"
          "<span><i class=l></i> lacks what is advised only</span>"
          "<span><i class=d></i> known departure</span>"
          "<span><i class=k></i> known lack</span>"
          "<span><i class=u></i> unexpected pass</span><span><i class=s></i> skipped</span>"
          "<span><i class=n></i> not run</span></p>\n", out);
    if (count > 1)
        fputs("<p>In each row below there is a line per VM, in the order above.</p>\n",
              out);
}

static void
failures(const struct run *run, const struct column *columns, int count, FILE *out)
{
    for (int c = 0; c < count; c++) {
        int found = 0;

        for (size_t i = 0; i < run->count; i++)
            found += columns[c].status[i] != NULL
                && strchr("psn", letter(columns[c].status[i])) == NULL;
        if (found == 0)
            continue;
        fprintf(out, "<details><summary>%d failures, lacks and departures of ", found);
        text(columns[c].vm, out);
        fputs("</summary><ul>", out);
        for (size_t i = 0; i < run->count; i++) {
            const char *status = columns[c].status[i];

            if (status == NULL || strchr("psn", letter(status)) != NULL)
                continue;
            fprintf(out, "<li><i class=%c></i> <code>", letter(status));
            text(run->results[i].id, out);
            fputs("</code> ", out);
            text(columns[c].detail[i], out);
            fputs("</li>\n", out);
        }
        fputs("</ul></details>\n", out);
    }
}

void
report_html(const struct run *run, FILE *out)
{
    struct column columns[9];
    int count = 0;

    columns[count++] = this_run(run);
    for (int i = 0; i < run->opt.other_count; i++)
        columns[count++] = earlier_run((struct run *)run, run->opt.others[i]);
    fprintf(out, "<!doctype html>\n<html lang=en><meta charset=utf-8>"
            "<meta name=viewport content=\"width=device-width\">"
            "<title>JVM TI conformance</title><style>%s</style>\n"
            "<h1>JVM TI conformance</h1>\n", STYLE);
    if (run->interrupted)
        fputs("<p class=bad>The run was interrupted: what follows is incomplete.</p>\n",
              out);
    summary(run, columns, count, out);
    failures(run, columns, count, out);
    fputs(FORM, out);
    matrix(run, columns, count, out);
    fprintf(out, "<script>%s</script></html>\n", SCRIPT);
}
