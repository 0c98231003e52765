/* SPDX-License-Identifier: MIT */
/* minivm/jdk/flags.c -- the VM flags (-XX).
 *
 * There are three tables.  flags.def has every flag as the JDK's VM knows it, of which
 * flags_select takes those of one release; honoured says which of them live in a member
 * of struct vm_options, and as what; settings has, by the flag's number in the release,
 * who gave the value, and the text of a flag that is not honoured.  Values are checked
 * against the type and the range as HotSpot does, so that a command line that one VM
 * refuses is refused by the other. */

#include "jdk/flags.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtime/exception.h"
#include "runtime/wellknown.h"

/* All flags of all releases. */
static const struct flag_row {
    struct releases releases;
    struct flag flag;
} rows[] = {
#define FLAG(since, until, name, type, lock, initial) \
    { { since, until }, { #name, #type, #lock, initial, NULL, NULL } },
#define RANGED(since, until, name, type, lock, initial, low, high) \
    { { since, until }, { #name, #type, #lock, initial, low, high } },
#define OBSOLETE(since, until, name, text)
#include "jdk/flags.def"
};

/* Flags that a release takes with a warning only. */
static const struct {
    struct releases releases;
    const char *name, *text;
} obsolete[] = {
#define FLAG(since, until, name, type, lock, initial)
#define RANGED(since, until, name, type, lock, initial, low, high)
#define OBSOLETE(since, until, name, text) { { since, until }, #name, text },
#include "jdk/flags.def"
};

enum {
    ROWS = sizeof rows / sizeof *rows,
    OBSOLETE_ROWS = sizeof obsolete / sizeof *obsolete
};

/* The flags of the release that was selected, and its number.  Global, as settings is. */
static struct flag selected[ROWS];
static int release;
const struct flag *flags = selected;
size_t flag_count;

void
flags_select(int feature)
{
    release = feature;
    flag_count = 0;
    for (const struct flag_row *r = rows; r < rows + ROWS; r++)
        if (release_is_in(feature, r->releases))
            selected[flag_count++] = r->flag;
}

const char *
flag_removed_in(const char *name, size_t length)
{
    for (int i = 0; i < OBSOLETE_ROWS; i++)
        if (release_is_in(release, obsolete[i].releases)
            && strlen(obsolete[i].name) == length
            && !strncmp(obsolete[i].name, name, length))
            return obsolete[i].text;
    return NULL;
}

/*
 * The flags that this VM acts on, and the members of struct vm_options that they are.
 */
static const struct honoured {
    const char *name;
    size_t offset;
    /*
     * The member's type: Z bool, C int8_t of which below 0 is off, i int, J size_t, S
     * char *.
     */
    char type;
} honoured[] = {
#define HONOURED(name, field, type) \
    { \
        name, offsetof(struct vm_options, field), type \
    }
    HONOURED("ActiveProcessorCount", active_processors, 'i'),
    HONOURED("AllowRedefinitionToAddDeleteMethods", add_delete_methods, 'Z'),
    HONOURED("BytecodeVerificationLocal", verify_local, 'Z'),
    HONOURED("BytecodeVerificationRemote", verify_remote, 'Z'),
    HONOURED("CheckJNICalls", check_jni, 'Z'),
    HONOURED("ClassUnloading", class_unloading, 'Z'),
    HONOURED("CrashOnOutOfMemoryError", crash_on_oom, 'Z'),
    HONOURED("CreateCoredumpOnCrash", create_core, 'Z'),
    HONOURED("DisableAttachMechanism", disable_attach, 'Z'),
    HONOURED("DisableExplicitGC", no_explicit_gc, 'Z'),
    HONOURED("EnableDynamicAgentLoading", dynamic_agents, 'C'),
    HONOURED("ErrorFile", error_file, 'S'),
    HONOURED("ErrorFileToStderr", error_file_to_stderr, 'Z'),
    HONOURED("ErrorFileToStdout", error_file_to_stdout, 'Z'),
    HONOURED("ErrorLogTimeout", error_log_timeout, 'J'),
    HONOURED("ExitOnOutOfMemoryError", exit_on_oom, 'Z'),
    HONOURED("GCStress", gc_stress, 'i'),
    HONOURED("HeapDumpAfterFullGC", dump_after_gc, 'Z'),
    HONOURED("HeapDumpBeforeFullGC", dump_before_gc, 'Z'),
    HONOURED("HeapDumpGzipLevel", heap_dump_gzip_level, 'i'),
    HONOURED("HeapDumpOnOutOfMemoryError", dump_on_oom, 'Z'),
    HONOURED("HeapDumpPath", heap_dump_path, 'S'),
    HONOURED("InitialHeapSize", heap_initial, 'J'),
    HONOURED("MaxDirectMemorySize", max_direct_memory, 'J'),
    HONOURED("MaxHeapSize", heap_maximum, 'J'),
    HONOURED("MaxJavaStackTraceDepth", max_stack_trace_depth, 'i'),
    HONOURED("OnError", on_error, 'S'),
    HONOURED("OnOutOfMemoryError", on_oom, 'S'),
    HONOURED("PauseAtStartup", pause_at_startup, 'Z'),
    HONOURED("PauseAtStartupFile", pause_file, 'S'),
    HONOURED("PoisonFreed", poison, 'Z'),
    HONOURED("PrintClassHistogram", histogram_at_quit, 'Z'),
    HONOURED("PrintConcurrentLocks", locks_at_quit, 'Z'),
    HONOURED("ReduceSignalUsage", no_java_signals, 'Z'),
    HONOURED("ScheduleSeed", schedule_seed, 'i'),
    HONOURED("ShowCodeDetailsInExceptionMessages", helpful_npe, 'Z'),
    HONOURED("ShowHiddenFrames", show_hidden_frames, 'Z'),
    HONOURED("ShowMessageBoxOnError", message_box, 'Z'),
    HONOURED("SoftRefLRUPolicyMSPerMB", soft_ref_ms_per_mb, 'i'),
    HONOURED("StackTraceInThrowable", stack_trace_in_throwable, 'Z'),
    HONOURED("StartAttachListener", start_attach, 'Z'),
    HONOURED("UnlockDiagnosticVMOptions", unlock_diagnostic, 'Z'),
    HONOURED("UnlockExperimentalVMOptions", unlock_experimental, 'Z'),
    HONOURED("UsePerfData", perf_data, 'Z'),
    HONOURED("VMContinuations", continuations, 'Z'),
    HONOURED("VerifyAfterGC", check_after_gc, 'Z'),
    HONOURED("VerifyBeforeGC", check_before_gc, 'Z'),
#undef HONOURED
};

/*
 * What was given, by the numbers of flags.  It is a global variable since there is one
 * VM in a process (flags.h).
 */
static struct {
    enum flag_origin origin; /* 0: nobody has given it */
    char *text;              /* of one that is not honoured */
} settings[ROWS];

const struct flag *
flag_find(const char *name, size_t length)
{
    FOR_EACH_FLAG(f)
    if (strlen(f->name) == length && !strncmp(f->name, name, length))
        return f;
    return NULL;
}

/* Returns the row of a flag that is honoured, or NULL. */
static const struct honoured *
honoured_of(const struct flag *f)
{
    for (size_t i = 0; i < sizeof honoured / sizeof *honoured; i++)
        if (!strcmp(honoured[i].name, f->name))
            return &honoured[i];
    return NULL;
}

bool
flag_is_honoured(const struct flag *f)
{
    return honoured_of(f) != NULL;
}

bool
flag_is_manageable(const struct flag *f)
{
    return !strcmp(f->lock, "manageable");
}

bool
flag_is_locked(const struct vm_options *o, const struct flag *f)
{
    return strncmp(f->name, "Unlock", 6)
           && ((!strcmp(f->lock, "diagnostic") && !o->unlock_diagnostic)
               || (!strcmp(f->lock, "experimental") && !o->unlock_experimental));
}

/*
 * Returns who gave the flag its value.  InitialHeapSize and MaxHeapSize are the only
 * flags that the VM chooses by itself.
 */
enum flag_origin
flag_origin(const struct vm_options *o, const struct flag *f)
{
    enum flag_origin origin = settings[f - flags].origin;

    if (origin)
        return origin;
    /* These two are also given by -Xms and -Xmx; else the VM has chosen them. */
    return !strcmp(f->name, "InitialHeapSize")
               ? o->heap_initial_given ? FLAG_BY_COMMAND_LINE : FLAG_BY_VM
           : !strcmp(f->name, "MaxHeapSize")
               ? o->heap_maximum_given ? FLAG_BY_COMMAND_LINE : FLAG_BY_VM
               : FLAG_BY_DEFAULT;
}

const char *
flag_origin_text(enum flag_origin origin)
{
    static const char *const texts[] = { [FLAG_BY_DEFAULT] = "default",
                                         [FLAG_BY_COMMAND_LINE] = "command line",
                                         [FLAG_BY_ENVIRONMENT] = "environment",
                                         [FLAG_BY_FILE] = "config file",
                                         [FLAG_BY_MANAGEMENT] = "management",
                                         [FLAG_BY_VM] = "ergonomic",
                                         [FLAG_BY_ATTACH] = "attach" };

    return texts[origin];
}

/* ---- values ---- */

/*
 * Reads a number with a unit; returns false if text is anything else.  Behind the
 * digits there is a unit or nothing: end[shift != 0] is the character behind the unit
 * if there is one, and the first one behind the digits if not, which is no NUL for an
 * unknown unit.
 */
bool
parse_size(const char *text, size_t *size)
{
    static const char units[] = "kmgt";
    char *end;

    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    /* A leading 0 alone does not make it octal. */
    bool is_hexadecimal = text[0] == '0' && tolower((unsigned char)text[1]) == 'x';
    unsigned long long n = strtoull(text, &end, is_hexadecimal ? 16 : 10);
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || end[shift != 0] != '\0' || n > (SIZE_MAX >> shift))
        return false;
    *size = (size_t)n << shift;
    return true;
}

/* Returns the number in the member that h says.  The number of a bool is 1 or 0. */
static int64_t
honoured_number(const struct vm_options *o, const struct honoured *h)
{
    const void *at = (const char *)o + h->offset;

    switch (h->type) {
    case 'Z': return *(const bool *)at;
    case 'C': return *(const int8_t *)at >= 0;
    case 'i': return *(const int *)at;
    default: return (int64_t) * (const size_t *)at;
    }
}

/*
 * Stores a number in the member that h says; one that is too great becomes the
 * greatest.
 */
static void
set_honoured_number(struct vm_options *o, const struct honoured *h, int64_t value)
{
    void *at = (char *)o + h->offset;

    switch (h->type) {
    case 'Z': *(bool *)at = value != 0; break;
    case 'C': *(int8_t *)at = value ? 1 : -1; break;
    case 'i': *(int *)at = (int)(value < INT32_MAX ? value : INT32_MAX); break;
    default: *(size_t *)at = (size_t)value; break;
    }
}

/* Returns the text of a flag that is not honoured. */
static const char *
stored_text(const struct flag *f)
{
    const char *text = settings[f - flags].text;

    return text ? text : f->initial;
}

/*
 * Returns the text of a flag that is text or a double.  It is never NULL: a text that
 * was not given and has no default is empty.
 */
static const char *
flag_text(const struct vm_options *o, const struct flag *f)
{
    const struct honoured *h = honoured_of(f);
    const char *text = h ? *(char *const *)(const void *)((const char *)o + h->offset)
                         : stored_text(f);

    return text ? text : "";
}

/*
 * Appends the flag's value.  Types that begin with int are signed; the other numbers
 * are not.
 */
void
flag_print_value(struct buf *out, const struct vm_options *o, const struct flag *f)
{
    if (flag_is_text(f))
        buf_append_string(out, flag_text(o, f));
    else if (flag_is_double(f))
        buf_printf(out, "%f", strtod(flag_text(o, f), NULL));
    else if (flag_is_bool(f))
        buf_append_string(out, flag_number(o, f) ? "true" : "false");
    else if (!strncmp(f->type, "int", 3))
        buf_printf(out, "%" PRId64, flag_number(o, f));
    else
        buf_printf(out, "%" PRIu64, (uint64_t)flag_number(o, f));
}

/*
 * Returns the value of a flag that is a number, 1 or 0 for a bool.  A number of a flag
 * that is not honoured is read from its text each time.  Texts of defaults and of
 * values that flag_set took can be read, so parse_size does not fail.
 */
int64_t
flag_number(const struct vm_options *o, const struct flag *f)
{
    const struct honoured *h = honoured_of(f);
    const char *text = stored_text(f);
    size_t size = 0;

    if (h)
        return honoured_number(o, h);
    if (flag_is_bool(f))
        return !strcmp(text, "true");
    if (*text == '-' && parse_size(text + 1, &size))
        return -(int64_t)size;
    parse_size(text, &size);
    return (int64_t)size;
}

void
flag_print(struct buf *out, const struct vm_options *o, const struct flag *f)
{
    if (flag_is_bool(f)) {
        buf_printf(out, "-XX:%c%s", flag_number(o, f) ? '+' : '-', f->name);
    } else {
        buf_printf(out, "-XX:%s=", f->name);
        flag_print_value(out, o, f);
    }
}

/* ---- setting them ---- */

/*
 * Stores the least and the greatest value, in decimal; false when the flag has no
 * range.
 */
bool
flag_range(const struct flag *f, const char **low, const char **high)
{
    if (f->low) {
        *low = f->low;
        *high = f->high;
        return true;
    }
    return false;
}

/*
 * Returns true if text, which is well-formed and a number, is in the flag's range.  The
 * bounds are texts in decimal.  A negative value is within them only if the lower bound
 * is negative, too, and a value that is not negative is above any negative bound.
 */
static bool
is_in_range(const struct flag *f, const char *text)
{
    const char *low, *high;
    bool negative = *text == '-';
    size_t size = 0;

    if (!flag_range(f, &low, &high))
        return true;
    if (flag_is_double(f)) {
        double value = strtod(text, NULL);
        return value >= strtod(low, NULL) && value <= strtod(high, NULL);
    }
    parse_size(text + negative, &size);
    if (negative)
        return *low == '-' && -(int64_t)size >= strtoll(low, NULL, 10);
    return size <= strtoull(high, NULL, 10)
           && (*low == '-' || size >= strtoull(low, NULL, 10));
}

/*
 * Returns true if text is a value of the flag's type.  A number of any type may be
 * hexadecimal and have a unit.  f->type + !is_signed skips the 'u' of "uint", so that
 * is_int is true for int and uint, whose numbers have 32 bits; the others have 64.
 */
static bool
is_well_formed(const struct flag *f, const char *text)
{
    bool negative = *text == '-', is_signed = !strncmp(f->type, "int", 3);
    bool is_int = !strcmp(f->type + !is_signed, "int");
    char *end;
    size_t n;

    if (flag_is_text(f))
        return true;
    if (flag_is_bool(f))
        return !strcmp(text, "true") || !strcmp(text, "false");
    if (flag_is_double(f))
        return strtod(text, &end), *text != '\0' && *end == '\0';
    return !(negative && !is_signed) && parse_size(text + negative, &n)
           && !(is_int && n > (is_signed ? INT32_MAX : UINT32_MAX));
}

/*
 * Sets a flag from text, if it is a value of the flag's type and range.  The origin is
 * stored after the checks, so a refused text changes nothing.  A value beyond INT64_MAX
 * becomes that.
 */
enum flag_result
flag_set(struct vm_options *o, const struct flag *f, const char *text,
         enum flag_origin origin)
{
    const struct honoured *h = honoured_of(f);
    size_t size = 0;

    if (!is_well_formed(f, text))
        return FLAG_MALFORMED;
    if (!flag_is_text(f) && !flag_is_bool(f) && !is_in_range(f, text))
        return FLAG_OUT_OF_RANGE;
    settings[f - flags].origin = origin;
    /* A tool may change a flag while another thread reads its text, so the text of
       before is not freed.  Changes are few. */
    if (h && h->type == 'S') {
        char **at = (char **)(void *)((char *)o + h->offset), *old = *at;
        /* Each ccstrlist on the command line adds to the ones before it. */
        *at = old && !strcmp(f->type, "ccstrlist") ? mem_printf("%s\n%s", old, text)
                                                   : mem_strdup(text);
    } else if (h) {
        bool negative = *text == '-';
        if (flag_is_bool(f))
            size = !strcmp(text, "true");
        else
            parse_size(text + negative, &size);
        int64_t number = size < INT64_MAX ? (int64_t)size : INT64_MAX;
        set_honoured_number(o, h, negative ? -number : number);
    } else {
        settings[f - flags].text = mem_strdup(text);
    }
    return FLAG_SET;
}

/* Returns what a message calls the type.  The words are HotSpot's. */
static const char *
type_in_words(const struct flag *f)
{
    return flag_is_bool(f)               ? "a boolean (1/0 or true/false)"
           : flag_is_double(f)           ? "a double"
           : !strncmp(f->type, "int", 3) ? "an integer"
                                         : "an unsigned integer";
}

/*
 * Sets a manageable flag while the VM runs, or says in problem why not.  problem is
 * empty before.
 */
bool
flag_change(struct vm_options *o, const char *name, const char *text,
            enum flag_origin origin, struct buf *problem)
{
    const struct flag *f = flag_find(name, strlen(name));
    const char *low, *high;

    if (!f)
        buf_printf(problem, "flag %s does not exist", name);
    else if (!flag_is_manageable(f))
        buf_append_string(problem, "only 'writeable' flags can be set");
    else if (!text)
        buf_append_string(problem, "flag value is missing");
    if (problem->length)
        return false;
    if (flag_is_bool(f) && (!strcmp(text, "0") || !strcmp(text, "1")))
        text = *text == '1' ? "true" : "false";
    enum flag_result result = flag_set(o, f, text, origin);
    if (result == FLAG_MALFORMED)
        buf_printf(problem, "flag value must be %s", type_in_words(f));
    else if (result == FLAG_OUT_OF_RANGE && flag_range(f, &low, &high))
        buf_printf(problem, "%s error: must have value in range [%s...%s]", f->name,
                   low, high);
    return result == FLAG_SET;
}
