/* SPDX-License-Identifier: MIT */
/* agents/coverage/xml.c -- the reports of JaCoCo's and of Cobertura's form. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "coverage.h"

static void
attribute_name(struct tf_xml *xml, const char *attribute, const char *text, bool dots)
{
    struct tf_buffer name = { 0 };

    tf_buffer_printable(&name, text, strlen(text));
    for (size_t i = 0; dots && i < name.length; i++)
        if (name.bytes[i] == '/')
            name.bytes[i] = '.';
    tf_xml_attribute(xml, attribute, tf_buffer_string(&name));
    tf_buffer_release(&name);
}

/* -- JaCoCo -- */

static void
jacoco_counters(struct tf_xml *xml, const struct counter *counters)
{
    static const char *const names[] = { "INSTRUCTION", "BRANCH", "LINE", "COMPLEXITY",
                                         "METHOD", "CLASS" };

    for (int i = 0; i < COUNTERS; i++) {
        if (counters[i].missed + counters[i].covered == 0)
            continue;
        tf_xml_open(xml, "counter");
        tf_xml_attribute(xml, "type", names[i]);
        tf_xml_attribute_format(xml, "missed", "%u", counters[i].missed);
        tf_xml_attribute_format(xml, "covered", "%u", counters[i].covered);
        tf_xml_close(xml);
    }
}

static void
jacoco_class(struct tf_xml *xml, const struct source *source, const struct unit *unit)
{
    struct counter counters[COUNTERS] = { 0 };

    tf_xml_open(xml, "class");
    attribute_name(xml, "name", unit->name, false);
    if (source->known)
        attribute_name(xml, "sourcefilename", source->name, false);
    for (uint32_t m = 0; m < unit->method_count; m++) {
        struct counter own[COUNTERS] = { 0 };
        const struct method *method = &unit->methods[m];

        count_method(unit, method, own);
        if (own[METHOD].missed + own[METHOD].covered == 0)
            continue;
        tf_xml_open(xml, "method");
        attribute_name(xml, "name", method->name, false);
        attribute_name(xml, "desc", method->descriptor, false);
        if (method_line(method) != 0)
            tf_xml_attribute_format(xml, "line", "%u", method_line(method));
        jacoco_counters(xml, own);
        tf_xml_close(xml);
    }
    count_unit(unit, counters);
    jacoco_counters(xml, counters);
    tf_xml_close(xml);
}

static void
jacoco_source(struct tf_xml *xml, const struct source *source)
{
    tf_xml_open(xml, "sourcefile");
    attribute_name(xml, "name", source->name, false);
    for (unsigned n = 1; n <= source->line_count; n++) {
        const struct line *line = &source->lines[n];

        if (line->insns.missed + line->insns.covered == 0)
            continue;
        tf_xml_open(xml, "line");
        tf_xml_attribute_format(xml, "nr", "%u", n);
        tf_xml_attribute_format(xml, "mi", "%u", line->insns.missed);
        tf_xml_attribute_format(xml, "ci", "%u", line->insns.covered);
        tf_xml_attribute_format(xml, "mb", "%u", line->ways.missed);
        tf_xml_attribute_format(xml, "cb", "%u", line->ways.covered);
        tf_xml_close(xml);
    }
    jacoco_counters(xml, source->counters);
    tf_xml_close(xml);
}

void
report_jacoco(const struct report *report, FILE *out)
{
    struct tf_xml xml;

    tf_xml_init(&xml, out, "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" "
                "\"report.dtd\">");
    tf_xml_open(&xml, "report");
    tf_xml_attribute(&xml, "name", "coverage");
    for (size_t s = 0, more; s < report->count; s += more) {
        struct counter counters[COUNTERS] = { 0 };

        more = count_package(report, s, counters);
        tf_xml_open(&xml, "package");
        attribute_name(&xml, "name", report->sources[s].package, false);
        for (size_t i = s; i < s + more; i++)
            for (size_t u = 0; u < report->sources[i].unit_count; u++)
                jacoco_class(&xml, &report->sources[i], report->sources[i].units[u]);
        for (size_t i = s; i < s + more; i++)
            if (report->sources[i].known)
                jacoco_source(&xml, &report->sources[i]);
        jacoco_counters(&xml, counters);
        tf_xml_close(&xml);
    }
    jacoco_counters(&xml, report->counters);
    tf_xml_close(&xml);
}

/* -- Cobertura -- */

static void
cobertura_rates(struct tf_xml *xml, const struct counter *counters)
{
    tf_xml_attribute_format(xml, "line-rate", "%.4f", counter_ratio(&counters[LINE]));
    tf_xml_attribute_format(xml, "branch-rate", "%.4f",
                            counter_ratio(&counters[BRANCH]));
}

static void
cobertura_complexity(struct tf_xml *xml, const struct counter *counters)
{
    const struct counter *complexity = &counters[COMPLEXITY];

    tf_xml_attribute_format(xml, "complexity", "%u",
                            complexity->missed + complexity->covered);
}

static void
cobertura_line(struct tf_xml *xml, unsigned number, const struct line *line)
{
    unsigned ways = line->ways.missed + line->ways.covered;

    tf_xml_open(xml, "line");
    tf_xml_attribute_format(xml, "number", "%u", number);
    tf_xml_attribute_format(xml, "hits", "%d", line->insns.covered > 0);
    tf_xml_attribute(xml, "branch", ways > 0 ? "true" : "false");
    if (ways > 0)
        tf_xml_attribute_format(xml, "condition-coverage", "%.0f%% (%u/%u)",
                                100 * counter_ratio(&line->ways), line->ways.covered,
                                ways);
    tf_xml_close(xml);
}

/* The lines of `count` methods. */
static void
cobertura_lines(struct tf_xml *xml, const struct unit *unit,
                const struct method *methods, uint32_t count)
{
    unsigned last = last_line(methods, count);
    struct line *lines = calloc(last + 1u, sizeof *lines);

    tf_xml_open(xml, "lines");
    for (uint32_t m = 0; lines != NULL && m < count; m++)
        lines_add(unit, &methods[m], lines);
    for (unsigned n = 1; lines != NULL && n <= last; n++)
        if (lines[n].insns.missed + lines[n].insns.covered > 0)
            cobertura_line(xml, n, &lines[n]);
    tf_xml_close(xml);
    free(lines);
}

static void
cobertura_class(struct tf_xml *xml, const struct source *source,
                const struct unit *unit)
{
    struct counter counters[COUNTERS] = { 0 };
    struct tf_buffer path = { 0 };

    count_unit(unit, counters);
    tf_buffer_format(&path, "%s%s%s", source->package,
                     source->package[0] != '\0' ? "/" : "", source->name);
    tf_xml_open(xml, "class");
    attribute_name(xml, "name", unit->name, true);
    attribute_name(xml, "filename", tf_buffer_string(&path), false);
    tf_buffer_release(&path);
    cobertura_rates(xml, counters);
    cobertura_complexity(xml, counters);
    tf_xml_open(xml, "methods");
    for (uint32_t m = 0; m < unit->method_count; m++) {
        struct counter own[COUNTERS] = { 0 };

        count_method(unit, &unit->methods[m], own);
        if (own[METHOD].missed + own[METHOD].covered == 0)
            continue;
        tf_xml_open(xml, "method");
        attribute_name(xml, "name", unit->methods[m].name, false);
        attribute_name(xml, "signature", unit->methods[m].descriptor, false);
        cobertura_rates(xml, own);
        cobertura_complexity(xml, own);
        cobertura_lines(xml, unit, &unit->methods[m], 1);
        tf_xml_close(xml);
    }
    tf_xml_close(xml);
    cobertura_lines(xml, unit, unit->methods, unit->method_count);
    tf_xml_close(xml);
}

static void
cobertura_head(struct tf_xml *xml, const struct counter *counters)
{
    cobertura_rates(xml, counters);
    tf_xml_attribute_format(xml, "lines-covered", "%u", counters[LINE].covered);
    tf_xml_attribute_format(xml, "lines-valid", "%u",
                            counters[LINE].covered + counters[LINE].missed);
    tf_xml_attribute_format(xml, "branches-covered", "%u", counters[BRANCH].covered);
    tf_xml_attribute_format(xml, "branches-valid", "%u",
                            counters[BRANCH].covered + counters[BRANCH].missed);
    cobertura_complexity(xml, counters);
    tf_xml_attribute(xml, "version", "1");
    tf_xml_attribute_format(xml, "timestamp", "%lld", (long long)time(NULL) * 1000);
}

void
report_cobertura(const struct report *report, char *const *sourcepath, FILE *out)
{
    static char *const here[] = { (char *)".", NULL };
    struct tf_xml xml;

    tf_xml_init(&xml, out, "<!DOCTYPE coverage SYSTEM "
                "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">");
    tf_xml_open(&xml, "coverage");
    cobertura_head(&xml, report->counters);
    tf_xml_open(&xml, "sources");
    for (char *const *folder = sourcepath != NULL ? sourcepath : here; *folder != NULL;
         folder++) {
        tf_xml_open(&xml, "source");
        tf_xml_text(&xml, *folder);
        tf_xml_close(&xml);
    }
    tf_xml_close(&xml);
    tf_xml_open(&xml, "packages");
    for (size_t s = 0, more; s < report->count; s += more) {
        struct counter counters[COUNTERS] = { 0 };

        more = count_package(report, s, counters);
        tf_xml_open(&xml, "package");
        attribute_name(&xml, "name", report->sources[s].package, true);
        cobertura_rates(&xml, counters);
        cobertura_complexity(&xml, counters);
        tf_xml_open(&xml, "classes");
        for (size_t i = s; i < s + more; i++)
            for (size_t u = 0; u < report->sources[i].unit_count; u++)
                cobertura_class(&xml, &report->sources[i], report->sources[i].units[u]);
        tf_xml_close(&xml);
        tf_xml_close(&xml);
    }
    tf_xml_close(&xml);
    tf_xml_close(&xml);
}
