/* SPDX-License-Identifier: MIT */
/* minivm/options_xx.c -- the -XX options.
 *
 * Flags are honoured where the VM has the thing and accepted without effect where it has
 * not (a compiler, other collectors): a command line written for HotSpot should run.
 * The names and types of all flags are those that the JDK's own VM printed for the build
 * (jdk_flags.h); a name that is in neither table is an error. */

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* place is an offset in struct vm_options; NOWHERE: accepted, without effect. */
#define NOWHERE SIZE_MAX

static const struct honoured {
    const char *name;
    size_t place, size;
} honoured[] = {
#define FIELD(name) offsetof(struct vm_options, name), \
                    sizeof ((struct vm_options *)NULL)->name
    { "MaxHeapSize", FIELD(heap_maximum) },
    { "InitialHeapSize", FIELD(heap_initial) },
    { "MaxDirectMemorySize", FIELD(max_direct_memory) },
    { "MaxJavaStackTraceDepth", FIELD(max_stack_trace_depth) },
    { "StackTraceInThrowable", FIELD(stack_trace_in_throwable) },
    { "ShowCodeDetailsInExceptionMessages", FIELD(helpful_npe) },
    { "SoftRefLRUPolicyMSPerMB", FIELD(soft_ref_ms_per_mb) },
    { "ClassUnloading", FIELD(class_unloading) },
    { "BytecodeVerificationLocal", FIELD(verify_local) },
    { "BytecodeVerificationRemote", FIELD(verify_remote) },
    { "ReduceSignalUsage", FIELD(no_java_signals) },
    { "DisableAttachMechanism", FIELD(disable_attach) },
    { "EnableDynamicAgentLoading", FIELD(dynamic_agents) },
    { "StartAttachListener", FIELD(start_attach) },
    { "UsePerfData", FIELD(perf_data) },
    { "ExitOnOutOfMemoryError", FIELD(exit_on_oom) },
    { "CrashOnOutOfMemoryError", FIELD(crash_on_oom) },
    { "CheckJNICalls", FIELD(check_jni) },
    { "PrintGC", FIELD(verbose_gc) },
    { "UnlockDiagnosticVMOptions", FIELD(unlock_diagnostic) },
    { "UnlockExperimentalVMOptions", FIELD(unlock_experimental) },
    { "GCStress", FIELD(gc_stress) },
    { "PoisonFreed", FIELD(poison) },
#undef FIELD
};

/* One with a lock needs -XX:+UnlockDiagnosticVMOptions or the like before it. */
static const struct flag {
    const char *name, *type, *lock;
} flags[] = {
#define FLAG(name, type, lock) { #name, #type, #lock },
    FLAG(GCStress, uint, product)
    FLAG(PoisonFreed, bool, product)
#include "minivm/jdk_flags.h"
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

static const struct honoured *
find_honoured(const struct flag *f)
{
    for (size_t i = 0; i < sizeof honoured / sizeof *honoured; i++)
        if (!strcmp(honoured[i].name, f->name))
            return &honoured[i];
    return NULL;
}

static bool
is_locked(const struct vm_options *o, const struct flag *f)
{
    bool diagnostic = !strcmp(f->lock, "diagnostic");

    if ((!diagnostic && strcmp(f->lock, "experimental")) || !strncmp(f->name, "Unlock", 6)
        || (diagnostic ? o->unlock_diagnostic : o->unlock_experimental))
        return false;
    fprintf(stderr, "Error: VM option '%s' is %s and must be enabled via "
                    "-XX:+Unlock%sVMOptions.\n"
                    "Error: The unlock option must precede '%s'.\n", f->name, f->lock,
            diagnostic ? "Diagnostic" : "Experimental", f->name);
    return true;
}

static bool
set_flag(struct vm_options *o, const struct flag *f, bool on)
{
    const struct honoured *h = find_honoured(f);

    if (h && !strcmp(f->name, "EnableDynamicAgentLoading"))
        o->dynamic_agents = on ? 1 : -1;
    else if (h)
        *(bool *)((char *)o + h->place) = on;
    return true;
}

/* An integer may have a suffix and be hexadecimal, whatever its type. */
static bool
set_value(struct vm_options *o, const struct flag *f, const char *value)
{
    const struct honoured *h = find_honoured(f);
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
    void *place = h ? (char *)o + h->place : NULL;
    if (h && h->size == sizeof n)
        *(size_t *)place = n;
    else if (h)
        *(int32_t *)place = (int32_t)(n < INT32_MAX ? n : INT32_MAX) * (negative ? -1 : 1);
    return true;
}

enum xx_outcome
xx_option(struct vm_options *o, const char *text)
{
    bool plus_minus = *text == '+' || *text == '-', set;
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
    set = is_bool ? !equals && set_flag(o, f, *text == '+')
                  : equals && set_value(o, f, equals + 1);
    if (!set)
        fprintf(stderr, "Improperly specified VM option '%s'\n", name);
    return set ? XX_DONE : XX_MALFORMED;
}
