/* SPDX-License-Identifier: MIT */
/* minivm/base/history.c -- what happened last. */

#include "base/history.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/xlog.h"

enum { EVENTS = 20, TEXT_MAX = 160 };

static struct {
    const char *name, *title;
    size_t count;                  /* ever; the newest EVENTS of them are kept */
    struct {
        double seconds;
        char text[TEXT_MAX];
    } events[EVENTS];
} kinds[HISTORIES] = {
    [HISTORY_COLLECTIONS] = { .name = "gc", .title = "GC Heap History" },
    [HISTORY_LIBRARIES] = { .name = "dll", .title = "Dll operation events" },
    [HISTORY_LOADED] = { .name = "load", .title = "Classes loaded" },
    [HISTORY_UNLOADED] = { .name = "unload", .title = "Classes unloaded" },
    [HISTORY_REDEFINED] = { .name = "redef", .title = "Classes redefined" }
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void
history_add(enum history kind, const char *format, ...)
{
    va_list args;

    pthread_mutex_lock(&mutex);
    size_t at = kinds[kind].count++ % EVENTS;
    kinds[kind].events[at].seconds = log_uptime();
    va_start(args, format);
    vsnprintf(kinds[kind].events[at].text, TEXT_MAX, format, args);
    va_end(args);
    pthread_mutex_unlock(&mutex);
}

static void
print_kind(struct buf *out, size_t kind, size_t max)
{
    size_t count = kinds[kind].count, kept = count < EVENTS ? count : EVENTS;
    size_t shown = kept < max ? kept : max;

    buf_printf(out, "%s (%zu events):\n", kinds[kind].title, kept);
    if (kept == 0)
        buf_append_string(out, "No events\n");
    for (size_t i = kept - shown; i < kept; i++) {
        size_t at = (count - kept + i) % EVENTS;
        buf_printf(out, "Event: %.3f %s\n", kinds[kind].events[at].seconds,
                   kinds[kind].events[at].text);
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
    buf_printf(out, "The name \"%s\" did not match any known event log. Valid event log "
                    "names are:\n", name);
    for (size_t i = 0; i < HISTORIES; i++)
        buf_printf(out, "\"%s\" : %s\n", kinds[i].name, kinds[i].title);
    return false;
}
