/* SPDX-License-Identifier: MIT */
/* minivm/options_xx.c -- the -XX options.
 *
 * Flags are honoured where the VM has the thing (jdk/flags.c) and accepted without
 * effect where it has not (a compiler, other collectors): a command line written for
 * HotSpot should run.  The names and types of all flags are those that the JDK's own VM
 * printed for the build (jdk_flags.h); a name that is in neither table is an error. */

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jdk/properties.h"

/* One with a lock needs -XX:+UnlockDiagnosticVMOptions or the like before it. */
static const struct flag {
    const char *name, *type, *lock;
} flags[] = {
#define FLAG(name, type, lock) { #name, #type, #lock },
    FLAG(GCStress, uint, product)
    FLAG(PoisonFreed, bool, product)
#include "jdk_flags.h"
#undef FLAG
};

static const struct flag *
find_flag(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == length && !strncmp(flags[i].name, name, length))
            return &flags[i];
    return NULL;
}

static bool
is_locked(const struct vm_options *o, const struct flag *f)
{
    bool diagnostic = !strcmp(f->lock, "diagnostic");

    if ((!diagnostic && strcmp(f->lock, "experimental"))
        || !strncmp(f->name, "Unlock", 6)
        || (diagnostic ? o->unlock_diagnostic : o->unlock_experimental))
        return false;
    fprintf(stderr, "Error: VM option '%s' is %s and must be enabled via "
                    "-XX:+Unlock%sVMOptions.\n"
                    "Error: The unlock option must precede '%s'.\n", f->name, f->lock,
            diagnostic ? "Diagnostic" : "Experimental", f->name);
    return true;
}

/* An integer may have a suffix and be hexadecimal, whatever its type. */
static bool
set_value(struct vm_options *o, const struct flag *f, const char *value)
{
    const struct vm_flag *honoured = flag_find(f->name);
    bool negative = *value == '-', is_signed = !strncmp(f->type, "int", 3);
    bool is_int = !strcmp(f->type + !is_signed, "int");
    char *end;
    size_t n;

    if (!strncmp(f->type, "ccstr", 5))
        return true;
    if (!strcmp(f->type, "double"))
        return strtod(value, &end), *value != '\0' && *end == '\0';
    if ((negative && !is_signed) || !options_parse_size(value + negative, &n)
        || (is_int && n > (is_signed ? INT32_MAX : UINT32_MAX)))
        return false;
    int64_t number = n < INT64_MAX ? (int64_t)n : INT64_MAX;
    if (honoured)
        flag_set(o, honoured, negative ? -number : number);
    return true;
}

enum xx_outcome
xx_option(struct vm_options *o, const char *text)
{
    bool plus_minus = *text == '+' || *text == '-';
    const char *name = text + plus_minus, *equals = strchr(name, '=');
    const struct flag *f =
        find_flag(name, equals ? (size_t)(equals - name) : strlen(name));

    if (!strcmp(name, "IgnoreUnrecognizedVMOptions"))
        return *text == '+' ? XX_IGNORE_UNKNOWN : XX_DONE;
    if (!f)
        return XX_UNKNOWN;
    if (is_locked(o, f))
        return XX_MALFORMED;
    bool is_bool = !strcmp(f->type, "bool");
    if (is_bool != plus_minus) {
        fprintf(stderr, "%s +/- setting %s VM option '%s'\n",
                is_bool ? "Missing" : "Unexpected", is_bool ? "for" : "in", name);
        return XX_MALFORMED;
    }
    if (is_bool ? equals != NULL : !equals || !set_value(o, f, equals + 1)) {
        fprintf(stderr, "Improperly specified VM option '%s'\n", name);
        return XX_MALFORMED;
    }
    const struct vm_flag *honoured = flag_find(f->name);
    if (is_bool && honoured)
        flag_set(o, honoured, *text == '+');
    return XX_DONE;
}
