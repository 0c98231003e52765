/* SPDX-License-Identifier: MIT */
/*
 * minivm ARGS... -- the JDK's own launcher, told to load our libjvm.so.
 *
 * The JDK is JAVA_HOME's where that is set, else the one that configure found.  The
 * library is the build tree's when this program stands there, else the installed one;
 * an installation that was staged below another root (DESTDIR) works there too.
 */
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "-XXaltjvm="

/* Write `-XXaltjvm=DIR` for the libjvm.so that belongs to this program. */
static bool
find_library(char option[PATH_MAX])
{
    char program[PATH_MAX] = "", *dir;
    size_t length, bin = strlen(BIN_DIR);
    int root = 0, written;

    if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
        return false;
    dir = dirname(program);
    written = snprintf(option, PATH_MAX, PREFIX "%s/lib/libjvm.so", dir);
    if (written < PATH_MAX && access(option + strlen(PREFIX), R_OK) == 0) {
        *strrchr(option, '/') = '\0';
        return true;
    }
    length = strlen(dir);
    if (length > bin && strcmp(dir + length - bin, BIN_DIR) == 0)
        root = (int)(length - bin);
    written = snprintf(option, PATH_MAX, PREFIX "%.*s%s", root, dir, INSTALLED_DIR);
    return written < PATH_MAX;
}

/* A sanitizer's runtime has to come first in a process that was built without it.  The
   VM holds memory until the process ends.  Faults that the VM does not expect go to
   AddressSanitizer's handler, as to any that was there before; with handle_segv=0 in
   ASAN_OPTIONS the VM reports them itself. */
static void
preload_sanitizer(void)
{
    if (SANITIZER_RUNTIME[0] == '\0')
        return;
    setenv("LD_PRELOAD", SANITIZER_RUNTIME, 0);
    setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 0);
    setenv("TSAN_OPTIONS", "handle_segv=0:handle_sigbus=0:"
                           "allocator_may_return_null=1", 0);
}

int
main(int argc, char **argv)
{
    static char java[PATH_MAX], option[PATH_MAX];
    const char *jdk = getenv("JAVA_HOME");
    char **args = calloc((size_t)argc + 2, sizeof *args);

    if (jdk == NULL || jdk[0] == '\0')
        jdk = JDK;
    if (args == NULL || !find_library(option)
        || snprintf(java, sizeof java, "%s/bin/java", jdk) >= (int)sizeof java) {
        fprintf(stderr, "minivm: cannot find the VM's library or the JDK '%s'\n", jdk);
        return 1;
    }
    args[0] = java;
    args[1] = option;
    memcpy(args + 2, argv + 1, (size_t)argc * sizeof *args);
    preload_sanitizer();
    execv(java, args);
    fprintf(stderr, "minivm: cannot run '%s': ", java);
    perror(NULL);
    return 1;
}
