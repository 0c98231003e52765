/* SPDX-License-Identifier: MIT */
/* minivm/base/history.c -- what happened last. */

#include "base/history.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/xlog.h"

enum { EVENTS = 20, TEXT_MAX = 160 };

/* A ring of the newest EVENTS events for each kind, and the number of events ever.  It
   is global because there is one VM in a process, and events are reported before it is
   made. */
static struct {
    const char *name, *title;
    size_t count;
    struct event {
        double seconds;
        /* If what is NULL, the text; otherwise those of history_add_name. */
        char text[TEXT_MAX];
        const char *what;
        const void *address;
        const struct symbol *name;
    } events[EVENTS];
} kinds[HISTORIES] = {
    [HISTORY_COLLECTIONS] = { .name = "gc", .title = "GC Heap History" },
    [HISTORY_LIBRARIES] = { .name = "dll", .title = "Dll operation events" },
    [HISTORY_LOADED] = { .name = "load", .title = "Classes loaded" },
    [HISTORY_UNLOADED] = { .name = "unload", .title = "Classes unloaded" },
    [HISTORY_REDEFINED] = { .name = "redef", .title = "Classes redefined" }
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Returns the place of the oldest event, for the next one.  The caller holds the
   mutex. */
static struct event *
next_event(enum history kind)
{
    struct event *e = &kinds[kind].events[kinds[kind].count++ % EVENTS];

    e->seconds = log_uptime();
    e->what = NULL;
    return e;
}

void
history_add(enum history kind, const char *format, ...)
{
    va_list args;

    pthread_mutex_lock(&mutex);
    va_start(args, format);
    vsnprintf(next_event(kind)->text, TEXT_MAX, format, args);
    va_end(args);
    pthread_mutex_unlock(&mutex);
}

void
history_add_name(enum history kind, const char *what, const void *address,
                 const struct symbol *name)
{
    struct event *e;

    pthread_mutex_lock(&mutex);
    e = next_event(kind);
    e->what = what;
    e->address = address;
    e->name = name;
    pthread_mutex_unlock(&mutex);
}

/* Makes the text of e, if it has none yet. */
static void
write_text(struct event *e)
{
    if (!e->what)
        return;
    if (e->address)
        snprintf(e->text, TEXT_MAX, "%s %p '%s'", e->what, e->address, e->name->bytes);
    else
        snprintf(e->text, TEXT_MAX, "%s %s", e->what, e->name->bytes);
    e->what = NULL;
}

/* Appends the newest events of a kind, at most max, the oldest of them first.  The
   caller holds the mutex. */
static void
print_kind(struct buf *out, size_t kind, size_t max)
{
    size_t count = kinds[kind].count, kept = count < EVENTS ? count : EVENTS;
    size_t shown = kept < max ? kept : max;

    buf_printf(out, "%s (%zu events):\n", kinds[kind].title, kept);
    if (kept == 0)
        buf_append_string(out, "No events\n");
    for (size_t i = kept - shown; i < kept; i++) {
        struct event *e = &kinds[kind].events[(count - kept + i) % EVENTS];

        write_text(e);
        buf_printf(out, "Event: %.3f %s\n", e->seconds, e->text);
    }
    if (shown < kept)
        buf_append_string(out, "...(skipped)\n");
    buf_append_string(out, "\n");
}

bool
history_print(struct buf *out, const char *name, size_t max)
{
    bool found = false;

    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < HISTORIES; i++)
        if (!name || !strcmp(name, kinds[i].name)) {
            print_kind(out, i, max);
            found = true;
        }
    pthread_mutex_unlock(&mutex);
    if (found)
        return true;
    buf_printf(out,
               "The name \"%s\" did not match any known event log. Valid event log "
               "names are:\n",
               name);
    for (size_t i = 0; i < HISTORIES; i++)
        buf_printf(out, "\"%s\" : %s\n", kinds[i].name, kinds[i].title);
    return false;
}
