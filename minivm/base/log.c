/* SPDX-License-Identifier: MIT */
/* minivm/base/log.c -- the last words of the process, and its warnings. */

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char message[512];

static void
say(const char *kind, const char *format, va_list args)
{
    flockfile(stderr);
    fprintf(stderr, "minivm: %s: ", kind);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

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

/* Nothing more is run, exit handlers included: they may need memory. */
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
