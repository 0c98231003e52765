/* SPDX-License-Identifier: MIT */
/*
 * minivm/launcher.c -- the program `minivm [--jdk DIR] ARGS...`: runs the JDK's own
 * launcher, bin/java, with the option that makes it load our libjvm.so.
 *
 * The JDK is the one that the first argument names, `--jdk DIR` or `--jdk=DIR`; else the
 * one that JAVA_HOME names or, when that is not set, the one that configure found.  The
 * library is that of the build tree when this program lies there, else the installed one;
 * an installation that was staged below another root (DESTDIR) works there, too.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "-XXaltjvm="

/* The length of the folder that both paths lie in; 0 for the root. */
static size_t
common_folder(const char *a, const char *b)
{
    size_t common = 0;

    for (size_t i = 0;; i++) {
        bool ends = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');

        if (ends)
            common = i;
        if (a[i] != b[i] || a[i] == '\0')
            return common;
    }
}

/*
 * Stores `-XXaltjvm=DIR` with the folder of the libjvm.so that belongs to this program;
 * returns false when that cannot be found out.  In the build tree that folder is lib
 * beside the program.  Elsewhere it lies towards the program as it does where both were
 * to be installed, so that they may stand below a DESTDIR or be moved together; and a
 * program that was moved alone takes the library that is installed.
 */
static bool
find_library(char option[PATH_MAX])
{
    char program[PATH_MAX] = "", *dir;
    size_t length, common = common_folder(BIN_DIR, INSTALLED_DIR);
    size_t below = strlen(BIN_DIR) - common;
    int written;

    if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
        return false;
    dir = dirname(program);
    written = snprintf(option, PATH_MAX, PREFIX "%s/lib/libjvm.so", dir);
    if (written < PATH_MAX && access(option + strlen(PREFIX), R_OK) == 0) {
        *strrchr(option, '/') = '\0';
        return true;
    }
    length = strlen(dir);
    if (length >= below && strcmp(dir + length - below, &BIN_DIR[common]) == 0) {
        written = snprintf(option, PATH_MAX, PREFIX "%.*s%s/libjvm.so",
                           (int)(length - below), dir, &INSTALLED_DIR[common]);
        if (written < PATH_MAX && access(option + strlen(PREFIX), R_OK) == 0) {
            *strrchr(option, '/') = '\0';
            return true;
        }
    }
    written = snprintf(option, PATH_MAX, PREFIX "%s", INSTALLED_DIR);
    return written < PATH_MAX;
}

/*
 * In a build with a sanitizer, sets the environment so that bin/java, which was built
 * without it, loads the sanitizer's runtime first, and so that the runtime does not
 * report the memory that the VM keeps until the process ends.  Faults that the VM does
 * not expect go to AddressSanitizer's handler, as to any that was there before the
 * VM's; with handle_segv=0 in ASAN_OPTIONS the VM reports them itself.
 */
static void
preload_sanitizer(void)
{
    if (SANITIZER_RUNTIME[0] == '\0')
        return;
    setenv("LD_PRELOAD", SANITIZER_RUNTIME, 0);
    setenv("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1", 0);
    setenv("TSAN_OPTIONS",
           "handle_segv=0:handle_sigbus=0:"
           "allocator_may_return_null=1",
           0);
}

/*
 * Returns the folder that --jdk names, and moves *argv and *argc behind that option; NULL
 * if it was not given.  The option must come first: what follows belongs to java, and to
 * the program.  Ends the process with a message when there is no JDK in the folder, also
 * when the library would not find one: it asks for lib/modules.
 */
static const char *
take_jdk(int *argc, char ***argv)
{
    static char path[PATH_MAX];
    const char *option = *argc > 1 ? (*argv)[1] : "", *jdk = NULL;
    int taken = 1;

    if (strncmp(option, "--jdk=", 6) == 0)
        jdk = option + 6;
    else if (strcmp(option, "--jdk") != 0)
        return NULL;
    else if (*argc > 2)
        jdk = (*argv)[++taken];
    if (!jdk) {
        fprintf(stderr, "minivm: --jdk wants the folder of a JDK\n");
        exit(1);
    }
    for (int i = 0; i < 2; i++) {
        const char *part = i == 0 ? "bin/java" : "lib/modules";
        int length = snprintf(path, sizeof path, "%s/%s", jdk, part);
        if (length >= (int)sizeof path || access(path, i == 0 ? X_OK : R_OK) != 0) {
            fprintf(stderr, "minivm: --jdk: '%s' is no JDK: it has no %s\n", jdk, part);
            exit(1);
        }
    }
    (*argv)[taken] = (*argv)[0];
    *argv += taken;
    *argc -= taken;
    return jdk;
}

/*
 * Runs bin/java of the JDK in place of this program: argv without the program's name,
 * behind the option for our library.  Returns only if that fails, with a message.
 */
int
main(int argc, char **argv)
{
    static char java[PATH_MAX], option[PATH_MAX];
    const char *jdk = take_jdk(&argc, &argv), *from = "";
    char **args = calloc((size_t)argc + 2, sizeof *args);

    if (!jdk) {
        jdk = getenv("JAVA_HOME");
        from = ", from JAVA_HOME";
    }
    if (!jdk || jdk[0] == '\0') {
        jdk = JDK;
        from = ", of the JDK that minivm was built with";
    }
    if (!args || !find_library(option)
        || snprintf(java, sizeof java, "%s/bin/java", jdk) >= (int)sizeof java) {
        fprintf(stderr, "minivm: cannot find the VM's library or the JDK '%s'%s\n", jdk,
                from);
        return 1;
    }
    args[0] = java;
    args[1] = option;
    memcpy(args + 2, argv + 1, (size_t)argc * sizeof *args);
    preload_sanitizer();
    execv(java, args);
    fprintf(stderr, "minivm: cannot run '%s'%s: %s\n", java, from, strerror(errno));
    return 1;
}
