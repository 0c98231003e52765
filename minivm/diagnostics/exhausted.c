/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/exhausted.c -- what happens when there is no memory left.
 *
 * The options -XX:…OnOutOfMemoryError take effect at the first OutOfMemoryError that
 * the VM throws because heap or class memory is used up, and never again: those that
 * follow would only write the same dump.
 */

#include "diagnostics/exhausted.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/events.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/os.h"
#include "diagnostics/heapdump.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* Runs the commands of -XX:OnOutOfMemoryError, which are separated by ';', one by
   one. */
static void
run_commands(const char *commands, const char *text)
{
    printf("#\n# java.lang.OutOfMemoryError: %s\n# -XX:OnOutOfMemoryError=\"%s\"\n",
           text, commands);
    for (const char *at = commands; *at;) {
        size_t length = strcspn(at, ";");
        TEXTS(t);
        const char *command = own(&t, os_expand_pid(own(&t, mem_strndup(at, length))));
        at += length + (at[length] == ';');
        command += strspn(command, " ");
        if (!*command)
            continue;
        printf("#   Executing /bin/sh -c \"%s\"...\n", command);
        fflush(stdout);
        if (!os_run_command(command))
            printf("#   cannot run /bin/sh: %s\n", strerror(errno));
    }
    fflush(stdout);
}

/* Does what the options ask for, in HotSpot's order: the dump, the commands, and then
   what ends the process.  The commands may take long, so the thread counts as blocked
   meanwhile. */
static void
apply_options(struct thread *self, const char *text)
{
    const struct vm_options *o = &self->vm->options;

    if (o->dump_on_oom) {
        printf("java.lang.OutOfMemoryError: %s\n", text);
        heap_dump_by_options(self, true);
    }
    if (o->on_oom && *o->on_oom) {
        thread_block_begin(self);
        run_commands(o->on_oom, text);
        thread_block_end(self);
    }
    if (o->crash_on_oom) {
        printf("Aborting due to java.lang.OutOfMemoryError: %s\n", text);
        fatal("OutOfMemory encountered: %s", text);
    }
    if (o->exit_on_oom) {
        printf("Terminating due to java.lang.OutOfMemoryError: %s\n", text);
        fflush(stdout);
        _exit(3);
    }
}

void *
throw_exhausted(struct thread *self, const char *text, int flags)
{
    /* It is global because the options are for the process. */
    static bool has_applied_options;

    /* If there is no memory for the OutOfMemoryError itself, this function is called
       again from throw_out_of_memory; that is not a second case. */
    if (!self->throwing_out_of_memory) {
        if (!__atomic_exchange_n(&has_applied_options, true, __ATOMIC_ACQ_REL))
            apply_options(self, text);
        EVENT_SEND(EVENT_RESOURCE_EXHAUSTED, resource_exhausted, self, flags, text);
    }
    return throw_out_of_memory(self, text);
}
