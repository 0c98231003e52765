/* SPDX-License-Identifier: MIT */
/* minivm/test/flags-t.c -- -XX options: numbers, types, ranges, locks, changes. */

#include "jdk/flags.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "test/tap.h"

static const struct flag *
find(const char *name)
{
    return flag_find(name, strlen(name));
}

/* HotSpot 17 reads all of these in the same way. */
static void
test_numbers(void)
{
    static const struct {
        const char *text;
        size_t size;
    } good[] = {
        { "0", 0 },        { "17", 17 },   { "1k", 1024 },
        { "2M", 2 << 20 }, { "0x10", 16 }, { "0X1fk", 31 << 10 },
        { "010", 10 },     { "08", 8 },    { "18446744073709551615", SIZE_MAX },
    };
    static const char *const bad[] = { "",         "-1",    " 1",
                                       "+1",       "1kb",   "k",
                                       "0x",       "0xk",   "1 ",
                                       "1.5",      "0x1g2", "18446744073709551616",
                                       "16777216t" };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        size_t size = 1;
        ok(parse_size(good[i].text, &size), "%s is a number", good[i].text);
        ok(size == good[i].size, "%s: its value is %zu", good[i].text, size);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t size = 1;
        ok(!parse_size(bad[i], &size) && size == 1, "'%s' is no number", bad[i]);
    }
}

static void
test_find(void)
{
    const struct flag *f = flag_find("ErrorFile=x", 9);

    ok(f != NULL, "a name ends where its length says");
    is_string(f ? f->name : NULL, "ErrorFile", "it is that flag");
    ok(!find("ErrorFil") && !find("errorfile"), "names are whole, and case counts");
}

static void
test_types(void)
{
    struct vm_options o = { 0 };

    ok(flag_set(&o, find("ClassUnloading"), "true", FLAG_BY_FILE) == FLAG_SET
           && o.class_unloading,
       "a bool is set");
    is_int(flag_origin(&o, find("ClassUnloading")), FLAG_BY_FILE, "by whom is kept");
    is_int(flag_set(&o, find("ClassUnloading"), "yes", FLAG_BY_FILE), FLAG_MALFORMED,
           "'yes' is no bool");
    is_int(flag_set(&o, find("MaxJavaStackTraceDepth"), "0x20", FLAG_BY_FILE), FLAG_SET,
           "an intx may be hexadecimal");
    is_int(o.max_stack_trace_depth, 32, "its value");
    is_int(flag_set(&o, find("MaxJavaStackTraceDepth"), "-1", FLAG_BY_FILE),
           FLAG_OUT_OF_RANGE, "below the range");
    is_int(o.max_stack_trace_depth, 32, "a refused value changes nothing");
    is_int(flag_set(&o, find("HeapDumpGzipLevel"), "10", FLAG_BY_FILE),
           FLAG_OUT_OF_RANGE, "above the range");
    is_int(flag_set(&o, find("MaxHeapSize"), "-1", FLAG_BY_FILE), FLAG_MALFORMED,
           "a size_t has no sign");
}

/* A ccstrlist may be given several times, a ccstr holds the last text. */
static void
test_texts(void)
{
    struct vm_options o = { 0 };

    flag_set(&o, find("OnError"), "first", FLAG_BY_COMMAND_LINE);
    flag_set(&o, find("OnError"), "second", FLAG_BY_COMMAND_LINE);
    is_string(o.on_error, "first\nsecond", "a ccstrlist grows");
    flag_set(&o, find("ErrorFile"), "first", FLAG_BY_COMMAND_LINE);
    flag_set(&o, find("ErrorFile"), "second", FLAG_BY_COMMAND_LINE);
    is_string(o.error_file, "second", "a ccstr is replaced");
    mem_free(o.on_error);
    mem_free(o.error_file);
}

/* What the VM does not act on is kept, so that tools see it. */
static void
test_not_honoured(void)
{
    struct vm_options o = { 0 };
    const struct flag *f = find("NewRatio");
    struct buf b = { 0 };

    ok(f && !flag_is_honoured(f), "NewRatio is a flag that nothing here acts on");
    is_int(flag_origin(&o, f), FLAG_BY_DEFAULT, "nobody has given it");
    is_int(flag_set(&o, f, "3", FLAG_BY_COMMAND_LINE), FLAG_SET, "it can be given");
    flag_print(&b, &o, f);
    is_string(buf_string(&b), "-XX:NewRatio=3", "and is printed");
    buf_release(&b);
}

static void
test_locks(void)
{
    struct vm_options o = { 0 };
    const struct flag *diagnostic = NULL;

    FOR_EACH_FLAG(f)
    if (!strcmp(f->lock, "diagnostic") && strncmp(f->name, "Unlock", 6) != 0)
        diagnostic = f;
    ok(diagnostic && flag_is_locked(&o, diagnostic), "a diagnostic flag is locked");
    o.unlock_experimental = true;
    ok(flag_is_locked(&o, diagnostic), "UnlockExperimentalVMOptions is another lock");
    o.unlock_diagnostic = true;
    ok(!flag_is_locked(&o, diagnostic), "UnlockDiagnosticVMOptions unlocks it");
    ok(!flag_is_locked(&o, find("MaxHeapSize")), "a product flag is never locked");
}

/* Checks what flag_change says of a value, NULL when it takes it. */
static void
check_change(struct vm_options *o, const char *name, const char *text,
             const char *problem)
{
    struct buf b = { 0 };
    bool changed = flag_change(o, name, text, FLAG_BY_ATTACH, &b);

    ok(changed == !problem, "%s = %s", name, text ? text : "nothing");
    is_string(buf_string(&b), problem ? problem : "", "what it says");
    buf_release(&b);
}

static void
test_changes(void)
{
    struct vm_options o = { 0 };

    check_change(&o, "HeapDumpOnOutOfMemoryError", "1", NULL);
    ok(o.dump_on_oom, "1 is true");
    is_int(flag_origin(&o, find("HeapDumpOnOutOfMemoryError")), FLAG_BY_ATTACH,
           "a tool has set it");
    check_change(&o, "HeapDumpOnOutOfMemoryError", "2",
                 "flag value must be a boolean (1/0 or true/false)");
    check_change(&o, "HeapDumpOnOutOfMemoryError", NULL, "flag value is missing");
    check_change(&o, "NoSuchFlag", "1", "flag NoSuchFlag does not exist");
    check_change(&o, "MaxHeapSize", "1g", "only 'writeable' flags can be set");
}

/* What a release has, another one may not, or with another type. */
static void
test_releases(void)
{
    ok(find("UseBiasedLocking") && !find("VMContinuations"), "those of 17");
    is_string(flag_removed_in("ZGenerational", 13), NULL, "17 knows no ZGenerational");
    flags_select(21);
    ok(find("VMContinuations") && find("ZGenerational"), "those of 21");
    is_string(find("HeapDumpGzipLevel")->type, "intx", "a type on 21");
    flags_select(25);
    ok(!find("UseBiasedLocking") && find("VMContinuations"), "those of 25");
    is_string(find("HeapDumpGzipLevel")->type, "int", "its type on 25");
    is_string(flag_removed_in("ZGenerational=x", 13), "24.0", "25 ignores one");
    is_string(flag_removed_in("ZGener", 6), NULL, "names are whole there, too");
}

int
main(void)
{
    flags_select(17);
    test_numbers();
    test_find();
    test_types();
    test_texts();
    test_not_honoured();
    test_locks();
    test_changes();
    test_releases();
    return done_testing();
}
