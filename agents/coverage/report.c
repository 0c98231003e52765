/* SPDX-License-Identifier: MIT */
/* agents/coverage/report.c -- sums by source, and the reports that are plain text. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coverage.h"

double
counter_ratio(const struct counter *counter)
{
    unsigned all = counter->missed + counter->covered;

    return all == 0 ? 1.0 : (double)counter->covered / all;
}

static void
count(struct counter *counter, bool covered, unsigned by)
{
    *(covered ? &counter->covered : &counter->missed) += by;
}

/* -- lines -- */

static unsigned
ways_taken(const struct unit *unit, const struct item *item)
{
    unsigned taken = 0;

    for (unsigned w = 0; w < item->ways; w++)
        taken += unit_bit(unit, item->bit + 1 + w);
    return taken;
}

static void
line_add(const struct unit *unit, const struct item *item, struct line *line)
{
    unsigned taken = ways_taken(unit, item);

    count(&line->insns, unit_bit(unit, item->bit), item->insns);
    line->ways.covered += taken;
    line->ways.missed += item->ways - taken;
}

void
lines_add(const struct unit *unit, const struct method *method, struct line *lines)
{
    for (uint32_t i = 0; i < method->count; i++)
        if (method->items[i].insns > 0)
            line_add(unit, &method->items[i], &lines[method->items[i].line]);
}

unsigned
last_line(const struct method *methods, uint32_t count)
{
    unsigned last = 0;

    for (uint32_t m = 0; m < count; m++)
        for (uint32_t i = 0; i < methods[m].count; i++)
            if (methods[m].items[i].insns > 0 && methods[m].items[i].line > last)
                last = methods[m].items[i].line;
    return last;
}

unsigned
method_line(const struct method *method)
{
    unsigned first = 0;

    for (uint32_t i = 0; i < method->count; i++)
        if (method->items[i].insns > 0 && method->items[i].line > 0
            && (first == 0 || method->items[i].line < first))
            first = method->items[i].line;
    return first;
}

/* Instructions, branches and lines of lines[first] to lines[last]. */
static void
count_lines(const struct line *lines, unsigned first, unsigned last,
            struct counter counters[COUNTERS])
{
    for (unsigned n = first; n <= last; n++) {
        counters[INSTRUCTION].missed += lines[n].insns.missed;
        counters[INSTRUCTION].covered += lines[n].insns.covered;
        counters[BRANCH].missed += lines[n].ways.missed;
        counters[BRANCH].covered += lines[n].ways.covered;
        if (n > 0 && lines[n].insns.missed + lines[n].insns.covered > 0)
            count(&counters[LINE], lines[n].insns.covered > 0, 1);
    }
}

/* Cyclomatic complexity: one, and what each branch has beyond one way. */
void
count_method(const struct unit *unit, const struct method *method,
             struct counter counters[COUNTERS])
{
    unsigned last = last_line(method, 1);
    struct line *lines = calloc(last + 1u, sizeof *lines);
    bool entered = false, any = false;

    for (uint32_t i = 0; i < method->count; i++) {
        const struct item *item = &method->items[i];
        unsigned taken = ways_taken(unit, item), covered = taken > 0 ? taken - 1 : 0;

        if (item->insns == 0)
            continue;
        any = true;
        entered |= unit_bit(unit, item->bit);
        if (item->ways > 0) {
            counters[COMPLEXITY].covered += covered;
            counters[COMPLEXITY].missed += item->ways - 1u - covered;
        }
    }
    if (any && lines != NULL) {
        lines_add(unit, method, lines);
        count_lines(lines, 0, last, counters);
        count(&counters[COMPLEXITY], entered, 1);
        count(&counters[METHOD], entered, 1);
    }
    free(lines);
}

/* A line that several methods share counts once. */
void
count_unit(const struct unit *unit, struct counter counters[COUNTERS])
{
    struct counter lines_only[COUNTERS] = { 0 };
    unsigned last = last_line(unit->methods, unit->method_count);
    struct line *lines = calloc(last + 1u, sizeof *lines);

    for (uint32_t m = 0; m < unit->method_count; m++) {
        count_method(unit, &unit->methods[m], counters);
        if (lines != NULL)
            lines_add(unit, &unit->methods[m], lines);
    }
    if (lines != NULL)
        count_lines(lines, 0, last, lines_only);
    counters[LINE] = lines_only[LINE];
    if (counters[METHOD].missed + counters[METHOD].covered > 0)
        count(&counters[CLASS], counters[METHOD].covered > 0, 1);
    free(lines);
}

static void
add_counters(struct counter *to, const struct counter *from)
{
    for (int i = 0; i < COUNTERS; i++) {
        to[i].missed += from[i].missed;
        to[i].covered += from[i].covered;
    }
}

size_t
count_package(const struct report *report, size_t first,
              struct counter counters[COUNTERS])
{
    size_t number = 0;

    while (first + number < report->count
           && strcmp(report->sources[first].package,
                     report->sources[first + number].package) == 0)
        add_counters(counters, report->sources[first + number++].counters);
    return number;
}

/* -- sources -- */

static void
split(const struct unit *unit, char **package, char **name)
{
    const char *slash = strrchr(unit->name, '/');

    *package = slash == NULL ? strdup("")
        : strndup(unit->name, (size_t)(slash - unit->name));
    *name = strdup(unit->source != NULL ? unit->source
                   : slash == NULL ? unit->name : slash + 1);
}

static char *
find_source(const struct source *source, char *const *sourcepath)
{
    char *path = NULL;

    for (; sourcepath != NULL && *sourcepath != NULL; sourcepath++) {
        if (asprintf(&path, "%s/%s%s%s", *sourcepath, source->package,
                     source->package[0] != '\0' ? "/" : "", source->name) < 0)
            return NULL;
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static int
compare(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = strcmp(x->package, y->package);

    if (order == 0)
        order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->units[0]->name, y->units[0]->name);
}

static bool
sum_source(struct source *source, char *const *sourcepath)
{
    struct counter lines_only[COUNTERS] = { 0 };

    for (size_t u = 0; u < source->unit_count; u++) {
        unsigned last = last_line(source->units[u]->methods,
                                  source->units[u]->method_count);

        if (last > source->line_count)
            source->line_count = last;
    }
    source->lines = calloc(source->line_count + 1u, sizeof *source->lines);
    if (source->lines == NULL)
        return false;
    for (size_t u = 0; u < source->unit_count; u++) {
        const struct unit *unit = source->units[u];
        struct counter counters[COUNTERS] = { 0 };

        for (uint32_t m = 0; m < unit->method_count; m++)
            lines_add(unit, &unit->methods[m], source->lines);
        count_unit(unit, counters);
        add_counters(source->counters, counters);
    }
    count_lines(source->lines, 0, source->line_count, lines_only);
    source->counters[LINE] = lines_only[LINE];
    source->path = find_source(source, sourcepath);
    return true;
}

static bool
has_code(const struct unit *unit)
{
    for (uint32_t m = 0; m < unit->method_count; m++)
        for (uint32_t i = 0; i < unit->methods[m].count; i++)
            if (unit->methods[m].items[i].insns > 0)
                return true;
    return false;
}

/* Each unit as a source of its own, sorted; then neighbours that are one become one.
   Units stay the caller's. */
bool
report_build(struct report *report, struct units *units, char *const *sourcepath)
{
    size_t kept = 0;

    memset(report, 0, sizeof *report);
    report->sources = calloc(units->count + 1, sizeof *report->sources);
    if (report->sources == NULL)
        return false;
    for (size_t u = 0; u < units->count; u++) {
        struct source *source = &report->sources[report->count];

        if (!has_code(units->list[u]))
            continue;
        split(units->list[u], &source->package, &source->name);
        source->units = calloc(1, sizeof(struct unit *));
        if (source->package == NULL || source->name == NULL || source->units == NULL)
            return false;
        source->units[0] = units->list[u];
        source->known = units->list[u]->source != NULL;
        source->unit_count = 1;
        report->count++;
    }
    qsort(report->sources, report->count, sizeof *report->sources, compare);
    for (size_t s = 1; s < report->count; s++) {
        struct source *into = &report->sources[kept], *from = &report->sources[s];
        struct unit **list;

        if (strcmp(into->package, from->package) != 0
            || strcmp(into->name, from->name) != 0) {
            report->sources[++kept] = *from;
            continue;
        }
        list = realloc(into->units, (into->unit_count + 1) * sizeof(struct unit *));
        if (list == NULL)
            return false;
        into->units = list;
        into->units[into->unit_count++] = from->units[0];
        free(from->units);
        free(from->package);
        free(from->name);
    }
    report->count = report->count == 0 ? 0 : kept + 1;
    for (size_t s = 0; s < report->count; s++) {
        if (!sum_source(&report->sources[s], sourcepath))
            return false;
        add_counters(report->counters, report->sources[s].counters);
    }
    return true;
}

void
report_release(struct report *report)
{
    for (size_t s = 0; s < report->count; s++) {
        struct source *source = &report->sources[s];

        free(source->package);
        free(source->name);
        free(source->path);
        free(source->units);
        free(source->lines);
    }
    free(report->sources);
    memset(report, 0, sizeof *report);
}

/* -- text -- */

static void
print_ratio(FILE *out, const struct counter *counter)
{
    unsigned all = counter->missed + counter->covered;

    if (all == 0)
        fprintf(out, "%18s", "-");
    else
        fprintf(out, "%6u/%-6u%4.0f%%", counter->covered, all,
                100 * counter_ratio(counter));
}

static void
print_row(FILE *out, const struct counter *counters, const char *name)
{
    print_ratio(out, &counters[LINE]);
    print_ratio(out, &counters[BRANCH]);
    print_ratio(out, &counters[METHOD]);
    fprintf(out, "  %s\n", name);
}

/* A name of the class file as a part of a line. */
static void
put_name(FILE *out, const char *text)
{
    struct tf_buffer name = { 0 };

    tf_buffer_printable(&name, text, strlen(text));
    fputs(tf_buffer_string(&name), out);
    tf_buffer_release(&name);
}

static char *
class_name(const struct unit *unit)
{
    struct tf_buffer name = { 0 };

    tf_buffer_printable(&name, unit->name, strlen(unit->name));
    for (size_t i = 0; i < name.length; i++)
        if (name.bytes[i] == '/')
            name.bytes[i] = '.';
    return tf_buffer_take(&name);
}

void
report_text(const struct report *report, FILE *out)
{
    fprintf(out, "%12s %17s %17s\n", "lines", "branches", "methods");
    for (size_t s = 0; s < report->count; s++)
        for (size_t u = 0; u < report->sources[s].unit_count; u++) {
            struct counter counters[COUNTERS] = { 0 };
            char *name = class_name(report->sources[s].units[u]);

            count_unit(report->sources[s].units[u], counters);
            print_row(out, counters, name == NULL ? "?" : name);
            free(name);
        }
    print_row(out, report->counters, "all");
}

/* -- LCOV: the records of geninfo(1) -- */

static void
lcov_methods(const struct source *source, FILE *out)
{
    unsigned found = 0, hit = 0;

    for (int data = 0; data < 2; data++)
        for (size_t u = 0; u < source->unit_count; u++)
            for (uint32_t m = 0; m < source->units[u]->method_count; m++) {
                const struct method *method = &source->units[u]->methods[m];
                struct counter counters[COUNTERS] = { 0 };
                unsigned line = method_line(method);

                count_method(source->units[u], method, counters);
                if (line == 0)
                    continue;
                if (data)
                    fprintf(out, "FNDA:%u,", counters[METHOD].covered);
                else
                    fprintf(out, "FN:%u,", line);
                put_name(out, source->units[u]->name);
                putc('.', out);
                put_name(out, method->name);
                put_name(out, method->descriptor);
                putc('\n', out);
                found += (unsigned)data;
                hit += data ? counters[METHOD].covered : 0;
            }
    fprintf(out, "FNF:%u\nFNH:%u\n", found, hit);
}

/* A block for each branch; `-` for the ways of one that was not reached. */
static void
lcov_branches(const struct source *source, FILE *out)
{
    unsigned block = 0;

    for (size_t u = 0; u < source->unit_count; u++) {
        const struct unit *unit = source->units[u];

        for (uint32_t m = 0; m < unit->method_count; m++)
            for (uint32_t i = 0; i < unit->methods[m].count; i++) {
                const struct item *item = &unit->methods[m].items[i];

                if (item->insns == 0 || item->ways == 0 || item->line == 0)
                    continue;
                for (unsigned w = 0; w < item->ways; w++)
                    fprintf(out, "BRDA:%u,%u,%u,%s\n", item->line, block, w,
                            !unit_bit(unit, item->bit) ? "-"
                            : unit_bit(unit, item->bit + 1 + w) ? "1" : "0");
                block++;
            }
    }
}

void
report_lcov(const struct report *report, FILE *out)
{
    fputs("TN:\n", out);
    for (size_t s = 0; s < report->count; s++) {
        const struct source *source = &report->sources[s];
        const struct counter *counters = source->counters;
        unsigned ways = 0, taken = 0;

        if (source->path != NULL)
            fprintf(out, "SF:%s\n", source->path);
        else {
            fputs("SF:", out);
            put_name(out, source->package);
            fputs(source->package[0] != '\0' ? "/" : "", out);
            put_name(out, source->name);
            putc('\n', out);
        }
        lcov_methods(source, out);
        lcov_branches(source, out);
        for (unsigned n = 1; n <= source->line_count; n++) {
            ways += source->lines[n].ways.covered + source->lines[n].ways.missed;
            taken += source->lines[n].ways.covered;
        }
        fprintf(out, "BRF:%u\nBRH:%u\n", ways, taken);
        for (unsigned n = 1; n <= source->line_count; n++)
            if (source->lines[n].insns.missed + source->lines[n].insns.covered > 0)
                fprintf(out, "DA:%u,%d\n", n, source->lines[n].insns.covered > 0);
        fprintf(out, "LF:%u\nLH:%u\nend_of_record\n",
                counters[LINE].missed + counters[LINE].covered, counters[LINE].covered);
    }
}
