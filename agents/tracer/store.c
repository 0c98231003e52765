/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/store.c -- threads, and their calls: as sums in a tree, or as events in
 * a file that has no name, so that nothing is left of it however the process ends.
 *
 * The file holds runs of events of one thread each; a thread's runs are a list.  What
 * would go beyond the limit is counted instead; ends of calls that are kept are, too.
 */
#include "agents/tracer/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096 };          /* records */
enum { MIN_TRACKS = 256, MAX_LINES = 8192 };    /* with any limit; with timelines */

struct run {
    uint64_t first;             /* record */
    uint32_t count, next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All under lock. */
static struct track **tracks;
static uint32_t track_count, track_capacity;
static uint32_t first_track = 1;        /* the number of tracks[0] */
static uint64_t calls, lost;

static int events = -1;
static struct record chunk[CHUNK];
static uint32_t chunk_count;
static uint64_t written;        /* records before those in chunk */
static bool broken;             /* no more can be written */
static struct run *runs;        /* from 1 */
static uint32_t run_count, run_capacity;

void
store_lock(void)
{
    pthread_mutex_lock(&lock);
}

void
store_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static bool
keeps_events(void)
{
    return config.format == FORMAT_CHROME || config.format == FORMAT_SPEEDSCOPE;
}

/* Where the result goes there had better be room; else where temporary files go. */
static char *
events_folder(void)
{
    const char *slash = strrchr(config.file, '/');
    const char *folder = getenv("TMPDIR");

    if (strcmp(config.file, "-") == 0 || strncmp(config.file, "/dev/", 5) == 0)
        return strdup(folder != NULL && *folder != '\0' ? folder : "/tmp");
    if (slash == NULL)
        return strdup(".");
    if (slash == config.file)
        slash++;
    return strndup(config.file, (size_t)(slash - config.file));
}

static int
open_unnamed(const char *folder)
{
    char *name = NULL;
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || asprintf(&name, "%s/tracer-XXXXXX", folder) < 0)
        return fd;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

bool
store_open(void)
{
    char *folder;

    chunk_count = run_count = 0;
    written = calls = lost = 0;
    broken = false;
    if (!keeps_events())
        return true;
    folder = events_folder();
    events = folder == NULL ? -1 : open_unnamed(folder);
    if (events < 0)
        tf_error("cannot keep events in \"%s\": %s", folder == NULL ? "" : folder,
                 strerror(errno));
    free(folder);
    return events >= 0;
}

void
store_close(void)
{
    for (uint32_t i = 0; i < track_count; i++) {
        free(tracks[i]->name);
        free(tracks[i]->open);
        free(tracks[i]->line);
        free(tracks[i]);
    }
    first_track += track_count;
    track_count = 0;
    free(runs);
    runs = NULL;
    run_capacity = 0;
    if (events >= 0)
        close(events);
    events = -1;
    calltree_free();
}

uint64_t
store_calls(void)
{
    return calls;
}

uint64_t
store_lost(void)
{
    return lost;
}

/* -- threads -- */

uint32_t
store_new_track(char *name)
{
    struct track *track = calloc(1, sizeof *track);
    bool room;

    store_lock();
    /* Virtual threads can be so many that the tracks alone are much. */
    room = track_count < MIN_TRACKS
        || track_count * (sizeof *track + 64) < (uint64_t)config.limit;
    if (track != NULL && track_count == track_capacity) {
        uint32_t wanted = track_capacity == 0 ? 64 : track_capacity * 2;
        struct track **larger = realloc(tracks, wanted * sizeof *larger);

        if (larger != NULL) {
            tracks = larger;
            track_capacity = wanted;
        }
    }
    if (track == NULL || name == NULL || !room || track_count == track_capacity) {
        store_unlock();
        free(track);
        free(name);
        return 0;
    }
    track->number = first_track + track_count;
    track->name = name;
    /* Without the memory there is no timeline of this thread. */
    if (config.format == FORMAT_HTML && track_count < MAX_LINES)
        track->line = calloc(1, sizeof *track->line);
    tracks[track_count++] = track;
    store_unlock();
    return track->number;
}

/* NULL for one of an earlier session. */
static struct track *
track_of(uint32_t number)
{
    return number - first_track < track_count ? tracks[number - first_track] : NULL;
}

void
store_end_track(uint32_t number, char *name)
{
    struct track *track;

    store_lock();
    track = track_of(number);
    if (track != NULL && name != NULL) {
        free(track->name);
        track->name = name;
    } else
        free(name);
    /* A platform thread's last records may still be in its buffer. */
    if (track != NULL && track->depth == 0) {
        free(track->open);
        track->open = NULL;
        track->open_capacity = 0;
    }
    store_unlock();
}

struct track *
store_next_track(const struct track *track)
{
    uint32_t i = track == NULL ? 0 : track->number - first_track + 1;

    while (i < track_count && tracks[i]->calls == 0)
        i++;
    return i < track_count ? tracks[i] : NULL;
}

/* -- events -- */

/* Write what is in the chunk.  If that fails its calls are lost after all. */
static bool
flush(void)
{
    const char *bytes = (const char *)chunk;
    size_t left = chunk_count * sizeof *chunk;
    off_t at = (off_t)(written * sizeof *chunk);

    while (left > 0 && !broken) {
        ssize_t done = pwrite(events, bytes, left, at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            tf_error("cannot keep more events: %s", strerror(errno));
            broken = true;
            break;
        }
        bytes += done;
        left -= (size_t)done;
        at += done;
    }
    if (!broken)
        written += chunk_count;
    else
        for (uint32_t i = 0; i < chunk_count; i++)
            if ((chunk[i].what & 3) == ENTER) {
                lost++;
                calls--;
                track_of(chunk[i].track)->calls--;
            }
    chunk_count = 0;
    return !broken;
}

static bool
add_run(struct track *track)
{
    if (run_count + 1 >= run_capacity) {
        uint32_t wanted = run_capacity == 0 ? 256 : run_capacity * 2;
        struct run *larger = realloc(runs, wanted * sizeof *larger);

        if (larger == NULL)
            return false;
        runs = larger;
        run_capacity = wanted;
    }
    runs[++run_count] = (struct run){ .first = written + chunk_count };
    if (track->last_run != 0)
        runs[track->last_run].next = run_count;
    else
        track->first_run = run_count;
    track->last_run = run_count;
    return true;
}

static bool
keep_event(struct track *track, const struct record *record)
{
    uint64_t bytes = (written + chunk_count + 1) * sizeof *record
        + run_count * sizeof *runs;

    if (broken || ((record->what & 3) == ENTER && bytes > (uint64_t)config.limit)
        || (chunk_count == CHUNK && !flush()))
        return false;
    if ((run_count == 0 || track->last_run != run_count
         || runs[run_count].count == UINT32_MAX) && !add_run(track))
        return false;
    runs[run_count].count++;
    chunk[chunk_count++] = *record;
    return true;
}

void
store_flush(void)
{
    if (chunk_count > 0)
        flush();
}

/* -- sums -- */

static bool
keep_in_tree(struct track *track, const struct record *record)
{
    struct open_call *call;
    uint32_t node;

    if (track->depth == track->open_capacity) {
        uint32_t wanted = track->open_capacity == 0 ? 64 : track->open_capacity * 2;
        struct open_call *larger = realloc(track->open, wanted * sizeof *larger);

        if (larger == NULL)
            return false;
        track->open = larger;
        track->open_capacity = wanted;
    }
    if (track->root == 0)
        track->root = calltree_node(0, TREE_ROOT);
    node = track->depth > 0 ? track->open[track->depth - 1].node : track->root;
    node = node == 0 ? 0 : calltree_node(node, record->what / 4);
    if (node == 0)
        return false;
    calltree_at(node)->calls++;
    call = &track->open[track->depth];
    *call = (struct open_call){ node, record->time };
    return true;
}

static void
leave_in_tree(const struct open_call *call, const struct record *record)
{
    struct node *node = calltree_at(call->node);

    node->total += record->time - call->since;
    node->thrown += (record->what & 3) == LEAVE_THROWN;
}

/*
 * What is called by a call that is not kept is not either: it would seem to be called
 * by another.
 */
void
store_add(const struct record *record)
{
    struct track *track = track_of(record->track);

    if (track == NULL)
        return;
    if ((record->what & 3) == ENTER) {
        if (track->dropped > 0 || !(keeps_events() ? keep_event(track, record)
                                    : keep_in_tree(track, record))) {
            track->dropped++;
            lost++;
            return;
        }
        track->calls++;
        if (track->depth++ == 0)
            track->since = record->time;
        if (track->line != NULL)
            timeline_begin(track->line, record->time);
        calls++;
    } else if (track->dropped > 0)
        track->dropped--;
    else if (track->depth > 0) {
        track->depth--;
        if (keeps_events())
            keep_event(track, record);
        else
            leave_in_tree(&track->open[track->depth], record);
        if (track->depth == 0 && track->line != NULL)
            timeline_busy(track->line, track->since, record->time);
    }
}

uint32_t
store_root(uint32_t number)
{
    struct track *track;
    uint32_t root = 0;

    store_lock();
    track = track_of(number);
    if (track != NULL && track->root == 0)
        track->root = calltree_node(0, TREE_ROOT);
    if (track != NULL)
        root = track->root;
    store_unlock();
    return root;
}

/* The tree has samples where it has nanoseconds otherwise. */
void
store_add_samples(uint32_t number, uint32_t node, uint64_t count, uint64_t time)
{
    struct track *track;

    store_lock();
    track = track_of(number);
    if (track != NULL && node != 0) {
        calltree_at(node)->calls += count;
        calltree_at(node)->total += count;
        track->calls += count;
        calls += count;
        if (track->line != NULL) {
            uint64_t before = count * (uint64_t)config.sample;
            uint64_t from = time > before ? time - before : 0;

            timeline_begin(track->line, time);
            timeline_busy(track->line, from, time);
        }
    } else
        lost += count;
    store_unlock();
}

/* -- replay -- */

struct stack {
    uint32_t *methods;
    uint32_t depth, capacity;
};

static bool
play(struct stack *stack, const struct record *record, store_visitor *visit,
     void *argument)
{
    uint32_t method = record->what / 4;
    enum kind kind = record->what & 3;

    if (kind != ENTER)
        stack->depth--;
    else {
        if (stack->depth == stack->capacity) {
            uint32_t wanted = stack->capacity == 0 ? 64 : stack->capacity * 2;
            uint32_t *larger = realloc(stack->methods, wanted * sizeof *larger);

            if (larger == NULL) {
                tf_error("out of memory");
                return false;
            }
            stack->methods = larger;
            stack->capacity = wanted;
        }
        stack->methods[stack->depth++] = method;
    }
    visit(argument, kind, method, record->time);
    return true;
}

static bool
play_run(struct stack *stack, const struct run *run, store_visitor *visit,
         void *argument)
{
    struct record records[256];
    uint64_t at = run->first, end = run->first + run->count;

    if (end > written)
        end = written;          /* the disk was full */
    while (at < end) {
        size_t count = end - at < 256 ? end - at : 256;
        ssize_t got = pread(events, records, count * sizeof *records,
                            (off_t)(at * sizeof *records));

        if (got < (ssize_t)sizeof *records) {
            tf_error("cannot read the events again: %s",
                     got < 0 ? strerror(errno) : "they end early");
            return false;
        }
        count = (size_t)got / sizeof *records;
        for (size_t i = 0; i < count; i++)
            if (!play(stack, &records[i], visit, argument))
                return false;
        at += count;
    }
    return true;
}

bool
store_replay(const struct track *track, uint64_t end, store_visitor *visit,
             void *argument)
{
    struct stack stack = { 0 };
    bool good = true;

    for (uint32_t run = track->first_run; run != 0 && good; run = runs[run].next)
        good = play_run(&stack, &runs[run], visit, argument);
    while (stack.depth > 0)
        visit(argument, LEAVE_OPEN, stack.methods[--stack.depth], end);
    free(stack.methods);
    return good;
}
