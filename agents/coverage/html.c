/* SPDX-License-Identifier: MIT */
/* agents/coverage/html.c -- one page: a table of the classes' sources, then the
   sources, each line coloured by what of it was executed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>Coverage</title>\n<style>\n"
    "body { font-family: sans-serif; margin: 2em; color: #222; background: #fff }\n"
    "table { border-collapse: collapse }\n"
    "th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "pre { line-height: 1.35; border: 1px solid #ddd; overflow-x: auto }\n"
    "pre span { display: inline-block; min-width: 100% }\n"
    "pre i { color: #888; font-style: normal; user-select: none }\n"
    ".f { background: #dfd } .p { background: #ffc } .n { background: #fdd }\n"
    "</style>\n</head>\n<body>\n<h1>Coverage</h1>\n"
    "<p><span class=\"f\">executed</span>, <span class=\"p\">some branches not taken"
    "</span>, <span class=\"n\">not executed</span></p>\n";

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
print_cells(FILE *out, const struct counter *counters)
{
    static const int columns[] = { LINE, BRANCH, METHOD, CLASS };

    for (size_t i = 0; i < 4; i++) {
        const struct counter *c = &counters[columns[i]];

        if (c->missed + c->covered == 0)
            fputs("<td>-</td>", out);
        else
            fprintf(out, "<td>%u/%u&ensp;%.0f%%</td>", c->covered,
                    c->missed + c->covered, 100 * counter_ratio(c));
    }
    fputs("</tr>\n", out);
}

static void
print_table(FILE *out, const struct report *report)
{
    fputs("<table>\n<tr><th>source</th><th>lines</th><th>branches</th><th>methods</th>"
          "<th>classes</th></tr>\n<tr><td>all</td>", out);
    print_cells(out, report->counters);
    for (size_t s = 0; s < report->count; s++) {
        fprintf(out, "<tr><td><a href=\"#s%zu\">", s);
        print_name(out, &report->sources[s]);
        fputs("</a></td>", out);
        print_cells(out, report->sources[s].counters);
    }
    fputs("</table>\n", out);
}

/* A line's span begins; its title tells of the branches. */
static void
begin_line(FILE *out, const struct source *source, unsigned number)
{
    const struct line *line = number > source->line_count ? NULL
        : &source->lines[number];
    unsigned ways = line == NULL ? 0 : line->ways.missed + line->ways.covered;

    if (line == NULL || line->insns.missed + line->insns.covered == 0)
        fputs("<span", out);
    else
        fprintf(out, "<span class=\"%s\"", line->insns.covered == 0 ? "n"
                : line->insns.missed > 0 || line->ways.missed > 0 ? "p" : "f");
    if (ways > 0)
        fprintf(out, " title=\"%u of %u branches\"", line->ways.covered, ways);
    fprintf(out, "><i>%5u </i>", number);
}

static void
print_file(FILE *out, const struct source *source, FILE *in)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t length;

    for (unsigned number = 1; (length = getline(&text, &size, in)) >= 0; number++) {
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            length--;
        begin_line(out, source, number);
        tf_xml_escape(out, text, (size_t)length);
        fputs("</span>\n", out);
    }
    free(text);
}

static void
print_source(FILE *out, const struct source *source, size_t number)
{
    FILE *in = source->path == NULL ? NULL : fopen(source->path, "r");

    fprintf(out, "<h2 id=\"s%zu\">", number);
    print_name(out, source);
    fputs("</h2>\n<pre>", out);
    if (in != NULL)
        print_file(out, source, in);
    else
        for (unsigned n = 1; n <= source->line_count; n++)
            if (source->lines[n].insns.missed + source->lines[n].insns.covered > 0) {
                begin_line(out, source, n);
                fputs("</span>\n", out);
            }
    fputs("</pre>\n", out);
    if (in != NULL)
        fclose(in);
}

void
report_html(const struct report *report, FILE *out)
{
    fputs(head, out);
    print_table(out, report);
    for (size_t s = 0; s < report->count; s++)
        print_source(out, &report->sources[s], s);
    fputs("</body>\n</html>\n", out);
}
