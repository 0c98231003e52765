/* SPDX-License-Identifier: MIT */
/* minivm/vm/crash_sections.c -- what the report of a crash says. */

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "base/place.h"
#include "vm/crash.h"
#include "vm/refs.h"
#include "vm/safepoint.h"
#include "vm/string.h"
#include "vm/vm.h"

/* ---- the signal ---- */

static const struct {
    int number;
    const char *name, *means;
} signals[] = {
    { SIGSEGV, "SIGSEGV", "an access to memory that is not there or not allowed" },
    { SIGBUS, "SIGBUS", "an access beyond the end of a mapped file, or a misaligned"
                         " one" },
    { SIGFPE, "SIGFPE", "an arithmetic error" },
    { SIGILL, "SIGILL", "an instruction that the processor does not have" },
    { SIGABRT, "SIGABRT", "abort" },
    { SIGTRAP, "SIGTRAP", "a breakpoint without a debugger" },
    { SIGSYS, "SIGSYS", "a system call that is not allowed" }
};

static const struct {
    int number, code;
    const char *name, *means;
} codes[] = {
    { SIGSEGV, SEGV_MAPERR, "SEGV_MAPERR", "nothing is mapped at the address" },
    { SIGSEGV, SEGV_ACCERR, "SEGV_ACCERR", "the mapping does not allow the access" },
    { SIGBUS, BUS_ADRALN, "BUS_ADRALN", "the address is not aligned" },
    { SIGBUS, BUS_ADRERR, "BUS_ADRERR", "the file does not reach to the address" },
    { SIGBUS, BUS_OBJERR, "BUS_OBJERR", "the device failed" },
    { SIGFPE, FPE_INTDIV, "FPE_INTDIV", "an integer was divided by zero" },
    { SIGFPE, FPE_INTOVF, "FPE_INTOVF", "an integer overflowed" },
    { SIGFPE, FPE_FLTDIV, "FPE_FLTDIV", "a floating-point number was divided by zero" },
    { SIGFPE, FPE_FLTOVF, "FPE_FLTOVF", "a floating-point number overflowed" },
    { SIGFPE, FPE_FLTUND, "FPE_FLTUND", "a floating-point number underflowed" },
    { SIGFPE, FPE_FLTINV, "FPE_FLTINV", "a floating-point operation was invalid" },
    { SIGILL, ILL_ILLOPC, "ILL_ILLOPC", "the instruction is illegal" },
    { SIGILL, ILL_ILLOPN, "ILL_ILLOPN", "the operand is illegal" },
    { SIGILL, ILL_PRVOPC, "ILL_PRVOPC", "the instruction is privileged" },
};

static const char *
signal_name(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "signal";
}

static const char *
signal_meaning(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].means;
    return "";
}

/* "SEGV_MAPERR: nothing is mapped at the address" */
static void
print_code(struct report *r, const struct crash *c)
{
    if (c->is_stack_overflow) {
        report_text(r, "stack overflow: the C stack of the thread is used up");
        return;
    }
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].number == c->number && codes[i].code == c->code) {
            report_print(r, "%s: %s", codes[i].name, codes[i].means);
            return;
        }
    if (c->sender == getpid() && c->number == SIGABRT)
        report_text(r, "abort() was called");
    else if (c->sender == getpid())
        report_text(r, "the process sent it to itself");
    else if (c->sender != 0)
        report_print(r, "sent by process %d", c->sender);
    else if (c->code == SI_KERNEL)
        report_text(r, "SI_KERNEL: a pointer that is no address, or a privileged "
                       "instruction");
    else
        report_print(r, "code %d", c->code);
}

void
crash_signal(struct report *r, const struct crash *c)
{
    struct place p;

    report_print(r, "signal:  %s (%d), %s\n", signal_name(c->number), c->number,
                 signal_meaning(c->number));
    report_text(r, "reason:  ");
    print_code(r, c);
    report_text(r, "\n");
    if (fatal_message()[0] != '\0')
        report_print(r, "message: %s\n", fatal_message());
    if (c->has_address) {
        report_print(r, "address: 0x%016lx, ", c->address);
        if (!place_find(c->address, &p))
            report_text(r, "where nothing is mapped");
        else
            report_print(r, "in a mapping of %s with %s%s%saccess",
                         p.file[0] != '\0' ? p.file : "memory",
                         p.is_readable ? "read " : "no ", p.is_writable ? "write " : "",
                         p.is_executable ? "execute " : "");
        report_text(r, "\n");
    }
    report_print(r, "pc:      0x%016lx, ", c->pc);
    print_address(r, c->pc, true);
    if (place_find(c->pc, &p) && p.is_executable) {
        report_text(r, "\ncode:    ");
        for (uintptr_t at = c->pc; at < c->pc + 16 && at < p.end; at++)
            report_print(r, "%02x ", *(const uint8_t *)at);
        report_text(r, "at pc");
    }
    report_text(r, "\n");
}

/* ---- names ---- */

static void
print_string(struct report *r, const struct object *s)
{
    int32_t length = string_length(s);

    for (int32_t i = 0; i < length && i < 256; i++)
        report_char(r, string_char_at(s, i));
}

/* "main", or what the kernel calls it. */
static void
print_thread_name(struct report *r, const struct thread *t, int thread_id)
{
    const struct object *name = NULL;
    char path[64], comm[32];
    ssize_t n = -1;

    if (t && t->object)
        name = REF_FIELD(the_vm, t->object, Thread_name);
    report_text(r, "\"");
    if (name) {
        print_string(r, name);
    } else {
        report_format(path, sizeof path, "/proc/self/task/%d/comm", thread_id);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            n = read(fd, comm, sizeof comm);
            close(fd);
        }
        if (n > 0)
            report_bytes(r, comm, (size_t)n - (comm[n - 1] == '\n'));
    }
    report_text(r, "\"");
}

static const char *
state_name(const struct thread *t)
{
    static const char *const waits[] = {
        [WAIT_MONITOR_ENTER] = "waiting to enter a monitor",
        [WAIT_OBJECT] = "in Object.wait", [WAIT_OBJECT_TIMED] = "in Object.wait",
        [WAIT_PARK] = "parked", [WAIT_PARK_TIMED] = "parked", [WAIT_SLEEP] = "sleeping",
        [WAIT_RAW_MONITOR] = "waiting for a raw monitor",
        [WAIT_CLASS_INIT] = "waiting for the initialization of a class"
    };
    uint32_t wait = t->wait, state = t->run_state;

    if (wait != WAIT_NONE && wait <= WAIT_CLASS_INIT)
        return waits[wait];
    switch (state) {
    case THREAD_IN_NATIVE: return "running foreign code";
    case THREAD_IN_VM: return "running in the VM";
    default: return "blocked in the VM";
    }
}

/* ---- Java frames ---- */

static void
print_class_name(struct report *r, const struct class *c)
{
    const char *name = c->name->bytes;
    const char *plus = c->flags & CLASS_IS_HIDDEN ? strrchr(name, '+') : NULL;

    for (const char *p = name; *p; p++)
        report_bytes(r, p == plus ? "/" : *p == '/' ? "." : p, 1);
}

static void
print_java_frame(struct report *r, const struct frame *f)
{
    const struct code *code = f->code;
    const struct symbol *source = code->pool ? code->pool->file->source_file : NULL;
    bool is_native = frame_is_native(f);
    int32_t line = is_native ? -1 : code_line(code, frame_bci(f));

    print_class_name(r, code->method->class);
    report_print(r, ".%s(%s", code->method->name->bytes,
                 is_native ? "Native Method"
                 : source  ? source->bytes : "Unknown Source");
    if (!is_native && source && line >= 0)
        report_print(r, ":%d", line);
    report_text(r, ")");
}

/* Is f a place on t's stack, below newer? */
static bool
is_on_stack(const struct thread *t, const struct frame *f, const struct frame *newer)
{
    const void *low = t->stack, *high = newer ? (const void *)newer : t->stack_end;

    return (const void *)f >= low && (const void *)f < high && (uintptr_t)f % 8 == 0;
}

static void
print_java_stack(struct report *r, const struct thread *t, unsigned most)
{
    const struct frame *newer = NULL, *f = t->top;
    unsigned count = 0;

    for (; f && is_on_stack(t, f, newer); newer = f, f = f->caller) {
        if (frame_is_entry(f) || count++ >= most)
            continue;
        report_text(r, "  at ");
        print_java_frame(r, f);
        report_text(r, "\n");
    }
    if (count > most)
        report_print(r, "  ... %u frames are left out\n", count - most);
    if (f)
        report_text(r, "  [the stack is broken here]\n");
}

void
crash_java_frames(struct report *r, const struct crash *c)
{
    if (!c->self || !c->self->top)
        report_text(r, "The thread runs no Java method.\n");
    else
        print_java_stack(r, c->self, 256);
}

/* ---- which function of an interface runs, and for which event ---- */

/* The entry points of JVM TI and JNI are known by what their symbols begin with. */
static const struct {
    const char *prefix, *interface;
} entries[] = {
    { "entry_", "JVM TI" }, { "jni_", "JNI" }, { "checked_", "JNI" }, { "JVM_", "JVM_" }
};

/* The library that the VM is in. */
static bool
is_ours(const struct place *p)
{
    static struct place own;

    if (own.file[0] == '\0')
        place_find((uintptr_t)&crash_report, &own);
    return strcmp(own.file, p->file) == 0;
}

/* "JVM TI GetStackTrace", at the i-th frame; false when that is no entry point, whose
   caller is foreign. */
static bool
print_entry(struct report *r, const struct ctrace *t, size_t i)
{
    const struct c_frame *f = ctrace_frame(t, i), *caller = ctrace_frame(t, i + 1);
    struct place p, called_from;

    if (!f || !place_find_symbol(f->pc - !f->is_exact, &p) || !is_ours(&p))
        return false;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
        size_t length = strlen(entries[k].prefix);
        if (strncmp(p.symbol, entries[k].prefix, length) != 0)
            continue;
        if (!caller || !place_find(caller->pc - 1, &called_from)
            || is_ours(&called_from))
            return false;
        report_print(r, "%s%s%.*s", entries[k].interface,
                     entries[k].interface[3] == '_' ? "" : " ",
                     (int)strcspn(p.symbol + length, "."), p.symbol + length);
        report_text(r, ", called by ");
        print_address(r, caller->pc, false);
        return true;
    }
    return false;
}

/* Where on the C stack the VM last left for foreign code, or 0. */
static uintptr_t
last_leave(const struct thread *t)
{
    uintptr_t out = t ? (uintptr_t)t->outcall : 0;
    uintptr_t native = t ? (uintptr_t)t->natives : 0;

    return out == 0 || (native != 0 && native < out) ? native : out;
}

/* The entry point that the crash is inside of: it has called no foreign code since. */
static bool
print_function(struct report *r, const struct crash *c)
{
    uintptr_t leave = last_leave(c->self);

    for (size_t i = 0; i < crash_trace.count; i++) {
        const struct c_frame *f = ctrace_frame(&crash_trace, i);
        if (!f || (leave != 0 && f->sp > leave))
            return false;
        if (print_entry(r, &crash_trace, i))
            return true;
    }
    return false;
}

static void
print_outcall(struct report *r, const struct outcall *call)
{
    bool is_event = strncmp(call->what, "Agent_", 6) != 0;

    report_print(r, "%s%s of ", is_event ? "JVM TI event " : "", call->what);
    print_address(r, (uintptr_t)call->function, true);
}

static bool
print_event(struct report *r, const struct crash *c)
{
    if (!c->self || !c->self->outcall)
        return false;
    print_outcall(r, c->self->outcall);
    return true;
}

static const char *
phase_name(const struct vm *vm)
{
    static const char *const names[] = {
        [VM_PHASE_ONLOAD] = "starting, OnLoad phase",
        [VM_PHASE_PRIMORDIAL] = "starting, primordial phase",
        [VM_PHASE_EARLY_START] = "starting, early start phase",
        [VM_PHASE_START] = "starting, start phase", [VM_PHASE_LIVE] = "live phase",
        [VM_PHASE_DEAD] = "ended"
    };
    uint32_t phase = vm->phase;

    return phase <= VM_PHASE_DEAD ? names[phase] : "unknown phase";
}

/* "live phase, collecting garbage" */
static void
print_vm_state(struct report *r)
{
    const struct thread *owner;
    const char *reason;

    if (!the_vm) {
        report_text(r, "there is none");
        return;
    }
    report_text(r, phase_name(the_vm));
    reason = the_vm->safepoint ? world_stop_reason(the_vm, &owner) : NULL;
    if (reason)
        report_print(r, ", %s: %s, by thread %d",
                     world_is_stopped(the_vm) ? "at a safepoint"
                                              : "threads are being stopped",
                     reason, owner->native_id);
}

/* ---- the summary ---- */

/* A line that ends early does not take the next ones with it. */
static void
print_line(struct report *r, const struct crash *c, crash_step *step)
{
    crash_try(step, r, c);
}

static void
summary_error(struct report *r, const struct crash *c)
{
    report_print(r, "#\n# minivm met a fatal error: %s (%d), ", signal_name(c->number),
                 c->number);
    print_code(r, c);
    if (c->has_address)
        report_print(r, ", 0x%016lx", c->address);
    report_text(r, "\n#\n");
    if (fatal_message()[0] != '\0')
        report_print(r, "#  message   %s\n", fatal_message());
}

static void
summary_place(struct report *r, const struct crash *c)
{
    report_text(r, "#  place     ");
    print_address(r, c->pc, true);
    report_print(r, " (pc 0x%016lx)\n", c->pc);
}

/* The libraries that crash when their callers are at fault. */
static bool
is_middle(const struct place *p)
{
    static const char *const names[] = {
        "libc.so", "libc-", "libffi.so", "ld-linux", "libstdc++.so", "libm.so",
        "libpthread", "[vdso]"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(place_library(p), names[i], strlen(names[i])) == 0)
            return true;
    return is_ours(p);
}

/* The place is no foreign function's: the newest frame that is says more. */
static void
summary_caller(struct report *r, const struct crash *c)
{
    struct place p;

    if (place_find(c->pc, &p) && p.is_executable && !is_middle(&p))
        return;
    for (size_t i = 1; i < crash_trace.count; i++) {
        const struct c_frame *f = ctrace_frame(&crash_trace, i);
        if (!f || !place_find(f->pc - !f->is_exact, &p))
            return;
        if (is_middle(&p))
            continue;
        report_text(r, "#  under     ");
        print_address(r, f->pc, f->is_exact);
        report_text(r, "\n");
        return;
    }
}

static void
summary_event(struct report *r, const struct crash *c)
{
    if (!c->self || !c->self->outcall)
        return;
    report_text(r, "#  event     ");
    print_event(r, c);
    report_text(r, "\n");
}

static void
summary_function(struct report *r, const struct crash *c)
{
    static struct report line;

    line.fd = -1;
    line.used = 0;
    if (print_function(&line, c))
        report_print(r, "#  function  %.*s\n", (int)line.used, line.buffer);
}

static void
summary_java(struct report *r, const struct crash *c)
{
    const struct frame *f = c->self ? c->self->top : NULL;

    while (f && is_on_stack(c->self, f, NULL) && frame_is_entry(f))
        f = f->caller;
    if (!f || !is_on_stack(c->self, f, NULL))
        return;
    report_text(r, "#  Java      ");
    print_java_frame(r, f);
    report_text(r, "\n");
}

static void
summary_thread(struct report *r, const struct crash *c)
{
    report_text(r, "#  thread    ");
    print_thread_name(r, c->self, c->thread_id);
    report_print(r, ", id %d%s\n", c->thread_id,
                 c->self ? "" : ", not attached to the VM");
}

static void
summary_vm(struct report *r, const struct crash *c)
{
    (void)c;
    report_text(r, "#  VM        ");
    print_vm_state(r);
    report_print(r, ", process %d\n#\n", (int)getpid());
}

void
crash_summary(struct report *r, const struct crash *c)
{
    static crash_step *const lines[] = {
        summary_error, summary_place, summary_caller, summary_event, summary_function,
        summary_java, summary_thread, summary_vm
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        print_line(r, c, lines[i]);
}

/* ---- the thread ---- */

void
crash_thread(struct report *r, const struct crash *c)
{
    const struct thread *t = c->self;

    report_text(r, "name:      ");
    print_thread_name(r, t, c->thread_id);
    report_print(r, "\nid:        %d\n", c->thread_id);
    report_print(r, "sp:        0x%016lx\n", c->sp);
    if (!t) {
        report_text(r, "The thread is not attached to the VM.\n");
        return;
    }
    report_print(r, "state:     %s%s%s%s\n", state_name(t),
                 t->is_daemon ? ", daemon" : "", t->is_agent_thread ? ", agent thread" : "",
                 t->is_attached_by_jni ? ", attached by JNI" : "");
    report_print(r, "C stack:   0x%016lx to 0x%016lx\n", (uintptr_t)t->c_stack_low,
                 (uintptr_t)t->c_stack_high);
    report_print(r, "Java stack: 0x%016lx to 0x%016lx\n", (uintptr_t)t->stack,
                 (uintptr_t)t->stack_end);
    if (t->exception) {
        report_text(r, "exception: ");
        print_class_name(r, object_class(t->exception));
        report_text(r, " is pending\n");
    }
    for (const struct outcall *call = t->outcall; call; call = call->older) {
        report_text(r, "event:     ");
        print_outcall(r, call);
        report_text(r, "\n");
    }
    for (size_t i = 0; i < crash_trace.count; i++) {
        static struct report line;
        line.fd = -1;
        line.used = 0;
        if (print_entry(&line, &crash_trace, i))
            report_print(r, "function:  %.*s\n", (int)line.used, line.buffer);
    }
}

/* ---- C frames ---- */

void
crash_c_frames(struct report *r, const struct crash *c)
{
    uintptr_t sp = c->sp, high = c->self ? (uintptr_t)c->self->c_stack_high : 0;
    struct place p;

    ctrace_print(r, &crash_trace);
    if (crash_trace.is_whole)
        return;
    report_text(r, "\nThe stack is broken here, or has a function without unwind "
                   "tables.\nWords on the stack that may be return addresses:\n\n");
    if (crash_trace.count > 0) {
        const struct c_frame *last = ctrace_frame(&crash_trace, crash_trace.count - 1);
        if (last && last->sp > sp)
            sp = last->sp;
    }
    /* A pointer that points nowhere: from where the VM called foreign code. */
    if (!place_find(sp, &p) || (high != 0 && sp > high))
        sp = last_leave(c->self);
    ctrace_scan(r, sp, high);
}

/* ---- registers ---- */

#if defined(__x86_64__)
static const struct {
    const char *name;
    int number;
} registers[] = {
    { "rax", REG_RAX }, { "rbx", REG_RBX }, { "rcx", REG_RCX }, { "rdx", REG_RDX },
    { "rsi", REG_RSI }, { "rdi", REG_RDI }, { "rbp", REG_RBP }, { "rsp", REG_RSP },
    { "r8 ", REG_R8 }, { "r9 ", REG_R9 }, { "r10", REG_R10 }, { "r11", REG_R11 },
    { "r12", REG_R12 }, { "r13", REG_R13 }, { "r14", REG_R14 }, { "r15", REG_R15 },
    { "rip", REG_RIP }, { "efl", REG_EFL }, { "err", REG_ERR }, { "trapno", REG_TRAPNO }
};
#define REGISTER(context, i) \
    (uintptr_t)(context)->uc_mcontext.gregs[registers[i].number]
#elif defined(__aarch64__)
static const struct {
    const char *name;
} registers[] = {
    { "x0 " }, { "x1 " }, { "x2 " }, { "x3 " }, { "x4 " }, { "x5 " }, { "x6 " },
    { "x7 " }, { "x8 " }, { "x9 " }, { "x10" }, { "x11" }, { "x12" }, { "x13" },
    { "x14" }, { "x15" }, { "x16" }, { "x17" }, { "x18" }, { "x19" }, { "x20" },
    { "x21" }, { "x22" }, { "x23" }, { "x24" }, { "x25" }, { "x26" }, { "x27" },
    { "x28" }, { "x29" }, { "x30" }
};
#define REGISTER(context, i) (uintptr_t)(context)->uc_mcontext.regs[i]
#endif

void
crash_registers(struct report *r, const struct crash *c)
{
    struct place p;

#ifdef REGISTER
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        uintptr_t value = REGISTER(c->context, i);
        report_print(r, "%s 0x%016lx", registers[i].name, value);
        if (place_find_symbol(value, &p)) {
            report_print(r, "  %s", p.file[0] != '\0' ? place_library(&p) : "memory");
            if (p.is_executable)
                report_print(r, "+0x%lx: %s+0x%lx", p.offset, p.symbol,
                             p.symbol_offset);
        }
        report_text(r, "\n");
    }
    report_text(r, "\n");
#endif
    if (!place_find(c->sp, &p) || !p.is_readable) {
        report_text(r, "sp points to no stack.\n");
        return;
    }
    const uintptr_t *at = (const uintptr_t *)(c->sp & -sizeof(uintptr_t));
    for (int i = 0; i < 64 && (uintptr_t)(at + 4) <= p.end; i += 4, at += 4)
        report_print(r, "0x%016lx: %016lx %016lx %016lx %016lx\n", (uintptr_t)at, at[0],
                     at[1], at[2], at[3]);
}

/* ---- all threads ---- */

struct directory_entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

/* The list may be changing: no more threads than it can have are looked at. */
static const struct thread *
find_thread(int thread_id)
{
    unsigned left = 1 << 16;

    if (!the_vm || !the_vm->safepoint)
        return NULL;
    FOR_EACH_THREAD(the_vm, t) {
        if (t->native_id == thread_id)
            return t;
        if (--left == 0)
            break;
    }
    return NULL;
}

static int thread_asked;               /* a step has no argument of its own */
static struct ctrace other_trace;

static void
print_other_c(struct report *r, const struct crash *c)
{
    (void)c;
    memset(&other_trace, 0, sizeof other_trace);
    if (!ctrace_ask(&other_trace, thread_asked))
        report_text(r, "  [it does not answer]\n");
    ctrace_print(r, &other_trace);
}

static void
print_other(struct report *r, const struct crash *c)
{
    const struct thread *t = find_thread(thread_asked);

    print_thread_name(r, t, thread_asked);
    report_print(r, ", id %d, %s\n", thread_asked,
                 t ? state_name(t) : "not attached to the VM");
    if (t && t->outcall) {
        report_text(r, "  in ");
        print_outcall(r, t->outcall);
        report_text(r, "\n");
    }
    if (thread_asked == c->thread_id)
        report_text(r, "  [the signal came here]\n");
    if (t && t->top && thread_asked != c->thread_id)
        print_java_stack(r, t, 64);
}

void
crash_threads(struct report *r, const struct crash *c)
{
    char bytes[1024] __attribute__((aligned(8)));
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    unsigned left = 256;
    long n;

    while (fd >= 0 && (n = syscall(SYS_getdents64, fd, bytes, sizeof bytes)) > 0)
        for (long at = 0; at < n;) {
            const struct directory_entry *e = (const void *)(bytes + at);
            int id = 0;

            for (const char *p = e->name; *p >= '0' && *p <= '9'; p++)
                id = id * 10 + (*p - '0');
            at += e->length;
            if (id == 0 || left-- == 0)
                continue;
            thread_asked = id;
            crash_try(print_other, r, c);
            if (id != c->thread_id)
                crash_try(print_other_c, r, c);
            report_text(r, "\n");
            report_flush(r);
        }
    if (fd >= 0)
        close(fd);
}

/* ---- the VM ---- */

static const char *
property(const char *key)
{
    for (const struct system_property *p = the_vm->options.properties; p; p = p->next)
        if (strcmp(p->key, key) == 0)
            return p->value;
    return "(not known yet)";
}

void
crash_vm(struct report *r, const struct crash *c)
{
    const struct vm *vm = the_vm;

    (void)c;
    report_text(r, "state:     ");
    print_vm_state(r);
    report_text(r, "\n");
    if (!vm)
        return;
    int64_t up = (os_nanos() - (int64_t)vm->start_nanos) / 1000000;
    report_print(r, "uptime:    %lu.%03lu s\n", (unsigned long)up / 1000,
                 (unsigned long)up % 1000);
    report_print(r, "version:   %s\n", property("java.vm.version"));
    report_print(r, "JDK:       %s, release %s\n", vm->options.java_home, vm->release);
    report_print(r, "threads:   %u, of which %u are daemons\n", vm->thread_count,
                 vm->daemon_count);
    report_print(r, "classes:   %lu loaded, %lu unloaded\n", vm->classes_loaded,
                 vm->classes_unloaded);
    report_print(r, "heap:      at most %zu KiB", vm->options.heap_maximum >> 10);
    report_print(r, ", %lu collections", vm->last_collection.after.collections);
    if (vm->last_collection.cause)
        report_print(r, ", the last one for %s", vm->last_collection.cause);
    report_text(r, "\n");
}

void
crash_arguments(struct report *r, const struct crash *c)
{
    static const char *const variables[] = {
        "JAVA_HOME=", "JAVA_TOOL_OPTIONS=", "_JAVA_OPTIONS=", "JDK_JAVA_OPTIONS=",
        "CLASSPATH=", "LD_LIBRARY_PATH=", "LD_PRELOAD=", "LANG=", "LC_ALL=", "TZ=",
        "PATH="
    };
    char byte[256];
    ssize_t n;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

    (void)c;
    report_text(r, "command:");
    for (bool begins = true; fd >= 0 && (n = read(fd, byte, sizeof byte)) > 0;)
        for (ssize_t i = 0; i < n; i++) {
            if (begins)
                report_text(r, " ");
            begins = byte[i] == '\0';
            if (!begins)
                report_bytes(r, &byte[i], 1);
        }
    if (fd >= 0)
        close(fd);
    report_text(r, "\n");
    for (size_t i = 0; the_vm && i < the_vm->options.vm_arg_count; i++)
        report_print(r, "VM argument: %s\n", the_vm->options.vm_args[i]);
    for (char **e = environ; e && *e; e++)
        for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
            if (strncmp(*e, variables[i], strlen(variables[i])) == 0)
                report_print(r, "environment: %s\n", *e);
}

/* ---- the process ---- */

void
crash_process(struct report *r, const struct crash *c)
{
    struct utsname system;
    struct rlimit core;
    struct timespec now = { 0 };

    (void)c;
    clock_gettime(CLOCK_REALTIME, &now);
    report_print(r, "process:   %d, parent %d\n", (int)getpid(), (int)getppid());
    report_print(r, "time:      %ld seconds since 1970\n", (long)now.tv_sec);
    if (uname(&system) == 0)
        report_print(r, "system:    %s %s %s\n", system.sysname, system.release,
                     system.machine);
    if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur != RLIM_INFINITY)
        report_print(r, "core dump: at most %lu bytes (ulimit -c)\n",
                     (unsigned long)core.rlim_cur);
    else
        report_text(r, "core dump: of any size\n");
    report_text(r, "\n");
    report_file(r, "/proc/self/status", 4096);
}

void
crash_memory_map(struct report *r, const struct crash *c)
{
    (void)c;
    report_file(r, "/proc/self/maps", (size_t)1 << 20);
}
