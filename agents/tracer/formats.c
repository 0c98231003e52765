/* SPDX-License-Identifier: MIT */
/* agents/tracer/formats.c -- the results. */
#include "agents/tracer/tracer.h"

#include <inttypes.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct writer {
    FILE *stream;
    struct tf_json json;
    uint64_t end;               /* nanoseconds after the start */
    uint64_t lost;
    uint32_t threads;
    const struct track *track;
    struct progress progress;
    uint64_t done, whole;       /* events and calls that are written, and that will be */
};

/* Told once for so many. */
enum { PROGRESS_EVENTS = 1 << 16 };

static void
wrote_one(struct writer *w)
{
    if (++w->done % PROGRESS_EVENTS == 0 || w->done == w->whole)
        progress_tell(&w->progress, "writing the calls", w->done, w->whole);
}

/* -- Chrome: "Trace Event Format", the JSON object form -- */

static void
chrome_begin(struct writer *w, const char *phase, const char *name)
{
    tf_json_open_object(&w->json, NULL);
    tf_json_string(&w->json, "ph", phase);
    tf_json_string(&w->json, "name", name);
    tf_json_number(&w->json, "pid", getpid());
    tf_json_number(&w->json, "tid", w->track->number);
}

static void
chrome_flag(struct writer *w, const char *key)
{
    tf_json_open_object(&w->json, "args");
    tf_json_bool(&w->json, key, true);
    tf_json_close(&w->json);
}

/* Times are microseconds there. */
static void
chrome_event(void *argument, enum kind kind, uint32_t method, uint64_t time)
{
    struct writer *w = argument;

    chrome_begin(w, kind == ENTER ? "B" : "E", method_name(method));
    tf_json_decimal(&w->json, "ts", (int64_t)time, 3);
    if (kind == LEAVE_THROWN)
        chrome_flag(w, "exception");
    else if (kind == LEAVE_OPEN)
        chrome_flag(w, "open");
    tf_json_close(&w->json);
    putc('\n', w->stream);
    wrote_one(w);
}

static bool
write_chrome(struct writer *w)
{
    bool good = true;

    tf_json_open_object(&w->json, NULL);
    tf_json_string(&w->json, "displayTimeUnit", "ns");
    tf_json_open_object(&w->json, "otherData");
    tf_json_string(&w->json, "exporter", "tiforge tracer");
    tf_json_number(&w->json, "calls", (int64_t)store_calls());
    tf_json_number(&w->json, "lost", (int64_t)w->lost);
    tf_json_number(&w->json, "threads", w->threads);
    tf_json_close(&w->json);
    tf_json_open_array(&w->json, "traceEvents");
    while (good && (w->track = store_next_track(w->track)) != NULL) {
        chrome_begin(w, "M", "thread_name");
        tf_json_open_object(&w->json, "args");
        tf_json_string(&w->json, "name", w->track->name);
        tf_json_close(&w->json);
        tf_json_close(&w->json);
        putc('\n', w->stream);
        good = store_replay(w->track, w->end, chrome_event, w);
    }
    tf_json_close(&w->json);
    tf_json_close(&w->json);
    return good;
}

/* -- speedscope: its file format 0.0.1, "evented" profiles -- */

/* Frames are numbered as they come; frame_of has the number + 1 by method. */
struct frames {
    struct tf_json *json;
    uint32_t *frame_of, capacity, count;
    bool failed;
};

static void
number_frame(void *argument, enum kind kind, uint32_t method, uint64_t time)
{
    struct frames *frames = argument;

    (void)time;
    if (kind != ENTER || frames->failed)
        return;
    if (method >= frames->capacity) {
        uint32_t wanted = method + 1024;
        uint32_t *larger = realloc(frames->frame_of, wanted * sizeof *larger);

        if (larger == NULL) {
            frames->failed = true;
            return;
        }
        memset(larger + frames->capacity, 0,
               (wanted - frames->capacity) * sizeof *larger);
        frames->frame_of = larger;
        frames->capacity = wanted;
    }
    if (frames->frame_of[method] != 0)
        return;
    frames->frame_of[method] = ++frames->count;
    tf_json_open_object(frames->json, NULL);
    tf_json_string(frames->json, "name", method_name(method));
    tf_json_close(frames->json);
}

struct speedscope {
    struct writer *writer;
    struct frames frames;
};

static void
speedscope_event(void *argument, enum kind kind, uint32_t method, uint64_t time)
{
    struct speedscope *s = argument;
    struct tf_json *json = &s->writer->json;

    tf_json_open_object(json, NULL);
    tf_json_string(json, "type", kind == ENTER ? "O" : "C");
    tf_json_number(json, "frame", s->frames.frame_of[method] - 1);
    tf_json_number(json, "at", (int64_t)time);
    tf_json_close(json);
    putc('\n', s->writer->stream);
    wrote_one(s->writer);
}

static bool
write_profiles(struct writer *w, struct speedscope *s)
{
    bool good = true;

    while (good && (w->track = store_next_track(w->track)) != NULL) {
        tf_json_open_object(&w->json, NULL);
        tf_json_string(&w->json, "type", "evented");
        tf_json_string(&w->json, "name", w->track->name);
        tf_json_string(&w->json, "unit", "nanoseconds");
        tf_json_number(&w->json, "startValue", 0);
        tf_json_number(&w->json, "endValue", (int64_t)w->end);
        tf_json_open_array(&w->json, "events");
        good = store_replay(w->track, w->end, speedscope_event, s);
        tf_json_close(&w->json);
        tf_json_close(&w->json);
    }
    return good;
}

/* The format has no place for numbers of its own, but the file has a name. */
static bool
write_speedscope(struct writer *w)
{
    struct speedscope s = { .writer = w, .frames = { .json = &w->json } };
    bool good = true;
    char name[128];

    snprintf(name, sizeof name,
             "%" PRIu64 " calls, %" PRIu64 " lost, %" PRIu32 " threads", store_calls(),
             w->lost, w->threads);
    tf_json_open_object(&w->json, NULL);
    tf_json_string(&w->json, "$schema",
                   "https://www.speedscope.app/file-format-schema.json");
    tf_json_string(&w->json, "exporter", "tiforge tracer");
    tf_json_string(&w->json, "name", name);
    tf_json_open_object(&w->json, "shared");
    tf_json_open_array(&w->json, "frames");
    for (const struct track *t = NULL; good && (t = store_next_track(t)) != NULL; )
        good = store_replay(t, w->end, number_frame, &s.frames);
    tf_json_close(&w->json);
    tf_json_close(&w->json);
    if (s.frames.failed) {
        tf_error("out of memory");
        good = false;
    }
    tf_json_open_array(&w->json, "profiles");
    good = good && write_profiles(w, &s);
    tf_json_close(&w->json);
    tf_json_close(&w->json);
    free(s.frames.frame_of);
    return good;
}

/* -- sums -- */

/* Count the time of calls that are open, for as long as this is written. */
static void
count_open(uint64_t end, bool take_back)
{
    for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; )
        for (uint32_t i = 0; i < t->depth; i++) {
            uint64_t time = end - t->open[i].since;

            calltree_at(t->open[i].node)->total += take_back ? 0 - time : time;
        }
}

/* The path up to a call: `ends` has its length by depth, the thread's name for 0. */
struct path {
    struct tf_buffer text;
    size_t *ends;
    uint32_t capacity;
};

static void
path_add(struct path *path, uint32_t depth, const char *name)
{
    if (depth >= path->capacity) {
        uint32_t wanted = depth * 2 + 64;
        size_t *larger = realloc(path->ends, wanted * sizeof *larger);

        if (larger == NULL) {
            path->text.failed = true;
            return;
        }
        path->ends = larger;
        path->capacity = wanted;
    }
    path->text.length = depth == 0 ? 0 : path->ends[depth - 1];
    if (depth > 0)
        tf_buffer_text(&path->text, ";");
    tf_buffer_text(&path->text, name);
    if (depth == 0)
        for (size_t i = 0; i < path->text.length; i++)
            if (path->text.bytes[i] == ';')
                path->text.bytes[i] = ',';
    path->ends[depth] = path->text.length;
}

/*
 * Collapsed stacks: "thread;outer;inner VALUE", a line for each path.  What was lost is
 * a stack of its own, of no weight in time, and so are the paths, if calls are deep,
 * that would make the file larger than the limit.
 */
static bool
write_collapsed(struct writer *w)
{
    uint64_t bytes = 0, beyond = 0, stacks = 0;
    struct path path = { 0 };
    bool good;

    if (w->lost > 0)
        fprintf(w->stream, "[%" PRIu64 " calls lost] %" PRIu64 "\n", w->lost,
                config.value == VALUE_CALLS ? w->lost : 0);
    while (!path.text.failed && (w->track = store_next_track(w->track)) != NULL) {
        uint32_t root = w->track->root, at = root, depth = 0;

        path_add(&path, 0, w->track->name);
        while (!path.text.failed && (at = calltree_next(at, root, &depth)) != 0) {
            const struct node *node = calltree_at(at);
            uint64_t value = config.value == VALUE_CALLS && config.sample == 0
                ? node->calls : calltree_own(node);

            path_add(&path, depth, method_name(node->method));
            /* Most calls of samples only call others; their paths would be most of the
               file, and of the time that it takes. */
            if (value == 0 && config.sample > 0)
                continue;
            if (bytes + path.text.length <= (uint64_t)config.limit)
                bytes += (uint64_t)fprintf(w->stream, "%s %" PRIu64 "\n",
                                           tf_buffer_string(&path.text), value);
            else {
                beyond += value;
                stacks++;
            }
        }
    }
    if (stacks > 0) {
        fprintf(w->stream, "[%" PRIu64 " stacks beyond the limit] %" PRIu64 "\n", stacks,
                beyond);
        tf_warning("%" PRIu64 " stacks are put together: a larger limit has room for them, "
                   "a smaller depth needs less", stacks);
    }
    good = !path.text.failed;
    if (!good)
        tf_error("out of memory");
    free(path.ends);
    tf_buffer_release(&path.text);
    return good;
}

static bool
write_text(struct writer *w)
{
    return text_write(w->stream, w->end, w->lost, w->threads);
}

static bool
write_html(struct writer *w)
{
    return html_write(w->stream, w->end, w->lost);
}

bool
formats_write(uint64_t end)
{
    static bool (*const writers[])(struct writer *) = {
        [FORMAT_CHROME] = write_chrome, [FORMAT_SPEEDSCOPE] = write_speedscope,
        [FORMAT_COLLAPSED] = write_collapsed, [FORMAT_TREE] = write_text,
        [FORMAT_HTML] = write_html
    };
    struct writer w = { .end = end };
    struct tf_output *output = tf_output_open(config.file);
    bool sums = config.format != FORMAT_CHROME && config.format != FORMAT_SPEEDSCOPE;
    bool good;

    if (output == NULL)
        return false;
    w.stream = tf_output_stream(output);
    /* Nobody else writes there, and locking for each character takes half the time. */
    if (w.stream != stdout)
        __fsetlocking(w.stream, FSETLOCKING_BYCALLER);
    tf_json_init(&w.json, w.stream);
    for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; ) {
        w.threads++;
        w.whole += 2 * t->calls;
    }
    w.lost = recorder_lost() + store_lost();
    if (config.sample > 0)
        calltree_add_up();
    else if (sums)
        count_open(end, false);
    progress_begin(&w.progress, "tracer", config.progress);
    good = writers[config.format](&w);
    progress_end(&w.progress);
    if (config.sample > 0)
        calltree_take_apart();
    else if (sums)
        count_open(end, true);
    if (!good) {
        tf_output_discard(output);
        return false;
    }
    good = tf_output_commit(output);
    if (good)
        progress_wrote("tracer", config.progress, config.file);
    return good;
}
