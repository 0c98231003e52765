/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic_vm.c -- diagnostic commands about the heap, the process, and
 * the VM's configuration.
 *
 * diagnostic.c has the table of commands, with the order of their arguments, and says
 * what they print. */

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
#include "diagnostics/heapdump.h"
#include "jdk/diagnostic.h"
#include "jdk/flags.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "jdk/thread_dump.h"
#include "runtime/call.h"
#include "threads/safepoint.h"

/* ---- the heap ---- */

void
diagnostic_heap_info(struct thread *self, const char *const *values UNUSED,
                     struct buf *out)
{
    heap_print(self->vm, out);
}

/* -all, -gz, -overwrite, the file. */
void
diagnostic_heap_dump(struct thread *self, const char *const *values, struct buf *out)
{
    struct heap_dump d = { .path = values[3],
                           .live = !diagnostic_is_true(values[0]),
                           .overwrite = diagnostic_is_true(values[2]) };

    /* The file is compressed only if -gz was given, even with its default value. */
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

/* An exception stays pending, for who gave the command. */
void
diagnostic_run_finalization(struct thread *self, const char *const *values UNUSED,
                            struct buf *out UNUSED)
{
    java_call_named(self, KC(self->vm, System), "runFinalization", "()V", NULL, NULL);
}

/* Prints an entry of the histogram.  Each entry has a class's name and the number of
   its objects.  Their fields are looked up by name here, since nothing else of the VM
   needs them.  InternalError is pending if the class library has other ones. */
static void
print_waiting(struct thread *self, const struct object *entry, struct buf *out)
{
    const struct class *c = object_class(entry);
    const struct field *count = class_own_field(c, symbol_of("instanceCount"),
                                                symbol_of("I"));
    const struct field *name = class_own_field(c, symbol_of("className"),
                                               symbol_of("Ljava/lang/String;"));
    TEXTS(t);

    if (!count || !name) {
        THROW(self, InternalError, "unknown fields of %pC", c);
        return;
    }
    const struct object *text = OBJECT_FIELD(struct object *, entry, name->offset);
    buf_printf(out, "%10d  %s\n", OBJECT_FIELD(int32_t, entry, count->offset),
               text ? own(&t, string_to_utf8(text)) : "");
}

/* The class library counts the objects that wait for their finalizer. */
void
diagnostic_finalizer_info(struct thread *self, const char *const *values UNUSED,
                          struct buf *out)
{
    struct class *c = class_load_boot(self, "java/lang/ref/FinalizerHistogram");
    union slot entries;
    HANDLE_SCOPE(self);

    if (!java_call_named(self, c, "getFinalizerHistogram",
                         "()[Ljava/lang/ref/FinalizerHistogram$Entry;", NULL, &entries))
        return;
    handle_new(self, entries.ref);
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

/* Appends a file's text; nothing if it cannot be read. */
static void
print_file(struct buf *out, const char *path)
{
    size_t length;
    char *text = os_read_file(path, &length, NULL);

    if (text)
        buf_append(out, text, length);
    mem_free(text);
}

void
diagnostic_dynlibs(struct thread *self UNUSED, const char *const *values UNUSED,
                   struct buf *out)
{
    buf_append_string(out, "Dynamic libraries:\n");
    print_file(out, "/proc/self/maps");
}

/* Prints the kernel, the processors, the memory and the load of the machine. */
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

/* Prints the variables of the environment that matter to a JDK, if they are set. */
static void
print_environment(struct buf *out)
{
    static const char *const names[] = { "JAVA_HOME",       "JAVA_TOOL_OPTIONS",
                                         "_JAVA_OPTIONS",   "JDK_JAVA_OPTIONS",
                                         "CLASSPATH",       "PATH",
                                         "LD_LIBRARY_PATH", "LD_PRELOAD",
                                         "SHELL",           "LANG",
                                         "LC_ALL",          "TZ" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            buf_printf(out, "%s=%s\n", names[i], value);
    }
}

/* Prints the time, and how long the VM has run. */
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

/* Prints what a crash report has of a VM that runs well: the VM, its heap and threads,
   all events of all kinds of the history, the process and the system. */
void
diagnostic_info(struct thread *self, const char *const *values, struct buf *out)
{
    const struct vm *vm = self->vm;
    const struct vm_options *o = &vm->options;
    const char *command = property_value(o, "sun.java.command");
    TEXTS(t);

    buf_printf(out,
               "#\n# Class library: JDK %s of %s\n# Java VM: %s (%s, %s)\n#\n\n"
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

/* The kind of event, how many. */
void
diagnostic_events(struct thread *self UNUSED, const char *const *values,
                  struct buf *out)
{
    char *end;
    unsigned long max = values[1] ? strtoul(values[1], &end, 10) : SIZE_MAX;

    if (values[1] && (*end || end == values[1])) {
        buf_printf(out, "Invalid max option: \"%s\".\n", values[1]);
        return;
    }
    history_print(out, values[0], max);
}

/* The same where "max" is a number, and 0 is all. */
void
diagnostic_events_or_all(struct thread *self, const char *const *values,
                         struct buf *out)
{
    const char *const given[] = { values[0], strtoll(values[1], NULL, 10) == 0
                                                 ? NULL
                                                 : values[1] };

    diagnostic_events(self, given, out);
}

/* ---- threads ---- */

/* The class library writes the file, since it knows the virtual threads and their
   containers.  The file, -overwrite, -format, of which all but "json" is plain.  What it
   answers, as bytes, is for the user. */
void
diagnostic_dump_to_file(struct thread *self, const char *const *values, struct buf *out)
{
    struct class *dumper = class_load_boot(self, "jdk/internal/vm/ThreadDumper");
    bool is_json = !strcmp(values[2], "json");
    union slot args[2], answer;
    HANDLE_SCOPE(self);

    args[0].ref = dumper ? handle_new(self, string_from_utf8(self, values[0])) : NULL;
    args[1].i = diagnostic_is_true(values[1]);
    if (args[0].ref
        && java_call_named(self, dumper, is_json ? "dumpThreadsToJson" : "dumpThreads",
                           "(Ljava/lang/String;Z)[B", args, &answer))
        buf_append(out, ARRAY_BYTES(answer.ref), (size_t)array_length(answer.ref));
}

/* ---- configuration ---- */

/* Prints the reason if the flag cannot be set; nothing else. */
void
diagnostic_set_flag(struct thread *self, const char *const *values, struct buf *out)
{
    struct buf problem = { 0 };

    if (!flag_change(&self->vm->options, values[0], values[1], FLAG_BY_MANAGEMENT,
                     &problem))
        buf_printf(out, "%s\n", buf_string(&problem));
    buf_release(&problem);
}

/* output, output_options, what, decorators, disable, list, rotate.  values[4], disable,
   counts if it was given, whatever its value.  An empty list of decorators means none,
   while a missing one leaves them as they are. */
void
diagnostic_log(struct thread *self UNUSED, const char *const *values, struct buf *out)
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

/*
 * The function of the JDK's libjdwp that begins to listen for a debugger, for its
 * option onjcmd=y.  It returns what is wrong, or NULL; *first says whether it was the
 * first call.
 */
typedef const char *start_debugging_fn(JNIEnv *env, jobject thread,
                                       const char **transport, const char **address,
                                       jboolean *first);

/* Returns libjdwp's function, if -agentlib has loaded the library; else NULL. */
static start_debugging_fn *
find_debugger(const struct vm *vm)
{
    TEXTS(t);
    void *library = dlopen(
        own(&t, mem_printf("%s/lib/libjdwp.so", vm->options.java_home)),
        RTLD_LAZY | RTLD_NOLOAD);
    start_debugging_fn *fn = library ? (start_debugging_fn *)dlsym(
                                 library, "debugInit_startDebuggingViaCommand")
                                     : NULL;

    if (library)
        dlclose(library); /* -agentlib keeps it */
    return fn;
}

/* The function of libjdwp is called in native state, as foreign code. */
void
diagnostic_start_debugging(struct thread *self, const char *const *values UNUSED,
                           struct buf *out)
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
