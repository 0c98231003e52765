/* SPDX-License-Identifier: MIT */
/*
 * minivm/option_flag.c -- flags: options that begin with -XX.
 *
 * All flags of HotSpot of the release are known (jdk/flags.h), as a command line written for it should
 * run.  A flag takes effect where this VM has what it is about, and is accepted without
 * effect where it has not (a compiler, other collectors).  If that would show in what a
 * program does, and not only in its speed and memory, a warning says so.
 */

#include "option_reader.h"

#include <ctype.h>
#include <string.h>

/* Reads the flags that -Xlog has replaced, with HotSpot's warning. */
static bool
read_log_flag(struct option_reader *r, const char *name, bool on)
{
    bool details = !strcmp(name, "PrintGCDetails");
    const char *what = details ? "gc*" : "gc";

    if (!details && strcmp(name, "PrintGC") != 0)
        return false;
    if (!on)
        return true;
    printf("[0.000s][warning][gc] -XX:+%s is deprecated. Will use -Xlog:%s instead.\n",
           name, what);
    return option_read_log(r, what, NULL, name);
}

/* Returns true for a flag without effect in this VM whose effect could be seen in what
   a program prints, in files or in how it ends. */
static bool
is_missed(const struct flag *f)
{
    static const char *const prefixes[] = { "AbortVM",
                                            "ArchiveClassesAtExit",
                                            "CITime",
                                            "CompressedClassSpaceSize",
                                            "CreateCoredumpOnCrash",
                                            "DTrace",
                                            "DisplayVMOutput",
                                            "Dump",
                                            "ErrorFile",
                                            "ExtendedDTraceProbes",
                                            "FlightRecorder",
                                            "InitialRAM",
                                            "Log",
                                            "MaxMetaspaceSize",
                                            "MaxRAM",
                                            "MinRAM",
                                            "NativeMemoryTracking",
                                            "OnError",
                                            "PauseAtExit",
                                            "PerfDataSave",
                                            "Print",
                                            "ReplayCompiles",
                                            "SharedArchiveFile",
                                            "SharedClassListFile",
                                            "ShowMessageBoxOnError",
                                            "StartFlightRecording",
                                            "SuppressFatalErrorMessage",
                                            "Trace",
                                            "VerifyAfterGC",
                                            "VerifyBeforeExit",
                                            "VerifyBeforeGC",
                                            "VerifyDuringGC",
                                            "VerifyDuringStartup" };

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (option_after(f->name, prefixes[i]))
            return !flag_is_honoured(f);
    return false;
}

/* Warns of a flag that is_missed, unless value is what HotSpot does without it. */
static void
warn_of_missed(const struct flag *f, const char *value)
{
    if (is_missed(f) && strcmp(value, f->initial) != 0)
        fprintf(stderr,
                "OpenJDK 64-Bit Server VM warning: -XX:%s%s has no effect in "
                "this VM\n",
                !flag_is_bool(f)         ? ""
                : !strcmp(value, "true") ? "+"
                                         : "-",
                f->name);
}

static bool
fail_improper(struct option_reader *r, const char *text)
{
    return option_fail(r, stderr, "Improperly specified VM option '%s'\n", text);
}

/* From this release on a flag that is locked is also improperly specified. */
static const struct releases with_second_message = { 25, 0 };

bool
option_read_flag(struct option_reader *r, const char *text)
{
    bool plus_minus = *text == '+' || *text == '-';
    const char *name = text + plus_minus, *equals = strchr(name, '=');
    const struct flag *f = flag_find(name,
                                     equals ? (size_t)(equals - name) : strlen(name));

    if (!strcmp(name, "IgnoreUnrecognizedVMOptions")) {
        r->ignore_unknown |= *text == '+';
        return true;
    }
    const char *removed = f ? NULL : flag_removed_in(name, strcspn(name, "="));

    if (removed) {
        fprintf(stderr,
                "OpenJDK 64-Bit Server VM warning: Ignoring option %.*s; support was "
                "removed in %s\n",
                (int)strcspn(name, "="), name, removed);
        return true;
    }
    if (!f)
        return r->ignore_unknown
               || option_fail(r, stderr, "Unrecognized VM option '%s'\n", name);
    if (flag_is_locked(r->o, f)) {
        option_fail(r, stderr,
                    "Error: VM option '%s' is %s and must be enabled via "
                    "-XX:+Unlock%c%sVMOptions.\n"
                    "Error: The unlock option must precede '%s'.\n",
                    f->name, f->lock, toupper((unsigned char)*f->lock), f->lock + 1,
                    f->name);
        return release_is_in(r->feature, with_second_message) ? fail_improper(r, name)
                                                              : true;
    }
    bool is_bool = flag_is_bool(f);
    if (is_bool != plus_minus)
        return option_fail(r, stderr, "%s +/- setting %s VM option '%s'\n",
                           is_bool ? "Missing" : "Unexpected", is_bool ? "for" : "in",
                           name);
    if (is_bool && !equals && read_log_flag(r, f->name, *text == '+'))
        return true;
    enum flag_result result = FLAG_MALFORMED;
    const char *low, *high, *value = equals ? equals + 1 : NULL;
    if (is_bool)
        value = *text == '+' ? "true" : "false";
    /* "+NAME=VALUE", and "NAME" alone, are malformed. */
    if (is_bool == !equals)
        result = flag_set(r->o, f, value, r->origin);
    if (result == FLAG_SET)
        warn_of_missed(f, value);
    else if (result == FLAG_OUT_OF_RANGE && flag_range(f, &low, &high))
        option_fail(r, stderr, "%s %s=%s is outside the allowed range [ %s ... %s ]\n",
                    f->type, f->name, value, low, high);
    return result == FLAG_SET || fail_improper(r, name);
}
