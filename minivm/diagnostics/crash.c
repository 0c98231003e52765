/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/crash.c -- the report of a fatal error: its steps, its file, the
 * end of the process.
 *
 * The first thread that calls crash_report becomes the reporter.  It writes the report
 * from its signal handler, with the signals of fatal errors unblocked again.  Each part
 * runs as a step between a sigsetjmp and the siglongjmp that a second fault makes
 * (fault.c calls crash_abandon_step first), so a report always gets to its end.
 *
 * Time is limited in the same way (-XX:ErrorLogTimeout).  Two timers of the kernel send
 * SIGNAL_TRACE to the reporter: one ends a step that takes longer than a quarter of the
 * time that is left, the other ends the process shortly after the time is over, in case
 * that a write blocks.
 *
 * The variables of this file are global because a signal handler has no argument of its
 * own, and because a process crashes once.
 */

#include "diagnostics/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/vm.h"

enum { SECTIONS_MAX = 8, TIMEOUT_DEFAULT = 120 };

static int
thread_id(void)
{
    return (int)syscall(SYS_gettid);
}

/* Returns the VM's options, or the defaults when there is no VM. */
static const struct vm_options *
options(void)
{
    static const struct vm_options defaults = { .create_core = true,
                                                .error_log_timeout = TIMEOUT_DEFAULT };

    return the_vm ? &the_vm->options : &defaults;
}

/* ---- steps ---- */

/* The thread that writes the report, or 0; others that crash meanwhile wait for the
   end. */
static _Atomic int reporter;

/* Where to go on when a step crashes, and whether one is running. */
static sigjmp_buf step_end;
static volatile sig_atomic_t is_in_step;
/* Why the last step that did not get to its end was abandoned: the signal, or
   SIGNAL_TRACE when it took too long. */
static struct {
    int number;
    uintptr_t pc, address;
} step_fault;

void
crash_abandon_step(int number, const siginfo_t *info, void *context)
{
    if (atomic_load(&reporter) == 0 || atomic_load(&reporter) != thread_id())
        return;
    /* Outside of the steps the report itself is at fault, and nothing more can be
       said.  The status is that of a process that SIGABRT has ended in a shell. */
    if (!is_in_step)
        _exit(128 + SIGABRT);
    is_in_step = false;
    step_fault.number = number;
    step_fault.pc = context_pc(context);
    step_fault.address = (uintptr_t)info->si_addr;
    siglongjmp(step_end, 1);
}

static _Noreturn void end(void);

/* The two timers: that of a step, and that of the whole report. */
enum { STEP, WHOLE };

/* Handles SIGNAL_TRACE.  The reporter gets it from its timers; other threads get it
   from the reporter, which wants to know their stack. */
static void
on_trace_signal(int number, siginfo_t *info, void *context)
{
    int saved = errno;

    if (thread_id() != atomic_load(&reporter))
        native_trace_respond(context);
    else if (info->si_code == SI_TIMER && info->si_value.sival_int == WHOLE)
        end();
    else if (info->si_code == SI_TIMER && is_in_step)
        crash_abandon_step(number, info, context);
    errno = saved;
}

/* When the report must be done; the timers of a step and of the whole report, and
   whether each could be created.  Without one there is no limit. */
static struct timespec deadline;
static timer_t timer, last_timer;
static bool has_timer, has_last_timer;

static struct timespec
now(void)
{
    struct timespec t = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

/* Returns the seconds until the report must end; INT_MAX when it need not. */
static long
time_left(void)
{
    return options()->error_log_timeout ? deadline.tv_sec - now().tv_sec : INT_MAX;
}

/* Creates the timers, which send SIGNAL_TRACE to this very thread (SIGEV_THREAD_ID),
   and starts that of the whole report.  The signal brings STEP or WHOLE along.  With a
   limit of 0 seconds none expires. */
static void
make_timers(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
                              .sigev_signo = SIGNAL_TRACE };
    struct sigaction action = { .sa_sigaction = on_trace_signal,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
    /* Steps end before the deadline, and this one second later.  It is needed when who
       reads the report has stopped reading, so that a write outside of a step
       blocks. */
    struct itimerspec whole = {
        .it_value.tv_sec = options()->error_log_timeout
                               ? (time_t)options()->error_log_timeout + 1
                               : 0
    };

    deadline = now();
    deadline.tv_sec += (time_t)options()->error_log_timeout;
    event._sigev_un._tid = thread_id();
    sigemptyset(&action.sa_mask);
    sigaction(SIGNAL_TRACE, &action, NULL);
    event.sigev_value.sival_int = STEP;
    has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    event.sigev_value.sival_int = WHOLE;
    has_last_timer = timer_create(CLOCK_MONOTONIC, &event, &last_timer) == 0;
    if (has_last_timer)
        timer_settime(last_timer, 0, &whole, NULL);
}

/* Lets the timer of steps expire in so many seconds; 0: never. */
static void
set_timer(long seconds)
{
    struct itimerspec in = { .it_value = { .tv_sec = seconds } };

    if (has_timer)
        timer_settime(timer, 0, &in, NULL);
}

/* Says why the step that has just been abandoned was. */
static void
print_step_fault(struct report *r)
{
    if (step_fault.number == SIGNAL_TRACE) {
        report_text(r, "\n[the rest of this is left out: it took too long]\n");
        return;
    }
    report_print(r,
                 "\n[the rest of this is left out: signal %d at 0x%lx, address "
                 "0x%lx]\n",
                 step_fault.number, step_fault.pc, step_fault.address);
}

/* Starts the timer of a step: a quarter of the time that is left is enough for any. */
static void
start_timer(void)
{
    long left = time_left();

    set_timer(left < INT_MAX ? (left + 3) / 4 : 0);
}

/* Runs a step; returns false when it was abandoned.  It is a function of its own
   because the local variables of a function that calls sigsetjmp are uncertain after
   the jump. */
static bool
run_step(crash_step *fn, struct report *r, const struct crash *c)
{
    if (sigsetjmp(step_end, 1)) {
        set_timer(0);
        print_step_fault(r);
        return false;
    }
    start_timer();
    is_in_step = true;
    fn(r, c);
    is_in_step = false;
    set_timer(0);
    return true;
}

/* A step within a step has its own place to go on at.  When it is done the outer step's
   place is put back, and the outer step gets a new time limit. */
bool
crash_run_step(crash_step *fn, struct report *r, const struct crash *c)
{
    bool is_nested = is_in_step, done;
    sigjmp_buf outer;

    if (time_left() <= 0) {
        report_text(r, "[left out: the report took too long]\n");
        return false;
    }
    memcpy(&outer, &step_end, sizeof outer);
    done = run_step(fn, r, c);
    memcpy(&step_end, &outer, sizeof outer);
    if (is_nested) {
        start_timer();
        is_in_step = true;
    }
    return done;
}

/* ---- the whole report ---- */

/* The sections of upper floors (crash_add_section). */
static struct section {
    const char *title;
    crash_step *print;
} extra[SECTIONS_MAX];
static unsigned extra_count;

void
crash_add_section(const char *title, crash_step *print)
{
    for (unsigned i = 0; i < extra_count; i++)
        if (extra[i].print == print)
            return;
    if (extra_count < SECTIONS_MAX)
        extra[extra_count++] = (struct section){ title, print };
}

/* Writes a section as a step.  What was written is flushed at its end, so that it is in
   the file even if the process dies in a later section. */
static void
write_section(struct report *r, const struct section *s, const struct crash *c)
{
    report_print(r, "\n--- %s ---\n\n", s->title);
    crash_run_step(s->print, r, c);
    report_flush(r);
}

/* Writes the whole report: the summary, then the sections, those of upper floors
   between what is most likely to tell the cause and what is long. */
static void
write_report(struct report *r, const struct crash *c)
{
    static const struct section first[] = { { "Signal", crash_signal },
                                            { "Thread", crash_thread },
                                            { "C frames", crash_c_frames },
                                            { "Java frames", crash_java_frames },
                                            { "Virtual machine", crash_vm } },
                                last[] = { { "Arguments", crash_arguments },
                                           { "Registers and stack", crash_registers },
                                           { "All threads", crash_threads },
                                           { "Process", crash_process },
                                           { "Memory map", crash_memory_map } };

    crash_run_step(crash_summary, r, c);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        write_section(r, &first[i], c);
    for (unsigned i = 0; i < extra_count; i++)
        write_section(r, &extra[i], c);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        write_section(r, &last[i], c);
    report_text(r, "\n--- End of the report ---\n");
    report_flush(r);
}

/* ---- its file ---- */

/* Copies the pattern with %p replaced by the process's number and %% by %. */
static void
expand(char *to, size_t size, const char *pattern)
{
    size_t at = 0;

    for (const char *p = pattern; *p && at + 1 < size; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            report_format(to + at, size - at, "%d", (int)getpid());
            at += strlen(to + at);
            p++;
        } else {
            p += p[0] == '%' && p[1] == '%';
            to[at++] = *p;
        }
    }
    to[at] = '\0';
}

/* Opens the file that -XX:ErrorFile names, or else one in the working folder, or else
   one in the temporary folder, where another user may have put a file of that name
   (O_EXCL).  Stores its path; returns the file descriptor, or -1.  The file in the
   working folder is opened by its bare name; its path is only made for the message.
   O_NONBLOCK keeps open from waiting for the reader of a pipe. */
static int
open_file(char *name, size_t size)
{
    static const char base[] = "tiforge_err_pid%p.log";
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
                      | O_NONBLOCK;
    char folder[PATH_MAX];
    int fd = -1;

    if (options()->error_file) {
        expand(name, size, options()->error_file);
        fd = open(name, flags & ~O_NOFOLLOW, 0666);
    }
    if (fd < 0) {
        ssize_t length = readlink("/proc/self/cwd", folder, sizeof folder - 1);
        folder[length > 0 ? length : 0] = '\0';
        expand(name, size, base);
        fd = open(name, flags, 0666);
        report_format(name, size, "%s/", folder);
        expand(name + strlen(name), size - strlen(name), base);
    }
    if (fd < 0) {
        expand(name, size, "/tmp/tiforge_err_pid%p.log");
        fd = open(name, flags | O_EXCL, 0600);
    }
    return fd;
}

/* Writes the summary to standard error and the whole report to its file, or to standard
   error or output if an option asks for that.  Without a file the whole report goes to
   standard error.  There it includes the summary, which is then not written twice. */
static void
write_all(const struct crash *c)
{
    static struct report screen = { .fd = STDERR_FILENO }, file;
    static char name[512];
    bool to_stderr = options()->error_file_to_stderr;

    if (to_stderr || options()->error_file_to_stdout) {
        file.fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
    } else {
        file.fd = open_file(name, sizeof name);
        if (file.fd < 0)
            report_text(&screen, "# There is no file for the report.\n");
        if (file.fd < 0)
            file.fd = STDERR_FILENO;
    }
    if (file.fd != STDERR_FILENO)
        crash_run_step(crash_summary, &screen, c);
    report_flush(&screen);
    write_report(&file, c);
    if (name[0] != '\0' && file.fd > STDERR_FILENO)
        report_print(&screen, "# The whole report is in\n# %s\n#\n", name);
    report_flush(&screen);
}

/* ---- -XX:OnError ---- */

/* Runs a command by the shell and waits for it; if that cannot be done, nothing
   happens.  It calls clone directly, with the arguments that make it a fork, since
   fork() runs handlers of libraries, which may wait for locks that are held.  The child
   begins with no signal blocked, whatever the thread that crashed has blocked. */
static void
run_command(struct report *r, char *command)
{
    char *const args[] = { "sh", "-c", command, NULL };
    sigset_t none;
    int status = 0;

    report_print(r, "#   Executing /bin/sh -c \"%s\" ...\n", command);
    report_flush(r);
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve("/bin/sh", args, environ);
        _exit(127);
    }
    while (child > 0 && waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR)
        ;
}

/* Runs the commands of -XX:OnError, which are separated by ';' and, where the option
   was given several times, by newlines.  One that is too long for the buffer is left
   out. */
static void
run_commands(void)
{
    const struct itimerspec never = { 0 };
    static struct report screen = { .fd = STDERR_FILENO };
    static char command[4096], expanded[4096];

    /* A command, which may be a debugger, takes as long as it needs. */
    if (has_last_timer)
        timer_settime(last_timer, 0, &never, NULL);
    for (const char *p = options()->on_error; p && *p;) {
        size_t length = strcspn(p, ";\n"), kept = length;
        const char *rest = p + length + (p[length] != '\0');

        while (kept > 0 && *p == ' ')
            p++, kept--;
        if (kept > 0 && kept < sizeof command) {
            memcpy(command, p, kept);
            command[kept] = '\0';
            expand(expanded, sizeof expanded, command);
            run_command(&screen, expanded);
        }
        p = rest;
    }
}

/* ---- the end ---- */

/* Ends the process by SIGABRT, with its default effect (a core dump); with status 1 if
   no core dump is wanted.  The signal is sent to this thread, unblocked, and not by
   abort(), which takes a lock that may be held.  _exit is only reached if the signal
   did not end the process. */
static void
end(void)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigset_t set;

    if (!options()->create_core)
        _exit(1);
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    syscall(SYS_tgkill, getpid(), thread_id(), SIGABRT);
    _exit(128 + SIGABRT);
}

/* Fills in *c from what the kernel has told the signal handler.  An si_code that is not
   positive means that a process has sent the signal, by kill and the like, and so
   si_addr has no meaning; nor has it for SI_KERNEL. */
static void
describe(struct crash *c, int number, const siginfo_t *info, void *context)
{
    bool is_sent = info->si_code <= 0 && info->si_code != SI_TIMER;

    c->number = number;
    c->code = info->si_code;
    c->sender = is_sent ? info->si_pid : 0;
    c->thread_id = thread_id();
    c->self = current_thread;
    c->context = context;
    c->pc = context_pc(context);
    c->sp = context_sp(context);
    c->has_address = !is_sent && info->si_code != SI_KERNEL;
    c->address = c->has_address ? (uintptr_t)info->si_addr : 0;
}

/* Returns true if the access was made around the low end of the thread's C stack, where
   its guard page is.  A large frame may reach beyond that page; an address that is far
   off has another cause. */
static bool
is_stack_overflow(const struct crash *c)
{
    const uintptr_t far = (uintptr_t)16 << 20;
    uintptr_t low = c->self ? (uintptr_t)c->self->c_stack_low : 0;

    if (low == 0 || c->number != SIGSEGV || !c->has_address)
        return false;
    return c->sp < low + 4096 && c->sp > low - far && c->address < low + 4096
           && c->address > low - far;
}

/* The first step: walks the stack into crash_trace, for the sections.  It prints
   nothing. */
static void
capture_trace(struct report *r, const struct crash *c)
{
    (void)r;
    native_trace_capture(&crash_trace, c->context);
}

void
crash_await_end(void)
{
    while (atomic_load(&reporter) != 0)
        pause();
}

void
crash_report(int number, const siginfo_t *info, void *context)
{
    static struct crash crash;
    static struct report nowhere = { .fd = -1 };
    static const int unblocked[] = { SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                     SIGTRAP, SIGABRT, SIGSYS, SIGNAL_TRACE };
    sigset_t set;
    int nobody = 0;

    /* Another thread may write its report already: this one waits, in its handler. */
    if (!atomic_compare_exchange_strong(&reporter, &nobody, thread_id()))
        crash_await_end();
    make_timers();
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof unblocked / sizeof *unblocked; i++)
        sigaddset(&set, unblocked[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    describe(&crash, number, info, context);
    crash.is_stack_overflow = is_stack_overflow(&crash);
    crash_run_step(capture_trace, &nowhere, &crash);
    write_all(&crash);
    run_commands();
    end();
}
