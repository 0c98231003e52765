/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/crash_sections.c -- what the report of a crash says.
 *
 * Each section is a crash_step, in the order in which crash.c prints them, and each
 * line of the summary is one, too: if a section crashes, what it has printed so far
 * stays, and the next one follows.  crash_describe.c has what several of them need.
 */

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "base/symbolize.h"
#include "diagnostics/crash.h"
#include "runtime/refs.h"
#include "runtime/string.h"
#include "runtime/vm.h"
#include "threads/downcall.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

/* ---- the signal ---- */

void
crash_signal(struct report *r, const struct crash *c)
{
    struct symbolized p;

    report_print(r, "signal:  %s (%d), %s\n", signal_name(c->number), c->number,
                 signal_meaning(c->number));
    report_text(r, "reason:  ");
    print_signal_code(r, c);
    report_text(r, "\n");
    if (fatal_message()[0] != '\0')
        report_print(r, "message: %s\n", fatal_message());
    if (c->has_address) {
        report_print(r, "address: 0x%016lx, ", c->address);
        if (!symbolize_mapping(c->address, &p))
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
    if (symbolize_mapping(c->pc, &p) && p.is_executable) {
        report_text(r, "\ncode:    ");
        for (uintptr_t at = c->pc; at < c->pc + 16 && at < p.end; at++)
            report_print(r, "%02x ", *(const uint8_t *)at);
        report_text(r, "at pc");
    }
    report_text(r, "\n");
}

void
crash_java_frames(struct report *r, const struct crash *c)
{
    if (!c->self || !c->self->top)
        report_text(r, "The thread runs no Java method.\n");
    else
        print_java_stack(r, c->self, 256);
}

/* ---- the summary ---- */

/* Each of these functions prints one line, or none when it has nothing to say. */

static void
summary_error(struct report *r, const struct crash *c)
{
    report_print(r, "#\n# minivm met a fatal error: %s (%d), ", signal_name(c->number),
                 c->number);
    print_signal_code(r, c);
    if (c->has_address)
        report_print(r, ", 0x%016lx", c->address);
    report_text(r, "\n#\n");
    if (fatal_message()[0] != '\0')
        report_print(r, "#  message   %s\n", fatal_message());
}

static void
summary_location(struct report *r, const struct crash *c)
{
    report_text(r, "#  place     ");
    print_address(r, c->pc, true);
    report_print(r, " (pc 0x%016lx)\n", c->pc);
}

/* Returns true for the libraries that seldom are at fault when they crash, but their
   callers: the C library and its like, and the VM. */
static bool
is_runtime_library(const struct symbolized *p)
{
    static const char *const names[] = { "libc.so",    "libc-",        "libffi.so",
                                         "ld-linux",   "libstdc++.so", "libm.so",
                                         "libpthread", "[vdso]" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(symbolize_library(p), names[i], strlen(names[i])) == 0)
            return true;
    return is_in_vm(p);
}

/* When the crash is in a runtime library (is_runtime_library), or where nothing can be
   executed, prints the newest older frame that is in no runtime library: most likely
   the fault is there.  Prints nothing if a frame before that one lies in no mapping. */
static void
summary_caller(struct report *r, const struct crash *c)
{
    struct symbolized p;

    if (symbolize_mapping(c->pc, &p) && p.is_executable && !is_runtime_library(&p))
        return;
    for (size_t i = 1; i < crash_trace.count; i++) {
        const struct native_frame *f = native_trace_frame(&crash_trace, i);
        if (!f || !symbolize_mapping(f->pc - !f->is_exact, &p))
            return;
        if (is_runtime_library(&p))
            continue;
        report_text(r, "#  under     ");
        print_address(r, f->pc, f->is_exact);
        report_text(r, "\n");
        return;
    }
}

/* Prints the agent's function that the VM is running for this thread, such as the
   callback of an event. */
static void
summary_event(struct report *r, const struct crash *c)
{
    if (!c->self || !c->self->agent_calls)
        return;
    report_text(r, "#  event     ");
    print_agent_call(r, c->self->agent_calls);
    report_text(r, "\n");
}

/* Prints which function of JNI, JVM TI or the JVM_ interface the crash happened in, and
   which foreign code called it; nothing if foreign code has called none.  The line is
   made in a report of its own first, so that its beginning is not printed without the
   rest; that report is static because little of the stack may be left. */
static void
summary_interface_function(struct report *r, const struct crash *c)
{
    static struct report line;

    line.fd = -1;
    line.used = 0;
    if (print_crashed_interface_function(&line, c))
        report_print(r, "#  function  %.*s\n", (int)line.used, line.buffer);
}

/* Prints the newest frame of a Java method, native ones included. */
static void
summary_java(struct report *r, const struct crash *c)
{
    const struct frame *f = c->self ? c->self->top : NULL;

    while (f && is_on_java_stack(c->self, f, NULL) && frame_is_entry(f))
        f = f->caller;
    if (!f || !is_on_java_stack(c->self, f, NULL))
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
    static crash_step *const lines[] = { summary_error,
                                         summary_location,
                                         summary_caller,
                                         summary_event,
                                         summary_interface_function,
                                         summary_java,
                                         summary_thread,
                                         summary_vm };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        crash_run_step(lines[i], r, c);
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
    report_print(r, "state:     %s%s%s%s\n", thread_state_name(t),
                 t->is_daemon ? ", daemon" : "",
                 t->is_agent_thread ? ", agent thread" : "",
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
    for (const struct agent_call *call = t->agent_calls; call; call = call->older) {
        report_text(r, "event:     ");
        print_agent_call(r, call);
        report_text(r, "\n");
    }
    for (size_t i = 0; i < crash_trace.count; i++) {
        static struct report line;
        line.fd = -1;
        line.used = 0;
        if (print_interface_function(&line, &crash_trace, i))
            report_print(r, "function:  %.*s\n", (int)line.used, line.buffer);
    }
}

/* ---- C frames ---- */

/* If the walk did not come to the stack's end, the words are searched from the last
   frame that was found, or from sp. */
void
crash_c_frames(struct report *r, const struct crash *c)
{
    uintptr_t sp = c->sp, high = c->self ? (uintptr_t)c->self->c_stack_high : 0;
    struct symbolized p;

    native_trace_print(r, &crash_trace);
    if (crash_trace.is_whole)
        return;
    report_text(r, "\nThe stack is broken here, or has a function without unwind "
                   "tables.\nWords on the stack that may be return addresses:\n\n");
    if (crash_trace.count > 0) {
        const struct native_frame *last = native_trace_frame(&crash_trace,
                                                             crash_trace.count - 1);
        if (last && last->sp > sp)
            sp = last->sp;
    }
    /* The stack pointer points to no stack: begin where the VM called foreign code. */
    if (!symbolize_mapping(sp, &p) || (high != 0 && sp > high))
        sp = last_foreign_call(c->self);
    native_trace_scan_stack(r, sp, high);
}

/* ---- registers ---- */

#if defined(__x86_64__)
static const struct {
    const char *name;
    int number;
} registers[] = { { "rax", REG_RAX }, { "rbx", REG_RBX },      { "rcx", REG_RCX },
                  { "rdx", REG_RDX }, { "rsi", REG_RSI },      { "rdi", REG_RDI },
                  { "rbp", REG_RBP }, { "rsp", REG_RSP },      { "r8 ", REG_R8 },
                  { "r9 ", REG_R9 },  { "r10", REG_R10 },      { "r11", REG_R11 },
                  { "r12", REG_R12 }, { "r13", REG_R13 },      { "r14", REG_R14 },
                  { "r15", REG_R15 }, { "rip", REG_RIP },      { "efl", REG_EFL },
                  { "err", REG_ERR }, { "trapno", REG_TRAPNO } };
#    define REGISTER(context, i) \
        (uintptr_t)(context)->uc_mcontext.gregs[registers[i].number]
#elif defined(__aarch64__)
static const struct {
    const char *name;
} registers[] = { { "x0 " }, { "x1 " }, { "x2 " }, { "x3 " }, { "x4 " }, { "x5 " },
                  { "x6 " }, { "x7 " }, { "x8 " }, { "x9 " }, { "x10" }, { "x11" },
                  { "x12" }, { "x13" }, { "x14" }, { "x15" }, { "x16" }, { "x17" },
                  { "x18" }, { "x19" }, { "x20" }, { "x21" }, { "x22" }, { "x23" },
                  { "x24" }, { "x25" }, { "x26" }, { "x27" }, { "x28" }, { "x29" },
                  { "x30" } };
#    define REGISTER(context, i) (uintptr_t)(context)->uc_mcontext.regs[i]
#endif

void
crash_registers(struct report *r, const struct crash *c)
{
    struct symbolized p;

#ifdef REGISTER
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        uintptr_t value = REGISTER(c->context, i);
        report_print(r, "%s 0x%016lx", registers[i].name, value);
        if (symbolize(value, &p)) {
            report_print(r, "  %s",
                         p.file[0] != '\0' ? symbolize_library(&p) : "memory");
            if (p.is_executable)
                report_print(r, "+0x%lx: %s+0x%lx", p.offset, p.symbol,
                             p.symbol_offset);
        }
        report_text(r, "\n");
    }
    report_text(r, "\n");
#endif
    if (!symbolize_mapping(c->sp, &p) || !p.is_readable) {
        report_text(r, "sp points to no stack.\n");
        return;
    }
    const uintptr_t *at = (const uintptr_t *)(c->sp & -sizeof(uintptr_t));
    for (int i = 0; i < 64 && (uintptr_t)(at + 4) <= p.end; i += 4, at += 4)
        report_print(r, "0x%016lx: %016lx %016lx %016lx %016lx\n", (uintptr_t)at, at[0],
                     at[1], at[2], at[3]);
}

/* ---- all threads ---- */

/* An entry of a directory as getdents64(2) returns it; readdir would allocate. */
struct directory_entry {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

/* Returns the VM's thread with that number, or NULL.  The list may be changing while it
   is read, so the search gives up after more threads than it can have. */
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

/* Which thread the next two steps are about, as a step has no argument of its own, and
   a trace that is too large for the signal stack. */
static int other_thread;
static struct native_trace other_trace;

/* A step: prints the native frames of other_thread, which must not be the reporter. */
static void
print_other_c(struct report *r, const struct crash *c)
{
    (void)c;
    memset(&other_trace, 0, sizeof other_trace);
    if (!native_trace_request(&other_trace, other_thread))
        report_text(r, "  [it does not answer]\n");
    native_trace_print(r, &other_trace);
}

/* A step: prints name and state of other_thread and, unless it is the one that crashed,
   whose sections show it, its Java frames. */
static void
print_other(struct report *r, const struct crash *c)
{
    const struct thread *t = find_thread(other_thread);

    print_thread_name(r, t, other_thread);
    report_print(r, ", id %d, %s\n", other_thread,
                 t ? thread_state_name(t) : "not attached to the VM");
    if (t && t->agent_calls) {
        report_text(r, "  in ");
        print_agent_call(r, t->agent_calls);
        report_text(r, "\n");
    }
    if (other_thread == c->thread_id)
        report_text(r, "  [the signal came here]\n");
    if (t && t->top && other_thread != c->thread_id)
        print_java_stack(r, t, 64);
}

/* The most threads that the report shows. */
enum { THREADS_MAX = 256 };

/* The threads are those that the kernel lists in /proc/self/task, so that those are
   shown, too, that the VM does not know.  The entries "." and ".." have no number. */
void
crash_threads(struct report *r, const struct crash *c)
{
    char bytes[1024] __attribute__((aligned(8)));
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    unsigned count = 0;
    long n;

    while (fd >= 0 && (n = syscall(SYS_getdents64, fd, bytes, sizeof bytes)) > 0)
        for (long at = 0; at < n;) {
            const struct directory_entry *e = (const void *)(bytes + at);
            int id = 0;

            for (const char *p = e->name; *p >= '0' && *p <= '9'; p++)
                id = id * 10 + (*p - '0');
            at += e->length;
            if (id == 0 || ++count > THREADS_MAX)
                continue;
            other_thread = id;
            crash_run_step(print_other, r, c);
            if (id != c->thread_id)
                crash_run_step(print_other_c, r, c);
            report_text(r, "\n");
            report_flush(r);
        }
    if (fd >= 0)
        close(fd);
    if (count > THREADS_MAX)
        report_print(r, "... %u threads are left out\n", count - THREADS_MAX);
}

/* ---- the VM ---- */

/* Returns the value of a system property of the VM, which has been made. */
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

/* /proc/self/cmdline has the arguments with a NUL behind each, which become spaces.
   Of the environment only the variables are shown that may change what the VM does. */
void
crash_arguments(struct report *r, const struct crash *c)
{
    static const char *const variables[] = { "JAVA_HOME=",     "JAVA_TOOL_OPTIONS=",
                                             "_JAVA_OPTIONS=", "JDK_JAVA_OPTIONS=",
                                             "CLASSPATH=",     "LD_LIBRARY_PATH=",
                                             "LD_PRELOAD=",    "LANG=",
                                             "LC_ALL=",        "TZ=",
                                             "PATH=" };
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
