/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/crash.h -- the report of a fatal error.
 *
 * A signal that nobody handles leads to crash_report, in the thread that it hit.  That
 * writes a summary to standard error and everything it can find out to a file.
 *
 * The process is broken at that point: the heap, a lock or the stack may be in any
 * state.  So the code of the report obeys these rules:
 *
 *   - It allocates nothing and takes no lock.  Its storage is static or on the stack,
 *     and it calls the kernel and functions that are safe in a signal handler
 *     (base/report.h, base/symbolize.h).
 *   - It runs on the thread's alternate signal stack (fault.h), so an overflow of the
 *     thread's own stack can be reported.
 *   - It works in steps.  A step may crash in its turn, as it reads what is broken, or
 *     hang.  A signal or a timer then ends that step: the report says so, and goes on
 *     with the next one.
 *   - All other threads go on running; those that crash, too, wait for the end.
 *
 *     fault.c            the signals, alternate signal stacks
 *     crash.c            the steps, the file, -XX:OnError, the end of the process
 *     crash_frames.c     stacks of native frames: unwinding, scanning
 *     crash_describe.c   how signals, threads, Java frames and calls are named
 *     crash_sections.c   the sections of the report
 *
 * Functions that print write to r and may crash where they are said to be steps or are
 * called by one.
 */

#ifndef MINIVM_DIAGNOSTICS_CRASH_H
#define MINIVM_DIAGNOSTICS_CRASH_H

#include <signal.h>
#include <ucontext.h>

#include "base/report.h"
#include "threads/downcall.h"
#include "threads/thread.h"

/* ---- the report (crash.c) ---- */

/* What is reported. */
struct crash {
    /* The signal and its si_code (sigaction(2)). */
    int number;
    int code;
    /* The process that sent the signal, or 0. */
    int sender;
    /* The kernel's number of the thread. */
    int thread_id;
    /* NULL: the thread is not attached to the VM. */
    struct thread *self;
    /* The registers at the instruction that the signal interrupted. */
    ucontext_t *context;
    uintptr_t pc, sp;
    /* The address of the memory or the instruction that the signal is about, if it has
       one; else 0. */
    uintptr_t address;
    bool has_address;
    /* The C stack of the thread is used up. */
    bool is_stack_overflow;
};

/* Writes the report and ends the process: by SIGABRT, or with status 1 under
   -XX:-CreateCoredumpOnCrash.  The arguments are those of a signal handler. */
_Noreturn void crash_report(int number, const siginfo_t *info, void *context);

/* To be called before the process ends for another reason.  Does not return if a crash is
   being reported, which ends it. */
void crash_await_end(void);

/* To be called for each signal of a fatal error before anything else.  Returns unless
   this thread is writing the report: then the step that it is at ends here, or the
   process if it is at none. */
void crash_abandon_step(int number, const siginfo_t *info, void *context);

/* A part of the report. */
typedef void crash_step(struct report *r, const struct crash *c);

/* Runs step(r, c), which may happen inside of another step.  Returns false when it
   crashed or took too long, which has then been said in the report. */
bool crash_run_step(crash_step *step, struct report *r, const struct crash *c);

/* Adds a section that an upper floor prints (a second time: nothing).  The title is not
   copied.  There is room for a few. */
void crash_add_section(const char *title, crash_step *print);

/* ---- stacks of native frames (crash_frames.c) ---- */

/* How many frames of a deep stack are kept. */
enum { TRACE_NEWEST = 96, TRACE_OLDEST = 24 };

struct native_frame {
    /* sp is the canonical frame address: the caller's sp. */
    uintptr_t pc, sp;
    /* pc is the address of the instruction that was interrupted; if false, the address
       to which a call returns. */
    bool is_exact;
};

/* The newest frames of a stack and, of a deep one, the oldest. */
struct native_trace {
    /* The pc of the frame to begin with; newer frames belong to the signal handler. */
    uintptr_t from;
    bool has_begun;
    /* The walk has come to the stack's end. */
    bool is_whole;
    /* The number of frames, also of those that are not kept. */
    size_t count;
    /* Frame i is newest[i] or, from TRACE_NEWEST on, oldest[i % (TRACE_OLDEST + 1)]: the
       ring has room for one more than is shown, since the very last one may be dropped
       when the walk has ended. */
    struct native_frame newest[TRACE_NEWEST], oldest[TRACE_OLDEST + 1];
};

/* The native frames of the thread that crashed. */
extern struct native_trace crash_trace;

/* Walks the stack of the calling thread, in a signal handler that got context; t is all
   zero.  May crash; t has then what was found before. */
void native_trace_capture(struct native_trace *t, ucontext_t *context);

/* Prints all frames that were kept, newest first. */
void native_trace_print(struct report *r, const struct native_trace *t);

/* Prints the words on the stack, from sp to end (0: to the end of the mapping), that
   may be return addresses. */
void native_trace_scan_stack(struct report *r, uintptr_t sp, uintptr_t end);

/* Returns the frame that is i-th from the newest, or NULL if it was not kept. */
const struct native_frame *native_trace_frame(const struct native_trace *t, size_t i);

/* Walks the stack of another thread of the process: sends it SIGNAL_TRACE and waits up
   to half a second for its handler to call native_trace_respond.  Returns false when it
   does not; *t may still change then, if the handler comes late, so it must stay
   valid.  Only the reporter calls this. */
bool native_trace_request(struct native_trace *t, int thread_id);

/* Is called by the handler of SIGNAL_TRACE, with its context. */
void native_trace_respond(void *context);
enum { SIGNAL_TRACE = SIGUSR2 };

/* Prints "libagent.so+0x1139: on_entry+0x9", or what else can be said of the address.
   is_exact is that of struct native_frame. */
void print_address(struct report *r, uintptr_t address, bool is_exact);

/* Returns a register of a context; 0 where the processor is not known. */
uintptr_t context_pc(const ucontext_t *context);
uintptr_t context_sp(const ucontext_t *context);

/* ---- names of things (crash_describe.c); all may crash ---- */

/* "SIGSEGV", and what it means. */
const char *signal_name(int number);
const char *signal_meaning(int number);
/* Prints "SEGV_MAPERR: nothing is mapped at the address": why the signal came. */
void print_signal_code(struct report *r, const struct crash *c);

/* Prints the thread's name in quotes: the Java thread's, or the kernel's when t is NULL
   or has none yet. */
void print_thread_name(struct report *r, const struct thread *t, int thread_id);
/* Returns "in Object.wait", "running foreign code" and the like. */
const char *thread_state_name(const struct thread *t);

/* Prints "java.lang.String". */
void print_class_name(struct report *r, const struct class *c);
/* Prints "java.lang.String.length(String.java:1505)". */
void print_java_frame(struct report *r, const struct frame *f);
/* Prints a line for each Java frame, at most `most` of them, as far as the stack is not
   broken. */
void print_java_stack(struct report *r, const struct thread *t, unsigned most);
/* Returns true if f lies on t's Java stack, aligned, and older than the frame newer
   (NULL: any), so that it can be read. */
bool is_on_java_stack(const struct thread *t, const struct frame *f,
                      const struct frame *newer);

/* Returns true if the address lies in the library that the VM is in. */
struct symbolized;
bool is_in_vm(const struct symbolized *s);

/* Prints "JVM TI GetStackTrace, called by libagent.so+…" and returns true if frame i of
   t is a function of an interface that foreign code called; else false. */
bool print_interface_function(struct report *r, const struct native_trace *t, size_t i);
/* Looks for the crash within a function of JNI, JVM TI or the JVM_ interface: the
   newest such function that foreign code called and that has not called foreign code
   itself since.  Prints it as print_interface_function does and returns true; else
   prints nothing and returns false. */
bool print_crashed_interface_function(struct report *r, const struct crash *c);

/* Prints "JVM TI event VMInit of libagent.so+…: on_init+0x0": which function of an
   agent the VM has called. */
void print_agent_call(struct report *r, const struct agent_call *call);
/* Returns the address on t's C stack where the VM last called foreign code, or 0. */
uintptr_t last_foreign_call(const struct thread *t);

/* Prints "live phase, at a safepoint: …". */
void print_vm_state(struct report *r);

/* ---- sections (crash_sections.c) ---- */

crash_step crash_summary, crash_signal, crash_thread, crash_c_frames, crash_java_frames,
    crash_registers, crash_threads, crash_vm, crash_arguments, crash_process,
    crash_memory_map;

#endif
