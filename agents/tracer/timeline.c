/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/timeline.c -- when a thread was in traced calls, and how many began.
 *
 * The time since the start is cut into TIMELINE_SLOTS pieces of the same width.  How
 * long a session lasts is not known, so the width begins with a microsecond and doubles
 * whenever a time lies behind the last piece; two neighbours become one then.
 */
#include "agents/tracer/tracer.h"

#include <string.h>

static void
widen(struct timeline *line)
{
    for (uint32_t i = 0; i < TIMELINE_SLOTS / 2; i++) {
        line->busy[i] = line->busy[2 * i] + line->busy[2 * i + 1];
        line->rate[i] = line->rate[2 * i] + line->rate[2 * i + 1];
    }
    memset(line->busy + TIMELINE_SLOTS / 2, 0, sizeof line->busy / 2);
    memset(line->rate + TIMELINE_SLOTS / 2, 0, sizeof line->rate / 2);
    line->width *= 2;
}

void
timeline_reach(struct timeline *line, uint64_t time)
{
    if (line->width == 0)
        line->width = 1000;
    while (time / line->width >= TIMELINE_SLOTS)
        widen(line);
}

void
timeline_begin(struct timeline *line, uint64_t time)
{
    timeline_reach(line, time);
    line->rate[time / line->width]++;
}

void
timeline_busy(struct timeline *line, uint64_t from, uint64_t to)
{
    timeline_reach(line, to);
    while (from < to) {
        uint64_t slot = from / line->width, end = (slot + 1) * line->width;

        if (end > to)
            end = to;
        line->busy[slot] += end - from;
        from = end;
    }
}
