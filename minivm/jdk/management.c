/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management.c -- java.lang.management: attributes, options, commands. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jdk/flags.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/heapdump.h"

struct management_switches management_switches = { .cpu_time = true,
                                                   .allocated = true };

static jint JNICALL
get_version(JNIEnv *env UNUSED)
{
    return JMM_VERSION;
}

static jint JNICALL
get_optional_support(JNIEnv *env UNUSED, struct jmm_support *support)
{
    *support = (struct jmm_support){ .contention = 1, .own_cpu_time = 1,
                                     .other_cpu_time = 1, .monitor_usage = 1,
                                     .synchronizer_usage = 1, .allocated_memory = 1,
                                     .remote_commands = 1 };
    return 0;
}

/* ---- attributes ---- */

static jlong
count_threads(struct vm *vm, bool daemons_only)
{
    jlong count = 0;

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        count += thread_is_visible(t) && (t->is_daemon || !daemons_only);
    threads_unlock(vm);
    return count;
}

static void
add_class_bytes(void *context, struct class *c)
{
    if (c->pool)
        *(jlong *)context += (jlong)c->pool->file->length;
}

static jlong
class_bytes(struct vm *vm)
{
    jlong bytes = 0;

    classes_visit(vm, false, add_class_bytes, &bytes);
    return bytes;
}

static size_t
count_globals(const struct vm *vm)
{
    size_t count = 0;

    FOR_EACH_FLAG(f)
        count += !flag_is_locked(&vm->options, f);
    return count;
}

/* JMM's number and name of an attribute, and its value. */
#define ATTRIBUTE(number, name, value) \
    case number: \
        return (jlong)(value)

/* What the VM does not measure is -1, as the interface has it. */
static jlong
long_attribute(struct vm *vm, int attribute)
{
    switch (attribute) {
    ATTRIBUTE(1, CLASS_LOADED_COUNT, vm->classes_loaded);
    ATTRIBUTE(2, CLASS_UNLOADED_COUNT, vm->classes_unloaded);
    ATTRIBUTE(3, THREAD_TOTAL_COUNT, vm->started_threads);
    ATTRIBUTE(4, THREAD_LIVE_COUNT, count_threads(vm, false));
    ATTRIBUTE(5, THREAD_PEAK_COUNT, vm->peak_threads);
    ATTRIBUTE(6, THREAD_DAEMON_COUNT, count_threads(vm, true));
    ATTRIBUTE(7, INIT_DONE_TIME_MS, vm->start_wall_millis);
    ATTRIBUTE(8, COMPILE_TIME_MS, 0);
    ATTRIBUTE(9, GC_TIME_MS, heap_get_usage(the_vm->heap).nanoseconds / 1000000);
    ATTRIBUTE(10, GC_COUNT, heap_get_usage(the_vm->heap).collections);
    ATTRIBUTE(11, UPTIME_MS, (os_nanos() - (jlong)vm->start_nanos) / 1000000);
    ATTRIBUTE(101, CLASS_LOADED_BYTES, class_bytes(vm));
    ATTRIBUTE(104, GLOBAL_COUNT, count_globals(vm));
    ATTRIBUTE(109, VM_THREAD_COUNT, 0);
    ATTRIBUTE(112, METHOD_DATA_BYTES, 0);
    ATTRIBUTE(114, SHARED_CLASS_LOADED_COUNT, 0);
    ATTRIBUTE(115, SHARED_CLASS_UNLOADED_COUNT, 0);
    ATTRIBUTE(116, SHARED_CLASS_LOADED_BYTES, 0);
    ATTRIBUTE(117, SHARED_CLASS_UNLOADED_BYTES, 0);
    ATTRIBUTE(201, OS_PROCESS_ID, getpid());
    ATTRIBUTE(202, OS_MEM_TOTAL_PHYSICAL_BYTES, os_physical_memory());
    ATTRIBUTE(401, GC_EXT_ATTRIBUTE_INFO_SIZE, 1);
    default:
        return -1;
    }
}

JMM_VALUE(jlong, get_long_attribute, (JNIEnv *env, jobject o UNUSED, int attribute),
          long_attribute(self->vm, attribute))

static jint JNICALL
get_long_attributes(JNIEnv *env, jobject o UNUSED, const int *attributes, jint count,
                    jlong *results)
{
    VM_ENTRY(env);

    for (jint i = 0; i < count; i++)
        results[i] = long_attribute(self->vm, attributes[i]);
    return count;
}

enum { VERBOSE_GC = 21, VERBOSE_CLASS = 22, FIRST_SWITCH = 23 };

/* Where it is kept, or NULL. */
static bool *
bool_attribute(int attribute)
{
    struct management_switches *s = &management_switches;
    /* In JMM's order. */
    bool *const places[] = { &s->contention, &s->cpu_time, &s->allocated };
    const int count = sizeof places / sizeof *places;

    return attribute >= FIRST_SWITCH && attribute < FIRST_SWITCH + count
               ? places[attribute - FIRST_SWITCH] : NULL;
}

static jboolean JNICALL
get_bool_attribute(JNIEnv *env UNUSED, int attribute)
{
    const bool *place = bool_attribute(attribute);

    switch (attribute) {
    case VERBOSE_GC: return log_wanted(LOG_GC, LOG_INFO);
    case VERBOSE_CLASS: return log_wanted(LOG_CLASS_LOAD, LOG_INFO);
    default: return place && *place;
    }
}

static jboolean JNICALL
set_bool_attribute(JNIEnv *env, int attribute, jboolean flag)
{
    jboolean old = get_bool_attribute(env, attribute);
    enum log_level level = flag ? LOG_INFO : LOG_OFF;
    bool *place = bool_attribute(attribute);

    if (attribute == VERBOSE_GC)
        log_set_verbose(LOG_GC, level);
    if (attribute == VERBOSE_CLASS) {
        log_set_verbose(LOG_CLASS_LOAD, level);
        log_set_verbose(LOG_CLASS_UNLOAD, level);
    }
    if (place)
        *place = flag;
    return old;
}

/* ---- options (HotSpotDiagnosticMXBean) ---- */

/* Locked ones are not told of. */
static jobjectArray JNICALL
get_global_names(JNIEnv *env)
{
    VM_ENTRY(env);
    size_t mark = self->handle_count;

    FOR_EACH_FLAG(f)
        if (!flag_is_locked(&self->vm->options, f))
            keep(self, string_from_utf8(self, f->name));
    return object_ref(self, java_kept_strings(self, mark));
}

/* False with an exception pending. */
static bool
fill_global(struct thread *self, const struct flag *f, struct object *name,
            struct jmm_global *global)
{
    const struct vm_options *o = &self->vm->options;
    struct buf text = { 0 };

    *global = (struct jmm_global){ .name = object_ref(self, name), .external = 1,
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

/* names null: all.  An unknown one gets a null name. */
static jint JNICALL
get_globals(JNIEnv *env, jobjectArray names, struct jmm_global *globals, jint count)
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
                                    : keep(self, string_from_utf8(self, next->name));
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

/* The class library has found out the type from the flag's own. */
static void JNICALL
set_global(JNIEnv *env, jstring name, jvalue value)
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

/* ---- DiagnosticCommandMBean ---- */

static jobjectArray JNICALL
get_commands(JNIEnv *env)
{
    VM_ENTRY(env);
    size_t mark = self->handle_count;

    FOR_EACH_COMMAND(c)
        keep(self, string_from_utf8(self, c->info.name));
    return object_ref(self, java_kept_strings(self, mark));
}

/* NULL with an exception pending. */
static const struct diagnostic_command *
command_of(struct thread *self, const struct object *name)
{
    TEXTS(t);

    if (!name)
        return THROW(self, NullPointerException, "Command name cannot be null.");
    const struct diagnostic_command *c = diagnostic_find(own(&t, string_to_utf8(name)));
    return c ? c : THROW(self, IllegalArgumentException, "Unknown diagnostic command");
}

static void JNICALL
get_command_info(JNIEnv *env, jobjectArray names, struct jmm_command *infos)
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

static void JNICALL
get_command_arguments(JNIEnv *env, jstring name, struct jmm_command_argument *infos)
{
    VM_ENTRY(env);
    const struct diagnostic_command *c = command_of(self, ref_get(name));

    if (c)
        memcpy(infos, c->arguments, (size_t)c->info.argument_count * sizeof *infos);
}

static jstring JNICALL
execute_command(JNIEnv *env, jstring command)
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

/* The class library has checked the name's end. */
static jint JNICALL
dump_heap(JNIEnv *env, jstring file, jboolean live)
{
    VM_ENTRY(env);
    const struct object *name = ref_get(file);
    struct buf told = { 0 };
    TEXTS(t);

    if (!name) {
        THROW(self, NullPointerException, "Output file name cannot be null.");
        return -1;
    }
    struct heap_dump d = { .path = own(&t, string_to_utf8(name)), .live = live };
    const char *error = own(&t, heap_dump_write(self, &d, &told));
    buf_release(&told);
    if (error)
        throw_class(self, class_load_boot(self, "java/io/IOException"), "%s", error);
    return error ? -1 : 0;
}

/* ---- what this VM does not have ---- */

static void JNICALL
set_command_notification(JNIEnv *env UNUSED, jboolean enabled UNUSED)
{
}

/* There are no threads of the VM's own but Java threads. */
static jint JNICALL
get_internal_times(JNIEnv *env UNUSED, jobjectArray names UNUSED,
                   jlongArray times UNUSED)
{
    return 0;
}

/* The interface of that version, or NULL when this VM has no such. */
JNIEXPORT void *JNICALL
JVM_GetManagement(jint version)
{
    static struct jmm_interface table = {
        .GetVersion = get_version,
        .GetOptionalSupport = get_optional_support,
        .GetLongAttribute = get_long_attribute,
        .GetLongAttributes = get_long_attributes,
        .GetBoolAttribute = get_bool_attribute,
        .SetBoolAttribute = set_bool_attribute,
        .GetVMGlobalNames = get_global_names,
        .GetVMGlobals = get_globals,
        .SetVMGlobal = set_global,
        .GetInternalThreadTimes = get_internal_times,
        .DumpHeap0 = dump_heap,
        .GetDiagnosticCommands = get_commands,
        .GetDiagnosticCommandInfo = get_command_info,
        .GetDiagnosticCommandArgumentsInfo = get_command_arguments,
        .ExecuteDiagnosticCommand = execute_command,
        .SetDiagnosticFrameworkNotificationEnabled = set_command_notification,
    };

    if ((version & JMM_MAJOR_MASK) != (JMM_VERSION & JMM_MAJOR_MASK))
        return NULL;
    management_fill_threads(&table);
    management_fill_memory(&table);
    return &table;
}
