/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/html.c -- a page: tables of packages and sources, then each source with
 * its methods and its lines, coloured by what of them was executed.
 *
 * The tables are there without a program; agents/page/coverage.js sorts and filters them.
 * A page of more than a megabyte opens slowly, so then each source gets a page of its own,
 * in a folder beside: FILE.d/sN.html.
 *
 * With the report of an earlier run lines are marked that were executed in one of the
 * runs only.  Lines are compared where all classes of a source have the bytes that they
 * had; elsewhere their numbers mean nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "agents/page/coverage.js.h"
#include "agents/page/style.css.h"
#include "coverage.h"

enum { LARGE = 1000000 };       /* bytes of a page that is cut */

struct page {
    const struct report *report, *old;
    FILE *out;
    const char *folder;         /* of the sources' pages; NULL: all is in one */
};

static void
escape(FILE *out, const char *text)
{
    struct tf_buffer printable = { 0 };

    tf_buffer_printable(&printable, text, strlen(text));
    tf_xml_escape(out, tf_buffer_string(&printable), printable.length);
    tf_buffer_release(&printable);
}

static void
print_name(FILE *out, const struct source *source)
{
    escape(out, source->package);
    if (source->package[0] != '\0')
        fputc('/', out);
    escape(out, source->name);
}

static void
print_head(FILE *out)
{
    fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>Coverage</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            page_style);
}

static void
print_legend(FILE *out, bool compared)
{
    fputs("<p><span class=\"f\">executed</span>, <span class=\"p\">executed in part: a "
          "branch was never taken, or some of the line's code never ran"
          "</span>, <span class=\"n\">not executed</span>", out);
    if (compared)
        fputs("; <b>+</b> newly covered, <b>&minus;</b> newly lost", out);
    fputs("</p>\n", out);
}

/* -- comparison -- */

static int
compare_names(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = strcmp(x->package, y->package);

    return order != 0 ? order : strcmp(x->name, y->name);
}

/* Those of a report are sorted. */
static const struct source *
old_source(const struct page *page, const struct source *source)
{
    return page->old == NULL ? NULL
        : bsearch(source, page->old->sources, page->old->count, sizeof *source,
                  compare_names);
}

/* Has each class of a source the bytes that it had? */
static bool
is_unchanged(const struct source *source, const struct source *old)
{
    for (size_t u = 0; u < source->unit_count; u++) {
        bool found = false;

        for (size_t o = 0; o < old->unit_count && !found; o++)
            found = strcmp(old->units[o]->name, source->units[u]->name) == 0
                && old->units[o]->hash == source->units[u]->hash;
        if (!found)
            return false;
    }
    return source->line_count == old->line_count;
}

/* The source of the earlier run whose lines are the same; NULL for none. */
static const struct source *
comparable(const struct page *page, const struct source *source)
{
    const struct source *old = old_source(page, source);

    return old != NULL && is_unchanged(source, old) ? old : NULL;
}

/* '+' for a line that only this run executed, '-' for one that only the old one did. */
static char
change_of(const struct source *source, const struct source *old, unsigned number)
{
    bool now, before;

    if (old == NULL || number > source->line_count)
        return '\0';
    now = source->lines[number].insns.covered > 0;
    before = old->lines[number].insns.covered > 0;
    return now && !before ? '+' : before && !now ? '-' : '\0';
}

static void
print_changes(const struct page *page, const struct source *source)
{
    const struct source *old = comparable(page, source);
    unsigned more = 0, less = 0;

    for (unsigned n = 1; old != NULL && n <= source->line_count; n++) {
        char change = change_of(source, old, n);

        more += change == '+';
        less += change == '-';
    }
    if (old == NULL)
        fputs("<td colspan=\"2\">changed, or new</td>", page->out);
    else
        fprintf(page->out, "<td>%u</td><td>%u</td>", more, less);
}

/* -- tables -- */

static const int columns[] = { LINE, BRANCH, METHOD, CLASS };

static void
print_cells(FILE *out, const struct counter *counters)
{
    for (size_t i = 0; i < 4; i++) {
        const struct counter *c = &counters[columns[i]];

        if (c->missed + c->covered == 0)
            fputs("<td data-v=\"-1\">-</td>", out);
        else
            fprintf(out, "<td class=\"share\" data-v=\"%.4f\" style=\"--w:%.1f\">"
                    "%u/%u&ensp;%.0f%%</td>", counter_ratio(c), 100 * counter_ratio(c),
                    c->covered, c->missed + c->covered, 100 * counter_ratio(c));
    }
}

static void
print_heads(FILE *out, const char *first, bool compared)
{
    static const char *const names[] = { "lines", "branches", "methods", "classes" };

    fprintf(out, "<thead><tr><th class=\"name\" scope=\"col\">%s</th>", first);
    for (size_t i = 0; i < 4; i++)
        fprintf(out, "<th scope=\"col\">%s</th>", names[i]);
    if (compared)
        fputs("<th scope=\"col\">newly covered</th><th scope=\"col\">newly lost</th>",
              out);
    fputs("</tr></thead>\n", out);
}

static void
print_packages(const struct page *page)
{
    const struct report *report = page->report;

    fputs("<h2>Packages</h2>\n<table class=\"sort\" id=\"packages\">\n", page->out);
    print_heads(page->out, "package", false);
    fputs("<tbody><tr class=\"all\"><td class=\"name\">all</td>", page->out);
    print_cells(page->out, report->counters);
    fputs("</tr>\n", page->out);
    for (size_t s = 0; s < report->count; ) {
        struct counter counters[COUNTERS] = { 0 };
        size_t count = count_package(report, s, counters);

        fputs("<tr><td class=\"name\"><a href=\"#sources\" data-package=\"", page->out);
        escape(page->out, report->sources[s].package);
        fputs("\">", page->out);
        escape(page->out, report->sources[s].package[0] != '\0'
               ? report->sources[s].package : "(none)");
        fputs("</a></td>", page->out);
        print_cells(page->out, counters);
        fputs("</tr>\n", page->out);
        s += count;
    }
    fputs("</tbody></table>\n", page->out);
}

/* The last part of the folder's name, as a link has it. */
static void
print_folder_link(const struct page *page)
{
    const char *slash = strrchr(page->folder, '/');

    for (const char *c = slash != NULL ? slash + 1 : page->folder; *c != '\0'; c++)
        if (strchr("%?#\"<>& ", *c) != NULL)
            fprintf(page->out, "%%%02x", (unsigned char)*c);
        else
            fputc(*c, page->out);
}

static void
print_sources(const struct page *page)
{
    fputs("<h2>Sources</h2>\n<div class=\"bar\"><label>filter <input id=\"filter\" "
          "type=\"search\"></label></div>\n<table class=\"sort\" id=\"sources\">\n",
          page->out);
    print_heads(page->out, "source", page->old != NULL);
    fputs("<tbody>\n", page->out);
    for (size_t s = 0; s < page->report->count; s++) {
        const struct source *source = &page->report->sources[s];

        fputs("<tr data-package=\"", page->out);
        escape(page->out, source->package);
        fputs("\"><td class=\"name\"><a href=\"", page->out);
        if (page->folder != NULL) {
            print_folder_link(page);
            fprintf(page->out, "/s%zu.html\">", s);
        } else
            fprintf(page->out, "#s%zu\">", s);
        print_name(page->out, source);
        fputs("</a></td>", page->out);
        print_cells(page->out, source->counters);
        if (page->old != NULL)
            print_changes(page, source);
        fputs("</tr>\n", page->out);
    }
    fputs("</tbody></table>\n", page->out);
}

static void
print_methods(FILE *out, const struct source *source, size_t number)
{
    fputs("<details><summary>classes and methods</summary>\n<table class=\"sort\">\n",
          out);
    print_heads(out, "class and method", false);
    fputs("<tbody>\n", out);
    for (size_t u = 0; u < source->unit_count; u++) {
        const struct unit *unit = source->units[u];

        for (uint32_t m = 0; m < unit->method_count; m++) {
            const struct method *method = &unit->methods[m];
            struct counter counters[COUNTERS] = { 0 };
            unsigned line = method_line(method);

            count_method(unit, method, counters);
            if (counters[METHOD].missed + counters[METHOD].covered == 0)
                continue;
            fputs("<tr><td class=\"name\">", out);
            if (line > 0)
                fprintf(out, "<a href=\"#s%zu-%u\">", number, line);
            escape(out, unit->name);
            fputc('.', out);
            escape(out, method->name);
            escape(out, method->descriptor);
            fputs(line > 0 ? "</a></td>" : "</td>", out);
            print_cells(out, counters);
            fputs("</tr>\n", out);
        }
    }
    fputs("</tbody></table></details>\n", out);
}

/* -- lines -- */

/* What of a line was executed, in numbers. */
static void
print_title(FILE *out, const struct line *line)
{
    unsigned ways = line->ways.missed + line->ways.covered;
    unsigned insns = line->insns.missed + line->insns.covered;
    bool partly = line->insns.covered > 0 && line->insns.missed > 0;

    if (ways == 0 && !partly)
        return;
    fputs(" title=\"", out);
    if (ways > 0)
        fprintf(out, "%u of %u branches%s", line->ways.covered, ways, partly ? "; " : "");
    if (partly)
        fprintf(out, "%u of %u instructions", line->insns.covered, insns);
    fputc('"', out);
}

/* A line's span begins; its title tells why it is yellow. */
static void
begin_line(const struct page *page, const struct source *source,
           const struct source *old, size_t of, unsigned number)
{
    const struct line *line = number > source->line_count ? NULL
        : &source->lines[number];
    char change = change_of(source, old, number);

    if (line == NULL || line->insns.missed + line->insns.covered == 0)
        fputs("<span", page->out);
    else {
        fprintf(page->out, "<span class=\"%s\"", line->insns.covered == 0 ? "n"
                : line->insns.missed > 0 || line->ways.missed > 0 ? "p" : "f");
        print_title(page->out, line);
    }
    fprintf(page->out, "><i>%5u </i>", number);
    if (line != NULL && line->insns.missed + line->insns.covered > 0)
        fprintf(page->out, "<a id=\"s%zu-%u\"></a>", of, number);
    if (change != '\0')
        fputs(change == '+' ? "<b title=\"newly covered\">+</b> "
              : "<b title=\"newly lost\">&minus;</b> ", page->out);
}

static void
print_file(const struct page *page, const struct source *source,
           const struct source *old, size_t of, FILE *in)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t length;

    for (unsigned number = 1; (length = getline(&text, &size, in)) >= 0; number++) {
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            length--;
        begin_line(page, source, old, of, number);
        tf_xml_escape(page->out, text, (size_t)length);
        fputs("</span>\n", page->out);
    }
    free(text);
}

static void
print_source(const struct page *page, const struct source *source, size_t number)
{
    FILE *in = source->path == NULL ? NULL : fopen(source->path, "r");
    const struct source *old = comparable(page, source);

    fprintf(page->out, "<h2 id=\"s%zu\">", number);
    print_name(page->out, source);
    fputs("</h2>\n", page->out);
    print_methods(page->out, source, number);
    fputs("<pre>", page->out);
    if (in != NULL)
        print_file(page, source, old, number, in);
    else
        for (unsigned n = 1; n <= source->line_count; n++)
            if (source->lines[n].insns.missed + source->lines[n].insns.covered > 0) {
                begin_line(page, source, old, number, n);
                fputs("</span>\n", page->out);
            }
    fputs("</pre>\n", page->out);
    if (in != NULL)
        fclose(in);
}

static void
print_end(FILE *out)
{
    fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", page_coverage_js);
}

/* -- the page, or the pages -- */

/* How long one page would be, about: the texts, and what stands around each line. */
static unsigned long long
expected_length(const struct report *report)
{
    unsigned long long length = 0;

    for (size_t s = 0; s < report->count; s++) {
        struct stat status;

        if (report->sources[s].path != NULL
            && stat(report->sources[s].path, &status) == 0)
            length += (unsigned long long)status.st_size;
        length += 60ull * report->sources[s].line_count;
    }
    return length;
}

static bool
write_source_page(const struct page *page, size_t number)
{
    struct tf_output *output;
    struct page own = *page;
    char *path = NULL;

    if (asprintf(&path, "%s/s%zu.html", page->folder, number) < 0)
        return false;
    output = tf_output_open(path);
    free(path);
    if (output == NULL)
        return false;
    own.out = tf_output_stream(output);
    print_head(own.out);
    print_legend(own.out, page->old != NULL);
    print_source(&own, &page->report->sources[number], number);
    print_end(own.out);
    return tf_output_commit(output);
}

/* When, and by whom. */
static void
print_about(FILE *out, const char *vm)
{
    time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";

    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    fprintf(out, "<h1>Coverage</h1>\n<p class=\"dim\">%s", date);
    if (vm != NULL && *vm != '\0') {
        fputs(", ", out);
        escape(out, vm);
    }
    fputs("</p>\n", out);
}

bool
report_html(const struct report *report, const struct report *old, const char *vm,
            const char *file, struct progress *progress, FILE *out)
{
    bool cut = strcmp(file, "-") != 0 && strncmp(file, "/dev/", 5) != 0
        && expected_length(report) > LARGE;
    struct page page = { .report = report, .old = old, .out = out };
    char *folder = NULL;
    bool good = true;

    if (cut && asprintf(&folder, "%s.d", file) < 0)
        return false;
    page.folder = folder;
    if (folder != NULL && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        tf_error("cannot make \"%s\": %s", folder, strerror(errno));
        good = false;
    }
    print_head(out);
    print_about(out, vm);
    print_legend(out, old != NULL);
    print_packages(&page);
    print_sources(&page);
    for (size_t s = 0; s < report->count && good; s++) {
        if (folder != NULL)
            good = write_source_page(&page, s);
        else
            print_source(&page, &report->sources[s], s);
        progress_tell(progress, "writing the sources", s + 1, report->count);
    }
    print_end(out);
    free(folder);
    return good;
}
