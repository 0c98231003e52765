/* SPDX-License-Identifier: MIT */
/* minivm/options_xx.c -- the -XX options.
 *
 * HotSpot's flags that people pass are honoured where the VM has the thing and
 * accepted without effect where it has not (a compiler, other collectors): a command
 * line written for HotSpot should run.  A name that is in neither table is an error. */

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum xx_kind { XX_BOOL, XX_CHOICE, XX_SIZE, XX_INT, XX_U32, XX_TEXT };

/* place is an offset in struct vm_options; NOWHERE: accepted, without effect. */
#define NOWHERE SIZE_MAX
#define FIELD(name) offsetof(struct vm_options, name)

static const struct xx_row {
    const char *name;
    enum xx_kind kind;
    size_t place;
} rows[] = {
    { "GCStress", XX_U32, FIELD(gc_stress) },
    { "PoisonFreed", XX_BOOL, FIELD(poison) },
    { "MaxHeapSize", XX_SIZE, FIELD(heap_maximum) },
    { "InitialHeapSize", XX_SIZE, FIELD(heap_initial) },
    { "ThreadStackSize", XX_SIZE, NOWHERE },
    { "MaxDirectMemorySize", XX_SIZE, FIELD(max_direct_memory) },
    { "MaxJavaStackTraceDepth", XX_INT, FIELD(max_stack_trace_depth) },
    { "StackTraceInThrowable", XX_BOOL, FIELD(stack_trace_in_throwable) },
    { "ShowCodeDetailsInExceptionMessages", XX_BOOL, FIELD(helpful_npe) },
    { "SoftRefLRUPolicyMSPerMB", XX_INT, FIELD(soft_ref_ms_per_mb) },
    { "ClassUnloading", XX_BOOL, FIELD(class_unloading) },
    { "BytecodeVerificationLocal", XX_BOOL, FIELD(verify_local) },
    { "BytecodeVerificationRemote", XX_BOOL, FIELD(verify_remote) },
    { "ReduceSignalUsage", XX_BOOL, FIELD(no_java_signals) },
    { "DisableAttachMechanism", XX_BOOL, FIELD(disable_attach) },
    { "EnableDynamicAgentLoading", XX_CHOICE, FIELD(dynamic_agents) },
    { "StartAttachListener", XX_BOOL, FIELD(start_attach) },
    { "UsePerfData", XX_BOOL, FIELD(perf_data) },
    { "ExitOnOutOfMemoryError", XX_BOOL, FIELD(exit_on_oom) },
    { "CrashOnOutOfMemoryError", XX_BOOL, FIELD(crash_on_oom) },
    { "CheckJNICalls", XX_BOOL, FIELD(check_jni) },
    /* without effect here */
    { "UseSerialGC", XX_BOOL, NOWHERE }, { "UseParallelGC", XX_BOOL, NOWHERE },
    { "UseG1GC", XX_BOOL, NOWHERE }, { "UseZGC", XX_BOOL, NOWHERE },
    { "UseShenandoahGC", XX_BOOL, NOWHERE }, { "UseEpsilonGC", XX_BOOL, NOWHERE },
    { "UseStringDeduplication", XX_BOOL, NOWHERE },
    { "UseGCOverheadLimit", XX_BOOL, NOWHERE },
    { "UseCompressedOops", XX_BOOL, NOWHERE },
    { "UseCompressedClassPointers", XX_BOOL, NOWHERE },
    { "UseLargePages", XX_BOOL, NOWHERE }, { "AlwaysPreTouch", XX_BOOL, NOWHERE },
    { "TieredCompilation", XX_BOOL, NOWHERE }, { "TieredStopAtLevel", XX_INT, NOWHERE },
    { "CompileThreshold", XX_INT, NOWHERE }, { "BackgroundCompilation", XX_BOOL, NOWHERE },
    { "Inline", XX_BOOL, NOWHERE }, { "UseOnStackReplacement", XX_BOOL, NOWHERE },
    { "CICompilerCount", XX_INT, NOWHERE }, { "CompileCommand", XX_TEXT, NOWHERE },
    { "ReservedCodeCacheSize", XX_SIZE, NOWHERE },
    { "InitialCodeCacheSize", XX_SIZE, NOWHERE },
    { "PrintCompilation", XX_BOOL, NOWHERE },
    { "MaxMetaspaceSize", XX_SIZE, NOWHERE }, { "MetaspaceSize", XX_SIZE, NOWHERE },
    { "CompressedClassSpaceSize", XX_SIZE, NOWHERE },
    { "NewSize", XX_SIZE, NOWHERE }, { "MaxNewSize", XX_SIZE, NOWHERE },
    { "NewRatio", XX_INT, NOWHERE }, { "SurvivorRatio", XX_INT, NOWHERE },
    { "MaxTenuringThreshold", XX_INT, NOWHERE },
    { "ParallelGCThreads", XX_INT, NOWHERE }, { "ConcGCThreads", XX_INT, NOWHERE },
    { "MaxGCPauseMillis", XX_INT, NOWHERE }, { "G1HeapRegionSize", XX_SIZE, NOWHERE },
    { "InitiatingHeapOccupancyPercent", XX_INT, NOWHERE },
    { "MaxRAMPercentage", XX_TEXT, NOWHERE }, { "InitialRAMPercentage", XX_TEXT, NOWHERE },
    { "MinRAMPercentage", XX_TEXT, NOWHERE },
    { "ExplicitGCInvokesConcurrent", XX_BOOL, NOWHERE },
    { "HeapDumpOnOutOfMemoryError", XX_BOOL, NOWHERE },
    { "HeapDumpPath", XX_TEXT, NOWHERE }, { "OnOutOfMemoryError", XX_TEXT, NOWHERE },
    { "OnError", XX_TEXT, NOWHERE }, { "ErrorFile", XX_TEXT, NOWHERE },
    { "CreateCoredumpOnCrash", XX_BOOL, NOWHERE },
    { "PerfDisableSharedMem", XX_BOOL, NOWHERE },
    { "UnlockDiagnosticVMOptions", XX_BOOL, NOWHERE },
    { "UnlockExperimentalVMOptions", XX_BOOL, NOWHERE },
    { "AllowRedefinitionToAddDeleteMethods", XX_BOOL, NOWHERE },
    { "PrintGC", XX_BOOL, FIELD(verbose_gc) }, { "PrintGCDetails", XX_BOOL, NOWHERE },
    { "FlightRecorder", XX_BOOL, NOWHERE }, { "StartFlightRecording", XX_TEXT, NOWHERE },
    { "NativeMemoryTracking", XX_TEXT, NOWHERE }, { "UseContainerSupport", XX_BOOL, NOWHERE },
    { "ActiveProcessorCount", XX_INT, NOWHERE }, { "UseNUMA", XX_BOOL, NOWHERE },
    { "PrintCommandLineFlags", XX_BOOL, NOWHERE }, { "ShowMessageBoxOnError", XX_BOOL, NOWHERE },
    { "OmitStackTraceInFastThrow", XX_BOOL, NOWHERE },
    { "AllowUserSignalHandlers", XX_BOOL, NOWHERE },
    { "DumpLoadedClassList", XX_TEXT, NOWHERE }, { "SharedArchiveFile", XX_TEXT, NOWHERE },
    { "ArchiveClassesAtExit", XX_TEXT, NOWHERE }, { "TraceClassLoading", XX_BOOL, FIELD(verbose_class) },
    { "VerifyBeforeGC", XX_BOOL, NOWHERE }, { "VerifyAfterGC", XX_BOOL, NOWHERE },
    { "EliminateLocks", XX_BOOL, NOWHERE }, { "UseBiasedLocking", XX_BOOL, NOWHERE },
    { "DebugNonSafepoints", XX_BOOL, NOWHERE }, { "ManagementServer", XX_BOOL, NOWHERE },
};

static const struct xx_row *
find_row(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length))
            return &rows[i];
    return NULL;
}

static enum xx_outcome
malformed(const char *text)
{
    fprintf(stderr, "Improperly specified VM option '%s'\n", text);
    return XX_MALFORMED;
}

static enum xx_outcome
set_flag(struct vm_options *o, const char *text)
{
    const struct xx_row *row = find_row(text + 1, strlen(text + 1));

    if (!strcmp(text + 1, "IgnoreUnrecognizedVMOptions"))
        return *text == '+' ? XX_IGNORE_UNKNOWN : XX_DONE;
    if (!row)
        return XX_UNKNOWN;
    if (row->kind != XX_BOOL && row->kind != XX_CHOICE) {
        fprintf(stderr, "Unexpected +/- setting in VM option '%s'\n", text + 1);
        return XX_MALFORMED;
    }
    if (row->kind == XX_CHOICE)
        *(int8_t *)((char *)o + row->place) = *text == '+' ? 1 : -1;
    else if (row->place != NOWHERE)
        *(bool *)((char *)o + row->place) = *text == '+';
    return XX_DONE;
}

static bool
set_value(const struct xx_row *row, void *place, const char *value)
{
    size_t size;
    char *end;
    long n;

    switch (row->kind) {
    case XX_SIZE:
        if (!options_parse_size(value, &size))
            return false;
        if (place)
            *(size_t *)place = size;
        return true;
    case XX_INT:
    case XX_U32:
        n = strtol(value, &end, 10);
        if (*value == '\0' || *end != '\0' || n > INT32_MAX
            || n < (row->kind == XX_INT ? INT32_MIN : 0))
            return false;
        if (place)
            *(int32_t *)place = (int32_t)n;
        return true;
    case XX_TEXT:
        return true;
    default:
        return false;
    }
}

enum xx_outcome
xx_option(struct vm_options *o, const char *text)
{
    const char *equals = strchr(text, '=');

    if (*text == '+' || *text == '-')
        return equals ? malformed(text) : set_flag(o, text);
    const struct xx_row *row =
        find_row(text, equals ? (size_t)(equals - text) : strlen(text));
    if (!row)
        return XX_UNKNOWN;
    if (row->kind == XX_BOOL || row->kind == XX_CHOICE) {
        fprintf(stderr, "Missing +/- setting for VM option '%s'\n", text);
        return XX_MALFORMED;
    }
    if (!equals)
        return malformed(text);
    void *place = row->place == NOWHERE ? NULL : (char *)o + row->place;
    return set_value(row, place, equals + 1) ? XX_DONE : malformed(text);
}
