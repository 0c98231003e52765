/* SPDX-License-Identifier: MIT */
/* minivm/vm/crash.h -- the report of a fatal error.
 *
 * A signal that nobody handles leads to crash_report, in the thread that it hit.  That
 * writes a summary to standard error and everything to a file, in steps.  Each step may
 * crash or hang in its turn, since it reads what is broken: then it ends there, the
 * report says so, and the next one begins.  Nothing here allocates or takes a lock.
 *
 *     fault.c            signals, alternate signal stacks
 *     crash.c            the ladder of steps, the file, -XX:OnError, the end
 *     crash_frames.c     stacks of C: unwinding, scanning
 *     crash_sections.c   what the report says of threads, the VM and the process */

#ifndef MINIVM_VM_CRASH_H
#define MINIVM_VM_CRASH_H

#include <signal.h>
#include <ucontext.h>

#include "base/report.h"
#include "vm/thread.h"

/* ---- the signal (fault.c, crash.c) ---- */

struct crash {
    int number;                    /* of the signal */
    int code;                      /* si_code */
    int sender;                    /* the process that sent it, or 0 */
    int thread_id;                 /* the kernel's */
    struct thread *self;           /* NULL: the thread is not attached */
    ucontext_t *context;           /* registers where the signal came */
    uintptr_t pc, sp, address;     /* address: of the memory or instruction; 0: none */
    bool has_address;
    bool is_stack_overflow;        /* the C stack is used up */
};

/* Write the report and end the process: by SIGABRT, or with status 1 under
   -XX:-CreateCoredumpOnCrash. */
_Noreturn void crash_report(int number, const siginfo_t *info, void *context);
/* Called for each fault before anything else: if this thread is writing the report, end
   the step that it is at. */
void crash_end_step(int number, const siginfo_t *info, void *context);

/* Run fn(r, c) as a step, which may be inside of another one.  False when it crashed or
   took too long, which the report then says. */
typedef void crash_step(struct report *r, const struct crash *c);
bool crash_try(crash_step *fn, struct report *r, const struct crash *c);

/* A section of upper floors; title is not copied. */
void crash_add_section(const char *title, crash_step *print);

/* ---- stacks of C (crash_frames.c) ---- */

enum { TRACE_NEWEST = 96, TRACE_OLDEST = 24 };

/* The newest frames of a stack and, of a deep one, the oldest. */
struct c_frame {
    uintptr_t pc, sp;
    bool is_exact;                 /* pc is the instruction, not where a call returns */
};

struct ctrace {
    uintptr_t from;                /* the first frame's pc: frames before are ours */
    bool has_begun;
    bool is_whole;                 /* the walk came to the stack's end */
    size_t count;                  /* of frames, also those that are not kept */
    struct c_frame newest[TRACE_NEWEST], oldest[TRACE_OLDEST]; /* a ring */
};

/* Walk the stack of the calling thread, in a signal handler that got context; t is all
   zero.  May crash: t has then what was found before. */
void ctrace_take(struct ctrace *t, ucontext_t *context);
/* All frames that were kept, newest first; the step does not nest. */
void ctrace_print(struct report *r, const struct ctrace *t);
/* Words on the stack from sp on that may be return addresses. */
void ctrace_scan(struct report *r, uintptr_t sp, uintptr_t end);
/* The frame that is i-th from the newest, or NULL. */
const struct c_frame *ctrace_frame(const struct ctrace *t, size_t i);

/* "libagent.so+0x1139: on_entry+0x9", or what else can be said of the address. */
void print_address(struct report *r, uintptr_t address, bool is_exact);
/* The pc and the stack pointer of a context; 0 where the processor is not known. */
uintptr_t context_pc(const ucontext_t *context);
uintptr_t context_sp(const ucontext_t *context);

/* The trace of the thread that crashed. */
extern struct ctrace crash_trace;

/* The stack of another thread of the process, by a signal that it answers; false when
   it does not. */
bool ctrace_ask(struct ctrace *t, int thread_id);
/* What that signal does; context is its. */
void ctrace_answer(void *context);
enum { SIGNAL_TRACE = SIGUSR2 };

/* ---- sections (crash_sections.c) ---- */

crash_step crash_summary, crash_signal, crash_thread, crash_c_frames, crash_java_frames,
    crash_registers, crash_threads, crash_vm, crash_arguments, crash_process,
    crash_memory_map;

#endif
