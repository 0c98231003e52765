/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/crash_frames.c -- stacks of native frames in the report of a
 * crash.
 *
 * The frames are found by the compiler's own unwinder (_Unwind_Backtrace), which reads
 * the tables in the section .eh_frame of each library: foreign libraries seldom keep
 * frame pointers.  It is linked statically, so it is there before anything crashes.  It
 * begins at the signal handler; the frames up to the one that was interrupted are
 * skipped.  Where a library has no tables or the stack is broken, the report shows the
 * words on the stack that look like return addresses.
 *
 * The stack of another thread can only be walked by that thread.  The reporter sends it
 * a signal, whose handler walks and stores the result (native_trace_request).
 */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "base/symbolize.h"
#include "diagnostics/crash.h"

/* It is global because the sections of the report share it and it is too large for the
   signal stack. */
struct native_trace crash_trace;

/* ---- registers ---- */

#if defined(__x86_64__)
#    define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#    define SP(context) (context)->uc_mcontext.gregs[REG_RSP]
#elif defined(__aarch64__)
#    define PC(context) (context)->uc_mcontext.pc
#    define SP(context) (context)->uc_mcontext.sp
#endif

uintptr_t
context_pc(const ucontext_t *context)
{
#ifdef PC
    return (uintptr_t)PC(context);
#else
    (void)context;
    return 0;
#endif
}

uintptr_t
context_sp(const ucontext_t *context)
{
#ifdef SP
    return (uintptr_t)SP(context);
#else
    (void)context;
    return 0;
#endif
}

/* ---- walking ---- */

/* Appends a frame, older than all before it.  Behind the newest ones they go to a ring,
   in which the oldest ones are left at the end. */
static void
add_frame(struct native_trace *t, uintptr_t pc, uintptr_t sp, bool is_exact)
{
    struct native_frame frame = { pc, sp, is_exact };

    if (t->count < TRACE_NEWEST)
        t->newest[t->count] = frame;
    else
        t->oldest[t->count % (TRACE_OLDEST + 1)] = frame;
    t->count++;
}

/* Is called by the unwinder for each frame, the newest first; arg is the struct
   native_trace.  Skips the frames of the signal handler, up to the one whose pc is
   t->from.  _URC_NO_REASON lets the unwinder go on. */
static _Unwind_Reason_Code
on_frame(struct _Unwind_Context *context, void *arg)
{
    struct native_trace *t = arg;
    int is_exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &is_exact);

    if (!t->has_begun && pc != t->from)
        return _URC_NO_REASON;
    t->has_begun = true;
    if (pc == 0)
        return _URC_END_OF_STACK;
    add_frame(t, pc, _Unwind_GetCFA(context), is_exact != 0);
    return _URC_NO_REASON;
}

const struct native_frame *
native_trace_frame(const struct native_trace *t, size_t i)
{
    if (i >= t->count)
        return NULL;
    if (i < TRACE_NEWEST)
        return &t->newest[i];
    return i + TRACE_OLDEST >= t->count ? &t->oldest[i % (TRACE_OLDEST + 1)] : NULL;
}

/* Returns true if the address lies in an executable mapping. */
static bool
is_code(uintptr_t address)
{
    struct symbolized place;

    return symbolize_mapping(address, &place) && place.is_executable;
}

/* Decides whether the walk came to the stack's end.  It did if there are tables for the
   last frame, since then they say that it has no caller; the unwinder also stops at a
   frame without tables.  A last frame that is not in code at all is dropped. */
static void
check_end(struct native_trace *t)
{
    const struct native_frame *last = t->count > 0 ? native_trace_frame(t, t->count - 1)
                                                   : NULL;

    if (!last)
        return;
    if (!is_code(last->pc - !last->is_exact) && t->count > 1)
        t->count--;
    else
        t->is_whole = _Unwind_FindEnclosingFunction((void *)last->pc) != NULL;
}

/*
 * If the thread has jumped to an address where there is no code, adds that as a frame
 * and pretends that the jump had returned: as a rule it was a call, whose return
 * address is on top of the stack.  Returns true if it has changed the registers of the
 * context, which the unwinder begins with; the caller restores them.
 */
static bool
undo_wild_jump(struct native_trace *t, ucontext_t *context)
{
#if defined(__x86_64__)
    uintptr_t pc = context_pc(context), sp = context_sp(context);

    if (is_code(pc))
        return false;
    add_frame(t, pc, sp, true);
    uintptr_t back = *(const uintptr_t *)sp;
    if (!is_code(back - 1))
        return false;
    PC(context) = (greg_t)back;
    SP(context) = (greg_t)(sp + sizeof(uintptr_t));
    return true;
#else
    (void)t;
    (void)context;
    return false;
#endif
}

/* If undo_wild_jump has found a wild jump but no return address there is nothing to
   unwind from.  If it has, frame 0 is the jump's target and frame 1, the first that the
   unwinder finds, is the caller: its pc is a return address, although the unwinder
   takes it for the interrupted instruction (is_exact).  When the unwinder finds no
   frame at all, the trace is the interrupted instruction alone. */
void
native_trace_capture(struct native_trace *t, ucontext_t *context)
{
    uintptr_t pc = context_pc(context), sp = context_sp(context);
    bool is_moved = undo_wild_jump(t, context);

    if (t->count > 0 && !is_moved)
        return;
    t->from = context_pc(context);
    _Unwind_Backtrace(on_frame, t);
    if (is_moved) {
        t->newest[1].is_exact = false;
#ifdef PC
        PC(context) = (__typeof__(PC(context)))pc;
        SP(context) = (__typeof__(SP(context)))sp;
#endif
    }
    if (t->count == 0)
        add_frame(t, pc, sp, true);
    else
        check_end(t);
}

/* ---- printing ---- */

/* If a call is the last instruction of a function, the address to which it returns is
   in the next one; so the byte before such an address is looked up. */
void
print_address(struct report *r, uintptr_t address, bool is_exact)
{
    struct symbolized p;
    uintptr_t back = is_exact ? 0 : 1;

    if (!symbolize(address - back, &p)) {
        report_text(r, "nothing is mapped there");
        return;
    }
    if (p.file[0] == '\0')
        report_text(r, p.is_executable ? "generated code" : "memory without a file");
    else
        report_print(r, "%s+0x%lx", symbolize_library(&p), p.offset + back);
    if (p.symbol[0] != '\0')
        report_print(r, ": %s+0x%lx", p.symbol, p.symbol_offset + back);
    if (!p.is_executable)
        report_text(r, ", which is not executable");
}

static void
print_frame(struct report *r, const struct native_trace *t, size_t i)
{
    const struct native_frame *f = native_trace_frame(t, i);

    if (!f)
        return;
    report_print(r, "#%zu%s 0x%016lx  ", i, i < 10 ? " " : "", f->pc);
    print_address(r, f->pc, f->is_exact);
    report_text(r, "\n");
}

/* The newest frames, the number of those that were not kept, and the oldest ones; when
   all were kept, the second loop begins where the first has ended. */
void
native_trace_print(struct report *r, const struct native_trace *t)
{
    size_t kept = TRACE_NEWEST + TRACE_OLDEST;

    for (size_t i = 0; i < t->count && i < TRACE_NEWEST; i++)
        print_frame(r, t, i);
    if (t->count > kept)
        report_print(r, "... %zu frames are left out\n", t->count - kept);
    size_t i = t->count > kept ? t->count - TRACE_OLDEST : TRACE_NEWEST;
    for (; i < t->count; i++)
        print_frame(r, t, i);
}

/* Returns true if a call instruction may end right before the address: on x86-64 one
   with an offset (E8, 5 bytes) or an indirect one (FF /2, 2 to 7 bytes).  The caller
   has checked that the 8 bytes before the address are mapped.  Where the encoding is
   not known, the result is true. */
static bool
follows_call(uintptr_t address)
{
#if defined(__x86_64__)
    const uint8_t *p = (const uint8_t *)address;

    if (p[-5] == 0xE8)
        return true;
    for (int length = 2; length <= 7; length++)
        if (p[-length] == 0xFF && ((p[1 - length] >> 3) & 7) == 2)
            return true;
    return false;
#else
    (void)address;
    return true;
#endif
}

/* A word is shown if it is neither small nor an address in the stack itself, leads to
   executable memory, and stands behind a call.  The mapping that was found last (code)
   is kept for the next words, as finding one reads /proc/self/maps. */
void
native_trace_scan_stack(struct report *r, uintptr_t sp, uintptr_t end)
{
    enum { MOST = 48, WORDS = 1 << 14 };
    const uintptr_t *at = (const uintptr_t *)(sp & -sizeof(uintptr_t));
    struct symbolized stack, code = { 0 };
    unsigned found = 0;

    if (!symbolize_mapping(sp, &stack) || !stack.is_readable)
        return;
    if (end == 0 || end > stack.end)
        end = stack.end;
    for (unsigned i = 0; i < WORDS && (uintptr_t)(at + 1) <= end && found < MOST;
         i++, at++) {
        uintptr_t word = *at;
        if (word < 4096 || (word >= stack.start && word < stack.end))
            continue;
        if (word - 8 < code.start || word >= code.end)
            if (!symbolize_mapping(word - 8, &code))
                continue;
        if (!code.is_executable || !follows_call(word))
            continue;
        report_print(r, "?  0x%016lx  ", word);
        print_address(r, word, false);
        report_text(r, "\n");
        found++;
    }
}

/* ---- other threads ---- */

/* Where the other thread stores its stack, its number, and whether it is done.  They
   are global because a signal brings no argument to its handler. */
static struct native_trace *_Atomic requested_trace;
static _Atomic int requested_thread;
static _Atomic bool has_responded;

/* Does nothing unless the reporter waits for this very thread, since anybody may send
   the signal. */
void
native_trace_respond(void *context)
{
    struct native_trace *t = atomic_load(&requested_trace);

    if (!t || (int)syscall(SYS_gettid) != atomic_load(&requested_thread))
        return;
    native_trace_capture(t, context);
    atomic_store(&has_responded, true);
}

/* The trace is stored last, since the handler does nothing without one, and taken away
   again when the time is over, so that a handler that starts later does nothing. */
bool
native_trace_request(struct native_trace *t, int thread_id)
{
    const struct timespec millisecond = { .tv_nsec = 1000000 };

    atomic_store(&has_responded, false);
    atomic_store(&requested_thread, thread_id);
    atomic_store(&requested_trace, t);
    if (syscall(SYS_tgkill, getpid(), thread_id, SIGNAL_TRACE) != 0)
        return false;
    for (int tries = 0; tries < 500 && !atomic_load(&has_responded); tries++)
        nanosleep(&millisecond, NULL);
    atomic_store(&requested_trace, NULL);
    atomic_store(&requested_thread, 0);
    return atomic_load(&has_responded);
}
