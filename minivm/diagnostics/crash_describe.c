/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/crash_describe.c -- how the report of a crash names things:
 * signals, threads, Java frames, and the functions between the VM and foreign code.
 *
 * What is read here may be broken, so whoever calls these functions does it within a
 * step (crash_run_step), and what was printed before a second fault stays.  Cheap
 * tests, as whether a frame lies on its stack, are made all the same, since they tell
 * the reader more than a fault would.
 */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/symbolize.h"
#include "diagnostics/crash.h"
#include "runtime/refs.h"
#include "runtime/string.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* ---- signals ---- */

/* The signals of fatal errors, and what each means (signal(7)). */
static const struct {
    int number;
    const char *name, *means;
} signals[] = { { SIGSEGV, "SIGSEGV",
                  "an access to memory that is not there or not allowed" },
                { SIGBUS, "SIGBUS",
                  "an access beyond the end of a mapped file, or a misaligned"
                  " one" },
                { SIGFPE, "SIGFPE", "an arithmetic error" },
                { SIGILL, "SIGILL", "an instruction that the processor does not have" },
                { SIGABRT, "SIGABRT", "abort" },
                { SIGTRAP, "SIGTRAP", "a breakpoint without a debugger" },
                { SIGSYS, "SIGSYS", "a system call that is not allowed" } };

/* What the kernel says of each in si_code (sigaction(2)). */
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

const char *
signal_name(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "signal";
}

const char *
signal_meaning(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].means;
    return "";
}

void
print_signal_code(struct report *r, const struct crash *c)
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

/* ---- threads ---- */

/* Prints the first 256 characters of a java.lang.String. */
static void
print_string(struct report *r, const struct object *s)
{
    int32_t length = string_length(s);

    for (int32_t i = 0; i < length && i < 256; i++)
        report_char(r, string_char_at(s, i));
}

/* The kernel's name is the first 15 bytes of what the thread was called, in
   /proc/self/task/ID/comm, with a newline behind it. */
void
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

const char *
thread_state_name(const struct thread *t)
{
    static const char *const waits[] = {
        [WAIT_MONITOR_ENTER] = "waiting to enter a monitor",
        [WAIT_OBJECT] = "in Object.wait",
        [WAIT_OBJECT_TIMED] = "in Object.wait",
        [WAIT_PARK] = "parked",
        [WAIT_PARK_TIMED] = "parked",
        [WAIT_SLEEP] = "sleeping",
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

/* The name of a hidden class ends with '+' and a number in internal form, and with '/'
   and the number in Java (Class.getName). */
void
print_class_name(struct report *r, const struct class *c)
{
    const char *name = c->name->bytes;
    const char *plus = c->flags & CLASS_IS_HIDDEN ? strrchr(name, '+') : NULL;

    for (const char *p = name; *p; p++)
        report_bytes(r, p == plus ? "/" : *p == '/' ? "." : p, 1);
}

void
print_java_frame(struct report *r, const struct frame *f)
{
    const struct method_version *version = f->version;
    const struct symbol *source = version->pool ? version->pool->file->source_file
                                                : NULL;
    bool is_native = frame_is_native(f);
    int32_t line = is_native ? -1 : version_line(version, frame_bci(f));

    print_class_name(r, version->method->class);
    report_print(r, ".%s(%s", version->method->name->bytes,
                 is_native ? "Native Method"
                 : source  ? source->bytes
                           : "Unknown Source");
    if (!is_native && source && line >= 0)
        report_print(r, ":%d", line);
    report_text(r, ")");
}

bool
is_on_java_stack(const struct thread *t, const struct frame *f,
                 const struct frame *newer)
{
    const void *low = t->stack, *high = newer ? (const void *)newer : t->stack_end;

    return (const void *)f >= low && (const void *)f < high && (uintptr_t)f % 8 == 0;
}

/* Entry frames, where C code called Java, are not shown and not counted. */
void
print_java_stack(struct report *r, const struct thread *t, unsigned most)
{
    const struct frame *newer = NULL, *f = t->top;
    unsigned count = 0;

    for (; f && is_on_java_stack(t, f, newer); newer = f, f = f->caller) {
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

/* ---- which function of an interface runs, and for which event ---- */

/* The functions that JVM TI, JNI and the class library's own interface to the VM
   consist of are known by how their symbols begin. */
static const struct {
    const char *prefix, *interface;
} entries[] = {
    { "entry_", "JVM TI" }, { "jni_", "JNI" }, { "checked_", "JNI" }, { "JVM_", "JVM_" }
};

/* The VM's own library is the one that this function lies in; it is looked up once. */
bool
is_in_vm(const struct symbolized *p)
{
    static struct symbolized own;

    if (own.file[0] == '\0')
        symbolize_mapping((uintptr_t)&crash_report, &own);
    return strcmp(own.file, p->file) == 0;
}

/* A frame counts if its symbol has one of the prefixes and its caller is not the VM
   itself, which calls such functions, too.  A suffix that the
   compiler has added to the symbol (".constprop.0") is left out. */
bool
print_interface_function(struct report *r, const struct native_trace *t, size_t i)
{
    const struct native_frame *f = native_trace_frame(t, i);
    const struct native_frame *caller = native_trace_frame(t, i + 1);
    struct symbolized p, called_from;

    if (!f || !symbolize(f->pc - !f->is_exact, &p) || !is_in_vm(&p))
        return false;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
        size_t length = strlen(entries[k].prefix);
        if (strncmp(p.symbol, entries[k].prefix, length) != 0)
            continue;
        if (!caller || !symbolize_mapping(caller->pc - 1, &called_from)
            || is_in_vm(&called_from))
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

/* The C stack grows downwards, so of the newest call of an agent's function and the
   newest call of a native method the one at the lower address is the newer one. */
uintptr_t
last_foreign_call(const struct thread *t)
{
    /* Both records lie in the frame of the VM's function that made the call. */
    uintptr_t out = t ? (uintptr_t)t->agent_calls : 0;
    uintptr_t native = t ? (uintptr_t)t->native_invocations : 0;

    return out == 0 || (native != 0 && native < out) ? native : out;
}

/* Goes through the frames from the newest one; those above leave, where the VM last
   called foreign code, are of functions that have called foreign code since. */
bool
print_crashed_interface_function(struct report *r, const struct crash *c)
{
    uintptr_t leave = last_foreign_call(c->self);

    for (size_t i = 0; i < crash_trace.count; i++) {
        const struct native_frame *f = native_trace_frame(&crash_trace, i);
        if (!f || (leave != 0 && f->sp > leave))
            return false;
        if (print_interface_function(r, &crash_trace, i))
            return true;
    }
    return false;
}

void
print_agent_call(struct report *r, const struct agent_call *call)
{
    bool is_event = strncmp(call->what, "Agent_", 6) != 0;

    report_print(r, "%s%s of ", is_event ? "JVM TI event " : "", call->what);
    print_address(r, (uintptr_t)call->function, true);
}

/* ---- the state of the VM ---- */

static const char *
phase_name(const struct vm *vm)
{
    static const char *const names[] = {
        [VM_PHASE_ONLOAD] = "starting, OnLoad phase",
        [VM_PHASE_PRIMORDIAL] = "starting, primordial phase",
        [VM_PHASE_EARLY_START] = "starting, early start phase",
        [VM_PHASE_START] = "starting, start phase",
        [VM_PHASE_LIVE] = "live phase",
        [VM_PHASE_DEAD] = "ended"
    };
    uint32_t phase = vm->phase;

    return phase <= VM_PHASE_DEAD ? names[phase] : "unknown phase";
}

void
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
