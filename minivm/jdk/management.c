/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management.c -- java.lang.management: attributes, VM options,
 * diagnostic commands, and the table of functions.
 *
 * The beans of java.lang.management (ThreadMXBean, MemoryMXBean and so on) are classes
 * of the JDK, whose natives ask the VM by a table of functions, the JMM (jmm.h).
 * JVM_GetManagement at the end hands it out; a function jmm_X is the table's X.  What
 * is about threads and memory is in management_thread.c and management_memory.c. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics/heapdump.h"
#include "jdk/diagnostic.h"
#include "jdk/flags.h"
#include "jdk/jvm.h"

/* ThreadMXBean's defaults. */
struct management_switches management_switches = { .cpu_time = true,
                                                   .allocated = true };

static jint JNICALL
jmm_GetVersion(JNIEnv *env UNUSED)
{
    return the_vm->profile->jmm_version;
}

/* Says what this VM measures; returns 0. */
static jint JNICALL
jmm_GetOptionalSupport(JNIEnv *env UNUSED, struct jmm_support *support)
{
    *support = (struct jmm_support){ .contention = 1,
                                     .own_cpu_time = 1,
                                     .other_cpu_time = 1,
                                     .monitor_usage = 1,
                                     .synchronizer_usage = 1,
                                     .allocated_memory = 1,
                                     .remote_commands = 1 };
    return 0;
}

/* ---- attributes ---- */

/* Returns how many threads Java code can see, all or only daemons. */
static jlong
count_threads(struct vm *vm, bool daemons_only)
{
    jlong count = 0;

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        count += thread_is_listed(t) && (t->is_daemon || !daemons_only);
    threads_unlock(vm);
    return count;
}

/* The visitor of classes_visit. */
static void
add_class_bytes(void *context, struct class *c)
{
    if (c->pool)
        *(jlong *)context += (jlong)c->pool->file->length;
}

/* Returns the bytes of all class files that are loaded. */
static jlong
class_bytes(struct vm *vm)
{
    jlong bytes = 0;

    classes_visit(vm, WITHOUT_ARRAYS, add_class_bytes, &bytes);
    return bytes;
}

/* Returns how many options jmm_GetVMGlobals tells of. */
static size_t
count_globals(const struct vm *vm)
{
    size_t count = 0;

    FOR_EACH_FLAG(f)
    count += !flag_is_locked(&vm->options, f);
    return count;
}

/*
 * Returns an attribute (enum jmm_long_attribute); -1, as the interface has it, for one
 * that the VM does not measure.
 */
static jlong
long_attribute(struct vm *vm, int attribute)
{
    switch (attribute) {
    case JMM_CLASS_LOADED_COUNT: return (jlong)vm->classes_loaded;
    case JMM_CLASS_UNLOADED_COUNT: return (jlong)vm->classes_unloaded;
    case JMM_THREAD_TOTAL_COUNT: return (jlong)vm->started_threads;
    case JMM_THREAD_LIVE_COUNT: return (jlong)count_threads(vm, false);
    case JMM_THREAD_PEAK_COUNT: return (jlong)vm->peak_threads;
    case JMM_THREAD_DAEMON_COUNT: return (jlong)count_threads(vm, true);
    case JMM_INIT_DONE_TIME_MS: return (jlong)vm->start_wall_millis;
    case JMM_COMPILE_TIME_MS: return 0;
    case JMM_GC_TIME_MS:
        return (jlong)(heap_get_usage(the_vm->heap).nanoseconds / 1000000);
    case JMM_GC_COUNT: return (jlong)(heap_get_usage(the_vm->heap).collections);
    case JMM_UPTIME_MS: return (jlong)((os_nanos() - (jlong)vm->start_nanos) / 1000000);
    case JMM_CLASS_LOADED_BYTES: return (jlong)class_bytes(vm);
    case JMM_GLOBAL_COUNT: return (jlong)count_globals(vm);
    case JMM_VM_THREAD_COUNT: return 0;
    case JMM_METHOD_DATA_BYTES: return 0;
    case JMM_SHARED_CLASS_LOADED_COUNT: return 0;
    case JMM_SHARED_CLASS_UNLOADED_COUNT: return 0;
    case JMM_SHARED_CLASS_LOADED_BYTES: return 0;
    case JMM_SHARED_CLASS_UNLOADED_BYTES: return 0;
    case JMM_OS_PROCESS_ID: return (jlong)getpid();
    case JMM_OS_MEM_TOTAL_PHYSICAL_BYTES: return (jlong)os_physical_memory();
    case JMM_GC_EXT_ATTRIBUTE_INFO_SIZE: return 1;
    default: return -1;
    }
}

/* The attribute of the VM; o, the object that some attributes are of, is not used. */
static jlong JNICALL
jmm_GetLongAttribute(JNIEnv *env, jobject o UNUSED, int attribute)
{
    VM_ENTRY(env);

    return long_attribute(self->vm, attribute);
}

/* Stores several attributes; returns how many. */
static jint JNICALL
jmm_GetLongAttributes(JNIEnv *env, jobject o UNUSED, const int *attributes, jint count,
                      jlong *results)
{
    VM_ENTRY(env);

    for (jint i = 0; i < count; i++)
        results[i] = long_attribute(self->vm, attributes[i]);
    return count;
}

/* Returns the switch that a boolean attribute is; NULL for another attribute. */
static bool *
find_switch(int attribute)
{
    switch (attribute) {
    case JMM_THREAD_CONTENTION_MONITORING: return &management_switches.contention;
    case JMM_THREAD_CPU_TIME: return &management_switches.cpu_time;
    case JMM_THREAD_ALLOCATED_MEMORY: return &management_switches.allocated;
    default: return NULL;
    }
}

/* The verbose attributes are what the log is set to; an unknown attribute is false. */
static jboolean JNICALL
jmm_GetBoolAttribute(JNIEnv *env UNUSED, int attribute)
{
    const bool *value = find_switch(attribute);

    switch (attribute) {
    case JMM_VERBOSE_GC: return log_wanted(LOG_GC, LOG_INFO);
    case JMM_VERBOSE_CLASS: return log_wanted(LOG_CLASS_LOAD, LOG_INFO);
    default: return value && *value;
    }
}

/*
 * Returns the value before.  Does nothing for an attribute that it does not know, which
 * counts as false.
 */
static jboolean JNICALL
jmm_SetBoolAttribute(JNIEnv *env, int attribute, jboolean flag)
{
    jboolean old = jmm_GetBoolAttribute(env, attribute);
    enum log_level level = flag ? LOG_INFO : LOG_OFF;
    bool *value = find_switch(attribute);

    if (attribute == JMM_VERBOSE_GC)
        log_set_verbose(LOG_GC, level);
    if (attribute == JMM_VERBOSE_CLASS) {
        log_set_verbose(LOG_CLASS_LOAD, level);
        log_set_verbose(LOG_CLASS_UNLOAD, level);
    }
    if (value)
        *value = flag;
    return old;
}

/* ---- options (HotSpotDiagnosticMXBean) ---- */

/*
 * Returns a String[] of the options' names, without those that are locked
 * (-XX:+UnlockDiagnosticVMOptions).
 */
static jobjectArray JNICALL
jmm_GetVMGlobalNames(JNIEnv *env)
{
    VM_ENTRY(env);
    size_t mark = self->handle_count;

    FOR_EACH_FLAG(f)
    if (!flag_is_locked(&self->vm->options, f))
        handle_new(self, string_from_utf8(self, f->name));
    return object_ref(self, strings_from_handles(self, mark));
}

/*
 * Describes the option f.  False with an exception pending.  name is the flag's name as
 * a String; global gets local references.
 */
static bool
fill_global(struct thread *self, const struct flag *f, struct object *name,
            struct jmm_global *global)
{
    const struct vm_options *o = &self->vm->options;
    struct buf text = { 0 };

    *global = (struct jmm_global){ .name = object_ref(self, name),
                                   .external = 1,
                                   .origin = (int)flag_origin(o, f),
                                   .writeable = flag_is_manageable(f) };
    flag_print_value(&text, o, f);
    if (flag_is_bool(f)) {
        global->type = JMM_TYPE_BOOLEAN;
        global->value.z = flag_number(o, f) != 0;
    } else if (flag_is_text(f)) {
        global->type = JMM_TYPE_STRING;
        global->value.l = object_ref(self, string_from_utf8(self, buf_string(&text)));
    } else if (flag_is_double(f)) {
        global->type = JMM_TYPE_DOUBLE;
        global->value.d = strtod(buf_string(&text), NULL);
    } else {
        global->type = JMM_TYPE_LONG;
        global->value.j = flag_number(o, f);
    }
    buf_release(&text);
    return !exception_pending(self);
}

/*
 * Describes up to count options: those that names has, or, when it is null, all that
 * are not locked.  An option that is unknown or locked gets a null name.  Returns how
 * many were found.  The result is 0, with the exception pending, if one of the names is
 * null or memory is short.
 */
static jint JNICALL
jmm_GetVMGlobals(JNIEnv *env, jobjectArray names, struct jmm_global *globals,
                 jint count)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(names);
    const struct flag *next = flags;
    jint limit = array ? array_length(array) : count, known = 0;

    for (jint i = 0; i < count && i < limit; i++) {
        TEXTS(t);
        while (!array && next < flags + flag_count
               && flag_is_locked(&self->vm->options, next))
            next++;
        if (!array && next == flags + flag_count)
            break;
        struct object *name = array ? ARRAY_REFS(array)[i]
                                    : handle_new(self,
                                                 string_from_utf8(self, next->name));
        if (!name) {
            if (!exception_pending(self))
                THROW0(self, NullPointerException);
            return 0;
        }
        const char *text = own(&t, string_to_utf8(name));
        const struct flag *f = array ? flag_find(text, strlen(text)) : next++;
        globals[i] = (struct jmm_global){ .name = NULL };
        if (!f || flag_is_locked(&self->vm->options, f))
            continue;
        if (!fill_global(self, f, name, &globals[i]))
            return 0;
        known++;
    }
    return known;
}

/*
 * Changes an option while the VM runs.  The class library has chosen value's member by
 * the option's type.  IllegalArgumentException when the option cannot be changed or the
 * value is none.
 */
static void JNICALL
jmm_SetVMGlobal(JNIEnv *env, jstring name, jvalue value)
{
    VM_ENTRY(env);
    const struct object *name_object = ref_get(name);
    struct buf text = { 0 }, problem = { 0 };
    TEXTS(t);

    if (!name_object) {
        THROW0(self, NullPointerException);
        return;
    }
    const char *flag_name = own(&t, string_to_utf8(name_object));
    const struct flag *f = flag_find(flag_name, strlen(flag_name));
    if (f && flag_is_bool(f))
        buf_append_string(&text, value.z ? "true" : "false");
    else if (f && flag_is_text(f) && value.l)
        buf_append_string(&text, own(&t, string_to_utf8(ref_get(value.l))));
    else if (f && flag_is_double(f))
        buf_printf(&text, "%f", value.d);
    else if (f && !flag_is_text(f))
        buf_printf(&text, "%" PRId64, (int64_t)value.j);
    if (f && !flag_is_manageable(f))
        THROW(self, IllegalArgumentException, "This flag is not writeable.");
    else if (!flag_change(&self->vm->options, flag_name, buf_string(&text),
                          FLAG_BY_MANAGEMENT, &problem))
        THROW(self, IllegalArgumentException, "%s", buf_string(&problem));
    buf_release(&text);
    buf_release(&problem);
}

/* ---- diagnostic commands (DiagnosticCommandMBean) ---- */

/* Returns a String[] of the commands' names. */
static jobjectArray JNICALL
jmm_GetDiagnosticCommands(JNIEnv *env)
{
    VM_ENTRY(env);
    size_t mark = self->handle_count;

    FOR_EACH_COMMAND(c)
    handle_new(self, string_from_utf8(self, c->info.name));
    return object_ref(self, strings_from_handles(self, mark));
}

/*
 * Returns the command of that name; NULL with an exception pending.  name may be NULL.
 */
static const struct diagnostic_command *
command_of(struct thread *self, const struct object *name)
{
    TEXTS(t);

    if (!name)
        return THROW(self, NullPointerException, "Command name cannot be null.");
    const struct diagnostic_command *c = diagnostic_find(own(&t, string_to_utf8(name)));
    return c ? c : THROW(self, IllegalArgumentException, "Unknown diagnostic command");
}

/* Describes each of the commands that names has. */
static void JNICALL
jmm_GetDiagnosticCommandInfo(JNIEnv *env, jobjectArray names, struct jmm_command *infos)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(names);

    for (int32_t i = 0; array && i < array_length(array); i++) {
        const struct diagnostic_command *c = command_of(self, ARRAY_REFS(array)[i]);
        if (!c)
            return;
        infos[i] = c->info;
    }
}

/* Describes the arguments of a command. */
static void JNICALL
jmm_GetDiagnosticCommandArgumentsInfo(JNIEnv *env, jstring name,
                                      struct jmm_command_argument *infos)
{
    VM_ENTRY(env);
    const struct diagnostic_command *c = command_of(self, ref_get(name));

    if (c)
        memcpy(infos, c->arguments, (size_t)c->info.argument_count * sizeof *infos);
}

/* Runs a command line and returns its output. */
static jstring JNICALL
jmm_ExecuteDiagnosticCommand(JNIEnv *env, jstring command)
{
    VM_ENTRY(env);
    const struct object *text = ref_get(command);
    struct object *result = NULL;
    struct buf out = { 0 };
    TEXTS(t);

    if (!text)
        return THROW(self, NullPointerException, "Command line cannot be null.");
    if (diagnostic_run(self, own(&t, string_to_utf8(text)), &out))
        result = string_from_utf8(self, buf_string(&out));
    buf_release(&out);
    return object_ref(self, result);
}

/* ---- HotSpotDiagnosticMXBean.dumpHeap ---- */

/*
 * Writes a heap dump to a file, whose name the class library has checked.  Returns 0,
 * or -1 with an exception pending.
 */
static jint JNICALL
jmm_DumpHeap0(JNIEnv *env, jstring file, jboolean live)
{
    VM_ENTRY(env);
    const struct object *name = ref_get(file);
    struct buf messages = { 0 };
    TEXTS(t);

    if (!name) {
        THROW(self, NullPointerException, "Output file name cannot be null.");
        return -1;
    }
    struct heap_dump d = { .path = own(&t, string_to_utf8(name)), .live = live };
    const char *error = own(&t, heap_dump_write(self, &d, &messages));
    buf_release(&messages);
    if (error)
        throw_class(self, class_load_boot(self, "java/io/IOException"), "%s", error);
    return error ? -1 : 0;
}

/* ---- what this VM does not have ---- */

/* Nothing to do: the set of commands never changes. */
static void JNICALL
jmm_SetDiagnosticFrameworkNotificationEnabled(JNIEnv *env UNUSED,
                                              jboolean enabled UNUSED)
{
}

/* The VM has no threads but those that Java code can see. */
static jint JNICALL
jmm_GetInternalThreadTimes(JNIEnv *env UNUSED, jobjectArray names UNUSED,
                           jlongArray times UNUSED)
{
    return 0;
}

/*
 * Version 4 of the table: GetTotalThreadAllocatedMemory stands behind
 * GetPeakMemoryPoolUsage, all that follows is one slot later than in version 3, and the
 * slot where it was is unused.  Every slot is a pointer.
 */
enum { JMM_SLOTS = sizeof(struct jmm_interface) / sizeof(void *) };
struct jmm_interface_4 {
    void *slots[JMM_SLOTS + 1];
};
#define JMM_SLOT(function) (offsetof(struct jmm_interface, function) / sizeof(void *))

/* Fills to from the table of version 3. */
static void
arrange_as_4(struct jmm_interface_4 *to, const struct jmm_interface *table)
{
    const size_t first = JMM_SLOT(GetOneThreadAllocatedMemory);
    const size_t moved = JMM_SLOT(GetTotalThreadAllocatedMemory);
    void *slots[JMM_SLOTS];

    memcpy(slots, table, sizeof slots);
    memcpy(to->slots, slots, first * sizeof *slots);
    memcpy(to->slots + first + 1, slots + first, (JMM_SLOTS - first) * sizeof *slots);
    to->slots[first] = slots[moved];
    to->slots[moved + 1] = NULL;
}

/*
 * Returns the table of that version of the JMM, which libmanagement asks for; NULL if
 * the release has another one.
 */
JNIEXPORT void *JNICALL
JVM_GetManagement(jint version)
{
    static struct jmm_interface table = {
        .GetVersion = jmm_GetVersion,
        .GetOptionalSupport = jmm_GetOptionalSupport,
        .GetLongAttribute = jmm_GetLongAttribute,
        .GetLongAttributes = jmm_GetLongAttributes,
        .GetBoolAttribute = jmm_GetBoolAttribute,
        .SetBoolAttribute = jmm_SetBoolAttribute,
        .GetVMGlobalNames = jmm_GetVMGlobalNames,
        .GetVMGlobals = jmm_GetVMGlobals,
        .SetVMGlobal = jmm_SetVMGlobal,
        .GetInternalThreadTimes = jmm_GetInternalThreadTimes,
        .DumpHeap0 = jmm_DumpHeap0,
        .GetDiagnosticCommands = jmm_GetDiagnosticCommands,
        .GetDiagnosticCommandInfo = jmm_GetDiagnosticCommandInfo,
        .GetDiagnosticCommandArgumentsInfo = jmm_GetDiagnosticCommandArgumentsInfo,
        .ExecuteDiagnosticCommand = jmm_ExecuteDiagnosticCommand,
        .SetDiagnosticFrameworkNotificationEnabled =
            jmm_SetDiagnosticFrameworkNotificationEnabled,
    };

    static struct jmm_interface_4 table_4;

    if ((version & JMM_MAJOR_MASK) != (the_vm->profile->jmm_version & JMM_MAJOR_MASK))
        return NULL;
    management_fill_threads(&table);
    management_fill_memory(&table);
    if (the_vm->profile->jmm_version == JMM_VERSION_3)
        return &table;
    arrange_as_4(&table_4, &table);
    return &table_4;
}
