/* SPDX-License-Identifier: MIT */
/*
 * minivm/option_syntax.c -- the options with a syntax of their own: -Xlog, -D, -Xverify
 * and a few that HotSpot has given up.
 *
 * Those given up are known for the sake of their messages, so that a command line that
 * is too old fails as it does on HotSpot.
 */

#include "option_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/xlog.h"
#include "jdk/properties.h"
#include "runtime/exception.h"

/* ---- -Xlog (JEP 158) ---- */

/* Prints what the log has to say about its own configuration in the form of its own
   lines, and releases the buffer. */
static void
tell_log(const char *level, struct buf *lines)
{
    char *rest = lines->length ? mem_strdup(buf_string(lines)) : NULL;
    char *text = rest, *line;

    while (rest && (line = strsep(&rest, "\n")) != NULL)
        if (*line)
            printf("[0.000s][%s][logging] %s\n", level, line);
    mem_free(text);
    buf_release(lines);
}

bool
option_read_log(struct option_reader *r, const char *what, const char *output,
                const char *option)
{
    struct buf problem = { 0 };
    bool good = log_configure(output, what, NULL, NULL, &problem);

    tell_log(good ? "warning" : "error", &problem);
    return good
           || option_fail(r, stderr,
                          "Invalid -Xlog option '%s', see error log for "
                          "details.\n",
                          option);
}

/* Reads -Xlog; text is the whole option. */
static bool
option_read_xlog(struct option_reader *r, const char *text)
{
    const char *line = text + strlen("-Xlog");
    struct buf lines = { 0 };

    if (!strcmp(line, ":help")) {
        log_help(&lines);
        fputs(buf_string(&lines), stdout);
        exit(0);
    }
    if (!strcmp(line, ":disable")) {
        log_disable();
        return true;
    }
    if (!strcmp(line, ":async"))
        return true;
    bool good = log_configure_line(line + (*line == ':'), &lines);
    tell_log(good ? "warning" : "error", &lines);
    return good
           || option_fail(r, stderr,
                          "Invalid -Xlog option '%s', see error log for "
                          "details.\n",
                          text);
}

/* ---- the others ---- */

/* Reads what follows "-Xverify". */
static bool
read_verify(struct option_reader *r, const char *what)
{
    bool all = *what == '\0' || !strcmp(what, ":all"), none = !strcmp(what, ":none");

    if (!all && !none && strcmp(what, ":remote"))
        return option_fail(r, stderr, "Unrecognized verification option: -Xverify%s\n",
                           what);
    if (none)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Options -Xverify:none and "
                        "-noverify were deprecated in JDK 13 and will likely be "
                        "removed in a future release.\n");
    r->o->verify_local = all;
    r->o->verify_remote = !none;
    return true;
}

/* Reads what follows "-D". */
static bool
read_property(struct option_reader *r, const char *text)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : "";
    TEXTS(t);

    if (*value && option_after(text, "java.ext.dirs="))
        return option_fail(r, stdout,
                           "-D%s is not supported.  Use -classpath instead.\n", text);
    if (*value && option_after(text, "java.endorsed.dirs="))
        return option_fail(r, stdout,
                           "-D%s is not supported. Endorsed standards and "
                           "standalone APIs\nin modular form will be supported via "
                           "the concept of upgradeable modules.\n",
                           text);
    if (option_after(text, "com.sun.management") && !r->o->management_agent) {
        r->o->management_agent = true;
        property_add_numbered(r->o, "jdk.module.addmods", "jdk.management.agent");
    }
    if (property_is_reserved(text))
        r->has_reserved = true;
    else
        property_set(r->o, own(&t, mem_strndup(text, strcspn(text, "="))),
                     mem_strdup(value));
    return true;
}

bool
option_read_other(struct option_reader *r, const char *text)
{
    const char *rest;
    struct vm_options *o = r->o;
    TEXTS(t);

    if ((rest = option_after(text, "-D")))
        return read_property(r, rest);
    if ((rest = option_after(text, "-Xbootclasspath/a:"))) {
        const char *old = own(&t, o->boot_append);
        o->boot_append = old ? mem_printf("%s:%s", old, rest) : mem_strdup(rest);
        return true;
    }
    if ((rest = option_after(text, "-Xbootclasspath"))
        && (*rest == ':' || *rest == '/'))
        return option_fail(r, stdout,
                           "-Xbootclasspath%s is no longer a supported option.\n",
                           *rest == '/' ? "/p" : "");
    if ((rest = option_after(text, "-Xverify")))
        return read_verify(r, rest);
    if (!strcmp(text, "-noverify"))
        return read_verify(r, ":none");
    if (option_after(text, "-Xcheck:"))
        return option_fail(r, stderr, "Unrecognized check option: %s\n", text);
    if ((rest = option_after(text, "-Xloggc:"))) {
        printf("[0.000s][warning][gc] -Xloggc is deprecated. Will use -Xlog:gc:%s "
               "instead.\n",
               rest);
        return option_read_log(r, "gc", rest, text);
    }
    if ((rest = option_after(text, "-Xlog")) && (*rest == '\0' || *rest == ':'))
        return option_read_xlog(r, text);
    if ((rest = option_after(text, "--illegal-access="))) {
        fprintf(stderr,
                "OpenJDK 64-Bit Server VM warning: Ignoring option %s; support "
                "was removed in 17.0\n",
                text);
        return true;
    }
    /* The table has the kinds of -verbose that there are; HotSpot accepts others without
       a word. */
    return option_after(text, "-verbose:") != NULL;
}
