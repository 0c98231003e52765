/* SPDX-License-Identifier: MIT */
/* minivm/vm/crash_frames.c -- stacks of C in the report of a crash.
 *
 * The frames are found by the compiler's own unwinder, which reads the tables of
 * .eh_frame: foreign libraries seldom keep frame pointers.  It is linked statically, so
 * it is there before anything crashes.  Where the tables end or the stack is broken,
 * words on the stack that look like return addresses are all that is left. */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "base/place.h"
#include "vm/crash.h"

struct ctrace crash_trace;

/* ---- registers ---- */

#if defined(__x86_64__)
#define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
#define SP(context) (context)->uc_mcontext.gregs[REG_RSP]
#elif defined(__aarch64__)
#define PC(context) (context)->uc_mcontext.pc
#define SP(context) (context)->uc_mcontext.sp
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

static void
add_frame(struct ctrace *t, uintptr_t pc, uintptr_t sp, bool is_exact)
{
    struct c_frame frame = { pc, sp, is_exact };

    if (t->count < TRACE_NEWEST)
        t->newest[t->count] = frame;
    else
        t->oldest[t->count % TRACE_OLDEST] = frame;
    t->count++;
}

static _Unwind_Reason_Code
on_frame(struct _Unwind_Context *context, void *arg)
{
    struct ctrace *t = arg;
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

const struct c_frame *
ctrace_frame(const struct ctrace *t, size_t i)
{
    if (i >= t->count)
        return NULL;
    if (i < TRACE_NEWEST)
        return &t->newest[i];
    return i + TRACE_OLDEST >= t->count ? &t->oldest[i % TRACE_OLDEST] : NULL;
}

static bool
is_code(uintptr_t address)
{
    struct place place;

    return place_find(address, &place) && place.is_executable;
}

/* The walk is whole when the tables say that its last frame has no caller; without
   tables for that frame the unwinder stops there, too. */
static void
check_end(struct ctrace *t)
{
    const struct c_frame *last = t->count > 0 ? ctrace_frame(t, t->count - 1) : NULL;

    if (!last)
        return;
    if (!is_code(last->pc - !last->is_exact) && t->count > 1)
        t->count--;
    else
        t->is_whole = _Unwind_FindEnclosingFunction((void *)last->pc) != NULL;
}

/* A wild jump was made by a call, as a rule: the return address is on the stack.  The
   unwinder reads the registers of the context, which stays as the kernel made it. */
static bool
leave_wild_place(struct ctrace *t, ucontext_t *context)
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

void
ctrace_take(struct ctrace *t, ucontext_t *context)
{
    uintptr_t pc = context_pc(context), sp = context_sp(context);
    bool is_moved = leave_wild_place(t, context);

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

void
print_address(struct report *r, uintptr_t address, bool is_exact)
{
    struct place p;
    uintptr_t back = is_exact ? 0 : 1;

    if (!place_find_symbol(address - back, &p)) {
        report_text(r, "nothing is mapped there");
        return;
    }
    if (p.file[0] == '\0')
        report_text(r, p.is_executable ? "generated code" : "memory without a file");
    else
        report_print(r, "%s+0x%lx", place_library(&p), p.offset + back);
    if (p.symbol[0] != '\0')
        report_print(r, ": %s+0x%lx", p.symbol, p.symbol_offset + back);
    if (!p.is_executable)
        report_text(r, ", which is not executable");
}

static void
print_frame(struct report *r, const struct ctrace *t, size_t i)
{
    const struct c_frame *f = ctrace_frame(t, i);

    if (!f)
        return;
    report_print(r, "#%zu%s 0x%016lx  ", i, i < 10 ? " " : "", f->pc);
    print_address(r, f->pc, f->is_exact);
    report_text(r, "\n");
}

void
ctrace_print(struct report *r, const struct ctrace *t)
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

/* Does a call end before address? */
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

void
ctrace_scan(struct report *r, uintptr_t sp, uintptr_t end)
{
    enum { MOST = 48, WORDS = 1 << 14 };
    const uintptr_t *at = (const uintptr_t *)(sp & -sizeof(uintptr_t));
    struct place stack, code = { 0 };
    unsigned found = 0;

    if (!place_find(sp, &stack) || !stack.is_readable)
        return;
    if (end == 0 || end > stack.end)
        end = stack.end;
    for (unsigned i = 0; i < WORDS && (uintptr_t)(at + 1) <= end && found < MOST;
         i++, at++) {
        uintptr_t word = *at;
        if (word < 4096 || (word >= stack.start && word < stack.end))
            continue;
        if (word - 8 < code.start || word >= code.end)
            if (!place_find(word - 8, &code))
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

static struct ctrace *_Atomic question;
static _Atomic int asked;              /* who is to answer */
static _Atomic bool is_answered;

void
ctrace_answer(void *context)
{
    struct ctrace *t = atomic_load(&question);

    if (!t || (int)syscall(SYS_gettid) != atomic_load(&asked))
        return;
    ctrace_take(t, context);
    atomic_store(&is_answered, true);
}

bool
ctrace_ask(struct ctrace *t, int thread_id)
{
    const struct timespec millisecond = { .tv_nsec = 1000000 };

    atomic_store(&is_answered, false);
    atomic_store(&asked, thread_id);
    atomic_store(&question, t);
    if (syscall(SYS_tgkill, getpid(), thread_id, SIGNAL_TRACE) != 0)
        return false;
    for (int tries = 0; tries < 500 && !atomic_load(&is_answered); tries++)
        nanosleep(&millisecond, NULL);
    atomic_store(&question, NULL);
    atomic_store(&asked, 0);
    return atomic_load(&is_answered);
}
