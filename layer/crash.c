/* SPDX-License-Identifier: MIT */
/*
 * layer/crash.c -- what a report of a crash gets: the last calls of the thread, in which
 * callback it is, the raw monitors that it has, and what was found so far; then the same
 * of the other threads that ran code of the agent last.  The thread that crashes is often
 * not the one that broke something: a compiler or the collector finds a broken heap.
 *
 * minivm asks for the text and puts it into its own report.  Other VMs end with abort()
 * once they have written theirs; then the text is written to a file beside it, by a
 * handler of SIGABRT.  All of this runs in a process that is broken: it takes no lock and
 * no memory.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tiforge_names.h>

#include "layer/check.h"
#include "layer/finding.h"
#include "layer/page.h"

/* Threads other than the one that crashed, and how many calls of each. */
#define OTHERS 3
#define OTHER_CALLS 10

static char text[16384];
static size_t used;

__attribute__((format(printf, 1, 2))) static void
add(const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    if (length > 0)
        used += (size_t)length < sizeof text - used ? (size_t)length
                                                    : sizeof text - used - 1;
}

/* ---- which threads ran last ---- */

/* All states, the newest first.  None is ever freed, so the list is read without a lock. */
static struct check_thread *states;

/* The thread that ran code of the agent last, and how often another one came to be it. */
static struct check_thread *latest;
static unsigned long turns;

void
crash_thread_seen(struct check_thread *thread)
{
    thread->id = thread->thread->id;
    thread->older = __atomic_load_n(&states, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&states, &thread->older, thread, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
}

void
crash_thread_runs(struct check_thread *thread)
{
    if (__atomic_load_n(&latest, __ATOMIC_RELAXED) == thread)
        return;
    __atomic_store_n(&latest, thread, __ATOMIC_RELAXED);
    thread->turn = __atomic_add_fetch(&turns, 1, __ATOMIC_RELAXED);
}

/* The one with the last turn before `turn`, or NULL. */
static const struct check_thread *
ran_before(unsigned long turn, const struct check_thread *except)
{
    const struct check_thread *found = NULL;

    for (const struct check_thread *t = __atomic_load_n(&states, __ATOMIC_ACQUIRE);
         t != NULL; t = t->older)
        if (t != except && t->turn != 0 && t->turn < turn
            && (found == NULL || t->turn > found->turn))
            found = t;
    return found;
}

/* ---- calls ---- */

void
crash_call_begin(struct check_thread *thread, const char *name, bool is_jni)
{
    struct last_call *call = &thread->calls[thread->next_call++ % LAST_CALLS];

    crash_thread_runs(thread);
    call->name = name;
    call->is_jni = is_jni;
    call->is_over = false;
    call->depth = thread->under_way++;
}

/* The calls that have begun since this one may have taken its place. */
void
crash_call_end(struct check_thread *thread, int error)
{
    int depth = --thread->under_way;

    for (unsigned i = 1; i <= LAST_CALLS && i <= thread->next_call; i++) {
        struct last_call *call = &thread->calls[(thread->next_call - i) % LAST_CALLS];

        if (!call->is_over && call->depth == depth) {
            call->is_over = true;
            call->error = error;
            return;
        }
    }
}

/* The last version that GetEnv did not give, and its answer; 0: none. */
static jint refused_version, refused_with;

void
crash_env_refused(jint version, jint error)
{
    __atomic_store_n(&refused_version, version, __ATOMIC_RELAXED);
    __atomic_store_n(&refused_with, error, __ATOMIC_RELAXED);
}

static void
add_refused(void)
{
    jint error = __atomic_load_n(&refused_with, __ATOMIC_RELAXED);

    if (error == JNI_OK)
        return;
    add("GetEnv gave no environment of version 0x%08x: ",
        (unsigned)__atomic_load_n(&refused_version, __ATOMIC_RELAXED));
    if (error == JNI_EVERSION)
        add("JNI_EVERSION, this VM does not have it.\n");
    else if (error == JNI_EDETACHED)
        add("JNI_EDETACHED, the thread is not attached.\n");
    else
        add("%d.\n", (int)error);
}

static void
add_calls(const struct check_thread *thread, unsigned most)
{
    if (thread->next_call == 0)
        add("It has made no call.\n");
    else
        add("Its last calls, the newest first:\n");
    for (unsigned i = 1; i <= most && i <= thread->next_call; i++) {
        const struct last_call *call = &thread->calls[(thread->next_call - i) % LAST_CALLS];
        const char *error;

        add("    %s%s", call->is_jni ? "JNI " : "", call->name);
        if (!call->is_over)
            add(", under way\n");
        else if (call->is_jni)
            add("\n");
        else if ((error = tiforge_error_name((jvmtiError)call->error)) != NULL)
            add(" = %s\n", error + strlen("JVMTI_ERROR_"));
        else
            add(" = %d\n", call->error);
    }
}

/* What a thread has done; `thread` is NULL for one that has ended. */
static void
add_thread(const struct check_thread *state, const struct interpose_thread *thread,
           unsigned most)
{
    const char *name;

    for (const struct interpose_event *e = thread != NULL ? thread->event : NULL; e != NULL;
         e = e->outer)
        add("It is in the callback of %s.\n", e->facts->name);
    if (state->loading != NULL)
        add("It is in %s.\n", state->loading);
    for (int i = 0; monitor_nth_held(state, i, &name); i++)
        if (name != NULL)
            add("It has raw monitor '%s'.\n", name);
    add_calls(state, most);
}

/* The name that the thread has for the kernel: others need locks and the VM. */
static bool
read_name(long id, char *name, size_t size)
{
    char path[64];
    ssize_t length;
    int file;

    snprintf(path, sizeof path, "/proc/self/task/%ld/comm", id);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    length = read(file, name, size - 1);
    close(file);
    if (length <= 0)
        return false;
    name[length - 1] = '\0';     /* its newline */
    return true;
}

static void
add_others(const struct check_thread *self)
{
    const struct check_thread *t = NULL;
    unsigned long turn = ~0UL;

    for (int i = 0; i < OTHERS && (t = ran_before(turn, self)) != NULL; i++) {
        char name[64] = "";
        bool is_there = t->thread->state == t && !t->thread->has_ended
            && read_name(t->id, name, sizeof name);

        turn = t->turn;
        if (i == 0)
            add("\nOther threads that ran code of an agent, the last one first:\n");
        add("\nThread \"%s\" (%ld)%s:\n", t->name[0] != '\0' ? t->name : name, t->id,
            is_there ? "" : ", which has ended");
        add_thread(t, is_there ? t->thread : NULL, OTHER_CALLS);
    }
}

/* ---- the text ---- */

static void
add_findings(void)
{
    int count = 0;

    for (const struct finding *f = finding_first(); f != NULL && count < 20; f = f->next)
        add("%s    %s: %s [%s]\n", count++ == 0 ? "Found so far:\n" : "",
            severity_names[rule_facts[f->rule].severity], f->message,
            rule_facts[f->rule].id);
    if (page_untold() > 0)
        add("%s    error: memory of JVM TI is used that the agent has no more [%s]\n",
            count++ == 0 ? "Found so far:\n" : "",
            rule_facts[RULE_MEMORY_USE_AFTER_DEALLOCATE].id);
    if (count == 0)
        add("Nothing was found so far.\n");
}

static void
add_all(void)
{
    const struct interpose_thread *thread = interpose_thread_known();
    const struct check_thread *state = thread != NULL ? thread->state : NULL;

    if (state == NULL || state->turn == 0)
        add("The thread that crashed has run no code of an agent.\n");
    else {
        add("The thread that crashed has run code of an agent.\n");
        add_thread(state, thread, LAST_CALLS);
    }
    add_refused();
    add_findings();
    add_others(state);
}

JNIEXPORT const char *JNICALL
tiforge_check_crash(void)
{
    used = 0;
    add_all();
    return text;
}

/* ---- VMs that do not ask ---- */

static void
on_abort(int number)
{
    char path[64];
    int file;

    /* Another abort, in this handler, ends the process. */
    signal(number, SIG_DFL);
    snprintf(path, sizeof path, "tiforge_check_pid%d.log", (int)getpid());
    used = 0;
    add("tiforge check: what the agent did before process %d ended by abort()\n\n",
        (int)getpid());
    add_all();
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, text, used) == (ssize_t)used)
        dprintf(2, "# What the agent did last is in\n# %s\n", path);
    if (file >= 0)
        close(file);
    raise(number);
}

/* HotSpot calls abort() within its handlers of crashes, which block all signals.  glibc
   unblocks SIGABRT there up to 2.40 only; later ones end the process at once, without our
   handler.  So the VM's handlers are kept, but do not block SIGABRT any more. */
static void
let_abort_through(void)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
    struct sigaction action;

    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (sigaction(crashes[i], NULL, &action) == 0 && action.sa_handler != SIG_DFL
            && sigismember(&action.sa_mask, SIGABRT) == 1) {
            sigdelset(&action.sa_mask, SIGABRT);
            sigaction(crashes[i], &action, NULL);
        }
}

void
crash_start(void)
{
    struct sigaction action;

    /* A VM with a handler of its own is one that asks. */
    if (sigaction(SIGABRT, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
        return;
    signal(SIGABRT, on_abort);
    let_abort_through();
}
