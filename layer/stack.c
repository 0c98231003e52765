/* SPDX-License-Identifier: MIT */
/*
 * layer/stack.c -- where in the agent's code something happened.
 *
 * Stacks are taken as addresses, which is quick, and turned into names when they are
 * written.  The C stack ends where the unwinder finds no tables: in compiled Java code.
 */
#include "layer/stack.h"

#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "minivm/base/symbolize.h"

/* The layer's own code is between these. */
static uintptr_t own_start, own_end;

void
stack_start(void)
{
    struct symbolized s;
    void *frames[4];

    backtrace(frames, 4);
    if (symbolize_mapping((uintptr_t)stack_start, &s)) {
        own_start = s.start;
        own_end = s.end;
    }
}

void
stack_take(struct stack *stack)
{
    void *frames[STACK_FRAMES + 8];
    int count = backtrace(frames, STACK_FRAMES + 8), i = 0;

    while (i < count && (uintptr_t)frames[i] >= own_start
           && (uintptr_t)frames[i] < own_end)
        i++;
    stack->count = 0;
    while (i < count && stack->count < STACK_FRAMES)
        stack->frames[stack->count++] = (uintptr_t)frames[i++];
}

/* Of this thread: the last stacks, by the caller. */
#define RECENT 64
static __thread struct {
    const void *caller, *place;
    struct stack stack;
} recent[RECENT];

void
stack_take_at(struct stack *stack, const void *caller, const void *place)
{
    size_t i = ((uintptr_t)caller ^ (uintptr_t)caller >> 6) % RECENT;

    if (recent[i].caller != caller || recent[i].place != place) {
        stack_take(&recent[i].stack);
        recent[i].caller = caller;
        recent[i].place = place;
    }
    *stack = recent[i].stack;
}

bool
stack_is_own(uintptr_t frame)
{
    return frame >= own_start && frame < own_end;
}

bool
stack_frame_any(uintptr_t frame, struct frame_text *text)
{
    struct symbolized s;

    /* A return address may be that of the next function: the call is before it. */
    if (frame == 0 || !symbolize(frame - 1, &s) || s.file[0] != '/')
        return false;
    snprintf(text->function, sizeof text->function, "%s", s.symbol);
    snprintf(text->library, sizeof text->library, "%s", symbolize_library(&s));
    if (s.symbol[0] != '\0')
        snprintf(text->text, sizeof text->text, "%s+0x%lx (%s+0x%lx)", s.symbol,
                 (unsigned long)s.symbol_offset + 1, text->library,
                 (unsigned long)s.offset + 1);
    else
        snprintf(text->text, sizeof text->text, "%s+0x%lx", text->library,
                 (unsigned long)s.offset + 1);
    return true;
}

bool
stack_frame(uintptr_t frame, struct frame_text *text)
{
    return !stack_is_own(frame) && stack_frame_any(frame, text)
        && strncmp(text->library, "libjvm.so", 9) != 0;
}
