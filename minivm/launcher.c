/* SPDX-License-Identifier: MIT */
/*
 * minivm ARGS... -- the JDK's own launcher, told to load our libjvm.so.
 *
 * The JDK is JAVA_HOME's where that is set, else the one that configure found.  The
 * library is the installed one, or the build tree's when this program stands there.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether this program runs from the directory it was built in (or .libs below it). */
static int
runs_from_build_tree(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    size_t prefix = strlen(BUILD_DIR);

    if (length < 0)
        return 0;
    self[length] = '\0';
    return strncmp(self, BUILD_DIR, prefix) == 0 && self[prefix] == '/';
}

/* A sanitizer's runtime has to come first in a process that was built without it. */
static void
preload_sanitizer(void)
{
    if (SANITIZER_RUNTIME[0] == '\0')
        return;
    setenv("LD_PRELOAD", SANITIZER_RUNTIME, 0);
    setenv("ASAN_OPTIONS",
           "detect_leaks=0:handle_segv=0:handle_sigbus=0:allow_user_segv_handler=1", 0);
    setenv("TSAN_OPTIONS", "handle_segv=0:handle_sigbus=0", 0);
}

int
main(int argc, char **argv)
{
    const char *jdk = getenv("JAVA_HOME");
    const char *dir = runs_from_build_tree() ? BUILD_DIR "/lib" : INSTALLED_DIR;
    char java[PATH_MAX], option[PATH_MAX + 16];
    char **args = calloc((size_t)argc + 2, sizeof *args);

    if (jdk == NULL || jdk[0] == '\0')
        jdk = JDK;
    if (args == NULL
        || snprintf(java, sizeof java, "%s/bin/java", jdk) >= (int)sizeof java
        || snprintf(option, sizeof option, "-XXaltjvm=%s", dir) >= (int)sizeof option) {
        fprintf(stderr, "minivm: cannot start: path too long or out of memory\n");
        return 1;
    }
    args[0] = java;
    args[1] = option;
    memcpy(args + 2, argv + 1, (size_t)argc * sizeof *args);
    preload_sanitizer();
    execv(java, args);
    perror(java);
    return 1;
}
