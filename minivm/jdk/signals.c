/* SPDX-License-Identifier: MIT */
/* minivm/jdk/signals.c -- signals go to a thread that runs Java's handlers.
 *
 * The handler of a signal that Java asked for counts it and posts a semaphore; the
 * Signal Dispatcher takes it from there. */

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

#include "base/events.h"
#include "jdk/attach.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "vm/above.h"

enum { PRIORITY_DISPATCHER = 9 };

/* What jdk.internal.misc.Signal means by a handler, beside SIG_DFL and SIG_IGN. */
#define HANDLER_JAVA ((void *)2)
#define HANDLER_REFUSED ((void *)-1)

static sem_t arrived;
static _Atomic uint32_t pending[NSIG];

/* ---- names ---- */

static const struct {
    const char *name;
    int number;
} names[] = {
#define SIGNAL(name) { #name, SIG##name }
    SIGNAL(ABRT), SIGNAL(ALRM), SIGNAL(BUS), SIGNAL(CHLD), SIGNAL(CLD), SIGNAL(CONT),
    SIGNAL(FPE), SIGNAL(HUP), SIGNAL(ILL), SIGNAL(INT), SIGNAL(IO), SIGNAL(IOT),
    SIGNAL(KILL), SIGNAL(PIPE), SIGNAL(POLL), SIGNAL(PROF), SIGNAL(PWR), SIGNAL(QUIT),
    SIGNAL(SEGV), SIGNAL(STKFLT), SIGNAL(STOP), SIGNAL(SYS), SIGNAL(TERM),
    SIGNAL(TRAP), SIGNAL(TSTP), SIGNAL(TTIN), SIGNAL(TTOU), SIGNAL(URG), SIGNAL(USR1),
    SIGNAL(USR2), SIGNAL(VTALRM), SIGNAL(WINCH), SIGNAL(XCPU), SIGNAL(XFSZ)
};

JNIEXPORT jint JNICALL
JVM_FindSignal(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return names[i].number;
    return -1;
}

/* ---- handlers ---- */

/* A handler, too. */
void
signals_notify(int number)
{
    int saved = errno;

    atomic_fetch_add(&pending[number], 1);
    sem_post(&arrived);
    errno = saved;
}

/* Answers the handler before, or HANDLER_REFUSED. */
static void *
install(int number, void *handler)
{
    struct sigaction new_action = { 0 }, old;
    bool was_ours = fault_takes(number);

    /* The default of these is the report of a crash. */
    if (handler == (void *)SIG_DFL && was_ours)
        return (void *)SIG_DFL;
    sigfillset(&new_action.sa_mask);
    new_action.sa_flags = SA_RESTART;
    new_action.sa_handler =
        handler == HANDLER_JAVA ? signals_notify : (void (*)(int))handler;
    if (sigaction(number, &new_action, &old) != 0)
        return HANDLER_REFUSED;
    if (was_ours)
        return (void *)SIG_DFL;
    return old.sa_handler == signals_notify ? HANDLER_JAVA : (void *)old.sa_handler;
}

static bool
is_ignored(int number)
{
    struct sigaction old;

    return sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

static bool
is_shutdown_signal(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGTERM;
}

JNIEXPORT void *JNICALL
JVM_RegisterSignal(jint number, void *handler)
{
    if (number == SIGFPE || number == SIGILL || number == SIGSEGV || number == SIGQUIT
        || number <= 0 || number >= NSIG)
        return HANDLER_REFUSED;
    if (is_shutdown_signal(number)) {
        if (the_vm->options.no_java_signals)
            return HANDLER_REFUSED;
        if (is_ignored(number))    /* nohup */
            return (void *)SIG_IGN;
    }
    return install(number, handler);
}

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

static int
take_pending(void)
{
    for (int i = 1; i < NSIG; i++) {
        uint32_t count = atomic_load(&pending[i]);
        while (count)
            if (atomic_compare_exchange_weak(&pending[i], &count, count - 1))
                return i;
    }
    return 0;
}

static int
await_signal(struct thread *self)
{
    int number;

    thread_block_begin(self);
    while ((number = take_pending()) == 0)
        while (sem_wait(&arrived) != 0 && errno == EINTR)
            ;
    thread_block_end(self);
    return number;
}

static void
dump_all(struct thread *self)
{
    if (attach_on_quit(self))
        return;
    thread_dump_print(self);
    if (self->vm->options.histogram_at_quit)
        class_histogram_print(self);
    EVENT_SEND(EVENT_DATA_DUMP, data_dump, self);
}

static void
dispatch(struct thread *self, int number)
{
    union slot arg = { .i = number };

    if (class_initialize(self, KC(self->vm, Signal))
        && java_call(self, KM(self->vm, Signal_dispatch), &arg, NULL))
        return;
    exception_print(self, exception_take(self));
}

static void
run_dispatcher(struct thread *self, void *arg UNUSED)
{
    static const int wanted[] = { SIGQUIT, SIGHUP, SIGINT, SIGTERM };
    sigset_t set;

    /* Other JVMs start processes that have some of them blocked. */
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        sigaddset(&set, wanted[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    for (;;) {
        int number = await_signal(self);

        if (number == SIGQUIT)
            dump_all(self);
        else
            dispatch(self, number);
        self->exception = NULL;
    }
}

static void
pass(int number UNUSED)
{
}

/* A write into a closed pipe or beyond the file size limit fails with an errno, and
   Java gets its IOException.  Not SIG_IGN, which child processes would inherit. */
static void
outlive_writes(void)
{
    static const int numbers[] = { SIGPIPE, SIGXFSZ };
    struct sigaction old;

    for (size_t i = 0; i < 2; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            install(numbers[i], (void *)pass);
}

void
jdk_start_services(struct thread *self)
{
    attach_init(self);
    outlive_writes();
    if (self->vm->options.no_java_signals)
        return;
    sem_init(&arrived, 0, 0);
    if (thread_start_internal(self, NULL, "Signal Dispatcher", run_dispatcher, NULL,
                              PRIORITY_DISPATCHER))
        install(SIGQUIT, HANDLER_JAVA);
    else
        exception_print(self, exception_take(self));
}
