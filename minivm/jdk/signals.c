/* SPDX-License-Identifier: MIT */
/* minivm/jdk/signals.c -- signals of the operating system: Java's handlers, and
 * SIGQUIT.
 *
 * A signal handler may do next to nothing (async-signal safety, signal-safety(7)), let
 * alone run Java.  So the handler of every signal that Java asked for only counts it
 * and posts a semaphore.  A thread of the VM, the Signal Dispatcher, waits for the
 * semaphore and calls jdk.internal.misc.Signal.dispatch, which runs the Java handler in
 * a thread of its own.
 *
 * SIGQUIT is the VM's: it starts the attach listener, or prints a thread dump.  SIGHUP,
 * SIGINT and SIGTERM end the VM by Java's shutdown.  With -Xrs all of this is left out.
 * What a crash raises (SIGSEGV and others) is diagnostics/fault.h's.
 *
 * The handlers and their counts are the process's, so the variables here are global.
 */

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

#include "base/events.h"
#include "diagnostics/fault.h"
#include "jdk/attach.h"
#include "jdk/diagnostic.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/thread_dump.h"
#include "linking/initialize.h"
#include "runtime/above.h"
#include "runtime/backtrace.h"
#include "runtime/start.h"

/* The dispatcher's priority in Java, the same as HotSpot's. */
enum { PRIORITY_DISPATCHER = 9 };

/*
 * Values that jdk.internal.misc.Signal has for handlers, besides SIG_DFL and SIG_IGN.
 */
#define HANDLER_JAVA ((void *)2)
#define HANDLER_REFUSED ((void *)-1)

static sem_t signal_arrived;
/* How often each signal has come and was not dispatched yet. */
static _Atomic uint32_t pending[NSIG];

/* ---- names ---- */

static const struct {
    const char *name;
    int number;
} names[] = {
#define SIGNAL(name) \
    { \
#        name, SIG##name \
    }
    SIGNAL(ABRT),   SIGNAL(ALRM),  SIGNAL(BUS),  SIGNAL(CHLD), SIGNAL(CLD),
    SIGNAL(CONT),   SIGNAL(FPE),   SIGNAL(HUP),  SIGNAL(ILL),  SIGNAL(INT),
    SIGNAL(IO),     SIGNAL(IOT),   SIGNAL(KILL), SIGNAL(PIPE), SIGNAL(POLL),
    SIGNAL(PROF),   SIGNAL(PWR),   SIGNAL(QUIT), SIGNAL(SEGV), SIGNAL(STKFLT),
    SIGNAL(STOP),   SIGNAL(SYS),   SIGNAL(TERM), SIGNAL(TRAP), SIGNAL(TSTP),
    SIGNAL(TTIN),   SIGNAL(TTOU),  SIGNAL(URG),  SIGNAL(USR1), SIGNAL(USR2),
    SIGNAL(VTALRM), SIGNAL(WINCH), SIGNAL(XCPU), SIGNAL(XFSZ)
};

/* Returns the number of a signal by its name without SIG; -1 if there is none. */
JNIEXPORT jint JNICALL
JVM_FindSignal(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return names[i].number;
    return -1;
}

/* ---- handlers ---- */

/*
 * Counts a signal and wakes the dispatcher.  It may run as a signal handler, so it uses
 * only what is async-signal-safe, and leaves errno as it was.
 */
void
signals_notify(int number)
{
    int saved = errno;

    atomic_fetch_add(&pending[number], 1);
    sem_post(&signal_arrived);
    errno = saved;
}

/*
 * Installs a handler: HANDLER_JAVA, which lets Java handle the signal, SIG_DFL, SIG_IGN
 * or a function.  Returns the handler before in the same form, or HANDLER_REFUSED.
 */
static void *
install(int number, void *handler)
{
    struct sigaction new_action = { 0 }, old;
    bool was_ours = fault_takes(number);

    /* A signal that a crash raises has the crash report as its default, which stays.  If
       Java has put a handler of its own there and takes it away again, the kernel's
       default comes back, not the report. */
    if (handler == (void *)SIG_DFL && was_ours)
        return (void *)SIG_DFL;
    sigfillset(&new_action.sa_mask);
    new_action.sa_flags = SA_RESTART;
    new_action.sa_handler = handler == HANDLER_JAVA ? signals_notify
                                                    : (void (*)(int))handler;
    if (sigaction(number, &new_action, &old) != 0)
        return HANDLER_REFUSED;
    if (was_ours)
        return (void *)SIG_DFL;
    return old.sa_handler == signals_notify ? HANDLER_JAVA : (void *)old.sa_handler;
}

/* Returns true if the signal is ignored, as nohup has it for SIGHUP. */
static bool
is_ignored(int number)
{
    struct sigaction old;

    return sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

/* Returns true if the signal ends the VM by Java's shutdown. */
static bool
is_shutdown_signal(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGTERM;
}

/*
 * Signal.handle0: returns the handler before, or HANDLER_REFUSED for a signal that is
 * the VM's.
 */
JNIEXPORT void *JNICALL
JVM_RegisterSignal(jint number, void *handler)
{
    if (number == SIGFPE || number == SIGILL || number == SIGSEGV || number == SIGQUIT
        || number <= 0 || number >= NSIG)
        return HANDLER_REFUSED;
    if (is_shutdown_signal(number)) {
        if (the_vm->options.no_java_signals)
            return HANDLER_REFUSED;
        if (is_ignored(number)) /* nohup */
            return (void *)SIG_IGN;
    }
    return install(number, handler);
}

/* Signal.raise0: returns false if nothing would handle the signal. */
JNIEXPORT jboolean JNICALL
JVM_RaiseSignal(jint number)
{
    if (the_vm->options.no_java_signals) {
        if (is_shutdown_signal(number) || number == SIGQUIT)
            return JNI_FALSE;
    } else if (is_shutdown_signal(number) && is_ignored(number)) {
        return JNI_FALSE;
    }
    raise(number);
    return JNI_TRUE;
}

/* ---- the dispatcher ---- */

/*
 * Returns a signal that has come, which counts as dispatched then; 0 if there is none.
 * A lower number comes first.
 */
static int
next_pending_signal(void)
{
    for (int i = 1; i < NSIG; i++) {
        uint32_t count = atomic_load(&pending[i]);
        while (count)
            if (atomic_compare_exchange_weak(&pending[i], &count, count - 1))
                return i;
    }
    return 0;
}

/*
 * Blocks until a signal has come, and returns it.  Each signal posts the semaphore
 * once, but one post may find that an earlier round has taken its signal; so the search
 * is repeated.
 */
static int
await_signal(struct thread *self)
{
    int number;

    thread_block_begin(self);
    while ((number = next_pending_signal()) == 0)
        while (sem_wait(&signal_arrived) != 0 && errno == EINTR)
            ;
    thread_block_end(self);
    return number;
}

/*
 * SIGQUIT: a tool wants to attach, or, if not, a thread dump is printed (with
 * -XX:+PrintClassHistogram a histogram, too), and agents get DataDumpRequest.
 */
static void
handle_quit(struct thread *self)
{
    if (attach_on_quit(self))
        return;
    thread_dump_print(self);
    if (self->vm->options.histogram_at_quit)
        class_histogram_print(self);
    EVENT_SEND(EVENT_DATA_DUMP, data_dump, self);
}

/*
 * Lets Java handle a signal; prints the exception if that fails.  Nothing is pending
 * afterwards.
 */
static void
dispatch(struct thread *self, int number)
{
    union slot arg = { .i = number };

    if (class_initialize(self, KC(self->vm, Signal))
        && java_call(self, KM(self->vm, Signal_dispatch), &arg, NULL))
        return;
    exception_print(self, exception_take(self));
}

/*
 * The Signal Dispatcher thread.  It never ends.  An exception that a dump or handler
 * leaves is dropped.
 */
static void
run_dispatcher(struct thread *self, void *arg UNUSED)
{
    static const int wanted[] = { SIGQUIT, SIGHUP, SIGINT, SIGTERM };
    sigset_t set;

    /* A parent process may have blocked some of them, which this one inherits. */
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        sigaddset(&set, wanted[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    for (;;) {
        int number = await_signal(self);

        if (number == SIGQUIT)
            handle_quit(self);
        else
            dispatch(self, number);
        self->exception = NULL;
    }
}

/* The handler of SIGPIPE and SIGXFSZ. */
static void
do_nothing(int number UNUSED)
{
}

/*
 * Lets a write into a closed pipe, or beyond the file size limit, fail with an errno,
 * so that Java gets an IOException.  SIG_IGN would do, but child processes would
 * inherit it.
 */
static void
survive_failed_writes(void)
{
    static const int numbers[] = { SIGPIPE, SIGXFSZ };
    struct sigaction old;

    for (size_t i = 0; i < 2; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            install(numbers[i], (void *)do_nothing);
}

/*
 * Prepares the attach listener and starts the Signal Dispatcher, unless -Xrs was given.
 * SIGQUIT gets its handler last, when there is a thread to serve it.
 */
void
jdk_start_services(struct thread *self)
{
    attach_init(self);
    survive_failed_writes();
    if (self->vm->options.no_java_signals)
        return;
    sem_init(&signal_arrived, 0, 0);
    if (thread_start_internal(self, NULL, "Signal Dispatcher", run_dispatcher, NULL,
                              PRIORITY_DISPATCHER))
        install(SIGQUIT, HANDLER_JAVA);
    else
        exception_print(self, exception_take(self));
}
