/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic_vm.c -- jcmd's commands about the heap, the process and the
 * configuration of the VM. */

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/history.h"
#include "base/xlog.h"
#include "jdk/attach.h"
#include "jdk/flags.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "vm/heapdump.h"
#include "vm/safepoint.h"

/* ---- the heap ---- */

DIAGNOSTIC_COMMAND(diagnostic_heap_info)
{
    heap_print(self->vm, out);
}

/* -all, -gz, -overwrite, the file. */
DIAGNOSTIC_COMMAND(diagnostic_heap_dump)
{
    struct heap_dump d = { .path = values[3], .live = !diagnostic_is_true(values[0]),
                           .overwrite = diagnostic_is_true(values[2]) };

    /* Only who asks for it gets a compressed file. */
    if (values[1] != diagnostic_gzip_level) {
        long long level = strtoll(values[1], NULL, 10);
        if (level < 1 || level > 9) {
            buf_printf(out, "Compression level out of range (1-9): %lld\n", level);
            return;
        }
        d.gzip_level = (int)level;
    }
    mem_free(heap_dump_write(self, &d, out));
}

DIAGNOSTIC_COMMAND(diagnostic_run_finalization)
{
    java_call_named(self, KC(self->vm, System), "runFinalization", "()V", NULL, NULL);
}

static void
print_waiting(struct thread *self, const struct object *entry, struct buf *out)
{
    const struct class *c = object_class(entry);
    const struct field *count =
        class_own_field(c, symbol_of("instanceCount"), symbol_of("I"));
    const struct field *name =
        class_own_field(c, symbol_of("className"), symbol_of("Ljava/lang/String;"));
    TEXTS(t);

    if (!count || !name) {
        THROW(self, InternalError, "unknown fields of %pC", c);
        return;
    }
    const struct object *text = OBJECT_FIELD(struct object *, entry, name->offset);
    buf_printf(out, "%10d  %s\n", OBJECT_FIELD(int32_t, entry, count->offset),
               text ? own(&t, string_to_utf8(text)) : "");
}

/* The class library counts them. */
DIAGNOSTIC_COMMAND(diagnostic_finalizer_info)
{
    struct class *c = class_load_boot(self, "java/lang/ref/FinalizerHistogram");
    union slot entries;
    SCOPE(self);

    if (!java_call_named(self, c, "getFinalizerHistogram",
                         "()[Ljava/lang/ref/FinalizerHistogram$Entry;", NULL, &entries))
        return;
    keep(self, entries.ref);
    int32_t count = array_length(entries.ref);
    buf_append_string(out, count == 0
                               ? "No instances waiting for finalization found\n"
                               : "Unreachable instances waiting for finalization\n"
                                 "#instances  class name\n"
                                 "-----------------------\n");
    for (int32_t i = 0; i < count && !exception_pending(self); i++)
        print_waiting(self, ARRAY_REFS(entries.ref)[i], out);
}

/* ---- the process ---- */

static void
print_file(struct buf *out, const char *path)
{
    size_t length;
    char *text = os_read_file(path, &length, NULL);

    if (text)
        buf_append(out, text, length);
    mem_free(text);
}

DIAGNOSTIC_COMMAND(diagnostic_dynlibs)
{
    buf_append_string(out, "Dynamic libraries:\n");
    print_file(out, "/proc/self/maps");
}

static void
print_system(struct buf *out)
{
    struct utsname name;

    if (uname(&name) == 0)
        buf_printf(out, "uname: %s %s %s %s\n", name.sysname, name.release,
                   name.version, name.machine);
    buf_printf(out, "CPU: total %d available to the process\nMemory: %" PRIu64 "M\n",
               os_processor_count(), os_physical_memory() >> 20);
    buf_append_string(out, "load average: ");
    print_file(out, "/proc/loadavg");
}

static void
print_environment(struct buf *out)
{
    static const char *const names[] = {
        "JAVA_HOME", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
        "CLASSPATH", "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "SHELL", "LANG", "LC_ALL",
        "TZ"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            buf_printf(out, "%s=%s\n", names[i], value);
    }
}

static void
print_times(const struct vm *vm, struct buf *out)
{
    time_t now = time(NULL);
    char date[64] = "";
    struct tm tm;
    int64_t micros = (os_nanos() - (int64_t)vm->start_nanos) / 1000;

    if (localtime_r(&now, &tm))
        strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y %Z", &tm);
    buf_printf(out, "Time: %s elapsed time: %" PRId64 ".%06d seconds\n", date,
               micros / 1000000, (int)(micros % 1000000));
}

DIAGNOSTIC_COMMAND(diagnostic_info)
{
    const struct vm *vm = self->vm;
    const struct vm_options *o = &vm->options;
    const char *command = property_value(o, "sun.java.command");
    TEXTS(t);

    buf_printf(out, "#\n# Class library: JDK %s of %s\n# Java VM: %s (%s, %s)\n#\n\n"
                    "---------------  S U M M A R Y ------------\n\n"
                    "Command Line: %s %s\n\n",
               vm->release, o->java_home, property_value(o, "java.vm.name"),
               property_value(o, "java.vm.version"), property_value(o, "java.vm.info"),
               own(&t, vm_arguments(o)), command ? command : "");
    print_times(vm, out);
    buf_append_string(out,
                      "\n---------------  P R O C E S S  ---------------\n\nHeap:\n");
    heap_print(vm, out);
    buf_printf(out, "\nThreads: %u attached, %u of them daemons\n\n", vm->thread_count,
               vm->daemon_count);
    history_print(out, NULL, SIZE_MAX);
    diagnostic_dynlibs(self, values, out);
    buf_append_string(out, "\nVM Arguments:\n");
    diagnostic_command_line(self, values, out);
    buf_append_string(out, "\nLogging:\n");
    log_describe(out);
    buf_append_string(out, "\nEnvironment Variables:\n");
    print_environment(out);
    buf_append_string(out, "\n---------------  S Y S T E M  ---------------\n\n");
    print_system(out);
    buf_append_string(out, "\nEND.\n");
}

/* The kind, how many. */
DIAGNOSTIC_COMMAND(diagnostic_events)
{
    char *end;
    unsigned long max = values[1] ? strtoul(values[1], &end, 10) : SIZE_MAX;

    if (values[1] && (*end || end == values[1])) {
        buf_printf(out, "Invalid max option: \"%s\".\n", values[1]);
        return;
    }
    history_print(out, values[0], max);
}

/* ---- configuration ---- */

DIAGNOSTIC_COMMAND(diagnostic_set_flag)
{
    struct buf problem = { 0 };

    if (!flag_change(&self->vm->options, values[0], values[1], FLAG_BY_MANAGEMENT,
                     &problem))
        buf_printf(out, "%s\n", buf_string(&problem));
    buf_release(&problem);
}

/* output, output_options, what, decorators, disable, list, rotate. */
DIAGNOSTIC_COMMAND(diagnostic_log)
{
    bool any = false;

    if (values[4]) {
        log_disable();
        any = true;
    }
    if (values[0] || values[2] || values[3]) {
        if (!log_configure(values[0], values[2],
                           values[3] && !*values[3] ? "none" : values[3], values[1],
                           out))
            return;
        any = true;
    }
    if (values[5]) {
        log_describe(out);
        any = true;
    }
    if (values[6]) {
        log_rotate();
        any = true;
    }
    if (!any)
        diagnostic_print_syntax(diagnostic_find("VM.log"), out);
}

/* ---- debugging ---- */

/* The JDK's libjdwp, if -agentlib has loaded it; the function that its option onjcmd=y
   is for. */
typedef const char *start_debugging_fn(JNIEnv *env, jobject thread,
                                       const char **transport, const char **address,
                                       jboolean *first);

static start_debugging_fn *
find_debugger(const struct vm *vm)
{
    TEXTS(t);
    void *library =
        dlopen(own(&t, mem_printf("%s/lib/libjdwp.so", vm->options.java_home)),
               RTLD_LAZY | RTLD_NOLOAD);
    start_debugging_fn *fn =
        library ? (start_debugging_fn *)dlsym(library,
                                              "debugInit_startDebuggingViaCommand")
                : NULL;

    if (library)
        dlclose(library);          /* -agentlib keeps it */
    return fn;
}

DIAGNOSTIC_COMMAND(diagnostic_start_debugging)
{
    start_debugging_fn *start = find_debugger(self->vm);
    const char *transport = NULL, *address = NULL;
    const char *error = "Could not find jdwp agent.";
    jboolean is_first = JNI_FALSE;

    if (start) {
        jobject thread = object_ref(self, self->object);
        thread_leave_vm(self);
        error = start(thread_env(self), thread, &transport, &address, &is_first);
        thread_enter_vm(self);
    }
    if (error)
        buf_printf(out, "Debugging has not been started: %s\n", error);
    else
        buf_printf(out, "%s\nTransport : %s\nAddress : %s\n",
                   is_first ? "Debugging has been started."
                            : "Debugging is already active.",
                   transport ? transport : "#unknown", address ? address : "#unknown");
}
