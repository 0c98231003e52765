/* SPDX-License-Identifier: MIT */
/* minivm/jdk/flags.c -- the -XX options that the VM honours. */

#include "jdk/flags.h"

#include <inttypes.h>
#include <string.h>

const struct vm_flag vm_flags[VM_FLAG_COUNT] = {
#define FLAG(name, field, type) { name, offsetof(struct vm_options, field), type }
    FLAG("BytecodeVerificationLocal", verify_local, 'Z'),
    FLAG("BytecodeVerificationRemote", verify_remote, 'Z'),
    FLAG("CheckJNICalls", check_jni, 'Z'),
    FLAG("ClassUnloading", class_unloading, 'Z'),
    FLAG("CrashOnOutOfMemoryError", crash_on_oom, 'Z'),
    FLAG("DisableAttachMechanism", disable_attach, 'Z'),
    FLAG("EnableDynamicAgentLoading", dynamic_agents, 'C'),
    FLAG("ExitOnOutOfMemoryError", exit_on_oom, 'Z'),
    FLAG("GCStress", gc_stress, 'i'),
    FLAG("InitialHeapSize", heap_initial, 'J'),
    FLAG("MaxDirectMemorySize", max_direct_memory, 'J'),
    FLAG("MaxHeapSize", heap_maximum, 'J'),
    FLAG("MaxJavaStackTraceDepth", max_stack_trace_depth, 'i'),
    FLAG("PoisonFreed", poison, 'Z'),
    FLAG("PrintGC", verbose_gc, 'Z'),
    FLAG("ReduceSignalUsage", no_java_signals, 'Z'),
    FLAG("ShowCodeDetailsInExceptionMessages", helpful_npe, 'Z'),
    FLAG("SoftRefLRUPolicyMSPerMB", soft_ref_ms_per_mb, 'i'),
    FLAG("StackTraceInThrowable", stack_trace_in_throwable, 'Z'),
    FLAG("StartAttachListener", start_attach, 'Z'),
    FLAG("UnlockDiagnosticVMOptions", unlock_diagnostic, 'Z'),
    FLAG("UnlockExperimentalVMOptions", unlock_experimental, 'Z'),
    FLAG("UsePerfData", perf_data, 'Z'),
#undef FLAG
};

const struct vm_flag *
flag_find(const char *name)
{
    for (int i = 0; i < VM_FLAG_COUNT; i++)
        if (!strcmp(vm_flags[i].name, name))
            return &vm_flags[i];
    return NULL;
}

int64_t
flag_value(const struct vm_options *o, const struct vm_flag *f)
{
    const void *at = (const char *)o + f->offset;

    switch (f->type) {
    case 'Z':
        return *(const bool *)at;
    case 'C':
        return *(const int8_t *)at >= 0;
    case 'i':
        return *(const int *)at;
    default:
        return (int64_t)*(const size_t *)at;
    }
}

void
flag_set(struct vm_options *o, const struct vm_flag *f, int64_t value)
{
    void *at = (char *)o + f->offset;

    switch (f->type) {
    case 'Z':
        *(bool *)at = value != 0;
        break;
    case 'C':
        *(int8_t *)at = value ? 1 : -1;
        break;
    case 'i':
        *(int *)at = (int)(value < INT32_MAX ? value : INT32_MAX);
        break;
    default:
        *(size_t *)at = (size_t)value;
        break;
    }
}

bool
flag_was_given(const struct vm_options *o, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < o->vm_arg_count; i++) {
        const char *arg = o->vm_args[i];
        if (strncmp(arg, "-XX:", 4))
            continue;
        arg += arg[4] == '+' || arg[4] == '-' ? 5 : 4;
        if (!strncmp(arg, name, length) && (arg[length] == '\0' || arg[length] == '='))
            return true;
    }
    return false;
}

void
flag_print(struct buf *out, const struct vm_options *o, const struct vm_flag *f)
{
    if (flag_is_bool(f))
        buf_printf(out, "-XX:%c%s", flag_value(o, f) ? '+' : '-', f->name);
    else
        buf_printf(out, "-XX:%s=%" PRId64, f->name, flag_value(o, f));
}
