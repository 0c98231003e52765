/* SPDX-License-Identifier: MIT */
/*
 * layer/crash.c -- what a report of a crash gets: the last calls of the thread, in which
 * callback it is, the raw monitors that it has, and what was found so far.
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

#include "layer/check.h"
#include "layer/finding.h"

static char text[8192];
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

/* ---- calls ---- */

void
crash_call_begin(struct check_thread *thread, const char *name, bool is_jni)
{
    struct last_call *call = &thread->calls[thread->next_call++ % LAST_CALLS];

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

static void
add_calls(const struct check_thread *thread)
{
    add("The last calls of this thread, the newest first:\n");
    for (unsigned i = 1; i <= LAST_CALLS && i <= thread->next_call; i++) {
        const struct last_call *call = &thread->calls[(thread->next_call - i) % LAST_CALLS];

        add("    %s%s", call->is_jni ? "JNI " : "", call->name);
        if (!call->is_over)
            add(", under way\n");
        else if (call->is_jni)
            add("\n");
        else
            add(" = %d\n", call->error);
    }
}

/* ---- the text ---- */

JNIEXPORT const char *JNICALL
tiforge_check_crash(void)
{
    const struct interpose_thread *thread = interpose_thread_known();
    const struct check_thread *state = thread != NULL ? thread->state : NULL;
    const char *name;
    int count = 0;

    used = 0;
    if (state == NULL)
        add("This thread has run no code of an agent.\n");
    else {
        add_calls(state);
        for (const struct interpose_event *e = thread->event; e != NULL; e = e->outer)
            add("It is in the callback of %s.\n", e->facts->name);
        if (monitor_is_held(state, &name))
            add("It has raw monitor '%s'.\n", name);
    }
    for (const struct finding *f = finding_first(); f != NULL && count < 20; f = f->next)
        add("%s    %s: %s [%s]\n", count++ == 0 ? "Found so far:\n" : "",
            severity_names[rule_facts[f->rule].severity], f->message,
            rule_facts[f->rule].id);
    if (count == 0)
        add("Nothing was found so far.\n");
    return text;
}

/* ---- VMs that do not ask ---- */

static void
on_abort(int number)
{
    char path[64];
    int file;

    snprintf(path, sizeof path, "tiforge_check_pid%d.log", (int)getpid());
    tiforge_check_crash();
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, text, used) == (ssize_t)used)
        dprintf(2, "# What the agent did last is in\n# %s\n", path);
    if (file >= 0)
        close(file);
    signal(number, SIG_DFL);
    raise(number);
}

void
crash_start(void)
{
    struct sigaction action;

    /* A VM with a handler of its own is one that asks. */
    if (sigaction(SIGABRT, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
        signal(SIGABRT, on_abort);
}
