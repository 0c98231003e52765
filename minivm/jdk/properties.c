/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.c -- the system properties that the VM sets, and the -XX
 * options that it honours. */

#include "jdk/properties.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#endif

#ifdef MULTIARCH
#define LIBRARY_PATH \
    "/usr/java/packages/lib:/usr/lib/" MULTIARCH "/jni:/lib/" MULTIARCH \
    ":/usr/lib/" MULTIARCH ":/usr/lib/jni:/lib:/usr/lib"
#else
#define LIBRARY_PATH "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib"
#endif

const char minivm_version[] = PACKAGE_VERSION;

struct system_property *
property_find(const struct vm_options *o, const char *key)
{
    struct system_property *p = o->properties;

    while (p && strcmp(p->key, key) != 0)
        p = p->next;
    return p;
}

const char *
property_value(const struct vm_options *o, const char *key)
{
    const struct system_property *p = property_find(o, key);

    return p ? p->value : NULL;
}

struct system_property *
property_set(struct vm_options *o, const char *key, char *value)
{
    struct system_property *p = property_find(o, key);

    if (!p) {
        p = mem_alloc(sizeof *p);
        *p = (struct system_property){ .key = mem_strdup(key), .writable = true,
                                       .next = o->properties };
        o->properties = p;
    }
    mem_free(p->value);
    p->value = value;
    return p;
}

char *
vm_arguments(const struct vm_options *o)
{
    struct buf b = { 0 };

    for (size_t i = 0; i < o->vm_arg_count; i++)
        buf_printf(&b, "%s%s", i ? " " : "", o->vm_args[i]);
    return buf_steal(&b, NULL);
}

/* What the command line and agents may change; value is taken over. */
static void
set_default(struct vm_options *o, const char *key, char *value)
{
    if (property_find(o, key))
        mem_free(value);
    else
        property_set(o, key, value);
}

static char *
library_path(void)
{
    const char *first = getenv("LD_LIBRARY_PATH");

    return first && *first ? mem_printf("%s:%s", first, LIBRARY_PATH)
                           : mem_strdup(LIBRARY_PATH);
}

static void
set_fixed(struct vm_options *o, const char *key, char *value)
{
    property_set(o, key, value)->writable = false;
}

void
properties_init(struct vm *vm)
{
    static const char *const fixed[][2] = {
        { "java.vm.specification.name", "Java Virtual Machine Specification" },
        { "java.vm.specification.vendor", "Oracle Corporation" },
        { "java.vm.version", minivm_version }, { "java.vm.name", "tiforge minivm" },
        { "java.vm.vendor", "tiforge" }, { "java.vm.info", "interpreted mode" },
        { "jdk.debug", "release" }
    };
    struct vm_options *o = &vm->options;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        set_fixed(o, fixed[i][0], mem_strdup(fixed[i][1]));
    set_fixed(o, "java.vm.specification.version",
              mem_printf("%d", vm->profile->feature));
    set_fixed(o, "java.home", mem_strdup(o->java_home));
    if (o->max_direct_memory)
        set_fixed(o, "sun.nio.MaxDirectMemorySize",
                  mem_printf("%zu", o->max_direct_memory));
    /* The class library keeps it for its loaders. */
    set_fixed(o, "jdk.boot.class.path.append",
              mem_strdup(o->boot_append ? o->boot_append : ""));
    set_default(o, "sun.boot.library.path", mem_printf("%s/lib", o->java_home));
    set_default(o, "java.library.path", library_path());
    set_default(o, "java.class.path", mem_strdup(""));
}

/* ---- -XX options ---- */

const struct vm_flag vm_flags[VM_FLAG_COUNT] = {
#define FLAG(name, field, type) { name, offsetof(struct vm_options, field), type }
    FLAG("BytecodeVerificationLocal", verify_local, 'Z'),
    FLAG("BytecodeVerificationRemote", verify_remote, 'Z'),
    FLAG("CheckJNICalls", check_jni, 'Z'),
    FLAG("ClassUnloading", class_unloading, 'Z'),
    FLAG("CrashOnOutOfMemoryError", crash_on_oom, 'Z'),
    FLAG("CreateCoredumpOnCrash", create_core, 'Z'),
    FLAG("DisableAttachMechanism", disable_attach, 'Z'),
    FLAG("EnableDynamicAgentLoading", dynamic_agents, 'C'),
    FLAG("ErrorFile", error_file, 's'),
    FLAG("ErrorFileToStderr", error_file_to_stderr, 'Z'),
    FLAG("ErrorFileToStdout", error_file_to_stdout, 'Z'),
    FLAG("ErrorLogTimeout", error_log_timeout, 'J'),
    FLAG("ExitOnOutOfMemoryError", exit_on_oom, 'Z'),
    FLAG("GCStress", gc_stress, 'i'),
    FLAG("InitialHeapSize", heap_initial, 'J'),
    FLAG("MaxDirectMemorySize", max_direct_memory, 'J'),
    FLAG("MaxHeapSize", heap_maximum, 'J'),
    FLAG("MaxJavaStackTraceDepth", max_stack_trace_depth, 'i'),
    FLAG("OnError", on_error, 'l'),
    FLAG("PoisonFreed", poison, 'Z'),
    FLAG("PrintGC", verbose_gc, 'Z'),
    FLAG("ReduceSignalUsage", no_java_signals, 'Z'),
    FLAG("ShowCodeDetailsInExceptionMessages", helpful_npe, 'Z'),
    FLAG("ShowHiddenFrames", show_hidden_frames, 'Z'),
    FLAG("ShowMessageBoxOnError", message_box, 'Z'),
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

const char *
flag_text(const struct vm_options *o, const struct vm_flag *f)
{
    const char *text = *(char *const *)((const char *)o + f->offset);

    return text ? text : "";
}

void
flag_set_text(struct vm_options *o, const struct vm_flag *f, const char *text)
{
    char **at = (char **)((char *)o + f->offset), *before = *at;

    *at = f->type == 'l' && before ? mem_printf("%s\n%s", before, text)
                                   : mem_strdup(text);
    mem_free(before);
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
    else if (flag_is_text(f))
        buf_printf(out, "-XX:%s=%s", f->name, flag_text(o, f));
    else
        buf_printf(out, "-XX:%s=%" PRId64, f->name, flag_value(o, f));
}
