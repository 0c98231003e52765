/* SPDX-License-Identifier: MIT */
/*
 * layer/stack.c -- where in the agent's code something happened.
 *
 * Stacks are taken as addresses, which is quick, and turned into names when they are
 * written.  The C stack ends where the unwinder finds no tables: in compiled Java code.
 */
#include "layer/stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

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

/* Of this thread: the last stacks, by the caller.  An agent's function that only calls on,
   as wrappers do, has the same return address and often the same place for different
   callers, so all return addresses are compared, at the places where they were found. */
#define RECENT 64
static __thread struct recent {
    const void *caller, *place;
    struct stack stack;
    uintptr_t slots[STACK_FRAMES];      /* 0: not known */
} recent[RECENT];

/* Where a frame's return address is: on x86-64 below the end of the frame that it
   returns from. */
#ifdef __x86_64__
#define SLOT sizeof(void *)
#else
#define SLOT 0
#endif

static _Unwind_Reason_Code
take_frame(struct _Unwind_Context *context, void *data)
{
    struct recent *r = data;
    uintptr_t frame = _Unwind_GetIP(context), slot = _Unwind_GetCFA(context) - SLOT;

    if (frame == 0)
        return _URC_END_OF_STACK;
    if (r->stack.count == 0 && stack_is_own(frame))
        return _URC_NO_REASON;
    r->slots[r->stack.count] = SLOT != 0 && *(uintptr_t *)slot == frame ? slot : 0;
    r->stack.frames[r->stack.count++] = frame;
    return r->stack.count < STACK_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static bool
is_same_stack(const struct recent *r, const void *caller, const void *place)
{
    if (r->caller != caller || r->place != place)
        return false;
    for (int i = 0; i < r->stack.count; i++)
        if (r->slots[i] != 0 && *(uintptr_t *)r->slots[i] != r->stack.frames[i])
            return false;
    return true;
}

void
stack_take_at(struct stack *stack, const void *caller, const void *place)
{
    struct recent *r = &recent[((uintptr_t)caller ^ (uintptr_t)caller >> 6) % RECENT];

    if (!is_same_stack(r, caller, place)) {
        r->caller = caller;
        r->place = place;
        r->stack.count = 0;
        _Unwind_Backtrace(take_frame, r);
    }
    *stack = r->stack;
}

uintptr_t
stack_place_frame(const struct stack *stack, int n)
{
    for (int i = 0; i <= n; i++)
        if (i >= stack->count || stack_is_own(stack->frames[i]))
            return 0;
    return stack->frames[n];
}

bool
stack_is_same_place(const struct stack *a, const struct stack *b)
{
    for (int i = 0; i < PLACE_FRAMES; i++)
        if (stack_place_frame(a, i) != stack_place_frame(b, i))
            return false;
    return true;
}

/* ---- variables in the stack ---- */

/* The frame that has an address lies between the ends of the frame it has called and of
   its own.  For a frame the unwinder tells where the one that it has called ends. */
struct search {
    uintptr_t address, end;
    uintptr_t before;
    int count;
};

static _Unwind_Reason_Code
visit(struct _Unwind_Context *context, void *data)
{
    struct search *search = data;
    uintptr_t start = _Unwind_GetCFA(context);

    if (search->before != 0 && search->address >= search->before
        && search->address < start) {
        search->end = start;
        return _URC_NORMAL_STOP;
    }
    search->before = start;
    return ++search->count < 64 ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

/* What is between a frame's variables and its end: on x86-64 the return address. */
#ifdef __x86_64__
#define AT_END sizeof(void *)
#else
#define AT_END 0
#endif

size_t
stack_room(const void *address, size_t least)
{
    /* Where this was asked last, so that a loop does not walk the stack each time. */
    static __thread struct { uintptr_t address, here, caller; size_t room; } last;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    struct search search = { .address = (uintptr_t)address };

    if (search.address <= here || search.address - here > 1u << 20)
        return 0;
    if (last.address == search.address && last.here == here && last.caller == caller
        && last.room >= least)
        return last.room;
    _Unwind_Backtrace(visit, &search);
    last.address = search.address;
    last.here = here;
    last.caller = caller;
    last.room = search.end > search.address + AT_END
        ? search.end - search.address - AT_END : 0;
    return last.room;
}

bool
stack_is_own(uintptr_t frame)
{
    return frame >= own_start && frame < own_end;
}

/* Only the runtime of C++ reads its names.  An agent in C++ mostly brings it. */
static char *
demangle(const char *symbol)
{
    static char *(*read_name)(const char *, char *, size_t *, int *);
    void *runtime;
    int status;

    if (read_name == NULL) {
        runtime = dlopen("libstdc++.so.6", RTLD_LAZY);
        if (runtime == NULL)
            return NULL;
        *(void **)&read_name = dlsym(runtime, "__cxa_demangle");
    }
    return read_name != NULL ? read_name(symbol, NULL, NULL, &status) : NULL;
}

/* Where the list of parameters of a name of C++ begins, or its end. */
static size_t
before_parameters(const char *name)
{
    const char *at = strrchr(name, ')');
    int depth = 0;

    for (; at != NULL && at > name; at--) {
        depth += *at == ')' ? 1 : *at == '(' ? -1 : 0;
        if (depth == 0)
            return (size_t)(at - name);
    }
    return strlen(name);
}

/* Of a name of C++ what it says, without its parameters. */
static void
put_function(const char *symbol, struct frame_text *text)
{
    char *name = strncmp(symbol, "_Z", 2) == 0 ? demangle(symbol) : NULL;

    if (name != NULL)
        snprintf(text->function, sizeof text->function, "%.*s",
                 (int)before_parameters(name), name);
    else
        snprintf(text->function, sizeof text->function, "%s", symbol);
    free(name);
}

bool
stack_frame_any(uintptr_t frame, struct frame_text *text)
{
    struct symbolized s;

    /* A return address may be that of the next function: the call is before it. */
    if (frame == 0 || !symbolize(frame - 1, &s) || s.file[0] != '/')
        return false;
    text->file[0] = '\0';
    text->line = 0;
    put_function(s.symbol, text);
    snprintf(text->library, sizeof text->library, "%s", symbolize_library(&s));
    if (s.symbol[0] != '\0')
        snprintf(text->text, sizeof text->text, "%s+0x%lx (%s+0x%lx)", text->function,
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
