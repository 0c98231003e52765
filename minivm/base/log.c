/* SPDX-License-Identifier: MIT */
/* minivm/base/log.c -- fatal errors and warnings of the VM itself. */

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The message of fatal().  It is global because the report of the crash, which the
   signal of abort() causes, has no other way to get it. */
static char message[512];

/* Writes a line with the kind of message to standard error; the lock keeps lines of
   several threads apart. */
static void
say(const char *kind, const char *format, va_list args)
{
    flockfile(stderr);
    fprintf(stderr, "minivm: %s: ", kind);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

/* What the program has printed so far is flushed, so that it comes before the
   message. */
void
fatal(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fprintf(stderr, "minivm: fatal: %s\n", message);
    abort();
}

const char *
fatal_message(void)
{
    return message;
}

/* Exit handlers are not run, as they may need memory. */
void
out_of_memory(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    va_start(args, format);
    say("out of memory", format, args);
    va_end(args);
    _exit(EXIT_FAILURE);
}

void
warn(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say("warning", format, args);
    va_end(args);
}
