/* SPDX-License-Identifier: MIT */
/* minivm/jdk/diagnostic.c -- the table of diagnostic commands (jcmd), and the short
 * ones.
 *
 * One constant entry per command has its syntax, its help and its function. jcmd's
 * help, DiagnosticCommandMBean's descriptions and the reading of arguments all come
 * from the entry, so that they cannot differ.  A function opens with the values of its
 * arguments in the entry's order; diagnostic.h says what they look like.
 *
 * Names, arguments and outputs are HotSpot's, which tools parse, as far as this VM has
 * the thing that a command is about. */

#include <string.h>
#include <time.h>

#include "base/events.h"
#include "jdk/attach.h"
#include "jdk/diagnostic.h"
#include "jdk/flags.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "jdk/thread_dump.h"

const char diagnostic_gzip_level[] = "1";

bool
diagnostic_is_true(const char *value)
{
    return value && !strcmp(value, "true");
}

/* ---- the commands ---- */

/* -all; -parallel is ignored. */
static void
run_class_histogram(struct thread *self, const char *const *values, struct buf *out)
{
    class_histogram(self, diagnostic_is_true(values[0]), out);
}

/* Soft references stay if they were used not long ago. */
static void
run_gc(struct thread *self, const char *const *values UNUSED, struct buf *out UNUSED)
{
    vm_collect(self, "Diagnostic Command", KEEP_SOFT_REFERENCES);
}

/* Starts an agent: values[0] is the path of a library, or of a jar, which the JDK's
   library "instrument" runs as a Java agent; values[1] has the options or is NULL.
   That library gets the jar and the options in one text, JAR=OPTIONS. */
static void
run_agent_load(struct thread *self, const char *const *values, struct buf *out)
{
    const char *suffix = strrchr(values[0], '.');
    TEXTS(t);

    if (!suffix || strcmp(suffix, ".jar") != 0)
        attach_start_agent(self, values[0], BY_PATH, values[1] ? values[1] : "", out);
    else
        attach_start_agent(
            self, "instrument", BY_NAME,
            own(&t, mem_printf(values[1] ? "%s=%s" : "%s", values[0], values[1])), out);
}

/* Sends JVM TI's DataDumpRequest. */
static void
run_data_dump(struct thread *self, const char *const *values UNUSED,
              struct buf *out UNUSED)
{
    EVENT_SEND(EVENT_DATA_DUMP, data_dump, self);
}

/* -l, -e; the latter adds nothing. */
static void
run_thread_print(struct thread *self, const char *const *values, struct buf *out)
{
    thread_dump(self, out, diagnostic_is_true(values[0]) ? DUMP_SYNCHRONIZERS : 0);
}

/* Prints the VM's arguments, the program's command and the class path. */
void
diagnostic_command_line(struct thread *self, const char *const *values UNUSED,
                        struct buf *out)
{
    const struct vm_options *o = &self->vm->options;
    const char *command = property_value(o, "sun.java.command");
    const char *path = property_value(o, "java.class.path");
    const char *launcher = property_value(o, "sun.java.launcher");

    buf_append_string(out, "VM Arguments:\n");
    for (size_t i = 0; i < o->vm_arg_count; i++)
        buf_printf(out, "%s%s ", i == 0 ? "jvm_args: " : "", o->vm_args[i]);
    buf_printf(out,
               "%sjava_command: %s\njava_class_path (initial): %s\n"
               "Launcher Type: %s\n",
               o->vm_arg_count ? "\n" : "", command ? command : "<unknown>",
               path && *path ? path : "<not set>", launcher ? launcher : "generic");
}

/* -all prints each flag in a line of a table, with its type, lock and origin.  Without
   it, only the flags that somebody gave or the VM chose are printed, as on a command
   line.  Locked flags are left out. */
static void
run_flags(struct thread *self, const char *const *values, struct buf *out)
{
    const struct vm_options *o = &self->vm->options;
    bool all = diagnostic_is_true(values[0]);

    if (all)
        buf_append_string(out, "[Global flags]\n");
    FOR_EACH_FLAG(f)
    {
        enum flag_origin origin = flag_origin(o, f);
        struct buf value = { 0 };
        if (flag_is_locked(o, f))
            continue;
        if (all) {
            flag_print_value(&value, o, f);
            buf_printf(out, "%9s %-40s = %-40s {%s} {%s}\n", f->type, f->name,
                       buf_string(&value), f->lock, flag_origin_text(origin));
            buf_release(&value);
        } else if (origin != FLAG_BY_DEFAULT) {
            flag_print(out, o, f);
            buf_append_string(out, " ");
        }
    }
    if (!all)
        buf_append_string(out, "\n");
}

/* An exception that Java code has thrown stays pending, for who gave the command. */
static void
run_system_properties(struct thread *self, const char *const *values UNUSED,
                      struct buf *out)
{
    attach_call_support(self, "serializePropertiesToByteArray", out);
}

/* -date: with the date. */
static void
run_uptime(struct thread *self, const char *const *values, struct buf *out)
{
    double seconds = (double)(os_nanos() - (int64_t)self->vm->start_nanos) / 1e9;
    int64_t now = os_wall_nanos();
    time_t whole = (time_t)(now / 1000000000);
    char date[32] = "", zone[8] = "";
    struct tm tm;

    if (diagnostic_is_true(values[0]) && localtime_r(&whole, &tm)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
        strftime(zone, sizeof zone, "%z", &tm);
        buf_printf(out, "%s.%03d%s: ", date, (int)(now / 1000000 % 1000), zone);
    }
    buf_printf(out, "%.3f s\n", seconds);
}

static void
run_version(struct thread *self, const char *const *values UNUSED, struct buf *out)
{
    const struct vm_options *o = &self->vm->options;

    buf_printf(out, "%s version %s\nJDK %s\n", property_value(o, "java.vm.name"),
               property_value(o, "java.vm.version"), self->vm->release);
}

/* ---- help ---- */

/* Prints the options of c, or its other arguments, under a title if there are any.
   Options are printed if options is true, else the arguments without a name.  The title
   stands only before the first one. */
static void
print_arguments(const struct diagnostic_command *c, bool options, const char *title,
                struct buf *out)
{
    for (int i = 0; i < c->info.argument_count; i++) {
        const struct jmm_command_argument *a = &c->arguments[i];
        if (a->is_option != options)
            continue;
        buf_printf(out, "%s\t%s : %s%s (%s, %s)\n", title, a->name,
                   a->is_mandatory ? " " : "[optional] ", a->description, a->type,
                   a->initial ? a->initial : "no default value");
        title = "";
    }
}

/* Prints how a command is used: one line for it, and one for each argument and
   option. */
void
diagnostic_print_syntax(const struct diagnostic_command *c, struct buf *out)
{
    const struct jmm_command_argument *end = c->arguments + c->info.argument_count;
    bool has_options = false;

    if (c->info.argument_count == 0) {
        buf_printf(out, "Syntax: %s\n", c->info.name);
        return;
    }
    for (const struct jmm_command_argument *a = c->arguments; a < end; a++)
        has_options = has_options || a->is_option;
    buf_printf(out, "Syntax : %s %s", c->info.name, has_options ? "[options]" : "");
    for (const struct jmm_command_argument *a = c->arguments; a < end; a++)
        if (!a->is_option)
            buf_printf(out, a->is_mandatory ? " <%s>" : " [<%s>]", a->name);
    buf_append_string(out, "\n");
    print_arguments(c, false, "\nArguments:\n", out);
    print_arguments(c, true,
                    "\nOptions: (options must be specified using the <key> or "
                    "<key>=<value> syntax)\n",
                    out);
}

/* Prints what "help COMMAND" does.  Later releases do not tell permissions there. */
static void
print_help(const struct diagnostic_command *c, struct buf *out)
{
    static const struct releases with_permissions = { 0, 20 };
    const struct jmm_command *i = &c->info;

    buf_printf(out, "%s\n%s\n\nImpact: %s\n\n", i->name, i->description, i->impact);
    if (i->permission_class
        && release_is_in(the_vm->profile->feature, with_permissions))
        buf_printf(out,
                   i->permission_action ? "Permission: %s(%s, %s)\n\n"
                                        : "Permission: %s(%s)\n\n",
                   i->permission_class, i->permission_name, i->permission_action);
    diagnostic_print_syntax(c, out);
}

/* -all; the name of a command or NULL. */
static void
run_help(struct thread *self UNUSED, const char *const *values, struct buf *out)
{
    if (diagnostic_is_true(values[0])) {
        FOR_EACH_COMMAND(c)
        buf_printf(out, "%s%s\n\t%s\n", c == diagnostic_next(NULL) ? "" : "\n",
                   c->info.name, c->info.description);
        buf_append_string(out, "\n");
    } else if (values[1]) {
        const struct diagnostic_command *c = diagnostic_find(values[1]);
        if (c)
            print_help(c, out);
        else
            buf_printf(out, "Help unavailable : '%s' : No such command\n", values[1]);
    } else {
        buf_append_string(out, "The following commands are available:\n");
        FOR_EACH_COMMAND(c)
        buf_printf(out, "%s\n", c->info.name);
        buf_append_string(out, "\nFor more information about a specific command use "
                               "'help <command>'.\n");
    }
}

/* ---- the table ----
 *
 * A row is: { name, description, impact, permission, number of arguments, enabled },
 * { arguments }, function, the releases that have it so.  The
 * permission is what a caller of the bean needs. */

/* clang-format off: one row is several short lines. */
#define OPTION(name, text, type, initial) \
    { \
        name, text, type, initial, false, true, false, -1 \
    }
#define FILE_NAME(name, text) \
    { \
        name, text, "FILE", NULL, true, false, false, 0 \
    }
#define ALL \
    { \
        0, 0 \
    }
#define UNTIL(until) \
    { \
        0, until \
    }
#define SINCE(since) \
    { \
        since, 0 \
    }
#define FLAG(name, text) OPTION(name, text, "BOOLEAN", "false")
#define ARGUMENT(name, text, position, is_mandatory) \
    { \
        name, text, "STRING", NULL, is_mandatory, false, false, position \
    }
#define NO_PERMISSION NULL, NULL, NULL
#define MANAGEMENT(name) "java.lang.management.ManagementPermission", name, NULL
#define PROPERTY(name) "java.util.PropertyPermission", name, "read"
#define AGENT(name, type) OPTION(name, "set com.sun.management." name, type, NULL)

/* GC.heap_dump, which got one more option in later releases. */
#define HEAP_DUMP_INFO(arguments) \
    { \
        "GC.heap_dump", "Generate a HPROF format dump of the Java heap.", \
            "High: Depends on Java heap size and content. Request a full GC " \
            "unless the '-all' option is specified.", \
            MANAGEMENT("monitor"), arguments, true \
    }
#define HEAP_DUMP_OPTIONS \
    FLAG("-all", "Dump all objects, including unreachable objects"), \
        OPTION("-gz", \
               "If specified, the heap dump is written in gzipped format using " \
               "the given compression level. 1 (recommended) is the fastest, 9 the " \
               "strongest compression.", \
               "INT", diagnostic_gzip_level), \
        FLAG("-overwrite", \
             "If specified, the dump file will be overwritten if it exists")

static const struct diagnostic_command commands[] = {
    { { "GC.class_histogram", "Provide statistics about the Java heap usage.",
        "High: Depends on Java heap size and content.", MANAGEMENT("monitor"), 2,
        true },
      { FLAG("-all", "Inspect all objects, including unreachable objects"),
        OPTION("-parallel", "Accepted and ignored: one thread inspects the heap", "INT",
               "0") },
      run_class_histogram,
      ALL },
    { { "GC.finalizer_info", "Provide information about Java finalization queue.",
        "Medium", MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      diagnostic_finalizer_info,
      ALL },
    { HEAP_DUMP_INFO(4),
      { HEAP_DUMP_OPTIONS, ARGUMENT("filename", "Name of the dump file", 0, true) },
      diagnostic_heap_dump,
      UNTIL(21) },
    { HEAP_DUMP_INFO(5),
      { HEAP_DUMP_OPTIONS, FILE_NAME("filename", "Name of the dump file"),
        OPTION(
            "-parallel",
            "Number of parallel threads to use for heap dump. The VM will try to use "
            "the specified number of threads, but might use fewer.",
            "INT", "1") },
      diagnostic_heap_dump,
      SINCE(25) },
    { { "GC.heap_info", "Provide generic Java heap information.", "Medium",
        MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      diagnostic_heap_info,
      ALL },
    { { "GC.run", "Call java.lang.System.gc().",
        "Medium: Depends on Java heap size and content.", NO_PERMISSION, 0, true },
      { { 0 } },
      run_gc,
      ALL },
    { { "GC.run_finalization", "Call java.lang.System.runFinalization().",
        "Medium: Depends on Java content.", NO_PERMISSION, 0, true },
      { { 0 } },
      diagnostic_run_finalization,
      ALL },
    { { "JVMTI.agent_load", "Load JVMTI native agent.", "Low", MANAGEMENT("control"), 2,
        true },
      { ARGUMENT("library path", "Absolute path of the JVMTI agent to load.", 0, true),
        ARGUMENT("agent option", "Option string to pass the agent.", 1, false) },
      run_agent_load,
      ALL },
    { { "JVMTI.data_dump", "Signal the JVM to do a data-dump request for JVMTI.",
        "High", MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      run_data_dump,
      ALL },
    { { "ManagementAgent.start", "Start remote management agent.", "Low: No impact",
        NO_PERMISSION, 21, true },
      { AGENT("config.file", "STRING"),
        AGENT("jmxremote.host", "STRING"),
        AGENT("jmxremote.port", "STRING"),
        AGENT("jmxremote.rmi.port", "STRING"),
        AGENT("jmxremote.ssl", "STRING"),
        AGENT("jmxremote.registry.ssl", "STRING"),
        AGENT("jmxremote.authenticate", "STRING"),
        AGENT("jmxremote.password.file", "STRING"),
        AGENT("jmxremote.access.file", "STRING"),
        AGENT("jmxremote.login.config", "STRING"),
        AGENT("jmxremote.ssl.enabled.cipher.suites", "STRING"),
        AGENT("jmxremote.ssl.enabled.protocols", "STRING"),
        AGENT("jmxremote.ssl.need.client.auth", "STRING"),
        AGENT("jmxremote.ssl.config.file", "STRING"),
        AGENT("jmxremote.autodiscovery", "STRING"),
        AGENT("jdp.port", "INT"),
        AGENT("jdp.address", "STRING"),
        AGENT("jdp.source_addr", "STRING"),
        AGENT("jdp.ttl", "INT"),
        AGENT("jdp.pause", "INT"),
        AGENT("jdp.name", "STRING") },
      management_agent_start_remote,
      ALL },
    { { "ManagementAgent.start_local", "Start local management agent.",
        "Low: No impact", NO_PERMISSION, 0, true },
      { { 0 } },
      management_agent_start_local,
      ALL },
    { { "ManagementAgent.status", "Print the management agent status.",
        "Low: No impact", MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      management_agent_status,
      ALL },
    { { "ManagementAgent.stop", "Stop remote management agent.", "Low: No impact",
        NO_PERMISSION, 0, true },
      { { 0 } },
      management_agent_stop,
      ALL },
    { { "Thread.dump_to_file",
        "Dump threads, with stack traces, to a file in plain text or JSON format.",
        "Medium: Depends on the number of threads.", MANAGEMENT("monitor"), 3, true },
      { ARGUMENT("filepath", "The file path to the output file", 0, true),
        FLAG("-overwrite", "May overwrite existing file"),
        OPTION("-format", "Output format (\"plain\" or \"json\")", "STRING", "plain") },
      diagnostic_dump_to_file,
      { 21, 21 } },
    { { "Thread.dump_to_file",
        "Dump threads, with stack traces, to a file in plain text or JSON format.",
        "Medium: Depends on the number of threads.", MANAGEMENT("monitor"), 3, true },
      { FILE_NAME("filepath", "The file path to the output file"),
        FLAG("-overwrite", "May overwrite existing file"),
        OPTION("-format", "Output format (\"plain\" or \"json\")", "STRING", "plain") },
      diagnostic_dump_to_file,
      SINCE(25) },
    { { "Thread.print", "Print all threads with stacktraces.",
        "Medium: Depends on the number of threads.", MANAGEMENT("monitor"), 2, true },
      { FLAG("-l", "print java.util.concurrent locks"),
        FLAG("-e", "print extended thread information") },
      run_thread_print,
      ALL },
    { { "VM.class_hierarchy",
        "Print a list of all loaded classes, indented to show the class hierarchy. The "
        "name of each class is followed by the ClassLoaderData* of its ClassLoader, or "
        "\"null\" if loaded by the bootstrap class loader.",
        "Medium: Depends on number of loaded classes.", MANAGEMENT("monitor"), 3,
        true },
      { FLAG("-i", "Inherited interfaces should be printed."),
        FLAG("-s", "If a classname is specified, print its subclasses. Otherwise only "
                   "its superclasses are printed."),
        ARGUMENT("classname",
                 "Name of class whose hierarchy should be printed. If not "
                 "specified, all class hierarchies are printed.",
                 0, false) },
      diagnostic_class_hierarchy,
      UNTIL(17) },
    { { "VM.class_hierarchy",
        "Print a list of all loaded classes, indented to show the class hierarchy. The "
        "name of each class is followed by the ClassLoaderData* of its ClassLoader, or "
        "\"null\" if loaded by the bootstrap class loader.",
        "Medium: Depends on number of loaded classes.", MANAGEMENT("monitor"), 3,
        true },
      { FLAG("-i", "Inherited interfaces should be printed."),
        FLAG("-s", "If a classname is specified, print its subclasses in addition to "
                   "its superclasses. Without this option only the superclasses will "
                   "be printed."),
        ARGUMENT("classname",
                 "Name of class whose hierarchy should be printed. If not "
                 "specified, all class hierarchies are printed.",
                 0, false) },
      diagnostic_class_hierarchy,
      SINCE(21) },
    { { "VM.classloader_stats", "Print statistics about all ClassLoaders.", "Low",
        MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      diagnostic_classloader_stats,
      ALL },
    { { "VM.command_line", "Print the command line used to start this VM instance.",
        "Low", MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      diagnostic_command_line,
      ALL },
    { { "VM.dynlibs", "Print loaded dynamic libraries.", "Low", MANAGEMENT("monitor"),
        0, true },
      { { 0 } },
      diagnostic_dynlibs,
      ALL },
    { { "VM.events", "Print VM event logs", "Low: Depends on event log size. ",
        MANAGEMENT("monitor"), 2, true },
      { OPTION("log", "Name of log to be printed. If omitted, all logs are printed.",
               "STRING", NULL),
        OPTION("max",
               "Maximum number of events to be printed (newest first). If "
               "omitted, all events are printed.",
               "STRING", NULL) },
      diagnostic_events,
      UNTIL(21) },
    { { "VM.events", "Print VM event logs", "Low: Depends on event log size. ",
        MANAGEMENT("monitor"), 2, true },
      { OPTION("log", "Name of log to be printed. If omitted, all logs are printed.",
               "STRING", NULL),
        OPTION("max",
               "Maximum number of events to be printed (newest first). If "
               "omitted or zero, all events are printed.",
               "INT", "0") },
      diagnostic_events_or_all,
      SINCE(25) },
    { { "VM.flags", "Print VM flag options and their current values.", "Low",
        MANAGEMENT("monitor"), 1, true },
      { FLAG("-all", "Print all flags supported by the VM") },
      run_flags,
      ALL },
    { { "VM.info", "Print information about JVM environment and status.", "Low",
        MANAGEMENT("monitor"), 0, true },
      { { 0 } },
      diagnostic_info,
      ALL },
    { { "VM.log",
        "Lists current log configuration, enables/disables/configures a log output, or "
        "rotates all logs.",
        "Low: No impact", MANAGEMENT("control"), 7, true },
      { OPTION("output", "The name or index (#<index>) of output to configure.",
               "STRING", NULL),
        OPTION("output_options", "Options for the output.", "STRING", NULL),
        OPTION("what", "Configures what tags to log.", "STRING", NULL),
        OPTION("decorators",
               "Configures which decorators to use. Use 'none' or an "
               "empty value to remove all.",
               "STRING", NULL),
        OPTION("disable", "Turns off all logging and clears the log configuration.",
               "BOOLEAN", NULL),
        OPTION("list", "Lists current log configuration.", "BOOLEAN", NULL),
        OPTION("rotate", "Rotates all logs.", "BOOLEAN", NULL) },
      diagnostic_log,
      ALL },
    { { "VM.set_flag", "Sets VM flag option using the provided value.", "Low",
        MANAGEMENT("control"), 2, true },
      { ARGUMENT("flag name", "The name of the flag we want to set", 0, true),
        ARGUMENT("string value", "The value we want to set", 1, false) },
      diagnostic_set_flag,
      ALL },
    { { "VM.start_java_debugging",
        "Starts up the Java debugging if the jdwp agentlib was enabled with the option "
        "onjcmd=y.",
        "High: Switches the VM into Java debug mode.", MANAGEMENT("control"), 0, true },
      { { 0 } },
      diagnostic_start_debugging,
      UNTIL(21) },
    { { "VM.system_properties", "Print system properties.", "Low", PROPERTY("*"), 0,
        true },
      { { 0 } },
      run_system_properties,
      ALL },
    { { "VM.uptime", "Print VM uptime.", "Low", NO_PERMISSION, 1, true },
      { FLAG("-date", "Add a prefix with current date") },
      run_uptime,
      ALL },
    { { "VM.version", "Print JVM version information.", "Low",
        PROPERTY("java.vm.version"), 0, true },
      { { 0 } },
      run_version,
      ALL },
    { { "help",
        "For more information about a specific command use 'help <command>'. With no "
        "argument this will show a list of available commands. 'help all' will show "
        "help for all commands.",
        "Low", NO_PERMISSION, 2, true },
      { FLAG("-all", "Show help for all commands"),
        ARGUMENT("command name", "The name of the command for which we want help", 0,
                 false) },
      run_help,
      ALL },
    { .run = NULL }
};
/* clang-format on */

const struct diagnostic_command *
diagnostic_next(const struct diagnostic_command *c)
{
    c = c ? c + 1 : commands;
    while (c->info.name && !release_is_in(the_vm->profile->feature, c->releases))
        c++;
    return c->info.name ? c : NULL;
}

const struct diagnostic_command *
diagnostic_find(const char *name)
{
    FOR_EACH_COMMAND(c)
    if (!strcmp(c->info.name, name))
        return c;
    return NULL;
}
