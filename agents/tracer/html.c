/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/html.c -- the page: flame graph, call tree, hot methods, timeline.
 *
 * The page brings its style and its program along (agents/page); what was recorded is
 * JSON in it.  A tree of more nodes than a browser draws at once is cut: calls that are
 * too small a part of the whole become a part of their caller, and the page says so.
 */
#include "agents/tracer/tracer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agents/page/profile.html.h"
#include "agents/page/profile.js.h"
#include "agents/page/style.css.h"

/* Methods are numbered as they come; number_of has the number + 1 by method. */
struct names {
    uint32_t *number_of, capacity, count;
    bool failed;
};

void
html_string(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == '<')
            /* "<" could begin the end of the script. */
            fprintf(stream, "\\u%04x", (unsigned)*text);
        else
            putc(*text, stream);
    putc('"', stream);
}

void
html_begin(FILE *stream, const char *title, const char *about)
{
    fprintf(stream, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>tracer</title>\n<style>\n%s</style>\n</head>\n%s"
            "<script type=\"application/json\" id=\"data\">\n{\"title\":", page_style,
            page_profile);
    html_string(stream, title);
    fputs(",\n\"about\":", stream);
    html_string(stream, about);
}

void
html_end(FILE *stream)
{
    fprintf(stream, "}\n</script>\n<script>\n%s</script>\n</body>\n</html>\n",
            page_profile_js);
}

static uint32_t
number_of(struct names *names, uint32_t method, FILE *stream)
{
    if (method >= names->capacity) {
        uint32_t wanted = method + 1024;
        uint32_t *larger = realloc(names->number_of, wanted * sizeof *larger);

        if (larger == NULL) {
            names->failed = true;
            return 0;
        }
        memset(larger + names->capacity, 0,
               (wanted - names->capacity) * sizeof *larger);
        names->number_of = larger;
        names->capacity = wanted;
    }
    if (names->number_of[method] == 0) {
        if (names->count > 0)
            fputs(",\n", stream);
        html_string(stream, method_name(method));
        names->number_of[method] = ++names->count;
    }
    return names->number_of[method] - 1;
}

static void
write_nodes(FILE *stream, const struct track *track, struct names *names,
            const struct cut *cut)
{
    uint32_t at = track->root, depth = 0, count = 0;

    fputs(",\n\"nodes\":[", stream);
    while ((at = cut_next(cut, at, track->root, &depth)) != 0) {
        const struct node *node = calltree_at(at);

        fprintf(stream, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                count == 0 ? "" : count % 8 == 0 ? ",\n" : ",", depth,
                names->number_of[node->method] - 1, cut_own(cut, node).total,
                node->calls, node->thrown);
        count++;
    }
    putc(']', stream);
}

/* Both lists of a thread end where nothing comes any more. */
static uint64_t
slots_used(const struct timeline *line)
{
    uint64_t count = TIMELINE_SLOTS;

    while (count > 0 && line->busy[count - 1] == 0 && line->rate[count - 1] == 0)
        count--;
    return count;
}

static void
write_slots(FILE *stream, const char *name, const uint64_t *values, uint64_t count)
{
    fprintf(stream, ",\n\"%s\":[", name);
    for (uint64_t i = 0; i < count; i++)
        fprintf(stream, "%s%" PRIu64, i == 0 ? "" : ",", values[i]);
    putc(']', stream);
}

static void
write_threads(FILE *stream, struct names *names, const struct cut *cut, uint64_t width)
{
    bool first = true;

    fputs(",\n\"threads\":[", stream);
    for (struct track *t = NULL; (t = store_next_track(t)) != NULL; first = false) {
        fprintf(stream, "%s\n{\"name\":", first ? "" : ",");
        html_string(stream, t->name);
        write_nodes(stream, t, names, cut);
        if (t->line != NULL) {
            while (t->line->width < width)
                timeline_reach(t->line, t->line->width * TIMELINE_SLOTS);
            write_slots(stream, "busy", t->line->busy, slots_used(t->line));
            write_slots(stream, "rate", t->line->rate, slots_used(t->line));
        }
        putc('}', stream);
    }
    putc(']', stream);
}

/* The widest of the threads' pieces, wide enough for the end. */
static uint64_t
common_width(uint64_t end)
{
    uint64_t width = 1000;

    for (struct track *t = NULL; (t = store_next_track(t)) != NULL; )
        if (t->line != NULL) {
            timeline_reach(t->line, end);
            if (t->line->width > width)
                width = t->line->width;
        }
    return width;
}

bool
html_write(FILE *stream, uint64_t end, uint64_t lost)
{
    bool sampled = config.sample > 0;
    uint64_t width = common_width(end);
    struct cut cut = { 0 };
    struct names names = { 0 };
    char about[256], stands_for[96] = "";

    cut_choose(&cut);
    if (sampled)
        snprintf(stands_for, sizeof stands_for,
                 ", each for about %.1f ms (looked at every %.1f ms)",
                 sampler_interval(end) / 1e6, sampler_look_interval(end) / 1e6);
    snprintf(about, sizeof about, "%" PRIu64 " %s%s, %" PRIu64 " lost, in %.3f s%s",
             store_calls(), sampled ? "samples of threads that ran" : "calls", stands_for,
             lost, (double)end / 1e9,
             cut.least > 1 ? "; what took too little to be seen is a part of its caller" : "");
    html_begin(stream, sampled ? "Profile" : "Trace", about);
    fprintf(stream, ",\n\"unit\":\"%s\",\"rate\":\"%s\",\"end\":%" PRIu64
            ",\"bucket\":%" PRIu64 ",\"columns\":5,\n\"methods\":[\n",
            sampled ? "samples" : "ns", sampled ? "samples" : "calls", end, width);
    for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; ) {
        uint32_t at = t->root, depth = 0;

        while (!names.failed && (at = cut_next(&cut, at, t->root, &depth)) != 0)
            (void)number_of(&names, calltree_at(at)->method, stream);
    }
    putc(']', stream);
    if (names.failed)
        tf_error("out of memory");
    else
        write_threads(stream, &names, &cut, width);
    html_end(stream);
    free(names.number_of);
    return !names.failed;
}
