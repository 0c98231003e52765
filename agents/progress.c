/* SPDX-License-Identifier: MIT */
/*
 * agents/progress.c -- how far a long work is, on standard error.
 *
 * On a terminal one line changes, and goes in the end; work that is done within a moment
 * shows none.  In a file or a pipe, where it has to be asked for, lines stand below each
 * other, so there are few.
 */
#include "agents/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double FIRST_AFTER = 0.5, NEXT_AFTER = 0.1;    /* seconds */

static double
seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void
progress_begin(struct progress *progress, const char *agent, int mode)
{
    const char *term = getenv("TERM");

    *progress = (struct progress){ .agent = agent };
    progress->terminal = isatty(STDERR_FILENO) && term != NULL
        && strcmp(term, "dumb") != 0;
    progress->wanted = mode == PROGRESS_YES
        || (mode == PROGRESS_AUTO && progress->terminal);
    progress->last = seconds_now() + FIRST_AFTER - NEXT_AFTER;
}

void
progress_tell(struct progress *progress, const char *what, uint64_t done, uint64_t whole)
{
    unsigned percent = whole == 0 ? 0
        : done >= whole ? 100 : (unsigned)(100 * ((double)done / (double)whole));
    char text[32] = "";

    if (!progress->wanted)
        return;
    if (whole != 0)
        snprintf(text, sizeof text, ": %u %%", percent);
    if (progress->terminal) {
        double now = seconds_now();

        if (now - progress->last < NEXT_AFTER)
            return;
        progress->last = now;
        progress->shown = true;
        fprintf(stderr, "\r%s: %s%s\033[K", progress->agent, what, text);
        fflush(stderr);
    } else if (progress->what != what || progress->tenths != percent / 10) {
        progress->what = what;
        progress->tenths = percent / 10;
        fprintf(stderr, "%s: %s%s\n", progress->agent, what, text);
    }
}

void
progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

void
progress_wrote(const char *agent, int mode, const char *path)
{
    if (mode != PROGRESS_NO && strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0)
        fprintf(stderr, "%s: wrote %s\n", agent, path);
}
